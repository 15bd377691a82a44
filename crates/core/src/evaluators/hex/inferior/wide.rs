//! What the twelve cells at distance two add: patterns to look through, listed by what the six neighbours are.

use super::ring::{entries, PATTERNS};
use std::sync::OnceLock;

/// A cell is dead, or captured with some of its neighbours.
pub(super) struct FillRule {
    /// Stones at distance two: twelve bits for Black, twelve for White.
    need: u32,
    /// Who captures; nobody if the cell is dead.
    pub captor: Option<usize>,
    /// The directions of the neighbours that are captured too.
    pub others: u8,
}

/// A stone somewhere around makes the cell dead.
pub(super) struct KillRule {
    need: u32,
    /// Where the killer stands, of the eighteen places around; it must be empty.
    pub at: u8,
}

/// The patterns for each code of the six neighbours; those that kill, for each colour.
pub(super) struct Wide {
    fills: Vec<Vec<FillRule>>,
    kills: [Vec<Vec<KillRule>>; 2],
}

impl Wide {
    /// The one that is read from the file.
    pub fn get() -> &'static Wide {
        static WIDE: OnceLock<Wide> = OnceLock::new();
        WIDE.get_or_init(Wide::read)
    }

    /// What fills a cell with these neighbours and these stones at distance two.
    #[inline(always)]
    pub fn fills(&self, ring: u16, outer: impl FnOnce() -> u32) -> Option<&FillRule> {
        let rules = &self.fills[ring as usize];
        if rules.is_empty() {
            return None;
        }
        let outer = outer();
        rules.iter().find(|rule| rule.need & !outer == 0)
    }

    /// What kills a cell with these neighbours and these stones at distance two.
    #[inline(always)]
    pub fn kills(
        &self,
        colour: usize,
        ring: u16,
        outer: impl FnOnce() -> u32,
    ) -> impl Iterator<Item = &KillRule> {
        let rules = &self.kills[colour][ring as usize];
        let outer = if rules.is_empty() { 0 } else { outer() };
        let taken = (outer | outer >> 12) << 6;
        rules.iter().filter(move |rule| rule.need & !outer == 0 && taken >> rule.at & 1 == 0)
    }

    fn read() -> Wide {
        let mut wide = Wide {
            fills: (0..4096).map(|_| Vec::new()).collect(),
            kills: [0, 1].map(|_| (0..4096).map(|_| Vec::new()).collect()),
        };
        for line in PATTERNS.lines() {
            let (kind, stones) = line.split_once(' ').unwrap_or_default();
            for stones in images(stones.as_bytes()) {
                match kind {
                    "dead" if stones[6..].iter().any(|stone| *stone != b'.') => {
                        wide.add_dead(&stones)
                    }
                    "captured" => wide.add_captured(&stones),
                    _ => {}
                }
            }
        }
        wide
    }

    fn add_dead(&mut self, stones: &[u8]) {
        for ring in rings(stones).filter(|ring| !entries()[*ring].dead()) {
            self.fills[ring].push(FillRule { need: outer(stones), captor: None, others: 0 });
        }
        for at in (0..18).filter(|at| stones[*at] != b'.') {
            let mut without = stones.to_vec();
            without[at] = if at < 6 { b'C' } else { b'.' };
            let colour = usize::from(stones[at] == b'W');
            // where a neighbour kills the cell there is nothing to add
            let silent = |ring: &usize| {
                !entries()[*ring].dead() && entries()[*ring].killers() >> (6 * colour) & 63 == 0
            };
            for ring in rings(&without).filter(silent) {
                self.kills[colour][ring].push(KillRule { need: outer(&without), at: at as u8 });
            }
        }
    }

    fn add_captured(&mut self, stones: &[u8]) {
        let others =
            (0..6).filter(|at| matches!(stones[*at], b'C' | b'c')).fold(0, |all, at| all | 1 << at);
        // captured cells are written in small letters where the colours are exchanged
        let captor = Some(usize::from(stones.contains(&b'c')));
        for ring in rings(stones).filter(|ring| !entries()[*ring].dead()) {
            self.fills[ring].push(FillRule { need: outer(stones), captor, others });
        }
    }
}

/// The twelve ways to turn a pattern, in both colours.
fn images(stones: &[u8]) -> Vec<Vec<u8>> {
    let mut images = Vec::new();
    if stones.len() != 18 {
        return images;
    }
    let exchanged = |stone: u8| match stone {
        b'B' => b'W',
        b'W' => b'B',
        b'C' => b'c',
        other => other,
    };
    // a mirror image keeps direction 0; the cell between directions 0 and 1 goes between 5 and 0
    let turn = |at: usize| if at < 6 { (at + 1) % 6 } else { 6 + (at - 6 + 2) % 12 };
    let mirror = |at: usize| if at < 6 { (6 - at) % 6 } else { 6 + (12 - (at - 6)) % 12 };
    let moved = |stones: &[u8], to: &dyn Fn(usize) -> usize| {
        let mut image = vec![b'.'; 18];
        stones.iter().enumerate().for_each(|(at, stone)| image[to(at)] = *stone);
        image
    };
    for mut image in [stones.to_vec(), moved(stones, &mirror)] {
        for _ in 0..6 {
            image = moved(&image, &turn);
            images.push(image.clone());
            images.push(image.iter().map(|stone| exchanged(*stone)).collect());
        }
    }
    images.sort();
    images.dedup();
    images
}

/// All codes of six neighbours that a pattern allows.
fn rings(stones: &[u8]) -> impl Iterator<Item = usize> {
    let mut rings = vec![0];
    for (at, stone) in stones.iter().enumerate().take(6) {
        let allowed: &[usize] = match stone {
            b'B' => &[1],
            b'W' => &[64],
            b'.' => &[0, 1, 64],
            _ => &[0],
        };
        rings = rings
            .iter()
            .flat_map(|ring| allowed.iter().map(move |stone| ring | stone << at))
            .collect();
    }
    rings.into_iter()
}

fn outer(stones: &[u8]) -> u32 {
    let of =
        |colour: u8| (0..12).filter(|at| stones[6 + at] == colour).fold(0, |all, at| all | 1 << at);
    of(b'B') | of(b'W') << 12
}
