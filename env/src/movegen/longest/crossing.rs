//! Capturing one piece from a set of squares: where that can be done from, and where it leads.

use super::Chains;
use crate::bitboard::{Bitboard, Square};
use crate::geometry::{Game, WAYS};
use crate::position::Position;
use crate::ruleset::{King, KingLanding, Promotion};

/// What is the same for all chains of a position.
pub(super) struct Crossing<'g> {
    game: &'g Game,
    /// All pieces on the board.
    occupied: Bitboard,
    /// What could be captured at first.
    targets: Bitboard,
}

/// The board as chains meet it.
pub(super) struct Board<'g> {
    game: &'g Game,
    occupied: Bitboard,
    /// The points without a piece.
    open: Bitboard,
    targets: Bitboard,
    squares: Bitboard,
    king: bool,
    /// Whether it is a flying king.
    slides: bool,
}

impl<'g> Crossing<'g> {
    pub(super) fn new(position: &Position, game: &'g Game) -> Self {
        let targets = position.them.without(position.waiting);
        Self { game, occupied: position.occupied(), targets }
    }

    /// Gives the squares where a man becomes a king before it goes on.
    pub(super) fn promoting(&self) -> Bitboard {
        let ruleset = self.game.ruleset();
        let promotes = ruleset.king != King::None && ruleset.promotion == Promotion::Immediate;
        if promotes { self.game.far_rank() } else { Bitboard::EMPTY }
    }

    #[inline]
    pub(super) fn board(&self, chains: &Chains) -> Board<'g> {
        let gone = if self.game.removes_at_turn_end() { Bitboard::EMPTY } else { self.targets.without(chains.targets) };
        let occupied = self.occupied.without(gone | chains.from.bit());
        Board {
            game: self.game,
            occupied,
            open: self.game.squares().without(occupied),
            targets: chains.targets,
            squares: chains.squares,
            king: chains.king,
            slides: chains.king && self.game.flying(),
        }
    }
}

impl Board<'_> {
    /// Visits the pieces that can be captured, by line, each with the squares where that may end.
    #[inline(always)]
    pub(super) fn each_capture(&self, mut visit: impl FnMut(Square, u8, Bitboard)) {
        let mut met = self.seen();
        for (met, middle) in met.iter_mut().zip(self.game.rays().middles()) {
            *met &= self.targets & *middle;
        }
        if (met[0] | met[1] | met[2] | met[3]).is_empty() {
            return;
        }
        for (met, (up, _)) in met.iter_mut().zip(WAYS) {
            let offset = self.game.offset(up);
            *met &= self.open.shift_up(offset) & self.open.shift_down(offset);
        }
        for (line, met) in met.into_iter().enumerate() {
            for victim in met {
                let mut landings = Bitboard::EMPTY;
                self.cross(victim, line as u8, |from, to| {
                    landings |= if (from & self.squares).is_empty() { Bitboard::EMPTY } else { to };
                });
                if !landings.is_empty() {
                    visit(victim, line as u8, landings);
                }
            }
        }
    }

    /// Gives the squares from where the piece can capture `victim` along a line and land on one of
    /// `goal`.
    #[inline]
    pub(super) fn origins(&self, victim: Square, line: u8, goal: Bitboard) -> Bitboard {
        let mut origins = Bitboard::EMPTY;
        self.cross(victim, line, |from, to| {
            origins |= if (to & goal).is_empty() { Bitboard::EMPTY } else { from & self.squares };
        });
        origins
    }

    /// Gives by line the points that the piece would see if the board were empty.
    #[inline(always)]
    fn seen(&self) -> [Bitboard; 4] {
        let rays = self.game.rays();
        let mut seen = [Bitboard::EMPTY; 4];
        for square in self.squares {
            let lines = if self.slides { rays.lines(square) } else { rays.nearby(square) };
            for (seen, line) in seen.iter_mut().zip(lines) {
                *seen |= *line;
            }
        }
        seen
    }

    /// Visits the origins and the landings of the two ways over `victim` along a line.
    #[inline(always)]
    fn cross(&self, victim: Square, line: u8, mut visit: impl FnMut(Bitboard, Bitboard)) {
        let game = self.game;
        let (up, down) = WAYS[line as usize % 4];
        let rays = game.rays().from(victim);
        let above = up.open(rays[up.index()], self.occupied);
        let below = down.open(rays[down.index()], self.occupied);
        if self.slides && game.ruleset().king_landing == KingLanding::Any {
            visit(below, above);
            visit(above, below);
            return;
        }
        let (above_next, below_next) = (up.nearest(above), down.nearest(below));
        if self.slides {
            visit(below, above_next);
            visit(above, below_next);
        } else if self.king {
            visit(below_next, above_next);
            visit(above_next, below_next);
        } else {
            visit(below_next & game.man_hops(up), above_next);
            visit(above_next & game.man_hops(down), below_next);
        }
    }
}
