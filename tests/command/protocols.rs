//! What `docs/protocol.md` promises of `damma engine`: conversations with the program itself.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use damma_env::PdnReader;

use crate::support::matched;

/// The time in which an engine answers `stop`.
const PROMPT: Duration = Duration::from_millis(50);

/// An engine that is talked to.
struct Engine {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Engine {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_damma"));
        command.arg("engine").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.current_dir(env!("CARGO_MANIFEST_DIR")).spawn().expect("the program starts");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        Self { child, lines }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().expect("piped"), "{line}").expect("the engine listens");
    }

    fn hear(&mut self) -> String {
        self.lines.next().expect("the engine says more").expect("text")
    }

    /// Waits for a line that begins so.
    fn wait_for(&mut self, begin: &str) -> String {
        loop {
            let line = self.hear();
            if line.starts_with(begin) {
                return line;
            }
        }
    }
}

/// Masks what differs from run to run.
fn masked(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    if let Some(place) = words.iter().position(|word| *word == "time") {
        words[place + 1] = "MS";
    }
    words.join(" ")
}

#[test]
fn a_recorded_conversation_about_a_9x9_game_goes_as_it_went() {
    let recorded = include_str!("../data/conversations/zamma.txt");
    let mut engine = Engine::start(&["--preset", "zamma", "--level", "ab-2"]);
    for line in recorded.lines() {
        match line.split_at(2) {
            ("> ", command) => engine.say(command),
            (_, answer) => assert_eq!(masked(&engine.hear()), answer),
        }
    }
    assert!(engine.child.wait().expect("it ends").success());
}

#[test]
fn a_long_search_stops_at_once_in_both_protocols() {
    let network: &[&str] = &["--checkpoint", "models/zamma"];
    for (arguments, begin, go, done) in [
        (&["--preset", "zamma"] as &[&str], "ugi", "go infinite", "bestmove"),
        (network, "ugi", "go infinite", "bestmove"),
        (&["--preset", "zamma"], "hub", "go analyze", "done"),
        (network, "hub", "go ponder", "done"),
    ] {
        let mut engine = Engine::start(arguments);
        engine.say(begin);
        engine.say(go);
        engine.wait_for("info");
        // The best of three: other work on the machine is not the engine's fault.
        let mut fastest = Duration::MAX;
        for _ in 0..3 {
            let asked = Instant::now();
            engine.say("stop");
            engine.wait_for(done);
            fastest = fastest.min(asked.elapsed());
            engine.say(go);
            engine.wait_for("info");
        }
        engine.say("quit");
        assert!(fastest < PROMPT, "{arguments:?} {begin}: {fastest:?}");
        assert!(engine.child.wait().expect("it ends").success());
    }
}

#[test]
fn a_shipped_bot_plays_a_match_against_a_program_to_the_end_with_pdn() {
    let folder = matched::folder();
    let program = format!("engine:{} engine --level ab-1", env!("CARGO_BIN_EXE_damma"));
    let bot = format!("mcts:{}/models/zamma@16", env!("CARGO_MANIFEST_DIR"));
    let report = matched::report(&[&bot, &program, "--games", "2", "--pdn", "match.pdn"], folder.path());
    let count = |result: &str| report["total"][result].as_u64().expect("a count");
    assert_eq!(count("wins") + count("draws") + count("losses"), 2, "{report}");
    let pdn = std::fs::read_to_string(folder.path().join("match.pdn")).expect("it was written");
    assert_eq!(PdnReader::new(&pdn).flatten().count(), 2, "{pdn}");
}
