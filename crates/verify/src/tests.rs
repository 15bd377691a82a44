//! The certificates of the first reader's tests: accepted as they are, rejected with any byte changed.

use crate::check;
use std::fs;
use std::path::PathBuf;

fn certificates() -> Vec<(PathBuf, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/proofs");
    let files =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    files.map(|path| (path.clone(), fs::read(path).expect("a file"))).collect()
}

/// What the first reader says of them: tests/test_proofs.py.
const POSITIONS: [(&str, u64); 8] = [
    ("amazons-5", 31),
    ("connect-four-draw", 5651),
    ("connect-four-following", 75),
    ("connect-four-win", 239),
    ("hex-4", 6),
    ("hex-5-d2", 275),
    ("hex-5-e2", 4589),
    ("othello", 936),
];

#[test]
fn true_ones_are_accepted() {
    let mut found: Vec<(String, u64)> = Vec::new();
    for (path, bytes) in certificates() {
        let text = check(&bytes).unwrap_or_else(|reason| panic!("{}: {reason}", path.display()));
        let count = text.rsplit('(').next().and_then(|rest| rest.split(' ').next()?.parse().ok());
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned());
        found.push((name.expect("a name"), count.expect("a count")));
    }
    found.sort();
    let expected = POSITIONS.map(|(name, count)| (name.to_string(), count));
    assert_eq!(found, expected);
}

#[test]
fn every_change_of_a_byte_is_rejected() {
    for (path, bytes) in certificates() {
        for place in (0..bytes.len()).step_by(1 + bytes.len() / 300) {
            for change in [1u8, 0x20, 0xFF] {
                let mut changed = bytes.clone();
                changed[place] ^= change;
                assert!(check(&changed).is_err(), "{}: byte {place}", path.display());
            }
            assert!(check(&bytes[..place]).is_err(), "{}: {place} bytes", path.display());
        }
        assert!(check(&[&bytes[..], b"\0"].concat()).is_err());
    }
}

#[test]
fn the_digest_is_that_of_the_standard() {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(hex(&crate::sha256::digest(b"abc")), abc);
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!(hex(&crate::sha256::digest(b"")), empty);
}
