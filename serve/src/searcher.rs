//! Searches for many clients at once: all that ask the same network share its batches.
//!
//! A [`Searcher`] has threads of its own, each with slots of running searches in lockstep. A search
//! takes a free slot, gives back what it found now and then, and makes room for the next; how many
//! may wait is bounded. No async here but the channels that results go through.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use damma_env::{Action, Encoder, Game, State};
use damma_trainer::search::{Batcher, Lockstep, Proof, RootAction, SearchConfig, Task, Tree};
use damma_trainer::{Network, Value};
use tokio::sync::mpsc;

/// How far a search goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Simulations, the evaluation of the root among them; 1 is the network alone.
    pub visits: u32,
    /// Time from when it begins.
    pub time: Option<Duration>,
    /// Time between reports while it goes on.
    pub report_every: Option<Duration>,
    /// How many lines of play are wanted.
    pub lines: usize,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The choices at the root, best first.
    pub actions: Vec<RootAction>,
    /// Lines of play, one for each of the best choices.
    pub lines: Vec<Vec<Action>>,
    /// What the root is worth.
    pub value: Value,
    /// What it was proved to be worth.
    pub proof: Option<Proof>,
    /// Simulations, the evaluation of the root among them.
    pub visits: u32,
    /// Whether the search has ended.
    pub is_final: bool,
}

/// Why a search was not taken on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} searches are waiting already")]
pub struct Full(pub usize);

/// Sizes of a [`Searcher`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// Threads.
    pub threads: usize,
    /// Searches at once in each thread: the largest batch.
    pub slots: usize,
    /// Searches that may wait.
    pub waiting: usize,
}

/// A network that answers many clients.
pub struct Searcher {
    queue: Arc<Queue>,
}

/// A search that waits or goes on.
struct Job {
    state: State,
    budget: Budget,
    reply: mpsc::Sender<Found>,
}

/// What is searched by, the same for all threads.
struct Engine {
    game: Arc<Game>,
    network: Network,
    encoder: Encoder,
    config: SearchConfig,
}

impl Searcher {
    /// Starts the threads.
    #[must_use]
    pub fn start(game: Arc<Game>, network: Network, encoder: Encoder, config: SearchConfig, sizes: Sizes) -> Self {
        let queue = Arc::new(Queue::new(sizes));
        let engine = Arc::new(Engine { game, network, encoder, config });
        for thread in 0..sizes.threads {
            let (queue, engine) = (queue.clone(), engine.clone());
            std::thread::Builder::new()
                .name("search".to_owned())
                .spawn(move || work(&queue, thread, &engine))
                .expect("the system has a thread to give");
        }
        Self { queue }
    }

    /// Takes a search on; `state` must have a choice. What it finds comes through the channel, whose
    /// end is the end of the search; dropping that ends it early.
    ///
    /// # Errors
    /// Too many searches are waiting.
    pub fn search(&self, state: State, budget: Budget) -> Result<mpsc::Receiver<Found>, Full> {
        // Room for an update that nobody fetched yet and for the end.
        let (reply, found) = mpsc::channel(2);
        self.queue.push(Job { state, budget, reply })?;
        Ok(found)
    }

    /// Counts searches that go on and those that wait.
    #[must_use]
    pub fn load(&self) -> (usize, usize) {
        let shared = self.queue.lock();
        (shared.running.iter().sum(), shared.waiting.len())
    }
}

impl Drop for Searcher {
    fn drop(&mut self) {
        self.queue.lock().is_closed = true;
        self.queue.changed.notify_all();
    }
}

/// Searches that wait for a slot.
struct Queue {
    shared: Mutex<Shared>,
    changed: Condvar,
    sizes: Sizes,
}

struct Shared {
    waiting: VecDeque<Job>,
    /// Searches that go on, by thread.
    running: Vec<usize>,
    is_closed: bool,
}

impl Queue {
    fn new(sizes: Sizes) -> Self {
        let shared = Shared { waiting: VecDeque::new(), running: vec![0; sizes.threads], is_closed: false };
        Self { shared: Mutex::new(shared), changed: Condvar::new(), sizes }
    }

    fn push(&self, job: Job) -> Result<(), Full> {
        let mut shared = self.lock();
        if shared.waiting.len() >= self.sizes.waiting {
            return Err(Full(shared.waiting.len()));
        }
        shared.waiting.push_back(job);
        drop(shared);
        self.changed.notify_all();
        Ok(())
    }

    /// Waits until a search waits; `false` once the searcher is gone and nothing is left.
    fn wait(&self) -> bool {
        let is_idle = |shared: &mut Shared| shared.waiting.is_empty() && !shared.is_closed;
        let shared = self.changed.wait_while(self.lock(), is_idle).expect("nothing panics while it holds the queue");
        !shared.waiting.is_empty()
    }

    /// Gives a thread its next search, where it has no more than its share of them.
    fn take(&self, thread: usize) -> Option<Job> {
        let mut shared = self.lock();
        let all = shared.running.iter().sum::<usize>() + shared.waiting.len();
        let has_share = shared.running[thread] * self.sizes.threads >= all;
        if has_share {
            return None;
        }
        let job = shared.waiting.pop_front()?;
        shared.running[thread] += 1;
        Some(job)
    }

    fn done(&self, thread: usize) {
        self.lock().running[thread] -= 1;
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().expect("nothing panics while it holds the queue")
    }
}

/// What a thread does until the searcher is gone.
fn work(queue: &Queue, thread: usize, engine: &Engine) {
    let mut slots: Vec<Slot> = (0..queue.sizes.slots).map(|_| Slot { queue, thread, running: None }).collect();
    let Engine { game, network, encoder, config } = engine;
    let batcher = Batcher { config, game, encoder, evaluator: network, tables: None };
    while queue.wait() {
        batcher.run(&mut slots, &|| false);
        // The others have the rest in hand.
        std::thread::yield_now();
    }
}

/// A place for one search at a time.
struct Slot<'q> {
    queue: &'q Queue,
    thread: usize,
    running: Option<Running>,
}

struct Running {
    search: Lockstep,
    budget: Budget,
    reply: mpsc::Sender<Found>,
    begun: Instant,
    reported: Instant,
}

impl Task for Slot<'_> {
    fn search(&mut self) -> Option<&mut Lockstep> {
        if self.running.is_none() {
            self.running = self.queue.take(self.thread).map(Running::begin);
        }
        let running = self.running.as_mut()?;
        running.look_at_clock();
        Some(&mut running.search)
    }

    fn root_evaluated(&mut self, config: &SearchConfig) {
        let running = self.running.as_mut().expect("its root was evaluated");
        running.search.tree.prepare_root(config, running.budget.visits.saturating_sub(1), None);
    }

    fn finished(&mut self) {
        let running = self.running.take().expect("it has finished");
        let found = running.found(true);
        self.queue.done(self.thread);
        // Whoever asked may be gone.
        let _ = running.reply.try_send(found);
    }
}

impl Running {
    fn begin(job: Job) -> Self {
        let Job { state, budget, reply } = job;
        let now = Instant::now();
        let simulations = budget.visits.saturating_sub(1);
        Self {
            search: Lockstep { state, tree: Tree::default(), simulations },
            budget,
            reply,
            begun: now,
            reported: now,
        }
    }

    /// Ends the search when its time is over or nobody waits for it, and reports when that is due.
    fn look_at_clock(&mut self) {
        let is_late = self.budget.time.is_some_and(|time| self.begun.elapsed() >= time);
        if is_late || self.reply.is_closed() {
            // The simulation in hand comes back, then it is finished; the root is always evaluated.
            self.search.simulations = 0;
        }
        if let Some(every) = self.budget.report_every
            && self.reported.elapsed() >= every
            && self.search.tree.simulations() > 0
        {
            self.reported = Instant::now();
            // One place is kept for the end; a client that does not read misses updates.
            if self.reply.capacity() > 1 {
                let _ = self.reply.try_send(self.found(false));
            }
        }
    }

    fn found(&self, is_final: bool) -> Found {
        let tree = &self.search.tree;
        let actions = tree.ranked_actions();
        let lines = actions.iter().take(self.budget.lines).map(|action| tree.line(action.action)).collect();
        let visits = tree.simulations();
        Found { actions, lines, value: tree.value(), proof: tree.proof(), visits, is_final }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use damma_trainer::Checkpoint;
    use damma_trainer::checkpoint::encoder;

    use super::*;

    fn searcher(sizes: Sizes) -> (Searcher, State) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/kharberg");
        let checkpoint = Checkpoint::open(&path).unwrap();
        let game = Game::new(checkpoint.ruleset().clone()).unwrap();
        let network = checkpoint.network_for(&game).unwrap();
        let (encoder, config) = (encoder(network.config(), &game), checkpoint.state.config.search.clone());
        let state = State::new(&game);
        (Searcher::start(game, network, encoder, config, sizes), state)
    }

    fn budget(visits: u32) -> Budget {
        Budget { visits, time: None, report_every: None, lines: 3 }
    }

    fn last(mut found: mpsc::Receiver<Found>) -> Found {
        loop {
            let found = found.blocking_recv().expect("a search ends with what it found");
            if found.is_final {
                return found;
            }
        }
    }

    #[test]
    fn a_search_finds_the_same_alone_and_among_many() {
        let (searcher, state) = searcher(Sizes { threads: 2, slots: 16, waiting: 1_000 });
        let alone = last(searcher.search(state.clone(), budget(150)).unwrap());
        let others: Vec<_> = (1..100).map(|visits| searcher.search(state.clone(), budget(visits)).unwrap()).collect();
        let among = last(searcher.search(state.clone(), budget(150)).unwrap());

        assert_eq!((alone.visits, &alone.actions, &alone.lines), (150, &among.actions, &among.lines));
        assert_eq!(alone.lines.len(), 3);
        for (index, other) in others.into_iter().enumerate() {
            assert_eq!(last(other).visits, index as u32 + 1);
        }
        assert_eq!(searcher.load(), (0, 0));
    }

    #[test]
    fn what_has_no_place_to_wait_is_refused_and_room_comes_back() {
        let (searcher, state) = searcher(Sizes { threads: 1, slots: 1, waiting: 2 });
        let asked: Vec<_> = (0..50).map(|_| searcher.search(state.clone(), budget(2_000))).collect();
        assert!(asked.iter().any(Result::is_err));
        for search in asked.into_iter().flatten() {
            assert_eq!(last(search).visits, 2_000);
        }
        assert!(searcher.search(state, budget(1)).is_ok());
    }

    #[test]
    fn a_search_ends_with_its_time_or_when_nobody_listens() {
        let (searcher, state) = searcher(Sizes { threads: 1, slots: 1, waiting: 10 });
        let endless = Budget { time: Some(Duration::from_hours(1)), ..budget(u32::MAX) };
        drop(searcher.search(state.clone(), endless).unwrap());
        let short = Budget { time: Some(Duration::from_millis(5)), ..endless };
        let reported = Budget { report_every: Some(Duration::from_millis(1)), ..short };
        // Reached at all only if the one before has made room.
        assert!(last(searcher.search(state.clone(), short).unwrap()).visits > 1);
        assert!(last(searcher.search(state, reported).unwrap()).visits > 1);
    }
}
