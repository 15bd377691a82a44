//! Trees that come back: from a file, or as a part of a larger tree.

use super::saved::Saved;
use super::sharing::Sharing;
use super::{Counts, Growth, Status};
use crate::error::{damaged, Error};
use crate::game::{check_moves, valid, Game};
use crate::growth::GrowthRule;
use crate::tree::{Node, NodeId, Tree};
use std::sync::Arc;

impl<G: Game, R: GrowthRule> Growth<G, R> {
    /// What is needed to make this tree again.
    pub(super) fn save(&self) -> Saved {
        let nodes = self.tree.nodes();
        Saved {
            counts: self.counts,
            status: self.status,
            limit: self.limit,
            rule: self.rule.memory(&self.tree),
            path: self.path.clone(),
            expanded: self.tree.expanded(),
            values: nodes.iter().map(|node| node.value).collect(),
            terminal: nodes.iter().map(Node::is_terminal).collect(),
            errors: self.tree.errors().to_vec(),
            trace: self.trace.clone(),
        }
    }

    /// The same for the tree below a child of the root, as if it had been grown from there. The rule begins
    /// afresh.
    pub(super) fn save_below(&self, place: u32) -> Option<Saved> {
        let root = self.tree.root().children().nth(place as usize)?;
        let tree = &self.tree;
        if tree.node(root).is_terminal() {
            return None; // over, or foreseen
        }
        let mut inside = vec![NodeId::MAX; tree.len()];
        inside[root as usize] = 0;
        let mut kept = vec![root];
        let mut expanded = Vec::new();
        for parent in tree.inner_below(root) {
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
        let errors = tree.errors();
        Some(Saved {
            counts,
            status: Status::Budget,
            limit: None,
            rule: Vec::new(),
            path: vec![Tree::ROOT],
            expanded,
            values: kept.iter().map(|id| node(id).value).collect(),
            terminal: kept.iter().map(|id| node(id).is_terminal()).collect(),
            errors: match errors.is_empty() {
                true => Vec::new(),
                false => kept.iter().map(|id| tree.error(*id)).collect(),
            },
            trace: None,
        })
    }

    /// A tree as it was saved, for the same game, position and rule.
    pub(super) fn restore(
        game: Arc<G>,
        position: G::Position,
        mut rule: R,
        saved: Saved,
    ) -> Result<Growth<G, R>, Error> {
        rule.remember(&saved.rule)?;
        let (Some(&value), Some(&false)) = (saved.values.first(), saved.terminal.first()) else {
            return Err(damaged("the game is over at its root"));
        };
        valid(value, true, game.value_range()).map_err(|_| damaged("an impossible value"))?;
        let root = Node::leaf(value, game.max_to_move(&position), false);
        let tree = Tree::new(root, game.value_range());
        let mut growth = Growth::with(game, tree, vec![position], rule);
        growth.replay(&saved)?;
        growth.set_bounds()?;
        growth.compute(&saved.expanded)?;
        let path = checked_path(&growth.tree, saved.path)?;
        if growth.rule.keeps_path(&path) {
            growth.path = path;
        }
        growth.traversed = growth.rule.traversals();
        growth.counts = saved.counts;
        let depth = growth.tree.depth_histogram().len() as u32 - 1;
        growth.counts.depth = growth.counts.depth.max(depth);
        (growth.status, growth.limit, growth.trace) = (saved.status, saved.limit, saved.trace);
        Ok(growth)
    }

    /// Expands the same leaves in the same order.
    fn replay(&mut self, saved: &Saved) -> Result<(), Error> {
        let range = self.tree.value_range();
        let mut plies = vec![0usize];
        for &leaf in &saved.expanded {
            let first = self.tree.len();
            if leaf as usize >= first || !self.tree.node(leaf).is_open() {
                return Err(damaged("something was expanded that is no open leaf"));
            }
            self.moves.clear();
            self.game.moves(&self.positions[leaf as usize], &mut self.moves)?;
            check_moves(self.moves.len())?;
            let end = first + self.moves.len();
            let (Some(values), Some(terminal)) =
                (saved.values.get(first..end), saved.terminal.get(first..end))
            else {
                return Err(damaged("it has fewer nodes than expansions need"));
            };
            let mut children = Vec::with_capacity(values.len());
            self.keys.clear();
            for ((mv, &value), &terminal) in self.moves.iter().zip(values).zip(terminal) {
                let position = self.game.play(&self.positions[leaf as usize], mv)?;
                if !terminal && self.game.outcome(&position)?.is_some() {
                    return Err(damaged("a game goes on that is over: is it the same game?"));
                }
                valid(value, true, range).map_err(|_| damaged("an impossible value"))?;
                children.push(Node::leaf(value, self.game.max_to_move(&position), terminal));
                if self.sharing.is_some() {
                    self.keys.push(if terminal { None } else { self.game.key(&position)? });
                }
                self.positions.push(position);
            }
            self.tree.expand(leaf, children.into_iter());
            plies.resize(end, plies[leaf as usize] + 1);
            if let Some(sharing) = &mut self.sharing {
                sharing.add(&mut self.tree, leaf, plies[leaf as usize] + 1, &self.keys);
            }
        }
        if self.tree.len() != saved.values.len() {
            return Err(damaged("it has more nodes than expansions make"));
        }
        if self.uses_errors {
            if saved.errors.len() != self.tree.len() {
                return Err(damaged("the errors of moves are missing"));
            }
            self.tree.set_errors(saved.errors.clone());
        }
        Ok(())
    }

    /// Asks the evaluator again what it knows of open leaves beyond their values.
    pub(super) fn set_bounds(&mut self) -> Result<(), Error> {
        if !(self.uses_values && self.game.gives_bounds()) {
            return Ok(());
        }
        for id in (0..self.tree.len() as NodeId)
            .filter(|&id| self.tree.node(id).is_open())
            .collect::<Vec<_>>()
        {
            if let Some(bounds) = self.game.bounds(&self.positions[id as usize]) {
                bounds.check(self.tree.node(id).value)?;
                self.tree.set_leaf_bounds(id, &bounds);
            }
        }
        Ok(())
    }

    /// Computes values and numbers from the leaves, which were expanded in this order.
    pub(super) fn compute(&mut self, expanded: &[NodeId]) -> Result<(), Error> {
        let Growth { tree, rule, sharing, .. } = self;
        rule.initialise(tree, None)?;
        for &id in expanded {
            rule.initialise(tree, Some(id))?;
        }
        match sharing {
            Some(sharing) => sharing.compute(tree, rule),
            None => {
                for id in tree.bottom_up() {
                    tree.back_up(id);
                    rule.update(tree, id)?;
                }
                Ok(())
            }
        }
    }
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
    fn compute<R: GrowthRule>(&mut self, tree: &mut Tree, rule: &mut R) -> Result<(), Error> {
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
