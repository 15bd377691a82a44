use super::*;
use crate::mix::splitmix64;

/// Stones at random: a third of the cells for each colour.
fn stones(size: usize, seed: u64) -> [Bits<6>; 2] {
    let mut stones = [Bits::NONE; 2];
    for cell in 0..size * size {
        let kind = (splitmix64(seed ^ splitmix64(cell as u64)) % 3) as usize;
        if kind < 2 {
            stones[kind] = stones[kind] | Bits::one(cell);
        }
    }
    stones
}

fn mapped(stones: [Bits<6>; 2], map: impl Fn(usize) -> usize) -> [Bits<6>; 2] {
    stones.map(|set| set.cells().fold(Bits::NONE, |all, cell| all | Bits::one(map(cell))))
}

fn near(one: f32, two: f32) -> bool {
    (one - two).abs() <= 1e-3 * (1.0 + one.abs())
}

/// The same convolution as a sum over neighbours, in double precision.
fn plain(
    layer: &Convolution,
    size: usize,
    x: &[Vec<f64>],
    skip: Option<&[Vec<f64>]>,
) -> Vec<Vec<f64>> {
    let near = [(-1, 0), (-1, 1), (0, -1), (0, 0), (0, 1), (1, -1), (1, 0)];
    let side = 0..size as isize;
    let mut out = vec![vec![0.0; CHANNELS]; size * size];
    for cell in 0..size * size {
        for (to, sum) in out[cell].iter_mut().enumerate() {
            *sum = f64::from(layer.biases[to]) + skip.map_or(0.0, |skip| skip[cell][to]);
            for (tap, (down, right)) in near.iter().enumerate() {
                let (row, column) = ((cell / size) as isize + down, (cell % size) as isize + right);
                if side.contains(&row) && side.contains(&column) {
                    for (from, x) in x[row as usize * size + column as usize].iter().enumerate() {
                        let weight = layer.weights[(tap * CHANNELS + from) * CHANNELS + to];
                        *sum += x * f64::from(weight);
                    }
                }
            }
            *sum = sum.max(0.0);
        }
    }
    out
}

#[test]
fn the_network_is_the_chain_of_its_layers() {
    let network = Neural::learnt();
    for size in [1, 2, 5, 11, 13] {
        let board: Vec<Option<usize>> = (0..size * size)
            .map(|cell| Some(splitmix64(cell as u64) as usize % 3).filter(|plane| *plane < 2))
            .collect();
        let frame = BoardFrame { size };
        let mut fast = frame.first(&network.first, &board);
        let rows = |x: &[f32]| -> Vec<Vec<f64>> {
            (0..size * size)
                .map(|cell| frame.channels(x, cell).iter().map(|x| f64::from(*x)).collect())
                .collect()
        };
        let mut slow = rows(&fast);
        for [one, two] in &network.blocks {
            let (mut y, mut z) = (vec![0.0; fast.len()], vec![0.0; fast.len()]);
            frame.convolve(one, &fast, None, &mut y);
            frame.convolve(two, &y, Some(&fast), &mut z);
            fast = z;
            slow = plain(two, size, &plain(one, size, &slow, None), Some(&slow));
        }
        for (one, two) in rows(&fast).iter().flatten().zip(slow.iter().flatten()) {
            assert!(near(*one as f32, *two as f32), "{size}: {one} {two}");
        }
        // outside the board there is nothing
        let inside: f32 = rows(&fast).iter().flatten().map(|x| *x as f32).sum();
        assert!(near(inside, fast.iter().sum()), "{size}");
    }
}

#[test]
fn both_players_see_the_same_board() {
    let network = Neural::learnt();
    for size in [3, 7, 11, 19] {
        let stones = stones(size, size as u64);
        let board = Board::new(size);
        let over = |cell: usize| board.transposed(cell);
        let [black, white] = mapped(stones, over);
        let (one, two) =
            (network.opinion(&board, stones, 0), network.opinion(&board, [white, black], 1));
        assert!(near(one.value, two.value));
        for cell in 0..size * size {
            assert!(near(one.policy[cell], two.policy[over(cell)]));
        }
    }
}

#[test]
fn it_knows_who_has_nearly_won() {
    let network = Neural::learnt();
    let column = |size: usize| {
        (1..size).fold(Bits::<6>::NONE, |all, row| all | Bits::one(row * size + size / 2))
    };
    for size in [9, 11, 13] {
        let (board, stones) = (Board::new(size), [column(size), Bits::NONE]);
        let [win, loss] = [0, 1].map(|mover| network.opinion(&board, stones, mover).value);
        assert!(win > 3.0 && loss < -3.0, "{size}: {win} {loss}");
    }
}

#[test]
fn files_that_are_no_networks_are_none() {
    assert!(Neural::read(LEARNT).is_some());
    assert!(Neural::read(b"").is_none());
    assert!(Neural::read(&LEARNT[..LEARNT.len() - 2]).is_none());
    assert!(Neural::read(&[LEARNT, &[0, 0]].concat()).is_none());
    let mut wide = LEARNT.to_vec();
    wide[8] += 1;
    assert!(Neural::read(&wide).is_none());
    let mut deep = LEARNT.to_vec();
    deep[15] = 255;
    assert!(Neural::read(&deep).is_none());
}

#[test]
fn halves_are_numbers() {
    let cases = [(0x0000, 0.0), (0x3c00, 1.0), (0xc000, -2.0), (0x3555, 0.33325195)];
    for (bits, number) in cases {
        assert_eq!(half(bits), number);
    }
    assert_eq!(half(0x0001), 2f32.powi(-24));
    assert_eq!(half(0x7bff), 65504.0);
}
