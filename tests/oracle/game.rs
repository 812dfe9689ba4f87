//! A whole game as the oracle sees it: its history, and how it ends.

use damma_env::{Ruleset, Side};

use super::{Board, Oracle};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A side won, by pieces or by blockage.
    Win(Side),
    /// Nobody won: `no_progress`, `repetition` or `lone_kings`.
    Draw(&'static str),
    /// The game was cut off at `max_turns`.
    Truncated,
}

/// A game in progress, with every position in which somebody had to decide.
pub struct OracleGame {
    oracle: Oracle,
    board: Board,
    turns: u32,
    history: Vec<String>,
}

impl OracleGame {
    /// Begins a game at the start position.
    pub fn new(ruleset: &Ruleset) -> Self {
        let oracle = Oracle::new(ruleset);
        let start = oracle.start();
        Self::from_board(oracle, start)
    }

    /// Begins a game at any position.
    pub fn from_board(oracle: Oracle, board: Board) -> Self {
        let history = vec![position(&oracle, &board)];
        Self { oracle, board, turns: 0, history }
    }

    /// Gives the rules of the game.
    pub fn oracle(&self) -> &Oracle {
        &self.oracle
    }

    /// Gives the present position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Counts the turns that have ended.
    pub fn turns(&self) -> u32 {
        self.turns
    }

    /// Plays one action.
    ///
    /// Where the search for the longest chain runs out of its budget, any capture is taken as legal.
    ///
    /// # Panics
    /// The game is over, or the action is not legal.
    pub fn play(&mut self, action: &str) {
        assert_eq!(self.verdict(), None, "the game is over");
        let mut actions = self
            .oracle
            .actions(&self.board)
            .unwrap_or_else(|| self.oracle.with_successors(&self.board, &self.oracle.possible(&self.board)));
        let after = actions.remove(action).unwrap_or_else(|| panic!("{action} is not legal"));
        if after.side != self.board.side {
            self.turns += 1;
        }
        self.history.push(position(&self.oracle, &after));
        self.board = after;
    }

    /// Says how the game ended, if it has: wins first, then draws, then truncation.
    ///
    /// Draws and truncation wait for the end of the turn.
    pub fn verdict(&self) -> Option<Verdict> {
        if let Some(side) = self.oracle.winner(&self.board) {
            return Some(Verdict::Win(side));
        }
        if !self.board.is_turn_start() {
            return None;
        }
        let rules = self.oracle.ruleset();
        let no_progress_limit = u32::from(rules.no_progress_limit);
        let repetition_limit = usize::from(rules.repetition_limit);
        if no_progress_limit > 0 && self.board.no_progress >= no_progress_limit {
            Some(Verdict::Draw("no_progress"))
        } else if repetition_limit > 0 && self.repetitions() >= repetition_limit {
            Some(Verdict::Draw("repetition"))
        } else if rules.lone_kings_draw && self.is_lone_kings() {
            Some(Verdict::Draw("lone_kings"))
        } else if rules.max_turns > 0 && self.turns >= rules.max_turns {
            Some(Verdict::Truncated)
        } else {
            None
        }
    }

    /// Counts how often the present position has stood in this game, now included.
    pub fn repetitions(&self) -> usize {
        let now = position(&self.oracle, &self.board);
        self.history.iter().filter(|&earlier| *earlier == now).count()
    }

    fn is_lone_kings(&self) -> bool {
        let is_one_king = |side| {
            let points = self.board.points_of(side);
            points.len() == 1 && self.board.pieces[&points[0]].king
        };
        Side::BOTH.into_iter().all(is_one_king) && !self.oracle.can_capture(&self.board)
    }
}

/// Writes what repetition compares: all fields but the count of turns.
fn position(oracle: &Oracle, board: &Board) -> String {
    let text = oracle.print(board);
    let (position, _no_progress) = text.rsplit_once(' ').expect("a position has six fields");
    position.to_owned()
}
