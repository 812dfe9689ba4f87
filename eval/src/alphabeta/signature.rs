//! The signature of the baseline's play: what it searches in fixed positions.

use damma_env::{Capture, Game, State};
use rand::RngExt as _;
use rand_pcg::Pcg64;

use super::{AlphaBeta, Level};

/// Positions of a signature.
const POSITIONS: usize = 12;

/// Sets the streams of these positions apart from all others.
const SEED: u128 = 0x5163;

/// Random games begun to find the positions, at most: where games end early there are fewer.
const STREAMS: u128 = 1_000;

/// How much is searched in fixed positions of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    /// How many positions: 12, or as many as there are where games are too short.
    pub positions: usize,
    /// How deep, in turns.
    pub depth: u8,
    /// The nodes of all searches together: the signature itself.
    pub nodes: u64,
}

/// Searches the fixed positions of a game, on one thread.
///
/// Whatever changes the play of the baseline all but surely changes the count, so two builds with
/// equal signatures play alike.
#[must_use]
pub fn signature(game: &Game) -> Signature {
    let depth = match (game.ruleset().capture, game.size()) {
        (Capture::Forced, _) => 6,
        (Capture::Huff, ..=6) => 3,
        (Capture::Huff, _) => 2,
    };
    let player = AlphaBeta::new(Level::Depth(depth));
    let states = positions(game);
    let nodes = states.iter().map(|state| player.analyse(game, state).nodes).sum();
    Signature { positions: states.len(), depth, nodes }
}

/// Plays random turns, more and more, from the start; games that end too early are left out.
fn positions(game: &Game) -> Vec<State> {
    let mut found = Vec::with_capacity(POSITIONS);
    for stream in 0..STREAMS {
        if found.len() == POSITIONS {
            break;
        }
        let mut rng = Pcg64::new(SEED, stream);
        let mut state = State::new(game);
        while state.outcome().is_none() && state.turns() < 3 * found.len() as u32 {
            let actions = state.position().legal_actions(game);
            state.play(game, actions[rng.random_range(0..actions.len())]);
        }
        if state.outcome().is_none() {
            found.push(state);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use damma_env::Ruleset;

    use super::*;

    #[test]
    fn games_that_never_live_so_long_give_fewer_positions() {
        let ruleset = Ruleset::preset("khreibga").unwrap().with_overrides(["max_turns=5"]).unwrap();
        // 0 and 3 turns; 6 are more than a game has.
        assert_eq!(signature(&Game::new(ruleset).unwrap()).positions, 2);
    }
}
