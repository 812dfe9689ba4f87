//! What a checkpoint says of itself.

use damma_env::{Encoder, Game, Ruleset};
use serde::{Deserialize, Serialize};

use crate::config::TrainConfig;
use crate::network::{NetworkConfig, NetworkShape};

/// Name, length and checksum of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileSum {
    /// Its name.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its CRC-32.
    pub crc32: u32,
}

impl FileSum {
    /// Sums a file up.
    #[must_use]
    pub fn of(name: &str, bytes: &[u8]) -> Self {
        Self { name: name.to_owned(), bytes: bytes.len() as u64, crc32: crc32fast::hash(bytes) }
    }

    /// Checks that bytes are those summed up.
    ///
    /// # Errors
    /// What differs.
    pub fn check(&self, bytes: &[u8]) -> Result<(), String> {
        if bytes.len() as u64 != self.bytes {
            return Err(format!("it has {} bytes where {} were written", bytes.len(), self.bytes));
        }
        if crc32fast::hash(bytes) != self.crc32 {
            return Err("its checksum is not the one written".to_owned());
        }
        Ok(())
    }
}

/// A file with the games of one iteration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Segment {
    /// The file, in the run's folder `games`.
    pub file: FileSum,
    /// One more than the number of its last game, played or searched anew.
    pub end: u64,
}

/// Counters, rules and checksums of a run after an iteration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunState {
    /// Version of this format.
    pub format: u32,
    /// Version of the program that wrote it; empty before it was recorded.
    #[serde(default)]
    pub program: String,
    /// Iterations done.
    pub iteration: u64,
    /// Games played.
    pub games: u64,
    /// Games that were searched anew; with those played it gives the number of the next.
    #[serde(default)]
    pub reanalysed: u64,
    /// Positions to learn from that were played or searched anew.
    pub positions: u64,
    /// Optimiser steps made.
    pub steps: u64,
    /// Seconds of training, all sessions together.
    pub elapsed_seconds: f64,
    /// Seconds of CPU time that training took, all sessions together; 0 where it was not measured.
    #[serde(default)]
    pub cpu_seconds: f64,
    /// The seed; with the counters it gives the state of every random stream.
    pub seed: u64,
    /// The rules, complete.
    pub ruleset: Ruleset,
    /// Length of the policy.
    pub actions: usize,
    /// C, H and W of an observation.
    pub observation: [usize; 3],
    /// Positions of the newest games that no step was made for yet.
    #[serde(default)]
    pub unlearnt: u64,
    /// Games of a shard that go on at once where the config leaves it open, as measured once; 0 before that.
    #[serde(default)]
    pub lockstep: usize,
    /// The number of the oldest game in the replay window, if there is one.
    pub oldest_game: Option<u64>,
    /// Files of games that the window needs.
    pub segments: Vec<Segment>,
    /// Files beside this one.
    pub files: Vec<FileSum>,
    /// The config of the run.
    pub config: TrainConfig,
}

/// The format that this version writes and reads.
pub(crate) const FORMAT: u32 = 2;

/// The version of this program.
pub(crate) const PROGRAM: &str = env!("CARGO_PKG_VERSION");

impl RunState {
    /// Says why the checkpoint is not one of `game`, if it is not. Draw and turn limits may differ.
    #[must_use]
    pub fn mismatch(&self, game: &Game) -> Option<String> {
        let table = |ruleset: &Ruleset| toml::Table::try_from(ruleset).expect("a ruleset is plain data");
        let (own, other) = (table(&self.ruleset), table(game.ruleset()));
        let limits = ["no_progress_limit", "repetition_limit", "max_turns", "lone_kings_draw"];
        let differing =
            own.iter().find(|(key, value)| !limits.contains(&key.as_str()) && other.get(*key) != Some(*value));
        if let Some((key, value)) = differing {
            return Some(format!("it was trained with {key} = {value}, and this game has {key} = {}", other[key]));
        }
        let shape = shape(&self.config.network, game);
        let observation = [shape.planes, shape.size, shape.size];
        (self.observation != observation || self.actions != shape.actions).then(|| {
            format!(
                "it takes observations {:?} and knows {} actions, and this game has {observation:?} and {}",
                self.observation, self.actions, shape.actions
            )
        })
    }
}

/// Gives the encoder that a kind of network needs.
#[must_use]
pub fn encoder(network: &NetworkConfig, game: &Game) -> Encoder {
    match network {
        NetworkConfig::Mlp { .. } => Encoder::flat(game),
        NetworkConfig::Tower { .. } => Encoder::new(game),
    }
}

/// Gives the shape of a network for a game.
#[must_use]
pub fn shape(network: &NetworkConfig, game: &Game) -> NetworkShape {
    let [planes, size, _] = encoder(network, game).shape();
    NetworkShape { planes, size, actions: game.action_count() }
}

#[cfg(test)]
mod tests {
    use damma_env::PRESETS;

    use super::*;
    use crate::network::Network;

    #[test]
    fn every_preset_has_a_network_of_either_kind() {
        for preset in PRESETS {
            let game = Game::new(Ruleset::preset(preset.name).expect("a preset")).expect("a game");
            for config in [
                NetworkConfig::Mlp { hidden: 8, blocks: 1, inner: 0, products: false, turns_left: false },
                NetworkConfig::Tower { channels: 8, blocks: 1, turns_left: false },
            ] {
                let network = Network::new(&config, shape(&config, &game), 1);
                assert!(network.is_ok(), "{}, {config:?}: {:?}", preset.name, network.err());
            }
        }
    }
}
