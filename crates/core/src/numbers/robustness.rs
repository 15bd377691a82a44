//! How sure is it? Questions about conspiracies that any grown tree can answer, whatever rule grew it.
//!
//! The numbers are computed from the leaves when asked, exactly as far as the question goes.

use super::bounds::{Bounds, Side};
use super::staircase::INFINITE;
use crate::tree::{rank, NodeId, Path, Tree};

/// The intervals of likely root values, (Vmin, Vmax), under 0, 1, ... `most` conspirators; of a million
/// at most, because more than that are as good as all.
pub fn ladder(tree: &Tree, leaf_delta: Option<f64>, most: u32) -> Vec<(f64, f64)> {
    let most = most.min(1 << 20);
    let bounds = Bounds::of(tree, most + 1, leaf_delta);
    let interval = |n| {
        let limit = |side| bounds.limit(tree, Tree::ROOT, side, n);
        (limit(Side::Down), limit(Side::Up))
    };
    (0..=most).map(interval).collect()
}

/// Whether a value is one that the game can have.
fn possible(tree: &Tree, value: f64) -> bool {
    let (low, high) = tree.value_range();
    low <= value && value <= high
}

/// The direction in which a node of value `from` reaches `to`.
fn direction(from: f64, to: f64) -> Side {
    if to > from {
        Side::Up
    } else {
        Side::Down
    }
}

/// The bounds of a tree, exact for the number of leaves that must change for the node to reach the value,
/// and that number.
fn exact(
    tree: &Tree,
    leaf_delta: Option<f64>,
    id: NodeId,
    side: Side,
    value: f64,
) -> (Bounds, u32) {
    let mut cap = 16;
    loop {
        let bounds = Bounds::of(tree, cap, leaf_delta);
        let number = bounds.number(tree, id, side, rank(value + 0.0) ^ side.flip());
        if number < cap || number == INFINITE {
            return (bounds, number);
        }
        cap = cap.saturating_mul(8);
    }
}

/// How many leaves must change for a node to reach a value: 0 if it has it, `None` if no number is enough.
pub fn number(tree: &Tree, leaf_delta: Option<f64>, id: NodeId, value: f64) -> Option<u32> {
    if tree.node(id).value == value {
        return Some(0);
    }
    if !possible(tree, value) {
        return None;
    }
    let side = direction(tree.node(id).value, value);
    let (_, number) = exact(tree, leaf_delta, id, side, value);
    (number != INFINITE).then_some(number)
}

/// A smallest set of leaves that must change for the root to reach a value, as paths from the root, the
/// leftmost where there are several; `None` if no set is enough.
pub fn conspirators(tree: &Tree, leaf_delta: Option<f64>, value: f64) -> Option<Vec<Path>> {
    if tree.root().value == value {
        return Some(Vec::new());
    }
    if !possible(tree, value) {
        return None;
    }
    let side = direction(tree.root().value, value);
    let x = rank(value + 0.0) ^ side.flip();
    let (bounds, number) = exact(tree, leaf_delta, Tree::ROOT, side, value);
    if number == INFINITE {
        return None;
    }
    let mut leaves = Vec::new();
    let mut pending: Vec<Path> = vec![vec![Tree::ROOT]];
    while let Some(path) = pending.pop() {
        let node = tree.node(path[path.len() - 1]);
        if node.is_leaf() {
            leaves.push(path);
            continue;
        }
        let step = |child: NodeId| path.iter().copied().chain([child]).collect::<Path>();
        let number = |child: &NodeId| bounds.number(tree, *child, side, x);
        if side.any(node) {
            pending.extend(node.children().min_by_key(number).map(step));
        } else {
            // the last one pushed is looked at first: from left to right
            pending.extend(node.children().rev().filter(|child| number(child) > 0).map(step));
        }
    }
    Some(leaves)
}
