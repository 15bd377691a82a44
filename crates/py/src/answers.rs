//! What methods written in Python gave, as numbers; or an error that says what they should have given.

use crate::error::GameError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString, PyTuple};
use std::hash::{DefaultHasher, Hash, Hasher};

/// What a method gave for each of several things: a list, or an array of NumPy's or PyTorch's.
pub fn numbers(
    answer: Bound<'_, PyAny>,
    method: &str,
    what: &str,
    count: usize,
    things: &str,
) -> PyResult<Vec<f64>> {
    let py = answer.py();
    // arrays become lists in one call
    let answer = match answer.getattr_opt(intern!(py, "tolist"))? {
        Some(tolist) => tolist.call0()?,
        None => answer,
    };
    let items = answer.try_iter().map_err(|_| {
        GameError::new_err(format!("{method} must return a list of {what}, not {answer:?}"))
    })?;
    let mut values = Vec::with_capacity(count);
    for item in items {
        values.push(number(&item?, method)?);
    }
    if values.len() != count {
        let given = values.len();
        return Err(GameError::new_err(format!(
            "{method} returned {given} {what} for {count} {things}"
        )));
    }
    Ok(values)
}

pub fn number(answer: &Bound<'_, PyAny>, method: &str) -> PyResult<f64> {
    answer.extract().map_err(|_| {
        let kind = answer.get_type();
        GameError::new_err(format!("{method} must return a number, not {answer:?} of {kind}"))
    })
}

/// Mixes a key of the user's into a number: whole numbers, strings, bytes, truth values, None, and tuples of them.
pub fn hash_key(key: &Bound<'_, PyAny>, hasher: &mut DefaultHasher) -> PyResult<()> {
    if key.is_none() {
        hasher.write_u8(0);
    } else if let Ok(number) = key.extract::<i128>() {
        hasher.write_u8(1);
        hasher.write_i128(number);
    } else if key.is_instance_of::<PyInt>() {
        // too large for this machine: its digits
        hasher.write_u8(5);
        key.call_method1("__format__", ("x",))?.extract::<String>()?.hash(hasher);
    } else if let Ok(text) = key.cast::<PyString>() {
        hasher.write_u8(2);
        text.to_string_lossy().hash(hasher);
    } else if let Ok(bytes) = key.cast::<PyBytes>() {
        hasher.write_u8(3);
        bytes.as_bytes().hash(hasher);
    } else if let Ok(parts) = key.cast::<PyTuple>() {
        hasher.write_u8(4);
        hasher.write_usize(parts.len());
        return parts.iter().try_for_each(|part| hash_key(&part, hasher));
    } else {
        let kind = key.get_type();
        return Err(GameError::new_err(format!(
            "key must return a whole number, a string, bytes, or a tuple of them, not {key:?} of {kind}"
        )));
    }
    Ok(())
}

pub fn mover(answer: Bound<'_, PyAny>) -> PyResult<bool> {
    match answer.extract::<&str>() {
        Ok("max") => Ok(true),
        Ok("min") => Ok(false),
        _ => Err(GameError::new_err(format!("to_move must return 'max' or 'min', not {answer:?}"))),
    }
}
