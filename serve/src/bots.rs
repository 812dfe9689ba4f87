//! Who plays: trained networks by name, kept up to date with their folders, and the baseline.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, RwLock};
use std::time::SystemTime;

use damma_env::Game;
use damma_eval::BotLevel;
use damma_trainer::checkpoint::{STATE_FILE, encoder, list};
use damma_trainer::learner::MODEL_FILE;
use damma_trainer::{Checkpoint, CheckpointError};
use serde::Deserialize;
use serde::Serialize;
use serde_json::Value;
use thiserror::Error;
use utoipa::ToSchema;

use crate::problem::Problem;
use crate::searcher::{Searcher, Sizes};
use crate::spec::GameSpec;

/// The file with the ratings of a bot's levels, beside its network.
const LEVELS: &str = "levels.json";
/// The file that tells programs of a bot.
const CARD: &str = "card.json";

/// The longest name of a bot, in bytes.
const LONGEST_NAME: usize = 60;

/// A bot that cannot be used.
#[derive(Debug, Error)]
pub enum BotError {
    /// The checkpoint is none.
    #[error("bot `{name}` cannot be used")]
    Checkpoint {
        /// The bot.
        name: String,
        /// What is wrong.
        source: Box<CheckpointError>,
    },
    /// Its rules are none.
    #[error("bot `{name}` cannot be used")]
    Rules {
        /// The bot.
        name: String,
        /// What is wrong.
        source: damma_env::RulesetError,
    },
    /// Its name is none.
    #[error("the bot in {path} is called {name:?}; a name is letters, digits, `-`, `_` and `.`, at most {most}, and does not begin with ab-", most = LONGEST_NAME)]
    Name {
        /// The name.
        name: String,
        /// The bot's folder.
        path: PathBuf,
    },
    /// A folder cannot be read.
    #[error(
        "cannot read the folder of bots {path}; name it with --models FOLDER, or a checkpoint with --bot NAME=PATH"
    )]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// There is nobody to play.
    #[error("there is no checkpoint in {0}; name folders of checkpoints under `bots`, or give --models FOLDER")]
    Nobody(PathBuf),
}

/// Writes an error and what it comes of.
#[must_use]
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    std::iter::once(error).chain(causes).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// A trained network that plays one game.
pub struct Bot {
    /// Its name.
    pub name: String,
    /// What it plays.
    pub game: Arc<Game>,
    /// The same in words.
    pub spec: GameSpec,
    /// What answers.
    pub searcher: Searcher,
    /// What is known of it.
    pub info: BotInfo,
    /// How it was trained and how strong it is.
    pub card: Value,
    /// Which files these are.
    stamp: Stamp,
}

/// What is known of a bot, in short.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct BotInfo {
    /// Its name, as requests write it.
    #[schema(example = "zamma")]
    pub name: String,
    /// What it plays.
    pub game: GameSpec,
    /// Its Elo above the baseline's `ab-1`, if it was measured.
    pub elo: Option<f64>,
    /// The simulations a decision with which that was measured.
    pub elo_simulations: Option<u32>,
    /// Numbers in its network.
    pub parameters: usize,
    /// How strong it can be told to play.
    pub levels: Vec<LevelInfo>,
}

/// A level of a bot.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct LevelInfo {
    /// 1 to 10.
    pub level: u8,
    /// Simulations a decision.
    pub visits: u32,
    /// Its Elo above the baseline's `ab-1`, if it was measured.
    pub elo: Option<f64>,
}

/// The ratings of levels in a file.
#[derive(Deserialize)]
struct Rated {
    level: u8,
    elo: f64,
}

/// Which checkpoint a folder holds: its path and when it was written.
type Stamp = (PathBuf, Option<SystemTime>);

/// All who play.
pub struct Bots {
    folders: BTreeMap<String, PathBuf>,
    sizes: Sizes,
    loaded: RwLock<BTreeMap<String, Arc<Bot>>>,
    /// What was wrong with each when last looked at: it is told once.
    faults: Mutex<BTreeMap<String, String>>,
}

impl Bots {
    /// Loads bots from their folders.
    ///
    /// # Errors
    /// A folder holds no checkpoint that can be used, or a name is none.
    pub fn load(folders: BTreeMap<String, PathBuf>, sizes: Sizes) -> Result<Self, BotError> {
        let mut bots = BTreeMap::new();
        for (name, path) in &folders {
            bots.insert(name.clone(), Arc::new(Bot::load(name, path, sizes)?));
        }
        Ok(Self { folders, sizes, loaded: RwLock::new(bots), faults: Mutex::default() })
    }

    /// Loads the bots in a folder; one that cannot be used is left out, with a warning, as long as there are others.
    ///
    /// # Errors
    /// The folder cannot be read, or has none that can be used.
    pub fn load_found(models: &Path, sizes: Sizes) -> Result<Self, BotError> {
        let folders = Self::find(models)?;
        let (mut bots, mut faults, mut last) = (BTreeMap::new(), BTreeMap::new(), None);
        for (name, path) in &folders {
            match Bot::load(name, path, sizes) {
                Ok(bot) => drop(bots.insert(name.clone(), Arc::new(bot))),
                Err(error) => {
                    let text = with_causes(&error);
                    tracing::warn!("{text}; the others play");
                    faults.insert(name.clone(), text);
                    last = Some(error);
                }
            }
        }
        match last {
            Some(error) if bots.is_empty() => Err(error),
            _ => Ok(Self { folders, sizes, loaded: RwLock::new(bots), faults: Mutex::new(faults) }),
        }
    }

    /// Finds the checkpoints in a folder, by name.
    ///
    /// # Errors
    /// The folder cannot be read, or has none.
    pub fn find(models: &Path) -> Result<BTreeMap<String, PathBuf>, BotError> {
        let fail = |source| BotError::Folder { path: models.to_owned(), source };
        let mut folders = BTreeMap::new();
        for entry in fs::read_dir(models).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            let is_checkpoint = path.join(STATE_FILE).is_file() || path.join("checkpoints").is_dir();
            if let (true, Some(name)) = (is_checkpoint, path.file_name().and_then(|name| name.to_str())) {
                folders.insert(name.to_owned(), path);
            }
        }
        if folders.is_empty() { Err(BotError::Nobody(models.to_owned())) } else { Ok(folders) }
    }

    /// Loads again what has changed in its folder since; a bot that cannot be loaded stays as it was, and so do
    /// the searches of the one it replaces. Gives the names of the new ones, and what is newly wrong with others.
    pub fn refresh(&self) -> (Vec<String>, Vec<BotError>) {
        let (mut swapped, mut faults) = (Vec::new(), Vec::new());
        for (name, path) in &self.folders {
            let is_same = self.get(name).is_some_and(|bot| stamp(path).is_ok_and(|stamp| stamp == bot.stamp));
            if is_same {
                continue;
            }
            match Bot::load(name, path, self.sizes) {
                Ok(bot) => {
                    self.loaded.write().expect("nothing panics here").insert(name.clone(), Arc::new(bot));
                    swapped.push(name.clone());
                    self.faults().remove(name);
                }
                Err(error) => {
                    let text = with_causes(&error);
                    if self.faults().insert(name.clone(), text.clone()).is_none_or(|before| before != text) {
                        faults.push(error);
                    }
                }
            }
        }
        (swapped, faults)
    }

    fn faults(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.faults.lock().expect("nothing panics here")
    }

    /// Gives a bot.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Arc<Bot>> {
        self.loaded.read().expect("nothing panics here").get(name).cloned()
    }

    /// Gives a bot that a request names.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn named(&self, name: &str) -> Result<Arc<Bot>, Problem> {
        self.get(name).ok_or_else(|| {
            let names: Vec<String> = self.all().iter().map(|bot| bot.name.clone()).collect();
            let what =
                if name.is_empty() { "say which bot".to_owned() } else { format!("there is no bot `{name:.100}`") };
            Problem::invalid("bot", format!("{what}; there are {}, and ab-1 to ab-8", names.join(", ")))
        })
    }

    /// Lists the bots by name.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<Bot>> {
        self.loaded.read().expect("nothing panics here").values().cloned().collect()
    }
}

impl Bot {
    fn load(name: &str, path: &Path, sizes: Sizes) -> Result<Self, BotError> {
        let fail = |source| BotError::Checkpoint { name: name.to_owned(), source: Box::new(source) };
        let is_plain = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
        if name.is_empty() || name.len() > LONGEST_NAME || name.starts_with("ab-") || !name.chars().all(is_plain) {
            return Err(BotError::Name { name: name.to_owned(), path: path.to_owned() });
        }
        // Before the files are read: what is written meanwhile is loaded next time.
        let stamp = stamp(path).map_err(fail)?;
        let checkpoint = Checkpoint::open(&stamp.0).map_err(fail)?;
        let game = Game::new(checkpoint.ruleset().clone());
        let game = game.map_err(|source| BotError::Rules { name: name.to_owned(), source })?;
        let network = checkpoint.network_for(&game).map_err(fail)?;
        let read = |file: &str| serde_json::from_slice(&fs::read(stamp.0.join(file)).ok()?).ok();
        let card: Value = read(CARD).unwrap_or_else(|| own_card(&checkpoint));
        let rated: Vec<Rated> =
            read(LEVELS).and_then(|value: Value| serde_json::from_value(value).ok()).unwrap_or_default();
        let spec = GameSpec::of(&game);
        let elo = &card["elo"][0];
        let info = BotInfo {
            name: name.to_owned(),
            game: spec.clone(),
            elo: elo["rating"]["elo"].as_f64(),
            elo_simulations: elo["simulations"].as_u64().map(|count| count as u32),
            parameters: network.parameters(),
            levels: levels(&rated),
        };
        let encoder = encoder(network.config(), &game);
        let config = checkpoint.state.config.search.clone();
        let searcher = Searcher::start(game.clone(), network, encoder, config, sizes);
        Ok(Self { name: name.to_owned(), game, spec, searcher, info, card, stamp })
    }
}

fn levels(rated: &[Rated]) -> Vec<LevelInfo> {
    let info = |level: BotLevel| LevelInfo {
        level: level.number(),
        visits: level.visits(),
        elo: rated.iter().find(|rated| rated.level == level.number()).map(|rated| rated.elo),
    };
    BotLevel::all().map(info).collect()
}

/// Says what a checkpoint without a card says of itself.
fn own_card(checkpoint: &Checkpoint) -> Value {
    let state = &checkpoint.state;
    serde_json::json!({
        "iteration": state.iteration,
        "games": state.games,
        "positions": state.positions,
        "steps": state.steps,
        "seed": state.config.seed,
        "config": state.config.to_toml(),
    })
}

/// Finds the checkpoint that a folder is, or the newest of a run, and when it was written.
fn stamp(path: &Path) -> Result<Stamp, CheckpointError> {
    let folder = if path.join(STATE_FILE).is_file() {
        path.to_owned()
    } else {
        list(path)?.pop().ok_or_else(|| CheckpointError::None { path: path.to_owned() })?.1
    };
    let written = fs::metadata(folder.join(MODEL_FILE)).and_then(|data| data.modified()).ok();
    Ok((folder, written))
}
