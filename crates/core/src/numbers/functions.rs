//! Proof and disproof functions of all nodes of a tree: J. Pawlewicz and R. Hayward, "Sibling conspiracy number
//! search" (2015), Sections 2 and 3.
//!
//! p(v) is the least number of leaves that must change for the node to be worth v or more, d(v) for v or less.
//! They are the staircases of [`super::bounds`] with another idea of a leaf's value, the *siblings comparison
//! evaluation function* (equation 12): the sum of the relative errors on the way from the root, the opponent's less
//! one's own. It depends on the path, and so functions are stored *relative to the node*: an open leaf is at 0,
//! and a parent moves its child's functions by the error of the move. So they serve every path that
//! reaches a position.
//!
//! d is kept mirrored, as a function of -v. A move's error e takes e away from what the player who made it can
//! reach, in that player's coordinate, and gives it to the other.

use super::bounds::Side;
use super::goal::Goal;
use super::pool::Pool;
use super::staircase::{
    enough, height, merge, reach, shifted, Least, LongSum, Step, FAR, INFINITE,
};
use crate::error::Error;
use crate::params::{Kind, Param};
use crate::spare::Room;
use crate::tree::{rank, Node, NodeId, Rank, Tree};
use std::collections::HashSet;

const fn count(name: &'static str, meaning: &'static str) -> Param {
    Param { name, default: Kind::Count(1, 1), meaning }
}

/// The parameter `pmax`.
pub(crate) const PMAX: Param =
    count("pmax", "how many leaves may be wrong for the root's value to rise to vmax");
/// The parameter `dmax`.
pub(crate) const DMAX: Param =
    count("dmax", "how many leaves may be wrong for the root's value to fall to vmin");
/// The parameter `delta`.
pub(crate) const DELTA: Param = Param {
    name: "delta",
    default: Kind::MaybeReal(0.0),
    meaning: "a leaf that must rise by delta log2(i) counts as i leaves (equation 14); None: as one (equation 4)",
};
/// The parameter `cap`.
pub(crate) const CAP: Param = Param {
    name: "cap",
    default: Kind::Int(16, 1),
    meaning: "with delta: as how many leaves a leaf can count",
};
/// The parameter `eta`.
pub(crate) const ETA: Param = Param {
    name: "eta",
    default: Kind::Real(0.0),
    meaning: "steps of a function that differ by a part of eta or less become one (equation 7)",
};
/// The parameter `interval`.
pub(crate) const INTERVAL: Param = Param {
    name: "interval",
    default: Kind::Choice(&["literal", "strict"]),
    meaning:
        "equation 6 as it stands, or with pmax and dmax raised until the interval is not empty",
};

const WALL: [Step; 1] = [Step { x: -FAR, h: INFINITE }];
/// Of a leaf that is held: it stays where it is.
const HELD: [Step; 1] = [Step { x: 0, h: INFINITE }];

/// vmax and -vmin as a child sees them, after a move of this error: what the player who made it wants is
/// farther away by it, and what the other wants is nearer.
#[inline]
pub(crate) fn below(max: bool, e: Rank, [up, down]: [Rank; 2]) -> [Rank; 2] {
    let (more, less) = if max { (e, -e) } else { (-e, e) };
    [shifted(up, more), shifted(down, less)]
}

/// What the leaves are worth.
#[derive(Clone, Debug)]
pub(crate) enum LeafFunctions {
    /// The siblings comparison evaluation: relative to the node, the steps of every open leaf.
    Siblings(Vec<Step>),
    /// Static values (Algorithm 3): the offsets of the steps from the value, and their heights.
    Global(Vec<(f64, u32)>),
}

/// Steps are merged by a part of their heights.
pub(crate) fn check_eta(eta: f64) -> Result<(), Error> {
    if (0.0..=1.0).contains(&eta) {
        Ok(())
    } else {
        Err(Error::Argument(format!("eta must be from 0 to 1, not {eta}")))
    }
}

impl LeafFunctions {
    /// Equation 4, or equation 14 with `delta`: height i begins at delta log2(i).
    pub fn new(global: bool, delta: Option<f64>, cap: u32, eta: f64) -> LeafFunctions {
        if !global {
            return LeafFunctions::Siblings(LeafFunctions::steps(delta, cap, eta));
        }
        let (_, offsets) = LeafFunctions::heights(true, delta, cap);
        LeafFunctions::Global(offsets)
    }

    /// The steps of an open leaf, relative to itself.
    pub fn steps(delta: Option<f64>, cap: u32, eta: f64) -> Vec<Step> {
        let (mut steps, _) = LeafFunctions::heights(false, delta, cap);
        merge(&mut steps, eta);
        steps
    }

    /// Where each height begins: as steps, and as offsets from a value.
    fn heights(global: bool, delta: Option<f64>, cap: u32) -> (Vec<Step>, Vec<(f64, u32)>) {
        let heights = 1..=delta.map_or(1, |_| cap);
        let offset = |i: u32| delta.map_or(0.0, |delta| delta * f64::from(i).log2());
        let mut steps: Vec<Step> = Vec::new();
        let mut offsets: Vec<f64> = Vec::new();
        for h in heights {
            let offset = offset(h);
            // two heights at one place: the greater stays
            let x = if global {
                rank(offset)
            } else {
                (offset * UNIT + 0.5).floor().min(FARTHEST) as Rank
            };
            match steps.last_mut() {
                Some(last) if last.x == x => last.h = h,
                _ => {
                    steps.push(Step { x, h });
                    offsets.push(offset);
                }
            }
        }
        let heights: Vec<u32> = steps.iter().map(|step| step.h).collect();
        (steps, offsets.into_iter().zip(heights).collect())
    }
}

const UNIT: f64 = crate::scores::UNIT;
/// No leaf is farther away than this, in units: well below [`FAR`], whatever is added.
const FARTHEST: f64 = (1u64 << 52) as f64;

/// The functions of a tree's nodes.
#[derive(Clone, Debug)]
pub(crate) struct Functions {
    leaves: LeafFunctions,
    /// Finite heights above it are stored as it.
    cap: u32,
    eta: f64,
    pool: Pool,
    /// The greatest number of steps that any function has had.
    longest: usize,
    work: FunctionWork,
}

/// Scratch space of an update.
#[derive(Clone, Debug, Default)]
struct FunctionWork {
    result: [Vec<Step>; 2],
    least: Least,
    sum: LongSum,
}

impl Functions {
    pub fn new(mut leaves: LeafFunctions, cap: u32, eta: f64) -> Functions {
        if let LeafFunctions::Siblings(steps) = &mut leaves {
            let below = steps.iter().take_while(|step| step.h < cap).count();
            steps.truncate(below + 1);
            if let Some(last) = steps.last_mut() {
                last.h = last.h.min(cap);
            }
        }
        Functions {
            leaves,
            cap,
            eta,
            pool: Pool::default(),
            longest: 0,
            work: FunctionWork::default(),
        }
    }

    /// Makes room for the tree's new nodes. LeafFunctions with values of their own are stored, the others are all alike.
    pub fn grow(&mut self, tree: &Tree, from: usize) {
        self.pool.grow(tree.len());
        if matches!(self.leaves, LeafFunctions::Siblings(_)) {
            return;
        }
        for id in from..tree.len() {
            self.renew(tree, id as NodeId);
        }
    }

    /// Gives a leaf its functions, or gives them to it again.
    pub fn renew(&mut self, tree: &Tree, id: NodeId) {
        let LeafFunctions::Global(offsets) = &self.leaves else { return };
        let node = tree.node(id);
        for side in Side::BOTH {
            let steps = &mut self.work.result[side as usize];
            steps.clear();
            if node.is_terminal() {
                steps.push(Step { x: rank(node.value) ^ side.flip(), h: INFINITE });
                continue;
            }
            for &(offset, h) in offsets {
                let far = if side == Side::Up { node.value + offset } else { node.value - offset };
                let x = rank(far) ^ side.flip();
                match steps.last_mut() {
                    Some(last) if last.x == x => last.h = h,
                    _ => steps.push(Step { x, h }),
                }
            }
            merge(steps, self.eta);
        }
        self.pool.put(id, &self.work.result);
    }

    /// A node's function.
    #[inline]
    pub fn stairs<'a>(&'a self, tree: &Tree, id: NodeId, side: Side, goal: &Goal) -> &'a [Step] {
        let node = tree.node(id);
        match &self.leaves {
            LeafFunctions::Siblings(_) if node.is_leaf() && node.is_held() => &HELD,
            LeafFunctions::Siblings(_) if node.is_terminal() => {
                if goal.is_won(node.value) == (side == Side::Up) {
                    &[]
                } else {
                    &WALL
                }
            }
            LeafFunctions::Siblings(steps) if node.is_leaf() => steps,
            _ => self.pool.get(id, side as usize),
        }
    }

    /// How far the error of the move to a child takes its functions of this side, in its parent's eyes.
    #[inline]
    fn shift(&self, tree: &Tree, parent: &Node, child: NodeId, side: Side) -> Rank {
        let e = match self.leaves {
            LeafFunctions::Siblings(_) => Rank::from(tree.error(child)),
            LeafFunctions::Global(_) => 0,
        };
        if side.any(parent) {
            -e
        } else {
            e
        }
    }

    /// Recomputes an inner node from its children (equation 5); tells whether anything changed.
    pub fn update(&mut self, tree: &Tree, id: NodeId, goal: &Goal) -> bool {
        let mut work = std::mem::take(&mut self.work);
        let node = tree.node(id);
        let FunctionWork { result, least, sum } = &mut work;
        for side in Side::BOTH {
            let total = &mut result[side as usize];
            let parts = node.children().map(|child| {
                let steps = self.stairs(tree, child, side, goal);
                (steps, self.shift(tree, node, child, side))
            });
            if side.any(node) {
                least.of_moved(parts, total);
            } else {
                sum.start();
                parts.for_each(|(steps, by)| sum.add_moved(steps, by));
                sum.finish(self.cap, total);
            }
            if self.eta > 0.0 {
                merge(total, self.eta);
            }
        }
        let changed = self.pool.put(id, &work.result);
        self.longest = self.longest.max(work.result[0].len()).max(work.result[1].len());
        self.work = work;
        changed
    }

    /// Gives an inner node the functions of another of the same position.
    pub fn mirror(&mut self, same: NodeId, id: NodeId) {
        for side in [0, 1] {
            let steps = &mut self.work.result[side];
            steps.clear();
            steps.extend_from_slice(self.pool.get(same, side));
        }
        self.pool.put(id, &self.work.result);
    }

    /// The furthest value from the root within `n` leaves, in the side's coordinate (equation 6). `strict` raises
    /// n to the least height there is, so that the value is beyond the root's own.
    pub fn limit(&self, tree: &Tree, side: Side, n: u32, strict: bool, goal: &Goal) -> Rank {
        let steps = self.stairs(tree, Tree::ROOT, side, goal);
        let end = match self.leaves {
            LeafFunctions::Siblings(_) => FAR,
            LeafFunctions::Global(_) => rank(f64::INFINITY), // the same for both sides
        };
        reach(steps, enough(steps, n, strict)).unwrap_or(end)
    }

    /// A node's minimax value in the side's coordinate: where its function leaves 0.
    pub fn minimax(&self, tree: &Tree, id: NodeId, side: Side, goal: &Goal) -> Rank {
        self.stairs(tree, id, side, goal).first().map_or(FAR, |step| step.x)
    }

    /// The child with the least number at `x`, a value from the side of the player to move; then with the least
    /// error; then the leftmost. Solved children have nothing to expand.
    pub fn most_proving(&self, tree: &Tree, node: &Node, x: Rank, goal: &Goal) -> NodeId {
        let side = if node.max_to_move() { Side::Up } else { Side::Down };
        let global = matches!(self.leaves, LeafFunctions::Global(_));
        let open = |child: &NodeId| !(global && tree.node(*child).is_solved());
        let key = |&child: &NodeId| {
            let by = self.shift(tree, node, child, side);
            let steps = self.stairs(tree, child, side, goal);
            (height(steps, shifted(x, -by)), tree.error(child))
        };
        node.children().filter(open).min_by_key(key).unwrap_or(node.children().start)
    }

    pub fn reserve(&mut self, nodes: usize) -> Room {
        self.pool.reserve(nodes)
    }

    pub fn bytes(&self) -> usize {
        self.pool.bytes()
    }

    /// What an expansion at the end of a path of this many nodes is likely to add at the most: a function may
    /// become twice as long as the longest so far, and longer by what new leaves bring.
    pub fn bytes_for(&self, path: usize, children: usize) -> usize {
        let leaf = match &self.leaves {
            LeafFunctions::Siblings(steps) => steps.len(),
            LeafFunctions::Global(offsets) => offsets.len(),
        };
        let longest = (2 * self.longest + children * leaf).min(self.cap as usize + 1);
        let stored = if matches!(self.leaves, LeafFunctions::Global(_)) { children } else { 0 };
        Pool::bytes_for(children, path, longest) + Pool::bytes_for(0, stored, leaf)
    }

    /// The functions of one node, without any cap, computed from the leaves below it.
    pub fn exact(&self, tree: &Tree, id: NodeId, goal: &Goal) -> Functions {
        let mut exact = Functions::new(self.leaves.clone(), INFINITE - 1, self.eta);
        exact.grow(tree, 0);
        let families: HashSet<NodeId> =
            tree.inner_below(id).iter().map(|id| tree.node(*id).children().start).collect();
        for id in tree.bottom_up() {
            if families.contains(&tree.node(id).children().start) {
                exact.update(tree, id, goal);
            }
        }
        exact
    }

    /// The first node whose stored functions differ from those of its children's.
    pub fn first_difference(&self, tree: &Tree, goal: &Goal) -> Option<NodeId> {
        let mut fresh = Functions::new(self.leaves.clone(), self.cap, self.eta);
        fresh.grow(tree, 0);
        for id in tree.bottom_up() {
            fresh.update(tree, id, goal);
        }
        (0..tree.len() as NodeId).find(|&id| {
            Side::BOTH.iter().any(|&side| {
                fresh.stairs(tree, id, side, goal) != self.stairs(tree, id, side, goal)
            })
        })
    }
}
