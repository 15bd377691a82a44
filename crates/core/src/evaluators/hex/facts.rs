//! What is known of a position, as data: for people, pictures and tests.

use super::bits::Bits;
use super::board::{Board, BLACK, WHITE};
use super::connections::{Connection, Connections};
use super::inferior::Inferior;
use super::knowledge::{Known, State};
use super::notation::cell_name;
use crate::fact::Fact;

const PLAYERS: [&str; 2] = ["max", "min"];
const EDGES: [[&str; 2]; 2] = [["top", "bottom"], ["left", "right"]];

/// The kinds of inferior cells.
pub(super) fn kinds<const W: usize>(inferior: &Inferior<W>) -> [(Bits<W>, &'static str); 4] {
    [
        (inferior.dead, "dead"),
        (inferior.captured[0] | inferior.captured[1], "captured"),
        (inferior.vulnerable, "vulnerable"),
        (inferior.dominated, "dominated"),
    ]
}

pub(super) fn write<const W: usize>(
    board: &Board<W>,
    state: &State<W>,
    known: &Known,
    learnt: Option<&Known>,
) -> Fact {
    let size = board.size;
    let name = |cell: usize| cell_name(size, cell);
    let cells = |set: Bits<W>| Fact::list(set.cells().map(name));
    let both = |each: &dyn Fn(usize) -> Fact| {
        Fact::map([BLACK, WHITE].into_iter().map(|colour| (PLAYERS[colour], each(colour))))
    };
    let inferior = &state.inferior;
    let empty = board.all & !(state.placed[0] | state.placed[1]);
    let reasons = empty.cells().filter_map(|cell| {
        let reason = kinds(inferior).into_iter().find(|(set, _)| set.has(cell))?.1;
        Some((name(cell), reason))
    });
    let scores = |known: &Known| {
        let scores = known.moves.iter().zip(&known.scores);
        Fact::map(scores.map(|(mv, score)| (name((*mv).into()), f64::from(*score))))
    };
    let resistance = match state.winner {
        Some(_) => Fact::Map(Vec::new()),
        None => {
            let circuits = state.circuits();
            both(&|colour| Fact::Number(1.0 / circuits[colour].current.max(1e-9)))
        }
    };
    Fact::map([
        ("winner", known.winner.map(|colour| PLAYERS[colour]).into()),
        ("filled", both(&|colour| cells(inferior.filled[colour]))),
        ("mustplay", state.must_play.map(|must| cells(must & empty)).into()),
        ("moves", Fact::list(known.moves.iter().map(|mv| name((*mv).into())))),
        ("inferior", Fact::map(reasons)),
        ("energies", scores(known)),
        ("policy", learnt.map_or(Fact::Map(Vec::new()), scores)),
        ("value", learnt.map(|learnt| learnt.value).into()),
        ("resistance", resistance),
        ("connections", both(&|colour| claims(&state.connections[colour], size, colour, &cells))),
    ])
}

fn claims<const W: usize>(
    connections: &Connections<W>,
    size: usize,
    colour: usize,
    cells: &dyn Fn(Bits<W>) -> Fact,
) -> Fact {
    let end = |point: usize| match point.checked_sub(size * size) {
        Some(edge) => EDGES[colour][edge].to_string(),
        None => cell_name(size, point),
    };
    Fact::list(connections.all().into_iter().map(|Connection { ends, full, carrier, .. }| {
        Fact::map([
            ("ends", Fact::list(ends.map(end))),
            ("full", full.into()),
            ("carrier", cells(carrier)),
        ])
    }))
}
