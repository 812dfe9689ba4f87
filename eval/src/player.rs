//! Players: whoever chooses actions for a batch of games.
//!
//! A batch, because a network is asked for many positions at once. A random stream per game,
//! because then neither the batch nor the number of threads changes what is chosen.

use std::time::Duration;

use damma_env::{Action, Game, Position, State};
use rand::RngExt as _;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

/// Somebody who plays.
pub trait Player {
    /// Names the player in reports.
    fn name(&self) -> String;

    /// Chooses an action in each game of a batch.
    ///
    /// The games are independent and go on, and the next decision of each is this player's. The
    /// stream of a game comes with it in `rngs`; a choice may depend on its own state and stream
    /// only, never on the rest of the batch.
    ///
    /// # Panics
    /// A game is over.
    fn choose(&mut self, game: &Game, states: &[&State], rngs: &mut [Pcg64]) -> Vec<Action>;

    /// Decides in each game of a batch, with what is known of each game and what there is to say
    /// of each choice.
    ///
    /// For players that need the whole game or can fail; others only choose.
    ///
    /// # Panics
    /// As [`Player::choose`].
    fn decide(&mut self, game: &Game, decisions: &[Decision<'_>], rngs: &mut [Pcg64]) -> Vec<Result<Choice, Forfeit>> {
        let states: Vec<&State> = decisions.iter().map(|decision| decision.state).collect();
        self.choose(game, &states, rngs).into_iter().map(|action| Ok(Choice::of(action))).collect()
    }
}

/// A decision to make, in a game that goes on.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'g> {
    /// The number of the game in its match.
    pub game: usize,
    /// The place of the game among those played together, from 0.
    pub slot: usize,
    /// Where the game began.
    pub start: &'g Position,
    /// What was played since.
    pub actions: &'g [Action],
    /// Where that led.
    pub state: &'g State,
}

/// An action chosen, and what its player says of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// The action.
    pub action: Action,
    /// How the decider stands.
    pub opinion: Option<Opinion>,
    /// How many positions were looked at.
    pub nodes: Option<u64>,
    /// How long it took.
    pub spent: Option<Duration>,
}

impl Choice {
    /// Makes a choice of which nothing is said.
    #[must_use]
    pub const fn of(action: Action) -> Self {
        Self { action, opinion: None, nodes: None, spent: None }
    }
}

/// How a player thinks that the decider stands.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opinion {
    /// The expected result, -1 (lost) to 1 (won).
    Expected(f32),
    /// Hundredths of a man ahead.
    Hundredths(i32),
}

/// A game given up because its player failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forfeit {
    /// In what way.
    pub fault: Fault,
    /// What happened, for people.
    pub detail: String,
}

/// How a player failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// Its program ended or closed its output.
    Crash,
    /// It chose what the rules do not allow.
    IllegalMove,
    /// It did not answer in time.
    Timeout,
}

/// Chooses any legal action, each as likely as the other.
#[derive(Clone, Debug, Default)]
pub struct RandomPlayer {
    actions: Vec<Action>,
}

impl RandomPlayer {
    /// Makes the player.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Player for RandomPlayer {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn choose(&mut self, game: &Game, states: &[&State], rngs: &mut [Pcg64]) -> Vec<Action> {
        let mut one = |(state, rng): (&&State, &mut Pcg64)| {
            state.position().legal_actions_into(game, &mut self.actions);
            self.actions[rng.random_range(0..self.actions.len())]
        };
        states.iter().zip(rngs).map(&mut one).collect()
    }
}

#[cfg(test)]
mod tests {
    use damma_env::Ruleset;

    use super::*;

    #[test]
    fn a_random_choice_does_not_depend_on_the_rest_of_the_batch() {
        let game = Game::new(Ruleset::preset("zamma").unwrap()).unwrap();
        let state = State::new(&game);
        let streams = |count: u128| -> Vec<Pcg64> { (0..count).map(|stream| Pcg64::new(7, stream)).collect() };

        let together = RandomPlayer::new().choose(&game, &[&state; 9], &mut streams(9));
        let alone: Vec<Action> = streams(9)
            .iter_mut()
            .map(|rng| RandomPlayer::new().choose(&game, &[&state], std::slice::from_mut(rng))[0])
            .collect();

        assert_eq!(together, alone);
        assert!(together.iter().any(|action| *action != together[0]));
    }
}
