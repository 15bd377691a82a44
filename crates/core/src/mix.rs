//! Words of 64 bits that look random: for random games and trees, and for keys of positions.

/// 2^64 divided by the golden ratio: multiples of it are spread evenly.
pub const GOLDEN_RATIO: u64 = 0x9E37_79B9_7F4A_7C15;

/// The mixing function of SplitMix64 (S. Vigna): the whole state of the generator is its argument.
pub fn splitmix64(x: u64) -> u64 {
    let x = x.wrapping_add(GOLDEN_RATIO);
    let z = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The key of a position of several words: each turns all bits of what comes after it.
#[inline]
pub fn key_of(words: impl IntoIterator<Item = u64>) -> u64 {
    words.into_iter().fold(0, |key: u64, word| {
        let mixed = (key ^ word).wrapping_add(GOLDEN_RATIO);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 32
    })
}
