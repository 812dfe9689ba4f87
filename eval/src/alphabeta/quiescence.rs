//! Quiescence: captures, huffs and promotions are followed to their end before a position is
//! evaluated.

use damma_env::{Bitboard, Capture, King};

use super::ordering::{Kind, kind};
use super::search::{At, MAX_HOPS, Search, WIN};

/// No turn is looked at that begins after so many hops, huffs and promotions.
pub(super) const MAX_TAKEN: u32 = 8;

impl Search<'_> {
    /// Values a position by captures, huffs and promotions alone, after `taken` of them.
    ///
    /// Where captures bind, they are all that is searched while there are any. Under the huff
    /// rule the decider may decline; declining a capture costs the piece that failed its duty.
    pub(super) fn quiesce(&mut self, at: At, taken: u32, mut alpha: i32, beta: i32) -> i32 {
        if self.is_stopped() {
            return 0;
        }
        if self.state.position().chain().is_some() {
            return self.quiesce_chain(at, taken, alpha, beta);
        }
        let mut best = -WIN;
        let captures = self.state.position().can_capture(self.game);
        let forced = captures && self.game.ruleset().capture == Capture::Forced;
        if taken >= MAX_TAKEN || !forced {
            best = self.evaluate();
            if taken >= MAX_TAKEN || !captures && !self.may_huff() && !self.may_promote() {
                return best;
            }
            if captures {
                best -= self.evaluation.fault();
            }
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let mut picker = self.take_picker(at);
        let (game, position) = (self.game, self.state.position());
        if captures || self.may_huff() {
            picker.fill_captures(game, position);
        } else {
            picker.fill(game, position);
            picker.retain(|&action| kind(game, position, action) == Kind::Step { promotes: true });
        }
        self.order(&mut picker, at, None);
        for action in picker.by_ref() {
            let value = self.quiet_action(at, action, taken, alpha, beta);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta || self.is_stopped() {
                break;
            }
        }
        self.give_back(at, picker);
        best
    }

    /// Values a position whose chain goes on.
    fn quiesce_chain(&mut self, at: At, taken: u32, mut alpha: i32, beta: i32) -> i32 {
        let mut picker = self.take_picker(at);
        let count = picker.fill(self.game, self.state.position());
        let width = if at.hops() >= MAX_HOPS || taken >= MAX_TAKEN { 1 } else { count };
        self.order(&mut picker, at, None);
        let mut best = -WIN;
        for action in picker.by_ref().take(width) {
            let value = self.quiet_action(at, action, taken, alpha, beta);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta || self.is_stopped() {
                break;
            }
        }
        self.give_back(at, picker);
        best
    }

    fn quiet_action(&mut self, at: At, action: damma_env::Action, taken: u32, alpha: i32, beta: i32) -> i32 {
        self.follow(at, action, alpha, beta, |search, at, alpha, beta| search.quiesce(at, taken + 1, alpha, beta))
    }

    fn may_huff(&self) -> bool {
        !self.state.position().at_fault().is_empty()
    }

    /// Says whether a man of the decider stands next to the far rank.
    fn may_promote(&self) -> bool {
        let position = self.state.position();
        let men: Bitboard = position.own().without(position.kings());
        self.game.ruleset().king != King::None && !(men & self.near_promotion).is_empty()
    }
}
