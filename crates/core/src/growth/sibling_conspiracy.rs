//! Sibling conspiracy number search: J. Pawlewicz and R. Hayward, "Sibling conspiracy number search" (2015).
//!
//! For games in which siblings can be compared and other positions cannot. Every step of the search asks how far
//! the root's value could go with a few leaves wrong, up to vmax and down to vmin, and expands a leaf that matters
//! for both (Algorithm 3). LeafFunctions are valued by the errors on the way to them ([`super::functions`]).
//!
//! `evaluation="global"` is the same search with plain static values, for comparison. The search
//! `sibling-conspiracy-table` does the same depth-first, in a table instead of a tree.

use super::proof_number::answered;
use super::{GrowthRule, Number, RuleNeeds, Status, Verdict};
use crate::error::{damaged, Error};
use crate::expander::{Needs, Values};
use crate::numbers::bounds::Side;
use crate::numbers::functions::{below, check_eta, Functions, LeafFunctions};
use crate::numbers::functions::{CAP, DELTA, DMAX, ETA, INTERVAL, PMAX};
use crate::numbers::goal::{Goal, FORESIGHT, GOAL};
use crate::numbers::staircase::{shifted, Step, FAR, INFINITE};
use crate::numbers::triples::Triples;
use crate::params::{Info, Kind, Param, Params};
use crate::scores::UNIT;
use crate::spare::Room;
use crate::tree::{unrank, Node, NodeId, Path, Rank, Tree};
use std::cmp::Reverse;

/// The rule `sibling-conspiracy`.
#[derive(Clone, Debug)]
pub struct SiblingConspiracy {
    /// How many leaves may be wrong above and below: Pmax and Dmax.
    most: [u32; 2],
    strict: bool,
    global: bool,
    by_effort: bool,
    foresight: bool,
    transpositions: bool,
    goal: Goal,
    leaves: LeafFunctions,
    eta: f64,
    numbers: SiblingNumbers,
    /// For every node of the path: vmax and -vmin in its own coordinate.
    targets: Vec<[Rank; 2]>,
    /// How many leaves have been expanded below each child of the root.
    effort: Vec<u64>,
    /// Below which child of the root the leaf chosen last lies, and how often the tree had grown.
    chosen: Option<(NodeId, u64)>,
    known: usize,
}

/// The functions of all nodes: as they are, or for pmax = dmax = 1 the three numbers that are enough.
#[derive(Clone, Debug)]
enum SiblingNumbers {
    Triples(Triples),
    Functions(Box<Functions>),
}

impl SiblingConspiracy {
    /// The rule's entry in the tables.
    pub const INFO: Info = Info {
        name: "sibling-conspiracy",
        paper: "Pawlewicz and Hayward 2015",
        summary: "conspiracy numbers over relative errors of moves: for games that can rank siblings",
        params: &[
            PMAX,
            DMAX,
            DELTA,
            CAP,
            ETA,
            INTERVAL,
            Param {
                name: "evaluation",
                default: Kind::Choice(&["siblings", "global"]),
                meaning: "value leaves by the errors on the way to them, or by their static values (Algorithm 3)",
            },
            Param {
                name: "choice",
                default: Kind::Choice(&["effort", "value"]),
                meaning: "play the move with most expansions below it (Section 2.7), or the one of the best value",
            },
            GOAL,
            FORESIGHT,
            Param {
                name: "transpositions",
                default: Kind::Bool(false),
                meaning: "positions reached by different orders of moves share one subtree",
            },
        ],
    };

    /// The rule with these parameters, which have been checked against [`SiblingConspiracy::INFO`].
    pub fn new(params: &Params) -> Result<SiblingConspiracy, Error> {
        let most = [params.count("pmax"), params.count("dmax")];
        let (delta, eta) = (params.maybe_real("delta"), params.real("eta"));
        let cap = params.count("cap").min(MOST_HEIGHTS);
        check_eta(eta)?;
        let strict = params.text("interval") == "strict";
        let global = params.text("evaluation") == "global";
        let leaves = LeafFunctions::new(global, delta, cap, eta);
        // with static values, heights are compared that the root would never ask for
        let exact = strict || eta > 0.0 || global;
        let numbers = match &leaves {
            LeafFunctions::Siblings(steps) if most == [1, 1] && !exact && Triples::suits(steps) => {
                SiblingNumbers::Triples(Triples::new(steps))
            }
            _ => {
                // greater heights are never compared with each other
                let cap = most[0].max(most[1]).saturating_add(1).min(INFINITE - 1);
                let cap = if exact { INFINITE - 1 } else { cap };
                SiblingNumbers::Functions(Box::new(Functions::new(leaves.clone(), cap, eta)))
            }
        };
        Ok(SiblingConspiracy {
            most,
            strict,
            global,
            by_effort: params.text("choice") == "effort",
            foresight: params.bool(FORESIGHT.name),
            transpositions: params.bool("transpositions"),
            goal: Goal::new(params),
            leaves,
            eta,
            numbers,
            targets: Vec::new(),
            effort: Vec::new(),
            chosen: None,
            known: 0,
        })
    }

    /// vmax and -vmin (equation 6).
    fn interval(&self, tree: &Tree) -> [Rank; 2] {
        Side::BOTH.map(|side| match &self.numbers {
            SiblingNumbers::Triples(triples) => triples.limit(side),
            SiblingNumbers::Functions(functions) => {
                functions.limit(tree, side, self.most[side as usize], self.strict, &self.goal)
            }
        })
    }

    fn minimax(&self, tree: &Tree, id: NodeId, side: Side) -> Rank {
        match &self.numbers {
            SiblingNumbers::Triples(triples) => triples.minimax(id, side),
            SiblingNumbers::Functions(functions) => functions.minimax(tree, id, side, &self.goal),
        }
    }

    /// Whether a node's result is known, as far as the goal goes.
    fn is_solved(&self, tree: &Tree, id: NodeId) -> bool {
        if self.global {
            tree.node(id).is_solved()
        } else {
            self.minimax(tree, id, Side::Up).abs() == FAR
        }
    }

    #[inline]
    fn most_proving(&self, tree: &Tree, node: &Node, targets: [Rank; 2]) -> NodeId {
        let x = targets[usize::from(!node.max_to_move())];
        match &self.numbers {
            SiblingNumbers::Triples(triples) => triples.most_proving(node, x),
            SiblingNumbers::Functions(functions) => {
                functions.most_proving(tree, node, x, &self.goal)
            }
        }
    }

    /// Counts the last expansion, once it has been made.
    fn count_effort(&mut self, tree: &Tree) {
        if let Some((place, _)) = self.chosen.filter(|chosen| chosen.1 < tree.expansions()) {
            self.effort.resize(tree.root().children().len(), 0);
            if let Some(effort) = self.effort.get_mut(place as usize) {
                *effort += 1;
            }
            self.chosen = None;
        }
    }

    /// The value of a side's coordinate as the user sees it.
    fn shown(&self, x: Rank, side: Side) -> f64 {
        if x.abs() == FAR {
            return if (x == FAR) == (side == Side::Up) {
                f64::INFINITY
            } else {
                f64::NEG_INFINITY
            };
        }
        match (self.global, side) {
            (true, _) => unrank(x ^ side.flip()),
            (false, Side::Up) => x as f64 / UNIT,
            (false, Side::Down) => 0.0 - x as f64 / UNIT,
        }
    }
}

/// A leaf cannot count as more leaves than this.
const MOST_HEIGHTS: u32 = 1 << 16;

impl GrowthRule for SiblingConspiracy {
    /// Goes on from where the last update stopped: above, no function has changed, and so the interval has not.
    #[inline]
    fn choose(&mut self, tree: &mut Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        self.count_effort(tree);
        if self.is_solved(tree, Tree::ROOT) || tree.root().is_solved() {
            return Ok(Some(answered(tree)));
        }
        if path.len() == 1 || self.targets.len() < path.len() {
            path.truncate(1);
            self.targets.clear();
            self.targets.push(self.interval(tree));
        }
        self.targets.truncate(path.len());
        let mut id = path[path.len() - 1];
        let mut targets = self.targets[path.len() - 1];
        while !tree.node(id).is_leaf() {
            let node = tree.node(id);
            let child = self.most_proving(tree, node, targets);
            if !self.global {
                targets = below(node.max_to_move(), tree.error(child).into(), targets);
            }
            self.targets.push(targets);
            path.push(child);
            id = child;
        }
        let place = path.get(1).map_or(NodeId::MAX, |id| id - tree.root().children().start);
        self.chosen = Some((place, tree.expansions()));
        Ok(None)
    }

    #[inline]
    fn initialise(&mut self, tree: &mut Tree, _: Option<NodeId>) -> Result<(), Error> {
        if self.known == 0 {
            self.goal.ask(tree.root().max_to_move(), tree.value_range());
        }
        match &mut self.numbers {
            SiblingNumbers::Triples(triples) => triples.grow(tree, &self.goal),
            SiblingNumbers::Functions(functions) => functions.grow(tree, self.known),
        }
        self.known = tree.len();
        Ok(())
    }

    #[inline]
    fn update(&mut self, tree: &mut Tree, node: NodeId) -> Result<bool, Error> {
        Ok(match &mut self.numbers {
            SiblingNumbers::Triples(triples) => triples.update(tree, node),
            SiblingNumbers::Functions(functions) => functions.update(tree, node, &self.goal),
        })
    }

    #[inline]
    fn mirror(&mut self, _: &mut Tree, same: NodeId, node: NodeId) -> Result<(), Error> {
        match &mut self.numbers {
            SiblingNumbers::Triples(triples) => triples.mirror(same, node),
            SiblingNumbers::Functions(functions) => functions.mirror(same, node),
        }
        Ok(())
    }

    fn settle(&mut self, tree: &mut Tree, _: &Path) {
        self.count_effort(tree);
    }

    /// A held leaf cannot change: where it is, its number is 0, and elsewhere infinite.
    fn renew(&mut self, tree: &mut Tree, leaf: NodeId) -> Result<(), Error> {
        match &mut self.numbers {
            SiblingNumbers::Triples(triples) => triples.renew(tree, leaf, &self.goal),
            SiblingNumbers::Functions(functions) => functions.renew(tree, leaf),
        }
        Ok(())
    }

    fn restart(&mut self) {
        self.targets.clear();
        self.chosen = None;
    }

    fn expanded(&mut self, tree: &Tree, path: &[NodeId]) {
        if let Some(child) = path.get(1) {
            let children = tree.root().children();
            self.effort.resize(children.len(), 0);
            self.effort[(child - children.start) as usize] += 1;
        }
    }

    /// A won move; else, among those that are not lost, at the root the one with most expansions below it;
    /// elsewhere, or by choice, the one of the best value; then the one with the least error.
    fn verdict(&self, tree: &Tree, node: NodeId) -> Verdict {
        let parent = tree.node(node);
        let max = parent.max_to_move();
        let side = if max { Side::Up } else { Side::Down };
        let effort = |place: usize| self.effort.get(place).copied().unwrap_or(0);
        let key = |&(place, id): &(usize, NodeId)| {
            let e = if self.global { 0 } else { Rank::from(tree.error(id)) };
            let value = shifted(self.minimax(tree, id, side), -e);
            let solved = self.is_solved(tree, id);
            let end = tree.ends()[usize::from(max)] ^ side.flip();
            let won = solved && (value == FAR || (self.global && value == end));
            let last = if self.by_effort && node == Tree::ROOT {
                Rank::try_from(effort(place)).unwrap_or(Rank::MAX)
            } else {
                value
            };
            let kept = tree.keeps_value(node, id);
            (Reverse(kept), Reverse(won), solved && !self.global, Reverse(last), tree.error(id))
        };
        let best = parent.children().enumerate().min_by_key(key);
        let won = self.is_solved(tree, node).then(|| {
            if self.global {
                self.goal.is_won(tree.node(node).value)
            } else {
                self.minimax(tree, node, Side::Up) == FAR
            }
        });
        Verdict { answer: best.map(|(place, _)| place as u32), value: None, won }
    }

    fn needs(&self) -> RuleNeeds {
        let values = if self.global { Values::Always } else { Values::WithoutScores };
        let (errors, foresight) = (!self.global, self.foresight);
        RuleNeeds {
            leaves: Needs { values, errors, foresight, ..Needs::default() },
            shares_positions: self.transpositions,
            bytes_per_ply: size_of::<[Rank; 2]>(),
            ..RuleNeeds::default()
        }
    }

    /// `p` and `d`: the steps (x, h) of the proof and the disproof function, as the paper has them, from the root's
    /// point of view; `scef`, `minimax`: the node's static and its minimax value; `expansions` below it; for the
    /// root `vmin` and `vmax`, the search interval.
    fn numbers(&self, tree: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        let Some(&id) = path.last() else { return Vec::new() };
        let scef: Rank = path.windows(2).fold(0, |sum, step| {
            let e = Rank::from(tree.error(step[1]));
            sum + if tree.node(step[0]).max_to_move() { -e } else { e }
        });
        let functions = Functions::new(self.leaves.clone(), INFINITE - 1, self.eta);
        let functions = functions.exact(tree, id, &self.goal);
        let steps = |side: Side| {
            let by = if side == Side::Up { scef } else { -scef };
            let by = if self.global { 0 } else { by };
            let seen = |step: &Step| {
                let height = if step.h == INFINITE { f64::INFINITY } else { f64::from(step.h) };
                (self.shown(shifted(step.x, by), side), height)
            };
            Number::Steps(functions.stairs(tree, id, side, &self.goal).iter().map(seen).collect())
        };
        let minimax = functions.minimax(tree, id, Side::Up, &self.goal);
        let by = if self.global { 0 } else { scef };
        let inner = tree.inner_below(id).len();
        let mut numbers = vec![
            ("p", steps(Side::Up)),
            ("d", steps(Side::Down)),
            ("minimax", Number::Real(self.shown(shifted(minimax, by), Side::Up))),
            ("expansions", Number::Real(inner as f64)),
        ];
        if !self.global {
            numbers.push(("scef", Number::Real(self.shown(scef, Side::Up))));
        }
        if id == Tree::ROOT {
            let [up, down] = self.interval(tree);
            numbers.push(("vmin", Number::Real(self.shown(down, Side::Down))));
            numbers.push(("vmax", Number::Real(self.shown(up, Side::Up))));
        }
        numbers
    }

    fn bytes(&self, path: usize, children: usize) -> usize {
        match &self.numbers {
            SiblingNumbers::Triples(triples) => {
                triples.bytes() + children * Triples::BYTES_PER_NODE
            }
            SiblingNumbers::Functions(functions) => {
                let more = if children == 0 { 0 } else { functions.bytes_for(path, children) };
                functions.bytes() + more
            }
        }
    }

    fn reserve(&mut self, nodes: usize) -> Room {
        match &mut self.numbers {
            SiblingNumbers::Triples(triples) => triples.reserve(nodes),
            SiblingNumbers::Functions(functions) => functions.reserve(nodes),
        }
    }

    fn memory(&self, _: &Tree) -> Vec<u64> {
        self.effort.clone()
    }

    fn remember(&mut self, memory: &[u64]) -> Result<(), Error> {
        if memory.len() > 0xFFFF {
            return Err(damaged("too many moves at its root"));
        }
        self.effort = memory.to_vec();
        Ok(())
    }

    fn check(&self, tree: &Tree) -> Result<(), String> {
        let difference = match &self.numbers {
            SiblingNumbers::Triples(triples) => triples.first_difference(tree, &self.goal),
            SiblingNumbers::Functions(functions) => functions.first_difference(tree, &self.goal),
        };
        if let Some(id) = difference {
            return Err(format!("node {id}: functions differ from those of its children"));
        }
        // Fact 3: the functions meet at the minimax value
        for id in 0..tree.len() as NodeId {
            let [up, down] = Side::BOTH.map(|side| self.minimax(tree, id, side));
            let mirrored = if self.global { !down } else { -down };
            if up != mirrored && up.abs() != FAR && down.abs() != FAR {
                return Err(format!("node {id}: the functions meet at {up} and at {mirrored}"));
            }
        }
        Ok(())
    }
}
