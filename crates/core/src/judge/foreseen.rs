//! What an evaluator from elsewhere says of several positions in one call, before their families are made.

use super::{Judge, Opinion};
use crate::error::Error;
use crate::evaluator::{Game, Line};
use crate::game::Child;

/// A position that has been looked at before its family is made.
pub struct Foreseen<G: Game> {
    moves: Vec<G::Move>,
    places: Vec<u16>,
    left: bool,
    opinion: Option<Opinion>,
    /// Its children, if they are to be valued; then their values, where games go on.
    children: Vec<Child<G::Position>>,
    values: Option<Vec<f64>>,
}

/// What to ask for before families are made.
pub(crate) struct WantsForeseen {
    /// Opinions of the positions themselves.
    pub own: bool,
    /// Values of their children.
    pub family: bool,
}

impl<G: Game> Foreseen<G> {
    /// The children that are not over.
    pub(crate) fn open(&self) -> impl Iterator<Item = &G::Position> {
        self.children.iter().filter(|child| !child.terminal).map(|child| &child.position)
    }

    /// Takes the values of those children from what was said of all.
    pub(crate) fn take_values(&mut self, values: &mut impl Iterator<Item = f64>) {
        let count = self.open().count();
        self.values = Some(values.take(count).collect());
        self.children.clear();
    }
}

impl<G: Game> Judge<G> {
    /// What an evaluator from elsewhere will be asked for a family, whose members inherit the value of their parent or have
    /// values of their own, with errors of moves or without; nothing if there is no such evaluator.
    pub(crate) fn wants_foreseen(
        &self,
        inherited: bool,
        values: bool,
        errors: bool,
    ) -> WantsForeseen {
        let ranks = self.width < usize::MAX || self.sort;
        let foreign = self.foreign.is_some();
        let scores = self.gives_scores();
        WantsForeseen {
            own: foreign && (inherited || (scores && (errors || ranks))),
            // without scores moves are ranked by the children's values, which are asked for then
            family: foreign && values && !inherited && (scores || !ranks),
        }
    }

    /// Considers a position of which somebody else thinks this, and its children, if their values are wanted.
    pub(crate) fn look_ahead(
        &mut self,
        line: &Line<G::Position>,
        opinion: Option<Opinion>,
        family: bool,
    ) -> Result<Foreseen<G>, Error> {
        let mut moves = Vec::new();
        self.game.moves(line.position, &mut moves)?;
        self.given = opinion;
        let considered = self.consider(line, &mut moves);
        let opinion = self.given.take();
        considered?;
        let mut children = Vec::new();
        if family && self.decided(line)?.is_none() {
            self.game.successors(line.position, &moves, 0.0, &mut children)?;
        }
        let (places, left) = (std::mem::take(&mut self.places), self.left);
        Ok(Foreseen { moves, places, left, opinion, children, values: None })
    }

    /// Takes up what was considered before.
    pub(crate) fn reconsider(&mut self, foreseen: Foreseen<G>, moves: &mut Vec<G::Move>) {
        *moves = foreseen.moves;
        (self.places, self.left) = (foreseen.places, foreseen.left);
        self.opinion = foreseen.opinion;
        self.expected = foreseen.values;
    }

    /// The values of the children of the next position, if they are known.
    pub(crate) fn expect(&mut self, values: Option<Vec<f64>>) {
        self.expected = values;
    }
}
