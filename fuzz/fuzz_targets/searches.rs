//! Any search of any native game from any of its positions, in small steps: it ends, its tree is whole, its answer is
//! legal, and what it saves can be loaded.

#![no_main]

use conspirator_core::any::{self, Evaluation};
use conspirator_core::games::GAMES;
use conspirator_core::params::{Kind, Value};
use conspirator_core::registry;
use conspirator_core::search::{Budget, Saved, Unattended};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u8, u8, u8, Vec<u8>)| {
    let (game, search, setting, steps, moves) = input;
    let names: Vec<&str> = GAMES.iter().map(|info| info.name).collect();
    let Ok(game) = any::make(names[usize::from(game) % names.len()], &[]) else { return };
    let mut position = game.start().expect("a start");
    for place in moves.iter().take(100) {
        let legal = position.moves().expect("a native game does not fail").len();
        if legal == 0 {
            return;
        }
        position = position.play(usize::from(*place) % legal).expect("legal");
    }
    let legal = position.moves().expect("nor here").len();
    let infos: Vec<_> = registry::searches().collect();
    let info = infos[usize::from(search) % infos.len()];
    // one of the switches turned, or another of the words
    let param = info.params.get(usize::from(setting) % (info.params.len() + 1));
    let value = param.and_then(|param| match param.default {
        Kind::Bool(usual) => Some(Value::Bool(!usual)),
        Kind::Choice(words) => Some(Value::Text(words[usize::from(steps) % words.len()].into())),
        _ => None,
    });
    let params: Vec<(String, Value)> =
        param.zip(value).map(|(param, value)| (param.name.to_string(), value)).into_iter().collect();
    let made = registry::start(&*position, info.name, &params, Evaluation::default(), false);
    let Ok(mut made) = made else { return };
    let budget = Budget {
        nodes: Some(u64::from(steps) * 20),
        expansions: Some(u64::from(steps)),
        memory: Some(1 << 24),
        cpu_seconds: Some(0.5), // some expansions of wide games take long
        ..Budget::default()
    };
    if made.run(&budget, &mut Unattended).is_err() {
        return; // a search that this game does not have
    }
    made.check().expect("the tree is whole");
    let report = made.report();
    assert!((report.best as usize) < legal);
    assert!(!report.value.is_nan());
    let Some(saved) = made.saved() else { return };
    let saved = Saved::decode(&saved.encode()).expect("what is written can be read");
    let again = registry::restore(&*position, info.name, &params, Evaluation::default(), saved);
    let again = again.expect("what is saved can be loaded");
    again.check().expect("and is whole");
    assert_eq!(again.report().value, report.value);
});
