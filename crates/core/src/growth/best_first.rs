//! Best-first minimax search: R. E. Korf and D. M. Chickering, "Best-first minimax search",
//! Artificial Intelligence 84 (1996).
//!
//! Always expand the principal leaf: from the root, follow the child of the best value for the player
//! to move. Pure best-first ends for ever when that leaf is a finished game. The complete form,
//! our default, looks only at children whose value can still change, and so goes on until the root is
//! solved.

use super::{GrowthRule, Number, RuleNeeds, Status};
use crate::error::Error;
use crate::params::{Info, Kind, Param, Params};
use crate::tree::{rank, unrank, NodeId, Path, Rank, Siblings, Tree};

/// The rule `best-first`. It has no numbers but the tree's own.
///
/// Going back to the root after every expansion would cost the depth of the tree twice. Instead every node
/// of the path has a window, Korf and Chickering's alpha and beta of recursive best-first minimax
/// search: while the value at the end of the path stays inside, every choice above stays as it is.
/// Only when it leaves the window does the path get shorter. Values above are written when the path
/// leaves them, or in `settle`.
#[derive(Clone, Debug)]
pub struct BestFirst {
    complete: bool,
    /// For every node of the path but the last.
    steps: Vec<PathStep>,
    /// The family of the leaf expanded last, which [`GrowthRule::choose`] is about to ask for.
    expanded: Option<(NodeId, ValueRest)>,
}

/// A node of the path, what its family comes to without the child on the path, and that child's window.
#[derive(Clone, Copy, Debug)]
struct PathStep {
    id: NodeId,
    rest: ValueRest,
    window: Window,
}

/// The values, from Max's side, with which the child would be chosen again all the way down.
#[derive(Clone, Copy, Debug)]
struct Window {
    low: Rank,
    high: Rank,
}

impl Window {
    const EVERYTHING: Window = Window { low: Rank::MIN, high: Rank::MAX };

    #[inline]
    fn contains(&self, value: Rank) -> bool {
        self.low <= value && value <= self.high
    }
}

/// What a node's family comes to without its preferred child, for the player to move. While both are on
/// the path nothing else in the family can change.
#[derive(Clone, Copy, Debug)]
struct ValueRest {
    chosen: NodeId,
    /// The least value with which the preferred child is still preferred to its best rival.
    bar: Rank,
    /// The best of the children that cannot be chosen because they are solved.
    settled: Rank,
    siblings: Siblings,
}

const NOBODY: NodeId = NodeId::MAX;
const NOTHING: Rank = Siblings::NOTHING;

impl ValueRest {
    /// The window of the preferred child, given its parent's.
    #[inline]
    fn narrow(&self, parent: Window) -> Window {
        // a settled sibling shields the nodes above from a child that is worse than it
        let player = self.siblings.player;
        let shielded = self.settled != NOTHING && parent.contains(self.settled ^ player);
        let bound = |above: Rank| if shielded { self.bar } else { self.bar.max(above) };
        if player == 0 {
            Window { low: bound(parent.low), high: parent.high }
        } else {
            Window { low: parent.low, high: !bound(!parent.high) }
        }
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
    pub fn new(params: &Params) -> Result<BestFirst, Error> {
        Ok(BestFirst { complete: params.bool("complete"), steps: Vec::new(), expanded: None })
    }

    /// Looks at a node's family: prefers the leftmost child of the best value for the player to move,
    /// among those that are not solved if the search is to be complete.
    #[inline]
    fn family(&self, tree: &Tree, id: NodeId) -> ValueRest {
        if self.complete {
            family::<true>(tree, id)
        } else {
            family::<false>(tree, id)
        }
    }
}

#[inline(always)]
fn family<const COMPLETE: bool>(tree: &Tree, id: NodeId) -> ValueRest {
    let node = tree.node(id);
    let player: Rank = if node.max_to_move() { 0 } else { -1 };
    let end = tree.ends()[usize::from(player == 0)] ^ player;
    let (mut best, mut chosen) = (NOTHING, NOBODY);
    let (mut rival, mut rival_at) = (NOTHING, NOBODY);
    let (mut settled, mut open, mut decisive) = (NOTHING, 0, 0);
    // selections instead of branches: which child is best is anybody's guess
    for (at, child) in node.children().zip(tree.children(node)) {
        let mut value = rank(child.value) ^ player;
        let solved = child.is_solved();
        if COMPLETE {
            settled = settled.max(if solved { value } else { NOTHING });
            value = if solved { NOTHING } else { value };
        } else {
            open += u32::from(!solved);
            decisive += u32::from(solved & (value == end));
        }
        rival_at = if value > rival { at } else { rival_at };
        rival_at = if value > best { chosen } else { rival_at };
        rival = rival.max(value.min(best));
        chosen = if value > best { at } else { chosen };
        best = best.max(value);
    }
    if COMPLETE {
        open = u32::from(rival_at != NOBODY);
        decisive = u32::from(settled == end);
    } else {
        let solved = tree.node(chosen).is_solved();
        open -= u32::from(!solved);
        decisive -= u32::from(solved & (best == end));
    }
    ValueRest {
        chosen,
        bar: rival + Rank::from(rival_at < chosen),
        settled,
        siblings: Siblings {
            player,
            best: rival.max(settled),
            open: open > 0,
            decided: decisive > 0,
        },
    }
}

impl GrowthRule for BestFirst {
    #[inline]
    fn choose(&mut self, tree: &mut Tree, path: &mut Path) -> Result<Option<Status>, Error> {
        if self.complete && tree.root().is_solved() {
            return Ok(Some(Status::Proven));
        }
        let mut id = path[path.len() - 1];
        self.steps.truncate(path.len() - 1);
        let mut known = self.expanded.take();
        let mut window = self.steps.last().map_or(Window::EVERYTHING, |step| step.window);
        while !tree.node(id).is_leaf() {
            let rest = match known.take() {
                Some((expanded, rest)) if expanded == id => rest,
                _ => self.family(tree, id),
            };
            window = rest.narrow(window);
            self.steps.push(PathStep { id, rest, window });
            id = rest.chosen;
            path.push(id);
        }
        Ok(if tree.node(id).is_open() {
            None
        } else if tree.root().is_solved() {
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
        let ends = tree.ends();
        let leaf = path[path.len() - 1];
        let rest = self.family(tree, leaf);
        let (mut value, mut solved) = if rest.chosen == NOBODY {
            (rest.settled ^ rest.siblings.player, true)
        } else {
            let child = tree.node(rest.chosen);
            rest.siblings.with(rank(child.value), child.is_solved(), ends)
        };
        tree.set(leaf, unrank(value), solved);
        self.expanded = Some((leaf, rest));
        while let Some(step) = self.steps.last() {
            if !solved && step.window.contains(value) {
                break;
            }
            (value, solved) = step.rest.siblings.with(value, solved, ends);
            tree.set(step.id, unrank(value), solved);
            self.steps.pop();
        }
        path.truncate(self.steps.len() + 1);
        Ok(())
    }

    fn settle(&mut self, tree: &mut Tree, path: &Path) {
        let ends = tree.ends();
        let last = tree.node(path[self.steps.len()]);
        let (mut value, mut solved) = (rank(last.value), last.is_solved());
        for step in self.steps.iter().rev() {
            (value, solved) = step.rest.siblings.with(value, solved, ends);
            tree.set(step.id, unrank(value), solved);
        }
    }

    fn restart(&mut self) {
        self.steps.clear();
        self.expanded = None;
    }

    /// `lookahead`: the value for the player who moved into the node; the root has none.
    fn needs(&self) -> RuleNeeds {
        RuleNeeds { bytes_per_ply: size_of::<PathStep>(), ..RuleNeeds::default() }
    }

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
