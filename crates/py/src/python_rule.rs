//! A growth rule written in Python behind the core's trait.
//!
//! For each call the tree is moved into the Python object that the rule sees, and back afterwards: no
//! copy, and no reference that outlives the call.

use crate::error::{foreign, GameError};
use crate::tree::{Node, Source, Tree};
use conspirator_core::growth::{GrowthRule, Number};
use conspirator_core::search::Status;
use conspirator_core::tree::{self, NodeId, Path};
use conspirator_core::Error;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// The user's rule and the tree object it is shown.
pub struct PythonRule {
    rule: Py<PyAny>,
    tree: Py<Tree>,
    /// The leaf chosen last, which knows its ancestors.
    chosen: Option<Py<Node>>,
    /// Ctrl-C came while the rule was busy with its numbers: stop at the next choice.
    interrupted: bool,
}

impl PythonRule {
    /// A rule for a new search from a position.
    pub fn new(py: Python<'_>, rule: Py<PyAny>, root: Py<PyAny>) -> PyResult<PythonRule> {
        let source = Source::Lent(std::sync::Mutex::new(tree::Tree::default()));
        let tree = Py::new(py, Tree::new(source, Some(root), Some(rule.clone_ref(py))))?;
        Ok(PythonRule { rule, tree, chosen: None, interrupted: false })
    }

    /// Lends the tree to Python for the time of one call.
    fn lend<T>(
        &self,
        tree: &mut tree::Tree,
        call: impl FnOnce(Python<'_>) -> PyResult<T>,
    ) -> Result<T, Error> {
        Python::attach(|py| {
            let swap = |tree: &mut tree::Tree| self.tree.get().swap(tree);
            swap(tree).map_err(|error| foreign(py, error))?;
            let answer = call(py);
            swap(tree).map_err(|error| foreign(py, error))?;
            answer.map_err(|error| foreign(py, error))
        })
    }

    /// Like `lend`, but Ctrl-C is put off: the call is made again, so that the numbers are whole.
    fn finish<T>(
        &mut self,
        tree: &mut tree::Tree,
        call: impl Fn(Python<'_>) -> PyResult<T>,
    ) -> Result<T, Error> {
        match self.lend(tree, &call) {
            Err(Error::Interrupted) => {
                self.interrupted = true;
                self.lend(tree, &call)
            }
            answer => answer,
        }
    }
}

/// The node with this index among a node and its ancestors.
fn ancestor(py: Python<'_>, node: Option<&Py<Node>>, id: NodeId) -> PyResult<Py<Node>> {
    let mut at = node.map(|node| node.clone_ref(py));
    while let Some(node) = at {
        if node.get().id == id {
            return Ok(node);
        }
        at = node.get().parent.as_ref().map(|parent| parent.clone_ref(py));
    }
    Err(GameError::new_err("the rule's path is lost"))
}

fn status(name: &str) -> Option<Status> {
    [Status::Proven, Status::Converged, Status::Decided].into_iter().find(|s| s.name() == name)
}

impl GrowthRule for PythonRule {
    fn choose(&mut self, tree: &mut tree::Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        if std::mem::take(&mut self.interrupted) {
            return Err(Error::Interrupted);
        }
        let chosen = self.lend(tree, |py| {
            let answer = self.rule.bind(py).call_method1("choose", (&self.tree,))?;
            if answer.is_none() {
                return Ok(Err(Status::Converged));
            }
            if let Some(status) = answer.extract::<&str>().ok().and_then(status) {
                return Ok(Err(status));
            }
            let Ok(node) = answer.cast::<Node>() else {
                return Err(GameError::new_err(format!(
                    "choose must return an open leaf of the tree, None, 'decided', 'converged' or \
                     'proven', not {answer:?}"
                )));
            };
            let node = node.clone().unbind();
            if !node.get().tree.is(&self.tree) || !node.get().is_open()? {
                return Err(GameError::new_err(
                    "choose must return an open leaf of the tree it was given",
                ));
            }
            Ok(Ok((node.get().ids(py), node)))
        })?;
        match chosen {
            Err(status) => Ok(Some(status)),
            Ok((ids, node)) => {
                *path = ids;
                self.chosen = Some(node);
                Ok(None)
            }
        }
    }

    fn initialise(&mut self, tree: &mut tree::Tree, node: Option<NodeId>) -> Result<(), Error> {
        let (rule, view) = Python::attach(|py| (self.rule.clone_ref(py), self.tree.clone_ref(py)));
        let chosen = Python::attach(|py| self.chosen.as_ref().map(|node| node.clone_ref(py)));
        self.finish(tree, |py| {
            let leaves = match node {
                None => PyList::new(py, [Tree::root_of(py, &view)?])?,
                Some(id) => {
                    // a tree from data comes without choices: its nodes are found by a walk
                    let node = match ancestor(py, chosen.as_ref(), id) {
                        Ok(node) => node,
                        Err(_) => Tree::find(py, &view, id)?,
                    };
                    PyList::new(py, Node::family(py, &node)?)?
                }
            };
            rule.bind(py).call_method1("initialise", (&view, leaves))?;
            Ok(())
        })
    }

    fn update(&mut self, tree: &mut tree::Tree, node: NodeId) -> Result<bool, Error> {
        let (rule, view) = Python::attach(|py| (self.rule.clone_ref(py), self.tree.clone_ref(py)));
        let chosen = Python::attach(|py| self.chosen.as_ref().map(|node| node.clone_ref(py)));
        self.finish(tree, |py| {
            let node = match ancestor(py, chosen.as_ref(), node) {
                Ok(found) => found,
                Err(_) => Tree::find(py, &view, node)?,
            };
            let answer = rule.bind(py).call_method1("update", (&view, node))?;
            answer.extract::<bool>().map_err(|_| {
                GameError::new_err(format!(
                    "update must return whether any number changed: True or False, not {answer:?}"
                ))
            })
        })
    }

    fn numbers(&self, _: &tree::Tree, _: &[NodeId]) -> Vec<(&'static str, Number)> {
        Vec::new() // nodes ask the user's rule itself
    }

    fn check(&self, _: &tree::Tree) -> Result<(), String> {
        Ok(())
    }
}
