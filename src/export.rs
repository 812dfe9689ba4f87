//! `damma export`: the network of a checkpoint in a form that other programs read.

mod shipped;

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use damma_env::{Game, State};
use damma_trainer::checkpoint::{Checkpoint, encoder};
use damma_trainer::network::{Network, OPSET};
use rand_pcg::Pcg64;
use serde_json::{Value, json};

use crate::files::write_beside;

/// Export the network of a checkpoint: safetensors, ONNX, and sample answers to check a reader with.
///
/// A checkpoint's own model.safetensors is a complete network already; its metadata says what it is.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ExportArgs {
    /// A run's folder (its newest checkpoint), or one checkpoint.
    checkpoint: PathBuf,
    /// Write the network as safetensors.
    #[arg(long, value_name = "FILE")]
    safetensors: Option<PathBuf>,
    /// Write the network as an ONNX model.
    #[arg(long, value_name = "FILE")]
    onnx: Option<PathBuf>,
    /// Write positions of a random game with observations and what the network says, as JSON.
    #[arg(long, value_name = "FILE")]
    samples: Option<PathBuf>,
    /// Write a checkpoint to give away into a folder: network, state, config and a card with its ratings.
    #[arg(long, value_name = "FOLDER")]
    checkpoint_to: Option<PathBuf>,
    /// The commit that it was trained at, for the card.
    #[arg(long, value_name = "COMMIT", requires = "checkpoint_to")]
    commit: Option<String>,
    /// How many positions to write.
    #[arg(long, value_name = "COUNT", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    count: u32,
}

const EXAMPLES: &str = "\
Examples:
  damma export runs/quickstart --onnx damma8.onnx
  damma export runs/quickstart --safetensors damma8.safetensors --samples samples.json
  damma export runs/damma8 --checkpoint-to models/damma8 --commit 4075984
  python3 trainer/python/damma_network.py damma8.safetensors samples.json";

/// Runs the command.
///
/// # Errors
/// The checkpoint is damaged, nothing is asked for, or a file cannot be written.
pub fn run(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(
        args.safetensors.is_some() || args.onnx.is_some() || args.samples.is_some() || args.checkpoint_to.is_some(),
        "nothing to export: give --safetensors FILE, --onnx FILE, --samples FILE or --checkpoint-to FOLDER"
    );
    let checkpoint = Checkpoint::open(&args.checkpoint)?;
    let game = Game::new(checkpoint.state.ruleset.clone())?;
    let network = checkpoint.network_for(&game)?;
    let mut out = io::stdout().lock();
    let mut write = |path: &Option<PathBuf>, what: &str, bytes: &dyn Fn() -> Vec<u8>| -> anyhow::Result<()> {
        let Some(path) = path else { return Ok(()) };
        write_beside(path, &bytes())?;
        Ok(writeln!(out, "{}: {what}", path.display())?)
    };
    let parameters = network.parameters();
    write(&args.safetensors, &format!("safetensors, {parameters} parameters"), &|| network.to_safetensors())?;
    write(&args.onnx, &format!("ONNX, opset {OPSET}, {parameters} parameters"), &|| network.to_onnx())?;
    let count = args.count as usize;
    write(&args.samples, &format!("{count} positions with answers"), &|| {
        samples(&game, &network, count).to_string().into_bytes()
    })?;
    if let Some(folder) = &args.checkpoint_to {
        shipped::write(checkpoint, &network, folder, args.commit.as_deref())?;
        writeln!(out, "{}: a checkpoint to play with, {parameters} parameters", folder.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Gives positions of random games, what the network sees of each, and what it says.
fn samples(game: &Game, network: &Network, count: usize) -> Value {
    use rand::RngExt as _;
    let encoder = encoder(network.config(), game);
    let mut rng = Pcg64::new(1, 0);
    let mut state = State::new(game);
    let mut list = Vec::with_capacity(count);
    while list.len() < count {
        if state.outcome().is_some() {
            state = State::new(game);
        }
        let observation = encoder.observation(game, &state);
        let observation = observation.as_slice().expect("a new array is contiguous");
        let answer = network.infer(observation);
        let legal = state.position().legal_actions(game);
        let mut sample = json!({
            "position": game.position_text(state.position()),
            "legal": legal.iter().map(|action| action.0).collect::<Vec<_>>(),
            "observation": observation,
            "policy": answer.logits,
            "wdl": answer.wdl,
        });
        if network.config().turns_left() {
            sample["turns_left"] = json!(answer.turns_left);
        }
        list.push(sample);
        state.play(game, legal[rng.random_range(0..legal.len())]);
    }
    Value::Array(list)
}
