//! Position texts: what is accepted is written and read back as the same, and can be played on.

#![no_main]

use damma_fuzz::{GAMES, check_and_play};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for (index, game) in GAMES.iter().enumerate() {
        match game.parse_position(text) {
            Ok(position) => check_and_play(index, position, text.as_bytes()),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});
