//! Endgame tables as files: a folder that says which rules they are of, and one file a class.
//!
//! [`EndgameFolder`] reads and writes them and trusts nothing that it reads: every file names its
//! rules and its class and carries checksums. How values are found is `damma-env`'s affair.

mod error;
mod file;
mod folder;

pub use error::EndgameFileError;
pub use folder::{ClassEntry, EndgameFolder};
