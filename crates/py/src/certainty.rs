//! Error models of evaluators, as Python makes them.

use crate::error::checked;
use conspirator_core::numbers::distributions::{Certainty, ErrorModel};
use pyo3::prelude::*;
use std::sync::Arc;

/// The table of an error model; `conspirator.ErrorModel` has the rest.
#[pyclass(frozen, name = "ErrorTable", module = "conspirator._native")]
pub struct PyErrorModel {
    inner: Arc<ErrorModel>,
}

#[pymethods]
impl PyErrorModel {
    /// S at the knots, by the player to move (Max first), phase, value and threshold. A search that keeps S of every node
    /// takes the thresholds at these places only, if any are given.
    #[new]
    #[pyo3(signature = (outcomes, phases, values, table, coarse=Vec::new()))]
    fn new(
        py: Python<'_>,
        outcomes: Vec<f64>,
        phases: Vec<f64>,
        values: Vec<f64>,
        table: Vec<f64>,
        coarse: Vec<usize>,
    ) -> PyResult<PyErrorModel> {
        let model = match coarse.is_empty() {
            true => ErrorModel::table(outcomes, phases, values, table),
            false => ErrorModel::table_with_coarse(outcomes, phases, values, table, &coarse),
        };
        let inner = checked(py, model)?;
        Ok(PyErrorModel { inner: Arc::new(inner) })
    }

    /// S of an open position.
    fn distribution(&self, value: f64, phase: f64, max_to_move: bool) -> Vec<f64> {
        self.inner.of_value(value, phase, max_to_move)
    }
}

/// What a search is told: the model, the phase of the root, the dependence of siblings, and that of the root's moves.
pub type Told<'py> = (PyRef<'py, PyErrorModel>, f64, f64, f64);

/// The same for the core.
pub fn certain((model, phase, rho, root_rho): Told<'_>) -> PyResult<Certainty> {
    Ok(Certainty { model: model.inner.clone(), phase, rho, root_rho })
}
