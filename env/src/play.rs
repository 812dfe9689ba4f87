//! Playing an action: from one position to the next.

use crate::action::{Action, ActionKind};
use crate::bitboard::{Bitboard, Square};
use crate::geometry::{Game, Kind};
use crate::movegen::Hop;
use crate::outcome::{Side, WinCause};
use crate::position::Position;
use crate::ruleset::{Capture, King, ManSteps, Promotion};

impl Position {
    /// Gives the position after a legal action.
    ///
    /// The caller has taken `action` from the legal ones; [`State::try_play`](crate::State::try_play)
    /// checks.
    ///
    /// # Panics
    /// `action` is not one of the game's numbers. In debug builds, `action` is not legal.
    #[must_use]
    pub fn play(&self, game: &Game, action: Action) -> Self {
        debug_assert!(self.is_legal(game, action), "{action:?} is not legal in {self:?}");
        let mut next = *self;
        match game.action_kind(action).expect("actions come from the game's own numbers") {
            ActionKind::Huff { victim } => {
                next.clear_fault(game);
                next.remove_enemies(game, victim.bit());
                next.huffed = true;
            }
            ActionKind::Stop => {
                let stopped = next.chain.expect("only a chain can be stopped").bit();
                next.end_chain(game);
                next.end_turn(game, true, stopped);
            }
            ActionKind::Move { from, to, direction, distance, between } => match (between & self.them).first() {
                Some(victim) => next.hop(game, from, Hop { direction, distance, to, victim }),
                None => next.step(game, from, to),
            },
        }
        debug_assert_eq!(next.key, next.full_key(game.zobrist()));
        next
    }

    /// Says who has won, by pieces or by blockage; draws depend on the history.
    #[must_use]
    pub fn winner(&self, game: &Game) -> Option<(Side, WinCause)> {
        if self.them.is_empty() {
            Some((self.side, WinCause::NoPieces))
        } else if self.us.is_empty() {
            Some((self.side.opponent(), WinCause::NoPieces))
        } else if !self.has_action(game) {
            Some((self.side.opponent(), WinCause::Blocked))
        } else {
            None
        }
    }

    fn step(&mut self, game: &Game, from: Square, to: Square) {
        let ruleset = game.ruleset();
        let mut fault = match ruleset.capture {
            Capture::Huff => self.capturers(game),
            Capture::Forced => Bitboard::EMPTY,
        };
        if fault.contains(from) {
            fault = fault.without(from.bit()) | to.bit();
        }
        let man = !self.kings.contains(from);
        self.clear_fault(game);
        self.relocate(game, from, to);
        let promoted = self.promote(game, to);
        let irreversible = man && ruleset.man_steps == ManSteps::Forward;
        self.end_turn(game, promoted || irreversible, fault);
    }

    fn hop(&mut self, game: &Game, from: Square, hop: Hop) {
        let after = self.hopper(from).after(game, hop);
        self.clear_fault(game);
        self.relocate(game, from, hop.to);
        if game.removes_at_turn_end() {
            self.waiting |= hop.victim.bit();
            self.key ^= game.zobrist().waiting(self.side, hop.victim.bit());
        } else {
            self.remove_enemies(game, hop.victim.bit());
        }
        if game.ruleset().promotion == Promotion::Immediate {
            self.promote(game, hop.to);
        }
        self.set_chain(game, Some(hop.to));
        if !game.chains() || !after.can_hop(game) {
            self.end_chain(game);
            self.end_turn(game, true, Bitboard::EMPTY);
        }
    }

    /// Takes the waiting pieces off, and promotes the chaining piece where it stands.
    fn end_chain(&mut self, game: &Game) {
        let waiting = self.waiting;
        self.key ^= game.zobrist().waiting(self.side, waiting);
        self.waiting = Bitboard::EMPTY;
        self.remove_enemies(game, waiting);
        if let Some(at) = self.chain {
            self.promote(game, at);
        }
        self.set_chain(game, None);
    }

    /// Passes the turn. `fault` are the mover's pieces that the opponent may huff.
    fn end_turn(&mut self, game: &Game, progress: bool, fault: Bitboard) {
        self.quiet_turns = if progress || self.huffed { 0 } else { self.quiet_turns.saturating_add(1) };
        self.huffed = false;
        self.side = self.side.opponent();
        (self.us, self.them) = (game.flip(self.them), game.flip(self.us));
        self.kings = game.flip(self.kings);
        self.fault = game.flip(fault);
        self.key ^= game.zobrist().side() ^ game.zobrist().fault(self.side, self.fault);
    }

    fn clear_fault(&mut self, game: &Game) {
        self.key ^= game.zobrist().fault(self.side, self.fault);
        self.fault = Bitboard::EMPTY;
    }

    fn set_chain(&mut self, game: &Game, chain: Option<Square>) {
        for square in [self.chain, chain].into_iter().flatten() {
            self.key ^= game.zobrist().chain(self.side, square);
        }
        self.chain = chain;
    }

    fn relocate(&mut self, game: &Game, from: Square, to: Square) {
        let both = from.bit() | to.bit();
        let is_king = self.kings.contains(from);
        let kind = if is_king { Kind::OwnKing } else { Kind::OwnMan };
        self.key ^= game.zobrist().piece(self.side, kind, from) ^ game.zobrist().piece(self.side, kind, to);
        self.us ^= both;
        if is_king {
            self.kings ^= both;
        }
    }

    fn remove_enemies(&mut self, game: &Game, squares: Bitboard) {
        for square in squares {
            let kind = if self.kings.contains(square) { Kind::EnemyKing } else { Kind::EnemyMan };
            self.key ^= game.zobrist().piece(self.side, kind, square);
        }
        self.them = self.them.without(squares);
        self.kings = self.kings.without(squares);
    }

    /// Makes a man on the far rank a king; says whether it did.
    fn promote(&mut self, game: &Game, square: Square) -> bool {
        let due = game.ruleset().king != King::None && game.far_rank().contains(square) && !self.kings.contains(square);
        if due {
            self.kings |= square.bit();
            let zobrist = game.zobrist();
            self.key ^=
                zobrist.piece(self.side, Kind::OwnMan, square) ^ zobrist.piece(self.side, Kind::OwnKing, square);
        }
        due
    }
}
