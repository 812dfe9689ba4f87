//! Suites: positions with the turns that solve them, as files of lines.
//!
//! A line is `position ; turns ; comment`, with several turns separated by commas; the comment may
//! be left out. Before the first position stands `game: PRESET`, with options behind it where they
//! differ, such as `game: zamma capture=forced`. Empty lines and lines that begin with `#` are for
//! people. A turn solves a position if it leads to the same position as one of those listed, so
//! different paths of the same capture count as one.

use std::fmt::Write as _;
use std::sync::Arc;

use damma_env::{Action, Game, Position, Ruleset, State};
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{decide, streams};
use crate::error::EvalError;
use crate::player::Player;

/// Where and why a text is no suite.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{file}:{line}: {reason}")]
pub struct SuiteError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what to write in its place.
    pub reason: String,
}

/// A position with what solves it.
#[derive(Clone, PartialEq, Debug)]
pub struct Puzzle {
    /// Its line in the file, from 1; 0 where it comes from none.
    pub line: usize,
    /// The position, at the start of a turn.
    pub position: Position,
    /// The turns that solve it.
    pub turns: Vec<Vec<Action>>,
    /// What is said of it.
    pub comment: String,
}

/// Puzzles of one game.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The game as a suite's file names it, such as `zamma capture=forced`.
    pub name: String,
    /// The game.
    pub game: Arc<Game>,
    /// The puzzles, in the order of the file.
    pub puzzles: Vec<Puzzle>,
}

/// How many puzzles a player solved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Solved {
    /// How many.
    pub solved: u32,
    /// Of how many.
    pub total: u32,
    /// The lines of the others.
    pub unsolved: Vec<usize>,
}

impl Suite {
    /// Reads a suite; `file` is only for messages.
    ///
    /// # Errors
    /// The first line that cannot be used, with the reason.
    pub fn parse(file: &str, text: &str) -> Result<Self, SuiteError> {
        let fail = |line: usize, reason: String| SuiteError { file: file.to_owned(), line, reason };
        let mut suite: Option<Self> = None;
        for (line, content) in (1..).zip(text.lines().map(str::trim)) {
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            if let Some(name) = content.strip_prefix("game:") {
                if suite.is_some() {
                    return Err(fail(line, "the game is named twice; one suite is of one game".to_owned()));
                }
                suite = Some(Self::of(name.trim()).map_err(|reason| fail(line, reason))?);
                continue;
            }
            let Some(suite) = &mut suite else {
                return Err(fail(line, "no game is named yet; write for example `game: damma8` above".to_owned()));
            };
            let puzzle = suite.read(line, content).map_err(|reason| fail(line, reason))?;
            suite.puzzles.push(puzzle);
        }
        let lines = text.lines().count().max(1);
        let suite = suite.ok_or_else(|| fail(lines, "no game is named; begin with `game: damma8`".to_owned()))?;
        if suite.puzzles.is_empty() {
            return Err(fail(lines, "there is no position; write `position ; turn ; comment`".to_owned()));
        }
        Ok(suite)
    }

    /// Makes an empty suite of a game named as files name it.
    ///
    /// # Errors
    /// Why the name means no game.
    pub fn of(name: &str) -> Result<Self, String> {
        let mut words = name.split_whitespace();
        let preset = words.next().ok_or("no game after `game:`; write for example `game: damma8`")?;
        let ruleset = Ruleset::preset(preset).and_then(|ruleset| ruleset.with_overrides(words));
        let game = ruleset.and_then(Game::new).map_err(|error| error.to_string())?;
        Ok(Self { name: name.to_owned(), game, puzzles: Vec::new() })
    }

    /// Writes the puzzles as [`Suite::parse`] reads them, `head` as comments above.
    #[must_use]
    pub fn text(&self, head: &[String]) -> String {
        let mut text = String::new();
        for line in head {
            let _ = writeln!(text, "# {line}");
        }
        let _ = writeln!(text, "game: {}\n", self.name);
        for puzzle in &self.puzzles {
            let turns: Vec<String> =
                puzzle.turns.iter().map(|turn| self.game.turn_text(&puzzle.position, turn)).collect();
            let position = self.game.position_text(&puzzle.position);
            let _ = writeln!(text, "{position} ; {} ; {}", turns.join(", "), puzzle.comment);
        }
        text
    }

    /// Asks a player for its turn in each position.
    ///
    /// # Errors
    /// The player answers with actions that are not legal or too few.
    pub fn solve(&self, player: &mut dyn Player, seed: u64) -> Result<Solved, EvalError> {
        let game = &self.game;
        let mut states: Vec<State> =
            self.puzzles.iter().map(|puzzle| State::from_position(game, puzzle.position)).collect();
        let mut rngs = streams(seed, states.len());
        loop {
            let in_turn = |index: usize, state: &State| {
                state.outcome().is_none() && state.position().side() == self.puzzles[index].position.side()
            };
            let places: Vec<usize> = (0..states.len()).filter(|&index| in_turn(index, &states[index])).collect();
            if places.is_empty() {
                break;
            }
            let mut own: Vec<Pcg64> = places.iter().map(|&place| rngs[place].clone()).collect();
            let asked: Vec<&State> = places.iter().map(|&place| &states[place]).collect();
            let actions = decide(game, player, &asked, &mut own)?;
            for ((&place, action), rng) in places.iter().zip(actions).zip(own) {
                states[place].play(game, action);
                rngs[place] = rng;
            }
        }
        let solves = |(puzzle, state): (&Puzzle, &State)| puzzle.is_solved_by(game, state.position());
        let unsolved: Vec<usize> =
            self.puzzles.iter().zip(&states).filter(|pair| !solves(*pair)).map(|(puzzle, _)| puzzle.line).collect();
        let total = self.puzzles.len() as u32;
        Ok(Solved { solved: total - unsolved.len() as u32, total, unsolved })
    }

    fn read(&self, line: usize, content: &str) -> Result<Puzzle, String> {
        let mut fields = content.splitn(3, ';').map(str::trim);
        let (Some(position), Some(turns)) = (fields.next(), fields.next()) else {
            return Err("there is no solution; write `position ; turn ; comment`".to_owned());
        };
        let position = self.game.parse_fen(position).map_err(|error| error.to_string())?;
        if let Some((winner, _)) = position.winner(&self.game) {
            return Err(format!("the game is over in this position: {winner} has won"));
        }
        let turns: Vec<Vec<Action>> = turns
            .split(',')
            .map(|turn| self.game.parse_turn(&position, turn.trim()).map_err(|error| error.to_string()))
            .collect::<Result<_, _>>()?;
        Ok(Puzzle { line, position, turns, comment: fields.next().unwrap_or_default().to_owned() })
    }
}

impl Puzzle {
    fn is_solved_by(&self, game: &Game, after: &Position) -> bool {
        self.turns.iter().any(|turn| {
            turn.iter().fold(self.position, |position, action| position.play(game, *action)).key() == after.key()
        })
    }
}
