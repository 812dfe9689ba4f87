//! Whole turns, thought out: decision after decision of the same player, by a bot or the baseline.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use damma_env::{Action, Game, Side, State};
use damma_eval::{AlphaBeta, Analysis, BotLevel, Level};
use damma_trainer::Value;
use damma_trainer::search::Proof;
use rand_pcg::Pcg64;
use tokio::sync::{Semaphore, mpsc};

use crate::bots::{Bot, Bots};
use crate::problem::Problem;
use crate::searcher::{Budget, Found, Full};

/// The deepest level of the baseline that is served.
const DEEPEST_BASELINE: u8 = 8;

/// Time that a decision of the baseline takes, more or less, at most, and that it may wait for its turn.
const PATIENCE: Duration = Duration::from_secs(5);

/// Part of the time left that a turn may take, where nothing says how many are to come.
const TURNS_TO_COME: u32 = 30;

/// Hundredths of a man at which the baseline's score is taken for an expected result of tanh 1.
const SCORE_SCALE: f32 = 400.0;

/// Who thinks.
#[derive(Clone)]
pub enum Who {
    /// A network.
    Bot(Arc<Bot>),
    /// The baseline at a depth.
    Baseline {
        /// Turns.
        depth: u8,
        /// What keeps it from taking all threads.
        threads: Arc<Semaphore>,
    },
}

/// What was thought of a turn.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The whole turn.
    pub turn: Vec<Action>,
    /// Actions that came before the search, since nothing else was legal.
    pub forced: Vec<Action>,
    /// What the search of the first choice found; nothing where there was none, or of the baseline.
    pub found: Option<Found>,
    /// What the position is worth.
    pub value: Value,
    /// What it was proved to be worth.
    pub proof: Option<Proof>,
}

/// How a choice is made of what was found.
#[derive(Clone, Debug)]
pub enum Choosing {
    /// The best.
    Best,
    /// As a level does, with this stream of random numbers.
    Level(BotLevel, Box<Pcg64>),
}

impl Who {
    /// Finds who has a name: a bot, or `ab-1` to `ab-8`.
    ///
    /// # Errors
    /// Nobody has.
    pub fn named(bots: &Bots, threads: &Arc<Semaphore>, name: &str) -> Result<Self, Problem> {
        let depth = name.strip_prefix("ab-").and_then(|depth| depth.parse().ok());
        match depth.filter(|depth| (1..=DEEPEST_BASELINE).contains(depth)) {
            Some(depth) => Ok(Self::Baseline { depth, threads: threads.clone() }),
            None => bots.named(name).map(Self::Bot),
        }
    }

    /// Checks that who thinks can be limited so.
    ///
    /// # Errors
    /// It is the baseline, whose depth is in its name.
    pub fn takes(&self, visits: Option<u32>, level: Option<u8>) -> Result<(), Problem> {
        let field = visits.map(|_| "visits").or(level.map(|_| "level"));
        match (self, field) {
            (Self::Baseline { .. }, Some(field)) => Err(Problem::invalid(
                field,
                "the baseline's depth is in its name; only `milliseconds` limits it further",
            )),
            _ => Ok(()),
        }
    }

    /// Thinks about a turn of a game that goes on; `update` hears of what the search of the first choice finds.
    ///
    /// # Errors
    /// There is no room for the search.
    pub async fn think(
        &self,
        game: &Arc<Game>,
        state: &State,
        budget: Budget,
        mut choosing: Choosing,
        mut update: impl FnMut(&[Action], Found),
    ) -> Result<Thought, Problem> {
        let side = state.position().side();
        let mut now = state.clone();
        let mut thought =
            Thought { turn: Vec::new(), forced: Vec::new(), found: None, value: Value::default(), proof: None };
        let mut is_first = true;
        while now.outcome().is_none() && now.position().side() == side {
            let action = if let [only] = now.position().legal_actions(game)[..] {
                if is_first {
                    thought.forced.push(only);
                }
                only
            } else {
                let budget = if is_first { budget } else { following(budget) };
                let look = self.look(game, &now, budget, |found| update(&thought.forced, found)).await?;
                let action = look.found.as_ref().map_or(look.action, |found| choosing.choose(found, side));
                if is_first {
                    (thought.value, thought.proof, thought.found) = (look.value, look.proof, look.found);
                }
                is_first = false;
                action
            };
            thought.turn.push(action);
            now.play(game, action);
        }
        if is_first {
            (thought.value, thought.proof) = self.value_after(game, now, budget).await?;
        }
        Ok(thought)
    }

    /// Values a turn without a choice by what comes after it.
    async fn value_after(
        &self,
        game: &Arc<Game>,
        mut now: State,
        budget: Budget,
    ) -> Result<(Value, Option<Proof>), Problem> {
        while now.outcome().is_none() {
            let [only] = now.position().legal_actions(game)[..] else { break };
            now.play(game, only);
        }
        if let Some(outcome) = now.outcome() {
            return Ok((Value::from_outcome(outcome), None));
        }
        let look = self.look(game, &now, following(budget), |_| ()).await?;
        Ok((look.value, look.proof))
    }

    /// Thinks about one decision.
    async fn look(
        &self,
        game: &Arc<Game>,
        state: &State,
        budget: Budget,
        update: impl FnMut(Found),
    ) -> Result<Look, Problem> {
        let (depth, threads) = match self {
            Self::Bot(bot) => {
                let found = found(bot, state, budget, update).await?;
                let action = found.actions.first().expect("a position with a choice has actions").action;
                return Ok(Look { action, value: found.value, proof: found.proof, found: Some(found) });
            }
            Self::Baseline { depth, threads } => (*depth, threads.clone()),
        };
        let busy = |_| Problem::busy("the baseline has more to think about than it can; try again soon");
        let permit = tokio::time::timeout(PATIENCE, threads.acquire_owned()).await.map_err(busy)?;
        let gone = Gone::default();
        let (game, state, stop) = (game.clone(), state.clone(), gone.0.clone());
        let patience = budget.time.map_or(PATIENCE, |time| time.min(PATIENCE));
        let search = move || {
            // Kept to the end: a client that has gone frees nothing before the search has stopped.
            let _permit = permit.expect("the semaphore is never closed");
            deepened(&game, &state, depth, patience, &stop)
        };
        let Analysis { action, score, side, .. } =
            tokio::task::spawn_blocking(search).await.expect("a search does not panic");
        let expected = (score as f32 / SCORE_SCALE).tanh();
        let wdl = [f32::midpoint(1.0, expected), 0.0, f32::midpoint(1.0, -expected)];
        Ok(Look { action, value: Value::from_wdl(side, wdl), proof: None, found: None })
    }
}

/// What was found of one decision.
struct Look {
    action: Action,
    value: Value,
    proof: Option<Proof>,
    /// All of it, where a network was asked.
    found: Option<Found>,
}

/// Has a network search.
async fn found(bot: &Bot, state: &State, budget: Budget, mut update: impl FnMut(Found)) -> Result<Found, Problem> {
    let full = |full: Full| Problem::busy(format!("{full}; try again soon"));
    let mut results: mpsc::Receiver<Found> = bot.searcher.search(state.clone(), budget).map_err(full)?;
    while let Some(found) = results.recv().await {
        if found.is_final {
            return Ok(found);
        }
        update(found);
    }
    Err(Problem::internal())
}

/// Gives the part of the time left that a turn may take, where so many turns are to come.
#[must_use]
pub fn share(left: Duration, increment: Duration, turns: Option<u64>) -> Duration {
    let turns = turns.map_or(TURNS_TO_COME, |turns| turns.clamp(1, u64::from(u32::MAX)) as u32);
    // A tenth is kept for whatever lies between the clock and us.
    (left / turns + increment * 3 / 4).min(left / 10 * 9)
}

/// Says that nobody waits any more, when it is dropped.
#[derive(Default)]
struct Gone(Arc<AtomicBool>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Looks deeper and deeper, up to a depth: not where the next one would probably take longer than `patience` in all,
/// nor for nobody.
fn deepened(game: &Game, state: &State, depth: u8, patience: Duration, gone: &Arc<AtomicBool>) -> Analysis {
    let begun = Instant::now();
    let look = |depth| AlphaBeta::new(Level::Depth(depth)).stopped_by(gone.clone()).analyse(game, state);
    let mut analysis = look(1);
    let mut last = begun.elapsed();
    for depth in 2..=depth {
        // The next depth is taken to cost four times this one.
        if gone.load(Ordering::Relaxed) || begun.elapsed() + 4 * last > patience {
            break;
        }
        let before = Instant::now();
        analysis = look(depth);
        last = before.elapsed();
    }
    analysis
}

impl Choosing {
    fn choose(&mut self, found: &Found, side: Side) -> Action {
        let best = || found.actions.first().expect("a position with a choice has actions").action;
        match self {
            Self::Best => best(),
            Self::Level(level, rng) => level.choose(&found.actions, side, rng).unwrap_or_else(best),
        }
    }
}

/// Gives the decisions after the first of a turn a part of its time.
fn following(budget: Budget) -> Budget {
    let time = budget.time.map(|time| (time / 4).max(Duration::from_millis(1)));
    Budget { time, report_every: None, lines: 1, ..budget }
}
