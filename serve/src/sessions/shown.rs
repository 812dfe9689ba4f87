//! How a session is shown: to clients, and as PDN.

use damma_env::{PdnResult, Side};
use damma_eval::turn_words;

use super::clock::place;
use super::messages::{Scores, SeriesView, SessionView};
use super::seat::Seat;
use super::session::Session;
use crate::picture;
use crate::view::{Ended, Places};

impl Session {
    /// Shows the session.
    #[must_use]
    pub fn view(&self, thinking: bool, now: u64) -> SessionView {
        let (game, record) = (&*self.game, &self.record);
        let places = Places::new(game);
        let mut view = places.view(&self.line.state);
        let outcome = self.ended();
        if outcome.is_some() {
            view.actions.clear();
        }
        let persons: Vec<Side> = [Side::White, Side::Black]
            .into_iter()
            .filter(|side| matches!(self.seat(*side), Seat::Human { .. }))
            .collect();
        let points = |side: Side| f64::from(record.seats[place(side)].points) / 2.0;
        SessionView {
            id: record.id.clone(),
            version: record.version,
            game: record.game.clone(),
            white: self.seat(Side::White).clone(),
            black: self.seat(Side::Black).clone(),
            start: game.position_text(&self.line.start),
            status: self.status(),
            ply: self.line.actions.len() as u32,
            turns: turn_words(game, &self.line.start, &self.line.actions),
            last: places.last(&self.line.start, &self.line.actions),
            view,
            outcome,
            thinking,
            draw_offer: record.draw_offer.map(Into::into),
            undo_offer: record.undo_offer.map(Into::into),
            undo_ply: self.undo_ply(&persons).filter(|_| record.settled.is_none()),
            clock: record.clock.map(|clock| clock.view(self.side(), now)),
            series: SeriesView {
                length: record.series[0],
                number: record.series[1],
                swapped: record.swapped,
                scores: Scores { white: points(Side::White), black: points(Side::Black) },
            },
        }
    }

    /// Writes the game as PDN.
    #[must_use]
    pub fn pdn(&self) -> String {
        let result = match &self.record.settled {
            None => PdnResult::of(&self.game, self.line.state.outcome()),
            Some(Ended { winner: Some(winner), .. }) => PdnResult::won(&self.game, (*winner).into()),
            Some(Ended { winner: None, .. }) => PdnResult::Draw,
        };
        let seats = [("White", Side::White), ("Black", Side::Black)];
        let mut tags: Vec<(String, String)> =
            seats.map(|(tag, side)| (tag.to_owned(), self.seat(side).name())).into_iter().collect();
        tags.push(("Event".to_owned(), "Damma".to_owned()));
        tags.push(("Round".to_owned(), self.record.series[1].to_string()));
        if let Some(Ended { cause, .. }) = self.ended() {
            tags.push(("Termination".to_owned(), cause));
        }
        self.game.record_pdn(&self.line.start, &self.line.actions, result, &tags).to_string()
    }

    /// Writes the whole series as PDN.
    #[must_use]
    pub fn series_pdn(&self) -> String {
        let games = self.record.earlier.iter().cloned().chain([self.pdn()]);
        games.collect::<Vec<_>>().join("\n")
    }

    /// Draws the board.
    #[must_use]
    pub fn picture(&self) -> String {
        let position = self.line.state.position();
        let on_board = position.winner(&self.game).is_some();
        let status = match self.ended().filter(|_| !on_board) {
            None => picture::status(&self.game, position),
            Some(Ended { winner, cause }) => {
                let cause = cause.replace('_', " ");
                winner.map_or_else(
                    || format!("no winner: {cause}"),
                    |winner| format!("{} has won: {cause}", Side::from(winner)),
                )
            }
        };
        let (white, black) = (self.seat(Side::White).name(), self.seat(Side::Black).name());
        picture::drawn(&self.game, position, &format!("{white} - {black}"), &status)
    }
}
