//! Parameters from Python and the tables of games and searches for it.

use crate::error::ArgumentError;
use conspirator_core::games::GAMES;
use conspirator_core::params::{Info, Kind, Value};
use conspirator_core::registry;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};

/// A value as the core takes it; `None` means that the default holds.
fn value(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Value> {
    Ok(if given.is_none() {
        Value::None
    } else if given.is_instance_of::<PyBool>() {
        Value::Bool(given.extract()?)
    } else if given.is_instance_of::<PyInt>() {
        Value::Int(given.extract().map_err(|_| {
            ArgumentError::new_err(format!("{name} is too large: {given} does not fit in 64 bits"))
        })?)
    } else if given.is_instance_of::<PyFloat>() {
        Value::Real(given.extract()?)
    } else if given.is_instance_of::<PyString>() {
        Value::Text(text(given.cast()?))
    } else if let Ok(index) = given.call_method0("__index__") {
        return value(name, &index); // NumPy's integers
    } else {
        let kind = given.get_type().name()?;
        return Err(ArgumentError::new_err(format!("{name} cannot be of type {kind}")));
    })
}

/// A string of Python's, which may have characters that no other string has.
pub fn text(given: &Bound<'_, PyString>) -> String {
    given.to_string_lossy().into_owned()
}

/// Keyword arguments as the core takes them. A `None` is the same as nothing given.
pub fn read(given: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Value)>> {
    let mut values = Vec::new();
    for (name, item) in given {
        let name = text(name.cast()?);
        match value(&name, &item)? {
            Value::None => {}
            value => values.push((name, value)),
        }
    }
    Ok(values)
}

pub fn table<'py>(
    py: Python<'py>,
    infos: impl Iterator<Item = &'static Info>,
) -> PyResult<Bound<'py, PyDict>> {
    let entries = PyDict::new(py);
    for info in infos {
        let params = PyDict::new(py);
        let work =
            if registry::growing().any(|name| name == info.name) { registry::WORK } else { &[] };
        for param in info.params.iter().chain(work) {
            let entry = PyDict::new(py);
            match param.default.value() {
                Value::None => entry.set_item("default", py.None())?,
                Value::Bool(value) => entry.set_item("default", value)?,
                Value::Int(value) => entry.set_item("default", value)?,
                Value::Real(value) => entry.set_item("default", value)?,
                Value::Text(value) => entry.set_item("default", value)?,
            }
            if let Kind::Choice(words) | Kind::MaybeChoice(words) = param.default {
                entry.set_item("choices", PyList::new(py, words)?)?;
            }
            let kind = match param.default {
                Kind::Bool(_) => "bool",
                Kind::Int(..) => "int",
                Kind::MaybeInt(_) => "int | None",
                Kind::Real(_) => "float",
                Kind::Count(..) => "int | float",
                Kind::MaybeReal(_) => "float | None",
                Kind::Choice(_) => "str",
                Kind::MaybeChoice(_) => "str | None",
            };
            entry.set_item("type", kind)?;
            entry.set_item("meaning", param.meaning)?;
            params.set_item(param.name, entry)?;
        }
        let entry = PyDict::new(py);
        entry.set_item("paper", info.paper)?;
        entry.set_item("summary", info.summary)?;
        entry.set_item("parameters", params)?;
        entries.set_item(info.name, entry)?;
    }
    Ok(entries)
}

/// Every native game by name, with its parameters.
#[pyfunction]
pub fn games(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    table(py, GAMES.iter())
}

/// Every search by name, with its parameters.
#[pyfunction]
pub fn searches(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let searches = table(py, registry::searches())?;
    for (name, entry) in &searches {
        let name: String = name.extract()?;
        entry.set_item("tree", registry::growing().any(|growing| growing == name))?;
    }
    Ok(searches)
}
