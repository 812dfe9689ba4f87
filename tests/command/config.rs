//! What the README promises of configs: checked before anything is trained, and looked up by key.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

use crate::schema;
use crate::support::here::{answer, json, refusal};

/// Lists the configs in a folder.
fn configs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = fs::read_dir(folder).expect("the configs").map(|entry| entry.expect("readable").path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "toml")).collect()
}

#[test]
fn every_config_is_ok_and_fits_the_schema() {
    let schema: Value = json(&["config", "schema"]);
    let (plain, nights, cards) = (configs("configs"), configs("configs/night"), configs("configs/gpu"));
    assert_eq!((plain.len(), nights.len(), cards.len()), (9, 7, 7));
    let firsts = ["#:schema schema.json", "#:schema ../schema.json"];
    let deeper = nights.iter().chain(&cards).map(|path| (path, firsts[1]));
    let all = plain.iter().map(|path| (path, firsts[0])).chain(deeper);
    for (path, first) in all {
        let text = answer(&["config", "check", path.to_str().expect("UTF-8")]);
        assert!(text.contains(": ok\n") && text.contains("parameters"), "{text}");
        let config: Value = toml_of(path);
        schema::check(&schema, &config).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        let line = fs::read_to_string(path).expect("the config").lines().next().map(str::to_owned);
        assert_eq!(line.as_deref(), Some(first), "{}", path.display());
    }
}

#[test]
fn every_preset_has_a_config_for_a_card() {
    for preset in damma_env::PRESETS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("configs/gpu/{}.toml", preset.name));
        let config = toml_of(&path);
        assert_eq!(config["rules"]["preset"], preset.name);
        assert_eq!((&config["network"]["kind"], &config["run"]["device"]), (&"tower".into(), &"cuda".into()));
    }
}

#[test]
fn training_on_a_card_that_the_program_was_not_built_for_is_refused_with_what_to_build() {
    let folder = TempDir::new().expect("a folder");
    let output = folder.path().join("run");
    for (device, built) in [("wgpu", cfg!(feature = "wgpu")), ("cuda", cfg!(feature = "cuda"))] {
        if built {
            continue;
        }
        let set = format!("run.device={device}");
        let train = ["train", "configs/smoke.toml", "--no-elo", "--set", &set, "--output"];
        let message = refusal(&[train.as_slice(), &[output.to_str().expect("UTF-8")]].concat());
        assert!(message.contains(&format!("cargo build --release --features {device}")), "{message}");
        assert!(!output.exists(), "nothing is written");
    }
}

/// Reads a config as the plain data that an editor checks.
fn toml_of(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("the config");
    serde_json::to_value(text.parse::<toml::Table>().expect("TOML")).expect("plain data")
}

#[test]
fn the_schema_refuses_what_the_command_refuses() {
    let schema: Value = json(&["config", "schema"]);
    let smoke = toml_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/smoke.toml"));
    for (section, key, value) in [
        ("search", "c_puct", "0"),
        ("search", "c_put", "1"),
        ("network", "channels", "8"),
        ("network", "hidden", "7"),
        ("evaluation", "games", "3"),
        ("evaluation", "opponents", "5"),
        ("samples", "symmetry", "1"),
        ("learner", "ema", "1"),
        ("rules", "capture", "\"force\""),
    ] {
        let mut config = smoke.clone();
        config[section][key] = serde_json::from_str(value).expect("JSON");
        assert!(schema::check(&schema, &config).is_err(), "{section}.{key} = {value}");
        let set = format!("{section}.{key}={value}");
        let message = refusal(&["config", "check", "configs/smoke.toml", "--set", &set]);
        assert!(message.contains(&format!("--set {set}: ")), "{message}");
    }
}

#[test]
fn the_schema_beside_the_configs_is_the_one_of_the_program() {
    let stored = fs::read_to_string("configs/schema.json").expect("the schema");
    let fresh = answer(&["config", "schema"]);
    assert!(stored == fresh, "configs/schema.json is old; run: damma config schema > configs/schema.json");
}

#[test]
fn the_table_in_the_readme_is_the_one_of_the_program() {
    let readme = fs::read_to_string("README.md").expect("the README");
    let begin = "<!-- keys: damma config explain --markdown -->\n";
    let (_, rest) = readme.split_once(begin).expect("the README marks its table");
    let (table, _) = rest.split_once("<!-- end of keys -->").expect("and its end");
    let fresh = answer(&["config", "explain", "--markdown"]);
    assert!(
        table == fresh,
        "the table of keys in README.md is old; put there what this prints: damma config explain --markdown\n\n{fresh}"
    );
}

#[test]
fn a_check_says_what_will_be_trained() {
    let text = answer(&["config", "check", "configs/smoke.toml", "--set", "rules.capture=forced"]);
    for part in [
        "game      kharberg with capture=forced",
        "network   mlp, hidden 32, blocks 1, inner 0: ",
        "after 3 iterations",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let found = json(&["config", "check", "configs/smoke.toml", "--json", "--set", "run.minutes=2"]);
    assert_eq!(found["game"]["preset"], "kharberg");
    assert_eq!(found["limits"], serde_json::json!({"iterations": 3, "minutes": 2.0, "cpu_minutes": 0.0}));
    assert!(found["forecast"]["parameters"].as_u64().is_some_and(|count| count > 1000), "{found}");
}

#[test]
fn one_key_a_section_or_all_are_explained() {
    let text = answer(&["config", "explain", "selfplay.simulations"]);
    assert!(text.contains("default         96") && text.contains("a whole number, 1 to 60000"), "{text}");
    let blocks = answer(&["config", "explain", "network.blocks"]);
    assert!(blocks.contains("(of kind \"mlp\")") && blocks.contains("(of kind \"tower\")"), "{blocks}");
    let all = answer(&["config", "explain"]);
    for part in ["[search]", "c_puct", "[rules]", "lone_kings_draw", "final_learning_rate"] {
        assert!(all.contains(part), "{part} is not in {all}");
    }
    let rows =
        json(&["config", "explain", "search", "--json", "--config", "configs/smoke.toml", "--set", "search.c_puct=3"]);
    let row = rows.as_array().expect("a list").iter().find(|row| row["key"] == "search.c_puct").expect("the key");
    assert_eq!((&row["default"], &row["value"]), (&1.5.into(), &3.0.into()));
    let message = refusal(&["config", "explain", "selfplay.simulation"]);
    assert!(message.contains("did you mean `selfplay.simulations`"), "{message}");
}

#[test]
fn a_mistake_is_named_by_its_line_or_its_argument_and_nothing_is_written() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("wrong.toml");
    let text = fs::read_to_string("configs/smoke.toml").expect("the config");
    let line = text.lines().position(|line| line.starts_with("c_puct")).expect("it is there") + 1;
    fs::write(&path, text.replace("c_puct = 1.5", "c_puct = 15")).expect("written");
    let file = path.to_str().expect("UTF-8");
    for command in [["config", "check"].as_slice(), &["train"]] {
        let message = refusal(&[command, &[file]].concat());
        assert!(message.contains(&format!("wrong.toml:{line}: search.c_puct = 15 is not allowed")), "{message}");
        let message = refusal(&[command, &[file, "--set", "search.c_puct=1", "--set", "runs.minutes=1"]].concat());
        assert!(message.contains("--set runs.minutes=1: unknown key `runs` (did you mean `run`?)"), "{message}");
    }
    let output = folder.path().join("run");
    let message =
        refusal(&["train", "configs/smoke.toml", "--iterations", "0", "--output", output.to_str().expect("UTF-8")]);
    assert!(message.contains("--iterations 0: the run has no end"), "{message}");
    assert!(!output.exists(), "nothing is written");
}

#[test]
fn every_example_of_the_help_works_as_written() {
    let folder = TempDir::new().expect("a folder");
    for command in [["config", "check"].as_slice(), &["config", "explain"], &["config", "schema"], &["config"]] {
        let help = answer(&[command, &["--help"]].concat());
        let (_, examples) = help.split_once("Examples:\n").expect("the help has examples");
        for example in examples.lines() {
            let program = example.replace("damma ", concat!(env!("CARGO_BIN_EXE_damma"), " "));
            let program = program.replace("> schema.json", &format!("> {}/schema.json", folder.path().display()));
            let mut shell = Command::new("sh");
            shell.args(["-c", &program]).current_dir(env!("CARGO_MANIFEST_DIR")).assert().success().stderr("");
        }
    }
}
