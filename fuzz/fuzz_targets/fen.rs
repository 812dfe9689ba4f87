//! FEN tags: what is accepted is written and read back as the same, and can be played on.

#![no_main]

use damma_env::{PdnGame, PdnResult, Position};
use damma_fuzz::{GAMES, check_and_play};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let pdn = PdnGame { tags: vec![("FEN".to_owned(), text.to_owned())], ..PdnGame::default() };
    for (index, game) in GAMES.iter().enumerate() {
        match game.pdn_start(&pdn) {
            Ok(position) => {
                check_and_play(index, position, text.as_bytes());
                let written = game.record_pdn(&position, &[], PdnResult::Unknown, &[]);
                let read = game.pdn_start(&written).expect("our own FEN tag");
                let shown = |position: &Position| (position.own(), position.enemy(), position.kings(), position.key());
                assert_eq!(shown(&read), shown(&position));
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});
