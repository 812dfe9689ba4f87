//! `damma rules`: the presets, the options, and the ruleset that arguments mean.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;
use damma_env::{OPTIONS, PRESETS, Ruleset};
use serde::Serialize;
use serde_json::{Value, json};

use crate::rules_args::GameArgs;
use crate::table::table;

/// List presets and options, or show one ruleset.
///
/// Without arguments: every preset, and every option with its values and meaning. With a
/// preset, a file or an option: the ruleset that they make.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RulesArgs {
    /// The preset to show; the same as --preset.
    #[arg(value_name = "PRESET", conflicts_with_all = ["preset", "rules"])]
    name: Option<String>,
    /// Write the ruleset as TOML, as --rules reads it.
    #[arg(long, conflicts_with = "json")]
    toml: bool,
    /// Write JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    game: GameArgs,
}

const EXAMPLES: &str = "\
Examples:
  damma rules
  damma rules zamma
  damma rules zamma --set capture=forced --toml > my.toml
  damma rules --json";

/// Runs the subcommand.
///
/// # Errors
/// The rules are wrong or the output cannot be written.
pub fn run(args: &RulesArgs) -> anyhow::Result<ExitCode> {
    let mut out = io::stdout().lock();
    if args.name.is_none() && !args.game.is_given() && !args.toml {
        if args.json {
            writeln!(out, "{:#}", everything())?;
        } else {
            write_everything(&mut out)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut game = args.game.clone();
    game.preset = args.name.clone().or(game.preset);
    let ruleset = game.ruleset()?;
    if args.toml {
        write!(out, "{}", ruleset.to_toml())?;
    } else if args.json {
        writeln!(out, "{:#}", json!(ruleset))?;
    } else {
        write_ruleset(&mut out, &ruleset)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn everything() -> Value {
    let presets: Vec<Value> =
        PRESETS.iter().map(|preset| json!({"name": preset.name, "title": preset.title})).collect();
    let options: Vec<Value> = OPTIONS
        .iter()
        .map(|option| json!({"name": option.name, "values": option.values, "meaning": option.meaning.trim()}))
        .collect();
    json!({"presets": presets, "options": options})
}

fn write_everything(out: &mut impl Write) -> io::Result<()> {
    let presets = PRESETS.iter().map(|preset| vec![preset.name.to_owned(), preset.title.to_owned()]);
    writeln!(out, "{}\n", table(["preset", "title"], presets))?;
    let options = OPTIONS
        .iter()
        .map(|option| vec![option.name.to_owned(), option.values.to_owned(), option.meaning.trim().to_owned()]);
    writeln!(out, "{}", table(["option", "values", "meaning"], options))
}

fn write_ruleset(out: &mut impl Write, ruleset: &Ruleset) -> io::Result<()> {
    let same = PRESETS.iter().find(|preset| Ruleset::preset(preset.name).as_ref() == Ok(ruleset));
    if let Some(preset) = same {
        writeln!(out, "{}: {}\n", preset.name, preset.title)?;
    }
    let values = json!(ruleset);
    let rows = OPTIONS
        .iter()
        .map(|option| vec![option.name.to_owned(), word(&values[option.name]), option.meaning.trim().to_owned()]);
    writeln!(out, "{}", table(["option", "value", "meaning"], rows))
}

/// Writes the value of an option as `--set` takes it.
fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A ruleset as a preset and what differs from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The preset.
    pub preset: &'static str,
    /// The options with other values than the preset's, and these values.
    pub options: BTreeMap<&'static str, String>,
}

impl Difference {
    /// Compares a ruleset with the preset of a name, or else with the one that it is nearest to.
    pub fn of(ruleset: &Ruleset, name: Option<&str>) -> Self {
        let own = json!(ruleset);
        let from = |preset: &'static str| {
            let base = json!(Ruleset::preset(preset).expect("the presets are there"));
            let names = OPTIONS.iter().map(|option| option.name).filter(|name| own[*name] != base[*name]);
            Self { preset, options: names.map(|name| (name, word(&own[name]))).collect() }
        };
        let named = |preset: &&str| name.is_none_or(|name| name == *preset);
        let presets = PRESETS.iter().map(|preset| preset.name).filter(named);
        presets.map(from).min_by_key(|difference| difference.options.len()).expect("a config names a known preset")
    }
}

impl Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.preset)?;
        for (number, (name, value)) in self.options.iter().enumerate() {
            write!(out, "{} {name}={value}", if number == 0 { " with" } else { "," })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ruleset_is_named_by_its_preset_and_what_differs() {
        let rules = Ruleset::preset("zamma").expect("a preset").with_overrides(["capture=forced"]).expect("rules");
        assert_eq!(Difference::of(&rules, Some("zamma")).to_string(), "zamma with capture=forced");
        let rules = Ruleset::preset("damma8").expect("a preset");
        assert_eq!(Difference::of(&rules, None).to_string(), "damma8");
    }
}
