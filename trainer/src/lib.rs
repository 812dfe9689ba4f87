//! Search, network, self-play and learning for Damma.
//!
//! A [`Run`] goes round: the network plays games against itself by tree search
//! ([`selfplay`], [`search`]), the games go into a window ([`replay`]), the [`learner`] learns to
//! say at once what the search found out, and a [`checkpoint`] keeps it all. Whoever starts a run
//! hears of it through a [`Monitor`]. What a config may say is data in [`keys`]. burn is seen only by
//! [`network`] and [`learner`].

#![warn(missing_docs)]

pub mod checkpoint;
pub mod config;
pub mod files;
pub mod forecast;
pub mod keys;
pub mod learner;
mod monitor;
pub mod network;
pub mod record;
pub mod replay;
pub mod rng;
mod run;
pub mod sample;
pub mod search;
pub mod selfplay;
pub mod value;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use config::{ConfigError, TrainConfig};
pub use monitor::{BatchRate, Event, IterationReport, Monitor, SelfPlayStats};
pub use network::{Network, NetworkError};
pub use run::{Run, Summary, TrainError};
pub use value::Value;
