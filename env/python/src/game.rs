//! A game for Python: its rules, its start, and what drawing and networks need to know of it.

use std::sync::Arc;

use damma_env::{Direction, Encoder, Game as Rules, Lines, PRESETS, Plane, Ruleset, State};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyType};

use crate::errors::value_error;
use crate::position::Position;

/// Lists the presets as `(name, title)`.
#[pyfunction]
pub fn presets() -> Vec<(&'static str, &'static str)> {
    PRESETS.iter().map(|preset| (preset.name, preset.title)).collect()
}

/// One game of the family: a ruleset compiled into tables.
#[pyclass(module = "damma", frozen, eq)]
#[derive(Clone)]
pub struct Game {
    pub(crate) rules: Arc<Rules>,
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.rules.ruleset() == other.rules.ruleset()
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (preset = "zamma", rules = None))]
    fn new(preset: &str, rules: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let overrides = rules.map_or_else(|| Ok(Vec::new()), overrides)?;
        let ruleset = Ruleset::preset(preset).map_err(value_error)?;
        Self::compile(ruleset.with_overrides(overrides.iter().map(String::as_str)).map_err(value_error)?)
    }

    /// Reads rules from TOML: every option, or `preset = "..."` and what differs.
    #[classmethod]
    fn from_toml(_class: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        Self::compile(Ruleset::from_toml(text).map_err(value_error)?)
    }

    /// Writes every option as TOML.
    fn to_toml(&self) -> String {
        self.rules.ruleset().to_toml()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("from_toml")?, (self.to_toml(),)))
    }

    fn __repr__(&self) -> String {
        let (size, actions) = (self.size(), self.action_count());
        format!("<damma.Game on {size}x{size} points, {actions} actions>")
    }

    /// Points a side.
    #[getter]
    fn size(&self) -> usize {
        self.rules.size()
    }

    /// How many actions are numbered, `A`.
    #[getter]
    fn action_count(&self) -> usize {
        self.rules.action_count()
    }

    /// The shape of an observation, `(C, H, W)`.
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        Encoder::new(&self.rules).shape().into()
    }

    /// The names of the planes of an observation, `C` of them.
    #[getter]
    fn planes(&self) -> Vec<&'static str> {
        Encoder::new(&self.rules).planes().iter().map(|plane| plane_name(*plane)).collect()
    }

    /// Whether play is on the dark squares, so that squares are drawn and not lines.
    #[getter]
    fn has_squares(&self) -> bool {
        self.rules.ruleset().lines == Lines::Diagonal
    }

    /// The points that pieces can stand on, as `(file, rank)` from 0.
    fn points(&self) -> Vec<(u8, u8)> {
        self.rules.squares().into_iter().map(|square| self.rules.coordinates(square)).collect()
    }

    /// The lines between neighbours, each once, as `((file, rank), (file, rank))`.
    fn lines(&self) -> Vec<((u8, u8), (u8, u8))> {
        let mut lines = Vec::new();
        for direction in Direction::ALL.into_iter().filter(|direction| direction.delta() > (0, 0)) {
            let (file, rank) = direction.delta();
            for square in self.rules.origins(direction, 1) {
                let (x, y) = self.rules.coordinates(square);
                lines.push(((x, y), (x.wrapping_add_signed(file), y.wrapping_add_signed(rank))));
            }
        }
        lines
    }

    /// Gives the start.
    fn start(&self) -> Position {
        Position::new(self.clone(), State::new(&self.rules))
    }

    /// Reads a position from text.
    fn position(&self, text: &str) -> PyResult<Position> {
        let position = self.rules.parse_position(text).map_err(|error| place(text, &error))?;
        Ok(Position::new(self.clone(), State::from_position(&self.rules, position)))
    }
}

impl Game {
    fn compile(ruleset: Ruleset) -> PyResult<Self> {
        Ok(Self { rules: Rules::new(ruleset).map_err(value_error)? })
    }
}

/// Makes the exception of a text that is no position.
pub fn place(text: &str, error: &impl ToString) -> PyErr {
    value_error(format!("position `{text:.200}`: {}", error.to_string()))
}

fn overrides(rules: &Bound<'_, PyDict>) -> PyResult<Vec<String>> {
    let text = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let value = if let Ok(flag) = value.cast::<PyBool>() { flag.is_true().to_string() } else { value.to_string() };
        Ok(format!("{key}={value}"))
    };
    rules.iter().map(text).collect()
}

const fn plane_name(plane: Plane) -> &'static str {
    match plane {
        Plane::OwnMen => "own_men",
        Plane::OwnKings => "own_kings",
        Plane::EnemyMen => "enemy_men",
        Plane::EnemyKings => "enemy_kings",
        Plane::Chain => "chain",
        Plane::AtFault => "at_fault",
        Plane::Waiting => "waiting",
        Plane::NoProgress => "no_progress",
        Plane::Repetition => "repetition",
        Plane::Turns => "turns",
    }
}
