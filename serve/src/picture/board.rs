//! A position as the eye sees it: columns and rows, pieces, marks, lines.
//!
//! What the terminal and the picture have in common. It knows points of view, not how to draw.

use damma_env::{Direction, Game, Lines, Position, Setup, Side, Square};

/// A board to draw. Columns go from the left and rows from the top, both from 0.
pub struct Board<'a> {
    game: &'a Game,
    setup: Setup,
    flipped: bool,
}

/// What stands on a point.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// Whether it is a king.
    pub is_king: bool,
    /// What there is to say about it.
    pub mark: Option<Mark>,
}

/// What the turn in hand says about a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It must go on capturing.
    Chaining,
    /// It may be huffed.
    AtFault,
    /// It is captured and leaves when the turn ends.
    Waiting,
}

impl Mark {
    /// All marks, in the order of the fields of a position.
    pub const ALL: [Self; 3] = [Self::Chaining, Self::AtFault, Self::Waiting];

    /// Says in words what the mark means.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Chaining => "goes on capturing",
            Self::AtFault => "at fault, may be huffed",
            Self::Waiting => "captured, leaves when the turn ends",
        }
    }
}

impl Piece {
    /// Names the piece, such as `White king`.
    #[must_use]
    pub fn name(self) -> String {
        format!("{} {}", self.side, if self.is_king { "king" } else { "man" })
    }
}

impl<'a> Board<'a> {
    /// Looks at a position from White's side, or from Black's if `flipped`.
    #[must_use]
    pub fn new(game: &'a Game, position: &Position, flipped: bool) -> Self {
        Self { game, setup: position.setup(game), flipped }
    }

    /// Gives the points a side.
    #[must_use]
    pub fn size(&self) -> usize {
        self.game.size()
    }

    /// Says whether play is on the dark squares, so that squares are drawn and not lines.
    #[must_use]
    pub fn has_squares(&self) -> bool {
        self.game.ruleset().lines == Lines::Diagonal
    }

    /// Gives the letter of a column.
    #[must_use]
    pub fn file_name(&self, column: usize) -> char {
        let file = if self.flipped { self.size() - 1 - column } else { column };
        char::from(b'a' + file as u8)
    }

    /// Gives the number of a row.
    #[must_use]
    pub fn rank_name(&self, row: usize) -> usize {
        if self.flipped { row + 1 } else { self.size() - row }
    }

    /// Gives the point of a column and a row, if pieces can stand there.
    #[must_use]
    pub fn point(&self, column: usize, row: usize) -> Option<Square> {
        let last = self.size() - 1;
        let (file, rank) =
            if self.flipped { (last.checked_sub(column)?, row) } else { (column, last.checked_sub(row)?) };
        self.game.square_at(file as u8, rank as u8)
    }

    /// Gives the name of a point.
    #[must_use]
    pub fn name(&self, square: Square) -> String {
        self.game.point(square)
    }

    /// Gives the piece on a point.
    #[must_use]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        let setup = &self.setup;
        let letter = setup.letter(square)?;
        let side = if letter.eq_ignore_ascii_case(&'w') { Side::White } else { Side::Black };
        let mark = Mark::ALL.into_iter().find(|&mark| self.marked(mark).contains(&square));
        Some(Piece { side, is_king: setup.kings.contains(square), mark })
    }

    /// Lists the points with a mark, lowest first.
    #[must_use]
    pub fn marked(&self, mark: Mark) -> Vec<Square> {
        match mark {
            Mark::Chaining => self.setup.chain.into_iter().collect(),
            Mark::AtFault => self.setup.huffable.into_iter().collect(),
            Mark::Waiting => self.setup.captured.into_iter().collect(),
        }
    }

    /// Says whether a line of the board joins two neighbours, each given as column and row.
    #[must_use]
    pub fn joins(&self, from: (usize, usize), to: (usize, usize)) -> bool {
        let (Some(from), Some(to)) = (self.point(from.0, from.1), self.point(to.0, to.1)) else { return false };
        let ((file, rank), (to_file, to_rank)) = (self.game.coordinates(from), self.game.coordinates(to));
        let delta = (to_file.wrapping_sub(file) as i8, to_rank.wrapping_sub(rank) as i8);
        Direction::from_delta(delta.0, delta.1).is_some_and(|direction| self.game.origins(direction, 1).contains(from))
    }
}
