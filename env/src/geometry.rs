//! A game: a ruleset compiled once into tables.
//!
//! Everything that can be known before a piece stands on the board is computed here: squares,
//! lines, where men may go, action numbers, Zobrist keys, the start. All tables are from the
//! decider's view (up the ranks); turning the board by half a turn is a symmetry of every
//! ruleset, so one set of tables serves both sides. Nothing here knows a position.

mod numbering;
mod rays;
mod zobrist;

use std::sync::Arc;

use crate::action::{Action, ActionKind, Direction};
use crate::bitboard::{Bitboard, Square};
use crate::outcome::Side;
use crate::ruleset::{Chain, King, Lines, ManCaptures, ManSteps, Removal, Ruleset, RulesetError};
use numbering::Numbering;
pub(crate) use rays::{Rays, WAYS};
pub(crate) use zobrist::{Kind, Zobrist};

/// A ruleset compiled into tables; shared by all its positions.
#[derive(Debug)]
pub struct Game {
    ruleset: Ruleset,
    squares: Bitboard,
    far_rank: Bitboard,
    offsets: [i8; 8],
    reach: [[Bitboard; 2]; 8],
    man_steps: [Bitboard; 8],
    man_hops: [Bitboard; 8],
    rays: Rays,
    numbering: Numbering,
    zobrist: Zobrist,
    flip_shift: u32,
}

impl Game {
    /// Compiles a ruleset.
    ///
    /// # Errors
    /// The ruleset is senseless; see [`Ruleset::validate`].
    ///
    /// ```
    /// use damma_env::{Game, Ruleset};
    /// let game = Game::new(Ruleset::preset("damma8")?)?;
    /// assert_eq!(game.action_count(), 170);
    /// # Ok::<(), damma_env::RulesetError>(())
    /// ```
    pub fn new(ruleset: Ruleset) -> Result<Arc<Self>, RulesetError> {
        ruleset.validate()?;
        let board = Lattice { size: ruleset.size, lines: ruleset.lines };
        let squares: Bitboard = board.points().map(|(file, rank)| board.square(file, rank)).collect();
        let origins = |direction: Direction, distance: u8| -> Bitboard {
            board
                .points()
                .filter(|&(file, rank)| board.target(file, rank, direction, distance).is_some())
                .map(|(file, rank)| board.square(file, rank))
                .collect()
        };
        let reach = Direction::ALL.map(|direction| [origins(direction, 1), origins(direction, 2)]);
        let offsets = Direction::ALL.map(|direction| board.offset(direction));
        let with_diagonals = reach.iter().skip(1).step_by(2).fold(Bitboard::EMPTY, |set, origins| set | origins[0]);
        let man_steps = Direction::ALL.map(|direction| match ruleset.man_steps {
            ManSteps::Forward if !direction.is_forward() => Bitboard::EMPTY,
            ManSteps::Forward | ManSteps::All => reach[direction.index()][0],
        });
        let man_hops = Direction::ALL.map(|direction| {
            let lines = reach[direction.index()][1];
            match ruleset.man_captures {
                ManCaptures::All => lines,
                ManCaptures::Forward if direction.is_forward() => lines,
                ManCaptures::ForwardOffDiagonal if direction == Direction::AHEAD => lines,
                ManCaptures::ForwardOffDiagonal => lines & with_diagonals,
                ManCaptures::Forward => Bitboard::EMPTY,
            }
        });
        let numbering = Numbering::new(&ruleset, board, squares, &man_steps, &man_hops, &reach);
        let size = u32::from(ruleset.size);
        Ok(Arc::new(Self {
            far_rank: (0..ruleset.size).map(|file| board.square(file, ruleset.size - 1)).collect(),
            flip_shift: 128 - ((size - 1) * (size + 2) + 1),
            zobrist: Zobrist::new(|square| board.half_turn(square)),
            ruleset,
            rays: Rays::new(squares, &reach.map(|origins| origins[0]), offsets),
            squares,
            offsets,
            reach,
            man_steps,
            man_hops,
            numbering,
        }))
    }

    /// Gives the rules.
    #[must_use]
    pub const fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// Gives the points a side.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.ruleset.size as usize
    }

    /// Gives the points that pieces can stand on.
    #[must_use]
    pub const fn squares(&self) -> Bitboard {
        self.squares
    }

    /// Gives the rank where the decider's men are promoted.
    #[must_use]
    pub const fn far_rank(&self) -> Bitboard {
        self.far_rank
    }

    /// Counts the actions that are geometrically possible: the length of masks and policies.
    #[must_use]
    pub const fn action_count(&self) -> usize {
        self.numbering.len()
    }

    /// Says what an action number stands for, or `None` past the last.
    #[must_use]
    pub fn action_kind(&self, action: Action) -> Option<ActionKind> {
        self.numbering.kind(action)
    }

    /// Gives the number of the move from one square to another, if they are joined by a line.
    #[must_use]
    pub fn move_between(&self, from: Square, to: Square) -> Option<Action> {
        let ((from_file, from_rank), (to_file, to_rank)) = (self.coordinates(from), self.coordinates(to));
        let (file, rank) = (i16::from(to_file) - i16::from(from_file), i16::from(to_rank) - i16::from(from_rank));
        if file != 0 && rank != 0 && file.abs() != rank.abs() {
            return None;
        }
        let direction = Direction::from_delta(file.signum() as i8, rank.signum() as i8)?;
        let distance = file.unsigned_abs().max(rank.unsigned_abs()) as u8;
        self.numbering.find_move(direction, distance, from)
    }

    /// Gives the number of the huff of a square, where the game has huffs.
    #[must_use]
    pub fn huff_of(&self, victim: Square) -> Option<Action> {
        self.numbering.find_huff(victim)
    }

    /// Gives the number of the stop, where the game has one.
    #[must_use]
    pub const fn stop(&self) -> Option<Action> {
        self.numbering.stop()
    }

    /// Gives the square of a file and a rank (both from 0), if pieces can stand there.
    #[must_use]
    pub fn square_at(&self, file: u8, rank: u8) -> Option<Square> {
        if file >= self.ruleset.size || rank >= self.ruleset.size {
            return None;
        }
        let square = Square(rank * (self.ruleset.size + 1) + file);
        self.squares.contains(square).then_some(square)
    }

    /// Gives file and rank of a square, both from 0.
    #[must_use]
    pub const fn coordinates(&self, square: Square) -> (u8, u8) {
        let stride = self.ruleset.size + 1;
        (square.0 % stride, square.0 / stride)
    }

    /// Turns a set of squares by half a turn: from one player's view to the other's.
    #[must_use]
    pub const fn flip(&self, set: Bitboard) -> Bitboard {
        Bitboard(set.0.reverse_bits() >> self.flip_shift)
    }

    /// Turns a square by half a turn.
    #[must_use]
    pub const fn flip_square(&self, square: Square) -> Square {
        Square((127 - self.flip_shift) as u8 - square.0)
    }

    /// Turns a square from `side`'s view to White's, or back.
    #[must_use]
    pub const fn view_square(&self, side: Side, square: Square) -> Square {
        match side {
            Side::White => square,
            Side::Black => self.flip_square(square),
        }
    }

    /// Turns a set of squares from `side`'s view to White's, or back.
    #[must_use]
    pub const fn view(&self, side: Side, set: Bitboard) -> Bitboard {
        match side {
            Side::White => set,
            Side::Black => self.flip(set),
        }
    }

    /// Gives the number of a move that is known to be on a line.
    pub(crate) fn move_number(&self, direction: Direction, distance: u8, from: Square) -> Action {
        self.numbering.move_number(direction, distance, from)
    }

    /// Gives the origins from which a line goes on in `direction` for `distance` (1 or 2) points.
    #[must_use]
    pub const fn origins(&self, direction: Direction, distance: u8) -> Bitboard {
        self.reach[direction.index()][distance as usize - 1]
    }

    pub(crate) const fn offset(&self, direction: Direction) -> i8 {
        self.offsets[direction.index()]
    }

    pub(crate) const fn man_steps(&self, direction: Direction) -> Bitboard {
        self.man_steps[direction.index()]
    }

    pub(crate) const fn man_hops(&self, direction: Direction) -> Bitboard {
        self.man_hops[direction.index()]
    }

    pub(crate) const fn rays(&self) -> &Rays {
        &self.rays
    }

    /// Gives by how much a reversed board lies too high.
    pub(crate) const fn flip_shift(&self) -> u32 {
        self.flip_shift
    }

    pub(crate) const fn zobrist(&self) -> &Zobrist {
        &self.zobrist
    }

    pub(crate) fn flying(&self) -> bool {
        self.ruleset.king == King::Flying
    }

    pub(crate) fn chains(&self) -> bool {
        self.ruleset.chain == Chain::Mandatory
    }

    pub(crate) fn removes_at_turn_end(&self) -> bool {
        self.ruleset.removal == Removal::TurnEnd
    }
}

/// The points of a board and the lines that join them, as coordinates.
#[derive(Clone, Copy, Debug)]
struct Lattice {
    size: u8,
    lines: Lines,
}

impl Lattice {
    fn points(self) -> impl Iterator<Item = (u8, u8)> {
        (0..self.size)
            .flat_map(move |rank| (0..self.size).map(move |file| (file, rank)))
            .filter(move |&(file, rank)| self.lines != Lines::Diagonal || (file + rank).is_multiple_of(2))
    }

    const fn square(self, file: u8, rank: u8) -> Square {
        Square(rank * (self.size + 1) + file)
    }

    const fn half_turn(self, square: Square) -> Square {
        let last = self.size * (self.size + 1) - 2;
        Square(if square.0 <= last { last - square.0 } else { square.0 })
    }

    const fn offset(self, direction: Direction) -> i8 {
        let (file, rank) = direction.delta();
        rank * (self.size as i8 + 1) + file
    }

    fn leaves(self, file: u8, rank: u8, direction: Direction) -> bool {
        match self.lines {
            Lines::Full => true,
            Lines::Alquerque => !direction.is_diagonal() || (file + rank).is_multiple_of(2),
            Lines::Diagonal => direction.is_diagonal(),
        }
    }

    /// Follows a line for `distance` points; `None` where it leaves the board or does not exist.
    ///
    /// A diagonal keeps the parity of file + rank, so a line that leaves its first point goes on.
    fn target(self, file: u8, rank: u8, direction: Direction, distance: u8) -> Option<(u8, u8)> {
        let (by_file, by_rank) = direction.delta();
        let along = |start: u8, by: i8| {
            start.checked_add_signed(by * distance as i8).filter(|coordinate| *coordinate < self.size)
        };
        let target = (along(file, by_file)?, along(rank, by_rank)?);
        self.leaves(file, rank, direction).then_some(target)
    }
}
