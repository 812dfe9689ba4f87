//! `damma config explain`: what the keys of a config take, mean and cost.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use damma_trainer::TrainConfig;
use damma_trainer::config::{default_of, value_of};
use damma_trainer::keys::{self, Key, SECTIONS, SettingError};
use serde_json::{Value, json};

use super::reference;
use crate::config_args::SetArgs;
use crate::table::table;

/// List the keys of a config with default, range and meaning, or explain one.
///
/// With a config, its values are shown too. `damma rules` tells more of the rules.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ExplainArgs {
    /// A key, such as `search.c_puct`, or a section, such as `search`; without it every key.
    #[arg(value_name = "KEY")]
    key: Option<String>,
    /// Show the values of this config too.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    set: SetArgs,
    /// Print JSON.
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the table of README.md.
    #[arg(long, conflicts_with_all = ["key", "config", "set"])]
    markdown: bool,
}

const EXAMPLES: &str = "\
Examples:
  damma config explain
  damma config explain search
  damma config explain selfplay.simulations
  damma config explain network --json";

/// Runs the subcommand.
///
/// # Errors
/// There is no such key, or the config is wrong.
pub fn run(args: &ExplainArgs) -> anyhow::Result<ExitCode> {
    let mut out = io::stdout().lock();
    if args.markdown {
        write!(out, "{}", reference::markdown())?;
        return Ok(ExitCode::SUCCESS);
    }
    anyhow::ensure!(args.set.set.is_empty() || args.config.is_some(), "--set needs --config, the file that it changes");
    let config = match &args.config {
        Some(path) => Some(keys::plain(&TrainConfig::load(path, &args.set.overrides()?)?)),
        None => None,
    };
    let keys = chosen(args.key.as_deref())?;
    if args.json {
        let rows: Vec<Value> = keys.iter().map(|key| row_json(key, config.as_ref())).collect();
        writeln!(out, "{:#}", Value::Array(rows))?;
    } else if args.key.as_ref().is_some_and(|key| keys.iter().all(|found| found.path() == *key)) {
        for key in keys {
            write_key(&mut out, key, config.as_ref())?;
        }
    } else {
        write_sections(&mut out, &keys, config.as_ref())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Gives all keys, those of a section, or those of one name.
fn chosen(name: Option<&str>) -> Result<Vec<&'static Key>, SettingError> {
    let Some(name) = name else { return Ok(keys::all().iter().collect()) };
    let found: Vec<_> = keys::all().iter().filter(|key| key.section == name || key.path() == name).collect();
    if found.is_empty() { Err(SettingError::Unknown { key: name.to_owned() }) } else { Ok(found) }
}

fn row_json(key: &Key, config: Option<&Value>) -> Value {
    let mut row = json!({
        "key": key.path(), "kind": key.of, "default": default_of(key), "range": key.kind.range(), "unit": key.unit,
        "meaning": key.meaning, "effect": key.effect,
    });
    if let Some(config) = config {
        row["value"] = json!(value_of(config, key));
    }
    row
}

fn write_key(out: &mut impl Write, key: &Key, config: Option<&Value>) -> io::Result<()> {
    let of = if key.of.is_empty() { String::new() } else { format!(" (of kind \"{}\")", key.of) };
    writeln!(out, "{}{of}: {}", key.path(), key.meaning)?;
    let mut lines = vec![("default", reference::default_text(key)), ("takes", key.kind.to_string())];
    lines.push(("unit", key.unit.to_owned()));
    lines.push(("time and memory", key.effect.to_owned()));
    if let Some(config) = config {
        lines.push(("value", value_text(config, key)));
    }
    for (name, text) in lines.iter().filter(|(_, text)| !text.is_empty()) {
        writeln!(out, "  {name:15} {text}")?;
    }
    Ok(())
}

fn write_sections(out: &mut impl Write, keys: &[&Key], config: Option<&Value>) -> io::Result<()> {
    let mut before = "";
    for section in SECTIONS {
        let keys: Vec<&Key> = keys.iter().filter(|key| key.section == section.name).copied().collect();
        if keys.is_empty() {
            continue;
        }
        write!(out, "{before}")?;
        before = "\n";
        if !section.name.is_empty() {
            writeln!(out, "[{}] {}", section.name, section.meaning)?;
        }
        writeln!(out, "{}", section_table(&keys, config))?;
    }
    Ok(())
}

/// Lays out the keys of a section, without columns that say nothing of any of them.
fn section_table(keys: &[&Key], config: Option<&Value>) -> String {
    let mut columns: Vec<&str> = vec!["key", "default", "range", "unit", "meaning", "time and memory"];
    let mut rows: Vec<Vec<String>> = keys.iter().map(|key| reference::row(key).to_vec()).collect();
    for (row, key) in rows.iter_mut().zip(keys) {
        key.name.clone_into(&mut row[0]);
        row.splice(1..1, config.map(|config| value_text(config, key)));
    }
    columns.splice(1..1, config.map(|_| "value"));
    let says = |column: usize| rows.iter().any(|row| !["", "none"].contains(&row[column].as_str()));
    let shown: Vec<usize> = (0..columns.len()).filter(|&column| says(column)).collect();
    let header = shown.iter().map(|&column| columns[column]);
    table(header, rows.iter().map(|row| shown.iter().map(|&column| row[column].clone()).collect()))
}

fn value_text(config: &Value, key: &Key) -> String {
    value_of(config, key).map_or_else(|| "-".to_owned(), |value| value.to_string())
}
