//! Game, evaluator and the positions of all nodes behind one object-safe interface: rules for growing trees, and
//! depth-first searches of proofs, are compiled once and not once for every game.
//!
//! An [`Expander`] keeps a position for each node of a growing tree. A [`Walker`] keeps the positions of one line, with
//! their families. Both make families in the same way: [`FamilyGenerator`].

mod generator;
mod helpers;
mod prepared;
mod walker;

pub use generator::FamilyGenerator;
pub use helpers::WORTH_A_HELPER;
pub use walker::{LinePositions, Walker};

use crate::error::Error;
use crate::evaluator::{Game, LeafBounds, Line, NodeId, Watch};
use crate::game::Child;
use crate::judge::Judge;
use crate::leaves::Leaves;
use crate::scores::Units;
use crate::spare::{Reused, Room};
use helpers::Helpers;
use prepared::PreparedFamily;
use std::collections::VecDeque;
use std::sync::Arc;

/// What a search wants to know of new leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Needs {
    /// What the values of new leaves are.
    pub leaves: Leaves,
    /// When static values are computed. If they are not, open leaves are worth the middle of the range.
    pub values: Values,
    /// Whether the relative errors of moves are computed.
    pub errors: bool,
    /// Whether new leaves are looked at one move further: [`crate::game::Shortcuts::foresee`].
    pub foresight: bool,
    /// Whether positions that are reached by different orders of moves are to be known by their keys.
    pub keys: bool,
    /// Whether the evaluator is asked for bounds beyond values.
    pub bounds: bool,
}

/// When static values are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Always.
    Always,
    /// Only where moves have no scores.
    WithoutScores,
    /// Never.
    Never,
}

impl Default for Needs {
    /// Plain static values.
    fn default() -> Needs {
        Needs {
            leaves: Leaves::Static,
            values: Values::Always,
            errors: false,
            foresight: false,
            keys: false,
            bounds: true,
        }
    }
}

/// A new leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leaf {
    /// Its value, from Max's side.
    pub value: f64,
    /// Whether Max is to move.
    pub max_to_move: bool,
    /// Whether the game is over, or as good as over.
    pub terminal: bool,
}

/// What an expansion gives.
#[derive(Clone, Debug, Default)]
pub struct Family {
    /// The new leaves, in the order of the moves.
    pub leaves: Vec<Leaf>,
    /// The relative errors of the moves, if they are needed.
    pub errors: Vec<Units>,
    /// The keys of the positions, if they are needed; none where the game is over.
    pub keys: Vec<Option<u64>>,
    /// Bounds of leaves that have any, by place.
    pub bounds: Vec<(u32, LeafBounds)>,
    /// The places of the moves among the legal ones, if they are not all of them in order.
    pub places: Vec<u16>,
    /// Whether moves are left out without proof.
    pub narrowed: bool,
    /// Whether the results of the leaves are what the evaluator claims without proof.
    pub claimed: bool,
    /// Positions looked at besides.
    pub looked: u64,
}

impl Family {
    #[inline]
    fn clear(&mut self) {
        let Family { leaves, errors, keys, bounds, places, narrowed, claimed, looked } = self;
        leaves.clear();
        errors.clear();
        keys.clear();
        bounds.clear();
        places.clear();
        (*narrowed, *claimed, *looked) = (false, false, 0);
    }
}

/// How large an expansion may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// New nodes.
    pub nodes: u64,
    /// Calls of `play`.
    pub move_calls: u64,
}

impl Allowance {
    /// As large as it is.
    pub const ANY: Allowance = Allowance { nodes: u64::MAX, move_calls: u64::MAX };
}

/// Why there is no expansion. Nothing has changed.
#[derive(Debug)]
pub enum Refusal {
    /// It would have needed so many nodes and calls of `play`.
    TooLarge(u64, u64),
    /// The machine has no memory for it.
    NoMemory,
    /// The watch said no.
    Stopped,
    /// The game or the evaluator failed.
    Failed(Box<Error>),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Failed(Box::new(error))
    }
}

/// The positions of a growing tree.
pub trait Expander: Send {
    /// The leaf that the root is.
    fn root(&mut self, needs: &Needs) -> Result<Leaf, Error>;

    /// The least and the greatest value of the game.
    fn value_range(&self) -> (f64, f64);

    /// The family of the node at the end of a path, whose positions become those of the next nodes.
    fn expand(
        &mut self,
        path: &[NodeId],
        needs: &Needs,
        allowance: Allowance,
        watch: Watch,
        family: &mut Family,
    ) -> Result<(), Refusal>;

    /// The same from what is known: the moves at these places, or so many from the first on, whose positions become those
    /// of the next nodes. `leaves` tells who is to move at each and whether the game is over; values are not known.
    fn play(
        &mut self,
        node: NodeId,
        count: usize,
        places: &[u16],
        keys: bool,
        family: &mut Family,
    ) -> Result<(), Error>;

    /// Makes the families of several leaves, at the ends of paths, at once: an evaluator from elsewhere is asked one time for
    /// all of them. [`Expander::expand`] then hands them out, if it is asked in the same order. An error comes with the place
    /// of the path.
    fn prepare(
        &mut self,
        paths: &[Vec<NodeId>],
        needs: &Needs,
        watch: Watch,
    ) -> Result<(), (usize, Refusal)>;

    /// From now on so many threads make families: if the evaluator can be asked by several at once.
    fn set_threads(&mut self, threads: usize) -> Result<(), Error>;

    /// The family of the leaf at the end of a path is to be made, by any of the threads.
    fn begin(&mut self, path: &[NodeId], needs: &Needs);

    /// Waits until the family that was begun first is made: then [`Expander::expand`] hands it out.
    fn finish(&mut self, watch: Watch) -> Result<(), Refusal>;

    /// Forgets all families that were begun or prepared and not handed out.
    fn abandon(&mut self);

    /// How many nodes have positions.
    fn nodes(&self) -> usize;

    /// Whether static values are computed.
    fn wants_values(&self, needs: &Needs) -> bool;

    /// Whether the evaluator has bounds of positions.
    fn gives_bounds(&self) -> bool;

    /// Bounds of the position at the end of a path, if the evaluator has any.
    fn bounds(&mut self, path: &[NodeId]) -> Result<Option<LeafBounds>, Error>;

    /// The errors of the moves to the children of a node, which have these values.
    fn errors(
        &mut self,
        path: &[NodeId],
        children: &[(f64, bool)],
        errors: &mut Vec<Units>,
    ) -> Result<(), Error>;

    /// The key of a node's position.
    fn key(&self, node: NodeId) -> Option<u64>;

    /// The winning move at a node of this value, which counts as won though the game goes on.
    fn winning_move(&self, node: NodeId, value: f64) -> Option<u32>;

    /// The name of the legal move at a place.
    fn move_name(&self, node: NodeId, place: u32) -> String;

    /// Whether what the evaluator leaves out and decides is proven.
    fn is_sound(&self) -> bool;

    /// Bytes for a node's position.
    fn bytes_per_node(&self) -> usize;

    /// Bytes of positions and of what the evaluator remembers.
    fn bytes(&self) -> usize;

    /// Lets the evaluator remember no more than this many bytes from now on: it forgets what can be found again.
    fn shrink(&mut self, bytes: usize);

    /// Makes sure that there is memory for the positions of this many more nodes.
    fn reserve(&mut self, nodes: usize) -> Room;

    /// The same game, evaluator and positions for the nodes `kept`, the first of which is the new root.
    fn below(&self, kept: &[NodeId]) -> Option<Box<dyn Expander>>;
}

/// A position for each node.
pub struct NodePositions<G: Game> {
    generator: FamilyGenerator<G>,
    positions: Reused<G::Position>,
    /// Families that have been made and not been asked for yet.
    prepared: VecDeque<PreparedFamily<G::Position>>,
    /// The other threads.
    helpers: Option<Helpers<G>>,
}

impl<G: Game> NodePositions<G> {
    /// Of a tree of one node.
    pub fn new(game: Arc<G>, judge: Judge<G>, root: G::Position) -> NodePositions<G> {
        NodePositions::of(game, judge, vec![root])
    }

    /// Of a tree whose nodes have these positions.
    pub fn of(game: Arc<G>, judge: Judge<G>, nodes: Vec<G::Position>) -> NodePositions<G> {
        let mut positions = Reused::default();
        positions.extend(nodes);
        let generator = FamilyGenerator::new(game, judge);
        NodePositions { generator, positions, prepared: VecDeque::new(), helpers: None }
    }
}

impl<G: Game> Expander for NodePositions<G> {
    fn root(&mut self, needs: &Needs) -> Result<Leaf, Error> {
        self.generator.root(&self.positions[0], needs)
    }

    fn value_range(&self) -> (f64, f64) {
        self.generator.game.value_range()
    }

    fn expand(
        &mut self,
        path: &[NodeId],
        needs: &Needs,
        allowance: Allowance,
        watch: Watch,
        family: &mut Family,
    ) -> Result<(), Refusal> {
        if !self.prepared.is_empty() {
            return self.hand_out(path[path.len() - 1], allowance, family);
        }
        let line = Line::along(&self.positions, path);
        let first = self.positions.len();
        self.generator.generate(&line, first, needs, allowance, watch, family)?;
        let children = &mut self.generator.children;
        if self.positions.try_reserve(children.len()).is_err() {
            return Err(Refusal::NoMemory);
        }
        self.positions.extend(children.drain(..).map(|child| child.position));
        Ok(())
    }

    fn prepare(
        &mut self,
        paths: &[Vec<NodeId>],
        needs: &Needs,
        watch: Watch,
    ) -> Result<(), (usize, Refusal)> {
        self.prepare_all(paths, needs, watch)
    }

    fn set_threads(&mut self, threads: usize) -> Result<(), Error> {
        self.take_helpers(threads)
    }

    fn begin(&mut self, path: &[NodeId], needs: &Needs) {
        if let Some(helpers) = &mut self.helpers {
            helpers.begin(&self.positions, path, needs);
        }
    }

    fn finish(&mut self, watch: Watch) -> Result<(), Refusal> {
        self.finish_first(watch)
    }

    fn abandon(&mut self) {
        self.prepared.clear();
        if let Some(helpers) = &mut self.helpers {
            helpers.abandon();
        }
    }

    fn play(
        &mut self,
        node: NodeId,
        count: usize,
        places: &[u16],
        keys: bool,
        family: &mut Family,
    ) -> Result<(), Error> {
        let FamilyGenerator { game, .. } = &self.generator;
        let position = &self.positions[node as usize];
        let legal = self.generator.legal(position)?;
        let lacking = || crate::error::damaged("it has moves that are not legal");
        let mut children = Vec::with_capacity(count);
        family.leaves.clear();
        family.keys.clear();
        for at in 0..count {
            let place = places.get(at).map_or(at, |place| usize::from(*place));
            let child = game.play(position, legal.get(place).ok_or_else(lacking)?)?;
            let outcome = game.outcome(&child)?;
            let (max_to_move, terminal) = (game.max_to_move(&child), outcome.is_some());
            family.leaves.push(Leaf { value: outcome.unwrap_or(0.0), max_to_move, terminal });
            if keys {
                family.keys.push(if terminal { None } else { game.key(&child)? });
            }
            children.push(child);
        }
        if places.is_empty() && count != legal.len() {
            return Err(lacking());
        }
        self.positions.extend(children);
        Ok(())
    }

    fn nodes(&self) -> usize {
        self.positions.len()
    }

    fn wants_values(&self, needs: &Needs) -> bool {
        self.generator.wants_values(needs)
    }

    fn gives_bounds(&self) -> bool {
        self.generator.judge.gives_bounds()
    }

    fn bounds(&mut self, path: &[NodeId]) -> Result<Option<LeafBounds>, Error> {
        self.generator.judge.bounds(&Line::along(&self.positions, path))
    }

    fn errors(
        &mut self,
        path: &[NodeId],
        children: &[(f64, bool)],
        errors: &mut Vec<Units>,
    ) -> Result<(), Error> {
        let line = Line::along(&self.positions, path);
        let FamilyGenerator { game, judge, .. } = &mut self.generator;
        let mut moves = Vec::new();
        game.moves(line.position, &mut moves)?;
        let mut family = Vec::with_capacity(moves.len());
        for (mv, &(value, terminal)) in moves.iter().zip(children) {
            family.push(Child { position: game.play(line.position, mv)?, value, terminal });
        }
        judge.errors(&line, &moves, &family, errors)
    }

    fn key(&self, node: NodeId) -> Option<u64> {
        self.generator.game.key(self.positions.get(node as usize)?).ok()?
    }

    fn winning_move(&self, node: NodeId, value: f64) -> Option<u32> {
        self.generator.winning_move(self.positions.get(node as usize)?, value)
    }

    fn move_name(&self, node: NodeId, place: u32) -> String {
        self.generator.name(&self.positions[node as usize], place)
    }

    fn is_sound(&self) -> bool {
        self.generator.judge.is_sound()
    }

    fn bytes_per_node(&self) -> usize {
        size_of::<G::Position>() + self.generator.game.heap_bytes()
    }

    #[inline]
    fn bytes(&self) -> usize {
        let helpers = self.helpers.as_ref().map_or(0, Helpers::bytes);
        self.positions.len() * self.bytes_per_node() + self.generator.judge.bytes() + helpers
    }

    fn shrink(&mut self, bytes: usize) {
        let share = bytes / (1 + self.helpers.as_ref().map_or(0, Helpers::count));
        self.generator.judge.shrink(share);
        if let Some(helpers) = &self.helpers {
            helpers.shrink(share);
        }
    }

    fn reserve(&mut self, nodes: usize) -> Room {
        self.positions.try_reserve_exact(nodes)
    }

    fn below(&self, kept: &[NodeId]) -> Option<Box<dyn Expander>> {
        let game = self.generator.game.clone();
        let positions = kept.iter().map(|id| self.positions[*id as usize].clone()).collect();
        Some(Box::new(NodePositions::of(game, self.generator.judge.fresh()?, positions)))
    }
}
