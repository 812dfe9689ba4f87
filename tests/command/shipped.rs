//! What the README promises of `models/`: after a clone there is an agent for every game.

use std::fs;
use std::path::Path;

use damma_env::PRESETS;

use crate::support::HERE;
use crate::support::here::{answer, json};

#[test]
fn every_preset_has_an_agent_that_plays_and_a_card_that_says_what_it_is() {
    for preset in PRESETS {
        let path = format!("models/{}", preset.name);
        let found = json(&["inspect", &path, "--json"]);
        assert_eq!(found["game"], serde_json::json!({"preset": preset.name, "options": {}}));
        assert!(found["elo"].as_array().is_some_and(|ratings| !ratings.is_empty()), "{path} was rated");
        let card = fs::read_to_string(Path::new(HERE).join(&path).join("card.md")).expect("a card");
        for part in [preset.name, "- seed: ", "- commit: ", "- time: ", "(alphabeta-"] {
            assert!(card.contains(part), "{part} is not in {path}/card.md");
        }
        let played = answer(&["match", &format!("mcts:{path}@16"), "random", "--games", "2"]);
        assert!(played.contains("2 games"), "{played}");
    }
}
