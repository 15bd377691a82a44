//! Trees as Python sees them.

use crate::certainty::{certain, Told};
use crate::data::read_tree;
use crate::error::{checked, ArgumentError, GameError};
use crate::html::html;
use crate::node::{Link, PyNode};
use crate::params::{read, text};
use crate::python_rule::PythonRule;
use conspirator_core::growth::{doubts, Doubt};
use conspirator_core::numbers::robustness;
use conspirator_core::registry::{tree_from_data, tree_with_rule};
use conspirator_core::search;
use conspirator_core::spare::guarded;
use conspirator_core::tree::{self, NodeId};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

/// A search shared by its result, its tree and the tree's nodes.
pub type SharedSearch = Arc<Mutex<Box<dyn search::Search>>>;

/// Where a tree object finds its tree.
enum Source {
    /// In a search.
    Shared(SharedSearch),
    /// Here, while a rule written in Python is being asked; otherwise in the search, if it still exists.
    Lent { tree: Mutex<Option<tree::Tree>>, search: OnceLock<Weak<Mutex<Box<dyn search::Search>>>> },
}

/// A doubt: path, relevance, cases.
type FoundDoubt = (Vec<u32>, f64, Vec<(f64, u32, f64)>);

/// A grown game tree.
#[pyclass(frozen, name = "Tree", module = "conspirator")]
pub struct PyTree {
    source: Source,
    pub position: Option<Py<PyAny>>,
    pub rule: Option<Py<PyAny>>,
    /// Shared by all objects that show the same tree.
    pub identity: Arc<()>,
    /// S of all nodes, of a tree of this size.
    distributions: Mutex<(usize, Vec<f64>)>,
}

fn busy<T>(_: T) -> PyErr {
    ArgumentError::new_err("the tree is being grown: wait for the search to end")
}

fn no_tree() -> PyErr {
    ArgumentError::new_err("this search keeps no tree")
}

impl PyTree {
    fn at(
        source: Source,
        position: Option<Py<PyAny>>,
        rule: Option<Py<PyAny>>,
        identity: Arc<()>,
    ) -> PyTree {
        PyTree { source, position, rule, identity, distributions: Mutex::default() }
    }

    /// The tree of a search.
    pub fn shared(search: SharedSearch, position: Option<Py<PyAny>>) -> PyTree {
        PyTree::at(Source::Shared(search), position, None, Arc::new(()))
    }

    /// The tree that a rule written in Python is shown.
    pub fn lent(position: Option<Py<PyAny>>, rule: Py<PyAny>) -> PyTree {
        let source = Source::Lent { tree: Mutex::new(None), search: OnceLock::new() };
        PyTree::at(source, position, Some(rule), Arc::new(()))
    }

    /// Another object for the same tree, which stands in this search from now on.
    pub fn settled(&self, py: Python<'_>, found: &SharedSearch) -> PyTree {
        if let Source::Lent { search, .. } = &self.source {
            search.get_or_init(|| Arc::downgrade(found));
        }
        let position = self.position.as_ref().map(|position| position.clone_ref(py));
        let rule = self.rule.as_ref().map(|rule| rule.clone_ref(py));
        PyTree::at(Source::Shared(found.clone()), position, rule, self.identity.clone())
    }

    /// Moves a tree here for as long as a rule looks at it, or back.
    pub fn lend(&self, tree: Option<tree::Tree>) -> PyResult<Option<tree::Tree>> {
        match &self.source {
            Source::Lent { tree: place, .. } => {
                Ok(std::mem::replace(&mut *place.try_lock().map_err(busy)?, tree))
            }
            Source::Shared(_) => Ok(tree),
        }
    }

    /// Does something with the search that the tree stands in.
    pub fn with_search<T>(&self, ask: impl FnOnce(&dyn search::Search) -> T) -> PyResult<T> {
        let gone = || ArgumentError::new_err("the search of this tree no longer exists");
        let search = match &self.source {
            Source::Shared(search) => search.clone(),
            Source::Lent { search, .. } => search.get().and_then(Weak::upgrade).ok_or_else(gone)?,
        };
        let search = search.try_lock().map_err(busy)?;
        Ok(ask(&**search))
    }

    pub fn with<T>(&self, read: impl FnOnce(&tree::Tree) -> T) -> PyResult<T> {
        if let Source::Lent { tree, .. } = &self.source {
            if let Some(tree) = &*tree.try_lock().map_err(busy)? {
                return Ok(read(tree));
            }
        }
        self.with_search(|search| search.tree().map(read))?.ok_or_else(no_tree)
    }

    /// Computes something about the whole tree, with the interpreter free meanwhile.
    pub fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&tree::Tree, Option<f64>) -> T + Send,
    ) -> PyResult<T> {
        let question = |tree: &tree::Tree, delta| guarded(|| question(tree, delta));
        if let Source::Lent { tree, .. } = &self.source {
            if let Some(tree) = &*tree.try_lock().map_err(busy)? {
                return checked(py, question(tree, None));
            }
        }
        self.with_search(|search| {
            let delta = search.leaf_delta();
            search.tree().map(|tree| py.detach(|| question(tree, delta)))
        })?
        .ok_or_else(no_tree)
        .and_then(|answer| checked(py, answer))
    }

    pub fn with_node<T>(
        &self,
        id: NodeId,
        read: impl FnOnce(&tree::Tree, &tree::Node) -> T,
    ) -> PyResult<T> {
        self.with(|tree| match tree.nodes().get(id as usize) {
            Some(node) => Ok(read(tree, node)),
            None => Err(ArgumentError::new_err(
                "this node belongs to a tree that is no longer there: ask the result for its tree",
            )),
        })?
    }

    pub fn root_of(py: Python<'_>, tree: &Py<PyTree>) -> PyNode {
        let link = Link { id: 0, place: 0, depth: 0, parent: None };
        PyNode { tree: tree.clone_ref(py), link: Arc::new(link) }
    }

    /// The node with this index, found by looking for its ancestors' families.
    pub fn find(py: Python<'_>, tree: &Py<PyTree>, id: NodeId) -> PyResult<PyNode> {
        let mut steps = Vec::new();
        let mut at = id;
        while at > 0 {
            let (parent, place) = tree.get().with(|tree| {
                let holds = |node: &tree::Node| node.children().contains(&at);
                let parent = tree.nodes().iter().position(holds).unwrap_or(0) as NodeId;
                (parent, at - tree.node(parent).children().start)
            })?;
            steps.push((at, place));
            at = parent;
        }
        let root = PyTree::root_of(py, tree);
        let link =
            steps.iter().rev().fold(root.link.clone(), |link, &(id, place)| link.child(id, place));
        Ok(root.relative(py, link))
    }
}

#[pymethods]
impl PyTree {
    /// A search tree given as nested dictionaries, with the numbers of the rule `rule`: every node with
    /// children is expanded, a node without is an open leaf unless it says "terminal": true.
    #[staticmethod]
    #[pyo3(signature = (data, rule, **params))]
    fn from_dict(
        data: &Bound<'_, PyAny>,
        rule: &Bound<'_, PyAny>,
        params: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyTree> {
        let py = data.py();
        let params = params.map(read).transpose()?.unwrap_or_default();
        let data = read_tree(data)?;
        if let Ok(name) = rule.cast::<PyString>() {
            let search = checked(py, tree_from_data(data, &text(name), &params))?;
            return Ok(PyTree::shared(Arc::new(Mutex::new(search)), None));
        }
        let adapter = PythonRule::new(py, rule.clone().unbind(), None)?;
        let shown = adapter.tree(py);
        let search = checked(py, tree_with_rule(data, Box::new(adapter)))?;
        Ok(shown.get().settled(py, &Arc::new(Mutex::new(search))))
    }

    /// The root node.
    #[getter]
    fn root(slf: &Bound<'_, PyTree>) -> PyNode {
        PyTree::root_of(slf.py(), slf.as_unbound())
    }

    /// The node at the end of a path of places among siblings; `[]` is the root.
    fn node(slf: &Bound<'_, PyTree>, path: Vec<i64>) -> PyResult<PyNode> {
        let root = PyTree::root_of(slf.py(), slf.as_unbound());
        let mut link = root.link.clone();
        for place in path {
            let children = slf.get().with_node(link.id, |_, node| node.children())?;
            let Some(id) = children.clone().nth(usize::try_from(place).unwrap_or(usize::MAX))
            else {
                return Err(ArgumentError::new_err(format!(
                    "there is no child {place} where there are {}",
                    children.len()
                )));
            };
            link = link.child(id, place as u32);
        }
        Ok(root.relative(slf.py(), link))
    }

    /// How many nodes stand below and at each child of a node.
    fn child_sizes(&self, node: &PyNode) -> PyResult<Vec<u64>> {
        let children = node.read(tree::Node::children)?;
        self.with(|tree| {
            let sizes = tree.subtree_sizes();
            children.map(|id| sizes[id as usize]).collect()
        })
    }

    /// The least and the greatest value that any position of the game can have.
    #[getter]
    fn value_range(&self) -> PyResult<(f64, f64)> {
        self.with(tree::Tree::value_range)
    }

    /// The number of nodes.
    fn __len__(&self) -> PyResult<usize> {
        self.with(tree::Tree::len)
    }

    /// The number of nodes at every ply, the root's first.
    fn depth_histogram(&self) -> PyResult<Vec<u64>> {
        self.with(tree::Tree::depth_histogram)
    }

    /// The number of leaves that must change for a node to reach a value: 0 if it has it, infinity if no
    /// number of leaves is enough.
    fn conspiracy(&self, py: Python<'_>, node: &PyNode, value: f64) -> PyResult<f64> {
        if value.is_nan() {
            return Err(ArgumentError::new_err("value must be a number, not nan"));
        }
        let id = node.link.id;
        if !node.belongs_to(self) {
            return Err(ArgumentError::new_err("this node belongs to another tree"));
        }
        let number = self.ask(py, |tree, delta| robustness::number(tree, delta, id, value))?;
        Ok(number.map_or(f64::INFINITY, f64::from))
    }

    /// The intervals of likely root values under 0, 1, ... `most` conspirators: (Vmin, Vmax) each.
    fn ladder(&self, py: Python<'_>, most: u64) -> PyResult<Vec<(f64, f64)>> {
        self.ask(py, |tree, delta| {
            robustness::ladder(tree, delta, u32::try_from(most).unwrap_or(u32::MAX))
        })
    }

    /// S of a node, for each threshold between two outcomes; None without an error model. Those of all nodes are kept
    /// until the tree grows.
    fn _distribution(&self, py: Python<'_>, id: usize) -> PyResult<Option<Vec<f64>>> {
        let all = self.with_search(|search| {
            let (tree, certainty) = (search.tree()?, search.certainty()?);
            let mut kept = self.distributions.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.0 != tree.len() {
                let fresh = py.detach(|| guarded(|| certainty.distributions(tree)));
                *kept = match fresh {
                    Ok(fresh) => (tree.len(), fresh),
                    Err(error) => return Some(Err(error)),
                };
            }
            let width = certainty.model.thresholds();
            Some(Ok(kept.1.get(id * width..(id + 1) * width).map(<[f64]>::to_vec)))
        })?;
        all.map_or(Ok(None), |found| checked(py, found))
    }

    /// For each move that the tree has at the root, by its place among the legal ones, the probability that it is a best
    /// one, by the search's error model or another; None without any.
    #[pyo3(signature = (certainty=None))]
    fn _probabilities(
        &self,
        py: Python<'_>,
        certainty: Option<Told<'_>>,
    ) -> PyResult<Option<Vec<(u32, f64)>>> {
        let certainty = certainty.map(certain).transpose()?;
        let found = self.with_search(|search| {
            let tree = search.tree()?;
            let first = tree.root().children().start;
            let places = tree.root().children().map(|id| tree.place(id, first));
            let likely = || match &certainty {
                Some(other) => Some(other.best(tree, &other.root_family(tree))),
                None => search.probabilities(),
            };
            Some(guarded(|| Some(places.zip(likely()?).collect())))
        })?;
        found.map_or(Ok(None), |found| checked(py, found))
    }

    /// The most that any further search can gain, in parts of the range of outcomes; None without an error model.
    fn _gain(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        let found = self.with_search(|search| Some(guarded(|| search.gain())))?;
        found.map_or(Ok(None), |found| checked(py, found))
    }

    /// The open leaves that matter most for the choice: the path as places among siblings, the relevance, and for each
    /// outcome its probability, the best move then by its place, and how likely it is that.
    fn _doubts(&self, py: Python<'_>, most: usize) -> PyResult<Option<Vec<FoundDoubt>>> {
        let found = self.with_search(|search| {
            let (tree, certainty) = (search.tree()?, search.certainty()?);
            let plain = |doubt: Doubt| (tree.places(&doubt.path), doubt.relevance, doubt.cases);
            Some(guarded(|| doubts(tree, certainty, most).into_iter().map(plain).collect()))
        })?;
        found.map(|found| checked(py, found)).transpose()
    }

    /// The outcomes that the error model tells apart; None without one.
    #[getter]
    fn outcomes(&self) -> PyResult<Option<Vec<f64>>> {
        self.with_search(|search| search.certainty().map(|found| found.model.outcomes().to_vec()))
    }

    /// A smallest set of leaves that must change for the root to reach a value; None if no set is enough.
    fn conspirators(slf: &Bound<'_, PyTree>, value: f64) -> PyResult<Option<Vec<PyNode>>> {
        let py = slf.py();
        if value.is_nan() {
            return Err(ArgumentError::new_err("value must be a number, not nan"));
        }
        let found = slf.get().ask(py, |tree, delta| {
            let paths = robustness::conspirators(tree, delta, value)?;
            Some(paths.iter().map(|path| tree.places(path)).collect::<Vec<_>>())
        })?;
        let Some(lines) = found else { return Ok(None) };
        let node =
            |line: &Vec<u32>| PyTree::node(slf, line.iter().copied().map(i64::from).collect());
        let mut leaves = lines.iter().map(node).collect::<PyResult<Vec<_>>>()?;
        // where positions are shared, one that is reached by several lines is one conspirator
        if let Ok(keys) = slf.get().with_search(|search| {
            leaves.iter().map(|leaf| search.key(leaf.link.id)).collect::<Vec<_>>()
        }) {
            let mut seen = HashSet::new();
            let mut first = keys.iter().map(|key| key.is_none_or(|key| seen.insert(key)));
            leaves.retain(|_| first.next().unwrap_or(true));
        }
        Ok(Some(leaves))
    }

    /// Recomputes every number from the leaves and raises an error at the first difference.
    fn check(&self) -> PyResult<()> {
        let lent = match &self.source {
            Source::Lent { tree, .. } => {
                tree.try_lock().map_err(busy)?.as_ref().map(tree::Tree::check)
            }
            Source::Shared(_) => None,
        };
        let checked = match lent {
            Some(checked) => checked.map_err(|mismatch| mismatch.to_string()),
            None => self.with_search(|search| search.check())?,
        };
        checked.map_err(|text| GameError::new_err(format!("the tree is inconsistent: {text}")))
    }

    fn __repr__(&self) -> PyResult<String> {
        let (nodes, value) = self.with(|tree| (tree.len(), tree.root().value))?;
        Ok(format!("<Tree of {nodes} nodes, value {value}>"))
    }

    fn _repr_html_<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        html(this, "tree")
    }
}
