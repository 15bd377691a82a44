//! The network of Hex: milliseconds for a position on one core, with the instructions that this machine has, and with
//! those that others have. `cargo bench -p conspirator-core --bench network`, with `-- 'AVX2'` behind it for one of them.

use conspirator_core::measure_network;

fn main() {
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    for size in [11, 13] {
        for (form, seconds) in measure_network(size, 300, &wanted) {
            println!("{size}x{size}   {form:15} {:.3} ms", seconds * 1e3);
        }
    }
}
