//! Nodes as Python sees them.

use crate::error::ArgumentError;
use crate::position::Position;
use crate::tree::PyTree;
use conspirator_core::growth::Number;
use conspirator_core::scores::UNIT;
use conspirator_core::tree::{self, NodeId};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::sync::Arc;

/// One node of a tree. Nodes are cheap views: what they tell is read from the tree when asked.
#[pyclass(frozen, name = "Node", module = "conspirator")]
pub struct PyNode {
    pub tree: Py<PyTree>,
    pub link: Arc<Link>,
}

/// The way from the root to a node. Nodes share it, and it is no Python object, because a chain of
/// those would be freed by a recursion as deep as the tree.
pub struct Link {
    pub id: NodeId,
    pub place: u32,
    pub depth: u32,
    pub parent: Option<Arc<Link>>,
}

impl Drop for Link {
    fn drop(&mut self) {
        let mut parent = self.parent.take();
        while let Some(mut link) = parent.and_then(Arc::into_inner) {
            parent = link.parent.take();
        }
    }
}

impl Link {
    pub fn child(self: &Arc<Link>, id: NodeId, place: u32) -> Arc<Link> {
        Arc::new(Link { id, place, depth: self.depth + 1, parent: Some(self.clone()) })
    }

    /// This link and those above it.
    pub fn upwards(self: &Arc<Link>) -> impl Iterator<Item = &Arc<Link>> {
        std::iter::successors(Some(self), |link| link.parent.as_ref())
    }
}

impl PyNode {
    pub fn read<T>(&self, read: impl FnOnce(&tree::Node) -> T) -> PyResult<T> {
        self.tree.get().with_node(self.link.id, |_, node| read(node))
    }

    /// Whether the node is one of this tree.
    pub fn belongs_to(&self, tree: &PyTree) -> bool {
        Arc::ptr_eq(&self.tree.get().identity, &tree.identity)
    }

    pub fn is_open(&self) -> PyResult<bool> {
        self.read(tree::Node::is_open)
    }

    /// A node of the same tree.
    pub fn relative(&self, py: Python<'_>, link: Arc<Link>) -> PyNode {
        PyNode { tree: self.tree.clone_ref(py), link }
    }

    /// The children.
    pub fn family(&self, py: Python<'_>) -> PyResult<Vec<PyNode>> {
        let children = self.read(tree::Node::children)?;
        let first = children.start;
        Ok(children.map(|id| self.relative(py, self.link.child(id, id - first))).collect())
    }

    /// The places of the moves from the root to this node among the legal ones.
    fn legal_places(&self) -> PyResult<Vec<u32>> {
        let path = self.path();
        self.tree.get().with(|tree| tree.legal_places(&path))
    }

    /// Indices from the root to this node.
    pub fn ids(&self) -> Vec<NodeId> {
        let mut ids: Vec<NodeId> = self.link.upwards().map(|link| link.id).collect();
        ids.reverse();
        ids
    }
}

#[pymethods]
impl PyNode {
    /// Index in the tree: 0 for the root, in the order of creation.
    #[getter]
    fn id(&self) -> NodeId {
        self.link.id
    }

    /// Place among its siblings, from 0.
    #[getter]
    fn place(&self) -> u32 {
        self.link.place
    }

    /// The place of the move that led here among the legal ones of its parent's position.
    #[getter]
    fn legal_place(&self) -> PyResult<u32> {
        Ok(self.legal_places()?.pop().unwrap_or(0))
    }

    /// Number of moves from the root.
    #[getter]
    fn depth(&self) -> u32 {
        self.link.depth
    }

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

    /// The relative error of the move that led here, ln(E_best / E), in multiples of 1/4096; 0 for the root
    /// and wherever the rule does not ask for it.
    #[getter]
    fn error(&self) -> PyResult<f64> {
        let id = self.link.id;
        self.tree.get().with(|tree| f64::from(tree.error(id)) / UNIT)
    }

    /// What the evaluator said of an open leaf beyond its value: (upper, lower), or None.
    #[getter]
    fn bounds(&self) -> PyResult<Option<(Vec<f64>, Vec<f64>)>> {
        let id = self.link.id;
        let bounds = self.tree.get().with(|tree| tree.leaf_bounds(id).cloned())?;
        Ok(bounds.map(|bounds| (bounds.upper, bounds.lower)))
    }

    /// Whether the game is over here, or known to be decided.
    #[getter]
    fn is_terminal(&self) -> PyResult<bool> {
        self.read(tree::Node::is_terminal)
    }

    /// Whether the value can no longer change.
    #[getter]
    pub fn is_solved(&self) -> PyResult<bool> {
        self.read(tree::Node::is_solved)
    }

    /// Whether the node is solved only because the expansion of leaves is under way: see `batch`.
    #[getter]
    fn is_held(&self) -> PyResult<bool> {
        self.read(tree::Node::is_held)
    }

    /// Whether the node is a leaf that can be expanded.
    #[getter]
    #[pyo3(name = "is_open")]
    fn open(&self) -> PyResult<bool> {
        self.is_open()
    }

    /// The children in the game's order; empty for a leaf.
    #[getter]
    fn children<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.family(py)?)
    }

    /// The parent; None for the root.
    #[getter]
    fn parent(&self, py: Python<'_>) -> Option<PyNode> {
        self.link.parent.as_ref().map(|parent| self.relative(py, parent.clone()))
    }

    /// The tree that the node belongs to.
    #[getter]
    fn tree(&self, py: Python<'_>) -> Py<PyTree> {
        self.tree.clone_ref(py)
    }

    /// Places among siblings from the root to this node.
    #[getter]
    fn path(&self) -> Vec<u32> {
        let links = self.link.upwards().filter(|link| link.parent.is_some());
        let mut places: Vec<u32> = links.map(|link| link.place).collect();
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
        for place in self.legal_places()? {
            let next = position.get().after(py, place as usize)?;
            position = Bound::new(py, next)?;
        }
        Ok(position)
    }

    /// The move that led here; None for the root.
    #[getter]
    fn r#move<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(parent) = self.parent(py) else { return Ok(None) };
        if self.tree.get().position.is_none() {
            return Ok(Some(self.link.place.to_string().into_pyobject(py)?.into_any()));
        }
        let moves = parent.position(py)?.get().moves(py)?;
        let place = self.legal_places()?.pop().unwrap_or(self.link.place);
        moves.get_item(place as usize).map(Some)
    }

    /// The moves from the root to this node.
    #[getter]
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let line = PyList::empty(py);
        let Some(root) = &self.tree.get().position else {
            for place in self.path() {
                line.append(place.to_string())?;
            }
            return Ok(line);
        };
        let mut position = root.bind(py).cast::<Position>()?.clone();
        for place in self.legal_places()? {
            line.append(position.get().moves(py)?.get_item(place as usize)?)?;
            let next = position.get().after(py, place as usize)?;
            position = Bound::new(py, next)?;
        }
        Ok(line)
    }

    /// The rule's own numbers, by the names of its paper.
    #[getter]
    fn numbers<'py>(slf: &Bound<'py, PyNode>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let tree = slf.get().tree.get();
        if let Some(rule) = &tree.rule {
            return rule.bind(py).call_method1("numbers", (slf,));
        }
        let numbers = PyDict::new(py);
        let ids = slf.get().ids();
        for (name, number) in tree.with_search(|search| search.numbers(&ids))? {
            match number {
                Number::Real(value) => numbers.set_item(name, value)?,
                Number::List(values) => numbers.set_item(name, values)?,
                Number::Steps(steps) => numbers.set_item(name, steps)?,
                Number::Word(word) => numbers.set_item(name, word)?,
                Number::Nothing => numbers.set_item(name, py.None())?,
            }
        }
        Ok(numbers.into_any())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyNode>().is_ok_and(|other| {
            let other = other.get();
            self.link.id == other.link.id && self.belongs_to(other.tree.get())
        })
    }

    fn __hash__(&self) -> u64 {
        u64::from(self.link.id)
    }

    fn __repr__(&self) -> PyResult<String> {
        let player = if self.is_max()? { "max" } else { "min" };
        let places: Vec<_> = self.path().iter().map(u32::to_string).collect();
        Ok(format!("<Node [{}] {player} value {}>", places.join("."), self.value()?))
    }
}
