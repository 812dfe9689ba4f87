//! The config of a training run: one TOML file, every key known, checked once.

use std::path::{Path, PathBuf};

use damma_env::{Ruleset, RulesetError, RulesetPatch, nearest};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::learner::LearnerConfig;
use crate::network::NetworkConfig;
use crate::replay::ReplayConfig;
use crate::search::SearchConfig;
use crate::selfplay::SelfPlayConfig;

/// Why a config cannot be used.
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
    #[error("{path}: {message}")]
    Parse {
        /// The file.
        path: PathBuf,
        /// Line, column and key, as the parser tells them.
        message: String,
    },
    /// A value is outside its range.
    #[error("{path}{}: {section}.{key} = {value} is outside its range: {range}", at_line(*.line))]
    Setting {
        /// The file.
        path: PathBuf,
        /// The table of the file.
        section: &'static str,
        /// The key in it.
        key: &'static str,
        /// The value found.
        value: String,
        /// What it takes.
        range: &'static str,
        /// Its line in the file, from 1, if it stands there.
        line: Option<usize>,
    },
    /// The rules are impossible.
    #[error("{path}: [rules]")]
    Rules {
        /// The file.
        path: PathBuf,
        /// Why.
        source: RulesetError,
    },
    /// The run or its games would never end, or are not those of the rules.
    #[error("{path}: {reason}")]
    Endless {
        /// The file.
        path: PathBuf,
        /// What is missing.
        reason: &'static str,
    },
}

impl ConfigError {
    /// Adds the line of the key, as it stands in the text of the config.
    fn with_line(mut self, text: &str) -> Self {
        if let Self::Setting { section, key, line, .. } = &mut self {
            let mut current = "";
            for (number, content) in (1..).zip(text.lines().map(str::trim)) {
                if let Some(header) = content.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
                    current = header.trim();
                } else if current == *section && content.split('=').next().is_some_and(|name| name.trim() == *key) {
                    *line = Some(number);
                }
            }
        }
        self
    }
}

fn at_line(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!(", line {line}"))
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

/// Settings of the training samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SamplesConfig {
    /// Positions of one optimiser step, 1 to 65,536.
    pub batch: usize,
    /// How often each new position is learnt from on average, above 0 and up to 100.
    pub per_position: f64,
    /// Share of the game's result in the value target, 0 to 1; the rest is the search's value.
    pub outcome_share: f32,
    /// Whether positions are turned by a random symmetry of the board.
    pub symmetry: bool,
}

impl Default for SamplesConfig {
    fn default() -> Self {
        Self { batch: 256, per_position: 4.0, outcome_share: 0.5, symmetry: true }
    }
}

/// When a run ends and which checkpoints it keeps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunConfig {
    /// Iterations after which the run ends; 0 is no limit.
    pub iterations: u64,
    /// Minutes after which the run ends, earlier sessions included; 0 is no limit.
    pub minutes: f64,
    /// Iterations between checkpoints, 1 and more.
    pub checkpoint_every: u64,
    /// The newest checkpoints are kept, this many, 1 and more.
    pub keep_last: usize,
    /// Checkpoints of iterations divisible by this are kept for ever; 0 keeps none of them.
    pub keep_every: u64,
}

impl Default for RunConfig {
    fn default() -> Self {
        Self { iterations: 0, minutes: 0.0, checkpoint_every: 1, keep_last: 3, keep_every: 10 }
    }
}

/// How checkpoints are rated against the baseline: the last one, and some while training goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EvaluationConfig {
    /// Opponents, as `damma match` names them; empty rates nothing.
    pub opponents: Vec<String>,
    /// Games against each, an even number; every opening is played with both colours.
    pub games: usize,
    /// Simulations a decision, 1 to 60,000.
    pub simulations: u32,
    /// Iterations between ratings while training goes on; 0 is none by iterations.
    pub every: u64,
    /// Minutes between ratings while training goes on; 0 is none by time.
    pub every_minutes: f64,
    /// The most of the run's CPU time that these ratings may take, above 0 and up to 0.9.
    pub share: f64,
}

impl Default for EvaluationConfig {
    fn default() -> Self {
        Self {
            opponents: ["random", "ab-1", "ab-2", "ab-3", "ab-4"].map(str::to_owned).into(),
            games: 100,
            simulations: 200,
            every: 0,
            every_minutes: 10.0,
            share: 0.05,
        }
    }
}

impl TrainConfig {
    /// Reads and checks a config.
    ///
    /// # Errors
    /// File, line and key of the first mistake.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let text =
            std::fs::read_to_string(path).map_err(|source| ConfigError::Read { path: path.to_owned(), source })?;
        Self::parse(path, &text)
    }

    /// Reads a config from a text; `path` is only for messages.
    ///
    /// # Errors
    /// Line and key of the first mistake.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let config: Self = toml::from_str(text).map_err(|error| ConfigError::Parse {
            path: path.to_owned(),
            message: format!("{}{}", error.to_string().trim_end(), suggestion(error.message())),
        })?;
        config.check(path).map_err(|error| error.with_line(text))?;
        Ok(config)
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

    /// Checks every value.
    ///
    /// # Errors
    /// The first value that is out of range.
    pub fn check(&self, path: &Path) -> Result<(), ConfigError> {
        let ruleset = self.ruleset().map_err(|source| ConfigError::Rules { path: path.to_owned(), source })?;
        let setting = |section, (key, value, range)| ConfigError::Setting {
            path: path.to_owned(),
            section,
            key,
            value,
            range,
            line: None,
        };
        let network = |section, error| match error {
            crate::network::NetworkError::Setting { key, value, range } => setting(section, (key, value, range)),
            other => ConfigError::Parse { path: path.to_owned(), message: other.to_string() },
        };
        self.network.validate().map_err(|error| network("network", error))?;
        self.learner.validate().map_err(|error| network("learner", error))?;
        self.search.validate().map_err(|bad| setting("search", bad))?;
        self.selfplay.validate().map_err(|bad| setting("selfplay", bad))?;
        self.replay.validate().map_err(|bad| setting("replay", bad))?;
        let (samples, run, evaluation) = (&self.samples, &self.run, &self.evaluation);
        let checks = [
            ("samples", "batch", samples.batch.to_string(), (1..=65_536).contains(&samples.batch), "1 to 65536"),
            (
                "samples",
                "per_position",
                samples.per_position.to_string(),
                samples.per_position > 0.0 && samples.per_position <= 100.0,
                "above 0, up to 100",
            ),
            (
                "samples",
                "outcome_share",
                samples.outcome_share.to_string(),
                (0.0..=1.0).contains(&samples.outcome_share),
                "0 to 1",
            ),
            ("run", "minutes", run.minutes.to_string(), (0.0..=1e6).contains(&run.minutes), "0 to 1000000"),
            ("run", "checkpoint_every", run.checkpoint_every.to_string(), run.checkpoint_every > 0, "1 and more"),
            ("run", "keep_last", run.keep_last.to_string(), run.keep_last > 0, "1 and more"),
            (
                "evaluation",
                "games",
                evaluation.games.to_string(),
                evaluation.games > 0 && evaluation.games.is_multiple_of(2),
                "2, 4, 6 ...: every opening is played with both colours",
            ),
            (
                "evaluation",
                "simulations",
                evaluation.simulations.to_string(),
                (1..=60_000).contains(&evaluation.simulations),
                "1 to 60000",
            ),
            (
                "evaluation",
                "every_minutes",
                evaluation.every_minutes.to_string(),
                (0.0..=1e6).contains(&evaluation.every_minutes),
                "0 to 1000000",
            ),
            (
                "evaluation",
                "share",
                evaluation.share.to_string(),
                evaluation.share > 0.0 && evaluation.share <= 0.9,
                "above 0, up to 0.9",
            ),
        ];
        if let Some((section, key, value, _, range)) = checks.into_iter().find(|check| !check.3) {
            return Err(setting(section, (key, value, range)));
        }
        let endless = |reason| Err(ConfigError::Endless { path: path.to_owned(), reason });
        if run.iterations == 0 && run.minutes <= 0.0 {
            return endless("the run has no end: set run.iterations or run.minutes");
        }
        if ruleset.no_progress_limit == 0 && ruleset.max_turns == 0 {
            return endless("games may have no end: set no_progress_limit or max_turns in [rules]");
        }
        if ruleset.no_progress_limit == 0 && self.selfplay.no_progress_limit > 0 {
            return endless(
                "selfplay.no_progress_limit needs a no_progress_limit in [rules]: the network would see a counter in self-play that the game does not have",
            );
        }
        Ok(())
    }
}

/// Suggests the valid key nearest to an unknown one that a message of serde names.
///
/// Such a message reads: unknown field `x`, expected one of `a`, `b`.
fn suggestion(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    match quoted.next() {
        Some(wrong) if message.starts_with("unknown") => nearest(wrong, quoted),
        _ => String::new(),
    }
}
