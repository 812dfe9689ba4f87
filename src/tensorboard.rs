//! TensorBoard events of a run.
//!
//! The writer's crate is old and panics when its file cannot be written; that is caught here, so
//! that a full disk stops the curves and never the training. It knows scalars, not what they mean.

use std::io::{self, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use damma_trainer::IterationReport;
use tensorboard_proto::summary::{Summary, Summary_Value, SummaryMetadata, SummaryMetadata_PluginData};
use tensorboard_proto::tensor::TensorProto;
use tensorboard_proto::types::DataType;
use tensorboard_rs::summary_writer::{FileWriter, SummaryWriter};

use crate::cpu;

const MEBIBYTE: f64 = (1 << 20) as f64;

/// Writes scalars and histograms into a run's folder.
pub struct TensorBoard {
    folder: PathBuf,
    /// Opened with the first event, so that a run that cannot start writes nothing.
    writer: Mutex<Option<SummaryWriter>>,
    broken: AtomicBool,
}

impl TensorBoard {
    /// Writes into the given folder.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), writer: Mutex::new(None), broken: AtomicBool::new(false) }
    }

    /// Writes everything that an iteration reports.
    pub fn iteration(&self, report: &IterationReport) {
        let step = report.iteration as usize;
        let games = &report.selfplay;
        let known = [played(report), learnt(report), took(report)];
        let causes = games.causes.iter();
        let causes = causes.map(|(cause, count)| (format!("selfplay/end_{cause}"), per_game(report, *count as f64)));
        self.write(|writer| {
            for (tag, value) in known.iter().flatten() {
                writer.add_scalar(tag, *value as f32, step);
            }
            for (tag, value) in causes {
                writer.add_scalar(&tag, value as f32, step);
            }
            let turns = games.lengths.iter().map(|&turns| f64::from(turns));
            histogram(writer, "selfplay/turns", &turns.collect::<Vec<_>>(), 1.0, step);
            let values = games.values.iter().map(|&value| f64::from(value));
            histogram(writer, "value/root", &values.collect::<Vec<_>>(), 0.0, step);
            writer.flush();
        });
    }

    /// Writes a text for people, shown under TEXT; it has a file of its own, in the folder `text`.
    pub fn text(&self, tag: &str, text: &str) {
        let mut tensor = TensorProto::new();
        tensor.set_dtype(DataType::DT_STRING);
        tensor.mut_string_val().push(text.as_bytes().to_vec());
        let mut plugin = SummaryMetadata_PluginData::new();
        plugin.set_plugin_name("text".to_owned());
        let mut metadata = SummaryMetadata::new();
        metadata.set_plugin_data(plugin);
        let mut value = Summary_Value::new();
        value.set_tag(tag.to_owned());
        value.set_metadata(metadata);
        value.set_tensor(tensor);
        let mut summary = Summary::new();
        summary.mut_value().push(value);
        let folder = self.folder.join("text");
        // What cannot be written here cannot be written to the other file either, which says so.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            let mut writer = FileWriter::new(&folder);
            writer.add_summary(summary, 0);
            writer.flush();
        }));
    }

    /// Writes one scalar.
    pub fn scalar(&self, tag: &str, value: f64, step: u64) {
        self.write(|writer| writer.add_scalar(tag, value as f32, step as usize));
    }

    /// Puts what was written on disk; where nothing was, there is no file either.
    pub fn flush(&self) {
        if self.writer.lock().is_ok_and(|writer| writer.is_some()) {
            self.write(SummaryWriter::flush);
        }
    }

    fn write(&self, action: impl FnOnce(&mut SummaryWriter)) {
        let Ok(mut writer) = self.writer.lock() else { return };
        if self.broken.load(Ordering::Relaxed) {
            return;
        }
        let attempt = AssertUnwindSafe(|| action(writer.get_or_insert_with(|| SummaryWriter::new(&self.folder))));
        if catch_unwind(attempt).is_err() {
            self.broken.store(true, Ordering::Relaxed);
            // Dropping it would panic again, since its own thread has gone.
            std::mem::forget(writer.take());
            let _ =
                writeln!(io::stderr(), "warning: TensorBoard events in {} cannot be written", self.folder.display());
        }
    }
}

impl Drop for TensorBoard {
    fn drop(&mut self) {
        let writer = self.writer.get_mut().map(Option::take);
        // The writer panics when its last bytes find no space.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(writer)));
    }
}

/// Keeps the panics of the writer's own thread off the screen: they are told of as a warning.
pub fn silence_writer() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !info.location().is_some_and(|place| place.file().contains("tensorboard")) {
            usual(info);
        }
    }));
}

/// Gives what the games were like, and the window that they went into.
fn played(report: &IterationReport) -> Vec<(&'static str, f64)> {
    let (games, work) = (&report.selfplay, &report.work);
    let mut scalars = vec![
        ("value/certainty", games.certainty),
        ("selfplay/games", report.games as f64),
        ("selfplay/positions", report.positions as f64),
        ("selfplay/turns_per_game", per_game(report, games.turns as f64)),
        ("selfplay/white_wins", per_game(report, games.results[0] as f64)),
        ("selfplay/black_wins", per_game(report, games.results[1] as f64)),
        ("selfplay/draws", per_game(report, games.results[2] as f64)),
        ("selfplay/batch_size", work.evaluations as f64 / work.batches.max(1) as f64),
        ("selfplay/cache_hits", ratio(work.cached as f64, (work.cached + work.evaluations) as f64)),
        ("replay/games", report.replay_games as f64),
        ("replay/reanalysed", report.reanalysed as f64),
        ("replay/positions", report.replay_positions as f64),
        ("replay/mebibytes", report.replay_bytes as f64 / MEBIBYTE),
    ];
    scalars.extend(report.replay_distinct.map(|share| ("replay/distinct", share)));
    if let Some(threshold) = report.resign_threshold {
        scalars.extend([
            ("selfplay/resigned", per_game(report, games.resigned as f64)),
            ("selfplay/resign_threshold", f64::from(threshold)),
            ("selfplay/resign_errors", report.resign_errors),
        ]);
    }
    scalars
}

/// Gives what learning saw; an iteration without a step saw no loss.
fn learnt(report: &IterationReport) -> Vec<(&'static str, f64)> {
    let losses = &report.losses;
    let mut scalars = vec![("optim/steps", report.steps as f64)];
    if report.learning_rate > 0.0 {
        scalars.extend([
            ("loss/total", losses.total),
            ("loss/policy", losses.policy),
            ("loss/value", losses.value),
            ("policy/entropy", losses.policy_entropy),
            ("policy/target_entropy", losses.target_entropy),
            ("policy/kl", losses.policy - losses.target_entropy),
            ("optim/learning_rate", report.learning_rate),
            ("optim/grad_norm", losses.grad_norm),
        ]);
    }
    if losses.turns_left > 0.0 {
        scalars.push(("loss/turns_left", losses.turns_left));
    }
    scalars
}

/// Gives what it took of time and of the machine.
fn took(report: &IterationReport) -> Vec<(&'static str, f64)> {
    let (games, work, seconds) = (&report.selfplay, &report.work, report.selfplay_seconds);
    let mut scalars = vec![
        ("time/games_per_second", ratio(games.games as f64, seconds)),
        ("time/actions_per_second", ratio(games.actions as f64, seconds)),
        ("time/simulations_per_second", ratio(work.simulations as f64, seconds)),
        ("time/network_share", ratio(work.evaluator_seconds, work.seconds)),
        ("time/selfplay_seconds", seconds),
        ("time/learning_seconds", report.learning_seconds),
        ("time/elapsed_hours", report.elapsed_seconds / 3600.0),
        ("system/cpu_hours", cpu::of_process().as_secs_f64() / 3600.0),
    ];
    let memory = memory_stats::memory_stats();
    scalars.extend(memory.map(|memory| ("system/memory_mebibytes", memory.physical_mem as f64 / MEBIBYTE)));
    scalars
}

fn per_game(report: &IterationReport, count: f64) -> f64 {
    count / report.selfplay.games.max(1) as f64
}

fn ratio(part: f64, of: f64) -> f64 {
    part / of.max(1e-9)
}

/// Writes a histogram, in 30 buckets of equal width, `least` or more.
fn histogram(writer: &mut SummaryWriter, tag: &str, values: &[f64], least: f64, step: usize) {
    let (low, high) =
        values.iter().fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
    let width = ((high - low) / 30.0).max(least);
    if width <= 0.0 || values.is_empty() {
        return;
    }
    let limits: Vec<f64> = (1..=30).map(|bucket| low + width * f64::from(bucket)).collect();
    let mut counts = vec![0.0; limits.len()];
    let (mut sum, mut squares) = (0.0, 0.0);
    for value in values {
        let bucket = (((*value - low) / width) as usize).min(limits.len() - 1);
        counts[bucket] += 1.0;
        sum += value;
        squares += value * value;
    }
    writer.add_histogram_raw(tag, low, high, values.len() as f64, sum, squares, &limits, &counts, step);
}
