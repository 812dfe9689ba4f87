//! The table of keys, as README.md has it and as `damma config explain` lays it out.

use damma_trainer::config::default_of;
use damma_trainer::keys::{self, Key};

/// Writes the table of README.md; the options of the rules, which `damma rules` lists, are one row.
pub fn markdown() -> String {
    let mut lines = vec!["| key | default | range | unit | meaning | time and memory |".to_owned()];
    lines.push("|---|---|---|---|---|---|".to_owned());
    for key in keys::all().iter().filter(|key| key.section != "rules") {
        let [path, default, range, unit, meaning, effect] = row(key);
        let default = if default_of(key).is_some() { format!("`{default}`") } else { default };
        lines.push(format!("| `{path}` | {default} | {range} | {unit} | {meaning} | {effect} |"));
        if key.section.is_empty() && key.is_required() {
            lines.push(RULES.to_owned());
        }
    }
    lines.join("\n") + "\n"
}

/// The row of all rules.
const RULES: &str = "| `rules.preset`, `rules.*` | a preset must be given | see `damma rules` | | a preset, and options that differ from it | none |";

/// Gives key, default, range, unit, meaning and effect.
pub fn row(key: &Key) -> [String; 6] {
    let meaning =
        if key.of.is_empty() { key.meaning.to_owned() } else { format!("of \"{}\": {}", key.of, key.meaning) };
    let [unit, effect] = [key.unit, key.effect].map(str::to_owned);
    [key.path(), default_text(key), key.kind.range(), unit, meaning, effect]
}

/// Writes the default, or where it comes from.
pub fn default_text(key: &Key) -> String {
    match default_of(key) {
        Some(value) => value.to_string(),
        None if key.section == "rules" && key.name != "preset" => "the preset's".to_owned(),
        None if key.is_required() => "must be given".to_owned(),
        None => "none".to_owned(),
    }
}
