//! Proof-number search: L. V. Allis, M. van der Meulen and H. J. van den Herik, "Proof-number search" (1994), as
//! J. Pawlewicz and R. Hayward (2015) state it in Section 2.1.
//!
//! A node's proof number is the least number of open leaves that must be won for the node to be won, its disproof
//! number the least number that must be lost for it to be lost. They are conspiracy numbers of a game that knows
//! only wins and losses:
//!
//! | node | pn | dn |
//! |---|---|---|
//! | open leaf | 1 | 1 |
//! | won | 0 | infinite |
//! | lost | infinite | 0 |
//! | Max to move | least of the children | sum of the children |
//! | Min to move | sum of the children | least of the children |

use super::{GrowthRule, Number, RuleNeeds, Status, Verdict};
use crate::error::Error;
use crate::expander::{Needs, Values};
use crate::numbers::goal::{Goal, FORESIGHT, GOAL, TIES};
use crate::numbers::proof_pair::Pair;
use crate::numbers::staircase::INFINITE;
use crate::params::{Info, Kind, Param, Params};
use crate::spare::{Reused, Room};
use crate::tree::{NodeId, Path, Tree};
use std::cmp::Reverse;

/// The rule `proof-number`.
#[derive(Clone, Debug)]
pub struct ProofNumber {
    goal: Goal,
    by_scores: bool,
    foresight: bool,
    transpositions: bool,
    pairs: Reused<Pair>,
}

impl ProofNumber {
    /// The rule's entry in the tables.
    pub const INFO: Info = Info {
        name: "proof-number",
        paper: "Allis, van der Meulen and van den Herik 1994",
        summary: "proves a win or a loss: expands where fewest leaves must be won or lost",
        params: &[
            GOAL,
            TIES,
            FORESIGHT,
            Param {
                name: "transpositions",
                default: Kind::Bool(false),
                meaning: "positions reached by different orders of moves share one subtree",
            },
        ],
    };

    /// The rule with these parameters, which have been checked against [`ProofNumber::INFO`].
    pub fn new(params: &Params) -> Result<ProofNumber, Error> {
        let transpositions = params.bool("transpositions");
        let by_scores = params.text(TIES.name) == "scores";
        let foresight = params.bool(FORESIGHT.name);
        let goal = Goal::new(params);
        Ok(ProofNumber { goal, by_scores, foresight, transpositions, pairs: Reused::default() })
    }

    fn family(&self, tree: &Tree, id: NodeId) -> Pair {
        let node = tree.node(id);
        let range = node.children();
        let pairs = &self.pairs[range.start as usize..range.end as usize];
        Pair::of_family(node.max_to_move(), pairs.iter().copied())
    }

    /// The child with the least number for the player to move; then with the least error, if any are known;
    /// then the leftmost.
    #[inline]
    fn most_proving(&self, tree: &Tree, id: NodeId) -> Option<NodeId> {
        let node = tree.node(id);
        let max = node.max_to_move();
        let own = |child: NodeId| self.pairs[child as usize].own(max);
        if self.by_scores {
            return node.children().min_by_key(|&child| (own(child), tree.error(child)));
        }
        node.children().min_by_key(|&child| own(child))
    }

    fn leaf(&self, tree: &Tree, id: NodeId) -> Pair {
        let node = tree.node(id);
        if node.is_held() {
            Pair { pn: INFINITE, dn: INFINITE }
        } else if node.is_terminal() {
            Pair::of_result(self.goal.is_won(node.value))
        } else {
            Pair::OPEN
        }
    }
}

/// How a proof ends: the game's value is known with it, unless the goal lies between its results.
pub(super) fn answered(tree: &Tree) -> Status {
    if tree.root().is_solved() {
        Status::Proven
    } else {
        Status::Decided
    }
}

impl GrowthRule for ProofNumber {
    /// Goes on from where the last update stopped: above, no number has changed.
    #[inline]
    fn choose(&mut self, tree: &mut Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        if self.pairs[0].is_solved() || tree.root().is_solved() {
            return Ok(Some(answered(tree)));
        }
        let mut id = path[path.len() - 1];
        while let Some(child) = self.most_proving(tree, id) {
            id = child;
            path.push(id);
        }
        Ok(None)
    }

    fn initialise(&mut self, tree: &mut Tree, _: Option<NodeId>) -> Result<(), Error> {
        if self.pairs.is_empty() {
            self.goal.ask(tree.root().max_to_move(), tree.value_range());
        }
        for id in self.pairs.len()..tree.len() {
            let leaf = self.leaf(tree, id as NodeId);
            self.pairs.push(leaf);
        }
        Ok(())
    }

    #[inline]
    fn update(&mut self, tree: &mut Tree, node: NodeId) -> Result<bool, Error> {
        let pair = self.family(tree, node);
        Ok(std::mem::replace(&mut self.pairs[node as usize], pair) != pair)
    }

    #[inline]
    fn mirror(&mut self, _: &mut Tree, same: NodeId, node: NodeId) -> Result<(), Error> {
        self.pairs[node as usize] = self.pairs[same as usize];
        Ok(())
    }

    /// A held leaf can be neither won nor lost: both numbers are infinite.
    fn renew(&mut self, tree: &mut Tree, leaf: NodeId) -> Result<(), Error> {
        self.pairs[leaf as usize] = self.leaf(tree, leaf);
        Ok(())
    }

    /// A proven move; else the one that is hardest to refute.
    fn verdict(&self, tree: &Tree, node: NodeId) -> Verdict {
        let parent = tree.node(node);
        let max = parent.max_to_move();
        let key = |id: &NodeId| {
            let pair = self.pairs[*id as usize];
            (Reverse(tree.keeps_value(node, *id)), pair.own(max), Reverse(pair.own(!max)))
        };
        let children = parent.children();
        let answer = children.clone().min_by_key(key).map(|best| best - children.start);
        let pair = self.pairs[node as usize];
        let won = pair.is_solved().then_some(pair.pn == 0);
        Verdict { answer, value: None, won }
    }

    fn needs(&self) -> RuleNeeds {
        let values = if self.by_scores { Values::WithoutScores } else { Values::Never };
        let (errors, foresight) = (self.by_scores, self.foresight);
        RuleNeeds {
            leaves: Needs { values, errors, foresight, ..Needs::default() },
            shares_positions: self.transpositions,
            ..RuleNeeds::default()
        }
    }

    fn reserve(&mut self, nodes: usize) -> Room {
        self.pairs.try_reserve_exact(nodes)
    }

    /// `pn` and `dn`: the proof and the disproof number.
    fn numbers(&self, _: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        let Some(&id) = path.last() else { return Vec::new() };
        let real = |n: u32| Number::Real(if n == INFINITE { f64::INFINITY } else { f64::from(n) });
        let Pair { pn, dn } = self.pairs[id as usize];
        vec![("pn", real(pn)), ("dn", real(dn))]
    }

    fn bytes(&self, _: usize, children: usize) -> usize {
        (self.pairs.len() + children) * size_of::<Pair>()
    }

    fn check(&self, tree: &Tree) -> Result<(), String> {
        for id in 0..tree.len() as NodeId {
            let leaf = tree.node(id).is_leaf();
            let fresh = if leaf { self.leaf(tree, id) } else { self.family(tree, id) };
            if fresh != self.pairs[id as usize] {
                return Err(format!("node {id}: proof numbers differ from its children's"));
            }
        }
        Ok(())
    }
}
