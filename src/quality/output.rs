//! The figures of a player as JSON and as a table.

use std::fmt;
use std::path::Path;

use damma_env::Ruleset;
use damma_eval::{Agreement, Kind, Measured, MistakeCount, Mistakes, Solved};
use serde::Serialize;

/// What was measured.
#[derive(Serialize)]
pub struct Report {
    /// Of whom.
    pub player: String,
    /// The version of the baseline that judged.
    pub baseline: String,
    /// The rules.
    pub ruleset: Ruleset,
    /// Seed of the games that positions came from.
    pub seed: u64,
    /// The file of the suite.
    pub suite: Option<String>,
    /// Pieces up to which the endgame tables know all.
    pub tables: Option<usize>,
    /// The figures by budget.
    pub budgets: Vec<BudgetReport>,
}

/// The figures of one budget.
#[derive(Serialize)]
pub struct BudgetReport {
    /// The budget in words.
    pub budget: String,
    /// Puzzles solved.
    pub suite: Option<Solved>,
    /// Agreement with the deep level.
    pub agreement: Option<Agreement>,
    /// What was given away in endings.
    pub mistakes: Option<Mistakes>,
}

impl Report {
    /// Lists the figures as the page of a run takes them, each named with what it was measured by.
    pub fn figures(&self) -> Vec<Measured> {
        let suite = self.suite.as_deref().map(Path::new).and_then(Path::file_name);
        let suite = suite.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let pieces = self.tables.unwrap_or_default();
        self.budgets.iter().flat_map(|report| report.figures(&suite, pieces)).collect()
    }
}

impl Report {
    /// Writes a line a budget with what suites and the deep level say.
    fn write_budgets(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:18}", "budget")?;
        if self.budgets.iter().any(|report| report.suite.is_some()) {
            write!(f, "{:>18}", "puzzles solved")?;
        }
        if let Some(judge) = self.budgets.iter().find_map(|report| Some(&report.agreement.as_ref()?.judge)) {
            write!(f, "  agrees with {judge}, 95 %")?;
        }
        writeln!(f)?;
        for report in &self.budgets {
            write!(f, "{:18}", report.budget)?;
            if let Some(solved) = &report.suite {
                let share = 100.0 * f64::from(solved.solved) / f64::from(solved.total.max(1));
                write!(f, "{:>18}", format!("{} of {}, {share:.0} %", solved.solved, solved.total))?;
            }
            if let Some(Agreement { decisions, agreed, share, low, high, .. }) = &report.agreement {
                let (share, low, high) = (100.0 * share, 100.0 * low, 100.0 * high);
                write!(f, "  {share:.1} % [{low:.1}, {high:.1}], {agreed} of {decisions}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl BudgetReport {
    fn figures(&self, suite: &str, pieces: usize) -> Vec<Measured> {
        let solved = self.suite.as_ref().map(|solved| Measured {
            kind: Kind::Puzzles,
            name: format!("{}, {suite}", self.budget),
            percent: 100.0 * f64::from(solved.solved) / f64::from(solved.total.max(1)),
        });
        let agreed = self.agreement.as_ref().map(|agreement| Measured {
            kind: Kind::Agreement,
            name: format!("{}, {}", agreement.judge, self.budget),
            percent: 100.0 * agreement.share,
        });
        let erred = self.mistakes.as_ref().and_then(|mistakes| mistakes.total.share()).map(|share| Measured {
            kind: Kind::Mistakes,
            name: format!("{}, up to {pieces} pieces", self.budget),
            percent: 100.0 * share,
        });
        solved.into_iter().chain(agreed).chain(erred).collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({})", self.player, self.baseline)?;
        if self.budgets.iter().any(|report| report.suite.is_some() || report.agreement.is_some()) {
            self.write_budgets(f)?;
        }
        for report in &self.budgets {
            if let Some(mistakes) = &report.mistakes {
                writeln!(f, "\nendings, {}: decisions that lose value", report.budget)?;
                write_mistakes(f, mistakes)?;
            }
        }
        Ok(())
    }
}

fn write_mistakes(f: &mut fmt::Formatter<'_>, mistakes: &Mistakes) -> fmt::Result {
    let heads = ["pieces", "decisions", "at stake", "won-drawn", "won-lost", "drawn-lost", "lose value"];
    writeln!(f, "{}", heads.map(|head| format!("{head:>11}")).concat())?;
    let mut row = |name: String, count: &MistakeCount| {
        let MistakeCount { decisions, at_stake, win_to_draw, win_to_loss, draw_to_loss } = count;
        let share = count.share().map_or_else(|| "-".to_owned(), |share| format!("{:.2} %", 100.0 * share));
        let cells = [decisions, at_stake, win_to_draw, win_to_loss, draw_to_loss].map(|cell| format!("{cell:>11}"));
        writeln!(f, "{name:>11}{}{share:>11}", cells.concat())
    };
    for (pieces, count) in &mistakes.by_pieces {
        row(pieces.to_string(), count)?;
    }
    row("all".to_owned(), &mistakes.total)
}
