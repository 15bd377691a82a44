//! The layers of the network.
//!
//! The channels of a cell lie side by side. Rows have one place more than the board, which stays zero and serves as the
//! right border of its row and the left border of the next; above and below the board there is a row of zeros.

use super::bytes::{ByteWeights, CELLS, MOST};

/// Channels between convolutions.
pub const CHANNELS: usize = 64;
/// A cell and its neighbours, row by row, in rows and columns.
pub const NEAR: [(isize, isize); 7] = [(-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0)];

/// The first convolution: over planes of stones.
#[derive(Debug)]
pub struct FirstConvolution {
    /// By place in `NEAR`, plane and output.
    pub weights: Vec<f32>,
    pub biases: Vec<f32>,
}

/// A convolution over a cell and its neighbours, in bytes.
#[derive(Debug)]
pub struct Convolution {
    pub weights: ByteWeights,
    /// How many units of a byte make an input of 1.
    pub units: f32,
    /// What 1 of a sum is worth, for each output.
    pub scales: Vec<f32>,
    pub biases: Vec<f32>,
}

impl Convolution {
    /// An input as a byte.
    #[inline(always)]
    pub fn byte(&self, x: f32) -> u8 {
        (x * self.units + 0.5).clamp(0.0, MOST as f32) as u8
    }
}

/// A layer in which every output depends on every input.
#[derive(Debug, Default)]
pub struct Dense {
    /// By input and output.
    pub weights: Vec<f32>,
    pub biases: Vec<f32>,
}

impl Dense {
    #[inline(always)]
    pub fn apply(&self, inputs: &[f32], outputs: &mut [f32]) {
        outputs.copy_from_slice(&self.biases);
        for (x, weights) in inputs.iter().zip(self.weights.chunks_exact(outputs.len())) {
            outputs.iter_mut().zip(weights).for_each(|(y, w)| *y += x * w);
        }
    }
}

/// Cuts off what is negative.
#[inline(always)]
pub fn relu(x: &mut [f32]) {
    x.iter_mut().for_each(|x| *x = x.max(0.0));
}

/// Where the cells of a board lie.
#[derive(Clone, Copy, Debug)]
pub struct BoardFrame {
    pub size: usize,
}

impl BoardFrame {
    pub fn wide(self) -> usize {
        self.size + 1
    }

    pub fn place(self, row: usize, column: usize) -> usize {
        (row + 1) * self.wide() + column + 1
    }

    /// All places, and some more that the last tile may run into.
    pub fn places(self) -> usize {
        self.place(self.size + 1, 0) + CELLS
    }

    /// The channels of a cell.
    pub fn channels(self, x: &[f32], cell: usize) -> &[f32] {
        &x[self.place(cell / self.size, cell % self.size) * CHANNELS..][..CHANNELS]
    }

    /// The first convolution: a cell has a stone in one of two planes or none, and each player's edges are rows of
    /// stones.
    pub fn first(self, layer: &FirstConvolution, planes: &[Option<usize>]) -> Vec<f32> {
        let size = self.size as isize;
        let plane = |row: isize, column: isize| {
            if !(0..size).contains(&row) {
                Some(0)
            } else if !(0..size).contains(&column) {
                Some(1)
            } else {
                planes[(row * size + column) as usize]
            }
        };
        let mut out = vec![0.0; self.places() * CHANNELS];
        for cell in 0..self.size * self.size {
            let (row, column) = (cell / self.size, cell % self.size);
            let sums = &mut out[self.place(row, column) * CHANNELS..][..CHANNELS];
            sums.copy_from_slice(&layer.biases);
            for (tap, (down, right)) in NEAR.iter().enumerate() {
                if let Some(plane) = plane(row as isize + down, column as isize + right) {
                    let weights = &layer.weights[(2 * tap + plane) * CHANNELS..][..CHANNELS];
                    sums.iter_mut().zip(weights).for_each(|(sum, w)| *sum += w);
                }
            }
            relu(sums);
        }
        out
    }

    /// Turns the cells into bytes for a convolution; `bytes` is zero elsewhere, and stays so.
    pub fn in_bytes(self, layer: &Convolution, x: &[f32], bytes: &mut [u8]) {
        for row in 0..self.size {
            let cells = self.place(row, 0) * CHANNELS..self.place(row, self.size) * CHANNELS;
            let both = x[cells.clone()].iter().zip(&mut bytes[cells]);
            both.for_each(|(x, byte)| *byte = layer.byte(*x));
        }
    }

    /// A block of two convolutions: `x` becomes what the second gives plus itself. Both arrays of bytes are for its use.
    pub fn block(self, [one, two]: &[Convolution; 2], x: &mut [f32], bytes: &mut [Vec<u8>; 2]) {
        let [before, between] = bytes;
        self.in_bytes(one, x, before);
        one.weights.convolve(self, before, |place, output, sums| {
            let (scales, biases) = (&one.scales[output..], &one.biases[output..]);
            for (cell, sums) in sums.iter().enumerate() {
                let out = &mut between[(place + cell) * CHANNELS + output..][..sums.len()];
                for ((out, sum), (scale, bias)) in
                    out.iter_mut().zip(sums).zip(scales.iter().zip(biases))
                {
                    *out = two.byte(*sum as f32 * scale + bias);
                }
            }
        });
        self.clear(between);
        two.weights.convolve(self, between, |place, output, sums| {
            let (scales, biases) = (&two.scales[output..], &two.biases[output..]);
            for (cell, sums) in sums.iter().enumerate() {
                let out = &mut x[(place + cell) * CHANNELS + output..][..sums.len()];
                for ((out, sum), (scale, bias)) in
                    out.iter_mut().zip(sums).zip(scales.iter().zip(biases))
                {
                    *out = (*out + (*sum as f32 * scale + bias)).max(0.0);
                }
            }
        });
    }

    /// Makes the places between and behind the rows zero again, which a tile may have run into.
    fn clear(self, bytes: &mut [u8]) {
        for row in 0..self.size {
            bytes[self.place(row, self.size) * CHANNELS..][..CHANNELS].fill(0);
        }
        bytes[self.place(self.size, 0) * CHANNELS..].fill(0);
    }
}
