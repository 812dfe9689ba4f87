//! What a folder of tables holds, as a table for people and as JSON for programs.

use std::io::{self, Write as _};

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use damma_env::Class;
use damma_eval::{ClassEntry, EndgameFolder};
use serde_json::json;

/// Prints what the wanted classes of a folder came to.
///
/// # Errors
/// The output cannot be written.
pub fn made(json: bool, folder: &EndgameFolder, wanted: &[Class], seconds: f64) -> anyhow::Result<()> {
    let find = |class: &Class| folder.entries().iter().find(|entry| entry.class == class.to_string());
    let entries: Vec<&ClassEntry> = wanted.iter().filter_map(find).collect();
    let sum = |of: fn(&ClassEntry) -> u64| entries.iter().map(|entry| of(entry)).sum::<u64>();
    let longest = entries.iter().map(|entry| entry.longest_win).max().unwrap_or(0);
    let mut out = io::stdout().lock();
    if json {
        let line = json!({
            "classes": entries,
            "positions": sum(|entry| entry.positions),
            "won": sum(|entry| entry.won),
            "drawn": sum(|entry| entry.drawn),
            "lost": sum(|entry| entry.lost),
            "longest_win": longest,
            "bytes": sum(|entry| entry.bytes),
            "seconds": seconds,
        });
        writeln!(out, "{line}")?;
        return Ok(());
    }
    let mut table = Table::new();
    let style = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
    table.load_style(style).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["class", "positions", "won", "drawn", "lost", "longest win", "bytes"]);
    for entry in &entries {
        table.add_row([
            entry.class.clone(),
            entry.positions.to_string(),
            entry.won.to_string(),
            entry.drawn.to_string(),
            entry.lost.to_string(),
            entry.longest_win.to_string(),
            entry.bytes.to_string(),
        ]);
    }
    table.add_row([
        "all".to_owned(),
        sum(|entry| entry.positions).to_string(),
        sum(|entry| entry.won).to_string(),
        sum(|entry| entry.drawn).to_string(),
        sum(|entry| entry.lost).to_string(),
        longest.to_string(),
        sum(|entry| entry.bytes).to_string(),
    ]);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    writeln!(out, "{}", table.trim_fmt())?;
    Ok(())
}
