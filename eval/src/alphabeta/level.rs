//! Levels: how long the baseline thinks.

use std::fmt;
use std::str::FromStr;

use crate::error::EvalError;

/// The deepest search that can be asked for, in turns.
pub(super) const MAX_DEPTH: u8 = 32;

/// How long the baseline thinks about a decision.
///
/// Never a time: the same level plays the same actions on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Level {
    /// Full width for so many turns, 1 to 32, and captures beyond; written `ab-3`, or `ab:d12` past 8.
    Depth(u8),
    /// As deep as so many nodes allow, at least 1; written `ab:n10000`. One turn is always searched in full.
    Nodes(u64),
}

impl Level {
    /// The levels of the ladder, `ab-1` to `ab-8`.
    pub const LADDER: [Self; 8] = [
        Self::Depth(1),
        Self::Depth(2),
        Self::Depth(3),
        Self::Depth(4),
        Self::Depth(5),
        Self::Depth(6),
        Self::Depth(7),
        Self::Depth(8),
    ];

    /// Gives the greatest depth, in turns, and the greatest number of nodes of a decision.
    ///
    /// A depth is also bounded in nodes, so that one wild position cannot stop a match: under the
    /// huff rule a single turn can branch a million ways. Of 6 positions each, only `ab-8` met the
    /// bound, in `zamma` and `damma`; `ab-8` takes 20 thousand nodes in `damma8`.
    pub(super) fn bounds(self) -> (u32, u64) {
        match self {
            Self::Depth(depth) => (u32::from(depth), 20_000_000),
            Self::Nodes(nodes) => (u32::from(MAX_DEPTH), nodes),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(depth @ ..=8) => write!(f, "ab-{depth}"),
            Self::Depth(depth) => write!(f, "ab:d{depth}"),
            Self::Nodes(nodes) => write!(f, "ab:n{nodes}"),
        }
    }
}

impl FromStr for Level {
    type Err = EvalError;

    fn from_str(text: &str) -> Result<Self, EvalError> {
        let depth =
            |digits: &str, most: u8| digits.parse().ok().filter(|depth| (1..=most).contains(depth)).map(Self::Depth);
        let level = if let Some(digits) = text.strip_prefix("ab-") {
            depth(digits, Self::LADDER.len() as u8)
        } else if let Some(digits) = text.strip_prefix("ab:d") {
            depth(digits, MAX_DEPTH)
        } else if let Some(digits) = text.strip_prefix("ab:n") {
            digits.parse().ok().filter(|nodes| *nodes > 0).map(Self::Nodes)
        } else {
            None
        };
        level.ok_or_else(|| EvalError::UnknownLevel { text: text.to_owned() })
    }
}
