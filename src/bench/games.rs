//! The games that are measured: presets, with options on top, under the name that rows give them.

use std::sync::Arc;

use anyhow::Context as _;
use damma_env::{Game, PRESETS};

use crate::rules_args::GameArgs;

/// What a preset that is measured by default is also measured with: the maximum rule is the
/// dearest of all options, and this shows what it costs.
const EXTRA: (&str, &str) = ("srand", "priority=free");

/// A game and where it comes from.
#[derive(Clone, Debug)]
pub struct NamedGame {
    /// The preset.
    pub preset: String,
    /// Options on top of it, `option=value`.
    pub set: Vec<String>,
    /// The game.
    pub game: Arc<Game>,
}

impl NamedGame {
    fn new(preset: &str, set: &[String]) -> anyhow::Result<Self> {
        let args = GameArgs { preset: Some(preset.to_owned()), rules: None, set: set.to_vec() };
        let game = args.game().with_context(|| format!("preset {preset}"))?;
        Ok(Self { preset: preset.to_owned(), set: set.to_vec(), game })
    }

    /// Gives the preset and what differs from it, in one line.
    pub fn label(&self) -> String {
        let set = self.set.iter().map(|option| format!(" {option}"));
        self.preset.clone() + &set.collect::<String>()
    }
}

/// Gives the games that `presets` and `set` mean; without presets, those of all of them.
///
/// # Errors
/// A preset or an option has no such name or value, or a preset cannot have an option.
pub fn games(presets: &[String], set: &[String]) -> anyhow::Result<Vec<NamedGame>> {
    let all: Vec<String> = PRESETS.iter().map(|preset| preset.name.to_owned()).collect();
    let chosen = if presets.is_empty() { &all } else { presets };
    let mut games = chosen.iter().map(|preset| NamedGame::new(preset, set)).collect::<anyhow::Result<Vec<_>>>()?;
    if presets.is_empty() && set.is_empty() {
        let (preset, option) = EXTRA;
        games.push(NamedGame::new(preset, &[option.to_owned()])?);
    }
    Ok(games)
}
