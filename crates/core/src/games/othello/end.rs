//! The end of the game, exactly: the last moves played out, and discs that can never be turned again.
//!
//! Values are disc differences from the mover's side. A window `(alpha, beta)` is open: a value inside it is exact,
//! one at its ends or outside is a bound.

use super::board::Discs;

pub(crate) const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Disc difference of a game that is over, from the mover's side. Squares that stay empty go to the winner.
pub(crate) fn result(discs: Discs) -> i32 {
    let (own, other) = (discs.mover.count_ones() as i32, discs.other.count_ones() as i32);
    match own - other {
        0 => 0,
        ahead if ahead > 0 => 64 - 2 * other,
        _ => 2 * own - 64,
    }
}

/// Positions with at most this many empty squares are played out here.
pub(crate) const FEW: u32 = 8;

/// The four quarters of the board. The player who moves last in a region of empty squares gains by it, so moves
/// into a quarter with an odd number of empty squares come first.
const QUARTERS: [u64; 4] =
    [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];

/// The quarters with an odd number of empty squares.
#[inline(always)]
fn odd(empty: u64) -> u64 {
    let odd =
        |quarter: &u64| quarter & 0u64.wrapping_sub(u64::from((empty & quarter).count_ones() & 1));
    QUARTERS.iter().map(odd).fold(0, |all, quarter| all | quarter)
}

/// Plays out a position with few empty squares; `nodes` counts the positions.
pub(crate) fn play_out(discs: Discs, alpha: i32, beta: i32, nodes: &mut u64) -> i32 {
    match discs.empty().count_ones() {
        0 => result(discs),
        1 => last(discs),
        2..=5 => by_parity(discs, alpha, beta, false, nodes),
        _ => by_replies(discs, alpha, beta, nodes),
    }
}

/// The result when one square is empty.
#[inline(always)]
fn last(discs: Discs) -> i32 {
    let square = discs.empty().trailing_zeros() as usize;
    let own = discs.mover.count_ones() as i32;
    let gained = discs.turned(square).count_ones() as i32;
    if gained > 0 {
        return 2 * (own + gained + 1) - 64;
    }
    let lost = discs.passed().turned(square).count_ones() as i32;
    if lost > 0 {
        return 2 * (own - lost) - 64;
    }
    result(discs)
}

/// A handful of empty squares: each is tried, those in odd quarters first.
fn by_parity(discs: Discs, alpha: i32, beta: i32, passed: bool, nodes: &mut u64) -> i32 {
    let empty = discs.empty();
    let odd = odd(empty) & empty;
    let mut best = -65;
    for mut squares in [odd, empty & !odd] {
        while squares != 0 {
            let square = squares.trailing_zeros();
            squares &= squares - 1;
            let turned = discs.turned(square as usize);
            if turned == 0 {
                continue;
            }
            *nodes += 1;
            let next =
                Discs { mover: discs.other ^ turned, other: discs.mover | turned | 1 << square };
            let value = if empty.count_ones() == 2 {
                -last(next)
            } else {
                -by_parity(next, -beta, -alpha.max(best), false, nodes)
            };
            best = best.max(value);
            if best >= beta {
                return best;
            }
        }
    }
    match best {
        -65 if passed => -result(discs.passed()),
        -65 => -by_parity(discs.passed(), -beta, -alpha, true, nodes),
        _ => best,
    }
}

/// A few more: the moves that leave the fewest replies first.
fn by_replies(discs: Discs, alpha: i32, beta: i32, nodes: &mut u64) -> i32 {
    let mut moves = discs.moves();
    if moves == 0 {
        let passed = discs.passed();
        return if passed.moves() == 0 {
            result(discs)
        } else {
            -by_replies(passed, -beta, -alpha, nodes)
        };
    }
    // worth a look only if it could be enough
    if 64 - 2 * (discs.other.count_ones() as i32) <= alpha {
        let most = 64 - 2 * stable(discs.passed());
        if most <= alpha {
            return most;
        }
    }
    let odd = odd(discs.empty());
    let mut ordered = [(0u32, discs); FEW as usize];
    let mut count = 0;
    while moves != 0 {
        let square = moves.trailing_zeros();
        moves &= moves - 1;
        *nodes += 1;
        let next = discs.after(square as u8);
        let replies = next.moves();
        // a reply into a corner counts twice
        let freedom = replies.count_ones() + (replies & CORNERS).count_ones();
        let rank = 4 * freedom + 2 * u32::from(odd >> square & 1 == 0);
        let mut place = count;
        while place > 0 && ordered[place - 1].0 > rank {
            ordered[place] = ordered[place - 1];
            place -= 1;
        }
        ordered[place] = (rank, next);
        count += 1;
    }
    let mut best = -65;
    let few = discs.empty().count_ones() <= 6;
    for (_, next) in &ordered[..count] {
        let low = alpha.max(best);
        let value = if few {
            -by_parity(*next, -beta, -low, false, nodes)
        } else {
            -by_replies(*next, -beta, -low, nodes)
        };
        best = best.max(value);
        if best >= beta {
            break;
        }
    }
    best
}

const COLUMN: u64 = 0x0101_0101_0101_0101;
const ROW: u64 = 0xff;
const SIDES: u64 = COLUMN | COLUMN << 7;
const ENDS: u64 = ROW | ROW << 56;

/// Discs of the mover that no move can turn: along each of the four lines through such a disc, the line is full, or
/// ends there, or the next disc is itself such a disc.
pub(crate) fn stable(discs: Discs) -> i32 {
    let own = discs.mover;
    let full = full_lines(!discs.empty());
    let mut stable = 0;
    loop {
        let left = stable << 1 & !COLUMN | stable >> 1 & !(COLUMN << 7) | SIDES | full[0];
        let up = stable << 8 | stable >> 8 | ENDS | full[1];
        let slash = stable << 7 & !(COLUMN << 7) | stable >> 7 & !COLUMN | SIDES | ENDS | full[2];
        let back = stable << 9 & !COLUMN | stable >> 9 & !(COLUMN << 7) | SIDES | ENDS | full[3];
        let more = own & left & up & slash & back;
        if more == stable {
            return stable.count_ones() as i32;
        }
        stable = more;
    }
}

/// The squares whose row, column and diagonals have no empty square.
fn full_lines(taken: u64) -> [u64; 4] {
    let mut rows = taken & taken >> 4 & 0x0f0f_0f0f_0f0f_0f0f;
    rows &= rows >> 2;
    rows &= rows >> 1;
    rows = (rows & COLUMN) * ROW;
    let mut columns = taken & taken >> 32;
    columns &= columns >> 16;
    columns &= columns >> 8;
    columns = (columns & ROW) * COLUMN;
    [rows, columns, full_diagonals::<7>(taken), full_diagonals::<9>(taken)]
}

/// The squares from which no empty square is seen along a diagonal.
fn full_diagonals<const STEP: u32>(taken: u64) -> u64 {
    let (edge, other_edge) = (COLUMN, COLUMN << 7);
    let (mut up_in, mut down_in) =
        if STEP == 7 { (!other_edge, !edge) } else { (!edge, !other_edge) };
    let (mut up, mut down) = (!taken, !taken);
    for step in [STEP, 2 * STEP, 4 * STEP] {
        up |= up << step & up_in;
        down |= down >> step & down_in;
        up_in &= up_in << step;
        down_in &= down_in >> step;
    }
    !(up | down)
}
