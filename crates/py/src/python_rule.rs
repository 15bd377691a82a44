//! A growth rule written in Python behind the core's trait.
//!
//! For each call the tree is moved into the Python object that the rule sees, and back afterwards: no
//! copy, and no reference that outlives the call.

use crate::error::{foreign, GameError};
use crate::node::{Link, PyNode};
use crate::tree::PyTree;
use conspirator_core::expander::Needs;
use conspirator_core::growth::{GrowthRule, Number, RuleNeeds, Status, Verdict};
use conspirator_core::leaves::Leaves;
use conspirator_core::tree::{self, NodeId, Path};
use conspirator_core::Error;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::sync::Arc;

/// The user's rule and the tree object it is shown.
pub struct PythonRule {
    rule: Py<PyAny>,
    tree: Py<PyTree>,
    /// The leaves chosen last, which know their ancestors: one, unless several are under way.
    chosen: Vec<Arc<Link>>,
    /// Ctrl-C came while the rule was busy with its numbers: stop at the next choice.
    interrupted: bool,
}

impl PythonRule {
    /// A rule for a new search from a position.
    pub fn new(py: Python<'_>, rule: Py<PyAny>, root: Option<Py<PyAny>>) -> PyResult<PythonRule> {
        let tree = Py::new(py, PyTree::lent(root, rule.clone_ref(py)))?;
        Ok(PythonRule { rule, tree, chosen: Vec::new(), interrupted: false })
    }

    /// The tree object that the rule is shown.
    pub fn tree(&self, py: Python<'_>) -> Py<PyTree> {
        self.tree.clone_ref(py)
    }

    /// The node with this index: one of those above the chosen leaf. A tree from data comes without choices;
    /// its nodes are looked for.
    fn node(&self, py: Python<'_>, id: NodeId) -> PyResult<PyNode> {
        let above = |leaf: &'_ Arc<Link>| leaf.upwards().find(|link| link.id == id).cloned();
        let known = self.chosen.iter().rev().find_map(above);
        match known {
            Some(link) => Ok(PyNode { tree: self.tree.clone_ref(py), link }),
            None => PyTree::find(py, &self.tree, id),
        }
    }

    /// How far from the true value a proven one may be.
    fn tolerance(&self) -> f64 {
        Python::attach(|py| self.rule.getattr(py, "tolerance").ok()?.extract(py).ok())
            .unwrap_or(0.0)
    }

    /// Lends the tree to Python for the time of one call.
    fn lend<T>(
        &self,
        tree: &mut tree::Tree,
        call: impl FnOnce(Python<'_>) -> PyResult<T>,
    ) -> Result<T, Error> {
        Python::attach(|py| {
            let shown = self.tree.get();
            let fail = |error| foreign(py, error);
            shown.lend(Some(std::mem::take(tree))).map_err(fail)?;
            let answer = call(py);
            if let Some(back) = shown.lend(None).map_err(fail)? {
                *tree = back;
            }
            answer.map_err(|error| foreign(py, error))
        })
    }

    /// Like `lend`, but Ctrl-C is put off: the call is made again, so that the numbers are whole.
    fn finish<T>(
        &mut self,
        tree: &mut tree::Tree,
        call: impl Fn(&PythonRule, Python<'_>) -> PyResult<T>,
    ) -> Result<T, Error> {
        match self.lend(tree, |py| call(self, py)) {
            Err(Error::Interrupted) => {
                self.interrupted = true;
                self.lend(tree, |py| call(self, py))
            }
            answer => answer,
        }
    }
}

/// Whether an attribute of a rule is true.
fn flag(py: Python<'_>, rule: &Py<PyAny>, name: &str) -> bool {
    let wanted = rule.getattr(py, name).ok();
    wanted.and_then(|flag| flag.extract(py).ok()).unwrap_or(false)
}

fn status(name: &str) -> Option<Status> {
    [Status::Proven, Status::Converged, Status::Decided].into_iter().find(|s| s.name() == name)
}

impl GrowthRule for PythonRule {
    fn choose(&mut self, tree: &mut tree::Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        if std::mem::take(&mut self.interrupted) {
            return Err(Error::Interrupted);
        }
        let holds = tree.holds_any();
        let chosen = self.lend(tree, |py| {
            let answer = self.rule.bind(py).call_method1("choose", (&self.tree,))?;
            if answer.is_none() {
                let solved = PyTree::root_of(py, &self.tree).is_solved()?;
                return Ok(Err(if solved { Status::Proven } else { Status::Converged }));
            }
            if let Some(status) = answer.extract::<&str>().ok().and_then(status) {
                return Ok(Err(status));
            }
            let Ok(node) = answer.cast::<PyNode>() else {
                return Err(GameError::new_err(format!(
                    "choose must return an open leaf of the tree, None, 'decided', 'converged' or \
                     'proven', not {answer:?}"
                )));
            };
            let node = node.get();
            if holds && node.belongs_to(self.tree.get()) && !node.is_open()? {
                return Ok(Err(Status::Converged)); // it has no better one, until others are expanded
            }
            if !node.belongs_to(self.tree.get()) || !node.is_open()? {
                return Err(GameError::new_err(
                    "choose must return an open leaf of the tree it was given",
                ));
            }
            Ok(Ok((node.ids(), node.link.clone())))
        })?;
        match chosen {
            Err(Status::Proven) if !tree.may_be_proven(self.tolerance()) => Err(Error::Game(
                "the rule says 'proven', but open leaves can still change the value and the best move: \
                 return 'converged' or 'decided'"
                    .into(),
            )),
            Err(status) => Ok(Some(status)),
            Ok((ids, leaf)) => {
                *path = ids;
                if !tree.holds_any() {
                    self.chosen.clear();
                }
                self.chosen.push(leaf);
                Ok(None)
            }
        }
    }

    fn initialise(&mut self, tree: &mut tree::Tree, node: Option<NodeId>) -> Result<(), Error> {
        self.finish(tree, |rule, py| {
            let leaves = match node {
                None => PyList::new(py, [PyTree::root_of(py, &rule.tree)])?,
                Some(id) => PyList::new(py, rule.node(py, id)?.family(py)?)?,
            };
            rule.rule.bind(py).call_method1("initialise", (&rule.tree, leaves))?;
            Ok(())
        })
    }

    fn update(&mut self, tree: &mut tree::Tree, node: NodeId) -> Result<bool, Error> {
        self.finish(tree, |rule, py| {
            let node = rule.node(py, node)?;
            let answer = rule.rule.bind(py).call_method1("update", (&rule.tree, node))?;
            answer.extract::<bool>().map_err(|_| {
                GameError::new_err(format!(
                    "update must return whether any number changed: True or False, not {answer:?}"
                ))
            })
        })
    }

    fn renew(&mut self, tree: &mut tree::Tree, leaf: NodeId) -> Result<(), Error> {
        self.finish(tree, |rule, py| {
            let node = rule.node(py, leaf)?;
            rule.rule.bind(py).call_method1("renew", (&rule.tree, node)).map(drop)
        })
    }

    fn can_hold(&self) -> Result<(), Error> {
        let written = Python::attach(|py| {
            let method = self.rule.bind(py).getattr_opt("renew").ok().flatten();
            method.is_some_and(|method| method.getattr_opt("_not_written").ok().flatten().is_none())
        });
        match written {
            true => Ok(()),
            false => Err(Error::Argument(
                "batch needs a rule with a method renew(tree, leaf), which gives a held leaf its numbers: \
                 write one, or leave batch out"
                    .into(),
            )),
        }
    }

    fn numbers(&self, _: &tree::Tree, _: &[NodeId]) -> Vec<(&'static str, Number)> {
        Vec::new() // nodes ask the user's rule itself
    }

    fn verdict(&self, _: &tree::Tree, node: NodeId) -> Verdict {
        if node != tree::Tree::ROOT {
            return Verdict::default();
        }
        // the answer of a rule that fails here is the tree's own
        Verdict::answer(Python::attach(|py| {
            self.rule.call_method0(py, "answer").ok()?.extract(py).ok()?
        }))
    }

    fn needs(&self) -> RuleNeeds {
        Python::attach(|py| {
            let inherits = flag(py, &self.rule, "inherits_values");
            let leaves = if inherits { Leaves::Inherited } else { Leaves::Static };
            let errors = flag(py, &self.rule, "uses_errors");
            let delta = self.rule.getattr(py, "leaf_delta");
            RuleNeeds {
                leaves: Needs { leaves, errors, ..Needs::default() },
                leaf_delta: delta.ok().and_then(|delta| delta.extract(py).ok()).flatten(),
                ..RuleNeeds::default()
            }
        })
    }
}
