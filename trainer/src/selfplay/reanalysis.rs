//! Decisions of earlier games, searched anew by a network that has learnt since (Schrittwieser et al. 2021,
//! "`MuZero` Reanalyse").

use damma_env::{Action, State};

use super::SelfPlay;
use crate::record::{Decision, GameRecord, Notes};
use crate::search::{Lockstep, SearchConfig, Task, Tree};

/// A place in the lockstep: one earlier game after another.
pub(super) struct Reader<'a> {
    context: &'a SelfPlay<'a>,
    config: &'a SearchConfig,
    /// Gives the next game, with the number of the record that is made of it.
    next: &'a dyn Fn() -> Option<(u64, &'a GameRecord)>,
    search: Option<Lockstep>,
    record: GameRecord,
    /// Decisions of the record that were searched anew.
    done: usize,
    games: Vec<GameRecord>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        context: &'a SelfPlay<'a>,
        config: &'a SearchConfig,
        next: &'a dyn Fn() -> Option<(u64, &'a GameRecord)>,
    ) -> Self {
        let record = GameRecord::empty(0);
        let mut reader = Self { context, config, next, search: None, record, done: 0, games: Vec::new() };
        reader.start_game(Tree::default());
        reader
    }

    pub(super) fn into_games(self) -> Vec<GameRecord> {
        self.games
    }

    /// Goes to the first decision of the next game; leaves no search if none is left.
    fn start_game(&mut self, tree: Tree) {
        self.search = None;
        if let Some((number, game)) = (self.next)() {
            let notes = Notes { lowest: None, reanalysed: true, ..game.notes };
            self.record = GameRecord { number, notes, ..game.clone() };
            self.done = 0;
            self.go_on(State::new(self.context.game), 0, tree);
        }
    }

    /// Goes from the state after `ply` actions to the next decision; keeps the record behind the last.
    fn go_on(&mut self, mut state: State, ply: u32, mut tree: Tree) {
        tree.clear();
        let Some(decision) = self.record.decisions.get(self.done) else {
            self.games.push(std::mem::replace(&mut self.record, GameRecord::empty(0)));
            return self.start_game(tree);
        };
        let way = ply as usize..decision.ply as usize;
        self.record.actions[way].iter().for_each(|&action| state.play(self.context.game, Action(action)));
        self.search = Some(Lockstep { state, tree, simulations: self.context.config.simulations });
    }
}

impl Task for Reader<'_> {
    fn search(&mut self) -> Option<&mut Lockstep> {
        self.search.as_mut()
    }

    fn root_evaluated(&mut self, config: &SearchConfig) {
        if let Some(search) = &mut self.search {
            search.tree.prepare_root(config, search.simulations, None);
        }
    }

    fn finished(&mut self) {
        let Some(Lockstep { state, tree, .. }) = self.search.take() else { return };
        let decision = &mut self.record.decisions[self.done];
        let ply = decision.ply;
        *decision = Decision::of(&tree, self.config, ply);
        self.done += 1;
        self.go_on(state, ply, tree);
    }
}
