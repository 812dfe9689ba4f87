//! The one command: rules, training and evaluation of the draughts of the Sahara and the Arab world.
//!
//! Each subcommand is one file with its arguments and `run`; this file only picks one and turns
//! its error into a message and an exit code. It must not know what any of them does.

mod bench;
mod config;
mod config_args;
mod contest;
mod cpu;
mod curve;
mod elo;
mod engine;
mod export;
mod files;
mod fit;
mod inspect;
mod matches;
mod moves;
mod perft;
mod play;
mod quality;
mod ratings;
mod replay;
mod rules;
mod rules_args;
mod serve;
mod show;
mod solve;
mod table;
mod tensorboard;
mod train;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Draughts of the Sahara and the Arab world: rules, self-play training, evaluation.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  damma train configs/quickstart.toml
  damma config check configs/damma8.toml
  damma inspect runs/quickstart
  damma match mcts:runs/quickstart ab-3
  damma play mcts:runs/quickstart
  damma serve
  damma rules
  damma show --preset zamma
  damma perft --preset srand --depth 8
  damma bench env
  damma solve --preset khreibga --pieces 4 --out tables/khreibga";

#[derive(Subcommand)]
enum Command {
    Perft(perft::PerftArgs),
    Moves(moves::MovesArgs),
    Show(show::ShowArgs),
    Rules(rules::RulesArgs),
    Replay(replay::ReplayArgs),
    Train(train::TrainArgs),
    Config(config::ConfigArgs),
    Inspect(inspect::InspectArgs),
    Match(Box<matches::MatchArgs>),
    Elo(elo::EloArgs),
    Curve(curve::CurveArgs),
    Ratings(ratings::RatingsArgs),
    Engine(engine::EngineArgs),
    Serve(serve::ServeArgs),
    Quality(quality::QualityArgs),
    Play(play::PlayArgs),
    Fit(fit::FitArgs),
    Export(export::ExportArgs),
    Bench(bench::BenchArgs),
    Solve(solve::SolveArgs),
}

impl Command {
    fn run(&self) -> anyhow::Result<ExitCode> {
        match self {
            Self::Perft(args) => perft::run(args),
            Self::Moves(args) => moves::run(args),
            Self::Show(args) => show::run(args),
            Self::Rules(args) => rules::run(args),
            Self::Replay(args) => replay::run(args),
            Self::Train(args) => train::run(args),
            Self::Config(args) => config::run(args),
            Self::Inspect(args) => inspect::run(args),
            Self::Match(args) => matches::run(args),
            Self::Elo(args) => elo::run(args),
            Self::Curve(args) => curve::run(args),
            Self::Ratings(args) => ratings::run(args),
            Self::Engine(args) => engine::run(args),
            Self::Serve(args) => serve::run(args),
            Self::Quality(args) => quality::run(args),
            Self::Play(args) => play::run(args),
            Self::Fit(args) => fit::run(args),
            Self::Export(args) => export::run(args),
            Self::Bench(args) => bench::run(args),
            Self::Solve(args) => solve::run(args),
        }
    }
}

fn main() -> ExitCode {
    tensorboard::silence_writer();
    match Cli::parse().command.run() {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // A closed stderr leaves nobody to tell.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Says whether the reader of our output has gone, as `head` does: no error of ours.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}
