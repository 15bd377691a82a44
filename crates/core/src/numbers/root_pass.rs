//! The distributions of the root's moves in one pass from the leaves that keeps nothing of them.
//!
//! Families are completed depth first. Of each child of a family on the way down a [`RowPlace`] is kept: where its row is,
//! and how far it is on the way to the next one. Once all its children are known, the family is joined in their order.

use super::distributions::{joined, Certainty};
use super::leaf_rows::{LeafRows, RowPlace};
use crate::tree::{NodeId, Tree};

/// The place of a child whose own family is joined first: its row is the next one of those that wait.
const INNER: u32 = u32::MAX;

/// A node whose children are being joined.
struct OpenFamily {
    max: bool,
    /// How many of its children have a family that is not joined yet.
    inner: u32,
    /// Where the places of its children begin.
    places: usize,
    /// Where the rows of its inner children begin.
    rows: usize,
}

/// The distributions of the root's moves, K numbers each, of a tree that shares no nodes, by a model with a table.
pub(super) fn root_family(certainty: &Certainty, tree: &Tree) -> Vec<f64> {
    match certainty.model.thresholds() {
        1 => climb(certainty, tree, 1, join_few::<1>),
        2 => climb(certainty, tree, 2, join_few::<2>),
        width => climb(certainty, tree, width, join_many),
    }
}

/// A family that is complete.
struct WholeFamily<'a> {
    max: bool,
    rho: f64,
    places: &'a [RowPlace],
    /// The rows of its inner children, in their order.
    waiting: &'a [f64],
    leaves: &'a LeafRows,
}

#[inline(always)]
fn climb(
    certainty: &Certainty,
    tree: &Tree,
    width: usize,
    join: impl Fn(&WholeFamily<'_>, &mut [f64], &mut [f64]),
) -> Vec<f64> {
    let nodes = tree.nodes();
    let mut leaves = LeafRows::of(certainty);
    let mut room = vec![0.0; 4 * width];
    let mut places: Vec<RowPlace> = Vec::new();
    let mut inner: Vec<NodeId> = Vec::new(); // children with families of their own, the next one last
    let mut rows: Vec<f64> = Vec::new(); // S of those that are joined, while their family is open
    let mut way: Vec<OpenFamily> = Vec::new();
    let mut next = Some(tree.root());
    loop {
        if let Some(node) = next.take() {
            let (children, from) = (node.children(), inner.len());
            let family = OpenFamily {
                max: node.max_to_move(),
                inner: 0,
                places: places.len(),
                rows: rows.len(),
            };
            let ply = way.len() as u32 + 1;
            for id in children.clone() {
                let child = &nodes[id as usize];
                if child.is_leaf() || child.is_solved() {
                    places.push(leaves.place(child, ply));
                } else {
                    places.push(RowPlace { at: INNER, share: 0.0 });
                    inner.push(id);
                }
            }
            inner[from..].reverse();
            way.push(OpenFamily { inner: (inner.len() - from) as u32, ..family });
        }
        let Some(open) = way.last_mut() else { return Vec::new() };
        if open.inner > 0 {
            open.inner -= 1;
            next = inner.pop().map(|id| &nodes[id as usize]);
            continue;
        }
        let (max, begin, kept) = (open.max, open.places, open.rows);
        way.pop();
        if way.is_empty() {
            return spread(&places, &rows, &leaves, width);
        }
        let end = rows.len();
        rows.resize(end + width, 0.0);
        let (waiting, own) = rows[kept..].split_at_mut(end - kept);
        let places_of = &places[begin..];
        let family =
            WholeFamily { max, rho: certainty.rho, places: places_of, waiting, leaves: &leaves };
        join(&family, own, &mut room);
        places.truncate(begin);
        // the row of the family takes the place of those that it was joined from
        rows.copy_within(end.., kept);
        rows.truncate(kept + width);
    }
}

/// Joins a family where there are so few thresholds that products and least factors stay in registers.
#[inline(always)]
fn join_few<const K: usize>(family: &WholeFamily<'_>, own: &mut [f64], _: &mut [f64]) {
    let (mut product, mut least) = ([1.0; K], [1.0; K]);
    let mut waiting = family.waiting.chunks_exact(K);
    for place in family.places {
        let (row, rise) = match place.at {
            INNER => (waiting.next().unwrap_or(&[0.0; K]), &[0.0; K][..]),
            at => family.leaves.row(at),
        };
        for k in 0..K {
            let s = row[k] + place.share * rise[k];
            let q = if family.max { 1.0 - s } else { s };
            product[k] *= q;
            least[k] = if q < least[k] { q } else { least[k] };
        }
    }
    for k in 0..K {
        own[k] = joined(product[k], least[k], family.rho, family.max);
    }
}

/// The same for any number of thresholds: with room for the products, the least factors, the next least ones,
/// and zeros.
fn join_many(family: &WholeFamily<'_>, own: &mut [f64], room: &mut [f64]) {
    let width = own.len();
    let (room, level) = room.split_at_mut(3 * width);
    room.fill(1.0);
    let (product, rest) = room.split_at_mut(width);
    let (mut least, mut next) = rest.split_at_mut(width);
    let level = &*level;
    let mut waiting = family.waiting.chunks_exact(width);
    for place in family.places {
        let (row, rise) = match place.at {
            INNER => (waiting.next().unwrap_or(level), level),
            at => family.leaves.row(at),
        };
        let take = if family.max { take::<true> } else { take::<false> };
        take(row, rise, place.share, product, least, next);
        std::mem::swap(&mut least, &mut next);
    }
    for ((own, product), least) in own.iter_mut().zip(product).zip(least) {
        *own = joined(*product, *least, family.rho, family.max);
    }
}

/// Takes a child into the products and the least factors of its family. What is written is another place than what is
/// read, so that the compiler can do several thresholds at a time.
fn take<const MAX: bool>(
    row: &[f64],
    rise: &[f64],
    share: f64,
    product: &mut [f64],
    least: &[f64],
    next: &mut [f64],
) {
    let width = row.len();
    let (rise, product) = (&rise[..width], &mut product[..width]);
    let (least, next) = (&least[..width], &mut next[..width]);
    for k in 0..width {
        let s = row[k] + share * rise[k];
        let q = if MAX { 1.0 - s } else { s };
        product[k] *= q;
        next[k] = if q < least[k] { q } else { least[k] };
    }
}

/// The rows of the root's children.
fn spread(places: &[RowPlace], rows: &[f64], leaves: &LeafRows, width: usize) -> Vec<f64> {
    let mut family = Vec::with_capacity(places.len() * width);
    let mut waiting = rows.chunks_exact(width);
    for place in places {
        if place.at == INNER {
            family.extend(waiting.next().iter().copied().flatten());
        } else {
            let (row, rise) = leaves.row(place.at);
            family.extend(row.iter().zip(rise).map(|(a, d)| a + place.share * d));
        }
    }
    family
}
