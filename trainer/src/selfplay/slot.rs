//! A place in the lockstep: one game after another.

use std::cell::Cell;
use std::ops::Range;

use damma_env::{Action, Outcome, State, WinCause};
use rand::RngExt;
use rand_pcg::Pcg64;

use super::SelfPlay;
use super::resign::Hopes;
use super::start::Start;
use crate::record::{Decision, GameRecord};
use crate::rng::{Purpose, stream};
use crate::search::{Algorithm, Lockstep, SearchConfig, Task, Tree, play_forced};

pub(super) struct Slot<'a> {
    context: &'a SelfPlay<'a>,
    queue: &'a Cell<Range<u64>>,
    search: Option<Lockstep>,
    full: bool,
    rng: Pcg64,
    record: GameRecord,
    hopes: Hopes,
    /// The value below which a side resigns; `None` where nobody may.
    resign_below: Option<f32>,
    legal: Vec<Action>,
    games: Vec<GameRecord>,
    /// The tree between two searches, at the next choice; empty where that has to be searched anew.
    tree: Tree,
    /// The memory of another tree.
    spare: Tree,
}

impl<'a> Slot<'a> {
    pub(super) fn new(context: &'a SelfPlay<'a>, queue: &'a Cell<Range<u64>>) -> Self {
        let mut slot = Self {
            context,
            queue,
            search: None,
            full: false,
            rng: stream(context.seed, Purpose::Game, 0),
            record: GameRecord::empty(0),
            hopes: Hopes::default(),
            resign_below: None,
            legal: Vec::new(),
            games: Vec::new(),
            tree: Tree::default(),
            spare: Tree::default(),
        };
        slot.start_game();
        slot
    }

    pub(super) fn into_games(self) -> Vec<GameRecord> {
        self.games
    }

    /// Takes the next game of the queue and goes to its first choice; leaves no search if none is left.
    fn start_game(&mut self) {
        loop {
            let mut numbers = self.queue.take();
            let next = numbers.next();
            self.queue.set(numbers);
            let Some(number) = next else {
                self.search = None;
                return;
            };
            self.rng = stream(self.context.seed, Purpose::Game, number);
            let state = self.open(number);
            self.hopes = Hopes::default();
            let playthrough = self.context.config.resign_playthrough;
            self.resign_below = self.context.resign_below.filter(|_| self.rng.random::<f32>() >= playthrough);
            self.search = self.go_on(state);
            if self.search.is_some() {
                return;
            }
        }
    }

    /// Goes to where a game starts: to a position of an earlier game, or to the end of a random opening, if it has one.
    fn open(&mut self, number: u64) -> State {
        self.record = GameRecord::empty(number);
        let start = Start::draw(self.context, &mut self.rng);
        if let Some(state) = start.and_then(|start| self.take_over(&start)) {
            return state;
        }
        let config = self.context.config;
        let mut turns = 0;
        if self.rng.random::<f32>() < config.random_opening_share && config.random_opening_turns > 0 {
            turns = self.rng.random_range(1..=config.random_opening_turns);
        }
        loop {
            self.record = GameRecord::empty(number);
            let mut state = State::new(self.context.game);
            while state.turns() < turns && state.outcome().is_none() {
                state.position().legal_actions_into(self.context.game, &mut self.legal);
                let action = self.legal[self.rng.random_range(0..self.legal.len())];
                self.play(&mut state, action);
            }
            if state.outcome().is_none() {
                self.record.random_actions = self.record.actions.len() as u32;
                return state;
            }
            turns = turns.saturating_sub(1);
        }
    }

    /// Takes an earlier game's actions over; `None` where the game is over then.
    fn take_over(&mut self, start: &Start) -> Option<State> {
        let mut state = State::new(self.context.game);
        for action in start.actions() {
            self.play(&mut state, action);
        }
        let record = &mut self.record;
        play_forced(self.context.game, &mut state, &mut self.legal, |action| record.actions.push(action.0));
        if start.deviates && state.outcome().is_none() {
            let action = self.legal[self.rng.random_range(0..self.legal.len())];
            self.play(&mut state, action);
        }
        self.record.random_actions = self.record.actions.len() as u32;
        state.outcome().is_none().then_some(state)
    }

    /// Plays on to the next choice and sets up its search; at the end of the game keeps the record.
    fn go_on(&mut self, mut state: State) -> Option<Lockstep> {
        let config = self.context.config;
        let record = &mut self.record;
        play_forced(self.context.game, &mut state, &mut self.legal, |action| record.actions.push(action.0));
        if let Some(outcome) = state.outcome() {
            self.end(outcome, state.turns());
            return None;
        }
        self.full = self.rng.random::<f32>() < config.full_share;
        let simulations = if self.full { config.simulations } else { config.fast_simulations };
        let mut tree = std::mem::take(&mut self.tree);
        let mut simulations = simulations;
        if tree.simulations() > 0 {
            if self.full {
                // Noise must have its say: half of a full search is new, however much was found before.
                simulations = simulations.max(tree.simulations() + simulations / 2);
            }
            self.prepare(&mut tree, simulations);
        }
        Some(Lockstep { state, tree, simulations })
    }

    /// Keeps the record of the game in hand.
    fn end(&mut self, outcome: Outcome, turns: u32) {
        let mut record = std::mem::replace(&mut self.record, GameRecord::empty(0));
        record.outcome = outcome;
        record.turns = turns;
        let shows = self.context.config.resign_errors > 0.0 && self.resign_below.is_none();
        record.notes.lowest = shows.then_some(self.hopes.lowest);
        (self.context.finished)(&record);
        self.games.push(record);
        self.tree.clear();
    }

    fn play(&mut self, state: &mut State, action: Action) {
        state.play(self.context.game, action);
        self.record.actions.push(action.0);
    }

    /// Prepares the root of a search; only full ones explore.
    fn prepare(&mut self, tree: &mut Tree, simulations: u32) {
        let rng = self.full.then_some(&mut self.rng);
        tree.prepare_root(self.context.search, simulations, rng);
    }
}

impl Task for Slot<'_> {
    fn search(&mut self) -> Option<&mut Lockstep> {
        self.search.as_mut()
    }

    fn root_evaluated(&mut self, _: &SearchConfig) {
        if let Some(mut search) = self.search.take() {
            self.prepare(&mut search.tree, search.simulations);
            self.search = Some(search);
        }
    }

    fn finished(&mut self) {
        let Some(Lockstep { mut state, mut tree, .. }) = self.search.take() else { return };
        if self.full {
            let ply = self.record.actions.len() as u32;
            self.record.decisions.push(Decision::of(&tree, self.context.search, ply));
        }
        let side = state.position().side();
        let hope = self.hopes.note(side, tree.value().for_side(side));
        if self.resign_below.is_some_and(|threshold| hope < threshold) {
            self.record.notes.resigned = true;
            // The rules know no resignation; whoever cannot go on has lost too.
            self.end(Outcome::Win { winner: side.opponent(), cause: WinCause::Blocked }, state.turns());
            self.start_game();
            return;
        }
        let config = self.context.config;
        let early = state.turns() < config.temperature_turns;
        let temperature = if early { config.temperature } else { config.final_temperature };
        let search = self.context.search;
        let action = tree.choose(search, temperature, &mut self.rng).expect("a search has a choice at its root");
        self.play(&mut state, action);
        if !(search.reuse_tree && search.algorithm == Algorithm::Puct && tree.follow(action, &mut self.spare)) {
            tree.clear();
        }
        self.tree = tree;
        self.search = self.go_on(state);
        if self.search.is_none() {
            self.start_game();
        }
    }
}
