//! How objects show themselves in notebooks: the page's parts are written in Python.

use pyo3::prelude::*;

/// What `conspirator._html.<what>` makes of an object.
pub fn html<'py, T>(this: &Bound<'py, T>, what: &str) -> PyResult<Bound<'py, PyAny>> {
    this.py().import("conspirator._html")?.call_method1(what, (this,))
}
