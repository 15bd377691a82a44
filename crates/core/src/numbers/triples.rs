//! The proof and disproof functions of a search with pmax = dmax = 1, as three numbers.
//!
//! Only the heights 0, 1 and "more" are ever compared then, so that a pair of functions is known by
//!
//! ```text
//!      d > 1   |  d = 1  |  d = p = 0  |  p = 1  |   p > 1
//!   -----------+---------+------v------+---------+-----------> value
//!              l                                 u
//! ```
//!
//! Where Max moves, one child is enough to reach u, and the value only falls with its best child: below it lies
//! the second best. Where Min moves it is the mirror image. Numbers are relative to the node (an open leaf is at
//! 0), in units of 1/4096; the parent moves a child's by the error of the move.

use super::bounds::Side;
use super::goal::Goal;
use super::staircase::{Step, FAR};
use crate::spare::{Reused, Room};
use crate::tree::{Node, NodeId, Rank, Tree};

/// What is known of a node, and the error of the move to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Triple {
    l: i32,
    v: i32,
    u: i32,
    e: i32,
}

/// Infinite; anything beyond a half of it is.
const INF: i32 = 1 << 30;

impl Triple {
    /// From the side of the player to move at the parent, in the parent's coordinate.
    #[inline]
    fn seen(self, max: bool) -> Triple {
        let Triple { l, v, u, e } = self;
        let shift = |x: i32| if x.abs() > INF / 2 { x } else { x - e };
        let (l, v, u) = if max { (l, v, u) } else { (-u, -v, -l) };
        Triple { l: shift(l), v: shift(v), u: shift(u), e }
    }
}

/// The triples of a tree's nodes.
#[derive(Clone, Debug)]
pub(crate) struct Triples {
    /// How far one leaf reaches: [`INF`] for equation 4, delta for equation 14.
    reach: i32,
    triples: Reused<Triple>,
}

impl Triples {
    /// For leaves with these steps.
    pub fn new(leaf: &[Step]) -> Triples {
        let reach = Triples::reach(leaf).map_or(INF, |x| x.min(Rank::from(INF)) as i32);
        Triples { reach, triples: Reused::default() }
    }

    /// Where a leaf counts as more than one.
    fn reach(leaf: &[Step]) -> Option<Rank> {
        leaf.iter().find(|step| step.h > 1).map(|step| step.x)
    }

    /// Whether the numbers are small enough to be told from infinity.
    pub fn suits(leaf: &[Step]) -> bool {
        Triples::reach(leaf).is_none_or(|x| x < Rank::from(INF / 8))
    }

    fn leaf(&self, tree: &Tree, id: NodeId, goal: &Goal) -> Triple {
        let node = tree.node(id);
        let e = tree.error(id) as i32;
        if node.is_held() {
            return Triple { l: 0, v: 0, u: 0, e };
        }
        match node.is_terminal().then(|| goal.is_won(node.value)) {
            Some(true) => Triple { l: INF, v: INF, u: INF, e },
            Some(false) => Triple { l: -INF, v: -INF, u: -INF, e },
            None => Triple { l: -self.reach, v: 0, u: self.reach, e },
        }
    }

    /// Gives a leaf its numbers again.
    pub fn renew(&mut self, tree: &Tree, id: NodeId, goal: &Goal) {
        self.triples[id as usize] = self.leaf(tree, id, goal);
    }

    pub fn grow(&mut self, tree: &Tree, goal: &Goal) {
        for id in self.triples.len()..tree.len() {
            let leaf = self.leaf(tree, id as NodeId, goal);
            self.triples.push(leaf);
        }
    }

    #[inline]
    fn family(&self, node: &Node) -> &[Triple] {
        let children = node.children();
        &self.triples[children.start as usize..children.end as usize]
    }

    /// A node's numbers from its children's.
    #[inline]
    fn combined(&self, tree: &Tree, id: NodeId) -> Triple {
        let node = tree.node(id);
        let max = node.max_to_move();
        let (mut l, mut v, mut second, mut u) = (-INF, -INF, -INF, -INF);
        for child in self.family(node) {
            let child = child.seen(max);
            second = second.max(v.min(child.v));
            l = l.max(child.l);
            v = v.max(child.v);
            u = u.max(child.u);
        }
        l = l.max(second);
        let e = self.triples[id as usize].e;
        if max {
            Triple { l, v, u, e }
        } else {
            Triple { l: -u, v: -v, u: -l, e }
        }
    }

    #[inline]
    pub fn update(&mut self, tree: &Tree, id: NodeId) -> bool {
        let triple = self.combined(tree, id);
        std::mem::replace(&mut self.triples[id as usize], triple) != triple
    }

    /// Gives a node the numbers of another of the same position; the error of the move to it stays.
    #[inline]
    pub fn mirror(&mut self, same: NodeId, id: NodeId) {
        let Triple { e, .. } = self.triples[id as usize];
        self.triples[id as usize] = Triple { e, ..self.triples[same as usize] };
    }

    /// How far one conspirator reaches from the root, in the side's coordinate.
    pub fn limit(&self, side: Side) -> Rank {
        let Triple { l, u, .. } = self.triples[0];
        wide(if side == Side::Up { u } else { -l })
    }

    /// A node's minimax value in the side's coordinate.
    pub fn minimax(&self, id: NodeId, side: Side) -> Rank {
        let Triple { v, .. } = self.triples[id as usize];
        wide(if side == Side::Up { v } else { -v })
    }

    /// The child with the least number at `x`, a value from the side of the player to move; then with the least
    /// error; then the leftmost.
    #[inline]
    pub fn most_proving(&self, node: &Node, x: Rank) -> NodeId {
        let max = node.max_to_move();
        let x = x.clamp(-Rank::from(INF), Rank::from(INF)) as i32;
        let (mut least, mut best) = (u64::MAX, 0);
        for (child, triple) in node.children().zip(self.family(node)) {
            let seen = triple.seen(max);
            let number = u64::from(seen.v < x) + u64::from(seen.u < x);
            let key = number << 32 | triple.e as u64;
            best = if key < least { child } else { best };
            least = least.min(key);
        }
        best
    }

    pub const BYTES_PER_NODE: usize = size_of::<Triple>();

    pub fn reserve(&mut self, nodes: usize) -> Room {
        // failing here is no failure: the array grows when it must
        self.triples.try_reserve_exact(nodes)
    }

    pub fn bytes(&self) -> usize {
        self.triples.len() * Triples::BYTES_PER_NODE
    }

    pub fn first_difference(&self, tree: &Tree, goal: &Goal) -> Option<NodeId> {
        (0..tree.len() as NodeId).find(|&id| {
            let leaf = tree.node(id).is_leaf();
            let fresh = if leaf { self.leaf(tree, id, goal) } else { self.combined(tree, id) };
            fresh != self.triples[id as usize]
        })
    }
}

fn wide(x: i32) -> Rank {
    match x {
        INF => FAR,
        x if x == -INF => -FAR,
        x => Rank::from(x),
    }
}
