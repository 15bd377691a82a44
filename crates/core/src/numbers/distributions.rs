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

use crate::error::Error;
use crate::tree::{Node, NodeId, Tree};
use std::sync::Arc;

/// How the true outcome of a position is distributed, given what an evaluator says of it.
#[derive(Debug)]
pub struct ErrorModel {
    outcomes: Vec<f64>,
    known: Assessed,
}

#[derive(Debug)]
enum Assessed {
    /// S by the player to move, the phase and the static value, at the knots; linear between them.
    Table { phases: Vec<f64>, values: Vec<f64>, table: Vec<f64> },
    /// S of every node of one tree, for trees given as data.
    Listed(Vec<f64>),
}

impl ErrorModel {
    /// A table of S by the player to move (Max first), phase, value and threshold, at these knots, all in rising order.
    pub fn table(
        outcomes: Vec<f64>,
        phases: Vec<f64>,
        values: Vec<f64>,
        table: Vec<f64>,
    ) -> Result<ErrorModel, Error> {
        let wrong = |text: &str| Err(Error::Argument(format!("this is no error model: {text}")));
        if outcomes.len() < 2 || !rises(&outcomes) || !rises(&phases) || !rises(&values) {
            return wrong("outcomes (two at least), phases and values must be finite and rise");
        }
        let thresholds = outcomes.len() - 1;
        if phases.is_empty()
            || values.is_empty()
            || table.len() != 2 * phases.len() * values.len() * thresholds
        {
            return wrong("the table must have a number for each player, phase, value, threshold");
        }
        if !table.chunks_exact(thresholds).all(is_distribution) {
            return wrong("each S must fall with its threshold, within 0 and 1");
        }
        Ok(ErrorModel { outcomes, known: Assessed::Table { phases, values, table } })
    }

    /// The distributions of all nodes of one tree, by their numbers.
    pub fn listed(outcomes: Vec<f64>, table: Vec<f64>) -> Result<ErrorModel, Error> {
        if outcomes.len() < 2 || !rises(&outcomes) {
            return Err(Error::Argument("two outcomes at least, which rise".into()));
        }
        if !table.chunks(outcomes.len() - 1).all(is_distribution) {
            return Err(Error::Argument("probabilities lie within 0 and 1 and sum to 1".into()));
        }
        Ok(ErrorModel { outcomes, known: Assessed::Listed(table) })
    }

    /// K, the number of thresholds between outcomes.
    pub fn thresholds(&self) -> usize {
        self.outcomes.len() - 1
    }

    /// The outcomes that it tells apart, from the worst to the best for Max.
    pub fn outcomes(&self) -> &[f64] {
        &self.outcomes
    }

    /// How much of the whole range lies between the outcomes at a threshold: what it is worth to pass it.
    pub fn weights(&self) -> Vec<f64> {
        let range = self.outcomes[self.thresholds()] - self.outcomes[0];
        self.outcomes.windows(2).map(|pair| (pair[1] - pair[0]) / range).collect()
    }

    /// The mean outcome of a distribution.
    pub fn mean(&self, s: &[f64]) -> f64 {
        let gains = self.outcomes.windows(2).zip(s).map(|(pair, s)| (pair[1] - pair[0]) * s);
        self.outcomes[0] + gains.sum::<f64>()
    }

    /// S of an open position of this value.
    pub fn of_value(&self, value: f64, phase: f64, max_to_move: bool) -> Vec<f64> {
        let mut s = vec![0.0; self.thresholds()];
        self.write(0, &Node::leaf(value, max_to_move, false), phase, &mut s);
        s
    }

    /// Writes the S of a node that has no numbers from children: a leaf, or a solved node.
    #[inline]
    pub fn write(&self, id: NodeId, node: &Node, phase: f64, s: &mut [f64]) {
        if node.is_solved() {
            for (s, outcome) in s.iter_mut().zip(&self.outcomes[1..]) {
                *s = f64::from(u8::from(node.value >= *outcome));
            }
            return;
        }
        match &self.known {
            Assessed::Listed(table) => {
                let at = id as usize * s.len();
                s.copy_from_slice(&table[at..at + s.len()]);
            }
            Assessed::Table { phases, values, table } => {
                let (row, down) = between(phases, phase);
                let (column, right) = between(values, node.value);
                let side = usize::from(!node.max_to_move());
                let width = s.len();
                let corner = |row: usize, column: usize| {
                    let at = ((side * phases.len() + row) * values.len() + column) * width;
                    &table[at..at + width]
                };
                let (next_row, next_column) =
                    ((row + 1).min(phases.len() - 1), (column + 1).min(values.len() - 1));
                let (a, b) = (corner(row, column), corner(row, next_column));
                let (c, d) = (corner(next_row, column), corner(next_row, next_column));
                for k in 0..width {
                    let upper = a[k] + right * (b[k] - a[k]);
                    let lower = c[k] + right * (d[k] - c[k]);
                    s[k] = upper + down * (lower - upper);
                }
            }
        }
    }
}

fn rises(numbers: &[f64]) -> bool {
    numbers.iter().all(|x| x.is_finite()) && numbers.windows(2).all(|pair| pair[0] < pair[1])
}

fn is_distribution(s: &[f64]) -> bool {
    s.iter().all(|s| (0.0..=1.0).contains(s)) && s.windows(2).all(|pair| pair[0] >= pair[1])
}

/// The last knot that is not above x, and how far x is on the way to the next one.
#[inline]
fn between(knots: &[f64], x: f64) -> (usize, f64) {
    let above = knots.partition_point(|knot| *knot <= x);
    if above == 0 {
        return (0, 0.0);
    }
    let at = above - 1;
    match knots.get(above) {
        Some(next) => (at, (x - knots[at]) / (next - knots[at])),
        None => (at, 0.0),
    }
}

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
    /// The distributions of all nodes, K numbers each, in one pass from the leaves.
    pub fn distributions(&self, tree: &Tree) -> Vec<f64> {
        let width = self.model.thresholds();
        let plies = plies(tree);
        let mut s = vec![0.0; tree.len() * width];
        let mut fresh = vec![0.0; width];
        let mut give = |id: NodeId| {
            let node = tree.node(id);
            if node.is_leaf() || node.is_solved() {
                let phase = self.phase - f64::from(plies[id as usize]);
                self.model.write(id, node, phase, &mut fresh);
            } else {
                let children = node.children();
                let family = &s[children.start as usize * width..children.end as usize * width];
                join(family, width, node.max_to_move(), self.rho, &mut fresh);
            }
            s[id as usize * width..(id as usize + 1) * width].copy_from_slice(&fresh);
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

    /// For each move at the root: the probability that it is a best one. Several can be, so these need not add up to 1.
    pub fn best(&self, tree: &Tree, s: &[f64]) -> Vec<f64> {
        let width = self.model.thresholds();
        let children = tree.root().children();
        let family = &s[children.start as usize * width..children.end as usize * width];
        best_of(family, width, tree.root().max_to_move(), self.root_rho)
    }
}

/// The ply of every node, by the first path that led to it.
fn plies(tree: &Tree) -> Vec<u32> {
    let mut plies = vec![0; tree.len()];
    for (id, node) in tree.nodes().iter().enumerate() {
        let below = plies[id] + 1;
        for child in node.children() {
            if child as usize > id {
                plies[child as usize] = below;
            }
        }
    }
    plies
}

/// The distribution of a node from those of its children.
#[inline(always)]
pub fn join(family: &[f64], width: usize, max: bool, rho: f64, joined: &mut [f64]) {
    for k in 0..width {
        let (mut product, mut least) = (1.0, 1.0f64);
        for child in family.chunks_exact(width) {
            let q = if max { 1.0 - child[k] } else { child[k] };
            product *= q;
            least = if q < least { q } else { least };
        }
        let q = (1.0 - rho) * product + rho * least;
        joined[k] = if max { 1.0 - q } else { q };
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

    #[test]
    fn between_knots() {
        assert_eq!(between(&[0.0, 2.0, 3.0], -1.0), (0, 0.0));
        assert_eq!(between(&[0.0, 2.0, 3.0], 1.0), (0, 0.5));
        assert_eq!(between(&[0.0, 2.0, 3.0], 2.0), (1, 0.0));
        assert_eq!(between(&[0.0, 2.0, 3.0], 9.0), (2, 0.0));
    }

    #[test]
    fn models_are_checked() {
        let model = |table| ErrorModel::table(vec![0.0, 1.0], vec![0.0], vec![0.0], table);
        assert!(model(vec![0.5, 0.5]).is_ok());
        assert!(model(vec![0.5]).is_err());
        assert!(model(vec![0.5, f64::NAN]).is_err());
        assert!(ErrorModel::table(vec![1.0, 1.0], vec![0.0], vec![0.0], vec![0.5, 0.5]).is_err());
    }
}
