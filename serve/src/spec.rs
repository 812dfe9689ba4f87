//! Which game is meant, as requests say it, and moves in words.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, Mutex};

use damma_env::{Action, Game, Position, Ruleset, Side, State};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};

use crate::problem::Problem;

/// The longest position text; the largest board needs less than half.
const LONGEST_POSITION: usize = 2_000;

/// The longest word that is a turn: nobody captures more than that.
const LONGEST_WORD: usize = 1_000;

/// The most moves of a line.
const MOST_MOVES: usize = 4_000;

/// Games that are remembered.
const MOST_COMPILED: usize = 200;

/// Games by what they were compiled of.
static COMPILED: LazyLock<Mutex<HashMap<GameSpec, Arc<Game>>>> = LazyLock::new(Mutex::default);

/// Which rules are played: a preset and what differs from it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GameSpec {
    /// The name of the preset.
    #[schema(schema_with = preset_names)]
    pub preset: String,
    /// Options with other values than the preset's.
    #[serde(default)]
    #[schema(example = json!({ "capture": "forced" }))]
    pub options: BTreeMap<String, String>,
}

/// Lists the presets for the document, so that whoever generates a client or a test of it knows them.
fn preset_names() -> Object {
    let names = damma_env::PRESETS.iter().map(|preset| preset.name);
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some("The name of the preset."))
        .enum_values(Some(names))
        .examples(["zamma"])
        .build()
}

impl GameSpec {
    /// Says in these words what rules they are; the preset from which they differ least.
    #[must_use]
    pub fn of(game: &Game) -> Self {
        // A record says which game it is in the same words.
        let pdn = game.record_pdn(&game.start(), &[], damma_env::PdnResult::Unknown, &[]);
        let overrides = pdn.tag("RulesetOverrides").unwrap_or_default();
        let options = overrides.split_whitespace().filter_map(|text| text.split_once('='));
        Self {
            preset: pdn.tag("Ruleset").unwrap_or("damma8").to_owned(),
            options: options.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        }
    }

    /// Compiles the rules, or gives what was compiled of them before: tables of a game take 80 KB, and thousands of
    /// sessions play the same few.
    ///
    /// # Errors
    /// There is no such preset, option or value, or they make no game.
    pub fn game(&self) -> Result<Arc<Game>, Problem> {
        let known = || COMPILED.lock().expect("nothing panics while it holds the games");
        if let Some(game) = known().get(self) {
            return Ok(game.clone());
        }
        let game = self.compile()?;
        let mut compiled = known();
        if compiled.len() >= MOST_COMPILED {
            compiled.clear();
        }
        compiled.insert(self.clone(), game.clone());
        Ok(game)
    }

    fn compile(&self) -> Result<Arc<Game>, Problem> {
        let wrong = |error: damma_env::RulesetError| Problem::invalid("game", error);
        let ruleset = Ruleset::preset(&self.preset).map_err(wrong)?;
        let overrides: Vec<String> = self.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let ruleset = ruleset.with_overrides(overrides.iter().map(String::as_str)).map_err(wrong)?;
        Game::new(ruleset).map_err(wrong)
    }
}

/// A side by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// At the bottom, on rank 1.
    White,
    /// At the top.
    Black,
}

impl From<Side> for Colour {
    fn from(side: Side) -> Self {
        if side == Side::White { Self::White } else { Self::Black }
    }
}

impl From<Colour> for Side {
    fn from(colour: Colour) -> Self {
        if colour == Colour::White { Self::White } else { Self::Black }
    }
}

/// A game so far: where it began, what was played, and where that led.
#[derive(Clone, Debug)]
pub struct Line {
    /// Where it began.
    pub start: Position,
    /// What was played.
    pub actions: Vec<Action>,
    /// Where that led.
    pub state: State,
}

impl Line {
    /// Begins at a position, or at the start of the game.
    ///
    /// # Errors
    /// The text is no position of this game.
    pub fn begin(game: &Game, position: Option<&str>) -> Result<Self, Problem> {
        let start = match position {
            None => game.start(),
            Some(text) if text.len() > LONGEST_POSITION => {
                return Err(Problem::invalid("position", format!("longer than {LONGEST_POSITION} characters")));
            }
            Some(text) => game.parse_fen(text).map_err(|error| Problem::invalid("position", error))?,
        };
        Ok(Self { start, actions: Vec::new(), state: State::from_position(game, start) })
    }

    /// Plays moves, each a turn or an action, from a position on.
    ///
    /// # Errors
    /// The text is no position, or a move is not legal where it is played.
    pub fn read(game: &Game, position: Option<&str>, moves: &[String]) -> Result<Self, Problem> {
        if moves.len() > MOST_MOVES {
            return Err(Problem::invalid("moves", format!("more than {MOST_MOVES} moves")));
        }
        let mut line = Self::begin(game, position)?;
        for (index, word) in moves.iter().enumerate() {
            line.play_word(game, word).map_err(|problem| problem.of(&format!("moves[{index}]")))?;
        }
        Ok(line)
    }

    /// Plays a turn, a part of one or an action; nothing changes where it is not legal.
    ///
    /// # Errors
    /// It is not legal here.
    pub fn play_word(&mut self, game: &Game, word: &str) -> Result<(), Problem> {
        if word.len() > LONGEST_WORD {
            return Err(Problem::illegal_move("move", format!("longer than {LONGEST_WORD} characters")));
        }
        if self.state.outcome().is_some() {
            return Err(Problem::illegal_move("move", "the game is over before this move"));
        }
        let illegal = |error: &dyn std::fmt::Display| Problem::illegal_move("move", error.to_string());
        let position = self.state.position();
        let is_numbered = game.has_numbered_squares() && word.starts_with(|letter: char| letter.is_ascii_digit());
        let actions = if is_numbered {
            game.parse_pdn_move(position, word).map_err(|error| illegal(&error))?
        } else {
            game.parse_actions(position, &word.replace(',', " ")).map_err(|error| illegal(&error))?
        };
        let mut state = self.state.clone();
        for action in &actions {
            state
                .try_play(game, *action)
                .map_err(|_| Problem::illegal_move("move", "the game is over within this turn"))?;
        }
        self.actions.extend(actions);
        self.state = state;
        Ok(())
    }
}
