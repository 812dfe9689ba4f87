//! Moves taken back: how far, when at once and when by consent.

use damma_env::Side;

use super::clock::place;
use super::seat::Seat;
use super::session::{Session, replayed};
use crate::problem::Problem;

impl Session {
    /// Takes back to the last decision of who asks: at once against a bot or oneself, or else by offer and consent.
    ///
    /// # Errors
    /// There is nothing to take back.
    pub fn undo(&mut self, sides: &[Side], now: u64) -> Result<(), Problem> {
        let by = self.record.undo_offer.filter(|by| sides.iter().any(|side| *side == by.opponent()));
        let wanted = by.map_or_else(|| sides.to_vec(), |by| vec![by]);
        let back = self.undo_ply(&wanted);
        let back =
            back.ok_or_else(|| Problem::conflict("nothing-to-undo", "there is no move of yours to take back"))?;
        if self.record.settled.is_some() {
            return Err(Problem::game_over());
        }
        let other = sides[0].opponent();
        let is_free = by.is_some() || sides.len() == 2 || !matches!(self.seat(other), Seat::Human { .. });
        if is_free {
            self.take_back(back, now)?;
        } else {
            self.record.undo_offer = Some(sides[0]);
        }
        self.record.version += 1;
        Ok(())
    }

    /// Finds the ply at which one of the sides decided last, before the turn in hand or within it.
    pub(super) fn undo_ply(&self, sides: &[Side]) -> Option<u32> {
        let mut now = self.line.start;
        let mut found = None;
        let mut turn_of = None;
        for (ply, action) in self.line.actions.iter().enumerate() {
            // The first action of a turn, unless that is the one in hand: then what was begun is taken back.
            if turn_of != Some(now.side()) && sides.contains(&now.side()) {
                found = Some(ply as u32);
            }
            turn_of = Some(now.side());
            now = now.play(&self.game, *action);
        }
        found
    }

    fn take_back(&mut self, ply: u32, now: u64) -> Result<(), Problem> {
        let was_over = self.line.state.outcome();
        let side = self.side();
        let record = &mut self.record;
        record.actions.truncate(ply as usize);
        (record.draw_offer, record.undo_offer) = (None, None);
        if let Some(outcome) = was_over {
            // The points of a game that goes on again are not made yet.
            record.is_counted = false;
            match outcome.winner() {
                Some(winner) => record.seats[place(winner)].points -= 2,
                None => record.seats.iter_mut().for_each(|taken| taken.points -= 1),
            }
        }
        if let Some(clock) = &mut record.clock {
            clock.press(side, false, now);
        }
        self.line = replayed(&self.game, &self.record)?;
        Ok(())
    }
}
