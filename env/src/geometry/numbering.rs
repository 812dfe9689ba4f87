//! The numbers of the actions, built from the ruleset.
//!
//! Order: moves by distance, direction and origin, then huffs by victim, then the stop. Only
//! what some piece of the game could ever do is numbered. Distance comes first so that whatever
//! men can do fills the first words of a mask, and only flying kings reach the others.

use super::Lattice;
use crate::action::{Action, ActionKind, Direction};
use crate::bitboard::{Bitboard, Square};
use crate::ruleset::{Capture, Chain, King, Ruleset};

const NONE: u16 = u16::MAX;
const MAX_DISTANCE: usize = 9;

#[derive(Debug)]
pub(crate) struct Numbering {
    kinds: Vec<ActionKind>,
    /// By direction, distance less one, origin.
    moves: Vec<[[u16; 128]; MAX_DISTANCE]>,
    huffs: Box<[u16; 128]>,
    stop: Option<Action>,
}

impl Numbering {
    pub(super) fn new(
        ruleset: &Ruleset,
        board: Lattice,
        squares: Bitboard,
        man_steps: &[Bitboard; 8],
        man_hops: &[Bitboard; 8],
        reach: &[[Bitboard; 2]; 8],
    ) -> Self {
        let mut numbering = Self {
            kinds: Vec::new(),
            moves: vec![[[NONE; 128]; MAX_DISTANCE]; 8],
            huffs: Box::new([NONE; 128]),
            stop: None,
        };
        for distance in 1..ruleset.size {
            for direction in Direction::ALL {
                let origins = match (ruleset.king, distance) {
                    (King::Flying, _) => squares,
                    (King::Short, 1 | 2) => reach[direction.index()][distance as usize - 1],
                    (King::None, 1) => man_steps[direction.index()],
                    (King::None, 2) => man_hops[direction.index()],
                    (King::Short | King::None, _) => Bitboard::EMPTY,
                };
                for (file, rank) in board.points() {
                    let from = board.square(file, rank);
                    let Some((to_file, to_rank)) = board.target(file, rank, direction, distance) else { continue };
                    if !origins.contains(from) {
                        continue;
                    }
                    let between = (1..distance)
                        .filter_map(|nearer| board.target(file, rank, direction, nearer))
                        .map(|(file, rank)| board.square(file, rank))
                        .collect();
                    let to = board.square(to_file, to_rank);
                    numbering.moves[direction.index()][distance as usize - 1][from.index()] =
                        numbering.push(ActionKind::Move { from, to, direction, distance, between }).0;
                }
            }
        }
        if ruleset.capture == Capture::Huff {
            for victim in squares {
                numbering.huffs[victim.index()] = numbering.push(ActionKind::Huff { victim }).0;
            }
            if ruleset.chain == Chain::Mandatory {
                numbering.stop = Some(numbering.push(ActionKind::Stop));
            }
        }
        numbering
    }

    fn push(&mut self, kind: ActionKind) -> Action {
        let number = u16::try_from(self.kinds.len()).expect("a 10x10 board has fewer than 4,000 actions");
        self.kinds.push(kind);
        Action(number)
    }

    pub(crate) const fn len(&self) -> usize {
        self.kinds.len()
    }

    pub(crate) fn kind(&self, action: Action) -> Option<ActionKind> {
        self.kinds.get(action.index()).copied()
    }

    pub(crate) fn move_number(&self, direction: Direction, distance: u8, from: Square) -> Action {
        Action(self.moves[direction.index()][distance as usize - 1][from.index()])
    }

    pub(crate) fn find_move(&self, direction: Direction, distance: u8, from: Square) -> Option<Action> {
        let number = self.move_number(direction, distance, from);
        (number.0 != NONE).then_some(number)
    }

    pub(crate) fn find_huff(&self, victim: Square) -> Option<Action> {
        let number = self.huffs[victim.index()];
        (number != NONE).then_some(Action(number))
    }

    pub(crate) const fn stop(&self) -> Option<Action> {
        self.stop
    }
}
