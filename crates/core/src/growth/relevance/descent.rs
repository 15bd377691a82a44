//! The way down to the most relevant leaves, past all subtrees that have none.

use super::{Measure, Relevance, Stake};
use crate::numbers::stakes::derive;
use crate::tree::{NodeId, Tree};

/// What a descent needs, kept for the next one.
#[derive(Default)]
pub(super) struct Descent {
    /// S of a node, before it is kept, and its reach.
    pub joined: Vec<f64>,
    pub through: Vec<f64>,
    /// d node / d child, of a family.
    pub derivatives: Vec<f64>,
    /// What the root move that is looked at is about.
    stake: Stake,
    /// Nodes to look at, each with K influences.
    nodes: Vec<NodeId>,
    influences: Vec<f64>,
    /// The influence of the node that is looked at, and of a child.
    above: Vec<f64>,
    own: Vec<f64>,
    found: Vec<(f64, NodeId)>,
}

impl Relevance {
    /// The most relevant open leaves with their relevance.
    pub(in crate::growth) fn most_relevant(&self, tree: &Tree, most: usize) -> Vec<(f64, NodeId)> {
        let mut scratch = Descent::default();
        self.find(tree, 0.0, &mut scratch);
        scratch.found.sort_unstable_by(by_relevance);
        scratch.found.truncate(most);
        scratch.found
    }

    /// What passing the thresholds of one root move is worth, given the others.
    pub(super) fn weigh(&self, tree: &Tree, of: NodeId, stake: &mut Stake) {
        let (root, width) = (tree.root(), self.width());
        let max = root.max_to_move();
        let others = || root.children().filter(move |id| *id != of);
        (stake.measure, stake.max) = (self.measure, max);
        stake.weights.clone_from(&self.weights);
        stake.of_best.clear();
        stake.of_best.extend((0..width).map(|k| {
            let q = |id| if max { 1.0 - self.s_of(id)[k] } else { self.s_of(id)[k] };
            self.weights[k] * others().map(q).product::<f64>()
        }));
        if self.measure == Measure::Qss {
            let for_mover = |id: NodeId| {
                let parts = self.weights.iter().zip(self.s_of(id)).map(|(w, s)| w * s);
                let mean = parts.sum::<f64>();
                if max {
                    mean
                } else {
                    1.0 - mean
                }
            };
            stake.rival = others().map(for_mover).fold(f64::NEG_INFINITY, f64::max);
            stake.own = for_mover(of);
        }
    }

    /// All open leaves of at least this relevance, and none of no relevance.
    fn find(&self, tree: &Tree, bar: f64, scratch: &mut Descent) {
        match self.width() {
            1 => self.find_in::<1>(tree, bar, scratch),
            2 => self.find_in::<2>(tree, bar, scratch),
            8 => self.find_in::<8>(tree, bar, scratch),
            _ => self.find_in::<0>(tree, bar, scratch),
        }
    }

    /// The same, compiled for a number of thresholds; 0: any.
    fn find_in<const K: usize>(&self, tree: &Tree, bar: f64, scratch: &mut Descent) {
        let width = if K == 0 { self.width() } else { K };
        let rho = self.certainty.as_ref().map_or(0.0, |certainty| certainty.rho);
        let Descent { joined, derivatives, stake, nodes, influences, above, own, found, .. } =
            scratch;
        joined.resize(width, 0.0);
        found.clear();
        own.resize(width, 0.0);
        for root_move in tree.root().children() {
            if tree.node(root_move).is_solved() {
                continue;
            }
            self.weigh(tree, root_move, stake);
            own.fill(1.0);
            self.look::<K>(tree, root_move, bar, stake, own, nodes, influences, found);
            while let Some(id) = nodes.pop() {
                let top = influences.len() - width;
                above.clear();
                above.extend_from_slice(&influences[top..]);
                influences.truncate(top);
                let node = tree.node(id);
                let (family, max) = (self.family_of(tree, id), node.max_to_move());
                derive::<K>(family, width, max, rho, derivatives, joined);
                for (child, derivatives) in node.children().zip(derivatives.chunks_exact(width)) {
                    for k in 0..width {
                        own[k] = above[k] * derivatives[k];
                    }
                    self.look::<K>(tree, child, bar, stake, own, nodes, influences, found);
                }
            }
        }
    }

    /// Looks at a node with this influence: it is passed over, found, or to be looked below.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn look<const K: usize>(
        &self,
        tree: &Tree,
        id: NodeId,
        bar: f64,
        stake: &Stake,
        own: &[f64],
        nodes: &mut Vec<NodeId>,
        influences: &mut Vec<f64>,
        found: &mut Vec<(f64, NodeId)>,
    ) {
        let width = if K == 0 { self.width() } else { K };
        let at = id as usize * width;
        let bound = stake.bound(width, &own[..width], &self.reach[at..at + width]);
        if bound < bar || bound <= 0.0 || tree.node(id).is_solved() {
            return;
        }
        if !tree.node(id).is_leaf() {
            nodes.push(id);
            influences.extend_from_slice(&own[..width]);
            return;
        }
        let relevance = stake.relevance(width, own, &self.s[at..at + width]);
        if relevance >= bar && relevance > 0.0 {
            found.push((relevance, id));
        }
    }

    /// Finds the next gulp: the most relevant open leaves, the most relevant last, and of equals the first created.
    pub(super) fn gulp(&mut self, tree: &Tree) {
        self.recompute(tree);
        let most = ((self.gulp * self.open as f64) as usize).max(1);
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut bar = 0.8 * self.bar;
        loop {
            self.find(tree, bar, &mut scratch);
            if scratch.found.len() >= most || bar == 0.0 {
                break;
            }
            bar = if bar < self.bar / 1e3 { 0.0 } else { bar / 2.0 };
        }
        let found = &mut scratch.found;
        if found.len() > most {
            found.select_nth_unstable_by(most - 1, by_relevance);
            found.truncate(most);
        }
        found.sort_unstable_by(by_relevance);
        self.bar = found.last().map_or(0.0, |(relevance, _)| *relevance);
        self.gulped.extend(found.iter().rev().map(|(_, id)| *id));
        self.scratch = scratch;
    }
}

/// The most relevant first, and of equals the one that was created first.
fn by_relevance(a: &(f64, NodeId), b: &(f64, NodeId)) -> std::cmp::Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
}
