//! Every option of a ruleset: its type, its values and its meaning, written once.

use serde::{Deserialize, Serialize};

use super::RulesetError;
use crate::outcome::Side;

macro_rules! choice {
    ($(#[$meta:meta])* $name:ident { $($(#[doc = $doc:literal])+ $value:ident,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[doc = $doc])+ $value,)+ }
    };
}

choice! {
    /// At whose hand each player's half of the middle row lies.
    Middle {
        /// White has the high files, Black the low ones, as Monod says.
        Right,
        /// White has the low files; only to read foreign files.
        Left,
    }
}
choice! {
    /// Which points are joined.
    Lines {
        /// Every point joins its 8 neighbours.
        Full,
        /// All points join orthogonally; diagonally only those whose file + rank (from 0) is even.
        Alquerque,
        /// Play is on the dark squares (a1 is dark), diagonally.
        Diagonal,
    }
}
choice! {
    /// Where a man may step.
    ManSteps {
        /// Straight ahead and along the two forward diagonals.
        Forward,
        /// Along any line.
        All,
    }
}
choice! {
    /// Where a man may capture.
    ManCaptures {
        /// Along any line.
        All,
        /// Straight ahead and along the two forward diagonals.
        Forward,
        /// Along any line from a point with diagonals, straight ahead only from one without.
        ForwardOffDiagonal,
    }
}
choice! {
    /// What a man becomes on the far rank.
    King {
        /// A king that goes any distance and captures the first piece met along a line.
        Flying,
        /// A king that steps one point and hops an adjacent piece, in any direction.
        Short,
        /// Nothing: men stay men.
        None,
    }
}
choice! {
    /// Where a flying king may land behind its victim.
    KingLanding {
        /// On any empty point up to the next piece.
        Any,
        /// On the first point only.
        Next,
    }
}
choice! {
    /// Whether captures bind.
    Capture {
        /// If any capture exists, only captures are legal.
        Forced,
        /// Everything is legal, and the opponent may remove a piece that failed its duty.
        Huff,
    }
}
choice! {
    /// Whether the capturing piece goes on from where it landed.
    Chain {
        /// It goes on.
        Mandatory,
        /// One hop ends the turn.
        None,
    }
}
choice! {
    /// Which captures are legal among several.
    Priority {
        /// Any.
        Free,
        /// Only those that begin (or continue) a chain of the greatest length.
        Maximum,
    }
}
choice! {
    /// When captured pieces leave the board.
    Removal {
        /// At once.
        Hop,
        /// When the turn ends; until then they block and may not be jumped twice.
        TurnEnd,
    }
}
choice! {
    /// When a man on the far rank becomes a king.
    Promotion {
        /// At the end of a turn that ends there.
        TurnEnd,
        /// On arrival; it goes on as a king in the same chain.
        Immediate,
    }
}

/// What one option is called, takes and means.
#[derive(Clone, Copy, Debug)]
pub struct OptionDoc {
    /// The key in TOML and in `option=value`.
    pub name: &'static str,
    /// The values it takes, as text for people.
    pub values: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
}

macro_rules! options {
    ($($field:ident: $type:ty, $values:literal, $(#[doc = $doc:literal])+;)+) => {
        /// A game of the family: every option has a value.
        ///
        /// The fields are public because a ruleset is data; [`Ruleset::validate`] is run again
        /// when a [`Game`](crate::Game) is compiled from it.
        #[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Ruleset { $($(#[doc = $doc])+ pub $field: $type,)+ }

        /// A ruleset with gaps, as files and configs give it: a preset and what differs from it.
        #[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct RulesetPatch {
            /// The preset that fills the gaps; without one every option must be given.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub preset: Option<String>,
            $($(#[doc = $doc])+ #[serde(skip_serializing_if = "Option::is_none")] pub $field: Option<$type>,)+
        }

        /// The options in the order of the fields of [`Ruleset`].
        pub const OPTIONS: &[OptionDoc] = &[$(OptionDoc {
            name: stringify!($field),
            values: $values,
            meaning: concat!($($doc),+),
        },)+];

        impl RulesetPatch {
            pub(super) fn complete(&self, base: Option<&Ruleset>) -> Result<Ruleset, RulesetError> {
                Ok(Ruleset { $($field: match (&self.$field, base) {
                    (Some(value), _) => value.clone(),
                    (None, Some(base)) => base.$field.clone(),
                    (None, None) => return Err(RulesetError::Toml(format!(
                        "option `{}` is missing; give every option, or `preset = \"...\"` to start from",
                        stringify!($field)
                    ))),
                },)+ })
            }
        }
    };
}

options! {
    size: u8, "4 to 10",
        /// Points a side.
    ;
    home_rows: u8, "1 to (size - 1) / 2",
        /// Full rows of men at the start; with an odd size and (size - 1) / 2 rows the middle row
        /// is filled too, but for its centre.
    ;
    middle: Middle, "right, left",
        /// At whose hand each player's half of the middle row lies.
    ;
    lines: Lines, "full, alquerque, diagonal",
        /// Which points are joined: all 8 neighbours, the alquerque pattern, or dark squares only.
    ;
    man_steps: ManSteps, "forward, all",
        /// Where a man may step.
    ;
    man_captures: ManCaptures, "all, forward, forward_off_diagonal",
        /// Where a man may capture.
    ;
    king: King, "flying, short, none",
        /// What a man becomes on the far rank.
    ;
    king_landing: KingLanding, "any, next",
        /// Where a flying king may land behind its victim.
    ;
    capture: Capture, "forced, huff",
        /// Whether captures bind, or may be omitted at the risk of a huff.
    ;
    chain: Chain, "mandatory, none",
        /// Whether the capturing piece goes on from where it landed.
    ;
    priority: Priority, "free, maximum",
        /// Which captures are legal among several; maximum needs capture = forced.
    ;
    removal: Removal, "hop, turn_end",
        /// When captured pieces leave the board.
    ;
    promotion: Promotion, "turn_end, immediate",
        /// When a man on the far rank becomes a king.
    ;
    first: Side, "white, black",
        /// Who has the first turn.
    ;
    no_progress_limit: u16, "turns, 0 = off",
        /// A draw after so many turns in a row with no capture, huff, promotion or irreversible step.
    ;
    repetition_limit: u16, "count, 0 = off",
        /// A draw when the same position stands for that many times.
    ;
    lone_kings_draw: bool, "true, false",
        /// A draw when each side has one piece, both kings, and the side to decide cannot capture.
    ;
    max_turns: u32, "turns, 0 = off",
        /// The game is truncated there: neither won nor drawn.
    ;
}
