//! A checker of the part of JSON Schema that the config's schema uses; any other word is a fault.

use serde_json::Value;

/// Checks a value against a schema, and names the first fault.
pub fn check(schema: &Value, value: &Value) -> Result<(), String> {
    let fault = |word: &str| Err(format!("{value} breaks {word} of {schema}"));
    for (word, rule) in schema.as_object().expect("a schema is a table") {
        let number = || value.as_f64().zip(rule.as_f64()).expect("two numbers");
        let holds = match word.as_str() {
            "$schema" | "title" | "description" | "default" => true,
            "type" => has_type(rule.as_str().expect("a type"), value),
            "const" => value == rule,
            "enum" => rule.as_array().expect("a list").contains(value),
            "minimum" => number().0 >= number().1,
            "exclusiveMinimum" => number().0 > number().1,
            "maximum" => number().0 <= number().1,
            "exclusiveMaximum" => number().0 < number().1,
            "multipleOf" => number().0 % number().1 == 0.0,
            "items" => value.as_array().is_none_or(|list| list.iter().all(|item| check(rule, item).is_ok())),
            "oneOf" => {
                rule.as_array().expect("a list").iter().filter(|schema| check(schema, value).is_ok()).count() == 1
            }
            "required" => {
                rule.as_array().expect("a list").iter().all(|key| value.get(key.as_str().expect("a key")).is_some())
            }
            "additionalProperties" => {
                assert_eq!(rule, false);
                let known = schema["properties"].as_object().expect("a table");
                value.as_object().is_none_or(|table| table.keys().all(|key| known.contains_key(key)))
            }
            "properties" => {
                for (key, schema) in rule.as_object().expect("a table") {
                    value.get(key).map_or(Ok(()), |value| check(schema, value))?;
                }
                true
            }
            other => panic!("the checker does not know `{other}`"),
        };
        if !holds {
            return fault(word);
        }
    }
    Ok(())
}

fn has_type(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_u64(),
        other => panic!("the checker does not know the type `{other}`"),
    }
}
