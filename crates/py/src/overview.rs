//! Pictures of trees for the studio.

use crate::error::ArgumentError;
use crate::tree::PyTree;
use conspirator_core::tree::{overview as blocks, Pane};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The blocks of a tree as columns, and for each of the `paths` how many nodes stand at and below the node's children.
///
/// Shown is the part of the width between `left` and `right`, in at most `most` blocks; what is narrower than `least` of
/// it is merged with its neighbours. One pass over the tree; the interpreter is free meanwhile.
#[pyfunction]
#[pyo3(signature = (tree, paths, *, left=0.0, right=1.0, least=0.001, most=2000))]
pub fn overview<'py>(
    py: Python<'py>,
    tree: &PyTree,
    paths: Vec<Vec<u32>>,
    left: f64,
    right: f64,
    least: f64,
    most: usize,
) -> PyResult<(Bound<'py, PyBytes>, Vec<Vec<u32>>)> {
    let fits = (0.0..1.0).contains(&left) && left < right && right <= 1.0 && least > 0.0;
    if !fits {
        return Err(ArgumentError::new_err(
            "left and right must be parts of the width, from 0 to 1",
        ));
    }
    let pane = Pane { left, right, least, most };
    let (bytes, families) = tree.ask(py, |tree, _| blocks(tree, &pane, &paths))?;
    Ok((PyBytes::new(py, &bytes), families))
}
