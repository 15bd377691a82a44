//! Families of several leaves, made at once.
//!
//! First an evaluator from elsewhere is asked about all positions that it has to value, in one call. Then the families are
//! made. A family depends on the line to its leaf only, so that it is the same whoever makes it, and when.

use super::helpers::Helpers;
use super::{Allowance, Family, FamilyGenerator, Needs, NodePositions, Refusal};
use crate::error::Error;
use crate::evaluator::{Game, Line, NodeId, Watch};
use crate::game::Child;
use crate::judge::Foreseen;
use crate::leaves::Leaves;
/// The family of a leaf, with its positions.
pub(super) struct PreparedFamily<P> {
    pub(super) leaf: NodeId,
    pub(super) family: Family,
    children: Vec<Child<P>>,
}

/// Where the first child of a leaf counts as standing, for random numbers: nobody knows yet where it will.
fn first_of(leaf: NodeId) -> usize {
    (leaf as usize + 1) << 16
}

impl<G: Game> NodePositions<G> {
    /// Hands out a family that has been made.
    #[cold]
    pub(super) fn hand_out(
        &mut self,
        leaf: NodeId,
        allowance: Allowance,
        family: &mut Family,
    ) -> Result<(), Refusal> {
        let Some(made) = self.prepared.pop_front().filter(|made| made.leaf == leaf) else {
            self.prepared.clear();
            return Err(Error::Game("a family was made for another leaf".into()).into());
        };
        let count = made.family.leaves.len() as u64;
        let calls = count + made.family.looked;
        if count > allowance.nodes || calls > allowance.move_calls {
            self.prepared.clear();
            return Err(Refusal::TooLarge(count, calls));
        }
        if self.positions.try_reserve(made.children.len()).is_err() {
            self.prepared.clear();
            return Err(Refusal::NoMemory);
        }
        self.positions.extend(made.children.into_iter().map(|child| child.position));
        *family = made.family;
        Ok(())
    }

    pub(super) fn take_helpers(&mut self, threads: usize) -> Result<(), Error> {
        if threads > 1 && self.generator.judge.is_foreign() {
            return Err(Error::Argument(
                "threads need a game and an evaluator of our own: with yours, give batch= and let it use \
                 the cores"
                    .into(),
            ));
        }
        self.helpers = None;
        if threads == 1 {
            return Ok(());
        }
        let judges: Option<Vec<_>> = (1..threads).map(|_| self.generator.judge.fork()).collect();
        let judges =
            judges.ok_or_else(|| Error::Argument("this evaluator has one thread".into()))?;
        let game = &self.generator.game;
        let generators = judges.into_iter().map(|judge| FamilyGenerator::new(game.clone(), judge));
        let helpers = Helpers::new(generators.collect());
        self.helpers = Some(helpers.map_err(|error| {
            Error::Argument(format!("the system has no {threads} threads: {error}"))
        })?);
        Ok(())
    }

    pub(super) fn prepare_all(
        &mut self,
        paths: &[Vec<NodeId>],
        needs: &Needs,
        watch: Watch,
    ) -> Result<(), (usize, Refusal)> {
        self.prepared.clear();
        let NodePositions { generator, positions, prepared, .. } = self;
        let mut foreseen = generator.foresee(positions, paths, needs)?;
        for (place, path) in paths.iter().enumerate() {
            let known = foreseen.get_mut(place).and_then(Option::take);
            let (line, leaf) = (Line::along(positions, path), path[path.len() - 1]);
            let made = generator.make(&line, leaf, needs, known, watch);
            prepared.push_back(made.map_err(|refusal| (place, refusal))?);
        }
        Ok(())
    }

    /// Waits for the family that was begun first.
    pub(super) fn finish_first(&mut self, watch: Watch) -> Result<(), Refusal> {
        if let Some(helpers) = &mut self.helpers {
            self.prepared.push_back(helpers.finish(&mut self.generator, watch)?);
        }
        Ok(())
    }
}

impl<G: Game> FamilyGenerator<G> {
    /// The family of the leaf at the end of a line, however large it is.
    pub(super) fn make(
        &mut self,
        line: &Line<G::Position>,
        leaf: NodeId,
        needs: &Needs,
        foreseen: Option<Foreseen<G>>,
        watch: Watch,
    ) -> Result<PreparedFamily<G::Position>, Refusal> {
        let mut family = Family::default();
        self.foreseen = foreseen;
        let made = self.generate(line, first_of(leaf), needs, Allowance::ANY, watch, &mut family);
        self.foreseen = None;
        self.judge.expect(None);
        made?;
        Ok(PreparedFamily { leaf, family, children: std::mem::take(&mut self.children) })
    }

    /// Asks an evaluator from elsewhere, in one call, for all that it has to say of the leaves at the ends of paths, or of their
    /// children; nothing where there is no such evaluator.
    fn foresee(
        &mut self,
        positions: &[G::Position],
        paths: &[Vec<NodeId>],
        needs: &Needs,
    ) -> Result<Vec<Option<Foreseen<G>>>, (usize, Refusal)> {
        let inherited = needs.leaves == Leaves::Inherited;
        let wants = self.judge.wants_foreseen(inherited, self.wants_values(needs), needs.errors);
        if !(wants.own || wants.family) {
            return Ok(Vec::new());
        }
        let lines: Vec<_> = paths.iter().map(|path| Line::along(positions, path)).collect();
        let mut own = Vec::new();
        if wants.own {
            let asked: Vec<&G::Position> = lines.iter().map(|line| line.position).collect();
            own = self.judge.ask(&asked).map_err(|error| (0, error.into()))?;
        }
        let mut own = own.into_iter();
        let mut foreseen = Vec::with_capacity(lines.len());
        for (place, line) in lines.iter().enumerate() {
            let one = self.judge.look_ahead(line, own.next(), wants.family);
            foreseen.push(one.map_err(|error| (place, error.into()))?);
        }
        if wants.family {
            let open: Vec<&G::Position> = foreseen.iter().flat_map(Foreseen::open).collect();
            let values = match open.is_empty() {
                true => Vec::new(),
                false => self.judge.ask(&open).map_err(|error| (0, error.into()))?,
            };
            let mut values = values.into_iter().map(|opinion| opinion.value);
            for one in &mut foreseen {
                one.take_values(&mut values);
            }
        }
        Ok(foreseen.into_iter().map(Some).collect())
    }
}
