//! Hub, version 2, the protocol of the draughts field: what each command does.
//!
//! The reference is the text that comes with Fabien Letouzey's Scan 3 (protocol.txt).

use std::io;
use std::time::Duration;

use damma_env::{Outcome, Position, Side, State};

use super::error::EngineError;
use super::go::Limits;
use super::hub_move;
use super::session::Session;
use crate::thinker::share;

/// The longest time that is told apart from for ever, in seconds.
const LONGEST: f64 = 1e9;

impl Session {
    /// Obeys a command; what is not known is passed over.
    ///
    /// # Errors
    /// The output is closed.
    pub fn hear_hub(&mut self, command: &str, line: &str) -> io::Result<()> {
        let pairs = pairs(line);
        let done = match command {
            "hub" => self.introduce_hub().map(Ok)?,
            "init" => {
                let ready = self.refresh();
                self.object(ready)?;
                self.output.say("ready").map(Ok)?
            }
            "set-param" => self.set_param(&pairs),
            "new-game" => self.refresh().map(|()| self.state = State::new(&self.game)),
            "pos" => self.set_hub_position(&pairs),
            "level" => {
                self.limits = level(&pairs);
                Ok(())
            }
            "go" => {
                self.stop()?;
                let has = |word: &str| pairs.iter().any(|(name, _)| name == word);
                self.go_hub(has("analyze") || has("ponder"))
            }
            "ponder-hit" => {
                // The search begins again, now with the limits; what it knew is in nobody's way.
                self.forget();
                self.go_hub(false)
            }
            "ping" => self.output.say("pong").map(Ok)?,
            "stop" => self.stop().map(Ok)?,
            _ => Ok(()),
        };
        self.object(done)
    }

    fn introduce_hub(&self) -> io::Result<()> {
        self.output.say(concat!(
            "id name=Damma version=",
            env!("CARGO_PKG_VERSION"),
            " author=\"the Damma authors\""
        ))?;
        self.settings.params().iter().try_for_each(|line| self.output.say(line))?;
        self.output.say("wait")
    }

    fn set_param(&mut self, pairs: &[(String, String)]) -> Result<(), EngineError> {
        let form = || EngineError::Form("set-param name=NAME value=VALUE");
        let (name, value) = (value_of(pairs, "name").ok_or_else(form)?, value_of(pairs, "value").ok_or_else(form)?);
        self.settings.set(name, value)?;
        self.changed = true;
        Ok(())
    }

    /// Takes `start` or `pos=BOARD`, with or without `moves="M ..."`.
    fn set_hub_position(&mut self, pairs: &[(String, String)]) -> Result<(), EngineError> {
        self.refresh()?;
        let start = match value_of(pairs, "pos") {
            Some(text) => self.board(text)?,
            None => self.game.start(),
        };
        let (mut now, mut actions) = (start, Vec::new());
        for (index, word) in value_of(pairs, "moves").unwrap_or_default().split_whitespace().enumerate() {
            let wrong = || EngineError::Move { number: index + 1, word: format!("{word:.100}") };
            let turn = hub_move::parse(&self.game, &now, word).ok_or_else(wrong)?;
            now = turn.iter().fold(now, |now, action| now.play(&self.game, *action));
            actions.extend(turn);
        }
        self.set_line(start, &actions)
    }

    /// Reads a board: `W` or `B` for who decides, and a letter a square. White, to Hub, is who has the first turn of a
    /// game, whatever we call that player.
    fn board(&self, text: &str) -> Result<Position, EngineError> {
        let form = EngineError::Form("pos=W or B, then w, W, b, B or e for each square in turn");
        let squares = self.hub_squares();
        let mut letters = text.chars();
        let first = self.game.ruleset().first;
        let side = match letters.next() {
            Some('W') => first,
            Some('B') => first.opponent(),
            _ => return Err(form),
        };
        let letters: Vec<char> = letters.collect();
        if letters.len() != squares.len() || letters.iter().any(|letter| !"wWbBe".contains(*letter)) {
            return Err(form);
        }
        let rank_count = self.game.size();
        let mut rows = vec![vec!['1'; rank_count]; rank_count];
        for (letter, square) in letters.iter().zip(squares) {
            let (file, rank) = self.game.coordinates(square);
            if *letter != 'e' {
                let letter = if first == Side::White { *letter } else { other_side(*letter) };
                rows[rank_count - 1 - usize::from(rank)][usize::from(file)] = letter;
            }
        }
        let rows: Vec<String> = rows.into_iter().map(|row| runs(&row)).collect();
        let side = if side == Side::White { 'w' } else { 'b' };
        Ok(self.game.parse_fen(&format!("{} {side}", rows.join("/")))?)
    }

    /// Lists the squares as boards do: where they have numbers from the side of who has the second turn of a game, or
    /// else rank by rank from a1.
    fn hub_squares(&self) -> Vec<damma_env::Square> {
        let mut squares: Vec<damma_env::Square> = self.game.squares().into_iter().collect();
        squares.sort_by_key(|square| self.game.square_number(*square));
        if self.game.has_numbered_squares() && self.game.ruleset().first == Side::Black {
            squares.reverse();
        }
        squares
    }

    fn go_hub(&mut self, is_endless: bool) -> Result<(), EngineError> {
        if let Err(error) = self.refresh() {
            // Said first: a client that has its answer may read no further.
            self.object(Err(error))?;
            self.output.say("done")?;
            return Ok(());
        }
        if matches!(self.state.outcome(), Some(Outcome::Draw(_) | Outcome::Truncated)) {
            // Who asks has other rules for draws, and wants a move all the same.
            self.state = State::from_position(&self.game, *self.state.position());
        }
        if self.state.outcome().is_some() {
            self.output.say("done")?;
            return Ok(());
        }
        let limits = if is_endless { Limits { infinite: true, ..Limits::default() } } else { self.limits };
        self.go(limits)?;
        Ok(())
    }

    /// Says what was wrong with a command.
    fn object(&self, done: Result<(), EngineError>) -> io::Result<()> {
        done.or_else(|error| {
            self.output.say(&format!("error message=\"{}\"", error.to_string().replace(['\n', '"'], " ")))
        })
    }
}

/// Reads how far searches go.
fn level(pairs: &[(String, String)]) -> Limits {
    let number = |name: &str| value_of(pairs, name)?.parse::<f64>().ok().filter(|number| number.is_finite());
    let whole = |name: &str| number(name).map(|number| number.clamp(1.0, 1e12) as u64);
    let seconds = |seconds: f64| Duration::from_secs_f64(seconds.clamp(0.001, LONGEST));
    let clock = number("time").map(|left| {
        // Hub adds the increment before the move.
        let increment = number("inc").unwrap_or(0.0);
        share(seconds(left + increment), seconds(increment), whole("moves"))
    });
    Limits {
        depth: whole("depth").map(|depth| depth.min(32) as u8),
        nodes: whole("nodes"),
        time: number("move-time").map(seconds).or(clock),
        infinite: pairs.iter().any(|(name, _)| name == "infinite"),
    }
}

/// Gives the letter of the other side's piece.
const fn other_side(letter: char) -> char {
    match letter {
        'w' => 'b',
        'W' => 'B',
        'b' => 'w',
        _ => 'W',
    }
}

/// Writes a rank of a board, empty points counted.
fn runs(row: &[char]) -> String {
    let mut text = String::new();
    for run in row.chunk_by(|one, other| one == other) {
        match run[0] {
            '1' => text.push_str(&run.len().to_string()),
            _ => text.extend(run),
        }
    }
    text
}

fn value_of<'p>(pairs: &'p [(String, String)], name: &str) -> Option<&'p str> {
    pairs.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
}

/// Reads `name=value`, `name="value with spaces"` and bare words behind the command.
fn pairs(line: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut rest = line.trim_start().split_once(char::is_whitespace).map_or("", |(_, rest)| rest).trim_start();
    while !rest.is_empty() {
        let end = rest.find(|letter: char| letter == '=' || letter.is_whitespace()).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let (value, after) = match after.strip_prefix('=') {
            Some(after) => match after.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => after.split_at(after.find(char::is_whitespace).unwrap_or(after.len())),
            },
            None => ("", after),
        };
        pairs.push((name.to_owned(), value.to_owned()));
        rest = after.trim_start();
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_read_with_quotes_and_without() {
        let read = pairs("pos pos=Wbb moves=\"1-2 3x4x5\" start x=\"open");
        let read: Vec<(&str, &str)> = read.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(read, [("pos", "Wbb"), ("moves", "1-2 3x4x5"), ("start", ""), ("x", "open")]);
        assert!(pairs("hub").is_empty() && pairs("").is_empty());
        assert_eq!(pairs("go =").len(), 1);
    }
}
