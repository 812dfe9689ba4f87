//! `damma ratings` and what `damma match` says of repeated games, seen from outside.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{self, DAMMA};

fn damma(arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(DAMMA);
    command.args(arguments).current_dir(folder);
    command
}

fn answer(arguments: &[&str], folder: &Path) -> String {
    let output = damma(arguments, folder).assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("text")
}

fn refusal(arguments: &[&str], folder: &Path) -> String {
    support::refusal(&mut damma(arguments, folder))
}

fn write(folder: &TempDir, name: &str, text: &str) {
    std::fs::write(folder.path().join(name), text).expect("written");
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Plays a match and gives its report.
fn report(a: &str, b: &str, folder: &TempDir) -> String {
    answer(&["match", a, b, "--preset", "khreibga", "--games", "40", "--json"], folder.path())
}

/// PDN of a game of English draughts, where 1-0 is a win for Black.
fn pdn(white: &str, black: &str, result: &str, moves: &str) -> String {
    format!("[White \"{white}\"]\n[Black \"{black}\"]\n[GameType \"21\"]\n[Result \"{result}\"]\n{moves} {result}\n\n")
}

#[test]
fn matches_make_a_list_from_the_anchor_up() {
    let folder = TempDir::new().expect("a folder");
    let [strong, weak, far] =
        [("ab-3", "ab-1"), ("ab-1", "random"), ("ab-3", "random")].map(|(a, b)| report(a, b, &folder));
    write(&folder, "two.json", &(strong.clone() + &weak));
    write(&folder, "one.json", &far);

    let arguments = ["ratings", "two.json", "one.json", "--prior", "--json"];
    let list = json(&answer(&arguments, folder.path()));

    assert_eq!(list["anchor"], "ab-1");
    let names: Vec<&str> =
        list["players"].as_array().expect("players").iter().filter_map(|p| p["name"].as_str()).collect();
    assert_eq!(names, ["ab-3", "ab-1", "random"]);
    assert_eq!((list["players"][1]["elo"].as_f64(), list["covariance"][1][1].as_f64()), (Some(0.0), Some(0.0)));
    // On so small a board an opening may be the beginning of another, and a pair be played twice.
    let distinct = |report: &str| json(report)["statistics"]["distinct_pairs"].as_u64().expect("a count");
    assert_eq!(list["players"][0]["games"], 2 * (distinct(&strong) + distinct(&far)));
    let variance = list["covariance"][0][0].as_f64().expect("a variance");
    let error = list["players"][0]["plus_minus"].as_f64().expect("an error");
    assert!((1.96 * variance.sqrt() - error).abs() < 0.01 * error);
    let text = answer(&arguments[..4], folder.path());
    let first = text.lines().nth(1).expect("a player");
    assert!(first.contains("ab-3") && first.contains('%'), "{text}");
    assert_eq!(
        answer(&arguments, folder.path()),
        answer(&["ratings", "one.json", "two.json", "--prior", "--json"], folder.path())
    );
}

#[test]
fn a_match_of_a_deterministic_player_against_itself_is_no_information() {
    let folder = TempDir::new().expect("a folder");
    let report = report("ab-1", "ab-1", &folder);
    write(&folder, "mirror.json", &report);
    let report = json(&report);
    assert_eq!((&report["elo"], &report["statistics"]["mirror"]), (&Value::Null, &Value::from("same_player")));
    let message = refusal(&["ratings", "mirror.json"], folder.path());
    assert!(message.contains("no game between two players"), "{message}");
}

#[test]
fn games_in_pdn_are_rated_by_their_players_and_results() {
    let folder = TempDir::new().expect("a folder");
    let (one, other) = ("1. 9-14 22-18 2. 5-9 24-19", "1. 9-14 22-18 2. 5-9 24-19 3. 11-15");
    // A pair, the same pair again, a game alone, and one without a result.
    let pair = pdn("x", "y", "0-1", one) + &pdn("y", "x", "1/2-1/2", other);
    let single = pdn("x", "y", "1-0", "1. 10-15 22-18");
    write(&folder, "games.pdn", &(pair.clone() + &pair + &single + &pdn("x", "y", "*", "1. 10-14")));

    let output = damma(&["ratings", "games.pdn", "--anchor", "y", "--anchor-elo", "1000", "--json"], folder.path());
    let mut output = output;
    let list = json(&String::from_utf8(output.assert().success().get_output().stdout.clone()).expect("text"));

    // x won once, drew once and lost once.
    let players = list["players"].as_array().expect("players");
    let x = players.iter().find(|player| player["name"] == "x").expect("x");
    assert_eq!((&x["games"], x["score"].as_f64()), (&Value::from(3), Some(0.5)));
    assert!((x["elo"].as_f64().expect("a rating") - 1000.0).abs() < 100.0, "{list}");
    assert_eq!(list["warnings"].as_array().map(Vec::len), Some(2), "{list}");
}

#[test]
fn games_without_moves_all_count_and_a_file_given_twice_counts_once() {
    let folder = TempDir::new().expect("a folder");
    write(&folder, "bare.pdn", &["1-0", "0-1", "1-0"].map(|result| pdn("x", "y", result, "")).concat());
    let list = json(&answer(&["ratings", "bare.pdn", "./bare.pdn", "--json"], folder.path()));
    assert_eq!(list["players"][0]["games"], 3, "{list}");
    let warning = list["warnings"][0].as_str().expect("a warning");
    assert!(warning.contains("./bare.pdn: the file was given before"), "{list}");
}

#[test]
fn the_file_of_a_match_is_read_as_its_report_is() {
    let folder = TempDir::new().expect("a folder");
    let played = ["match", "ab-2", "ab-1", "--preset", "khreibga", "--games", "20", "--out", "match.json", "--json"];
    write(&folder, "report.json", &answer(&played, folder.path()));
    let list = |file: &str| json(&answer(&["ratings", file, "--prior", "--json"], folder.path()))["players"].clone();
    assert_eq!(list("match.json"), list("report.json"));
}

#[test]
fn a_cut_file_and_an_anchor_beyond_all_ratings_are_told_of() {
    let folder = TempDir::new().expect("a folder");
    write(&folder, "cut.pdn", "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n1. 9-14 23-18");
    let list = json(&answer(&["ratings", "cut.pdn", "--prior", "--json"], folder.path()));
    assert!(list["warnings"][0].as_str().is_some_and(|text| text.contains("may have been cut")), "{list}");
    damma(&["replay", "cut.pdn"], folder.path()).assert().success();
    let replayed = damma(&["replay", "cut.pdn"], folder.path()).output().expect("damma runs");
    assert!(String::from_utf8_lossy(&replayed.stderr).contains("cut.pdn: the last game has no result"));
    let message = refusal(&["ratings", "cut.pdn", "--anchor-elo", "1e308"], folder.path());
    assert!(message.contains("--anchor-elo 1e308 is outside -10000 to 10000"), "{message}");
}

#[test]
fn a_series_is_left_out_with_a_warning() {
    let folder = TempDir::new().expect("a folder");
    let series = ["match", "ab-1", "random", "--preset", "khreibga", "--series", "--games", "3", "--json"];
    write(&folder, "all.json", &(answer(&series, folder.path()) + &report("ab-1", "random", &folder)));
    let list = json(&answer(&["ratings", "all.json", "--prior", "--json"], folder.path()));
    assert!(list["warnings"][0].as_str().is_some_and(|text| text.contains("a series has no pairs")), "{list}");
}

#[test]
fn bad_files_are_refused_with_file_line_and_remedy() {
    let folder = TempDir::new().expect("a folder");
    write(&folder, "empty.json", " \n");
    write(&folder, "broken.json", "{\n\"a\": 1,\n}");
    write(&folder, "other.json", "\n{\"name\": \"damma\"}");
    write(&folder, "half.json", "{\"pairs\": [1,2,3,4,5]}");
    write(&folder, "text.pdn", "not a game\n");
    write(&folder, "nobody.pdn", &("\n".to_owned() + &pdn("x", "?", "1-0", "1. 10-15")));
    for (file, parts) in [
        ("missing.json", ["cannot read missing.json", "give the path"]),
        ("empty.json", ["empty.json, line 1", "give match reports"]),
        ("broken.json", ["broken.json, line 3", "not JSON"]),
        ("other.json", ["other.json, line 2", "neither a match report"]),
        ("half.json", ["half.json, line 1", "missing field"]),
        ("text.pdn", ["text.pdn, line 1", "is no move"]),
        ("nobody.pdn", ["nobody.pdn, line 2: game 1", "no player is named as Black"]),
    ] {
        let message = refusal(&["ratings", file], folder.path());
        assert!(message.starts_with("error: ") && parts.iter().all(|part| message.contains(part)), "{file}: {message}");
    }
}

#[test]
fn groups_that_never_met_and_reports_of_other_rules_are_refused() {
    let folder = TempDir::new().expect("a folder");
    write(&folder, "groups.pdn", &(pdn("a", "b", "1-0", "1. 9-14") + &pdn("x", "y", "1-0", "1. 10-15")));
    let message = refusal(&["ratings", "groups.pdn", "--anchor", "a"], folder.path());
    assert!(message.contains("no result connects x, y with the anchor a"), "{message}");
    let message = refusal(&["ratings", "groups.pdn", "--anchor", "z"], folder.path());
    assert!(message.contains("choose one of a, b, x, y"), "{message}");

    let report = report("ab-1", "random", &folder);
    write(
        &folder,
        "mixed.json",
        &(report.clone() + &report.replace("\"no_progress_limit\":", "\"no_progress_limit\":1")),
    );
    let message = refusal(&["ratings", "mixed.json"], folder.path());
    assert!(message.contains("mixed.json, line 2") && message.contains("rate them apart"), "{message}");
}
