//! The board symmetries that a ruleset really has.

use crate::action::{Action, ActionKind, Direction};
use crate::bitboard::{Bitboard, Square};
use crate::geometry::Game;
use crate::position::Position;
use crate::ruleset::{King, ManCaptures, ManSteps};

/// A way to turn or mirror the board that leaves the rules as they are.
///
/// Left-right mirroring where the lines allow it; all that the lines allow where the game knows
/// no forward (men step and capture every way and there is nothing to be promoted to).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symmetry {
    squares: Vec<Square>,
    actions: Vec<Action>,
}

impl Symmetry {
    /// Lists the symmetries of a game, the identity first.
    #[must_use]
    pub fn all(game: &Game) -> Vec<Self> {
        (0..8).filter_map(|element| Self::new(game, element)).collect()
    }

    /// Builds the element of the square's group: bit 0 mirrors files, bit 1 ranks, bit 2 swaps both.
    fn new(game: &Game, element: u8) -> Option<Self> {
        let last = game.size() as u8 - 1;
        let turn = |(file, rank): (u8, u8)| {
            let file = if element & 1 == 0 { file } else { last - file };
            let rank = if element & 2 == 0 { rank } else { last - rank };
            if element & 4 == 0 { (file, rank) } else { (rank, file) }
        };
        let ruleset = game.ruleset();
        let oriented = ruleset.king != King::None
            || ruleset.man_steps == ManSteps::Forward
            || ruleset.man_captures != ManCaptures::All;
        if oriented && element & 6 != 0 {
            return None;
        }
        let mut squares: Vec<Square> = (0..128).map(Square).collect();
        for square in game.squares() {
            let (file, rank) = turn(game.coordinates(square));
            squares[square.index()] = game.square_at(file, rank)?;
        }
        let lines_kept = game.squares().into_iter().all(|square| {
            Direction::ALL.into_iter().filter(|&direction| game.origins(direction, 1).contains(square)).all(
                |direction| {
                    let image = squares[square.index()];
                    let next = squares[square.offset(game.offset(direction)).index()];
                    game.move_between(image, next).is_some()
                },
            )
        });
        if !lines_kept {
            return None;
        }
        let actions = (0..game.action_count())
            .map(|number| match game.action_kind(Action(number as u16))? {
                ActionKind::Move { from, to, .. } => game.move_between(squares[from.index()], squares[to.index()]),
                ActionKind::Huff { victim } => game.huff_of(squares[victim.index()]),
                ActionKind::Stop => game.stop(),
            })
            .collect::<Option<_>>()?;
        Some(Self { squares, actions })
    }

    /// Turns a square.
    #[must_use]
    pub fn square(&self, square: Square) -> Square {
        self.squares[square.index()]
    }

    /// Turns an action.
    #[must_use]
    pub fn action(&self, action: Action) -> Action {
        self.actions[action.index()]
    }

    /// Turns a set of squares.
    #[must_use]
    pub fn set(&self, set: Bitboard) -> Bitboard {
        set.into_iter().map(|square| self.square(square)).collect()
    }

    /// Turns a position; whose decision it is and the counters stay.
    #[must_use]
    pub fn position(&self, game: &Game, position: &Position) -> Position {
        let mut turned = Position {
            us: self.set(position.us),
            them: self.set(position.them),
            kings: self.set(position.kings),
            waiting: self.set(position.waiting),
            fault: self.set(position.fault),
            chain: position.chain.map(|square| self.square(square)),
            ..*position
        };
        turned.key = turned.full_key(game.zobrist());
        turned
    }
}
