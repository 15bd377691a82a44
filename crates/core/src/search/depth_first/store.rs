//! Tables that threads share: what is known of positions, by key, as far as it has not been overwritten.
//!
//! Buckets of four. A new entry replaces the one that cost the least work, unless that cost more than the new one; and
//! the most expensive one loses a part of its claim. So what was expensive stays for a while, and nothing stays for ever.

use super::evidence::{Pairwise, ProvenPair, MOST_STEPS};
use crate::error::Error;
use crate::evaluator::{Area, AREA_CELLS};
use crate::numbers::proof_pair::Pair;
use crate::numbers::staircase::Step;
#[cfg(loom)]
use loom::sync::atomic::AtomicU64;
#[cfg(not(loom))]
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::Mutex;

/// A table.
pub(crate) trait Remembers<K>: Sized + Send + Sync {
    /// A table of this many entries, or fewer, if the machine has the memory; of four at least.
    fn new(entries: usize) -> Result<Self, Error>;
    /// What is known of the position, and the work that it cost.
    fn get(&self, key: u64) -> Option<(K, u32)>;
    /// Keeps something; tells whether there is less room now, or was too little.
    fn put(&self, key: u64, known: &K, work: u32) -> bool;
    /// How many entries there is room for.
    fn capacity(&self) -> usize;
    /// Hands over everything to a larger table.
    fn copy_to(&self, larger: &Self);
    /// All entries as bytes; none if there is no such form.
    fn dump(&self) -> Vec<u8> {
        Vec::new()
    }
    /// Takes what such bytes say, as far as there is room; whether they are of that form.
    fn load(&self, bytes: &[u8]) -> bool {
        bytes.is_empty()
    }
    /// What an entry takes.
    const BYTES: usize;
}

const WAYS: usize = 4;

fn buckets(entries: usize) -> usize {
    (entries / WAYS).max(1)
}

/// Keys may be plain bit patterns: Fibonacci hashing spreads them.
#[inline]
fn spread(key: u64) -> u64 {
    key.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[inline]
fn bucket_of(key: u64, buckets: usize) -> usize {
    // the spread key as a part of all that there are, of as many buckets
    ((u128::from(spread(key)) * buckets as u128) >> 64) as usize
}

fn lacking<T>(entries: usize, bytes: usize) -> Result<T, Error> {
    Err(Error::Argument(format!(
        "no memory for a table of {} bytes: lower table_bytes",
        entries.saturating_mul(bytes)
    )))
}

/// What happens to a bucket when a new entry comes.
struct Change {
    /// The place that it takes: its own, an empty one, or that of the least work, unless that cost more than it.
    taken: Option<usize>,
    /// In a full bucket: the place of the most work, which loses a part of its claim.
    aged: Option<usize>,
    /// Whether there is less room now, or was too little.
    less: bool,
}

impl Change {
    /// A place holds whether it has the same key, and its work; `None` is an empty place.
    fn of(places: [Option<(bool, u32)>; WAYS], work: u32) -> Change {
        if let Some(at) = places.iter().position(|place| matches!(place, Some((true, _)))) {
            return Change { taken: Some(at), aged: None, less: false };
        }
        if let Some(at) = places.iter().position(Option::is_none) {
            return Change { taken: Some(at), aged: None, less: true };
        }
        let cost = |at: &usize| places[*at].map_or(0, |(_, work)| work);
        let taken = (0..WAYS).min_by_key(cost).filter(|at| cost(at) <= work);
        let aged = (0..WAYS).max_by_key(cost).filter(|at| Some(*at) != taken);
        Change { taken, aged, less: true }
    }
}

/// What is left of a claim.
fn aged(work: u32) -> u32 {
    (work - work / 8).max(1)
}

/// Two numbers a position, without locks: an entry is three words, of which the first is the key mixed with a hash of the
/// others. Words of two entries, mixed up by two threads, are an entry of a key that no position has: a hash, because
/// the words themselves differ by a few bits, and so do the keys of positions. A word of 0 work is an empty place.
///
/// The second word has the two numbers, the third the work in its lower half. Of a result whose area is known the second
/// word has the first cells of the area instead, the upper half of the third the others, and who has won.
pub(crate) struct PairTable {
    words: Vec<[AtomicU64; 3]>,
}

/// Changes half of the bits of the answer if one bit of a word changes.
#[inline]
fn seal(pair: u64, work: u64) -> u64 {
    let mixed = (pair ^ work.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed ^ (mixed >> 32)
}

impl PairTable {
    #[inline]
    fn read(&self, at: usize) -> (u64, u64, u64) {
        let [key, pair, work] = &self.words[at];
        let (pair, work) = (pair.load(Relaxed), work.load(Relaxed));
        (key.load(Relaxed) ^ seal(pair, work), pair, work)
    }

    #[inline]
    fn write(&self, at: usize, key: u64, pair: u64, work: u64) {
        let words = [key ^ seal(pair, work), pair, work];
        for (place, word) in self.words[at].iter().zip(words) {
            place.store(word, Relaxed);
        }
    }
}

/// Who has won, in the word of the work, above the cells of an area.
const WON: u64 = 1 << 62;
const LOST: u64 = 1 << 63;

/// The second and the third word of an entry.
#[inline]
fn encode(ProvenPair { pair, area }: &ProvenPair, work: u32) -> (u64, u64) {
    let work = u64::from(work);
    if !pair.is_solved() || *area == Area::MAX {
        return (u64::from(pair.pn) << 32 | u64::from(pair.dn), work);
    }
    let further = (area >> 64) as u64 & ((1 << (AREA_CELLS - 64)) - 1);
    (*area as u64, if pair.pn == 0 { WON } else { LOST } | further << 32 | work)
}

/// What such words say.
#[inline]
fn decode(word: u64, work: u64) -> ProvenPair {
    if work & (WON | LOST) == 0 {
        return ProvenPair::of(Pair { pn: (word >> 32) as u32, dn: word as u32 });
    }
    let further = work >> 32 & ((1 << (AREA_CELLS - 64)) - 1);
    let area = Area::from(further) << 64 | Area::from(word);
    ProvenPair { pair: Pair::of_result(work & WON != 0), area }
}

impl Remembers<ProvenPair> for PairTable {
    const BYTES: usize = size_of::<[AtomicU64; 3]>();

    fn new(entries: usize) -> Result<PairTable, Error> {
        let entries = buckets(entries) * WAYS;
        let mut words = Vec::new();
        if words.try_reserve_exact(entries).is_err() {
            return lacking(entries, Self::BYTES);
        }
        words.resize_with(entries, Default::default);
        Ok(PairTable { words })
    }

    #[inline]
    fn get(&self, key: u64) -> Option<(ProvenPair, u32)> {
        let first = bucket_of(key, self.words.len() / WAYS) * WAYS;
        (first..first + WAYS).find_map(|at| {
            let (found, pair, work) = self.read(at);
            (found == key && work != 0).then(|| (decode(pair, work), work as u32))
        })
    }

    fn put(&self, key: u64, known: &ProvenPair, work: u32) -> bool {
        let first = bucket_of(key, self.words.len() / WAYS) * WAYS;
        let work = work.max(1);
        let places = std::array::from_fn(|way| {
            let (found, _, work) = self.read(first + way);
            (work != 0).then_some((found == key, work as u32))
        });
        let change = Change::of(places, work);
        if let Some(way) = change.aged {
            let (key, pair, work) = self.read(first + way);
            let rest = work >> 32 << 32;
            self.write(first + way, key, pair, rest | u64::from(aged(work as u32)));
        }
        if let Some(way) = change.taken {
            let (pair, work) = encode(known, work);
            self.write(first + way, key, pair, work);
        }
        change.less
    }

    fn capacity(&self) -> usize {
        self.words.len()
    }

    /// Key, numbers and work of each, eight bytes each, the lowest first. Areas are not among them: they save work only.
    fn dump(&self) -> Vec<u8> {
        let entries = (0..self.words.len()).map(|at| self.read(at)).filter(|entry| entry.2 != 0);
        let plain = entries.map(|(key, word, work)| {
            let (word, work) = encode(&ProvenPair::of(decode(word, work).pair), work as u32);
            [key, word, work]
        });
        plain.flatten().flat_map(u64::to_le_bytes).collect()
    }

    fn load(&self, bytes: &[u8]) -> bool {
        let word =
            |bytes: &[u8]| bytes.iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
        for entry in bytes.chunks_exact(Self::BYTES) {
            let [key, pair, work] = [word(&entry[..8]), word(&entry[8..16]), word(&entry[16..])];
            self.put(key, &decode(pair, work), work as u32);
        }
        bytes.len() % Self::BYTES == 0
    }

    fn copy_to(&self, larger: &PairTable) {
        for at in 0..self.words.len() {
            let (key, pair, work) = self.read(at);
            if work != 0 {
                larger.put(key, &decode(pair, work), work as u32);
            }
        }
    }
}

/// Two functions a position, with a lock for each bucket.
pub(crate) struct FunctionTable {
    buckets: Vec<Mutex<[Option<FunctionEntry>; WAYS]>>,
}

#[derive(Clone)]
struct FunctionEntry {
    key: u64,
    work: u32,
    known: Pairwise,
}

impl FunctionTable {
    /// A thread that failed with the lock in its hand left a whole entry behind.
    fn locked<T>(
        &self,
        key: u64,
        action: impl FnOnce(&mut [Option<FunctionEntry>; WAYS]) -> T,
    ) -> T {
        let bucket = &self.buckets[bucket_of(key, self.buckets.len())];
        action(&mut bucket.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }
}

impl Remembers<Pairwise> for FunctionTable {
    /// The entry, the counters of what it shares, and two full functions.
    const BYTES: usize =
        size_of::<Option<FunctionEntry>>() + 64 + 2 * MOST_STEPS * size_of::<Step>();

    fn new(entries: usize) -> Result<FunctionTable, Error> {
        let count = buckets(entries);
        let mut buckets = Vec::new();
        if buckets.try_reserve_exact(count).is_err() {
            return lacking(entries, Self::BYTES);
        }
        buckets.resize_with(count, Default::default);
        Ok(FunctionTable { buckets })
    }

    fn get(&self, key: u64) -> Option<(Pairwise, u32)> {
        self.locked(key, |places| {
            let entry = places.iter().flatten().find(|entry| entry.key == key)?;
            Some((entry.known.clone(), entry.work))
        })
    }

    fn put(&self, key: u64, known: &Pairwise, work: u32) -> bool {
        let new = FunctionEntry { key, work, known: known.clone() };
        self.locked(key, |places| {
            let seen = std::array::from_fn(|way| {
                places[way].as_ref().map(|entry| (entry.key == key, entry.work))
            });
            let change = Change::of(seen, work);
            if let Some(old) = change.aged.and_then(|way| places[way].as_mut()) {
                old.work = aged(old.work);
            }
            if let Some(way) = change.taken {
                places[way] = Some(new);
            }
            change.less
        })
    }

    fn capacity(&self) -> usize {
        self.buckets.len() * WAYS
    }

    fn copy_to(&self, larger: &FunctionTable) {
        for bucket in &self.buckets {
            let places = bucket.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            for entry in places.iter().flatten() {
                larger.put(entry.key, &entry.known, entry.work);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_expensive_stays_for_a_while() -> Result<(), Error> {
        let table = PairTable::new(1)?;
        let open = ProvenPair::of(Pair::OPEN);
        let dear = ProvenPair::of(Pair { pn: 3, dn: 5 });
        table.put(1, &dear, 1000);
        for key in 2..10 {
            table.put(key, &open, 1);
        }
        assert_eq!(table.get(1).map(|(known, _)| known), Some(dear));
        assert_eq!(table.get(99), None);
        for key in 10..40 {
            table.put(key, &open, 600);
        }
        assert_eq!(table.get(1), None);
        Ok(())
    }

    #[test]
    fn a_larger_table_takes_everything_over() -> Result<(), Error> {
        let (small, large) = (PairTable::new(64)?, PairTable::new(4096)?);
        for key in 0..50 {
            small.put(key, &ProvenPair::of(Pair { pn: key as u32, dn: 1 }), 1);
        }
        small.copy_to(&large);
        let kept = |table: &PairTable| (0..50).filter(|&key| table.get(key).is_some()).count();
        assert_eq!(kept(&large), kept(&small));
        assert!(cfg!(miri) || PairTable::new(1 << 58).is_err());
        Ok(())
    }
}

/// Areas come back as they were, with the result and the work, whatever they are.
#[cfg(test)]
mod words {
    use super::*;

    #[test]
    fn an_entry_says_what_was_put_in() -> Result<(), Error> {
        let table = PairTable::new(64)?;
        let areas = [0, 1, 1 << 63, 1 << 64 | 5, (1 << AREA_CELLS) - 1, Area::MAX];
        for (key, area) in (1..).zip(areas) {
            for pair in [Pair::WON, Pair::LOST] {
                table.put(key, &ProvenPair { pair, area }, 7 + key as u32);
                assert_eq!(table.get(key), Some((ProvenPair { pair, area }, 7 + key as u32)));
            }
        }
        let larger = PairTable::new(4096)?;
        assert!(larger.load(&table.dump()));
        for key in 1..=areas.len() as u64 {
            assert_eq!(larger.get(key), Some((ProvenPair::of(Pair::LOST), 7 + key as u32)));
        }
        Ok(())
    }
}

/// All orders in which two threads can write a place while a third reads it: `make threads`.
#[cfg(all(test, loom))]
mod orders {
    use super::*;
    use loom::sync::Arc;
    use loom::thread::spawn;

    /// Two entries whose words differ as little as can be, and the keys that a mixture would have if it were not sealed.
    const ENTRIES: [(u64, u64, u64); 2] = [(8, 1 << 32 | 1, 1), (8, 1 << 32 | 2, 4)];

    #[test]
    fn a_mixture_of_two_entries_is_none() {
        loom::model(|| {
            let words = vec![Default::default()];
            let table = Arc::new(PairTable { words });
            let writers = ENTRIES.map(|(key, pair, work)| {
                let table = table.clone();
                spawn(move || table.write(0, key, pair, work))
            });
            let found = table.read(0);
            let whole = ENTRIES.contains(&found) || found.2 == 0;
            // a mixture is known by its key, which is none of the few that positions have
            assert!(whole || found.0 >= 1 << 8, "{found:?}");
            for writer in writers {
                let _ = writer.join();
            }
        });
    }
}
