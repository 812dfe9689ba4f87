//! The player that searches with a trained network.

use std::sync::Arc;
use std::time::{Duration, Instant};

use damma_env::{Action, Encoder, EndgameTables, Game, State};
use damma_trainer::Network;
use damma_trainer::checkpoint::{Checkpoint, CheckpointError, encoder};
use damma_trainer::search::{Batcher, Lockstep, SearchConfig, Task, Tree};
use rand_pcg::Pcg64;
use rayon::prelude::*;

use crate::bot_level::BotLevel;
use crate::endgame;
use crate::player::{Choice, Decision, Forfeit, Opinion, Player};

/// Simulations of a search that only time ends, at most: its tree must fit in memory.
const MOST_SIMULATIONS: u32 = 1_000_000;

/// Simulations between two looks at the clock.
const STRIDE: u32 = 16;

/// Games searched in one batch; fixed, so that results do not depend on the number of threads.
const BATCH: usize = 32;

/// Tree search with the network of a checkpoint; takes the most visited action.
pub struct MctsPlayer {
    name: String,
    network: Network,
    encoder: Encoder,
    search: SearchConfig,
    simulations: u32,
    time: Option<Duration>,
    tables: Option<Arc<EndgameTables>>,
    level: Option<BotLevel>,
}

impl MctsPlayer {
    /// Makes a player of a checkpoint for a game, with so many simulations a decision.
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
            time: None,
            tables: None,
            level: None,
        })
    }

    /// Makes a player of a checkpoint for a game, with so much time a decision: what it plays
    /// then depends on the machine.
    ///
    /// # Errors
    /// As [`MctsPlayer::new`].
    pub fn timed(checkpoint: &Checkpoint, game: &Game, time: Duration) -> Result<Self, CheckpointError> {
        let player = Self::new(checkpoint, game, MOST_SIMULATIONS)?;
        let name = format!("mcts:{}@{}ms", checkpoint.path.display(), time.as_millis());
        Ok(Self { name, time: Some(time), ..player })
    }

    /// Makes a player of a checkpoint for a game that plays at a level.
    ///
    /// # Errors
    /// As [`MctsPlayer::new`].
    pub fn at_level(checkpoint: &Checkpoint, game: &Game, level: BotLevel) -> Result<Self, CheckpointError> {
        // The evaluation of the root is a visit and no simulation.
        let player = Self::new(checkpoint, game, level.visits() - 1)?;
        let name = format!("mcts:{}@level{}", checkpoint.path.display(), level.number());
        Ok(Self { name, level: Some(level), ..player })
    }

    /// Lets the search look positions up, and play from tables where they know all.
    #[must_use]
    pub fn with_tables(self, tables: Arc<EndgameTables>) -> Self {
        Self { name: format!("{}+tables", self.name), tables: Some(tables), ..self }
    }

    /// Searches one position for so many simulations, or until `go_on` says no; asked now and
    /// then with the tree so far. A position without a choice has an empty tree.
    #[must_use]
    pub fn search_while(
        &self,
        game: &Game,
        state: &State,
        simulations: u32,
        go_on: &mut dyn FnMut(&Tree) -> bool,
    ) -> Tree {
        let simulations = simulations.min(MOST_SIMULATIONS);
        // Halving needs an end to plan for; a search that only time ends has none.
        let planned = if simulations < MOST_SIMULATIONS { simulations } else { 0 };
        let mut task = Decided { planned, ..Decided::new(game, state, 0) };
        while !task.done && task.search.simulations < simulations {
            task.search.simulations = simulations.min(task.search.simulations + STRIDE);
            self.run(game, std::slice::from_mut(&mut task));
            task.done = !go_on(&task.search.tree) || task.search.tree.proof().is_some();
        }
        task.search.tree
    }

    /// Gives the most visited action of a position's tree, or the only one that there is.
    #[must_use]
    pub fn best(&self, game: &Game, tree: &Tree, state: &State) -> Action {
        // Without temperature nothing is drawn from the stream.
        self.choice(game, tree, state, &mut Pcg64::new(0, 0)).action
    }

    /// Searches positions and gives each one's tree; a position without a choice has an empty one.
    #[must_use]
    pub fn search(&self, game: &Game, states: &[&State]) -> Vec<Tree> {
        let mut tasks: Vec<Decided> = states.iter().map(|state| Decided::new(game, state, self.simulations)).collect();
        tasks.par_chunks_mut(BATCH).for_each(|chunk| self.run(game, chunk));
        tasks.into_iter().map(|task| task.search.tree).collect()
    }

    fn run(&self, game: &Game, tasks: &mut [Decided]) {
        let (config, encoder, evaluator) = (&self.search, &self.encoder, &self.network);
        Batcher { config, game, encoder, evaluator, tables: self.tables.as_deref() }.run(tasks, &|| false);
    }
}

impl Player for MctsPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, game: &Game, states: &[&State], rngs: &mut [Pcg64]) -> Vec<Action> {
        self.choices(game, states, rngs).into_iter().map(|choice| choice.action).collect()
    }

    fn decide(&mut self, game: &Game, decisions: &[Decision<'_>], rngs: &mut [Pcg64]) -> Vec<Result<Choice, Forfeit>> {
        let states: Vec<&State> = decisions.iter().map(|decision| decision.state).collect();
        self.choices(game, &states, rngs).into_iter().map(Ok).collect()
    }
}

impl MctsPlayer {
    /// Chooses in many games; with a time, in one game a thread, each for all of that time.
    fn choices(&self, game: &Game, states: &[&State], rngs: &mut [Pcg64]) -> Vec<Choice> {
        let looked_up = |state: &State| Some(Choice::of(endgame::best_action(self.tables.as_deref()?, game, state)?));
        let Some(time) = self.time else {
            let known: Vec<Option<Choice>> = states.iter().map(|state| looked_up(state)).collect();
            let open = states.iter().zip(&known).filter(|(_, known)| known.is_none());
            let mut trees = self.search(game, &open.map(|(state, _)| *state).collect::<Vec<_>>()).into_iter();
            let one = |((known, state), rng): ((Option<Choice>, &&State), &mut Pcg64)| {
                known.unwrap_or_else(|| {
                    let tree = trees.next().expect("every state that is not known was searched");
                    self.choice(game, &tree, state, rng)
                })
            };
            return known.into_iter().zip(states).zip(rngs).map(one).collect();
        };
        let one = |(state, rng): (&&State, &mut Pcg64)| {
            looked_up(state).unwrap_or_else(|| {
                let begun = Instant::now();
                let tree = self.search_while(game, state, self.simulations, &mut |_| begun.elapsed() < time);
                Choice { spent: Some(begun.elapsed()), ..self.choice(game, &tree, state, rng) }
            })
        };
        states.par_iter().zip(rngs).with_max_len(1).map(one).collect()
    }

    /// Takes the best action of a tree, or the only one there is.
    fn choice(&self, game: &Game, tree: &Tree, state: &State, rng: &mut Pcg64) -> Choice {
        let side = state.position().side();
        let choose = |tree: &Tree, rng: &mut Pcg64| match self.level {
            Some(level) => level.choose(&tree.ranked_actions(), side, rng),
            None => tree.choose(&self.search, 0.0, rng),
        };
        let Some(action) = choose(tree, rng) else {
            return Choice::of(state.position().legal_actions(game)[0]);
        };
        let opinion = Some(Opinion::Expected(tree.value().for_side(side)));
        Choice { opinion, nodes: Some(u64::from(tree.simulations())), ..Choice::of(action) }
    }
}

/// One position to decide.
struct Decided {
    search: Lockstep,
    /// Simulations in all, where the search is made in parts.
    planned: u32,
    done: bool,
}

impl Decided {
    fn new(game: &Game, state: &State, simulations: u32) -> Self {
        let done = state.outcome().is_some() || state.position().legal_actions(game).len() < 2;
        Self {
            search: Lockstep { state: state.clone(), tree: Tree::default(), simulations },
            planned: simulations,
            done,
        }
    }
}

impl Task for Decided {
    fn search(&mut self) -> Option<&mut Lockstep> {
        (!self.done).then_some(&mut self.search)
    }

    fn root_evaluated(&mut self, config: &SearchConfig) {
        self.search.tree.prepare_root(config, self.planned, None);
    }

    fn finished(&mut self) {
        self.done = true;
    }
}
