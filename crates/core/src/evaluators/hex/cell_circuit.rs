//! The board as an electric circuit, one for each colour: V. Anshelevich, "A hierarchical approach to computer
//! Hex" (2002), after a machine of C. Shannon's. Without virtual connections.
//!
//! The colour's two edges are the poles. A cell has a resistance: 1 if it is empty, 0 with a stone of the colour,
//! infinite with one of the other's. Neighbours are linked with the sum of their resistances, and a cell beside
//! an edge is linked to the pole with its own. The less the resistance between the poles, the nearer the colour
//! is to joining its edges; and the more current flows through an empty cell, the more depends on it.
//!
//! A stone's resistance is 2^-17 instead of 0. Cells without any between them would have to be joined into one
//! node, and a long group would then have neighbours all over the board. So every cell keeps a node of its own,
//! linked to no other more than a row away, and the equations (Kirchhoff's) form a band: row `i` of the matrix
//! has entries in columns `i` to `i + size` only, and elimination keeps it so. That takes size^4 / 2 steps.
//! The cost is an error of some 10^-5 for each stone that the current passes.

use std::cmp::Ordering;

/// What a cell is in the circuit of one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cell {
    /// The other's stone, or a cell that no current can reach.
    Out,
    Empty,
    Own,
}

const EMPTY: f64 = 1.0;
const OWN: f64 = 1.0 / (1 << 17) as f64;

/// Whether a circuit is solved as it is given or turned by half.
///
/// Sums of the same numbers in another order are not quite the same. So that positions that differ by half a
/// turn get the same values and the same scores to the last bit, one of the two circuits is solved for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    None,
    Half,
    /// Turned it is the same, and its currents are the means of both halves.
    Both,
}

/// How well two neighbours conduct.
#[inline(always)]
fn link(one: Cell, two: Cell) -> f64 {
    match (one, two) {
        (Cell::Out, _) | (_, Cell::Out) => 0.0,
        (Cell::Empty, Cell::Empty) => 1.0 / (EMPTY + EMPTY),
        (Cell::Own, Cell::Own) => 1.0 / (OWN + OWN),
        _ => 1.0 / (EMPTY + OWN),
    }
}

/// The neighbours of a cell that come after it, line by line.
#[inline(always)]
fn later(size: usize, at: usize) -> impl Iterator<Item = usize> {
    let (line, place) = (at / size, at % size);
    let (right, down) = (place + 1 < size, line + 1 < size);
    let cells = [(right, at + 1), (down, at + size), (down && place > 0, at + size - 1)];
    cells.into_iter().filter(|(there, _)| *there).map(|(_, cell)| cell)
}

/// How well a cell beside a pole conducts to it.
#[inline(always)]
fn to_pole(cell: Cell) -> f64 {
    match cell {
        Cell::Out => 0.0,
        Cell::Empty => 1.0 / EMPTY,
        Cell::Own => 1.0 / OWN,
    }
}

/// A circuit under a voltage of 1, solved.
pub(super) struct Circuit {
    size: usize,
    /// In lines of `size`, the first line beside the first pole and the last beside the last.
    cells: Vec<Cell>,
    turn: Turn,
    /// The voltage of every cell against the last pole, and zeros for one row more.
    volts: Vec<f64>,
    /// The current between the poles: one over the resistance.
    pub current: f64,
}

impl Circuit {
    /// Solves the circuit of cells in lines of `size`, from one pole to the other. `S` is a number above `size`.
    /// Every cell that is not out is connected with a pole.
    ///
    /// Elimination without pivoting: the matrix is symmetric, and its diagonal outweighs the rest of each row.
    pub fn solve<const S: usize>(size: usize, mut cells: Vec<Cell>) -> Circuit {
        let turn = match cells.iter().rev().cmp(&cells) {
            Ordering::Less => Turn::Half,
            Ordering::Equal => Turn::Both,
            Ordering::Greater => Turn::None,
        };
        if turn == Turn::Half {
            cells.reverse();
        }
        let count = cells.len();
        // rows[i][k] is the entry in column i + k
        let mut rows = vec![[0.0f64; S]; count];
        let mut volts = vec![0.0; count + size];
        for at in 0..count {
            let mut join = |other: usize| {
                let conducts = link(cells[at], cells[other]);
                rows[at][0] += conducts;
                rows[other][0] += conducts;
                rows[at][other - at] = -conducts;
            };
            later(size, at).for_each(&mut join);
            let line = at / size;
            if line == 0 {
                volts[at] = to_pole(cells[at]);
                rows[at][0] += volts[at];
            }
            if line + 1 == size {
                rows[at][0] += to_pole(cells[at]);
            }
        }
        for at in 0..count {
            if cells[at] == Cell::Out {
                continue;
            }
            let row = rows[at];
            let (inverse, volt) = (1.0 / row[0], volts[at]);
            for step in 1..=size {
                if row[step] == 0.0 {
                    continue;
                }
                let factor = row[step] * inverse;
                volts[at + step] -= factor * volt;
                let below = &mut rows[at + step];
                for (entry, above) in below.iter_mut().zip(&row[step..]) {
                    *entry -= factor * above;
                }
            }
        }
        for at in (0..count).rev() {
            if cells[at] != Cell::Out {
                let row = &rows[at];
                let later = &volts[at + 1..=at + size];
                let sum: f64 = row[1..=size].iter().zip(later).map(|(a, v)| a * v).sum();
                volts[at] = (volts[at] - sum) / row[0];
            }
        }
        let into = |at: usize| to_pole(cells[at]) * (1.0 - volts[at]);
        let current = (0..size).map(into).sum();
        Circuit { size, cells, turn, volts, current }
    }

    /// The current through every cell, in the order in which the cells were given: half of what flows in and out.
    pub fn currents(&self) -> Vec<f64> {
        let (size, cells, volts) = (self.size, &self.cells, &self.volts);
        let mut through = vec![0.0; cells.len()];
        for at in 0..cells.len() {
            if cells[at] == Cell::Out {
                continue;
            }
            let mut flow = |other: usize| {
                let current = link(cells[at], cells[other]) * (volts[at] - volts[other]).abs();
                through[at] += current / 2.0;
                through[other] += current / 2.0;
            };
            later(size, at).for_each(&mut flow);
            let line = at / size;
            if line == 0 {
                through[at] += to_pole(cells[at]) * (1.0 - volts[at]) / 2.0;
            }
            if line + 1 == size {
                through[at] += to_pole(cells[at]) * volts[at] / 2.0;
            }
        }
        match self.turn {
            Turn::None => {}
            Turn::Half => through.reverse(),
            Turn::Both => {
                let turned: Vec<f64> = through.iter().rev().copied().collect();
                through.iter_mut().zip(turned).for_each(|(one, two)| *one = (*one + two) / 2.0);
            }
        }
        through
    }
}
