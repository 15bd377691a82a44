//! Games and positions whose type is not known at compile time: one face for front ends that learn at run time which game
//! it is.

use crate::error::Error;
use crate::evaluator::{Game, Line};
use crate::expander::{Expander, LinePositions, NodePositions, Walker};
use crate::fact::Fact;
use crate::game::NetworkShape;
use crate::games::{self, ExplicitTree, WithGame};
use crate::judge::{Foreign, Judge, Opinion, Wanted};
use crate::numbers::distributions::Certainty;
use crate::params::{Info, Params, Value};
use crate::perft::{perft, survey, Poll};
use crate::proof::shortest::Shortest;
use crate::proof::{self, Exported, Sink};
use crate::search::{AlphaBeta, Claim, Control, EndGame, Search};
use std::any::Any;
use std::sync::Arc;

/// An evaluator from elsewhere, for positions of any game.
pub trait AnyForeign: Send {
    /// What it thinks of each of several positions that are not over.
    fn ask(&mut self, positions: Vec<Arc<dyn AnyPosition>>) -> Result<Vec<Opinion>, Error>;

    /// Whether opinions come with scores.
    fn gives_scores(&self) -> bool;

    /// The places of the moves to look at, if not all.
    fn candidates(&mut self, position: Arc<dyn AnyPosition>) -> Result<Option<Vec<u16>>, Error> {
        let _ = position;
        Ok(None)
    }

    /// The value of the game, where it is decided.
    fn decided(&mut self, position: Arc<dyn AnyPosition>) -> Result<Option<f64>, Error> {
        let _ = position;
        Ok(None)
    }

    /// Whether it has anything to say about candidates and decided games.
    fn narrows(&self) -> bool {
        false
    }

    /// Whether what it leaves out and decides is proven.
    fn is_sound(&self) -> bool {
        true
    }

    /// Bytes of what it remembers.
    fn bytes(&self) -> usize {
        0
    }

    /// Lets it remember no more than this many bytes.
    fn shrink(&mut self, bytes: usize) {
        let _ = bytes;
    }

    /// Another one that asks the same.
    fn fork(&self) -> Box<dyn AnyForeign>;
}

/// Which evaluator a search is to have: one of the game's own, or one from elsewhere with one of the game's own for what
/// it does not say.
#[derive(Default)]
pub struct Evaluation {
    /// One of the game's own; the usual one if nothing is said.
    pub own: Wanted,
    /// One from elsewhere.
    pub foreign: Option<Box<dyn AnyForeign>>,
    /// How far its values can be trusted.
    pub certainty: Option<Certainty>,
}

/// An evaluator from elsewhere, for one game.
struct ForeignOf(Box<dyn AnyForeign>);

impl<G: Game> Foreign<G> for ForeignOf {
    fn ask(&mut self, game: &Arc<G>, positions: &[&G::Position]) -> Result<Vec<Opinion>, Error> {
        let located = |position: &&G::Position| Located::any(game, (*position).clone());
        self.0.ask(positions.iter().map(located).collect())
    }

    fn gives_scores(&self) -> bool {
        self.0.gives_scores()
    }

    fn candidates(
        &mut self,
        game: &Arc<G>,
        position: &G::Position,
    ) -> Result<Option<Vec<u16>>, Error> {
        match self.0.narrows() {
            true => self.0.candidates(Located::any(game, position.clone())),
            false => Ok(None),
        }
    }

    fn decided(&mut self, game: &Arc<G>, position: &G::Position) -> Result<Option<f64>, Error> {
        match self.0.narrows() {
            true => self.0.decided(Located::any(game, position.clone())),
            false => Ok(None),
        }
    }

    fn is_sound(&self) -> bool {
        self.0.is_sound()
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn shrink(&mut self, bytes: usize) {
        self.0.shrink(bytes);
    }

    fn fork(&self) -> Option<Box<dyn Foreign<G>>> {
        Some(Box::new(ForeignOf(self.0.fork())))
    }
}

/// A game whose type is not known at compile time.
pub trait AnyGame: Send + Sync {
    /// The usual start position.
    fn start(&self) -> Result<Arc<dyn AnyPosition>, Error>;
    /// A position in the game's usual notation.
    fn position(&self, notation: &str) -> Result<Arc<dyn AnyPosition>, Error>;
    /// The game's evaluators; the first is the usual one.
    fn evaluators(&self) -> &'static [Info];
}

impl<G: Game> AnyGame for Arc<G> {
    fn start(&self) -> Result<Arc<dyn AnyPosition>, Error> {
        Ok(Located::any(self, (**self).start()?))
    }

    fn position(&self, notation: &str) -> Result<Arc<dyn AnyPosition>, Error> {
        Ok(Located::any(self, self.parse(notation)?))
    }

    fn evaluators(&self) -> &'static [Info] {
        G::EVALUATORS
    }
}

struct Boxed;

impl WithGame for Boxed {
    type Output = Arc<dyn AnyGame>;

    fn with<G: Game>(self, game: G) -> Arc<dyn AnyGame> {
        Arc::new(Arc::new(game))
    }
}

/// Makes the game that `name` names.
pub fn make(name: &str, params: &[(String, Value)]) -> Result<Arc<dyn AnyGame>, Error> {
    games::with_game(name, params, Boxed)
}

/// A position together with its game.
#[derive(Debug)]
pub struct Located<G: Game> {
    /// The game.
    pub game: Arc<G>,
    /// The position.
    pub position: G::Position,
}

/// The moves that an evaluator would look at, and why not the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Considered {
    /// Places of the moves to look at, in order.
    pub places: Vec<u32>,
    /// Places of the others, and why.
    pub left_out: Vec<(u32, &'static str)>,
}

/// What can be asked of a position whose game is not known at compile time. Moves are places in the
/// game's order.
pub trait AnyPosition: Send + Sync {
    /// For a front end that knows more about some games than this trait says.
    fn as_any(&self) -> &dyn Any;
    /// The legal moves in the game's notation; none if the game is over.
    fn moves(&self) -> Result<Vec<String>, Error>;
    /// The move at this place as people write it.
    fn move_text(&self, place: usize) -> Result<String, Error>;
    /// The place of the move that a text means, where moves can be written in other ways than by their names.
    fn find_move(&self, text: &str) -> Result<Option<usize>, Error>;
    /// The position after the move at this place.
    fn play(&self, place: usize) -> Result<Arc<dyn AnyPosition>, Error>;
    /// Whether Max is to move.
    fn max_to_move(&self) -> bool;
    /// The game's value if it is over.
    fn outcome(&self) -> Result<Option<f64>, Error>;
    /// Where the game goes on here, though a draw could be claimed; nothing if it is over for good.
    fn play_on(&self) -> Result<Option<Arc<dyn AnyPosition>>, Error>;
    /// In the game's notation.
    fn notation(&self) -> String;
    /// For people.
    fn picture(&self) -> String;
    /// The shape of planes and policies, where the game has usual ones.
    fn network_shape(&self) -> Option<NetworkShape>;
    /// Writes the position into planes of that shape, which are all zero.
    fn write_planes(&self, planes: &mut [f32]);
    /// Appends the places of all legal moves among the outputs of a policy head, and returns how many moves there are.
    fn policy_places(&self, places: &mut Vec<u32>) -> Result<usize, Error>;
    /// Equal for equal positions.
    fn key(&self) -> Result<Option<u64>, Error>;
    /// With the players' roles exchanged.
    fn swapped(&self) -> Option<Arc<dyn AnyPosition>>;
    /// The least and the greatest value of the game.
    fn value_range(&self) -> (f64, f64);
    /// All results of the game, if they are known.
    fn results(&self) -> Option<Vec<f64>>;
    /// At most how many moves can still be made, if that is known.
    fn moves_left(&self) -> Option<u32>;
    /// How far the game is from its end, for error models.
    fn phase(&self) -> u32;
    /// Number of lines of this many moves.
    fn perft(&self, depth: u32, poll: Poll) -> Result<u64, Error>;

    /// The evaluators of the game; the first is the usual one.
    fn evaluators(&self) -> &'static [Info];
    /// The static value, or the game's value if it is over.
    fn evaluate(&self, evaluation: Evaluation) -> Result<f64, Error>;
    /// The scores of the moves, if the evaluator has any; none if the game is over.
    fn move_scores(&self, evaluation: Evaluation) -> Result<Option<Vec<f64>>, Error>;
    /// The moves that the evaluator would look at; none if the game is over.
    fn candidates(&self, evaluation: Evaluation) -> Result<Considered, Error>;
    /// The game's value as far as the evaluator knows it, over or not.
    fn decided(&self, evaluation: Evaluation) -> Result<Option<f64>, Error>;
    /// What the evaluator knows of the position, if it knows anything beyond its value.
    fn facts(&self, evaluation: Evaluation) -> Result<Option<Fact>, Error>;
    /// Number of positions down to this depth, all generated and valued, and the sum of their values.
    fn survey(&self, depth: u32, evaluation: Evaluation, poll: Poll) -> Result<(u64, f64), Error>;

    /// Positions of a tree that grows from here.
    fn expander(&self, evaluation: Evaluation) -> Result<Box<dyn Expander>, Error>;
    /// Positions of lines that begin here.
    fn walker(&self, evaluation: Evaluation) -> Result<Box<dyn Walker>, Error>;
    /// The search `alpha-beta`.
    fn alpha_beta(&self, evaluation: Evaluation, params: &Params)
        -> Result<Box<dyn Search>, Error>;
    /// The search `end-game`.
    fn end_game(&self, evaluation: Evaluation, params: &Params) -> Result<Box<dyn Search>, Error>;

    /// Writes the strategy of the side that a claim favours: by the moves of a search that has proven it, or by the
    /// shortest way.
    fn export(
        &self,
        claim: Claim,
        search: Option<&mut dyn Search>,
        control: &mut dyn Control,
        sink: Sink,
    ) -> Result<Exported, Error>;
    /// In how few moves a claim can be kept to the end of the game, and the move to begin with.
    fn shortest(
        &self,
        claim: Claim,
        control: &mut dyn Control,
    ) -> Result<Option<(u16, u32)>, Error>;
}

impl<G: Game> Located<G> {
    /// Boxed behind the common face.
    pub fn any(game: &Arc<G>, position: G::Position) -> Arc<dyn AnyPosition> {
        Arc::new(Located { game: game.clone(), position })
    }

    fn move_at(&self, place: usize) -> Result<G::Move, Error> {
        let moves = self.legal()?;
        let count = moves.len();
        let lacking = || Error::Position(format!("no move number {place}: there are {count}"));
        moves.into_iter().nth(place).ok_or_else(lacking)
    }

    fn legal(&self) -> Result<Vec<G::Move>, Error> {
        let mut moves = Vec::new();
        self.game.moves(&self.position, &mut moves)?;
        Ok(moves)
    }

    fn judge(&self, evaluation: Evaluation) -> Result<Judge<G>, Error> {
        let foreign = evaluation.foreign;
        let foreign = foreign.map(|foreign| Box::new(ForeignOf(foreign)) as Box<dyn Foreign<G>>);
        Judge::new(&self.game, &evaluation.own, foreign)
    }
}

impl<G: Game> AnyPosition for Located<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn moves(&self) -> Result<Vec<String>, Error> {
        let name = |mv: &G::Move| self.game.move_name(&self.position, mv);
        Ok(self.legal()?.iter().map(name).collect())
    }

    fn move_text(&self, place: usize) -> Result<String, Error> {
        Ok(self.game.move_text(&self.position, &self.move_at(place)?))
    }

    fn find_move(&self, text: &str) -> Result<Option<usize>, Error> {
        Ok(self.game.find_move(&self.position, &self.legal()?, text))
    }

    fn play(&self, place: usize) -> Result<Arc<dyn AnyPosition>, Error> {
        let mv = self.move_at(place)?;
        Ok(Located::any(&self.game, self.game.play(&self.position, &mv)?))
    }

    fn max_to_move(&self) -> bool {
        self.game.max_to_move(&self.position)
    }

    fn outcome(&self) -> Result<Option<f64>, Error> {
        self.game.outcome(&self.position)
    }

    fn play_on(&self) -> Result<Option<Arc<dyn AnyPosition>>, Error> {
        let position = self.game.play_on(&self.position)?;
        Ok(position.map(|position| Located::any(&self.game, position)))
    }

    fn notation(&self) -> String {
        self.game.notation(&self.position)
    }

    fn picture(&self) -> String {
        self.game.picture(&self.position)
    }

    fn network_shape(&self) -> Option<NetworkShape> {
        self.game.network_shape()
    }

    fn write_planes(&self, planes: &mut [f32]) {
        self.game.write_planes(&self.position, planes);
    }

    fn policy_places(&self, places: &mut Vec<u32>) -> Result<usize, Error> {
        if self.game.outcome(&self.position)?.is_some() {
            return Ok(0);
        }
        let legal = self.legal()?;
        for mv in &legal {
            self.game.policy_places(&self.position, mv, places);
        }
        Ok(legal.len())
    }

    fn key(&self) -> Result<Option<u64>, Error> {
        self.game.key(&self.position)
    }

    fn swapped(&self) -> Option<Arc<dyn AnyPosition>> {
        Some(Located::any(&self.game, self.game.swapped(&self.position)?))
    }

    fn value_range(&self) -> (f64, f64) {
        self.game.value_range()
    }

    fn results(&self) -> Option<Vec<f64>> {
        self.game.results()
    }

    fn moves_left(&self) -> Option<u32> {
        self.game.moves_left(&self.position)
    }

    fn phase(&self) -> u32 {
        self.game.phase(&self.position)
    }

    fn perft(&self, depth: u32, poll: Poll) -> Result<u64, Error> {
        perft(&*self.game, &self.position, depth, poll)
    }

    fn evaluators(&self) -> &'static [Info] {
        G::EVALUATORS
    }

    fn evaluate(&self, evaluation: Evaluation) -> Result<f64, Error> {
        let mut judge = self.judge(evaluation)?;
        match self.game.outcome(&self.position)? {
            Some(value) => Ok(value),
            None => judge.value(&Line::root(&self.position)),
        }
    }

    fn move_scores(&self, evaluation: Evaluation) -> Result<Option<Vec<f64>>, Error> {
        let mut judge = self.judge(evaluation)?;
        let (moves, mut scores) = (self.legal()?, Vec::new());
        if judge.gives_scores() && !moves.is_empty() {
            judge.scores(&Line::root(&self.position), &moves, &mut scores)?;
        }
        Ok(judge.gives_scores().then_some(scores))
    }

    fn candidates(&self, evaluation: Evaluation) -> Result<Considered, Error> {
        let mut judge = self.judge(evaluation)?;
        let (line, legal) = (Line::root(&self.position), self.legal()?);
        if self.game.outcome(&self.position)?.is_some() {
            return Ok(Considered::default());
        }
        let left_out = judge.left_out(&line, &legal)?;
        judge.consider(&line, &mut legal.clone())?;
        let places = match judge.places() {
            [] => (0..legal.len() as u32).collect(),
            places => places.iter().map(|place| u32::from(*place)).collect(),
        };
        let left_out = left_out.into_iter().map(|(place, why)| (u32::from(place), why)).collect();
        Ok(Considered { places, left_out })
    }

    fn decided(&self, evaluation: Evaluation) -> Result<Option<f64>, Error> {
        let mut judge = self.judge(evaluation)?;
        match self.game.outcome(&self.position)? {
            Some(value) => Ok(Some(value)),
            None => match judge.decided(&Line::root(&self.position))? {
                Some(value) => Ok(Some(value)),
                None => judge.known_result(&self.position),
            },
        }
    }

    fn facts(&self, evaluation: Evaluation) -> Result<Option<Fact>, Error> {
        let mut judge = self.judge(evaluation)?;
        match self.game.outcome(&self.position)? {
            Some(_) => Ok(None),
            None => judge.facts(&Line::root(&self.position)),
        }
    }

    fn survey(&self, depth: u32, evaluation: Evaluation, poll: Poll) -> Result<(u64, f64), Error> {
        survey(&*self.game, &mut self.judge(evaluation)?, &self.position, depth, poll)
    }

    fn expander(&self, evaluation: Evaluation) -> Result<Box<dyn Expander>, Error> {
        let judge = self.judge(evaluation)?;
        Ok(Box::new(NodePositions::new(self.game.clone(), judge, self.position.clone())))
    }

    fn walker(&self, evaluation: Evaluation) -> Result<Box<dyn Walker>, Error> {
        let judge = self.judge(evaluation)?;
        Ok(Box::new(LinePositions::new(self.game.clone(), judge, self.position.clone())))
    }

    fn alpha_beta(
        &self,
        evaluation: Evaluation,
        params: &Params,
    ) -> Result<Box<dyn Search>, Error> {
        let (game, judge) = (self.game.clone(), self.judge(evaluation)?);
        Ok(Box::new(AlphaBeta::new(game, judge, self.position.clone(), params)?))
    }

    fn end_game(&self, evaluation: Evaluation, params: &Params) -> Result<Box<dyn Search>, Error> {
        let (game, judge) = (self.game.clone(), self.judge(evaluation)?);
        Ok(Box::new(EndGame::new(game, judge, self.position.clone(), params)?))
    }

    fn export(
        &self,
        claim: Claim,
        search: Option<&mut dyn Search>,
        control: &mut dyn Control,
        sink: Sink,
    ) -> Result<Exported, Error> {
        proof::export(&*self.game, &self.position, claim, search, control, sink)
    }

    fn shortest(
        &self,
        claim: Claim,
        control: &mut dyn Control,
    ) -> Result<Option<(u16, u32)>, Error> {
        let mut shortest = Shortest::new(&*self.game, claim, control);
        let distance = shortest.distance(&self.position)?;
        Ok(distance.zip(shortest.best(&self.position)?))
    }
}

/// All positions of a tree that is given as data.
pub(crate) fn whole(game: ExplicitTree) -> Result<Box<dyn Expander>, Error> {
    let game = Arc::new(game);
    let positions = (0..game.nodes().len() as u32).collect();
    let judge = Judge::new(&game, &Wanted::default(), None)?;
    Ok(Box::new(NodePositions::of(game, judge, positions)))
}
