//! The arguments that say which config is meant, the same in every subcommand that takes one.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use damma_trainer::TrainConfig;
use damma_trainer::config::{ConfigError, Override};

use crate::contest;

/// A config's file, and settings on top of it.
#[derive(Clone, Debug, Args)]
pub struct ConfigArgs {
    /// The config, in TOML; configs/ holds examples.
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,
    #[command(flatten)]
    pub set: SetArgs,
}

/// Settings on top of a file.
#[derive(Clone, Debug, Args)]
pub struct SetArgs {
    /// A setting on top of the file, such as `search.c_puct=2` or `rules.capture=forced`; values are
    /// TOML, words need no quotes. May be repeated, the last one counts.
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

impl SetArgs {
    /// Reads the settings.
    ///
    /// # Errors
    /// One is not of the form `KEY=VALUE`.
    pub fn overrides(&self) -> Result<Vec<Override>, ConfigError> {
        self.set.iter().map(|text| Override::parse(text)).collect()
    }
}

impl ConfigArgs {
    /// Reads and checks the config with its settings, and with `more` of other arguments on top.
    ///
    /// # Errors
    /// The first mistake, with file and line or the argument.
    pub fn load(&self, more: Vec<Override>) -> Result<TrainConfig, ConfigError> {
        let mut overrides = self.set.overrides()?;
        overrides.extend(more);
        TrainConfig::load(&self.config, &overrides)
    }

    /// Checks that the opponents of ratings can play.
    ///
    /// # Errors
    /// As [`contest::check_names`].
    pub fn check_opponents(&self, config: &TrainConfig) -> anyhow::Result<()> {
        contest::check_names(&config.evaluation.opponents)
            .with_context(|| format!("{}: evaluation.opponents", self.config.display()))
    }
}
