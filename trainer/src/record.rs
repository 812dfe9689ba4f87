//! A finished game of self-play: what replay keeps and files hold.
//!
//! Games, not tensors: what a network sees is made anew from the actions, with any symmetry.

use damma_env::{Action, Outcome};
use serde::{Deserialize, Serialize};

use crate::value::Value;

/// A decision that a full search was made for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Decision {
    /// How many actions of the game came before.
    pub ply: u32,
    /// Actions tried by the search, with their visits.
    pub visits: Vec<(u16, u16)>,
    /// The search's value of the position.
    pub value: Value,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the run, from 0.
    pub number: u64,
    /// Every action from the start position on.
    pub actions: Vec<u16>,
    /// How many of the first actions were random.
    pub random_actions: u32,
    /// The decisions to learn from.
    pub decisions: Vec<Decision>,
    /// How it ended.
    pub outcome: Outcome,
    /// Turns that were completed.
    pub turns: u32,
}

impl GameRecord {
    /// Estimates the memory that the record takes, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let visits: usize = self.decisions.iter().map(|decision| decision.visits.capacity() * 4).sum();
        size_of::<Self>() + self.actions.capacity() * 2 + self.decisions.capacity() * size_of::<Decision>() + visits
    }

    /// Gives the actions.
    pub fn actions(&self) -> impl Iterator<Item = Action> + '_ {
        self.actions.iter().map(|&number| Action(number))
    }
}
