//! What a server may be told: a TOML file, checked once.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

/// Why a text is no config of a server.
#[derive(Debug, Error)]
pub enum ServeConfigError {
    /// The text is not TOML, or has a key or value that is none; with line and key.
    #[error("{0}")]
    Toml(String),
    /// A token is too short, or none that a header can carry.
    #[error("`tokens` has one of {characters} characters; a token is 16 and more of ASCII's, without spaces")]
    Token {
        /// How many it has: it is not shown.
        characters: usize,
    },
    /// A value is out of its range.
    #[error("`{key}` = {value} is outside {range}")]
    Range {
        /// The key.
        key: &'static str,
        /// What was given.
        value: String,
        /// What it takes.
        range: &'static str,
    },
}

/// Says whether pages can come from there, as browsers write it: scheme, host and perhaps port.
fn is_origin(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    text == "*"
        || host.is_some_and(|host| {
            !host.is_empty() && !host.contains('/') && host.bytes().all(|byte| byte.is_ascii_graphic())
        })
}

/// Settings of a server. Every key has a default; unknown keys are refused.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServeConfig {
    /// Address and port; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The file with all games; made where it is not there.
    pub database: PathBuf,
    /// The folder whose checkpoints play, each by its folder's name.
    pub models: PathBuf,
    /// Checkpoints or runs by name, in place of `models`.
    pub bots: BTreeMap<String, PathBuf>,
    /// Seconds between looks for new checkpoints, 0 to 86,400; 0 never looks.
    pub reload_seconds: u64,
    /// Days that finished games are kept, 0 to 100,000; 0 keeps all.
    pub keep_days: u32,
    /// Tokens of which every request below `/api` must carry one; empty lets everybody in.
    pub tokens: Vec<String>,
    /// Origins of other pages that may call, such as `https://example.org`; `*` for all.
    pub cors_origins: Vec<String>,
    /// What clients may use.
    pub limits: Limits,
    /// How searches share the machine.
    pub search: Search,
}

/// What clients may use.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Requests a second of one client in the long run, 0 to 1,000,000; 0 is no limit.
    pub requests_per_second: u32,
    /// Requests of one client at once, 1 to 1,000,000.
    pub burst: u32,
    /// Bytes of a body, 1,024 to 16,777,216.
    pub body_bytes: usize,
    /// Seconds a request may take, 1 to 3,600; streams and sockets have no such limit.
    pub request_seconds: u64,
    /// Connections at once, 1 to 100,000.
    pub connections: usize,
    /// Sessions that are played at once, 1 to 1,000,000.
    pub sessions: usize,
    /// Simulations of one search, 1 to 60,000.
    pub visits: u32,
}

/// How searches share the machine.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Search {
    /// Threads of each bot, 0 to 256; 0 is one a core.
    pub threads: usize,
    /// Searches that a thread makes in one batch, 1 to 1,024.
    pub batch: usize,
    /// Searches that may wait for each bot, 1 to 100,000; more are refused with 503.
    pub waiting: usize,
}

impl Default for ServeConfig {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            database: PathBuf::from("runs/games.sqlite"),
            models: PathBuf::from("models"),
            bots: BTreeMap::new(),
            reload_seconds: 10,
            keep_days: 0,
            tokens: Vec::new(),
            cors_origins: Vec::new(),
            limits: Limits::default(),
            search: Search::default(),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            requests_per_second: 50,
            burst: 200,
            body_bytes: 262_144,
            request_seconds: 90,
            connections: 2_000,
            sessions: 10_000,
            visits: 20_000,
        }
    }
}

impl Default for Search {
    fn default() -> Self {
        Self { threads: 0, batch: 64, waiting: 512 }
    }
}

impl ServeConfig {
    /// Reads a config; paths in it are relative to `folder`.
    ///
    /// # Errors
    /// The text is no TOML, a key is not known, or a value is out of its range.
    pub fn from_toml(text: &str, folder: &Path) -> Result<Self, ServeConfigError> {
        let mut config: Self = toml::from_str(text).map_err(|error| ServeConfigError::Toml(error.to_string()))?;
        config.validate()?;
        for path in config.bots.values_mut().chain([&mut config.database, &mut config.models]) {
            *path = folder.join(&*path);
        }
        Ok(config)
    }

    fn validate(&self) -> Result<(), ServeConfigError> {
        let Limits { requests_per_second, burst, body_bytes, request_seconds, connections, sessions, visits } =
            self.limits;
        let Search { threads, batch, waiting } = self.search;
        check("reload_seconds", self.reload_seconds, (0, 86_400), "0 to 86400")?;
        check("keep_days", self.keep_days.into(), (0, 100_000), "0 to 100000")?;
        check("limits.requests_per_second", requests_per_second.into(), (0, 1_000_000), "0 to 1000000")?;
        check("limits.burst", burst.into(), (1, 1_000_000), "1 to 1000000")?;
        check("limits.body_bytes", body_bytes as u64, (1_024, 16_777_216), "1024 to 16777216")?;
        check("limits.request_seconds", request_seconds, (1, 3_600), "1 to 3600")?;
        check("limits.connections", connections as u64, (1, 100_000), "1 to 100000")?;
        check("limits.sessions", sessions as u64, (1, 1_000_000), "1 to 1000000")?;
        check("limits.visits", visits.into(), (1, 60_000), "1 to 60000")?;
        check("search.threads", threads as u64, (0, 256), "0 to 256")?;
        check("search.batch", batch as u64, (1, 1_024), "1 to 1024")?;
        check("search.waiting", waiting as u64, (1, 100_000), "1 to 100000")?;
        if let Some(origin) = self.cors_origins.iter().find(|text| !is_origin(text)) {
            let (value, range) = (format!("{origin:?}"), "* and origins such as https://example.org, without a path");
            return Err(ServeConfigError::Range { key: "cors_origins", value, range });
        }
        // What a header can carry, without spaces.
        let is_token = |token: &String| token.len() >= 16 && token.bytes().all(|byte| byte.is_ascii_graphic());
        if let Some(token) = self.tokens.iter().find(|token| !is_token(token)) {
            return Err(ServeConfigError::Token { characters: token.chars().count() });
        }
        Ok(())
    }
}

fn check(
    key: &'static str,
    value: u64,
    (least, most): (u64, u64),
    range: &'static str,
) -> Result<(), ServeConfigError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(ServeConfigError::Range { key, value: value.to_string(), range })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_is_named_by_its_key() {
        let fail = |text: &str| ServeConfig::from_toml(text, Path::new(".")).unwrap_err().to_string();
        assert!(fail("lisen = \"127.0.0.1:1\"").contains("lisen"));
        assert!(fail("[limits]\nvisits = 0").contains("limits.visits"));
        assert!(fail("tokens = [\"short\"]").contains("tokens"));
        assert!(fail("listen = 3").contains("line 1"));
        assert!(fail("tokens = [\"sixteen or more, spaced\"]").contains("without spaces"));
        for origin in ["example.org", "https://example.org/", "https://"] {
            assert!(fail(&format!("cors_origins = [\"{origin}\"]")).contains("cors_origins"), "{origin}");
        }
    }

    #[test]
    fn the_file_of_settings_says_the_defaults() {
        let text = include_str!("../serve.toml");
        assert_eq!(ServeConfig::from_toml(text, Path::new("")).unwrap(), ServeConfig::default());
    }

    #[test]
    fn paths_are_relative_to_the_file() {
        let config = ServeConfig::from_toml("models = \"m\"\n[bots]\nz = \"runs/z\"", Path::new("/etc/damma")).unwrap();
        assert_eq!(config.models, Path::new("/etc/damma/m"));
        assert_eq!(config.bots["z"], Path::new("/etc/damma/runs/z"));
    }
}
