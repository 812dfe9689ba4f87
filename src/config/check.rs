//! `damma config check`: whether a config can be trained, and what it will ask of the machine.

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Args;
use damma_trainer::TrainConfig;
use damma_trainer::checkpoint;
use damma_trainer::forecast::Forecast;
use indicatif::{HumanBytes, HumanCount};
use serde_json::json;

use crate::config_args::ConfigArgs;
use crate::rules;

/// Check a config, and say what it trains and how much memory that takes.
///
/// Nothing is written and nothing is trained. A mistake is named by file and line, or by the
/// argument, with the remedy; the exit code is 2 then.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CheckArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  damma config check configs/damma8.toml
  damma config check configs/damma8.toml --set network.hidden=512 --set selfplay.simulations=400
  damma config check configs/damma8.toml --json";

/// Runs the subcommand.
///
/// # Errors
/// The first mistake of the config.
pub fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let config = args.config.load(Vec::new())?;
    args.config.check_opponents(&config)?;
    let forecast = Forecast::of(&config)?;
    let mut out = io::stdout().lock();
    if args.json {
        let limits = json!({"iterations": config.run.iterations, "minutes": config.run.minutes,
                            "cpu_minutes": config.run.cpu_minutes});
        let game = rules::Difference::of(&config.ruleset()?, config.rules.preset.as_deref());
        let answer = json!({
            "file": args.config.config, "ok": true, "game": game, "network": config.network, "forecast": forecast,
            "limits": limits, "output": config.output,
        });
        writeln!(out, "{answer}")?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{}: ok", args.config.config.display())?;
    for (name, text) in describe(&config, &forecast)? {
        writeln!(out, "  {name:9} {text}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(config: &TrainConfig, forecast: &Forecast) -> anyhow::Result<Vec<(&'static str, String)>> {
    let game = rules::Difference::of(&config.ruleset()?, config.rules.preset.as_deref());
    let selfplay = &config.selfplay;
    let network = format!(
        "{}: {} parameters, {}, and {} with the optimiser",
        network_text(config),
        HumanCount(forecast.parameters as u64),
        HumanBytes(forecast.network_bytes),
        HumanBytes(forecast.learner_bytes)
    );
    let search = format!(
        "{} simulations, {} in fast searches; {} games at once, about {:.0} actions a decision: up to {}",
        selfplay.simulations,
        selfplay.fast_simulations,
        forecast.games_at_once,
        forecast.actions,
        HumanBytes(forecast.search_bytes)
    );
    let replay = format!(
        "{} positions at first, about {}; never more than {}",
        HumanCount(config.replay.positions),
        HumanBytes(forecast.replay_bytes),
        HumanBytes(forecast.replay_limit_bytes)
    );
    let kept = match config.run.keep_every {
        0 => String::new(),
        every => format!(" and one every {} iterations", HumanCount(every)),
    };
    let disk = format!(
        "{} a checkpoint, of which the newest {} are kept{kept}; the window's games, less than in memory",
        HumanBytes(forecast.checkpoint_bytes),
        config.run.keep_last
    );
    Ok(vec![
        ("game", game.to_string()),
        ("network", network),
        ("search", search),
        ("replay", replay),
        ("disk", disk),
        ("ends", end(config)),
        ("output", output(config)?),
    ])
}

/// Writes kind and size of the network as they stand in the config.
pub fn network_text(config: &TrainConfig) -> String {
    let value = json!(config.network);
    let settings = value.as_object().into_iter().flatten().filter(|(_, value)| value.as_bool() != Some(false));
    let settings = settings.map(|(name, value)| match value.as_str() {
        Some(kind) => kind.to_owned(),
        None => format!("{name} {value}"),
    });
    settings.collect::<Vec<_>>().join(", ")
}

fn end(config: &TrainConfig) -> String {
    let iterations = (config.run.iterations > 0).then(|| format!("{} iterations", HumanCount(config.run.iterations)));
    let minutes = (config.run.minutes > 0.0).then(|| format!("{} minutes of training", config.run.minutes));
    let cpu = (config.run.cpu_minutes > 0.0).then(|| format!("{} minutes of CPU time", config.run.cpu_minutes));
    let limits: Vec<String> = iterations.into_iter().chain(minutes).chain(cpu).collect();
    format!("after {}{}", limits.join(" or "), if limits.len() > 1 { ", whichever is first" } else { "" })
}

fn output(config: &TrainConfig) -> anyhow::Result<String> {
    let folder = config.output.display();
    Ok(match checkpoint::list(&config.output)?.last() {
        Some((iteration, _)) => {
            format!("{folder}, which holds a run after iteration {iteration}: it goes on from there")
        }
        None => format!("{folder}, a new run"),
    })
}
