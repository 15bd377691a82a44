//! Memory that is used again by the next search.
//!
//! A page of memory that the system gives for the first time costs as much as a dozen expansions. A program
//! that plays a game searches again and again, so large arrays are not given back to the system at once: one of
//! each kind waits for the next search of the process.

use std::any::{Any, TypeId};
use std::collections::{HashMap, TryReserveError};
use std::ops::{Deref, DerefMut};
use std::sync::{LazyLock, Mutex};

/// Whether the machine has the memory that was asked for.
pub type Room = Result<(), TryReserveError>;

/// Makes room for so many more entries in steps of an eighth: what `Vec` does by itself needs twice the memory.
#[inline]
pub(crate) fn make_room<T>(entries: &mut Vec<T>, more: usize) {
    if entries.capacity() - entries.len() < more {
        // failing here is no failure: the caller asks again, for what it needs
        let _ = entries.try_reserve_exact(more.max(entries.len() / 8));
    }
}

/// How many entries so many more nodes are likely to need, if those that there are have needed so many: a quarter more, or
/// one for every fourth node where too few are known.
pub(crate) fn likely(nodes: usize, entries: usize, known: usize) -> usize {
    match known {
        0..1_000 => 1_024 + nodes / 4,
        _ => 1_024 + (nodes as f64 * 1.25 * entries as f64 / known as f64) as usize,
    }
}

/// Arrays of fewer bytes are left to the allocator, arrays of more to the system.
const WORTH_KEEPING: std::ops::RangeInclusive<usize> = (1 << 16)..=(1 << 26);

/// How many arrays of a kind are kept: for a few searches at the same time.
const KEPT: usize = 2;

/// The arrays that wait, by the type of their entries.
type Spare = HashMap<TypeId, Vec<Box<dyn Any + Send>>>;

static SPARE: LazyLock<Mutex<Spare>> = LazyLock::new(Mutex::default);

/// A vector whose memory is kept for the next one of its kind.
#[derive(Clone, Debug)]
pub(crate) struct Reused<T: Send + 'static>(Vec<T>);

impl<T: Send + 'static> Default for Reused<T> {
    fn default() -> Reused<T> {
        let Ok(mut spare) = SPARE.lock() else { return Reused(Vec::new()) };
        let kept = spare.get_mut(&TypeId::of::<T>()).and_then(Vec::pop);
        Reused(kept.and_then(|kept| kept.downcast().ok()).map_or_else(Vec::new, |kept| *kept))
    }
}

impl<T: Send + 'static> Drop for Reused<T> {
    fn drop(&mut self) {
        if !WORTH_KEEPING.contains(&(self.0.capacity() * size_of::<T>())) {
            return;
        }
        let mut vec = std::mem::take(&mut self.0);
        vec.clear();
        if let Ok(mut spare) = SPARE.lock() {
            let kept = spare.entry(TypeId::of::<T>()).or_default();
            if kept.len() < KEPT {
                kept.push(Box::new(vec));
            }
        }
    }
}

impl<T: Send + 'static> Deref for Reused<T> {
    type Target = Vec<T>;

    #[inline]
    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T: Send + 'static> DerefMut for Reused<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<T: Send + 'static> From<Vec<T>> for Reused<T> {
    fn from(vec: Vec<T>) -> Reused<T> {
        Reused(vec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_memory_comes_back_empty() {
        struct Mine(#[allow(dead_code)] [u64; 4]);
        let mut first = Reused::default();
        first.resize_with(1 << 12, || Mine([7; 4]));
        let place = first.as_ptr();
        drop(first);
        let second: Reused<Mine> = Reused::default();
        assert_eq!((second.len(), second.as_ptr()), (0, place));
        let third: Reused<Mine> = Reused::default();
        assert_eq!(third.capacity(), 0);
    }
}
