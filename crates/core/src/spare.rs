//! Memory that is used again by the next search.
//!
//! A page of memory that the system gives for the first time costs as much as a dozen expansions. A program
//! that plays a game searches again and again, so large arrays are not given back to the system at once: some of each
//! kind wait for the next searches of the process.

use crate::error::Error;
use std::any::{Any, TypeId};
use std::collections::{HashMap, TryReserveError};
use std::ops::{Deref, DerefMut};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::{LazyLock, Mutex};

/// Whether the machine has the memory that was asked for.
pub type Room = Result<(), TryReserveError>;

/// Makes room for so many more entries in steps of an eighth: what `Vec` does by itself needs twice the memory.
#[inline]
pub(crate) fn make_room<T>(entries: &mut Vec<T>, more: usize) {
    if entries.capacity() - entries.len() < more {
        make_much_room(entries, more);
    }
}

#[cold]
fn make_much_room<T>(entries: &mut Vec<T>, more: usize) {
    if entries.try_reserve_exact(more.max(entries.len() / 8)).is_err()
        && entries.try_reserve_exact(more).is_err()
    {
        // in the middle of an update, which nobody can finish: see `guarded`
        resume_unwind(Box::new(NoMemory));
    }
}

/// What is thrown where the machine refuses memory to somebody who cannot do without.
struct NoMemory;

/// Does something that may need more memory than there is; then it is an error, and what was half done is lost.
pub fn guarded<T>(action: impl FnOnce() -> T) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(action)).map_err(|thrown| match thrown.is::<NoMemory>() {
        true => Error::Argument("the machine has no memory for the numbers of the tree".into()),
        false => resume_unwind(thrown),
    })
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

/// How many arrays of a kind wait at the most: for a program that keeps the results of a few searches.
const MOST_KEPT: usize = 32;
/// How many bytes of them have been written to at the most; the rest of an array takes no memory yet.
const MOST_WRITTEN: usize = 1 << 27;

/// The arrays that wait, by the type of their entries, with how many bytes of each have been written to.
type Spare = HashMap<TypeId, Vec<(Box<dyn Any + Send>, usize)>>;

static SPARE: LazyLock<Mutex<Spare>> = LazyLock::new(Mutex::default);

/// A vector whose memory is kept for the next one of its kind.
#[derive(Clone, Debug)]
pub(crate) struct Reused<T: Send + 'static> {
    entries: Vec<T>,
    /// How many bytes earlier searches have written to.
    written: usize,
}

impl<T: Send + 'static> Default for Reused<T> {
    fn default() -> Reused<T> {
        let kept = SPARE.lock().ok().and_then(|mut spare| spare.get_mut(&TypeId::of::<T>())?.pop());
        kept.and_then(|(kept, written)| Some(Reused { entries: *kept.downcast().ok()?, written }))
            .unwrap_or_else(|| Vec::new().into())
    }
}

impl<T: Send + 'static> Drop for Reused<T> {
    fn drop(&mut self) {
        if !WORTH_KEEPING.contains(&(self.entries.capacity() * size_of::<T>())) {
            return;
        }
        let mut entries = std::mem::take(&mut self.entries);
        let written = self.written.max(entries.len() * size_of::<T>());
        entries.clear();
        if let Ok(mut spare) = SPARE.lock() {
            let kept = spare.entry(TypeId::of::<T>()).or_default();
            let all = kept.iter().map(|(_, written)| written).sum::<usize>() + written;
            if kept.len() < MOST_KEPT && all <= MOST_WRITTEN {
                kept.push((Box::new(entries), written));
            }
        }
    }
}

impl<T: Send + 'static> Deref for Reused<T> {
    type Target = Vec<T>;

    #[inline]
    fn deref(&self) -> &Vec<T> {
        &self.entries
    }
}

impl<T: Send + 'static> DerefMut for Reused<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.entries
    }
}

impl<T: Send + 'static> From<Vec<T>> for Reused<T> {
    fn from(entries: Vec<T>) -> Reused<T> {
        Reused { entries, written: 0 }
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
