//! Writes the local patterns for Hex that `crates/core/src/games/hex/data/patterns.txt` holds:
//!
//! ```sh
//! cargo run --release -p conspirator-core --example derive_hex_patterns > crates/core/src/games/hex/data/patterns.txt
//! ```

#[path = "../src/games/hex/inferior/derive.rs"]
mod derive;

fn main() {
    println!("# Written by: cargo run --release -p conspirator-core --example derive_hex_patterns");
    println!("# Neighbourhoods in which a cell is dead, one of each that are alike but for turning and colours.");
    println!("# B, W: a stone; a dot: anything. Six neighbours, then twelve at distance two: see derive.rs.");
    for stones in derive::dead(18) {
        println!("dead {}", derive::written(&stones));
    }
}
