//! Quiescence: captures and huffs are followed to their end before a position is evaluated.

use damma_env::Capture;

use super::evaluation::FAULT;
use super::ordering::{Kind, kind};
use super::search::{At, MAX_HOPS, Search, WIN};

/// No turn is looked at that begins after so many hops and huffs.
const MAX_TAKEN: u32 = 8;

impl Search<'_> {
    /// Values a position by captures and huffs alone, after `taken` of them.
    ///
    /// Where captures bind, they are all that is searched while there are any. Under the huff
    /// rule the decider may decline; declining a capture costs the piece that failed its duty.
    pub(super) fn quiesce(&mut self, at: At, taken: u32, mut alpha: i32, beta: i32) -> i32 {
        if self.is_stopped() {
            return 0;
        }
        let position = self.state.position();
        let chaining = position.chain().is_some();
        let mut best = -WIN;
        if !chaining {
            let captures = position.can_capture(self.game);
            let quiet = self.evaluation.evaluate(position);
            let forced = self.game.ruleset().capture == Capture::Forced;
            if taken >= MAX_TAKEN || !captures && position.at_fault().is_empty() {
                return quiet;
            }
            if !forced {
                best = if captures { quiet - FAULT } else { quiet };
                if best >= beta {
                    return best;
                }
                alpha = alpha.max(best);
            }
        }
        let mut picker = self.take_picker(at);
        let mut width = picker.fill(self.game, self.state.position());
        if !chaining {
            let (game, position) = (self.game, self.state.position());
            width = picker.retain(|&action| matches!(kind(game, position, action), Kind::Takes { .. }));
        }
        if chaining && (at.hops() >= MAX_HOPS || taken >= MAX_TAKEN) {
            width = 1;
        }
        self.order(&mut picker, at, None);
        for action in picker.by_ref().take(width) {
            let value = self
                .follow(at, action, alpha, beta, |search, at, alpha, beta| search.quiesce(at, taken + 1, alpha, beta));
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta || self.is_stopped() {
                break;
            }
        }
        self.give_back(at, picker);
        best
    }
}
