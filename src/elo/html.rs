//! The page of a run: its ratings, made into `elo.html`.

use std::path::{Path, PathBuf};

use damma_env::Game;
use damma_eval::{Facts, Measured, Opponent, Page, Point, ShownGame, VERSION};
use damma_trainer::checkpoint::RunState;
use damma_trainer::network::NetworkConfig;

use super::rater::{Rated, Rater};
use super::{ANCHOR, quality_file};
use crate::files::write_beside;
use crate::show;

/// The page in a run's folder.
const FILE: &str = "elo.html";

/// Games that a page shows at most; the newest checkpoints come first.
const GAMES: usize = 48;

/// Gives the place of a run's page.
pub fn place(run: &Path) -> PathBuf {
    run.join(FILE)
}

/// Writes the page of all ratings of a run.
///
/// # Errors
/// The ratings cannot be read, or the page cannot be written.
pub fn write(rater: &Rater<'_>, run: &Path, state: &RunState, file: &Path) -> anyhow::Result<()> {
    let all = rater.all()?;
    let measured = quality_file::read(run)?;
    let points =
        all.iter().map(|rated| point(rated, quality_file::of(&measured, rated.iteration, rated.crc32))).collect();
    let page = Page {
        title: title(run, state),
        facts: facts(rater, state),
        points,
        games: games(rater.game(), &all),
        board: show::drawing(rater.game()),
    };
    write_beside(file, page.html().as_bytes())
}

fn title(run: &Path, state: &RunState) -> String {
    let name = std::path::absolute(run).ok();
    let name = name.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    format!("{}: {}", name.unwrap_or_else(|| run.display().to_string()), game_name(state))
}

fn game_name(state: &RunState) -> String {
    let preset = state.config.rules.preset.clone();
    preset.unwrap_or_else(|| format!("a {0}x{0} game", state.ruleset.size))
}

fn facts(rater: &Rater<'_>, state: &RunState) -> Facts {
    let (config, terms) = (&state.config, rater.terms());
    let network = match config.network {
        NetworkConfig::Mlp { hidden, blocks, inner, products, .. } => {
            let inside = if blocks == 0 || inner == 0 { String::new() } else { format!(" of width {inner} inside") };
            let first = if products { ", products in pairs first" } else { "" };
            format!("residual perceptron, width {hidden}, blocks {blocks}{inside}{first}")
        }
        NetworkConfig::Tower { channels, blocks, .. } => {
            format!("residual tower, channels {channels}, blocks {blocks}")
        }
    };
    let mut list = vec![
        ("game", game_name(state)),
        ("board", format!("{0}x{0}", state.ruleset.size)),
        ("network", network),
        ("iterations", state.iteration.to_string()),
        ("self-play games", state.games.to_string()),
        ("positions", state.positions.to_string()),
        ("optimiser steps", state.steps.to_string()),
        ("time of training", time(state.elapsed_seconds)),
    ];
    if state.cpu_seconds > 0.0 {
        list.push(("CPU time of training", time(state.cpu_seconds)));
    }
    list.extend([
        ("seed", state.seed.to_string()),
        ("simulations in rating", terms.simulations.to_string()),
        ("games an opponent", format!("{}, in pairs of one opening with both colours", terms.games)),
        ("baseline", VERSION.to_owned()),
        ("program", format!("damma {}", env!("CARGO_PKG_VERSION"))),
    ]);
    let list = list.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let config = serde_json::to_string_pretty(&config).expect("a config is plain data");
    let texts = vec![("Rules".to_owned(), state.ruleset.to_toml()), ("Config of the run".to_owned(), config)];
    Facts { list, anchor: ANCHOR.to_owned(), texts }
}

/// Writes a time in the unit that suits it.
fn time(seconds: f64) -> String {
    match seconds {
        7200.0.. => format!("{:.1} h", seconds / 3600.0),
        120.0.. => format!("{:.1} min", seconds / 60.0),
        _ => format!("{seconds:.1} s"),
    }
}

fn point(rated: &Rated, measured: Vec<Measured>) -> Point {
    let training = rated.training;
    let opponent = |report: &damma_eval::MatchReport| Opponent {
        name: report.b.clone(),
        tally: report.total,
        mean_turns: report.mean_turns,
    };
    Point {
        iteration: rated.iteration,
        // Ratings of before these figures were kept have none; the first checkpoint has cost nothing yet.
        games: (training.games > 0 || rated.iteration == 0).then_some(training.games),
        cpu_hours: (training.cpu_seconds > 0.0 || rated.iteration == 0).then_some(training.cpu_seconds / 3600.0),
        rating: rated.report.rating,
        opponents: rated.report.matches.iter().map(opponent).collect(),
        measured,
    }
}

fn games(game: &Game, rated: &[Rated]) -> Vec<ShownGame> {
    let mut shown: Vec<ShownGame> = Vec::new();
    for rated in rated.iter().rev() {
        let own = format!("checkpoint {}", rated.iteration);
        for sample in &rated.samples {
            if shown.len() >= GAMES {
                break;
            }
            for (number, played) in sample.games.iter().enumerate() {
                let title = format!("{own} – {}, game {}", sample.opponent, number + 1);
                shown.extend(ShownGame::new(game, title, [&own, &sample.opponent], played));
            }
        }
    }
    shown.truncate(GAMES);
    shown
}
