//! What is known of a position, as Python's own data.

use conspirator_core::fact::Fact;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pyo3::IntoPyObjectExt;

/// A fact as plain data: None, bool, float, str, list, dict.
pub fn shown<'py>(py: Python<'py>, fact: Fact) -> PyResult<Bound<'py, PyAny>> {
    match fact {
        Fact::Nothing => Ok(py.None().into_bound(py)),
        Fact::Truth(truth) => truth.into_bound_py_any(py),
        Fact::Number(number) => number.into_bound_py_any(py),
        Fact::Text(text) => text.into_bound_py_any(py),
        Fact::List(facts) => {
            let list = PyList::empty(py);
            for fact in facts {
                list.append(shown(py, fact)?)?;
            }
            Ok(list.into_any())
        }
        Fact::Map(facts) => {
            let map = PyDict::new(py);
            for (name, fact) in facts {
                map.set_item(name, shown(py, fact)?)?;
            }
            Ok(map.into_any())
        }
    }
}
