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

use super::goal::{Goal, FORESIGHT, GOAL, TIES};
use super::staircase::INFINITE;
use super::{GrowthRule, Number};
use crate::error::Error;
use crate::params::{Info, Kind, Param, Params};
use crate::search::Status;
use crate::tree::{NodeId, Path, Tree};
use std::cmp::Reverse;

/// The two numbers of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub pn: u32,
    pub dn: u32,
}

impl Pair {
    pub const OPEN: Pair = Pair { pn: 1, dn: 1 };
    pub const WON: Pair = Pair { pn: 0, dn: INFINITE };
    pub const LOST: Pair = Pair { pn: INFINITE, dn: 0 };

    pub fn of_result(won: bool) -> Pair {
        if won {
            Pair::WON
        } else {
            Pair::LOST
        }
    }

    /// The numbers of a node from its children's (equation 2).
    #[inline]
    pub fn of_family(max: bool, children: impl Iterator<Item = Pair>) -> Pair {
        let (mut least, mut sum) = (INFINITE, 0);
        for child in children {
            let (one, all) = if max { (child.pn, child.dn) } else { (child.dn, child.pn) };
            least = least.min(one);
            sum = add(sum, all);
        }
        if max {
            Pair { pn: least, dn: sum }
        } else {
            Pair { pn: sum, dn: least }
        }
    }

    /// The number that the player to move wants to be small.
    #[inline]
    pub fn own(self, max: bool) -> u32 {
        if max {
            self.pn
        } else {
            self.dn
        }
    }

    #[inline]
    pub fn is_solved(self) -> bool {
        self.pn == 0 || self.dn == 0
    }
}

/// A sum that is infinite only if a part is: numbers too large to count stay below infinity.
#[inline]
pub(crate) fn add(a: u32, b: u32) -> u32 {
    if a == INFINITE || b == INFINITE {
        INFINITE
    } else {
        a.saturating_add(b).min(INFINITE - 1)
    }
}

/// The rule `proof-number`.
#[derive(Clone, Debug)]
pub struct ProofNumber {
    goal: Goal,
    by_scores: bool,
    foresight: bool,
    transpositions: bool,
    pairs: Vec<Pair>,
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
        Ok(ProofNumber { goal, by_scores, foresight, transpositions, pairs: Vec::new() })
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
        if node.is_terminal() {
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
            self.pairs.push(self.leaf(tree, id as NodeId));
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

    /// A proven move; else the one that is hardest to refute.
    fn answer(&self, tree: &Tree, node: NodeId) -> Option<u32> {
        let parent = tree.node(node);
        let max = parent.max_to_move();
        let key = |id: &NodeId| {
            let pair = self.pairs[*id as usize];
            (Reverse(tree.keeps_value(node, *id)), pair.own(max), Reverse(pair.own(!max)))
        };
        let children = parent.children();
        children.clone().min_by_key(key).map(|best| best - children.start)
    }

    fn won(&self, _: &Tree, node: NodeId) -> Option<bool> {
        let pair = self.pairs[node as usize];
        pair.is_solved().then_some(pair.pn == 0)
    }

    fn uses_errors(&self) -> bool {
        self.by_scores
    }

    fn uses_values(&self, scores: bool) -> bool {
        self.by_scores && !scores
    }

    fn foresees(&self) -> bool {
        self.foresight
    }

    fn shares_positions(&self) -> bool {
        self.transpositions
    }

    /// `pn` and `dn`: the proof and the disproof number.
    fn numbers(&self, _: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        let Some(&id) = path.last() else { return Vec::new() };
        let real = |n: u32| Number::Real(if n == INFINITE { f64::INFINITY } else { f64::from(n) });
        let Pair { pn, dn } = self.pairs[id as usize];
        vec![("pn", real(pn)), ("dn", real(dn))]
    }

    fn bytes(&self) -> usize {
        self.pairs.len() * size_of::<Pair>()
    }

    fn bytes_for(&self, _: usize, children: usize) -> usize {
        children * size_of::<Pair>()
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
