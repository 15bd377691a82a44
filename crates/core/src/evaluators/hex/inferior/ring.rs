//! What the six neighbours alone say about a cell: a table of 4,096 entries, made from the derived patterns.

use std::sync::OnceLock;

/// The derived patterns; the file says which command writes it.
pub(super) const PATTERNS: &str = include_str!("../data/patterns.txt");

/// What is known about a cell with certain neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RingEntry {
    /// Deadness, and the killers of both colours.
    known: u16,
    /// The directions of the empty neighbours where a stone would tell more, of both colours.
    stirred: u16,
}

const DEAD: u16 = 1 << 12;

impl RingEntry {
    /// No stone on the cell can matter.
    #[inline(always)]
    pub fn dead(self) -> bool {
        self.known & DEAD != 0
    }

    /// The directions of the empty neighbours where a stone makes the cell dead: a black one, and 6 more for a
    /// white one.
    #[inline(always)]
    pub fn killers(self) -> u16 {
        self.known & (DEAD - 1)
    }

    /// The directions of the empty neighbours where a stone of this colour makes the cell dead, or a new one a
    /// killer of the same colour.
    #[inline(always)]
    pub fn stirred(self, colour: usize) -> u16 {
        self.stirred >> (6 * colour) & 63
    }
}

/// The entry of every code: bit `d` is a black stone in direction `d`, bit `6 + d` a white one.
pub(super) fn entries() -> &'static [RingEntry; 4096] {
    static ENTRIES: OnceLock<[RingEntry; 4096]> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        let patterns: Vec<u16> = patterns("dead").flat_map(images).collect();
        let dead = |code: usize| patterns.iter().any(|pattern| pattern & !(code as u16) == 0);
        let empty = |code: usize, at: usize| (code | code >> 6) >> (at % 6) & 1 == 0;
        let known: Vec<u16> = (0..4096)
            .map(|code| {
                let killers = (0..12).filter(|&at| empty(code, at) && dead(code | 1 << at));
                killers.fold(if dead(code) { DEAD } else { 0 }, |entry, at| entry | 1 << at)
            })
            .collect();
        std::array::from_fn(|code| {
            let tells = |at: usize| DEAD | if at < 6 { 63 } else { 63 << 6 };
            let more = |at: &usize| known[code | 1 << at] & !known[code] & tells(*at) != 0;
            let stirred =
                (0..12).filter(|&at| empty(code, at)).filter(more).fold(0, |all, at| all | 1 << at);
            RingEntry { known: known[code], stirred }
        })
    })
}

/// The stones of all patterns of a kind that are about the six neighbours only, as codes.
fn patterns(kind: &str) -> impl Iterator<Item = u16> + '_ {
    let lines = PATTERNS.lines().filter_map(move |line| line.strip_prefix(kind)).map(str::trim);
    let ring = lines.filter(|stones| stones.bytes().skip(6).all(|stone| stone == b'.'));
    ring.map(|stones| {
        stones.bytes().take(6).enumerate().fold(0, |code, (at, stone)| match stone {
            b'B' => code | 1 << at,
            b'W' => code | 64 << at,
            _ => code,
        })
    })
}

/// The twelve ways to turn a pattern, in both colours.
fn images(code: u16) -> Vec<u16> {
    let turn = |six: u16| six << 1 & 63 | six >> 5;
    let mirror =
        |six: u16| (0..6).filter(|at| six >> at & 1 == 1).fold(0, |all, at| all | 1 << (5 - at));
    let mut images = Vec::new();
    for (mut black, mut white) in [(code & 63, code >> 6), (mirror(code & 63), mirror(code >> 6))] {
        for _ in 0..6 {
            (black, white) = (turn(black), turn(white));
            images.extend([black | white << 6, white | black << 6]);
        }
    }
    images
}
