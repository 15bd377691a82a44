//! A colour's electric circuit over its virtual connections: V. Anshelevich, "A hierarchical approach to computer
//! Hex" (2002), with the conductances of the champion programs.
//!
//! Every full connection is a wire, neighbours among them. Between empty cells it conducts 1, between a cell and a
//! group or an edge 2, and between groups nothing: that current flows through the cells between them. A wire whose
//! connection always needs certain cells conducts less, by one over 1 and their number. The colour's edges are the
//! poles, under a voltage of 1.

use super::connections::Connections;

/// A solved circuit.
#[derive(Debug)]
pub(super) struct ConnectionCircuit {
    /// The current between the poles: one over the resistance.
    pub current: f64,
    /// The current through each point: half of what flows in and out.
    pub through: Vec<f32>,
}

/// What a point that no wire leads to has of a wire to the far pole, so that the equations have a solution.
const LEAK: f32 = 1e-6;

impl ConnectionCircuit {
    /// Kirchhoff's equations, by elimination without pivoting: the matrix is symmetric, and its diagonal outweighs
    /// the rest of each row.
    pub fn solve<const W: usize>(connections: &Connections<W>) -> ConnectionCircuit {
        let points = connections.points();
        let [near, far] = connections.edges();
        // the unknown voltages: all points with wires but the poles
        let mut place = vec![usize::MAX; points];
        let mut inner = Vec::with_capacity(points);
        let mut wires = Vec::with_capacity(16 * points);
        for ([one, two], needs) in connections.links() {
            let stones = [one, two].map(|point| connections.is_stone(point));
            let conducts = match stones {
                [true, true] => continue,
                [false, false] => 1.0,
                _ => 2.0,
            } / (1 + needs) as f32;
            for point in [one, two] {
                if place[point] == usize::MAX && point != near && point != far {
                    place[point] = inner.len();
                    inner.push(point);
                }
            }
            wires.push((one, two, conducts));
        }
        let count = inner.len();
        let width = count.next_multiple_of(8);
        let mut rows = vec![0.0f32; count * width];
        let mut volts = vec![0.0f32; count];
        for at in 0..count {
            rows[at * width + at] = LEAK;
        }
        for &(one, two, conducts) in &wires {
            for (end, other) in [(one, two), (two, one)] {
                let at = place[end];
                if at == usize::MAX {
                    continue;
                }
                rows[at * width + at] += conducts;
                if other == near {
                    volts[at] += conducts;
                } else if other != far {
                    rows[at * width + place[other]] -= conducts;
                }
            }
        }
        eliminate(&mut rows, &mut volts, width);
        let volt = |point: usize| match place[point] {
            usize::MAX => f32::from(point == near),
            at => volts[at],
        };
        let mut through = vec![0.0f32; points];
        let mut current = 0.0;
        for &(one, two, conducts) in &wires {
            let flow = conducts * (volt(one) - volt(two)).abs();
            through[one] += flow / 2.0;
            through[two] += flow / 2.0;
            if one == near || two == near {
                current += f64::from(flow);
            }
        }
        ConnectionCircuit { current, through }
    }
}

/// Solves a symmetric system in place; only the upper triangle is kept up.
fn eliminate(rows: &mut [f32], right: &mut [f32], width: usize) {
    let count = right.len();
    for at in 0..count {
        let (above, below) = rows.split_at_mut((at + 1) * width);
        let row = &above[at * width..];
        let inverse = 1.0 / row[at];
        let known = right[at];
        for next in at + 1..count {
            if row[next] == 0.0 {
                continue;
            }
            let factor = row[next] * inverse;
            right[next] -= factor * known;
            let place = (next - at - 1) * width;
            // whole blocks: what is below the diagonal is never read
            let from = next & !7;
            let target = &mut below[place + from..place + width];
            for (entry, over) in target.iter_mut().zip(&row[from..]) {
                *entry -= factor * over;
            }
        }
    }
    for at in (0..count).rev() {
        let row = &rows[at * width..at * width + count];
        let sum: f32 = row[at + 1..].iter().zip(&right[at + 1..]).map(|(a, v)| a * v).sum();
        right[at] = (right[at] - sum) / row[at];
    }
}
