//! Exact endings: the value of every position with few pieces, by retrograde analysis.
//!
//! A [`Class`] says how many men and kings each player has; a [`Ranking`] numbers its positions;
//! [`EndgameTables`] holds one byte a position and answers [`EndgameTables::probe`]; `solve` fills
//! them; [`EndgameTables::check`] proves single values again. All values are those of play without
//! the draws that depend on history: infinite play is a draw. Files are the affair of others.

mod check;
mod class;
mod lookahead;
mod proof;
mod ranking;
mod retract;
mod solve;
mod tables;
#[cfg(test)]
mod tests;
mod value;
mod work;

pub use check::Fault;
pub use class::{Class, NotAClass};
pub use proof::{Proof, ProofLimits, prove};
pub use ranking::{Cursor, Placement, Ranking};
pub use solve::{ClassReport, Moment};
pub use tables::{EndgameTables, MAX_PIECES, WrongTable};
pub use value::EndgameValue;
