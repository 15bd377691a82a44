//! Best-first minimax search: R. E. Korf and D. M. Chickering, "Best-first minimax search",
//! Artificial Intelligence 84 (1996).
//!
//! Always expand the principal leaf: from the root, follow the child of the best value for the player
//! to move. Pure best-first ends for ever when that leaf is a finished game. The complete form,
//! our default, looks only at children whose value can still change, and so goes on until the root is
//! solved.

use super::{GrowthRule, Number};
use crate::error::Error;
use crate::params::{Info, Kind, Param, Params};
use crate::search::Status;
use crate::tree::{Node, NodeId, Path, Tree};

/// The rule `best-first`. It has no numbers but the tree's own.
#[derive(Clone, Debug)]
pub struct BestFirst {
    complete: bool,
}

impl BestFirst {
    /// The rule's entry in the tables.
    pub const INFO: Info = Info {
        name: "best-first",
        paper: "Korf and Chickering 1996",
        summary: "expands the principal leaf: the end of the best line for both sides",
        params: &[Param {
            name: "complete",
            default: Kind::Bool(true),
            meaning: "pass over solved subtrees and go on until the root is solved; false: stop at a finished principal leaf",
        }],
    };

    /// The rule with these parameters, which have been checked against [`BestFirst::INFO`].
    pub fn new(params: &Params) -> BestFirst {
        BestFirst { complete: params.bool("complete") }
    }
}

/// The leftmost child of the greatest value for the player to move, among those that count.
#[inline]
fn preferred(max: bool, children: &[Node], counts: impl Fn(&Node) -> bool) -> Option<usize> {
    let mut best = None;
    let mut most = f64::NAN;
    for (place, child) in children.iter().enumerate() {
        let value = child.value_for(max);
        // not (value <= most) rather than value > most: the first candidate meets a NaN
        if counts(child) && !(value <= most) {
            (best, most) = (Some(place), value);
        }
    }
    best
}

impl GrowthRule for BestFirst {
    #[inline]
    fn choose(&mut self, tree: &mut Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        let root = *tree.root();
        if self.complete && root.is_solved() {
            return Ok(Some(Status::Proven));
        }
        let mut id = path.last().copied().unwrap_or(Tree::ROOT);
        loop {
            let node = tree.node(id);
            let children = tree.children(node);
            let place = if self.complete {
                preferred(node.max_to_move(), children, |child| !child.is_solved())
            } else {
                preferred(node.max_to_move(), children, |_| true)
            };
            let Some(place) = place else { break };
            id = node.children().start + place as NodeId;
            path.push(id);
        }
        Ok(if tree.node(id).is_open() {
            None
        } else if root.is_solved() {
            Some(Status::Proven)
        } else {
            Some(Status::Converged)
        })
    }

    #[inline]
    fn initialise(&mut self, _: &mut Tree, _: Option<NodeId>) -> Result<(), Error> {
        Ok(())
    }

    #[inline]
    fn update(&mut self, _: &mut Tree, _: NodeId) -> Result<bool, Error> {
        Ok(false)
    }

    /// `lookahead`: the value for the player who moved into the node; the root has none.
    fn numbers(&self, tree: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        match path {
            [.., parent, id] => {
                let max = tree.node(*parent).max_to_move();
                vec![("lookahead", Number::Real(tree.node(*id).value_for(max)))]
            }
            _ => Vec::new(),
        }
    }
}
