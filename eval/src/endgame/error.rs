//! What can be wrong with files of endgame tables, with what the reader needs to mend it.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a folder or file of endgame tables was refused.
#[derive(Debug, Error)]
pub enum EndgameFileError {
    /// The system refused to read.
    #[error("cannot read {}; where it is missing, `damma solve` makes it again", .path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The system refused to write.
    #[error("cannot write {}", .path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The folder has no index.
    #[error("{} holds no endgame tables: it has no index.json; make some with `damma solve --out`", .path.display())]
    NoTables {
        /// The folder.
        path: PathBuf,
    },
    /// A class with no more pieces than others is not there.
    #[error("{} lacks the table of {class}; the `damma solve` that made the folder makes what is missing", .path.display())]
    Missing {
        /// The folder.
        path: PathBuf,
        /// The class.
        class: String,
    },
    /// The index cannot be understood.
    #[error("{} is no index of endgame tables ({reason}); delete the folder and solve again", .path.display())]
    BadIndex {
        /// The index.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The folder holds tables of another game.
    #[error(
        "{} holds endgame tables of other rules ({differences}); name another folder, or give the same rules",
        .path.display()
    )]
    OtherRules {
        /// The folder.
        path: PathBuf,
        /// Option by option.
        differences: String,
    },
    /// A file is damaged or not what its name says.
    #[error("{} is no sound table: {reason}; delete it and run `damma solve` again, which makes only what is missing", .path.display())]
    BadFile {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}
