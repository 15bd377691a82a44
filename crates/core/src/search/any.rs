//! Positions of any game behind one face, for front ends that learn at run time which game it is.

use super::alpha_beta::AlphaBeta;
use super::depth_first::{Numbers, Solver};
use super::end_game::EndGame;
use super::{find, Growth, Saved, Search};
use crate::error::Error;
use crate::game::Game;
use crate::games::ExplicitTree;
use crate::growth::{with_rule, GrowthRule, SiblingConspiracy, WithRule};
use crate::params::{Params, Value};
use crate::perft::{perft, survey, Poll};
use crate::tree::NodeId;
use std::any::Any;
use std::sync::Arc;

/// A position together with its game.
#[derive(Debug)]
pub struct Located<G: Game> {
    /// The game.
    pub game: Arc<G>,
    /// The position.
    pub position: G::Position,
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
    /// The static value, or the game's value if it is over.
    fn evaluate(&self) -> Result<f64, Error>;
    /// In the game's notation.
    fn notation(&self) -> String;
    /// For people.
    fn picture(&self) -> String;
    /// Equal for equal positions.
    fn key(&self) -> Result<Option<u64>, Error>;
    /// Where the game goes on here, though a draw could be claimed; nothing if it is over for good.
    fn play_on(&self) -> Result<Option<Arc<dyn AnyPosition>>, Error>;
    /// With the players' roles exchanged.
    fn swapped(&self) -> Option<Arc<dyn AnyPosition>>;
    /// The least and the greatest value of the game.
    fn value_range(&self) -> (f64, f64);
    /// All results of the game, if they are known.
    fn results(&self) -> Option<Vec<f64>>;
    /// At most how many moves can still be made, if that is known.
    fn moves_left(&self) -> Option<u32>;
    /// What the game knows of the position, as JSON, if it knows anything.
    fn facts(&self) -> Option<String>;
    /// The scores of the moves, if the game has a local heuristic; none if it is over.
    fn move_scores(&self) -> Result<Option<Vec<f64>>, Error>;
    /// Number of lines of this many moves.
    fn perft(&self, depth: u32, poll: Poll) -> Result<u64, Error>;
    /// Number of positions down to this depth, all generated and valued, and the sum of their values.
    fn survey(&self, depth: u32, poll: Poll) -> Result<(u64, f64), Error>;
    /// A search by name, not yet run.
    fn search(
        &self,
        name: &str,
        params: &[(String, Value)],
        record: bool,
    ) -> Result<Box<dyn Search>, Error>;
    /// A growing search by name, with the tree that was saved.
    fn restore(
        &self,
        name: &str,
        params: &[(String, Value)],
        saved: Saved,
    ) -> Result<Box<dyn Search>, Error>;
    /// The same with a rule from elsewhere, whose numbers are computed anew.
    fn restore_with(
        &self,
        rule: Box<dyn GrowthRule>,
        saved: Saved,
    ) -> Result<Box<dyn Search>, Error>;
    /// A search with a rule from elsewhere, not yet run.
    fn search_with(
        &self,
        rule: Box<dyn GrowthRule>,
        record: bool,
    ) -> Result<Box<dyn Search>, Error>;
}

impl<G: Game + 'static> Located<G> {
    /// Boxed behind the common face.
    pub fn any(game: &Arc<G>, position: G::Position) -> Arc<dyn AnyPosition> {
        Arc::new(Located { game: game.clone(), position })
    }

    fn grow<R: GrowthRule + 'static>(
        &self,
        rule: R,
        record: bool,
    ) -> Result<Box<dyn Search>, Error> {
        let (game, position) = (self.game.clone(), self.position.clone());
        let growth = Growth::new(game, position, rule, record);
        Ok(Box::new(growth.map_err(Error::at_root)?))
    }

    /// A depth-first search of proofs, if that is what the name and the parameters mean.
    fn with_table(
        &self,
        name: &str,
        params: &Params,
        record: bool,
    ) -> Result<Option<Box<dyn Search>>, Error> {
        let siblings = name == SiblingConspiracy::INFO.name;
        if siblings && params.int("table_bytes").is_none() {
            return match params.int("threads") {
                Some(1) => Ok(None),
                _ => Err(Error::Argument("several threads share a table: give table_bytes".into())),
            };
        }
        if !siblings && name != Solver::<G, Numbers>::INFO.name {
            return Ok(None);
        }
        if record {
            return Err(no_trace(name));
        }
        let (game, position) = (self.game.clone(), self.position.clone());
        Ok(Some(if siblings {
            Box::new(Solver::siblings(game, position, params)?)
        } else {
            Box::new(Solver::new(game, position, params)?)
        }))
    }

    fn move_at(&self, place: usize) -> Result<G::Move, Error> {
        let mut moves = Vec::new();
        self.game.moves(&self.position, &mut moves)?;
        let count = moves.len();
        let lacking = || Error::Position(format!("no move number {place}: there are {count}"));
        moves.into_iter().nth(place).ok_or_else(lacking)
    }

    fn must_go_on(&self) -> Result<(), Error> {
        match self.game.outcome(&self.position)? {
            Some(_) => {
                Err(Error::Position("the game is over in this position: nothing to search".into()))
            }
            None => Ok(()),
        }
    }
}

fn no_trace(name: &str) -> Error {
    Error::Argument(format!("{name} keeps no tree and so no trace: leave trace out"))
}

/// Starts a growing search at a position with whatever rule the name gives.
struct Grow<'a, G: Game>(&'a Located<G>, bool);

impl<G: Game + 'static> WithRule for Grow<'_, G> {
    type Output = Result<Box<dyn Search>, Error>;
    fn with<R: GrowthRule + 'static>(self, rule: R) -> Self::Output {
        self.0.grow(rule, self.1)
    }
}

/// Takes up a tree at a position with whatever rule the name gives.
struct Restore<'a, G: Game>(&'a Located<G>, Saved);

impl<G: Game + 'static> WithRule for Restore<'_, G> {
    type Output = Result<Box<dyn Search>, Error>;
    fn with<R: GrowthRule + 'static>(self, rule: R) -> Self::Output {
        let Located { game, position } = self.0;
        Ok(Box::new(Growth::restore(game.clone(), position.clone(), rule, self.1)?))
    }
}

impl<G: Game + 'static> AnyPosition for Located<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn moves(&self) -> Result<Vec<String>, Error> {
        let mut moves = Vec::new();
        self.game.moves(&self.position, &mut moves)?;
        Ok(moves.iter().map(|mv| self.game.move_name(&self.position, mv)).collect())
    }

    fn move_text(&self, place: usize) -> Result<String, Error> {
        Ok(self.game.move_text(&self.position, &self.move_at(place)?))
    }

    fn find_move(&self, text: &str) -> Result<Option<usize>, Error> {
        let mut moves = Vec::new();
        self.game.moves(&self.position, &mut moves)?;
        Ok(self.game.find_move(&self.position, &moves, text))
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

    fn evaluate(&self) -> Result<f64, Error> {
        match self.game.outcome(&self.position)? {
            Some(value) => Ok(value),
            None => self.game.evaluate(&self.position),
        }
    }

    fn notation(&self) -> String {
        self.game.notation(&self.position)
    }

    fn picture(&self) -> String {
        self.game.picture(&self.position)
    }

    fn key(&self) -> Result<Option<u64>, Error> {
        self.game.key(&self.position)
    }

    fn play_on(&self) -> Result<Option<Arc<dyn AnyPosition>>, Error> {
        let position = self.game.play_on(&self.position)?;
        Ok(position.map(|position| Located::any(&self.game, position)))
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

    fn facts(&self) -> Option<String> {
        self.game.facts(&self.position)
    }

    fn move_scores(&self) -> Result<Option<Vec<f64>>, Error> {
        if !self.game.gives_scores() {
            return Ok(None);
        }
        let (mut moves, mut scores) = (Vec::new(), Vec::new());
        self.game.moves(&self.position, &mut moves)?;
        if !moves.is_empty() {
            self.game.move_scores(&self.position, &moves, &mut scores)?;
        }
        Ok(Some(scores))
    }

    fn perft(&self, depth: u32, poll: Poll) -> Result<u64, Error> {
        perft(&*self.game, &self.position, depth, poll)
    }

    fn survey(&self, depth: u32, poll: Poll) -> Result<(u64, f64), Error> {
        survey(&*self.game, &self.position, depth, poll)
    }

    fn search(
        &self,
        name: &str,
        params: &[(String, Value)],
        record: bool,
    ) -> Result<Box<dyn Search>, Error> {
        let params = Params::new(find(name)?, params)?;
        self.must_go_on().map_err(Error::at_root)?;
        if let Some(search) = self.with_table(name, &params, record)? {
            return Ok(search);
        }
        match with_rule(name, &params, Grow(self, record))? {
            Some(search) => search,
            None if record => Err(no_trace(name)),
            None => {
                let (game, position) = (self.game.clone(), self.position.clone());
                Ok(if name == EndGame::<G>::INFO.name {
                    Box::new(EndGame::new(game, position, &params).map_err(Error::at_root)?)
                } else {
                    Box::new(AlphaBeta::new(game, position, &params).map_err(Error::at_root)?)
                })
            }
        }
    }

    fn search_with(
        &self,
        rule: Box<dyn GrowthRule>,
        record: bool,
    ) -> Result<Box<dyn Search>, Error> {
        self.must_go_on().map_err(Error::at_root)?;
        self.grow(rule, record)
    }

    fn restore(
        &self,
        name: &str,
        params: &[(String, Value)],
        saved: Saved,
    ) -> Result<Box<dyn Search>, Error> {
        let params = Params::new(find(name)?, params)?;
        self.must_go_on()?;
        match with_rule(name, &params, Restore(self, saved))? {
            Some(search) => search,
            None => Err(Error::Argument(format!("{name} keeps no tree: nothing to load"))),
        }
    }

    fn restore_with(
        &self,
        rule: Box<dyn GrowthRule>,
        saved: Saved,
    ) -> Result<Box<dyn Search>, Error> {
        self.must_go_on()?;
        Restore(self, saved).with(rule)
    }
}

/// Makes a search of a whole tree given as data, with whatever rule the name gives.
struct Whole(Arc<ExplicitTree>);

impl WithRule for Whole {
    type Output = Result<Box<dyn Search>, Error>;
    fn with<R: GrowthRule + 'static>(self, rule: R) -> Self::Output {
        let tree = self.0.search_tree();
        let positions = (0..tree.len() as NodeId).collect();
        Ok(Box::new(Growth::from_tree(self.0, tree, positions, rule)?))
    }
}

/// A whole tree given as data, with the numbers of a rule from elsewhere.
pub fn tree_with_rule(
    game: ExplicitTree,
    rule: Box<dyn GrowthRule>,
) -> Result<Box<dyn Search>, Error> {
    Whole(Arc::new(game)).with(rule)
}

/// A whole tree given as data, with the numbers of the rule that `name` names.
pub fn tree_from_data(
    game: ExplicitTree,
    name: &str,
    params: &[(String, Value)],
) -> Result<Box<dyn Search>, Error> {
    let params = Params::new(find(name)?, params)?;
    with_rule(name, &params, Whole(Arc::new(game)))?
        .unwrap_or_else(|| Err(Error::Argument(format!("{name} keeps no tree"))))
}
