//! `damma serve`: trained bots over HTTP and WebSocket, and a page to play them on.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use damma_serve::{ServeConfig, Server};
use tracing_subscriber::EnvFilter;

use crate::files;

/// Serve trained bots over HTTP and WebSocket, with a web page to play them on.
///
/// Prints the address and runs until Ctrl-C. Games are kept in a file: a restart loses none.
/// docs/serving.md tells more, docs/api.md describes the interface.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ServeArgs {
    /// A TOML file with settings; serve/serve.toml has them all with their defaults.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Address and port to listen on; port 0 takes a free one [default: 127.0.0.1:8080].
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address)]
    pub listen: Option<SocketAddr>,
    /// The folder whose checkpoints play, each by its folder's name [default: models].
    #[arg(long, value_name = "FOLDER")]
    pub models: Option<PathBuf>,
    /// One more bot: a checkpoint or a run, whose newest checkpoint plays; may be repeated.
    #[arg(long, value_name = "NAME=PATH")]
    pub bot: Vec<String>,
    /// The file with all games [default: runs/games.sqlite].
    #[arg(long, value_name = "FILE")]
    pub database: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  damma serve
  damma serve --listen 0.0.0.0:80 --config serve/serve.toml
  damma serve --bot mine=runs/damma8
  curl -s 127.0.0.1:8080/api/analyze -H 'Content-Type: application/json' -d '{\"bot\": \"zamma\"}'";

/// Runs the subcommand until the program is told to stop.
///
/// # Errors
/// A setting is wrong, a bot or the database cannot be used, or the address is taken.
pub fn run(args: &ServeArgs) -> anyhow::Result<ExitCode> {
    // RUST_LOG chooses what is logged.
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn,damma_serve=info"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).init();
    let config = config(args)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start threads")?;
    let served = runtime.block_on(async {
        let server = Server::bind(config).await?;
        let mut out = io::stdout().lock();
        writeln!(out, "listening on http://{}", server.address())?;
        writeln!(out, "bots: {}; games are kept in {}", server.bots().join(", "), server.database().display())?;
        out.flush()?;
        drop(out);
        server.run(told_to_stop()).await;
        Ok(ExitCode::SUCCESS)
    });
    // Searches that go on are for nobody now.
    runtime.shutdown_background();
    served
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "give a number for the address, and a port, such as 127.0.0.1:8080".to_owned())
}

/// Puts the arguments on top of the file.
fn config(args: &ServeArgs) -> anyhow::Result<ServeConfig> {
    let mut config = match &args.config {
        Some(path) => {
            let text = files::read_text(path, "a server's settings in TOML")?;
            // Paths are relative to the working directory, as in the configs of runs.
            ServeConfig::from_toml(&text, Path::new("")).with_context(|| format!("config file {}", path.display()))?
        }
        None => ServeConfig::default(),
    };
    if let Some(listen) = args.listen {
        config.listen = listen;
    }
    if let Some(models) = &args.models {
        config.models.clone_from(models);
        config.bots.clear();
    }
    if let Some(database) = &args.database {
        config.database.clone_from(database);
    }
    if !args.bot.is_empty() && config.bots.is_empty() {
        // What is added does not take the others' place.
        config.bots = match damma_serve::Bots::find(&config.models) {
            // Nobody needs the default folder who names bots.
            Err(_) if args.models.is_none() && args.config.is_none() => BTreeMap::new(),
            found => found?,
        };
    }
    for text in &args.bot {
        let (name, path) = text.split_once('=').with_context(|| format!("--bot {text}: give NAME=PATH"))?;
        config.bots.insert(name.to_owned(), PathBuf::from(path));
    }
    Ok(config)
}

/// Waits for Ctrl-C, or for the signal that service managers send.
async fn told_to_stop() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        let mut terminate =
            tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()).expect("the system has signals");
        tokio::select! {
            _ = interrupt => {}
            _ = terminate.recv() => {}
        }
    }
    #[cfg(not(unix))]
    let _ = interrupt.await;
}
