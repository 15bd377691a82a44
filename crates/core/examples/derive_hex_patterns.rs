//! Writes what the Hex player knows by heart, which is derived and not typed in:
//!
//! ```sh
//! cd crates/core
//! cargo run --release --example derive_hex_patterns patterns > src/evaluators/hex/data/patterns.txt
//! cargo run --release --example derive_hex_patterns templates > src/evaluators/hex/data/templates.txt
//! ```

#[path = "../src/evaluators/hex/inferior/derive.rs"]
mod derive;
#[path = "../src/evaluators/hex/inferior/derive_templates.rs"]
mod derive_templates;

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("patterns") => print!("{}", derive::file()),
        Some("templates") => print!("{}", derive_templates::file(4)),
        _ => {
            eprintln!("usage: derive_hex_patterns patterns | templates");
            std::process::exit(2);
        }
    }
}
