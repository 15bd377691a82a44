//! Trees that come back: from a file, or as a part of a larger tree.

use super::saved::{lacking, Saved};
use super::sharing::Sharing;
use super::{Counts, Growth};
use crate::error::{damaged, Error};
use crate::expander::Expander;
use crate::game::valid;
use crate::growth::{GrowthRule, Status};
use crate::spare::guarded;
use crate::tree::{Node, NodeId, Tree};

impl<R: GrowthRule + ?Sized> Growth<R> {
    /// What is needed to make this tree again.
    pub(super) fn save(&self) -> Saved {
        let tree = &self.tree;
        let expanded = tree.expanded();
        Saved {
            counts: self.counts,
            status: self.status,
            limit: self.limit,
            rule: self.rule.memory(tree),
            path: self.path.clone(),
            sizes: expanded.iter().map(|id| tree.node(*id).children().len() as u16).collect(),
            places: places_of(tree, &expanded),
            expanded,
            values: tree.nodes().iter().map(|node| node.value).collect(),
            marks: tree.nodes().iter().map(Node::marks).collect(),
            errors: tree.errors().to_vec(),
            trace: self.trace.clone(),
        }
    }

    /// The same for the tree below the legal move at a place, as if it had been grown from there. The rule begins
    /// afresh.
    pub(super) fn save_below(&self, place: u32) -> Option<Saved> {
        let tree = &self.tree;
        let first = tree.root().children().start;
        let root = tree.root().children().find(|child| tree.place(*child, first) == place)?;
        if tree.node(root).is_terminal() {
            return None; // over, or foreseen
        }
        let mut inside = vec![NodeId::MAX; tree.len()];
        inside[root as usize] = 0;
        let mut kept = vec![root];
        let (mut expanded, mut parents) = (Vec::new(), Vec::new());
        for parent in tree.inner_below(root) {
            parents.push(parent);
            expanded.push(inside[parent as usize]);
            for child in tree.node(parent).children() {
                inside[child as usize] = kept.len() as NodeId;
                kept.push(child);
            }
        }
        let counts = Counts {
            expansions: expanded.len() as u64,
            nodes: kept.len() as u64,
            move_calls: kept.len() as u64 - 1,
            ..Counts::default()
        };
        let node = |id: &NodeId| tree.node(*id);
        Some(Saved {
            counts,
            status: Status::Budget,
            limit: None,
            rule: Vec::new(),
            path: vec![Tree::ROOT],
            sizes: parents.iter().map(|id| node(id).children().len() as u16).collect(),
            places: places_of(tree, &parents),
            expanded,
            values: kept.iter().map(|id| node(id).value).collect(),
            marks: kept.iter().map(|id| node(id).marks()).collect(),
            errors: match tree.errors().is_empty() {
                true => Vec::new(),
                false => kept.iter().map(|id| tree.error(*id)).collect(),
            },
            trace: None,
        })
    }

    /// A tree as it was saved, for the same game, position and rule; the expander has the root.
    pub fn restore(
        expander: Box<dyn Expander>,
        mut rule: Box<R>,
        root_to_move: bool,
        saved: Saved,
    ) -> Result<Growth<R>, Error> {
        rule.remember(&saved.rule)?;
        let (Some(&value), Some(0)) = (saved.values.first(), saved.marks.first().map(|m| m & 2))
        else {
            return Err(damaged("the game is over at its root"));
        };
        valid(value, true, expander.value_range()).map_err(|_| damaged("an impossible value"))?;
        let tree = Tree::new(Node::leaf(value, root_to_move, false), expander.value_range());
        let mut growth = Growth::with(expander, tree, rule);
        growth.reserve(saved.values.len()).map_err(lacking)?;
        growth.replay(&saved)?;
        growth.set_bounds()?;
        guarded(|| growth.compute(&saved.expanded))??;
        let path = checked_path(&growth.tree, saved.path)?;
        if growth.needs.keeps_path {
            growth.path = path;
        }
        growth.traversed = growth.rule.traversals();
        growth.counts = saved.counts;
        let depth = growth.tree.depth_histogram().len() as u32 - 1;
        growth.counts.depth = growth.counts.depth.max(depth);
        (growth.status, growth.limit, growth.trace) = (saved.status, saved.limit, saved.trace);
        Ok(growth)
    }

    /// Expands the same leaves in the same order, by the same moves.
    fn replay(&mut self, saved: &Saved) -> Result<(), Error> {
        let range = self.tree.value_range();
        let mut plies = vec![0u32];
        plies.try_reserve_exact(saved.values.len()).map_err(lacking)?;
        let mut places = &saved.places[..];
        for (&leaf, &size) in saved.expanded.iter().zip(&saved.sizes) {
            let (first, size) = (self.tree.len(), usize::from(size));
            if leaf as usize >= first || !self.tree.node(leaf).is_open() || size == 0 {
                return Err(damaged("something was expanded that is no open leaf"));
            }
            let end = first + size;
            let (Some(values), Some(marks)) =
                (saved.values.get(first..end), saved.marks.get(first..end))
            else {
                return Err(damaged("it has fewer nodes than expansions need"));
            };
            let moves = match saved.places.is_empty() {
                true => &[],
                false => {
                    let halves = places.split_at_checked(size);
                    let (moves, rest) = halves.ok_or_else(|| damaged("its moves are missing"))?;
                    places = rest;
                    moves
                }
            };
            let keys = self.sharing.is_some();
            self.expander.play(leaf, size, moves, keys, &mut self.family)?;
            for ((new, &value), &marks) in self.family.leaves.iter_mut().zip(values).zip(marks) {
                let terminal = marks & 2 != 0;
                if !terminal && new.terminal {
                    return Err(damaged("a game goes on that is over: is it the same game?"));
                }
                valid(value, true, range).map_err(|_| damaged("an impossible value"))?;
                (new.value, new.terminal) = (value, terminal);
            }
            self.family.places.clear();
            self.family.places.extend_from_slice(moves);
            self.tree.grow(leaf, &self.family);
            for (id, marks) in (first as NodeId..).zip(marks) {
                self.tree.set_marks(id, *marks);
            }
            plies.resize(end, plies[leaf as usize] + 1);
            if let Some(sharing) = &mut self.sharing {
                let ply = plies[leaf as usize] as usize + 1;
                sharing.add(&mut self.tree, leaf, ply, &self.family.keys);
            }
        }
        if self.tree.len() != saved.values.len() || !places.is_empty() && !saved.places.is_empty() {
            return Err(damaged("it has more nodes than expansions make"));
        }
        self.tree.set_marks(Tree::ROOT, saved.marks[0]);
        // a root by itself has no move that could have an error
        if self.needs.leaves.errors && self.tree.len() > 1 {
            if saved.errors.len() != self.tree.len() {
                return Err(damaged("the errors of moves are missing"));
            }
            self.tree.set_errors(saved.errors.clone());
        }
        Ok(())
    }
}

/// The places of all moves among the legal ones, family by family; none if all families are whole and in order.
fn places_of(tree: &Tree, expanded: &[NodeId]) -> Vec<u16> {
    expanded.iter().flat_map(|id| tree.places_of(*id)).copied().collect()
}

/// A path that leads down from the root.
fn checked_path(tree: &Tree, path: Vec<NodeId>) -> Result<Vec<NodeId>, Error> {
    let leads = |step: &[NodeId]| {
        (step[0] as usize) < tree.len() && tree.node(step[0]).children().contains(&step[1])
    };
    if path.first() != Some(&Tree::ROOT) || !path.windows(2).all(leads) {
        return Err(damaged("its path leads nowhere"));
    }
    Ok(path)
}

impl Sharing {
    /// Computes all values and numbers, each for the first of twins; the others get the same.
    pub(super) fn compute<R: GrowthRule + ?Sized>(
        &mut self,
        tree: &mut Tree,
        rule: &mut R,
    ) -> Result<(), Error> {
        self.forget_born();
        for id in tree.bottom_up() {
            if self.leader(id) != id {
                continue;
            }
            tree.back_up(id);
            rule.update(tree, id)?;
            for twin in self.circle(id).filter(|twin| *twin != id).collect::<Vec<_>>() {
                tree.mirror(id, twin);
                rule.mirror(tree, id, twin)?;
            }
        }
        Ok(())
    }
}
