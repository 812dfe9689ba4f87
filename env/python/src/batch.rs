//! A batch for Python: calls without the interpreter lock, and views that own nothing.
//!
//! The batch writes its outputs in place for as long as it lives, so a view is made once and
//! keeps the batch alive as its base. Every view is read-only.

use damma_env::{VectorEnv, VectorError, VectorOptions};
use numpy::ndarray::{ArrayView, Dimension};
use numpy::{Element, PyArray, PyArray1, PyArray2, PyArray4, PyArrayMethods as _, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::{value_error, vector_error};
use crate::finals::Finals;
use crate::game::Game;
use crate::options;
use crate::position::{Position, action_text, parse_action};

/// `N` boards of one game in step; `damma.VectorEnv` is what to use.
#[pyclass(module = "damma._native")]
pub struct Batch {
    env: VectorEnv,
    game: Game,
}

#[pymethods]
impl Batch {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are keywords of one Python constructor")]
    fn new(
        py: Python<'_>,
        game: &Game,
        num_envs: usize,
        seed: u64,
        autoreset: &str,
        illegal: &str,
        dense_masks: bool,
        observations: Option<&str>,
        random_openings: Option<(u16, u16)>,
        start_positions: Option<Vec<String>>,
        threads: usize,
    ) -> PyResult<Self> {
        let options = VectorOptions {
            seed,
            auto_reset: options::auto_reset(autoreset)?,
            illegal: options::illegal(illegal)?,
            dense_masks,
            observations: options::observations(observations)?,
            starts: options::starts(game, random_openings, start_positions)?,
            threads,
        };
        let rules = game.rules.clone();
        let env = py.detach(|| VectorEnv::new(rules, num_envs, options)).map_err(|error| vector_error(py, &error))?;
        Ok(Self { env, game: game.clone() })
    }

    /// A batch of its own in the same state.
    fn clone(&self, py: Python<'_>) -> Self {
        Self { env: py.detach(|| self.env.clone()), game: self.game.clone() }
    }

    fn save<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.env.save()))
    }

    fn restore(&mut self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        py.detach(|| self.env.restore(saved)).map_err(|error| vector_error(py, &error))
    }

    #[pyo3(signature = (seed = None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<u64>) {
        py.detach(|| match seed {
            Some(seed) => self.env.reset_with_seed(seed),
            None => self.env.reset(),
        });
    }

    #[pyo3(signature = (boards, seeds = None))]
    fn reset_boards(
        &mut self,
        py: Python<'_>,
        boards: PyReadonlyArray1<'_, usize>,
        seeds: Option<PyReadonlyArray1<'_, u64>>,
    ) -> PyResult<()> {
        let boards = boards.as_slice().map_err(value_error)?;
        let seeds = seeds.as_ref().map(PyReadonlyArray1::as_slice).transpose().map_err(value_error)?;
        py.detach(|| self.env.reset_boards(boards, seeds)).map_err(|error| vector_error(py, &error))
    }

    fn set_positions(
        &mut self,
        py: Python<'_>,
        boards: PyReadonlyArray1<'_, usize>,
        texts: Vec<String>,
    ) -> PyResult<()> {
        let boards = boards.as_slice().map_err(value_error)?;
        let positions = options::positions(&self.game, &texts)?;
        py.detach(|| self.env.set_positions(boards, &positions)).map_err(|error| vector_error(py, &error))
    }

    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, u16>) -> PyResult<()> {
        let actions = actions.as_slice().map_err(value_error)?;
        py.detach(|| self.env.step(actions)).map_err(|error| vector_error(py, &error))
    }

    fn step_boards(
        &mut self,
        py: Python<'_>,
        boards: PyReadonlyArray1<'_, usize>,
        actions: PyReadonlyArray1<'_, u16>,
    ) -> PyResult<()> {
        let (boards, actions) = (boards.as_slice().map_err(value_error)?, actions.as_slice().map_err(value_error)?);
        py.detach(|| self.env.step_boards(boards, actions)).map_err(|error| vector_error(py, &error))
    }

    fn sample_legal(&mut self, py: Python<'_>, mut out: PyReadwriteArray1<'_, u16>) -> PyResult<()> {
        let out = out.as_slice_mut().map_err(value_error)?;
        py.detach(|| self.env.sample_legal(out)).map_err(|error| vector_error(py, &error))
    }

    fn legal_lists<'py>(&mut self, py: Python<'py>) -> (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u16>>) {
        let lists = py.detach(|| self.env.legal_lists());
        (PyArray1::from_slice(py, &lists.indptr), PyArray1::from_slice(py, &lists.indices))
    }

    fn finals(&self) -> Finals {
        Finals::of(&self.env)
    }

    fn state(&self, py: Python<'_>, board: usize) -> PyResult<Position> {
        Ok(Position::new(self.game.clone(), self.state_of(py, board)?))
    }

    fn position(&self, py: Python<'_>, board: usize) -> PyResult<String> {
        let position = self.env.position(board).map_err(|error| vector_error(py, &error))?;
        Ok(self.game.rules.position_text(&position))
    }

    fn action_text(&self, py: Python<'_>, board: usize, action: u16) -> PyResult<String> {
        action_text(&self.game, &self.state_of(py, board)?, action)
    }

    fn parse_action(&self, py: Python<'_>, board: usize, text: &str) -> PyResult<u16> {
        parse_action(&self.game, &self.state_of(py, board)?, text)
    }

    fn episode_length(&self, py: Python<'_>, board: usize) -> PyResult<u32> {
        self.env.episode_length(board).map_err(|error| vector_error(py, &error))
    }

    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let totals = self.env.statistics();
        let causes = PyDict::new(py);
        for cause in damma_env::Cause::ALL.into_iter().skip(1) {
            causes.set_item(cause.name(), totals.causes[cause as usize])?;
        }
        let statistics = PyDict::new(py);
        statistics.set_item("games", totals.games)?;
        statistics.set_item("wins", (totals.wins[0], totals.wins[1]))?;
        statistics.set_item("causes", causes)?;
        statistics.set_item("actions", totals.actions)?;
        statistics.set_item("turns", totals.turns)?;
        Ok(statistics)
    }

    fn clear_statistics(&mut self) {
        self.env.clear_statistics();
    }

    fn bytes_per_board(&self) -> usize {
        self.env.bytes_per_board()
    }

    fn rollout(&mut self, py: Python<'_>, steps: usize) -> PyResult<()> {
        let mut actions = vec![0; self.env.len()];
        let mut play = || -> Result<(), VectorError> {
            for _ in 0..steps {
                self.env.sample_legal(&mut actions)?;
                self.env.step(&actions)?;
            }
            Ok(())
        };
        py.detach(&mut play).map_err(|error| vector_error(py, &error))
    }

    #[getter]
    fn packed_masks<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        Ok(view(slf, slf.try_borrow()?.env.packed_masks()))
    }

    #[getter]
    fn dense_masks<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray2<u8>>>> {
        Ok(slf.try_borrow()?.env.dense_masks().map(|array| view(slf, array)))
    }

    #[getter]
    fn observations<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray4<f32>>>> {
        Ok(slf.try_borrow()?.env.observations().map(|array| view(slf, array)))
    }

    #[getter]
    fn byte_observations<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyArray4<u8>>>> {
        Ok(slf.try_borrow()?.env.byte_observations().map(|array| view(slf, array)))
    }

    #[getter]
    fn rewards<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        Ok(view(slf, slf.try_borrow()?.env.rewards()))
    }

    #[getter]
    fn current_players<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        Ok(view(slf, slf.try_borrow()?.env.current_players()))
    }

    #[getter]
    fn terminated<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        Ok(view(slf, slf.try_borrow()?.env.terminated()))
    }

    #[getter]
    fn truncated<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        Ok(view(slf, slf.try_borrow()?.env.truncated()))
    }

    #[getter]
    fn causes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        Ok(view(slf, slf.try_borrow()?.env.causes()))
    }
}

impl Batch {
    /// Gives the batch itself.
    pub const fn env(&self) -> &VectorEnv {
        &self.env
    }

    fn state_of(&self, py: Python<'_>, board: usize) -> PyResult<damma_env::State> {
        self.env.state(board).map_err(|error| vector_error(py, &error))
    }
}

/// Makes a read-only array of a batch's memory, which keeps the batch alive.
fn view<'py, T: Element, D: Dimension>(
    batch: &Bound<'py, Batch>,
    column: ArrayView<'_, T, D>,
) -> Bound<'py, PyArray<T, D>> {
    // SAFETY: the columns are vectors that the batch allocates once and never grows, moves or
    // frees while it lives, and the array owns a reference to the batch.
    let array = unsafe { PyArray::borrow_from_array(&column, batch.clone().into_any()) };
    array.readwrite().make_nonwriteable();
    array
}
