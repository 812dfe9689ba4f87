//! Exact endings, seen from outside: made, resumed, checked, asked and proved.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::damma;

const RULES: [&str; 2] = ["--preset", "damma8"];

/// Runs what must succeed and gives its JSON object.
fn answer(arguments: &[&str], folder: &Path) -> Value {
    let output = damma(&[arguments, &["--json"]].concat(), folder);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("a JSON object")
}

/// Runs what must be refused and gives the message.
fn refusal(arguments: &[&str], folder: &Path) -> String {
    let output = damma(arguments, folder);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).expect("text")
}

/// Makes the tables of English draughts with up to three pieces.
fn made() -> (TempDir, Value) {
    let place = TempDir::new().expect("a folder");
    let report = answer(&[&["solve", "--pieces", "3", "--out", "tables"], &RULES[..]].concat(), place.path());
    (place, report)
}

#[test]
fn tables_of_english_draughts_have_the_published_counts() {
    let (place, report) = made();
    // 6,972 positions of two pieces and 261,224 of three, less those where one side has none left.
    assert_eq!(report["positions"], 199_520);
    let kings = &report["classes"][0];
    assert_eq!([&kings["class"], &kings["positions"]], [&Value::from("0m1k-0m1k"), &Value::from(992)]);
    assert_eq!([&kings["won"], &kings["drawn"], &kings["lost"]], [230, 654, 108].map(Value::from).each_ref());
    assert_eq!(kings["longest_win"], 11);
    let files = std::fs::read_dir(place.path().join("tables")).expect("readable").count();
    assert_eq!(files, 17, "sixteen classes and the index");
}

#[test]
fn an_interrupted_job_makes_only_what_is_missing() {
    let (place, whole) = made();
    let tables = place.path().join("tables");
    let index = tables.join("index.json");
    let mut cut: Value = serde_json::from_slice(&std::fs::read(&index).expect("readable")).expect("JSON");
    let classes = cut["classes"].as_array_mut().expect("a list");
    let lost = classes.pop().expect("a class");
    std::fs::write(&index, cut.to_string()).expect("written");
    let file = tables.join(lost["file"].as_str().expect("a name"));
    let before = std::fs::read(&file).expect("readable");
    std::fs::write(&file, b"half").expect("written");
    let again = answer(&[&["solve", "--pieces", "3", "--out", "tables"], &RULES[..]].concat(), place.path());
    assert_eq!(again["classes"], whole["classes"]);
    assert_eq!(std::fs::read(&file).expect("readable"), before);
}

#[test]
fn damaged_tables_are_refused_by_name() {
    let (place, _) = made();
    let verified = answer(&["solve", "--verify", "tables", "--samples", "20000"], place.path());
    assert_eq!([&verified["files"], &verified["pieces"]], [16, 3].map(Value::from).each_ref());
    assert!(verified["checked"].as_u64() >= Some(20_000) && verified["searched"].as_u64() > Some(100), "{verified}");
    let file = place.path().join("tables/1m1k-0m1k.table");
    let mut bytes = std::fs::read(&file).expect("readable");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&file, bytes).expect("written");
    let message = refusal(&["solve", "--verify", "tables"], place.path());
    assert!(message.contains("1m1k-0m1k.table") && message.contains("delete it"), "{message}");
    let message = refusal(&["solve", "--pieces", "3", "--out", "tables", "--preset", "srand"], place.path());
    assert!(message.contains("other rules") && message.contains("size = 8, asked for size = 9"), "{message}");
    std::fs::remove_file(&file).expect("removed");
    let again = answer(&[&["solve", "--pieces", "3", "--out", "tables"], &RULES[..]].concat(), place.path());
    assert_eq!(again["positions"], 199_520);
    assert!(file.exists(), "what was deleted is made anew");
    answer(&["solve", "--verify", "tables"], place.path());
    let index = place.path().join("tables/index.json");
    let mut wrong: Value = serde_json::from_slice(&std::fs::read(&index).expect("readable")).expect("JSON");
    wrong["classes"][0]["won"] = Value::from(231);
    std::fs::write(&index, wrong.to_string()).expect("written");
    let message = refusal(&["solve", "--verify", "tables"], place.path());
    assert!(message.contains("lists other counts of 0m1k-0m1k"), "{message}");
}

#[test]
fn tables_that_are_not_whole_are_not_verified_and_played_with_a_warning() {
    let (place, _) = made();
    let index = place.path().join("tables/index.json");
    let whole: Value = serde_json::from_slice(&std::fs::read(&index).expect("readable")).expect("JSON");
    let change = |classes: &dyn Fn(&mut Vec<Value>)| {
        let mut changed = whole.clone();
        classes(changed["classes"].as_array_mut().expect("a list"));
        std::fs::write(&index, changed.to_string()).expect("written");
        refusal(&["solve", "--verify", "tables"], place.path())
    };
    let play = || damma(&["match", "ab-1", "random", "--games", "2", "--tables", "tables"], place.path());

    assert!(change(&|classes| classes.clear()).contains("tables lacks the table of 0m1k-0m1k"));
    assert_eq!(play().status.code(), Some(2));
    let mut strange = whole["classes"][0].clone();
    strange["class"] = Value::from("9m9k-9m9k");
    assert!(change(&|classes| classes.push(strange.clone())).contains("it lists 9m9k-9m9k"));
    let missing = change(&|classes| classes.retain(|entry| entry["class"] != "1m1k-0m1k"));
    assert!(missing.contains("tables lacks the table of 1m1k-0m1k"), "{missing}");
    let played = play();
    assert!(played.status.success());
    let warning = String::from_utf8(played.stderr).expect("text");
    assert!(warning.contains("warning: tables lacks") && warning.contains("more than 2 pieces"), "{warning}");
}

#[test]
fn a_position_is_worth_what_its_best_turn_is() {
    let (place, _) = made();
    let probe = |position: &str| answer(&["solve", "--probe", position, "tables"], place.path());
    let capture = probe("8/8/8/4b3/3W4/8/8/8 w");
    assert_eq!([&capture["value"], &capture["turns"]], [&Value::from("win"), &Value::from(1)]);
    assert_eq!(capture["choices"][0]["turn"], "d4xf6");
    let chain = probe("8/8/3b4/8/3b4/2w5/8/8 w");
    assert_eq!([&chain["choices"][0]["turn"], &chain["turns"]], [&Value::from("c3xe5xc7"), &Value::from(1)]);
    let kings = probe("8/8/8/4B3/8/2W1W3/8/8 b");
    assert_eq!(kings["value"], "loss");
    let turns = kings["turns"].as_u64().expect("a distance");
    assert!(turns % 2 == 0 && kings["choices"][0]["turns"] == turns, "{kings}");
    let message = refusal(&["solve", "--probe", "8/8/1b3b2/8/1w1w4/8/8/8 w", "tables"], place.path());
    assert!(message.contains("up to 3 pieces") && message.contains("--pieces 4"), "{message}");
    let many = "1b1b1b1b/b1b3b1/8/8/8/8/1w1w4/8 w";
    let message = refusal(&["solve", "--probe", many, "tables"], place.path());
    assert!(message.contains("has 9 pieces") && message.contains("--start --position"), "{message}");
    let message = refusal(&["solve", "tables"], place.path());
    assert!(message.contains("--probe POSITION or --start"), "{message}");
}

#[test]
fn too_little_memory_is_refused_before_anything_is_written() {
    let place = TempDir::new().expect("a folder");
    let message =
        refusal(&["solve", "--preset", "zamma", "--pieces", "5", "--out", "tables", "--memory", "1"], place.path());
    assert!(message.contains("GiB of memory, more than --memory 1"), "{message}");
    for (option, value) in [("--nodes", "0"), ("--memory", "0.0001")] {
        let message = refusal(&["solve", "--start", option, value], place.path());
        assert!(message.contains(&format!("{option} {value} ")), "{message}");
    }
    assert!(!place.path().join("tables").exists());
}

#[test]
fn a_small_start_position_is_proved() {
    let place = TempDir::new().expect("a folder");
    let start =
        ["solve", "--start", "--preset", "damma8", "--set", "size=4", "--set", "home_rows=1", "--memory", "0.05"];
    let proof = answer(&start, place.path());
    assert_eq!(proof["value"], "draw");
    let open = answer(&["solve", "--start", "--preset", "khreibga", "--nodes", "50", "--memory", "0.01"], place.path());
    assert!(open["value"].is_null() && open["line"] == serde_json::json!([]), "{open}");
}

#[test]
fn the_second_player_wins_khreibga_where_men_only_go_forward() {
    let place = TempDir::new().expect("a folder");
    let start = ["solve", "--start", "--preset", "khreibga", "--set", "man_steps=forward", "--memory", "1"];

    let proof = answer(&start, place.path());

    assert_eq!((&proof["white_can_win"], &proof["black_can_win"]), (&false.into(), &true.into()));
    assert_eq!(proof["value"], "Black wins");
}
