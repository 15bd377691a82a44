//! Hex without knowledge: how well each colour's circuit conducts.

use super::bits::Bits;
use super::board::{Board, BLACK, WHITE};
use super::cell_circuit::{Cell, Circuit};
use super::LEAST;
use crate::games::hex::{HexGame, HexMove, HexPosition};

/// A colour's circuit in a position that is not over, in lines from one of its edges to the other: White's
/// is the circuit that Black would have with the roles exchanged.
fn circuit<const W: usize>(board: &Board<W>, position: &HexPosition<W>, colour: usize) -> Circuit {
    let own = position.stones(colour);
    // what no pole is connected with would leave the equations without a unique solution
    let open = board.all & !position.stones(1 - colour);
    let [near, far] = board.edges[colour];
    let open = board.flood(near | far, open);
    let cell = |at: usize| {
        let cell = if colour == BLACK { at } else { board.transposed(at) };
        match (open.has(cell), own.has(cell)) {
            (false, _) => Cell::Out,
            (_, true) => Cell::Own,
            _ => Cell::Empty,
        }
    };
    let cells = (0..board.size * board.size).map(cell).collect();
    // rows that are long enough for any board of so many words
    match W {
        1 => Circuit::solve::<8>(board.size, cells),
        2 => Circuit::solve::<12>(board.size, cells),
        _ => Circuit::solve::<20>(board.size, cells),
    }
}

/// One over the resistance of each colour.
fn conductances<const W: usize>(board: &Board<W>, position: &HexPosition<W>) -> [f64; 2] {
    [BLACK, WHITE].map(|colour| circuit(board, position, colour).current)
}

/// (R_white - R_black) / (R_white + R_black), where R is the resistance of a colour's circuit.
pub(super) fn value<const W: usize>(board: &Board<W>, position: &HexPosition<W>) -> f64 {
    let [black, white] = conductances(board, position);
    (black - white) / (black + white)
}

/// The current through the cell in Black's circuit and in White's.
pub(super) fn scores<const W: usize>(
    game: &HexGame<W>,
    position: &HexPosition<W>,
    moves: &[HexMove],
    scores: &mut Vec<f64>,
) {
    let board = &game.board;
    let circuits = [BLACK, WHITE].map(|colour| circuit(board, position, colour));
    let [black, white] = circuits.each_ref().map(Circuit::currents);
    let score = |cell: usize| (black[cell] + white[board.transposed(cell)]).max(LEAST);
    let swap = game.swap_move();
    let swapping = || {
        let currents = circuits.each_ref().map(|circuit| circuit.current);
        swap_score(board, position, currents, &score)
    };
    scores.extend(moves.iter().map(|&mv| if mv == swap { swapping() } else { score(mv.into()) }));
}

/// How good it is to swap, where a move to a cell is as good as `score` says.
///
/// The best move by score leaves Black to move, and so does the swap: that makes the two comparable. Each
/// gives White some ratio of Black's resistance to White's, and the scores are made to have the ratio of
/// those. This happens once in a game, so that it may solve two circuits more.
fn swap_score<const W: usize>(
    board: &Board<W>,
    position: &HexPosition<W>,
    [black, white]: [f64; 2],
    score: &dyn Fn(usize) -> f64,
) -> f64 {
    let empty: Bits<W> = board.all & !position.taken();
    let best = empty.cells().max_by(|&one, &two| score(one).total_cmp(&score(two)));
    let Some(best) = best else { return 1.0 };
    let reply = position.with(WHITE, best, false);
    let [black_then, white_then] = conductances(board, &reply);
    let by_swap = black / white;
    let by_reply = white_then / black_then;
    (score(best) * by_swap / by_reply).max(LEAST)
}
