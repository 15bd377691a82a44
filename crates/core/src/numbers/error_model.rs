//! Error models of evaluators: how the true outcome is distributed, given a static value, the phase, and who is to move.

use super::knots::Knots;
use crate::error::Error;
use crate::tree::{Node, NodeId};
use std::sync::Arc;

/// How the true outcome of a position is distributed, given what an evaluator says of it.
#[derive(Debug)]
pub struct ErrorModel {
    pub(super) outcomes: Vec<f64>,
    pub(super) known: Assessed,
    /// The same with fewer outcomes, for a search that cannot keep so many numbers.
    coarse: Option<Arc<ErrorModel>>,
}

#[derive(Debug)]
pub(super) enum Assessed {
    /// S by the player to move, the phase and the static value, at the knots; linear between them.
    Table { phases: Knots, values: Knots, table: Vec<f64> },
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
        let (phases, values) = (Knots::new(phases), Knots::new(values));
        Ok(ErrorModel { outcomes, known: Assessed::Table { phases, values, table }, coarse: None })
    }

    /// A table with the same at some of its thresholds only, by their places in rising order.
    pub fn table_with_coarse(
        outcomes: Vec<f64>,
        phases: Vec<f64>,
        values: Vec<f64>,
        table: Vec<f64>,
        coarse: &[usize],
    ) -> Result<ErrorModel, Error> {
        let all = outcomes.len().saturating_sub(1).max(1);
        if coarse.iter().any(|place| *place >= all) {
            return Err(Error::Argument(
                "this is no error model: it has no such thresholds".into(),
            ));
        }
        let few =
            table.chunks(all).flat_map(|s| coarse.iter().filter_map(|at| s.get(*at)).copied());
        let told = coarse.iter().map(|at| outcomes[at + 1]);
        let told = outcomes.first().copied().into_iter().chain(told).collect();
        let few = ErrorModel::table(told, phases.clone(), values.clone(), few.collect());
        let whole = ErrorModel::table(outcomes, phases, values, table)?;
        Ok(ErrorModel { coarse: Some(Arc::new(few?)), ..whole })
    }

    /// The same with fewer outcomes, if there are too many for a search that keeps them for every node.
    pub fn coarse(&self) -> Option<&Arc<ErrorModel>> {
        self.coarse.as_ref()
    }

    /// The distributions of all nodes of one tree, by their numbers.
    pub fn listed(outcomes: Vec<f64>, table: Vec<f64>) -> Result<ErrorModel, Error> {
        if outcomes.len() < 2 || !rises(&outcomes) {
            return Err(Error::Argument("two outcomes at least, which rise".into()));
        }
        if !table.chunks(outcomes.len() - 1).all(is_distribution) {
            return Err(Error::Argument("probabilities lie within 0 and 1 and sum to 1".into()));
        }
        Ok(ErrorModel { outcomes, known: Assessed::Listed(table), coarse: None })
    }

    /// Whether it is a table, and not a list of the nodes of one tree.
    pub(super) fn is_table(&self) -> bool {
        matches!(self.known, Assessed::Table { .. })
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
                let (down, upper, lower) = rows(phases, values, table, s.len(), phase, node);
                let (a, b, right) = values.between(node.value);
                let (a, b) = (a * s.len(), b * s.len());
                for (k, s) in s.iter_mut().enumerate() {
                    let left = mix(upper[a + k], lower[a + k], down);
                    *s = mix(left, mix(upper[b + k], lower[b + k], down), right);
                }
            }
        }
    }
}

/// The two rows of the table between which a phase lies, and how far it is on the way to the second.
#[inline]
pub(super) fn rows<'a>(
    phases: &Knots,
    values: &Knots,
    table: &'a [f64],
    width: usize,
    phase: f64,
    node: &Node,
) -> (f64, &'a [f64], &'a [f64]) {
    let (row, next, down) = phases.between(phase);
    let long = values.len() * width;
    let side = usize::from(!node.max_to_move());
    let row_at = |row: usize| &table[(side * phases.len() + row) * long..][..long];
    (down, row_at(row), row_at(next))
}

#[inline(always)]
pub(super) fn mix(a: f64, b: f64, share: f64) -> f64 {
    a + share * (b - a)
}

fn rises(numbers: &[f64]) -> bool {
    numbers.iter().all(|x| x.is_finite()) && numbers.windows(2).all(|pair| pair[0] < pair[1])
}

fn is_distribution(s: &[f64]) -> bool {
    s.iter().all(|s| (0.0..=1.0).contains(s)) && s.windows(2).all(|pair| pair[0] >= pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_checked() {
        let model = |table| ErrorModel::table(vec![0.0, 1.0], vec![0.0], vec![0.0], table);
        assert!(model(vec![0.5, 0.5]).is_ok());
        assert!(model(vec![0.5]).is_err());
        assert!(model(vec![0.5, f64::NAN]).is_err());
        assert!(ErrorModel::table(vec![1.0, 1.0], vec![0.0], vec![0.0], vec![0.5, 0.5]).is_err());
    }
}
