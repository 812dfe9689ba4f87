//! Every conformance table: all positions, all actions, all successors; and perft in full.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use damma_env::{Game, Position, Ruleset, perft_actions, perft_turns};
use serde::Deserialize;

#[derive(Deserialize)]
struct Header {
    preset: String,
    overrides: BTreeMap<String, serde_json::Value>,
    #[serde(alias = "start")]
    position: String,
}

#[derive(Deserialize)]
struct Row {
    position: String,
    winner: Option<String>,
    actions: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Perft {
    #[serde(flatten)]
    header: Header,
    turns: Vec<u64>,
    actions: Vec<u64>,
}

fn tables() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/conformance");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the tables are there").map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    paths
}

fn game(header: &Header) -> Arc<Game> {
    let overrides: Vec<String> = header
        .overrides
        .iter()
        .map(|(key, value)| format!("{key}={}", value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
        .collect();
    let ruleset = Ruleset::preset(&header.preset).expect("a preset");
    Game::new(ruleset.with_overrides(overrides.iter().map(String::as_str)).expect("overrides")).expect("a game")
}

/// Leaves out the last field: the counters are off in the tables.
fn without_counter(text: &str) -> &str {
    text.rsplit_once(' ').expect("six fields").0
}

#[test]
fn every_table_agrees_on_every_action_and_successor() {
    let mut files = 0;
    for path in tables().iter().filter(|path| !path.ends_with("perft.jsonl")) {
        let text = std::fs::read_to_string(path).expect("readable");
        let mut lines = text.lines();
        let header: Header = serde_json::from_str(lines.next().expect("a header")).expect("a header");
        let game = game(&header);
        assert_eq!(game.position_text(&game.start()), header.position, "{}", path.display());
        let mut rows = 0;
        for line in lines {
            let row: Row = serde_json::from_str(line).expect("a row");
            let position =
                game.parse_position(&row.position).unwrap_or_else(|error| panic!("{}: {error}", row.position));
            assert_eq!(without_counter(&game.position_text(&position)), without_counter(&row.position));
            let winner = position.winner(&game).map(|(side, _)| side.letter().to_string());
            assert_eq!(winner, row.winner, "{} {}", path.display(), row.position);
            let actions: BTreeMap<String, String> = position
                .legal_actions(&game)
                .into_iter()
                .map(|action| (game.action_text(&position, action), after(&game, &position, action)))
                .collect();
            let expected: BTreeMap<String, String> =
                row.actions.iter().map(|(action, after)| (action.clone(), without_counter(after).to_owned())).collect();
            assert_eq!(actions, expected, "{} {}", path.display(), row.position);
            rows += 1;
        }
        assert!(rows > 20, "{} has only {rows} positions", path.display());
        files += 1;
    }
    assert_eq!(files, 17);
}

fn after(game: &Game, position: &Position, action: damma_env::Action) -> String {
    without_counter(&game.position_text(&position.play(game, action))).to_owned()
}

#[test]
fn perft_agrees_for_every_ruleset_by_turns_and_by_actions() {
    let path = tables().into_iter().find(|path| path.ends_with("perft.jsonl")).expect("the perft table");
    let mut rulesets = 0;
    for line in std::fs::read_to_string(path).expect("readable").lines() {
        let row: Perft = serde_json::from_str(line).expect("a row");
        let game = game(&row.header);
        let start = game.parse_position(&row.header.position).expect("the start");
        for (depth, &count) in (1..).zip(&row.turns) {
            assert_eq!(perft_turns(&game, &start, depth), count, "{line} turns at depth {depth}");
        }
        for (depth, &count) in (1..).zip(&row.actions) {
            assert_eq!(perft_actions(&game, &start, depth), count, "{line} actions at depth {depth}");
        }
        rulesets += 1;
    }
    assert_eq!(rulesets, 17);
}

fn preset(name: &str, overrides: &[&str]) -> Arc<Game> {
    let ruleset =
        Ruleset::preset(name).expect("a preset").with_overrides(overrides.iter().copied()).expect("overrides");
    Game::new(ruleset).expect("a game")
}

#[test]
fn perft_of_english_draughts_is_the_published_one() {
    let game = preset("damma8", &[]);
    let counts: Vec<u64> = (1..=9).map(|depth| perft_turns(&game, &game.start(), depth)).collect();
    assert_eq!(counts, [7, 49, 302, 1469, 7361, 36768, 179_740, 845_931, 3_963_680]);
}

#[test]
fn perft_of_the_other_games_reaches_the_known_depths() {
    let by_turns = |game: &Game, depth: u32| perft_turns(game, &game.start(), depth);
    assert_eq!(by_turns(&preset("srand", &[]), 11), 140_425);
    assert_eq!(by_turns(&preset("zamma", &["capture=forced"]), 10), 83_005);
    assert_eq!(by_turns(&preset("khreibga", &[]), 11), 517_421);
}

#[test]
fn zamma_without_chains_counts_as_the_public_archive_plays_it() {
    let game = preset("zamma", &["chain=none"]);
    let counts: Vec<u64> = (1..=6).map(|depth| perft_actions(&game, &game.start(), depth)).collect();
    assert_eq!(counts, [3, 7, 28, 162, 1110, 8539]);
}

#[test]
fn a_known_srand_opening_is_playable_and_ends_in_a_maximum_choice() {
    let game = preset("srand", &[]);
    let mut position = game.start();
    let mut legal = Vec::new();
    for turn in ["d4-e5", "f6xd4", "c3xe5", "a5xc3", "b2xd4", "c5xc3", "e5xa5", "c3xe5", "f5xd5", "d6xd4"] {
        legal.push(game.turns(&position, 100).expect("few turns").len());
        let actions = whole_turn(&game, &position, turn);
        for action in actions {
            position = position.play(&game, action);
        }
    }
    assert_eq!(legal, [3, 1, 1, 2, 2, 1, 1, 1, 1, 1]);
    let mut last: Vec<String> =
        game.turns(&position, 100).expect("few turns").iter().map(|turn| game.turn_text(&position, turn)).collect();
    last.sort();
    assert_eq!(last, ["d3xd5", "e3xc5", "e4xc4"]);
}

/// Finds the one turn from the first to the last point, whatever lies between.
fn whole_turn(game: &Game, position: &Position, ends: &str) -> Vec<damma_env::Action> {
    let (from, to) = ends.split_once(['-', 'x']).expect("two points");
    let found: Vec<Vec<damma_env::Action>> = game
        .turns(position, 100)
        .expect("few turns")
        .into_iter()
        .filter(|turn| {
            let text = game.turn_text(position, turn);
            text.starts_with(from) && text.ends_with(to)
        })
        .collect();
    assert_eq!(found.len(), 1, "{ends} in {}", game.position_text(position));
    found.into_iter().next().expect("one turn")
}
