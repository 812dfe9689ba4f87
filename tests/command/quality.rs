//! Quality beyond Elo, seen from outside.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{damma, text};

fn answer(arguments: &[&str], folder: &Path) -> String {
    let output = damma(arguments, folder);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn suites() -> [String; 2] {
    ["damma8", "srand"].map(|name| format!("{}/configs/suites/{name}.txt", env!("CARGO_MANIFEST_DIR")))
}

#[test]
fn the_suites_are_missed_at_depth_1_and_mostly_solved_deeper() {
    let folder = TempDir::new().expect("a folder");
    for suite in suites() {
        let json = answer(&["quality", "ab-1", "--suite", &suite, "--budget", "1,6", "--json"], folder.path());
        let report: Value = serde_json::from_str(&json).expect("JSON");
        let head = fs::read_to_string(&suite).expect("the suite");
        assert!(head.contains(&format!("(baseline {})", damma_eval::VERSION)), "{suite} is of another baseline");
        let solved = |budget: usize| report["budgets"][budget]["suite"]["solved"].as_u64().expect("a count");
        let total = report["budgets"][0]["suite"]["total"].as_u64().expect("a count");
        assert!(total >= 30, "{suite} has {total} positions");
        assert_eq!(solved(0), 0, "{suite}");
        assert!(10 * solved(1) >= 7 * total, "{suite}: {} of {total}", solved(1));
    }
}

#[test]
fn a_suite_begins_as_its_first_line_says_it_was_made() {
    let folder = TempDir::new().expect("a folder");
    // The other one takes a minute.
    let [suite, _] = suites();
    let text = fs::read_to_string(suite).expect("the suite");
    let made_by = text.lines().next().and_then(|line| line.strip_prefix("# Made by: damma ")).expect("how");
    let arguments = made_by.replace("FILE", "again.txt").replace("--count 32", "--count 2");

    answer(&arguments.split(' ').collect::<Vec<_>>(), folder.path());

    let again = fs::read_to_string(folder.path().join("again.txt")).expect("written");
    let positions = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.contains(" ; ")).take(2).map(str::to_owned).collect()
    };
    assert_eq!(positions(&again), positions(&text));
    assert_eq!(positions(&again).len(), 2);
}

#[test]
fn a_checkpoint_is_measured_at_each_budget_and_recorded_for_the_page() {
    let folder = TempDir::new().expect("a folder");
    let smoke = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/smoke.toml");
    answer(&["train", smoke, "--output", "run", "--iterations", "1"], folder.path());
    let measure = |threads: &str| {
        let arguments = [
            "quality",
            "mcts:run",
            "--deep",
            "ab-2",
            "--positions",
            "40",
            "--budget",
            "1,8",
            "--record",
            "--json",
            "--threads",
            threads,
        ];
        answer(&arguments, folder.path())
    };

    let one = measure("1");

    assert_eq!(one, measure("2"), "the number of threads does not matter");
    let report: Value = serde_json::from_str(&one).expect("JSON");
    assert_eq!(report["budgets"][0]["budget"], "1 simulation");
    assert_eq!(report["budgets"][1]["agreement"]["decisions"], 40);
    let recorded: Value =
        serde_json::from_slice(&fs::read(folder.path().join("run/quality.json")).expect("recorded")).expect("JSON");
    assert_eq!((&recorded[0]["iteration"], recorded[0]["measured"].as_array().map(Vec::len)), (&1.into(), Some(2)));
    answer(&["elo", "run"], folder.path());
    assert!(
        fs::read_to_string(folder.path().join("run/elo.html"))
            .expect("a page")
            .contains("Agreement with a deep search")
    );
}

#[test]
fn what_cannot_be_measured_is_refused_with_the_remedy() {
    let folder = TempDir::new().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    write("bad.txt", "game: damma8\n8/8/3b4/8/3b4/2w5/8/8 w ; c3xe5\n");
    write("far.txt", "game: damma8\n8/8/3b4/8/3b4/2w5/8/8 w ; c3xz5\n");
    write("good.txt", "game: damma8\n8/8/3b4/8/3b4/2w5/8/8 w ; c3xe5xc7\n");
    for (arguments, words) in [
        (["quality", "ab-2", "--suite", "bad.txt"].as_slice(), "bad.txt:2: turn `c3xe5`"),
        (&["quality", "ab-2", "--suite", "none.txt"], "none.txt"),
        (
            &["quality", "ab-2", "--suite", "far.txt"],
            "far.txt:2: turn `c3xz5`, at `c3xz5`: z5 is no point of this board",
        ),
        (&["quality", "ab-2", "--suite", "good.txt", "--preset", "zamma"], "another game"),
        (&["quality", "ab-2", "--suite", "good.txt", "--record"], "--record"),
        (&["quality", "ab-2", "--suite", "good.txt", "--budget", "0"], "--budget"),
        (&["quality", "nobody", "--suite", "good.txt"], "names no player"),
        (&["quality", "ab-2", "--deep", "ab-99"], "ab-99"),
    ] {
        let output = damma(arguments, folder.path());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(words), "{arguments:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty());
    }
}
