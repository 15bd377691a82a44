//! Running searches from Python.

use crate::certainty::{certain, Told};
use crate::control::PythonControl;
use crate::error::{checked, raise, ArgumentError};
use crate::params::{read, text};
use crate::position::Position;
use crate::python_evaluator::evaluation;
use crate::python_rule::PythonRule;
use crate::tree::{PyTree, SharedSearch};
use conspirator_core::search::{self, Budget, Saved};
use conspirator_core::{registry, Error};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// A search that can be run, asked, and run on.
#[pyclass(frozen, name = "Search", module = "conspirator._native")]
pub struct PySearch {
    inner: SharedSearch,
    tree: Py<PyTree>,
    calls_python: bool,
    stop: Arc<AtomicBool>,
}

#[pymethods]
impl PySearch {
    /// A search by name or by a growth rule written in Python, not yet run.
    #[new]
    #[pyo3(signature = (position, rule, params, evaluator, trace, certainty=None))]
    fn new(
        position: &Bound<'_, Position>,
        rule: &Bound<'_, PyAny>,
        params: &Bound<'_, PyDict>,
        evaluator: &Bound<'_, PyAny>,
        trace: bool,
        certainty: Option<Told<'_>>,
    ) -> PyResult<PySearch> {
        let py = position.py();
        let start = &*position.get().inner;
        let mut evaluation = evaluation(position.get(), Some(evaluator))?;
        evaluation.certainty = certainty.map(certain).transpose()?;
        let calls_python = calls_python(position.get(), rule, evaluation.foreign.is_some());
        let root = || position.clone().into_any().unbind();
        let (search, tree) = match rule.cast::<PyString>() {
            Ok(name) => {
                let params = read(params)?;
                let search = registry::start(start, &text(name), &params, evaluation, trace);
                let search = Arc::new(Mutex::new(checked(py, search)?));
                let tree = PyTree::shared(search.clone(), Some(root()));
                (search, tree)
            }
            Err(_) => {
                let adapter = PythonRule::new(py, rule.clone().unbind(), Some(root()))?;
                let shown = adapter.tree(py);
                let params = read(params)?;
                let search =
                    registry::start_with(start, Box::new(adapter), &params, evaluation, trace);
                let search = Arc::new(Mutex::new(checked(py, search)?));
                let tree = shown.get().settled(py, &search);
                (search, tree)
            }
        };
        let stop = Arc::default();
        Ok(PySearch { inner: search, tree: Py::new(py, tree)?, calls_python, stop })
    }

    /// A search whose tree was saved, for the same position and rule.
    #[staticmethod]
    #[pyo3(signature = (position, rule, params, evaluator, saved, certainty=None))]
    fn restored(
        position: &Bound<'_, Position>,
        rule: &Bound<'_, PyAny>,
        params: &Bound<'_, PyDict>,
        evaluator: &Bound<'_, PyAny>,
        saved: &[u8],
        certainty: Option<Told<'_>>,
    ) -> PyResult<PySearch> {
        let py = position.py();
        let saved = checked(py, Saved::decode(saved))?;
        let start = &*position.get().inner;
        let mut evaluation = evaluation(position.get(), Some(evaluator))?;
        evaluation.certainty = certainty.map(certain).transpose()?;
        let mut evaluation = Some(evaluation);
        let foreign = evaluation.as_ref().is_some_and(|evaluation| evaluation.foreign.is_some());
        let calls_python = calls_python(position.get(), rule, foreign);
        let root = || position.clone().into_any().unbind();
        let name = rule.cast::<PyString>().ok().map(text);
        let params = read(params)?;
        let mut adapter = match name {
            Some(_) => None,
            None => Some(PythonRule::new(py, rule.clone().unbind(), Some(root()))?),
        };
        let shown = adapter.as_ref().map(|adapter| adapter.tree(py));
        let mut work = || {
            catch_unwind(AssertUnwindSafe(|| {
                let evaluation = evaluation.take().unwrap_or_default();
                match (&name, adapter.take()) {
                    (Some(name), _) => {
                        registry::restore(start, name, &params, evaluation, saved.clone())
                    }
                    (None, Some(adapter)) => {
                        let rule = Box::new(adapter);
                        registry::restore_with(start, rule, &params, evaluation, saved.clone())
                    }
                    (None, None) => Err(Error::Argument("no rule".into())),
                }
            }))
        };
        let search = match if calls_python { work() } else { py.detach(work) } {
            Ok(search) => checked(py, search)?,
            Err(_) => return Err(ArgumentError::new_err("the saved tree is damaged")),
        };
        let search = Arc::new(Mutex::new(search));
        let tree = match shown {
            Some(shown) => shown.get().settled(py, &search),
            None => PyTree::shared(search.clone(), Some(root())),
        };
        Ok(PySearch { inner: search, tree: Py::new(py, tree)?, calls_python, stop: Arc::default() })
    }

    /// What is needed to make the tree again; None if the search keeps none.
    fn saved<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let saved = self.inner.try_lock().map_err(still_running)?.saved();
        Ok(saved.map(|saved| PyBytes::new(py, &saved.encode())))
    }

    /// The same for the tree below the move at this place.
    fn saved_below<'py>(
        &self,
        py: Python<'py>,
        place: u32,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let saved = self.inner.try_lock().map_err(still_running)?.saved_below(place);
        Ok(saved.map(|saved| PyBytes::new(py, &saved.encode())))
    }

    /// Ends the run that is under way in another thread within milliseconds, or else the next one.
    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Works until the budget, which counts from now, is spent. The interpreter is free meanwhile. `progress` is called
    /// now and then, `lines` after every depth that a search completes, with the line as places among siblings.
    #[pyo3(signature = (budget, *, progress=None, lines=None))]
    fn run(
        &self,
        py: Python<'_>,
        budget: &Bound<'_, PyDict>,
        progress: Option<Py<PyAny>>,
        lines: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let budget = limits(budget)?;
        checked(py, budget.check())?;
        let mut guard = self.inner.try_lock().map_err(still_running)?;
        let search: &mut Box<dyn search::Search> = &mut guard;
        let mut control = PythonControl::new(progress, lines, self.stop.clone());
        // a panic is a defect of ours; it must not take the interpreter down with it
        let mut work = || catch_unwind(AssertUnwindSafe(|| search.run(&budget, &mut control)));
        // a search that calls Python all the time keeps hold of the interpreter, which hands itself to
        // other threads while it runs the user's code
        let end = if self.calls_python { work() } else { py.detach(work) };
        self.stop.store(false, Ordering::Relaxed);
        match end {
            Ok(done) => done.map_err(|error| raise(py, error)),
            Err(_) => {
                Err(PyRuntimeError::new_err("internal error in the search: please report it"))
            }
        }
    }

    /// The answer so far.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let report = self.inner.try_lock().map_err(still_running)?.report();
        let facts = PyDict::new(py);
        facts.set_item("status", report.status.name())?;
        facts.set_item("limit", report.limit.map(|limit| limit.name()))?;
        facts.set_item("best", report.best)?;
        facts.set_item("value", report.value)?;
        facts.set_item("won", report.won)?;
        facts.set_item("line", report.line)?;
        facts.set_item("expansions", report.counts.expansions)?;
        facts.set_item("nodes", report.counts.nodes)?;
        facts.set_item("move_calls", report.counts.move_calls)?;
        facts.set_item("seconds", report.counts.seconds)?;
        facts.set_item("artificial_time", report.counts.artificial_time)?;
        facts.set_item("depth", report.counts.depth)?;
        facts.set_item("bytes_per_node", report.bytes_per_node)?;
        let iterations = PyList::empty(py);
        for done in report.iterations {
            let entry = PyDict::new(py);
            entry.set_item("depth", done.depth)?;
            entry.set_item("best", done.best)?;
            entry.set_item("value", done.value)?;
            entry.set_item("move_calls", done.move_calls)?;
            iterations.append(entry)?;
        }
        facts.set_item("iterations", iterations)?;
        Ok(facts)
    }

    /// Tells the search how far its leaves' values can be trusted: model, phase of the root, rho, rho at the root.
    fn inform(&self, certainty: Told<'_>) -> PyResult<()> {
        self.inner.try_lock().map_err(still_running)?.inform(certain(certainty)?);
        Ok(())
    }

    /// How new leaves are valued, by a word; None if the search keeps no tree.
    #[getter]
    fn leaves(&self) -> PyResult<Option<&'static str>> {
        Ok(self.inner.try_lock().map_err(still_running)?.leaves())
    }

    /// The moves, as places, that keep what has been proven, after a line of such moves: the first is the best.
    /// None if the budget is too small to find them.
    fn replies(
        &self,
        py: Python<'_>,
        line: Vec<u32>,
        budget: &Bound<'_, PyDict>,
    ) -> PyResult<Vec<u32>> {
        let budget = limits(budget)?;
        checked(py, budget.check())?;
        let mut guard = self.inner.try_lock().map_err(still_running)?;
        let search: &mut Box<dyn search::Search> = &mut guard;
        let mut control = PythonControl::new(None, None, Arc::default());
        let mut work =
            || catch_unwind(AssertUnwindSafe(|| search.replies(&line, &budget, &mut control)));
        match if self.calls_python { work() } else { py.detach(work) } {
            Ok(found) => found.map_err(|error| raise(py, error)),
            Err(_) => {
                Err(PyRuntimeError::new_err("internal error in the search: please report it"))
            }
        }
    }

    /// The facts in the table that cost so much work or more, and those about these keys, as bytes that `learn` takes.
    #[pyo3(signature = (least=0, keys=vec![]))]
    fn facts<'py>(
        &self,
        py: Python<'py>,
        least: u64,
        keys: Vec<u64>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let facts = self.locked()?.facts();
        if least == 0 {
            return Ok(PyBytes::new(py, &facts));
        }
        let word =
            |bytes: &[u8]| bytes.iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
        let wanted = |fact: &&[u8]| word(&fact[16..]) >= least || keys.contains(&word(&fact[..8]));
        let kept: Vec<u8> = facts.chunks_exact(24).filter(wanted).flatten().copied().collect();
        Ok(PyBytes::new(py, &kept))
    }

    /// Puts facts about the same question into the table, before the first run.
    fn learn(&self, py: Python<'_>, facts: &[u8]) -> PyResult<()> {
        checked(py, self.locked()?.learn(facts))
    }

    /// How far a proof has come: proof number, disproof number, settled moves of the root, all of them.
    fn standing(&self) -> PyResult<Option<(u32, u32, u32, u32)>> {
        let standing = self.locked()?.standing();
        Ok(standing.map(|now| (now.proof, now.disproof, now.settled, now.moves)))
    }

    /// The expanded leaves in order, as paths of places among siblings; None if not recorded.
    fn trace(&self) -> PyResult<Option<Vec<Vec<u32>>>> {
        let search = self.inner.try_lock().map_err(still_running)?;
        Ok(search.trace().map(|trace| trace.paths().map(<[u32]>::to_vec).collect()))
    }

    /// The tree; None if the search keeps none.
    fn tree(&self, py: Python<'_>) -> PyResult<Option<Py<PyTree>>> {
        let search = self.inner.try_lock().map_err(still_running)?;
        Ok(search.tree().is_some().then(|| self.tree.clone_ref(py)))
    }
}

impl PySearch {
    /// The search itself, unless it is running.
    pub fn locked(&self) -> PyResult<MutexGuard<'_, Box<dyn search::Search>>> {
        self.inner.try_lock().map_err(still_running)
    }

    /// Whether it runs the user's code.
    pub fn calls_python(&self) -> bool {
        self.calls_python
    }
}

/// A budget by the names of its units: what `conspirator.Budget` makes of it.
fn limits(given: &Bound<'_, PyDict>) -> PyResult<Budget> {
    let mut budget = Budget::default();
    for (unit, limit) in given {
        let unit: String = unit.extract()?;
        match unit.as_str() {
            "expansions" => budget.expansions = limit.extract()?,
            "nodes" => budget.nodes = limit.extract()?,
            "move_calls" => budget.move_calls = limit.extract()?,
            "seconds" => budget.seconds = limit.extract()?,
            "cpu_seconds" => budget.cpu_seconds = limit.extract()?,
            "memory" => budget.memory = limit.extract()?,
            "artificial_time" => budget.artificial_time = limit.extract()?,
            "confidence" => budget.confidence = limit.extract()?,
            "cost" => budget.cost = limit.extract()?,
            "traversal_cost" => budget.costs.traversal = limit.extract()?,
            "generation_cost" => budget.costs.generation = limit.extract()?,
            other => {
                return Err(ArgumentError::new_err(format!("'{other}' is no unit of a budget")))
            }
        }
    }
    Ok(budget)
}

/// Whether a search runs the user's code.
fn calls_python(position: &Position, rule: &Bound<'_, PyAny>, foreign: bool) -> bool {
    foreign || rule.cast::<PyString>().is_err() || position.is_python()
}

fn still_running<T>(_: T) -> PyErr {
    ArgumentError::new_err("this search is still running in another thread")
}
