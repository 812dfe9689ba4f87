//! The config of a training run: one TOML file and what the command line puts on top, checked once.
//!
//! What each key takes and means is in [`keys`]; here are the sections together, and
//! what no single key can be blamed for.

mod defaults;
mod document;
mod overrides;
mod schema;
mod sections;

use std::path::{Path, PathBuf};

use damma_env::{Ruleset, RulesetError, RulesetPatch};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

pub use defaults::{default_of, value_of};
pub use overrides::Override;
pub use schema::schema;
pub use sections::{EvaluationConfig, Repeated, RunConfig, SamplesConfig};

use crate::keys::{self, SettingError};
use crate::learner::LearnerConfig;
use crate::network::NetworkConfig;
use crate::replay::ReplayConfig;
use crate::search::SearchConfig;
use crate::selfplay::SelfPlayConfig;
use document::Document;

/// Why a config cannot be used.
///
/// A `place` is what to mend: `FILE:LINE`, an argument such as `--set KEY=VALUE`, the file as a whole,
/// or `config` where there is none.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the config {path}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The text is not a config.
    #[error("{place}: {message}")]
    Parse {
        /// Where.
        place: String,
        /// What the parser says.
        message: String,
    },
    /// An argument is not `KEY=VALUE`.
    #[error("--set {text} is not of the form KEY=VALUE, as in search.c_puct=2 or network.kind=tower")]
    NotAnOverride {
        /// What was given.
        text: String,
    },
    /// A key is unknown or missing, or its value is outside its range.
    #[error("{place}")]
    Setting {
        /// Where.
        place: String,
        /// The key and what is wrong.
        source: SettingError,
    },
    /// The rules are impossible.
    #[error("{place}: [rules]")]
    Rules {
        /// Where.
        place: String,
        /// Why.
        source: RulesetError,
    },
    /// The run or its games would never end, are not those of the rules, or begin in too many ways, or the network is
    /// not what they need.
    #[error("{place}: {reason}")]
    Endless {
        /// Where.
        place: String,
        /// What is missing.
        reason: &'static str,
    },
}

impl ConfigError {
    /// Says that the rules of a config, whose file is not known any more, are impossible.
    pub(crate) fn rules(source: RulesetError) -> Self {
        Self::Rules { place: "config".to_owned(), source }
    }
}

/// A training run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainConfig {
    /// Seed of everything random.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Folder that the run is kept in; relative to the working directory.
    pub output: PathBuf,
    /// The game: a preset and what differs from it.
    pub rules: RulesetPatch,
    /// The network.
    #[serde(default)]
    pub network: NetworkConfig,
    /// The search.
    #[serde(default)]
    pub search: SearchConfig,
    /// The games.
    #[serde(default)]
    pub selfplay: SelfPlayConfig,
    /// The window of games to learn from.
    #[serde(default)]
    pub replay: ReplayConfig,
    /// The optimiser.
    #[serde(default)]
    pub learner: LearnerConfig,
    /// What is learnt from the window.
    #[serde(default)]
    pub samples: SamplesConfig,
    /// When the run ends and what it keeps.
    #[serde(default)]
    pub run: RunConfig,
    /// How checkpoints are rated.
    #[serde(default)]
    pub evaluation: EvaluationConfig,
}

const fn default_seed() -> u64 {
    1
}

impl TrainConfig {
    /// Reads a config, puts overrides on top in their order, and checks the result.
    ///
    /// # Errors
    /// The first mistake, with file and line or the argument.
    pub fn load(path: &Path, overrides: &[Override]) -> Result<Self, ConfigError> {
        let text =
            std::fs::read_to_string(path).map_err(|source| ConfigError::Read { path: path.to_owned(), source })?;
        Self::parse(path, &text, overrides)
    }

    /// Does the same with a text; `path` is only for messages.
    ///
    /// # Errors
    /// The first mistake, with line or argument.
    pub fn parse(path: &Path, text: &str, overrides: &[Override]) -> Result<Self, ConfigError> {
        let document = Document { path, text, overrides };
        let config = document.read()?;
        config.check_at(|key| document.place(key))?;
        Ok(config)
    }

    /// Writes the config as TOML, which [`TrainConfig::parse`] reads back.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a checked config is plain data")
    }

    /// Gives the rules.
    ///
    /// # Errors
    /// The rules are impossible; never after [`TrainConfig::load`].
    pub fn ruleset(&self) -> Result<Ruleset, RulesetError> {
        Ruleset::from_patch(&self.rules)
    }

    /// Gives the rules of self-play games.
    ///
    /// # Errors
    /// As [`TrainConfig::ruleset`].
    pub fn selfplay_ruleset(&self) -> Result<Ruleset, RulesetError> {
        let mut ruleset = self.ruleset()?;
        if self.selfplay.no_progress_limit > 0 {
            ruleset.no_progress_limit = self.selfplay.no_progress_limit;
        }
        Ok(ruleset)
    }

    /// Checks every value of a config that was made in the program.
    ///
    /// # Errors
    /// The first value that is out of range, or does not fit the others.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_at(|_| "config".to_owned())
    }

    fn check_at(&self, place: impl Fn(&str) -> String) -> Result<(), ConfigError> {
        let ruleset = self.ruleset().map_err(|source| ConfigError::Rules { place: place("rules"), source })?;
        if let Value::Object(plain) = keys::plain(self) {
            keys::check(&plain).map_err(|source| ConfigError::Setting { place: place(source.key()), source })?;
        }
        let endless = |key, reason| Err(ConfigError::Endless { place: place(key), reason });
        if self.run.iterations == 0 && self.run.minutes <= 0.0 && self.run.cpu_minutes <= 0.0 {
            return endless("run", "the run has no end: set run.iterations, run.minutes or run.cpu_minutes");
        }
        if ruleset.no_progress_limit == 0 && ruleset.max_turns == 0 {
            return endless("rules", "games may have no end: set no_progress_limit or max_turns in [rules]");
        }
        if ruleset.no_progress_limit == 0 && self.selfplay.no_progress_limit > 0 {
            return endless(
                "selfplay.no_progress_limit",
                "selfplay.no_progress_limit needs a no_progress_limit in [rules]: the network would see a counter in self-play that the game does not have",
            );
        }
        if self.selfplay.earlier_share + self.selfplay.endgame_share > 1.0 {
            return endless(
                "selfplay.endgame_share",
                "selfplay.earlier_share and selfplay.endgame_share are more than 1 together: lower one of them",
            );
        }
        if self.learner.turns_left_weight > 0.0 && !self.network.turns_left() {
            return endless(
                "learner.turns_left_weight",
                "learner.turns_left_weight teaches the network what it does not tell: set network.turns_left to true, or the weight to 0",
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
