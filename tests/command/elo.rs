//! Matches and ratings, seen from outside.

use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::support::{damma, text};

/// Trains the smoke config in a folder of its own.
fn trained() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/smoke.toml");
    let output = damma(&["train", config, "--output", "run"], folder.path());
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("ab-1"), "the last checkpoint is rated: {}", text(&output.stdout));
    folder
}

#[test]
fn a_run_is_rated_the_same_whatever_its_folder_is_called() {
    let folder = trained();
    let first = damma(&["elo", "run", "--json"], folder.path());
    assert!(first.status.success(), "{}", text(&first.stderr));
    assert_eq!(text(&first.stdout).lines().count(), 3, "one line a checkpoint");
    let second = damma(&["elo", "./run/", "--json"], folder.path());
    for (one, other) in text(&first.stdout).lines().zip(text(&second.stdout).lines()) {
        let read = |line: &str| -> serde_json::Value { serde_json::from_str(line).expect("JSON") };
        let (one, other) = (read(one), read(other));
        let elo = |rated: &serde_json::Value| rated["rating"]["elo"].as_f64().expect("a rating");
        assert!((elo(&one) - elo(&other)).abs() < 1e-6);
        assert_eq!(one["matches"].as_array().map(Vec::len), Some(2));
        for (one, other) in one["matches"].as_array().into_iter().zip(other["matches"].as_array()) {
            assert_eq!(one[0]["pairs"], other[0]["pairs"]);
        }
    }
}

#[test]
fn ratings_name_opponents_that_stay_who_they_are_and_write_only_what_is_new() {
    let folder = trained();
    let files = || std::fs::read_dir(folder.path().join("run")).expect("readable").count();
    let elo = |arguments: &[&str]| damma(&[&["elo", "run", "--last"], arguments].concat(), folder.path());
    assert!(elo(&["--opponents", "random, ab-1"]).status.success());
    let before = files();
    assert!(elo(&["--opponents", "random, ab-1"]).status.success());
    assert_eq!(files(), before, "nothing was played, so nothing is written for TensorBoard");
    for name in ["mcts:run", "nobody", "ab:t5"] {
        let output = elo(&["--opponents", name]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(&format!("`{name}` is no opponent of ratings: give random")));
    }
    let output = elo(&["--html", "nodir/x.html"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("make the folder nodir"), "{}", text(&output.stderr));
}

#[test]
fn a_match_is_the_same_for_one_thread_and_two() {
    let folder = trained();
    let report = |threads: &str| {
        let output =
            damma(&["match", "mcts:run@16", "ab-1", "--games", "6", "--threads", threads, "--json"], folder.path());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    assert_eq!(report("1"), report("2"));
}

#[test]
fn a_checkpoint_does_not_play_another_game() {
    let folder = trained();
    for game in [["--preset", "khreibga"], ["--set", "size=6"]] {
        let output = damma(&["match", "mcts:run", "random", game[0], game[1]], folder.path());
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("another game"), "{}", text(&output.stderr));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_name_that_means_nobody_is_refused_before_anything_is_played() {
    let folder = TempDir::new().expect("a folder");
    for arguments in [
        ["match", "ab-13", "random"],
        ["match", "ab1", "random"],
        ["match", "random", "mcts:nowhere"],
        ["match", "random", "mcts:"],
    ] {
        let output = damma(&arguments, folder.path());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).starts_with("error: "), "{arguments:?}");
    }
    let odd = damma(&["match", "random", "random", "--games", "3"], folder.path());
    assert_eq!(odd.status.code(), Some(2));
    assert!(text(&odd.stderr).contains("even"), "{}", text(&odd.stderr));
}

#[test]
fn a_person_plays_a_game_to_its_end_by_typing() {
    let folder = TempDir::new().expect("a folder");
    let position = "5/5/5/1b3/w4 w";
    let mut child = Command::new(env!("CARGO_BIN_EXE_damma"))
        .args(["play", "random", "--preset", "khreibga", "--side", "white", "--position", position])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("damma runs");
    let typed = "moves\nnonsense\na1xc3\n";
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), typed.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let said = text(&output.stdout);
    assert!(output.status.success());
    assert!(said.contains("not an action") || said.contains("not legal"), "{said}");
    assert!(said.contains("You win (no pieces)."), "{said}");
}

#[test]
fn a_curve_has_the_checkpoints_that_are_there_and_says_which_are_not() {
    let folder = trained();
    let inspected = damma(&["inspect", "run", "--json"], folder.path());
    let inspected: serde_json::Value = serde_json::from_slice(&inspected.stdout).expect("JSON");
    let seconds = inspected["cpu_seconds"].as_f64().expect("a time");
    let times = format!("{},5000", seconds / 60.0);
    let curve = |arguments: &[&str]| {
        let given = ["curve", "run", "--games", "4", "--simulations", "8", "--opponents", "random,ab-1"];
        damma(&[&given, arguments].concat(), folder.path())
    };
    let output = curve(&["--cpu-minutes", &times, "--out", "curve.json", "--svg", "curve.svg"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("run has no checkpoint near 5000 CPU-minutes"), "{}", text(&output.stderr));
    let rows = std::fs::read(folder.path().join("curve.json")).expect("written");
    let rows: serde_json::Value = serde_json::from_slice(&rows).expect("JSON");
    assert_eq!(rows[0]["runs"][0]["scores"].as_array().map(Vec::len), Some(2));
    assert_eq!(rows[0]["elo"], rows[0]["runs"][0]["rating"]["elo"]);
    assert_eq!(rows[1]["runs"].as_array().map(Vec::len), Some(0));
    let svg = std::fs::read_to_string(folder.path().join("curve.svg")).expect("drawn");
    assert!(svg.starts_with("<svg ") && svg.contains("CPU-minutes"));
    let output = curve(&["--cpu-minutes", "0"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--cpu-minutes 0 is not above 0"), "{}", text(&output.stderr));
}

#[test]
fn a_checkpoint_to_give_away_plays_and_says_how_strong_it_is() {
    let folder = trained();
    let run = |arguments: &[&str]| {
        let output = damma(arguments, folder.path());
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    run(&["export", "run", "--checkpoint-to", "given/bot", "--commit", "abc123"]);
    let checkpoint = "run/checkpoints/000003";
    let refused = damma(&["export", checkpoint, "--checkpoint-to", checkpoint], folder.path());
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("has something else in it"), "{}", text(&refused.stderr));
    run(&["export", "run", "--checkpoint-to", "given/bot", "--commit", "abc123"]);
    let given = folder.path().join("given/bot");
    let card = std::fs::read_to_string(given.join("card.md")).expect("a card");
    for part in ["# bot", "- commit: abc123", "| ab-1 (alphabeta-", "- seed: 1"] {
        assert!(card.contains(part), "{part} is not in {card}");
    }
    let state = std::fs::read_to_string(given.join("state.json")).expect("a state");
    assert!(state.contains("\"output\": \"runs/bot\"") && !state.contains("learner.safetensors"), "{state}");
    assert!(run(&["inspect", "given/bot"]).contains("Elo"));
    assert!(run(&["match", "mcts:given/bot@8", "random", "--games", "2"]).contains("2 games"));
    let inspected = run(&["inspect", "given/bot", "--config"]);
    assert_eq!(std::fs::read_to_string(given.join("config.toml")).expect("a config"), inspected);
}
