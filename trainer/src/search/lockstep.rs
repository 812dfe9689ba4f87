//! Many searches at once: one leaf a tree, all leaves one batch.

use std::time::Instant;

use damma_env::{Encoder, EndgameTables, Game, State};

use super::cache::Cache;
use super::{Descent, Evaluator, Leaves, SearchConfig, Tree, key_of};

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
    /// Walks until a leaf needs an evaluation; `false` when the simulations are all made or the root is proved.
    fn advance(&mut self, config: &SearchConfig, game: &Game, tables: Option<&EndgameTables>, made: &mut u64) -> bool {
        while self.tree.simulations() <= self.simulations && self.tree.proof().is_none() {
            *made += 1;
            if self.tree.descend(config, game, tables, &mut self.state) == Descent::Leaf {
                return true;
            }
        }
        false
    }
}

/// What a [`Batcher`] asks of whoever owns the searches.
pub trait Task {
    /// Gives the search, or `None` when there is nothing more to search.
    fn search(&mut self) -> Option<&mut Lockstep>;
    /// The root was evaluated; the search can be prepared with [`Tree::prepare_root`].
    fn root_evaluated(&mut self, config: &SearchConfig);
    /// The search is done; the owner takes its result and sets up the next.
    fn finished(&mut self);
}

/// What a [`Batcher`] did and how long it took.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Work {
    /// Simulations that were made, evaluations of roots among them.
    pub simulations: u64,
    /// Positions that the evaluator was asked for.
    pub evaluations: u64,
    /// Positions whose evaluation was known from before.
    pub cached: u64,
    /// Batches that the evaluator was given.
    pub batches: u64,
    /// Seconds of one thread inside the evaluator.
    pub evaluator_seconds: f64,
    /// Seconds of one thread in all.
    pub seconds: f64,
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.simulations += other.simulations;
        self.evaluations += other.evaluations;
        self.cached += other.cached;
        self.batches += other.batches;
        self.evaluator_seconds += other.evaluator_seconds;
        self.seconds += other.seconds;
    }
}

/// Searches of one game that share an evaluator.
pub struct Batcher<'a> {
    /// How the searches explore.
    pub config: &'a SearchConfig,
    /// The game.
    pub game: &'a Game,
    /// Its observations.
    pub encoder: &'a Encoder,
    /// What evaluates positions.
    pub evaluator: &'a dyn Evaluator,
    /// Endgame tables; positions that they know are not evaluated.
    pub tables: Option<&'a EndgameTables>,
}

impl Batcher<'_> {
    /// Runs searches until every task has nothing more to search, or `stop` says so.
    ///
    /// The order of evaluations, and so every result, depends only on the tasks.
    pub fn run<T: Task>(&self, tasks: &mut [T], stop: &dyn Fn() -> bool) -> Work {
        let begun = Instant::now();
        let mut work = Work::default();
        let mut cache = self.config.cache.then(|| Cache::new(tasks.iter_mut().map(planned).sum()));
        let mut leaves = Leaves::new(self.encoder);
        let mut waiting = Vec::new();
        loop {
            leaves.clear();
            waiting.clear();
            for (index, task) in tasks.iter_mut().enumerate() {
                if let Some(key) = self.advance(task, cache.as_ref(), &mut leaves, &mut work) {
                    waiting.push((index, key));
                }
            }
            if waiting.is_empty() || stop() {
                work.seconds = begun.elapsed().as_secs_f64();
                return work;
            }
            let asked = Instant::now();
            let answers = self.evaluator.evaluate(&leaves);
            work.evaluator_seconds += asked.elapsed().as_secs_f64();
            work.evaluations += leaves.len() as u64;
            work.batches += 1;
            let (wdl, _) = answers.wdl.as_chunks::<3>();
            for (row, (&(index, key), &wdl)) in waiting.iter().zip(wdl).enumerate() {
                let logits = &answers.logits[leaves.first_action(row)..][..leaves.actions(row).len()];
                if let Some(cache) = &mut cache {
                    cache.insert(key, logits, wdl);
                }
                self.answer(&mut tasks[index], logits, wdl);
            }
        }
    }

    /// Brings a task to the next position that has to be evaluated, adds that and gives its key in the
    /// cache; `None` when there is nothing more to search.
    fn advance<T: Task>(
        &self,
        task: &mut T,
        cache: Option<&Cache>,
        leaves: &mut Leaves,
        work: &mut Work,
    ) -> Option<u64> {
        while let Some(search) = task.search() {
            if !search.advance(self.config, self.game, self.tables, &mut work.simulations) {
                task.finished();
                continue;
            }
            leaves.push(self.game, &search.state, search.tree.leaf_actions());
            let Some(cache) = cache else { return Some(0) };
            let row = leaves.len() - 1;
            let key = key_of(search.state.position().key(), leaves.constants(row).map(|(_, constant)| constant));
            let Some((logits, wdl)) = cache.get(key) else { return Some(key) };
            leaves.pop();
            work.cached += 1;
            self.answer(task, logits, wdl);
        }
        None
    }

    fn answer<T: Task>(&self, task: &mut T, logits: &[f32], wdl: [f32; 3]) {
        let search = task.search().expect("it asked for this evaluation");
        search.tree.expand(&mut search.state, logits, wdl);
        if search.tree.simulations() == 1 {
            task.root_evaluated(self.config);
        }
    }
}

/// Counts the evaluations that a few searches of a task may come to.
fn planned<T: Task>(task: &mut T) -> usize {
    task.search().map_or(0, |search| 4 * search.simulations as usize)
}
