//! Players, the alpha-beta baseline, matches and Elo.
//!
//! A [`Player`] chooses actions; [`AlphaBeta`] is the fixed baseline; [`draw_openings`] finds fair
//! beginnings; [`play_match`] plays each of them twice with colours swapped; [`Elo`] and
//! [`Ladder`] say how much stronger who is, and how sure that is.

#![warn(missing_docs)]

mod alphabeta;
mod arena;
mod bot_level;
mod endgame;
mod engine;
mod error;
mod mcts;
mod openings;
mod page;
mod player;
mod quality;
mod report;
mod spec;
mod statistics;
mod turn_line;

pub use alphabeta::{
    AlphaBeta, Analysis, Evaluation, FEATURES, Fit, FitConfig, Level, Signature, VERSION, Weights, fit, signature,
};
pub use arena::{
    ACTION_CAP, Adjudicate, Arena, Ending, Fixture, MatchGame, MatchResult, Opening, OpeningFault, Order, PairCounts,
    Progress, RecordFault, Seat, Tally, Thought, Verdict, VerdictCause, play_match,
};
pub use bot_level::{BotLevel, NoSuchLevel};
pub use endgame::{ClassEntry, EndgameFileError, EndgameFolder, best_action, verdict};
pub use engine::{EngineBudget, EnginePlayer};
pub use error::EvalError;
pub use mcts::MctsPlayer;
pub use openings::{
    OpeningBook, OpeningConfig, ballots, draw_openings, opening_line, openings_from_pdn, openings_from_text,
};
pub use page::{BoardDrawing, CurvePoint, Facts, Frame, Kind, Measured, Opponent, Page, Point, ShownGame, curve_svg};
pub use player::{Choice, Decision, Fault, Forfeit, Opinion, Player, RandomPlayer};
pub use quality::{
    Agreement, Mistake, MistakeCount, Mistakes, Oracle, Puzzle, Solved, Suite, SuiteConfig, SuiteError, Wanted,
    agreement, make_suite, mistakes, sample_states,
};
pub use report::{EloReport, MatchReport, Tested};
pub use spec::PlayerSpec;
pub use statistics::{
    Difference, Elo, EloModel, Ladder, MatchStatistics, Mirror, PairTable, Pairing, RatedPlayer, Rating, RatingList,
    Results, Sprt, SprtDecision, SprtState, elo_of, score_of,
};
pub use turn_line::{TurnLineError, parse_turns, turn_words};
