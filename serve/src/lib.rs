//! Trained bots as a service: engine protocols, HTTP, WebSocket and a web page.

#![warn(missing_docs)]

mod analysis;
mod bots;
mod config;
mod http;
mod limits;
mod metrics;
mod page;
pub mod picture;
mod problem;
pub mod protocol;
mod searcher;
mod server;
mod sessions;
mod spec;
mod store;
mod thinker;
mod view;

pub use bots::{BotError, Bots};
pub use config::{ServeConfig, ServeConfigError};
pub use server::{Server, ServerError};
