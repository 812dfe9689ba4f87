//! `damma._native`: the rules engine as Python sees it.
//!
//! It translates and decides nothing: types, errors and memory on this side, rules in `damma-env`
//! and the baseline in `damma-eval`. The package `damma` around it is Python.

#![warn(missing_docs)]

mod alphabeta;
mod batch;
mod errors;
mod finals;
mod game;
mod options;
mod position;

use pyo3::prelude::*;

/// The native half of `damma`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::alphabeta::AlphaBeta;
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::errors::IllegalAction;
    #[pymodule_export]
    use super::finals::Finals;
    #[pymodule_export]
    use super::game::{Game, presets};
    #[pymodule_export]
    use super::position::Position;

    use super::{Bound, PyModule, PyModuleMethods as _, PyResult};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("CAUSES", damma_env::Cause::ALL.map(damma_env::Cause::name))?;
        module.add("MAX_BOARDS", damma_env::MAX_BOARDS)?;
        module.add("NO_ACTION", damma_env::VectorEnv::NO_ACTION)
    }
}
