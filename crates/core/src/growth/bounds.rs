//! Conspiracy numbers of all nodes of a tree: two staircases each, upwards and downwards.
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
//! Inner nodes have a place of two lists in a pool; with one constant static value that is two steps.

use super::pool::Pool;
use super::staircase::{height, minimum, raise, reach, Step, Sum, INFINITE};
use crate::tree::{rank, unrank, Node, NodeId, Rank, Tree};

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

/// A node's function: stored, or made up from a leaf's value.
pub(crate) enum Stairs<'a> {
    Leaf { steps: [Step; 2], count: usize },
    Stored(&'a [Step]),
}

impl std::ops::Deref for Stairs<'_> {
    type Target = [Step];
    #[inline]
    fn deref(&self) -> &[Step] {
        match self {
            Stairs::Leaf { steps, count } => &steps[..*count],
            Stairs::Stored(steps) => steps,
        }
    }
}

/// The staircases of a tree's inner nodes, exact up to `cap`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bounds {
    cap: u32,
    /// McAllester's scheme for any evaluator (Section 10): an open leaf of value V where Max moves goes up to
    /// V + delta with one conspirator and down to V - delta with two; dual where Min moves.
    leaf_delta: Option<f64>,
    pool: Pool,
    /// Taken out while it is used.
    work: Option<Box<Work>>,
}

/// Scratch space of an update.
#[derive(Clone, Debug, Default)]
struct Work {
    result: [Vec<Step>; 2],
    sum: Sum,
    scratch: Vec<Step>,
}

impl Bounds {
    pub fn new(cap: u32, leaf_delta: Option<f64>) -> Bounds {
        Bounds { cap, leaf_delta, ..Bounds::default() }
    }

    /// The bounds of a whole tree, computed from its leaves.
    pub fn of(tree: &Tree, cap: u32, leaf_delta: Option<f64>) -> Bounds {
        let mut bounds = Bounds::new(cap, leaf_delta);
        bounds.grow(tree);
        for id in tree.bottom_up() {
            bounds.update(tree, id);
        }
        bounds
    }

    /// The same with numbers exact up to `cap`.
    pub fn raised(&self, tree: &Tree, cap: u32) -> Bounds {
        Bounds::of(tree, cap, self.leaf_delta)
    }

    /// Whether every open leaf has the number 1 in both directions.
    #[inline]
    fn leaves_are_plain(&self, tree: &Tree) -> bool {
        self.leaf_delta.is_none() && !tree.has_leaf_bounds()
    }

    /// The function of a leaf that its evaluator says nothing more of.
    #[inline]
    fn leaf(&self, tree: &Tree, node: &Node, side: Side) -> Stairs<'static> {
        let first = leaf_step(node, side);
        let Some(delta) = self.leaf_delta.filter(|_| !node.is_terminal()) else {
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

    /// The width of the bounds assumed for open leaves.
    pub fn leaf_delta(&self) -> Option<f64> {
        self.leaf_delta
    }

    /// Up to which height numbers are exact.
    pub fn cap(&self) -> u32 {
        self.cap
    }

    /// Makes room for the tree's new nodes.
    #[inline]
    pub fn grow(&mut self, tree: &Tree) {
        self.pool.grow(tree.len());
    }

    pub fn bytes(&self) -> usize {
        self.pool.bytes()
    }

    /// The most that an update of this many nodes can add, if they get a new place each, with so many new
    /// leaves.
    pub fn bytes_for(&self, nodes: usize, leaves: usize) -> usize {
        // a function has no more steps than the cap, and one that is infinite
        Pool::bytes_for(leaves, nodes, (self.cap as usize + 1).min(1 << 16))
    }

    /// A node's function.
    #[inline]
    pub fn stairs<'a>(&'a self, tree: &'a Tree, id: NodeId, side: Side) -> Stairs<'a> {
        let node = tree.node(id);
        if node.is_leaf() {
            if let Some(bounds) = tree.leaf_bounds(id) {
                return Stairs::Stored(&bounds[side as usize]);
            }
            return self.leaf(tree, node, side);
        }
        Stairs::Stored(self.stored(id, side))
    }

    /// How many leaves must change for a node to get to `x`, in the side's coordinate.
    #[inline]
    pub fn number(&self, tree: &Tree, id: NodeId, side: Side, x: Rank) -> u32 {
        let node = tree.node(id);
        if node.is_leaf() && self.leaves_are_plain(tree) {
            // the common case, without a detour
            let step = leaf_step(node, side);
            return if step.x < x { step.h } else { 0 };
        }
        if !node.is_leaf() {
            return height(self.stored(id, side), x);
        }
        height(&self.stairs(tree, id, side), x)
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
        reach(&self.stairs(tree, id, side), n).unwrap_or(end)
    }

    /// The furthest value however many conspire.
    pub fn last_limit(&self, tree: &Tree, id: NodeId, side: Side) -> f64 {
        self.limit(tree, id, side, INFINITE - 1)
    }

    /// Recomputes an inner node from its children; tells whether anything changed.
    pub fn update(&mut self, tree: &Tree, id: NodeId) -> bool {
        let mut work = self.work.take().unwrap_or_default();
        self.combine(tree, id, None, &mut work);
        let changed = self.pool.put(id, &work.result);
        self.work = Some(work);
        changed
    }

    /// What an inner node's children come to without one of them.
    pub fn without(&mut self, tree: &Tree, id: NodeId, child: NodeId, rest: &mut [Vec<Step>; 2]) {
        let mut work = self.work.take().unwrap_or_default();
        self.combine(tree, id, Some(child), &mut work);
        std::mem::swap(rest, &mut work.result);
        self.work = Some(work);
    }

    /// Recomputes an inner node from one child and what the others come to; tells whether anything changed.
    pub fn update_with(
        &mut self,
        tree: &Tree,
        id: NodeId,
        child: NodeId,
        rest: &[Vec<Step>; 2],
    ) -> bool {
        let node = tree.node(id);
        let mut work = self.work.take().unwrap_or_default();
        for side in Side::BOTH {
            let others = rest[side as usize].as_slice();
            let steps = &mut work.result[side as usize];
            let child = self.stairs(tree, child, side);
            if !side.any(node) {
                work.sum.start(self.cap);
                work.sum.add_steps(others);
                work.sum.add_steps(&child);
                work.sum.finish(steps);
            } else if node.children().len() == 1 {
                steps.clear();
                steps.extend_from_slice(&child);
            } else {
                minimum([others, &child].into_iter(), steps, &mut work.scratch);
            }
        }
        let changed = self.pool.put(id, &work.result);
        self.work = Some(work);
        changed
    }

    /// The minimum of the children where one is enough, the sum where all must change; without one of them,
    /// if it is given.
    #[inline]
    fn combine(&self, tree: &Tree, id: NodeId, without: Option<NodeId>, work: &mut Work) {
        let node = tree.node(id);
        let first = node.children().start;
        let (any, all) =
            if node.max_to_move() { (Side::Up, Side::Down) } else { (Side::Down, Side::Up) };
        let Work { result, sum, scratch } = work;
        sum.start(self.cap);
        if !self.leaves_are_plain(tree) {
            let family = || node.children().filter(|id| Some(*id) != without);
            family().for_each(|id| sum.add_steps(&self.stairs(tree, id, all)));
            minimum(
                family().map(|id| self.stairs(tree, id, any)),
                &mut result[any as usize],
                scratch,
            );
            sum.finish(&mut result[all as usize]);
            return;
        }
        let skip = without.map_or(NodeId::MAX, |id| id - first);
        let (mut best, mut floor, mut open) = (Rank::MIN, Rank::MIN, false);
        for (at, child) in (0..).zip(tree.children(node)) {
            if at == skip {
                continue;
            }
            let value = rank(child.value);
            best = best.max(value ^ any.flip());
            if !child.is_leaf() {
                sum.add_steps(self.stored(first + at, all));
            } else if child.is_terminal() {
                floor = floor.max(value ^ any.flip());
                sum.add_wall(value ^ all.flip());
            } else {
                open = true;
                sum.add(value ^ all.flip(), 1);
            }
        }
        sum.finish(&mut result[all as usize]);
        let steps = &mut result[any as usize];
        if open {
            // no sibling can do it with fewer leaves than an open leaf
            steps.clear();
            steps.push(Step { x: best, h: 1 });
            return;
        }
        let inner = (0..).zip(tree.children(node));
        let inner = inner.filter(|(at, child)| *at != skip && !child.is_leaf());
        minimum(inner.map(|(at, _)| self.stored(first + at, any)), steps, scratch);
        if floor != Rank::MIN {
            raise(steps, floor); // finished games are only a floor under the rest
        }
    }

    /// The function of an inner node.
    #[inline]
    fn stored(&self, id: NodeId, side: Side) -> &[Step] {
        self.pool.get(id, side as usize)
    }

    /// The first node whose stored functions differ from those of its children's.
    pub fn first_difference(&self, tree: &Tree) -> Option<NodeId> {
        let fresh = self.raised(tree, self.cap);
        (0..tree.len() as NodeId).find(|&id| {
            Side::BOTH
                .iter()
                .any(|&side| *fresh.stairs(tree, id, side) != *self.stairs(tree, id, side))
        })
    }
}

/// The function of a leaf without bounds has one step.
#[inline]
fn leaf_step(node: &Node, side: Side) -> Step {
    let h = if node.is_terminal() { INFINITE } else { 1 };
    Step { x: rank(node.value) ^ side.flip(), h }
}

/// The function that a list of bounds from the evaluator means: one more leaf after each entry.
pub(crate) fn steps_of(list: &[f64], side: Side) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (n, &value) in (1..).zip(list) {
        let x = rank(value + 0.0) ^ side.flip();
        match steps.last_mut() {
            Some(last) if last.x == x => last.h = n,
            _ => steps.push(Step { x, h: n }),
        }
    }
    steps
}
