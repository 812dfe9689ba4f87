//! A game between two seats, and what each may do when.
//!
//! No async, no clock of its own, no files: time and random words come from outside, so that the
//! same commands at the same times give the same session.

use std::sync::Arc;
use std::time::Duration;

use damma_env::{Action, Game, Side};
use serde::{Deserialize, Serialize};

use super::clock::{Clock, place};
use super::messages::{Answer, Create, Status, Tokens};
use super::seat::{LONGEST_NAME, Seat, Taken, random_word};
use crate::problem::Problem;
use crate::spec::{GameSpec, Line};
use crate::thinker::share;
use crate::view::Ended;

/// Time that a bot takes for a turn however little its clock has.
const SHORTEST_TURN: Duration = Duration::from_millis(10);

/// The most games of a series.
const LONGEST_SERIES: u32 = 100;

/// What is kept of a session: enough to go on after a restart.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Its name.
    pub id: String,
    /// Grows with every change.
    pub version: u64,
    pub(super) game: GameSpec,
    /// White's seat and Black's.
    pub(super) seats: [Taken; 2],
    pub(super) position: Option<String>,
    /// The actions so far, by the game's numbers.
    pub(super) actions: Vec<u16>,
    /// How it ended, where the board does not say so.
    pub(super) settled: Option<Ended>,
    pub(super) draw_offer: Option<Side>,
    pub(super) undo_offer: Option<Side>,
    pub(super) clock: Option<Clock>,
    /// Games of the series at most, and the number of this one.
    pub(super) series: [u32; 2],
    /// Whether the seats are those of the other side in the first game.
    #[serde(default)]
    pub(super) swapped: bool,
    /// Whether this game is counted in the points.
    pub(super) is_counted: bool,
    /// Results of earlier games of the series, as PDN.
    pub(super) earlier: Vec<String>,
}

/// A session in memory.
#[derive(Clone)]
pub struct Session {
    /// What is kept.
    pub record: Record,
    /// The rules.
    pub game: Arc<Game>,
    /// The game so far.
    pub line: Line,
}

impl Session {
    /// Begins a session.
    ///
    /// # Errors
    /// A field is wrong.
    pub fn create(asked: Create) -> Result<(Self, Tokens), Problem> {
        let game = asked.game.game()?;
        let line = Line::begin(&game, asked.position.as_deref())?;
        if line.state.outcome().is_some() {
            return Err(Problem::invalid("position", "the game is over in this position"));
        }
        let length = asked.series.unwrap_or(1);
        if !(1..=LONGEST_SERIES).contains(&length) {
            return Err(Problem::invalid("series", format!("{length} is outside 1 to {LONGEST_SERIES}")));
        }
        for (field, seat) in [("white", &asked.white), ("black", &asked.black)] {
            check_name(field, seat)?;
        }
        let clock = asked.clock.map(Clock::new).transpose()?;
        let ((white, white_token), (black, black_token)) = (Taken::new(asked.white), Taken::new(asked.black));
        let record = Record {
            id: random_word(),
            version: 1,
            game: GameSpec::of(&game),
            seats: [white, black],
            position: asked.position,
            actions: Vec::new(),
            settled: None,
            draw_offer: None,
            undo_offer: None,
            clock,
            series: [length, 1],
            swapped: false,
            is_counted: false,
            earlier: Vec::new(),
        };
        Ok((Self { record, game, line }, Tokens { white: white_token, black: black_token }))
    }

    /// Takes up a session that was kept by a server that `started` at this millisecond of Unix time, or by one before.
    ///
    /// # Errors
    /// What was kept is not a game of these rules.
    pub fn restore(mut record: Record, started: u64) -> Result<Self, Problem> {
        let game = record.game.game()?;
        let line = replayed(&game, &record)?;
        if let Some(clock) = &mut record.clock {
            clock.go_on(started);
        }
        Ok(Self { record, game, line })
    }

    /// Says whose decision it is.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.line.state.position().side()
    }

    /// Gives who sits on a side.
    #[must_use]
    pub const fn seat(&self, side: Side) -> &Seat {
        &self.record.seats[place(side)].seat
    }

    /// Says how the game ended, if it has.
    #[must_use]
    pub fn ended(&self) -> Option<Ended> {
        self.record.settled.clone().or_else(|| self.line.state.outcome().map(Ended::from))
    }

    /// Says whether the game waits, goes on or is over.
    #[must_use]
    pub fn status(&self) -> Status {
        if self.ended().is_some() {
            Status::Over
        } else if self.record.seats.iter().any(|taken| taken.seat == Seat::Open {}) {
            Status::Waiting
        } else {
            Status::Playing
        }
    }

    /// Gives the bot that is to move.
    #[must_use]
    pub fn bot_to_move(&self) -> Option<&Seat> {
        let seat = self.seat(self.side());
        (self.status() == Status::Playing && matches!(seat, Seat::Bot { .. })).then_some(seat)
    }

    /// Gives the milliseconds after which the clock that runs is at its end.
    #[must_use]
    pub fn flag_in(&self, now: u64) -> Option<u64> {
        let clock = self.record.clock.as_ref().filter(|clock| clock.runs())?;
        Some(clock.left(self.side(), self.side(), now))
    }

    /// Gives the part of its clock's time that a bot may take for its turn.
    #[must_use]
    pub fn share_of_clock(&self, now: u64) -> Option<Duration> {
        let left = Duration::from_millis(self.flag_in(now)?);
        let increment = self.record.clock.as_ref().map(Clock::increment)?;
        Some(share(left, increment, None).max(SHORTEST_TURN))
    }

    /// Ends the game if the clock that runs is at its end; says whether it did.
    pub fn look_at_clock(&mut self, now: u64) -> bool {
        let is_out = self.status() == Status::Playing && self.flag_in(now) == Some(0);
        if is_out {
            self.settle(Some(self.side().opponent()), "time", now);
            self.record.version += 1;
        }
        is_out
    }

    /// Gives the sides that a token may act for.
    ///
    /// # Errors
    /// It is nobody's.
    pub fn sides_of(&self, token: &str) -> Result<Vec<Side>, Problem> {
        let sides: Vec<Side> = [Side::White, Side::Black]
            .into_iter()
            .filter(|side| self.record.seats[place(*side)].is_of(token))
            .collect();
        if sides.is_empty() {
            Err(Problem::forbidden("the token is that of no seat of this session"))
        } else {
            Ok(sides)
        }
    }

    /// Seats a person on an open side, and gives the token.
    ///
    /// # Errors
    /// The side is taken, or the name is too long.
    pub fn join(&mut self, side: Side, name: Option<String>) -> Result<String, Problem> {
        let seat = Seat::Human { name };
        check_name("name", &seat)?;
        if *self.seat(side) != (Seat::Open {}) {
            return Err(Problem::conflict("taken", format!("{side} is taken")));
        }
        let token;
        (self.record.seats[place(side)], token) = Taken::new(seat);
        self.record.version += 1;
        Ok(token.expect("a person has a token"))
    }

    /// Plays a person's move.
    ///
    /// # Errors
    /// It is not this person's turn, the ply is not the session's, or the move is not legal.
    pub fn play(&mut self, sides: &[Side], ply: u32, word: &str, now: u64) -> Result<(), Problem> {
        self.expect_playing()?;
        if ply as usize != self.line.actions.len() {
            let ours = self.line.actions.len();
            return Err(Problem::conflict("stale-ply", format!("the session is at ply {ours}, the move is for {ply}")));
        }
        if !sides.contains(&self.side()) {
            return Err(Problem::conflict("not-your-turn", format!("{} is to decide", self.side())));
        }
        let mut line = self.line.clone();
        line.play_word(&self.game, word)?;
        self.advance(line, now);
        Ok(())
    }

    /// Plays a bot's turn.
    pub fn play_bot(&mut self, turn: &[Action], now: u64) {
        let mut line = self.line.clone();
        for action in turn {
            line.state.play(&self.game, *action);
            line.actions.push(*action);
        }
        self.advance(line, now);
    }

    /// Gives the game up.
    ///
    /// # Errors
    /// The game is not going on.
    pub fn resign(&mut self, sides: &[Side], now: u64) -> Result<(), Problem> {
        self.expect_playing()?;
        // Who holds both sides resigns for the one to decide.
        let side = if sides.len() == 1 { sides[0] } else { self.side() };
        self.settle(Some(side.opponent()), "resigned", now);
        self.record.version += 1;
        Ok(())
    }

    /// Offers, accepts or declines a draw.
    ///
    /// # Errors
    /// The game is not going on, or there is no offer to answer.
    pub fn draw(&mut self, sides: &[Side], answer: Answer, now: u64) -> Result<(), Problem> {
        self.expect_playing()?;
        let offered_to = |offer: Option<Side>| offer.filter(|by| sides.iter().any(|side| *side == by.opponent()));
        let is_offered = offered_to(self.record.draw_offer).is_some();
        match answer {
            // Who offers what was offered agrees.
            Answer::Accept | Answer::Offer if is_offered => self.settle(None, "agreed", now),
            Answer::Decline if is_offered => self.record.draw_offer = None,
            Answer::Offer => self.record.draw_offer = Some(if sides.len() == 1 { sides[0] } else { self.side() }),
            Answer::Accept | Answer::Decline => {
                return Err(Problem::conflict("no-offer", "nobody has offered you a draw"));
            }
        }
        self.record.version += 1;
        Ok(())
    }

    /// Lets a bot answer a draw offer.
    pub fn answer_draw(&mut self, accepts: bool, now: u64) {
        if accepts {
            self.settle(None, "agreed", now);
        } else {
            self.record.draw_offer = None;
        }
        self.record.version += 1;
    }

    /// Begins the next game of a series: the winner takes White, after a draw the sides change.
    ///
    /// # Errors
    /// The game is not over, or the series is.
    pub fn next(&mut self) -> Result<(), Problem> {
        let Some(ended) = self.ended() else {
            return Err(Problem::conflict("not-over", "the game is not over"));
        };
        let [length, number] = self.record.series;
        if number >= length {
            return Err(Problem::conflict("series-over", format!("the series of {length} is over")));
        }
        self.record.earlier.push(self.pdn());
        if ended.winner.is_none_or(|winner| Side::from(winner) == Side::Black) {
            self.record.seats.swap(0, 1);
            self.record.swapped = !self.record.swapped;
        }
        self.line = Line::begin(&self.game, self.record.position.as_deref())?;
        let record = &mut self.record;
        record.actions.clear();
        (record.settled, record.draw_offer, record.undo_offer) = (None, None, None);
        record.clock = record.clock.map(Clock::afresh);
        record.series[1] = number + 1;
        record.is_counted = false;
        record.version += 1;
        Ok(())
    }

    /// Checks that the game of the series is the one that is meant.
    ///
    /// # Errors
    /// It is another one.
    pub fn expect_number(&self, number: Option<u32>) -> Result<(), Problem> {
        let ours = self.record.series[1];
        match number {
            Some(number) if number != ours => {
                let detail = format!("game {ours} of the series is played, the command is for game {number}");
                Err(Problem::conflict("another-game", detail))
            }
            _ => Ok(()),
        }
    }

    fn expect_playing(&self) -> Result<(), Problem> {
        match self.status() {
            Status::Playing => Ok(()),
            Status::Over => Err(Problem::game_over()),
            Status::Waiting => Err(Problem::conflict("waiting", "a seat is open: nobody has joined yet")),
        }
    }

    /// Takes a longer line; offers lapse with a move.
    fn advance(&mut self, line: Line, now: u64) {
        let side = self.side();
        self.record.actions = line.actions.iter().map(|action| action.0).collect();
        self.line = line;
        let turn_over = self.side() != side;
        if let Some(clock) = &mut self.record.clock {
            clock.press(side, turn_over, now);
        }
        self.record.undo_offer = None;
        // An offer holds while it can be answered: until who was offered has moved.
        self.record.draw_offer = self.record.draw_offer.filter(|by| *by == side);
        self.close(now);
        self.record.version += 1;
    }

    fn settle(&mut self, winner: Option<Side>, cause: &str, now: u64) {
        self.record.settled = Some(Ended { winner: winner.map(Into::into), cause: cause.to_owned() });
        self.close(now);
    }

    /// Stops clocks and counts points, once the game is over.
    fn close(&mut self, now: u64) {
        let Some(ended) = self.ended() else { return };
        let side = self.side();
        let record = &mut self.record;
        (record.draw_offer, record.undo_offer) = (None, None);
        if let Some(clock) = &mut record.clock {
            clock.stop(side, now);
        }
        if !record.is_counted {
            record.is_counted = true;
            match ended.winner.map(Side::from) {
                Some(winner) => record.seats[place(winner)].points += 2,
                None => record.seats.iter_mut().for_each(|taken| taken.points += 1),
            }
        }
    }
}

fn check_name(field: &str, seat: &Seat) -> Result<(), Problem> {
    match seat {
        Seat::Human { name: Some(name) }
            if name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) || name.trim().is_empty() =>
        {
            Err(Problem::invalid(field, format!("a name is 1 to {LONGEST_NAME} characters that can be printed")))
        }
        _ => Ok(()),
    }
}

pub(super) fn replayed(game: &Game, record: &Record) -> Result<Line, Problem> {
    let mut line = Line::begin(game, record.position.as_deref())?;
    for number in &record.actions {
        let action = Action(*number);
        let played = line.state.try_play(game, action);
        played.map_err(|error| Problem::storage(format!("session {}: {error}", record.id)))?;
        line.actions.push(action);
    }
    Ok(line)
}
