//! Clocks: what each side has left, and what a move adds.

use std::time::Duration;

use damma_env::Side;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::problem::Problem;
use crate::spec::Colour;

/// What time a game is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClockTerms {
    /// Seconds for the game, 1 to 86,400.
    #[schema(minimum = 1, maximum = 86400)]
    pub seconds: u32,
    /// Seconds added for each turn, 0 to 3,600.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 3600)]
    pub increment: u32,
}

/// The clocks of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Clock {
    terms: ClockTerms,
    /// Milliseconds that White and Black had left when one of them began to run.
    left: [u64; 2],
    /// When that was, in milliseconds of Unix time; `None` while none runs.
    since: Option<u64>,
}

/// The clocks as clients see them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ClockView {
    /// Milliseconds that White has left.
    pub white: u64,
    /// Milliseconds that Black has left.
    pub black: u64,
    /// Milliseconds added for each turn.
    pub increment: u64,
    /// Whose clock runs.
    pub running: Option<Colour>,
}

/// Gives the place of a side where a pair has White's first.
pub(super) const fn place(side: Side) -> usize {
    if matches!(side, Side::White) { 0 } else { 1 }
}

impl Clock {
    /// Sets both clocks.
    ///
    /// # Errors
    /// A number is out of its range.
    pub fn new(terms: ClockTerms) -> Result<Self, Problem> {
        if !(1..=86_400).contains(&terms.seconds) {
            return Err(Problem::invalid("clock", format!("seconds {} is outside 1 to 86400", terms.seconds)));
        }
        if terms.increment > 3_600 {
            return Err(Problem::invalid("clock", format!("increment {} is outside 0 to 3600", terms.increment)));
        }
        Ok(Self { terms, left: [u64::from(terms.seconds) * 1_000; 2], since: None })
    }

    /// Sets both clocks back to the beginning.
    #[must_use]
    pub fn afresh(self) -> Self {
        Self { left: [u64::from(self.terms.seconds) * 1_000; 2], since: None, ..self }
    }

    /// Gives what a side has left, where `running` is whose clock runs.
    #[must_use]
    pub fn left(&self, side: Side, running: Side, now: u64) -> u64 {
        let spent = self.since.filter(|_| side == running).map_or(0, |since| now.saturating_sub(since));
        self.left[place(side)].saturating_sub(spent)
    }

    /// Takes off what `side` used, gives the increment if its turn is over, and lets the next clock run.
    pub fn press(&mut self, side: Side, turn_over: bool, now: u64) {
        self.left[place(side)] = self.left(side, side, now);
        if turn_over {
            self.left[place(side)] += u64::from(self.terms.increment) * 1_000;
        }
        self.since = Some(now);
    }

    /// Stops the clocks.
    pub fn stop(&mut self, side: Side, now: u64) {
        self.left[place(side)] = self.left(side, side, now);
        self.since = None;
    }

    /// Lets the time while nobody could play not count: a clock that ran when the server stopped goes on when it
    /// has `started`.
    pub fn go_on(&mut self, started: u64) {
        self.since = self.since.map(|since| since.max(started));
    }

    /// Gives what is added for each turn.
    #[must_use]
    pub const fn increment(&self) -> Duration {
        Duration::from_secs(self.terms.increment as u64)
    }

    /// Says whether a clock runs.
    #[must_use]
    pub const fn runs(&self) -> bool {
        self.since.is_some()
    }

    /// Shows the clocks.
    #[must_use]
    pub fn view(&self, side: Side, now: u64) -> ClockView {
        ClockView {
            white: self.left(Side::White, side, now),
            black: self.left(Side::Black, side, now),
            increment: u64::from(self.terms.increment) * 1_000,
            running: self.since.map(|_| side.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_runs_for_who_decides_and_gains_with_each_turn() {
        let mut clock = Clock::new(ClockTerms { seconds: 10, increment: 2 }).unwrap();
        assert_eq!(clock.view(Side::White, 5_000).white, 10_000);

        clock.press(Side::White, true, 5_000);
        assert_eq!(clock.left(Side::Black, Side::Black, 8_000), 7_000);
        assert_eq!(clock.left(Side::White, Side::Black, 8_000), 12_000);

        clock.press(Side::Black, false, 8_000);
        assert_eq!(clock.left(Side::Black, Side::Black, 9_000), 6_000);
        clock.stop(Side::Black, 9_000);
        assert_eq!(clock.view(Side::Black, 99_000).black, 6_000);
    }
}
