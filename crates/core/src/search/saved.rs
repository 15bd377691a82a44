//! A grown tree as bytes: what cannot be computed again, in the order of growth.
//!
//! A tree is its expansions. With the values of its nodes, which may have cost most, they give the same tree
//! again: positions are played anew, and the rule computes its numbers from the leaves. What a rule remembers
//! besides its numbers (a threshold, whose turn it is, random numbers) are a few words of its own.
//!
//! ```text
//!   word     number of the list's entries
//!   entries  little-endian
//!
//!   u64  counts: expansions, nodes, move calls, artificial time, depth, bits of the seconds
//!   u8   status and limit, by their places in the lists of them; 255 is no limit
//!   u64  the rule's own words
//!   u32  the path at which growth had stopped, as indices of nodes
//!   u32  the expanded leaves in order, as indices: children are numbered as they come
//!   u16  how many children each of them has
//!   u16  the places of the children's moves among the legal ones; none if all have all moves in order
//!   f64  the values of all nodes
//!   u8   for every node bits: 2 if the game is over there, or as good as over; 8 if that is a guess; 16 if moves were left
//!        out by guess
//!   u32  relative errors of the moves to all nodes, in 1/4096; none if the rule asks for none
//!   u32  the trace: how many places, for each expansion; none if it was not recorded
//!   u32  the places of all these paths
//! ```

use super::{Counts, Limit, Trace};
use crate::error::{damaged, Error};
use crate::growth::Status;
use crate::scores::Units;
use crate::tree::NodeId;
use std::collections::TryReserveError;

/// A grown tree without what can be computed again.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    pub(crate) counts: Counts,
    pub(crate) status: Status,
    pub(crate) limit: Option<Limit>,
    /// What the rule remembers besides its numbers.
    pub(crate) rule: Vec<u64>,
    pub(crate) path: Vec<NodeId>,
    /// The expanded leaves in order.
    pub(crate) expanded: Vec<NodeId>,
    /// How many children each of them has.
    pub(crate) sizes: Vec<u16>,
    /// The places of their moves among the legal ones, if not all have all of them in order.
    pub(crate) places: Vec<u16>,
    /// The values of all nodes.
    pub(crate) values: Vec<f64>,
    /// What each node is beyond its value.
    pub(crate) marks: Vec<u8>,
    pub(crate) errors: Vec<Units>,
    pub(crate) trace: Option<Trace>,
}

/// A value that is written as little-endian bytes.
trait Written: Sized + Copy {
    const SIZE: usize;
    fn put(self, bytes: &mut Vec<u8>);
    fn get(bytes: &[u8]) -> Option<Self>;
}

macro_rules! entries {
    ($($number:ty),*) => {$(
        impl Written for $number {
            const SIZE: usize = size_of::<$number>();
            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
            fn get(bytes: &[u8]) -> Option<Self> {
                Some(<$number>::from_le_bytes(bytes.try_into().ok()?))
            }
        }
    )*};
}

entries![u8, u16, u32, u64, f64];

fn put<T: Written>(bytes: &mut Vec<u8>, list: impl ExactSizeIterator<Item = T>) {
    (list.len() as u64).put(bytes);
    list.for_each(|entry| entry.put(bytes));
}

/// Takes a list from the front.
/// The machine has no memory for what a file holds.
pub(super) fn lacking(_: TryReserveError) -> Error {
    Error::Argument("no memory for the saved tree".into())
}

fn take<T: Written>(bytes: &mut &[u8]) -> Result<Vec<T>, Error> {
    let short = || damaged("it is too short");
    let (count, rest) = bytes.split_at_checked(u64::SIZE).ok_or_else(short)?;
    let count = u64::get(count).and_then(|count| usize::try_from(count).ok()).ok_or_else(short)?;
    let length = count.checked_mul(T::SIZE).ok_or_else(short)?;
    let (list, rest) = rest.split_at_checked(length).ok_or_else(short)?;
    *bytes = rest;
    let mut entries = Vec::new();
    entries.try_reserve_exact(count).map_err(lacking)?;
    for entry in list.chunks_exact(T::SIZE) {
        entries.push(T::get(entry).ok_or_else(short)?);
    }
    Ok(entries)
}

const STATUSES: [Status; 5] =
    [Status::Proven, Status::Converged, Status::Decided, Status::Budget, Status::Interrupted];
const LIMITS: [Limit; 7] = [
    Limit::Expansions,
    Limit::Nodes,
    Limit::MoveCalls,
    Limit::Seconds,
    Limit::CpuSeconds,
    Limit::Memory,
    Limit::ArtificialTime,
];
const NO_LIMIT: u8 = u8::MAX;

impl Saved {
    /// As bytes; [`Saved::decode`] reads them.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let Counts { expansions, nodes, move_calls, artificial_time, depth, seconds } = self.counts;
        let counts =
            [expansions, nodes, move_calls, artificial_time, depth.into(), seconds.to_bits()];
        put(&mut bytes, counts.into_iter());
        let place = |found: Option<usize>| found.map_or(NO_LIMIT, |place| place as u8);
        let status = place(STATUSES.iter().position(|status| *status == self.status));
        let limit = place(LIMITS.iter().position(|limit| Some(*limit) == self.limit));
        put(&mut bytes, [status, limit].into_iter());
        put(&mut bytes, self.rule.iter().copied());
        put(&mut bytes, self.path.iter().copied());
        put(&mut bytes, self.expanded.iter().copied());
        put(&mut bytes, self.sizes.iter().copied());
        put(&mut bytes, self.places.iter().copied());
        put(&mut bytes, self.values.iter().copied());
        put(&mut bytes, self.marks.iter().copied());
        put(&mut bytes, self.errors.iter().copied());
        let paths: Vec<&[u32]> = self.trace.iter().flat_map(Trace::paths).collect();
        put(&mut bytes, paths.iter().map(|path| path.len() as u32));
        put(&mut bytes, paths.concat().into_iter());
        bytes
    }

    /// From bytes, of which nothing is taken on trust.
    pub fn decode(mut bytes: &[u8]) -> Result<Saved, Error> {
        let bytes = &mut bytes;
        let counts: Vec<u64> = take(bytes)?;
        let [expansions, nodes, move_calls, artificial_time, depth, seconds] = counts[..] else {
            return Err(damaged("other counts than expected"));
        };
        let depth = u32::try_from(depth).map_err(|_| damaged("an impossible depth"))?;
        let seconds = f64::from_bits(seconds);
        if !(0.0..=1e15).contains(&seconds) {
            return Err(damaged("an impossible time"));
        }
        let words: Vec<u8> = take(bytes)?;
        let [status, limit] = words[..] else { return Err(damaged("no status")) };
        let status = STATUSES.get(usize::from(status));
        let status = *status.ok_or_else(|| damaged("an unknown status"))?;
        let limit = match (limit, LIMITS.get(usize::from(limit))) {
            (NO_LIMIT, _) => None,
            (_, Some(limit)) => Some(*limit),
            (_, None) => return Err(damaged("an unknown limit")),
        };
        let (rule, path) = (take(bytes)?, take(bytes)?);
        let (expanded, sizes): (Vec<NodeId>, Vec<u16>) = (take(bytes)?, take(bytes)?);
        let (places, values): (Vec<u16>, Vec<f64>) = (take(bytes)?, take(bytes)?);
        let marks: Vec<u8> = take(bytes)?;
        let errors: Vec<Units> = take(bytes)?;
        let (lengths, steps): (Vec<u32>, Vec<u32>) = (take(bytes)?, take(bytes)?);
        if !bytes.is_empty() {
            return Err(damaged("it is too long"));
        }
        if values.is_empty() || marks.len() != values.len() || marks.iter().any(|m| m & !26 != 0) {
            return Err(damaged("values and marks do not fit"));
        }
        if values.iter().any(|value| value.is_nan()) {
            return Err(damaged("a value that no node has"));
        }
        if sizes.len() != expanded.len() {
            return Err(damaged("expansions and their sizes do not fit"));
        }
        if !errors.is_empty() && errors.len() != values.len() {
            return Err(damaged("values and errors do not fit"));
        }
        let counts = Counts { expansions, nodes, move_calls, artificial_time, depth, seconds };
        let trace = read_trace(&lengths, &steps)?;
        Ok(Saved {
            counts,
            status,
            limit,
            rule,
            path,
            expanded,
            sizes,
            places,
            values,
            marks,
            errors,
            trace,
        })
    }
}

fn read_trace(lengths: &[u32], mut places: &[u32]) -> Result<Option<Trace>, Error> {
    let mut trace = Trace::default();
    for &length in lengths {
        let found = places.split_at_checked(length as usize);
        let (path, rest) = found.ok_or_else(|| damaged("the trace ends too early"))?;
        trace.push(path.iter().copied());
        places = rest;
    }
    match (lengths.is_empty(), places.is_empty()) {
        (_, false) => Err(damaged("the trace goes on too long")),
        (recorded, true) => Ok((!recorded).then_some(trace)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use proptest::prelude::*;

    fn sample() -> Saved {
        let mut trace = Trace::default();
        trace.push([]);
        trace.push([1]);
        let counts = Counts { expansions: 2, nodes: 5, seconds: 0.5, ..Counts::default() };
        Saved {
            counts,
            status: Status::Budget,
            limit: Some(Limit::Nodes),
            rule: vec![7, u64::MAX],
            path: vec![0, 2],
            expanded: vec![0, 2],
            sizes: vec![2, 2],
            places: vec![0, 1, 3, 2],
            values: vec![0.0, -1.5, f64::INFINITY, 2.0, 3.0],
            marks: vec![0, 0, 16, 2, 10],
            errors: vec![0, 1, 2, 3, 4],
            trace: Some(trace),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let saved = sample();
        assert_eq!(Saved::decode(&saved.encode()).unwrap(), saved);
        let plain = Saved { trace: None, errors: Vec::new(), limit: None, ..saved };
        assert_eq!(Saved::decode(&plain.encode()).unwrap(), plain);
    }

    #[test]
    fn values_that_no_node_has_are_refused() {
        for value in [f64::NAN, -f64::NAN] {
            let saved = Saved { values: vec![0.0, -1.5, value, 2.0, 3.0], ..sample() };
            assert!(Saved::decode(&saved.encode()).is_err());
        }
    }

    proptest! {
        #[test]
        fn damage_is_an_error_or_another_tree(at in 0usize..500, flip in 1u8.., cut: bool) {
            let mut bytes = sample().encode();
            let at = at % bytes.len();
            if cut {
                bytes.truncate(at);
            } else {
                bytes[at] ^= flip;
            }
            if let Ok(saved) = Saved::decode(&bytes) {
                prop_assert!(!cut);
                prop_assert_eq!(saved.encode(), bytes);
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let _ = Saved::decode(&bytes);
        }
    }
}
