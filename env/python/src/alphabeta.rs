//! The alpha-beta baseline as an opponent.

use damma_env::State;
use damma_eval::{AlphaBeta as Baseline, Level, Player as _};
use numpy::{IntoPyArray as _, PyArray1};
use pyo3::prelude::*;

use crate::batch::Batch;
use crate::errors::{value_error, vector_error};

/// The baseline at a level. It is deterministic: the same position gets the same action.
#[pyclass(module = "damma")]
pub struct AlphaBeta {
    player: Baseline,
    level: Level,
}

#[pymethods]
impl AlphaBeta {
    #[new]
    fn new(level: &str) -> PyResult<Self> {
        let level: Level = level.parse().map_err(value_error)?;
        Ok(Self { player: Baseline::new(level), level })
    }

    /// The level as text.
    #[getter]
    fn level(&self) -> String {
        self.level.to_string()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Self>().into_any(), (self.level(),))
    }

    fn __repr__(&self) -> String {
        format!("<damma.AlphaBeta {}>", self.level)
    }

    /// Chooses an action on some boards of a batch, `[K]` of uint16.
    fn choose<'py>(
        &mut self,
        py: Python<'py>,
        batch: &Batch,
        boards: Vec<usize>,
    ) -> PyResult<Bound<'py, PyArray1<u16>>> {
        let env = batch.env();
        let states: Result<Vec<State>, _> = boards.iter().map(|board| env.state(*board)).collect();
        let states = states.map_err(|error| vector_error(py, &error))?;
        if let Some(at) = states.iter().position(|state| state.outcome().is_some()) {
            return Err(value_error(format!("the game on board {} is over; leave that board out", boards[at])));
        }
        let refs: Vec<&State> = states.iter().collect();
        // The baseline draws nothing: it takes streams only because every player does.
        let chosen = py.detach(|| self.player.choose(env.game(), &refs, &mut []));
        Ok(chosen.into_iter().map(|action| action.0).collect::<Vec<u16>>().into_pyarray(py))
    }
}
