//! Min/max approximation: R. L. Rivest, "Game tree searching by min/max approximation", Artificial
//! Intelligence 34 (1988).
//!
//! Every edge has a penalty, which grows with how much worse its move is than the best. The leaf whose edges
//! from the root sum to the least penalty is expanded: with the penalties of equation 12 it is the leaf on which
//! the root's approximated value depends most. A node keeps (Section 3.4)
//!
//! ```text
//!   x    its value, or the generalized mean of its children's, on the penalties' scale
//!   a    the arrow: the child towards the least-penalty leaf; the node itself if it is that leaf
//!   pi   the penalty of that leaf, counted from here: least over the children d of pi(d) + w(d)
//! ```

use super::{GrowthRule, Number, RuleNeeds, Status, Verdict};
use crate::error::{damaged, Error};
use crate::expander::Needs;
use crate::leaves::Leaves;
use crate::numbers::penalties::{of_errors, Logs, Means, Penalty, Scale, Weights};
use crate::params::{Info, Kind, Param, Params};
use crate::spare::{Reused, Room};
use crate::tree::{NodeId, Path, Tree};

/// The rule `minmax-approximation`.
#[derive(Clone, Debug)]
pub struct MinmaxApproximation {
    weights: Weights,
    /// Set once the root, and with it the game's range, is known.
    logs: Logs,
    logit: bool,
    /// The unit of a linear scale, if it is known from before.
    unit: Option<f64>,
    shift: Option<f64>,
    /// Whether solved nodes that have open leaves are left alone.
    closes: bool,
    leaves: Leaves,
    published: bool,
    by_approximation: bool,
    redescends: bool,
    transpositions: bool,
    /// Where the last descent from the root ended, as a place in the path, and the leaves below it since.
    base: Option<(usize, usize)>,
    numbers: Reused<Penalty>,
}

/// The arrow of a node without open leaves.
const NOWHERE: NodeId = NodeId::MAX;

impl MinmaxApproximation {
    /// The rule's entry in the tables.
    pub const INFO: Info = Info {
        name: "minmax-approximation",
        paper: "Rivest 1988",
        summary: "expands the leaf on which the root's value depends most: the one of least penalty",
        params: &[
            Param {
                name: "means",
                default: Kind::Choice(Means::WORDS),
                meaning: "penalties: a constant step and the distance to the best sibling; exact generalized means; their derivatives at minimax values (reverse); probabilities by the moves' scores (floyd)",
            },
            Param {
                name: "p",
                default: Kind::Real(10.0),
                meaning: "exponent of the generalized means: the higher, the deeper and narrower the tree",
            },
            Param {
                name: "step",
                default: Kind::MaybeReal(0.0),
                meaning: "what means=constant charges for a level: 0.05 as published; in the best variant 0.02, and nothing for replies to aligned leaves",
            },
            Param {
                name: "variant",
                default: Kind::Choice(&["best", "published"]),
                meaning: "what is strongest at equal time, or the paper's own form",
            },
            Param {
                name: "leaves",
                default: Kind::MaybeChoice(&["static", "aligned"]),
                meaning: "static values, or at odd plies the best of one move more (best variant)",
            },
            Param {
                name: "scale",
                default: Kind::MaybeChoice(&["log", "logit"]),
                meaning: "penalties by ln v, or by ln(v-low)/(high-v) for a game whose values have ends (best variant)",
            },
            Param {
                name: "shift",
                default: Kind::MaybeReal(f64::NEG_INFINITY),
                meaning: "added to all values before their logarithm; nothing: what makes the game's range positive",
            },
            Param {
                name: "choice",
                default: Kind::Choice(&["minimax", "approximate"]),
                meaning: "the move of the best minimax value, or of the best approximated value (Section 4)",
            },
            Param {
                name: "transpositions",
                default: Kind::Bool(false),
                meaning: "positions reached by different orders of moves share one subtree",
            },
            Param {
                name: "redescend",
                default: Kind::Bool(false),
                meaning: "stay below a chosen leaf until it has more leaves than its depth (Section 6)",
            },
        ],
    };

    /// The rule with these parameters, which have been checked against [`MinmaxApproximation::INFO`].
    pub fn new(params: &Params) -> Result<MinmaxApproximation, Error> {
        let published = params.text("variant") == "published";
        let means = Means::new(params.text("means"));
        let p = params.real("p");
        if p < 1.0 {
            return Err(Error::Argument(format!(
                "p of minmax-approximation must be at least 1, not {p}: below, worse moves would weigh less"
            )));
        }
        let step = params.maybe_real("step").unwrap_or(if published { 0.05 } else { 0.02 });
        let by_variant = |word: &str, best: &str| match params.text(word) {
            "" => !published,
            chosen => chosen == best,
        };
        let aligned = by_variant("leaves", "aligned");
        // a leaf that is valued by its best reply learns nothing from replies: they come free
        let reply = if aligned && !published { 0.0 } else { step };
        Ok(MinmaxApproximation {
            weights: Weights { means, p, step, reply, root_max: true },
            logs: Logs::default(),
            logit: by_variant("scale", "logit"),
            shift: params.maybe_real("shift"),
            closes: !published,
            leaves: if aligned { Leaves::Aligned } else { Leaves::Static },
            published,
            by_approximation: params.text("choice") == "approximate",
            redescends: params.bool("redescend"),
            transpositions: params.bool("transpositions"),
            base: None,
            unit: None,
            numbers: Reused::default(),
        })
    }

    /// The x of an inner node: the generalized mean of its children's, or that of its minimax value.
    #[inline]
    fn x_of(&mut self, tree: &Tree, id: NodeId) -> f64 {
        let known = self.numbers[id as usize].x;
        match self.weights.means {
            Means::Exact => self.mean(tree, id),
            Means::Floyd => known,
            // the value is a child's, which has an x
            Means::Reverse | Means::Constant => self.logs.of(tree.node(id).value).unwrap_or(known),
        }
    }

    fn mean(&self, tree: &Tree, id: NodeId) -> f64 {
        let node = tree.node(id);
        let range = node.children();
        let family = &self.numbers[range.start as usize..range.end as usize];
        self.weights.mean(node.max_to_move(), family)
    }

    /// The pi and the arrow of an inner node with this x, from its children's.
    #[inline]
    fn least_penalty(&self, tree: &Tree, id: NodeId, x: f64) -> (f64, NodeId) {
        let node = tree.node(id);
        if self.closes && node.is_solved() {
            return (f64::INFINITY, NOWHERE);
        }
        let range = node.children();
        let family = &self.numbers[range.start as usize..range.end as usize];
        let (pi, place) = self.weights.least(node.max_to_move(), x, family);
        (pi, place.map_or(NOWHERE, |place| range.start + place))
    }

    /// Recomputes an inner node; its x only if its children's values or solved flags may have changed.
    #[inline]
    fn refresh(&mut self, tree: &Tree, id: NodeId, values: bool) -> bool {
        let at = id as usize;
        let x = if values { self.x_of(tree, id) } else { self.numbers[at].x };
        let (pi, arrow) = self.least_penalty(tree, id, x);
        let fresh = Penalty { x, pi, arrow };
        std::mem::replace(&mut self.numbers[at], fresh) != fresh
    }

    /// The scale for this tree, once the root's moves show how far values lie apart.
    fn scale_for(&self, tree: &Tree) -> Scale {
        let range = tree.value_range();
        if !self.logit {
            return Scale::log(self.shift, range);
        }
        let linear = || match self.unit {
            Some(unit) => Scale::Linear { unit },
            None => Scale::linear(tree.children(tree.root())),
        };
        Scale::logit(range).unwrap_or_else(linear)
    }

    /// The weight of the edge to the node at the end of a path.
    fn weight(&self, tree: &Tree, path: &[NodeId]) -> f64 {
        let [.., parent, id] = *path else { return 0.0 };
        let node = tree.node(parent);
        let range = node.children();
        let family = &self.numbers[range.start as usize..range.end as usize];
        let place = (id - range.start) as usize;
        let mut weights =
            self.weights.of_family(node.max_to_move(), self.numbers[parent as usize].x, family);
        weights.nth(place).unwrap_or(f64::NAN)
    }

    /// The approximated value of a node, in the game's own unit.
    fn value(&self, tree: &Tree, id: NodeId) -> f64 {
        match (self.weights.means, self.logs.scale) {
            (Means::Exact, Scale::Log { shift }) => self.numbers[id as usize].x.exp() - shift,
            (Means::Exact, Scale::Logit { low, high }) => {
                let odds = self.numbers[id as usize].x.exp();
                if odds.is_finite() {
                    (low + high * odds) / (1.0 + odds)
                } else {
                    high
                }
            }
            (Means::Exact, Scale::Linear { unit }) => self.numbers[id as usize].x * unit,
            _ => tree.node(id).value,
        }
    }
}

impl GrowthRule for MinmaxApproximation {
    /// Follows the arrows, from where the last update stopped: above, no number has changed.
    #[inline]
    fn choose(&mut self, tree: &mut Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        if self.numbers[0].arrow == NOWHERE {
            let solved = tree.root().is_solved();
            return Ok(Some(if solved { Status::Proven } else { Status::Converged }));
        }
        if self.numbers[path[path.len() - 1] as usize].arrow == NOWHERE {
            path.truncate(1);
        }
        let mut id = path[path.len() - 1];
        while self.numbers[id as usize].arrow != id {
            id = self.numbers[id as usize].arrow;
            path.push(id);
        }
        if self.redescends && self.base.is_none() {
            self.base = Some((path.len() - 1, 1));
        }
        Ok(None)
    }

    fn initialise(&mut self, tree: &mut Tree, node: Option<NodeId>) -> Result<(), Error> {
        if self.numbers.len() <= 1 {
            self.weights.root_max = tree.root().max_to_move();
            self.logs = Logs::new(self.scale_for(tree), tree.value_range());
        }
        let floyd = self.weights.means == Means::Floyd;
        let first = self.numbers.len();
        for (id, node) in (first as NodeId..).zip(&tree.nodes()[first..]) {
            let x = if floyd { 0.0 } else { self.logs.of(node.value)? };
            let (pi, arrow) = if node.is_terminal() { (f64::INFINITY, NOWHERE) } else { (0.0, id) };
            self.numbers.push(Penalty { x, pi, arrow });
        }
        if let (true, Some(node)) = (floyd, node) {
            let children = tree.node(node).children();
            let within = children.start as usize..children.end as usize;
            for (child, w) in self.numbers[within].iter_mut().zip(of_errors(tree, children)) {
                child.x = w;
            }
        }
        Ok(())
    }

    #[inline]
    fn update(&mut self, tree: &mut Tree, node: NodeId) -> Result<bool, Error> {
        Ok(self.refresh(tree, node, true))
    }

    #[inline]
    fn back_up(&mut self, tree: &mut Tree, path: &mut Path) -> Result<(), Error> {
        let floor = self.base.map_or(0, |(floor, _)| floor);
        if let Some((_, leaves)) = &mut self.base {
            *leaves += tree.children(tree.node(path[path.len() - 1])).len() - 1;
        }
        let approximates = self.weights.means == Means::Exact;
        let mut value = true;
        loop {
            let id = path[path.len() - 1];
            let below = value;
            value = value && tree.back_up(id);
            let numbers = self.refresh(tree, id, below | approximates);
            if path.len() - 1 == floor {
                let Some((depth, leaves)) = self.base else { return Ok(()) };
                if leaves <= depth && self.numbers[id as usize].arrow != NOWHERE {
                    return Ok(()); // down again from here
                }
                // up again: nothing above has been told yet
                (self.base, value) = (None, true);
            }
            // a search that stays below may have been settled meanwhile: the root's arrow may point elsewhere
            if path.len() == 1 || !(value | numbers | self.redescends) {
                return Ok(());
            }
            path.pop();
        }
    }

    fn mirror(&mut self, _: &mut Tree, same: NodeId, node: NodeId) -> Result<(), Error> {
        self.numbers[node as usize] = self.numbers[same as usize];
        Ok(())
    }

    /// A held leaf has no penalty that could be the least.
    fn renew(&mut self, tree: &mut Tree, leaf: NodeId) -> Result<(), Error> {
        let held = tree.node(leaf).is_terminal();
        let numbers = &mut self.numbers[leaf as usize];
        (numbers.pi, numbers.arrow) = if held { (f64::INFINITY, NOWHERE) } else { (0.0, leaf) };
        Ok(())
    }

    fn restart(&mut self) {
        self.base = None;
    }

    /// Carries up what happened below the node that the search stays under.
    fn settle(&mut self, tree: &mut Tree, path: &Path) {
        if self.base.is_some() {
            for &id in path.iter().rev().filter(|id| !tree.node(**id).is_leaf()).collect::<Vec<_>>()
            {
                tree.back_up(id);
                let _ = self.update(tree, id);
            }
        }
    }

    /// The move of the best approximated value, if that is to decide; once the true value is known, one that keeps it.
    fn verdict(&self, tree: &Tree, node: NodeId) -> Verdict {
        if !self.by_approximation || self.weights.means != Means::Exact {
            return Verdict::default();
        }
        let parent = tree.node(node);
        let keeps = |id: &NodeId| !parent.is_solved() || tree.keeps_value(node, *id);
        let x = |id: NodeId| self.numbers[id as usize].x;
        let better = |a: NodeId, b: NodeId| match parent.max_to_move() {
            true if x(b) > x(a) => b,
            false if x(b) < x(a) => b,
            _ => a,
        };
        let children = parent.children();
        let best = children.clone().filter(keeps).reduce(better);
        Verdict::answer(best.map(|best| best - children.start))
    }

    /// Rivest's program kept no positions: it had to move down the tree for every expansion.
    fn needs(&self) -> RuleNeeds {
        let errors = self.weights.means == Means::Floyd;
        RuleNeeds {
            leaves: Needs { leaves: self.leaves, errors, ..Needs::default() },
            shares_positions: self.transpositions,
            walks_down: self.published,
            keeps_path: true,
            ..RuleNeeds::default()
        }
    }

    /// `value` is the approximated one, `w` the weight of the edge to the node; `arrow` and `pi` as in the paper.
    fn numbers(&self, tree: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        let Some(&id) = path.last() else { return Vec::new() };
        let arrow = match self.numbers[id as usize].arrow {
            NOWHERE => Number::Nothing,
            arrow if arrow == id => Number::Word("self"),
            arrow => Number::Real(f64::from(arrow - tree.node(id).children().start)),
        };
        vec![
            ("value", Number::Real(self.value(tree, id))),
            ("w", Number::Real(self.weight(tree, path))),
            ("arrow", arrow),
            ("pi", Number::Real(self.numbers[id as usize].pi)),
        ]
    }

    fn reserve(&mut self, nodes: usize) -> Room {
        self.numbers.try_reserve_exact(nodes)
    }

    fn bytes(&self, _: usize, children: usize) -> usize {
        (self.numbers.len() + children) * BYTES
    }

    /// How far the search is below where it came down, and the unit that the first static values gave.
    fn memory(&self, _: &Tree) -> Vec<u64> {
        let (floor, leaves) = self.base.unwrap_or((0, 0));
        let unit = match self.logs.scale {
            Scale::Linear { unit } => unit,
            _ => 0.0,
        };
        vec![floor as u64, leaves as u64, unit.to_bits()]
    }

    fn remember(&mut self, memory: &[u64]) -> Result<(), Error> {
        let (floor, leaves, unit) = match memory {
            [] => return Ok(()),
            [floor, leaves, unit] => (*floor, *leaves, f64::from_bits(*unit)),
            _ => return Err(damaged("it is another rule's")),
        };
        if (floor | leaves) >> 32 != 0 || !(0.0..f64::INFINITY).contains(&unit) {
            return Err(damaged("impossible penalties"));
        }
        self.base = (leaves > 0).then_some((floor as usize, leaves as usize));
        self.unit = (unit > 0.0).then_some(unit);
        Ok(())
    }

    fn check(&self, tree: &Tree) -> Result<(), String> {
        for id in 0..tree.len() as NodeId {
            let at = id as usize;
            let node = tree.node(id);
            let x = match (self.weights.means, node.is_leaf()) {
                (Means::Floyd, _) => self.numbers[at].x,
                (Means::Exact, false) => self.mean(tree, id),
                _ => self.logs.scale.of(node.value).map_err(|error| error.to_string())?,
            };
            let (pi, arrow) = match (node.is_leaf(), node.is_terminal()) {
                (false, _) => self.least_penalty(tree, id, x),
                (true, false) => (0.0, id),
                (true, true) => (f64::INFINITY, NOWHERE),
            };
            if (Penalty { x, pi, arrow }) != self.numbers[at] {
                return Err(format!("node {id}: penalty or arrow differs from its children's"));
            }
        }
        Ok(())
    }
}

const BYTES: usize = size_of::<Penalty>();
