//! A finished game of self-play: what replay keeps and files hold.
//!
//! Games, not tensors: what a network sees is made anew from the actions, with any symmetry.

use damma_env::{Action, Game, Outcome, PdnGame, PdnResult, State};
use serde::{Deserialize, Serialize};

use crate::search::{SearchConfig, Tree};
use crate::value::Value;

/// A decision that a full search was made for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Decision {
    /// How many actions of the game came before.
    pub ply: u32,
    /// Actions to learn, with their weights, such as visits; only ratios matter.
    pub visits: Vec<(u16, u16)>,
    /// The search's value of the position.
    pub value: Value,
    /// How far `visits` are from the network's own priors: the Kullback-Leibler divergence in nats.
    pub surprise: f32,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the run, from 0; games that were searched anew have numbers of their own.
    pub number: u64,
    /// Every action from the start position on.
    pub actions: Vec<u16>,
    /// How many of the first actions were random, or taken over from an earlier game.
    pub random_actions: u32,
    /// The decisions to learn from.
    pub decisions: Vec<Decision>,
    /// How it ended.
    pub outcome: Outcome,
    /// Turns that were completed.
    pub turns: u32,
    /// What sets it apart.
    pub notes: Notes,
}

/// What sets a game apart from one that was simply played to its end.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Notes {
    /// Whether the loser resigned: then the outcome names a cause that the rules did not give.
    pub resigned: bool,
    /// The least for which White and Black would have played on, -1 to 1; kept of games in which nobody may resign,
    /// where others may.
    pub lowest: Option<[f32; 2]>,
    /// Whether it is an earlier game with decisions that were searched anew, and nobody played it a second time.
    pub reanalysed: bool,
}

impl Decision {
    /// Takes the result of a search that was made after `ply` actions.
    pub(crate) fn of(tree: &Tree, config: &SearchConfig, ply: u32) -> Self {
        let targets = tree.targets(config);
        let surprise = tree.surprise(&targets);
        let visits = targets.into_iter().map(|target| (target.action.0, target.weight)).collect();
        Self { ply, visits, value: tree.value(), surprise }
    }
}

impl GameRecord {
    /// Makes the record of a game in which nothing was played yet.
    pub(crate) const fn empty(number: u64) -> Self {
        Self {
            number,
            actions: Vec::new(),
            random_actions: 0,
            decisions: Vec::new(),
            outcome: Outcome::Truncated,
            turns: 0,
            notes: Notes { resigned: false, lowest: None, reanalysed: false },
        }
    }

    /// Names the cause of the end in one word, as [`Outcome::cause`] does, or `resigned`.
    #[must_use]
    pub const fn cause(&self) -> &'static str {
        if self.notes.resigned { "resigned" } else { self.outcome.cause() }
    }

    /// Estimates the memory that the record takes, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let visits: usize = self.decisions.iter().map(|decision| decision.visits.capacity() * 4).sum();
        size_of::<Self>() + self.actions.capacity() * 2 + self.decisions.capacity() * size_of::<Decision>() + visits
    }

    /// Gives the weight of each decision in learning, 1 on average; a share `surprise` of them all is shared out in
    /// proportion to how much each decision surprised, as in `KataGo`.
    pub fn weights(&self, surprise: f32) -> impl Iterator<Item = f32> + '_ {
        let total: f32 = self.decisions.iter().map(|decision| decision.surprise).sum();
        let share = if total > 0.0 { surprise } else { 0.0 };
        let factor = share * self.decisions.len() as f32 / total.max(f32::MIN_POSITIVE);
        self.decisions.iter().map(move |decision| 1.0 - share + factor * decision.surprise)
    }

    /// Writes the game as PDN; the value of a full search stands behind its turn, as its player sees it.
    #[must_use]
    pub fn to_pdn(&self, game: &Game, iteration: u64) -> PdnGame {
        let tag = |name: &str, value: String| (name.to_owned(), value);
        let tags = [
            tag("Event", "self-play".to_owned()),
            tag("Round", format!("{iteration}.{}", self.number)),
            tag("RandomActions", self.random_actions.to_string()),
            tag("Termination", self.cause().to_owned()),
        ];
        let actions: Vec<Action> = self.actions().collect();
        let result = PdnResult::of(game, Some(self.outcome));
        let mut pdn = game.record_pdn(&game.start(), &actions, result, &tags);
        let mut decisions = self.decisions.iter().peekable();
        let (mut turn, mut position) = (0, game.start());
        for (ply, &action) in (0..).zip(&actions) {
            let side = position.side();
            if let Some(decision) = decisions.next_if(|decision| decision.ply == ply) {
                let said = format!("[%expected {:+.3}]", decision.value.for_side(side));
                // A turn in which somebody resigned is not written.
                if let Some(turn) = pdn.moves.get_mut(turn) {
                    turn.comment.get_or_insert(said);
                }
            }
            position = position.play(game, action);
            turn += usize::from(position.side() != side);
        }
        pdn
    }

    /// Counts the turns from a state of the game to its end.
    #[must_use]
    pub fn turns_left(&self, state: &State) -> u32 {
        self.turns.saturating_sub(state.turns())
    }

    /// Gives the actions.
    pub fn actions(&self) -> impl Iterator<Item = Action> + '_ {
        self.actions.iter().map(|&number| Action(number))
    }
}
