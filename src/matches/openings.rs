//! Where the games begin: drawn at random, the ballots, or a file.

use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use damma_env::Game;
use damma_eval::{
    Opening, OpeningConfig, Order, ballots, draw_openings, opening_line, openings_from_pdn, openings_from_text,
};
use damma_trainer::rng::{Purpose, stream};
use rand_pcg::rand_core::Rng as _;

use super::MatchArgs;
use crate::{contest, files};

/// Games of a match where nothing else says how many.
const GAMES: usize = 100;

/// Gives the openings of a match.
///
/// # Errors
/// The file cannot be read or has a bad line, the ballots are of another game, or there are not
/// enough openings.
pub fn choose(game: &Game, args: &MatchArgs) -> anyhow::Result<Vec<Opening>> {
    if args.series {
        return series(game, args);
    }
    if let Some(games) = args.games {
        contest::check(games, args.simulations)?;
    }
    let Some(all) = listed(game, &args.openings)? else {
        let count = args.games.unwrap_or(GAMES) / 2;
        let spinner = contest::spinner("drawing openings");
        let book = draw_openings(game, count, args.seed, &OpeningConfig::default())?;
        spinner.finish_and_clear();
        return Ok(book.openings);
    };
    let wanted = args.games.map_or(all.len(), |games| games / 2);
    ensure!(
        wanted <= all.len(),
        "{} has {} openings, which make {} games with both colours; --games {} is more",
        args.openings,
        all.len(),
        2 * all.len(),
        2 * wanted
    );
    Ok(sample(all, wanted, args.seed))
}

/// Says which games are played, in which order.
#[must_use]
pub fn order(args: &MatchArgs, together: usize) -> Order {
    if args.series { Order::Series { games: args.games.unwrap_or(GAMES) } } else { Order::Pairs { together } }
}

/// Writes openings one a line, so that `--openings` reads them back.
///
/// # Errors
/// The file cannot be written.
pub fn save(game: &Game, openings: &[Opening], path: &Path) -> anyhow::Result<()> {
    let lines: Vec<String> = openings.iter().map(|opening| opening_line(game, opening) + "\n").collect();
    files::write_beside(path, lines.concat().as_bytes())
}

/// Says whether a source of openings is a file.
#[must_use]
pub fn is_file(source: &str) -> bool {
    !["random", "ballots"].contains(&source)
}

/// Reads the openings of a source; nothing where they are drawn at random.
fn listed(game: &Game, source: &str) -> anyhow::Result<Option<Vec<Opening>>> {
    let kind = "a file of openings, or random or ballots";
    let path = Path::new(source);
    let openings = match source {
        "random" => return Ok(None),
        "ballots" => ballots(game)?,
        _ if path.extension().is_some_and(|name| name.eq_ignore_ascii_case("pdn")) => {
            let openings = openings_from_pdn(game, &files::read_old_text(path, kind)?);
            let openings = openings.with_context(|| format!("openings file {source}"))?;
            ensure!(!openings.is_empty(), "{source} has no game; write one such as `1. 9-13 21-17 *`");
            openings
        }
        _ => openings_from_text(game, &files::read_text(path, kind)?)
            .with_context(|| format!("openings file {source}"))?,
    };
    ensure!(!openings.is_empty(), "{source} has no opening; write one a line, such as `startpos`");
    Ok(Some(openings))
}

/// Gives the one start of a series.
fn series(game: &Game, args: &MatchArgs) -> anyhow::Result<Vec<Opening>> {
    let games = args.games.unwrap_or(GAMES);
    ensure!((1..=contest::MOST_GAMES).contains(&games), "--games {games} is outside 1 to {}", contest::MOST_GAMES);
    match listed(game, &args.openings)? {
        None => Ok(vec![Opening::default()]),
        Some(openings) if openings.len() == 1 => Ok(openings),
        Some(openings) => {
            bail!("{} has {} openings, and a series has one start; give a file with one", args.openings, openings.len())
        }
    }
}

/// Draws some of the openings, in their order.
fn sample(all: Vec<Opening>, wanted: usize, seed: u64) -> Vec<Opening> {
    let mut rng = stream(seed, Purpose::Match, u64::MAX);
    let (mut left, mut needed) = (all.len() as u64, wanted as u64);
    let mut chosen = Vec::with_capacity(wanted);
    for opening in all {
        // Knuth's algorithm S: each as likely, one pass.
        if needed > 0 && rng.next_u64() % left < needed {
            chosen.push(opening);
            needed -= 1;
        }
        left -= 1;
    }
    chosen
}

#[cfg(test)]
mod tests {
    use damma_env::{Action, Ruleset};

    use super::*;

    #[test]
    fn a_sample_has_the_wanted_number_in_order_and_depends_on_the_seed() {
        let all: Vec<Opening> = (0..40).map(|number| Opening::new(&[Action(number)])).collect();
        let some = sample(all.clone(), 10, 1);
        let places: Vec<_> = some.iter().map(|opening| all.iter().position(|other| other == opening)).collect();
        assert!(some.len() == 10 && places.is_sorted());
        assert_ne!(some, sample(all.clone(), 10, 2));
        assert_eq!(sample(all.clone(), 40, 3), all);
    }

    #[test]
    fn a_source_that_cannot_be_read_is_an_error_with_a_remedy() {
        let game = Game::new(Ruleset::preset("damma8").expect("a preset")).expect("a game");
        let error = format!("{:#}", listed(&game, "/no/such").expect_err("no file"));
        assert!(
            error.starts_with("cannot read /no/such; give the path of a file of openings, or random or ballots"),
            "{error}"
        );
    }
}
