//! A tree as blocks for a picture: the widest nodes in one pass over the arena, as bytes that a browser reads as they are.

use super::{NodeId, Tree};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

const MAX: u32 = 1;
const TERMINAL: u32 = 2;
const SOLVED: u32 = 4;
const LEAF: u32 = 8;
/// Several siblings in one block, because each of them is too narrow to be seen.
const MERGED: u32 = 16;
const NO_PARENT: u32 = u32::MAX;

/// One block: a node with its part of the width, or a run of narrow siblings.
struct Block {
    parent: u32,
    /// Place among siblings; of a run, that of its first.
    place: u32,
    left: f64,
    width: f64,
    value: f64,
    /// Nodes at and below it.
    size: u32,
    depth: u32,
    flags: u32,
    /// How many siblings: one, unless they are merged.
    count: u32,
}

/// A block whose children are still to be laid out; wide ones come first.
struct Open {
    width: f64,
    block: u32,
    id: NodeId,
}

impl PartialEq for Open {
    fn eq(&self, other: &Open) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Open {
    fn cmp(&self, other: &Open) -> Ordering {
        self.width.total_cmp(&other.width).then(other.block.cmp(&self.block))
    }
}

/// What part of the picture is wanted, and how fine.
#[derive(Clone, Copy, Debug)]
pub struct Pane {
    /// Where it begins and ends, in parts of the whole width.
    pub left: f64,
    /// See `left`.
    pub right: f64,
    /// A narrower block is merged with its neighbours; in parts of what is shown.
    pub least: f64,
    /// How many blocks at the most.
    pub most: usize,
}

impl Pane {
    fn shows(&self, left: f64, width: f64) -> bool {
        left < self.right && left + width > self.left
    }
}

/// For every node, how many nodes stand at and below it, in one sweep from the end of the arena: a picture of a growing
/// tree needs that ten times a second. Children that several nodes share count for the first of these only, which always
/// stands before them, so that all widths together are the nodes there are.
fn owned_sizes(tree: &Tree) -> Vec<u32> {
    let nodes = tree.nodes();
    let mut sizes = vec![1u32; nodes.len()];
    let owns = tree.is_shared().then(|| first_parents(tree));
    for (id, node) in nodes.iter().enumerate().rev() {
        if node.is_leaf() {
            continue;
        }
        let family = node.children();
        if owns.as_ref().is_none_or(|owns| owns[family.start as usize] == id as u32) {
            let below = &sizes[family.start as usize..family.end as usize];
            sizes[id] += below.iter().sum::<u32>();
        }
    }
    sizes
}

/// By the first node of each family, the first of its parents.
fn first_parents(tree: &Tree) -> Vec<u32> {
    let mut parents = vec![NO_PARENT; tree.len()];
    for (id, node) in tree.nodes().iter().enumerate().rev().filter(|(_, node)| !node.is_leaf()) {
        parents[node.children().start as usize] = id as u32;
    }
    parents
}

/// The blocks of a tree in which every node is as wide as its part of its parent's subtree.
fn blocks(tree: &Tree, sizes: &[u32], pane: &Pane) -> Vec<Block> {
    let least = pane.least * (pane.right - pane.left);
    let mut blocks = vec![block(tree, sizes, Tree::ROOT, NO_PARENT, 0, (0.0, 1.0), 0)];
    let mut queue = BinaryHeap::from([Open { width: 1.0, block: 0, id: Tree::ROOT }]);
    while let Some(open) = queue.pop() {
        let family = tree.node(open.id).children();
        if blocks.len() + family.len().min(64) > pane.most {
            break;
        }
        let (mut left, depth) = {
            let parent = &blocks[open.block as usize];
            (parent.left, parent.depth + 1)
        };
        let whole = family.clone().fold(0.0, |sum, child| sum + f64::from(sizes[child as usize]));
        let mut run: Option<Block> = None;
        for (place, child) in (0..).zip(family) {
            let width = open.width * f64::from(sizes[child as usize]) / whole;
            let next = block(tree, sizes, child, open.block, place, (left, width), depth);
            left += width;
            if !pane.shows(next.left, next.width) {
                blocks.extend(run.take());
            } else if width < least {
                run = Some(match run.take() {
                    Some(before) => merged(before, &next),
                    None => next,
                });
            } else {
                blocks.extend(run.take());
                queue.push(Open { width, block: blocks.len() as u32, id: child });
                blocks.push(next);
            }
        }
        blocks.extend(run);
    }
    blocks
}

fn block(
    tree: &Tree,
    sizes: &[u32],
    id: NodeId,
    parent: u32,
    place: u32,
    (left, width): (f64, f64),
    depth: u32,
) -> Block {
    let node = tree.node(id);
    let mut flags = 0;
    for (bit, is_set) in [
        (MAX, node.max_to_move()),
        (TERMINAL, node.is_terminal()),
        (SOLVED, node.is_solved()),
        (LEAF, node.is_leaf()),
    ] {
        flags |= if is_set { bit } else { 0 };
    }
    let (value, size) = (node.value, sizes[id as usize]);
    Block { parent, place, left, width, value, size, depth, flags, count: 1 }
}

/// A run with one more sibling: its value is the mean of theirs.
fn merged(run: Block, next: &Block) -> Block {
    let count = run.count + 1;
    let value = run.value + (next.value - run.value) / f64::from(count);
    Block {
        width: run.width + next.width,
        value: if value.is_nan() { run.value } else { value },
        size: run.size.saturating_add(next.size),
        flags: (run.flags & next.flags) | MERGED,
        count,
        ..run
    }
}

/// What a column has of a block.
type Column<'a> = dyn Fn(&Block) -> [u8; 4] + 'a;

/// Columns of four bytes each, little-endian: parent, place, left, width, value, size, depth and flags, count. `left` and
/// `width` are in parts of what is shown.
fn encoded(blocks: &[Block], pane: &Pane) -> Vec<u8> {
    let part = pane.right - pane.left;
    let columns: [&Column; 8] = [
        &|block| block.parent.to_le_bytes(),
        &|block| block.place.to_le_bytes(),
        &|block| (((block.left - pane.left) / part) as f32).to_le_bytes(),
        &|block| ((block.width / part) as f32).to_le_bytes(),
        &|block| (block.value as f32).to_le_bytes(),
        &|block| block.size.to_le_bytes(),
        &|block| (block.depth << 8 | block.flags).to_le_bytes(),
        &|block| block.count.to_le_bytes(),
    ];
    let mut bytes = Vec::with_capacity(blocks.len() * columns.len() * 4);
    for column in columns {
        for block in blocks {
            bytes.extend_from_slice(&column(block));
        }
    }
    bytes
}

/// The blocks of a tree as columns of bytes, and for each of the `paths` how many nodes stand at and below the node's
/// children.
pub fn overview(tree: &Tree, pane: &Pane, paths: &[Vec<u32>]) -> (Vec<u8>, Vec<Vec<u32>>) {
    let sizes = owned_sizes(tree);
    let below = |path: &Vec<u32>| match tree.node_at(path) {
        Some(id) => tree.node(id).children().map(|child| sizes[child as usize]).collect(),
        None => Vec::new(),
    };
    (encoded(&blocks(tree, &sizes, pane), pane), paths.iter().map(below).collect())
}
