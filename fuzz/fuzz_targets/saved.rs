//! Saved trees: any bytes are a tree of this game and search, whole in every number, or an error.

#![no_main]

use conspirator_core::any::{self, Evaluation};
use conspirator_core::registry;
use conspirator_core::search::{Budget, Saved, Unattended};
use libfuzzer_sys::fuzz_target;

const GAMES: [&str; 3] = ["connect-four", "hex", "random-tree"];

fuzz_target!(|input: (u8, u8, &[u8])| {
    let (game, search, bytes) = input;
    let Ok(saved) = Saved::decode(bytes) else { return };
    let again = Saved::decode(&saved.encode()).expect("what is written can be read");
    assert_eq!(again, saved);
    let game = any::make(GAMES[usize::from(game) % GAMES.len()], &[]).expect("a game");
    let position = game.start().expect("a start");
    let names: Vec<&str> = registry::growing().collect();
    let name = names[usize::from(search) % names.len()];
    let restored = registry::restore(&*position, name, &[], Evaluation::default(), saved);
    let Ok(mut search) = restored else { return };
    search.check().expect("a tree that is taken is whole");
    let budget = Budget { expansions: Some(3), memory: Some(1 << 24), ..Budget::default() };
    if search.run(&budget, &mut Unattended).is_ok() {
        search.check().expect("and it can go on");
        search.report();
    }
});
