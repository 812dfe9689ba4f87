//! The options of the engine, and the game and player that they mean.

use std::path::PathBuf;
use std::sync::Arc;

use damma_env::{Game, PRESETS, Ruleset};
use damma_eval::{Level, MctsPlayer};
use damma_trainer::Checkpoint;

use super::error::EngineError;
use super::search::Brain;
use crate::spec::GameSpec;

/// What an engine begins with.
#[derive(Clone)]
pub struct EngineOptions {
    /// The game.
    pub game: Arc<Game>,
    /// The baseline's level.
    pub level: Level,
    /// A checkpoint or run to play with instead.
    pub checkpoint: Option<PathBuf>,
    /// Simulations of a decision with it, 1 to 60,000.
    pub simulations: u32,
}

/// What the draughts field calls the game of `damma8`.
const ENGLISH: &str = "english";

/// The simulations that a decision may have.
const SIMULATIONS: &str = "1 to 60000";

/// The options' values.
#[derive(Clone, Debug)]
pub struct Settings {
    base: Ruleset,
    /// The values of Preset and Set that the engine began with.
    begun: [String; 2],
    overrides: Vec<String>,
    level: Level,
    checkpoint: Option<PathBuf>,
    simulations: u32,
}

impl Settings {
    /// Takes the options that the engine begins with.
    ///
    /// # Errors
    /// A number is out of its range.
    pub fn new(options: EngineOptions) -> Result<Self, EngineError> {
        check_simulations(options.simulations)?;
        let GameSpec { preset, options: differing } = GameSpec::of(&options.game);
        let overrides: Vec<String> = differing.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let shown = if overrides.is_empty() { "none".to_owned() } else { overrides.join(" ") };
        Ok(Self {
            base: Ruleset::preset(&preset)?,
            begun: [preset, shown],
            overrides,
            level: options.level,
            checkpoint: options.checkpoint,
            simulations: options.simulations,
        })
    }

    /// Lists the options as UGI does.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let presets: Vec<String> = PRESETS.iter().map(|preset| format!("var {}", preset.name)).collect();
        let checkpoint = self.checkpoint.as_ref().map_or_else(|| "none".to_owned(), |path| path.display().to_string());
        let [preset, overrides] = &self.begun;
        vec![
            format!("option name Preset type combo default {preset} {}", presets.join(" ")),
            format!("option name Set type string default {overrides}"),
            format!("option name Level type string default {}", self.level),
            format!("option name Checkpoint type string default {checkpoint}"),
            format!("option name Simulations type spin default {} min 1 max 60000", self.simulations),
        ]
    }

    /// Lists the options as Hub does; `english` is its name for `damma8`.
    #[must_use]
    pub fn params(&self) -> Vec<String> {
        let name = |preset: &'static str| if preset == "damma8" { ENGLISH } else { preset };
        let variants: Vec<&str> = PRESETS.iter().map(|preset| name(preset.name)).collect();
        let begun =
            PRESETS.iter().find(|preset| preset.name == self.begun[0]).map_or(ENGLISH, |preset| name(preset.name));
        let checkpoint = self.checkpoint.as_ref().map_or_else(|| "none".to_owned(), |path| path.display().to_string());
        vec![
            format!("param name=variant value={begun} type=enum values=\"{}\"", variants.join(" ")),
            format!("param name=level value={} type=string", self.level),
            format!("param name=checkpoint value=\"{checkpoint}\" type=string"),
            format!("param name=simulations value={} type=int min=1 max=60000", self.simulations),
        ]
    }

    /// Changes an option; one that is not known changes nothing. Whether the values fit together
    /// is found out by [`Settings::build`].
    ///
    /// # Errors
    /// The value is none of this option.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), EngineError> {
        match name.to_ascii_lowercase().as_str() {
            "preset" | "variant" => {
                self.base = Ruleset::preset(if value == ENGLISH { "damma8" } else { value })?;
                self.overrides.clear();
            }
            "set" => {
                let words = value.split([' ', ',', ';']).filter(|word| !word.is_empty() && *word != "none");
                self.overrides = words.map(str::to_owned).collect();
            }
            "level" => {
                self.level = value.parse()?;
                self.checkpoint = None;
            }
            "checkpoint" => self.checkpoint = (value != "none").then(|| PathBuf::from(value)),
            "simulations" => {
                let wrong = |_| EngineError::Range { name: "Simulations", value: value.to_owned(), range: SIMULATIONS };
                let count = value.parse().map_err(wrong)?;
                check_simulations(count)?;
                self.simulations = count;
            }
            _ => {}
        }
        Ok(())
    }

    /// Makes the game and the player.
    ///
    /// # Errors
    /// The overrides are wrong, or the checkpoint is damaged or of another game.
    pub fn build(&self) -> Result<(Arc<Game>, Arc<Brain>), EngineError> {
        let ruleset = self.base.clone().with_overrides(self.overrides.iter().map(String::as_str))?;
        let game = Game::new(ruleset)?;
        let brain = match &self.checkpoint {
            Some(path) => {
                let player = Box::new(MctsPlayer::new(&Checkpoint::open(path)?, &game, self.simulations)?);
                Brain::Network { player, simulations: self.simulations }
            }
            None => Brain::Baseline(self.level),
        };
        Ok((game, Arc::new(brain)))
    }
}

fn check_simulations(count: u32) -> Result<(), EngineError> {
    if (1..=60_000).contains(&count) {
        return Ok(());
    }
    Err(EngineError::Range { name: "Simulations", value: count.to_string(), range: SIMULATIONS })
}
