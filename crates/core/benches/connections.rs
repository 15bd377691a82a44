//! Virtual connections of Hex: how many positions a second, both colours, from nothing and from the position
//! before. `cargo bench -p conspirator-core --bench connections`.

use conspirator_core::measure_connections;

/// Six games of the player against itself on 11x11, to move 40.
const GAMES: [&str; 6] = [
    "a2 b8 d7 d8 c8 c9 b9 b10 f7 e9 g8 f10 h9 g11 i10 f5 i3 g6 i5 i6 h6 g7 h7 i4 f8 h4 e6 d5 e5 f3 d4 e4 f4 g3 c6 c5 k3 j4 b5 b6",
    "a2 c9 e8 e7 g6 h4 f5 g7 f7 e9 d9 g3 e4 c11 d10 d11 e10 e11 g10 e3 f3 g2 f2 f10 g8 g9 c10 b11 i8 h8 i7 h7 i6 h6 a11 b10 i5 h5 c8 d8",
    "e2 c9 d9 e7 d8 c7 d7 e5 d6 d5 e6 g4 i3 h5 i5 i4 k3 j4 k4 j6 j5 j3 c6 c5 k2 h6 i6 h8 h7 k1 j2 f8 f5 e10 g8 f11 f4 c11 b10 c10",
    "e2 c9 f7 e9 g8 g9 f9 f6 h5 i3 g4 g6 h6 g3 h3 e11 f10 f11 g10 g11 i10 h10 i9 h9 i8 h7 g7 h8 e10 i2 h2 d11 d10 c11 i6 i7 b10 c10 b9 c8",
    "h2 g4 i3 h5 j4 i6 e5 d7 f6 f7 e7 e8 d8 d9 c9 f3 d4 e2 c3 b11 c10 c11 d10 b2 d1 d11 e10 d5 e4 e11 f10 f11 g10 g11 h10 h11 a11 b10 a10 b9",
    "h2 c9 e8 d10 f9 f6 d7 e5 c6 d4 c4 c5 h5 g7 i6 h8 i8 i7 k6 j7 a6 b5 k7 j6 a5 b4 a4 b3 a3 b6 a7 b7 d2 b8 k5 j5 e4 d5 f5 e6",
];

fn main() -> Result<(), conspirator_core::Error> {
    let [scratch, incremental] = measure_connections(11, &GAMES, 10, 5)?;
    println!("from nothing          {scratch:6.0} positions a second");
    println!("from the one before   {incremental:6.0} positions a second");
    Ok(())
}
