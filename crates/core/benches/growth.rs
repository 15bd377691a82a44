//! The core alone: growth and alpha-beta against the raw rate of generating and valuing positions, in one
//! run. `cargo bench -p conspirator-core`.

use conspirator_core::params::Value;
use conspirator_core::search::{Budget, Unattended};
use conspirator_core::{any, registry, Error};
use std::time::Instant;

fn main() -> Result<(), Error> {
    let start = any::make("connect-four", &[])?.start()?;
    let mut raw = 0.0f64;
    for _ in 0..5 {
        let begun = Instant::now();
        let (nodes, sum) = start.survey(8, Default::default(), &mut || Ok(()))?;
        assert!(sum > 0.0);
        raw = raw.max(nodes as f64 / begun.elapsed().as_secs_f64());
    }
    println!("raw                          {:6.1} M nodes/s", raw / 1e6);
    let run = |name: &str, params: &[(String, Value)], budget: Budget| -> Result<f64, Error> {
        let mut best = 0.0f64;
        for _ in 0..10 {
            let mut search = registry::start(&*start, name, params, Default::default(), false)?;
            search.run(&budget, &mut Unattended)?;
            let counts = search.report().counts;
            best = best.max(counts.nodes as f64 / counts.seconds);
        }
        Ok(best)
    };
    for size in [1_000, 10_000, 100_000] {
        let budget = Budget { expansions: Some(size), ..Budget::default() };
        let rate = run("best-first", &[], budget)?;
        println!(
            "best-first {size:7} expansions {:6.1} M nodes/s, {:4.1} %",
            rate / 1e6,
            100.0 * rate / raw
        );
    }
    for table in [false, true] {
        let params = [("depth".into(), Value::Int(12)), ("table".into(), Value::Bool(table))];
        let rate = run("alpha-beta", &params, Budget::default())?;
        println!(
            "alpha-beta, table {table:5}      {:6.1} M nodes/s, {:4.1} %",
            rate / 1e6,
            100.0 * rate / raw
        );
    }
    for size in [5, 11, 19] {
        let start = any::make("hex", &[("size".into(), Value::Int(size))])?.start()?;
        let mut best = f64::INFINITY;
        for _ in 0..5 {
            let begun = Instant::now();
            let (nodes, _) = start.survey(1, Default::default(), &mut || Ok(()))?;
            best = best.min(begun.elapsed().as_secs_f64() / nodes as f64);
        }
        println!("hex {size:2} x {size:<2} valued in         {:6.1} us", 1e6 * best);
    }
    Ok(())
}
