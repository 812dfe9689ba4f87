//! The limits of a search, as `go` gives them.

use std::time::Duration;

use crate::thinker::share;

/// Milliseconds, nodes and turns beyond this are taken to be this: more than anybody waits for.
const MOST: i64 = 1 << 40;

/// How far a search may go; with no limit at all, as far as the engine's own settings say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Turns.
    pub depth: Option<u8>,
    /// Nodes of a decision.
    pub nodes: Option<u64>,
    /// Time for the turn.
    pub time: Option<Duration>,
    /// Until `stop`.
    pub infinite: bool,
}

impl Limits {
    /// Reads what stands behind `go`; words that are not known and numbers that are none do not count.
    /// Runners write clocks that have run out as negative numbers; those are 0.
    #[must_use]
    pub fn parse(words: &[&str], is_first: bool) -> Self {
        let number = |name: &str| -> Option<u64> {
            let place = words.iter().position(|word| *word == name)?;
            let number: i64 = words.get(place + 1)?.parse().ok()?;
            Some(number.clamp(0, MOST) as u64)
        };
        let own = |first: &str, second: &str| number(if is_first { first } else { second });
        let milliseconds = Duration::from_millis;
        let clock = own("p1time", "p2time").map(|left| {
            let increment = own("p1inc", "p2inc").unwrap_or(0);
            share(milliseconds(left), milliseconds(increment), number("movestogo"))
        });
        Self {
            depth: number("depth").map(|depth| depth.clamp(1, 32) as u8),
            nodes: number("nodes").map(|nodes| nodes.max(1)),
            time: number("movetime").map(milliseconds).or(clock).map(|time| time.max(milliseconds(1))),
            infinite: words.contains(&"infinite"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(text: &str, is_first: bool) -> Limits {
        Limits::parse(&text.split(' ').collect::<Vec<_>>(), is_first)
    }

    #[test]
    fn every_limit_is_read_and_unknown_words_are_not() {
        let all = limits("depth 5 searchmoves a nodes 900 movetime 70 infinite", true);
        let time = Some(Duration::from_millis(70));
        assert_eq!(all, Limits { depth: Some(5), nodes: Some(900), time, infinite: true });
        assert_eq!(limits("", true), Limits::default());
        assert_eq!(limits("depth x nodes", true), Limits::default());
        assert_eq!(limits("depth 900", true).depth, Some(32));
    }

    #[test]
    fn a_clock_gives_each_side_its_own_time() {
        let clock = "p1time 60000 p2time 3000 p1inc 1000 p2inc 0";
        assert_eq!(limits(clock, true).time, Some(Duration::from_millis(2_750)));
        assert_eq!(limits(clock, false).time, Some(Duration::from_millis(100)));
        assert_eq!(limits("p1time 1000 movestogo 1", true).time, Some(Duration::from_millis(900)));
    }

    #[test]
    fn clocks_that_ran_out_and_numbers_beyond_all_measure_do_no_harm() {
        assert_eq!(limits("p1time -30 p1inc -5", true).time, Some(Duration::from_millis(1)));
        let huge = format!("p1time {0} p1inc {0} movestogo 1 nodes {0} depth {0}", i64::MAX);
        let most = Duration::from_millis((1 << 40) / 10 * 9);
        assert!(limits(&huge, true).time.is_some_and(|time| time >= most));
        assert_eq!((limits(&huge, true).nodes, limits(&huge, true).depth), (Some(1 << 40), Some(32)));
    }
}
