//! The forms for x86-64: with VNNI, AVX2, SSSE3, and with SSE2, which every such machine has.

use super::{BoardFrame, ByteWeights, Sums, CELLS, CHANNELS, INPUTS, NEAR, OUTPUTS};
use std::arch::asm;
use std::arch::x86_64::{
    __m128i, __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_loadu_si256, _mm256_madd_epi16,
    _mm256_maddubs_epi16, _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256,
    _mm256_storeu_si256, _mm_add_epi16, _mm_add_epi32, _mm_loadl_epi64, _mm_loadu_si128,
    _mm_madd_epi16, _mm_maddubs_epi16, _mm_set1_epi16, _mm_set1_epi32, _mm_setzero_si128,
    _mm_shuffle_epi32, _mm_storeu_si128, _mm_unpacklo_epi8,
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

/// The same with what every x86-64 machine has: weights are words of 16 bits, and products of two inputs are added in 32.
#[inline(always)]
pub unsafe fn sse2(words: &[i16], tile: usize, x: &[u8], place: usize, away: &[isize; 7]) -> Sums {
    let mut out = [[0; OUTPUTS]; CELLS];
    for half in 0..2 {
        let mut sums = [[_mm_setzero_si128(); REGISTERS]; CELLS];
        for (tap, away) in away.iter().enumerate() {
            let weights: &[i16; CHANNELS * OUTPUTS] = words
                [(tile * NEAR.len() + tap * OUTPUTS) * CHANNELS..]
                .first_chunk()
                .expect("a whole convolution");
            let inputs: &[u8; CELLS * CHANNELS] = x[(place as isize + away) as usize * CHANNELS..]
                .first_chunk()
                .expect("a frame has room for its last tile");
            for input in (0..CHANNELS).step_by(INPUTS) {
                // the reads stay in their arrays: `input` ends eight before the channels do
                let taken = |pair: usize, register: usize| unsafe {
                    let at = (input + 2 * pair) * OUTPUTS + half * OUTPUTS + register * 8;
                    _mm_loadu_si128(weights.as_ptr().add(at).cast::<__m128i>())
                };
                for (cell, sums) in sums.iter_mut().enumerate() {
                    let eight = unsafe {
                        let at = inputs.as_ptr().add(cell * CHANNELS + input);
                        _mm_unpacklo_epi8(_mm_loadl_epi64(at.cast()), _mm_setzero_si128())
                    };
                    let pairs = [
                        _mm_shuffle_epi32::<0x00>(eight),
                        _mm_shuffle_epi32::<0x55>(eight),
                        _mm_shuffle_epi32::<0xAA>(eight),
                        _mm_shuffle_epi32::<0xFF>(eight),
                    ];
                    for (register, sum) in sums.iter_mut().enumerate() {
                        for (pair, inputs) in pairs.into_iter().enumerate() {
                            let products = _mm_madd_epi16(inputs, taken(pair, register));
                            *sum = _mm_add_epi32(*sum, products);
                        }
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
