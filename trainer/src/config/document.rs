//! A config as it was written: the text of a file, and what the command line puts on top of it.
//!
//! It knows where each key was given, so that a message can name the place to mend.

use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::{ConfigError, Override, TrainConfig};
use crate::keys;

pub(super) struct Document<'a> {
    pub(super) path: &'a Path,
    pub(super) text: &'a str,
    pub(super) overrides: &'a [Override],
}

impl Document<'_> {
    /// Reads the config; unknown keys, other types and single values out of range are refused.
    pub(super) fn read(&self) -> Result<TrainConfig, ConfigError> {
        let mut table: toml::Table = self.text.parse().map_err(|error| self.parse_error(&error))?;
        for change in self.overrides {
            change.apply(&mut table);
        }
        // JSON has no number that is not finite; none is in any range.
        let plain = serde_json::to_value(&table).expect("TOML is plain data");
        let plain = plain.as_object().expect("a table is an object");
        keys::check(plain).map_err(|source| ConfigError::Setting { place: self.place(source.key()), source })?;
        // What is left are numbers that their types cannot hold, and a missing table.
        table.try_into().map_err(|error: toml::de::Error| match toml::from_str::<TrainConfig>(self.text) {
            Err(in_file) if self.overrides.is_empty() => self.parse_error(&in_file),
            _ => self.parse_error(&error),
        })
    }

    /// Names the place where a key was given: an argument, a line of the file, or else the file.
    pub(super) fn place(&self, key: &str) -> String {
        let section = key.split('.').next().unwrap_or(key);
        let set = |wanted: &dyn Fn(&Override) -> bool| self.overrides.iter().rfind(|change| wanted(change));
        let whole_section = key == section;
        if let Some(change) = set(&|change| change.sets(key) || (whole_section && change.is_in(section))) {
            return change.given.clone();
        }
        self.at(self.offset(key))
    }

    fn at(&self, offset: Option<usize>) -> String {
        let path = self.path.display();
        match offset.and_then(|offset| self.text.get(..offset)) {
            Some(before) => format!("{path}:{}", before.matches('\n').count() + 1),
            None => path.to_string(),
        }
    }

    /// Finds the byte at which a key stands, or the table that lacks it.
    fn offset(&self, key: &str) -> Option<usize> {
        let document = DeTable::parse(self.text).ok()?;
        let mut table = document.get_ref();
        let mut offset = None;
        for name in key.split('.') {
            let Some((found, value)) = table.iter().find(|(found, _)| found.get_ref() == name) else { break };
            offset = Some(found.span().start);
            let DeValue::Table(inner) = value.get_ref() else { break };
            table = inner;
        }
        offset
    }

    fn parse_error(&self, error: &toml::de::Error) -> ConfigError {
        let message = error.message().to_owned();
        if let Some(span) = error.span() {
            return ConfigError::Parse { place: self.at(Some(span.start)), message };
        }
        // It is about the file with its arguments: the text ends with "in `section.key`".
        let text = error.to_string();
        let key = text.trim_end().rsplit_once("in `").map(|(_, key)| key.trim_end_matches('`'));
        match key {
            Some(key) => ConfigError::Parse { place: self.place(key), message: format!("{key}: {message}") },
            None => ConfigError::Parse { place: self.at(None), message },
        }
    }
}
