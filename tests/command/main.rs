//! The command, seen from outside: what it answers, refuses, writes and takes up again.
//!
//! One binary for all of it: each would have to be linked with the network's library.

mod config;
mod elo;
mod endgame;
mod inspect;
mod known_endings;
mod match_files;
mod matches;
mod monitoring;
mod protocols;
mod quality;
mod ratings;
mod rules_commands;
mod schema;
mod shipped;
mod support;
mod training;
