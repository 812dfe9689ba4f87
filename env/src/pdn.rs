//! Portable Draughts Notation 3.0: games as text that other programs read.
//!
//! Text in, text out: no file is opened here. [`PdnReader`] reads, `Display` of [`PdnGame`]
//! writes, [`Game::replay_pdn`](crate::Game::replay_pdn) plays a text through the rules and
//! [`Game::record_pdn`](crate::Game::record_pdn) makes one of a game that was played.
//!
//! # The two game types
//!
//! `[GameType "21"]`, English draughts: every ruleset on 8x8 with `lines = diagonal`. Squares are
//! numbers, row by row from the top, left to right: 1 is b8, 4 is h8, 5 is a7, 32 is g1. `1-0`
//! is a win for **Black**, who starts. The FEN tag is `B:W21,22,K30:B1,2,K3`. A capture is written
//! with its first and last square, and with all of them where that would be ambiguous.
//!
//! `[GameType "42,W,9,9,A0,0"]`, a number that the standard leaves free: every other ruleset.
//!
//! | field | here | meaning |
//! |---|---|---|
//! | 1 | `42` | the games of this engine; the tags `Ruleset` and `RulesetOverrides` say which |
//! | 2 | `W` or `B` | who has the first turn |
//! | 3, 4 | `4` … `10` | points a rank, points a file |
//! | 5 | `A0` | squares are algebraic, and a1 is at the bottom left of White |
//! | 6 | `0` | the board is not inverted: a1 is dark |
//!
//! There `1-0` is a win for **White**, whoever starts. A move is a complete turn as the rules page writes it, with
//! every landing point, and a comma where that has a space: `a3-a4`, `a3xa5xc7`, `a3xa5.` (stopped),
//! `~d4,a3-a4` (huff, then step). The FEN tag holds the six fields of a position.
//!
//! `[Ruleset "zamma"]` names a preset and `[RulesetOverrides "capture=forced chain=none"]` what
//! differs from it. They are left out for `damma8` itself.

mod fen;
mod header;
mod lexer;
mod move_text;
mod reader;
mod record;
mod replay;
mod resolve;
mod squares;
mod writer;

pub use fen::FenError;
pub use reader::PdnReader;
pub use replay::{Replay, ReplayFault, ReplayReason};
pub use resolve::PdnMoveError;

use thiserror::Error;

use crate::geometry::Game;
use crate::outcome::{Outcome, Side};

/// One game of a file, as written: nothing is checked against the rules.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PdnGame {
    /// Names and values of the tags, in their order.
    pub tags: Vec<(String, String)>,
    /// What is said before the first move.
    pub comment: Option<String>,
    /// The moves of the game itself, without variations.
    pub moves: Vec<PdnMove>,
    /// The result at the end of the moves; where that is missing, the one of the tag.
    pub result: Option<PdnResult>,
    /// The line where the game begins, from 1; 0 if it comes from no text.
    pub line: usize,
    /// Whether the text ends within the game: nothing follows, not even the result behind its moves.
    pub is_cut: bool,
}

/// One move of a [`PdnGame`]: a complete turn of one player.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PdnMove {
    /// The squares and what joins them, such as `9-14`, `23x14x7` or `~d4,a3-a4`.
    pub text: String,
    /// The marks behind it, of `!`, `?` and `*`.
    pub strength: String,
    /// The numbers of the annotations `$n`.
    pub nags: Vec<u16>,
    /// What is said behind the move, clock readings such as `[%clk 0:05:00]` among it.
    pub comment: Option<String>,
    /// Its line, from 1; 0 if it comes from no text.
    pub line: usize,
    /// Its column in characters, from 1; 0 if it comes from no text.
    pub column: usize,
}

/// How a game ended, as PDN writes it; whose win `1-0` is depends on the game type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PdnResult {
    /// `1-0`, also read from `2-0`.
    First,
    /// `0-1`, also read from `0-2`.
    Second,
    /// `1/2-1/2`, also read from `1-1`.
    Draw,
    /// `0-0`: both lost, as when neither appears.
    BothLost,
    /// `*`: unknown or unfinished.
    Unknown,
}

/// Why a text is no PDN.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}: {what}; {remedy}")]
pub struct PdnError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub what: String,
    /// What to do about it.
    pub remedy: &'static str,
}

impl PdnGame {
    /// Reads every game of a text; [`PdnReader`] goes on behind a game that cannot be read.
    ///
    /// # Errors
    /// The first thing that is no PDN.
    ///
    /// ```
    /// let games = damma_env::PdnGame::read_all("1. 9-14 23-19 1-0  1. 11-15 *")?;
    /// assert_eq!(games.len(), 2);
    /// assert_eq!(games[0].moves[1].text, "23-19");
    /// # Ok::<(), damma_env::PdnError>(())
    /// ```
    pub fn read_all(text: &str) -> Result<Vec<Self>, PdnError> {
        PdnReader::new(text).collect()
    }

    /// Gives the value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Says who won: by the file's game type, or by that of `game` where the file names none.
    #[must_use]
    pub fn winner(&self, game: &Game) -> Option<Side> {
        let first = match header::type_number(self) {
            Some(header::ENGLISH) => Side::Black,
            Some(_) => Side::White,
            None => header::side_of_first_result(game),
        };
        match self.result? {
            PdnResult::First => Some(first),
            PdnResult::Second => Some(first.opponent()),
            PdnResult::Draw | PdnResult::BothLost | PdnResult::Unknown => None,
        }
    }
}

impl PdnResult {
    /// Reads a result.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "1-0" | "2-0" => Self::First,
            "0-1" | "0-2" => Self::Second,
            "1/2-1/2" | "1-1" | "½-½" => Self::Draw,
            "0-0" => Self::BothLost,
            "*" => Self::Unknown,
            _ => return None,
        })
    }

    /// Gives the result that stands for an outcome of `game`; a game cut off has none.
    #[must_use]
    pub fn of(game: &Game, outcome: Option<Outcome>) -> Self {
        match outcome {
            Some(Outcome::Win { winner, .. }) => Self::won(game, winner),
            Some(Outcome::Draw(_)) => Self::Draw,
            Some(Outcome::Truncated) | None => Self::Unknown,
        }
    }

    /// Gives the result of a game that a side has won, on the board or otherwise.
    #[must_use]
    pub fn won(game: &Game, winner: Side) -> Self {
        if winner == header::side_of_first_result(game) { Self::First } else { Self::Second }
    }

    /// Writes the result.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::First => "1-0",
            Self::Second => "0-1",
            Self::Draw => "1/2-1/2",
            Self::BothLost => "0-0",
            Self::Unknown => "*",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::WinCause;
    use crate::ruleset::Ruleset;

    fn win(winner: Side) -> Outcome {
        Outcome::Win { winner, cause: WinCause::Blocked }
    }

    #[test]
    fn one_nil_is_black_in_english_draughts_and_white_elsewhere() {
        let english = Game::new(Ruleset::preset("damma8").unwrap()).unwrap();
        let zamma = Game::new(Ruleset::preset("zamma").unwrap()).unwrap();
        assert_eq!(PdnResult::of(&english, Some(win(Side::Black))), PdnResult::First);
        assert_eq!(PdnResult::of(&zamma, Some(win(Side::White))), PdnResult::First);
        assert_eq!(PdnResult::of(&zamma, Some(Outcome::Truncated)), PdnResult::Unknown);
    }

    #[test]
    fn the_winner_follows_the_game_type_of_the_file() {
        let english = Game::new(Ruleset::preset("damma8").unwrap()).unwrap();
        let read = |text| PdnGame::read_all(text).unwrap().remove(0).winner(&english);
        assert_eq!(read("9-14 1-0"), Some(Side::Black));
        assert_eq!(read("[GameType \"21\"]\n9-14 0-1"), Some(Side::White));
        assert_eq!(read("[GameType \"42,B,8,8,A0,0\"]\na3-b4 1-0"), Some(Side::White));
        assert_eq!(read("9-14 1/2-1/2"), None);
    }
}
