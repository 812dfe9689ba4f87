//! What an engine remembers between commands, and what each command does.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use damma_env::{Game, Outcome, State};
use damma_eval::parse_turns;

use super::go::Limits;
use super::output::{Answer, say};
use super::search::{Brain, first_turn};
use super::settings::Settings;

/// A conversation.
pub struct Session {
    settings: Settings,
    /// Whether the options have changed since the game and the player were made.
    changed: bool,
    game: Arc<Game>,
    brain: Arc<Brain>,
    state: State,
    /// The answer to the last `go`.
    answer: Option<Answer>,
}

impl Session {
    /// Begins at the start of the game that the settings mean.
    ///
    /// # Errors
    /// The settings do not fit together.
    pub fn new(settings: Settings) -> anyhow::Result<Self> {
        let (game, brain) = settings.build()?;
        let state = State::new(&game);
        Ok(Self { settings, changed: false, game, brain, state, answer: None })
    }

    /// Obeys a command; words that are not known are passed over. Breaks at `quit`.
    ///
    /// # Errors
    /// The output is closed.
    pub fn hear(&mut self, line: &str) -> io::Result<ControlFlow<()>> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { return Ok(ControlFlow::Continue(())) };
        let done = match command {
            "quit" => return Ok(ControlFlow::Break(())),
            "ugi" => self.introduce().map(Ok)?,
            "isready" => {
                let ready = self.refresh();
                complain(ready)?;
                say("readyok")?;
                Ok(())
            }
            "setoption" => self.set_option(line),
            "uginewgame" => self.refresh().map(|()| self.state = State::new(&self.game)),
            "position" => self.set_position(rest),
            "go" => {
                self.stop()?;
                self.go(rest)
            }
            "stop" => self.stop().map(Ok)?,
            "query" => {
                let ready = self.refresh();
                self.query(rest)?;
                ready
            }
            _ => Ok(()),
        };
        complain(done)?;
        Ok(ControlFlow::Continue(()))
    }

    /// Has the search in hand answer now.
    ///
    /// # Errors
    /// The output is closed.
    pub fn stop(&mut self) -> io::Result<()> {
        self.answer.take().map_or(Ok(()), |answer| answer.give())
    }

    fn introduce(&self) -> io::Result<()> {
        say(concat!("id name Damma ", env!("CARGO_PKG_VERSION")))?;
        say("id author the Damma authors")?;
        self.settings.lines().iter().try_for_each(|line| say(line))?;
        say("ugiok")
    }

    fn set_option(&mut self, line: &str) -> anyhow::Result<()> {
        let (_, rest) = line.split_once("name").context("write setoption name NAME value VALUE")?;
        let (name, value) = rest.split_once(" value ").context("write setoption name NAME value VALUE")?;
        self.settings.set(name.trim(), value.trim())?;
        self.changed = true;
        Ok(())
    }

    /// Makes the game and the player anew where an option has changed.
    fn refresh(&mut self) -> anyhow::Result<()> {
        if self.changed {
            let (game, brain) = self.settings.build()?;
            if game.ruleset() != self.game.ruleset() {
                self.state = State::new(&game);
                self.game = game;
            }
            self.brain = brain;
            self.changed = false;
        }
        Ok(())
    }

    /// Takes `startpos` or `fen F`, with or without `moves T...`.
    fn set_position(&mut self, words: &[&str]) -> anyhow::Result<()> {
        self.refresh()?;
        let place = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let (placed, turns) = words.split_at(place);
        let start = match placed.split_first() {
            Some((&"startpos", [])) => self.game.start(),
            Some((&"fen", fields)) => self.game.parse_fen(&fields.join(" "))?,
            _ => anyhow::bail!("write position startpos or position fen FIELDS, then moves TURN ..."),
        };
        let actions = parse_turns(&self.game, &start, turns.iter().skip(1).copied())?;
        let mut state = State::from_position(&self.game, start);
        for action in actions {
            state.try_play(&self.game, action).context("the game is over before the last of the moves")?;
        }
        self.state = state;
        Ok(())
    }

    /// Starts a search on a thread of its own, and one that answers when the time is over.
    fn go(&mut self, words: &[&str]) -> anyhow::Result<()> {
        let begun = Instant::now();
        if let Err(error) = self.refresh() {
            // Said first: a runner that has its answer may read no further.
            complain(Err(error))?;
            say("bestmove none")?;
            return Ok(());
        }
        if self.state.outcome().is_some() {
            say("bestmove none")?;
            return Ok(());
        }
        let limits = Limits::parse(words, self.is_first());
        let (turn, only) = first_turn(&self.game, &self.state);
        let answer = Answer::new(turn);
        if only && !limits.infinite {
            answer.give()?;
            return Ok(());
        }
        let (game, brain, state, own) = (self.game.clone(), self.brain.clone(), self.state.clone(), answer.clone());
        // Left to end alone after `stop`: the answer is given once, whoever comes first.
        std::thread::spawn(move || {
            brain.think(&game, &state, limits, &own, begun);
            if !limits.infinite {
                let _ = own.give();
            }
        });
        if let Some(time) = limits.time.filter(|_| !limits.infinite) {
            let own = answer.clone();
            std::thread::spawn(move || own.give_at(begun + time));
        }
        self.answer = Some(answer);
        Ok(())
    }

    fn query(&mut self, words: &[&str]) -> io::Result<()> {
        let outcome = self.state.outcome();
        let first = self.game.ruleset().first;
        match words {
            ["gameover"] => say(&format!("response {}", outcome.is_some())),
            ["p1turn"] => say(&format!("response {}", self.is_first())),
            ["result"] => say(match outcome {
                None => "response none",
                Some(Outcome::Win { winner, .. }) if winner == first => "response p1win",
                Some(Outcome::Win { .. }) => "response p2win",
                Some(Outcome::Draw(_) | Outcome::Truncated) => "response draw",
            }),
            _ => Ok(()),
        }
    }

    /// Says whether the player who has the first turn of a game decides.
    fn is_first(&self) -> bool {
        self.state.position().side() == self.game.ruleset().first
    }
}

/// Says what was wrong with a command.
fn complain(done: anyhow::Result<()>) -> io::Result<()> {
    done.or_else(|error| say(&format!("info string error: {error:#}").replace('\n', " ")))
}
