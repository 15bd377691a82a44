//! The only list of searches: name, parameters, how each is made.

use crate::any::{AnyPosition, Evaluation};
use crate::error::{unknown, Error};
use crate::expander::Expander;
use crate::games::ExplicitTree;
use crate::growth::{
    BestFirst, Conspiracy, GrowthRule, LeastCertainty, MinmaxApproximation, ProofNumber, Puct,
    Relevance, SiblingConspiracy, Uct,
};
use crate::numbers::distributions::{Certainty, ErrorModel};
use crate::params::{Info, Params, Value};
use crate::search::depth_first::{ProofNumbers, SiblingFunctions, Solver};
use crate::search::{alpha_beta, end_game, Growth, Saved, Search};
use crate::tree::{Node, Tree};
use std::sync::Arc;

/// A rule that has been made, and what can be done with it.
trait Ready {
    fn inform(&mut self, certainty: &Certainty);
    fn start(self: Box<Self>, at: Box<dyn Expander>, record: bool) -> MadeSearch;
    fn restore(
        self: Box<Self>,
        at: Box<dyn Expander>,
        max_to_move: bool,
        saved: Saved,
    ) -> MadeSearch;
    fn with_tree(self: Box<Self>, at: Box<dyn Expander>, tree: Tree) -> MadeSearch;
}

type MadeSearch = Result<Box<dyn Search>, Error>;

impl<R: GrowthRule + 'static> Ready for R {
    fn inform(&mut self, certainty: &Certainty) {
        GrowthRule::inform(self, certainty);
    }

    fn start(self: Box<Self>, at: Box<dyn Expander>, record: bool) -> MadeSearch {
        Ok(Box::new(Growth::<R>::new(at, self, record)?))
    }

    fn restore(
        self: Box<Self>,
        at: Box<dyn Expander>,
        max_to_move: bool,
        saved: Saved,
    ) -> MadeSearch {
        Ok(Box::new(Growth::<R>::restore(at, self, max_to_move, saved)?))
    }

    fn with_tree(self: Box<Self>, at: Box<dyn Expander>, tree: Tree) -> MadeSearch {
        Ok(Box::new(Growth::<R>::from_tree(at, tree, self)?))
    }
}

/// How a search is made.
#[derive(Clone, Copy)]
enum How {
    /// It grows a tree by a rule.
    Grows(fn(&Params) -> Result<Box<dyn Ready>, Error>),
    /// It goes down lines, and keeps none.
    Walks(fn(&dyn AnyPosition, Evaluation, &Params) -> MadeSearch),
}

/// An entry of the list.
struct Registration {
    info: &'static Info,
    how: How,
}

macro_rules! rules {
    ($($rule:ty),*) => {
        [$(Registration {
            info: &<$rule>::INFO,
            how: How::Grows(|params| Ok(Box::new(<$rule>::new(params)?))),
        }),*]
    };
}

/// Rules for growing trees.
static GROWING: &[Registration] = &rules![
    BestFirst,
    Conspiracy<false>,
    Conspiracy<true>,
    MinmaxApproximation,
    LeastCertainty,
    SiblingConspiracy,
    Relevance,
    ProofNumber,
    Uct,
    Puct
];

/// Searches that keep no tree.
static DEPTH_FIRST: &[Registration] = &[
    Registration {
        info: &Solver::<SiblingFunctions>::INFO,
        how: How::Walks(|position, evaluation, params| {
            let walker = position.walker(evaluation)?;
            Ok(Box::new(Solver::<SiblingFunctions>::new(walker, params)?))
        }),
    },
    Registration {
        info: &Solver::<ProofNumbers>::INFO,
        how: How::Walks(|position, evaluation, params| {
            let walker = position.walker(evaluation)?;
            Ok(Box::new(Solver::<ProofNumbers>::new(walker, params)?))
        }),
    },
    Registration {
        info: &alpha_beta::INFO,
        how: How::Walks(|position, evaluation, params| position.alpha_beta(evaluation, params)),
    },
    Registration {
        info: &end_game::INFO,
        how: How::Walks(|position, evaluation, params| position.end_game(evaluation, params)),
    },
];

fn entries() -> impl Iterator<Item = &'static Registration> {
    GROWING.iter().chain(DEPTH_FIRST)
}

/// Every search: growth rules first, then the depth-first searches.
pub fn searches() -> impl Iterator<Item = &'static Info> {
    entries().map(|entry| entry.info)
}

/// The names of searches that keep the tree which they grow.
pub fn growing() -> impl Iterator<Item = &'static str> {
    GROWING.iter().map(|entry| entry.info.name)
}

fn find(name: &str) -> Result<&'static Registration, Error> {
    let found = entries().find(|entry| entry.info.name == name);
    found.ok_or_else(|| unknown("search", name, searches().map(|info| info.name)))
}

/// A search of a position by name, not yet run.
pub fn start(
    position: &dyn AnyPosition,
    name: &str,
    params: &[(String, Value)],
    evaluation: Evaluation,
    record: bool,
) -> MadeSearch {
    let entry = find(name)?;
    let params = Params::new(entry.info, params)?;
    must_go_on(position).map_err(Error::at_root)?;
    match entry.how {
        How::Grows(rule) => {
            let mut rule = rule(&params)?;
            let certainty = evaluation.certainty.clone();
            if let Some(certainty) = &certainty {
                rule.inform(certainty);
            }
            let expander = position.expander(evaluation).map_err(Error::at_root)?;
            informed(rule.start(expander, record).map_err(Error::at_root)?, certainty)
        }
        How::Walks(_) if record => {
            Err(Error::Argument(format!("{name} keeps no tree and so no trace: leave trace out")))
        }
        How::Walks(make) => make(position, evaluation, &params).map_err(Error::at_root),
    }
}

/// A search with a rule from elsewhere, not yet run.
pub fn start_with(
    position: &dyn AnyPosition,
    rule: Box<dyn GrowthRule>,
    evaluation: Evaluation,
    record: bool,
) -> MadeSearch {
    must_go_on(position).map_err(Error::at_root)?;
    let expander = position.expander(evaluation).map_err(Error::at_root)?;
    let growth = Growth::<dyn GrowthRule>::new(expander, rule, record);
    Ok(Box::new(growth.map_err(Error::at_root)?))
}

/// A growing search by name, with the tree that was saved.
pub fn restore(
    position: &dyn AnyPosition,
    name: &str,
    params: &[(String, Value)],
    evaluation: Evaluation,
    saved: Saved,
) -> MadeSearch {
    let entry = find(name)?;
    let params = Params::new(entry.info, params)?;
    must_go_on(position)?;
    match entry.how {
        How::Grows(rule) => {
            let mut rule = rule(&params)?;
            let certainty = evaluation.certainty.clone();
            if let Some(certainty) = &certainty {
                rule.inform(certainty);
            }
            let expander = position.expander(evaluation)?;
            informed(rule.restore(expander, position.max_to_move(), saved)?, certainty)
        }
        How::Walks(_) => Err(Error::Argument(format!("{name} keeps no tree: nothing to load"))),
    }
}

/// A search that knows how sure it may be.
fn informed(mut search: Box<dyn Search>, certainty: Option<Certainty>) -> MadeSearch {
    if let Some(certainty) = certainty {
        search.inform(certainty);
    }
    Ok(search)
}

/// The same with a rule from elsewhere, whose numbers are computed anew.
pub fn restore_with(
    position: &dyn AnyPosition,
    rule: Box<dyn GrowthRule>,
    evaluation: Evaluation,
    saved: Saved,
) -> MadeSearch {
    must_go_on(position)?;
    let (expander, max_to_move) = (position.expander(evaluation)?, position.max_to_move());
    Ok(Box::new(Growth::<dyn GrowthRule>::restore(expander, rule, max_to_move, saved)?))
}

fn must_go_on(position: &dyn AnyPosition) -> Result<(), Error> {
    match position.outcome()? {
        Some(_) => {
            Err(Error::Position("the game is over in this position: nothing to search".into()))
        }
        None => Ok(()),
    }
}

/// A whole tree given as data, with the numbers of the rule that `name` names.
pub fn tree_from_data(game: ExplicitTree, name: &str, params: &[(String, Value)]) -> MadeSearch {
    let entry = find(name)?;
    let params = Params::new(entry.info, params)?;
    match entry.how {
        How::Grows(rule) => {
            let mut rule = rule(&params)?;
            let certainty = certainty_of(&game)?;
            if let Some(certainty) = &certainty {
                rule.inform(certainty);
            }
            let tree = search_tree(&game);
            informed(rule.with_tree(crate::any::whole(game)?, tree)?, certainty)
        }
        How::Walks(_) => Err(Error::Argument(format!("{name} keeps no tree"))),
    }
}

/// The same with the numbers of a rule from elsewhere.
pub fn tree_with_rule(game: ExplicitTree, rule: Box<dyn GrowthRule>) -> MadeSearch {
    let tree = search_tree(&game);
    Ok(Box::new(Growth::<dyn GrowthRule>::from_tree(crate::any::whole(game)?, tree, rule)?))
}

/// The distributions of the leaves of a tree given as data, if it has any: independent ones, with outcomes from 0 to 1.
fn certainty_of(data: &ExplicitTree) -> Result<Option<Certainty>, Error> {
    let listed = |node: &crate::games::TreeNode| node.likely.as_ref().map_or(0, |p| p.len());
    let outcomes = data.nodes().iter().map(listed).max().unwrap_or(0);
    if outcomes == 0 {
        return Ok(None);
    }
    let mut table = Vec::new();
    for node in data.nodes() {
        match &node.likely {
            Some(likely) if likely.len() == outcomes => {
                // S_k, the sums from behind; what rounding leaves over does not count
                let mut s: Vec<f64> =
                    likely.iter().rev().scan(0.0, |sum, p| Some(add(sum, *p))).collect();
                s.pop();
                table.extend(s.iter().rev().map(|s| s.clamp(0.0, 1.0)));
            }
            Some(_) => {
                return Err(Error::Game("all leaves must tell the same outcomes apart".into()))
            }
            None if node.count == 0 && !node.terminal => {
                return Err(Error::Game("some leaves have probabilities, and others not".into()))
            }
            None => table.extend(std::iter::repeat_n(0.5, outcomes - 1)), // never looked at
        }
    }
    let step = 1.0 / (outcomes - 1) as f64;
    let outcomes = (0..outcomes).map(|at| at as f64 * step).collect();
    let model = Arc::new(ErrorModel::listed(outcomes, table)?);
    Ok(Some(Certainty { model, phase: 0.0, rho: 0.0, root_rho: 0.0 }))
}

fn add(sum: &mut f64, part: f64) -> f64 {
    *sum += part;
    *sum
}

/// The data of a tree as a search tree: every node with children is expanded, a node without is an
/// open leaf unless it is marked as terminal. Values are not backed up yet.
fn search_tree(data: &ExplicitTree) -> Tree {
    let leaf = |node: &crate::games::TreeNode| {
        Node::leaf(node.value, node.max_to_move, node.terminal && node.count == 0)
    };
    let nodes = data.nodes();
    let mut tree = Tree::new(leaf(&nodes[0]), (f64::NEG_INFINITY, f64::INFINITY));
    for (id, node) in (0..).zip(nodes).filter(|(_, node)| node.count > 0) {
        let family = node.first as usize..node.first as usize + usize::from(node.count);
        tree.expand(id, nodes[family].iter().map(leaf));
    }
    for (id, node) in (0..).zip(nodes) {
        if let (Some(bounds), 0, false) = (&node.bounds, node.count, node.terminal) {
            tree.set_leaf_bounds(id, bounds);
        }
    }
    tree
}
