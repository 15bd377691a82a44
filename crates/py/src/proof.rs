//! Certificates from Python: the bytes go to a function of Python's, which packs and writes them.

use crate::control::PythonControl;
use crate::error::{foreign, raise};
use crate::position::Position;
use crate::search::PySearch;
use conspirator_core::proof::Exported;
use conspirator_core::search::{Claim, Search};
use conspirator_core::Error;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;

/// Runs something of the core that may run the user's code.
fn run<T: Send>(
    py: Python<'_>,
    calls_python: bool,
    mut work: impl FnMut() -> Result<T, Error> + Send,
) -> PyResult<T> {
    let mut caught = || catch_unwind(AssertUnwindSafe(&mut work));
    match if calls_python { caught() } else { py.detach(caught) } {
        Ok(done) => done.map_err(|error| raise(py, error)),
        Err(_) => Err(PyRuntimeError::new_err("internal error in a proof: please report it")),
    }
}

/// Hands the choices of a strategy to `sink`, chunk by chunk; returns how many positions and choices there are. The
/// strategy is that of a search that has proven the claim, or the shortest one.
#[pyfunction]
pub fn export(
    py: Python<'_>,
    position: &Position,
    search: Option<&PySearch>,
    value: f64,
    at_least: bool,
    sink: Py<PyAny>,
) -> PyResult<(u64, u64)> {
    let claim = Claim { value, at_least };
    let mut control = PythonControl::new(None, None, Arc::default());
    let mut guard = search.map(PySearch::locked).transpose()?;
    let mut send = |bytes: &[u8]| {
        Python::attach(|py| {
            let answer = sink.call1(py, (PyBytes::new(py, bytes),));
            let answer = answer.map_err(|error| foreign(py, error))?;
            Ok(!matches!(answer.extract::<bool>(py), Ok(false)))
        })
    };
    let mut proven = guard.as_deref_mut();
    let calls_python = position.is_python() || search.is_some_and(PySearch::calls_python);
    let Exported { positions, choices } = run(py, calls_python, || {
        let search = proven.as_deref_mut().map(|search| &mut **search as &mut dyn Search);
        position.inner.export(claim, search, &mut control, &mut send)
    })?;
    Ok((positions, choices))
}

/// In how few moves a claim can be kept to the end of the game, and the place of the move to begin with; None if it
/// cannot be.
#[pyfunction]
pub fn shortest(
    py: Python<'_>,
    position: &Position,
    value: f64,
    at_least: bool,
) -> PyResult<Option<(u16, u32)>> {
    let mut control = PythonControl::new(None, None, Arc::default());
    run(py, position.is_python(), || {
        position.inner.shortest(Claim { value, at_least }, &mut control)
    })
}
