//! Least-certainty search: P. E. Utgoff and R. P. Cochran, "A least-certainty heuristic for selective search"
//! (2001).
//!
//! How little would have to be wrong for another move to be best? The first child of the root would have to fall to
//! the second's value, or another rise to the first's. The swing of a node is the least total change of the values of
//! leaves below it that reaches such a goal:
//!
//! ```text
//!   leaf                       its distance from the goal; 0 if the goal is met
//!   one child is enough        the least swing of the children       (swing below)
//!   all children must change   the sum of the swings of the children (swing above)
//! ```
//!
//! The search follows the least swing to a leaf: where the decision is least certain. Values are from Max's side
//! here, so that the goal of a whole subtree is one number and one direction.

use super::{GrowthRule, Number, RuleNeeds, Status};
use crate::error::{damaged, Error};
use crate::expander::Needs;
use crate::leaves::Leaves;
use crate::mix::{splitmix64, GOLDEN_RATIO};
use crate::numbers::contest::Contest;
use crate::numbers::swings::{Swing, SwingGoal, SwingWindow, Swings, SLACK};
use crate::params::{Info, Kind, Param, Params};
use crate::spare::Room;
use crate::tree::{Node, NodeId, Path, Tree};

/// What having the move is worth in the best variant, as a part of what a move gains on average: an unexpanded leaf
/// otherwise looks a move too good for the player who made the last one.
const TEMPO: f64 = 0.35;

/// How many expansions the first child and the others get in turn in the best variant: the search then stays where
/// it is for a while instead of going back to the root every time.
const TURN: u32 = 8;

/// The rule `least-certainty`.
#[derive(Clone, Debug)]
pub struct LeastCertainty {
    threshold: Option<f64>,
    random: bool,
    /// The state of the random numbers.
    state: u64,
    /// The same when the last path began, and how far the tree had grown.
    began: (u64, u64),
    published: bool,
    /// Whose turn it is in the best variant, the first child's or the others', and for how many expansions.
    turn: Among,
    left: u32,
    contest: Contest,
    /// Whether a child of the root has a new value, which the goals do not know yet.
    revalued: bool,
    /// The root's child on the path, if the root has children.
    descended: Option<NodeId>,
    /// For every node of the path but the root.
    windows: Vec<SwingWindow>,
    swings: Swings,
    /// Nodes that the plain form would have looked at to give all of them new swings.
    updated: u64,
    tied: Vec<NodeId>,
}

impl LeastCertainty {
    /// The rule's entry in the tables.
    pub const INFO: Info = Info {
        name: "least-certainty",
        paper: "Utgoff and Cochran 2001",
        summary: "expands where the least change of values would make another move best",
        params: &[
            Param {
                name: "ties",
                default: Kind::MaybeChoice(&["random", "leftmost"]),
                meaning: "which of several children of the least swing: any, by the seed (published), or the leftmost (best variant)",
            },
            Param { name: "seed", default: Kind::Int(0, 0), meaning: "for random ties" },
            Param {
                name: "swing_threshold",
                default: Kind::MaybeReal(0.0),
                meaning: "stop, decided, once the least swing is greater; nothing: never",
            },
            Param {
                name: "variant",
                default: Kind::Choice(&["best", "published"]),
                meaning: "what is strongest at equal time, or the paper's own form",
            },
        ],
    };

    /// The rule with these parameters, which have been checked against [`LeastCertainty::INFO`].
    pub fn new(params: &Params) -> Result<LeastCertainty, Error> {
        let published = params.text("variant") == "published";
        Ok(LeastCertainty {
            threshold: params.maybe_real("swing_threshold"),
            random: match params.text("ties") {
                "" => published,
                ties => ties == "random",
            },
            state: params.int("seed").unwrap_or(0) as u64,
            began: (0, u64::MAX),
            published,
            turn: Among::First,
            left: TURN,
            contest: Contest::default(),
            revalued: true,
            descended: None,
            windows: Vec::new(),
            swings: Swings::default(),
            updated: 0,
            tied: Vec::new(),
        })
    }

    /// Counts an expansion; tells whether the other side's turn begins.
    #[inline]
    fn count_turn(&mut self) -> bool {
        self.left -= 1;
        let over = self.left == 0;
        if over {
            let others = self.turn == Among::First;
            (self.turn, self.left) = (if others { Among::Others } else { Among::First }, TURN);
        }
        over
    }

    fn look_at_root(&mut self, tree: &Tree) {
        self.revalued = false;
        if self.contest.look(tree) {
            self.updated += tree.len() as u64 - 1;
        }
    }

    /// The child of least swing, or one of them: at the root a swing of zero is allowed, below it means that there
    /// is nothing to achieve. None if no child has a finite swing.
    fn least(
        &mut self,
        tree: &Tree,
        id: NodeId,
        goal: Option<SwingGoal>,
        among: Among,
    ) -> Option<(NodeId, f64)> {
        let children = tree.node(id).children();
        let contest = self.contest;
        let goal = |child: NodeId| goal.unwrap_or_else(|| *contest.goal(child));
        let least = loop {
            let (mut best, mut second) = (Swing::NONE, f64::INFINITY);
            let mut chosen = None;
            for child in children.clone().filter(|&child| among.includes(&contest, child)) {
                let swing = self.swings.known(tree, child, &goal(child));
                let open = if among == Among::Below {
                    swing.least > 0.0
                } else {
                    !tree.node(child).is_solved()
                };
                if open && swing.key() < best.key() {
                    second = best.key();
                    (best, chosen) = (swing, Some(child));
                } else if open && swing.key() < second {
                    second = swing.key();
                }
            }
            let child = chosen?;
            if best.exact {
                break best.least;
            }
            self.swings.find(tree, child, &goal(child), second.max(best.least));
        };
        let mut tied = std::mem::take(&mut self.tied);
        tied.clear();
        for child in children.filter(|&child| among.includes(&contest, child)) {
            let goal = goal(child);
            if self.swings.known(tree, child, &goal).may_be(least) {
                let swing = self.swings.find(tree, child, &goal, least);
                let open = among == Among::Below || !tree.node(child).is_solved();
                if open && swing.exact && swing.least == least {
                    tied.push(child);
                }
            }
        }
        let chosen = self.pick(&tied);
        self.tied = tied;
        Some((chosen, least))
    }

    /// The root's child to go to, and the least swing.
    fn at_root(&mut self, tree: &Tree) -> Option<(NodeId, f64)> {
        if self.published {
            return self.least(tree, Tree::ROOT, None, Among::Root);
        }
        let chosen = self.least(tree, Tree::ROOT, None, self.turn);
        chosen.or_else(|| self.least(tree, Tree::ROOT, None, Among::Root))
    }

    /// The swings with which a child of the root would be chosen again.
    fn window_at_root(&self, tree: &Tree, chosen: NodeId) -> SwingWindow {
        if self.random {
            return SwingWindow::NOTHING;
        }
        let rivals = if self.published { Among::Root } else { self.turn };
        let mut window =
            SwingWindow { high: self.threshold.unwrap_or(f64::MAX), ..SwingWindow::EVERYTHING };
        for child in tree.root().children() {
            let swing = self.swings.known(tree, child, self.contest.goal(child));
            let rival = child != chosen && rivals.includes(&self.contest, child);
            if rival && !tree.node(child).is_solved() {
                window.high = window.high.min(swing.key() * (1.0 - SLACK));
            }
        }
        window
    }

    /// Goes on from the end of the path to a leaf.
    fn descend(&mut self, tree: &Tree, path: &mut Path) -> Result<(), Error> {
        let goal = *self.contest.goal(path[1]);
        let mut id = path[path.len() - 1];
        while !tree.node(id).is_leaf() {
            let known = if self.random { None } else { self.swings.follow(tree, id, &goal) };
            let (child, siblings) = match known {
                Some(known) => known,
                None => match self.least(tree, id, Some(goal), Among::Below) {
                    Some((child, _)) => (child, SwingWindow::NOTHING),
                    // only below a child of the root whose goal is met: any will do that can still change
                    None => (self.idle(tree, id, &goal)?, SwingWindow::IDLE),
                },
            };
            let swing = |id: NodeId| self.swings.known(tree, id, &goal).least;
            let window = self.windows[self.windows.len() - 1];
            let one_is_enough = goal.one_is_enough(tree.node(id));
            self.windows.push(window.narrow(swing(id), swing(child), siblings, one_is_enough));
            id = child;
            path.push(id);
        }
        Ok(())
    }

    /// One of the children that tie.
    fn pick(&mut self, tied: &[NodeId]) -> NodeId {
        if tied.len() == 1 || !self.random {
            return tied[0];
        }
        let random = splitmix64(self.state);
        self.state = self.state.wrapping_add(GOLDEN_RATIO);
        tied[(random % tied.len() as u64) as usize]
    }

    /// The leftmost child whose value can still change, preferably one that has met the goal.
    fn idle(&self, tree: &Tree, id: NodeId, goal: &SwingGoal) -> Result<NodeId, Error> {
        let node = tree.node(id);
        let open = || node.children().filter(|&child| !tree.node(child).is_solved());
        let met = |child: &NodeId| goal.distance(tree.node(*child).value) == 0.0;
        let child = open().find(met).or_else(|| open().next());
        child.ok_or_else(|| Error::Game(format!("node {id} is open, but none of its children is")))
    }

    /// Every node's swing by the definition, from the leaves up.
    fn plain(&self, tree: &Tree, goal: &SwingGoal) -> Vec<f64> {
        let leaf = |node: &Node| match goal.distance(node.value) {
            unmet if unmet > 0.0 && node.is_terminal() => f64::INFINITY,
            distance => distance,
        };
        let mut swings: Vec<f64> = tree.nodes().iter().map(leaf).collect();
        for id in tree.bottom_up() {
            let node = tree.node(id);
            let below = node.children().map(|child| swings[child as usize]);
            swings[id as usize] = if goal.one_is_enough(node) {
                below.fold(f64::INFINITY, f64::min)
            } else {
                below.sum()
            };
        }
        swings
    }
}

/// Which children are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Among {
    /// All of the root's.
    Root,
    /// The root's first.
    First,
    /// All of the root's but the first.
    Others,
    /// Those of a node below the root that have something to achieve.
    Below,
}

impl Among {
    fn includes(self, contest: &Contest, child: NodeId) -> bool {
        match self {
            Among::Root | Among::Below => true,
            Among::First => child == contest.first,
            Among::Others => child != contest.first,
        }
    }
}

impl GrowthRule for LeastCertainty {
    fn choose(&mut self, tree: &mut Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        let root = tree.root();
        if root.is_solved() {
            return Ok(Some(Status::Proven));
        }
        match root.children().len() {
            0 => return Ok(None),
            1 => return Ok(Some(Status::Decided)),
            _ if self.revalued => self.look_at_root(tree),
            _ => {}
        }
        if path.len() == 1 {
            self.began = (self.state, tree.expansions());
            let Some((child, least)) = self.at_root(tree) else {
                return Ok(Some(Status::Decided));
            };
            if self.threshold.is_some_and(|threshold| least > threshold) {
                return Ok(Some(Status::Decided));
            }
            self.descended = Some(child);
            self.windows.clear();
            self.windows.push(self.window_at_root(tree, child));
            path.push(child);
        }
        self.descend(tree, path)?;
        Ok(None)
    }

    fn initialise(&mut self, tree: &mut Tree, _: Option<NodeId>) -> Result<(), Error> {
        let first = self.swings.len();
        // below the root's first children, the goal of the path that led here
        let goal = self.descended.map(|child| *self.contest.goal(child));
        self.swings.add(&tree.nodes()[first..], goal.as_ref());
        Ok(())
    }

    fn update(&mut self, tree: &mut Tree, node: NodeId) -> Result<bool, Error> {
        self.swings.forget(node);
        if node == Tree::ROOT {
            self.look_at_root(tree);
        }
        Ok(true)
    }

    /// Values go up as far as they change, swings as far as a choice may change.
    fn back_up(&mut self, tree: &mut Tree, path: &mut Path) -> Result<(), Error> {
        let over = self.count_turn();
        self.revalued = path.iter().rev().all(|&id| tree.back_up(id) || id == Tree::ROOT);
        let Some(&child) = path.get(1) else { return Ok(()) };
        let goal = *self.contest.goal(child);
        while path.len() > 1 {
            let id = path[path.len() - 1];
            let swing = self.swings.refresh(tree, id, &goal);
            let stays = swing.exact && self.windows[path.len() - 2].contains(swing.least);
            let turns = over && !self.published;
            if stays && !turns && !self.revalued && !tree.node(id).is_solved() {
                break;
            }
            path.pop();
        }
        self.windows.truncate(path.len() - 1);
        Ok(())
    }

    /// Carries up what has not been carried up yet.
    fn settle(&mut self, tree: &mut Tree, path: &Path) {
        if let Some(child) = path.get(1) {
            let goal = *self.contest.goal(*child);
            for &id in path[1..].iter().rev().filter(|id| !tree.node(**id).is_leaf()) {
                self.swings.refresh(tree, id, &goal);
            }
        }
        if !tree.root().is_leaf() && self.revalued {
            self.look_at_root(tree);
        }
    }

    fn needs(&self) -> RuleNeeds {
        let leaves = if self.published { Leaves::Static } else { Leaves::Tempo(TEMPO) };
        RuleNeeds { leaves: Needs { leaves, ..Needs::default() }, ..RuleNeeds::default() }
    }

    /// A held leaf that has not met the goal never will: its swing is infinite.
    fn renew(&mut self, _: &mut Tree, leaf: NodeId) -> Result<(), Error> {
        self.swings.forget(leaf);
        Ok(())
    }

    fn restart(&mut self) {
        self.windows.clear();
    }

    fn expanded(&mut self, _: &Tree, _: &[NodeId]) {
        self.count_turn();
    }

    fn traversals(&self) -> u64 {
        if self.published {
            self.updated
        } else {
            self.swings.looked()
        }
    }

    /// `lookahead` is the value for the player who moved to the node; `swing` as in the paper.
    fn numbers(&self, tree: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        let [.., parent, id] = *path else { return Vec::new() };
        let lookahead = tree.node(id).value_for(tree.node(parent).max_to_move());
        let swing = self.plain(tree, self.contest.goal(path[1]))[id as usize];
        vec![("lookahead", Number::Real(lookahead)), ("swing", Number::Real(swing))]
    }

    fn reserve(&mut self, nodes: usize) -> Room {
        self.swings.reserve(nodes)
    }

    fn bytes(&self, _: usize, children: usize) -> usize {
        (self.swings.len() + children) * Swings::BYTES
    }

    fn memory(&self, tree: &Tree) -> Vec<u64> {
        // a leaf that has been chosen and not expanded is chosen again
        let (before, at) = self.began;
        let state = if at == tree.expansions() { before } else { self.state };
        vec![state, u64::from(self.turn == Among::Others), u64::from(self.left)]
    }

    fn remember(&mut self, memory: &[u64]) -> Result<(), Error> {
        let [state, others, left] = match memory {
            [] => return Ok(()),
            [state, others, left] => [*state, *others, *left],
            _ => return Err(damaged("it is another rule's")),
        };
        if !(1..=u64::from(TURN)).contains(&left) {
            return Err(damaged("an impossible turn"));
        }
        (self.state, self.left) = (state, left as u32);
        self.turn = if others == 0 { Among::First } else { Among::Others };
        Ok(())
    }

    fn check(&self, tree: &Tree) -> Result<(), String> {
        for child in tree.root().children() {
            let goal = self.contest.goal(child);
            let plain = self.plain(tree, goal);
            for id in tree.inner_below(child) {
                let (swing, plain) = (self.swings.known(tree, id, goal), plain[id as usize]);
                if swing.exact && swing.least != plain || !swing.may_be(plain) {
                    return Err(format!("node {id}: swing {swing:?} instead of {plain}"));
                }
            }
        }
        Ok(())
    }
}
