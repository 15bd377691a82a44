//! A network that has learnt Hex by playing against itself: what it says of a position.
//!
//! It is a chain of convolutions over cells and their neighbours (`layers`) with two heads: a logit for each cell, the
//! policy, and the log odds that the player to move wins. It sees the board as the player to move does, who joins top and
//! bottom, and any size of board; it has learnt on 7x7 to 13x13, most of all on 11x11. `training/train.py` has
//! taught it, and `training/hex_network.py` writes its file:
//!
//! ```text
//!   8 bytes   "hexnet02"
//!   2 words   channels; blocks of two convolutions
//!   halves    the weights of the first convolution, then its biases
//!   for each other convolution:
//!     floats  how many units of a byte make an input of 1; what 1 of a sum is worth for each output; the biases
//!     bytes   the weights, by neighbour, input and output
//!   halves    the heads, each layer's weights with its biases after them
//! ```
//!
//! Between convolutions there are bytes (`bytes`), and what a block adds to is a float. No result depends on the order of
//! additions that a machine prefers, so the network says the same everywhere.

mod bytes;
mod layers;
#[cfg(test)]
mod tests;

use super::bits::Bits;
use super::board::{Board, BLACK};
use bytes::{fits, ByteWeights};
use layers::{BoardFrame, Convolution, Dense, FirstConvolution, CHANNELS, NEAR};
use std::sync::OnceLock;

/// The network that the player uses.
const LEARNT: &[u8] = include_bytes!("../data/neural.bin");
/// Channels of the heads.
const NARROW: usize = 32;
const HIDDEN: usize = 64;

/// The network.
#[derive(Debug)]
pub(super) struct Neural {
    first: FirstConvolution,
    blocks: Vec<[Convolution; 2]>,
    policy: [Dense; 2],
    value: [Dense; 3],
}

/// What the network says of a position.
#[derive(Debug)]
pub(super) struct NetworkOpinion {
    /// A logit for each cell.
    pub policy: Vec<f32>,
    /// The log odds that the player to move wins.
    pub value: f32,
}

impl Neural {
    /// The network that the player uses.
    pub fn learnt() -> &'static Neural {
        static NETWORK: OnceLock<Neural> = OnceLock::new();
        NETWORK.get_or_init(|| {
            Neural::read(LEARNT, ByteWeights::new).expect("the file is read in the tests")
        })
    }

    /// The network in a file, its weights in the form that `form` gives them; nothing if it is no network of this shape.
    fn read(bytes: &[u8], form: fn(&[i8]) -> ByteWeights) -> Option<Neural> {
        let words = bytes.strip_prefix(b"hexnet02")?;
        let (channels, words) = words.split_first_chunk()?;
        let (blocks, numbers) = words.split_first_chunk()?;
        if u32::from_le_bytes(*channels) as usize != CHANNELS {
            return None;
        }
        let mut numbers = Numbers(numbers);
        let mut network = Neural {
            first: numbers.first()?,
            blocks: Vec::new(),
            policy: [Dense::default(), Dense::default()],
            value: [Dense::default(), Dense::default(), Dense::default()],
        };
        for _ in 0..u32::from_le_bytes(*blocks) {
            network.blocks.push([numbers.convolution(form)?, numbers.convolution(form)?]);
        }
        network.policy = [numbers.dense(CHANNELS, NARROW)?, numbers.dense(NARROW, 1)?];
        let pooled = numbers.dense(CHANNELS, NARROW)?;
        network.value = [pooled, numbers.dense(2 * NARROW, HIDDEN)?, numbers.dense(HIDDEN, 1)?];
        numbers.0.is_empty().then_some(network)
    }

    /// What the network says of a board with these stones, Black's first.
    pub fn opinion<const W: usize>(
        &self,
        board: &Board<W>,
        stones: [Bits<W>; 2],
        mover: usize,
    ) -> NetworkOpinion {
        // White joins top and bottom once rows and columns have changed places
        let seen = |cell| if mover == BLACK { cell } else { board.transposed(cell) };
        let size = board.size;
        let mut planes = vec![None; size * size];
        for (plane, colour) in [mover, 1 - mover].into_iter().enumerate() {
            stones[colour].cells().for_each(|cell| planes[seen(cell)] = Some(plane));
        }
        self.said(BoardFrame { size }, &planes, seen)
    }

    /// What the network makes of planes of stones, in the largest registers that the machine has.
    #[allow(unsafe_code)] // instructions that not every machine has, and a look whether this one has them
    fn said(
        &self,
        frame: BoardFrame,
        planes: &[Option<usize>],
        seen: impl Fn(usize) -> usize,
    ) -> NetworkOpinion {
        #[cfg(target_arch = "x86_64")]
        {
            // SAFETY: the machine has the instructions that the function is compiled to.
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                return unsafe { self.pass_avx512(frame, planes, seen) };
            }
            if is_x86_feature_detected!("avx2") {
                return unsafe { self.pass_avx2(frame, planes, seen) };
            }
        }
        self.pass(frame, planes, seen)
    }

    /// All layers.
    #[inline(always)]
    fn pass(
        &self,
        frame: BoardFrame,
        planes: &[Option<usize>],
        seen: impl Fn(usize) -> usize,
    ) -> NetworkOpinion {
        let mut x = frame.first(&self.first, planes);
        let (mut bytes, mut sums) = (vec![0; x.len()], vec![0; x.len()]);
        for block in &self.blocks {
            frame.block(block, &mut x, &mut bytes, &mut sums);
        }
        let cells = frame.size * frame.size;
        let mut policy = vec![0.0; cells];
        // the mean of each channel, then its greatest
        let mut pooled = [0.0f32; 2 * NARROW];
        for (cell, logit) in policy.iter_mut().enumerate() {
            let x = frame.channels(&x, seen(cell));
            let narrow: [f32; NARROW] = self.policy[0].apply_relu(x);
            [*logit] = self.policy[1].apply(&narrow);
            let narrow: [f32; NARROW] = self.value[0].apply_relu(x);
            let (mean, most) = pooled.split_at_mut(NARROW);
            for ((x, mean), most) in narrow.iter().zip(mean).zip(most) {
                *mean += x / cells as f32;
                *most = most.max(*x);
            }
        }
        let hidden: [f32; HIDDEN] = self.value[1].apply_relu(&pooled);
        let [value] = self.value[2].apply(&hidden);
        NetworkOpinion { policy, value }
    }
}

/// [`Neural::pass`] with instructions that not every machine has.
macro_rules! pass {
    ($name:ident, $features:literal) => {
        #[cfg(target_arch = "x86_64")]
        impl Neural {
            #[target_feature(enable = $features)]
            #[allow(unsafe_code)] // to be called only where the machine has these instructions
            unsafe fn $name(
                &self,
                frame: BoardFrame,
                planes: &[Option<usize>],
                seen: impl Fn(usize) -> usize,
            ) -> NetworkOpinion {
                self.pass(frame, planes, seen)
            }
        }
    };
}

pass!(pass_avx512, "avx512f,avx512bw");
pass!(pass_avx2, "avx2");

/// For benchmarks: seconds for a position on a board of this size, by the form of the weights that this machine takes, and
/// by the other forms that it has; only those whose names begin with `wanted`.
pub fn measure(size: usize, rounds: usize, wanted: &str) -> Vec<(&'static str, f64)> {
    let board = Board::<6>::new(size);
    let stones = [0, 1].map(|colour| {
        (0..size * size)
            .filter(|cell| cell % 5 == colour)
            .fold(Bits::NONE, |all, cell| all | Bits::one(cell))
    });
    let forms =
        ByteWeights::FORMS.iter().filter(|(name, has, _)| name.starts_with(wanted) && has());
    let networks: Vec<_> =
        forms.filter_map(|(name, _, form)| Some((*name, Neural::read(LEARNT, *form)?))).collect();
    let mut best = vec![f64::INFINITY; networks.len()];
    // in turn, and the best of all: other programs may use the machine
    for _ in 0..rounds {
        for ((_, network), best) in networks.iter().zip(&mut best) {
            let start = std::time::Instant::now();
            drop(std::hint::black_box(network.opinion(&board, stones, BLACK)));
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    networks.iter().map(|(name, _)| *name).zip(best).collect()
}

/// The rest of a file, as numbers.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn bytes(&mut self, count: usize) -> Option<&[u8]> {
        let (part, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(part)
    }

    fn halves(&mut self, count: usize) -> Option<Vec<f32>> {
        let pairs = self.bytes(2 * count)?.chunks_exact(2);
        Some(pairs.map(|pair| half(u16::from_le_bytes([pair[0], pair[1]]))).collect())
    }

    fn floats(&mut self, count: usize) -> Option<Vec<f32>> {
        let words = self.bytes(4 * count)?.chunks_exact(4);
        Some(words.map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect())
    }

    fn first(&mut self) -> Option<FirstConvolution> {
        let weights = self.halves(NEAR.len() * 2 * CHANNELS)?;
        Some(FirstConvolution { weights, biases: self.halves(CHANNELS)? })
    }

    fn convolution(&mut self, form: fn(&[i8]) -> ByteWeights) -> Option<Convolution> {
        let units = self.floats(1)?[0];
        let (scales, biases) = (self.floats(CHANNELS)?, self.floats(CHANNELS)?);
        let weights = self.bytes(NEAR.len() * CHANNELS * CHANNELS)?;
        let weights: Vec<i8> = weights.iter().map(|byte| *byte as i8).collect();
        let weights = fits(&weights).then(|| form(&weights))?;
        Some(Convolution { weights, units, scales, biases })
    }

    fn dense(&mut self, inputs: usize, outputs: usize) -> Option<Dense> {
        Some(Dense { weights: self.halves(inputs * outputs)?, biases: self.halves(outputs)? })
    }
}

/// The number that sixteen bits stand for (binary16 of IEEE 754); what is not finite is none of a network's.
fn half(bits: u16) -> f32 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023) / 1024.0);
    let size = match exponent {
        0 => fraction * 2f32.powi(-14),
        _ => (1.0 + fraction) * 2f32.powi(exponent - 15),
    };
    if bits >> 15 == 1 {
        -size
    } else {
        size
    }
}
