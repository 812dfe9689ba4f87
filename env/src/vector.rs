//! Thousands of boards of one game in step.
//!
//! [`VectorEnv`] owns flat, preallocated arrays and writes every output in place; views borrow
//! them. How pieces move is written here a second time, for eight boards at once (`kernel`,
//! `star`); positions, masks and endings equal those of [`Position`] and [`State`], bit for bit,
//! whatever the number of threads.

#![expect(clippy::inline_always, reason = "what is not inlined lacks the instructions of its path")]

mod block;
mod check;
mod crew;
mod ending;
mod finals;
mod groups;
mod history;
mod judge;
mod kernel;
mod lanes;
mod legal;
mod masks;
mod moves;
mod options;
mod path;
mod pending;
mod perft;
mod random;
mod shard;
mod snapshot;
mod split;
mod star;
mod start;
mod step;
mod tables;
mod views;

use std::sync::Arc;

use crate::action::Action;
use crate::geometry::Game;
use crate::observe::Encoder;
use crate::outcome::Side;
use crate::position::Position;
use crate::state::State;
use block::{Block, LANES, OVER};
use check::{check_length, check_start, check_starts};
use crew::Crew;
pub use ending::{Cause, Ending};
pub use finals::{EpisodeStatistics, Final, Finals};
use history::{Entry, history_bound, history_capacity};
pub use legal::LegalLists;
pub use options::{AutoReset, IllegalPolicy, MAX_BOARDS, Observations, Starts, VectorError, VectorOptions};
use path::Path;
pub use path::cpu_path;
pub(crate) use perft::Counter;
use shard::{Columns, GRAIN, Shard};
use step::{IDLE, Step, Stepper};
use tables::Tables;

/// `N` boards of one game, stepped together.
///
/// Shapes: `N` boards, `A` actions ([`Game::action_count`]), `W = A / 64` rounded up words of a
/// packed mask, `[C, H, W]` the shape of an observation ([`VectorEnv::encoder`]). Actions and
/// observations are from the view of the player who decides, rewards belong to White and Black.
///
/// ```
/// use damma_env::{Game, Ruleset, VectorEnv, VectorOptions};
///
/// let game = Game::new(Ruleset::preset("zamma")?)?;
/// let mut boards = VectorEnv::new(game, 64, VectorOptions::default())?;
/// let mut actions = vec![0; boards.len()];
/// for _ in 0..200 {
///     boards.sample_legal(&mut actions)?;
///     boards.step(&actions)?;
/// }
/// assert_eq!(boards.packed_masks().dim(), (64, 29));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct VectorEnv {
    game: Arc<Game>,
    tables: Arc<Tables>,
    options: VectorOptions,
    encoder: Encoder,
    boards: usize,
    columns: Columns,
    start: Position,
    start_mask: Vec<u64>,
    finals: Vec<finals::Final>,
    statistics: EpisodeStatistics,
    /// Actions of a subset, spread over all boards.
    spread: Vec<u16>,
    lists: LegalLists,
    crew: Crew,
    path: Path,
}

impl VectorEnv {
    /// What [`VectorEnv::sample_legal`] gives for a board whose game is over.
    pub const NO_ACTION: u16 = u16::MAX;

    /// Makes a batch and starts a game on every board.
    ///
    /// # Errors
    /// The number of boards is 0 or too great, the starts are impossible, the threads cannot be
    /// started, or there is not enough memory.
    pub fn new(game: Arc<Game>, boards: usize, options: VectorOptions) -> Result<Self, VectorError> {
        if boards == 0 || boards > MAX_BOARDS {
            return Err(VectorError::BoardCount(boards));
        }
        check_starts(&game, &options.starts)?;
        if options.threads > MAX_THREADS {
            return Err(VectorError::Threads(options.threads, format!("at most {MAX_THREADS} make sense")));
        }
        let crew =
            Crew::new(options.threads).map_err(|error| VectorError::Threads(options.threads, error.to_string()))?;
        let encoder = Encoder::new(&game);
        let blocks = boards.div_ceil(LANES);
        let padded = blocks * LANES;
        let words = game.action_count().div_ceil(64);
        let only = |wanted: bool, length: usize| if wanted { length } else { 0 };
        let columns = Columns {
            blocks: column(Block::default(), blocks)?,
            finals: vec![Vec::new(); blocks.div_ceil(GRAIN)],
            history: column(Entry::default(), padded * history_capacity(&game))?,
            masks: column(0, padded * words)?,
            dense: column(0, only(options.dense_masks, padded * game.action_count()))?,
            planes: column(0.0, only(options.observations == Observations::Planes, padded * encoder.len()))?,
            bytes: column(0, only(options.observations == Observations::Bytes, padded * encoder.len()))?,
            rewards: column([0.0; 2], padded)?,
            players: column(0, padded)?,
            terminated: column(0, padded)?,
            truncated: column(0, padded)?,
            causes: column(0, padded)?,
        };
        let mut start_mask = vec![0; words];
        masks::write_mask(&game, &game.start(), &mut start_mask);
        let mut batch = Self {
            boards,
            columns,
            start: game.start(),
            start_mask,
            encoder,
            finals: Vec::new(),
            statistics: EpisodeStatistics::default(),
            spread: Vec::new(),
            lists: LegalLists::default(),
            crew,
            path: Path::best(),
            tables: Arc::new(Tables::new(&game)),
            game,
            options,
        };
        for lane in boards..padded {
            batch.columns.blocks[lane / LANES].flags[lane % LANES] = OVER;
        }
        batch.reset();
        Ok(batch)
    }

    /// Counts the boards, `N`.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.boards
    }

    /// Says whether there are no boards; there always are.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.boards == 0
    }

    /// Gives the game.
    #[must_use]
    pub const fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Gives how the batch behaves.
    #[must_use]
    pub const fn options(&self) -> &VectorOptions {
        &self.options
    }

    /// Gives the encoder of the observations: their planes and shape.
    #[must_use]
    pub const fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// Starts a new game on every board and all random streams anew from the seed.
    pub fn reset(&mut self) {
        for board in 0..self.boards {
            self.columns.blocks[board / LANES].rng[board % LANES] = random::stream(self.options.seed, board);
        }
        self.restart(|_| true);
    }

    /// Does as [`VectorEnv::reset`] does, with another seed from now on.
    pub fn reset_with_seed(&mut self, seed: u64) {
        self.options.seed = seed;
        self.reset();
    }

    /// Starts a new game on some boards; with `seeds`, also their random streams, one seed each.
    ///
    /// A board's stream depends on its seed alone, not on its place in the batch.
    ///
    /// # Errors
    /// A board does not exist or is listed twice, or there are not as many seeds as boards.
    pub fn reset_boards(&mut self, boards: &[usize], seeds: Option<&[u64]>) -> Result<(), VectorError> {
        self.check_boards(boards)?;
        if let Some(seeds) = seeds {
            check_length("seeds", boards.len(), seeds.len())?;
            for (&board, &seed) in boards.iter().zip(seeds) {
                self.columns.blocks[board / LANES].rng[board % LANES] = random::stream(seed, 0);
            }
        }
        let mut chosen = vec![false; self.boards];
        for &board in boards {
            chosen[board] = true;
        }
        self.restart(|board| chosen[board]);
        Ok(())
    }

    /// Starts a game on some boards, each from a position of its own.
    ///
    /// # Errors
    /// A board does not exist or is listed twice, there are not as many positions as boards, or a
    /// position's game is over already.
    pub fn set_positions(&mut self, boards: &[usize], positions: &[Position]) -> Result<(), VectorError> {
        self.check_boards(boards)?;
        check_length("positions", boards.len(), positions.len())?;
        positions.iter().try_for_each(|position| check_start(&self.game, position))?;
        let (mut shard, stepper) = self.parts(false);
        for (&board, position) in boards.iter().zip(positions) {
            Stepper::clear(&mut shard, board);
            stepper.place(&mut shard, board, position);
            stepper.show(&mut shard, board);
        }
        Ok(())
    }

    /// Plays one action on every board; those of boards whose game is over are not read.
    ///
    /// # Errors
    /// There are not `N` actions; or, under [`IllegalPolicy::Reject`], one of them is not legal.
    pub fn step(&mut self, actions: &[u16]) -> Result<(), VectorError> {
        check_length("actions", self.boards, actions.len())?;
        self.advance(actions, false)
    }

    /// Plays one action on some boards; the others and all that is said of them stay as they are.
    ///
    /// # Errors
    /// A board does not exist or is listed twice, there are not as many actions as boards, or,
    /// under [`IllegalPolicy::Reject`], an action is not legal.
    pub fn step_boards(&mut self, boards: &[usize], actions: &[u16]) -> Result<(), VectorError> {
        self.check_boards(boards)?;
        check_length("actions", boards.len(), actions.len())?;
        let mut spread = std::mem::take(&mut self.spread);
        spread.resize(self.boards, IDLE);
        for (&board, &action) in boards.iter().zip(actions) {
            spread[board] = if action == IDLE { Self::NO_ACTION } else { action };
        }
        let result = self.advance(&spread, true);
        for &board in boards {
            spread[board] = IDLE;
        }
        self.spread = spread;
        result
    }

    /// Gives the games that ended in the last call that stepped.
    #[must_use]
    pub fn finals(&self) -> Finals<'_> {
        Finals { games: &self.finals, game: &self.game, encoder: &self.encoder }
    }

    /// Gives the totals over all games that ended.
    #[must_use]
    pub const fn statistics(&self) -> &EpisodeStatistics {
        &self.statistics
    }

    /// Sets the totals to nothing.
    pub fn clear_statistics(&mut self) {
        self.statistics = EpisodeStatistics::default();
    }

    /// Says how many actions a board's game has had, those of a random opening left out; 65,535 at most.
    ///
    /// # Errors
    /// There is no such board.
    pub fn episode_length(&self, board: usize) -> Result<u32, VectorError> {
        let (block, lane) = self.board(board)?;
        Ok(block.length[lane].into())
    }

    /// Gives the position of a board.
    ///
    /// # Errors
    /// There is no such board.
    pub fn position(&self, board: usize) -> Result<Position, VectorError> {
        let (block, lane) = self.board(board)?;
        Ok(block.position(&self.game, lane))
    }

    /// Gives the game in progress on a board, with the history that draws depend on; one lost by
    /// an illegal action as it stood before.
    ///
    /// # Errors
    /// There is no such board.
    pub fn state(&self, board: usize) -> Result<State, VectorError> {
        let (block, lane) = self.board(board)?;
        let position = block.position(&self.game, lane);
        let mut keys = Vec::new();
        if !position.has_progressed() {
            keys = self.columns.history_of(board).keys(&self.game, &position);
        }
        keys.push(position.key());
        Ok(State::resume(&self.game, position, block.turns[lane], keys))
    }

    /// Says what the batch holds for each board, in bytes, observations left out; 2 more once
    /// [`VectorEnv::step_boards`] was called.
    #[must_use]
    pub fn bytes_per_board(&self) -> usize {
        let outputs = size_of::<[f32; 2]>() + 4;
        let history = self.capacity() * size_of::<Entry>();
        let dense = if self.options.dense_masks { self.game.action_count() } else { 0 };
        size_of::<Block>() / LANES + history + size_of_val(&*self.start_mask) + dense + outputs
    }

    /// Counts the turns that each board's history has room for.
    fn capacity(&self) -> usize {
        self.columns.history.len() / (self.columns.blocks.len() * LANES)
    }

    /// Gives a number that tells the rules apart.
    fn rules_key(&self) -> u64 {
        // FNV-1a (Fowler, Noll, Vo): the same on every machine.
        self.game
            .ruleset()
            .to_toml()
            .bytes()
            .fold(0xCBF2_9CE4_8422_2325, |key, byte| (key ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
    }

    /// Writes all outputs anew from the boards, their causes and rewards.
    fn show_all(&mut self) {
        self.finals.clear();
        let boards = self.boards;
        let (mut shard, stepper) = self.parts(false);
        for board in 0..boards {
            stepper.describe(&mut shard, board);
            stepper.show(&mut shard, board);
        }
    }

    fn board(&self, board: usize) -> Result<(&Block, usize), VectorError> {
        if board >= self.boards {
            return Err(VectorError::NoSuchBoard { board, boards: self.boards });
        }
        Ok((&self.columns.blocks[board / LANES], board % LANES))
    }

    fn parts(&mut self, subset: bool) -> (Shard<'_>, Stepper<'_>) {
        let stepper = Stepper {
            game: &self.game,
            tables: &self.tables,
            options: &self.options,
            encoder: &self.encoder,
            start: &self.start,
            start_mask: &self.start_mask,
            capacity: self.capacity(),
            subset,
        };
        (self.columns.shard(), stepper)
    }

    fn restart(&mut self, chosen: impl Fn(usize) -> bool) {
        let boards = self.boards;
        let (mut shard, stepper) = self.parts(false);
        for board in (0..boards).filter(|&board| chosen(board)) {
            Stepper::clear(&mut shard, board);
            stepper.start(&mut shard, board);
            stepper.show(&mut shard, board);
        }
    }

    fn advance(&mut self, actions: &[u16], subset: bool) -> Result<(), VectorError> {
        self.grow_history();
        let (path, crew) = (self.path, self.crew.clone());
        let rejects = self.options.illegal == IllegalPolicy::Reject;
        let (shard, stepper) = self.parts(subset);
        let wrong = crew.share(
            shard,
            |shard, grain| if rejects { stepper.find_illegal(shard, grain, actions) } else { None },
            |mut shard| {
                let (first, count) = (shard.first, shard.blocks.len() * LANES);
                let actions = &actions[first..actions.len().min(first + count)];
                shard.finals().clear();
                path.run(Step { stepper: &stepper, shard, actions });
            },
        );
        if let Some(board) = wrong {
            return Err(self.illegal(board, Action(actions[board])));
        }
        self.finals.clear();
        for ended in &self.columns.finals {
            self.finals.extend_from_slice(ended);
        }
        if self.options.illegal == IllegalPolicy::Lose {
            // Games lost by an illegal action are told before the others of their block.
            self.finals.sort_unstable_by_key(|last| last.board);
        }
        for last in &self.finals {
            self.statistics.add(last);
        }
        Ok(())
    }

    /// Makes room for one more turn on every board where nothing bounds the quiet turns.
    fn grow_history(&mut self) {
        let (padded, capacity) = (self.columns.blocks.len() * LANES, self.capacity());
        let bound = history_bound(&self.game);
        if capacity >= bound {
            return;
        }
        let longest = self.columns.blocks.iter().flat_map(|block| block.reversible).max().unwrap_or(0);
        if usize::from(longest) < capacity {
            return;
        }
        let wider = (2 * capacity).min(bound);
        let mut history = vec![Entry::default(); padded * wider];
        for (new, old) in history.chunks_exact_mut(wider).zip(self.columns.history.chunks_exact(capacity)) {
            new[..capacity].copy_from_slice(old);
        }
        self.columns.history = history;
    }
}

/// The most threads of a batch's own pool.
const MAX_THREADS: usize = 1024;

/// Makes a column, or says how much memory was missing.
fn column<T: Clone>(value: T, length: usize) -> Result<Vec<T>, VectorError> {
    let mut column = Vec::new();
    column.try_reserve_exact(length).map_err(|_| VectorError::Memory(length.saturating_mul(size_of::<T>())))?;
    column.resize(length, value);
    Ok(column)
}

const _: () = assert!(Side::White as usize == 0, "players are numbered White first");
