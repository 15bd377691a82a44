//! Amazons: who gets to a square first.

use crate::error::Error;
use crate::evaluator::{Evaluator, Game, Line};
use crate::game::{Child, Rules};
use crate::games::amazons::{slide, AmazonsMove, AmazonsPosition, BLACK, WHITE};
use crate::games::Amazons;
use crate::judge::{SORT, WIDTH};
use crate::params::{Info, Params};

/// The evaluator `territory`.
#[derive(Clone, Copy, Debug)]
pub struct Territory;

impl Game for Amazons {
    type Evaluator = Territory;

    const EVALUATORS: &'static [Info] = &[Info {
        name: "territory",
        paper: "Lieberum 2005, Section 3",
        summary: "squares that one player's amazons reach before the other's; values are squares",
        params: &[WIDTH, SORT],
    }];

    fn evaluator(&self, _: &str, _: &Params) -> Result<Territory, Error> {
        Ok(Territory)
    }
}

impl Territory {
    #[inline(always)]
    fn static_value(game: &Amazons, position: &AmazonsPosition) -> f64 {
        let most = game.win() - 1.0;
        (f64::from(estimate(position)) / 4.0).clamp(-most, most)
    }

    #[inline(always)]
    fn valued(game: &Amazons, position: AmazonsPosition) -> Child<AmazonsPosition> {
        let terminal = position.over();
        let value = if terminal {
            game.lost(position.mover())
        } else {
            Territory::static_value(game, &position)
        };
        Child { position, value, terminal }
    }
}

impl Evaluator<Amazons> for Territory {
    fn value(&mut self, game: &Amazons, line: &Line<AmazonsPosition>) -> Result<f64, Error> {
        Ok(Territory::static_value(game, line.position))
    }

    #[inline]
    fn visit(
        &mut self,
        game: &Amazons,
        line: &Line<AmazonsPosition>,
        moves: &[AmazonsMove],
        mut visit: impl FnMut(Child<AmazonsPosition>) -> bool,
    ) -> Result<(), Error> {
        for mv in moves {
            if !visit(Territory::valued(game, line.position.after(*mv))) {
                break;
            }
        }
        Ok(())
    }

    fn gives_scores(&self) -> bool {
        true
    }

    /// Twice as good for every four squares that it is worth more.
    fn scores(
        &mut self,
        game: &Amazons,
        line: &Line<AmazonsPosition>,
        moves: &[AmazonsMove],
        scores: &mut Vec<f64>,
    ) -> Result<(), Error> {
        let sign = if game.max_to_move(line.position) { 0.25 } else { -0.25 };
        let value = |mv: &AmazonsMove| Territory::valued(game, line.position.after(*mv)).value;
        scores.extend(moves.iter().map(|mv| (sign * value(mv)).exp2()));
        Ok(())
    }

    fn fresh(&self) -> Territory {
        Territory
    }
}

/// White's advantage in quarters of a square.
///
/// Territory is what one player's amazons reach in fewer moves than the other's, if only they moved (J. Lieberum,
/// "An evaluation function for the game of Amazons", 2005, Section 3). The players' regions grow move by move,
/// each from its own border alone: a shortest way of the player who is first leads through no square at which the
/// other is earlier. A square that both reach at once counts a quarter for the player to move, and so does every
/// square within one move for whoever has it there.
#[inline(always)]
fn estimate(position: &AmazonsPosition) -> i32 {
    let empty = position.empty();
    let count = |set: u128| set.count_ones() as i32;
    let mut borders = [position.amazons(WHITE), position.amazons(BLACK)];
    let (mut open, mut territory, mut shared, mut mobility) = (empty, 0, 0, None);
    loop {
        let reached = borders.map(|border| slide(border, empty) & open);
        let [white, black] = reached;
        let ahead = count(white) - count(black);
        mobility.get_or_insert(ahead);
        territory += ahead;
        shared += count(white & black);
        open &= !(white | black);
        if open == 0 || white | black == 0 {
            break;
        }
        borders = reached;
    }
    let tempo = if position.mover() == WHITE { shared } else { -shared };
    4 * territory + tempo + mobility.unwrap_or(0)
}
