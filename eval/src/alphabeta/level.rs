//! Levels: how long the baseline thinks.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::error::EvalError;

/// The deepest search that can be asked for, in turns.
pub(super) const MAX_DEPTH: u8 = 32;

/// How many levels have a name of their own, `ab-1` and so on.
const NAMED: u8 = 12;

/// How long the baseline thinks about a decision.
///
/// Depths and nodes never depend on the machine: within one [`VERSION`](crate::VERSION) such a
/// level plays the same actions everywhere, and what a level means never changes once released.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Level {
    /// So many turns, 1 to 32, and captures and promotions beyond; written `ab-3`, or `ab:d14` past 12.
    Depth(u8),
    /// As deep as so many nodes allow, at least 1; written `ab:n10000`. One turn is always searched in full.
    Nodes(u64),
    /// As deep as so many milliseconds allow, at least 1; written `ab:t500`. The only level whose
    /// play depends on the machine and what else it does: for people to play against, never to
    /// measure by. One turn is always searched in full.
    Time(u64),
}

/// Where a search stops, whichever comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    /// Turns.
    pub(super) depth: u32,
    /// Nodes of a decision.
    pub(super) nodes: u64,
    /// Time for a decision.
    pub(super) time: Option<Duration>,
}

impl Level {
    /// The levels of the ladder, `ab-1` to `ab-12`.
    pub const LADDER: [Self; NAMED as usize] = [
        Self::Depth(1),
        Self::Depth(2),
        Self::Depth(3),
        Self::Depth(4),
        Self::Depth(5),
        Self::Depth(6),
        Self::Depth(7),
        Self::Depth(8),
        Self::Depth(9),
        Self::Depth(10),
        Self::Depth(11),
        Self::Depth(12),
    ];

    /// Gives the bounds of a decision.
    ///
    /// A depth is also bounded in nodes, so that one wild position cannot stop a match: under the
    /// huff rule a single turn can branch a million ways.
    pub(super) const fn bounds(self) -> Bounds {
        let wild = Bounds { depth: MAX_DEPTH as u32, nodes: u64::MAX, time: None };
        match self {
            Self::Depth(depth) => Bounds { depth: depth as u32, nodes: 20_000_000, ..wild },
            Self::Nodes(nodes) => Bounds { nodes, ..wild },
            Self::Time(milliseconds) => Bounds { time: Some(Duration::from_millis(milliseconds)), ..wild },
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(depth @ ..=NAMED) => write!(f, "ab-{depth}"),
            Self::Depth(depth) => write!(f, "ab:d{depth}"),
            Self::Nodes(nodes) => write!(f, "ab:n{nodes}"),
            Self::Time(milliseconds) => write!(f, "ab:t{milliseconds}"),
        }
    }
}

impl FromStr for Level {
    type Err = EvalError;

    fn from_str(text: &str) -> Result<Self, EvalError> {
        let depth =
            |digits: &str, most: u8| digits.parse().ok().filter(|depth| (1..=most).contains(depth)).map(Self::Depth);
        let positive = |digits: &str| digits.parse().ok().filter(|count| *count > 0);
        let level = if let Some(digits) = text.strip_prefix("ab-") {
            depth(digits, NAMED)
        } else if let Some(digits) = text.strip_prefix("ab:d") {
            depth(digits, MAX_DEPTH)
        } else if let Some(digits) = text.strip_prefix("ab:n") {
            positive(digits).map(Self::Nodes)
        } else if let Some(digits) = text.strip_prefix("ab:t") {
            positive(digits).map(Self::Time)
        } else {
            None
        };
        level.ok_or_else(|| EvalError::UnknownLevel { text: text.to_owned() })
    }
}
