//! Convolutions in bytes: inputs from 0 to 127, weights from -127 to 127, exact sums of 32 bits.
//!
//! There is one form for machines with AVX-512's dot products of bytes (VNNI), one for AVX2, one for SSSE3 and one for all
//! others. They give the same sums, so a network says the same on every machine.
//!
//! All but the first add products in 16 bits: those of four inputs with one weight each must fit. [`fits`] says whether they
//! do for all inputs.

use super::layers::{BoardFrame, CHANNELS, NEAR};

/// Cells and outputs that are summed up at once: as many sums as there are registers for.
pub const CELLS: usize = 6;
const OUTPUTS: usize = 16;
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
    Vnni(Vec<i8>),
    /// The same.
    #[cfg(target_arch = "x86_64")]
    Avx2(Vec<i8>),
    /// The same.
    #[cfg(target_arch = "x86_64")]
    Ssse3(Vec<i8>),
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
        ("AVX-512 VNNI", simd::has_vnni, |weights| ByteWeights::Vnni(ByteWeights::dots(weights))),
        #[cfg(target_arch = "x86_64")]
        ("AVX2", simd::has_avx2, |weights| ByteWeights::Avx2(ByteWeights::dots(weights))),
        #[cfg(target_arch = "x86_64")]
        ("SSSE3", simd::has_ssse3, |weights| ByteWeights::Ssse3(ByteWeights::dots(weights))),
        ("any machine", || true, ByteWeights::plain),
    ];

    /// The best form for this machine.
    pub fn new(weights: &[i8]) -> ByteWeights {
        let best = ByteWeights::FORMS.iter().find(|(_, has, _)| has());
        best.map_or_else(|| ByteWeights::plain(weights), |(_, _, form)| form(weights))
    }

    #[cfg(target_arch = "x86_64")]
    fn dots(weights: &[i8]) -> Vec<i8> {
        let mut bytes = Vec::with_capacity(weights.len());
        for (tile, tap) in tiles() {
            for first in (0..CHANNELS).step_by(4) {
                for output in tile..tile + OUTPUTS {
                    let four = first..first + 4;
                    bytes.extend(four.map(|i| weights[(tap * CHANNELS + i) * CHANNELS + output]));
                }
            }
        }
        bytes
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

    /// All sums of a convolution; `take` gets the first cell's place, the first output and the sums of a tile.
    #[inline(always)]
    fn each(
        frame: BoardFrame,
        mut sum: impl FnMut(usize, usize, &[isize; 7]) -> Sums,
        mut take: impl FnMut(usize, usize, &Sums),
    ) {
        let away = NEAR.map(|(down, right)| down * frame.wide() as isize + right);
        let last = frame.place(frame.size - 1, frame.size);
        for tile in (0..CHANNELS).step_by(OUTPUTS) {
            for place in (frame.place(0, 0)..last).step_by(CELLS) {
                let sums = sum(tile, place, &away);
                take(place, tile, &sums);
            }
        }
    }

    /// Sums up the convolution of `x`; `take` gets the first cell's place, the first output and the sums of each tile.
    #[allow(unsafe_code)] // instructions that not every machine has
    pub fn convolve(&self, frame: BoardFrame, x: &[u8], take: impl FnMut(usize, usize, &Sums)) {
        match self {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `FORMS` makes this form only where the machine has these instructions.
            ByteWeights::Vnni(bytes) => unsafe { simd::all_vnni(frame, bytes, x, take) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the same.
            ByteWeights::Avx2(bytes) => unsafe { simd::all_avx2(frame, bytes, x, take) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the same.
            ByteWeights::Ssse3(bytes) => unsafe { simd::all_ssse3(frame, bytes, x, take) },
            ByteWeights::Plain(words) => {
                ByteWeights::each(
                    frame,
                    |tile, place, away| plain_tile(words, tile, x, place, away),
                    take,
                );
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

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)] // intrinsics; each function names the instructions that it needs
mod simd {
    use super::{BoardFrame, ByteWeights, Sums, CELLS, CHANNELS, INPUTS, NEAR, OUTPUTS};
    use std::arch::asm;
    use std::arch::x86_64::{
        __m128i, __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_loadu_si256,
        _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_set1_epi16, _mm256_set1_epi32,
        _mm256_setzero_si256, _mm256_storeu_si256, _mm_add_epi16, _mm_add_epi32, _mm_loadu_si128,
        _mm_madd_epi16, _mm_maddubs_epi16, _mm_set1_epi16, _mm_set1_epi32, _mm_setzero_si128,
        _mm_storeu_si128,
    };

    pub fn has_avx2() -> bool {
        is_x86_feature_detected!("avx2")
    }

    pub fn has_ssse3() -> bool {
        is_x86_feature_detected!("ssse3")
    }

    pub fn has_vnni() -> bool {
        has_avx2() && is_x86_feature_detected!("avx512vnni") && is_x86_feature_detected!("avx512vl")
    }

    /// Outputs in a register of sums.
    const LANES: usize = 8;
    const REGISTERS: usize = OUTPUTS / LANES;
    type Tile = [[__m256i; REGISTERS]; CELLS];

    /// The inputs of a tile at one of the places in `NEAR`, and the weights for it; checked here, once.
    #[inline(always)]
    fn at_tap<'a>(
        bytes: &'a [i8],
        tile: usize,
        x: &'a [u8],
        place: usize,
        tap: usize,
        away: isize,
    ) -> (&'a [i8; CHANNELS * OUTPUTS], &'a [u8; CELLS * CHANNELS]) {
        let weights = bytes[(tile * NEAR.len() + tap * OUTPUTS) * CHANNELS..].first_chunk();
        let inputs = x[(place as isize + away) as usize * CHANNELS..].first_chunk();
        (weights.expect("a whole convolution"), inputs.expect("a frame has room for its last tile"))
    }

    /// Four inputs of a cell, as often as a register has room.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn four(inputs: &[u8; CELLS * CHANNELS], cell: usize, input: usize) -> __m256i {
        let at = cell * CHANNELS + input;
        // the reads below stay in their arrays: `input` ends four before the channels do
        _mm256_set1_epi32(unsafe { inputs.as_ptr().add(at).cast::<i32>().read_unaligned() })
    }

    /// The weights of four inputs and the outputs of a register.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn taken(weights: &[i8; CHANNELS * OUTPUTS], input: usize, register: usize) -> __m256i {
        let at = input * OUTPUTS + register * 32;
        unsafe { _mm256_loadu_si256(weights.as_ptr().add(at).cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn stored(sums: &Tile) -> Sums {
        let mut out = [[0; OUTPUTS]; CELLS];
        for (sums, out) in sums.iter().zip(&mut out) {
            for (sum, out) in sums.iter().zip(out.chunks_exact_mut(LANES)) {
                unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), *sum) };
            }
        }
        out
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn avx2(bytes: &[i8], tile: usize, x: &[u8], place: usize, away: &[isize; 7]) -> Sums {
        let ones = _mm256_set1_epi16(1);
        let mut sums = [[_mm256_setzero_si256(); REGISTERS]; CELLS];
        for (tap, away) in away.iter().enumerate() {
            let (weights, inputs) = at_tap(bytes, tile, x, place, tap, *away);
            for input in (0..CHANNELS).step_by(INPUTS) {
                for (cell, sums) in sums.iter_mut().enumerate() {
                    let (one, two) =
                        unsafe { (four(inputs, cell, input), four(inputs, cell, input + 4)) };
                    for (register, sum) in sums.iter_mut().enumerate() {
                        let (w1, w2) = unsafe {
                            (taken(weights, input, register), taken(weights, input + 4, register))
                        };
                        let pairs = _mm256_add_epi16(
                            _mm256_maddubs_epi16(one, w1),
                            _mm256_maddubs_epi16(two, w2),
                        );
                        *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
                    }
                }
            }
        }
        unsafe { stored(&sums) }
    }

    /// What [`avx2`] does, in registers of half the size: for one half of the outputs and then for the other.
    #[inline]
    #[target_feature(enable = "ssse3")]
    unsafe fn ssse3(bytes: &[i8], tile: usize, x: &[u8], place: usize, away: &[isize; 7]) -> Sums {
        let ones = _mm_set1_epi16(1);
        let mut out = [[0; OUTPUTS]; CELLS];
        for half in 0..2 {
            let mut sums = [[_mm_setzero_si128(); REGISTERS]; CELLS];
            for (tap, away) in away.iter().enumerate() {
                let (weights, inputs) = at_tap(bytes, tile, x, place, tap, *away);
                for input in (0..CHANNELS).step_by(INPUTS) {
                    // the reads stay in their arrays: `input` ends eight before the channels do
                    let taken = |input: usize, register: usize| unsafe {
                        let at = input * OUTPUTS + half * 32 + register * 16;
                        _mm_loadu_si128(weights.as_ptr().add(at).cast::<__m128i>())
                    };
                    for (cell, sums) in sums.iter_mut().enumerate() {
                        let four = |input: usize| unsafe {
                            let at = inputs.as_ptr().add(cell * CHANNELS + input);
                            _mm_set1_epi32(at.cast::<i32>().read_unaligned())
                        };
                        let (one, two) = (four(input), four(input + 4));
                        for (register, sum) in sums.iter_mut().enumerate() {
                            let pairs = _mm_add_epi16(
                                _mm_maddubs_epi16(one, taken(input, register)),
                                _mm_maddubs_epi16(two, taken(input + 4, register)),
                            );
                            *sum = _mm_add_epi32(*sum, _mm_madd_epi16(pairs, ones));
                        }
                    }
                }
            }
            for (sums, out) in sums.iter().zip(&mut out) {
                let out = out[half * OUTPUTS / 2..].chunks_exact_mut(LANES / 2);
                for (sum, out) in sums.iter().zip(out) {
                    unsafe { _mm_storeu_si128(out.as_mut_ptr().cast(), *sum) };
                }
            }
        }
        out
    }

    /// Adds the dot products of four bytes each. The instruction has a name in Rust only since 1.89.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn dots(mut sum: __m256i, inputs: __m256i, weights: __m256i) -> __m256i {
        // SAFETY: registers only; the caller has seen that the machine has AVX-512 VNNI and VL.
        unsafe {
            asm!(
                "vpdpbusd {0}, {1}, {2}",
                inout(ymm_reg) sum, in(ymm_reg) inputs, in(ymm_reg) weights,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        sum
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn vnni(bytes: &[i8], tile: usize, x: &[u8], place: usize, away: &[isize; 7]) -> Sums {
        let mut sums = [[_mm256_setzero_si256(); REGISTERS]; CELLS];
        for (tap, away) in away.iter().enumerate() {
            let (weights, inputs) = at_tap(bytes, tile, x, place, tap, *away);
            for input in (0..CHANNELS).step_by(4) {
                let taken = unsafe { [taken(weights, input, 0), taken(weights, input, 1)] };
                for (cell, sums) in sums.iter_mut().enumerate() {
                    let inputs = unsafe { four(inputs, cell, input) };
                    for (sum, weights) in sums.iter_mut().zip(taken) {
                        *sum = unsafe { dots(*sum, inputs, weights) };
                    }
                }
            }
        }
        unsafe { stored(&sums) }
    }

    #[target_feature(enable = "avx2")]
    pub unsafe fn all_avx2(
        frame: BoardFrame,
        bytes: &[i8],
        x: &[u8],
        take: impl FnMut(usize, usize, &Sums),
    ) {
        ByteWeights::each(
            frame,
            |tile, place, away| unsafe { avx2(bytes, tile, x, place, away) },
            take,
        );
    }

    #[target_feature(enable = "ssse3")]
    pub unsafe fn all_ssse3(
        frame: BoardFrame,
        bytes: &[i8],
        x: &[u8],
        take: impl FnMut(usize, usize, &Sums),
    ) {
        ByteWeights::each(
            frame,
            |tile, place, away| unsafe { ssse3(bytes, tile, x, place, away) },
            take,
        );
    }

    #[target_feature(enable = "avx2")]
    pub unsafe fn all_vnni(
        frame: BoardFrame,
        bytes: &[i8],
        x: &[u8],
        take: impl FnMut(usize, usize, &Sums),
    ) {
        ByteWeights::each(
            frame,
            |tile, place, away| unsafe { vnni(bytes, tile, x, place, away) },
            take,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix::splitmix64;

    fn sums(weights: &ByteWeights, frame: BoardFrame, x: &[u8]) -> Vec<i32> {
        let mut all = vec![0; frame.places() * CHANNELS];
        weights.convolve(frame, x, |place, output, sums| {
            for (cell, sums) in sums.iter().enumerate() {
                all[(place + cell) * CHANNELS + output..][..OUTPUTS].copy_from_slice(sums);
            }
        });
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
