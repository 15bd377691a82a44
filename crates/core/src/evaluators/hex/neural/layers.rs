//! The layers of the network.
//!
//! The channels of a cell lie side by side. Rows have one place more than the board, which stays zero and serves as the
//! right border of its row and the left border of the next; above and below the board there is a row of zeros.

use super::bytes::{ByteWeights, MOST, WIDEST};
use std::ops::Range;

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
    #[allow(unsafe_code)] // the compiler does the usual cast one by one
    fn byte(&self, x: f32) -> u8 {
        // whatever it was, it is now a number from 0 to 127: `max` and `min` take the other one where there is none
        let x = (x * self.units + 0.5).max(0.0).min(MOST as f32);
        // SAFETY: so an integer has room for it.
        unsafe { x.to_int_unchecked::<i32>() as u8 }
    }

    /// What the sums of a cell are worth; `put` gets the channel and the number.
    #[inline(always)]
    fn scaled(&self, sums: &[i32], mut put: impl FnMut(usize, f32)) {
        let factors = self.scales.iter().zip(&self.biases);
        for (channel, (sum, (scale, bias))) in sums.iter().zip(factors).enumerate() {
            put(channel, *sum as f32 * scale + bias);
        }
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
    /// N outputs; as an array, so that they stay in registers.
    #[inline(always)]
    pub fn apply<const N: usize>(&self, inputs: &[f32]) -> [f32; N] {
        let mut outputs = [0.0; N];
        outputs.copy_from_slice(&self.biases);
        for (x, weights) in inputs.iter().zip(self.weights.chunks_exact(N)) {
            outputs.iter_mut().zip(weights).for_each(|(y, w)| *y += x * w);
        }
        outputs
    }

    /// The same, without what is negative.
    #[inline(always)]
    pub fn apply_relu<const N: usize>(&self, inputs: &[f32]) -> [f32; N] {
        self.apply(inputs).map(|x| x.max(0.0))
    }
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

    /// The places of all cells, with those between the rows.
    pub fn inner(self) -> Range<usize> {
        self.place(0, 0)..self.place(self.size - 1, self.size)
    }

    /// All places, and some more that the last tile may run into.
    pub fn places(self) -> usize {
        self.place(self.size + 1, 0) + WIDEST
    }

    /// The channels of a cell.
    pub fn channels(self, x: &[f32], cell: usize) -> &[f32] {
        &x[self.place(cell / self.size, cell % self.size) * CHANNELS..][..CHANNELS]
    }

    /// The first convolution: a cell has a stone in one of two planes or none, and each player's edges are rows of
    /// stones.
    #[inline(always)]
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
            sums.iter_mut().for_each(|x| *x = x.max(0.0));
        }
        out
    }

    /// Turns the cells into bytes for a convolution; `bytes` is zero elsewhere, and stays so.
    #[inline(always)]
    pub fn in_bytes(self, layer: &Convolution, x: &[f32], bytes: &mut [u8]) {
        for row in 0..self.size {
            let cells = self.place(row, 0) * CHANNELS..self.place(row, self.size) * CHANNELS;
            let both = x[cells.clone()].iter().zip(&mut bytes[cells]);
            both.for_each(|(x, byte)| *byte = layer.byte(*x));
        }
    }

    /// A block of two convolutions: `x` becomes what the second gives plus itself. `bytes` and `sums` are for its use.
    #[inline(always)]
    pub fn block(
        self,
        [one, two]: &[Convolution; 2],
        x: &mut [f32],
        bytes: &mut [u8],
        sums: &mut [i32],
    ) {
        self.in_bytes(one, x, bytes);
        one.weights.convolve(self, bytes, sums);
        let places = self.inner().start * CHANNELS..self.inner().end * CHANNELS;
        let cells = sums[places.clone()].chunks_exact(CHANNELS);
        for (cell, out) in cells.zip(bytes[places.clone()].chunks_exact_mut(CHANNELS)) {
            one.scaled(cell, |channel, y| out[channel] = two.byte(y));
        }
        self.clear(bytes);
        two.weights.convolve(self, bytes, sums);
        let cells = sums[places.clone()].chunks_exact(CHANNELS);
        for (cell, x) in cells.zip(x[places].chunks_exact_mut(CHANNELS)) {
            two.scaled(cell, |channel, y| x[channel] = (x[channel] + y).max(0.0));
        }
    }

    /// Makes the places between the rows zero again.
    fn clear(self, bytes: &mut [u8]) {
        for row in 0..self.size - 1 {
            bytes[self.place(row, self.size) * CHANNELS..][..CHANNELS].fill(0);
        }
    }
}
