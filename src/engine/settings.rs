//! The options of the engine, and the game and player that they mean.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use damma_env::{Game, PRESETS, PdnResult, Ruleset};
use damma_eval::{Level, MctsPlayer};
use damma_trainer::Checkpoint;

use super::EngineArgs;
use super::search::Brain;
use crate::contest;

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
    /// Takes the options of the command line.
    ///
    /// # Errors
    /// The level or the rules are wrong, or the checkpoint cannot be opened.
    pub fn new(args: &EngineArgs) -> anyhow::Result<Self> {
        contest::check(2, args.simulations)?;
        let own = args.checkpoint.as_ref().map(|path| Checkpoint::open(path)).transpose()?;
        let game = args.game.game_or(own.map(|checkpoint| checkpoint.ruleset().clone()))?;
        // A record says which game it is as the options do.
        let pdn = game.record_pdn(&game.start(), &[], PdnResult::Unknown, &[]);
        let preset = pdn.tag("Ruleset").unwrap_or("damma8");
        let overrides = pdn.tag("RulesetOverrides").unwrap_or_default();
        let shown = if overrides.is_empty() { "none" } else { overrides };
        Ok(Self {
            base: Ruleset::preset(preset)?,
            begun: [preset.to_owned(), shown.to_owned()],
            overrides: overrides.split_whitespace().map(str::to_owned).collect(),
            level: args.level.parse()?,
            checkpoint: args.checkpoint.clone(),
            simulations: args.simulations,
        })
    }

    /// Lists the options as the protocol does.
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

    /// Changes an option; one that is not known changes nothing. Whether the values fit together
    /// is found out by [`Settings::build`].
    ///
    /// # Errors
    /// The value is none of this option.
    pub fn set(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        match name.to_ascii_lowercase().as_str() {
            "preset" => {
                self.base = Ruleset::preset(value)?;
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
                let count = value.parse().with_context(|| format!("Simulations {value}: give a number"))?;
                contest::check(2, count)?;
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
    pub fn build(&self) -> anyhow::Result<(Arc<Game>, Arc<Brain>)> {
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
