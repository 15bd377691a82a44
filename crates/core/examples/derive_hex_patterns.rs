//! Writes what the Hex player knows by heart, which is derived and not typed in:
//!
//! ```sh
//! cargo run --release -p conspirator-core --example derive_hex_patterns patterns > crates/core/src/games/hex/data/patterns.txt
//! ```

#[path = "../src/games/hex/inferior/derive.rs"]
mod derive;

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("patterns") => print!("{}", derive::file()),
        _ => {
            eprintln!("usage: derive_hex_patterns patterns");
            std::process::exit(2);
        }
    }
}
