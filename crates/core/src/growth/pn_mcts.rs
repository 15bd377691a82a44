//! Proof numbers in Monte Carlo tree search: E. Doe, M. Winands, D. Soemers and C. Browne, "Combining Monte-Carlo Tree
//! Search with Proof-Number Search" (2022); J. Kowalski et al., "Proof Number Based Monte-Carlo Tree Search" (2024) and
//! "Generalized Proof-Number Monte-Carlo Tree Search" (2025).
//!
//! UCT goes where rewards are high or visits few. Here it also goes where a proof needs few leaves: from the root down
//! to the child of the greatest
//!
//! ```text
//!   v_i  +  C sqrt(ln n_p / n_i)  +  C_pn b_i
//!
//!   rank   b_i = 1 - rank_i / number of children           equal numbers share the best of their ranks
//!   max    b_i = 1 - (p_i - p_min) / (1 + p_max - p_min)   0 if p_i is infinite
//!   sum    b_i = 1 - p_i / (1 + sum of finite p_j)         0 if p_i is infinite
//! ```
//!
//! among those that are not solved. Each player has a proof number: p_i is the one of the player to move at the parent,
//! the least number of leaves that must be won for that player to win. A draw is a win for nobody. The rewards of the
//! papers are from -1 to 1, with C = sqrt(2) and C_pn = 1; ours are from 0 to 1, and so the constants are halved.

use super::uct::{best_move, go_down, Uct, PLAYOUTS, SEED};
use super::{GrowthRule, Number, RuleNeeds, Status, Verdict};
use crate::error::Error;
use crate::game::middle;
use crate::numbers::proof_pair::Pair;
use crate::numbers::staircase::INFINITE;
use crate::params::{Info, Kind, Param, Params};
use crate::spare::{Reused, Room};
use crate::tree::{Node, NodeId, Path, Tree};
use std::f64::consts::FRAC_1_SQRT_2;

/// The rule `pn-mcts`.
pub struct PnMcts {
    /// Visits and rewards.
    uct: Uct,
    c_pn: f64,
    term: ProofTerm,
    /// How many leaves must be won for Max to win (`pn`), and for Min (`dn`).
    pairs: Reused<Pair>,
    /// The term b of a node among its siblings.
    bonuses: Reused<f64>,
    /// Room to sort a family's numbers.
    sorted: Vec<u32>,
}

/// How proof numbers become a term from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ProofTerm {
    Rank,
    Max,
    Sum,
}

const NEVER: Pair = Pair { pn: INFINITE, dn: INFINITE };

impl PnMcts {
    /// The rule's entry in the tables.
    pub const INFO: Info = Info {
        name: "pn-mcts",
        paper: "Doe, Winands, Soemers and Browne 2022; Kowalski et al. 2024",
        summary: "expands where rewards are high, visits few, or a proof needs few leaves",
        params: &[
            Param {
                name: "c",
                default: Kind::Real(FRAC_1_SQRT_2),
                meaning: "C: how much few visits count, where a win counts 1",
            },
            Param {
                name: "c_pn",
                default: Kind::Real(0.5),
                meaning: "C_pn: how much a small proof number counts; 0: not at all, as in uct",
            },
            Param {
                name: "pn_term",
                default: Kind::Choice(&["rank", "max", "sum"]),
                meaning: "how proof numbers are compared: by rank, by distance from the least, or by share of the sum",
            },
            PLAYOUTS,
            SEED,
        ],
    };

    /// The rule with these parameters, which have been checked against [`PnMcts::INFO`].
    pub fn new(params: &Params) -> Result<PnMcts, Error> {
        Ok(PnMcts {
            uct: Uct::exploring(params, "c")?,
            c_pn: params.amount("c_pn")?,
            term: match params.text("pn_term") {
                "max" => ProofTerm::Max,
                "sum" => ProofTerm::Sum,
                _ => ProofTerm::Rank,
            },
            pairs: Reused::default(),
            bonuses: Reused::default(),
            sorted: Vec::new(),
        })
    }

    fn leaf(tree: &Tree, leaf: &Node) -> Pair {
        let middle = middle(tree.value_range());
        if leaf.is_held() {
            NEVER
        } else if !leaf.is_terminal() {
            Pair::OPEN
        } else if leaf.value == middle {
            NEVER // a draw
        } else {
            Pair::of_result(leaf.value > middle)
        }
    }

    fn family(&self, tree: &Tree, id: NodeId) -> Pair {
        let node = tree.node(id);
        let range = node.children();
        let pairs = &self.pairs[range.start as usize..range.end as usize];
        Pair::of_family(node.max_to_move(), pairs.iter().copied())
    }

    /// The term of each child of a node. `sorted` is room.
    fn terms<'a>(
        &'a self,
        tree: &Tree,
        id: NodeId,
        sorted: &'a mut Vec<u32>,
    ) -> impl Iterator<Item = f64> + 'a {
        let node = tree.node(id);
        let (range, max) = (node.children(), node.max_to_move());
        let pairs = &self.pairs[range.start as usize..range.end as usize];
        sorted.clear();
        sorted.extend(pairs.iter().map(|pair| pair.own(max)));
        sorted.sort_unstable();
        let finite = &sorted[..sorted.partition_point(|p| *p < INFINITE)];
        let least = finite.first().map_or(0.0, |p| f64::from(*p));
        let most = finite.last().map_or(0.0, |p| f64::from(*p));
        let whole: f64 = match self.term {
            ProofTerm::Sum => finite.iter().map(|p| f64::from(*p)).sum(),
            _ => 0.0,
        };
        let sorted = &*sorted;
        pairs.iter().map(move |pair| {
            let own = pair.own(max);
            match self.term {
                ProofTerm::Rank => {
                    let rank = 1 + sorted.partition_point(|p| *p < own);
                    1.0 - rank as f64 / sorted.len() as f64
                }
                _ if own == INFINITE => 0.0,
                ProofTerm::Max => 1.0 - (f64::from(own) - least) / (1.0 + most - least),
                ProofTerm::Sum => 1.0 - f64::from(own) / (1.0 + whole),
            }
        })
    }
}

impl GrowthRule for PnMcts {
    fn choose(&mut self, tree: &mut Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        let bonus = |child: NodeId| self.c_pn * self.bonuses[child as usize];
        Ok(go_down(tree, path, |id| self.uct.preferred(tree, id, bonus)))
    }

    fn initialise(&mut self, tree: &mut Tree, node: Option<NodeId>) -> Result<(), Error> {
        let known = self.pairs.len();
        let leaves = tree.nodes()[known..].iter().map(|leaf| PnMcts::leaf(tree, leaf));
        self.pairs.extend(leaves);
        self.bonuses.resize(tree.len(), 0.0);
        self.uct.initialise(tree, node)
    }

    fn update(&mut self, tree: &mut Tree, node: NodeId) -> Result<bool, Error> {
        let mut sorted = std::mem::take(&mut self.sorted);
        let mut bonuses = std::mem::take(&mut self.bonuses);
        for (child, term) in tree.node(node).children().zip(self.terms(tree, node, &mut sorted)) {
            bonuses[child as usize] = term;
        }
        (self.sorted, self.bonuses) = (sorted, bonuses);
        let pair = self.family(tree, node);
        let changed = std::mem::replace(&mut self.pairs[node as usize], pair) != pair;
        Ok(self.uct.update(tree, node)? | changed)
    }

    /// A held leaf has a second visit, with the same reward, and nobody can win it.
    fn renew(&mut self, tree: &mut Tree, leaf: NodeId) -> Result<(), Error> {
        self.pairs[leaf as usize] = PnMcts::leaf(tree, tree.node(leaf));
        self.uct.renew(tree, leaf)
    }

    /// Beside those of `uct`: `pn` and `dn`, how many leaves Max and Min must win to win; and the term `bonus`.
    fn numbers(&self, tree: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        let Some(&id) = path.last() else { return Vec::new() };
        let real = |n: u32| Number::Real(if n == INFINITE { f64::INFINITY } else { f64::from(n) });
        let Pair { pn, dn } = self.pairs[id as usize];
        let bonus = Number::Real(self.bonuses[id as usize]);
        let mut numbers = self.uct.numbers(tree, path);
        numbers.extend([("pn", real(pn)), ("dn", real(dn)), ("bonus", bonus)]);
        numbers
    }

    /// A move that wins by proof; else, of those that are not lost by proof, the most visited one.
    fn verdict(&self, tree: &Tree, node: NodeId) -> Verdict {
        let max = tree.node(node).max_to_move();
        let answer = best_move(tree, node, |id| {
            let pair = self.pairs[id as usize];
            (pair.own(max) == 0, pair.own(!max) != 0, self.uct.merit(id, max))
        });
        Verdict { answer, ..self.uct.verdict(tree, node) }
    }

    fn needs(&self) -> RuleNeeds {
        self.uct.needs()
    }

    fn reserve(&mut self, nodes: usize) -> Room {
        self.pairs.try_reserve_exact(nodes)?;
        self.bonuses.try_reserve_exact(nodes)?;
        self.uct.reserve(nodes)
    }

    fn bytes(&self, path: usize, children: usize) -> usize {
        let own = size_of::<Pair>() + size_of::<f64>();
        (self.pairs.len() + children) * own + self.uct.bytes(path, children)
    }

    fn check(&self, tree: &Tree) -> Result<(), String> {
        let mut sorted = Vec::new();
        for (id, node) in (0..).zip(tree.nodes()) {
            let fresh = match node.is_leaf() {
                true => PnMcts::leaf(tree, node),
                false => self.family(tree, id),
            };
            if fresh != self.pairs[id as usize] {
                return Err(format!("node {id}: proof numbers differ from its children's"));
            }
            let mut terms = node.children().zip(self.terms(tree, id, &mut sorted));
            if let Some((child, _)) = terms.find(|(child, b)| *b != self.bonuses[*child as usize]) {
                return Err(format!("node {child}: the term of its proof number is another"));
            }
        }
        self.uct.check(tree)
    }
}
