//! Distributions instead of points: how likely each outcome of the game is at every node of a grown tree.
//!
//! The truth of a position is one of few outcomes `x_1 < ... < x_{K+1}`. A node is described by the K numbers
//! `S_k = P(outcome >= x_{k+1})` from Max's side, which fall in k. An [`ErrorModel`] gives those of open leaves; a solved
//! node has zeros and ones. Thresholds never mix: each k is an AND/OR tree of its own. With a dependence `rho` between
//! siblings:
//!
//! ```text
//!   Max node:  1 - S = (1 - rho) * prod(1 - S_i) + rho * min(1 - S_i)
//!   Min node:      S = (1 - rho) * prod(S_i)     + rho * min(S_i)
//! ```
//!
//! E. B. Baum and W. D. Smith, "A Bayesian approach to relevance in game playing", Artificial Intelligence 97 (1997), have
//! `rho = 0`; G. Tesauro, V. T. Rajan and R. Segal (UAI 2010) back up distributions in the same way.

pub use super::error_model::ErrorModel;
pub(crate) use super::leaf_rows::LeafRows;
use super::root_pass;
use crate::error::Error;
use crate::tree::{NodeId, Tree};
use std::sync::Arc;

/// An error model, and all that is needed to apply it to a tree.
#[derive(Clone, Debug)]
pub struct Certainty {
    /// The model of the evaluator whose values the leaves have.
    pub model: Arc<ErrorModel>,
    /// The phase of the root; a move further it is less by one.
    pub phase: f64,
    /// The dependence between siblings.
    pub rho: f64,
    /// The same at the root, for the question which move is best.
    pub root_rho: f64,
}

impl Certainty {
    /// What is said of the nodes of one tree, if anything: whether each is an open leaf, and how likely each of evenly
    /// spaced outcomes from 0 to 1 is. Leaves are independent.
    pub fn given<'a>(
        nodes: impl Iterator<Item = (bool, Option<&'a [f64]>)> + Clone,
    ) -> Result<Option<Certainty>, Error> {
        let Some(outcomes) = nodes.clone().filter_map(|(_, p)| p.map(<[f64]>::len)).max() else {
            return Ok(None);
        };
        let mut table = Vec::new();
        for (open, likely) in nodes {
            match likely {
                Some(likely) if likely.len() == outcomes => {
                    let beyond = |k: usize| likely[k..].iter().sum::<f64>().clamp(0.0, 1.0);
                    table.extend((1..outcomes).map(beyond));
                }
                Some(_) => {
                    return Err(Error::Game("all leaves must tell the same outcomes apart".into()))
                }
                None if open => {
                    return Err(Error::Game(
                        "some leaves have probabilities, and others not".into(),
                    ))
                }
                None => table.extend(std::iter::repeat_n(0.5, outcomes - 1)), // never looked at
            }
        }
        let step = 1.0 / (outcomes - 1) as f64;
        let outcomes = (0..outcomes).map(|at| at as f64 * step).collect();
        let model = Arc::new(ErrorModel::listed(outcomes, table)?);
        Ok(Some(Certainty { model, phase: 0.0, rho: 0.0, root_rho: 0.0 }))
    }

    /// The distributions of all nodes, K numbers each, in one pass from the leaves.
    pub fn distributions(&self, tree: &Tree) -> Vec<f64> {
        // most games have two or three outcomes: the compiler unrolls those
        match self.model.thresholds() {
            1 => self.back_up(tree, 1),
            2 => self.back_up(tree, 2),
            width => self.back_up(tree, width),
        }
    }

    #[inline(always)]
    fn back_up(&self, tree: &Tree, width: usize) -> Vec<f64> {
        let plies = plies(tree);
        let mut s = vec![0.0; tree.len() * width];
        let mut fresh = vec![0.0; width];
        let mut leaves = LeafRows::of(self);
        let mut give = |id: NodeId| {
            let (node, at, fresh) = (tree.node(id), id as usize * width, &mut fresh[..width]);
            if node.is_leaf() || node.is_solved() {
                leaves.write(id, node, plies[id as usize], fresh);
            } else {
                let children = node.children();
                let family = &s[children.start as usize * width..children.end as usize * width];
                join(family, width, node.max_to_move(), self.rho, fresh);
            }
            s[at..at + width].copy_from_slice(fresh);
        };
        if tree.is_shared() {
            (0..tree.len() as NodeId).filter(|id| tree.node(*id).is_leaf()).for_each(&mut give);
            tree.bottom_up().into_iter().for_each(give);
        } else {
            // children come after their parents
            (0..tree.len() as NodeId).rev().for_each(give);
        }
        s
    }

    /// The distributions of the root's moves alone, K numbers each: what [`Certainty::distributions`] has of them, in a
    /// shorter pass that keeps nothing of leaves.
    pub fn root_family(&self, tree: &Tree) -> Vec<f64> {
        if !tree.is_shared() && self.model.is_table() {
            return root_pass::root_family(self, tree);
        }
        let (children, width) = (tree.root().children(), self.model.thresholds());
        let s = self.distributions(tree);
        s[children.start as usize * width..children.end as usize * width].to_vec()
    }

    /// For each move at the root, given their distributions: the probability that it is a best one. Several can be, so
    /// these need not add up to 1.
    pub fn best(&self, tree: &Tree, family: &[f64]) -> Vec<f64> {
        best_of(family, self.model.thresholds(), tree.root().max_to_move(), self.root_rho)
    }

    /// The most that any further search can gain, in parts of the range of outcomes: how much better than the move that
    /// promises most the best one is, if all becomes known before the choice. Baum and Smith's E[max] - max E.
    pub fn gain(&self, tree: &Tree, family: &[f64]) -> f64 {
        let (width, max) = (self.model.thresholds(), tree.root().max_to_move());
        let weights = self.model.weights();
        let for_mover = |s: &[f64]| {
            let mean = weights.iter().zip(s).map(|(weight, s)| weight * s).sum::<f64>();
            if max {
                mean
            } else {
                1.0 - mean
            }
        };
        let mut known = vec![0.0; width];
        join(family, width, max, self.root_rho, &mut known);
        let promised = family.chunks_exact(width).map(for_mover).fold(0.0, f64::max);
        (for_mover(&known) - promised).max(0.0)
    }
}

/// S of a node, from the product of its children's factors and the least of them.
#[inline(always)]
pub(super) fn joined(product: f64, least: f64, rho: f64, max: bool) -> f64 {
    let q = (1.0 - rho) * product + rho * least;
    if max {
        1.0 - q
    } else {
        q
    }
}

/// The ply of every node, by the first path that led to it.
fn plies(tree: &Tree) -> Vec<u32> {
    let mut plies = vec![0; tree.len()];
    for (id, node) in tree.nodes().iter().enumerate() {
        let (below, children) = (plies[id] + 1, node.children());
        if children.start as usize > id {
            plies[children.start as usize..children.end as usize].fill(below);
        }
    }
    plies
}

/// The distribution of a node from those of its children.
#[inline(always)]
pub fn join(family: &[f64], width: usize, max: bool, rho: f64, s: &mut [f64]) {
    for k in 0..width {
        let (mut product, mut least) = (1.0, 1.0f64);
        for child in family.chunks_exact(width) {
            let q = if max { 1.0 - child[k] } else { child[k] };
            product *= q;
            least = if q < least { q } else { least };
        }
        s[k] = joined(product, least, rho, max);
    }
}

/// The probability of each of several moves that it is a best one for the player who chooses.
pub fn best_of(family: &[f64], width: usize, max: bool, rho: f64) -> Vec<f64> {
    let moves = family.len() / width;
    // from the side of the player who chooses, with S_0 = 1 and S_{K+1} = 0
    let s = |i: usize, k: usize| match k {
        0 => 1.0,
        k if k > width => 0.0,
        k if max => family[i * width + k - 1],
        k => 1.0 - family[i * width + width - k],
    };
    let mut best = vec![0.0; moves];
    let mut others = vec![1.0; moves];
    for k in 0..=width {
        // products over all the other moves, by sweeps from both ends
        let mut product = 1.0;
        for (i, others) in others.iter_mut().enumerate() {
            *others = product;
            product *= 1.0 - s(i, k + 1);
        }
        product = 1.0;
        for i in (0..moves).rev() {
            others[i] *= product;
            product *= 1.0 - s(i, k + 1);
        }
        // if all depend on one number, the move is at k and no other above where that number lies between these two
        let top = (0..moves).map(|i| s(i, k + 1)).fold(0.0, f64::max);
        for i in 0..moves {
            let alone = (s(i, k) - s(i, k + 1)) * others[i];
            best[i] += (1.0 - rho) * alone + rho * (s(i, k) - top).max(0.0);
        }
    }
    // rounding must not make a probability of more than one
    best.iter().map(|p| p.clamp(0.0, 1.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All outcomes of independent moves, one by one.
    fn enumerated(family: &[f64], width: usize, max: bool) -> Vec<f64> {
        let moves = family.len() / width;
        let p = |i: usize, y: usize| {
            let s = |k: usize| match k {
                0 => 1.0,
                k if k > width => 0.0,
                k => family[i * width + k - 1],
            };
            s(y) - s(y + 1)
        };
        let mut best = vec![0.0; moves];
        for code in 0..(width + 1).pow(moves as u32) {
            let outcomes: Vec<usize> =
                (0..moves).map(|i| code / (width + 1).pow(i as u32) % (width + 1)).collect();
            let likely: f64 = outcomes.iter().enumerate().map(|(i, y)| p(i, *y)).product();
            let ends = (outcomes.iter().min(), outcomes.iter().max());
            let top = if max { ends.1 } else { ends.0 };
            for (best, outcome) in best.iter_mut().zip(&outcomes) {
                *best += if Some(outcome) == top { likely } else { 0.0 };
            }
        }
        best
    }

    #[test]
    fn best_moves_are_those_of_all_outcomes() {
        let family = [0.8, 0.5, 0.6, 0.4, 0.9, 0.05, 0.3, 0.3];
        for max in [true, false] {
            let found = best_of(&family, 2, max, 0.0);
            for (found, true_one) in found.iter().zip(enumerated(&family, 2, max)) {
                assert!((found - true_one).abs() < 1e-12, "{found} {true_one}");
            }
        }
    }
}
