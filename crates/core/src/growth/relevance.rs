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
//! Baum and Smith expand the most relevant leaves together, in gulps. A gulp is found without a look at every leaf:
//! below a node no leaf is more relevant than half the node's influence times what it is worth, so that whole subtrees
//! can be passed over. The leaves are the same as by a look at all.

use super::uct::best_move;
use super::{GrowthRule, Number, RuleNeeds, Status, Verdict};
use crate::error::{damaged, Error};
use crate::numbers::distributions::{best_of, join, Certainty};
use crate::numbers::stakes::{derive, Measure, Stake};
use crate::params::{Info, Kind, Param, Params};
use crate::spare::{Reused, Room};
use crate::tree::{NodeId, Path, Tree};

/// The rule `relevance`.
pub struct Relevance {
    measure: Measure,
    gulp: f64,
    rho: Option<f64>,
    root_rho: Option<f64>,
    certainty: Option<Certainty>,
    /// What it is worth to pass each threshold.
    weights: Vec<f64>,
    /// S of all nodes, K numbers each.
    s: Reused<f64>,
    places: Reused<Place>,
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

#[derive(Default)]
struct Descent {
    joined: Vec<f64>,
    /// Nodes to look at, each with K influences.
    nodes: Vec<NodeId>,
    influences: Vec<f64>,
    /// The influence of the node that is looked at.
    above: Vec<f64>,
    /// d node / d child, of a family.
    derivatives: Vec<f64>,
    found: Vec<(f64, NodeId)>,
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
        ],
    };

    /// The rule with these parameters, which have been checked against [`Relevance::INFO`].
    pub fn new(params: &Params) -> Result<Relevance, Error> {
        let part = |name: &str, amount: f64| match (0.0..=1.0).contains(&amount) {
            true => Ok(amount),
            false => Err(Error::Argument(format!("{name} must lie within 0 and 1, not {amount}"))),
        };
        let maybe = |name| params.maybe_real(name).map(|rho| part(name, rho)).transpose();
        let measure = if params.text("measure") == "qss" { Measure::Qss } else { Measure::Step };
        let rule = Relevance::unknowing(measure, part("gulp", params.real("gulp"))?);
        Ok(Relevance { rho: maybe("rho")?, root_rho: maybe("root_rho")?, ..rule })
    }

    /// The numbers of the rule for a tree that another one has grown, by what deciding later would gain.
    pub(super) fn of_tree(tree: &Tree, certainty: &Certainty) -> Relevance {
        let mut rule = Relevance::unknowing(Measure::Qss, 0.0);
        GrowthRule::inform(&mut rule, certainty);
        rule.s = certainty.distributions(tree).into();
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
            certainty: None,
            weights: Vec::new(),
            s: Reused::default(),
            places: Reused::default(),
            open: 0,
            gulped: Vec::new(),
            bar: 0.0,
            scratch: Descent::default(),
        }
    }

    /// The most relevant open leaves with their relevance.
    pub(super) fn most_relevant(&self, tree: &Tree, most: usize) -> Vec<(f64, NodeId)> {
        let mut scratch = Descent::default();
        self.find(tree, 0.0, &mut scratch);
        scratch.found.sort_unstable_by(by_relevance);
        scratch.found.truncate(most);
        scratch.found
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

    /// What passing the thresholds of one root move is worth, given the others.
    fn stake(&self, tree: &Tree, of: NodeId) -> Stake {
        let root = tree.root();
        let (max, width) = (root.max_to_move(), self.width());
        let mean = |id: NodeId| {
            let parts = self.weights.iter().zip(self.s_of(id)).map(|(w, s)| w * s);
            parts.sum::<f64>()
        };
        let for_mover = |id: NodeId| if max { mean(id) } else { 1.0 - mean(id) };
        let others = || root.children().filter(move |id| *id != of);
        let of_best = (0..width).map(|k| {
            let q = |id| if max { 1.0 - self.s_of(id)[k] } else { self.s_of(id)[k] };
            self.weights[k] * others().map(q).product::<f64>()
        });
        Stake {
            measure: self.measure,
            weights: self.weights.clone(),
            of_best: of_best.collect(),
            rival: others().map(for_mover).fold(f64::NEG_INFINITY, f64::max),
            own: for_mover(of),
            max,
        }
    }

    /// All open leaves of at least this relevance, and none of no relevance.
    fn find(&self, tree: &Tree, bar: f64, scratch: &mut Descent) {
        match self.width() {
            1 => self.find_in::<1>(tree, bar, scratch),
            2 => self.find_in::<2>(tree, bar, scratch),
            _ => self.find_in::<0>(tree, bar, scratch),
        }
    }

    /// The same, compiled for a number of thresholds; 0: any.
    fn find_in<const K: usize>(&self, tree: &Tree, bar: f64, scratch: &mut Descent) {
        let width = if K == 0 { self.width() } else { K };
        let rho = self.certainty.as_ref().map_or(0.0, |certainty| certainty.rho);
        scratch.found.clear();
        for root_move in tree.root().children() {
            if tree.node(root_move).is_solved() {
                continue;
            }
            let stake = self.stake(tree, root_move);
            scratch.nodes.push(root_move);
            scratch.influences.extend(std::iter::repeat_n(1.0, width));
            while let Some(id) = scratch.nodes.pop() {
                let top = scratch.influences.len() - width;
                let node = tree.node(id);
                if node.is_leaf() {
                    let g = &scratch.influences[top..];
                    let relevance = stake.relevance(width, g, self.s_of(id));
                    if relevance >= bar && relevance > 0.0 {
                        scratch.found.push((relevance, id));
                    }
                    scratch.influences.truncate(top);
                    continue;
                }
                let family = self.family_of(tree, id);
                derive(family, width, node.max_to_move(), rho, &mut scratch.derivatives);
                // the children's influences take the place of their parent's
                let mut write = top;
                scratch.above.clear();
                scratch.above.extend_from_slice(&scratch.influences[top..]);
                for (place, child) in node.children().enumerate() {
                    if tree.node(child).is_solved() {
                        continue;
                    }
                    scratch.influences.resize(write + width, 0.0);
                    for k in 0..width {
                        scratch.influences[write + k] =
                            scratch.above[k] * scratch.derivatives[place * width + k];
                    }
                    let bound = stake.bound(width, &scratch.influences[write..]);
                    if bound >= bar && bound > 0.0 {
                        scratch.nodes.push(child);
                        write += width;
                    }
                }
                scratch.influences.truncate(write);
            }
        }
    }

    /// Finds the next gulp: the most relevant open leaves, the most relevant last, and of equals the first created.
    fn gulp(&mut self, tree: &Tree) {
        let most = ((self.gulp * self.open as f64) as usize).max(1);
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut bar = self.bar / 2.0;
        loop {
            self.find(tree, bar, &mut scratch);
            if scratch.found.len() >= most || bar == 0.0 {
                break;
            }
            bar = if bar < self.bar / 1e3 { 0.0 } else { bar / 4.0 };
        }
        let found = &mut scratch.found;
        if found.len() > most {
            found.select_nth_unstable_by(most - 1, by_relevance);
            found.truncate(most);
        }
        found.sort_unstable_by(by_relevance);
        self.bar = found.last().map_or(0.0, |(relevance, _)| *relevance);
        self.gulped.extend(found.iter().rev().map(|(_, id)| *id));
        self.scratch = scratch;
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
        let mut derivatives = Vec::new();
        for step in path.windows(2).skip(1) {
            let node = tree.node(step[0]);
            let family = self.family_of(tree, step[0]);
            derive(family, self.width(), node.max_to_move(), rho, &mut derivatives);
            let place = (step[1] - node.children().start) as usize;
            for (k, g) in g.iter_mut().enumerate() {
                *g *= derivatives[place * self.width() + k];
            }
        }
        g
    }
}

/// The most relevant first, and of equals the one that was created first.
fn by_relevance(a: &(f64, NodeId), b: &(f64, NodeId)) -> std::cmp::Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
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
        self.weights = certainty.model.weights();
        self.scratch.joined = vec![0.0; self.weights.len()];
        self.certainty = Some(certainty);
    }

    fn root_family(&self, tree: &Tree) -> Option<(&Certainty, Vec<f64>)> {
        Some((self.certainty.as_ref()?, self.family_of(tree, Tree::ROOT).to_vec()))
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
        let Relevance { certainty, s, places, scratch, .. } = self;
        let certainty = certainty.as_ref().ok_or_else(no_model)?;
        let width = self.weights.len();
        s.resize(tree.len() * width, 0.0);
        places.resize(tree.len(), Place::default());
        let (leaves, ply) = match node {
            None => {
                self.open = 0;
                (0..1, 0)
            }
            Some(id) => (tree.node(id).children(), places[id as usize].ply + 1),
        };
        let phase = certainty.phase - f64::from(ply);
        for leaf in leaves {
            let at = leaf as usize;
            places[at] = Place { parent: node.unwrap_or(Tree::ROOT), ply };
            certainty.model.write(leaf, tree.node(leaf), phase, &mut scratch.joined);
            s[at * width..(at + 1) * width].copy_from_slice(&scratch.joined);
            // all of them were leaves when they were made, also in a tree that is given as a whole
            self.open += u64::from(!tree.node(leaf).is_terminal());
        }
        self.open -= u64::from(node.is_some());
        Ok(())
    }

    #[inline]
    fn update(&mut self, tree: &mut Tree, id: NodeId) -> Result<bool, Error> {
        let Relevance { certainty, s, scratch, .. } = self;
        let certainty = certainty.as_ref().ok_or_else(no_model)?;
        let (node, width) = (tree.node(id), self.weights.len());
        if node.is_solved_for_good() {
            certainty.model.write(id, node, 0.0, &mut scratch.joined);
        } else {
            let children = node.children();
            let family = &s[children.start as usize * width..children.end as usize * width];
            let (max, rho) = (node.max_to_move(), certainty.rho);
            match width {
                2 => join(family, 2, max, rho, &mut scratch.joined),
                _ => join(family, width, max, rho, &mut scratch.joined),
            }
        }
        let kept = &mut s[id as usize * width..(id as usize + 1) * width];
        let changed = kept != &scratch.joined[..];
        kept.copy_from_slice(&scratch.joined);
        Ok(changed)
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
            let mean = certainty.model.mean(self.s_of(id));
            let promised = if parent.max_to_move() { mean } else { -mean };
            (best[(id - first) as usize], promised)
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
                let stake = self.stake(tree, *root_move);
                let relevance = stake.relevance(self.width(), &g, self.s_of(id));
                numbers.push(("relevance", Number::Real(relevance)));
            }
            if let [_, _] = path {
                let first = tree.root().children().start;
                let family = self.root_family(tree);
                let best =
                    family.map(|(certainty, s)| certainty.best(tree, &s)[(id - first) as usize]);
                numbers.push(("best", best.map_or(Number::Nothing, Number::Real)));
            }
            numbers.push(("influence", Number::List(g)));
        }
        numbers
    }

    fn needs(&self) -> RuleNeeds {
        RuleNeeds { certainty: true, ..RuleNeeds::default() }
    }

    fn reserve(&mut self, nodes: usize) -> Room {
        let width = self.width();
        self.s.try_reserve_exact(nodes * width)?;
        self.places.try_reserve_exact(nodes)
    }

    fn bytes(&self, _: usize, children: usize) -> usize {
        let a_node = self.width() * size_of::<f64>() + size_of::<Place>();
        (self.places.len() + children) * a_node + self.gulped.capacity() * size_of::<NodeId>()
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
        for (at, (kept, fresh)) in self.s.iter().zip(&fresh).enumerate() {
            if kept != fresh {
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
