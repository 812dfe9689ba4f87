//! Legal actions of a position.
//!
//! Men and short kings are generated for all pieces at once by shifts; flying kings walk their
//! lines. Captures are generated hop by hop, never as whole turns: the number of hop sequences
//! in one turn can pass a million.

mod longest;

use crate::action::{Action, Direction};
use crate::bitboard::{Bitboard, Square};
use crate::geometry::Game;
use crate::position::Position;
use crate::ruleset::{Capture, King, KingLanding, Priority, Promotion};

/// One jump over one enemy piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hop {
    pub(crate) direction: Direction,
    pub(crate) distance: u8,
    pub(crate) to: Square,
    pub(crate) victim: Square,
}

/// A capturing piece and what it meets on the board without itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hopper {
    pub(crate) at: Square,
    pub(crate) king: bool,
    pub(crate) occupied: Bitboard,
    pub(crate) targets: Bitboard,
}

impl Hopper {
    /// Lists the piece's hops until `visit` answers `false`; says whether it never did.
    pub(crate) fn each_hop(&self, game: &Game, mut visit: impl FnMut(Hop) -> bool) -> bool {
        for direction in Direction::ALL {
            let going_on = if self.king && game.flying() {
                self.flying_hops(game, direction, &mut visit)
            } else {
                self.short_hop(game, direction).is_none_or(&mut visit)
            };
            if !going_on {
                return false;
            }
        }
        true
    }

    /// Says whether the piece has a hop.
    pub(crate) fn can_hop(&self, game: &Game) -> bool {
        !self.each_hop(game, |_| false)
    }

    /// Gives the piece after a hop.
    pub(crate) fn after(&self, game: &Game, hop: Hop) -> Self {
        let victim = hop.victim.bit();
        let promoted = game.ruleset().king != King::None
            && game.ruleset().promotion == Promotion::Immediate
            && game.far_rank().contains(hop.to);
        Self {
            at: hop.to,
            king: self.king || promoted,
            occupied: if game.removes_at_turn_end() { self.occupied } else { self.occupied.without(victim) },
            targets: self.targets.without(victim),
        }
    }

    fn short_hop(&self, game: &Game, direction: Direction) -> Option<Hop> {
        let origins = if self.king { game.origins(direction, 2) } else { game.man_hops(direction) };
        if !origins.contains(self.at) {
            return None;
        }
        let victim = self.at.offset(game.offset(direction));
        if !self.targets.contains(victim) {
            return None;
        }
        let to = victim.offset(game.offset(direction));
        (!self.occupied.contains(to)).then_some(Hop { direction, distance: 2, to, victim })
    }

    fn flying_hops(&self, game: &Game, direction: Direction, visit: &mut impl FnMut(Hop) -> bool) -> bool {
        let ray = game.rays().from(self.at)[direction.index()];
        let way = direction.open(ray, self.occupied);
        let met = direction.nearest(ray.without(way)) & self.targets;
        let Some(victim) = met.first() else {
            return true;
        };
        let landings = direction.open(game.rays().from(victim)[direction.index()], self.occupied);
        let count = match game.ruleset().king_landing {
            KingLanding::Any => landings.len(),
            KingLanding::Next => landings.len().min(1),
        };
        let mut distance = way.len() as u8 + 1;
        let mut to = victim;
        (0..count).all(|_| {
            distance += 1;
            to = to.offset(game.offset(direction));
            visit(Hop { direction, distance, to, victim })
        })
    }
}

impl Position {
    /// Lists the legal actions in ascending order; empty where the game is won or lost.
    ///
    /// Draws are not looked at: they depend on the history, see [`State`](crate::State).
    ///
    /// ```
    /// use damma_env::{Game, Ruleset};
    /// let game = Game::new(Ruleset::preset("zamma")?)?;
    /// assert_eq!(game.start().legal_actions(&game).len(), 3);
    /// # Ok::<(), damma_env::RulesetError>(())
    /// ```
    #[must_use]
    pub fn legal_actions(&self, game: &Game) -> Vec<Action> {
        let mut actions = Vec::new();
        self.legal_actions_into(game, &mut actions);
        actions
    }

    /// Puts the legal actions into `actions`, in ascending order, in place of what it held.
    pub fn legal_actions_into(&self, game: &Game, actions: &mut Vec<Action>) {
        actions.clear();
        self.each_action(game, |action| {
            actions.push(action);
            true
        });
        actions.sort_unstable();
    }

    /// Puts the legal hops and huffs into `actions`, in ascending order, in place of what it held.
    pub fn legal_captures_into(&self, game: &Game, actions: &mut Vec<Action>) {
        actions.clear();
        if self.us.is_empty() || self.them.is_empty() {
            return;
        }
        if game.ruleset().capture == Capture::Huff {
            actions.extend(self.fault.into_iter().filter_map(|victim| game.huff_of(victim)));
        }
        self.each_binding_hop(game, &mut |action| {
            actions.push(action);
            true
        });
        actions.sort_unstable();
    }

    /// Says whether an action is legal here.
    #[must_use]
    pub fn is_legal(&self, game: &Game, action: Action) -> bool {
        !self.each_action(game, |legal| legal != action)
    }

    /// Says whether the decider has any legal action.
    ///
    /// Cheaper than listing: whatever binds the choice, some hop or step stays legal.
    #[must_use]
    pub fn has_action(&self, game: &Game) -> bool {
        if self.us.is_empty() || self.them.is_empty() {
            return false;
        }
        self.chain.is_some()
            || !self.fault.is_empty()
            || !self.each_step(game, |_| false)
            || !self.each_hop(game, |_| false)
    }

    /// Says whether the decider can capture.
    #[must_use]
    pub fn can_capture(&self, game: &Game) -> bool {
        !self.each_hop(game, |_| false)
    }

    /// Visits the legal actions until `visit` answers `false`; says whether it never did.
    pub(crate) fn each_action(&self, game: &Game, mut visit: impl FnMut(Action) -> bool) -> bool {
        if self.us.is_empty() || self.them.is_empty() {
            return true;
        }
        let ruleset = game.ruleset();
        if self.chain.is_some() {
            let stop = if ruleset.capture == Capture::Huff { game.stop() } else { None };
            return self.each_binding_hop(game, &mut visit) && stop.is_none_or(visit);
        }
        match ruleset.capture {
            Capture::Forced => {
                let mut any = false;
                let going_on = self.each_binding_hop(game, &mut |action| {
                    any = true;
                    visit(action)
                });
                going_on && (any || self.each_step(game, visit))
            }
            Capture::Huff => {
                self.fault.into_iter().all(|victim| game.huff_of(victim).is_none_or(&mut visit))
                    && self.each_hop(game, &mut visit)
                    && self.each_step(game, visit)
            }
        }
    }

    fn each_binding_hop(&self, game: &Game, visit: &mut impl FnMut(Action) -> bool) -> bool {
        if game.ruleset().priority == Priority::Maximum && game.chains() {
            longest::first_hops(self, game, visit)
        } else {
            self.each_hop(game, visit)
        }
    }

    fn each_step(&self, game: &Game, mut visit: impl FnMut(Action) -> bool) -> bool {
        let occupied = self.occupied();
        let empty = game.squares().without(occupied);
        let kings = self.us & self.kings;
        let (walkers, fliers) = if game.flying() { (Bitboard::EMPTY, kings) } else { (kings, Bitboard::EMPTY) };
        let men = self.us.without(kings);
        for direction in Direction::ALL {
            let offset = game.offset(direction);
            let able = men & game.man_steps(direction) | walkers & game.origins(direction, 1);
            for from in able & empty.shift(-offset) {
                if !visit(game.move_number(direction, 1, from)) {
                    return false;
                }
            }
            for from in fliers {
                let mut at = from;
                let mut distance = 1;
                while game.origins(direction, 1).contains(at) {
                    at = at.offset(offset);
                    if occupied.contains(at) {
                        break;
                    }
                    if !visit(game.move_number(direction, distance, from)) {
                        return false;
                    }
                    distance += 1;
                }
            }
        }
        true
    }

    /// Visits every hop that the lines allow, whatever the priority.
    fn each_hop(&self, game: &Game, mut visit: impl FnMut(Action) -> bool) -> bool {
        if let Some(at) = self.chain {
            return self.hopper(at).each_hop(game, |hop| visit(game.move_number(hop.direction, hop.distance, at)));
        }
        let kings = self.us & self.kings;
        let (walkers, fliers) = if game.flying() { (Bitboard::EMPTY, kings) } else { (kings, Bitboard::EMPTY) };
        let men = self.us.without(kings);
        for direction in Direction::ALL {
            for from in self.short_hoppers(game, direction, men, walkers) {
                if !visit(game.move_number(direction, 2, from)) {
                    return false;
                }
            }
        }
        fliers.into_iter().all(|from| {
            self.hopper(from).each_hop(game, |hop| visit(game.move_number(hop.direction, hop.distance, from)))
        })
    }

    /// Gives the other player's pieces that could capture if the turn passed as the board stands,
    /// from the decider's view.
    #[must_use]
    pub fn threats(&self, game: &Game) -> Bitboard {
        let (us, them, kings) = (game.flip(self.them), game.flip(self.us), game.flip(self.kings));
        game.flip(Self { us, them, kings, ..Self::empty(self.side.opponent()) }.capturers(game))
    }

    /// Gives the decider's pieces that could capture now: the duty of the huff rule.
    pub(crate) fn capturers(&self, game: &Game) -> Bitboard {
        let kings = self.us & self.kings;
        let (walkers, fliers) = if game.flying() { (Bitboard::EMPTY, kings) } else { (kings, Bitboard::EMPTY) };
        let men = self.us.without(kings);
        let short = Direction::ALL
            .into_iter()
            .fold(Bitboard::EMPTY, |set, direction| set | self.short_hoppers(game, direction, men, walkers));
        fliers.into_iter().filter(|&from| self.hopper(from).can_hop(game)).fold(short, |set, from| set | from.bit())
    }

    fn short_hoppers(&self, game: &Game, direction: Direction, men: Bitboard, kings: Bitboard) -> Bitboard {
        let offset = game.offset(direction);
        let able = men & game.man_hops(direction) | kings & game.origins(direction, 2);
        let targets = self.them.without(self.waiting).shift(-offset);
        let landings = game.squares().without(self.occupied()).shift(-offset).shift(-offset);
        able & targets & landings
    }

    /// Gives the piece on `from` as one that captures.
    pub(crate) fn hopper(&self, from: Square) -> Hopper {
        Hopper {
            at: from,
            king: self.kings.contains(from),
            occupied: self.occupied().without(from.bit()),
            targets: self.them.without(self.waiting),
        }
    }
}
