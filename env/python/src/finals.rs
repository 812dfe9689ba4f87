//! The games that ended in a call, kept when the batch goes on.

use std::sync::Arc;

use damma_env::{Encoder, Final, Game as Rules};
use numpy::ndarray::{Array2, Array4};
use numpy::{IntoPyArray as _, PyArray1, PyArray2, PyArray4};
use pyo3::prelude::*;

/// The games that ended in a call, `K` of them, by board.
///
/// Texts, observations and masks are made when they are asked for.
#[pyclass(module = "damma", frozen)]
pub struct Finals {
    games: Vec<Final>,
    rules: Arc<Rules>,
    encoder: Encoder,
}

impl Finals {
    /// Keeps the games that ended in a batch's last call.
    pub fn of(env: &damma_env::VectorEnv) -> Self {
        Self { games: env.finals().games().to_vec(), rules: Arc::clone(env.game()), encoder: env.encoder().clone() }
    }

    fn column<'py, T: numpy::Element>(&self, py: Python<'py>, of: impl Fn(&Final) -> T) -> Bound<'py, PyArray1<T>> {
        self.games.iter().map(of).collect::<Vec<T>>().into_pyarray(py)
    }
}

#[pymethods]
impl Finals {
    fn __len__(&self) -> usize {
        self.games.len()
    }

    fn __repr__(&self) -> String {
        format!("<damma.Finals of {} games>", self.games.len())
    }

    /// On which boards, `[K]` of int64, ascending.
    #[getter]
    fn boards<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        self.column(py, |last| last.board as i64)
    }

    /// Who won, `[K]` of int8: 0 White, 1 Black, -1 nobody.
    #[getter]
    fn winners<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        self.column(py, |last| last.ending.winner.map_or(-1, |side| side.index() as i8))
    }

    /// Why, `[K]` of uint8, each an index into `damma.CAUSES`.
    #[getter]
    fn causes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        self.column(py, |last| last.ending.cause as u8)
    }

    /// Actions played, `[K]` of uint32, those of a random opening left out.
    #[getter]
    fn lengths<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.column(py, |last| last.length)
    }

    /// Turns completed, `[K]` of uint32.
    #[getter]
    fn turns<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.column(py, |last| last.turns)
    }

    /// The last positions as text, a list of `K`.
    #[getter]
    fn positions(&self) -> Vec<String> {
        self.games.iter().map(|last| self.rules.position_text(&last.position)).collect()
    }

    /// Who would have had to decide, `[K]` of uint8: 0 White, 1 Black.
    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        self.column(py, |last| last.position.side().index() as u8)
    }

    /// The last observations, `[K, C, H, W]` of float32, each from the view of `players`.
    #[getter]
    fn observations<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray4<f32>> {
        let [channels, height, width] = self.encoder.shape();
        let mut all = Array4::zeros([self.games.len(), channels, height, width]);
        for (last, mut out) in self.games.iter().zip(all.outer_iter_mut()) {
            let out = out.as_slice_mut().expect("a new array is contiguous");
            self.encoder.encode_position(&self.rules, &last.position, last.repetitions, last.turns, out);
        }
        all.into_pyarray(py)
    }

    /// What could still have been played, `[K, A]` of bool; nothing where a game was won.
    #[getter]
    fn masks<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<bool>> {
        let mut all = Array2::from_elem([self.games.len(), self.rules.action_count()], false);
        for (last, mut out) in self.games.iter().zip(all.outer_iter_mut()) {
            for action in last.position.legal_actions(&self.rules) {
                out[action.index()] = true;
            }
        }
        all.into_pyarray(py)
    }
}
