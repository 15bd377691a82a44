//! Networks of n-tuples: the value of a board is a sum of table entries, one for what stands on each tuple of cells.
//! W. W. Bledsoe and I. Browning, "Pattern recognition and reading by machine" (1959); S. M. Lucas, "Learning to play
//! Othello with n-tuple systems" (2008).
//!
//! A cell counts 0 if it is empty, 1 with a stone of the player to move, 2 with one of the other's; what stands on a tuple
//! is a number to the base 3. That number is linear in the stones, so the contents of all tuples are found at once: four
//! cells at a time give a row of a small table, and the rows are added.
//!
//! ```text
//!   contents[tuple] = sum over groups of four cells g:  rows[g][mover's stones in g][tuple]
//!                                                 + 2 * rows[g][other's stones in g][tuple]
//! ```
//!
//! `training/train.py` teaches such networks by games of another network against itself, and writes their files. All
//! numbers are low byte first.
//!
//! ```text
//!   8 bytes         "tuples01"
//!   3 halves, word  tables; tuples; phases; weights of a phase, without those for moves
//!   byte, float     whether moves are counted; what one step of a weight is worth
//!   byte, bytes     for 0, 1, 2, ... stones: the phase
//!   each table      byte: its cells k; k bytes: the order of cells that a symmetry of the board makes of them
//!   each tuple      byte: its table; its cells
//!   bytes           the weights, signed, phase by phase; entries that the symmetry makes equal have one
//! ```

use crate::error::Error;

/// Cells that are looked up together.
const GROUP: usize = 4;
/// Entries of each of the two tables by the number of moves.
const MOVES: usize = 40;

/// A network with room for so many tuples, a multiple of 16.
#[derive(Debug)]
pub(super) struct TupleNetwork<const TUPLES: usize> {
    /// What the stones of a group of cells count on each tuple.
    rows: Vec<[[u16; TUPLES]; 1 << GROUP]>,
    /// Where the tables of the tuples begin.
    starts: Vec<u32>,
    /// One for each content, phase by phase; then those for moves.
    weights: Vec<i8>,
    /// Weights of a phase.
    size: usize,
    /// The phase by the number of stones.
    phases: Vec<u8>,
    /// What one step of a weight is worth.
    step: f32,
}

impl<const TUPLES: usize> TupleNetwork<TUPLES> {
    /// The network in a file; nothing if it is none of this size, or if there is no memory for it.
    pub fn read(bytes: &[u8]) -> Option<TupleNetwork<TUPLES>> {
        let mut file = TupleFile(bytes.strip_prefix(b"tuples01")?);
        let [tables, tuples, phases] = [file.half()?, file.half()?, file.half()?];
        let kept = file.word()? as usize;
        let counts_moves = file.byte()? == 1;
        let step = f32::from_bits(file.word()?);
        let known = file.byte()?;
        let phase_of = file.take(usize::from(known))?.to_vec();
        let mut orders = Vec::new();
        for _ in 0..tables {
            let cells = file.byte()?;
            orders.push(file.take(usize::from(cells))?);
        }
        let mut begin = vec![0u32];
        for order in &orders {
            begin.push(begin.last()? + 3u32.checked_pow(order.len() as u32)?);
        }
        let contents = *begin.last()? as usize;
        let mut network = TupleNetwork {
            rows: vec![[[0; TUPLES]; 1 << GROUP]; 64 / GROUP],
            starts: Vec::new(),
            weights: Vec::new(),
            size: contents + if counts_moves { 2 * MOVES } else { 0 },
            phases: phase_of,
            step,
        };
        for tuple in 0..usize::from(tuples) {
            let table = usize::from(file.byte()?);
            network.starts.push(*begin.get(table)?);
            for (place, cell) in file.take(orders.get(table)?.len())?.iter().enumerate() {
                let (group, bit) = (usize::from(*cell) / GROUP, usize::from(*cell) % GROUP);
                for (stones, row) in network.rows.get_mut(group)?.iter_mut().enumerate() {
                    *row.get_mut(tuple)? += (stones >> bit & 1) as u16 * 3u16.pow(place as u32);
                }
            }
        }
        let places = slots(&orders, contents)?;
        network.weights.try_reserve_exact(usize::from(phases) * network.size).ok()?;
        for _ in 0..phases {
            let weights = file.take(kept + network.size - contents)?;
            let (own, moves) = weights.split_at(kept);
            network.weights.extend(places.iter().map(|place| own[*place as usize] as i8));
            network.weights.extend(moves.iter().map(|weight| *weight as i8));
        }
        let fits = network.phases.iter().all(|phase| u16::from(*phase) < phases);
        (file.0.is_empty() && fits && step.is_finite()).then_some(network)
    }

    /// What a board is worth to the player to move: a sum of weights.
    #[inline]
    pub fn value(&self, mover: u64, other: u64) -> f64 {
        let base = self.phase(mover, other);
        f64::from(self.sum(base, mover, other) as f32 * self.step)
    }

    /// The same with the numbers of the mover's moves and of the other's.
    #[inline]
    pub fn value_with_moves(&self, mover: u64, other: u64, moves: [u32; 2]) -> f64 {
        let base = self.phase(mover, other);
        let [own, replies] = moves.map(|moves| (moves as usize).min(MOVES - 1));
        let counts = base + self.size - 2 * MOVES;
        let sum = self.sum(base, mover, other)
            + i32::from(self.weights[counts + own])
            + i32::from(self.weights[counts + MOVES + replies]);
        f64::from(sum as f32 * self.step)
    }

    /// Where the weights of the board's phase begin.
    #[inline]
    fn phase(&self, mover: u64, other: u64) -> usize {
        let stones = (mover | other).count_ones() as usize;
        usize::from(self.phases[stones.min(self.phases.len() - 1)]) * self.size
    }

    #[allow(unsafe_code)] // instructions that not every machine has, and a look whether this one has them
    #[inline]
    fn sum(&self, base: usize, mover: u64, other: u64) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has the instructions that the function is compiled to.
            return unsafe { self.sum_avx2(base, mover, other) };
        }
        self.sum_plain(base, mover, other)
    }

    /// [`TupleNetwork::sum_plain`] in registers of sixteen numbers.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    #[allow(unsafe_code)] // to be called only where the machine has these instructions
    unsafe fn sum_avx2(&self, base: usize, mover: u64, other: u64) -> i32 {
        self.sum_plain(base, mover, other)
    }

    #[inline(always)]
    fn sum_plain(&self, base: usize, mover: u64, other: u64) -> i32 {
        let (mut own, mut others) = ([0u16; TUPLES], [0u16; TUPLES]);
        for (group, rows) in self.rows.iter().enumerate() {
            let mine = &rows[(mover >> (GROUP * group)) as usize & 15];
            let theirs = &rows[(other >> (GROUP * group)) as usize & 15];
            for tuple in 0..TUPLES {
                own[tuple] = own[tuple].wrapping_add(mine[tuple]);
                others[tuple] = others[tuple].wrapping_add(theirs[tuple]);
            }
        }
        let weights = &self.weights[base..base + self.size];
        let mut sum = 0;
        for ((start, own), other) in self.starts.iter().zip(own).zip(others) {
            sum += i32::from(weights[*start as usize + usize::from(own) + 2 * usize::from(other)]);
        }
        sum
    }
}

/// For each content of each table the place of its weight: contents that the symmetry exchanges share one.
fn slots(orders: &[&[u8]], contents: usize) -> Option<Vec<u32>> {
    let (mut places, mut kept) = (Vec::new(), 0);
    places.try_reserve_exact(contents).ok()?;
    for order in orders {
        let first = places.len();
        let digits = |content: u32| {
            order.iter().scan(content, |rest, _| {
                let digit = *rest % 3;
                *rest /= 3;
                Some(digit)
            })
        };
        for content in 0..3u32.pow(order.len() as u32) {
            let mut cells = [0; 32];
            digits(content).zip(&mut cells).for_each(|(digit, cell)| *cell = digit);
            let mut twin = 0;
            for (place, from) in order.iter().enumerate() {
                twin += cells.get(usize::from(*from))? * 3u32.pow(place as u32);
            }
            if twin < content {
                places.push(*places.get(first + twin as usize)?);
            } else {
                places.push(kept);
                kept += 1;
            }
        }
    }
    Some(places)
}

/// The rest of a file.
struct TupleFile<'a>(&'a [u8]);

impl<'a> TupleFile<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (part, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(part)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn half(&mut self) -> Option<u16> {
        self.take(2)?.try_into().ok().map(u16::from_le_bytes)
    }

    fn word(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_le_bytes)
    }
}

/// Why there is no network: its file is read in the tests, so that only memory can be missing.
pub(super) fn no_room() -> Error {
    Error::Argument("the machine has no memory for the network".into())
}
