//! Trees that bring their values with them: random, uniform, and given as data.

use crate::error::Error;
use crate::evaluator::{Evaluator, Game, LeafBounds, Line, NodeId};
use crate::game::{Child, Rules};
use crate::games::random_tree::RandomNode;
use crate::games::{ExplicitTree, RandomTree, Scored, UniformTree};
use crate::judge::{SORT, WIDTH};
use crate::params::{Info, Params};
use crate::scores::{self, Units};

/// The evaluator `given` of all trees.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// Whether any node has bounds.
    bounds: bool,
}

const GIVEN: &[Info] = &[Info {
    name: "given",
    paper: "McAllester 1988; Utgoff and Cochran 2001; Pawlewicz and Hayward 2015",
    summary: "the values, scores and bounds that belong to the tree",
    params: &[WIDTH, SORT],
}];

macro_rules! given {
    ($($tree:ty: $bounds:expr),*) => {$(
        impl Game for $tree {
            type Evaluator = Given;
            const EVALUATORS: &'static [Info] = GIVEN;
            fn evaluator(&self, _: &str, _: &Params) -> Result<Given, Error> {
                let has_bounds: fn(&$tree) -> bool = $bounds;
                Ok(Given { bounds: has_bounds(self) })
            }
        }
    )*};
}

given![RandomTree: |_| false, UniformTree: |_| false, ExplicitTree: ExplicitTree::has_bounds];

impl Evaluator<RandomTree> for Given {
    fn value(&mut self, _: &RandomTree, line: &Line<RandomNode>) -> Result<f64, Error> {
        Ok(f64::from(line.position.value))
    }

    fn visit(
        &mut self,
        tree: &RandomTree,
        line: &Line<RandomNode>,
        moves: &[u16],
        mut visit: impl FnMut(Child<RandomNode>) -> bool,
    ) -> Result<(), Error> {
        let mut see = |position: RandomNode| {
            let (value, terminal) = (f64::from(position.value), tree.is_over(&position));
            visit(Child { position, value, terminal })
        };
        if moves.len() == tree.branching() {
            let _ = tree.family(line.position).all(see);
        } else {
            let family: Vec<RandomNode> = tree.family(line.position).collect();
            let _ = moves.iter().all(|mv| see(family[usize::from(*mv)]));
        }
        Ok(())
    }

    fn tempo(&self, tree: &RandomTree, position: &RandomNode) -> f64 {
        tree.mean_gain(position)
    }

    fn fresh(&self) -> Given {
        *self
    }
}

impl Evaluator<UniformTree> for Given {
    fn value(&mut self, tree: &UniformTree, _: &Line<u64>) -> Result<f64, Error> {
        Ok(tree.value())
    }

    fn fresh(&self) -> Given {
        *self
    }
}

impl Evaluator<ExplicitTree> for Given {
    fn value(&mut self, tree: &ExplicitTree, line: &Line<NodeId>) -> Result<f64, Error> {
        Ok(tree.node(*line.position).value)
    }

    fn errors(
        &mut self,
        tree: &ExplicitTree,
        line: &Line<NodeId>,
        _: &[u16],
        children: &[Child<NodeId>],
        errors: &mut Vec<Units>,
    ) -> Result<(), Error> {
        let family = || children.iter().map(|child| tree.node(child.position).scored);
        if family().all(|scored| scored == Scored::No) {
            let (max, range) = (tree.max_to_move(line.position), tree.value_range());
            scores::of_values(children.iter().map(|child| child.value), max, range, errors);
            return Ok(());
        }
        if family().all(|scored| matches!(scored, Scored::Error(_))) {
            errors.extend(family().map(|scored| match scored {
                Scored::Error(error) => scores::units(error),
                _ => 0,
            }));
            return Ok(());
        }
        let score = |scored| match scored {
            Scored::Score(score) => Ok(score),
            _ => Err(Error::Game(format!(
                "in a tree as data, all the children of {} need a score, or all an error",
                tree.place(line.position)
            ))),
        };
        let scores: Vec<f64> = family().map(score).collect::<Result<_, _>>()?;
        scores::of_scores(&scores, errors)
    }

    fn gives_bounds(&self) -> bool {
        self.bounds
    }

    fn bounds(
        &mut self,
        tree: &ExplicitTree,
        line: &Line<NodeId>,
    ) -> Result<Option<LeafBounds>, Error> {
        Ok(tree.node(*line.position).bounds.as_deref().cloned())
    }

    fn fresh(&self) -> Given {
        *self
    }
}
