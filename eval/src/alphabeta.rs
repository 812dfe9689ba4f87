//! The baseline: a fixed, plain alpha-beta player that every checkpoint is measured against.
//!
//! Its strength must never change under one [`VERSION`], or figures of different days could not
//! be compared. It is deterministic but for levels by time: variety comes from openings, never
//! from the player.

mod evaluation;
mod fit;
mod level;
mod ordering;
mod quiescence;
mod root;
mod search;
mod signature;
mod table;
#[cfg(test)]
mod tests;
mod weights;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use damma_env::{Action, EndgameTables, Game, State};
use rand_pcg::Pcg64;
use rayon::prelude::*;

use crate::player::{Choice, Decision, Forfeit, Opinion, Player};
pub use evaluation::Evaluation;
pub use fit::{FEATURES, Fit, FitConfig, fit};
pub use level::Level;
pub use root::Analysis;
use search::{Search, Workspace};
pub use signature::{Signature, signature};
pub use weights::Weights;

/// Names the baseline; changes with whatever changes its play.
pub const VERSION: &str = "alphabeta-v1";

/// The baseline at a level. Plays the games of a batch on all threads of the current rayon pool.
///
/// ```
/// use damma_env::{Game, Ruleset, State};
/// use damma_eval::{AlphaBeta, Level};
///
/// let game = Game::new(Ruleset::preset("damma8")?)?;
/// let analysis = AlphaBeta::new(Level::Depth(3)).analyse(&game, &State::new(&game));
/// assert_eq!((analysis.depth, analysis.winner()), (3, None));
/// # Ok::<(), damma_env::RulesetError>(())
/// ```
#[derive(Debug)]
pub struct AlphaBeta {
    level: Level,
    /// Weights in place of the frozen ones.
    weights: Option<Weights>,
    /// Exact values that the search looks up.
    tables: Option<Arc<EndgameTables>>,
    /// Ends searches when it becomes true.
    stop: Option<Arc<AtomicBool>>,
    /// Memory that no search is using.
    spare: Mutex<Vec<Workspace>>,
}

impl AlphaBeta {
    /// Makes a player of a level.
    #[must_use]
    pub const fn new(level: Level) -> Self {
        Self { level, weights: None, tables: None, stop: None, spare: Mutex::new(Vec::new()) }
    }

    /// Makes a player with weights of its own, which is no longer the baseline.
    pub(crate) const fn with_weights(level: Level, weights: Weights) -> Self {
        Self { level, weights: Some(weights), tables: None, stop: None, spare: Mutex::new(Vec::new()) }
    }

    /// Lets the search look positions up, which makes it stronger than the baseline of the level.
    #[must_use]
    pub fn with_tables(self, tables: Arc<EndgameTables>) -> Self {
        Self { tables: Some(tables), ..self }
    }

    /// Lets searches end early, with what they have found, once the flag is true: for whoever waits for a person. One
    /// turn is always searched.
    #[must_use]
    pub fn stopped_by(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Searches a state of a game that goes on. The same state always gives the same analysis,
    /// unless the level is a time or the search is stopped.
    ///
    /// # Panics
    /// The game is over.
    #[must_use]
    pub fn analyse(&self, game: &Game, state: &State) -> Analysis {
        self.search(game, state, &self.evaluation(game))
    }

    fn evaluation(&self, game: &Game) -> Evaluation {
        self.weights
            .as_ref()
            .map_or_else(|| Evaluation::new(game, &Weights::frozen(game)), |weights| Evaluation::new(game, weights))
    }

    fn search(&self, game: &Game, state: &State, evaluation: &Evaluation) -> Analysis {
        assert!(state.outcome().is_none(), "a game that is over has no action to choose");
        let mut workspace = self.spare().pop().unwrap_or_else(Workspace::new);
        let mut search = Search::new(game, state, evaluation, self.tables.as_deref(), &mut workspace);
        let analysis = search.analyse(self.level, self.stop.as_deref());
        self.spare().push(workspace);
        analysis
    }

    fn spare(&self) -> std::sync::MutexGuard<'_, Vec<Workspace>> {
        self.spare.lock().expect("nothing panics while it holds the spare memory")
    }
}

impl Player for AlphaBeta {
    fn name(&self) -> String {
        format!("{}{}", self.level, if self.tables.is_some() { "+tables" } else { "" })
    }

    fn choose(&mut self, game: &Game, states: &[&State], _rngs: &mut [Pcg64]) -> Vec<Action> {
        self.choices(game, states).into_iter().map(|choice| choice.action).collect()
    }

    fn decide(&mut self, game: &Game, decisions: &[Decision<'_>], _: &mut [Pcg64]) -> Vec<Result<Choice, Forfeit>> {
        let states: Vec<&State> = decisions.iter().map(|decision| decision.state).collect();
        self.choices(game, &states).into_iter().map(Ok).collect()
    }
}

impl AlphaBeta {
    /// Chooses in many games; there is nothing to say of what must be played.
    fn choices(&self, game: &Game, states: &[&State]) -> Vec<Choice> {
        let evaluation = self.evaluation(game);
        let one = |state: &&State| {
            root::only_action(game, state).map_or_else(
                || {
                    let Analysis { action, score, nodes, .. } = self.search(game, state, &evaluation);
                    Choice { opinion: Some(Opinion::Hundredths(score)), nodes: Some(nodes), ..Choice::of(action) }
                },
                Choice::of,
            )
        };
        states.par_iter().with_max_len(1).map(one).collect()
    }
}
