//! `damma rules`: the presets, the options, and the ruleset that arguments mean.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;
use comfy_table::{ContentArrangement, LineStyle, Table, TableStyle};
use damma_env::{OPTIONS, PRESETS, Ruleset};
use serde_json::{Value, json};

use crate::rules_args::GameArgs;

/// The width of tables, the same on a terminal and in a file.
const WIDTH: u16 = 100;

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
    let presets = PRESETS.iter().map(|preset| [preset.name.to_owned(), preset.title.to_owned()]);
    writeln!(out, "{}\n", table(["preset", "title"], presets))?;
    let options = OPTIONS
        .iter()
        .map(|option| [option.name.to_owned(), option.values.to_owned(), option.meaning.trim().to_owned()]);
    writeln!(out, "{}", table(["option", "values", "meaning"], options))
}

fn write_ruleset(out: &mut impl Write, ruleset: &Ruleset) -> io::Result<()> {
    let same = PRESETS.iter().find(|preset| Ruleset::preset(preset.name).as_ref() == Ok(ruleset));
    if let Some(preset) = same {
        writeln!(out, "{}: {}\n", preset.name, preset.title)?;
    }
    let values = json!(ruleset);
    let rows = OPTIONS.iter().map(|option| {
        let value = &values[option.name];
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        [option.name.to_owned(), value, option.meaning.trim().to_owned()]
    });
    writeln!(out, "{}", table(["option", "value", "meaning"], rows))
}

/// Lays out rows, without the blanks that the table pads its last column with.
fn table<const N: usize>(header: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let mut table = Table::new();
    let style = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
    table.load_style(style).set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    table.set_header(header);
    table.add_rows(rows);
    table.trim_fmt()
}
