//! Game, evaluator and the positions of all nodes behind one object-safe interface: rules for growing trees, and
//! depth-first searches of proofs, are compiled once and not once for every game.
//!
//! An [`Expander`] keeps a position for each node of a growing tree. A [`Walker`] keeps the positions of one line, with
//! their families. Both make families in the same way: [`FamilyGenerator`].

use crate::error::Error;
use crate::evaluator::{Game, LeafBounds, Line, NodeId, Watch};
use crate::game::{check_moves, middle, valid, Child};
use crate::judge::Judge;
use crate::leaves::{self, Leaves};
use crate::scores::Units;
use crate::spare::{Reused, Room};
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

/// Makes families.
pub struct FamilyGenerator<G: Game> {
    pub(crate) game: Arc<G>,
    pub(crate) judge: Judge<G>,
    moves: Vec<G::Move>,
    children: Vec<Child<G::Position>>,
    /// The moves of positions looked at besides.
    further: Vec<G::Move>,
}

impl<G: Game> FamilyGenerator<G> {
    /// With an evaluator for the game.
    pub fn new(game: Arc<G>, judge: Judge<G>) -> FamilyGenerator<G> {
        let (moves, children, further) = (Vec::new(), Vec::new(), Vec::new());
        FamilyGenerator { game, judge, moves, children, further }
    }

    /// Whether static values are computed.
    fn wants_values(&self, needs: &Needs) -> bool {
        match needs.values {
            Values::Always => true,
            Values::WithoutScores => !self.judge.gives_scores(),
            Values::Never => false,
        }
    }

    /// The leaf that a root is.
    fn root(&mut self, position: &G::Position, needs: &Needs) -> Result<Leaf, Error> {
        let range = self.game.value_range();
        let value = match self.wants_values(needs) {
            true => valid(self.judge.value(&Line::root(position))?, false, range)?,
            false => middle(range),
        };
        Ok(Leaf { value, max_to_move: self.game.max_to_move(position), terminal: false })
    }

    /// Fills in the family of the position at the end of a line, and leaves the children's positions in `self.children`.
    /// `first` is where they will stand in the tree.
    #[inline]
    fn generate(
        &mut self,
        line: &Line<G::Position>,
        first: usize,
        needs: &Needs,
        allowance: Allowance,
        watch: Watch,
        family: &mut Family,
    ) -> Result<(), Refusal> {
        let FamilyGenerator { game, judge, moves, children, further } = self;
        moves.clear();
        children.clear();
        game.moves(line.position, moves)?;
        judge.consider(line, moves)?;
        let count = check_moves(moves.len())?;
        if count > allowance.nodes || count > allowance.move_calls {
            return Err(Refusal::TooLarge(count, count));
        }
        let range = game.value_range();
        let decided = judge.decided(line)?;
        let mut known = false;
        let values = match needs.values {
            Values::Always => true,
            Values::WithoutScores => !judge.gives_scores(),
            Values::Never => false,
        };
        family.looked = 0;
        if let Some(value) = decided {
            game.successors(line.position, moves, value, children)?;
            for child in children.iter_mut() {
                (child.value, child.terminal) = (value, true);
            }
        } else {
            match needs.leaves {
                Leaves::Inherited => {
                    let unknown = valid(judge.considered_value(line)?, false, range)?;
                    game.successors(line.position, moves, unknown, children)?;
                }
                _ if values => judge.children(line, moves, watch, children)?,
                _ => game.successors(line.position, moves, middle(range), children)?,
            }
            if (children.len() as u64) < count {
                return Err(Refusal::Stopped);
            }
            known = judge.mark_known(children)?;
            if needs.foresight {
                game.foresee(line.position, moves, children)?;
            }
            if needs.leaves != Leaves::Static && needs.leaves != Leaves::Inherited {
                let place = leaves::LeafPlace { line, first };
                family.looked =
                    leaves::value(needs.leaves, judge, &**game, place, further, watch, children)?;
                if family.looked > allowance.move_calls - count {
                    return Err(Refusal::TooLarge(count, count + family.looked));
                }
            }
        }
        if judge.is_foreign() {
            for child in children.iter() {
                valid(child.value, child.terminal, range)?;
            }
        }
        family.errors.clear();
        if needs.errors {
            judge.errors(line, moves, children, &mut family.errors)?;
        }
        family.keys.clear();
        if needs.keys {
            for child in children.iter() {
                let key = if child.terminal { None } else { game.key(&child.position)? };
                family.keys.push(key);
            }
        }
        family.bounds.clear();
        // bounds are about static values
        if needs.bounds && values && needs.leaves == Leaves::Static && judge.gives_bounds() {
            for (place, child) in (0..).zip(children.iter()).filter(|(_, child)| !child.terminal) {
                if let Some(bounds) = judge.bounds(&line.then(&child.position))? {
                    bounds.check(child.value)?;
                    family.bounds.push((place, bounds));
                }
            }
        }
        family.places.clear();
        family.places.extend_from_slice(judge.places());
        let sound = judge.is_sound();
        family.narrowed = judge.leaves_out() && !sound;
        family.claimed = (decided.is_some() || known) && !sound;
        family.leaves.clear();
        family.leaves.extend(children.iter().map(|child| Leaf {
            value: child.value,
            max_to_move: game.max_to_move(&child.position),
            terminal: child.terminal,
        }));
        Ok(())
    }

    /// The legal moves of a position.
    fn legal(&self, position: &G::Position) -> Result<Vec<G::Move>, Error> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves)?;
        Ok(moves)
    }

    /// Where the winning move stands in a position that was called won for the player to move, with this value.
    fn winning_move(&self, position: &G::Position, value: f64) -> Option<u32> {
        // a game that fails here has no such move to show
        if self.game.outcome(position).ok()?.is_some() {
            return None;
        }
        let wins = |mv: &G::Move| {
            let next = self.game.play(position, mv).and_then(|next| self.game.outcome(&next));
            next.is_ok_and(|outcome| outcome == Some(value))
        };
        self.legal(position).ok()?.iter().position(wins).map(|place| place as u32)
    }

    /// The name of a legal move; its place, where the game fails.
    fn name(&self, position: &G::Position, place: u32) -> String {
        match self.legal(position).as_ref().map(|moves| moves.get(place as usize)) {
            Ok(Some(mv)) => self.game.move_name(position, mv),
            _ => format!("[{place}]"),
        }
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

    /// Lets the evaluator forget what can be found again, down to this many bytes.
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
        NodePositions { generator: FamilyGenerator::new(game, judge), positions }
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
        self.positions.len() * self.bytes_per_node() + self.generator.judge.bytes()
    }

    fn shrink(&mut self, bytes: usize) {
        self.generator.judge.shrink(bytes);
    }

    fn reserve(&mut self, nodes: usize) -> Room {
        self.positions.try_reserve_exact(nodes)
    }

    fn below(&self, kept: &[NodeId]) -> Option<Box<dyn Expander>> {
        let game = self.generator.game.clone();
        let positions = kept.iter().map(|id| self.positions[*id as usize].clone()).collect();
        Some(Box::new(NodePositions::of(game, self.generator.judge.fork()?, positions)))
    }
}

/// The positions of one line from the root of a depth-first search, each with its children.
pub trait Walker: Send {
    /// The least and the greatest value of the game.
    fn value_range(&self) -> (f64, f64);

    /// All results of the game, if they are few and known.
    fn results(&self) -> Option<Vec<f64>>;

    /// Whether positions can come back.
    fn repeats(&self) -> bool;

    /// Whether moves have scores.
    fn gives_scores(&self) -> bool;

    /// Whether the most promising moves come first.
    fn best_first(&self) -> bool;

    /// Whether what the evaluator leaves out and decides is proven.
    fn is_sound(&self) -> bool;

    /// Whether game or evaluator run code that is not ours, and may not run on several threads at once.
    fn is_foreign(&self) -> bool;

    /// Whether Max is to move at the root.
    fn max_to_move(&self) -> bool;

    /// The key of the root.
    fn root_key(&self) -> Result<Option<u64>, Error>;

    /// The family of the position at a ply, which has been reached.
    fn expand(
        &mut self,
        ply: usize,
        needs: &Needs,
        allowance: Allowance,
        watch: Watch,
        family: &mut Family,
    ) -> Result<(), Refusal>;

    /// Goes from the position at a ply, which has been expanded, to one of its children.
    fn follow(&mut self, ply: usize, place: usize);

    /// The static value of the position at a ply.
    fn value(&mut self, ply: usize) -> Result<f64, Error>;

    /// The static value of a child of the position at a ply, which has been expanded.
    fn child_value(&mut self, ply: usize, place: usize) -> Result<f64, Error>;

    /// The value of the game, if it is over at the root.
    fn outcome(&self) -> Result<Option<f64>, Error>;

    /// The place among the legal moves of the move at a place in the family of the position at a ply.
    fn legal_place(&self, ply: usize, place: usize) -> u32;

    /// The name of the move at a place in the family of the position at a ply.
    fn move_name(&self, ply: usize, place: usize) -> String;

    /// A walker that begins after these legal moves of this one's root, and the key of where it begins; none if they are
    /// no moves, or for want of another evaluator.
    fn after(&self, line: &[u32]) -> Result<Option<Box<dyn Walker>>, Error>;

    /// Bytes of positions and of what the evaluator remembers.
    fn bytes(&self) -> usize;

    /// Bytes of the family of one position, if it has so many members.
    fn family_bytes(&self, members: usize) -> usize;

    /// Lets the evaluator forget what can be found again, down to this many bytes.
    fn shrink(&mut self, bytes: usize);
}

/// The positions of one line.
pub struct LinePositions<G: Game> {
    generator: FamilyGenerator<G>,
    /// The positions at each ply.
    positions: Vec<G::Position>,
    /// The plies, as a path.
    path: Vec<NodeId>,
    /// The children of each of them, and their places among the legal moves if they are not all.
    families: Vec<(Vec<G::Position>, Vec<u16>)>,
}

impl<G: Game> LinePositions<G> {
    /// A line without moves.
    pub fn new(game: Arc<G>, judge: Judge<G>, root: G::Position) -> LinePositions<G> {
        LinePositions {
            generator: FamilyGenerator::new(game, judge),
            positions: vec![root],
            path: vec![0],
            families: Vec::new(),
        }
    }
}

impl<G: Game> Walker for LinePositions<G> {
    fn value_range(&self) -> (f64, f64) {
        self.generator.game.value_range()
    }

    fn results(&self) -> Option<Vec<f64>> {
        self.generator.game.results()
    }

    fn repeats(&self) -> bool {
        self.generator.game.repeats()
    }

    fn gives_scores(&self) -> bool {
        self.generator.judge.gives_scores()
    }

    fn best_first(&self) -> bool {
        self.generator.judge.best_first()
    }

    fn is_sound(&self) -> bool {
        self.generator.judge.is_sound()
    }

    fn is_foreign(&self) -> bool {
        self.generator.judge.is_foreign()
    }

    fn max_to_move(&self) -> bool {
        self.generator.game.max_to_move(&self.positions[0])
    }

    fn root_key(&self) -> Result<Option<u64>, Error> {
        self.generator.game.key(&self.positions[0])
    }

    fn expand(
        &mut self,
        ply: usize,
        needs: &Needs,
        allowance: Allowance,
        watch: Watch,
        family: &mut Family,
    ) -> Result<(), Refusal> {
        let line = Line::along(&self.positions, &self.path[..=ply]);
        self.generator.generate(&line, 0, needs, allowance, watch, family)?;
        if self.families.len() <= ply {
            self.families.resize_with(ply + 1, Default::default);
        }
        let (positions, places) = &mut self.families[ply];
        positions.clear();
        positions.extend(self.generator.children.drain(..).map(|child| child.position));
        places.clone_from(&family.places);
        Ok(())
    }

    fn follow(&mut self, ply: usize, place: usize) {
        let child = self.families[ply].0[place].clone();
        self.positions.truncate(ply + 1);
        self.positions.push(child);
        if self.path.len() < self.positions.len() {
            self.path.push(self.path.len() as NodeId);
        }
    }

    fn value(&mut self, ply: usize) -> Result<f64, Error> {
        let line = Line::along(&self.positions, &self.path[..=ply]);
        valid(self.generator.judge.value(&line)?, false, self.generator.game.value_range())
    }

    fn child_value(&mut self, ply: usize, place: usize) -> Result<f64, Error> {
        let line = Line::along(&self.positions, &self.path[..=ply]);
        let line = line.then(&self.families[ply].0[place]);
        valid(self.generator.judge.value(&line)?, false, self.generator.game.value_range())
    }

    fn outcome(&self) -> Result<Option<f64>, Error> {
        self.generator.game.outcome(&self.positions[0])
    }

    fn legal_place(&self, ply: usize, place: usize) -> u32 {
        let places = self.families.get(ply).map_or(&[][..], |family| &family.1);
        places.get(place).map_or(place as u32, |place| u32::from(*place))
    }

    fn move_name(&self, ply: usize, place: usize) -> String {
        self.generator.name(&self.positions[ply], self.legal_place(ply, place))
    }

    fn after(&self, line: &[u32]) -> Result<Option<Box<dyn Walker>>, Error> {
        let FamilyGenerator { game, judge, .. } = &self.generator;
        let mut position = self.positions[0].clone();
        for &place in line {
            let legal = self.generator.legal(&position)?;
            let Some(mv) = legal.get(place as usize) else { return Ok(None) };
            position = game.play(&position, mv)?;
        }
        let judge = judge.fork();
        Ok(judge.map(|judge| -> Box<dyn Walker> {
            Box::new(LinePositions::new(game.clone(), judge, position))
        }))
    }

    fn bytes(&self) -> usize {
        self.generator.judge.bytes()
    }

    fn family_bytes(&self, members: usize) -> usize {
        (members + 1) * (size_of::<G::Position>() + self.generator.game.heap_bytes())
            + size_of::<(Vec<G::Position>, Vec<u16>)>()
    }

    fn shrink(&mut self, bytes: usize) {
        self.generator.judge.shrink(bytes);
    }
}
