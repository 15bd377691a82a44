//! What a position is worth by its looks: who gets to a square first.

use super::board::{slide, Position, BLACK, WHITE};

/// White's advantage in quarters of a square.
///
/// Territory is what one player's amazons reach in fewer moves than the other's, if only they moved (J. Lieberum,
/// "An evaluation function for the game of Amazons", 2005, Section 3). The players' regions grow move by move,
/// each from its own border alone: a shortest way of the player who is first leads through no square at which the
/// other is earlier. A square that both reach at once counts a quarter for the player to move, and so does every
/// square within one move for whoever has it there.
#[inline(always)]
pub(super) fn estimate(position: &Position) -> i32 {
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
