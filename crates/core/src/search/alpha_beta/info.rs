//! What the registry says of `alpha-beta`.

use crate::params::{Info, Kind, Param};

/// The search's entry in the tables.
pub(crate) const INFO: Info = Info {
    name: "alpha-beta",
    paper: "Rivest 1988, Section 5.4",
    summary: "iterative deepening, static move ordering, answer of the last completed depth",
    params: &[
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
            name: "table",
            default: Kind::Bool(false),
            meaning: "a transposition table, its move first, no move played twice",
        },
        Param {
            name: "ordering",
            default: Kind::Choice(&["lean", "all"]),
            meaning: "order children above depth 1 only (lean), or at every node with an open root window (all)",
        },
        Param {
            name: "table_depth",
            default: Kind::Int(2, 1),
            meaning: "least depth whose results the table keeps; 1 where static values are expensive",
        },
        Param {
            name: "selective",
            default: Kind::Bool(false),
            meaning: "late moves less deep, a pass as a test, early ends, an order of its own: stronger in chess",
        },
        Param {
            name: "variant",
            default: Kind::Choice(&["plain", "modern"]),
            meaning: "modern: null windows, a table, orders that learn, late moves less deep, for every game",
        },
        Param {
            name: "table_bytes",
            default: Kind::Int(64 << 20, 1024),
            meaning: "memory for the transposition table",
        },
    ],
};
