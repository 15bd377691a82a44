//! Conspiracy numbers as staircases, for any cap: each inner node has a place of two lists in a pool. With one
//! constant static value that is two steps, however high the numbers are.

use super::bounds::{LeafSteps, Side, Stairs};
use super::pool::Pool;
use super::staircase::{height, raise, reach, Least, Step, Sum, INFINITE};
use crate::spare::Room;
use crate::tree::{rank, unrank, NodeId, Path, Rank, Siblings, Tree};

/// The staircases of a tree's inner nodes, exact up to `cap`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Staircases {
    cap: u32,
    leaves: LeafSteps,
    pool: Pool,
    /// What is known of the families along the path, by their place in it.
    rests: Vec<StaircaseRest>,
    /// Taken out while it is used.
    work: Option<Box<StaircaseWork>>,
}

/// What a family comes to without the child on the path. It stays true as long as no path turns off here:
/// then nothing else in the family changes.
#[derive(Clone, Debug)]
struct StaircaseRest {
    child: NodeId,
    /// It is worked out when a family is passed for the second time; most are passed once.
    known: Option<Siblings>,
    steps: [Vec<Step>; 2],
}

/// Scratch space of an update.
#[derive(Clone, Debug, Default)]
struct StaircaseWork {
    result: [Vec<Step>; 2],
    sum: Sum,
    least: Least,
}

impl Staircases {
    pub fn new(cap: u32, leaves: LeafSteps) -> Staircases {
        Staircases { cap, leaves, ..Staircases::default() }
    }

    /// Makes room for the tree's new nodes.
    #[inline]
    pub fn grow(&mut self, tree: &Tree) {
        self.pool.grow(tree.len());
    }

    pub fn reserve(&mut self, nodes: usize) -> Room {
        self.pool.reserve(nodes)
    }

    /// Two functions for either side, of a few steps mostly.
    pub fn bytes_per_ply(&self) -> usize {
        size_of::<StaircaseRest>() + 2 * (self.cap as usize + 1).min(16) * size_of::<Step>()
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
    fn stairs<'a>(&'a self, tree: &'a Tree, id: NodeId, side: Side) -> Stairs<'a> {
        if tree.node(id).is_leaf() {
            return self.leaves.stairs(tree, id, side);
        }
        Stairs::Stored(self.stored(id, side))
    }

    /// How many leaves must change for a node to get to `x`, in the side's coordinate.
    #[inline]
    pub fn number(&self, tree: &Tree, id: NodeId, side: Side, x: Rank) -> u32 {
        if tree.node(id).is_leaf() {
            return self.leaves.number(tree, id, side, x);
        }
        height(self.stored(id, side), x)
    }

    /// The furthest value within `n` conspirators, in the side's coordinate; the greatest rank if there is no
    /// end to it.
    #[inline]
    pub fn reach(&self, tree: &Tree, id: NodeId, side: Side, n: u32) -> Rank {
        reach(&self.stairs(tree, id, side), n).unwrap_or(Rank::MAX)
    }

    /// The entries of a node's bounds sequence, as far as they are less than its last limit.
    pub fn entries(&self, tree: &Tree, id: NodeId, side: Side) -> Vec<Rank> {
        let mut entries = Vec::new();
        for step in self.stairs(tree, id, side).iter().filter(|step| step.h != INFINITE) {
            entries.resize(step.h as usize, step.x);
        }
        entries
    }

    /// Recomputes an inner node from its children; tells whether anything changed.
    pub fn update(&mut self, tree: &Tree, id: NodeId) -> bool {
        let mut work = self.work.take().unwrap_or_default();
        self.combine(tree, id, None, &mut work);
        let changed = self.pool.put(id, &work.result);
        self.work = Some(work);
        changed
    }

    /// Forgets what is known of the path: something else has changed.
    pub fn forget(&mut self) {
        self.rests.clear();
    }

    /// Carries an expansion's change up the path, values and numbers; returns the place in the path of the
    /// first node where nothing changed, or of the root.
    pub fn back_up(&mut self, tree: &mut Tree, path: &Path) -> usize {
        let ends = tree.ends();
        let mut at = path.len() - 1;
        let mut changed = tree.back_up(path[at]) | self.update(tree, path[at]);
        let fresh = || StaircaseRest { child: NodeId::MAX, known: None, steps: Default::default() };
        let mut rests = std::mem::take(&mut self.rests);
        rests.resize_with(rests.len().max(at), fresh);
        while changed && at > 0 {
            at -= 1;
            let (id, child, rest) = (path[at], path[at + 1], &mut rests[at]);
            if std::mem::replace(&mut rest.child, child) != child {
                rest.known = None;
                changed = tree.back_up(id) | self.update(tree, id);
                continue;
            }
            let siblings = rest.known.get_or_insert_with(|| {
                self.without(tree, id, child, &mut rest.steps);
                tree.siblings(id, child)
            });
            let node = tree.node(child);
            let (value, solved) = siblings.with(rank(node.value), node.is_solved(), ends);
            changed = tree.set(id, unrank(value), solved)
                | self.update_with(tree, id, child, &rest.steps);
        }
        self.rests = rests;
        at
    }

    /// What an inner node's children come to without one of them.
    fn without(&mut self, tree: &Tree, id: NodeId, child: NodeId, rest: &mut [Vec<Step>; 2]) {
        let mut work = self.work.take().unwrap_or_default();
        self.combine(tree, id, Some(child), &mut work);
        std::mem::swap(rest, &mut work.result);
        self.work = Some(work);
    }

    /// Recomputes an inner node from one child and what the others come to; tells whether anything changed.
    fn update_with(
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
                work.least.of([others, &child].into_iter(), steps);
            }
        }
        let changed = self.pool.put(id, &work.result);
        self.work = Some(work);
        changed
    }

    /// The minimum of the children where one is enough, the sum where all must change; without one of them,
    /// if it is given.
    #[inline]
    fn combine(&self, tree: &Tree, id: NodeId, without: Option<NodeId>, work: &mut StaircaseWork) {
        let node = tree.node(id);
        let first = node.children().start;
        let (any, all) =
            if node.max_to_move() { (Side::Up, Side::Down) } else { (Side::Down, Side::Up) };
        let StaircaseWork { result, sum, least } = work;
        sum.start(self.cap);
        if !self.leaves.are_plain(tree) {
            let family = || node.children().filter(|id| Some(*id) != without);
            family().for_each(|id| sum.add_steps(&self.stairs(tree, id, all)));
            least.of(family().map(|id| self.stairs(tree, id, any)), &mut result[any as usize]);
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
        least.of(inner.map(|(at, _)| self.stored(first + at, any)), steps);
        if floor != Rank::MIN {
            raise(steps, floor); // finished games are only a floor under the rest
        }
    }

    /// The function of an inner node.
    #[inline]
    fn stored(&self, id: NodeId, side: Side) -> &[Step] {
        self.pool.get(id, side as usize)
    }
}
