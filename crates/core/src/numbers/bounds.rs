//! Conspiracy numbers of all nodes of a tree: two functions each, upwards and downwards.
//!
//! `Up` counts the leaves that must change for a node to reach a greater value, `Down` for a smaller one. Down is
//! kept mirrored, as a function of the value from Min's side, so that one set of operations serves both:
//!
//! | node | up | down |
//! |---|---|---|
//! | open leaf of value v | 1 above v | 1 below v |
//! | open leaf with bounds from the evaluator | one more after each entry | the same |
//! | finished game | infinite above v | infinite below v |
//! | Max to move | minimum of the children | sum of the children |
//! | Min to move | sum of the children | minimum of the children |
//!
//! (McAllester 1988, Sections 3, 4 and 10.) Leaves are not stored: their functions follow from their values.
//! Those of inner nodes have two forms: sequences of a fixed length, which are fast, while numbers are small; and
//! staircases, which are compact, for all others.

use super::sequences::Sequences;
use super::staircase::{height, Step, INFINITE};
use super::staircases::Staircases;
use crate::evaluator::LeafBounds;
use crate::spare::Room;
use crate::tree::{rank, unrank, Node, NodeId, Path, Rank, Tree};

/// Which way a value is to be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Up,
    Down,
}

impl Side {
    pub const BOTH: [Side; 2] = [Side::Up, Side::Down];

    /// `rank ^ flip` turns a rank into this side's coordinate and back.
    #[inline]
    pub fn flip(self) -> Rank {
        match self {
            Side::Up => 0,
            Side::Down => -1,
        }
    }

    pub fn other(self) -> Side {
        match self {
            Side::Up => Side::Down,
            Side::Down => Side::Up,
        }
    }

    /// Whether one child is enough to change a node this way: the player to move wants it.
    #[inline]
    pub fn any(self, node: &Node) -> bool {
        node.max_to_move() == (self == Side::Up)
    }
}

/// A node's function: stored, or made up from what is known of a leaf.
pub(crate) enum Stairs<'a> {
    Leaf { steps: [Step; 2], count: usize },
    Made(Vec<Step>),
    Stored(&'a [Step]),
}

impl std::ops::Deref for Stairs<'_> {
    type Target = [Step];
    #[inline]
    fn deref(&self) -> &[Step] {
        match self {
            Stairs::Leaf { steps, count } => &steps[..*count],
            Stairs::Made(steps) => steps,
            Stairs::Stored(steps) => steps,
        }
    }
}

/// The functions of leaves.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LeafSteps {
    /// McAllester's scheme for any evaluator (Section 10): an open leaf of value V where Max moves goes up to
    /// V + delta with one conspirator and down to V - delta with two; dual where Min moves.
    delta: Option<f64>,
}

impl LeafSteps {
    /// Whether every open leaf has the number 1 in both directions.
    #[inline]
    pub fn are_plain(&self, tree: &Tree) -> bool {
        self.delta.is_none() && !tree.has_leaf_bounds()
    }

    /// The function of a leaf.
    #[inline]
    pub fn stairs<'a>(&self, tree: &'a Tree, id: NodeId, side: Side) -> Stairs<'a> {
        if let Some(bounds) = tree.leaf_bounds(id) {
            return given(bounds, side);
        }
        let node = tree.node(id);
        let first = leaf_step(node, side);
        let Some(delta) = self.delta.filter(|_| !node.is_terminal()) else {
            return Stairs::Leaf { steps: [first; 2], count: 1 };
        };
        // the player to move is likely to do better than the static value says, not worse
        let h = if side.any(node) { 1 } else { 2 };
        let far = match side {
            Side::Up => (node.value + delta).min(tree.value_range().1),
            Side::Down => (node.value - delta).max(tree.value_range().0),
        };
        let second = Step { x: rank(far) ^ side.flip(), h: h + 1 };
        if second.x == first.x {
            Stairs::Leaf { steps: [second; 2], count: 1 }
        } else {
            Stairs::Leaf { steps: [Step { h, ..first }, second], count: 2 }
        }
    }

    /// A leaf's number.
    #[inline]
    pub fn number(&self, tree: &Tree, id: NodeId, side: Side, x: Rank) -> u32 {
        if self.are_plain(tree) {
            // the common case, without a detour
            let step = leaf_step(tree.node(id), side);
            return if step.x < x { step.h } else { 0 };
        }
        height(&self.stairs(tree, id, side), x)
    }
}

/// The numbers of a tree's nodes, exact up to `cap`.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    cap: u32,
    leaves: LeafSteps,
    form: Form,
}

/// Sequences for the first threshold of an iterative search, and shorter ones, which are faster still, for
/// thresholds up to 4: they have a lane for each entry up to the cap, and one for the last limit.
#[derive(Clone, Debug)]
enum Form {
    Short(Sequences<6>),
    Sequences(Sequences<10>),
    Staircases(Staircases),
}

/// Does the same with any form.
macro_rules! with_form {
    ($bounds:expr, $form:ident => $action:expr) => {
        match $bounds {
            Form::Short($form) => $action,
            Form::Sequences($form) => $action,
            Form::Staircases($form) => $action,
        }
    };
}

impl Bounds {
    pub fn new(cap: u32, leaf_delta: Option<f64>) -> Bounds {
        let leaves = LeafSteps { delta: leaf_delta };
        let form = match cap {
            0..=5 => Form::Short(Sequences::new(leaves)),
            6..=9 => Form::Sequences(Sequences::new(leaves)),
            _ => Form::Staircases(Staircases::new(cap, leaves)),
        };
        Bounds { cap, leaves, form }
    }

    /// The bounds of a whole tree, computed from its leaves.
    pub fn of(tree: &Tree, cap: u32, leaf_delta: Option<f64>) -> Bounds {
        let mut bounds = Bounds::new(cap, leaf_delta);
        // failing here is no failure: room is looked for again when the tree grows
        let _ = bounds.reserve(tree.len() + tree.spare_room());
        bounds.grow(tree);
        for id in tree.bottom_up() {
            bounds.update(tree, id);
        }
        bounds
    }

    /// The same with numbers exact up to `cap`.
    pub fn raised(&self, tree: &Tree, cap: u32) -> Bounds {
        Bounds::of(tree, cap, self.leaves.delta)
    }

    /// The width of the bounds assumed for open leaves.
    pub fn leaf_delta(&self) -> Option<f64> {
        self.leaves.delta
    }

    /// Up to which height numbers are exact.
    pub fn cap(&self) -> u32 {
        self.cap
    }

    /// Makes room for the tree's new nodes.
    #[inline]
    pub fn grow(&mut self, tree: &Tree) {
        with_form!(&mut self.form, form => form.grow(tree));
    }

    pub fn bytes_per_ply(&self) -> usize {
        with_form!(&self.form, form => form.bytes_per_ply())
    }

    pub fn reserve(&mut self, nodes: usize) -> Room {
        with_form!(&mut self.form, form => form.reserve(nodes))
    }

    pub fn bytes(&self) -> usize {
        with_form!(&self.form, form => form.bytes())
    }

    /// The most that an update of this many nodes can add, if they get a new place each, with so many new
    /// leaves.
    pub fn bytes_for(&self, nodes: usize, leaves: usize) -> usize {
        with_form!(&self.form, form => form.bytes_for(nodes, leaves))
    }

    /// How many leaves must change for a node to get to `x`, in the side's coordinate.
    #[inline(always)]
    pub fn number(&self, tree: &Tree, id: NodeId, side: Side, x: Rank) -> u32 {
        with_form!(&self.form, form => form.number(tree, id, side, x))
    }

    /// The first of some nodes that one conspirator is enough for to get to `x`, where that is faster to tell
    /// than their numbers: with sequences.
    #[inline(always)]
    pub fn first_of_one<'a>(
        &self,
        tree: &Tree,
        mut nodes: impl Iterator<Item = (NodeId, &'a Node)>,
        side: Side,
        x: Rank,
    ) -> Option<NodeId> {
        let first = match &self.form {
            Form::Short(form) => nodes.find(|&(id, node)| form.is_of_one(tree, id, node, side, x)),
            Form::Sequences(form) => {
                nodes.find(|&(id, node)| form.is_of_one(tree, id, node, side, x))
            }
            Form::Staircases(_) => None,
        };
        first.map(|(id, _)| id)
    }

    /// The furthest value within `n` conspirators: McAllester's Vmax for `Up` and Vmin for `Down`. Without end
    /// means up to the end of the game's values.
    pub fn limit(&self, tree: &Tree, id: NodeId, side: Side, n: u32) -> f64 {
        unrank(self.limit_rank(tree, id, side, n) ^ side.flip())
    }

    /// The same in the side's coordinate.
    #[inline]
    pub fn limit_rank(&self, tree: &Tree, id: NodeId, side: Side, n: u32) -> Rank {
        let end = tree.ends()[usize::from(side == Side::Up)] ^ side.flip();
        with_form!(&self.form, form => form.reach(tree, id, side, n)).min(end)
    }

    /// The furthest value however many conspire.
    pub fn last_limit(&self, tree: &Tree, id: NodeId, side: Side) -> f64 {
        self.limit(tree, id, side, INFINITE - 1)
    }

    /// The entries of a node's bounds sequence up to the cap, without those that are as far as the last limit.
    pub fn entries(&self, tree: &Tree, id: NodeId, side: Side) -> Vec<f64> {
        let last = self.limit_rank(tree, id, side, INFINITE - 1);
        let entries = with_form!(&self.form, form => form.entries(tree, id, side));
        let entries = entries.into_iter().take(self.cap as usize).take_while(|&entry| entry < last);
        entries.map(|entry| unrank(entry ^ side.flip())).collect()
    }

    /// Recomputes an inner node from its children; tells whether anything changed.
    pub fn update(&mut self, tree: &Tree, id: NodeId) -> bool {
        with_form!(&mut self.form, form => form.update(tree, id))
    }

    /// Carries an expansion's change up the path, values and numbers; returns the place in the path of the
    /// first node where nothing changed, or of the root.
    pub fn back_up(&mut self, tree: &mut Tree, path: &Path) -> usize {
        with_form!(&mut self.form, form => form.back_up(tree, path))
    }

    /// Forgets what is known of the path: something else has changed.
    pub fn forget(&mut self) {
        with_form!(&mut self.form, form => form.forget());
    }

    /// The first node whose stored functions differ from those of its children's.
    pub fn first_difference(&self, tree: &Tree) -> Option<NodeId> {
        let fresh = self.raised(tree, self.cap);
        let same = |id: NodeId, side: Side| {
            let entries = |form: &Form| with_form!(form, form => form.entries(tree, id, side));
            let last = |bounds: &Bounds| bounds.last_limit(tree, id, side);
            entries(&self.form) == entries(&fresh.form) && last(self) == last(&fresh)
        };
        let differs = |id: &NodeId| !Side::BOTH.iter().all(|&side| same(*id, side));
        (0..tree.len() as NodeId).filter(|&id| !tree.node(id).is_leaf()).find(differs)
    }
}

/// The function of a leaf without bounds has one step.
#[inline]
fn leaf_step(node: &Node, side: Side) -> Step {
    let h = if node.is_terminal() { INFINITE } else { 1 };
    Step { x: rank(node.value) ^ side.flip(), h }
}

/// The function that a list of bounds from the evaluator means: one more leaf after each entry.
fn given<'a>(bounds: &LeafBounds, side: Side) -> Stairs<'a> {
    let list = match side {
        Side::Up => &bounds.upper,
        Side::Down => &bounds.lower,
    };
    let mut steps: Vec<Step> = Vec::new();
    for (n, &value) in (1..).zip(list) {
        let x = rank(value) ^ side.flip();
        match steps.last_mut() {
            Some(last) if last.x == x => last.h = n,
            _ => steps.push(Step { x, h: n }),
        }
    }
    match steps[..] {
        [one] => Stairs::Leaf { steps: [one; 2], count: 1 },
        [one, two] => Stairs::Leaf { steps: [one, two], count: 2 },
        _ => Stairs::Made(steps),
    }
}
