//! The only list of searches: name, parameters, how each is made.

use crate::any::{AnyPosition, Evaluation};
use crate::error::{unknown, Error};
use crate::expander::Expander;
use crate::games::ExplicitTree;
use crate::growth::{
    BStar, BestFirst, Conspiracy, GrowthRule, LeastCertainty, MinmaxApproximation, PnMcts,
    PriorPenalty, ProductPropagation, ProofNumber, Puct, Relevance, SiblingConspiracy, Uct,
    UnboundedMinimax,
};
use crate::numbers::distributions::Certainty;
use crate::params::{Info, Kind, Param, Params, Value};
use crate::search::depth_first::{ProofNumbers, SiblingFunctions, Solver};
use crate::search::{alpha_beta, end_game, Growth, Saved, Search};
use crate::tree::{Node, Tree};

/// What all growing searches can do besides: parameters that are not their rules'.
pub const WORK: &[Param] = &[
    Param {
        name: "batch",
        default: Kind::MaybeInt(1),
        meaning: "leaves chosen before any is expanded, so that an evaluator sees many positions at once; with threads, leaves under way at the same time; nothing: 1, or 4 for each thread where an expansion takes long",
    },
    Param {
        name: "threads",
        default: Kind::Int(1, 1),
        meaning: "threads that expand leaves",
    },
];

/// More leaves, or threads, would be a mistake.
const MOST_LEAVES: i64 = 1 << 16;
const MOST_THREADS: i64 = 1 << 10;

/// How a growing search works: leaves in a batch, threads.
#[derive(Clone, Copy, Debug)]
struct Work {
    batch: Option<usize>,
    threads: usize,
}

impl Work {
    /// Takes what belongs here out of the parameters of the search that `name` names.
    fn take(
        name: &'static str,
        given: &[(String, Value)],
    ) -> Result<(Work, Vec<(String, Value)>), Error> {
        let ours = |name: &str| WORK.iter().any(|param| param.name == name);
        let (work, rest): (Vec<_>, Vec<_>) =
            given.iter().cloned().partition(|(name, _)| ours(name));
        let info = Info { name, paper: "", summary: "", params: WORK };
        let work = Params::new(&info, &work)?;
        let threads = work.int("threads").unwrap_or(1);
        let batch = work.int("batch");
        let given =
            [("batch", batch.unwrap_or(1), MOST_LEAVES), ("threads", threads, MOST_THREADS)];
        for (what, number, most) in given {
            if number > most {
                return Err(Error::Argument(format!(
                    "{what} must be at most {most}, not {number}"
                )));
            }
        }
        Ok((Work { batch: batch.map(|batch| batch as usize), threads: threads as usize }, rest))
    }
}

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

impl Registration {
    /// How the search works, and its other parameters.
    fn work(&self, params: &[(String, Value)]) -> Result<(Work, Vec<(String, Value)>), Error> {
        match self.how {
            How::Grows(_) => Work::take(self.info.name, params),
            How::Walks(_) => Ok((Work { batch: None, threads: 1 }, params.to_vec())),
        }
    }
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
    UnboundedMinimax<false>,
    UnboundedMinimax<true>,
    BStar,
    Conspiracy<false>,
    Conspiracy<true>,
    MinmaxApproximation,
    LeastCertainty,
    SiblingConspiracy,
    Relevance,
    ProofNumber,
    ProductPropagation,
    Uct,
    PnMcts,
    Puct,
    PriorPenalty
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
        info: &alpha_beta::mtd::INFO,
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
    let (work, params) = entry.work(params)?;
    let params = Params::new(entry.info, &params)?;
    must_go_on(position).map_err(Error::at_root)?;
    match entry.how {
        How::Grows(rule) => {
            let mut rule = rule(&params)?;
            let certainty = evaluation.certainty.clone();
            if let Some(certainty) = &certainty {
                rule.inform(certainty);
            }
            let expander = position.expander(evaluation).map_err(Error::at_root)?;
            let search = rule.start(expander, record).map_err(Error::at_root)?;
            arranged(informed(search, certainty)?, work)
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
    params: &[(String, Value)],
    evaluation: Evaluation,
    record: bool,
) -> MadeSearch {
    let work = only_work(params)?;
    must_go_on(position).map_err(Error::at_root)?;
    let expander = position.expander(evaluation).map_err(Error::at_root)?;
    let growth = Growth::<dyn GrowthRule>::new(expander, rule, record);
    arranged(Box::new(growth.map_err(Error::at_root)?), work)
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
    let (work, params) = entry.work(params)?;
    let params = Params::new(entry.info, &params)?;
    must_go_on(position)?;
    match entry.how {
        How::Grows(rule) => {
            let mut rule = rule(&params)?;
            let certainty = evaluation.certainty.clone();
            if let Some(certainty) = &certainty {
                rule.inform(certainty);
            }
            let expander = position.expander(evaluation)?;
            let search = rule.restore(expander, position.max_to_move(), saved)?;
            arranged(informed(search, certainty)?, work)
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

/// A search that works as is wished.
fn arranged(mut search: Box<dyn Search>, work: Work) -> MadeSearch {
    search.arrange(work.batch, work.threads)?;
    Ok(search)
}

/// The parameters of a search with a rule from elsewhere, which has its own already.
fn only_work(params: &[(String, Value)]) -> Result<Work, Error> {
    let (work, rest) = Work::take("a rule of yours", params)?;
    match rest.first() {
        Some((name, _)) => {
            Err(Error::Argument(format!("a rule object has its parameters already: {name}")))
        }
        None => Ok(work),
    }
}

/// The same with a rule from elsewhere, whose numbers are computed anew.
pub fn restore_with(
    position: &dyn AnyPosition,
    rule: Box<dyn GrowthRule>,
    params: &[(String, Value)],
    evaluation: Evaluation,
    saved: Saved,
) -> MadeSearch {
    let work = only_work(params)?;
    must_go_on(position)?;
    let (expander, max_to_move) = (position.expander(evaluation)?, position.max_to_move());
    arranged(Box::new(Growth::<dyn GrowthRule>::restore(expander, rule, max_to_move, saved)?), work)
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
    let (_, params) = entry.work(params)?;
    let params = Params::new(entry.info, &params)?;
    match entry.how {
        How::Grows(rule) => {
            let mut rule = rule(&params)?;
            let certainty = Certainty::given(
                game.nodes()
                    .iter()
                    .map(|node| (node.count == 0 && !node.terminal, node.likely.as_deref())),
            )?;
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
