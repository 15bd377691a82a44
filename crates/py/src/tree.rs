//! Trees and nodes as Python sees them.

use crate::data::read_tree;
use crate::error::{checked, ArgumentError, GameError};
use crate::params::{read, text};
use crate::position::Position;
use crate::python_rule::PythonRule;
use conspirator_core::growth::{robustness, Number};
use conspirator_core::search::{self, tree_from_data, tree_with_rule};
use conspirator_core::tree::{self, NodeId};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, OnceLock, Weak};

/// A search shared by its result, its tree and the tree's nodes.
pub type Shared = Arc<Mutex<Box<dyn search::Search>>>;

/// Where a tree object finds its tree.
enum Source {
    /// In a search.
    Shared(Shared),
    /// Here, while a rule written in Python is being asked; otherwise in the search, if it still exists.
    Lent { tree: Mutex<Option<tree::Tree>>, search: OnceLock<Weak<Mutex<Box<dyn search::Search>>>> },
}

/// A grown game tree.
#[pyclass(frozen, module = "conspirator")]
pub struct Tree {
    source: Source,
    position: Option<Py<PyAny>>,
    rule: Option<Py<PyAny>>,
    /// Shared by all objects that show the same tree.
    identity: Arc<()>,
}

fn busy<T>(_: T) -> PyErr {
    ArgumentError::new_err("the tree is being grown: wait for the search to end")
}

fn no_tree() -> PyErr {
    ArgumentError::new_err("this search keeps no tree")
}

impl Tree {
    /// The tree of a search.
    pub fn shared(search: Shared, position: Option<Py<PyAny>>) -> Tree {
        Tree { source: Source::Shared(search), position, rule: None, identity: Arc::new(()) }
    }

    /// The tree that a rule written in Python is shown.
    pub fn lent(position: Option<Py<PyAny>>, rule: Py<PyAny>) -> Tree {
        let source = Source::Lent { tree: Mutex::new(None), search: OnceLock::new() };
        Tree { source, position, rule: Some(rule), identity: Arc::new(()) }
    }

    /// Another object for the same tree, which stands in this search from now on.
    pub fn settled(&self, py: Python<'_>, found: &Shared) -> Tree {
        if let Source::Lent { search, .. } = &self.source {
            search.get_or_init(|| Arc::downgrade(found));
        }
        Tree {
            source: Source::Shared(found.clone()),
            position: self.position.as_ref().map(|position| position.clone_ref(py)),
            rule: self.rule.as_ref().map(|rule| rule.clone_ref(py)),
            identity: self.identity.clone(),
        }
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
    fn with_search<T>(&self, ask: impl FnOnce(&dyn search::Search) -> T) -> PyResult<T> {
        let gone = || ArgumentError::new_err("the search of this tree no longer exists");
        let search = match &self.source {
            Source::Shared(search) => search.clone(),
            Source::Lent { search, .. } => search.get().and_then(Weak::upgrade).ok_or_else(gone)?,
        };
        let search = search.try_lock().map_err(busy)?;
        Ok(ask(&**search))
    }

    fn with<T>(&self, read: impl FnOnce(&tree::Tree) -> T) -> PyResult<T> {
        if let Source::Lent { tree, .. } = &self.source {
            if let Some(tree) = &*tree.try_lock().map_err(busy)? {
                return Ok(read(tree));
            }
        }
        self.with_search(|search| search.tree().map(read))?.ok_or_else(no_tree)
    }

    /// Computes something about the whole tree, with the interpreter free meanwhile.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&tree::Tree, Option<f64>) -> T + Send,
    ) -> PyResult<T> {
        if let Source::Lent { tree, .. } = &self.source {
            if let Some(tree) = &*tree.try_lock().map_err(busy)? {
                return Ok(question(tree, None));
            }
        }
        self.with_search(|search| {
            let delta = search.leaf_delta();
            search.tree().map(|tree| py.detach(|| question(tree, delta)))
        })?
        .ok_or_else(no_tree)
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

    pub fn root_of(py: Python<'_>, tree: &Py<Tree>) -> Node {
        let link = Link { id: 0, place: 0, depth: 0, parent: None };
        Node { tree: tree.clone_ref(py), link: Arc::new(link) }
    }

    /// The node with this index, found by looking for its ancestors' families.
    pub fn find(py: Python<'_>, tree: &Py<Tree>, id: NodeId) -> PyResult<Node> {
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
        let root = Tree::root_of(py, tree);
        let link =
            steps.iter().rev().fold(root.link.clone(), |link, &(id, place)| link.child(id, place));
        Ok(root.relative(py, link))
    }
}

#[pymethods]
impl Tree {
    /// A search tree given as nested dictionaries, with the numbers of the rule `rule`: every node with
    /// children is expanded, a node without is an open leaf unless it says "terminal": true.
    #[staticmethod]
    #[pyo3(signature = (data, rule, **params))]
    fn from_dict(
        data: &Bound<'_, PyAny>,
        rule: &Bound<'_, PyAny>,
        params: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Tree> {
        let py = data.py();
        let params = params.map(read).transpose()?.unwrap_or_default();
        let data = read_tree(data)?;
        if let Ok(name) = rule.cast::<PyString>() {
            let search = checked(py, tree_from_data(data, &text(name), &params))?;
            return Ok(Tree::shared(Arc::new(Mutex::new(search)), None));
        }
        let adapter = PythonRule::new(py, rule.clone().unbind(), None)?;
        let shown = adapter.tree(py);
        let search = checked(py, tree_with_rule(data, Box::new(adapter)))?;
        Ok(shown.get().settled(py, &Arc::new(Mutex::new(search))))
    }

    /// The root node.
    #[getter]
    fn root(slf: &Bound<'_, Tree>) -> Node {
        Tree::root_of(slf.py(), slf.as_unbound())
    }

    /// The node at the end of a path of places among siblings; `[]` is the root.
    fn node(slf: &Bound<'_, Tree>, path: Vec<i64>) -> PyResult<Node> {
        let root = Tree::root_of(slf.py(), slf.as_unbound());
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
    fn child_sizes(&self, node: &Node) -> PyResult<Vec<u64>> {
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
    fn conspiracy(&self, py: Python<'_>, node: &Node, value: f64) -> PyResult<f64> {
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

    /// A smallest set of leaves that must change for the root to reach a value; None if no set is enough.
    fn conspirators(slf: &Bound<'_, Tree>, value: f64) -> PyResult<Option<Vec<Node>>> {
        let py = slf.py();
        if value.is_nan() {
            return Err(ArgumentError::new_err("value must be a number, not nan"));
        }
        let found = slf.get().ask(py, |tree, delta| {
            let paths = robustness::conspirators(tree, delta, value)?;
            Some(paths.iter().map(|path| tree.places(path)).collect::<Vec<_>>())
        })?;
        let Some(lines) = found else { return Ok(None) };
        let node = |line: &Vec<u32>| Tree::node(slf, line.iter().copied().map(i64::from).collect());
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
}

/// One node of a tree. Nodes are cheap views: what they tell is read from the tree when asked.
#[pyclass(frozen, module = "conspirator")]
pub struct Node {
    pub tree: Py<Tree>,
    pub link: Arc<Link>,
}

/// The way from the root to a node. Nodes share it, and it is no Python object, because a chain of
/// those would be freed by a recursion as deep as the tree.
pub struct Link {
    pub id: NodeId,
    place: u32,
    depth: u32,
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
    fn child(self: &Arc<Link>, id: NodeId, place: u32) -> Arc<Link> {
        Arc::new(Link { id, place, depth: self.depth + 1, parent: Some(self.clone()) })
    }

    /// This link and those above it.
    pub fn upwards(self: &Arc<Link>) -> impl Iterator<Item = &Arc<Link>> {
        std::iter::successors(Some(self), |link| link.parent.as_ref())
    }
}

impl Node {
    fn read<T>(&self, read: impl FnOnce(&tree::Node) -> T) -> PyResult<T> {
        self.tree.get().with_node(self.link.id, |_, node| read(node))
    }

    /// Whether the node is one of this tree.
    pub fn belongs_to(&self, tree: &Tree) -> bool {
        Arc::ptr_eq(&self.tree.get().identity, &tree.identity)
    }

    pub fn is_open(&self) -> PyResult<bool> {
        self.read(tree::Node::is_open)
    }

    /// A node of the same tree.
    fn relative(&self, py: Python<'_>, link: Arc<Link>) -> Node {
        Node { tree: self.tree.clone_ref(py), link }
    }

    /// The children.
    pub fn family(&self, py: Python<'_>) -> PyResult<Vec<Node>> {
        let children = self.read(tree::Node::children)?;
        let first = children.start;
        Ok(children.map(|id| self.relative(py, self.link.child(id, id - first))).collect())
    }

    /// Indices from the root to this node.
    pub fn ids(&self) -> Vec<NodeId> {
        let mut ids: Vec<NodeId> = self.link.upwards().map(|link| link.id).collect();
        ids.reverse();
        ids
    }
}

#[pymethods]
impl Node {
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

    /// What the evaluator said of an open leaf beyond its value: (upper, lower), or None.
    #[getter]
    fn bounds(&self) -> PyResult<Option<(Vec<f64>, Vec<f64>)>> {
        let id = self.link.id;
        let bounds = self.tree.get().with(|tree| tree.evaluator_bounds(id))?;
        Ok(bounds.map(|bounds| (bounds.upper, bounds.lower)))
    }

    /// Whether the game is over here.
    #[getter]
    fn is_terminal(&self) -> PyResult<bool> {
        self.read(tree::Node::is_terminal)
    }

    /// Whether the value can no longer change.
    #[getter]
    pub fn is_solved(&self) -> PyResult<bool> {
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
    fn children<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.family(py)?)
    }

    /// The parent; None for the root.
    #[getter]
    fn parent(&self, py: Python<'_>) -> Option<Node> {
        self.link.parent.as_ref().map(|parent| self.relative(py, parent.clone()))
    }

    /// The tree that the node belongs to.
    #[getter]
    fn tree(&self, py: Python<'_>) -> Py<Tree> {
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
        for place in self.path() {
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
        moves.get_item(self.link.place as usize).map(Some)
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
        for place in self.path() {
            line.append(position.get().moves(py)?.get_item(place as usize)?)?;
            let next = position.get().after(py, place as usize)?;
            position = Bound::new(py, next)?;
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
        let ids = slf.get().ids();
        for (name, number) in tree.with_search(|search| search.numbers(&ids))? {
            match number {
                Number::Real(value) => numbers.set_item(name, value)?,
                Number::List(values) => numbers.set_item(name, values)?,
            }
        }
        Ok(numbers.into_any())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Node>().is_ok_and(|other| {
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
