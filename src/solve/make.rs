//! Making tables: class after class, each checked and written before the next.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use damma_env::{Class, EndgameTables, Moment};
use damma_eval::EndgameFolder;
use indicatif::ProgressBar;

use super::{SolveArgs, report, verify};
use crate::contest;

/// Bytes of a GiB.
pub const GIB: f64 = (1_u64 << 30) as f64;

/// Runs the task.
///
/// # Errors
/// The job needs too much memory, the folder is of other rules or cannot be written, a file in it is
/// damaged, or a value is found wrong.
pub fn run(args: &SolveArgs, pieces: usize, out: &Path) -> anyhow::Result<ExitCode> {
    let clock = Instant::now();
    let ruleset = args.game.ruleset()?;
    let plan = Plan::new(&ruleset, pieces);
    anyhow::ensure!(
        plan.memory as f64 <= args.memory * GIB,
        "up to {pieces} pieces need {} of memory, more than --memory {} (GiB); ask for fewer pieces or give more",
        size(plan.memory),
        args.memory
    );
    let mut folder = EndgameFolder::create(out, &ruleset)?;
    say(&format!(
        "{} positions in {} classes, predicted memory {}",
        plan.positions,
        plan.wanted().len(),
        size(plan.memory)
    ));
    let mut tables = EndgameTables::new(&ruleset);
    let bar = contest::bar(plan.positions, "");
    for (number, &class) in plan.classes.iter().enumerate() {
        bar.set_prefix(format!("{}/{} {class}", number + 1, plan.classes.len()));
        let both = if class == class.mirror() { vec![class] } else { vec![class, class.mirror()] };
        let positions = tables.count(class) * both.len() as u64;
        let before = bar.position();
        if both.iter().all(|class| folder.has_file(*class)) {
            for class in both {
                let table = folder.read(class, tables.count(class))?;
                tables.insert(class, table)?;
            }
        } else {
            solve(&mut tables, class, &bar);
            let share = args.samples as f64 / plan.positions as f64;
            verify::samples(&tables, &both, share, &ProgressBar::hidden())?;
            folder.write(&tables, class)?;
        }
        bar.set_position(before + positions);
    }
    bar.finish_and_clear();
    let seconds = clock.elapsed().as_secs_f64();
    report::made(args.json, &folder, &plan.wanted(), seconds)?;
    Ok(ExitCode::SUCCESS)
}

/// What there is to do.
struct Plan {
    /// Of a class and its mirror, one.
    classes: Vec<Class>,
    positions: u64,
    memory: u64,
}

impl Plan {
    fn new(ruleset: &damma_env::Ruleset, pieces: usize) -> Self {
        let tables = EndgameTables::new(ruleset);
        let classes = tables.classes(pieces);
        let positions =
            classes.iter().map(|class| tables.count(*class) * if *class == class.mirror() { 1 } else { 2 }).sum();
        Self { positions, memory: tables.solving_memory(pieces), classes }
    }

    /// Lists every class, mirrors among them.
    fn wanted(&self) -> Vec<Class> {
        let mut classes: Vec<Class> = Vec::new();
        for &class in &self.classes {
            classes.push(class);
            if class != class.mirror() {
                classes.push(class.mirror());
            }
        }
        classes
    }
}

fn solve(tables: &mut EndgameTables, class: Class, bar: &ProgressBar) {
    tables.solve(class, |moment| match moment {
        Moment::Looked(positions) => bar.inc(positions),
        Moment::Settled(turns) => bar.set_message(format!("{turns} turns from the end")),
    });
    bar.set_message("");
}

/// Writes an amount of memory in the unit that suits it.
fn size(bytes: u64) -> String {
    let bytes = bytes as f64;
    if bytes < GIB { format!("{:.1} MiB", bytes * 1024.0 / GIB) } else { format!("{:.2} GiB", bytes / GIB) }
}

/// Tells the user something that is no result.
pub fn say(text: &str) {
    // A closed stderr must not stop the job.
    let _ = writeln!(std::io::stderr(), "{text}");
}
