//! What is known of a position, as JSON: for people, pictures and tests.

use super::bits::Bits;
use super::board::{Board, Position, BLACK, WHITE};
use super::connections::{Connection, Connections};
use super::knowledge::{Known, State};
use super::notation::cell_name;
use std::fmt::Display;

const PLAYERS: [&str; 2] = ["max", "min"];
const EDGES: [[&str; 2]; 2] = [["top", "bottom"], ["left", "right"]];

/// A list.
fn list(entries: impl Iterator<Item = String>) -> String {
    format!("[{}]", entries.collect::<Vec<_>>().join(","))
}

/// An object.
fn object<K: Display>(entries: impl Iterator<Item = (K, String)>) -> String {
    let entries = entries.map(|(key, value)| format!("\"{key}\":{value}"));
    format!("{{{}}}", entries.collect::<Vec<_>>().join(","))
}

fn quoted(text: impl Display) -> String {
    format!("\"{text}\"")
}

pub(super) fn write<const W: usize>(
    board: &Board<W>,
    position: &Position<W>,
    state: &State<W>,
    known: &Known,
    learnt: Option<&Known>,
) -> String {
    let size = board.size;
    let name = |cell: usize| cell_name(size, cell);
    let cells = |set: Bits<W>| list(set.cells().map(|cell| quoted(name(cell))));
    let both = |each: &dyn Fn(usize) -> String| {
        object([BLACK, WHITE].into_iter().map(|colour| (PLAYERS[colour], each(colour))))
    };
    let inferior = &state.inferior;
    let kinds = [
        (inferior.dead, "dead"),
        (inferior.captured[0] | inferior.captured[1], "captured"),
        (inferior.vulnerable, "vulnerable"),
        (inferior.dominated, "dominated"),
    ];
    let empty = board.all & !position.taken();
    let reasons = empty.cells().filter_map(|cell| {
        let reason = kinds.iter().find(|(set, _)| set.has(cell))?.1;
        Some((name(cell), quoted(reason)))
    });
    let scores = |known: &Known| {
        let scores = known.moves.iter().zip(&known.scores);
        object(scores.map(|(mv, score)| (name((*mv).into()), score.to_string())))
    };
    let value = learnt.map_or("null".into(), |learnt| learnt.value.to_string());
    let resistance = match state.winner {
        Some(_) => "{}".into(),
        None => {
            let circuits = state.circuits();
            both(&|colour| (1.0 / circuits[colour].current.max(1e-9)).to_string())
        }
    };
    let winner = known.winner.map_or("null".into(), |colour| quoted(PLAYERS[colour]));
    object(
        [
            ("winner", winner),
            ("filled", both(&|colour| cells(inferior.filled[colour]))),
            ("mustplay", state.must_play.map_or("null".into(), |must| cells(must & empty))),
            ("moves", list(known.moves.iter().map(|mv| quoted(name((*mv).into()))))),
            ("inferior", object(reasons)),
            ("energies", scores(known)),
            ("policy", learnt.map_or("{}".into(), scores)),
            ("value", value),
            ("resistance", resistance),
            (
                "connections",
                both(&|colour| claims(&state.connections[colour], size, colour, &cells)),
            ),
        ]
        .into_iter(),
    )
}

fn claims<const W: usize>(
    connections: &Connections<W>,
    size: usize,
    colour: usize,
    cells: &dyn Fn(Bits<W>) -> String,
) -> String {
    let end = |point: usize| match point.checked_sub(size * size) {
        Some(edge) => quoted(EDGES[colour][edge]),
        None => quoted(cell_name(size, point)),
    };
    list(connections.all().into_iter().map(|Connection { ends, full, carrier, .. }| {
        let [one, two] = ends.map(end);
        format!("{{\"ends\":[{one},{two}],\"full\":{full},\"carrier\":{}}}", cells(carrier))
    }))
}
