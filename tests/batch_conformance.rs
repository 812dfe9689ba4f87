//! The conformance tables and real games, played on many boards at once.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use damma_env::{Action, AutoReset, Game, PdnGame, Position, Ruleset, State, VectorEnv, VectorOptions};
use serde::Deserialize;

#[derive(Deserialize)]
struct Header {
    preset: String,
    overrides: BTreeMap<String, serde_json::Value>,
}

#[derive(Deserialize)]
struct Row {
    position: String,
    actions: BTreeMap<String, String>,
}

fn batch(game: &Arc<Game>, boards: usize) -> VectorEnv {
    let options = VectorOptions { auto_reset: AutoReset::Off, ..VectorOptions::default() };
    VectorEnv::new(game.clone(), boards, options).expect("a batch")
}

/// Leaves out the last field: the counters are off in the tables.
fn without_counter(text: &str) -> &str {
    text.rsplit_once(' ').expect("six fields").0
}

/// Plays every action of every row of a table, each on a board of its own; gives how many.
fn check_table(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).expect("readable");
    let mut lines = text.lines();
    let header: Header = serde_json::from_str(lines.next().expect("a header")).expect("a header");
    let overrides: Vec<String> = header
        .overrides
        .iter()
        .map(|(key, value)| format!("{key}={}", value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
        .collect();
    let ruleset = Ruleset::preset(&header.preset).expect("a preset");
    let game = Game::new(ruleset.with_overrides(overrides.iter().map(String::as_str)).expect("overrides"));
    let game = game.expect("a game");
    let (mut starts, mut actions, mut expected) = (Vec::<Position>::new(), Vec::new(), Vec::new());
    for line in lines {
        let row: Row = serde_json::from_str(line).expect("a row");
        let position = game.parse_position(&row.position).expect("a position");
        if State::from_position(&game, position).outcome().is_some() {
            continue;
        }
        for (action, after) in &row.actions {
            starts.push(position);
            actions.push(game.parse_action(&position, action).expect("a legal action").0);
            expected.push((row.actions.len(), without_counter(after).to_owned()));
        }
    }
    let boards: Vec<usize> = (0..starts.len()).collect();
    let mut batch = batch(&game, boards.len());
    batch.set_positions(&boards, &starts).expect("running games");
    for (board, (count, _)) in expected.iter().enumerate() {
        let legal: u32 = batch.packed_masks().row(board).iter().map(|word| word.count_ones()).sum();
        assert_eq!(legal as usize, *count, "{} {}", path.display(), game.position_text(&starts[board]));
    }
    batch.step(&actions).expect("legal actions");
    for (board, (_, after)) in expected.iter().enumerate() {
        let text = game.position_text(&batch.position(board).expect("a board"));
        assert_eq!(without_counter(&text), after, "{} {}", path.display(), game.position_text(&starts[board]));
    }
    actions.len()
}

#[test]
fn every_table_agrees_on_many_boards_at_once() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/conformance");
    let mut played = 0;
    for entry in std::fs::read_dir(folder).expect("the tables are there") {
        let path = entry.expect("readable").path();
        if !path.ends_with("perft.jsonl") {
            played += check_table(&path);
        }
    }
    assert!(played > 5000, "only {played} actions");
}

/// Plays all games of a file at once, each on a board of its own; gives how many.
fn replay_at_once(text: &str) -> usize {
    // Files come from games with other draw rules.
    let limits = ["no_progress_limit=0", "repetition_limit=0"];
    let ruleset = Ruleset::preset("damma8").expect("a preset").with_overrides(limits).expect("overrides");
    let game = Game::new(ruleset).expect("a game");
    let replays: Vec<_> = PdnGame::read_all(text)
        .expect("games")
        .iter()
        .map(|pdn| game.replay_pdn(pdn).expect("legal moves"))
        .filter(|replay| !replay.turns.is_empty())
        .collect();
    let boards: Vec<usize> = (0..replays.len()).collect();
    let starts: Vec<Position> = replays.iter().map(|replay| replay.start).collect();
    let games: Vec<Vec<Action>> = replays.iter().map(|replay| replay.turns.concat()).collect();
    let mut batch = batch(&game, boards.len());
    batch.set_positions(&boards, &starts).expect("running games");
    let longest = games.iter().map(Vec::len).max().unwrap_or(0);
    for index in 0..longest {
        let going: Vec<usize> = boards.iter().copied().filter(|&board| index < games[board].len()).collect();
        let actions: Vec<u16> = going.iter().map(|&board| games[board][index].0).collect();
        batch.step_boards(&going, &actions).expect("legal actions");
    }
    for (board, replay) in replays.iter().enumerate() {
        let (reached, end) = (batch.position(board).expect("a board"), replay.end);
        assert_eq!(game.position_text(&reached), game.position_text(&end), "game {board}");
    }
    replays.len()
}

#[test]
fn real_games_are_replayed_on_many_boards_at_once() {
    let sample = include_str!("data/acf-sample.pdn");
    assert!(replay_at_once(sample) > 100);
    // An archive of one's own: DAMMA_PDN=games.pdn cargo test --release --test batch_conformance
    if let Some(path) = std::env::var_os("DAMMA_PDN") {
        let text = std::fs::read_to_string(path).expect("a readable file");
        println!("{} games", replay_at_once(&text));
    }
}
