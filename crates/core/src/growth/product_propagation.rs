//! Product propagation: J. Slagle and P. Bursky, "Experiments with a multipurpose, theorem-proving heuristic program"
//! (1968); A. Saffidine and T. Cazenave, "Developments on product propagation" (2013).
//!
//! A node has a chance of being won, PPN. Leaves are thought to be independent, so that chances multiply:
//!
//! | node | p |
//! |---|---|
//! | open leaf | 1/2, or by its static value |
//! | won, lost | 1, 0 |
//! | Max to move | 1 - product of (1 - p) |
//! | Min to move | product of p |
//!
//! Like proof-number search it proves a win or a loss: from the root it goes to the greatest p where Max moves, to the
//! least where Min moves. Both p and q = 1 - p are kept, so that chances near 0 and 1 can be told apart. A proof is
//! never read off p, which can be rounded to 1.

use super::proof_number::answered;
use super::uct::reward;
use super::{GrowthRule, Number, RuleNeeds, Status, Verdict};
use crate::error::Error;
use crate::expander::{Needs, Values};
use crate::numbers::goal::{Goal, GOAL};
use crate::params::{Info, Kind, Param, Params};
use crate::spare::{Reused, Room};
use crate::tree::{Node, NodeId, Path, Tree};

/// The rule `product-propagation`.
pub struct ProductPropagation {
    goal: Goal,
    by_values: bool,
    chances: Reused<Chance>,
}

/// The chances that a node is won and lost for Max; and who wins, once it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Chance {
    p: f64,
    q: f64,
    won: Option<bool>,
}

impl Chance {
    fn new(won: Option<bool>, p: f64, q: f64) -> Chance {
        match won {
            None => Chance { p, q, won },
            Some(true) => Chance { p: 1.0, q: 0.0, won },
            Some(false) => Chance { p: 0.0, q: 1.0, won },
        }
    }

    /// The chance of a player to win, and for ties that of losing.
    #[inline]
    fn own(self, max: bool) -> (f64, f64) {
        if max {
            (self.p, -self.q)
        } else {
            (self.q, -self.p)
        }
    }
}

/// A static value alone never makes a win certain.
const LEAST: f64 = 0.01;
const MOST: f64 = 0.99;

impl ProductPropagation {
    /// The rule's entry in the tables.
    pub const INFO: Info = Info {
        name: "product-propagation",
        paper: "Slagle and Bursky 1968; Saffidine and Cazenave 2013",
        summary:
            "proves a win or a loss: expands the likeliest line, where chances of moves multiply",
        params: &[
            GOAL,
            Param {
                name: "leaves",
                default: Kind::Choice(&["half", "values"]),
                meaning:
                    "the chance of an open leaf: 1/2, or where its static value lies in the range",
            },
        ],
    };

    /// The rule with these parameters, which have been checked against [`ProductPropagation::INFO`].
    pub fn new(params: &Params) -> Result<ProductPropagation, Error> {
        let by_values = params.text("leaves") == "values";
        Ok(ProductPropagation { goal: Goal::new(params), by_values, chances: Reused::default() })
    }

    fn leaf(&self, tree: &Tree, leaf: &Node) -> Chance {
        let won = leaf.is_terminal().then(|| self.goal.is_won(leaf.value));
        let p = match self.by_values {
            true => reward(leaf.value, tree.value_range()).clamp(LEAST, MOST),
            false => 0.5,
        };
        Chance::new(won, p, 1.0 - p)
    }

    fn family(&self, tree: &Tree, id: NodeId) -> Chance {
        let node = tree.node(id);
        let (range, max) = (node.children(), node.max_to_move());
        let (mut product, mut won, mut open) = (1.0, false, false);
        for child in &self.chances[range.start as usize..range.end as usize] {
            product *= if max { child.q } else { child.p };
            won |= child.won == Some(max);
            open |= child.won.is_none();
        }
        let known = match (won, open) {
            (true, _) => Some(max),
            (false, false) => Some(!max),
            _ if node.is_solved_for_good() => Some(self.goal.is_won(node.value)),
            _ => None,
        };
        match max {
            true => Chance::new(known, 1.0 - product, product),
            false => Chance::new(known, product, 1.0 - product),
        }
    }

    /// The likeliest child for the player to move, the leftmost among equals.
    fn likeliest(&self, tree: &Tree, id: NodeId) -> Option<NodeId> {
        let node = tree.node(id);
        let max = node.max_to_move();
        let mut best: Option<((f64, f64), NodeId)> = None;
        for child in node.children() {
            let chance = self.chances[child as usize];
            if chance.won.is_none()
                && !tree.node(child).is_solved()
                && best.is_none_or(|(most, _)| chance.own(max) > most)
            {
                best = Some((chance.own(max), child));
            }
        }
        best.map(|(_, child)| child)
    }
}

impl GrowthRule for ProductPropagation {
    fn choose(&mut self, tree: &mut Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        if self.chances[0].won.is_some() || tree.root().is_solved() {
            return Ok(Some(answered(tree)));
        }
        path.truncate(1);
        let mut id = Tree::ROOT;
        while !tree.node(id).is_leaf() {
            let Some(child) = self.likeliest(tree, id) else { return Ok(Some(Status::Converged)) };
            path.push(child);
            id = child;
        }
        Ok(None)
    }

    fn initialise(&mut self, tree: &mut Tree, _: Option<NodeId>) -> Result<(), Error> {
        if self.chances.is_empty() {
            self.goal.ask(tree.root().max_to_move(), tree.value_range());
        }
        for id in self.chances.len()..tree.len() {
            let leaf = self.leaf(tree, tree.node(id as NodeId));
            self.chances.push(leaf);
        }
        Ok(())
    }

    fn update(&mut self, tree: &mut Tree, node: NodeId) -> Result<bool, Error> {
        let chance = self.family(tree, node);
        Ok(std::mem::replace(&mut self.chances[node as usize], chance) != chance)
    }

    /// The move that is likeliest to be won.
    fn verdict(&self, tree: &Tree, node: NodeId) -> Verdict {
        let parent = tree.node(node);
        let max = parent.max_to_move();
        let key = |id: NodeId| (tree.keeps_value(node, id), self.chances[id as usize].own(max));
        let mut best: Option<NodeId> = None;
        for child in parent.children() {
            if best.is_none_or(|best| key(child) > key(best)) {
                best = Some(child);
            }
        }
        let answer = best.map(|best| best - parent.children().start);
        Verdict { answer, value: None, won: self.chances[node as usize].won }
    }

    fn needs(&self) -> RuleNeeds {
        let values = if self.by_values { Values::Always } else { Values::Never };
        RuleNeeds { leaves: Needs { values, ..Needs::default() }, ..RuleNeeds::default() }
    }

    fn reserve(&mut self, nodes: usize) -> Room {
        self.chances.try_reserve_exact(nodes)
    }

    /// `p` and `q`: the chances that Max wins, and that Max does not.
    fn numbers(&self, _: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        let Some(&id) = path.last() else { return Vec::new() };
        let Chance { p, q, .. } = self.chances[id as usize];
        vec![("p", Number::Real(p)), ("q", Number::Real(q))]
    }

    fn bytes(&self, _: usize, children: usize) -> usize {
        (self.chances.len() + children) * size_of::<Chance>()
    }

    fn check(&self, tree: &Tree) -> Result<(), String> {
        for (id, node) in (0..).zip(tree.nodes()) {
            let fresh = match node.is_leaf() {
                true => self.leaf(tree, node),
                false => self.family(tree, id),
            };
            let kept = self.chances[id as usize];
            if kept != fresh {
                return Err(format!("node {id}: {kept:?} instead of {fresh:?}"));
            }
        }
        Ok(())
    }
}
