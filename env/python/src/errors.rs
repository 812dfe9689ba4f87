//! Errors of the engine as Python exceptions.

use damma_env::VectorError;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    damma,
    IllegalAction,
    PyValueError,
    "An action that is not legal where it was tried; nothing has changed.\n\n\
     Attributes: `board` (int, 0 for a single position) and `action` (int)."
);

/// Makes an exception of an error that only needs its message.
pub fn value_error(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Makes the exception of an action that is not legal.
pub fn illegal_action(py: Python<'_>, board: usize, action: u16, message: String) -> PyErr {
    let error = IllegalAction::new_err(message);
    let value = error.value(py);
    match value.setattr("board", board).and_then(|()| value.setattr("action", action)) {
        Ok(()) => error,
        Err(failed) => failed,
    }
}

/// Makes the exception of an error of a batch.
pub fn vector_error(py: Python<'_>, error: &VectorError) -> PyErr {
    match error {
        VectorError::Illegal { board, action, .. } => illegal_action(py, *board, action.0, error.to_string()),
        VectorError::NoSuchBoard { .. } => PyIndexError::new_err(error.to_string()),
        _ => value_error(error),
    }
}
