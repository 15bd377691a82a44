//! MTD(f), SSS* and DUAL*: the value of a depth by null windows alone, with a table.
//!
//! A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, "Best-first fixed-depth minimax algorithms", Artificial Intelligence
//! 87 (1996). Each search with a null window is their procedure MT (Section 2): it answers on which side of a value the
//! minimax value lies, and by how much at least. Their driver MTD (Section 3) asks until both bounds meet:
//!
//! ```text
//!   low                    value                          high
//!    |------------------------*-----------------------------|
//!                    ask here ^ "f": where the last depth ended
//!    ^ "dual": from below                  from above: "sss" ^
//! ```
//!
//! With the first question at the upper end, and different values at all leaves, these are leaves of G. Stockman's SSS*
//! (1979); at the lower end, of its dual. Among equal values the table's move goes first, where SSS* goes from left to
//! right.

use super::AlphaBeta;
use crate::evaluator::{Game, Line};
use crate::params::{Info, Kind, Param, Params};
use crate::search::budget::{Halt, Meter};
use crate::search::end_game::above;

/// The search's entry in the tables.
pub(crate) const INFO: Info = Info {
    name: "mtd-f",
    paper: "Plaat, Schaeffer, Pijls and de Bruin 1996",
    summary: "alpha-beta's values by null windows alone, and a table: MTD(f), SSS* and its dual",
    params: &[
        Param {
            name: "driver",
            default: Kind::Choice(&["f", "sss", "dual"]),
            meaning: "the first question of a depth: at the last value (MTD(f)), at the top (SSS*), at the bottom (DUAL*)",
        },
        Param {
            name: "depth",
            default: Kind::MaybeInt(1),
            meaning: "deepest iteration in plies; nothing: as deep as the budget allows",
        },
        Param {
            name: "first_depth",
            default: Kind::Int(2, 1),
            meaning: "depth of the first iteration",
        },
        Param {
            name: "table_depth",
            default: Kind::Int(2, 1),
            meaning: "least depth whose results the table keeps; 1 where static values are expensive",
        },
        Param {
            name: "table_bytes",
            default: Kind::Int(64 << 20, 1024),
            meaning: "memory for the transposition table; with less the values are the same, and need more time",
        },
    ],
};

/// Where the first question of a depth is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Driver {
    LastValue,
    Top,
    Bottom,
}

impl Driver {
    /// The one that is wanted, if any.
    pub fn wanted(params: &Params) -> Option<Driver> {
        match params.text("driver") {
            "f" => Some(Driver::LastValue),
            "sss" => Some(Driver::Top),
            "dual" => Some(Driver::Bottom),
            _ => None,
        }
    }
}

impl<G: Game> AlphaBeta<G> {
    /// One iteration: questions until both bounds meet. The value is for the player to move; `self.lines[0]` has its
    /// move, and nothing more: bounds have no principal variation.
    pub(super) fn drive(
        &mut self,
        meter: &mut Meter,
        line: &Line<G::Position>,
        depth: u32,
        (mut low, mut high): (f64, f64),
        driver: Driver,
    ) -> Result<f64, Halt> {
        let last = self.iterations.last().map_or(self.static_value, |done| done.value);
        let last = if self.game.max_to_move(line.position) { last } else { -last };
        let mut value = match driver {
            Driver::LastValue => last.clamp(low, high),
            Driver::Top => high,
            Driver::Bottom => low,
        };
        let mut best = None;
        loop {
            let asked = if value <= low { above(low) } else { value };
            value = self.search(meter, line, depth, 0, -above(-asked), asked)?;
            let place = self.lines[0].first().copied();
            if value >= asked {
                (low, best) = (value, place);
            } else {
                (high, best) = (value, best.or(place));
            }
            if low >= high {
                break;
            }
        }
        self.lines[0].clear();
        self.lines[0].extend(best);
        Ok(value)
    }
}
