//! The files of a match: written whole, taken up again, and believed only as far as the rules do.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::matched::{folder, refusal, report};
use crate::support::{DAMMA, damma, text};

fn read(path: PathBuf) -> Value {
    serde_json::from_slice(&fs::read(path).expect("readable")).expect("JSON")
}

const LONG: [&str; 8] = ["match", "ab-3", "random", "--openings", "ballots", "--out", "match.json", "--json"];

#[test]
fn a_match_killed_again_and_again_ends_with_the_same_bytes() {
    let (whole, broken) = (folder(), folder());
    let expected = damma(&LONG, whole.path());
    assert!(expected.status.success());
    let journal = broken.path().join("match.json.part");
    let size = || fs::metadata(&journal).map_or(0, |file| file.len());
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut kills = 0;
    let report = loop {
        let before = size();
        let mut child = Command::new(DAMMA)
            .args(LONG)
            .current_dir(broken.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("damma runs");
        // At any moment after some progress, so that an end is reached; early at first.
        let mut patience = rng.random_range(0..if kills < 2 { 100 } else { 20_000 });
        while child.try_wait().expect("it can be asked").is_none() && patience > 0 {
            patience -= u32::from(size() > before);
            std::thread::yield_now();
        }
        let _ = child.kill();
        let output = child.wait_with_output().expect("it ends");
        if output.status.success() {
            break output.stdout;
        }
        kills += 1;
        if kills == 2 {
            // As if the disk had taken half a line.
            let mut file = fs::OpenOptions::new().append(true).open(&journal).expect("there is a journal");
            file.write_all(b"[{\"opening\":64,").expect("written");
        }
    };
    assert!(kills >= 2, "it was killed {kills} times");
    assert_eq!(report, expected.stdout);
    let bytes = |folder: &TempDir| fs::read(folder.path().join("match.json")).expect("written");
    assert!(bytes(&whole) == bytes(&broken), "the results differ");
    assert!(!journal.exists());
}

#[test]
fn a_match_is_gone_on_with_only_as_it_was_begun() {
    let folder = folder();
    let first = report(&["random", "ab-1", "--games", "4", "--out", "match.json"], folder.path());
    // A finished match is not played again, and not overwritten by another.
    let again = report(&["random", "ab-1", "--games", "4", "--out", "match.json"], folder.path());
    assert_eq!(first, again);
    let message = refusal(&["random", "ab-1", "--games", "6", "--out", "match.json"], folder.path());
    assert!(message.contains("holds another match") && message.contains("games was 4 and is 6"), "{message}");
    // PDN of something else beside it is written anew.
    fs::write(folder.path().join("match.pdn"), "old").expect("written");
    report(&["random", "ab-1", "--games", "4", "--out", "match.json", "--pdn", "match.pdn"], folder.path());
    assert!(fs::read_to_string(folder.path().join("match.pdn")).expect("written").contains("[White "));
    // The same for one that is not finished.
    let terms = read(folder.path().join("match.json"))["terms"].to_string() + "\n";
    fs::write(folder.path().join("other.json.part"), &terms).expect("written");
    let message = refusal(&["random", "ab-1", "--games", "4", "--seed", "2", "--out", "other.json"], folder.path());
    assert!(message.contains("seed was 1 and is 2") && message.contains("remove it to begin anew"), "{message}");
    fs::write(folder.path().join("torn.json.part"), terms + "nonsense\n").expect("written");
    let message = refusal(&["random", "ab-1", "--games", "4", "--out", "torn.json"], folder.path());
    assert!(message.contains("torn.json.part, line 2 is damaged"), "{message}");
    // What is no journal is refused and stays as it is, whether it ends a line or not.
    for notes in ["my notes", "my notes\nand more"] {
        fs::write(folder.path().join("mine.json.part"), notes).expect("written");
        let message = refusal(&["random", "ab-1", "--games", "4", "--out", "mine.json"], folder.path());
        assert!(message.contains("is no journal of a match; give another --out, or remove it"), "{message}");
        assert_eq!(fs::read_to_string(folder.path().join("mine.json.part")).expect("there"), notes);
    }
    // One that was killed within its first line begins anew.
    let written = read(folder.path().join("match.json"))["terms"].to_string();
    fs::write(folder.path().join("begun.json.part"), &written[..40]).expect("written");
    assert_eq!(report(&["random", "ab-1", "--games", "4", "--out", "begun.json"], folder.path()), first);
    fs::write(folder.path().join("notes.json"), "my notes").expect("written");
    let message = refusal(&["random", "ab-1", "--games", "4", "--out", "notes.json"], folder.path());
    assert!(message.contains("is no result of a match"), "{message}");
}

const SHORT: [&str; 8] = ["ab-2", "random", "--preset", "khreibga", "--games", "260", "--out", "match.json"];

/// Plays a match of more than two rounds, and gives its file.
fn played(folder: &Path) -> Value {
    report(&SHORT, folder);
    read(folder.join("match.json"))
}

/// What was changed in a file, and what is said of it.
type Damage = (fn(&mut Value), &'static str);

#[test]
fn a_result_file_whose_games_the_rules_do_not_make_is_refused_by_game() {
    let folder = folder();
    let whole = played(folder.path());
    let damages: [Damage; 10] = [
        (|file| file["games"][0]["actions"][5] = json!(9999), "game 1: its action 5 (9999) is not legal"),
        (|file| file["games"][1]["actions"] = json!([]), "game 2: it does not begin with opening 1"),
        (|file| file["games"][3]["opening"] = json!(99_999), "game 4: it does not begin with opening 2"),
        (|file| file["games"][2]["turns"] = json!(1), "game 3: it has "),
        (|file| file["games"][2]["white"] = json!("b"), "game 3: the players have each other's colours"),
        (|file| file["games"][0]["ending"] = json!("capped"), "game 1: its ending is not what its actions lead to"),
        (|file| file["games"].as_array_mut().expect("games").truncate(3), "ends within a round, after 3 games"),
        (|file| file["games"].as_array_mut().expect("games").truncate(128), "has 128 games, and the match has more"),
        (|file| file["games"].as_array_mut().expect("games").push(json!(null)), "is no result of a match"),
        (|file| file["report"]["total"]["wins"] = json!(0), "the report does not fit the games"),
    ];
    for (damage, words) in damages {
        let mut file = whole.clone();
        damage(&mut file);
        fs::write(folder.path().join("match.json"), file.to_string()).expect("written");

        let message = refusal(&[&SHORT[..], &["--pdn", "match.pdn"]].concat(), folder.path());

        assert!(message.contains("match.json") && message.contains(words), "{message}");
        assert!(message.contains("remove "), "{message}");
        assert!(!folder.path().join("match.pdn").exists());
    }
}

#[test]
fn a_journal_whose_games_the_rules_do_not_make_is_refused_by_game() {
    let folder = folder();
    let whole = played(folder.path());
    fs::remove_file(folder.path().join("match.json")).expect("removed");
    let journal = folder.path().join("match.json.part");
    let rounds: Vec<Value> = whole["games"].as_array().expect("games").chunks(128).map(|round| json!(round)).collect();
    let write = |rounds: &[&Value]| {
        let lines: Vec<String> = [&whole["terms"]].iter().chain(rounds).map(|line| format!("{line}\n")).collect();
        fs::write(&journal, lines.concat()).expect("written");
    };
    let mut damaged = rounds[1].clone();
    *damaged[7]["actions"].as_array_mut().and_then(|actions| actions.last_mut()).expect("actions") = json!(9999);
    let mut exchanged = rounds[0].clone();
    exchanged[0]["ending"] = json!({ "forfeited": { "loser": "white", "fault": "crash" } });
    let short = json!(rounds[0].as_array().expect("games")[..20]);
    for (lines, words) in [
        (vec![&rounds[0], &damaged], "game 136: its action "),
        (vec![&rounds[0], &rounds[0]], "game 129: it does not begin with opening 65"),
        (vec![&exchanged], "game 1: its ending is not what its actions lead to"),
        (vec![&short], "ends within a round, after 20 games"),
        (vec![&rounds[0], &rounds[1], &rounds[2], &rounds[2]], "has 264 games, and the match is over after 260"),
    ] {
        write(&lines);

        let message = refusal(&SHORT, folder.path());

        assert!(message.contains("match.json.part") && message.contains(words), "{message}");
        assert!(message.contains("remove the file to play the match anew"), "{message}");
    }
    write(&[&rounds[0]]);
    report(&SHORT, folder.path());
    assert!(read(folder.path().join("match.json")) == whole, "a sound journal is taken up");
}

#[test]
fn a_place_that_cannot_be_written_is_refused_before_anything_is_played() {
    let folder = folder();
    fs::create_dir(folder.path().join("taken")).expect("made");
    // So long that a test that plays it would not end.
    let long = ["ab-12", "ab-12", "--games", "1000000"];
    for option in ["--out", "--pdn", "--save-openings"] {
        for (place, words) in [
            ("nodir/x", "cannot write nodir/x: No such file or directory (os error 2); make the folder nodir"),
            ("taken", "cannot write taken: it exists and is not a regular file; give the path of a file"),
            ("/dev/full", "cannot write /dev/full: it is a device; give the path of a file"),
        ] {
            let message = refusal(&[&long[..], &[option, place]].concat(), folder.path());
            assert!(message.contains(option) && message.contains(words), "{message}");
        }
    }
    let output = damma(&["fit", "--preset", "damma8", "--games", "1000000", "--out", "/dev/full"], folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("cannot write /dev/full: it is a device"), "{}", text(&output.stderr));
    let output = damma(&["quality", "--make-suite", "nodir/x.txt", "--count", "100000"], folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("make the folder nodir"), "{}", text(&output.stderr));
}

#[test]
fn one_file_for_two_outputs_is_refused() {
    let folder = folder();
    let twice = |more: &[&str]| {
        let message = refusal(&[&["random", "ab-1", "--games", "2"], more].concat(), folder.path());
        assert!(message.contains("both name the same file"), "{message}");
        message
    };
    assert!(twice(&["--out", "m", "--pdn", "./m"]).contains("--out and --pdn"));
    assert!(twice(&["--out", "m", "--pdn", "m.part"]).contains("the journal of --out and --pdn"));
    assert!(twice(&["--save-openings", "m", "--pdn", "m"]).contains("--pdn and --save-openings"));
    fs::write(folder.path().join("m.pdn"), "1. 9-13 *").expect("written");
    assert!(twice(&["--openings", "m.pdn", "--pdn", "m.pdn"]).contains("--pdn and --openings"));
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn the_report_is_printed_whatever_happens_to_the_pdn() {
    let folder = folder();
    // The folder goes while the match is played: its program removes it.
    fs::create_dir(folder.path().join("gone")).expect("made");
    let script = "rmdir gone 2> /dev/null\nwhile read -r line; do case \"$line\" in ugi) echo ugiok;; isready) echo \
                  readyok;; quit) exit;; go*) exit;; esac; done\n";
    fs::write(folder.path().join("program"), script).expect("written");
    let output = damma(
        &["match", "engine:sh program", "random", "--games", "2", "--pdn", "gone/m.pdn", "--out", "m.json"],
        folder.path(),
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stdout).contains("crash of"), "{}", text(&output.stdout));
    let said = text(&output.stderr);
    assert!(said.contains("the games are in m.json") && said.contains("make the folder gone"), "{said}");
}
