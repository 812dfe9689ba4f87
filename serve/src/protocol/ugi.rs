//! UGI, the universal game interface: what each command does.

use std::io;

use damma_env::{Outcome, State};
use damma_eval::parse_turns;

use super::error::EngineError;
use super::go::Limits;
use super::session::Session;

impl Session {
    /// Obeys a command; words that are not known are passed over.
    ///
    /// # Errors
    /// The output is closed.
    pub fn hear_ugi(&mut self, command: &str, rest: &[&str], line: &str) -> io::Result<()> {
        let done = match command {
            "ugi" => self.introduce().map(Ok)?,
            "isready" => {
                let ready = self.refresh();
                self.complain(ready)?;
                self.output.say("readyok")?;
                Ok(())
            }
            "setoption" => self.set_option(line),
            "uginewgame" => self.refresh().map(|()| self.state = State::new(&self.game)),
            "position" => self.set_position(rest),
            "go" => {
                self.stop()?;
                self.go_ugi(rest)?;
                Ok(())
            }
            "stop" => self.stop().map(Ok)?,
            "query" => {
                let ready = self.refresh();
                self.query(rest)?;
                ready
            }
            _ => Ok(()),
        };
        self.complain(done)
    }

    fn introduce(&self) -> io::Result<()> {
        self.output.say(concat!("id name Damma ", env!("CARGO_PKG_VERSION")))?;
        self.output.say("id author the Damma authors")?;
        self.settings.lines().iter().try_for_each(|line| self.output.say(line))?;
        self.output.say("ugiok")
    }

    fn set_option(&mut self, line: &str) -> Result<(), EngineError> {
        let form = || EngineError::Form("setoption name NAME value VALUE");
        let (_, rest) = line.split_once("name").ok_or_else(form)?;
        let (name, value) = rest.split_once(" value ").ok_or_else(form)?;
        self.settings.set(name.trim(), value.trim())?;
        self.changed = true;
        Ok(())
    }

    /// Takes `startpos` or `fen F`, with or without `moves T...`.
    fn set_position(&mut self, words: &[&str]) -> Result<(), EngineError> {
        self.refresh()?;
        let place = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let (placed, turns) = words.split_at(place);
        let start = match placed.split_first() {
            Some((&"startpos", [])) => self.game.start(),
            Some((&"fen", fields)) => self.game.parse_fen(&fields.join(" "))?,
            _ => return Err(EngineError::Form("position startpos or position fen FIELDS, then moves TURN ...")),
        };
        let actions = parse_turns(&self.game, &start, turns.iter().skip(1).copied())?;
        self.set_line(start, &actions)
    }

    fn go_ugi(&mut self, words: &[&str]) -> io::Result<()> {
        if let Err(error) = self.refresh() {
            // Said first: a runner that has its answer may read no further.
            self.complain(Err(error))?;
            return self.output.say("bestmove none");
        }
        if self.state.outcome().is_some() {
            return self.output.say("bestmove none");
        }
        self.go(Limits::parse(words, self.is_first()))
    }

    fn query(&mut self, words: &[&str]) -> io::Result<()> {
        let outcome = self.state.outcome();
        let first = self.game.ruleset().first;
        match words {
            ["gameover"] => self.output.say(&format!("response {}", outcome.is_some())),
            ["p1turn"] => self.output.say(&format!("response {}", self.is_first())),
            ["result"] => self.output.say(match outcome {
                None => "response none",
                Some(Outcome::Win { winner, .. }) if winner == first => "response p1win",
                Some(Outcome::Win { .. }) => "response p2win",
                Some(Outcome::Draw(_) | Outcome::Truncated) => "response draw",
            }),
            _ => Ok(()),
        }
    }

    /// Says what was wrong with a command.
    fn complain(&self, done: Result<(), EngineError>) -> io::Result<()> {
        done.or_else(|error| self.output.say(&format!("info string error: {error}").replace('\n', " ")))
    }
}
