//! What is measured of a player, for each budget.

use std::path::PathBuf;

use damma_env::{EndgameTables, EndgameValue, Game, Position, State};
use damma_eval::{
    AlphaBeta, Level, Player, PlayerSpec, RandomPlayer, Suite, VERSION, Wanted, agreement, mistakes, sample_states,
};

use super::QualityArgs;
use super::output::{BudgetReport, Report};
use crate::contest;

/// Positions of one game that are asked about, at most.
const PER_GAME: usize = 4;

/// A player with different budgets.
pub struct Budgets {
    who: Who,
    /// Simulations or depths, each once, the cheapest first; nothing where the player has only one strength.
    counts: Vec<u32>,
}

enum Who {
    Checkpoint(PathBuf),
    Baseline(Level),
    Random,
}

impl Budgets {
    /// Makes the budgets of a player.
    ///
    /// # Errors
    /// A number is out of range, or the player takes no budget.
    pub fn new(spec: &PlayerSpec, counts: Option<&[u32]>) -> anyhow::Result<Self> {
        let (who, mut counts, most) = match spec {
            PlayerSpec::Engine { .. }
            | PlayerSpec::Checkpoint { milliseconds: Some(_), .. }
            | PlayerSpec::Checkpoint { level: Some(_), .. } => {
                anyhow::bail!("{spec}: give a checkpoint (with simulations), a level of the baseline or random")
            }
            PlayerSpec::Checkpoint { path, simulations, .. } => {
                let own = simulations.map_or_else(|| vec![1, 50, 200], |own| vec![own]);
                (Who::Checkpoint(path.clone()), counts.map_or(own, <[u32]>::to_vec), 60_000)
            }
            PlayerSpec::AlphaBeta(level) => (Who::Baseline(*level), counts.unwrap_or_default().to_vec(), 32),
            PlayerSpec::Random => (Who::Random, Vec::new(), 0),
        };
        anyhow::ensure!(
            counts.iter().all(|count| (1..=most).contains(count)),
            "--budget: give simulations of a checkpoint, 1 to 60000, or depths of the baseline, 1 to 32"
        );
        counts.sort_unstable();
        counts.dedup();
        Ok(Self { who, counts })
    }

    /// Gives each budget's name and player.
    fn players(&self, game: &Game) -> anyhow::Result<Vec<(String, Box<dyn Player>)>> {
        let named = |count: u32, unit: &str| format!("{count} {unit}{}", if count == 1 { "" } else { "s" });
        let mut players: Vec<(String, Box<dyn Player>)> = Vec::new();
        for &count in &self.counts {
            match &self.who {
                Who::Checkpoint(path) => {
                    players.push((named(count, "simulation"), Box::new(contest::mcts(path, game, count)?)));
                }
                Who::Baseline(_) => {
                    let level = Level::Depth(count as u8);
                    players.push((level.to_string(), Box::new(AlphaBeta::new(level))));
                }
                Who::Random => {}
            }
        }
        match &self.who {
            Who::Baseline(level) if players.is_empty() => {
                players.push((level.to_string(), Box::new(AlphaBeta::new(*level))));
            }
            Who::Random => players.push(("random".to_owned(), Box::new(RandomPlayer::new()))),
            _ => {}
        }
        Ok(players)
    }
}

/// What a player is measured by; at least one of them.
pub struct Truth<'a> {
    /// Positions with their solutions.
    pub suite: Option<&'a Suite>,
    /// A level of the baseline.
    pub deep: Option<Level>,
    /// Exact values.
    pub tables: Option<&'a EndgameTables>,
}

/// Measures everything that was asked for.
///
/// # Errors
/// The checkpoint is damaged or of another game.
pub fn measure(game: &Game, budgets: &Budgets, truth: &Truth<'_>, args: &QualityArgs) -> anyhow::Result<Report> {
    let mut players = budgets.players(game)?;
    let bar = contest::bar(players.len() as u64, "budgets");
    let oracle =
        |_: &Game, position: &Position| truth.tables?.probe(position).map(|value| value.cmp(&EndgameValue::Draw) as i8);
    let (mut any, mut endings) = (Vec::new(), Vec::new());
    // The cheapest budget plays the games: where positions come from matters less than how many.
    if let Some((_, player)) = players.first_mut() {
        bar.set_message("playing games to take positions from");
        let mut sample = |per_position: usize, keep: &dyn Fn(&State) -> bool| {
            let games = (per_position * args.positions / PER_GAME).max(64);
            let wanted = Wanted { count: args.positions, per_game: PER_GAME, games };
            sample_states(game, player.as_mut(), wanted, args.seed, keep)
        };
        if truth.deep.is_some() {
            any = sample(4, &|_| true)?;
        }
        if let Some(tables) = truth.tables {
            // Many games never get to so few pieces.
            endings = sample(40, &|state| tables.covers(state.position()))?;
        }
    }
    let mut reports = Vec::new();
    for (budget, player) in &mut players {
        bar.set_message(format!("asking at {budget}"));
        let player = player.as_mut();
        reports.push(BudgetReport {
            budget: budget.clone(),
            suite: truth.suite.map(|suite| suite.solve(player, args.seed)).transpose()?,
            agreement: truth.deep.map(|level| agreement(game, player, level, &any, args.seed)).transpose()?,
            mistakes: truth.tables.map(|_| mistakes(game, player, &endings, args.seed, &oracle)).transpose()?,
        });
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(Report {
        player: args.player.clone().unwrap_or_default(),
        baseline: VERSION.to_owned(),
        ruleset: game.ruleset().clone(),
        seed: args.seed,
        suite: args.suite.as_ref().map(|path| path.display().to_string()),
        tables: truth.tables.map(EndgameTables::covered),
        budgets: reports,
    })
}
