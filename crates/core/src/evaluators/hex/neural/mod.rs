//! A network that has learnt Hex by playing against itself: what it says of a position.
//!
//! It is a chain of convolutions over cells and their neighbours (`layers`) with two heads: a logit for each cell, the
//! policy, and the log odds that the player to move wins. It sees the board as the player to move does, who joins top and
//! bottom, and any size of board; it has learnt on 7x7 to 13x13, most of all on 11x11. `training/hex_network.py` has
//! taught it and writes its file:
//!
//! ```text
//!   8 bytes   "hexnet01"
//!   2 words   channels; blocks of two convolutions
//!   halves    the weights of the first convolution, of all others and of the heads, each with its biases after it
//! ```

mod layers;
#[cfg(test)]
mod tests;

use super::bits::Bits;
use super::board::{Board, BLACK};
use layers::{relu, BoardFrame, Convolution, Dense, CHANNELS};
use std::sync::OnceLock;

/// The network that the player uses.
const LEARNT: &[u8] = include_bytes!("../data/neural.bin");
/// Channels of the heads.
const NARROW: usize = 32;
const HIDDEN: usize = 64;

/// The network.
#[derive(Debug)]
pub(super) struct Neural {
    first: Convolution,
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
        NETWORK.get_or_init(|| Neural::read(LEARNT).expect("the file is read in the tests"))
    }

    /// The network in a file; nothing if it is no network of this shape.
    fn read(bytes: &[u8]) -> Option<Neural> {
        let words = bytes.strip_prefix(b"hexnet01")?;
        let (channels, words) = words.split_first_chunk()?;
        let (blocks, numbers) = words.split_first_chunk()?;
        if u32::from_le_bytes(*channels) as usize != CHANNELS {
            return None;
        }
        let mut numbers = Numbers(numbers);
        let mut network = Neural {
            first: numbers.convolution(2)?,
            blocks: Vec::new(),
            policy: [Dense::default(), Dense::default()],
            value: [Dense::default(), Dense::default(), Dense::default()],
        };
        for _ in 0..u32::from_le_bytes(*blocks) {
            network.blocks.push([numbers.convolution(CHANNELS)?, numbers.convolution(CHANNELS)?]);
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
        let frame = BoardFrame { size };
        let mut x = frame.first(&self.first, &planes);
        let (mut y, mut z) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        for [one, two] in &self.blocks {
            frame.convolve(one, &x, None, &mut y);
            frame.convolve(two, &y, Some(&x), &mut z);
            std::mem::swap(&mut x, &mut z);
        }
        self.heads(&frame, &x, seen)
    }

    fn heads(
        &self,
        frame: &BoardFrame,
        x: &[f32],
        seen: impl Fn(usize) -> usize,
    ) -> NetworkOpinion {
        let cells = frame.size * frame.size;
        let (mut policy, mut value) = (vec![0.0; cells], [0.0]);
        let mut narrow = [0.0; NARROW];
        // the mean of each channel, then its greatest
        let mut pooled = [0.0f32; 2 * NARROW];
        for (cell, logit) in policy.iter_mut().enumerate() {
            let x = frame.channels(x, seen(cell));
            self.policy[0].apply(x, &mut narrow);
            relu(&mut narrow);
            self.policy[1].apply(&narrow, std::slice::from_mut(logit));
            self.value[0].apply(x, &mut narrow);
            relu(&mut narrow);
            let (mean, most) = pooled.split_at_mut(NARROW);
            for ((x, mean), most) in narrow.iter().zip(mean).zip(most) {
                *mean += x / cells as f32;
                *most = most.max(*x);
            }
        }
        let mut hidden = [0.0; HIDDEN];
        self.value[1].apply(&pooled, &mut hidden);
        relu(&mut hidden);
        self.value[2].apply(&hidden, &mut value);
        NetworkOpinion { policy, value: value[0] }
    }
}

/// The rest of a file, as numbers.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn take(&mut self, count: usize) -> Option<Vec<f32>> {
        let (part, rest) = self.0.split_at_checked(2 * count)?;
        self.0 = rest;
        Some(
            part.chunks_exact(2).map(|pair| half(u16::from_le_bytes([pair[0], pair[1]]))).collect(),
        )
    }

    fn convolution(&mut self, inputs: usize) -> Option<Convolution> {
        let weights = self.take(7 * inputs * CHANNELS)?;
        Some(Convolution { weights, biases: self.take(CHANNELS)? })
    }

    fn dense(&mut self, inputs: usize, outputs: usize) -> Option<Dense> {
        Some(Dense { weights: self.take(inputs * outputs)?, biases: self.take(outputs)? })
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
