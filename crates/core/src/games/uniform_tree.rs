//! An infinite tree of one width and one value: the papers' test of pure tree shape.

use super::parse_places;
use crate::error::Error;
use crate::game::{Notation, Rules, Shortcuts};
use crate::params::{Info, Kind, Param, Params};

/// Every position has `width` moves and the same static value; nobody ever wins.
#[derive(Clone, Debug)]
pub struct UniformTree {
    width: u16,
    value: f64,
}

impl UniformTree {
    /// The game's entry in the tables.
    pub const INFO: Info = Info {
        name: "uniform-tree",
        paper: "McAllester 1988, Section 7; Lister and Schaeffer 1994",
        summary: "infinite tree of one width, every static value the same",
        params: &[
            Param { name: "width", default: Kind::Int(10, 1), meaning: "moves in every position" },
            Param {
                name: "value",
                default: Kind::Real(0.0),
                meaning: "static value of every position",
            },
        ],
    };

    /// The game with these parameters, which have been checked against [`UniformTree::INFO`].
    pub fn new(params: &Params) -> Result<UniformTree, Error> {
        let width = params.int("width").unwrap_or(10);
        let width = u16::try_from(width)
            .map_err(|_| Error::Argument(format!("width must be at most 65535, not {width}")))?;
        Ok(UniformTree { width, value: params.real("value") })
    }

    /// The static value of every position.
    pub(crate) fn value(&self) -> f64 {
        self.value
    }
}

impl Rules for UniformTree {
    /// Number of moves made so far.
    type Position = u64;
    type Move = u16;

    fn start(&self) -> Result<u64, Error> {
        Ok(0)
    }

    fn max_to_move(&self, ply: &u64) -> bool {
        ply % 2 == 0
    }

    fn moves(&self, _: &u64, moves: &mut Vec<u16>) -> Result<(), Error> {
        moves.extend(0..self.width);
        Ok(())
    }

    fn play(&self, ply: &u64, _: &u16) -> Result<u64, Error> {
        Ok(ply + 1)
    }

    fn outcome(&self, _: &u64) -> Result<Option<f64>, Error> {
        Ok(None)
    }
}

impl Shortcuts for UniformTree {}

impl Notation for UniformTree {
    fn move_name(&self, _: &u64, place: &u16) -> String {
        place.to_string()
    }

    fn parse(&self, notation: &str) -> Result<u64, Error> {
        let places = parse_places(notation)?;
        match places.iter().find(|&&place| place >= u64::from(self.width)) {
            Some(place) => Err(Error::Position(format!(
                "there is no move {place}: every position has the moves 0 to {}",
                self.width - 1
            ))),
            None => Ok(places.len() as u64),
        }
    }

    /// All positions of one ply are alike: the leftmost stands for them.
    fn notation(&self, ply: &u64) -> String {
        vec!["0"; *ply as usize].join(".")
    }

    fn picture(&self, ply: &u64) -> String {
        format!("ply {ply} of an infinite tree of width {}", self.width)
    }
}
