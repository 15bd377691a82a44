//! The layers of the network.
//!
//! The channels of a cell lie side by side. Rows have one place more than the board, which stays zero and serves as the
//! right border of its row and the left border of the next; above and below the board there is a row of zeros.

/// Channels between convolutions.
pub const CHANNELS: usize = 64;
/// Cells and channels that are summed up at once: as many sums as AVX2 has registers for.
const CELLS: usize = 6;
const WIDTH: usize = 16;
/// A cell and its neighbours, row by row, in rows and columns.
const NEAR: [(isize, isize); 7] = [(-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0)];

/// A convolution over a cell and its neighbours.
#[derive(Debug)]
pub struct Convolution {
    /// By place in `NEAR`, input and output.
    pub weights: Vec<f32>,
    pub biases: Vec<f32>,
}

/// A layer in which every output depends on every input.
#[derive(Debug, Default)]
pub struct Dense {
    /// By input and output.
    pub weights: Vec<f32>,
    pub biases: Vec<f32>,
}

impl Dense {
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
    fn wide(self) -> usize {
        self.size + 1
    }

    fn place(self, row: usize, column: usize) -> usize {
        (row + 1) * self.wide() + column + 1
    }

    /// All places, and some more that the last tile may run into.
    fn places(self) -> usize {
        self.place(self.size + 1, 0) + CELLS
    }

    /// The channels of a cell.
    pub fn channels(self, x: &[f32], cell: usize) -> &[f32] {
        &x[self.place(cell / self.size, cell % self.size) * CHANNELS..][..CHANNELS]
    }

    /// The first convolution: a cell has a stone in one of two planes or none, and each player's edges are rows of
    /// stones.
    pub fn first(self, layer: &Convolution, planes: &[Option<usize>]) -> Vec<f32> {
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

    /// A convolution from `x` to `y`, with `skip` added to it and what is negative cut off.
    #[allow(unsafe_code)] // instructions that not every machine has, and a look whether this one has them
    pub fn convolve(self, layer: &Convolution, x: &[f32], skip: Option<&[f32]>, y: &mut [f32]) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: the machine has the instructions that the function is compiled to.
            unsafe { convolve_avx2(self, layer, x, y) };
            return self.finish(layer, skip, y);
        }
        convolve::<false>(self, layer, x, y);
        self.finish(layer, skip, y);
    }

    /// Adds what a convolution adds besides; the border becomes zero again.
    fn finish(self, layer: &Convolution, skip: Option<&[f32]>, y: &mut [f32]) {
        for row in 0..self.size {
            let start = self.place(row, 0) * CHANNELS;
            let (cells, border) = y[start..].split_at_mut(self.size * CHANNELS);
            for (at, y) in cells.chunks_exact_mut(CHANNELS).enumerate() {
                y.iter_mut().zip(&layer.biases).for_each(|(y, bias)| *y += bias);
                if let Some(skip) = skip {
                    let skip = &skip[start + at * CHANNELS..][..CHANNELS];
                    y.iter_mut().zip(skip).for_each(|(y, x)| *y += x);
                }
                relu(y);
            }
            border[..CHANNELS].fill(0.0);
        }
        y[self.place(self.size, 0) * CHANNELS..].fill(0.0);
    }
}

/// [`convolve`] in registers of eight numbers: four times as fast as with those of four that every machine has.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[allow(unsafe_code)] // to be called only where the machine has these instructions
unsafe fn convolve_avx2(frame: BoardFrame, layer: &Convolution, x: &[f32], y: &mut [f32]) {
    convolve::<true>(frame, layer, x, y);
}

/// The sums of a convolution. `FUSED`: with multiplications and additions in one, where the machine has that.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // with iterators the compiler keeps the sums in memory: five times as slow
fn convolve<const FUSED: bool>(frame: BoardFrame, layer: &Convolution, x: &[f32], y: &mut [f32]) {
    let away = NEAR.map(|(down, right)| down * frame.wide() as isize + right);
    let last = frame.place(frame.size - 1, frame.size);
    for from in (0..CHANNELS).step_by(WIDTH) {
        for place in (frame.place(0, 0)..last).step_by(CELLS) {
            let mut sums = [[0.0f32; WIDTH]; CELLS];
            for (tap, away) in away.iter().enumerate() {
                let inputs = &x[(place as isize + away) as usize * CHANNELS..][..CELLS * CHANNELS];
                let weights = &layer.weights[tap * CHANNELS * CHANNELS..][..CHANNELS * CHANNELS];
                for input in 0..CHANNELS {
                    let weights = &weights[input * CHANNELS + from..][..WIDTH];
                    for cell in 0..CELLS {
                        let x = inputs[cell * CHANNELS + input];
                        for at in 0..WIDTH {
                            let sum = &mut sums[cell][at];
                            *sum = if FUSED {
                                x.mul_add(weights[at], *sum)
                            } else {
                                *sum + x * weights[at]
                            };
                        }
                    }
                }
            }
            for cell in 0..CELLS {
                y[(place + cell) * CHANNELS + from..][..WIDTH].copy_from_slice(&sums[cell]);
            }
        }
    }
}
