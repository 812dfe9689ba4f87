//! Steps taken back: from where a player who has just stepped can have come.

use super::ranking::Placement;
use crate::action::Direction;
use crate::bitboard::{Bitboard, Square};
use crate::geometry::Game;
use crate::ruleset::King;

/// Visits what stood before, from the view of the player who stepped, for every step within the
/// class that leads to `after`; there `after` is from the view of the player to whom the turn passed.
///
/// Whether the step was legal is for the caller to know: where captures are forced it was not if
/// there was one. Promotions come from another class.
pub(super) fn each_step_back(game: &Game, after: &Placement, mut visit: impl FnMut(&Placement)) {
    let own = game.flip(after.enemy);
    let enemy = game.flip(after.own);
    let kings = game.flip(after.kings);
    let occupied = own | enemy;
    let empty = game.squares().without(occupied);
    let men = own.without(kings);
    let forbidden = if game.ruleset().king == King::None { Bitboard::EMPTY } else { game.far_rank() };
    let mut back = |from: Square, to: Square, king: bool| {
        let both = from.bit() | to.bit();
        let kings = if king { kings ^ both } else { kings };
        visit(&Placement { own: own ^ both, enemy, kings });
    };
    for direction in Direction::ALL {
        let offset = game.offset(direction);
        let origins = game.man_steps(direction) & empty.without(forbidden) & men.shift(-offset);
        for from in origins {
            back(from, from.offset(offset), false);
        }
    }
    for to in own & kings {
        for (direction, &ray) in Direction::ALL.into_iter().zip(game.rays().from(to)) {
            let open = direction.open(ray, occupied);
            let origins = if game.flying() { open } else { direction.nearest(ray) & open };
            for from in origins {
                back(from, to, true);
            }
        }
    }
}
