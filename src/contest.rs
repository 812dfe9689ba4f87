//! What `match`, `elo` and `train` share: players made of their names, and the bar of a match.

use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use damma_env::{EndgameTables, Game, MAX_PIECES};
use damma_eval::{AlphaBeta, EndgameFolder, Level, MctsPlayer, Player, PlayerSpec};
use damma_trainer::Checkpoint;
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

/// Games of a match at most.
pub const MOST_GAMES: usize = 1_000_000;

/// Time between two looks of a bar that stands still.
const TICK: Duration = Duration::from_millis(250);

/// Makes the player that a name means; `simulations` are those of checkpoints that name none.
/// Whoever searches looks positions up in the tables, if there are any.
///
/// # Errors
/// The name means nobody, or the checkpoint is damaged or of another game.
pub fn player(
    name: &str,
    game: &Game,
    simulations: u32,
    tables: Option<&Arc<EndgameTables>>,
) -> anyhow::Result<Box<dyn Player>> {
    let spec = name.parse::<PlayerSpec>()?;
    let searcher = match &spec {
        PlayerSpec::Checkpoint { path, milliseconds: Some(time), .. } => {
            MctsPlayer::timed(&Checkpoint::open(path)?, game, Duration::from_millis(u64::from(*time)))?
        }
        PlayerSpec::Checkpoint { path, level: Some(level), .. } => {
            MctsPlayer::at_level(&Checkpoint::open(path)?, game, *level)?
        }
        PlayerSpec::Checkpoint { path, simulations: own, .. } => {
            let simulations = own.unwrap_or(simulations);
            check(2, simulations)?;
            mcts(path, game, simulations)?
        }
        PlayerSpec::AlphaBeta(level) => {
            return Ok(match tables {
                Some(tables) => Box::new(AlphaBeta::new(*level).with_tables(Arc::clone(tables))),
                None => Box::new(AlphaBeta::new(*level)),
            });
        }
        PlayerSpec::Random | PlayerSpec::Engine { .. } => return Ok(spec.build()?),
    };
    Ok(match tables {
        Some(tables) => Box::new(searcher.with_tables(Arc::clone(tables))),
        None => Box::new(searcher),
    })
}

/// Loads the endgame tables of a folder, and warns where some are missing.
///
/// # Errors
/// They are of other rules, or damaged, or there are none.
pub fn tables(path: &Path, game: &Game) -> anyhow::Result<Arc<EndgameTables>> {
    let folder = EndgameFolder::open(path)?;
    folder.expect_rules(game.ruleset())?;
    let bar = bar(folder.entries().len() as u64, "tables");
    let tables = folder.load(MAX_PIECES, |_| bar.inc(1))?;
    bar.finish_and_clear();
    if let Err(missing) = folder.expect_complete() {
        anyhow::ensure!(tables.covered() > 1, missing);
        // A closed stderr leaves nobody to tell.
        let _ = writeln!(
            std::io::stderr(),
            "warning: {missing}; positions of more than {} pieces are not looked up",
            tables.covered()
        );
    }
    Ok(Arc::new(tables))
}

/// Makes the player of a checkpoint, or of the newest one of a run.
///
/// # Errors
/// As [`player`].
pub fn mcts(path: &Path, game: &Game, simulations: u32) -> anyhow::Result<MctsPlayer> {
    Ok(MctsPlayer::new(&Checkpoint::open(path)?, game, simulations)?)
}

/// What a rating's match is played with.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Games, an even number.
    pub games: usize,
    /// Seed of openings and players.
    pub seed: u64,
}

/// Makes a bar of a known length with a score as its message; hidden where standard error is no
/// terminal.
#[must_use]
pub fn bar(length: u64, title: &str) -> ProgressBar {
    shown(ProgressBar::new(length), "{prefix} {bar:24} {pos}/{len} ETA {left} {msg}", title)
}

/// Shows that work of unknown length goes on; hidden where standard error is no terminal.
#[must_use]
pub fn spinner(title: &str) -> ProgressBar {
    shown(ProgressBar::new_spinner(), "{spinner} {prefix} {elapsed_precise} {msg}", title)
}

fn shown(bar: ProgressBar, template: &str, title: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template).expect("the template is right");
    let left = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        // Nothing is known before the first step.
        let known = state.pos() > 0;
        let _ = if known { write!(out, "{:#}", HumanDuration(state.eta())) } else { out.write_str("-") };
    };
    let bar = bar.with_style(style.with_key("left", left)).with_prefix(title.to_owned());
    bar.enable_steady_tick(TICK);
    bar
}

/// Checks a number of games and of simulations from the command line.
///
/// # Errors
/// The number of games is odd, 0 or above [`MOST_GAMES`], or the simulations are out of range.
pub fn check(games: usize, simulations: u32) -> anyhow::Result<()> {
    anyhow::ensure!(
        games > 0 && games.is_multiple_of(2),
        "--games {games}: give an even number above 0, since every opening is played with both colours"
    );
    anyhow::ensure!(games <= MOST_GAMES, "--games {games}: give at most {MOST_GAMES}");
    anyhow::ensure!((1..=60_000).contains(&simulations), "--simulations {simulations} is outside 1 to 60000");
    Ok(())
}

/// Starts the threads that everything runs on; 0 is one a core.
///
/// # Errors
/// The system has no threads to give.
pub fn start_threads(count: usize) -> anyhow::Result<()> {
    anyhow::ensure!(count <= 256, "--threads {count} is outside 0 to 256; 0 is one a core");
    rayon::ThreadPoolBuilder::new().num_threads(count).build_global().context("cannot start the threads")
}

/// Finds the rules of the first player that has some.
pub fn own_rules(players: &[&str]) -> anyhow::Result<Option<damma_env::Ruleset>> {
    for player in players {
        if let PlayerSpec::Checkpoint { path, .. } = player.parse()? {
            return Ok(Some(Checkpoint::open(&path)?.ruleset().clone()));
        }
    }
    Ok(None)
}

/// Checks that names mean players that a rating can be measured against: those whose play is in
/// their name, on every machine and for ever.
///
/// # Errors
/// The first name that means nobody, or somebody else.
pub fn check_names(names: &[String]) -> anyhow::Result<()> {
    let is_fixed = |name: &str| {
        matches!(name.parse(), Ok(PlayerSpec::Random | PlayerSpec::AlphaBeta(Level::Depth(_) | Level::Nodes(_))))
    };
    let Some(name) = names.iter().find(|name| !is_fixed(name)) else { return Ok(()) };
    anyhow::bail!(
        "`{name}` is no opponent of ratings: give random, ab-1 to ab-12, ab:dDEPTH or ab:nNODES, whose play depends on \
         nothing but the name; `damma match` plays against others"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whose_play_is_not_in_the_name_is_no_opponent_of_ratings() {
        for name in ["engine:damma engine", "ab:t100", "mcts:runs/a@50ms", "mcts:runs/a", "nobody"] {
            let error = check_names(&["random".to_owned(), name.to_owned()]).expect_err("refused").to_string();
            assert!(error.contains(name) && error.contains("ab:nNODES"), "{error}");
        }
        assert!(check_names(&["random", "ab-12", "ab:n500"].map(str::to_owned)).is_ok());
    }
}
