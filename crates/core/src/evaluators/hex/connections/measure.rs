//! How fast connections are found.

use super::Connections;
use crate::error::Error;
use crate::evaluators::hex::inferior::inferior;
use crate::evaluators::hex::Terrain;
use crate::game::Notation;
use crate::games::hex::HexGame;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Positions a second in which the connections of both colours are found, from nothing and from those of the position
/// before: in games, from a move on, the best of some rounds. Cells are filled in first, as in a search.
pub fn measure(size: usize, games: &[&str], first: usize, rounds: u32) -> Result<[f64; 2], Error> {
    let mut best = [0.0f64; 2];
    for _ in 0..rounds {
        let (mut spent, mut count) = ([Duration::ZERO; 2], 0);
        for game in games {
            count += replay(size, game, first, &mut spent)?;
        }
        let rate = |spent: Duration| f64::from(count) / spent.as_secs_f64();
        best = [0, 1].map(|way| best[way].max(rate(spent[way])));
    }
    Ok(best)
}

fn replay(size: usize, game: &str, first: usize, spent: &mut [Duration; 2]) -> Result<u32, Error> {
    if !(8..=11).contains(&size) {
        return Err(Error::Argument(format!("size must be from 8 to 11, not {size}")));
    }
    let hex = HexGame::<2>::new(size, false);
    let terrain = Terrain::new(&hex.board);
    let moves: Vec<&str> = game.split(' ').collect();
    let mut kept: Option<[Connections<2>; 2]> = None;
    let mut spare = Vec::new();
    let mut count = 0;
    for ply in first..=moves.len() {
        let position = hex.parse(&moves[..ply].join(" "))?;
        let placed = [0, 1].map(|colour| position.stones(colour));
        let filled = inferior(&hex.board, placed, position.mover()).filled;
        let stones = [placed[0] | filled[0], placed[1] | filled[1]];
        let begun = Instant::now();
        let scratch = [0, 1].map(|colour| Connections::new(&terrain, stones, colour));
        let by_scratch = begun.elapsed();
        let Some(before) = kept.replace(scratch) else { continue };
        let begun = Instant::now();
        let after = before.each_ref().map(|before| before.after(&terrain, stones, spare.pop()));
        spent[1] += begun.elapsed();
        spent[0] += by_scratch;
        spare.extend(black_box(after).into_iter().flatten());
        count += 1;
    }
    Ok(count)
}
