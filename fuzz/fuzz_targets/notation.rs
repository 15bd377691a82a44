//! Every game's notation: any text is a position or an error. A position can be written and read again, its moves can be
//! named, and any text is one of its moves or none.

#![no_main]

use conspirator_core::any;
use conspirator_core::games::GAMES;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &str, &str)| {
    let (game, notation, text) = input;
    let names: Vec<&str> = GAMES.iter().map(|info| info.name).collect();
    let Ok(game) = any::make(names[usize::from(game) % names.len()], &[]) else { return };
    let Ok(position) = game.position(notation) else { return };
    let again = game.position(&position.notation()).expect("what is written can be read");
    assert_eq!(again.notation(), position.notation());
    assert_eq!(again.key().ok(), position.key().ok());
    assert_eq!(again.max_to_move(), position.max_to_move());
    let moves = position.moves().expect("a native game does not fail");
    assert_eq!(moves.is_empty(), position.outcome().expect("nor does this").is_some());
    let found = position.find_move(text).expect("nor does this");
    assert!(found.is_none_or(|place| place < moves.len()));
    for place in 0..moves.len().min(4) {
        let next = position.play(place).expect("legal");
        assert!(game.position(&next.notation()).is_ok(), "{}", next.notation());
    }
});
