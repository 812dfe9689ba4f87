//! How training goes, for people: a bar in a terminal, plain lines elsewhere.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::sync::Mutex;
use std::time::Instant;

use damma_trainer::config::RunConfig;
use damma_trainer::{BatchRate, Event, IterationReport};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Parts of the bar.
const PARTS: u64 = 10_000;

/// Shows the events of a run.
pub struct Progress {
    bar: Option<ProgressBar>,
    limits: RunConfig,
    state: Mutex<Counters>,
}

struct Counters {
    iteration: u64,
    /// Games of the iteration in hand.
    games: usize,
    began: Instant,
    /// Seconds of the run before `began`.
    before: f64,
    /// How much of the run was done then, 0 to 1.
    progress: f64,
    last: String,
}

impl Progress {
    /// Makes a bar where standard error is a terminal.
    #[must_use]
    pub fn new(limits: &RunConfig) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr_with_hz(4));
            let style = ProgressStyle::with_template("{elapsed_precise} {bar:24} {percent:>3}% ETA {eta} {wide_msg}");
            bar.set_style(style.expect("the template is right"));
            bar
        });
        let (began, last) = (Instant::now(), String::new());
        let state = Counters { iteration: 0, games: 0, began, before: 0.0, progress: 0.0, last };
        Self { bar, limits: limits.clone(), state: Mutex::new(state) }
    }

    /// Shows an event.
    pub fn event(&self, event: &Event<'_>) {
        let Ok(mut state) = self.state.lock() else { return };
        match event {
            Event::Started { iteration, parameters, resumed, device } => {
                state.iteration = *iteration;
                let how =
                    if *resumed { format!("going on after iteration {iteration}") } else { "a new run".to_owned() };
                self.line(&format!("{how}; a network of {parameters} parameters on {device}"));
            }
            Event::Calibrated { rates, lockstep } => self.line(&calibration(rates, *lockstep)),
            Event::Game { of, .. } => {
                state.games += 1;
                let share = state.games as f64 / *of as f64;
                self.show(&state, share * 0.9, &format!("game {}/{of}", state.games));
            }
            Event::Step { step, of, losses } => {
                let share = *step as f64 / *of as f64;
                let text = format!("step {step}/{of}, loss {:.3}", losses.total);
                self.show(&state, 0.9 + 0.1 * share, &text);
            }
            Event::Iteration(report) => {
                state.iteration = report.iteration;
                state.games = 0;
                state.before = report.elapsed_seconds;
                state.progress = report.progress;
                state.began = Instant::now();
                state.last = summary(report);
                if self.bar.is_none() {
                    self.line(&format!(
                        "{:>3.0}% iteration {}: {}{}",
                        report.progress * 100.0,
                        report.iteration,
                        state.last,
                        eta(report)
                    ));
                }
            }
            Event::Checkpoint { .. } => {}
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn show(&self, state: &Counters, share: f64, now: &str) {
        let Some(bar) = &self.bar else { return };
        let ratio = |done: f64, of: f64| if of > 0.0 { done / of } else { 0.0 };
        let by_time = ratio(state.before + state.began.elapsed().as_secs_f64(), self.limits.minutes * 60.0);
        let by_count = ratio(state.iteration as f64 + share, self.limits.iterations as f64);
        bar.set_position((by_time.max(by_count).max(state.progress).min(1.0) * PARTS as f64) as u64);
        bar.set_message(format!("iteration {}: {now} | {}", state.iteration + 1, state.last));
    }

    /// Shows a line of its own.
    pub fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            // A closed stderr must not stop the training.
            None => drop(writeln!(std::io::stderr(), "{text}")),
        }
    }
}

/// Writes what was measured as a table.
fn calibration(rates: &[BatchRate], lockstep: usize) -> String {
    let mut text = "batch  positions/s".to_owned();
    for rate in rates {
        let _ = write!(text, "\n{:>5}  {:>11.0}", rate.batch, rate.per_second);
    }
    text + &format!("\nselfplay.lockstep is {lockstep} in this run: the smallest within 5 % of the best")
}

fn summary(report: &IterationReport) -> String {
    let games = &report.selfplay;
    let seconds = report.selfplay_seconds.max(1e-9);
    let resigned = report.resign_threshold.map_or_else(String::new, |threshold| {
        let share = 100.0 * games.resigned as f64 / games.games.max(1) as f64;
        format!(", {share:.0} % resigned below {threshold:.2}")
    });
    let distinct = report.replay_distinct.map(|share| format!(", {:.0} % distinct", 100.0 * share));
    format!(
        "{:.1} games/s, {:.0} positions/s, {:.0} turns a game{resigned}, {} games{}, loss policy {:.3} value {:.3}, learning rate {:.1e}",
        games.games as f64 / seconds,
        games.actions as f64 / seconds,
        games.turns as f64 / games.games.max(1) as f64,
        report.games,
        distinct.unwrap_or_default(),
        report.losses.policy,
        report.losses.value,
        report.learning_rate,
    )
}

fn eta(report: &IterationReport) -> String {
    if report.progress <= 0.0 {
        return String::new();
    }
    let left = report.elapsed_seconds * (1.0 - report.progress) / report.progress;
    format!(", ETA {}:{:02}", left as u64 / 60, left as u64 % 60)
}
