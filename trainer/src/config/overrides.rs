//! Settings from the command line, which are put on top of a config's file.

use toml::Value;

use super::ConfigError;
use crate::keys::{self, Kind};

/// A key, its value, and how the command line wrote them.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    pub(super) key: String,
    pub(super) value: Value,
    pub(super) given: String,
}

impl Override {
    /// Reads `KEY=VALUE` of an argument `--set`: a key such as `search.c_puct`, or a whole table, and
    /// a value as TOML writes it. Words need no quotes.
    ///
    /// # Errors
    /// [`ConfigError::NotAnOverride`]; whether there is such a key is seen when it is applied.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let malformed = || ConfigError::NotAnOverride { text: text.to_owned() };
        let (key, value) = text.split_once('=').ok_or_else(malformed)?;
        let (key, value) = (key.trim(), value.trim());
        if key.split('.').count() > 2 || key.split('.').any(str::is_empty) {
            return Err(malformed());
        }
        Ok(Self { key: key.to_owned(), value: typed(key, value), given: format!("--set {text}") })
    }

    /// Makes one of another argument; `given` is that argument, as messages are to name it.
    #[must_use]
    pub fn of(key: &str, value: impl Into<Value>, given: String) -> Self {
        Self { key: key.to_owned(), value: value.into(), given }
    }

    /// Puts the value in its place.
    pub(super) fn apply(&self, table: &mut toml::Table) {
        let Some((section, name)) = self.key.split_once('.') else {
            table.insert(self.key.clone(), self.value.clone());
            return;
        };
        let section = table.entry(section).or_insert_with(|| Value::Table(toml::Table::new()));
        match section {
            Value::Table(section) => drop(section.insert(name.to_owned(), self.value.clone())),
            // The key is no section, which the checks say.
            other => *other = Value::Table(toml::Table::from_iter([(name.to_owned(), self.value.clone())])),
        }
    }

    /// Says whether it sets a key, alone or with the whole table.
    pub(super) fn sets(&self, key: &str) -> bool {
        self.key == key || key.strip_prefix(&self.key).is_some_and(|rest| rest.starts_with('.'))
    }

    /// Says whether it sets a key of a section, or the section.
    pub(super) fn is_in(&self, section: &str) -> bool {
        self.key.split('.').next() == Some(section)
    }
}

/// Reads a value as TOML; as a text where it is none, or where the key takes only texts.
fn typed(key: &str, text: &str) -> Value {
    let read = || -> Option<Value> {
        let mut table: toml::Table = format!("value = {text}").parse().ok()?;
        if table.len() == 1 { table.remove("value") } else { None }
    };
    let takes_text = keys::find(key).any(|key| matches!(key.kind, Kind::Text | Kind::Choice(_)));
    match read() {
        Some(value) if value.is_str() || !takes_text => value,
        _ => Value::String(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_toml_and_words_need_no_quotes() {
        for (text, key, value) in [
            ("search.c_puct=2", "search.c_puct", Value::Integer(2)),
            ("learner.ema = 0.9", "learner.ema", Value::Float(0.9)),
            ("network.kind=tower", "network.kind", Value::from("tower")),
            ("network.kind=\"tower\"", "network.kind", Value::from("tower")),
            ("output=2024", "output", Value::from("2024")),
            ("output=runs/a=b", "output", Value::from("runs/a=b")),
            ("samples.symmetry=false", "samples.symmetry", Value::Boolean(false)),
            ("evaluation.opponents=[\"random\"]", "evaluation.opponents", Value::Array(vec!["random".into()])),
            ("seed=1\noutput=2", "seed", Value::from("1\noutput=2")),
        ] {
            let read = Override::parse(text).expect("an override");
            assert_eq!((read.key.as_str(), &read.value), (key, &value));
        }
    }

    #[test]
    fn what_is_no_key_and_value_is_refused() {
        for text in ["search.c_puct", "=1", "a.b.c=1", "search.=1", ".c_puct=1"] {
            assert!(matches!(Override::parse(text), Err(ConfigError::NotAnOverride { .. })), "{text}");
        }
    }
}
