//! The rules part of the command, seen from outside: its answers, its refusals, its examples.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use assert_cmd::Command;
use serde_json::Value;

use crate::support::{DAMMA, answer, refusal};

const SUBCOMMANDS: [&str; 4] = ["perft", "moves", "show", "rules"];

fn damma(arguments: &[&str]) -> Command {
    let mut command = Command::new(DAMMA);
    command.args(arguments);
    command
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
}

#[test]
fn perft_of_english_draughts_is_the_published_one() {
    let lines = json_lines(&answer(&mut damma(&["perft", "--depth", "6", "--json"])));
    let counts: Vec<u64> = lines.iter().map(|line| line["count"].as_u64().expect("a count")).collect();
    assert_eq!(counts, [7, 49, 302, 1469, 7361, 36768]);
    let text = answer(&mut damma(&["perft", "--preset", "zamma", "--depth", "4", "--actions", "--set", "chain=none"]));
    let counts: Vec<&str> = text.lines().skip(1).filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(counts, ["3", "7", "28", "162"]);
}

#[test]
fn perft_divides_by_complete_first_turns_and_by_first_actions() {
    let position = ["--position", "8/8/3b4/8/3b4/2w5/8/8 w"];
    let divide = |more: &[&str]| {
        let lines =
            damma(&["perft", "--depth", "1", "--divide", "--json"]).args(position).args(more).assert().success();
        let lines = json_lines(std::str::from_utf8(&lines.get_output().stdout).expect("text"));
        lines[0]["divide"].clone()
    };
    assert_eq!(divide(&[]), serde_json::json!({"c3xe5xc7": 1}));
    assert_eq!(divide(&["--actions"]), serde_json::json!({"c3xe5": 1}));
    let text = answer(&mut damma(&["perft", "--depth", "3", "--divide"]));
    let shares: u64 =
        text.lines().skip(5).map(|line| line.split_whitespace().nth(1).expect("a share")).map(number).sum();
    assert_eq!(shares, 302);
}

fn number(text: &str) -> u64 {
    text.parse().expect("a number")
}

/// Leaves out the last field: the counters are off in the tables.
fn without_counters(actions: &Value) -> BTreeMap<String, String> {
    let actions = actions.as_object().expect("actions");
    let cut = |after: &Value| after.as_str().and_then(|text| text.rsplit_once(' ')).expect("six fields").0.to_owned();
    actions.iter().map(|(action, after)| (action.clone(), cut(after))).collect()
}

#[test]
fn moves_agrees_with_every_conformance_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/conformance");
    let mut tables = 0;
    for entry in std::fs::read_dir(folder).expect("the tables are there") {
        let path = entry.expect("readable").path();
        if path.ends_with("perft.jsonl") {
            continue;
        }
        let rows = json_lines(&std::fs::read_to_string(&path).expect("readable"));
        let mut command = damma(&["moves", "--json", "--preset", rows[0]["preset"].as_str().expect("a preset")]);
        for (key, value) in rows[0]["overrides"].as_object().expect("overrides") {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            command.args(["--set", &format!("{key}={value}")]);
        }
        let answers = json_lines(&answer(command.arg(&path)));
        assert_eq!(answers.len() + 1, rows.len(), "{}", path.display());
        for (answer, row) in answers.iter().zip(&rows[1..]) {
            assert_eq!(answer["position"], row["position"]);
            assert_eq!(answer["winner"], row["winner"], "{}", row["position"]);
            assert_eq!(without_counters(&answer["actions"]), without_counters(&row["actions"]), "{}", row["position"]);
        }
        tables += 1;
    }
    assert_eq!(tables, 17);
}

#[test]
fn moves_reads_text_and_json_and_skips_what_is_no_position() {
    let input = "# a comment\n\n{\"preset\": \"damma8\"}\r\n  8/8/3b4/8/3b4/2w5/8/8 w  \n\
                 {\"position\": \"8/8/8/8/8/2w5/8/8 b\", \"note\": [1]}";
    let rows = json_lines(&answer(damma(&["moves", "--turns", "-"]).write_stdin(input)));
    assert_eq!(
        rows,
        [
            serde_json::json!({
                "position": "8/8/3b4/8/3b4/2w5/8/8 w - - - 0", "winner": null,
                "turns": {"c3xe5xc7": "8/2w5/8/8/8/8/8/8 b - - - 0"},
            }),
            serde_json::json!({"position": "8/8/8/8/8/2w5/8/8 b - - - 0", "winner": "w", "turns": {}}),
        ]
    );
}

#[test]
fn moves_names_the_line_that_is_no_position() {
    let ask = |input: &'static str| refusal(damma(&["moves", "--limit", "6", "--turns"]).write_stdin(input));
    assert!(ask("\n8/8 w").contains("standard input, line 2: position `8/8 w`: field 1 (board): 2 ranks"));
    assert!(ask("{\"position\": 5}").contains("line 1: not a JSON object with a position: invalid type"));
    assert!(ask("{\"x\": 5}").contains("line 1: the JSON object has no key `position`"));
    let start = "1b1b1b1b/b1b1b1b1/1b1b1b1b/8/8/w1w1w1w1/1w1w1w1w/w1w1w1w1 b";
    assert!(ask(start).contains("line 1: raise --limit: more than 6 turns"));
    let bytes = refusal(damma(&["moves"]).write_stdin(vec![0xff, b'\n']));
    assert!(bytes.contains("line 1: not UTF-8"));
}

#[test]
fn show_draws_the_lines_the_pieces_and_the_marks() {
    let position = "4w/5/2b2/1w3/5 w b2 - - 0";
    let text = answer(&mut damma(&["show", "--preset", "khreibga", "--set", "king=none", position]));
    let board = [
        " 5  ┌───┬───┬───┬───○",
        "    │ ╲ │ ╱ │ ╲ │ ╱ │",
        " 4  ├───┼───┼───┼───┤",
        "    │ ╱ │ ╲ │ ╱ │ ╲ │",
        " 3  ├───┼───●───┼───┤",
        "    │ ╲ │ ╱ │ ╲ │ ╱ │",
        " 2  ├──[○]──┼───┼───┤",
        "    │ ╱ │ ╲ │ ╱ │ ╲ │",
        " 1  └───┴───┴───┴───┘",
        "    a   b   c   d   e",
    ];
    assert!(text.starts_with(&board.join("\n")), "{text}");
    for line in ["[ ] goes on capturing: b2", "White to decide", "position: 4w/5/2b2/1w3/5 w b2 - - 0", "  b2xd4"] {
        assert!(text.lines().any(|found| found == line), "{line} in {text}");
    }
}

#[test]
fn show_draws_dark_squares_and_turns_the_board() {
    let text = answer(&mut damma(&["show", "--flip", "7B/8/8/8/8/8/8/W7 w"]));
    let board: Vec<&str> = text.lines().take(9).collect();
    assert_eq!(board[0], " 1    ░░░   ░░░   ░░░   ░♔░");
    assert_eq!(board[7], " 8 ░♚░   ░░░   ░░░   ░░░");
    assert_eq!(board[8], "    h  g  f  e  d  c  b  a");
    assert!(!text.contains('\x1b'), "no colour where stdout is no terminal");
}

#[test]
fn show_tells_programs_what_it_tells_people() {
    let lines = json_lines(&answer(&mut damma(&["show", "--json", "8/8/8/8/3b4/2w5/8/8 w"])));
    let expected = serde_json::json!({
        "position": "8/8/8/8/3b4/2w5/8/8 w - - - 0", "side": "w", "winner": null, "legal": ["c3xe5"],
    });
    assert_eq!(lines, [expected]);
    let over = answer(&mut damma(&["show", "8/8/8/8/8/2w5/8/8 b"]));
    assert!(over.contains("White has won: Black has no piece left"), "{over}");
}

#[test]
fn show_writes_one_picture_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["show", "--preset", "zamma", "--svg", "board.svg"];
    assert_eq!(answer(damma(&arguments).current_dir(&folder)), "");
    let svg = std::fs::read_to_string(folder.path().join("board.svg")).expect("written");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("<title id=\"title\">Draughts position, White to decide</title>"));
    assert_eq!(svg.matches("<title>White man on ").count(), 40);
    assert_eq!(std::fs::read_dir(&folder).expect("readable").count(), 1);
    assert_eq!(answer(&mut damma(&["show", "--preset", "zamma", "--svg", "-"])), svg);
}

#[test]
fn show_leaves_nothing_behind_when_the_picture_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, reason) in
        [("missing/board.svg", "No such file"), (".", "not a regular file"), ("/dev/stdout", "device")]
    {
        let message = refusal(damma(&["show", "--svg", path]).current_dir(&folder));
        assert!(message.contains(&format!("cannot write {path}: ")) && message.contains(reason), "{message}");
    }
    let message = refusal(damma(&["show", "xx", "--svg", "board.svg"]).current_dir(&folder));
    assert!(message.contains("position `xx`: a position has 2 to 6 fields"), "{message}");
    assert_eq!(std::fs::read_dir(&folder).expect("readable").count(), 0);
}

#[test]
fn rules_lists_presets_and_options_and_shows_one_ruleset() {
    let all = answer(&mut damma(&["rules"]));
    let json: Value = serde_json::from_str(&answer(&mut damma(&["rules", "--json"]))).expect("JSON");
    for name in ["presets", "options"].iter().flat_map(|list| json[list].as_array().expect("a list")) {
        assert!(all.contains(name["name"].as_str().expect("a name")), "{name} in {all}");
    }
    assert_eq!(
        (json["presets"].as_array().map(Vec::len), json["options"].as_array().map(Vec::len)),
        (Some(7), Some(18))
    );
    let zamma = answer(&mut damma(&["rules", "zamma"]));
    assert!(zamma.starts_with("zamma: Zamma after Monod"), "{zamma}");
    assert!(zamma.lines().any(|line| line.starts_with(" capture ") && line.contains(" huff ")), "{zamma}");
}

#[test]
fn a_ruleset_written_as_toml_is_read_back_and_takes_options_on_top() {
    let folder = tempfile::tempdir().expect("a folder");
    let written = answer(&mut damma(&["rules", "zamma", "--set", "capture=forced", "--toml"]));
    std::fs::write(folder.path().join("my.toml"), &written).expect("written");
    let read = answer(damma(&["rules", "--rules", "my.toml", "--toml"]).current_dir(&folder));
    assert_eq!(read, written);
    let json = answer(
        damma(&["rules", "--rules", "my.toml", "--set", "size=7", "--set", "home_rows=3", "--json"])
            .current_dir(&folder),
    );
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["size"], &json["capture"], &json["lines"]), (&7.into(), &"forced".into(), &"alquerque".into()));
}

#[test]
fn rules_that_are_wrong_are_refused_with_the_nearest_name() {
    let cases: [(&[&str], &str); 6] = [
        (&["--preset", "zmma"], "unknown preset `zmma` (did you mean `zamma`?)"),
        (&["--set", "captur=huff"], "unknown option `captur` (did you mean `capture`?)"),
        (&["--set", "capture=never"], "`never` is no value of `capture`; it takes forced, huff"),
        (&["--set", "capture"], "`capture` is not of the form option=value"),
        (&["--set", "home_rows=5"], "impossible ruleset: home_rows = 5"),
        (&["--rules", "missing.toml"], "cannot read missing.toml; give the path of a rules file in TOML: No such file"),
    ];
    for (arguments, reason) in cases {
        for subcommand in [&["perft", "--depth", "1"][..], &["moves"], &["show"], &["rules"]] {
            let message = refusal(damma(subcommand).args(arguments));
            assert!(message.contains(reason), "{message}");
        }
    }
}

#[test]
fn a_rules_file_that_is_wrong_is_refused_with_file_line_and_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let ask = |text: &str| {
        std::fs::write(folder.path().join("my.toml"), text).expect("written");
        refusal(damma(&["show", "--rules", "my.toml"]).current_dir(&folder))
    };
    let message = ask("preset = \"zamma\"\n\ncaptur = \"forced\"\n");
    for part in ["rules file my.toml: ", "line 3, column 1", "unknown option `captur` (did you mean `capture`?)"] {
        assert!(message.contains(part), "{message}");
    }
    let message = ask("preset = \"zamma\"\ncapture = \"never\"\n");
    assert!(message.contains("line 2, column 11") && message.contains("`forced` or `huff`"), "{message}");
    assert!(ask("size = 9\n").contains("rules file my.toml: option `home_rows` is missing"));
    assert!(ask("preset = \"zmma\"\n").contains("rules file my.toml: unknown preset `zmma`"));
}

#[test]
fn files_and_positions_that_are_wrong_are_refused() {
    assert!(refusal(&mut damma(&["moves", "missing.txt"])).contains("cannot read missing.txt: No such file"));
    assert!(refusal(&mut damma(&["moves", "/"])).contains("cannot read /: Is a directory"));
    let message = refusal(&mut damma(&["perft", "--depth", "2", "--position", "8/8/8/8/8/8/8/1w6 w"]));
    assert!(message.contains("position `8/8/8/8/8/8/8/1w6 w`: field 1 (board): a piece on b1"), "{message}");
    for arguments in
        [&["perft"][..], &["perft", "--depth", "0"], &["rules", "zamma", "--preset", "srand"], &["nothing"]]
    {
        refusal(&mut damma(arguments));
    }
}

#[test]
fn a_closed_pipe_ends_the_command_quietly() {
    let mut command = std::process::Command::new(DAMMA);
    command.arg("moves").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    drop(child.stdout.take());
    child.stdin.take().expect("a pipe").write_all(b"8/8/8/8/3b4/2w5/8/8 w\n").expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn every_example_of_the_help_works_as_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let others = std::env::var("PATH").expect("a path");
    let path = format!("{}:{others}", Path::new(DAMMA).parent().expect("a folder").display());
    for subcommand in SUBCOMMANDS {
        let help = answer(&mut damma(&[subcommand, "--help"]));
        let (_, examples) = help.split_once("Examples:\n").expect("the help has examples");
        assert!(examples.lines().count() >= 2);
        for example in examples.lines() {
            let mut shell = Command::new("sh");
            shell.args(["-c", example]).env("PATH", &path).current_dir(&folder).assert().success().stderr("");
        }
    }
}
