//! The ladder: how the baseline's levels stand to each other in a game.

use std::path::Path;

use anyhow::Context as _;
use damma_env::{Game, Ruleset};
use damma_eval::{Ladder, Level, Pairing, PlayerSpec, VERSION};
use damma_trainer::config::EvaluationConfig;
use serde::{Deserialize, Serialize};

use super::pace::Pace;
use super::{lock, round};
use crate::contest::{self, Terms};
use crate::files;

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
    let mut played = known(&path, game)?;
    for pair in chain(&terms.opponents)?.windows(2) {
        let [low, high] = pair else { continue };
        if played.pairings.iter().any(|pairing| pairing.a == *high && pairing.b == *low) {
            continue;
        }
        let (mut a, mut b) = (contest::player(high, game, 1, None)?, contest::player(low, game, 1, None)?);
        let seed = Terms { games: terms.games, seed: 1 };
        let (report, _) = round::play(game, a.as_mut(), b.as_mut(), seed, pace)?;
        let _lock = lock::take(run)?;
        // Another process may have played meanwhile; what it has already is not counted twice.
        played = known(&path, game)?;
        if !played.pairings.iter().any(|pairing| pairing.a == *high && pairing.b == *low) {
            played.pairings.push(Pairing { a: high.clone(), b: low.clone(), pairs: report.pairs });
            files::write_beside(&path, &serde_json::to_vec_pretty(&played)?)?;
        }
    }
    Ok(Ladder::fit(&Ladder::anchored(ANCHOR, 0.0), &played.pairings)?)
}

/// Gives a run the matches between levels that another run's ladder was made of, unless it has its own.
///
/// # Errors
/// The file cannot be read or written.
pub fn share(from: &Path, to: &Path) -> anyhow::Result<()> {
    let path = to.join(FILE);
    if !path.exists()
        && let Some(bytes) = files::read_if_there(&from.join(FILE))?
    {
        files::write_beside(&path, &bytes)?;
    }
    Ok(())
}

/// Reads what was played with these rules and this baseline.
fn known(path: &Path, game: &Game) -> anyhow::Result<Played> {
    let anew = || Played { baseline: VERSION.to_owned(), ruleset: game.ruleset().clone(), pairings: Vec::new() };
    let Some(bytes) = files::read_if_there(path)? else { return Ok(anew()) };
    let played: Played = serde_json::from_slice(&bytes)
        .with_context(|| format!("{} is damaged; remove it to measure the ladder anew", path.display()))?;
    let is_ours = played.baseline == VERSION && played.ruleset == *game.ruleset();
    Ok(if is_ours { played } else { anew() })
}

/// Lists who stands on the ladder, each once, the weakest first as far as their names tell:
/// random play, depths, then nodes.
fn chain(opponents: &[String]) -> anyhow::Result<Vec<String>> {
    let mut chain: Vec<PlayerSpec> = vec![ANCHOR.parse()?];
    for opponent in opponents {
        let spec: PlayerSpec = opponent.parse()?;
        if matches!(spec, PlayerSpec::Random | PlayerSpec::AlphaBeta(_)) && !chain.contains(&spec) {
            chain.push(spec);
        }
    }
    chain.sort_by_key(|spec| match spec {
        PlayerSpec::AlphaBeta(Level::Depth(turns)) => (1, u64::from(*turns)),
        PlayerSpec::AlphaBeta(Level::Nodes(nodes)) => (2, *nodes),
        PlayerSpec::AlphaBeta(Level::Time(milliseconds)) => (3, *milliseconds),
        _ => (0, 0),
    });
    Ok(chain.iter().map(ToString::to_string).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_stand_in_the_order_of_their_depth_each_once() {
        let names = ["ab-10", "ab:n500", "ab-2", "ab:d10", "random", "mcts:runs/a", "ab:n60"].map(str::to_owned);
        let chain = chain(&names).expect("all are somebody");
        assert_eq!(chain, ["random", "ab-1", "ab-2", "ab-10", "ab:n60", "ab:n500"]);
    }
}
