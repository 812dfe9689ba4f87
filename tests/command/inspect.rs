//! What the README promises of `damma inspect`: it tells what a checkpoint is and whether it is whole.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::here::{answer, damma, json, refusal};

#[test]
fn a_run_is_told_with_what_was_set_for_it() {
    let folder = TempDir::new().expect("a folder");
    let run = folder.path().join("run");
    let path = run.to_str().expect("UTF-8");
    let train = ["train", "configs/smoke.toml", "--no-elo", "--iterations", "1", "--output", path];
    damma(&train).args(["--set", "search.c_puct=2", "--set", "rules.capture=forced"]).assert().success();
    let text = answer(&["inspect", path]);
    for part in [
        "kharberg with capture=forced",
        "mlp, hidden 32, blocks 1, inner 0: ",
        "1 iterations, 32 games",
        "checksums right",
        "seed      1",
        "device    cpu\n",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let found = json(&["inspect", &format!("{path}/checkpoints/000001"), "--json"]);
    assert_eq!((&found["iteration"], &found["config"]["search"]["c_puct"]), (&1.into(), &2.0.into()));
    assert_eq!(
        (&found["whole"], &found["games_files"], &found["elo"]),
        (&true.into(), &1.into(), &serde_json::json!([]))
    );
    let first = json(&["inspect", &format!("{path}/checkpoints/000000"), "--json"]);
    assert_eq!((&first["iteration"], &first["games_files"]), (&0.into(), &Value::Null));
}

#[test]
fn the_rating_of_a_checkpoint_is_told_where_it_has_one() {
    let folder = TempDir::new().expect("a folder");
    let run = folder.path().join("run");
    let path = run.to_str().expect("UTF-8");
    let few = ["--set", "evaluation.games=2", "--set", "evaluation.opponents=[\"ab-1\"]", "--iterations", "1"];
    damma(&["train", "configs/smoke.toml", "--output", path]).args(few).assert().success();
    assert!(answer(&["inspect", path]).contains("16 simulations, 2 games"));
    let found = json(&["inspect", path, "--json"]);
    assert_eq!(found["elo"][0]["matches"][0]["opponent"], "ab-1");
}

#[test]
fn the_config_of_a_run_can_be_trained_again() {
    let folder = TempDir::new().expect("a folder");
    let run = folder.path().join("run");
    let train = ["train", "configs/smoke.toml", "--no-elo", "--set", "run.iterations=1", "--output"];
    damma(&train).arg(&run).assert().success();
    let path = folder.path().join("again.toml");
    fs::write(&path, answer(&["inspect", run.to_str().expect("UTF-8"), "--config"])).expect("written");
    let again = damma(&["train", "--no-elo"]).arg(&path).assert().success();
    let text = String::from_utf8_lossy(&again.get_output().stderr).into_owned();
    assert!(text.contains("going on after iteration 1"), "{text}");
}

#[test]
fn a_damaged_checkpoint_is_named() {
    let folder = TempDir::new().expect("a folder");
    let run = folder.path().join("run");
    let path = run.to_str().expect("UTF-8");
    assert!(refusal(&["inspect", path]).contains("holds no checkpoint"));
    damma(&["train", "configs/smoke.toml", "--no-elo", "--iterations", "1", "--output", path]).assert().success();
    fs::write(run.join("elo.json"), "[{").expect("written");
    assert!(refusal(&["inspect", path]).contains("elo.json is damaged"));
    fs::remove_file(run.join("elo.json")).expect("removed");
    let games = run.join("games/000001.games");
    let bytes = fs::read(&games).expect("the games");
    fs::write(&games, &bytes[1..]).expect("written");
    assert!(refusal(&["inspect", path]).contains("000001.games is damaged"));
    fs::write(run.join("checkpoints/000001/model.safetensors"), "x").expect("written");
    assert!(refusal(&["inspect", path]).contains("model.safetensors is damaged"));
}
