//! The rules of the draughts of the Sahara and the Arab world.
//!
//! A [`Ruleset`] is data; a [`Game`] is a ruleset compiled into tables; a [`Position`] says what
//! stands where and whose decision it is; a [`State`] adds the history that draws depend on.
//! An [`Action`] is one decision: a step, one hop, a huff or a stop. The same player may decide
//! several times in one turn, so whose turn it is comes from the position, never from counting.
//!
//! ```
//! use damma_env::{Game, Ruleset, State};
//!
//! let game = Game::new(Ruleset::preset("damma8")?)?;
//! let mut state = State::new(&game);
//! while state.outcome().is_none() {
//!     let actions = state.position().legal_actions(&game);
//!     state.play(&game, actions[actions.len() / 2]);
//! }
//! # Ok::<(), damma_env::RulesetError>(())
//! ```

#![warn(missing_docs)]

mod action;
mod bitboard;
mod endgame;
mod geometry;
mod movegen;
mod notation;
mod observe;
mod outcome;
mod pdn;
mod perft;
mod play;
mod position;
mod ruleset;
mod setup;
mod state;
mod symmetry;
mod vector;

pub use action::{Action, ActionKind, Direction};
pub use bitboard::{Bitboard, Square, Squares};
pub use endgame::{
    Class, ClassReport, Cursor, EndgameTables, EndgameValue, Fault, MAX_PIECES, Moment, NotAClass, Placement, Proof,
    ProofLimits, Ranking, WrongTable, prove,
};
pub use geometry::Game;
pub use notation::{PositionTextError, TooManyTurns, TurnError, TurnErrorKind};
pub use observe::{Encoder, Plane};
pub use outcome::{DrawCause, Outcome, Side, WinCause};
pub use pdn::{
    FenError, PdnError, PdnGame, PdnMove, PdnMoveError, PdnReader, PdnResult, Replay, ReplayFault, ReplayReason,
};
pub use perft::{perft_actions, perft_divide, perft_turns};
pub use position::Position;
pub use ruleset::{
    Capture, Chain, King, KingLanding, Lines, ManCaptures, ManSteps, Middle, OPTIONS, OptionDoc, PRESETS, Preset,
    Priority, Promotion, Removal, Ruleset, RulesetError, RulesetPatch, closest, nearest,
};
pub use setup::{Setup, SetupError};
pub use state::{IllegalAction, Mark, State};
pub use symmetry::Symmetry;
pub use vector::{
    AutoReset, Cause, Ending, EpisodeStatistics, Final, Finals, IllegalPolicy, LegalLists, MAX_BOARDS, Observations,
    Starts, VectorEnv, VectorError, VectorOptions, cpu_path,
};
