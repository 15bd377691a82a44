//! Sibling conspiracy number search: J. Pawlewicz and R. Hayward, "Sibling conspiracy number search" (2015).
//!
//! For games in which siblings can be compared and other positions cannot. Every step of the search asks how far
//! the root's value could go with a few leaves wrong, up to vmax and down to vmin, and expands a leaf that matters
//! for both (Algorithm 3). Leaves are valued by the errors on the way to them ([`super::functions`]).
//!
//! `evaluation="global"` is the same search with plain static values, for comparison. `anchor` joins the two, beyond the
//! paper and in a table only: see the frames of the depth-first search.

use super::bounds::Side;
use super::functions::{below, check_eta, Functions, Leaves};
use super::goal::{Goal, EPSILON, FORESIGHT, GOAL, THREADS};
use super::proof_number::answered;
use super::staircase::{shifted, Step, FAR, INFINITE};
use super::triples::Triples;
use super::{GrowthRule, Number};
use crate::error::{damaged, Error};
use crate::params::{Info, Kind, Param, Params};
use crate::scores::UNIT;
use crate::search::Status;
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
    leaves: Leaves,
    eta: f64,
    numbers: Numbers,
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
enum Numbers {
    Triples(Triples),
    Functions(Box<Functions>),
}

const fn count(name: &'static str, meaning: &'static str) -> Param {
    Param { name, default: Kind::Count(1, 1), meaning }
}

impl SiblingConspiracy {
    /// The rule's entry in the tables.
    pub const INFO: Info = Info {
        name: "sibling-conspiracy",
        paper: "Pawlewicz and Hayward 2015",
        summary: "conspiracy numbers over relative errors of moves: for games that can rank siblings",
        params: &[
            count("pmax", "how many leaves may be wrong for the root's value to rise to vmax"),
            count("dmax", "how many leaves may be wrong for the root's value to fall to vmin"),
            Param {
                name: "delta",
                default: Kind::MaybeReal(0.0),
                meaning: "a leaf that must rise by delta log2(i) counts as i leaves (equation 14); nothing: as one (equation 4)",
            },
            Param {
                name: "cap",
                default: Kind::Int(16, 1),
                meaning: "with delta: as how many leaves a leaf can count",
            },
            Param {
                name: "eta",
                default: Kind::Real(0.0),
                meaning: "steps of a function that differ by a part of eta or less become one (equation 7)",
            },
            Param {
                name: "interval",
                default: Kind::Choice(&["literal", "strict"]),
                meaning: "equation 6 as it stands, or with pmax and dmax raised until the interval is not empty",
            },
            Param {
                name: "evaluation",
                default: Kind::Choice(&["siblings", "global"]),
                meaning: "value leaves by the errors on the way to them, or by their static values (Algorithm 3)",
            },
            Param {
                name: "anchor",
                default: Kind::MaybeReal(0.0),
                meaning: "with a table: once a move's position has been expanded, its error is so many times the difference of static values; nothing: it stays what scores say (equation 12)",
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
            Param {
                name: "table_bytes",
                default: Kind::MaybeInt(1024),
                meaning: "search depth-first with a table of so much memory instead of a tree",
            },
            EPSILON,
            THREADS,
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
        if params.maybe_real("anchor").is_some() {
            return Err(Error::Argument("anchor needs a table: give table_bytes too".into()));
        }
        let leaves = Leaves::new(global, delta, cap, eta);
        // with static values, heights are compared that the root would never ask for
        let exact = strict || eta > 0.0 || global;
        let numbers = match &leaves {
            Leaves::Siblings(steps) if most == [1, 1] && !exact && Triples::suits(steps) => {
                Numbers::Triples(Triples::new(steps))
            }
            _ => {
                // greater heights are never compared with each other
                let cap = most[0].max(most[1]).saturating_add(1).min(INFINITE - 1);
                let cap = if exact { INFINITE - 1 } else { cap };
                Numbers::Functions(Box::new(Functions::new(leaves.clone(), cap, eta)))
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
            Numbers::Triples(triples) => triples.limit(side),
            Numbers::Functions(functions) => {
                functions.limit(tree, side, self.most[side as usize], self.strict, &self.goal)
            }
        })
    }

    fn minimax(&self, tree: &Tree, id: NodeId, side: Side) -> Rank {
        match &self.numbers {
            Numbers::Triples(triples) => triples.minimax(id, side),
            Numbers::Functions(functions) => functions.minimax(tree, id, side, &self.goal),
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
            Numbers::Triples(triples) => triples.most_proving(node, x),
            Numbers::Functions(functions) => functions.most_proving(tree, node, x, &self.goal),
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
            Numbers::Triples(triples) => triples.grow(tree, &self.goal),
            Numbers::Functions(functions) => functions.grow(tree, self.known),
        }
        self.known = tree.len();
        Ok(())
    }

    #[inline]
    fn update(&mut self, tree: &mut Tree, node: NodeId) -> Result<bool, Error> {
        Ok(match &mut self.numbers {
            Numbers::Triples(triples) => triples.update(tree, node),
            Numbers::Functions(functions) => functions.update(tree, node, &self.goal),
        })
    }

    #[inline]
    fn mirror(&mut self, _: &mut Tree, same: NodeId, node: NodeId) -> Result<(), Error> {
        match &mut self.numbers {
            Numbers::Triples(triples) => triples.mirror(same, node),
            Numbers::Functions(functions) => functions.mirror(same, node),
        }
        Ok(())
    }

    fn settle(&mut self, tree: &mut Tree, _: &Path) {
        self.count_effort(tree);
    }

    /// A won move; else, among those that are not lost, at the root the one with most expansions below it;
    /// elsewhere, or by choice, the one of the best value; then the one with the least error.
    fn answer(&self, tree: &Tree, node: NodeId) -> Option<u32> {
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
        best.map(|(place, _)| place as u32)
    }

    fn won(&self, tree: &Tree, node: NodeId) -> Option<bool> {
        self.is_solved(tree, node).then(|| {
            if self.global {
                self.goal.is_won(tree.node(node).value)
            } else {
                self.minimax(tree, node, Side::Up) == FAR
            }
        })
    }

    fn uses_errors(&self) -> bool {
        !self.global
    }

    fn uses_values(&self, scores: bool) -> bool {
        self.global || !scores
    }

    fn foresees(&self) -> bool {
        self.foresight
    }

    fn shares_positions(&self) -> bool {
        self.transpositions
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

    fn bytes(&self) -> usize {
        match &self.numbers {
            Numbers::Triples(triples) => triples.bytes(),
            Numbers::Functions(functions) => functions.bytes(),
        }
    }

    fn bytes_for(&self, path: usize, children: usize) -> usize {
        match &self.numbers {
            Numbers::Triples(_) => children * Triples::BYTES_PER_NODE,
            Numbers::Functions(functions) => functions.bytes_for(path, children),
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
            Numbers::Triples(triples) => triples.first_difference(tree, &self.goal),
            Numbers::Functions(functions) => functions.first_difference(tree, &self.goal),
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
