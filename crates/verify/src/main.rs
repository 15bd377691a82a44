//! Checks a certificate by rules of its own: `conspirator-verify FILE`. docs/proofs.md has the format. It reads the
//! whole file at once, knows Connect-Four, Hex, Othello and Amazons, and shares nothing with the core.

mod cells;
mod games;
mod sha256;
#[cfg(test)]
mod tests;

use games::{Amazons, ConnectFour, Othello, Rules};
use std::collections::HashMap;

/// What is wrong with a file.
type Rejected = String;
const TRAILER: usize = 48;

fn main() {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: conspirator-verify FILE");
        std::process::exit(2)
    };
    let checked = std::fs::read(&path).map_err(|error| error.to_string());
    match checked.and_then(|bytes| check(&bytes)) {
        Ok(text) => println!("{text}"),
        Err(reason) => {
            eprintln!("rejected: {reason}");
            std::process::exit(1)
        }
    }
}

/// What a file proves.
fn check(bytes: &[u8]) -> Result<String, Rejected> {
    let end = bytes.len().checked_sub(TRAILER).ok_or("it ends too early")?;
    let split = bytes.windows(2).position(|pair| pair == b"\n\n").ok_or("it has no header")?;
    let body = bytes.get(split + 2..end).ok_or("it ends too early")?;
    let header = std::str::from_utf8(&bytes[..split]).map_err(|_| "its header is not text")?;
    let mut lines = header.split('\n').peekable();
    if !header.is_ascii() || lines.next() != Some("conspirator proof 1") {
        return Err("it does not begin like a certificate of version 1".into());
    }
    let game = lines.next().and_then(|line| line.strip_prefix("game ")).ok_or("no game")?;
    let size = lines.next_if(|line| line.starts_with("option ")).map(|line| {
        let number = line.strip_prefix("option size ").and_then(|size| size.parse::<u32>().ok());
        number.filter(|size| format!("option size {size}") == line && *size <= 11).unwrap_or(0)
    });
    let position = lines.next().and_then(|line| line.strip_prefix("position"));
    let position =
        position.map(|text| text.strip_prefix(' ').unwrap_or(text)).ok_or("no position")?;
    let mut claims = Vec::new();
    for line in lines {
        let found = [("claim at least ", true), ("claim at most ", false)]
            .into_iter()
            .find_map(|(word, least)| Some((line.strip_prefix(word)?, least)));
        let (text, least) = found.ok_or("a claim cannot be read")?;
        let value: f64 = text.parse().map_err(|_| "a claim has no value")?;
        if format!("{value:?}") != text || claims.last().is_some_and(|(_, before)| *before <= least)
        {
            return Err("the claims are not in their one form".into());
        }
        claims.push((value, least));
    }
    let packed =
        miniz_oxide::inflate::stream::InflateState::new_boxed(miniz_oxide::DataFormat::Zlib);
    let mut choices = Choices { bytes: unpack(packed, body)?, at: 0, count: 0 };
    let mut positions = 0;
    for &claim in &claims {
        positions += match (game, size) {
            ("connect-four", None) => walk(&ConnectFour, position, claim, &mut choices),
            ("othello", None) => walk(&Othello, position, claim, &mut choices),
            ("amazons", Some(4..=10)) => {
                walk(&Amazons::new(size.unwrap_or(4)), position, claim, &mut choices)
            }
            ("hex", Some(1..=11)) => cells::walk(size.unwrap_or(1), position, claim, &mut choices),
            _ => Err(format!("{game} is a game that this reader does not know, or not so")),
        }?;
    }
    let (counts, digest) = bytes[end..].split_at(16);
    if claims.is_empty() || choices.at != choices.bytes.len() {
        return Err("there are more choices than the strategy needs".into());
    }
    if counts != [positions.to_le_bytes(), choices.count.to_le_bytes()].concat()
        || digest != sha256::digest(&bytes[..end + 16])
    {
        return Err("its counts or its checksum are wrong".into());
    }
    let claims: Vec<String> = claims
        .iter()
        .map(|(value, least)| {
            format!("Max gets at {} {value}", if *least { "least" } else { "most" })
        })
        .collect();
    Ok(format!("proven: {} in {game} at {position} ({positions} positions)", claims.join(" and ")))
}

/// The bytes of a compressed stream, which must end where the file's body does.
fn unpack(
    mut state: Box<miniz_oxide::inflate::stream::InflateState>,
    mut body: &[u8],
) -> Result<Vec<u8>, Rejected> {
    let (mut bytes, mut buffer) = (Vec::new(), vec![0; 1 << 16]);
    loop {
        let none = miniz_oxide::MZFlush::None;
        let step = miniz_oxide::inflate::stream::inflate(&mut state, body, &mut buffer, none);
        bytes.extend_from_slice(&buffer[..step.bytes_written]);
        body = &body[step.bytes_consumed..];
        match step.status {
            Ok(miniz_oxide::MZStatus::StreamEnd) if body.is_empty() => return Ok(bytes),
            Ok(miniz_oxide::MZStatus::Ok) if step.bytes_written + step.bytes_consumed > 0 => {}
            _ => return Err("its choices cannot be unpacked".into()),
        }
    }
}

/// The numbers of a strategy: seven bits a byte, the lowest first.
struct Choices {
    bytes: Vec<u8>,
    at: usize,
    count: u64,
}

impl Choices {
    fn next(&mut self) -> Result<u32, Rejected> {
        let (mut number, mut shift) = (0u32, 0);
        loop {
            let byte = *self.bytes.get(self.at).ok_or("a choice is missing")?;
            self.at += 1;
            if shift > 28 || (byte == 0 && shift > 0) {
                return Err("a choice is not a number".into());
            }
            number |= u32::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                self.count += 1;
                return Ok(number);
            }
            shift += 7;
        }
    }
}

/// Walks a strategy to every end of the game: one move where the prover is to move, every move elsewhere.
fn walk<R: Rules>(
    rules: &R,
    text: &str,
    (value, least): (f64, bool),
    choices: &mut Choices,
) -> Result<u64, Rejected> {
    let root = rules.read(text).ok_or("its position cannot be read")?;
    let holds = |end: f64| if least { end >= value } else { end <= value };
    // whether the walk has left a position for good
    let mut seen: HashMap<R::State, bool> = HashMap::new();
    let mut ways = vec![(None, vec![root])];
    while let Some((from, left)) = ways.last_mut() {
        let Some(state) = left.pop() else {
            if let Some(state) = from.take() {
                seen.insert(state, true);
            }
            ways.pop();
            continue;
        };
        if let Some(end) = rules.outcome(&state) {
            if !holds(end) {
                return Err(format!("a line of its strategy ends with {end}"));
            }
            continue;
        }
        match seen.insert(state, false) {
            Some(true) => {
                seen.insert(state, true);
                continue;
            }
            Some(false) => return Err("its strategy goes round in circles".into()),
            None => {}
        }
        let mut next = rules.after(&state);
        if next.len() > 1 && rules.max_to_move(&state) == least {
            let place = choices.next()? as usize;
            let claims = place >= next.len();
            let place = if claims { place - next.len() } else { place };
            let chosen = *next.get(place).ok_or("a choice is no legal move")?;
            if claims && !rules.settled(&chosen).is_some_and(holds) {
                return Err("a choice claims more than can be seen".into());
            }
            next = if claims { Vec::new() } else { vec![chosen] };
        }
        next.reverse();
        ways.push((Some(state), next));
    }
    Ok(seen.len() as u64)
}
