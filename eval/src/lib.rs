//! Players, the alpha-beta baseline, matches and Elo.
//!
//! A [`Player`] chooses actions; [`AlphaBeta`] is the fixed baseline; [`draw_openings`] finds fair
//! beginnings; [`play_match`] plays each of them twice with colours swapped; [`Elo`] and
//! [`Ladder`] say how much stronger who is, and how sure that is.

#![warn(missing_docs)]

mod alphabeta;
mod arena;
mod error;
mod mcts;
mod openings;
mod player;
mod report;
mod spec;
mod statistics;

pub use alphabeta::{AlphaBeta, Analysis, Level, VERSION};
pub use arena::{ACTION_CAP, Ending, MatchGame, MatchResult, Opening, PairCounts, Progress, Seat, Tally, play_match};
pub use error::EvalError;
pub use mcts::MctsPlayer;
pub use openings::{OpeningBook, OpeningConfig, draw_openings};
pub use player::{Player, RandomPlayer};
pub use report::{EloReport, MatchReport};
pub use spec::PlayerSpec;
pub use statistics::{
    Difference, Elo, EloModel, Ladder, MatchStatistics, Mirror, PairTable, Pairing, RatedPlayer, Rating, RatingList,
    Results, Sprt, SprtDecision, SprtState, elo_of, score_of,
};
