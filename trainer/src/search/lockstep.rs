//! Many searches at once: one leaf a tree, all leaves one batch.

use damma_env::{Encoder, EndgameTables, Game, State};

use super::{Descent, Evaluator, SearchConfig, Tree};

/// A search among many: the state it starts from, its tree, and how far it goes.
#[derive(Debug)]
pub struct Lockstep {
    /// The root; it has a choice.
    pub state: State,
    /// The tree.
    pub tree: Tree,
    /// Simulations to make, the evaluation of the root not counted.
    pub simulations: u32,
}

impl Lockstep {
    /// Walks until a leaf needs an evaluation; `false` when the simulations are all made.
    fn advance(&mut self, config: &SearchConfig, game: &Game, tables: Option<&EndgameTables>) -> bool {
        while self.tree.simulations() <= self.simulations {
            if self.tree.descend(config, game, tables, &mut self.state) == Descent::Leaf {
                return true;
            }
        }
        false
    }
}

/// What a [`run`] asks of whoever owns the searches.
pub trait Task {
    /// Gives the search, or `None` when there is nothing more to search.
    fn search(&mut self) -> Option<&mut Lockstep>;
    /// The root was evaluated; noise may be added.
    fn root_evaluated(&mut self);
    /// The search is done; the owner takes its result and sets up the next.
    fn finished(&mut self);
}

/// Runs searches until every task has nothing more to search, or `stop` says so.
///
/// Positions that `tables` know are not evaluated. The order of evaluations, and so every result,
/// depends only on the tasks.
pub fn run<T: Task>(
    tasks: &mut [T],
    config: &SearchConfig,
    game: &Game,
    encoder: &Encoder,
    evaluator: &dyn Evaluator,
    tables: Option<&EndgameTables>,
    stop: &dyn Fn() -> bool,
) {
    let width = encoder.len();
    let actions = game.action_count();
    let mut observations = Vec::new();
    let mut waiting = Vec::new();
    loop {
        observations.clear();
        waiting.clear();
        for (index, task) in tasks.iter_mut().enumerate() {
            while let Some(search) = task.search() {
                if search.advance(config, game, tables) {
                    let from = observations.len();
                    observations.resize(from + width, 0.0);
                    encoder.encode(game, &search.state, &mut observations[from..]);
                    waiting.push(index);
                    break;
                }
                task.finished();
            }
        }
        if waiting.is_empty() || stop() {
            return;
        }
        let answers = evaluator.evaluate(&observations);
        let rows = answers.logits.chunks_exact(actions).zip(answers.wdl.chunks_exact(3));
        for (&index, (logits, wdl)) in waiting.iter().zip(rows) {
            let search = tasks[index].search().expect("it asked for this evaluation");
            search.tree.expand(game, &mut search.state, logits, [wdl[0], wdl[1], wdl[2]]);
            if search.tree.simulations() == 1 {
                tasks[index].root_evaluated();
            }
        }
    }
}
