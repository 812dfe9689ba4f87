//! `damma bench search`: simulations a second of self-play, and where their time goes.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use damma_env::{Game, Ruleset};
use damma_trainer::checkpoint::{Checkpoint, encoder, shape};
use damma_trainer::network::Device;
use damma_trainer::replay::{Replay, ReplayConfig};
use damma_trainer::search::{SearchConfig, Work};
use damma_trainer::selfplay::{SelfPlay, SelfPlayConfig};
use damma_trainer::{Network, TrainConfig};
use serde_json::{Value, json};

use crate::contest;
use crate::cpu::of_process;
use crate::table::table;

/// Measure self-play: simulations a second of one core, and the share of the network in them.
///
/// Games are played as in training, by one thread: search, rules and network together. `network alone` is how
/// many positions a second the network answers in the batches that the search gave it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SearchArgs {
    /// Configs, each measured with a new network, and checkpoints or run folders, each with its own.
    #[arg(required = true, value_name = "CONFIG|CHECKPOINT")]
    sources: Vec<PathBuf>,
    /// How long each is measured.
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0)]
    seconds: f64,
    /// Print one JSON object a row.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  damma bench search configs/damma8.toml configs/zamma.toml
  damma bench search runs/quickstart --seconds 10 --json";

/// What is measured.
struct Subject {
    name: String,
    preset: String,
    ruleset: Ruleset,
    network: Network,
    search: SearchConfig,
    selfplay: SelfPlayConfig,
}

/// Runs the subcommand.
///
/// # Errors
/// A config or checkpoint is wrong, or the output cannot be written.
pub fn run(args: &SearchArgs) -> anyhow::Result<ExitCode> {
    let seconds = args.seconds;
    anyhow::ensure!((0.1..=600.0).contains(&seconds), "--seconds {seconds} is outside 0.1 to 600");
    let subjects = args.sources.iter().map(|path| Subject::read(path)).collect::<anyhow::Result<Vec<_>>>()?;
    let bar = contest::bar(subjects.len() as u64, "measured");
    let mut rows = Vec::new();
    for subject in &subjects {
        bar.set_message(subject.name.clone());
        let (work, cpu) = subject.measure(Duration::from_secs_f64(seconds))?;
        let row = row(subject, &work, cpu);
        if args.json {
            bar.suspend(|| writeln!(io::stdout(), "{row}"))?;
        }
        rows.push(row);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if !args.json {
        let cells = |row: &Value| -> Vec<String> {
            let thousands = |key: &str| format!("{:.0}", row[key].as_f64().unwrap_or_default() / 1e3);
            let percent = |key: &str| format!("{:.0} %", 100.0 * row[key].as_f64().unwrap_or_default());
            vec![
                row["source"].as_str().unwrap_or_default().to_owned(),
                row["preset"].as_str().unwrap_or_default().to_owned(),
                row["parameters"].to_string(),
                thousands("simulations_per_cpu_second"),
                thousands("network_positions_per_second"),
                format!("{:.1}", row["batch_size"].as_f64().unwrap_or_default()),
                percent("network_share"),
                percent("cache_hit_rate"),
            ]
        };
        let header =
            ["source", "preset", "parameters", "k sims/s", "network alone, k/s", "batch", "network", "cache hits"];
        writeln!(io::stdout(), "one thread\n\n{}", table(header, rows.iter().map(cells)))?;
    }
    Ok(ExitCode::SUCCESS)
}

impl Subject {
    fn read(path: &Path) -> anyhow::Result<Self> {
        if path.extension().is_some_and(|extension| extension == "toml") {
            let config = TrainConfig::load(path, &[])?;
            let ruleset = config.selfplay_ruleset()?;
            let shape = shape(&config.network, &*Game::new(ruleset.clone())?);
            let network = Network::new(&config.network, shape, config.seed)?.on(&Device::open(config.run.device)?);
            return Ok(Self::new(path, config, ruleset, network));
        }
        let checkpoint = Checkpoint::open(path)?;
        let network = checkpoint.network()?;
        let ruleset = checkpoint.state.config.selfplay_ruleset()?;
        Ok(Self::new(path, checkpoint.state.config, ruleset, network))
    }

    fn new(path: &Path, config: TrainConfig, ruleset: Ruleset, network: Network) -> Self {
        Self {
            name: path.display().to_string(),
            preset: config.rules.preset.unwrap_or_else(|| "other".to_owned()),
            ruleset,
            network,
            search: config.search,
            selfplay: config.selfplay,
        }
    }

    /// Plays games with one thread for so long and gives what that did and the CPU time it took.
    fn measure(&self, time: Duration) -> anyhow::Result<(Work, Duration)> {
        let game = Game::new(self.ruleset.clone())?;
        let selfplay = SelfPlayConfig { shards: 1, ..self.selfplay.clone() };
        let encoder = encoder(self.network.config(), &game);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        let (begun, before) = (Instant::now(), of_process());
        let played = pool.install(|| {
            SelfPlay {
                game: &game,
                encoder: &encoder,
                search: &self.search,
                config: &selfplay,
                seed: 1,
                evaluator: &self.network,
                tables: None,
                window: &Replay::new(ReplayConfig::default(), 0.0, None),
                progress: 0.0,
                resign_below: None,
                stop: &|| begun.elapsed() > time,
                finished: &|_| (),
            }
            .play(0..u64::from(u32::MAX))
        });
        Ok((played.work, of_process().saturating_sub(before)))
    }
}

fn row(subject: &Subject, work: &Work, cpu: Duration) -> Value {
    let share = |part: f64, whole: f64| part / whole.max(1e-9);
    json!({
        "measure": "search",
        "source": subject.name,
        "preset": subject.preset,
        "parameters": subject.network.parameters(),
        "simulations": work.simulations,
        "simulations_per_cpu_second": share(work.simulations as f64, cpu.as_secs_f64()).round(),
        "network_positions_per_second": share(work.evaluations as f64, work.evaluator_seconds).round(),
        "batch_size": share(work.evaluations as f64, work.batches as f64),
        "network_share": share(work.evaluator_seconds, work.seconds),
        "cache_hit_rate": share(work.cached as f64, (work.cached + work.evaluations) as f64),
    })
}
