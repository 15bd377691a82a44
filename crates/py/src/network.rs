//! Positions as networks see them, many at once: bytes that NumPy reads.

use crate::error::{checked, ArgumentError};
use crate::position::Position;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Why there are no planes.
fn lacking() -> PyErr {
    ArgumentError::new_err(
        "this game has no planes of its own: give the network's evaluator encode= and moves=",
    )
}

/// Planes, rows, columns; the outputs of a policy; how many of them each move has. None if the game has no usual ones.
#[pyfunction]
pub fn network_shape(position: &Bound<'_, Position>) -> Option<([usize; 3], usize, usize)> {
    let shape = position.get().inner.network_shape()?;
    Some((shape.planes, shape.policy, shape.parts))
}

/// The planes of positions of one game, one after another, as 32-bit floats.
#[pyfunction]
pub fn planes<'py>(
    py: Python<'py>,
    positions: Vec<Bound<'py, Position>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut planes: Vec<f32> = Vec::new();
    let mut size = None;
    for position in &positions {
        let inner = &position.get().inner;
        let shape = inner.network_shape().ok_or_else(lacking)?;
        let count: usize = shape.planes.iter().product();
        if *size.get_or_insert(shape) != shape {
            return Err(ArgumentError::new_err("planes are for positions of one game"));
        }
        let first = planes.len();
        planes.resize(first + count, 0.0);
        inner.write_planes(&mut planes[first..]);
    }
    let bytes: Vec<u8> = planes.into_iter().flat_map(f32::to_ne_bytes).collect();
    Ok(PyBytes::new(py, &bytes))
}

/// The places of all legal moves of positions among the outputs of a policy, one position after another, as 32-bit whole
/// numbers; and how many moves each has.
#[pyfunction]
pub fn policy_places<'py>(
    py: Python<'py>,
    positions: Vec<Bound<'py, Position>>,
) -> PyResult<(Bound<'py, PyBytes>, Vec<usize>)> {
    let (mut places, mut counts) = (Vec::new(), Vec::with_capacity(positions.len()));
    for position in &positions {
        let inner = &position.get().inner;
        inner.network_shape().ok_or_else(lacking)?;
        counts.push(checked(py, inner.policy_places(&mut places))?);
    }
    let bytes: Vec<u8> = places.into_iter().flat_map(u32::to_ne_bytes).collect();
    Ok((PyBytes::new(py, &bytes), counts))
}
