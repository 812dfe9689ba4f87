//! The games that ended in a call: what auto-reset would otherwise lose.

use ndarray::{Array2, Array4};

use super::ending::Ending;
use crate::geometry::Game;
use crate::observe::Encoder;
use crate::position::Position;

/// A game that ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Final {
    /// On which board.
    pub board: usize,
    /// Who won, if anyone, and why the game ended.
    pub ending: Ending,
    /// The last position.
    pub position: Position,
    /// How often that position had stood, itself included.
    pub repetitions: u32,
    /// Actions played, those of a random opening left out; 65,535 at most.
    pub length: u32,
    /// Turns completed.
    pub turns: u32,
}

/// The games that ended in the last call, by board.
#[derive(Clone, Copy, Debug)]
pub struct Finals<'a> {
    pub(super) games: &'a [Final],
    pub(super) game: &'a Game,
    pub(super) encoder: &'a Encoder,
}

impl<'a> Finals<'a> {
    /// Gives the games that ended, by board.
    #[must_use]
    pub const fn games(&self) -> &'a [Final] {
        self.games
    }

    /// Gives the last observations, `[K, C, H, W]`, each from the view of the player who would
    /// have had to decide.
    #[must_use]
    pub fn observations(&self) -> Array4<f32> {
        let [channels, height, width] = self.encoder.shape();
        let mut all = Array4::zeros([self.games.len(), channels, height, width]);
        for (last, mut out) in self.games.iter().zip(all.outer_iter_mut()) {
            let out = out.as_slice_mut().expect("a new array is contiguous");
            self.encoder.encode_position(self.game, &last.position, last.repetitions, last.turns, out);
        }
        all
    }

    /// Gives the last action masks, `[K, A]`: what could still have been played where a game was
    /// drawn or cut off, nothing where it was won on the board.
    #[must_use]
    pub fn masks(&self) -> Array2<bool> {
        let mut all = Array2::from_elem([self.games.len(), self.game.action_count()], false);
        for (last, mut out) in self.games.iter().zip(all.outer_iter_mut()) {
            last.position.each_action(self.game, |action| {
                out[action.index()] = true;
                true
            });
        }
        all
    }
}

/// What the ended games of a batch add up to since it was made or its statistics were cleared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EpisodeStatistics {
    /// Games that ended.
    pub games: u64,
    /// Games won by White and by Black.
    pub wins: [u64; 2],
    /// Games by [`Cause`](crate::Cause), each at its number.
    pub causes: [u64; 8],
    /// Actions of all games together.
    pub actions: u64,
    /// Turns of all games together.
    pub turns: u64,
}

impl EpisodeStatistics {
    pub(super) fn add(&mut self, last: &Final) {
        self.games += 1;
        if let Some(winner) = last.ending.winner {
            self.wins[winner.index()] += 1;
        }
        self.causes[last.ending.cause as usize] += 1;
        self.actions += u64::from(last.length);
        self.turns += u64::from(last.turns);
    }
}
