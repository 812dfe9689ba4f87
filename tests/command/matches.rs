//! Matches with openings, engines and series, seen from outside.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use damma_env::{Game, Ruleset, State};
use serde_json::Value;

use crate::support::matched::{folder, refusal, report};
use crate::support::{DAMMA, damma, text};

fn json(path: PathBuf) -> Value {
    serde_json::from_slice(&fs::read(path).expect("readable")).expect("JSON")
}

/// Has a conversation with `damma engine` and gives its lines.
fn converse(arguments: &[&str], said: &str) -> Vec<String> {
    let mut child = Command::new(DAMMA)
        .arg("engine")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("damma runs");
    child.stdin.take().expect("a pipe").write_all(said.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    text(&output.stdout).lines().map(str::to_owned).collect()
}

/// Writes a program that speaks the protocol and does `go` as told.
fn engine(folder: &Path, name: &str, go: &str) -> String {
    let path = folder.join(name);
    let script = format!(
        "echo $$ >> {name}.pids\nwhile read -r line; do case \"$line\" in\n\
         ugi) echo ugiok;; isready) echo readyok;; go*) {go};; quit) exit;; esac; done\n"
    );
    fs::write(&path, script).expect("written");
    format!("engine:sh {name}")
}

#[test]
fn an_engine_at_a_level_plays_the_games_that_the_level_plays() {
    let folder = folder();
    let positions = "5/1b1b1/2b2/1w1w1/w1w1w w\nbbbbb/bbbbb/bb1ww/wwwww/wwwww w moves b2-c3\n";
    fs::write(folder.path().join("positions.txt"), positions).expect("written");
    let engine = format!("engine:'{DAMMA}' engine --level ab-2");
    let games = |player: &str, other: &str, out: &str| {
        let terms = ["--preset", "khreibga", "--openings", "positions.txt", "--out", out];
        report(&[&[player, other], &terms[..]].concat(), folder.path());
        json(folder.path().join(out))["games"].clone()
    };
    let expected = games("ab-2", "ab-1", "inside.json");
    assert_eq!(expected.as_array().map(Vec::len), Some(4));
    assert_eq!(games(&engine, "ab-1", "engine.json"), expected);
    assert_eq!(games(&engine, &format!("engine:'{DAMMA}' engine --level ab-1"), "engines.json"), expected);
}

#[test]
fn an_engine_of_another_game_is_told_which_game_is_played() {
    let folder = folder();
    let player = format!("mine={DAMMA} engine --preset damma8 --level ab-1");
    let arguments = ["mine", "random", "--engine", &player, "--preset", "zamma", "--set", "capture=forced"];
    let limits = ["--games", "4", "--depth", "2", "--concurrency", "4", "--pdn", "games.pdn"];
    let report = report(&[&arguments[..], &limits[..]].concat(), folder.path());
    assert_eq!((&report["a"], &report["total"]["wins"]), (&"mine".into(), &4.into()), "{report}");
    let pdn = fs::read_to_string(folder.path().join("games.pdn")).expect("written");
    assert!(pdn.contains("[%eval ") && pdn.contains("[%nodes ") && pdn.contains("[%emt 0:00:"), "{pdn}");
    assert!(damma(&["replay", "games.pdn"], folder.path()).status.success());
}

#[test]
fn an_engine_that_fails_loses_the_game_with_the_cause_named_and_the_match_goes_on() {
    let folder = folder();
    for (name, go, cause) in [
        ("crasher", "exit 3", "crash"),
        ("cheat", "echo bestmove a1-a5", "illegal_move"),
        ("mute", "echo bestmove", "illegal_move"),
        ("sleeper", ":", "timeout"),
    ] {
        let player = engine(folder.path(), name, go);
        let (out, pdn) = (format!("{name}.json"), format!("{name}.pdn"));
        let terms = ["--preset", "khreibga", "--games", "4", "--patience", "1", "--out", &out, "--pdn", &pdn];
        let report = report(&[&["random", &player], &terms[..]].concat(), folder.path());
        assert_eq!(report["total"]["wins"], 4, "{report}");
        assert_eq!(report["causes"][format!("{cause} of {player}")], 4, "{report}");
        let result = json(folder.path().join(&out));
        assert!(result["games"][0]["note"].as_str().is_some_and(|note| note.starts_with("it ")), "{result}");
        assert!(
            fs::read_to_string(folder.path().join(&pdn))
                .expect("written")
                .contains(&format!("[Termination \"{cause}\"]"))
        );
        assert!(damma(&["replay", &pdn], folder.path()).status.success());
    }
}

#[test]
fn no_engine_outlives_the_match_even_if_it_does_not_want_to_quit() {
    let folder = folder();
    let player = engine(folder.path(), "stubborn", "while :; do read -r line; done");
    report(&["random", &player, "--preset", "khreibga", "--games", "2", "--patience", "1"], folder.path());
    let pids = fs::read_to_string(folder.path().join("stubborn.pids")).expect("written");
    assert!(pids.lines().count() >= 2);
    for pid in pids.lines() {
        let alive = Command::new("sh").args(["-c", &format!("kill -0 {pid}")]).stderr(Stdio::null()).status();
        assert!(!alive.expect("sh runs").success(), "{pid} still runs");
    }
}

#[test]
fn what_is_no_engine_is_refused_at_the_start() {
    let folder = folder();
    let message = |arguments: &[&str]| refusal(arguments, folder.path());
    assert!(message(&["random", "engine:./no-such-program"]).contains("`./no-such-program` cannot be started"));
    assert!(message(&["random", "engine:true"]).contains("give a program that speaks UGI"));
    assert!(message(&["random", "engine:'open"]).contains("quotes"));
    assert!(message(&["mine", "random", "--engine", "mine"]).contains("NAME=COMMAND"));
    assert!(message(&["ab-2", "random", "--engine", "ab-2=true"]).contains("ab-2 is a player already"));
    assert!(message(&["mine", "random", "--engine", "mine=a", "--engine", "mine=b"]).contains("mine is given twice"));
    assert!(message(&["ab-2", "random", "--engine", "mine=true"]).contains("neither player is mine"));
    assert!(message(&["ab-1", "random", "--time", "100"]).contains("neither player is one"));
    assert!(message(&["ab-1", "engine:true", "--concurrency", "3"]).contains("even"));
    let other_game = format!("engine:{DAMMA} engine --checkpoint nowhere");
    assert!(message(&["ab-1", &other_game]).contains("it ended"));
}

#[test]
fn an_engine_answers_every_command_of_the_protocol() {
    let lines = converse(
        &[],
        "nonsense\nugi\nisready\nquery gameover\nquery p1turn\nquery result\n\
        position startpos moves d6-e5\nquery p1turn\ngo nodes 100\nposition fen 8/8/8/8/8/2b5/1w6/8 w\nstop\ngo\n",
    );
    let begins = |begin: &str| lines.iter().filter(|line| line.starts_with(begin)).collect::<Vec<_>>();
    assert!(lines[0].starts_with("id name Damma") && begins("option name Preset type combo").len() == 1);
    assert_eq!((begins("ugiok").len(), begins("readyok").len(), begins("info string").len()), (1, 1, 0));
    assert_eq!(begins("response"), ["response false", "response true", "response none", "response false"]);
    let game = Game::new(Ruleset::preset("damma8").expect("a preset")).expect("a game");
    let mut state = State::new(&game);
    let first = game.parse_action(state.position(), "d6-e5").expect("legal");
    state.play(&game, first);
    let best: Vec<&str> = begins("bestmove").iter().map(|line| &line["bestmove ".len()..]).collect();
    assert!(best.len() == 2 && game.parse_turn(state.position(), best[0]).is_ok(), "{lines:?}");
    assert_eq!(best[1], "b2xd4");
}

#[test]
fn an_engine_changes_its_game_and_says_what_it_cannot_do() {
    let lines = converse(
        &["--level", "ab-1"],
        "setoption name Preset value khreibga\n\
        setoption name Set value first=black no_progress_limit=8\nquery p1turn\nposition fen 5/5/5/1b3/w4 w\ngo\n\
        setoption name Preset value nonsense\nsetoption name Level value ab-99\nposition startpos moves a1-a9\n\
        position fen 5/5 w\nposition startpos\ngo infinite\nstop\nposition fen 5/5/5/5/w4 b\ngo\nquery result\n",
    );
    let errors = lines.iter().filter(|line| line.starts_with("info string error: ")).count();
    assert_eq!(errors, 4, "{lines:?}");
    let unknown = converse(&[], "setoption name Set value capture=maybe\ngo depth 1\n");
    assert!(unknown[0].starts_with("info string error: ") && unknown[1] == "bestmove none", "{unknown:?}");
    let best: Vec<_> = lines.iter().filter(|line| line.starts_with("bestmove")).collect();
    assert_eq!((best.len(), best[0].as_str(), best[2].as_str()), (3, "bestmove a1xc3", "bestmove none"), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("response p2win"));
}

#[test]
fn an_engine_says_with_which_rules_it_begins_and_answers_a_forced_turn_at_once() {
    let lines = converse(
        &["--preset", "khreibga", "--set", "first=black"],
        "ugi\nsetoption name Set value none\nquery p1turn\nsetoption name Set value first=black\n\
        position fen 5/5/5/1b3/w4 w\ngo movetime 600000\n",
    );
    assert!(lines.iter().any(|line| line.starts_with("option name Preset type combo default khreibga ")), "{lines:?}");
    assert!(lines.iter().any(|line| line == "option name Set type string default first=black"), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove a1xc3"), "{lines:?}");
}

#[test]
fn an_engine_answers_when_the_time_for_the_turn_is_over() {
    let mut child = Command::new(DAMMA)
        .args(["engine", "--preset", "damma"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("damma runs");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let begun = Instant::now();
    input.write_all(b"position startpos\ngo depth 32 movetime 300\n").expect("it reads");
    let best = output.find(|line| line.as_ref().is_ok_and(|line| line.starts_with("bestmove ")));
    assert!(best.is_some() && begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn numbers_out_of_range_and_a_test_of_a_player_against_itself_are_refused() {
    let folder = folder();
    let message = |arguments: &[&str]| refusal(arguments, folder.path());
    assert!(message(&["ab-1", "random", "--games", "1000002"]).contains("give at most 1000000"));
    assert!(message(&["ab-1", "random", "--series", "--games", "0"]).contains("outside 1 to 1000000"));
    for patience in ["0", "86401", "18446744073709551615"] {
        assert!(message(&["ab-1", "engine:true", "--patience", patience]).contains("seconds from 1 to 86400"));
    }
    assert!(message(&["ab-1", "engine:true", "--time", "18446744073709551615"]).contains("a day"));
    assert!(message(&["ab-2", "ab-2", "--sprt", "0,20"]).contains("--sprt of ab-2 against itself"));
}

#[test]
fn what_the_baseline_thinks_is_kept_and_written_as_pdn() {
    let folder = folder();
    let terms = ["--preset", "khreibga", "--games", "2", "--out", "m.json", "--thoughts", "--pdn", "m.pdn"];
    report(&[&["ab-2", "random"], &terms[..]].concat(), folder.path());
    let pdn = fs::read_to_string(folder.path().join("m.pdn")).expect("written");
    assert!(pdn.contains("[%eval ") && pdn.contains("[%nodes "), "{pdn}");
    let thoughts = json(folder.path().join("m.json"))["games"][0]["thoughts"].clone();
    assert!(thoughts[0]["opinion"]["hundredths"].is_number() && thoughts[0]["nodes"].is_number(), "{thoughts}");
}

#[test]
fn a_network_plays_by_time_and_as_an_engine() {
    let folder = folder();
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/smoke.toml");
    assert!(damma(&["train", config, "--output", "run"], folder.path()).status.success());
    let engine = format!("engine:'{DAMMA}' engine --checkpoint run");
    let terms = ["--games", "2", "--time", "20", "--out", "match.json", "--thoughts", "--pdn", "match.pdn"];
    let report = report(&[&["mcts:run@5ms", &engine], &terms[..]].concat(), folder.path());
    let causes: Vec<&String> = report["causes"].as_object().expect("causes").keys().collect();
    assert!(causes.iter().all(|cause| !cause.contains(" of ")), "{causes:?}");
    let result = json(folder.path().join("match.json"));
    let thoughts = result["games"][0]["thoughts"].as_array().expect("thoughts");
    assert!(thoughts.iter().any(|thought| thought["milliseconds"].as_u64() >= Some(5)), "{thoughts:?}");
    assert!(thoughts.iter().any(|thought| thought["opinion"]["expected"].is_number()), "{thoughts:?}");
    assert!(damma(&["replay", "match.pdn"], folder.path()).status.success());
}

#[test]
fn openings_that_were_saved_give_the_same_match() {
    let folder = folder();
    let first = report(&["ab-1", "random", "--games", "12", "--save-openings", "openings.txt"], folder.path());
    let second = report(&["ab-1", "random", "--openings", "openings.txt"], folder.path());
    assert_eq!(first, second);
    assert_eq!(fs::read_to_string(folder.path().join("openings.txt")).expect("written").lines().count(), 6);
}

#[test]
fn openings_that_cannot_be_used_are_refused_with_file_and_line() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    write("bad.txt", "# ballots\n9-13 21-17\n9-18\n");
    write("over.txt", "8/8/8/8/8/2b5/8/8 w\n");
    write("none.txt", "# nothing\n");
    write("two.txt", "9-13\n9-14\n");
    write("bad.pdn", "1. 9-13 *\n1. 9-18 *\n");
    let message = |arguments: &[&str]| refusal(&[&["ab-1", "random", "--openings"], arguments].concat(), folder.path());
    let bad = message(&["bad.txt"]);
    assert!(bad.contains("openings file bad.txt: line 3: turn 1, `9-18`: not legal here"), "{bad}");
    assert!(message(&["bad.pdn"]).contains("openings file bad.pdn: line 2: "));
    assert!(message(&["over.txt"]).contains("line 1: the game is over"));
    assert!(message(&["none.txt"]).contains("has no opening"));
    assert!(message(&["two.txt", "--games", "6"]).contains("2 openings, which make 4 games"));
    assert!(message(&["two.txt", "--series"]).contains("a series has one start"));
    assert!(message(&["missing.txt"]).contains("cannot read missing.txt; give the path of a file of openings"));
    assert!(message(&["ballots", "--preset", "zamma"]).contains("English draughts"));
    write("over.pdn", "[FEN \"B:W22:BK17\"]\n1. 17x26 1-0\n");
    write("none.pdn", "");
    assert!(message(&["over.pdn"]).contains("cut every game to its first moves"));
    assert!(message(&["none.pdn"]).contains("none.pdn has no game"));
    assert!(message(&["/dev/zero"]).contains("cannot read /dev/zero; give the path of a file of openings"));
    fs::write(folder.path().join("latin.txt"), b"9-13\n9-14 # Andr\xe9\n").expect("written");
    assert!(message(&["latin.txt"]).contains("latin.txt, line 2: not UTF-8"));
    // What editors put first, and old PDN, do no harm.
    write("mark.txt", "\u{feff}9-13\n");
    fs::write(folder.path().join("latin.pdn"), b"{Andr\xe9} 1. 9-13 *\n").expect("written");
    for source in ["mark.txt", "latin.pdn"] {
        assert!(report(&["random", "ab-1", "--openings", source], folder.path())["total"]["losses"].is_u64());
    }
}

#[test]
fn in_a_series_the_winner_has_white_in_the_next_game() {
    let folder = folder();
    let arguments = ["random", "ab-1", "--series", "--games", "9", "--preset", "kharberg", "--out", "series.json"];
    let report = report(&[&arguments[..], &["--pdn", "series.pdn"]].concat(), folder.path());
    assert_eq!((&report["series"], &report["elo"]), (&Value::Bool(true), &Value::Null));
    let games = json(folder.path().join("series.json"))["games"].as_array().expect("games").clone();
    assert_eq!((games.len(), &games[0]["white"]), (9, &"a".into()));
    let mut changes = 0;
    for pair in games.windows(2) {
        let black_won = pair[0]["ending"]["over"]["win"]["winner"] == "black";
        assert_eq!(pair[0]["white"] != pair[1]["white"], black_won, "{pair:?}");
        changes += usize::from(black_won);
    }
    assert!(changes > 0, "no game was won by Black");
    assert!(damma(&["replay", "series.pdn"], folder.path()).status.success());
    let table = damma(&["match", "random", "ab-1", "--series", "--games", "1"], folder.path());
    assert!(text(&table.stdout).contains("the winner has White in the next game"));
}
