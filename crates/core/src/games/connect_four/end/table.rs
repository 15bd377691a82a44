//! The table of the solver: what is known of positions, by key, in eight bytes each.

use bytemuck::allocation::try_zeroed_vec;

/// What the table knows of a position: at least and at most what its mover gets (0: loses, 1: draws, 2: wins), the
/// column of the best move, and how much work it was.
///
/// ```text
///   63 62   61 .. 56   55 54     53 52      51 .. 49   48 .. 0
///   zero    work       at most   at least   column     key: the codes of the columns
/// ```
#[derive(Clone, Copy)]
pub(super) struct FourKnown(u64);

const KEY: u64 = (1 << 49) - 1;

impl FourKnown {
    pub fn new(key: u64, column: u32, at_least: u64, at_most: u64, work: u64) -> FourKnown {
        FourKnown(key | u64::from(column) << 49 | at_least << 52 | at_most << 54 | work << 56)
    }

    pub fn at_least(self) -> u64 {
        self.0 >> 52 & 3
    }

    pub fn at_most(self) -> u64 {
        self.0 >> 54 & 3
    }

    pub fn column(self) -> u32 {
        (self.0 >> 49 & 7) as u32
    }
}

/// Buckets of four; the entry that was least work gives way.
type FourBucket = [u64; 4];

/// The first buckets; there are four times as many when half of the entries are in use, up to the limit.
const FIRST_BUCKETS: usize = 1 << 9;

/// The table.
pub(super) struct FourTable {
    buckets: Vec<FourBucket>,
    shift: u32,
    used: usize,
    most: usize,
}

impl FourTable {
    /// A table of at most so many bytes, and at least two buckets.
    pub fn new(bytes: usize) -> FourTable {
        let most = (bytes / size_of::<FourBucket>()).max(2);
        let bits = most.min(FIRST_BUCKETS).ilog2();
        FourTable { buckets: vec![[0; 4]; 1 << bits], shift: 64 - bits, used: 0, most }
    }

    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<FourBucket>()
    }

    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    #[inline(always)]
    pub fn get(&self, key: u64) -> Option<FourKnown> {
        let bucket = &self.buckets[self.place(key)];
        bucket.iter().find(|entry| **entry & KEY == key).map(|entry| FourKnown(*entry))
    }

    pub fn put(&mut self, key: u64, column: u32, at_least: u64, at_most: u64, work: u64) {
        let at = self.place(key);
        let bucket = &mut self.buckets[at];
        if let Some(entry) = bucket.iter_mut().find(|entry| **entry & KEY == key) {
            let before = FourKnown(*entry);
            let (low, high) = (at_least.max(before.at_least()), at_most.min(before.at_most()));
            *entry = FourKnown::new(key, column, low, high, work.max(before.0 >> 56)).0;
            return;
        }
        let Some(entry) = bucket.iter_mut().min_by_key(|entry| **entry >> 56) else { return };
        self.used += usize::from(*entry == 0);
        *entry = FourKnown::new(key, column, at_least, at_most, work).0;
        if self.used > 2 * self.buckets.len() && 4 * self.buckets.len() <= self.most {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let Ok(buckets) = try_zeroed_vec(4 * self.buckets.len()) else {
            self.most = 0;
            return;
        };
        let before = std::mem::replace(&mut self.buckets, buckets);
        self.shift -= 2;
        self.used = 0;
        for entry in before.into_iter().flatten().filter(|entry| *entry != 0) {
            let at = self.place(entry & KEY);
            if let Some(slot) = self.buckets[at].iter_mut().min_by_key(|slot| **slot >> 56) {
                self.used += usize::from(*slot == 0);
                *slot = entry;
            }
        }
    }
}
