//! Rulesets as TOML and as overrides: what is accepted is written and read back as the same, and is
//! a game that can be played.

#![no_main]

use damma_env::{Game, Ruleset, RulesetError};
use damma_fuzz::check_game;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    check(Ruleset::from_toml(text), text);
    let zamma = Ruleset::preset("zamma").expect("a preset");
    check(zamma.with_overrides(text.split_whitespace()), text);
});

fn check(ruleset: Result<Ruleset, RulesetError>, text: &str) {
    match ruleset {
        Ok(ruleset) => {
            assert_eq!(Ruleset::from_toml(&ruleset.to_toml()), Ok(ruleset.clone()));
            check_game(&Game::new(ruleset).expect("a ruleset that was checked"), text.as_bytes());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
