//! The binding: conversion, errors, the interpreter's lock. Nothing here searches.

mod allocator;
mod answers;
mod certainty;
mod control;
mod data;
mod error;
mod fact;
mod html;
mod network;
mod node;
mod overview;
mod params;
mod position;
mod proof;
mod python_evaluator;
mod python_game;
mod python_rule;
mod search;
mod tree;

use pyo3::prelude::*;

#[global_allocator]
static ALLOCATOR: allocator::Blocks = allocator::Blocks;

/// The native part of `conspirator`; use the public package instead.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("TABLE_BYTES", conspirator_core::search::TABLE_BYTES)?;
    module.add_class::<position::NativeGame>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<search::PySearch>()?;
    module.add_class::<certainty::PyErrorModel>()?;
    module.add_class::<tree::PyTree>()?;
    module.add_class::<node::PyNode>()?;
    module.add_function(wrap_pyfunction!(network::network_shape, module)?)?;
    module.add_function(wrap_pyfunction!(network::planes, module)?)?;
    module.add_function(wrap_pyfunction!(network::policy_places, module)?)?;
    module.add_function(wrap_pyfunction!(overview::overview, module)?)?;
    module.add_function(wrap_pyfunction!(params::games, module)?)?;
    module.add_function(wrap_pyfunction!(params::searches, module)?)?;
    module.add_function(wrap_pyfunction!(proof::export, module)?)?;
    module.add_function(wrap_pyfunction!(proof::shortest, module)?)?;
    Ok(())
}
