//! A JSON Schema (draft 2020-12) of configs, for editors; written from the table of keys.

use std::ops::Bound::{Excluded, Included, Unbounded};

use serde_json::{Map, Value, json};

use super::default_of;
use crate::keys::{self, Key, Kind, SECTIONS};

/// Gives the schema.
#[must_use]
pub fn schema() -> Value {
    let mut properties = properties(of_section("", ""));
    for section in &SECTIONS[1..] {
        properties.insert(section.name.to_owned(), section_schema(section.name, section.meaning));
    }
    let mut schema = Map::new();
    schema.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".to_owned(), json!("Config of `damma train`"));
    schema.extend(table(properties, &["output", "rules"]));
    Value::Object(schema)
}

/// Describes a section: one table, or one for each kind that it has.
fn section_schema(name: &'static str, meaning: &str) -> Value {
    let kinds = keys::all().iter().find(|key| key.section == name && key.name == "kind").map(|key| key.kind);
    let mut schema = match kinds {
        Some(Kind::Choice(words)) => {
            let of_kind = |kind| {
                let mut properties = properties(of_section(name, kind));
                properties["kind"]["const"] = json!(kind);
                Value::Object(table(properties, &["kind"]))
            };
            Map::from_iter([("oneOf".to_owned(), words.split(", ").map(of_kind).collect())])
        }
        _ => table(properties(of_section(name, "")), &[]),
    };
    schema.insert("description".to_owned(), json!(meaning));
    Value::Object(schema)
}

fn of_section(section: &'static str, kind: &'static str) -> impl Iterator<Item = &'static Key> {
    keys::all().iter().filter(move |key| key.section == section && (key.of.is_empty() || key.of == kind))
}

fn table(properties: Map<String, Value>, required: &[&str]) -> Map<String, Value> {
    let mut table = Map::new();
    table.insert("type".to_owned(), json!("object"));
    table.insert("properties".to_owned(), Value::Object(properties));
    table.insert("required".to_owned(), json!(required));
    table.insert("additionalProperties".to_owned(), json!(false));
    table
}

fn properties(keys: impl Iterator<Item = &'static Key>) -> Map<String, Value> {
    keys.map(|key| (key.name.to_owned(), property(key))).collect()
}

/// Describes a key: its range, its default, and in words what it means and costs.
fn property(key: &Key) -> Value {
    let mut schema = range(&key.kind);
    let mut words = vec![key.meaning.to_owned(), format!("Takes {}", key.kind)];
    if !key.unit.is_empty() {
        words.push(format!("Unit: {}", key.unit));
    }
    if key.effect != "none" {
        words.push(format!("Time and memory: {}", key.effect));
    }
    schema["description"] = json!(format!("{}.", words.join(". ")));
    if let Some(default) = default_of(key) {
        schema["default"] = default;
    }
    schema
}

fn range(kind: &Kind) -> Value {
    match *kind {
        Kind::Bool => json!({"type": "boolean"}),
        Kind::Integer { min, max, even } => {
            let mut schema = json!({"type": "integer", "minimum": min});
            if let Some(max) = max {
                schema["maximum"] = json!(max);
            }
            if even {
                schema["multipleOf"] = json!(2);
            }
            schema
        }
        Kind::Real { min, max, .. } => {
            let mut schema = json!({"type": "number"});
            for (bound, inclusive, exclusive) in
                [(min, "minimum", "exclusiveMinimum"), (max, "maximum", "exclusiveMaximum")]
            {
                match bound {
                    Included(end) => schema[inclusive] = json!(end),
                    Excluded(end) => schema[exclusive] = json!(end),
                    Unbounded => {}
                }
            }
            schema
        }
        Kind::Text => json!({"type": "string"}),
        Kind::Texts => json!({"type": "array", "items": {"type": "string"}}),
        Kind::Choice(words) => json!({"type": "string", "enum": words.split(", ").collect::<Vec<_>>()}),
    }
}
