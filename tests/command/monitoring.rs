//! Rating while training goes on, and the report of a run: seen from outside.

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{damma, text};

/// Writes the smoke config with lines added to its last table, `[evaluation]`, and more iterations.
fn config(folder: &Path, lines: &str) {
    let smoke = fs::read_to_string("configs/smoke.toml").expect("the config");
    assert!(smoke.contains("iterations = 3") && smoke.contains("games = 8\n"));
    let changed = smoke.replace("iterations = 3", "iterations = 8").replace("games = 8\n", "games = 2\n");
    let changed = changed.replace("keep_every = 0", "keep_every = 1");
    fs::write(folder.join("config.toml"), format!("{changed}{lines}\n")).expect("written");
}

fn ratings(run: &Path) -> Vec<Value> {
    serde_json::from_slice(&fs::read(run.join("elo.json")).expect("there are ratings")).expect("JSON")
}

/// Lists the names of a run's checkpoints, oldest first; none before there are any.
fn checkpoints(run: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(run.join("checkpoints")) else { return Vec::new() };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    names
}

/// Trains until something holds, which it must long before the last iteration, and kills the run; what it said is in `said.txt`.
fn train_until(folder: &Path, run: &str, more: &[&str], holds: &dyn Fn(&Path) -> bool) {
    let mut training = Command::new(env!("CARGO_BIN_EXE_damma"))
        .args(["train", "config.toml", "--iterations", "5000", "--output", run])
        .args(more)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(fs::File::create(folder.join("said.txt")).expect("a file"))
        .spawn()
        .expect("damma runs");
    while !holds(&folder.join(run)) {
        assert!(training.try_wait().expect("the child is ours").is_none(), "training goes on");
        std::thread::yield_now();
    }
    training.kill().expect("it can be killed");
    training.wait().expect("it is gone");
}

#[test]
fn rating_in_training_changes_no_weight_and_leaves_ratings_games_and_a_page() {
    let folder = TempDir::new().expect("a folder");
    config(folder.path(), "every = 1\nshare = 0.9");

    train_until(folder.path(), "with", &[], &|run| run.join("elo.html").exists());

    let rated = ratings(&folder.path().join("with"));
    let first =
        rated.iter().find(|one| one["matches"].as_array().is_some_and(|all| all.len() == 2)).expect("one is rated");
    assert_eq!(first["samples"][0]["games"].as_array().map(Vec::len), Some(2));
    assert!(first["training"]["cpu_seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
    let page = fs::read_to_string(folder.path().join("with/elo.html")).expect("a page");
    assert!(page.contains("Elo by CPU time"));
    let newest = checkpoints(&folder.path().join("with")).pop().expect("there is one");
    let place = format!("checkpoints/{newest}");
    train_until(folder.path(), "without", &["--no-elo"], &|run| run.join(&place).exists());
    assert!(!folder.path().join("without/elo.json").exists(), "--no-elo rates nothing");
    for name in ["model.safetensors", "learner.safetensors"] {
        let read = |run: &str| fs::read(folder.path().join(run).join(&place).join(name)).expect("a file");
        assert!(read("with") == read("without"), "{name} differs in {place}");
    }
}

#[test]
fn a_rating_that_fails_is_a_warning_and_training_goes_on() {
    let folder = TempDir::new().expect("a folder");
    config(folder.path(), "every = 1\nshare = 0.9");
    let run = folder.path().join("run");
    fs::create_dir(&run).expect("made");
    fs::write(run.join("elo.json"), "[ broken").expect("written");
    let said = || fs::read_to_string(folder.path().join("said.txt")).unwrap_or_default();
    let warned = RefCell::new(None);

    train_until(folder.path(), "run", &[], &|run| {
        let newest = checkpoints(run).last().cloned().unwrap_or_default();
        let mut warned = warned.borrow_mut();
        if warned.is_none() && said().contains("training goes on") {
            *warned = Some(newest.clone());
        }
        warned.as_ref().is_some_and(|before| newest > *before)
    });

    assert!(said().contains("is not rated, training goes on: run/elo.json is damaged"), "{}", said());
    assert_eq!(fs::read_to_string(run.join("elo.json")).expect("still there"), "[ broken");
}

#[test]
fn a_watch_ends_with_the_run_and_has_rated_every_checkpoint_that_is_left() {
    let folder = TempDir::new().expect("a folder");
    config(folder.path(), "");
    let mut training = Command::new(env!("CARGO_BIN_EXE_damma"))
        .args(["train", "config.toml", "--output", "run", "--no-elo"])
        .current_dir(folder.path())
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("damma runs");
    while !folder.path().join("run/checkpoints/000001").exists() {
        assert!(training.try_wait().expect("the child is ours").is_none_or(|status| status.success()));
        std::thread::yield_now();
    }

    let watch = damma(&["elo", "run", "--watch", "--json", "--html", "page.html"], folder.path());

    assert!(training.wait().expect("it ends").success());
    assert!(watch.status.success(), "{}", text(&watch.stderr));
    let rated: Vec<u64> =
        ratings(&folder.path().join("run")).iter().filter_map(|one| one["iteration"].as_u64()).collect();
    assert_eq!(rated, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(text(&watch.stdout).lines().count(), rated.len(), "one line a checkpoint");
    assert!(folder.path().join("page.html").exists() && !folder.path().join("run/elo.html").exists());
}

#[test]
fn settings_of_ratings_in_training_are_checked_with_their_line() {
    let folder = TempDir::new().expect("a folder");
    for (line, words) in [
        ("share = 0.0", "evaluation.share = 0.0 is not allowed: give a number, above 0, up to 0.9"),
        ("share = 1.5", "evaluation.share"),
        ("every_minutes = -1.0", "evaluation.every_minutes"),
        ("evry = 3", "did you mean `evaluation.every`"),
    ] {
        config(folder.path(), line);
        let output = damma(&["train", "config.toml", "--output", "run"], folder.path());
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("config.toml:"), "{}", text(&output.stderr));
    }
}
