//! Watching a running search: signals and the user's progress function.

use crate::error::foreign;
use conspirator_core::search::{Control, Counts};
use conspirator_core::Error;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How often the user's function is called.
const REPORT_EVERY: Duration = Duration::from_millis(50);

/// Attaches to the interpreter for a moment whenever the search asks whether to go on.
pub struct PythonControl {
    progress: Option<Py<PyAny>>,
    /// Told the line of every completed iteration.
    lines: Option<Py<PyAny>>,
    /// Set from another thread to end the search.
    stop: Arc<AtomicBool>,
    reported: Instant,
}

impl PythonControl {
    pub fn new(
        progress: Option<Py<PyAny>>,
        lines: Option<Py<PyAny>>,
        stop: Arc<AtomicBool>,
    ) -> PythonControl {
        PythonControl { progress, lines, stop, reported: Instant::now() }
    }
}

impl Control for PythonControl {
    fn poll(&mut self, counts: &Counts, value: &mut dyn FnMut() -> f64) -> Result<bool, Error> {
        if self.stop.load(Ordering::Relaxed) {
            return Ok(false);
        }
        Python::attach(|py| {
            if let Err(error) = py.check_signals() {
                return match error.is_instance_of::<PyKeyboardInterrupt>(py) {
                    true if is_insisted_on() => Err(Error::Foreign(Box::new(error))),
                    true => Ok(false),
                    false => Err(foreign(py, error)),
                };
            }
            let Some(report) = &self.progress else { return Ok(true) };
            if self.reported.elapsed() < REPORT_EVERY {
                return Ok(true);
            }
            self.reported = Instant::now();
            let go_on =
                tell(py, report, counts, value(), None).map_err(|error| foreign(py, error))?;
            Ok(go_on)
        })
    }

    fn completed(&mut self, counts: &Counts, value: f64, line: &[u32]) -> Result<bool, Error> {
        let Some(report) = &self.lines else { return Ok(true) };
        Python::attach(|py| {
            tell(py, report, counts, value, Some(line)).map_err(|error| foreign(py, error))
        })
    }
}

/// Whether Ctrl-C was pressed for the second time in a second: the first one ends a search, the second the program that
/// goes on with the next.
fn is_insisted_on() -> bool {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    let Ok(mut last) = LAST.lock() else { return true };
    let again = last.is_some_and(|last| last.elapsed() < Duration::from_secs(1));
    *last = Some(Instant::now());
    again
}

/// Calls the user's function with a dictionary, which has the line of a completed iteration if there is one; only an
/// explicit `False` stops the search.
fn tell(
    py: Python<'_>,
    report: &Py<PyAny>,
    counts: &Counts,
    value: f64,
    line: Option<&[u32]>,
) -> PyResult<bool> {
    let facts = PyDict::new(py);
    facts.set_item("expansions", counts.expansions)?;
    facts.set_item("nodes", counts.nodes)?;
    facts.set_item("move_calls", counts.move_calls)?;
    facts.set_item("seconds", counts.seconds)?;
    facts.set_item("depth", counts.depth)?;
    facts.set_item("value", value)?;
    if let Some(line) = line {
        facts.set_item("line", line)?;
    }
    let answer = report.call1(py, (facts,))?;
    Ok(!matches!(answer.extract::<bool>(py), Ok(false)))
}
