//! What a setting takes: its type and its range as data, and the check that follows from them.

use std::fmt::{self, Display};
use std::ops::Bound::{self, Excluded, Included, Unbounded};

use damma_env::nearest;
use serde_json::Value;

use super::SettingError;

/// The type and range of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Integer {
        /// The least.
        min: u64,
        /// The greatest; `None` where only memory or time sets a limit.
        max: Option<u64>,
        /// Whether it must be even.
        even: bool,
    },
    /// A finite real number.
    Real {
        /// The lower end.
        min: Bound<f64>,
        /// The upper end.
        max: Bound<f64>,
        /// Another key of the section that it may not exceed, if there is one.
        at_most: Option<&'static str>,
    },
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// One of several words, which are listed with a comma and a blank between them.
    Choice(&'static str),
}

impl Kind {
    /// Gives a whole number from `min` to `max`.
    #[must_use]
    pub const fn whole(min: u64, max: u64) -> Self {
        Self::Integer { min, max: Some(max), even: false }
    }

    /// Gives an even whole number from `min` to `max`.
    #[must_use]
    pub const fn even(min: u64, max: u64) -> Self {
        Self::Integer { min, max: Some(max), even: true }
    }

    /// Gives a whole number that is at least `min`.
    #[must_use]
    pub const fn whole_from(min: u64) -> Self {
        Self::Integer { min, max: None, even: false }
    }

    /// Gives a real number from `min` to `max`, both allowed.
    #[must_use]
    pub const fn real(min: f64, max: f64) -> Self {
        Self::between(Included(min), Included(max))
    }

    /// Gives a real number that is at least `min`.
    #[must_use]
    pub const fn real_from(min: f64) -> Self {
        Self::between(Included(min), Unbounded)
    }

    /// Gives a real number above `min` and up to `max`.
    #[must_use]
    pub const fn above(min: f64, max: f64) -> Self {
        Self::between(Excluded(min), Included(max))
    }

    /// Gives a real number between two ends.
    #[must_use]
    pub const fn between(min: Bound<f64>, max: Bound<f64>) -> Self {
        Self::Real { min, max, at_most: None }
    }

    /// Gives a real number from `min` to another key of its section.
    #[must_use]
    pub const fn up_to_key(min: f64, key: &'static str) -> Self {
        Self::Real { min: Included(min), max: Unbounded, at_most: Some(key) }
    }

    /// Says whether a value, as JSON writes it, has the type and lies in the range.
    ///
    /// A number that is not finite is `null` in JSON, and in no range.
    #[must_use]
    pub fn admits(&self, value: &Value) -> bool {
        match *self {
            Self::Bool => value.is_boolean(),
            Self::Integer { min, max, even } => value.as_u64().is_some_and(|number| {
                number >= min && max.is_none_or(|max| number <= max) && !(even && number % 2 == 1)
            }),
            Self::Real { min, max, .. } => {
                value.as_f64().is_some_and(|number| std::ops::RangeBounds::contains(&(min, max), &number))
            }
            Self::Text => value.is_string(),
            Self::Texts => value.as_array().is_some_and(|list| list.iter().all(Value::is_string)),
            Self::Choice(words) => value.as_str().is_some_and(|word| words.split(", ").any(|known| known == word)),
        }
    }

    /// Checks a value that a message is to name `key`.
    ///
    /// # Errors
    /// [`SettingError::Range`] where the value is not admitted.
    pub fn check(&self, key: &str, value: &Value) -> Result<(), SettingError> {
        if self.admits(value) {
            return Ok(());
        }
        let near = match (self, value.as_str()) {
            (Self::Choice(words), Some(wrong)) => nearest(wrong, words.split(", ")),
            _ => String::new(),
        };
        let value = if value.is_null() { "not a finite number".to_owned() } else { value.to_string() };
        Err(SettingError::Range { key: key.to_owned(), value, range: format!("{self}{near}") })
    }

    /// Writes the range without the type, as in `above 0, up to 10`.
    #[must_use]
    pub fn range(&self) -> String {
        match *self {
            Self::Bool => "true, false".to_owned(),
            Self::Integer { min, max: Some(u64::MAX | TOML_MAX), .. } | Self::Integer { min, max: None, .. } => {
                format!("{min} and more")
            }
            Self::Integer { min, max: Some(max), even } => {
                format!("{min} to {max}{}", if even { ", even" } else { "" })
            }
            Self::Real { min, at_most: Some(key), .. } => format!("{} to {key}", end(min)),
            Self::Real { min, max: Unbounded, .. } => match min {
                Excluded(min) => format!("above {min}"),
                _ => format!("{} and more", end(min)),
            },
            Self::Real { min: Excluded(min), max: Excluded(max), .. } => format!("above {min}, below {max}"),
            Self::Real { min: Excluded(min), max, .. } => format!("above {min}, up to {}", end(max)),
            Self::Real { min, max: Excluded(max), .. } => format!("{} to below {max}", end(min)),
            Self::Real { min, max, .. } => format!("{} to {}", end(min), end(max)),
            Self::Text => "text".to_owned(),
            Self::Texts => "list of texts".to_owned(),
            Self::Choice(words) => words.to_owned(),
        }
    }
}

/// The greatest whole number that a TOML file can hold.
pub(super) const TOML_MAX: u64 = i64::MAX as u64;

impl Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => out.write_str("true or false"),
            Self::Integer { .. } => write!(out, "a whole number, {}", self.range()),
            Self::Real { .. } => write!(out, "a number, {}", self.range()),
            Self::Text => out.write_str("a text in quotes"),
            Self::Texts => out.write_str("a list of texts, such as [\"a\", \"b\"]"),
            Self::Choice(words) => write!(out, "one of \"{}\"", words.replace(", ", "\", \"")),
        }
    }
}

fn end(bound: Bound<f64>) -> String {
    match bound {
        Included(number) | Excluded(number) => number.to_string(),
        Unbounded => "any".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn ends_of_a_range_are_in_it_or_not_as_its_text_says() {
        let cases = [
            (Kind::whole(1, 8), "1 to 8", json!([1, 8]), json!([0, 9, 1.5, -1, "1", null])),
            (Kind::even(2, 8), "2 to 8, even", json!([2, 8]), json!([0, 3, 10])),
            (Kind::whole_from(1), "1 and more", json!([1, u64::MAX]), json!([0])),
            (Kind::real(0.1, 2.0), "0.1 to 2", json!([0.1, 1, 2]), json!([0.09, 2.1, true, null])),
            (Kind::above(0.0, 1.0), "above 0, up to 1", json!([0.01, 1]), json!([0, 1.01])),
            (Kind::between(Included(0.0), Excluded(1.0)), "0 to below 1", json!([0, 0.999]), json!([1])),
            (Kind::between(Excluded(0.0), Unbounded), "above 0", json!([0.1, 1e300]), json!([0])),
            (Kind::real_from(1.0), "1 and more", json!([1, 1e30]), json!([0.5])),
            (Kind::up_to_key(0.0, "rate"), "0 to rate", json!([0, 5]), json!([-1])),
            (Kind::Bool, "true, false", json!([true]), json!([1, "true"])),
            (Kind::Text, "text", json!(["a"]), json!([1, null])),
            (Kind::Texts, "list of texts", json!([[], ["a"]]), json!(["a", [1]])),
            (Kind::Choice("mlp, tower"), "mlp, tower", json!(["mlp", "tower"]), json!(["ml", "mlp, tower", 1])),
        ];
        for (kind, range, inside, outside) in cases {
            assert_eq!(kind.range(), range);
            let values = |list: &Value| list.as_array().expect("a list").clone();
            assert!(values(&inside).iter().all(|value| kind.admits(value)), "{kind} takes {inside}");
            assert!(!values(&outside).iter().any(|value| kind.admits(value)), "{kind} takes none of {outside}");
        }
    }

    #[test]
    fn a_value_that_is_not_admitted_is_named_with_what_to_give() {
        let text = |kind: Kind, value| kind.check("a.b", &value).expect_err("refused").to_string();
        assert_eq!(text(Kind::whole(1, 8), json!(9)), "a.b = 9 is not allowed: give a whole number, 1 to 8");
        assert_eq!(text(Kind::Bool, json!("on")), "a.b = \"on\" is not allowed: give true or false");
        assert_eq!(
            text(Kind::Choice("forced, huff"), json!("force")),
            "a.b = \"force\" is not allowed: give one of \"forced\", \"huff\" (did you mean `forced`?)"
        );
        assert_eq!(
            text(Kind::Choice("x, y"), json!(null)),
            "a.b = not a finite number is not allowed: give one of \"x\", \"y\""
        );
    }
}
