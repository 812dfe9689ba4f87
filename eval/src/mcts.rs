//! The player that searches with a trained network.

use damma_env::{Action, Encoder, Game, State};
use damma_trainer::checkpoint::{Checkpoint, CheckpointError, encoder};
use damma_trainer::search::{self, Lockstep, SearchConfig, Task, Tree};
use damma_trainer::{Network, Value};
use rand_pcg::Pcg64;
use rayon::prelude::*;

use crate::player::Player;

/// Games searched in one batch; fixed, so that results do not depend on the number of threads.
const BATCH: usize = 64;

/// Tree search with the network of a checkpoint; takes the most visited action.
pub struct MctsPlayer {
    name: String,
    network: Network,
    encoder: Encoder,
    search: SearchConfig,
    simulations: u32,
}

impl MctsPlayer {
    /// Makes a player of a checkpoint for a game.
    ///
    /// # Errors
    /// The checkpoint was trained for another game, or is damaged.
    pub fn new(checkpoint: &Checkpoint, game: &Game, simulations: u32) -> Result<Self, CheckpointError> {
        let network = checkpoint.network_for(game)?;
        Ok(Self {
            name: format!("mcts:{}@{simulations}", checkpoint.path.display()),
            encoder: encoder(network.config(), game),
            network,
            search: checkpoint.state.config.search.clone(),
            simulations,
        })
    }

    /// Searches positions and gives each one's tree; a position without a choice has an empty one.
    #[must_use]
    pub fn search(&self, game: &Game, states: &[&State]) -> Vec<Tree> {
        let mut tasks: Vec<Decision> =
            states.iter().map(|state| Decision::new(game, state, self.simulations)).collect();
        tasks.par_chunks_mut(BATCH).for_each(|chunk| {
            search::run(chunk, &self.search, game, &self.encoder, &self.network, &|| false);
        });
        tasks.into_iter().map(|task| task.search.tree).collect()
    }

    /// Gives the search's value of one position.
    #[must_use]
    pub fn value(&self, game: &Game, state: &State) -> Value {
        self.search(game, &[state])[0].value()
    }
}

impl Player for MctsPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, game: &Game, states: &[&State], rngs: &mut [Pcg64]) -> Vec<Action> {
        let trees = self.search(game, states);
        let choices = trees.iter().zip(states).zip(rngs);
        choices
            .map(|((tree, state), rng)| {
                let only = || state.position().legal_actions(game)[0];
                tree.choose(0.0, state.position().side(), rng).unwrap_or_else(only)
            })
            .collect()
    }
}

/// One position to decide.
struct Decision {
    search: Lockstep,
    done: bool,
}

impl Decision {
    fn new(game: &Game, state: &State, simulations: u32) -> Self {
        let done = state.outcome().is_some() || state.position().legal_actions(game).len() < 2;
        Self { search: Lockstep { state: state.clone(), tree: Tree::default(), simulations }, done }
    }
}

impl Task for Decision {
    fn search(&mut self) -> Option<&mut Lockstep> {
        (!self.done).then_some(&mut self.search)
    }

    fn root_evaluated(&mut self) {}

    fn finished(&mut self) {
        self.done = true;
    }
}
