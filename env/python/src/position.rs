//! A position for Python, with the history that draws depend on; playing gives a new one.

use damma_env::{Action, Encoder, Outcome, Side, State};
use numpy::{IntoPyArray as _, PyArray1, PyArray3};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::errors::{illegal_action, value_error};
use crate::game::Game;

/// A position of a game, with the history that draws depend on. It never changes.
#[pyclass(module = "damma", frozen, eq)]
#[derive(Clone)]
pub struct Position {
    game: Game,
    state: State,
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.game == other.game && self.state.position() == other.state.position()
    }
}

/// Where a piece stands, whose it is, whether it is a king, and its mark.
type Piece = (u8, u8, &'static str, bool, Option<&'static str>);

#[pymethods]
impl Position {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    /// The position as text, `board side chain huffable captured no_progress`.
    #[getter]
    fn text(&self) -> String {
        self.game.rules.position_text(self.state.position())
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("<damma.Position {}>", self.text())
    }

    /// Positions pickle as text: what was played before is not kept.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let this = slf.get();
        let game = Bound::new(slf.py(), this.game.clone())?;
        Ok((game.into_any().getattr("position")?, (this.text(),)))
    }

    /// Who decides, "white" or "black".
    #[getter]
    fn side(&self) -> &'static str {
        side_name(self.state.position().side())
    }

    /// Turns completed since the first position.
    #[getter]
    fn turns(&self) -> u32 {
        self.state.turns()
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.state.outcome().is_some()
    }

    /// Who has won, "white" or "black"; None in a draw and while the game goes on.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.state.outcome().and_then(Outcome::winner).map(side_name)
    }

    /// Why the game ended, as one of `damma.CAUSES`; "none" while it goes on.
    #[getter]
    fn cause(&self) -> &'static str {
        self.state.outcome().map_or("none", Outcome::cause)
    }

    /// The legal actions, `[K]` of uint16; none where the game is over.
    fn legal_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u16>> {
        self.legal().into_iter().map(|action| action.0).collect::<Vec<u16>>().into_pyarray(py)
    }

    /// The action mask, `[A]` of bool; nothing is set where the game is over.
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let mut mask = vec![false; self.game.rules.action_count()];
        for action in self.legal() {
            mask[action.index()] = true;
        }
        mask.into_pyarray(py)
    }

    /// The observation, `[C, H, W]` of float32, from the decider's view.
    fn observation<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray3<f32>> {
        Encoder::new(&self.game.rules).observation(&self.game.rules, &self.state).into_pyarray(py)
    }

    /// Writes an action as text, such as `a3-a4`.
    fn action_text(&self, action: u16) -> PyResult<String> {
        action_text(&self.game, &self.state, action)
    }

    /// Finds the legal action that a text means.
    fn parse_action(&self, text: &str) -> PyResult<u16> {
        parse_action(&self.game, &self.state, text)
    }

    /// Lists the complete turns as text, different paths apart.
    #[pyo3(signature = (limit = 10_000))]
    fn turn_texts(&self, limit: usize) -> PyResult<Vec<String>> {
        if self.is_over() {
            return Ok(Vec::new());
        }
        let (rules, position) = (&self.game.rules, self.state.position());
        let turns = rules.turns(position, limit).map_err(value_error)?;
        Ok(turns.iter().map(|actions| rules.turn_text(position, actions)).collect())
    }

    /// Plays an action, by number or as text, or a whole turn as text.
    fn play(&self, py: Python<'_>, action: &Bound<'_, PyAny>) -> PyResult<Self> {
        let rules = &self.game.rules;
        let actions = match action.cast::<PyString>() {
            Err(_) => vec![Action(action.extract()?)],
            Ok(text) => {
                let text = text.to_string();
                match rules.parse_action(self.state.position(), &text) {
                    Some(action) => vec![action],
                    None => rules.parse_turn(self.state.position(), &text).map_err(value_error)?,
                }
            }
        };
        let mut state = self.state.clone();
        for action in actions {
            state.try_play(rules, action).map_err(|error| {
                let remedy = if state.outcome().is_some() { "the game is over" } else { "see legal_actions()" };
                illegal_action(py, 0, action.0, format!("{error}; {remedy}"))
            })?;
        }
        Ok(Self { game: self.game.clone(), state })
    }

    /// The pieces as `(file, rank, side, is_king, mark)`, files and ranks from 0.
    fn pieces(&self) -> Vec<Piece> {
        let rules = &self.game.rules;
        let setup = self.state.position().setup(rules);
        let piece = |square| {
            let (file, rank) = rules.coordinates(square);
            let side = if setup.white.contains(square) { Side::White } else { Side::Black };
            let mark = if setup.chain == Some(square) {
                Some("chaining")
            } else if setup.huffable.contains(square) {
                Some("at_fault")
            } else {
                setup.captured.contains(square).then_some("waiting")
            };
            (file, rank, side_name(side), setup.kings.contains(square), mark)
        };
        (setup.white | setup.black).into_iter().map(piece).collect()
    }

    /// Draws the board as SVG text; see `damma.render.svg`.
    #[pyo3(signature = (**options))]
    fn svg<'py>(slf: &Bound<'py, Self>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        draw(slf, "svg", options)
    }

    /// Draws the board in characters; see `damma.render.ansi`.
    #[pyo3(signature = (**options))]
    fn ansi<'py>(slf: &Bound<'py, Self>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        draw(slf, "ansi", options)
    }

    /// Draws the board as an image `[H, W, 3]` of uint8; see `damma.render.rgb_array`.
    #[pyo3(signature = (**options))]
    fn rgb_array<'py>(slf: &Bound<'py, Self>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        draw(slf, "rgb_array", options)
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        draw(slf, "svg", None)
    }
}

impl Position {
    /// Makes a position of a state.
    pub const fn new(game: Game, state: State) -> Self {
        Self { game, state }
    }

    fn legal(&self) -> Vec<Action> {
        if self.is_over() { Vec::new() } else { self.state.position().legal_actions(&self.game.rules) }
    }
}

/// Writes an action of a state as text.
pub fn action_text(game: &Game, state: &State, action: u16) -> PyResult<String> {
    let count = game.rules.action_count();
    if usize::from(action) >= count {
        return Err(value_error(format!("there is no action {action}; actions are 0 to {}", count - 1)));
    }
    Ok(game.rules.action_text(state.position(), Action(action)))
}

/// Finds the legal action of a state that a text means.
pub fn parse_action(game: &Game, state: &State, text: &str) -> PyResult<u16> {
    let (rules, position) = (&game.rules, state.position());
    rules.parse_action(position, text).map(|action| action.0).ok_or_else(|| {
        let legal: Vec<String> =
            position.legal_actions(rules).into_iter().map(|action| rules.action_text(position, action)).collect();
        value_error(format!("`{text:.80}` is no legal action here; legal are {}", legal.join(", ")))
    })
}

/// Drawing is Python's: it needs no rules, only points, lines and pieces.
fn draw<'py>(
    position: &Bound<'py, Position>,
    kind: &str,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    position.py().import("damma.render")?.getattr(kind)?.call((position,), options)
}

/// Names a side.
pub const fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "white",
        Side::Black => "black",
    }
}
