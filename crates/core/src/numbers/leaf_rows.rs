//! The S of many leaves of one tree: what depends on the phase alone is worked out once for each ply.

use super::distributions::Certainty;
use super::error_model::{mix, rows, Assessed, ErrorModel};
use crate::tree::{Node, NodeId};
use std::sync::Arc;

/// Where in the rows a node's S lies: at the row `at`, and `share` of the way to the next one.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowPlace {
    pub at: u32,
    pub share: f64,
}

/// The S of many leaves of one tree.
///
/// Each row is laid out as `S_1 .. S_K` at a knot of the values, then K differences to the next knot. The first K + 1
/// rows are those of solved nodes: their differences are zeros.
#[derive(Debug)]
pub(crate) struct LeafRows {
    model: Arc<ErrorModel>,
    /// The phase of the root.
    phase: f64,
    rows: Vec<f64>,
    /// Where the rows of each ply and player to move begin, and one more; 0 until they are needed.
    begins: Vec<u32>,
}

impl LeafRows {
    pub fn of(certainty: &Certainty) -> LeafRows {
        let (model, phase) = (certainty.model.clone(), certainty.phase);
        let width = model.thresholds();
        let solved = |reached: usize| (0..2 * width).map(move |k| f64::from(u8::from(k < reached)));
        let rows = (0..=width).flat_map(solved).collect();
        LeafRows { model, phase, rows, begins: Vec::new() }
    }

    /// The numbers of a row: S, and the differences to the next one.
    #[inline(always)]
    pub(super) fn row(&self, at: u32) -> (&[f64], &[f64]) {
        let width = self.model.thresholds();
        self.rows[at as usize * 2 * width..][..2 * width].split_at(width)
    }

    /// Where the S of a leaf or a solved node lies. Not for models that list the nodes of one tree.
    #[inline(always)]
    pub(super) fn place(&mut self, node: &Node, ply: u32) -> RowPlace {
        if node.is_solved() {
            return self.solved(node.value);
        }
        let of = 2 * ply as usize + usize::from(!node.max_to_move());
        let begin = match self.begins.get(of) {
            Some(&begin) if begin > 0 => begin - 1,
            _ => self.work_out(of, ply, node),
        };
        let Assessed::Table { values, .. } = &self.model.known else {
            return RowPlace { at: begin, share: 0.0 };
        };
        let (gap, share) = values.gap(node.value);
        RowPlace { at: begin + gap as u32 - 1, share }
    }

    #[inline]
    fn solved(&self, value: f64) -> RowPlace {
        let reached = self.model.outcomes[1..].partition_point(|outcome| *outcome <= value);
        RowPlace { at: reached as u32, share: 0.0 }
    }

    /// Writes what [`ErrorModel::write`] would, to the bit.
    #[inline(always)]
    pub fn write(&mut self, id: NodeId, node: &Node, ply: u32, s: &mut [f64]) {
        if matches!(self.model.known, Assessed::Listed(_)) {
            return self.model.write(id, node, 0.0, s);
        }
        let place = self.place(node, ply);
        let (row, rise) = self.row(place.at);
        for ((s, a), d) in s.iter_mut().zip(row).zip(rise) {
            *s = a + place.share * d;
        }
    }

    #[cold]
    fn work_out(&mut self, of: usize, ply: u32, node: &Node) -> u32 {
        let width = self.model.thresholds();
        let begin = (self.rows.len() / (2 * width)) as u32;
        if let Assessed::Table { phases, values, table } = &self.model.known {
            let phase = self.phase - f64::from(ply);
            let (down, upper, lower) = rows(phases, values, table, width, phase, node);
            let known: Vec<f64> = upper.iter().zip(lower).map(|(a, b)| mix(*a, *b, down)).collect();
            for knot in 0..values.len() {
                let own = &known[knot * width..][..width];
                let next = &known[(knot + 1).min(values.len() - 1) * width..][..width];
                self.rows.extend_from_slice(own);
                self.rows.extend(own.iter().zip(next).map(|(a, b)| b - a));
            }
        }
        if self.begins.len() <= of {
            self.begins.resize(of + 1, 0);
        }
        self.begins[of] = begin + 1;
        begin
    }
}
