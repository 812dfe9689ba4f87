//! Every key of a training config as data: what it takes, what it means, what it costs.
//!
//! Settings are checked against this table, and the config's reference and schema are written from
//! it. It is below everything that has settings and knows none of their types: it sees them as the
//! JSON that they serialise to.

mod error;
mod kind;
mod table;

use std::sync::LazyLock;

use damma_env::{OPTIONS, PRESETS, Ruleset, closest};
use serde::Serialize;
use serde_json::{Map, Value};

pub use error::SettingError;
pub use kind::Kind;
pub use table::SECTIONS;

/// A table of the config.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Its name; empty for the file itself.
    pub name: &'static str,
    /// What its keys are about.
    pub meaning: &'static str,
}

/// One key of a config.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The table that it stands in; empty for the file itself.
    pub section: &'static str,
    /// The `kind` of its section that has it; empty where all have it.
    pub of: &'static str,
    /// Its name in the section.
    pub name: &'static str,
    /// Type and range.
    pub kind: Kind,
    /// What a number counts or measures; empty where it is a bare factor, or no number.
    pub unit: &'static str,
    /// What it means, in one line.
    pub meaning: &'static str,
    /// What a change does to time and memory.
    pub effect: &'static str,
}

impl Key {
    /// Gives the key with its section, as in `search.c_puct`.
    #[must_use]
    pub fn path(&self) -> String {
        join(self.section, self.name)
    }

    /// Says whether it has no default.
    #[must_use]
    pub fn is_required(&self) -> bool {
        table::REQUIRED.contains(&self.path().as_str())
    }

    fn check(&self, value: &Value) -> Result<(), SettingError> {
        self.kind.check(&self.path(), value)
    }
}

/// Gives every key, section by section, those of the rules among them.
#[must_use]
pub fn all() -> &'static [Key] {
    static ALL: LazyLock<Vec<Key>> = LazyLock::new(|| {
        let of = |section: &'static str| table::KEYS.iter().copied().filter(move |key| key.section == section);
        let (file, others) = SECTIONS.split_first().expect("the file's own section comes first");
        let others = others.iter().flat_map(|section| of(section.name));
        of(file.name).chain(rules()).chain(others).collect()
    });
    &ALL
}

/// Gives the keys with a name such as `search.c_puct`: one, or one for each kind that has it.
pub fn find(path: &str) -> impl Iterator<Item = &'static Key> {
    all().iter().filter(move |key| key.path() == path)
}

/// Gives the known key nearest to a wrong one, with its section.
#[must_use]
pub fn nearest_key(wrong: &str) -> Option<String> {
    let (section, name) = wrong.split_once('.').unwrap_or(("", wrong));
    if let Some(same) = all().iter().find(|key| key.name == name) {
        return Some(same.path());
    }
    let in_section = all().iter().filter(|key| key.section == section && !section.is_empty()).map(|key| key.name);
    if let Some(near) = closest(name, in_section) {
        return Some(join(section, near));
    }
    let sections = SECTIONS.iter().map(|section| section.name);
    let near = closest(name, all().iter().map(|key| key.name).chain(sections))?;
    Some(all().iter().find(|key| key.name == near).map_or_else(|| near.to_owned(), Key::path))
}

/// Checks the settings of one section.
///
/// # Errors
/// The first that is out of range.
pub fn check_section(section: &str, settings: &impl Serialize) -> Result<(), SettingError> {
    let settings = plain(settings);
    check_table(section, settings.as_object().expect("the settings of a section are a table"))
}

/// Checks a whole config, or as much of it as is there.
///
/// # Errors
/// The first key that is unknown, missing where its section is there, or out of range.
pub fn check(config: &Map<String, Value>) -> Result<(), SettingError> {
    let is_section = |name: &str| SECTIONS.iter().any(|section| section.name == name);
    let (sections, own): (Map<_, _>, Map<_, _>) =
        config.iter().map(|(name, value)| (name.clone(), value.clone())).partition(|(name, _)| is_section(name));
    check_table("", &own)?;
    for (section, value) in &sections {
        let table = value.as_object().ok_or_else(|| SettingError::Range {
            key: section.clone(),
            value: value.to_string(),
            range: format!("a table of keys, as in [{section}]"),
        })?;
        check_table(section, table)?;
    }
    Ok(())
}

/// Gives settings as JSON in which an `f32` has as few digits as name it: 0.1 and not 0.10000000149.
#[must_use]
pub fn plain(settings: &impl Serialize) -> Value {
    let text = serde_json::to_string(settings).expect("settings are plain data");
    serde_json::from_str(&text).expect("JSON that was just written")
}

fn check_table(section: &str, table: &Map<String, Value>) -> Result<(), SettingError> {
    let keys = || all().iter().filter(|key| key.section == section);
    for key in keys().filter(|key| key.is_required()) {
        let missing = || SettingError::Missing { key: key.path(), range: key.kind.to_string() };
        key.check(table.get(key.name).ok_or_else(missing)?)?;
    }
    let kind = table.get("kind").and_then(Value::as_str).unwrap_or_default();
    for (name, value) in table {
        let mut named = keys().filter(|key| key.name == name);
        let first = named.clone().next().ok_or_else(|| SettingError::Unknown { key: join(section, name) })?;
        let key = named.find(|key| key.of.is_empty() || key.of == kind).ok_or_else(|| SettingError::OtherKind {
            key: first.path(),
            of: first.of.to_owned(),
            kind: kind.to_owned(),
        })?;
        key.check(value)?;
        check_order(key, value, table)?;
    }
    Ok(())
}

/// Checks that a value does not exceed the key that limits it.
fn check_order(key: &Key, value: &Value, table: &Map<String, Value>) -> Result<(), SettingError> {
    let Kind::Real { at_most: Some(limit), .. } = key.kind else { return Ok(()) };
    match (value.as_f64(), table.get(limit).and_then(Value::as_f64)) {
        (Some(number), Some(most)) if number > most => Err(SettingError::Range {
            key: key.path(),
            value: value.to_string(),
            range: format!("{}, which is {most}", key.kind),
        }),
        _ => Ok(()),
    }
}

/// Makes keys of the options of a ruleset, whose types a preset shows.
fn rules() -> impl Iterator<Item = Key> {
    let names: Vec<_> = PRESETS.iter().map(|preset| preset.name).collect();
    let example = plain(&Ruleset::preset(names[0]).expect("the first preset is there"));
    let key = |name, kind, meaning| Key { section: "rules", of: "", name, kind, unit: "", meaning, effect: "none" };
    let preset = key("preset", Kind::Choice(names.join(", ").leak()), "the preset that the other options differ from");
    let options = OPTIONS.iter().map(move |option| {
        let kind = match &example[option.name] {
            Value::Bool(_) => Kind::Bool,
            Value::Number(_) => whole(option.values),
            _ => Kind::Choice(option.values),
        };
        key(option.name, kind, option.meaning.trim().trim_end_matches('.'))
    });
    std::iter::once(preset).chain(options)
}

/// Reads the ends of `4 to 10`; what is no number is no limit.
fn whole(values: &str) -> Kind {
    let (min, max) = values.split_once(" to ").unwrap_or((values, ""));
    Kind::Integer { min: min.parse().unwrap_or(0), max: max.parse().ok(), even: false }
}

fn join(section: &str, name: &str) -> String {
    if section.is_empty() { name.to_owned() } else { format!("{section}.{name}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn error(config: &Value) -> String {
        check(config.as_object().expect("a table")).expect_err("refused").to_string()
    }

    #[test]
    fn a_misspelt_key_is_told_the_nearest_one() {
        for (wrong, near) in [
            ("selfplay.simulation", "selfplay.simulations"),
            ("c_puct", "search.c_puct"),
            ("serch.c_puct", "search.c_puct"),
            ("learner.lerning_rate", "learner.learning_rate"),
            ("lerning_rate", "learner.learning_rate"),
            ("rules.captur", "rules.capture"),
            ("ouput", "output"),
            ("serch", "search"),
        ] {
            assert_eq!(nearest_key(wrong).as_deref(), Some(near), "{wrong}");
        }
        assert_eq!(nearest_key("xyzzy"), None);
    }

    #[test]
    fn the_first_wrong_key_is_named_with_its_section() {
        let with = |section: &str, settings: Value| error(&json!({"output": "a", section: settings}));
        assert!(error(&json!({})).starts_with("output is missing: give a text"));
        assert!(with("sed", json!(1)).starts_with("unknown key `sed` (did you mean `seed`?)"));
        assert!(with("search", json!(5)).starts_with("search = 5 is not allowed: give a table"));
        assert!(with("network", json!({"hidden": 8})).starts_with("network.kind is missing: give one of \"mlp\""));
        assert!(
            with("network", json!({"kind": "tower", "hidden": 8})).contains("of kind \"mlp\" and not of \"tower\"")
        );
        assert!(with("rules", json!({"capture": "force"})).contains("one of \"forced\", \"huff\""));
        let rates = with("learner", json!({"learning_rate": 0.1, "final_learning_rate": 0.2}));
        assert!(rates.contains("learner.final_learning_rate = 0.2") && rates.contains("which is 0.1"), "{rates}");
    }

    #[test]
    fn rules_have_the_ranges_of_their_options() {
        let kind = |path: &str| find(path).next().expect("the key is there").kind;
        assert_eq!(kind("rules.size"), Kind::whole(4, 10));
        assert_eq!(kind("rules.lone_kings_draw"), Kind::Bool);
        assert_eq!(kind("rules.capture"), Kind::Choice("forced, huff"));
        assert!(kind("rules.preset").admits(&json!("zamma")));
    }
}
