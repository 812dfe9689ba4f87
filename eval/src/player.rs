//! Players: whoever chooses actions for a batch of games.
//!
//! A batch, because a network is asked for many positions at once. A random stream per game,
//! because then neither the batch nor the number of threads changes what is chosen.

use damma_env::{Action, Game, State};
use rand::RngExt as _;
use rand_pcg::Pcg64;

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
