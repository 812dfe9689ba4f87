//! Training never loses work and depends on nothing but config and seed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::support::{HERE, damma, text};

fn train(output: &Path, threads: usize, iterations: u64) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_damma"));
    command
        .args(["train", "configs/smoke.toml", "--no-elo"])
        .args(["--threads", &threads.to_string(), "--iterations", &iterations.to_string()])
        .arg("--output")
        .arg(output)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn succeed(mut command: Command) -> String {
    let output = command.output().expect("damma runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    text
}

fn fail(mut command: Command) -> String {
    let output = command.output().expect("damma runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    text
}

fn checkpoint(run: &Path, iteration: u64) -> PathBuf {
    run.join(format!("checkpoints/{iteration:06}"))
}

/// Asserts that two runs have the same weights, optimiser and games after an iteration.
fn assert_same(one: &Path, other: &Path, iteration: u64) {
    for name in ["model.safetensors", "learner.safetensors"] {
        let read = |run: &Path| fs::read(checkpoint(run, iteration).join(name)).expect("the checkpoint is there");
        assert!(read(one) == read(other), "{name} differs after iteration {iteration}");
    }
    for number in 1..=iteration {
        let read = |run: &Path| fs::read(run.join(format!("games/{number:06}.games"))).ok();
        if let (Some(one), Some(other)) = (read(one), read(other)) {
            assert!(one == other, "the games of iteration {number} differ");
        }
    }
}

/// Learning beside self-play, and after it.
const OVERLAP: [&str; 2] = ["run.overlap=true", "run.overlap=false"];

/// All that may be otherwise in learning, at once.
const OPTIONS: [&str; 7] = [
    "learner.optimiser=sgd",
    "learner.learning_rate=0.02",
    "learner.turns_left_weight=0.1",
    "network.turns_left=true",
    "samples.repeated=average",
    "samples.surprise=0.5",
    "run.overlap=true",
];

/// Puts settings on top of a run's config.
fn set(command: &mut Command, settings: &[&str]) {
    for setting in settings {
        command.args(["--set", setting]);
    }
}

/// Gives a count that a checkpoint records.
fn recorded(run: &Path, iteration: u64, count: &str) -> u64 {
    let state = fs::read(checkpoint(run, iteration).join("state.json")).expect("the checkpoint is there");
    let state: serde_json::Value = serde_json::from_slice(&state).expect("JSON");
    state[count].as_u64().expect("a count")
}

/// Everything that lets games end or begin in another way, or be searched anew.
const VARIED: [&str; 9] = [
    "selfplay.resign_errors=0.3",
    "selfplay.resign_playthrough=0.5",
    "selfplay.earlier_share=0.3",
    "selfplay.endgame_share=0.3",
    "selfplay.endgame_until=0.8",
    "replay.reanalyse=0.3",
    "replay.positions=4000",
    "search.tables=tables",
    "run.checkpoint_every=2",
];

/// Makes endgame tables of two pieces in a folder `tables`.
fn solve(folder: &Path, preset: &str) {
    let solved = damma(&["solve", "--preset", preset, "--pieces", "2", "--out", "tables"], folder);
    assert!(solved.status.success(), "{}", text(&solved.stderr));
}

#[test]
fn varied_games_are_the_same_on_any_number_of_threads_and_after_kills() {
    const ITERATIONS: u64 = 16;
    let folder = TempDir::new().expect("a folder");
    solve(folder.path(), "kharberg");
    let config = Path::new(HERE).join("configs/smoke.toml");
    let run = |output: &str, threads: usize| {
        let mut command = train(Path::new(output), threads, ITERATIONS);
        command.current_dir(folder.path()).args(VARIED.iter().flat_map(|setting| ["--set", setting]));
        command
    };
    fs::create_dir(folder.path().join("configs")).expect("a folder");
    fs::copy(config, folder.path().join("configs/smoke.toml")).expect("copied");
    let said = succeed(run("whole", 1));
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    for killed_from in [2, 6, 10] {
        let mut child = run("parts", 2).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("damma runs");
        while !(killed_from..=ITERATIONS).any(|iteration| checkpoint(&parts, iteration).exists()) {
            assert!(child.try_wait().expect("the child is ours").is_none(), "the run goes on");
            std::thread::yield_now();
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it is gone");
    }
    succeed(run("parts", 2));
    assert_same(&whole, &parts, ITERATIONS);
    assert!(said.contains("% resigned below"), "{said}");
    assert_eq!(recorded(&whole, ITERATIONS, "games"), 32 * ITERATIONS, "games searched anew are none of those played");
    assert!(recorded(&whole, ITERATIONS, "reanalysed") > 2 * ITERATIONS);
}

#[test]
fn endgame_tables_must_be_there_and_of_the_game_also_when_a_run_goes_on() {
    let folder = TempDir::new().expect("a folder");
    solve(folder.path(), "kharberg");
    let run = folder.path().join("run");
    let with_tables = |iterations: u64| {
        let mut command = train(&run, 2, iterations);
        command.arg("--set").arg(format!("search.tables={}", folder.path().join("tables").display()));
        command
    };
    succeed(with_tables(1));
    fs::remove_dir_all(folder.path().join("tables")).expect("removed");
    let missing = fail(with_tables(2));
    assert!(missing.contains("configs/smoke.toml: search.tables") && missing.contains("damma solve"), "{missing}");
    solve(folder.path(), "khreibga");
    let other = fail(with_tables(2));
    assert!(other.contains("tables of other rules") && other.contains("king = "), "{other}");
    assert!(!checkpoint(&run, 2).exists());
}

#[test]
fn one_thread_and_two_play_the_same_games_and_learn_the_same_weights() {
    for settings in [&OVERLAP[..1], &OVERLAP[1..], &OPTIONS] {
        let folder = TempDir::new().expect("a folder");
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        for (run, threads) in [(&one, 1), (&two, 2)] {
            let mut command = train(run, threads, 3);
            set(&mut command, settings);
            succeed(command);
        }
        assert_same(&one, &two, 3);
        assert!(recorded(&one, 3, "steps") > 3, "{settings:?}: it learnt");
    }
}

#[test]
fn a_stopped_run_without_overlap_goes_on_to_the_same_end() {
    let folder = TempDir::new().expect("a folder");
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    let run = |output: &Path| {
        let mut command = train(output, 2, 12);
        set(&mut command, &OVERLAP[1..]);
        command
    };
    succeed(run(&whole));
    for wait in [60, 90, 120, 150] {
        let mut child = run(&parts).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("damma runs");
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().expect("it can be killed");
        child.wait().expect("it is gone");
    }
    succeed(run(&parts));
    assert_same(&whole, &parts, 12);
}

/// The smoke run is so narrow that the network's matrices are never split between threads.
#[test]
fn a_wide_network_learns_the_same_weights_on_one_thread_and_two() {
    let folder = TempDir::new().expect("a folder");
    let config = fs::read_to_string("configs/smoke.toml").expect("the config");
    let wide = config
        .replace("hidden = 32", "hidden = 320")
        .replace("lockstep = 8", "lockstep = 32")
        .replace("games = 32 ", "games = 128 ")
        .replace("iterations = 3", "iterations = 1\noverlap = false");
    let path = folder.path().join("wide.toml");
    fs::write(&path, wide).expect("written");
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    for (run, threads) in [(&one, "1"), (&two, "2")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_damma"));
        command.arg("train").arg(&path).args(["--no-elo", "--threads", threads, "--output"]).arg(run);
        succeed(command);
    }
    assert_same(&one, &two, 1);
    assert!(recorded(&one, 1, "steps") > 3, "it learnt");
}

#[test]
fn the_batch_that_was_measured_when_a_run_began_is_kept_when_it_goes_on() {
    let folder = TempDir::new().expect("a folder");
    let (run, fixed) = (folder.path().join("run"), folder.path().join("fixed"));
    let start = |run: &Path, lockstep: u64, iterations| {
        let mut command = train(run, 2, iterations);
        command.args(["--set", &format!("selfplay.lockstep={lockstep}")]);
        succeed(command)
    };
    let text = start(&run, 0, 1);
    assert!(text.contains("batch  positions/s\n   16  ") && text.contains("\n 1024  "), "{text}");
    let found = recorded(&run, 0, "lockstep");
    assert!(found.is_power_of_two() && (16..=1024).contains(&found), "{found}");
    assert!(text.contains(&format!("selfplay.lockstep is {found} in this run")), "{text}");

    // Another choice than a measurement could make shows that none is made.
    let path = checkpoint(&run, 1).join("state.json");
    let state = fs::read_to_string(&path).expect("the state");
    let other = state.replace(&format!("\"lockstep\": {found},"), "\"lockstep\": 3,");
    assert_ne!(state, other);
    fs::write(&path, other).expect("written");
    let text = start(&run, 0, 2);
    assert!(!text.contains("positions/s\n"), "{text}");
    assert_eq!(recorded(&run, 2, "lockstep"), 3);

    start(&fixed, 3, 1);
    start(&fixed, 3, 2);
    assert_eq!(recorded(&fixed, 2, "lockstep"), 0, "nothing was measured");
    assert_same(&run, &fixed, 2);
}

#[test]
fn a_run_that_has_ended_is_left_as_it_is() {
    let folder = TempDir::new().expect("a folder");
    let run = folder.path().join("run");
    succeed(train(&run, 2, 2));
    let state = fs::read(checkpoint(&run, 2).join("state.json")).expect("the state");
    let text = succeed(train(&run, 2, 2));
    assert!(text.contains("going on after iteration 2"), "{text}");
    assert_eq!(fs::read(checkpoint(&run, 2).join("state.json")).expect("the state"), state);
}

#[test]
fn a_run_killed_at_any_moment_goes_on_from_its_last_checkpoint_to_the_same_end() {
    kill_and_go_on(&[]);
}

#[test]
fn a_killed_run_with_every_option_of_learning_goes_on_to_the_same_end() {
    kill_and_go_on(&OPTIONS);
}

/// Asserts that a run killed again and again ends as one that never was.
fn kill_and_go_on(settings: &[&str]) {
    const ITERATIONS: u64 = 60;
    let folder = TempDir::new().expect("a folder");
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    let run = |output: &Path| {
        let mut command = train(output, 2, ITERATIONS);
        set(&mut command, settings);
        command
    };
    succeed(run(&whole));
    let mut kills = 0;
    for attempt in 0..400_u64 {
        let mut child = run(&killed).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("damma runs");
        // Longer with every attempt, so that a slow machine comes to the end too.
        let until = Instant::now() + Duration::from_millis(40 + attempt * 37 % 160 + attempt * 2);
        let ended = loop {
            match child.try_wait().expect("the child is ours") {
                Some(status) => break Some(status),
                None if Instant::now() >= until => break None,
                None => std::thread::yield_now(),
            }
        };
        if let Some(status) = ended {
            assert!(status.success(), "a run that goes on ends well");
            break;
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it is gone");
        kills += 1;
    }
    assert!(kills >= 20, "the run was killed only {kills} times before its end");
    assert_same(&whole, &killed, ITERATIONS);
}

/// Runs a script in a mount namespace of its own, in which `disk` is a file system of so many KiB; `None` where
/// the system allows no such thing.
fn on_small_disk(disk: &Path, kibibytes: u32, script: &str) -> Option<std::process::Output> {
    let mount = format!("mount -t tmpfs -o size={kibibytes}k tmpfs {}", disk.display());
    let run = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c", script]).current_dir(env!("CARGO_MANIFEST_DIR"));
        command.output().ok()
    };
    run(&mount)?.status.success().then(|| run(&format!("{mount} && {script}")).expect("it ran just now"))
}

#[test]
fn a_full_disk_costs_no_more_than_the_work_since_the_last_checkpoint() {
    const ITERATIONS: u64 = 40;
    let folder = TempDir::new().expect("a folder");
    let (whole, disk, saved) = (folder.path().join("whole"), folder.path().join("disk"), folder.path().join("saved"));
    fs::create_dir(&disk).expect("a folder");
    let damma = env!("CARGO_BIN_EXE_damma");
    let run = disk.join("run");
    let script = format!(
        "({damma} train configs/smoke.toml --no-elo --iterations {ITERATIONS} --output {run}; echo rc $?; cp -a {run} {saved})",
        run = run.display(),
        saved = saved.display()
    );
    let Some(output) = on_small_disk(&disk, 700, &script) else {
        eprintln!("not tried: this system gives no small disk");
        return;
    };
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(out.contains("rc 2"), "{out}{err}");
    assert!(err.contains("No space left on device") && err.contains("has space"), "{err}");
    let kept = fs::read_dir(saved.join("checkpoints")).expect("checkpoints are there").count();
    assert!(kept >= 1, "checkpoints stand");

    succeed(train(&saved, 2, ITERATIONS));
    succeed(train(&whole, 2, ITERATIONS));
    assert_same(&whole, &saved, ITERATIONS);
}

#[test]
fn a_damaged_checkpoint_is_named_and_nothing_is_written() {
    let folder = TempDir::new().expect("a folder");
    let run = folder.path().join("run");
    succeed(train(&run, 2, 1));
    let model = checkpoint(&run, 1).join("model.safetensors");
    let bytes = fs::read(&model).expect("the model");
    fs::write(&model, &bytes[..bytes.len() / 2]).expect("cut short");
    let text = fail(train(&run, 2, 2));
    assert!(text.contains("model.safetensors") && text.contains("damaged"), "{text}");
    assert!(!checkpoint(&run, 2).exists());
    fs::remove_dir_all(checkpoint(&run, 1)).expect("removed");
    let text = succeed(train(&run, 2, 1));
    assert!(text.contains("going on after iteration 0"), "{text}");
    fs::remove_file(checkpoint(&run, 1).join("state.json")).expect("removed");
    let text = fail(train(&run, 2, 2));
    assert!(text.contains("state.json is damaged: the file is missing"), "{text}");
    fs::remove_dir_all(run.join("checkpoints")).expect("removed");
    let text = fail(train(&run, 2, 2));
    assert!(text.contains("holds games of a run"), "{text}");
}

#[test]
fn a_run_of_another_game_or_network_is_not_taken_up() {
    let folder = TempDir::new().expect("a folder");
    let run = folder.path().join("run");
    succeed(train(&run, 2, 1));
    let config = fs::read_to_string("configs/smoke.toml").expect("the config");
    for (from, to, word) in [
        ("hidden = 32", "hidden = 40", "network"),
        ("\"kharberg\"", "\"khreibga\"", "another game"),
        ("[learner]", "[learner]\noptimiser = \"sgd\"", "another optimiser (adamw, and the config has sgd)"),
    ] {
        let path = folder.path().join("other.toml");
        fs::write(&path, config.replace(from, to)).expect("written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_damma"));
        command.arg("train").arg(&path).arg("--output").arg(&run);
        let text = fail(command);
        assert!(text.contains(word), "{text}");
    }
    assert!(!checkpoint(&run, 2).exists());
}

#[test]
fn a_mistake_in_a_config_is_named_by_file_line_and_key() {
    let folder = TempDir::new().expect("a folder");
    let config = fs::read_to_string("configs/smoke.toml").expect("the config");
    for (from, to, words) in [
        ("simulations = 16", "simulation = 16", [":26: unknown key", "did you mean `selfplay.simulations`"]),
        ("hidden = 32", "hiden = 32", ["unknown key `network.hiden`", "did you mean `network.hidden`"]),
        ("simulations = 16", "simulations = 0", ["selfplay.simulations", "1 to 60000"]),
        ("preset = \"kharberg\"", "preset = \"kharberg\"\npriority = \"maximum\"", ["impossible ruleset", "capture"]),
        ("iterations = 3", "iterations = 0", ["no end", "run.minutes"]),
    ] {
        assert!(config.contains(from), "{from}");
        let path = folder.path().join("wrong.toml");
        fs::write(&path, config.replacen(from, to, 1)).expect("written");
        let output = folder.path().join("run");
        let mut command = Command::new(env!("CARGO_BIN_EXE_damma"));
        command.arg("train").arg(&path).arg("--output").arg(&output);
        let text = fail(command);
        assert!(text.contains("wrong.toml"), "{text}");
        for word in words {
            assert!(text.contains(word), "`{word}` is not in: {text}");
        }
        assert!(!output.exists(), "nothing is written");
    }
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let folder = TempDir::new().expect("a folder");
    let run = folder.path().join("run");
    let mut first = train(&run, 1, 1_000_000);
    let mut first = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("damma runs");
    while !run.join("checkpoints/000001").exists() {
        assert!(first.try_wait().expect("the child is ours").is_none(), "the first run goes on");
        std::thread::yield_now();
    }
    let text = fail(train(&run, 1, 2));
    first.kill().expect("it can be killed");
    first.wait().expect("it is gone");
    assert!(text.contains("in use"), "{text}");
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "in the way").expect("written");
    let text = fail(train(&file.join("run"), 1, 1));
    assert!(text.contains("file"), "{text}");
    assert_eq!(fs::read_to_string(&file).expect("still there"), "in the way");
    // A device that is always full.
    let full = fail(train(Path::new("/dev/full"), 1, 1));
    assert!(full.contains("/dev/full"), "{full}");
}
