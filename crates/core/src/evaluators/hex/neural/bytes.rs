//! Convolutions in bytes: inputs from 0 to 127, weights from -127 to 127, exact sums of 32 bits.
//!
//! There are two forms for machines with dot products of bytes (VNNI), in registers of 64 or 32 bytes, one for AVX2, one
//! for SSSE3, one for all others of the x86-64 family (SSE2), and one for all machines. They give the same sums, so a
//! network says the same on every machine.
//!
//! Those for AVX2, SSSE3 and all machines add products in 16 bits: those of four inputs with one weight each must fit. [`fits`] says whether they
//! do for all inputs.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)] // intrinsics; each function names the instructions that it needs
mod simd;

use super::layers::{BoardFrame, CHANNELS, NEAR};

/// Cells and outputs that are summed up at once: as many sums as there are registers for.
pub const CELLS: usize = 6;
const OUTPUTS: usize = 16;
/// As many places as the widest tile has cells.
pub const WIDEST: usize = 2 * CELLS;
/// Inputs whose products are added in one go, and those of them that are added in 16 bits.
const INPUTS: usize = 8;
const FOURS: [[usize; 4]; 2] = [[0, 1, 4, 5], [2, 3, 6, 7]];
/// The greatest input.
pub const MOST: i32 = 127;

/// Sums of some outputs of a few cells.
type Sums = [[i32; OUTPUTS]; CELLS];

/// The weights of a convolution, in the order in which this machine takes them.
#[derive(Debug)]
pub enum ByteWeights {
    /// By outputs of a tile, place in `NEAR`, four inputs, output in the tile, input: as dot products of bytes take them.
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni(Vec<i8>),
    /// The same.
    #[cfg(target_arch = "x86_64")]
    AvxVnni(Vec<i8>),
    /// The same.
    #[cfg(target_arch = "x86_64")]
    Avx2(Vec<i8>),
    /// The same.
    #[cfg(target_arch = "x86_64")]
    Ssse3(Vec<i8>),
    /// By outputs of a tile, place in `NEAR`, two inputs, output in the tile, input.
    #[cfg(target_arch = "x86_64")]
    Sse2(Vec<i16>),
    /// By outputs of a tile, place in `NEAR`, input, output in the tile.
    Plain(Vec<i16>),
}

/// Whether the products of any four inputs that are added in 16 bits stay in them; `weights` by place in `NEAR`, input
/// and output.
pub fn fits(weights: &[i8]) -> bool {
    let at = |tap: usize, input: usize, output: usize| {
        i32::from(weights[(tap * CHANNELS + input) * CHANNELS + output])
    };
    (0..NEAR.len()).all(|tap| {
        (0..CHANNELS).step_by(INPUTS).all(|first| {
            (0..CHANNELS).all(|output| {
                FOURS.into_iter().all(|four| {
                    let four = four.map(|input| at(tap, first + input, output));
                    let side =
                        |sign: i32| four.iter().map(|w| (sign * w).max(0)).sum::<i32>() * MOST;
                    side(1).max(side(-1)) <= i32::from(i16::MAX)
                })
            })
        })
    })
}

/// A form of the weights: a name, whether this machine has its instructions, and how it is made from weights by place in
/// `NEAR`, input and output.
pub type ByteForm = (&'static str, fn() -> bool, fn(&[i8]) -> ByteWeights);

impl ByteWeights {
    /// The forms; the best comes first.
    pub const FORMS: &[ByteForm] = &[
        #[cfg(target_arch = "x86_64")]
        ("AVX-512 VNNI", simd::has_avx512_vnni, |weights| {
            ByteWeights::Avx512Vnni(ByteWeights::groups::<4, i8>(weights))
        }),
        #[cfg(target_arch = "x86_64")]
        ("AVX VNNI", simd::has_avx_vnni, |weights| {
            ByteWeights::AvxVnni(ByteWeights::groups::<4, i8>(weights))
        }),
        #[cfg(target_arch = "x86_64")]
        ("AVX2", simd::has_avx2, |weights| {
            ByteWeights::Avx2(ByteWeights::groups::<4, i8>(weights))
        }),
        #[cfg(target_arch = "x86_64")]
        ("SSSE3", simd::has_ssse3, |weights| {
            ByteWeights::Ssse3(ByteWeights::groups::<4, i8>(weights))
        }),
        #[cfg(target_arch = "x86_64")]
        ("SSE2", || true, |weights| ByteWeights::Sse2(ByteWeights::groups::<2, i16>(weights))),
        ("any machine", || true, ByteWeights::plain),
    ];

    /// The best form for this machine.
    pub fn new(weights: &[i8]) -> ByteWeights {
        let best = ByteWeights::FORMS.iter().find(|(_, has, _)| has());
        best.map_or_else(|| ByteWeights::plain(weights), |(_, _, form)| form(weights))
    }

    /// The weights by outputs of a tile, place in `NEAR`, N inputs, output in the tile, input.
    #[cfg(target_arch = "x86_64")]
    fn groups<const N: usize, W: From<i8>>(weights: &[i8]) -> Vec<W> {
        let mut grouped = Vec::with_capacity(weights.len());
        for (tile, tap) in tiles() {
            for first in (0..CHANNELS).step_by(N) {
                for output in tile..tile + OUTPUTS {
                    let group = first..first + N;
                    grouped.extend(
                        group.map(|i| W::from(weights[(tap * CHANNELS + i) * CHANNELS + output])),
                    );
                }
            }
        }
        grouped
    }

    /// The form for all machines.
    pub fn plain(weights: &[i8]) -> ByteWeights {
        let mut words = Vec::with_capacity(weights.len());
        for (tile, tap) in tiles() {
            for input in 0..CHANNELS {
                let from = (tap * CHANNELS + input) * CHANNELS + tile;
                words.extend(weights[from..from + OUTPUTS].iter().map(|w| i16::from(*w)));
            }
        }
        ByteWeights::Plain(words)
    }

    /// Sums up the convolution of `x`: `sums` by place and output. Places that are not on the board get anything.
    #[allow(unsafe_code)] // instructions that not every machine has
    pub fn convolve(&self, frame: BoardFrame, x: &[u8], sums: &mut [i32]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `FORMS` makes this form only where the machine has these instructions.
            ByteWeights::Avx512Vnni(bytes) => unsafe { simd::avx512_vnni(frame, bytes, x, sums) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the same.
            ByteWeights::AvxVnni(bytes) => each_tile(frame, sums, |tile, place, away| unsafe {
                simd::avx_vnni(bytes, tile, x, place, away)
            }),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the same.
            ByteWeights::Avx2(bytes) => each_tile(frame, sums, |tile, place, away| unsafe {
                simd::avx2(bytes, tile, x, place, away)
            }),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the same.
            ByteWeights::Ssse3(bytes) => each_tile(frame, sums, |tile, place, away| unsafe {
                simd::ssse3(bytes, tile, x, place, away)
            }),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: every x86-64 machine has SSE2.
            ByteWeights::Sse2(words) => each_tile(frame, sums, |tile, place, away| unsafe {
                simd::sse2(words, tile, x, place, away)
            }),
            ByteWeights::Plain(words) => {
                each_tile(frame, sums, |tile, place, away| plain_tile(words, tile, x, place, away))
            }
        }
    }
}

/// How far away from a cell its neighbours are.
fn away(frame: BoardFrame) -> [isize; 7] {
    NEAR.map(|(down, right)| down * frame.wide() as isize + right)
}

/// All sums of a convolution; `tile` gets the first output, the first cell's place and how far away neighbours are.
fn each_tile(
    frame: BoardFrame,
    sums: &mut [i32],
    mut tile: impl FnMut(usize, usize, &[isize; 7]) -> Sums,
) {
    let away = away(frame);
    for output in (0..CHANNELS).step_by(OUTPUTS) {
        for place in frame.inner().step_by(CELLS) {
            let cells = sums[place * CHANNELS..].chunks_exact_mut(CHANNELS);
            for (cell, of_cell) in cells.zip(&tile(output, place, &away)) {
                cell[output..][..OUTPUTS].copy_from_slice(of_cell);
            }
        }
    }
}

/// Tiles of outputs, each with all places in `NEAR`.
fn tiles() -> impl Iterator<Item = (usize, usize)> {
    (0..CHANNELS).step_by(OUTPUTS).flat_map(|tile| (0..NEAR.len()).map(move |tap| (tile, tap)))
}

/// The sums of a tile with what every machine has. Four products, in the order of [`FOURS`], fit into 16 bits.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // with iterators the compiler keeps the sums in memory
fn plain_tile(words: &[i16], tile: usize, x: &[u8], place: usize, away: &[isize; 7]) -> Sums {
    let mut sums = [[0i32; OUTPUTS]; CELLS];
    let words = &words[tile * NEAR.len() * CHANNELS..][..NEAR.len() * CHANNELS * OUTPUTS];
    for (tap, away) in away.iter().enumerate() {
        let inputs = &x[(place as isize + away) as usize * CHANNELS..][..CELLS * CHANNELS];
        let words = &words[tap * CHANNELS * OUTPUTS..][..CHANNELS * OUTPUTS];
        for first in (0..CHANNELS).step_by(INPUTS) {
            let words: &[i16; INPUTS * OUTPUTS] =
                words[first * OUTPUTS..].first_chunk().expect("a whole convolution");
            for cell in 0..CELLS {
                let x: [i16; INPUTS] =
                    std::array::from_fn(|input| i16::from(inputs[cell * CHANNELS + first + input]));
                for four in FOURS {
                    let mut sum = [0i16; OUTPUTS];
                    for input in four {
                        for at in 0..OUTPUTS {
                            sum[at] += x[input] * words[input * OUTPUTS + at];
                        }
                    }
                    for at in 0..OUTPUTS {
                        sums[cell][at] += i32::from(sum[at]);
                    }
                }
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix::splitmix64;

    fn sums(weights: &ByteWeights, frame: BoardFrame, x: &[u8]) -> Vec<i32> {
        let mut all = vec![0; frame.places() * CHANNELS];
        weights.convolve(frame, x, &mut all);
        all.truncate(frame.inner().end * CHANNELS); // tiles may go further
        all
    }

    #[test]
    fn every_form_gives_the_sum_over_neighbours() {
        let random = |seed: u64, most: u64| splitmix64(seed) % (most + 1);
        for size in [1, 4, 11, 13] {
            let frame = BoardFrame { size };
            // the greatest inputs, and weights that just fit
            let mut x = vec![0u8; frame.places() * CHANNELS];
            for cell in 0..size * size {
                let place = frame.place(cell / size, cell % size);
                for (at, x) in x[place * CHANNELS..][..CHANNELS].iter_mut().enumerate() {
                    let number = (cell * CHANNELS + at) as u64;
                    *x = if random(number, 3) == 0 { 127 } else { random(number ^ 99, 127) as u8 };
                }
            }
            let weights: Vec<i8> = (0..NEAR.len() * CHANNELS * CHANNELS)
                .map(|at| (random(at as u64 + 7, 126) as i64 - 63) as i8)
                .collect();
            assert!(fits(&weights));
            let all = sums(&ByteWeights::plain(&weights), frame, &x);
            for cell in 0..size * size {
                let (row, column) = ((cell / size) as isize, (cell % size) as isize);
                for output in (0..CHANNELS).step_by(7) {
                    let mut sum = 0i64;
                    for (tap, (down, right)) in NEAR.iter().enumerate() {
                        let (row, column) = (row + down, column + right);
                        let side = 0..size as isize;
                        if side.contains(&row) && side.contains(&column) {
                            let place = frame.place(row as usize, column as usize);
                            for input in 0..CHANNELS {
                                let weight = weights[(tap * CHANNELS + input) * CHANNELS + output];
                                sum += i64::from(x[place * CHANNELS + input]) * i64::from(weight);
                            }
                        }
                    }
                    let place = frame.place(cell / size, cell % size);
                    assert_eq!(
                        i64::from(all[place * CHANNELS + output]),
                        sum,
                        "{size} {cell} {output}"
                    );
                }
            }
            for (name, has, form) in ByteWeights::FORMS {
                assert!(!has() || sums(&form(&weights), frame, &x) == all, "{name} {size}");
            }
        }
    }

    #[test]
    fn weights_that_are_too_large_for_sixteen_bits_are_seen() {
        let mut weights = vec![0i8; NEAR.len() * CHANNELS * CHANNELS];
        for (input, weight) in [(0, 100), (1, 100), (4, 58)] {
            weights[input * CHANNELS + 5] = weight;
        }
        assert!(fits(&weights));
        weights[5 * CHANNELS + 5] = 1;
        assert!(!fits(&weights));
        weights[5 * CHANNELS + 5] = -127;
        assert!(fits(&weights));
    }
}
