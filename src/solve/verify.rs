//! Checking tables: every file's checksums, and samples of their values.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use damma_env::{Class, EndgameTables};
use damma_eval::EndgameFolder;
use indicatif::ProgressBar;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng as _, SeedableRng as _};
use rayon::prelude::*;
use serde_json::json;

use super::SolveArgs;
use crate::contest;

/// Every class has at least so many samples, or all of its positions.
const LEAST: u64 = 200;
/// One sample in so many is also searched without tables.
const SEARCHED: u64 = 16;
/// How deep, in turns, and how wide that search may go.
const TURNS: u16 = 3;
const NODES: u64 = 5_000;

/// Samples that are checked together, so that they never take much memory.
const CHUNK: usize = 65_536;

/// How many values were checked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checked {
    /// Against their successors.
    pub looked: u64,
    /// By plain search, as far as that could tell.
    pub searched: u64,
}

/// Runs the task.
///
/// # Errors
/// A file is damaged or missing, or a value is wrong.
pub fn run(args: &SolveArgs, path: &Path) -> anyhow::Result<ExitCode> {
    let folder = EndgameFolder::open(path)?;
    if args.game.is_given() {
        folder.expect_rules(&args.game.ruleset()?)?;
    }
    folder.expect_complete()?;
    let bar = contest::bar(folder.entries().len() as u64, "files");
    let tables = folder.load(damma_env::MAX_PIECES, |class| {
        bar.set_message(class.to_string());
        bar.inc(1);
    })?;
    bar.finish_and_clear();
    compare_counts(&folder, &tables, path)?;
    let classes: Vec<Class> = folder.entries().iter().filter_map(|entry| entry.class.parse().ok()).collect();
    let positions: u64 = classes.iter().map(|class| tables.count(*class)).sum();
    let bar = contest::bar(classes.len() as u64, "classes");
    let checked = samples(&tables, &classes, args.samples as f64 / positions.max(1) as f64, &bar)?;
    bar.finish_and_clear();
    let mut out = io::stdout().lock();
    if args.json {
        let line = json!({
            "files": classes.len(), "pieces": tables.covered(), "positions": positions,
            "checked": checked.looked, "searched": checked.searched,
        });
        writeln!(out, "{line}")?;
    } else {
        writeln!(
            out,
            "{} files are sound and complete up to {} pieces: of {positions} positions {} agree with their \
             successors and {} with plain search",
            classes.len(),
            tables.covered(),
            checked.looked,
            checked.searched
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Checks that the index says of each class what its table holds.
fn compare_counts(folder: &EndgameFolder, tables: &EndgameTables, path: &Path) -> anyhow::Result<()> {
    for entry in folder.entries() {
        let report = entry.class.parse().ok().and_then(|class: Class| tables.report(class));
        let Some(found) = report else { continue };
        let listed = (entry.won, entry.drawn, entry.lost, entry.longest_win);
        anyhow::ensure!(
            listed == (found.won, found.drawn, found.lost, found.longest_win)
                && entry.positions == found.won + found.drawn + found.lost,
            "{}/index.json lists other counts of {} than {} holds; delete that file and run `damma solve` again",
            path.display(),
            entry.class,
            entry.file
        );
    }
    Ok(())
}

/// Checks a share of the positions of some classes.
///
/// # Errors
/// The first value that is wrong, in the order of the classes.
pub fn samples(tables: &EndgameTables, classes: &[Class], share: f64, bar: &ProgressBar) -> anyhow::Result<Checked> {
    let mut all = Checked::default();
    for &class in classes {
        let positions = tables.count(class);
        let count = ((positions as f64 * share) as u64).max(LEAST).min(positions);
        let mut rng = Pcg64::seed_from_u64(positions);
        let mut number = |index: u64| if count == positions { index } else { rng.next_u64() % positions };
        let check = |&(index, number): &(u64, u64)| -> Result<Checked, damma_env::Fault> {
            tables.check(class, number)?;
            let searched = index.is_multiple_of(SEARCHED) && tables.check_by_search(class, number, TURNS, NODES)?;
            Ok(Checked { looked: 1, searched: u64::from(searched) })
        };
        for first in (0..count).step_by(CHUNK) {
            let numbers: Vec<(u64, u64)> =
                (first..count.min(first + CHUNK as u64)).map(|index| (index, number(index))).collect();
            let found: Vec<Result<Checked, _>> = numbers.par_iter().map(check).collect();
            for one in found {
                let one =
                    one.context("a value is wrong; delete the folder and solve again, and report this as a bug")?;
                all.looked += one.looked;
                all.searched += one.searched;
            }
        }
        bar.inc(1);
    }
    Ok(all)
}
