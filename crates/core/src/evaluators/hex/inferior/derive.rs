//! Derives the local patterns of `data/patterns.txt`, by looking at every neighbourhood there is.
//!
//! It stands alone: `examples/derive_hex_patterns.rs` writes the file with it, and the tests derive it again.
//!
//! ```text
//!          10  9  8         the six neighbours of the cell x, counted against the clock from the right, then
//!        11  2  1  7        the twelve cells at distance two, counted in the same way
//!      12  3  x  0  6
//!        13  4  5 17
//!          14 15 16
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

use std::collections::{BTreeSet, HashMap};

/// Patterns with more stones are left out: they are so rare that they cost more time than they save.
const STONES: usize = 6;

/// The steps to the six neighbours, (column, row), around the cell.
const STEPS: [(i32, i32); 6] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];

const EMPTY: u8 = 0;
const BLACK: u8 = 1;
const CAPTURED: u8 = 3;

/// The cells around one: the six neighbours, then the twelve at distance two.
fn around() -> Vec<(i32, i32)> {
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
fn symmetries() -> Vec<Vec<usize>> {
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
        let digit = |power: &usize| code / power % 3;
        let powers = &self.powers[..self.powers.len() - 1];
        let spare = |power: &usize| digit(power) != 0 && self.has(code - digit(power) * power);
        if powers.iter().any(spare) {
            return None;
        }
        Some(powers.iter().map(|power| digit(power) as u8).collect())
    }
}

/// All that a neighbourhood looks like, turned and with the colours exchanged.
fn images(stones: &[u8]) -> BTreeSet<Vec<u8>> {
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
    let codes = (0..table.powers[size]).filter(|code| table.has(*code));
    let minimal = codes.filter_map(|code| table.minimal(code)).filter(|pattern| few(pattern));
    let classes: BTreeSet<_> = minimal.filter_map(|pattern| images(&pattern).pop_last()).collect();
    let mut patterns: Vec<_> = classes.into_iter().collect();
    patterns.sort_by_key(|pattern| stones(pattern));
    patterns
}

fn stones(pattern: &[u8]) -> usize {
    pattern.iter().filter(|stone| !matches!(**stone, EMPTY | CAPTURED)).count()
}

fn few(pattern: &[u8]) -> bool {
    stones(pattern) <= STONES
}

/// The whole file.
pub fn file() -> String {
    let mut file = String::from(
        "# Written by: cargo run --release -p conspirator-core --example derive_hex_patterns patterns\n\
         # Neighbourhoods in which a cell is dead, or captured by Black together with others, one of each that are\n\
         # alike: any may be turned, and the colours exchanged. The six neighbours, then the twelve cells at distance\n\
         # two: B, W a stone; C captured; a dot anything. How they are counted and what they mean: derive.rs.\n",
    );
    let lines = |kind: &str, patterns: Vec<Vec<u8>>| -> String {
        patterns.iter().map(|stones| format!("{kind} {}\n", written(stones))).collect()
    };
    file += &lines("dead", dead(18));
    file += &lines("captured", captured());
    file
}

/// A pattern as it is written: `B`, `W`, and a dot where anything may be.
pub fn written(stones: &[u8]) -> String {
    stones.iter().map(|stone| ['.', 'B', 'W', 'C'][*stone as usize]).collect()
}

/// A set of cells that Black captures: the cell in the middle and some of its neighbours.
struct Capture {
    /// Places around the middle: the captured ones, and those next to a captured cell.
    captured: Vec<usize>,
    border: Vec<usize>,
    /// For every neighbourhood of the border in base 3: which ways to fill the captured cells are as good for Black
    /// as having all of them, a bit for each set of black cells; the middle is the first.
    equal: Vec<u32>,
}

impl Capture {
    fn new(captured: &[usize]) -> Capture {
        let cells = around();
        let adjacent = adjacency(&cells);
        let own: u32 = captured.iter().map(|at| 1 << at).sum();
        let touches = |at: &usize| own >> at & 1 == 0 && (*at < 6 || adjacent[*at] & own != 0);
        let border: Vec<usize> = (0..cells.len()).filter(touches).collect();
        let mut capture = Capture { captured: captured.to_vec(), border, equal: Vec::new() };
        capture.equal = capture.compare();
        capture
    }

    /// The cells of the set first, then its border: which are next to which.
    fn links(&self) -> Vec<u32> {
        let cells = around();
        let all = self.captured.iter().chain(&self.border).map(|at| cells[*at]);
        adjacency(&std::iter::once((0, 0)).chain(all).collect::<Vec<_>>())
    }

    fn compare(&self) -> Vec<u32> {
        let (links, inner, outer) = (self.links(), self.captured.len() + 1, self.border.len());
        // which black cells of the border are joined: for each of them its group, without the captured cells
        let joined = |black: u32| -> Vec<u32> {
            let of = |at: usize| {
                if black >> at & 1 == 1 {
                    group(&links, at, black) >> inner
                } else {
                    0
                }
            };
            (inner..inner + outer).map(of).collect()
        };
        let full = |border: u32| {
            let best = joined(border << inner | ((1 << inner) - 1));
            (0..1u32 << inner)
                .filter(|own| joined(border << inner | own) == best)
                .fold(0, |all, own| all | 1 << own)
        };
        let full: Vec<u32> = (0..1 << outer).map(full).collect();
        let mut equal = vec![0; 3usize.pow(outer as u32)];
        for code in (0..equal.len()).rev() {
            let (mut rest, mut step, mut black, mut at) = (code, 1, 0, 0);
            while at < outer && rest % 3 != 0 {
                black |= usize::from(rest % 3 == 1) << at;
                (rest, step, at) = (rest / 3, 3 * step, at + 1);
            }
            equal[code] =
                if at == outer { full[black] } else { equal[code + step] & equal[code + 2 * step] };
        }
        equal
    }

    /// Whether Black, who answers, gets as much as all of the cells.
    fn holds(&self, equal: u32, black: u32, white: u32) -> bool {
        let left: Vec<u32> = (0..=self.captured.len())
            .map(|at| 1 << at)
            .filter(|cell| (black | white) & cell == 0)
            .collect();
        if left.is_empty() {
            return equal >> black & 1 == 1;
        }
        left.iter().all(|intrusion| {
            let mut answers = left.iter().filter(|answer| *answer != intrusion);
            if left.len() == 1 {
                return self.holds(equal, black, white | intrusion);
            }
            answers.any(|answer| self.holds(equal, black | answer, white | intrusion))
        })
    }

    /// The fewest stones of the border with which the cells are captured, though they are not by twos.
    fn minimal(&self, rings: &DeadTable) -> Vec<Vec<u8>> {
        let outer = self.border.len();
        let mut known = HashMap::new();
        let mut holds = |code: usize| {
            *known.entry(self.equal[code]).or_insert_with_key(|equal| self.holds(*equal, 0, 0))
        };
        let mut found = Vec::new();
        for code in 0..self.equal.len() {
            if !holds(code) {
                continue;
            }
            let stones: Vec<u8> =
                (0..outer).map(|at| (code / 3usize.pow(at as u32) % 3) as u8).collect();
            let fewer = |at: usize| code - stones[at] as usize * 3usize.pow(at as u32);
            if (0..outer).any(|at| stones[at] != EMPTY && holds(fewer(at)))
                || self.by_twos(rings, &stones)
            {
                continue;
            }
            let mut pattern = vec![EMPTY; 18];
            self.captured.iter().for_each(|at| pattern[*at] = CAPTURED);
            self.border.iter().zip(&stones).for_each(|(at, stone)| pattern[*at] = *stone);
            found.push(pattern);
        }
        found
    }

    /// Whether some of the cells are dead or captured by twos already.
    fn by_twos(&self, rings: &DeadTable, border: &[u8]) -> bool {
        let cells = around();
        let stone = |at: (i32, i32), more: Option<(i32, i32)>| {
            let place = cells.iter().position(|cell| *cell == at);
            let border =
                self.border.iter().position(|other| Some(*other) == place).map(|at| border[at]);
            if more == Some(at) {
                BLACK
            } else {
                border.unwrap_or(EMPTY)
            }
        };
        let dead = |at: (i32, i32), more: Option<(i32, i32)>| {
            let ring = STEPS.iter().rev().fold(0, |code, step| {
                3 * code + stone((at.0 + step.0, at.1 + step.1), more) as usize
            });
            rings.has(ring)
        };
        let own: Vec<(i32, i32)> =
            std::iter::once((0, 0)).chain(self.captured.iter().map(|at| cells[*at])).collect();
        own.iter().any(|&a| {
            dead(a, None) || own.iter().any(|&b| a != b && dead(a, Some(b)) && dead(b, Some(a)))
        })
    }
}

/// The patterns with the fewest stones in which Black captures three to five cells, though not two of them.
fn captured() -> Vec<Vec<u8>> {
    let rings = DeadTable::new(6);
    let mut classes = BTreeSet::new();
    for set in 0..64u32 {
        if !(2..=4).contains(&set.count_ones()) {
            continue;
        }
        let captured: Vec<usize> = (0..6).filter(|at| set >> at & 1 == 1).collect();
        let mut shape = vec![EMPTY; 18];
        captured.iter().for_each(|at| shape[*at] = CAPTURED);
        if turned(&shape).pop_last() != Some(shape) {
            continue;
        }
        for pattern in
            Capture::new(&captured).minimal(&rings).into_iter().filter(|pattern| few(pattern))
        {
            classes.extend(turned(&pattern).pop_last());
        }
    }
    classes.into_iter().collect()
}

/// All that a neighbourhood looks like when it is turned.
fn turned(stones: &[u8]) -> BTreeSet<Vec<u8>> {
    let turn = |symmetry: Vec<usize>| {
        let mut image = vec![EMPTY; stones.len()];
        stones.iter().enumerate().for_each(|(at, stone)| image[symmetry[at]] = *stone);
        image
    };
    symmetries().into_iter().map(turn).collect()
}
