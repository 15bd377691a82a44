//! SHA-256 (FIPS 180-4).

/// The first 32 bits of the fractional parts of roots of the first primes: cube roots, or square roots.
fn roots(cube: bool, count: usize) -> Vec<u32> {
    let primes = (2u64..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0));
    let root = |prime: u64| {
        // the greatest x with x^k <= prime * 2^(32 k), by bits
        (0..36).rev().fold(0u128, |x, bit| {
            let more = x | 1 << bit;
            let (power, shift) = if cube { (more * more * more, 96) } else { (more * more, 64) };
            if power <= u128::from(prime) << shift {
                more
            } else {
                x
            }
        }) as u32
    };
    primes.take(count).map(root).collect()
}

/// The digest of some bytes.
pub fn digest(bytes: &[u8]) -> [u8; 32] {
    let (k, mut h) = (roots(true, 64), roots(false, 8));
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 8).div_ceil(64) * 64 - 8, 0);
    padded.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks_exact(64) {
        let word =
            |bytes: &[u8]| bytes.iter().fold(0u32, |word, byte| word << 8 | u32::from(*byte));
        let mut w: Vec<u32> = block.chunks_exact(4).map(word).collect();
        for t in 16..64 {
            let s0 = w[t - 15].rotate_right(7) ^ w[t - 15].rotate_right(18) ^ w[t - 15] >> 3;
            let s1 = w[t - 2].rotate_right(17) ^ w[t - 2].rotate_right(19) ^ w[t - 2] >> 10;
            w.push(w[t - 16].wrapping_add(s0).wrapping_add(w[t - 7]).wrapping_add(s1));
        }
        let mut v = h.clone();
        for t in 0..64 {
            let s1 = v[4].rotate_right(6) ^ v[4].rotate_right(11) ^ v[4].rotate_right(25);
            let choice = (v[4] & v[5]) ^ (!v[4] & v[6]);
            let one =
                v[7].wrapping_add(s1).wrapping_add(choice).wrapping_add(k[t]).wrapping_add(w[t]);
            let s0 = v[0].rotate_right(2) ^ v[0].rotate_right(13) ^ v[0].rotate_right(22);
            let two = s0.wrapping_add((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
            v.rotate_right(1);
            v[4] = v[4].wrapping_add(one);
            v[0] = one.wrapping_add(two);
        }
        h.iter_mut().zip(v).for_each(|(sum, part)| *sum = sum.wrapping_add(part));
    }
    let mut digest = [0; 32];
    digest
        .chunks_exact_mut(4)
        .zip(h)
        .for_each(|(to, word)| to.copy_from_slice(&word.to_be_bytes()));
    digest
}
