//! Trees and nodes as Python sees them.

use crate::data::read_tree;
use crate::error::{checked, ArgumentError, GameError};
use crate::params::read;
use crate::position::Position;
use conspirator_core::growth::{robustness, Number};
use conspirator_core::search::{self, tree_from_data};
use conspirator_core::tree::{self, NodeId};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::sync::{Arc, Mutex};

/// A search shared by its result, its tree and the tree's nodes.
pub type Shared = Arc<Mutex<Box<dyn search::Search>>>;

/// Where a tree object finds its tree.
pub enum Source {
    /// In a search.
    Shared(Shared),
    /// Here, while a rule written in Python is being asked; empty otherwise.
    Lent(Mutex<tree::Tree>),
}

/// A grown game tree.
#[pyclass(frozen, module = "conspirator")]
pub struct Tree {
    source: Source,
    position: Option<Py<PyAny>>,
    rule: Option<Py<PyAny>>,
}

fn busy<T>(_: T) -> PyErr {
    ArgumentError::new_err("the tree is being grown: wait for the search to end")
}

impl Tree {
    pub fn new(source: Source, position: Option<Py<PyAny>>, rule: Option<Py<PyAny>>) -> Tree {
        Tree { source, position, rule }
    }

    /// Exchanges the tree that is lent here.
    pub fn swap(&self, tree: &mut tree::Tree) -> PyResult<()> {
        if let Source::Lent(place) = &self.source {
            std::mem::swap(&mut *place.try_lock().map_err(busy)?, tree);
        }
        Ok(())
    }

    fn with<T>(&self, read: impl FnOnce(&tree::Tree) -> T) -> PyResult<T> {
        match &self.source {
            Source::Lent(tree) => Ok(read(&*tree.try_lock().map_err(busy)?)),
            Source::Shared(search) => match search.try_lock().map_err(busy)?.tree() {
                Some(tree) => Ok(read(tree)),
                None => Err(ArgumentError::new_err("this search keeps no tree")),
            },
        }
    }

    /// Computes something about the whole tree, with the interpreter free meanwhile.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&tree::Tree, Option<f64>) -> T + Send,
    ) -> PyResult<T> {
        match &self.source {
            Source::Lent(_) => self.with(|tree| question(tree, None)),
            Source::Shared(search) => {
                let search = search.try_lock().map_err(busy)?;
                let delta = search.leaf_delta();
                match search.tree() {
                    Some(tree) => Ok(py.detach(|| question(tree, delta))),
                    None => Err(ArgumentError::new_err("this search keeps no tree")),
                }
            }
        }
    }

    fn with_node<T>(
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

    pub fn root_of(py: Python<'_>, tree: &Py<Tree>) -> PyResult<Py<Node>> {
        let root = Node { tree: tree.clone_ref(py), id: 0, place: 0, depth: 0, parent: None };
        Py::new(py, root)
    }

    /// The node with this index, found by a walk from the root: children stand in the order of their
    /// parents' expansions, so the way down is the last family that begins at or before the index.
    pub fn find(py: Python<'_>, tree: &Py<Tree>, id: NodeId) -> PyResult<Py<Node>> {
        let mut parents = Vec::new();
        let mut at = id;
        while at > 0 {
            at = tree.get().with(|tree| {
                let holds = |node: &tree::Node| node.children().contains(&at);
                tree.nodes().iter().position(holds).unwrap_or(0) as NodeId
            })?;
            parents.push(at);
        }
        let mut node = Tree::root_of(py, tree)?;
        let ids = parents.iter().rev().skip(1).chain(std::iter::once(&id)).filter(|&&id| id > 0);
        for &next in ids {
            let first = tree.get().with_node(node.get().id, |_, parent| parent.children().start)?;
            node = Node::child_of(py, &node, next, next - first)?;
        }
        Ok(node)
    }
}

#[pymethods]
impl Tree {
    /// A search tree given as nested dictionaries, with the numbers of the rule `rule`: every node with
    /// children is expanded, a node without is an open leaf unless it says "terminal": true.
    #[staticmethod]
    #[pyo3(signature = (data, rule, **params))]
    fn from_dict(
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        rule: &str,
        params: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Tree> {
        let params = params.map(read).transpose()?.unwrap_or_default();
        let search = checked(py, tree_from_data(read_tree(data)?, rule, &params))?;
        Ok(Tree::new(Source::Shared(Arc::new(Mutex::new(search))), None, None))
    }

    /// The root node.
    #[getter]
    fn root(slf: &Bound<'_, Tree>) -> PyResult<Py<Node>> {
        Tree::root_of(slf.py(), slf.as_unbound())
    }

    /// The node at the end of a path of places among siblings; `[]` is the root.
    fn node(slf: &Bound<'_, Tree>, path: Vec<usize>) -> PyResult<Py<Node>> {
        let py = slf.py();
        let mut node = Tree::root_of(py, slf.as_unbound())?;
        for place in path {
            let family = Node::family(py, &node)?;
            node = match family.get(place) {
                Some(child) => child.clone_ref(py),
                None => {
                    return Err(ArgumentError::new_err(format!(
                        "there is no child {place} where there are {}",
                        family.len()
                    )))
                }
            };
        }
        Ok(node)
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
    fn conspiracy(&self, py: Python<'_>, node: &Node, value: f64) -> PyResult<f64> {
        if value.is_nan() {
            return Err(ArgumentError::new_err("value must be a number, not nan"));
        }
        let id = node.id;
        self.with_node(id, |_, _| ())?;
        let number = self.ask(py, |tree, delta| robustness::number(tree, delta, id, value))?;
        Ok(number.map_or(f64::INFINITY, f64::from))
    }

    /// The intervals of likely root values under 0, 1, ... `most` conspirators: (Vmin, Vmax) each.
    fn ladder(&self, py: Python<'_>, most: u32) -> PyResult<Vec<(f64, f64)>> {
        self.ask(py, |tree, delta| robustness::ladder(tree, delta, most))
    }

    /// A smallest set of leaves that must change for the root to reach a value; None if no set is enough.
    fn conspirators(slf: &Bound<'_, Tree>, value: f64) -> PyResult<Option<Vec<Py<Node>>>> {
        let py = slf.py();
        if value.is_nan() {
            return Err(ArgumentError::new_err("value must be a number, not nan"));
        }
        let found = slf.get().ask(py, |tree, delta| {
            let paths = robustness::conspirators(tree, delta, value)?;
            Some(paths.iter().map(|path| tree.places(path)).collect::<Vec<_>>())
        })?;
        let Some(lines) = found else { return Ok(None) };
        let node = |line: &Vec<u32>| Tree::node(slf, line.iter().map(|&p| p as usize).collect());
        lines.iter().map(node).collect::<PyResult<Vec<_>>>().map(Some)
    }

    /// Recomputes every number from the leaves and raises an error at the first difference.
    fn check(&self) -> PyResult<()> {
        let checked = match &self.source {
            Source::Shared(search) => search.try_lock().map_err(busy)?.check(),
            Source::Lent(tree) => {
                tree.try_lock().map_err(busy)?.check().map_err(|mismatch| mismatch.to_string())
            }
        };
        checked.map_err(|text| GameError::new_err(format!("the tree is inconsistent: {text}")))
    }

    fn __repr__(&self) -> PyResult<String> {
        let (nodes, value) = self.with(|tree| (tree.len(), tree.root().value))?;
        Ok(format!("<Tree of {nodes} nodes, value {value}>"))
    }
}

/// One node of a tree. Nodes are cheap views: what they tell is read from the tree when asked.
#[pyclass(frozen, module = "conspirator")]
pub struct Node {
    pub tree: Py<Tree>,
    /// Index in the tree: 0 for the root, in the order of creation.
    #[pyo3(get)]
    pub id: NodeId,
    /// Place among its siblings, from 0.
    #[pyo3(get)]
    pub place: u32,
    /// Number of moves from the root.
    #[pyo3(get)]
    pub depth: u32,
    pub parent: Option<Py<Node>>,
}

impl Node {
    fn read<T>(&self, read: impl FnOnce(&tree::Node) -> T) -> PyResult<T> {
        self.tree.get().with_node(self.id, |_, node| read(node))
    }

    pub fn is_open(&self) -> PyResult<bool> {
        self.read(tree::Node::is_open)
    }

    fn child_of(py: Python<'_>, node: &Py<Node>, id: NodeId, place: u32) -> PyResult<Py<Node>> {
        let tree = node.get().tree.clone_ref(py);
        let depth = node.get().depth + 1;
        Py::new(py, Node { tree, id, place, depth, parent: Some(node.clone_ref(py)) })
    }

    /// The children as objects.
    pub fn family(py: Python<'_>, node: &Py<Node>) -> PyResult<Vec<Py<Node>>> {
        let children = node.get().read(tree::Node::children)?;
        let first = children.start;
        children.map(|id| Node::child_of(py, node, id, id - first)).collect()
    }

    /// Indices from the root to this node.
    pub fn ids(&self, py: Python<'_>) -> Vec<NodeId> {
        let mut ids = vec![self.id];
        let mut at = self.parent.as_ref().map(|parent| parent.clone_ref(py));
        while let Some(node) = at {
            ids.push(node.get().id);
            at = node.get().parent.as_ref().map(|parent| parent.clone_ref(py));
        }
        ids.reverse();
        ids
    }
}

#[pymethods]
impl Node {
    /// The minimax value from Max's side; the static value while the node is a leaf.
    #[getter]
    fn value(&self) -> PyResult<f64> {
        self.read(|node| node.value)
    }

    /// Whether Max, who wants high values, is to move.
    #[getter]
    fn is_max(&self) -> PyResult<bool> {
        self.read(tree::Node::max_to_move)
    }

    /// Whether the game is over here.
    #[getter]
    fn is_terminal(&self) -> PyResult<bool> {
        self.read(tree::Node::is_terminal)
    }

    /// Whether the value can no longer change.
    #[getter]
    fn is_solved(&self) -> PyResult<bool> {
        self.read(tree::Node::is_solved)
    }

    /// Whether the node is a leaf that can be expanded.
    #[getter]
    #[pyo3(name = "is_open")]
    fn open(&self) -> PyResult<bool> {
        self.is_open()
    }

    /// The children in the game's order; empty for a leaf.
    #[getter]
    fn children<'py>(slf: &Bound<'py, Node>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(slf.py(), Node::family(slf.py(), slf.as_unbound())?)
    }

    /// The parent; None for the root.
    #[getter]
    fn parent(&self, py: Python<'_>) -> Option<Py<Node>> {
        self.parent.as_ref().map(|parent| parent.clone_ref(py))
    }

    /// The tree that the node belongs to.
    #[getter]
    fn tree(&self, py: Python<'_>) -> Py<Tree> {
        self.tree.clone_ref(py)
    }

    /// Places among siblings from the root to this node.
    #[getter]
    fn path(&self, py: Python<'_>) -> Vec<u32> {
        let mut places = Vec::new();
        let mut place = self.place;
        let mut at = self.parent.as_ref().map(|parent| parent.clone_ref(py));
        while let Some(node) = at {
            places.push(place);
            place = node.get().place;
            at = node.get().parent.as_ref().map(|parent| parent.clone_ref(py));
        }
        places.reverse();
        places
    }

    /// The position at this node, found by playing the moves from the root.
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Position>> {
        let Some(root) = &self.tree.get().position else {
            return Err(ArgumentError::new_err("a tree from data has no positions"));
        };
        let mut position = root.bind(py).cast::<Position>()?.clone();
        for place in self.path(py) {
            let next = position.get().after(py, place as usize)?;
            position = Bound::new(py, next)?;
        }
        Ok(position)
    }

    /// The move that led here; None for the root.
    #[getter]
    fn r#move<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.parent {
            None => Ok(None),
            Some(_) if self.tree.get().position.is_none() => {
                Ok(Some(self.place.to_string().into_pyobject(py)?.into_any()))
            }
            Some(parent) => {
                let moves = parent.get().position(py)?.get().moves(py)?;
                moves.get_item(self.place as usize).map(Some)
            }
        }
    }

    /// The moves from the root to this node.
    #[getter]
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let line = PyList::empty(py);
        if let Some(mv) = self.r#move(py)? {
            line.append(mv)?;
        }
        let mut at = self.parent.as_ref().map(|parent| parent.clone_ref(py));
        while let Some(node) = at {
            if let Some(mv) = node.get().r#move(py)? {
                line.insert(0, mv)?;
            }
            at = node.get().parent.as_ref().map(|parent| parent.clone_ref(py));
        }
        Ok(line)
    }

    /// The rule's own numbers, by the names of its paper.
    #[getter]
    fn numbers<'py>(slf: &Bound<'py, Node>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let tree = slf.get().tree.get();
        if let Some(rule) = &tree.rule {
            return rule.bind(py).call_method1("numbers", (slf,));
        }
        let numbers = PyDict::new(py);
        if let Source::Shared(search) = &tree.source {
            let ids = slf.get().ids(py);
            for (name, number) in search.try_lock().map_err(busy)?.numbers(&ids) {
                match number {
                    Number::Real(value) => numbers.set_item(name, value)?,
                    Number::List(values) => numbers.set_item(name, values)?,
                }
            }
        }
        Ok(numbers.into_any())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Node>().is_ok_and(|other| {
            let other = other.get();
            self.id == other.id && self.tree.is(&other.tree)
        })
    }

    fn __hash__(&self) -> u64 {
        u64::from(self.id)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let player = if self.is_max()? { "max" } else { "min" };
        let places: Vec<_> = self.path(py).iter().map(u32::to_string).collect();
        Ok(format!("<Node [{}] {player} value {}>", places.join("."), self.value()?))
    }
}
