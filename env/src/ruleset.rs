//! A game as data: the options that tell the games of the family apart.
//!
//! A [`Ruleset`] comes from a preset, a TOML text and overrides on top of either, and is checked
//! once. It says what the rules are, never how to play by them: `geometry` compiles it.

mod options;
mod presets;

pub use options::{
    Capture, Chain, King, KingLanding, Lines, ManCaptures, ManSteps, Middle, OPTIONS, OptionDoc, Priority, Promotion,
    Removal, Ruleset, RulesetPatch,
};
pub use presets::{PRESETS, Preset};

use thiserror::Error;

/// Why a text, an override or a combination of options is no ruleset.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum RulesetError {
    /// The preset does not exist.
    #[error("unknown preset `{name}`{}; the presets are {}", nearest(.name, PRESETS.iter().map(|p| p.name)), preset_names())]
    UnknownPreset {
        /// What was asked for.
        name: String,
    },
    /// The option does not exist.
    #[error("unknown option `{key}`{}; `damma rules` lists the options", nearest(.key, OPTIONS.iter().map(|o| o.name)))]
    UnknownOption {
        /// What was asked for.
        key: String,
    },
    /// An override is not `option=value`.
    #[error("`{text}` is not of the form option=value")]
    NotAnOverride {
        /// What was given.
        text: String,
    },
    /// The option has no such value.
    #[error("`{value}` is no value of `{key}`; it takes {values}")]
    BadValue {
        /// The option.
        key: String,
        /// What was given.
        value: String,
        /// What it takes.
        values: &'static str,
    },
    /// The TOML text is not a ruleset.
    #[error("{0}")]
    Toml(String),
    /// The options do not make a playable game together.
    #[error("impossible ruleset: {0}")]
    Senseless(String),
}

/// Cuts what is quoted of a file with endless lines.
fn cut_lines(message: &str) -> String {
    message.lines().map(|line| format!("{line:.200}")).collect::<Vec<_>>().join("\n")
}

fn preset_names() -> String {
    PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ")
}

/// Writes ` (did you mean `x`?)` for the candidate nearest to `word`, or nothing if none is near.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    closest(word, candidates).map_or_else(String::new, |candidate| format!(" (did you mean `{candidate}`?)"))
}

/// Gives the candidate nearest to `word`, or `None` if none is near.
#[must_use]
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(word, candidate), candidate))
        .filter(|(score, _)| *score > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// Writes a line for each key of a TOML text that is no option but near to one.
fn misspelt_keys(text: &str) -> String {
    let known = || OPTIONS.iter().map(|option| option.name).chain(["preset"]);
    let table: toml::Table = text.parse().unwrap_or_default();
    let mut lines = String::new();
    for key in table.keys().filter(|key| !known().any(|name| name == key.as_str())) {
        let suggestion = nearest(key, known());
        if !suggestion.is_empty() {
            lines.push_str("\nunknown option `");
            lines.push_str(key);
            lines.push('`');
            lines.push_str(&suggestion);
        }
    }
    lines
}

impl Ruleset {
    /// Gives the ruleset of a preset.
    ///
    /// # Errors
    /// [`RulesetError::UnknownPreset`].
    ///
    /// ```
    /// let zamma = damma_env::Ruleset::preset("zamma")?;
    /// assert_eq!(zamma.size, 9);
    /// # Ok::<(), damma_env::RulesetError>(())
    /// ```
    pub fn preset(name: &str) -> Result<Self, RulesetError> {
        let preset = PRESETS
            .iter()
            .find(|preset| preset.name == name)
            .ok_or_else(|| RulesetError::UnknownPreset { name: name.to_owned() })?;
        Ok(toml::from_str(preset.toml).expect("the embedded presets are complete"))
    }

    /// Reads a ruleset from TOML: either every option, or `preset = "..."` and what differs.
    ///
    /// # Errors
    /// [`RulesetError::Toml`] with line and key, or any error of the checks.
    pub fn from_toml(text: &str) -> Result<Self, RulesetError> {
        let patch: RulesetPatch = toml::from_str(text).map_err(|error| {
            let error = cut_lines(&error.to_string());
            RulesetError::Toml(format!("{}{}", error.trim_end(), misspelt_keys(text)))
        })?;
        Self::from_patch(&patch)
    }

    /// Builds a ruleset from a partial one.
    ///
    /// # Errors
    /// An option is missing and no preset is named, or the options do not fit together.
    pub fn from_patch(patch: &RulesetPatch) -> Result<Self, RulesetError> {
        let base = patch.preset.as_deref().map(Self::preset).transpose()?;
        let ruleset = patch.complete(base.as_ref())?;
        ruleset.validate()?;
        Ok(ruleset)
    }

    /// Writes every option as TOML; [`Ruleset::from_toml`] reads it back.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a ruleset is plain data")
    }

    /// Gives the ruleset with each `option=value` put on top, in order, checked at the end.
    ///
    /// # Errors
    /// An override is malformed, names no option or no value of it, or the result is senseless.
    ///
    /// ```
    /// let forced = damma_env::Ruleset::preset("zamma")?.with_overrides(["capture=forced"])?;
    /// assert_eq!(forced.capture, damma_env::Capture::Forced);
    /// # Ok::<(), damma_env::RulesetError>(())
    /// ```
    pub fn with_overrides<'a>(&self, overrides: impl IntoIterator<Item = &'a str>) -> Result<Self, RulesetError> {
        let mut ruleset = self.clone();
        for text in overrides {
            let (key, value) =
                text.split_once('=').ok_or_else(|| RulesetError::NotAnOverride { text: text.to_owned() })?;
            ruleset = ruleset.with_option(key.trim(), value.trim())?;
        }
        ruleset.validate()?;
        Ok(ruleset)
    }

    fn with_option(&self, key: &str, value: &str) -> Result<Self, RulesetError> {
        let option = OPTIONS
            .iter()
            .find(|option| option.name == key)
            .ok_or_else(|| RulesetError::UnknownOption { key: key.to_owned() })?;
        let bad = || RulesetError::BadValue { key: key.to_owned(), value: value.to_owned(), values: option.values };
        let mut table = toml::Table::try_from(self).expect("a ruleset is plain data");
        let typed = match table[key] {
            toml::Value::Integer(_) => toml::Value::Integer(value.parse().map_err(|_| bad())?),
            toml::Value::Boolean(_) => toml::Value::Boolean(value.parse().map_err(|_| bad())?),
            _ => toml::Value::String(value.to_owned()),
        };
        table.insert(key.to_owned(), typed);
        table.try_into().map_err(|_| bad())
    }

    /// Checks that the options make a playable game together.
    ///
    /// # Errors
    /// [`RulesetError::Senseless`] with the reason.
    pub fn validate(&self) -> Result<(), RulesetError> {
        let fail = |reason: String| Err(RulesetError::Senseless(reason));
        let (size, rows) = (self.size, self.home_rows);
        if !(4..=10).contains(&size) {
            return fail(format!("size = {size} is outside 4 to 10"));
        }
        if rows == 0 {
            return fail("home_rows = 0 leaves both sides without pieces".to_owned());
        }
        if rows > (size - 1) / 2 {
            return fail(format!(
                "home_rows = {rows} fills a board of {size} rows; at most {} fit, or nobody could move",
                (size - 1) / 2
            ));
        }
        if self.priority == Priority::Maximum && self.capture != Capture::Forced {
            return fail("priority = \"maximum\" needs capture = \"forced\": nothing else binds the player".to_owned());
        }
        if self.lone_kings_draw && self.king == King::None {
            return fail("lone_kings_draw = true needs kings, and king = \"none\"".to_owned());
        }
        if self.repetition_limit == 1 {
            return fail("repetition_limit = 1 draws the start position; use 0 (off) or at least 2".to_owned());
        }
        Ok(())
    }
}
