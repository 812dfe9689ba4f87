//! The oracle's positions, and their text of six fields.
//!
//! A position is plain data here: the rules are in the parent module.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use damma_env::Side;

/// A point of the board, both coordinates from 0; the order is by rank, then by file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// 0 at White's side.
    pub rank: i32,
    /// 0 for `a`.
    pub file: i32,
}

impl Point {
    /// Reads `a1`.
    ///
    /// # Panics
    /// The text is no point.
    pub fn parse(text: &str) -> Self {
        let file = text.bytes().next().filter(u8::is_ascii_lowercase).expect("a point starts with its file");
        let rank: i32 = text[1..].parse().expect("a point ends with its rank");
        Self { rank: rank - 1, file: i32::from(file - b'a') }
    }
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let file = (b'a'..=b'z').nth(usize::try_from(self.file).expect("on the board")).expect("on the board");
        write!(f, "{}{}", char::from(file), self.rank + 1)
    }
}

/// A piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// A king, or else a man.
    pub king: bool,
}

/// A position: what stands where, who decides, and what the turn so far binds them to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// The pieces, those captured but not yet removed among them.
    pub pieces: BTreeMap<Point, Piece>,
    /// Whose decision it is.
    pub side: Side,
    /// Where the piece stands that is in the middle of a chain.
    pub chain: Option<Point>,
    /// The enemy pieces at fault, until the right to huff lapses.
    pub huffable: BTreeSet<Point>,
    /// The pieces captured in this turn and not yet removed.
    pub captured: BTreeSet<Point>,
    /// Turns in a row without progress; 0 as soon as this turn has a hop or a huff.
    pub no_progress: u32,
    /// This turn began with a huff, so that it counts as progress; the text does not tell.
    pub has_huffed: bool,
}

impl Board {
    /// Gives a position at the start of a turn with nothing pending.
    pub fn at_turn_start(pieces: BTreeMap<Point, Piece>, side: Side) -> Self {
        Self {
            pieces,
            side,
            chain: None,
            huffable: BTreeSet::new(),
            captured: BTreeSet::new(),
            no_progress: 0,
            has_huffed: false,
        }
    }

    /// Lists where the pieces of a side stand.
    pub fn points_of(&self, side: Side) -> Vec<Point> {
        self.pieces.iter().filter(|(_, piece)| piece.side == side).map(|(&point, _)| point).collect()
    }

    /// Says whether the side to decide has yet to act in its turn.
    pub fn is_turn_start(&self) -> bool {
        self.chain.is_none() && !self.has_huffed
    }

    pub(super) fn parse(text: &str, width: i32) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let [board, side, chain, huffable, captured, no_progress] = fields[..] else {
            panic!("`{text}` has not six fields");
        };
        let side = match side {
            "w" => Side::White,
            "b" => Side::Black,
            _ => panic!("`{side}` is no side"),
        };
        Self {
            chain: points(chain).first().copied(),
            huffable: points(huffable),
            captured: points(captured),
            no_progress: no_progress.parse().expect("the last field is a number"),
            ..Self::at_turn_start(parse_pieces(board, width), side)
        }
    }

    pub(super) fn print(&self, width: i32) -> String {
        let ranks: Vec<String> = (0..width).rev().map(|rank| self.print_rank(rank, width)).collect();
        let chain: BTreeSet<Point> = self.chain.into_iter().collect();
        format!(
            "{} {} {} {} {} {}",
            ranks.join("/"),
            self.side.letter(),
            list(&chain),
            list(&self.huffable),
            list(&self.captured),
            self.no_progress
        )
    }

    fn print_rank(&self, rank: i32, width: i32) -> String {
        let mut text = String::new();
        let mut empty = 0;
        let flush = |text: &mut String, empty: &mut i32| {
            if *empty > 0 {
                write!(text, "{empty}").expect("a string takes everything");
            }
            *empty = 0;
        };
        for file in 0..width {
            match self.pieces.get(&Point { rank, file }) {
                None => empty += 1,
                Some(piece) => {
                    flush(&mut text, &mut empty);
                    let letter = piece.side.letter();
                    text.push(if piece.king { letter.to_ascii_uppercase() } else { letter });
                }
            }
        }
        flush(&mut text, &mut empty);
        text
    }
}

fn parse_pieces(text: &str, width: i32) -> BTreeMap<Point, Piece> {
    let mut pieces = BTreeMap::new();
    let mut rank = width;
    for row in text.split('/') {
        rank -= 1;
        let mut file = 0;
        let mut number = 0;
        for letter in row.chars() {
            if let Some(digit) = letter.to_digit(10) {
                // Ten empty points are written with two digits.
                number = number * 10 + i32::try_from(digit).expect("a digit is small");
                continue;
            }
            file += std::mem::take(&mut number);
            let side = match letter.to_ascii_lowercase() {
                'w' => Side::White,
                'b' => Side::Black,
                _ => panic!("`{letter}` is no piece"),
            };
            pieces.insert(Point { rank, file }, Piece { side, king: letter.is_ascii_uppercase() });
            file += 1;
        }
        assert_eq!(file + number, width, "`{row}` is no row of {width} points");
    }
    assert_eq!(rank, 0, "`{text}` has not {width} rows");
    pieces
}

fn points(text: &str) -> BTreeSet<Point> {
    if text == "-" { BTreeSet::new() } else { text.split(',').map(Point::parse).collect() }
}

fn list(points: &BTreeSet<Point>) -> String {
    if points.is_empty() {
        return "-".to_owned();
    }
    points.iter().map(Point::to_string).collect::<Vec<_>>().join(",")
}
