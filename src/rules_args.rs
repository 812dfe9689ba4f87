//! The arguments that say which game is meant, the same in every subcommand.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use damma_env::{Game, Ruleset};

use crate::files;

/// The preset that stands where none is named.
pub const DEFAULT_PRESET: &str = "damma8";

/// Which game: a preset or a file, and options on top of either.
#[derive(Clone, Debug, Default, Args)]
pub struct GameArgs {
    /// The game's name; `damma rules` lists them [default: damma8].
    #[arg(long, value_name = "NAME", help_heading = "Rules")]
    pub preset: Option<String>,
    /// A TOML file with every option, or with `preset = "..."` and what differs from it.
    #[arg(long, value_name = "FILE", conflicts_with = "preset", help_heading = "Rules")]
    pub rules: Option<PathBuf>,
    /// An option on top, such as capture=forced; may be repeated, the last one counts.
    #[arg(long, value_name = "OPTION=VALUE", help_heading = "Rules")]
    pub set: Vec<String>,
}

impl GameArgs {
    /// Gives the ruleset that the arguments mean.
    ///
    /// # Errors
    /// The file cannot be read, or a name, key, value or combination is wrong; with the place
    /// and the nearest valid name.
    pub fn ruleset(&self) -> anyhow::Result<Ruleset> {
        let base = match (&self.rules, &self.preset) {
            (Some(path), _) => {
                let text = files::read_text(path, "a rules file in TOML")?;
                Ruleset::from_toml(&text).with_context(|| format!("rules file {}", path.display()))?
            }
            (None, name) => Ruleset::preset(name.as_deref().unwrap_or(DEFAULT_PRESET))?,
        };
        Ok(base.with_overrides(self.set.iter().map(String::as_str))?)
    }

    /// Gives the game that the arguments mean.
    ///
    /// # Errors
    /// As [`GameArgs::ruleset`].
    pub fn game(&self) -> anyhow::Result<Arc<Game>> {
        Ok(Game::new(self.ruleset()?)?)
    }

    /// Gives the game that the arguments mean, or one of `own` rules where they say nothing.
    ///
    /// # Errors
    /// As [`GameArgs::ruleset`].
    pub fn game_or(&self, own: Option<Ruleset>) -> anyhow::Result<Arc<Game>> {
        match own {
            Some(own) if self.preset.is_none() && self.rules.is_none() => {
                Ok(Game::new(own.with_overrides(self.set.iter().map(String::as_str))?)?)
            }
            _ => self.game(),
        }
    }

    /// Says whether any of the arguments was given.
    #[must_use]
    pub fn is_given(&self) -> bool {
        self.preset.is_some() || self.rules.is_some() || !self.set.is_empty()
    }
}
