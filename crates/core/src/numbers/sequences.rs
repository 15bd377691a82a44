//! Conspiracy numbers as sequences of a fixed length, for small caps: each inner node has two of them.

use super::bounds::{LeafSteps, Side};
use super::sequence::{greater, Sequence};
use crate::spare::{likely, make_room, Reused, Room};
use crate::tree::{rank, unrank, Node, NodeId, Path, Rank, Tree};

/// The sequences of a tree's inner nodes.
#[derive(Clone, Debug)]
pub(crate) struct Sequences<const LANES: usize> {
    leaves: LeafSteps,
    /// Whether every leaf that there ever was had the number 1, or was a finished game.
    plain: bool,
    /// Index into `rows`, by node; `NO_ROW` for leaves.
    index: Reused<u32>,
    rows: Reused<Row<LANES>>,
    /// What is known of the families along the path, by their place in it.
    rests: Vec<SequenceRest<LANES>>,
}

/// What a family comes to: a node's own two sequences, one for each side.
#[derive(Clone, Copy, Debug)]
struct Row<const LANES: usize> {
    /// Where the player to move wants to go: one child is enough.
    any: Sequence<LANES>,
    /// Where the player does not: all children must change.
    all: Sequence<LANES>,
}

impl<const LANES: usize> Row<LANES> {
    /// Whether a finished game stands in the way of either side; of what is solved, one does.
    #[inline(always)]
    fn is_bounded(&self) -> bool {
        self.any.last() < f64::INFINITY || self.all.last() < f64::INFINITY
    }
}

/// What a family comes to without the child on the path. It stays true as long as no path turns off here:
/// then nothing else in the family changes.
#[derive(Clone, Copy, Debug)]
struct SequenceRest<const LANES: usize> {
    child: NodeId,
    others: Row<LANES>,
    /// What all others come to is exact together with a child that has at most this value.
    exact_to: f64,
}

const NO_ROW: u32 = u32::MAX;
const NOBODY: NodeId = NodeId::MAX;

/// A value in a side's coordinate; and back again.
#[inline(always)]
fn seen_from(side: Side, value: f64) -> f64 {
    f64::from_bits(value.to_bits() ^ ((side as u64) << 63))
}

/// The side to which the player to move wants to go.
#[inline(always)]
fn wanted(node: &Node) -> Side {
    if node.max_to_move() {
        Side::Up
    } else {
        Side::Down
    }
}

impl<const LANES: usize> Sequences<LANES> {
    pub fn new(leaves: LeafSteps) -> Self {
        let (index, rows) = (Reused::default(), Reused::default());
        Sequences { leaves, plain: true, index, rows, rests: Vec::new() }
    }

    /// Makes room for the tree's new nodes.
    #[inline]
    pub fn grow(&mut self, tree: &Tree) {
        self.plain &= self.leaves.are_plain(tree);
        self.index.resize(tree.len(), NO_ROW);
    }

    pub fn reserve(&mut self, nodes: usize) -> Room {
        // rows come one for each expansion: as many for a node as so far, and some more
        let rows = likely(nodes, self.rows.len(), self.index.len()).min(nodes + 1);
        self.rows.try_reserve(rows)?;
        self.index.try_reserve_exact(nodes)
    }

    pub fn bytes_per_ply(&self) -> usize {
        size_of::<SequenceRest<LANES>>()
    }

    pub fn bytes(&self) -> usize {
        self.index.len() * size_of::<u32>() + self.rows.len() * size_of::<Row<LANES>>()
    }

    /// The most that so many new leaves and the node that becomes an inner one can add; rows never grow.
    pub fn bytes_for(&self, _: usize, leaves: usize) -> usize {
        leaves * size_of::<u32>() + size_of::<Row<LANES>>()
    }

    /// The sequence of an inner node.
    #[inline(always)]
    fn stored(&self, node: &Node, id: NodeId, side: Side) -> &Sequence<LANES> {
        let row = &self.rows[self.index[id as usize] as usize];
        if side.any(node) {
            &row.any
        } else {
            &row.all
        }
    }

    /// A node's sequence.
    #[inline(always)]
    fn sequence(&self, tree: &Tree, id: NodeId, side: Side) -> Sequence<LANES> {
        let node = tree.node(id);
        if !node.is_leaf() {
            *self.stored(node, id, side)
        } else if node.is_terminal() {
            Sequence::over(seen_from(side, node.value))
        } else {
            Sequence::of(&self.leaves.stairs(tree, id, side))
        }
    }

    /// How many leaves must change for a node to get to `x`, in the side's coordinate.
    #[inline(always)]
    pub fn number(&self, tree: &Tree, id: NodeId, side: Side, x: Rank) -> u32 {
        let node = tree.node(id);
        if node.is_leaf() {
            return self.leaves.number(tree, id, side, x);
        }
        self.stored(node, id, side).number(unrank(x))
    }

    /// Whether one conspirator is enough for a node to get to `x`.
    #[inline(always)]
    pub fn is_of_one(&self, tree: &Tree, id: NodeId, node: &Node, side: Side, x: Rank) -> bool {
        if node.is_leaf() {
            return self.leaves.number(tree, id, side, x) <= 1;
        }
        self.stored(node, id, side).reach(1) >= unrank(x)
    }

    /// The furthest value within `n` conspirators, in the side's coordinate.
    #[inline]
    pub fn reach(&self, tree: &Tree, id: NodeId, side: Side, n: u32) -> Rank {
        rank(self.sequence(tree, id, side).reach(n))
    }

    /// The entries of a node's bounds sequence.
    pub fn entries(&self, tree: &Tree, id: NodeId, side: Side) -> Vec<Rank> {
        self.sequence(tree, id, side).entries().iter().map(|&entry| rank(entry)).collect()
    }

    /// Recomputes an inner node from its children; tells whether anything changed.
    pub fn update(&mut self, tree: &Tree, id: NodeId) -> bool {
        let row = self.combine(tree, id);
        self.put(id, &row)
    }

    /// Forgets what is known of the path: something else has changed.
    pub fn forget(&mut self) {
        self.rests.clear();
    }

    /// Carries an expansion's change up the path, values and numbers; returns the place in the path of the
    /// first node where nothing changed, or of the root.
    #[inline(never)]
    pub fn back_up(&mut self, tree: &mut Tree, path: &Path) -> usize {
        let leaf = path[path.len() - 1];
        let before = tree.node(leaf).value;
        let mut row =
            if self.plain { of_leaves(tree, tree.node(leaf)) } else { self.combine(tree, leaf) };
        let mut player = wanted(tree.node(leaf));
        self.put(leaf, &row);
        let solved = row.is_bounded() && tree.is_proven(leaf);
        tree.set(leaf, seen_from(player, row.any.value()), solved);
        let unknown = SequenceRest { child: NOBODY, others: row, exact_to: 0.0 };
        self.rests.resize(self.rests.len().max(path.len()), unknown);
        for at in (0..path.len() - 1).rev() {
            let (id, child) = (path[at], path[at + 1]);
            if self.rests[at].child != child {
                let was_leaf = (self.plain && child == leaf).then_some(before);
                self.set_aside(tree, at, id, child, was_leaf);
            }
            let (node, below) = (tree.node(id), player);
            player = wanted(node);
            let (any, all) = if player == below { (row.any, row.all) } else { (row.all, row.any) };
            if all.value() > self.rests[at].exact_to {
                self.rests[at].others.all = self.all_of(tree, id, child);
                self.rests[at].exact_to = f64::INFINITY;
            }
            let SequenceRest { others, .. } = &self.rests[at];
            row = Row { any: others.any.or(&any), all: others.all.and(&all) };
            let value = seen_from(player, row.any.value());
            // what is solved stays so
            let solved = node.is_solved() || (tree.node(child).is_solved() && tree.is_proven(id));
            if !(self.put(id, &row) | tree.set(id, value, solved)) {
                return at;
            }
        }
        0
    }

    /// Works out what a family comes to without the child on the path. If that was an open leaf up to now,
    /// the value it had is enough to take it out of what all came to, as far as that goes.
    #[inline(always)]
    fn set_aside(
        &mut self,
        tree: &Tree,
        at: usize,
        id: NodeId,
        child: NodeId,
        before: Option<f64>,
    ) {
        let node = tree.node(id);
        self.rests[at].child = child;
        self.rests[at].others.any = match best_of_others(tree, node, child) {
            // no sibling can do it with fewer leaves than an open one
            (best, true) if self.plain => Sequence::open(best),
            _ => self.any_of(tree, id, child),
        };
        if let Some(before) = before {
            let before = seen_from(wanted(node).other(), before);
            let all = &self.rows[self.index[id as usize] as usize].all;
            let rest = &mut self.rests[at];
            rest.others.all = all.without_open(before);
            rest.exact_to = if before > all.end() { f64::INFINITY } else { all.end() };
        } else {
            self.rests[at].others.all = self.all_of(tree, id, child);
            self.rests[at].exact_to = f64::INFINITY;
        }
    }

    /// What a node's children come to.
    fn combine(&self, tree: &Tree, id: NodeId) -> Row<LANES> {
        Row { any: self.any_of(tree, id, NOBODY), all: self.all_of(tree, id, NOBODY) }
    }

    /// What any of the children but one comes to.
    #[inline(never)]
    fn any_of(&self, tree: &Tree, id: NodeId, without: NodeId) -> Sequence<LANES> {
        let node = tree.node(id);
        let side = wanted(node);
        let others = node.children().filter(|&child| child != without);
        others.fold(Sequence::NOWHERE, |sum, child| sum.or(&self.sequence(tree, child, side)))
    }

    /// What all of the children but one come to.
    #[inline(never)]
    fn all_of(&self, tree: &Tree, id: NodeId, without: NodeId) -> Sequence<LANES> {
        let node = tree.node(id);
        let side = wanted(node).other();
        let mut sum = Sequence::EVERYWHERE;
        for (at, child) in node.children().zip(tree.children(node)) {
            if at == without {
                continue;
            }
            sum = if child.is_open() && self.plain {
                sum.and_open(seen_from(side, child.value))
            } else {
                sum.and(&self.sequence(tree, at, side))
            };
        }
        sum
    }

    /// Writes both sequences of a node; tells whether they differ from what was there.
    #[inline(always)]
    fn put(&mut self, id: NodeId, row: &Row<LANES>) -> bool {
        let index = &mut self.index[id as usize];
        if *index == NO_ROW {
            *index = self.rows.len() as u32;
            make_room(&mut self.rows, 1);
            self.rows.push(*row);
            return true;
        }
        let stored = &mut self.rows[*index as usize];
        let changed = stored.any.differs(&row.any) | stored.all.differs(&row.all);
        *stored = *row;
        changed
    }
}

/// What a family of plain leaves comes to.
#[inline(always)]
fn of_leaves<const LANES: usize>(tree: &Tree, node: &Node) -> Row<LANES> {
    let side = wanted(node);
    let (mut best, mut open) = (f64::NEG_INFINITY, false);
    let mut all = Sequence::EVERYWHERE;
    for child in tree.children(node) {
        let value = seen_from(side, child.value);
        best = greater(best, value);
        if child.is_terminal() {
            all = all.and_over(-value);
        } else {
            open = true;
            all = all.and_open(-value);
        }
    }
    Row { any: if open { Sequence::open(best) } else { Sequence::over(best) }, all }
}

/// The best value of a node's children but one, for its player, and whether any of them is an open leaf.
#[inline(always)]
fn best_of_others(tree: &Tree, node: &Node, without: NodeId) -> (f64, bool) {
    let side = wanted(node);
    let (before, after) = tree.children(node).split_at((without - node.children().start) as usize);
    let others = before.iter().chain(&after[1..]);
    others.fold((f64::NEG_INFINITY, false), |(best, open), child| {
        let value = seen_from(side, child.value);
        (greater(best, value), open | child.is_open())
    })
}
