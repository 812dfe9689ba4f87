use std::path::Path;

use super::*;

const TEXT: &str = "\
output = \"runs/a\"

[rules]
preset = \"kharberg\"

[network]
kind = \"mlp\"
hidden = 32

[search]
c_puct = 1.5

[run]
iterations = 3
";

fn read(text: &str, sets: &[&str]) -> Result<TrainConfig, ConfigError> {
    let sets: Vec<Override> = sets.iter().map(|set| Override::parse(set).expect("an override")).collect();
    TrainConfig::parse(Path::new("a.toml"), text, &sets)
}

/// Writes an error as the command does: with its causes.
fn message(error: &ConfigError) -> String {
    let cause = std::error::Error::source(error).map_or_else(String::new, |cause| format!(": {cause}"));
    format!("{error}{cause}")
}

fn mistake(text: &str, sets: &[&str]) -> String {
    message(&read(text, sets).expect_err("refused"))
}

#[test]
fn a_mistake_in_the_file_is_named_by_its_line() {
    for (from, to, message) in [
        (
            "c_puct = 1.5",
            "c_puct = 11",
            "a.toml:11: search.c_puct = 11 is not allowed: give a number, above 0, up to 10",
        ),
        ("c_puct = 1.5", "c_puct = inf", "a.toml:11: search.c_puct = not a finite number is not allowed"),
        ("c_puct = 1.5", "c_puct = \"x\"", "a.toml:11: search.c_puct = \"x\" is not allowed"),
        ("c_puct = 1.5", "c_put = 1", "a.toml:11: unknown key `search.c_put` (did you mean `search.c_puct`?)"),
        ("[search]", "[serch]", "a.toml:10: unknown key `serch` (did you mean `search`?)"),
        ("kind = \"mlp\"\n", "", "a.toml:6: network.kind is missing"),
        ("kind = \"mlp\"", "kind = \"tower\"", "a.toml:8: network.hidden is of kind \"mlp\""),
        ("iterations = 3", "iterations = 0", "a.toml:13: the run has no end"),
        ("iterations = 3", "iterations = = 3", "a.toml:14: "),
        (
            "[run]",
            "[selfplay]\nearlier_share = 0.6\nendgame_share = 0.5\n[run]",
            "a.toml:15: selfplay.earlier_share and selfplay.endgame_share are more than 1 together",
        ),
        ("output = \"runs/a\"", "", "a.toml: output is missing"),
        ("output", "learner.ema = 2\noutput", "a.toml:1: learner.ema = 2"),
        ("\"kharberg\"", "\"kharberg\"\npriority = \"maximum\"", "a.toml:3: [rules]: impossible ruleset"),
        ("\"kharberg\"", "\"kharberg\"\nno_progress_limit = 70000", "a.toml:5: invalid value: integer `70000`"),
        ("[rules]\npreset = \"kharberg\"", "", "a.toml:1: missing field `rules`"),
    ] {
        let found = mistake(&TEXT.replacen(from, to, 1), &[]);
        assert!(found.starts_with(message), "{found}\nis not\n{message}");
    }
}

#[test]
fn a_mistake_on_top_of_the_file_is_named_by_its_argument() {
    for (set, message) in [
        ("search.c_puct=11", "--set search.c_puct=11: search.c_puct = 11 is not allowed"),
        ("serch.c_puct=1", "--set serch.c_puct=1: unknown key `serch` (did you mean `search`?)"),
        ("c_puct=1", "--set c_puct=1: unknown key `c_puct` (did you mean `search.c_puct`?)"),
        ("rules.capture=force", "--set rules.capture=force: rules.capture = \"force\" is not allowed: give one of"),
        ("rules.priority=maximum", "--set rules.priority=maximum: [rules]: impossible ruleset"),
        ("learner.final_learning_rate=0.1", "--set learner.final_learning_rate=0.1: learner.final_learning_rate = 0.1"),
        ("network.kind=tower", "a.toml:8: network.hidden is of kind \"mlp\""),
        (
            "rules.no_progress_limit=70000",
            "--set rules.no_progress_limit=70000: rules.no_progress_limit: invalid value",
        ),
        ("run.iterations=0", "--set run.iterations=0: the run has no end"),
        ("learner.turns_left_weight=0.1", "--set learner.turns_left_weight=0.1: learner.turns_left_weight teaches"),
        ("output.x=1", "--set output.x=1: output = {\"x\":1} is not allowed: give a text"),
    ] {
        let found = mistake(TEXT, &[set]);
        assert!(found.starts_with(message), "{found}\nis not\n{message}");
    }
}

#[test]
fn overrides_are_applied_in_their_order() {
    let config = read(TEXT, &["search.c_puct=2", "search.c_puct=2.5", "learner.ema=0", "rules.capture=forced"]);
    let config = config.expect("a config");
    assert!((config.search.c_puct - 2.5).abs() < 1e-6 && config.learner.ema == 0.0);
    assert_eq!(config.ruleset().expect("rules").capture, damma_env::Capture::Forced);
    let config = read(TEXT, &["network={kind=\"tower\", channels=16}", "seed=7", "output=runs/b"]).expect("a config");
    assert_eq!(config.network, NetworkConfig::Tower { channels: 16, blocks: 5, turns_left: false });
    assert_eq!((config.seed, config.output.as_path()), (7, Path::new("runs/b")));
}

#[test]
fn a_config_without_a_file_is_checked_too() {
    let mut config = read(TEXT, &[]).expect("a config");
    config.samples.per_position = f64::NAN;
    let text = message(&config.check().expect_err("refused"));
    assert!(text.starts_with("config: samples.per_position = not a finite number"), "{text}");
}

#[test]
fn a_section_is_checked_alone() {
    let text = |result: Result<(), SettingError>| result.expect_err("refused").to_string();
    let search = SearchConfig { c_puct: 0.0, ..SearchConfig::default() };
    assert_eq!(text(search.validate()), "search.c_puct = 0.0 is not allowed: give a number, above 0, up to 10");
    let learner = LearnerConfig { learning_rate: 1e-6, ..LearnerConfig::default() };
    assert!(text(learner.validate()).contains("0 to learning_rate, which is 0.000001"));
    let network = NetworkConfig::Tower { channels: 4, blocks: 5, turns_left: false };
    assert_eq!(text(network.validate()), "network.channels = 4 is not allowed: give a whole number, 8 to 1024");
}
