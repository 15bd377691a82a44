//! Best-first minimax search: R. E. Korf and D. M. Chickering, "Best-first minimax search",
//! Artificial Intelligence 84 (1996).
//!
//! Always expand the principal leaf: from the root, follow the child of the best value for the player
//! to move. Pure best-first ends for ever when that leaf is a finished game. The complete form,
//! our default, looks only at children whose value can still change, and so goes on until the root is
//! solved.

use super::{GrowthRule, Number};
use crate::error::Error;
use crate::params::{Info, Kind, Param, Params};
use crate::search::Status;
use crate::tree::{NodeId, Path, Tree};

/// The rule `best-first`. It has no numbers but the tree's own.
///
/// Going back to the root after every expansion would cost the depth of the tree twice. Instead every node
/// of the path has a window, Korf and Chickering's alpha and beta of recursive best-first minimax search
/// (their Section 3): while the value at the end of the path stays inside, every choice above stays as it
/// is. Only when it leaves the window does the path get shorter, and values above are written when the
/// path leaves them, or in `settle`.
#[derive(Clone, Debug)]
pub struct BestFirst {
    complete: bool,
    /// For every node of the path but the last.
    steps: Vec<Step>,
    /// The family of the leaf expanded last, which [`GrowthRule::choose`] is about to ask for.
    expanded: Option<(NodeId, Rest)>,
}

/// The values, from Max's side, that change no choice. A bound belongs to the window or not.
#[derive(Clone, Copy, Debug)]
struct Window {
    low: f64,
    high: f64,
    has_low: bool,
    has_high: bool,
}

const EVERYTHING: Window =
    Window { low: f64::NEG_INFINITY, high: f64::INFINITY, has_low: true, has_high: true };

impl Window {
    #[inline]
    fn contains(&self, value: f64) -> bool {
        (value > self.low || (self.has_low && value == self.low))
            && (value < self.high || (self.has_high && value == self.high))
    }
}

/// What a node's family comes to without its preferred child, for the player to move.
///
/// While both are on the path nothing else in the family can change.
#[derive(Clone, Copy, Debug)]
struct Rest {
    chosen: Option<NodeId>,
    /// The player to move.
    max: bool,
    /// The best rival of the preferred child, and whether it stands to the right, so that the preferred
    /// child is preferred at equal values too. Without rivals: -inf, on the right.
    rival: f64,
    rival_is_right: bool,
    /// The best of the children that cannot be chosen because they are solved.
    settled: f64,
    /// Whether the value of any other child can still change.
    others_open: bool,
    /// Whether another child alone proves the node.
    decided: bool,
}

/// A node of the path.
#[derive(Clone, Copy, Debug)]
struct Step {
    id: NodeId,
    rest: Rest,
    window: Window,
}

impl Rest {
    /// The window of the preferred child, given its parent's.
    #[inline]
    fn narrow(&self, parent: &Window) -> Window {
        let mut window = *parent;
        let (low, high) =
            if self.max { (Some(self.rival), None) } else { (None, Some(-self.rival)) };
        let settled = if self.max { self.settled } else { -self.settled };
        // a settled sibling shields the nodes above from a child that is worse
        let shielded = parent.contains(settled);
        if let Some(low) = low {
            if shielded || low > window.low {
                (window.low, window.has_low) = (low, self.rival_is_right);
            } else if low == window.low {
                window.has_low &= self.rival_is_right;
            }
        }
        if let Some(high) = high {
            if shielded || high < window.high {
                (window.high, window.has_high) = (high, self.rival_is_right);
            } else if high == window.high {
                window.has_high &= self.rival_is_right;
            }
        }
        window
    }

    /// The node's value and solved flag, given those of its preferred child.
    #[inline]
    fn with(&self, value: f64, solved: bool, range: (f64, f64)) -> (f64, bool) {
        let child = if self.max { value } else { -value };
        let best = child.max(self.rival).max(self.settled);
        let wins = value == if self.max { range.1 } else { range.0 };
        let solved = self.decided || (solved && (wins || !self.others_open));
        (if self.max { best } else { -best }, solved)
    }
}

impl BestFirst {
    /// The rule's entry in the tables.
    pub const INFO: Info = Info {
        name: "best-first",
        paper: "Korf and Chickering 1996",
        summary: "expands the principal leaf: the end of the best line for both sides",
        params: &[Param {
            name: "complete",
            default: Kind::Bool(true),
            meaning: "pass over solved subtrees and go on until the root is solved; false: stop at a finished principal leaf",
        }],
    };

    /// The rule with these parameters, which have been checked against [`BestFirst::INFO`].
    pub fn new(params: &Params) -> BestFirst {
        BestFirst { complete: params.bool("complete"), steps: Vec::new(), expanded: None }
    }
}

impl BestFirst {
    /// Looks at a node's family: prefers the leftmost child of the best value for the player to move,
    /// among those that are not solved if the search is to be complete.
    #[inline]
    fn family(&self, tree: &Tree, id: NodeId) -> Rest {
        const NOBODY: NodeId = NodeId::MAX;
        let node = tree.node(id);
        let max = node.max_to_move();
        let end = if max { tree.value_range().1 } else { -tree.value_range().0 };
        // NaN: no value yet; every comparison with it fails, and so the first candidate is taken
        let (mut best, mut best_value) = (NOBODY, f64::NAN);
        let (mut rival, mut rival_value) = (NOBODY, f64::NAN);
        let mut settled = f64::NEG_INFINITY;
        let (mut open, mut decisive) = (0, 0);
        // selections instead of branches: which child is best is anybody's guess
        for (at, child) in node.children().zip(tree.children(node)) {
            let value = child.value_for(max);
            let solved = child.is_solved();
            open += u32::from(!solved);
            decisive += u32::from(solved & (value == end));
            let counts = !(solved & self.complete);
            settled = if !counts & (value > settled) { value } else { settled };
            let second = counts & !(value <= rival_value);
            rival_value = if second { value } else { rival_value };
            rival = if second { at } else { rival };
            let first = counts & !(value <= best_value);
            (rival_value, rival) = if first { (best_value, best) } else { (rival_value, rival) };
            (best_value, best) = if first { (value, at) } else { (best_value, best) };
        }
        let chosen = (best != NOBODY).then_some(best);
        if let Some(child) = chosen.map(|id| tree.node(id)) {
            open -= u32::from(!child.is_solved());
            decisive -= u32::from(child.is_solved() & (best_value == end));
        }
        Rest {
            chosen,
            max,
            rival: if rival == NOBODY { f64::NEG_INFINITY } else { rival_value },
            rival_is_right: best < rival,
            settled,
            others_open: open > 0,
            decided: decisive > 0,
        }
    }
}

impl GrowthRule for BestFirst {
    #[inline]
    fn choose(&mut self, tree: &mut Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        let root = *tree.root();
        if self.complete && root.is_solved() {
            return Ok(Some(Status::Proven));
        }
        let mut id = path[path.len() - 1];
        self.steps.truncate(path.len() - 1);
        let mut known = self.expanded.take();
        let mut window = self.steps.last().map_or(EVERYTHING, |step| step.window);
        while !tree.node(id).is_leaf() {
            let rest = match known.take() {
                Some((expanded, rest)) if expanded == id => rest,
                _ => self.family(tree, id),
            };
            let Some(chosen) = rest.chosen else { break };
            window = rest.narrow(&window);
            self.steps.push(Step { id, rest, window });
            path.push(chosen);
            id = chosen;
        }
        Ok(if tree.node(id).is_open() {
            None
        } else if root.is_solved() {
            Some(Status::Proven)
        } else {
            Some(Status::Converged)
        })
    }

    #[inline]
    fn initialise(&mut self, _: &mut Tree, _: Option<NodeId>) -> Result<(), Error> {
        Ok(())
    }

    #[inline]
    fn update(&mut self, _: &mut Tree, _: NodeId) -> Result<bool, Error> {
        Ok(false)
    }

    #[inline]
    fn back_up(&mut self, tree: &mut Tree, path: &mut Path) -> Result<(), Error> {
        let range = tree.value_range();
        let leaf = path[path.len() - 1];
        let rest = self.family(tree, leaf);
        let (mut value, mut solved) = match rest.chosen.map(|id| tree.node(id)) {
            Some(child) => rest.with(child.value, child.is_solved(), range),
            None => (if rest.max { rest.settled } else { -rest.settled }, true),
        };
        tree.set(leaf, value, solved);
        self.expanded = Some((leaf, rest));
        while let Some(step) = self.steps.last() {
            if !solved && step.window.contains(value) {
                break;
            }
            (value, solved) = step.rest.with(value, solved, range);
            tree.set(step.id, value, solved);
            self.steps.pop();
        }
        path.truncate(self.steps.len() + 1);
        Ok(())
    }

    fn settle(&mut self, tree: &mut Tree, path: &Path) {
        let range = tree.value_range();
        let end = tree.node(path[self.steps.len()]);
        let (mut value, mut solved) = (end.value, end.is_solved());
        for step in self.steps.iter().rev() {
            (value, solved) = step.rest.with(value, solved, range);
            tree.set(step.id, value, solved);
        }
    }

    /// `lookahead`: the value for the player who moved into the node; the root has none.
    fn numbers(&self, tree: &Tree, path: &[NodeId]) -> Vec<(&'static str, Number)> {
        match path {
            [.., parent, id] => {
                let max = tree.node(*parent).max_to_move();
                vec![("lookahead", Number::Real(tree.node(*id).value_for(max)))]
            }
            _ => Vec::new(),
        }
    }
}
