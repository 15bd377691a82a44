//! Unbounded best-first minimax with completion, and descent: Q. Cohen-Solal, "Learning to play two-player
//! perfect-information games without knowledge" (2020); Q. Cohen-Solal and T. Cazenave, "Minimax strikes back" (2020).
//!
//! Best-first minimax extends the best line, again and again. The papers pass over *resolved* states, whose value can no
//! longer change (completion); count how often each move was selected, n; and write c for 1, 0 or -1 where a resolved
//! state is won, drawn or lost, and 0 elsewhere. For the player to move the child is taken that is greatest by
//!
//! ```text
//!   exploration     (v, -n)      among unresolved ones
//!   safe decision   (c, n, v)
//!   best decision   (c, v, n)
//! ```
//!
//! Unbounded minimax explores from the root. Descent goes on from the leaf that it has just expanded until the line is
//! resolved: every line is played to its end. Both numbers n can be computed from the tree:
//!
//! ```text
//!   node       unbounded minimax    descent
//!   leaf       0                    0                1 if it is held
//!   expanded   1 + sum of n         max(1, sum of n)
//! ```

use super::uct::{best_move, go_down};
use super::{GrowthRule, Number, RuleNeeds, Status, Verdict};
use crate::error::Error;
use crate::game::middle;
use crate::params::{Info, Kind, Param, Params};
use crate::spare::{Reused, Room};
use crate::tree::{Node, NodeId, Path, Tree};

/// The rules `unbounded-minimax` and `descent`.
pub struct UnboundedMinimax<const DESCENT: bool> {
    safe: bool,
    numbers: Reused<Selected>,
    /// For descent: nodes that were expanded, and from which a line goes on; in the order of expansion.
    lines: Vec<NodeId>,
}

/// What the rule knows of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Selected {
    /// How often the move to it was selected.
    n: u32,
    parent: NodeId,
}

const PARAMS: &[Param] = &[Param {
    name: "decision",
    default: Kind::Choice(&["safe", "best"]),
    meaning: "the answer: the move that was explored most often, or the one of the best value",
}];

impl UnboundedMinimax<false> {
    /// The rule's entry in the tables.
    pub const INFO: Info = Info {
        name: "unbounded-minimax",
        paper: "Cohen-Solal 2020",
        summary:
            "expands the end of the best line, and plays the move that was explored most often",
        params: PARAMS,
    };
}

impl UnboundedMinimax<true> {
    /// The rule's entry in the tables.
    pub const INFO: Info = Info {
        name: "descent",
        paper: "Cohen-Solal 2020",
        summary: "plays the best line to the end of the game, again and again",
        params: PARAMS,
    };
}

impl<const DESCENT: bool> UnboundedMinimax<DESCENT> {
    /// The rule with these parameters, which have been checked against its entry.
    pub fn new(params: &Params) -> Result<Self, Error> {
        let safe = params.text("decision") == "safe";
        Ok(UnboundedMinimax { safe, numbers: Reused::default(), lines: Vec::new() })
    }

    fn of_leaf(leaf: &Node) -> u32 {
        u32::from(leaf.is_held())
    }

    fn of_family(&self, node: &Node) -> u32 {
        let below: u32 = node.children().map(|child| self.numbers[child as usize].n).sum();
        if DESCENT {
            below.max(1)
        } else {
            below + 1
        }
    }

    /// The best child that is not resolved, among equal ones that selected least often, then the leftmost.
    fn explored(&self, tree: &Tree, id: NodeId) -> Option<NodeId> {
        let node = tree.node(id);
        let max = node.max_to_move();
        let mut best: Option<(f64, u32, NodeId)> = None;
        for child in node.children().filter(|child| !tree.node(*child).is_solved()) {
            let (v, n) = (tree.node(child).value_for(max), self.numbers[child as usize].n);
            if best.is_none_or(|(most, least, _)| v > most || v == most && n < least) {
                best = Some((v, n, child));
            }
        }
        best.map(|(_, _, child)| child)
    }

    /// The way from the root to a node.
    fn way_to(&self, mut id: NodeId) -> Vec<NodeId> {
        let mut way = vec![id];
        while id != Tree::ROOT {
            id = self.numbers[id as usize].parent;
            way.push(id);
        }
        way.reverse();
        way
    }

    /// Where a line goes on: not below what is resolved, and not where it goes on already, in a batch.
    fn line(&mut self, tree: &Tree) -> Option<Vec<NodeId>> {
        let mut lines = std::mem::take(&mut self.lines);
        let ended = |id: &NodeId| {
            self.way_to(*id).iter().any(|above| tree.node(*above).is_solved_for_good())
        };
        lines.retain(|id| !ended(id));
        self.lines = lines;
        let waits = |id: &&NodeId| {
            let node = tree.node(**id);
            !node.is_solved() && !tree.children(node).iter().any(Node::is_held)
        };
        self.lines.iter().find(waits).map(|id| self.way_to(*id))
    }
}

impl<const DESCENT: bool> GrowthRule for UnboundedMinimax<DESCENT> {
    fn choose(&mut self, tree: &mut Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        let line = if DESCENT { self.line(tree) } else { None };
        let Some(line) = line else {
            return Ok(go_down(tree, path, |id| self.explored(tree, id)));
        };
        path.truncate(1);
        path.extend(line.into_iter().skip(1));
        while let Some(child) = self.explored(tree, path[path.len() - 1]) {
            path.push(child);
        }
        Ok(None)
    }

    fn initialise(&mut self, tree: &mut Tree, node: Option<NodeId>) -> Result<(), Error> {
        self.numbers.resize(tree.len(), Selected { n: 0, parent: Tree::ROOT });
        let Some(id) = node else { return Ok(()) };
        for child in tree.node(id).children() {
            self.numbers[child as usize].parent = id;
        }
        if DESCENT {
            let above = self.numbers[id as usize].parent;
            self.lines.retain(|line| *line != above || id == Tree::ROOT);
            self.lines.push(id);
        }
        Ok(())
    }

    fn update(&mut self, tree: &mut Tree, node: NodeId) -> Result<bool, Error> {
        let n = self.of_family(tree.node(node));
        Ok(std::mem::replace(&mut self.numbers[node as usize].n, n) != n)
    }

    /// A held leaf has been selected.
    fn renew(&mut self, tree: &mut Tree, leaf: NodeId) -> Result<(), Error> {
        self.numbers[leaf as usize].n = Self::of_leaf(tree.node(leaf));
        Ok(())
    }

    /// A resolved win; else, of the moves that are not lost, the one selected most often, or of the best value.
    fn verdict(&self, tree: &Tree, node: NodeId) -> Verdict {
        let max = tree.node(node).max_to_move();
        let draw = middle(tree.value_range());
        let answer = best_move(tree, node, |id| {
            let child = tree.node(id);
            let c = match child.is_solved() && child.value != draw {
                true if (child.value > draw) == max => 1.0,
                true => -1.0,
                false => 0.0,
            };
            let (n, v) = (f64::from(self.numbers[id as usize].n), child.value_for(max));
            if self.safe {
                (c, n, v)
            } else {
                (c, v, n)
            }
        });
        Verdict::answer(answer)
    }

    fn needs(&self) -> RuleNeeds {
        RuleNeeds::default()
    }

    fn reserve(&mut self, nodes: usize) -> Room {
        self.numbers.try_reserve_exact(nodes)
    }

    fn bytes(&self, _: usize, children: usize) -> usize {
        (self.numbers.len() + children) * size_of::<Selected>()
            + (self.lines.len() + 1) * size_of::<NodeId>()
    }

    /// `visits`: how often the move to the node was selected.
    fn numbers(&self, _: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        let Some(&id) = path.last() else { return Vec::new() };
        vec![("visits", Number::Real(f64::from(self.numbers[id as usize].n)))]
    }

    fn check(&self, tree: &Tree) -> Result<(), String> {
        for (id, node) in (0..).zip(tree.nodes()) {
            let fresh = match node.is_leaf() {
                true => Self::of_leaf(node),
                false => self.of_family(node),
            };
            let kept = self.numbers[id as usize];
            if kept.n != fresh {
                return Err(format!("node {id}: selected {} times instead of {fresh}", kept.n));
            }
            let strange = |child: NodeId| self.numbers[child as usize].parent != id;
            if node.children().any(strange) {
                return Err(format!("node {id}: not the parent of its children"));
            }
        }
        Ok(())
    }
}
