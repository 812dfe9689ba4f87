//! The lines that leave each square, as sets: how far a flying king sees.

use crate::action::Direction;
use crate::bitboard::{Bitboard, Square};

/// The two ways along each line: to higher squares and to lower ones.
pub(crate) const WAYS: [(Direction, Direction); 4] = [
    (Direction(0), Direction(4)),
    (Direction(1), Direction(5)),
    (Direction(2), Direction(6)),
    (Direction(7), Direction(3)),
];

/// By square and direction, the points of the line that leaves the square.
#[derive(Debug)]
pub(crate) struct Rays {
    #[expect(clippy::struct_field_names, reason = "one ray is one of them")]
    rays: Box<[[Bitboard; 8]; 128]>,
    /// Both ways together, in the order of [`WAYS`].
    lines: Box<[[Bitboard; 4]; 128]>,
    /// The first points of both ways.
    nearby: Box<[[Bitboard; 4]; 128]>,
    /// The points with points on both sides, by line.
    middles: [Bitboard; 4],
}

impl Rays {
    /// Follows the lines; `origins` are the points from which a line goes on, by direction.
    pub(super) fn new(squares: Bitboard, origins: &[Bitboard; 8], offsets: [i8; 8]) -> Self {
        let mut rays = Box::new([[Bitboard::EMPTY; 8]; 128]);
        for square in squares {
            for (direction, ray) in rays[square.index()].iter_mut().enumerate() {
                let mut at = square;
                while origins[direction].contains(at) {
                    at = at.offset(offsets[direction]);
                    *ray |= at.bit();
                }
            }
        }
        let by_line = |join: fn(Bitboard, Bitboard) -> Bitboard| {
            Box::new(rays.map(|rays| WAYS.map(|(up, down)| join(rays[up.index()], rays[down.index()]))))
        };
        let middles = WAYS.map(|(up, down)| origins[up.index()] & origins[down.index()]);
        Self {
            middles,
            lines: by_line(|above, below| above | below),
            nearby: by_line(|above, below| WAYS[0].0.nearest(above) | WAYS[0].1.nearest(below)),
            rays,
        }
    }

    /// Gives the rays of a square, by direction.
    #[inline]
    pub(crate) fn from(&self, square: Square) -> &[Bitboard; 8] {
        &self.rays[square.index() % 128]
    }

    /// Gives the points that lie on a line with a square, by line as in [`WAYS`].
    #[inline]
    pub(crate) fn lines(&self, square: Square) -> &[Bitboard; 4] {
        &self.lines[square.index() % 128]
    }

    /// Gives the points next to a square, by line as in [`WAYS`].
    #[inline]
    pub(crate) fn nearby(&self, square: Square) -> &[Bitboard; 4] {
        &self.nearby[square.index() % 128]
    }

    /// Gives the points with points on both sides, by line as in [`WAYS`].
    #[inline]
    pub(crate) const fn middles(&self) -> &[Bitboard; 4] {
        &self.middles
    }
}

impl Direction {
    /// Says whether the direction leads to higher squares.
    const fn rises(self) -> bool {
        matches!(self.0, 0 | 1 | 2 | 7)
    }

    /// Gives the points of a ray in this direction that come before the first of `blockers`.
    #[inline]
    pub(crate) const fn open(self, ray: Bitboard, blockers: Bitboard) -> Bitboard {
        let met = ray.0 & blockers.0;
        if self.rises() {
            Bitboard(ray.0 & !met & met.wrapping_sub(1))
        } else {
            // A board has 110 points at most, so the shift leaves something whatever is met.
            Bitboard(ray.0 & u128::MAX << (128 - met.leading_zeros()))
        }
    }

    /// Gives the point of a ray in this direction that comes first; none of an empty ray.
    #[inline]
    pub(crate) const fn nearest(self, ray: Bitboard) -> Bitboard {
        if self.rises() {
            Bitboard(ray.0 & ray.0.wrapping_neg())
        } else {
            Bitboard(ray.0 & !(u128::MAX >> 1).unbounded_shr(ray.0.leading_zeros()))
        }
    }
}
