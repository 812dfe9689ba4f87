//! The six fields of a position.

use std::fmt::Write as _;

use thiserror::Error;

use crate::bitboard::{Bitboard, Square};
use crate::geometry::Game;
use crate::outcome::Side;
use crate::position::Position;
use crate::setup::{Setup, SetupError};

/// Why a text is no position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PositionTextError {
    /// Too few or too many fields.
    #[error("a position has 2 to 6 fields `board side chain huffable captured no_progress`; this has {0}")]
    FieldCount(usize),
    /// The board has the wrong number of ranks.
    #[error("field 1 (board): {found} ranks where this game has {size}; ranks go from the top down, with `/` between")]
    RankCount {
        /// Ranks found.
        found: usize,
        /// Ranks of the board.
        size: usize,
    },
    /// A rank has the wrong length.
    #[error("field 1 (board): rank {rank} has {found} points where this game has {size}")]
    RankLength {
        /// The rank, from 1.
        rank: usize,
        /// Points found.
        found: usize,
        /// Points of a rank.
        size: usize,
    },
    /// A letter that means no piece.
    #[error("field 1 (board): `{letter}` in rank {rank} is no piece; use w, b, W, B and numbers of empty points")]
    Letter {
        /// The letter.
        letter: char,
        /// The rank, from 1.
        rank: usize,
    },
    /// A piece where there is no point.
    #[error("field 1 (board): a piece on {0}, which is not a point of this board")]
    NoPoint(String),
    /// A side that is none.
    #[error("field 2 (side): `{0}` is neither w nor b")]
    Side(String),
    /// A name that is no point.
    #[error("field {field} ({name}): `{text}` is no point of this board")]
    Point {
        /// The field, from 1.
        field: usize,
        /// Its name.
        name: &'static str,
        /// What was found.
        text: String,
    },
    /// A counter that is no number.
    #[error("field 6 (no_progress): `{0}` is not a number of turns from 0 to 65535")]
    Counter(String),
    /// The fields are well formed and impossible together.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl Game {
    /// Reads a position. Fields left out at the end are `-`, and 0 for the counter.
    ///
    /// # Errors
    /// What is wrong and in which field.
    ///
    /// ```
    /// use damma_env::{Game, Ruleset};
    /// let game = Game::new(Ruleset::preset("khreibga")?)?;
    /// let position = game.parse_position("bbbbb/bbbbb/bb1ww/wwwww/wwwww w - - - 0")?;
    /// assert_eq!(position, game.start());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_position(&self, text: &str) -> Result<Position, PositionTextError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        if !(2..=6).contains(&fields.len()) {
            return Err(PositionTextError::FieldCount(fields.len()));
        }
        let field = |index: usize| fields.get(index).copied().unwrap_or("-");
        let mut setup = self.parse_board(fields[0])?;
        setup.side = match fields[1] {
            "w" => Side::White,
            "b" => Side::Black,
            other => return Err(PositionTextError::Side(other.to_owned())),
        };
        setup.chain = match field(2) {
            "-" => None,
            name => Some(self.field_point(name, 3, "chain")?),
        };
        setup.huffable = self.field_points(field(3), 4, "huffable")?;
        setup.captured = self.field_points(field(4), 5, "captured")?;
        setup.no_progress = match field(5) {
            "-" => 0,
            number => number.parse().map_err(|_| PositionTextError::Counter(number.to_owned()))?,
        };
        Ok(setup.position(self)?)
    }

    /// Writes a position.
    #[must_use]
    pub fn position_text(&self, position: &Position) -> String {
        let setup = position.setup(self);
        let points = |set: Bitboard| {
            if set.is_empty() {
                "-".to_owned()
            } else {
                set.into_iter().map(|square| self.point(square)).collect::<Vec<_>>().join(",")
            }
        };
        format!(
            "{} {} {} {} {} {}",
            self.board_text(&setup),
            setup.side.letter(),
            setup.chain.map_or_else(|| "-".to_owned(), |square| self.point(square)),
            points(setup.huffable),
            points(setup.captured),
            setup.no_progress
        )
    }

    fn parse_board(&self, text: &str) -> Result<Setup, PositionTextError> {
        let size = self.size();
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != size {
            return Err(PositionTextError::RankCount { found: ranks.len(), size });
        }
        let mut setup = Setup {
            white: Bitboard::EMPTY,
            black: Bitboard::EMPTY,
            kings: Bitboard::EMPTY,
            side: Side::White,
            chain: None,
            huffable: Bitboard::EMPTY,
            captured: Bitboard::EMPTY,
            no_progress: 0,
        };
        for (row, letters) in ranks.iter().enumerate() {
            let rank = size - row;
            let mut file = 0_usize;
            let mut run = 0_usize;
            for letter in letters.chars() {
                if let Some(digit) = letter.to_digit(10) {
                    run = run * 10 + digit as usize;
                    if run > size {
                        return Err(PositionTextError::RankLength { rank, found: file + run, size });
                    }
                    continue;
                }
                file += std::mem::take(&mut run);
                let pieces = match letter {
                    'w' | 'W' => &mut setup.white,
                    'b' | 'B' => &mut setup.black,
                    _ => return Err(PositionTextError::Letter { letter, rank }),
                };
                if file < size {
                    let square = self.square_at(file as u8, rank as u8 - 1).ok_or_else(|| {
                        PositionTextError::NoPoint(format!("{}{rank}", char::from(b'a' + file as u8)))
                    })?;
                    *pieces |= square.bit();
                    if letter.is_ascii_uppercase() {
                        setup.kings |= square.bit();
                    }
                }
                file += 1;
            }
            file += run;
            if file != size {
                return Err(PositionTextError::RankLength { rank, found: file, size });
            }
        }
        Ok(setup)
    }

    fn board_text(&self, setup: &Setup) -> String {
        let size = self.size() as u8;
        let mut text = String::new();
        for rank in (0..size).rev() {
            let mut run = 0;
            for file in 0..size {
                let Some(letter) = self.square_at(file, rank).and_then(|square| setup.letter(square)) else {
                    run += 1;
                    continue;
                };
                if run > 0 {
                    let _ = write!(text, "{run}");
                    run = 0;
                }
                text.push(letter);
            }
            if run > 0 {
                let _ = write!(text, "{run}");
            }
            if rank > 0 {
                text.push('/');
            }
        }
        text
    }

    fn field_point(&self, text: &str, field: usize, name: &'static str) -> Result<Square, PositionTextError> {
        self.parse_point(text).ok_or_else(|| PositionTextError::Point { field, name, text: text.to_owned() })
    }

    fn field_points(&self, text: &str, field: usize, name: &'static str) -> Result<Bitboard, PositionTextError> {
        if text == "-" {
            return Ok(Bitboard::EMPTY);
        }
        text.split(',').map(|point| self.field_point(point, field, name)).collect()
    }
}

impl Setup {
    /// Gives the letter of the piece on a square: `w`, `b`, `W` or `B`.
    #[must_use]
    pub fn letter(&self, square: Square) -> Option<char> {
        let man = if self.white.contains(square) {
            'w'
        } else if self.black.contains(square) {
            'b'
        } else {
            return None;
        };
        Some(if self.kings.contains(square) { man.to_ascii_uppercase() } else { man })
    }
}
