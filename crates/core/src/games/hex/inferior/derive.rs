//! Derives the local patterns of `data/patterns.txt`, by looking at every neighbourhood there is.
//!
//! It stands alone: `examples/derive_hex_patterns.rs` writes the file with it, and the tests derive it again.
//!
//! ```text
//!         8  9 10          the six neighbours of a cell, counted against the clock from the right, and the
//!       7? see below       twelve cells at distance two: 6 + 2i is two steps in direction i, 7 + 2i lies
//!                          between directions i and i + 1
//! ```
//!
//! **Dead.** In a full neighbourhood the cell in the middle matters for some surroundings if and only if two
//! neighbours that are Black's and two that are White's reach the surroundings, taking turns around the cell:
//! then the surroundings may join the black ones to Black's edges and the white ones to White's, and the cell
//! decides. A neighbourhood with empty cells is dead if all ways to fill it are. Stones never revive a cell, so
//! the patterns with the fewest stones say it all.
//!
//! **Captured.** Cells are captured by Black if he can answer every white stone on one of them on another of them,
//! so that in the end they join the same cells around them as if all were his, however those are filled.

use std::collections::BTreeSet;

/// The steps to the six neighbours, (column, row), around the cell.
pub const STEPS: [(i32, i32); 6] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];

const EMPTY: u8 = 0;
const BLACK: u8 = 1;
const WHITE: u8 = 2;

/// The cells around one: the six neighbours, then the twelve at distance two.
pub fn around() -> Vec<(i32, i32)> {
    let further = (0..6).flat_map(|i| {
        let ((a, b), (c, d)) = (STEPS[i], STEPS[(i + 1) % 6]);
        [(2 * a, 2 * b), (a + c, b + d)]
    });
    STEPS.into_iter().chain(further).collect()
}

/// For every cell the set of those next to it.
fn adjacency(cells: &[(i32, i32)]) -> Vec<u32> {
    let next = |a: &(i32, i32), b: &(i32, i32)| STEPS.contains(&(b.0 - a.0, b.1 - a.1));
    let row = |a| (0..cells.len()).filter(|&at| next(a, &cells[at])).map(|at| 1 << at).sum();
    cells.iter().map(row).collect()
}

/// The cells of `within` that are joined to one of them.
fn group(adjacent: &[u32], from: usize, within: u32) -> u32 {
    let mut reached = 1 << from;
    loop {
        let touch = (0..adjacent.len()).filter(|at| reached >> at & 1 == 1);
        let further = touch.fold(reached, |all, at| all | adjacent[at] & within);
        if further == reached {
            return reached;
        }
        reached = further;
    }
}

/// The twelve ways to turn a neighbourhood: where each of its cells goes.
pub fn symmetries() -> Vec<Vec<usize>> {
    let cells = around();
    let place = |(column, row): (i32, i32), turns, mirrored| {
        let mut at = if mirrored { (-column, column + row) } else { (column, row) };
        for _ in 0..turns {
            at = (at.0 + at.1, -at.0);
        }
        cells.iter().position(|cell| *cell == at).unwrap_or(0)
    };
    let ways =
        [false, true].into_iter().flat_map(|mirrored| (0..6).map(move |turns| (turns, mirrored)));
    ways.map(|(turns, mirrored)| cells.iter().map(|cell| place(*cell, turns, mirrored)).collect())
        .collect()
}

/// Whether the cell in the middle matters if exactly these of the first `size` cells around it are black.
fn matters(adjacent: &[u32], size: usize, black: u32) -> bool {
    let all = (1 << size) - 1;
    let reaching: Vec<bool> = (0..6)
        .filter_map(|at| {
            let is_black = black >> at & 1 == 1;
            let own = if is_black { black } else { !black & all };
            let reaches = size == 6 || group(adjacent, at, own) >> 6 != 0;
            reaches.then_some(is_black)
        })
        .collect();
    let turns =
        (0..reaching.len()).filter(|&at| reaching[at] != reaching[(at + 1) % reaching.len()]);
    turns.count() >= 4
}

/// The dead ones among all neighbourhoods of `size` cells, in base 3: one bit each.
struct DeadTable {
    bits: Vec<u64>,
    powers: Vec<usize>,
}

impl DeadTable {
    fn new(size: usize) -> DeadTable {
        let mut adjacent = adjacency(&around());
        adjacent.truncate(size);
        let powers: Vec<usize> = (0..=size as u32).map(|power| 3usize.pow(power)).collect();
        let live: Vec<bool> = (0..1 << size).map(|black| matters(&adjacent, size, black)).collect();
        let mut table = DeadTable { bits: vec![0; powers[size] / 64 + 1], powers };
        // more stones have greater codes: both ways to fill the first empty cell are known already
        for code in (0..table.powers[size]).rev() {
            let (mut rest, mut first, mut black) = (code, 0, 0);
            while first < size && rest % 3 != 0 {
                black |= usize::from(rest % 3 == 1) << first;
                (rest, first) = (rest / 3, first + 1);
            }
            let step = table.powers[first];
            let dead = if first == size {
                !live[black]
            } else {
                table.has(code + step) && table.has(code + 2 * step)
            };
            table.bits[code / 64] |= u64::from(dead) << (code % 64);
        }
        table
    }

    fn has(&self, code: usize) -> bool {
        self.bits[code / 64] >> (code % 64) & 1 == 1
    }

    /// The stones of a dead neighbourhood, if it needs them all.
    fn minimal(&self, code: usize) -> Option<Vec<u8>> {
        let size = self.powers.len() - 1;
        let mut stones = vec![EMPTY; size];
        let mut rest = code;
        for at in 0..size {
            stones[at] = (rest % 3) as u8;
            rest /= 3;
            if stones[at] != EMPTY && self.has(code - stones[at] as usize * self.powers[at]) {
                return None;
            }
        }
        Some(stones)
    }
}

/// All that a neighbourhood looks like, turned and with the colours exchanged.
pub fn images(stones: &[u8]) -> BTreeSet<Vec<u8>> {
    let mut images = BTreeSet::new();
    for symmetry in symmetries() {
        for exchange in [false, true] {
            let mut image = vec![EMPTY; stones.len()];
            for (at, &stone) in stones.iter().enumerate() {
                image[symmetry[at]] = if exchange && stone != EMPTY { 3 - stone } else { stone };
            }
            images.insert(image);
        }
    }
    images
}

/// The patterns with the fewest stones that make a cell dead, one of each that are alike: of the six neighbours,
/// or of the eighteen cells around.
pub fn dead(size: usize) -> Vec<Vec<u8>> {
    let table = DeadTable::new(size);
    let minimal = (0..table.powers[size])
        .filter(|code| table.has(*code))
        .filter_map(|code| table.minimal(code));
    let classes: BTreeSet<_> =
        minimal.filter_map(|stones| images(&stones).into_iter().next_back()).collect();
    let mut patterns: Vec<_> = classes.into_iter().collect();
    patterns.sort_by_key(|stones| stones.iter().filter(|stone| **stone != EMPTY).count());
    patterns
}

/// A pattern as it is written: `B`, `W`, and a dot where anything may be.
pub fn written(stones: &[u8]) -> String {
    stones.iter().map(|stone| ['.', 'B', 'W'][*stone as usize]).collect()
}
