//! The evaluator of one search: one of the game's own, with what every such evaluator can do besides, or one from
//! elsewhere.
//!
//! *Width* and *sort* work with every evaluator: only so many moves of a position, the best by its own ranking, and the
//! best ones first. An evaluator from elsewhere is asked about many positions at once; its base, one of the game's own,
//! may still say which moves to look at and which games are decided.

mod foreseen;
mod narrowing;

pub use foreseen::Foreseen;

use crate::error::Error;
use crate::evaluator::{Evaluator, Game, Grounds, LeafBounds, Line, Watch};
use crate::fact::Fact;
use crate::game::{valid, Child, Rules};
use crate::params::{Info, Kind, Param, Params, Value};
use crate::scores::{self, Units};
use std::sync::Arc;

/// The parameter `width`, which every evaluator has.
pub(crate) const WIDTH: Param = Param {
    name: "width",
    default: Kind::MaybeInt(1),
    meaning: "look at only so many moves of a position, the best by their scores; a guess, so nothing lost is proven",
};

/// The parameter `sort`, which every evaluator has.
pub(crate) const SORT: Param = Param {
    name: "sort",
    default: Kind::Bool(false),
    meaning: "moves in the order of their scores, best first",
};

/// What somebody else thinks of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion {
    /// From Max's side, in the game's own unit.
    pub value: f64,
    /// A positive number for every legal move, in the game's order.
    pub scores: Option<Vec<f64>>,
}

/// An evaluator from elsewhere.
pub trait Foreign<G: Rules>: Send {
    /// What it thinks of each of several positions that are not over.
    fn ask(&mut self, game: &Arc<G>, positions: &[&G::Position]) -> Result<Vec<Opinion>, Error>;

    /// Whether opinions come with scores.
    fn gives_scores(&self) -> bool;

    /// The places of the moves to look at, if not all.
    fn candidates(
        &mut self,
        game: &Arc<G>,
        position: &G::Position,
    ) -> Result<Option<Vec<u16>>, Error> {
        let _ = (game, position);
        Ok(None)
    }

    /// The value of the game, where it is decided.
    fn decided(&mut self, game: &Arc<G>, position: &G::Position) -> Result<Option<f64>, Error> {
        let _ = (game, position);
        Ok(None)
    }

    /// Whether what it leaves out and decides is proven.
    fn is_sound(&self) -> bool {
        false
    }

    /// Bytes of what it remembers.
    fn bytes(&self) -> usize {
        0
    }

    /// Lets it remember no more than this many bytes.
    fn shrink(&mut self, bytes: usize) {
        let _ = bytes;
    }

    /// Another one for another thread, if it can be asked by several at once.
    fn fork(&self) -> Option<Box<dyn Foreign<G>>> {
        None
    }
}

/// Which evaluator is wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// The name of one of the game's own; the usual one if there is none.
    pub name: Option<String>,
    /// Its parameters.
    pub params: Vec<(String, Value)>,
}

/// An evaluator at work.
pub struct Judge<G: Game> {
    game: Arc<G>,
    own: G::Evaluator,
    foreign: Option<Box<dyn Foreign<G>>>,
    width: usize,
    sort: bool,
    /// Whether all moves are looked at in their order, and no game is decided early.
    plain: bool,
    /// The moves to look at, by their places among the legal ones, in the position looked at last; none: all of them.
    places: Vec<u16>,
    /// Whether any move is left out there.
    left: bool,
    /// What somebody else thinks of that position, if it has been asked.
    opinion: Option<Opinion>,
    /// The same for a position that is about to be considered, if it has been asked before.
    given: Option<Opinion>,
    /// The values of its children, if they have been asked for before.
    expected: Option<Vec<f64>>,
    ranks: Vec<f64>,
}

/// The entry of an evaluator of a game.
pub fn find_evaluator<G: Game>(name: Option<&str>) -> Result<&'static Info, Error> {
    let Some(name) = name else { return Ok(&G::EVALUATORS[0]) };
    let found = G::EVALUATORS.iter().find(|info| info.name == name);
    found.ok_or_else(|| {
        let known = G::EVALUATORS.iter().map(|info| info.name);
        crate::error::unknown("evaluator of this game", name, known)
    })
}

impl<G: Game> Judge<G> {
    /// The evaluator that is wanted, for a new search of this game; a foreign one takes its place but for candidates and
    /// decided games, if one of the game's own is named too.
    pub fn new(
        game: &Arc<G>,
        wanted: &Wanted,
        foreign: Option<Box<dyn Foreign<G>>>,
    ) -> Result<Judge<G>, Error> {
        let info = find_evaluator::<G>(wanted.name.as_deref())?;
        let params = Params::new(info, &wanted.params)?;
        let width = params.int(WIDTH.name).map_or(usize::MAX, |width| width as usize);
        let sort = params.bool(SORT.name);
        let own = game.evaluator(info.name, &params)?;
        Ok(Judge::of(game.clone(), own, foreign, width, sort))
    }

    fn of(
        game: Arc<G>,
        own: G::Evaluator,
        foreign: Option<Box<dyn Foreign<G>>>,
        width: usize,
        sort: bool,
    ) -> Judge<G> {
        let narrows = <G::Evaluator as Evaluator<G>>::NARROWS;
        Judge {
            plain: !narrows && foreign.is_none() && width == usize::MAX && !sort,
            game,
            own,
            foreign,
            width,
            sort,
            places: Vec::new(),
            left: false,
            opinion: None,
            given: None,
            expected: None,
            ranks: Vec::new(),
        }
    }

    /// Another one like this, with nothing remembered, for another search; none if that cannot be.
    pub fn fresh(&self) -> Option<Judge<G>> {
        self.with(self.own.fresh())
    }

    /// Another one like this, for another thread of the same search; none if that cannot be.
    pub fn fork(&self) -> Option<Judge<G>> {
        self.with(self.own.fork())
    }

    fn with(&self, own: G::Evaluator) -> Option<Judge<G>> {
        let foreign = match &self.foreign {
            None => None,
            Some(foreign) => Some(foreign.fork()?),
        };
        Some(Judge::of(self.game.clone(), own, foreign, self.width, self.sort))
    }

    /// Whether values and scores come from code that is not tested here.
    #[inline]
    pub fn is_foreign(&self) -> bool {
        G::FOREIGN || self.foreign.is_some()
    }

    /// Whether all it has to say are the game's own values of all moves, which are tested here.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.plain && !G::FOREIGN && !self.gives_bounds()
    }

    /// Whether what is left out and decided is proven.
    pub fn is_sound(&self) -> bool {
        let foreign = self.foreign.as_ref().is_none_or(|foreign| foreign.is_sound());
        self.width == usize::MAX && self.own.is_sound() && foreign
    }

    /// Whether the most promising moves come first.
    pub fn best_first(&self) -> bool {
        self.sort || self.own.best_first()
    }

    /// The value of the game, where it is known although the game goes on: then all moves to look at keep it.
    #[inline]
    pub fn decided(&mut self, line: &Line<G::Position>) -> Result<Option<f64>, Error> {
        match self.plain {
            true => Ok(None),
            false => self.own.decided(&self.game, line),
        }
    }

    /// What the result of a position rests on, if that is known of all moves.
    #[inline]
    pub fn grounds(&mut self, line: &Line<G::Position>) -> Result<Option<Arc<Grounds>>, Error> {
        match self.plain || self.foreign.is_some() || !self.is_sound() {
            true => Ok(None),
            false => self.own.grounds(&self.game, line),
        }
    }

    /// The value of the game, where an evaluator from elsewhere knows it. It may not know by which move: so a position
    /// whose move is wanted is not asked about, but those after it.
    #[inline]
    pub fn known_result(&mut self, position: &G::Position) -> Result<Option<f64>, Error> {
        let Some(foreign) = &mut self.foreign else { return Ok(None) };
        match foreign.decided(&self.game, position)? {
            Some(value) => valid(value, true, self.game.value_range()).map(Some),
            None => Ok(None),
        }
    }

    /// Marks the children of known result as finished games; tells whether there are any.
    pub fn mark_known(&mut self, children: &mut [Child<G::Position>]) -> Result<bool, Error> {
        let mut any = false;
        if self.foreign.is_none() {
            return Ok(any);
        }
        for child in children.iter_mut().filter(|child| !child.terminal) {
            if let Some(value) = self.known_result(&child.position)? {
                (child.value, child.terminal, any) = (value, true, true);
            }
        }
        Ok(any)
    }

    /// Static value of a position.
    #[inline]
    pub fn value(&mut self, line: &Line<G::Position>) -> Result<f64, Error> {
        if self.foreign.is_none() {
            return self.own.value(&self.game, line);
        }
        let opinion = self.ask(&[line.position])?.pop();
        Ok(opinion.map_or(f64::NAN, |opinion| opinion.value))
    }

    /// Static value without a search.
    #[inline]
    pub fn glance(&mut self, line: &Line<G::Position>) -> Result<f64, Error> {
        match self.foreign {
            None => self.own.glance(&self.game, line),
            Some(_) => self.value(line),
        }
    }

    /// Static value where it lies in the window; elsewhere a bound.
    #[inline]
    pub fn value_within(
        &mut self,
        line: &Line<G::Position>,
        window: (f64, f64),
    ) -> Result<f64, Error> {
        match self.foreign {
            None => self.own.value_within(&self.game, line, window),
            Some(_) => self.value(line),
        }
    }

    /// What a forcing move promises; `None` if it is quiet.
    #[inline]
    pub fn promise(&self, position: &G::Position, mv: &G::Move) -> Option<f64> {
        self.own.promise(&self.game, position, mv)
    }

    /// Static value of the position under consideration: an evaluator from elsewhere is asked once, for all it has to say.
    #[inline]
    pub fn considered_value(&mut self, line: &Line<G::Position>) -> Result<f64, Error> {
        match self.foreign {
            None => self.own.value(&self.game, line),
            Some(_) => Ok(self.opinion_of(line)?.value),
        }
    }

    /// What somebody else thinks of the position under consideration.
    fn opinion_of(&mut self, line: &Line<G::Position>) -> Result<&Opinion, Error> {
        if self.opinion.is_none() && self.given.is_some() {
            self.opinion = self.given.clone();
        }
        if self.opinion.is_none() {
            self.opinion = self.ask(&[line.position])?.pop();
        }
        self.opinion.as_ref().ok_or_else(|| Error::Game("an evaluator has no opinion".into()))
    }

    pub(crate) fn ask(&mut self, positions: &[&G::Position]) -> Result<Vec<Opinion>, Error> {
        let Some(foreign) = &mut self.foreign else { return Ok(Vec::new()) };
        let opinions = foreign.ask(&self.game, positions)?;
        if opinions.len() != positions.len() {
            let (given, asked) = (opinions.len(), positions.len());
            let text = format!("the evaluator returned {given} values for {asked} positions");
            return Err(Error::Game(text));
        }
        for opinion in &opinions {
            valid(opinion.value, false, self.game.value_range())?;
        }
        Ok(opinions)
    }

    /// The children with their values. If `watch` says no, what there is so far will do.
    #[inline]
    pub fn children(
        &mut self,
        line: &Line<G::Position>,
        moves: &[G::Move],
        watch: Watch,
        children: &mut Vec<Child<G::Position>>,
    ) -> Result<(), Error> {
        if self.foreign.is_none() {
            return self.own.children(&self.game, line, moves, watch, children);
        }
        self.family(line, moves, children)
    }

    /// The children with somebody else's values, asked all at once.
    fn family(
        &mut self,
        line: &Line<G::Position>,
        moves: &[G::Move],
        children: &mut Vec<Child<G::Position>>,
    ) -> Result<(), Error> {
        self.game.successors(line.position, moves, 0.0, children)?;
        let open = children.iter().filter(|child| !child.terminal);
        let positions: Vec<&G::Position> = open.map(|child| &child.position).collect();
        if positions.is_empty() {
            return Ok(());
        }
        let values = match self.expected.take().filter(|known| known.len() == positions.len()) {
            Some(known) => known,
            None => self.ask(&positions)?.iter().map(|opinion| opinion.value).collect(),
        };
        let open = children.iter_mut().filter(|child| !child.terminal);
        open.zip(values).for_each(|(child, value)| child.value = value);
        Ok(())
    }

    /// The children with their values, one after another, until `visit` says no.
    #[inline(always)]
    pub fn visit(
        &mut self,
        line: &Line<G::Position>,
        moves: &[G::Move],
        mut visit: impl FnMut(Child<G::Position>) -> bool,
    ) -> Result<(), Error> {
        match self.foreign {
            None => self.own.visit(&self.game, line, moves, visit),
            Some(_) => self.visit_family(line, moves, &mut visit),
        }
    }

    /// The same where the values are the game's own.
    #[inline(always)]
    pub fn visit_own(
        &mut self,
        line: &Line<G::Position>,
        moves: &[G::Move],
        visit: impl FnMut(Child<G::Position>) -> bool,
    ) -> Result<(), Error> {
        self.own.visit(&self.game, line, moves, visit)
    }

    /// Not inlined, so that the usual way is.
    #[cold]
    fn visit_family(
        &mut self,
        line: &Line<G::Position>,
        moves: &[G::Move],
        visit: &mut dyn FnMut(Child<G::Position>) -> bool,
    ) -> Result<(), Error> {
        let mut children = Vec::with_capacity(moves.len());
        self.family(line, moves, &mut children)?;
        for child in children {
            if !visit(child) {
                break;
            }
        }
        Ok(())
    }

    /// The best value that the player to move can reach by one of these moves, and whether it wins at once.
    #[inline]
    pub fn best_successor(
        &mut self,
        line: &Line<G::Position>,
        moves: &[G::Move],
        watch: Watch,
    ) -> Result<(f64, bool), Error> {
        if self.foreign.is_none() {
            return self.own.best_successor(&self.game, line, moves, watch);
        }
        let (low, high) = self.game.value_range();
        let max = self.game.max_to_move(line.position);
        let end = if max { high } else { low };
        let mut best: Option<f64> = None;
        let mut won = false;
        self.visit(line, moves, |next| {
            let better = best.is_none_or(|best| (next.value > best) == max && next.value != best);
            best = if better { Some(next.value) } else { best };
            won |= next.terminal && next.value == end;
            true
        })?;
        Ok((best.unwrap_or(end), won))
    }

    /// Whether moves have scores.
    pub fn gives_scores(&self) -> bool {
        match &self.foreign {
            None => self.own.gives_scores(),
            Some(foreign) => foreign.gives_scores(),
        }
    }

    /// Appends the scores of the moves under consideration.
    pub fn scores(
        &mut self,
        line: &Line<G::Position>,
        moves: &[G::Move],
        scores: &mut Vec<f64>,
    ) -> Result<(), Error> {
        if self.foreign.is_none() {
            return self.own.scores(&self.game, line, moves, scores);
        }
        let mut legal = Vec::new();
        self.game.moves(line.position, &mut legal)?;
        let all = self.opinion_of(line)?.scores.clone().unwrap_or_default();
        if all.len() != legal.len() {
            let (given, count) = (all.len(), legal.len());
            let text = format!("the evaluator returned {given} scores for {count} moves");
            return Err(Error::Game(text));
        }
        scores::check(&all)?;
        match self.places.is_empty() {
            true => scores.extend(all),
            false => scores.extend(self.places.iter().map(|place| all[usize::from(*place)])),
        }
        Ok(())
    }

    /// Appends the relative errors of the moves under consideration, which lead to these children.
    pub fn errors(
        &mut self,
        line: &Line<G::Position>,
        moves: &[G::Move],
        children: &[Child<G::Position>],
        errors: &mut Vec<Units>,
    ) -> Result<(), Error> {
        if self.foreign.is_none() {
            return self.own.errors(&self.game, line, moves, children, errors);
        }
        if self.gives_scores() {
            let mut scores = Vec::with_capacity(moves.len());
            self.scores(line, moves, &mut scores)?;
            return scores::of_scores(&scores, errors);
        }
        let max = self.game.max_to_move(line.position);
        let values = children.iter().map(|child| child.value);
        scores::of_values(values, max, self.game.value_range(), errors);
        Ok(())
    }

    /// Whether [`Judge::bounds`] is worth asking.
    pub fn gives_bounds(&self) -> bool {
        self.foreign.is_none() && self.own.gives_bounds()
    }

    /// What is known beyond the value of a position.
    pub fn bounds(&mut self, line: &Line<G::Position>) -> Result<Option<LeafBounds>, Error> {
        self.own.bounds(&self.game, line)
    }

    /// What a move gains on average.
    pub fn tempo(&self, position: &G::Position) -> f64 {
        self.own.tempo(&self.game, position)
    }

    /// All that is known of a position.
    pub fn facts(&mut self, line: &Line<G::Position>) -> Result<Option<Fact>, Error> {
        self.own.facts(&self.game, line)
    }

    /// Bytes of what is remembered.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.own.bytes() + self.foreign.as_ref().map_or(0, |foreign| foreign.bytes())
    }

    /// Forgets what can be found again, down to this many bytes.
    pub fn shrink(&mut self, bytes: usize) {
        self.own.shrink(bytes);
        if let Some(foreign) = &mut self.foreign {
            foreign.shrink(bytes);
        }
    }
}
