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

/// Random weights that fit, and a convolution with them.
fn convolution(seed: u64) -> (Vec<i8>, Convolution) {
    let number = |at: u64| splitmix64(seed ^ splitmix64(at));
    let weights: Vec<i8> = (0..7 * 64 * 64).map(|at| (number(at) % 127) as i8 - 63).collect();
    let part = |at: u64| (number(at ^ 0xffff) % 1000) as f32 / 1000.0;
    let layer = Convolution {
        weights: ByteWeights::new(&weights),
        units: 20.0 + 30.0 * part(1),
        scales: (0..64).map(|at| 1e-5 * (1.0 + part(at))).collect(),
        biases: (0..64).map(|at| part(at + 100) - 0.4).collect(),
    };
    (weights, layer)
}

/// What a convolution gives for a cell, by its definition: the sum over neighbours, times its scale, plus the bias.
fn plain(
    (weights, layer): &(Vec<i8>, Convolution),
    size: usize,
    x: &[Vec<f32>],
    cell: usize,
) -> Vec<f32> {
    let side = 0..size as isize;
    let mut sums = vec![0i64; CHANNELS];
    for (tap, (down, right)) in NEAR.iter().enumerate() {
        let (row, column) = ((cell / size) as isize + down, (cell % size) as isize + right);
        if side.contains(&row) && side.contains(&column) {
            for (from, x) in x[row as usize * size + column as usize].iter().enumerate() {
                let byte = (x * layer.units + 0.5).floor().clamp(0.0, 127.0) as i64;
                for (to, sum) in sums.iter_mut().enumerate() {
                    *sum += byte * i64::from(weights[(tap * CHANNELS + from) * CHANNELS + to]);
                }
            }
        }
    }
    let both = layer.scales.iter().zip(&layer.biases);
    sums.iter().zip(both).map(|(sum, (scale, bias))| *sum as f32 * scale + bias).collect()
}

#[test]
fn a_block_is_two_convolutions_and_what_was_there() {
    for size in [1, 2, 5, 11, 13] {
        let (one, two) = (convolution(3), convolution(4));
        let frame = BoardFrame { size };
        let mut x = vec![0.0; frame.places() * CHANNELS];
        for cell in 0..size * size {
            let from = frame.place(cell / size, cell % size) * CHANNELS;
            for (at, x) in x[from..from + CHANNELS].iter_mut().enumerate() {
                *x = (splitmix64((cell * CHANNELS + at) as u64) % 4000) as f32 / 1000.0;
            }
        }
        let rows = |x: &[f32]| -> Vec<Vec<f32>> {
            (0..size * size).map(|cell| frame.channels(x, cell).to_vec()).collect()
        };
        let before = rows(&x);
        let between: Vec<Vec<f32>> = (0..size * size)
            .map(|cell| plain(&one, size, &before, cell).into_iter().map(|x| x.max(0.0)).collect())
            .collect();
        let after: Vec<Vec<f32>> = (0..size * size)
            .map(|cell| {
                let added = plain(&two, size, &between, cell);
                before[cell].iter().zip(added).map(|(x, y)| (x + y).max(0.0)).collect()
            })
            .collect();
        // used once before, with something else in the arrays of bytes
        let (mut bytes, mut sums) = (vec![0; x.len()], vec![0; x.len()]);
        let block = [one.1, two.1];
        frame.block(&block, &mut x.clone(), &mut bytes, &mut sums);
        frame.block(&block, &mut x, &mut bytes, &mut sums);
        assert_eq!(rows(&x), after, "{size}");
    }
}

#[test]
fn it_says_the_same_on_every_machine() {
    let (here, anywhere) =
        (Neural::learnt(), Neural::read(LEARNT, ByteWeights::plain).expect("a network"));
    for size in [3, 11, 13] {
        let (board, stones) = (Board::new(size), stones(size, size as u64));
        let (one, two) = (here.opinion(&board, stones, 0), anywhere.opinion(&board, stones, 0));
        assert_eq!(one.value, two.value);
        assert_eq!(one.policy, two.policy);
        let frame = BoardFrame { size };
        let planes = vec![None; size * size];
        let (fast, slow) =
            (here.said(frame, &planes, |cell| cell), here.pass(frame, &planes, |cell| cell));
        assert_eq!((fast.value, fast.policy), (slow.value, slow.policy));
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
    assert!(Neural::read(LEARNT, ByteWeights::new).is_some());
    assert!(Neural::read(b"", ByteWeights::new).is_none());
    assert!(Neural::read(&LEARNT[..LEARNT.len() - 2], ByteWeights::new).is_none());
    assert!(Neural::read(&[LEARNT, &[0, 0]].concat(), ByteWeights::new).is_none());
    let mut wide = LEARNT.to_vec();
    wide[8] += 1;
    assert!(Neural::read(&wide, ByteWeights::new).is_none());
    let mut deep = LEARNT.to_vec();
    deep[15] = 255;
    assert!(Neural::read(&deep, ByteWeights::new).is_none());
    // weights whose products do not fit into 16 bits
    let mut large = LEARNT.to_vec();
    let weights = 16 + 2 * (7 * 2 * 64 + 64) + 4 * (1 + 64 + 64);
    large[weights..weights + 8 * 64].fill(127);
    assert!(Neural::read(&large, ByteWeights::new).is_none());
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
