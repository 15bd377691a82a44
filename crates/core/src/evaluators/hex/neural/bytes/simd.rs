//! The forms for x86-64: with dot products of bytes (VNNI) in registers of 64 or 32 bytes, AVX2, SSSE3, and with SSE2, which
//! every such machine has.

use super::{away, BoardFrame, Sums, CELLS, CHANNELS, INPUTS, NEAR, OUTPUTS, WIDEST};
use std::arch::x86_64::{
    __m128i, __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_dpbusd_avx_epi32,
    _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_set1_epi16,
    _mm256_set1_epi32, _mm256_setzero_si256, _mm256_storeu_si256, _mm512_dpbusd_epi32,
    _mm512_loadu_si512, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_storeu_si512,
    _mm_add_epi16, _mm_add_epi32, _mm_loadl_epi64, _mm_loadu_si128, _mm_madd_epi16,
    _mm_maddubs_epi16, _mm_set1_epi16, _mm_set1_epi32, _mm_setzero_si128, _mm_shuffle_epi32,
    _mm_storeu_si128, _mm_unpacklo_epi8,
};

pub fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
}

pub fn has_ssse3() -> bool {
    is_x86_feature_detected!("ssse3")
}

pub fn has_avx_vnni() -> bool {
    has_avx2() && is_x86_feature_detected!("avxvnni")
}

pub fn has_avx512_vnni() -> bool {
    has_avx2() && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vnni")
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
pub unsafe fn avx2(bytes: &[i8], tile: usize, x: &[u8], place: usize, away: &[isize; 7]) -> Sums {
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
pub unsafe fn ssse3(bytes: &[i8], tile: usize, x: &[u8], place: usize, away: &[isize; 7]) -> Sums {
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

/// With dot products of four bytes each.
#[inline]
#[target_feature(enable = "avx2,avxvnni")]
pub unsafe fn avx_vnni(
    bytes: &[i8],
    tile: usize,
    x: &[u8],
    place: usize,
    away: &[isize; 7],
) -> Sums {
    let mut sums = [[_mm256_setzero_si256(); REGISTERS]; CELLS];
    for (tap, away) in away.iter().enumerate() {
        let (weights, inputs) = at_tap(bytes, tile, x, place, tap, *away);
        for input in (0..CHANNELS).step_by(4) {
            let taken = unsafe { [taken(weights, input, 0), taken(weights, input, 1)] };
            for (cell, sums) in sums.iter_mut().enumerate() {
                let inputs = unsafe { four(inputs, cell, input) };
                for (sum, weights) in sums.iter_mut().zip(taken) {
                    *sum = _mm256_dpbusd_avx_epi32(*sum, inputs, weights);
                }
            }
        }
    }
    unsafe { stored(&sums) }
}

/// How many registers of 64 bytes hold the sums of a cell: all of its outputs in a tile in each.
const DEEP: usize = 2;

/// A whole convolution in registers of 64 bytes, by tiles of `WIDEST` cells.
#[target_feature(enable = "avx512f,avx512vnni")]
pub unsafe fn avx512_vnni(frame: BoardFrame, bytes: &[i8], x: &[u8], out: &mut [i32]) {
    let away = away(frame);
    for tile in (0..CHANNELS).step_by(DEEP * OUTPUTS) {
        for place in frame.inner().step_by(WIDEST) {
            let mut sums = [[_mm512_setzero_si512(); DEEP]; WIDEST];
            for (tap, away) in away.iter().enumerate() {
                let inputs: &[u8; WIDEST * CHANNELS] = x
                    [(place as isize + away) as usize * CHANNELS..]
                    .first_chunk()
                    .expect("a frame has room for its last tiles");
                let weights: [&[i8; CHANNELS * OUTPUTS]; DEEP] = std::array::from_fn(|deep| {
                    let at = ((tile + deep * OUTPUTS) * NEAR.len() + tap * OUTPUTS) * CHANNELS;
                    bytes[at..].first_chunk().expect("a whole convolution")
                });
                for input in (0..CHANNELS).step_by(4) {
                    // the reads stay in their arrays: `input` ends four before the channels do
                    let taken = weights.map(|of| unsafe {
                        _mm512_loadu_si512(of.as_ptr().add(input * OUTPUTS).cast())
                    });
                    for (cell, sums) in sums.iter_mut().enumerate() {
                        let four = unsafe {
                            let at = inputs.as_ptr().add(cell * CHANNELS + input);
                            _mm512_set1_epi32(at.cast::<i32>().read_unaligned())
                        };
                        for (sum, weights) in sums.iter_mut().zip(taken) {
                            *sum = _mm512_dpbusd_epi32(*sum, four, weights);
                        }
                    }
                }
            }
            let out: &mut [i32; WIDEST * CHANNELS] = out[place * CHANNELS..]
                .first_chunk_mut()
                .expect("a frame has room for its last tiles");
            for (out, sums) in out.chunks_exact_mut(CHANNELS).zip(&sums) {
                for (out, sum) in out[tile..].chunks_exact_mut(OUTPUTS).zip(sums) {
                    unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), *sum) };
                }
            }
        }
    }
}
