//! Endgame tables as files: a folder that says which rules they are of, and one file a class.
//!
//! [`EndgameFolder`] reads and writes them and trusts nothing that it reads: every file names its
//! rules and its class and carries checksums. [`best_action`] and [`verdict`] ask them about a game.
//! How values are found is `damma-env`'s affair.

mod advice;
mod error;
mod file;
mod folder;

pub use advice::{best_action, verdict};
pub use error::EndgameFileError;
pub use folder::{ClassEntry, EndgameFolder};
