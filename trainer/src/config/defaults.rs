//! The defaults of the keys, as the `Default` impls of the settings give them.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::TrainConfig;
use crate::keys::{self, Key};
use crate::network::NetworkConfig;

/// Gives the default of a key as JSON; `None` where it has none: it must be given, or is a rule.
#[must_use]
pub fn default_of(key: &Key) -> Option<Value> {
    static DEFAULTS: LazyLock<Value> = LazyLock::new(|| keys::plain(&default_config()));
    if key.is_required() && key.section.is_empty() {
        return None;
    }
    if key.of.is_empty() { value_of(&DEFAULTS, key) } else { keys::plain(&network(key.of)).get(key.name).cloned() }
}

/// Gives the value of a key in a config that [`keys::plain`] wrote.
#[must_use]
pub fn value_of(config: &Value, key: &Key) -> Option<Value> {
    let table = if key.section.is_empty() { config } else { config.get(key.section)? };
    let is_of = key.of.is_empty() || table.get("kind").and_then(Value::as_str) == Some(key.of);
    if is_of { table.get(key.name).cloned() } else { None }
}

/// Gives a network of a kind with its defaults.
fn network(kind: &str) -> NetworkConfig {
    serde_json::from_value(json!({"kind": kind})).expect("every kind in the table of keys has defaults")
}

/// Gives a config of nothing but defaults; it names no folder and no game.
fn default_config() -> TrainConfig {
    serde_json::from_value(json!({"output": "", "rules": {}})).expect("everything else has defaults")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::keys::{Kind, SECTIONS};

    /// Lists `section.key` of every leaf that a config serialises to.
    fn leaves(config: &Value) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for (name, value) in config.as_object().expect("a table") {
            match value.as_object() {
                Some(table) => found.extend(table.keys().map(|key| format!("{name}.{key}"))),
                None => drop(found.insert(name.clone())),
            }
        }
        found
    }

    fn kinds() -> Vec<&'static str> {
        match keys::find("network.kind").next().expect("the key is there").kind {
            Kind::Choice(words) => words.split(", ").collect(),
            other => panic!("{other:?} is no choice"),
        }
    }

    #[test]
    fn the_table_has_every_key_of_every_kind_of_network_and_no_other() {
        for kind in kinds() {
            let config = keys::plain(&TrainConfig { network: network(kind), ..default_config() });
            let table: BTreeSet<String> = keys::all()
                .iter()
                .filter(|key| key.section != "rules" && (key.of.is_empty() || key.of == kind))
                .map(Key::path)
                .collect();
            assert_eq!(leaves(&config), table, "kind {kind}");
        }
    }

    #[test]
    fn the_table_has_every_kind_of_network() {
        let error = serde_json::from_value::<NetworkConfig>(json!({"kind": "?"})).expect_err("no kind").to_string();
        let known: Vec<&str> = error.split('`').skip(3).step_by(2).collect();
        assert_eq!(known, kinds(), "{error}");
        assert!(keys::all().iter().all(|key| key.of.is_empty() || kinds().contains(&key.of)));
    }

    #[test]
    fn the_table_has_every_option_of_the_rules_and_every_section() {
        let config = keys::plain(&default_config());
        let sections: BTreeSet<&str> = SECTIONS.iter().map(|section| section.name).collect();
        let tables = config.as_object().expect("a table").iter().filter(|(_, value)| value.is_object());
        assert_eq!(tables.map(|(name, _)| name.as_str()).chain([""]).collect::<BTreeSet<_>>(), sections);
        let ruleset = damma_env::Ruleset::preset("zamma").expect("a preset");
        let options = keys::plain(&ruleset);
        let mut options: BTreeSet<&str> = options.as_object().expect("a table").keys().map(String::as_str).collect();
        options.insert("preset");
        let rules = keys::all().iter().filter(|key| key.section == "rules").map(|key| key.name);
        assert_eq!(rules.collect::<BTreeSet<_>>(), options);
    }

    #[test]
    fn every_default_is_in_its_range_and_only_what_must_be_given_has_none() {
        for key in keys::all() {
            match default_of(key) {
                Some(value) => assert!(key.kind.admits(&value), "{} = {value}", key.path()),
                None => assert!(key.is_required() || key.section == "rules", "{}", key.path()),
            }
        }
    }

    #[test]
    fn every_key_says_what_it_means_and_costs_in_one_line() {
        for key in keys::all() {
            assert!(!key.meaning.is_empty() && !key.effect.is_empty(), "{}", key.path());
            assert!(!format!("{}{}{}", key.meaning, key.unit, key.effect).contains(['\n', '|']), "{}", key.path());
        }
    }
}
