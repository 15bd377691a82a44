//! Relevance: expand the leaf whose being wrong matters most for the decision. E. B. Baum and W. D. Smith, "A Bayesian
//! approach to relevance in game playing", Artificial Intelligence 97 (1997).
//!
//! Every node has a distribution of outcomes, S ([`crate::numbers::distributions`]). The influence of a leaf on its root
//! move is, for each threshold k, the derivative `g_k` of the move's `S_k`: the product over the way down of
//!
//! ```text
//!   d node / d child j = (1 - rho) * prod_{i != j} q_i + rho * [j is the first minimum],   q = 1 - S at Max nodes, else S
//! ```
//!
//! If the leaf turns out to be y, `S_k` of its root move changes by `g_k * ([y >= k] - S_k)`, and so what the player to
//! move expects. The relevance is the mean of the change's size, over y by the leaf's own distribution.
//!
//! Baum and Smith expand the most relevant leaves together, in gulps. A gulp is found without a look at every leaf: each
//! node keeps its *reach*, a bound for the leaves below ([`Stake::bound`]), so that whole subtrees can be passed over. The
//! leaves are the same as by a look at all. S is needed for the next gulp only: until then nodes wait, and those that
//! several leaves of a gulp share are recomputed once.

mod descent;

use super::uct::best_move;
use super::{GrowthRule, Number, RuleNeeds, Status, Verdict};
use crate::error::{damaged, Error};
use crate::expander::Needs;
use crate::leaves::Leaves;
use crate::numbers::distributions::{best_of, Certainty, LeafRows};
use crate::numbers::stakes::{derive, reach_of, reach_of_leaf, Measure, Stake};
use crate::params::{Info, Kind, Param, Params};
use crate::spare::{Reused, Room};
use crate::tree::{NodeId, Path, Tree};
use descent::Descent;
use std::collections::BinaryHeap;

/// The rule `relevance`.
pub struct Relevance {
    measure: Measure,
    gulp: f64,
    rho: Option<f64>,
    root_rho: Option<f64>,
    /// Whether the answer is the move with the best value.
    by_value: bool,
    /// What the values of leaves are.
    valued: Leaves,
    certainty: Option<Certainty>,
    /// Whether that tells fewer outcomes apart than the model that it was given.
    is_coarse: bool,
    /// The same for new leaves.
    leaves: Option<LeafRows>,
    /// What it is worth to pass each threshold.
    weights: Vec<f64>,
    /// S of all nodes, K numbers each.
    s: Reused<f64>,
    /// The reach of all nodes, K numbers each.
    reach: Reused<f64>,
    places: Reused<Place>,
    /// Inner nodes of which S and reach are out of date. Parents come before their children, so the last one is next.
    waiting: BinaryHeap<NodeId>,
    open: u64,
    /// The rest of the last gulp, the most relevant last.
    gulped: Vec<NodeId>,
    /// The least relevance that the last gulp took.
    bar: f64,
    scratch: Descent,
}

/// Where a node is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Place {
    parent: NodeId,
    ply: u32,
}

impl Relevance {
    /// The rule's entry in the tables.
    pub const INFO: Info = Info {
        name: "relevance",
        paper: "Baum and Smith 1997",
        summary: "expands the leaf whose being wrong would change most of what the player to move expects",
        params: &[
            Param {
                name: "measure",
                default: Kind::Choice(&["step", "qss"]),
                meaning: "what must change: what the player to move expects ('step'), or what deciding later would gain ('qss')",
            },
            Param {
                name: "gulp",
                default: Kind::Real(0.02),
                meaning: "the part of all open leaves that is expanded for one look at their relevance; 0: one leaf",
            },
            Param {
                name: "rho",
                default: Kind::MaybeReal(0.0),
                meaning: "the dependence between siblings; None: as the error model says",
            },
            Param {
                name: "root_rho",
                default: Kind::MaybeReal(0.0),
                meaning: "the same between the root's moves, for the choice; None: as the error model says",
            },
            Param {
                name: "choice",
                default: Kind::Choice(&["probability", "value"]),
                meaning: "the answer: the move that is likeliest a best one, or the one with the best value",
            },
            Param {
                name: "leaves",
                default: Kind::Choice(&["static", "aligned"]),
                meaning: "by what leaves are judged: their static values, or those with the same player to move throughout",
            },
        ],
    };

    /// The rule with these parameters, which have been checked against [`Relevance::INFO`].
    pub fn new(params: &Params) -> Result<Relevance, Error> {
        let part = |name: &str, amount: f64| match (0.0..=1.0).contains(&amount) {
            true => Ok(amount),
            false => Err(Error::Argument(format!("{name} must lie within 0 and 1, not {amount}"))),
        };
        let maybe = |name| params.maybe_real(name).map(|rho| part(name, rho)).transpose();
        let aligned = params.text("leaves") == "aligned";
        let measure = if params.text("measure") == "qss" { Measure::Qss } else { Measure::Step };
        let rule = Relevance::unknowing(measure, part("gulp", params.real("gulp"))?);
        let leaves = if aligned { Leaves::Aligned } else { Leaves::Static };
        let (rho, root_rho) = (maybe("rho")?, maybe("root_rho")?);
        let by_value = params.text("choice") == "value";
        Ok(Relevance { rho, root_rho, by_value, valued: leaves, ..rule })
    }

    /// The numbers of the rule for a tree that another one has grown, by what deciding later would gain.
    pub(super) fn of_tree(tree: &Tree, certainty: &Certainty) -> Relevance {
        let mut rule = Relevance::unknowing(Measure::Qss, 0.0);
        rule.learn(certainty.clone());
        rule.s = certainty.distributions(tree).into();
        rule.reach = rule.reaches(tree, certainty.rho).into();
        rule.places.resize(tree.len(), Place::default());
        for (id, node) in (0..).zip(tree.nodes()) {
            let ply = rule.places[id as usize].ply + 1;
            for child in node.children().filter(|child| *child > id) {
                rule.places[child as usize] = Place { parent: id, ply };
            }
        }
        rule
    }

    /// A rule that has not been told anything yet.
    fn unknowing(measure: Measure, gulp: f64) -> Relevance {
        Relevance {
            measure,
            gulp,
            rho: None,
            root_rho: None,
            by_value: false,
            valued: Leaves::Static,
            certainty: None,
            is_coarse: false,
            leaves: None,
            weights: Vec::new(),
            s: Reused::default(),
            reach: Reused::default(),
            places: Reused::default(),
            waiting: BinaryHeap::new(),
            open: 0,
            gulped: Vec::new(),
            bar: 0.0,
            scratch: Descent::default(),
        }
    }

    fn learn(&mut self, certainty: Certainty) {
        self.weights = certainty.model.weights();
        self.scratch.joined = vec![0.0; self.weights.len()];
        self.scratch.through = vec![0.0; self.weights.len()];
        self.leaves = Some(LeafRows::of(&certainty));
        self.certainty = Some(certainty);
    }

    /// The certainty, which [`GrowthRule::inform`] has brought before anything else.
    fn certainty(&self) -> Result<&Certainty, Error> {
        self.certainty.as_ref().ok_or_else(no_model)
    }

    fn width(&self) -> usize {
        self.weights.len()
    }

    pub(super) fn s_of(&self, id: NodeId) -> &[f64] {
        let at = id as usize * self.width();
        &self.s[at..at + self.width()]
    }

    pub(super) fn family_of(&self, tree: &Tree, id: NodeId) -> &[f64] {
        let children = tree.node(id).children();
        &self.s[children.start as usize * self.width()..children.end as usize * self.width()]
    }

    /// The reach of all nodes, from the leaves.
    fn reaches(&self, tree: &Tree, rho: f64) -> Vec<f64> {
        let width = self.width();
        let mut reach = vec![0.0; tree.len() * width];
        for (at, _) in tree.nodes().iter().enumerate().filter(|(_, node)| node.is_open()) {
            let at = at * width;
            reach_of_leaf(&self.s[at..at + width], &mut reach[at..at + width]);
        }
        let (mut derivatives, mut own) = (Vec::new(), vec![0.0; width]);
        for id in tree.bottom_up().into_iter().filter(|id| !tree.node(*id).is_solved_for_good()) {
            let (node, at) = (tree.node(id), id as usize * width);
            let (family, max) = (self.family_of(tree, id), node.max_to_move());
            derive::<0>(family, width, max, rho, &mut derivatives, &mut own);
            let below =
                node.children().start as usize * width..node.children().end as usize * width;
            reach_of(&derivatives, &reach[below], width, &mut own);
            reach[at..at + width].copy_from_slice(&own);
        }
        reach
    }

    /// Recomputes S and reach of an inner node from its children's; tells whether any changed.
    #[inline(always)]
    fn refresh<const K: usize>(&mut self, tree: &Tree, id: NodeId) -> bool {
        let width = if K == 0 { self.width() } else { K };
        let Relevance { certainty: Some(certainty), s, reach, scratch, .. } = self else {
            return false;
        };
        let (node, at) = (tree.node(id), id as usize * width);
        let Descent { joined, through, derivatives, .. } = scratch;
        let (joined, through) = (&mut joined[..width], &mut through[..width]);
        if node.is_solved_for_good() {
            certainty.model.write(id, node, 0.0, joined);
            through.fill(0.0);
        } else {
            let children = node.children();
            let (first, end) = (children.start as usize * width, children.end as usize * width);
            let (max, rho) = (node.max_to_move(), certainty.rho);
            derive::<K>(&s[first..end], width, max, rho, derivatives, joined);
            reach_of(derivatives, &reach[first..end], width, through);
        }
        let (kept, kept_reach) = (&mut s[at..at + width], &mut reach[at..at + width]);
        let changed = kept != joined || kept_reach != through;
        kept.copy_from_slice(joined);
        kept_reach.copy_from_slice(through);
        changed
    }

    /// Recomputes all nodes that wait.
    fn recompute(&mut self, tree: &Tree) {
        match self.width() {
            1 => self.recompute_in::<1>(tree),
            2 => self.recompute_in::<2>(tree),
            8 => self.recompute_in::<8>(tree),
            _ => self.recompute_in::<0>(tree),
        }
    }

    fn recompute_in<const K: usize>(&mut self, tree: &Tree) {
        while let Some(id) = self.waiting.pop() {
            while self.waiting.peek() == Some(&id) {
                self.waiting.pop();
            }
            if self.refresh::<K>(tree, id) && id != Tree::ROOT {
                self.waiting.push(self.places[id as usize].parent);
            }
        }
    }

    /// The way from the root to a node; nothing if it leads through a solved one.
    pub(super) fn way(&self, tree: &Tree, mut id: NodeId, path: &mut Path) -> bool {
        path.clear();
        if id as usize >= tree.len() || !tree.node(id).is_open() {
            return false; // from a file that says so
        }
        loop {
            if tree.node(id).is_solved() {
                return false;
            }
            path.push(id);
            if id == Tree::ROOT {
                path.reverse();
                return true;
            }
            id = self.places[id as usize].parent;
        }
    }

    /// The influence of the node at the end of a path on its root move.
    pub(super) fn influence(&self, tree: &Tree, path: &[NodeId]) -> Vec<f64> {
        let rho = self.certainty.as_ref().map_or(0.0, |certainty| certainty.rho);
        let mut g = vec![1.0; self.width()];
        let (mut derivatives, mut joined) = (Vec::new(), vec![0.0; self.width()]);
        for step in path.windows(2).skip(1) {
            let node = tree.node(step[0]);
            let (family, max) = (self.family_of(tree, step[0]), node.max_to_move());
            derive::<0>(family, self.width(), max, rho, &mut derivatives, &mut joined);
            let place = (step[1] - node.children().start) as usize;
            for (k, g) in g.iter_mut().enumerate() {
                *g *= derivatives[place * self.width() + k];
            }
        }
        g
    }
}

fn no_model() -> Error {
    Error::Argument(
        "relevance needs an error model of the evaluator: make one with `conspirator calibrate`, \
         or give one as error_model="
            .into(),
    )
}

impl GrowthRule for Relevance {
    fn inform(&mut self, certainty: &Certainty) {
        let mut certainty = certainty.clone();
        certainty.rho = self.rho.unwrap_or(certainty.rho);
        certainty.root_rho = self.root_rho.unwrap_or(certainty.root_rho);
        if let Some(coarse) = certainty.model.coarse() {
            (certainty.model, self.is_coarse) = (coarse.clone(), true);
        }
        self.learn(certainty);
    }

    fn root_family(&self, tree: &Tree) -> Option<(&Certainty, Vec<f64>)> {
        let known = self.certainty.as_ref().filter(|_| !self.is_coarse)?;
        Some((known, self.family_of(tree, Tree::ROOT).to_vec()))
    }

    fn choose(&mut self, tree: &mut Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        if tree.root().is_solved() {
            return Ok(Some(Status::Proven));
        }
        if tree.root().is_leaf() {
            path.truncate(1);
            return Ok(None);
        }
        loop {
            // a leaf stays until it is expanded: the budget may end before
            while let Some(&id) = self.gulped.last() {
                if self.way(tree, id, path) {
                    return Ok(None);
                }
                self.gulped.pop();
            }
            self.gulp(tree);
            if self.gulped.is_empty() {
                path.truncate(0);
                path.push(Tree::ROOT);
                return Ok(Some(Status::Converged));
            }
        }
    }

    fn initialise(&mut self, tree: &mut Tree, node: Option<NodeId>) -> Result<(), Error> {
        let Relevance { leaves: rows, s, reach, places, .. } = self;
        let rows = rows.as_mut().ok_or_else(no_model)?;
        let width = self.weights.len();
        s.resize(tree.len() * width, 0.0);
        reach.resize(tree.len() * width, 0.0);
        places.resize(tree.len(), Place::default());
        let (leaves, ply) = match node {
            None => {
                self.open = 0;
                (0..1, 0)
            }
            Some(id) => (tree.node(id).children(), places[id as usize].ply + 1),
        };
        for id in leaves {
            let (leaf, at) = (tree.node(id), id as usize * width);
            places[id as usize] = Place { parent: node.unwrap_or(Tree::ROOT), ply };
            let (own, own_reach) = (&mut s[at..at + width], &mut reach[at..at + width]);
            rows.write(id, leaf, ply, own);
            reach_of_leaf(own, own_reach);
            // all of them were leaves when they were made, also in a tree that is given as a whole
            self.open += u64::from(!leaf.is_terminal());
        }
        self.open -= u64::from(node.is_some());
        Ok(())
    }

    fn update(&mut self, tree: &mut Tree, id: NodeId) -> Result<bool, Error> {
        self.certainty()?;
        Ok(self.refresh::<0>(tree, id))
    }

    /// Values go up at once, for they may decide the search; S and reach can wait.
    #[inline]
    fn back_up(&mut self, tree: &mut Tree, path: &mut Path) -> Result<(), Error> {
        let mut wait = true;
        for &id in path.iter().rev() {
            let value = tree.back_up(id);
            if wait || value {
                self.waiting.push(id);
            }
            wait = false;
            if !value {
                break;
            }
        }
        path.truncate(1);
        Ok(())
    }

    fn settle(&mut self, tree: &mut Tree, _: &Path) {
        self.recompute(tree);
    }

    /// The move that is most likely a best one, among equals the one that promises most. The root's value is the mean
    /// of its distribution.
    fn verdict(&self, tree: &Tree, node: NodeId) -> Verdict {
        let (Some(certainty), false) = (&self.certainty, tree.node(node).is_leaf()) else {
            return Verdict::default();
        };
        let parent = tree.node(node);
        let rho = certainty.root_rho;
        let best = best_of(self.family_of(tree, node), self.width(), parent.max_to_move(), rho);
        let first = parent.children().start;
        let answer = best_move(tree, node, |id| {
            let for_mover = |value: f64| if parent.max_to_move() { value } else { -value };
            let likely = best[(id - first) as usize];
            if self.by_value {
                (for_mover(tree.node(id).value), likely)
            } else {
                (likely, for_mover(certainty.model.mean(self.s_of(id))))
            }
        });
        let counts = node == Tree::ROOT && !parent.is_solved();
        let value = counts.then(|| certainty.model.mean(self.s_of(node)));
        Verdict { answer, value, won: None }
    }

    /// `distribution`: S of the node. `best`: how likely a root move is a best one. `influence`: its g on its root move. `relevance`: of an open leaf.
    fn numbers(&self, tree: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        let Some(&id) = path.last() else { return Vec::new() };
        let mut numbers = vec![("distribution", Number::List(self.s_of(id).to_vec()))];
        if let [_, root_move, ..] = path {
            let g = self.influence(tree, path);
            if tree.node(id).is_leaf() {
                let mut stake = Stake::default();
                self.weigh(tree, *root_move, &mut stake);
                let relevance = stake.relevance(self.width(), &g, self.s_of(id));
                numbers.push(("relevance", Number::Real(relevance)));
            }
            if let [_, _] = path {
                let first = tree.root().children().start;
                let family = self.family_of(tree, Tree::ROOT);
                let best = self.certainty.as_ref().map(|known| known.best(tree, family));
                let best = best.map(|best| best[(id - first) as usize]);
                numbers.push(("best", best.map_or(Number::Nothing, Number::Real)));
            }
            numbers.push(("influence", Number::List(g)));
        }
        numbers
    }

    fn needs(&self) -> RuleNeeds {
        let leaves = Needs { leaves: self.valued, ..Needs::default() };
        RuleNeeds { leaves, certainty: true, ..RuleNeeds::default() }
    }

    fn reserve(&mut self, nodes: usize) -> Room {
        let width = self.width();
        self.s.try_reserve_exact(nodes * width)?;
        self.reach.try_reserve_exact(nodes * width)?;
        self.places.try_reserve_exact(nodes)
    }

    fn bytes(&self, _: usize, children: usize) -> usize {
        let a_node = 2 * self.width() * size_of::<f64>() + size_of::<Place>();
        let listed = self.gulped.capacity() + self.waiting.capacity();
        (self.places.len() + children) * a_node + listed * size_of::<NodeId>()
    }

    /// The rest of the gulp, and the bar, which only saves time.
    fn memory(&self, _: &Tree) -> Vec<u64> {
        let rest = self.gulped.iter().map(|id| u64::from(*id));
        std::iter::once(self.bar.to_bits()).chain(rest).collect()
    }

    fn remember(&mut self, memory: &[u64]) -> Result<(), Error> {
        let Some((bar, rest)) = memory.split_first() else { return Ok(()) };
        self.bar = f64::from_bits(*bar);
        if !(self.bar >= 0.0 && self.bar.is_finite()) {
            return Err(damaged("a bar that is none"));
        }
        let id = |id: &u64| NodeId::try_from(*id).map_err(|_| damaged("a leaf that is none"));
        self.gulped = rest.iter().map(id).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn check(&self, tree: &Tree) -> Result<(), String> {
        let certainty = self.certainty().map_err(|error| error.to_string())?;
        let fresh = certainty.distributions(tree);
        let fresh_reach = self.reaches(tree, certainty.rho);
        for (kept, fresh) in [(&self.s, &fresh), (&self.reach, &fresh_reach)] {
            if let Some(at) = (0..fresh.len()).find(|at| kept[*at] != fresh[*at]) {
                let (kept, fresh) = (kept[at], fresh[at]);
                return Err(format!("node {}: {kept} instead of {fresh}", at / self.width()));
            }
        }
        let open = tree.nodes().iter().filter(|node| node.is_open()).count() as u64;
        match self.open == open && self.s.len() == fresh.len() {
            true => Ok(()),
            false => Err(format!("{} open leaves instead of {open}", self.open)),
        }
    }
}
