//! The ladder: how the baseline's levels stand to each other in a game.

use std::path::Path;

use anyhow::Context as _;
use damma_env::{Game, Ruleset};
use damma_eval::{Ladder, Pairing, PlayerSpec, VERSION};
use damma_trainer::config::EvaluationConfig;
use serde::{Deserialize, Serialize};

use super::pace::Pace;
use super::round;
use crate::contest::{self, Terms};
use crate::files::write_beside;

/// The file of the ladder in a run's folder.
const FILE: &str = "ladder.json";

/// The level that stands at 0 Elo.
pub const ANCHOR: &str = "ab-1";

/// What was played between levels, and with which rules and baseline.
#[derive(Serialize, Deserialize)]
struct Played {
    baseline: String,
    ruleset: Ruleset,
    pairings: Vec<Pairing>,
}

/// Gives the ratings of the opponents that stand on the ladder, from matches between neighbours
/// that were played before or are played now.
///
/// # Errors
/// An opponent's name means nobody, the file is damaged or cannot be written, or the pace was stopped.
pub fn ladder(run: &Path, game: &Game, terms: &EvaluationConfig, pace: &Pace) -> anyhow::Result<Ladder> {
    let path = run.join(FILE);
    let anew = || Played { baseline: VERSION.to_owned(), ruleset: game.ruleset().clone(), pairings: Vec::new() };
    let mut played: Played = match std::fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .with_context(|| format!("{} is damaged; remove it to measure the ladder anew", path.display()))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => anew(),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    if played.baseline != VERSION || played.ruleset != *game.ruleset() {
        played = anew();
    }
    let mut chain: Vec<String> = vec![ANCHOR.to_owned()];
    for opponent in &terms.opponents {
        if !matches!(opponent.parse::<PlayerSpec>()?, PlayerSpec::Checkpoint { .. }) && !chain.contains(opponent) {
            chain.push(opponent.clone());
        }
    }
    // `random` stands below ab-1, everybody else above, in the order of their names.
    chain[..].sort_by_key(|name| (name != "random", name.clone()));
    for pair in chain.windows(2) {
        let [low, high] = pair else { continue };
        if played.pairings.iter().any(|pairing| pairing.a == *high && pairing.b == *low) {
            continue;
        }
        let (mut a, mut b) = (contest::player(high, game, 1, None)?, contest::player(low, game, 1, None)?);
        let seed = Terms { games: terms.games, seed: 1 };
        let (report, _) = round::play(game, a.as_mut(), b.as_mut(), seed, pace)?;
        played.pairings.push(Pairing { a: high.clone(), b: low.clone(), pairs: report.pairs });
        write_beside(&path, &serde_json::to_vec_pretty(&played)?)?;
    }
    Ok(Ladder::fit(&Ladder::anchored(ANCHOR, 0.0), &played.pairings)?)
}
