//! The positions of a depth-first search: those of one line from the root, each with its family.

use super::{Allowance, Family, FamilyGenerator, Needs, Refusal};
use crate::error::Error;
use crate::evaluator::{Game, Grounds, Line, NodeId, Watch};
use crate::game::valid;
use crate::judge::Judge;
use std::sync::Arc;

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

    /// What the result of the position at a ply, which has been reached, rests on, if that is known.
    fn grounds(&mut self, ply: usize) -> Result<Option<Arc<Grounds>>, Error>;

    /// The value of the game, if it is over at the root.
    fn outcome(&self) -> Result<Option<f64>, Error>;

    /// The place among the legal moves of the move at a place in the family of the position at a ply.
    fn legal_place(&self, ply: usize, place: usize) -> u32;

    /// The name of the move at a place in the family of the position at a ply.
    fn move_name(&self, ply: usize, place: usize) -> String;

    /// A walker for another search, which begins after these legal moves of this one's root; none if they are no moves, or
    /// for want of another evaluator.
    fn after(&self, line: &[u32]) -> Result<Option<Box<dyn Walker>>, Error>;

    /// A walker for another thread of the same search, whose evaluator shares what this one's remembers; none for want of
    /// another evaluator.
    fn fork(&self) -> Option<Box<dyn Walker>>;

    /// Bytes of positions and of what the evaluator remembers.
    fn bytes(&self) -> usize;

    /// Bytes of the family of one position, if it has so many members.
    fn family_bytes(&self, members: usize) -> usize;

    /// Lets the evaluator remember no more than this many bytes from now on: it forgets what can be found again.
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

    fn grounds(&mut self, ply: usize) -> Result<Option<Arc<Grounds>>, Error> {
        let line = Line::along(&self.positions, &self.path[..=ply]);
        self.generator.judge.grounds(&line)
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
        let judge = judge.fresh();
        Ok(judge.map(|judge| -> Box<dyn Walker> {
            Box::new(LinePositions::new(game.clone(), judge, position))
        }))
    }

    fn fork(&self) -> Option<Box<dyn Walker>> {
        let FamilyGenerator { game, judge, .. } = &self.generator;
        let root = self.positions[0].clone();
        Some(Box::new(LinePositions::new(game.clone(), judge.fork()?, root)))
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
