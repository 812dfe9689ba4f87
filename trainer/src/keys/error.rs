//! What can be wrong with a setting, with what to give in its place.

use thiserror::Error;

use super::nearest_key;

/// What is wrong with one setting.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SettingError {
    /// Its value is of another type, or outside its range.
    #[error("{key} = {value} is not allowed: give {range}")]
    Range {
        /// The key with its section.
        key: String,
        /// The value found.
        value: String,
        /// What it takes.
        range: String,
    },
    /// There is no such key.
    #[error("unknown key `{key}`{}; `damma config explain` lists the keys", did_you_mean(.key))]
    Unknown {
        /// The key with its section.
        key: String,
    },
    /// The key belongs to another kind of the section than the one chosen.
    #[error("{key} is of kind \"{of}\" and not of \"{kind}\": remove it, or give the whole table, as in --set '{section}={{kind=\"{kind}\"}}'", section = .key.split('.').next().unwrap_or_default())]
    OtherKind {
        /// The key with its section.
        key: String,
        /// The kind that has it.
        of: String,
        /// The kind chosen.
        kind: String,
    },
    /// A key without a default is not there.
    #[error("{key} is missing: give {range}")]
    Missing {
        /// The key with its section.
        key: String,
        /// What it takes.
        range: String,
    },
}

impl SettingError {
    /// Gives the key with its section, as in `search.c_puct`.
    #[must_use]
    pub fn key(&self) -> &str {
        match self {
            Self::Range { key, .. }
            | Self::Unknown { key }
            | Self::OtherKind { key, .. }
            | Self::Missing { key, .. } => key,
        }
    }
}

fn did_you_mean(key: &str) -> String {
    nearest_key(key).map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"))
}
