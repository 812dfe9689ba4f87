//! What was measured, as a table for people and as a JSON object a row for programs.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use serde_json::{Value, json};

use super::baseline::Searched;
use super::batch::Speed;
use super::games::NamedGame;
use super::perft::Nodes;
use super::plan::Setting;

/// Says in one line what machine the figures are of.
pub fn machine(cores: usize) -> String {
    format!("{}, {} path, {cores} hardware threads", std::env::consts::ARCH, damma_env::cpu_path())
}

/// Gives the JSON object of one measured batch; rates are rounded to whole steps.
pub fn step_json(setting: &Setting<'_>, speed: &Speed) -> Value {
    json!({
        "measure": "step",
        "cpu_path": damma_env::cpu_path(),
        "preset": setting.game.preset,
        "set": setting.game.set,
        "boards": setting.boards,
        "threads": setting.threads,
        "mask": setting.kind.mask(),
        "observations": setting.kind.observations(),
        "steps_per_second": speed.step.wall.round() as u64,
        "steps_per_cpu_second": speed.step.cpu.round() as u64,
        "steps_per_second_with_sampling": speed.with_sampling.wall.round() as u64,
        "steps_per_cpu_second_with_sampling": speed.with_sampling.cpu.round() as u64,
        "bytes_per_board": speed.bytes_per_board,
    })
}

/// Gives the JSON object of one perft; the rate is rounded to whole nodes.
pub fn perft_json(game: &NamedGame, nodes: &Nodes) -> Value {
    json!({
        "measure": "perft",
        "cpu_path": damma_env::cpu_path(),
        "preset": game.preset,
        "set": game.set,
        "depth": nodes.depth,
        "count": nodes.count,
        "nodes_per_cpu_second": nodes.rate.round() as u64,
    })
}

/// Lays out the measured batches.
pub fn step_table(rows: &[(Setting<'_>, Speed)]) -> String {
    let header =
        ["preset", "boards", "threads", "mask", "observations", "CPU", "wall", "CPU, sampled", "bytes a board"];
    let rows = rows.iter().map(|(setting, speed)| {
        [
            setting.game.label(),
            setting.boards.to_string(),
            setting.threads.to_string(),
            setting.kind.mask().to_owned(),
            setting.kind.observations().to_owned(),
            millions(speed.step.cpu),
            millions(speed.step.wall),
            millions(speed.with_sampling.cpu),
            speed.bytes_per_board.to_string(),
        ]
    });
    table(header, rows, &[1, 2, 5, 6, 7, 8])
}

/// Lays out the perft counts.
pub fn perft_table(rows: &[(&NamedGame, Nodes)]) -> String {
    let rows = rows
        .iter()
        .map(|(game, nodes)| [game.label(), nodes.depth.to_string(), nodes.count.to_string(), millions(nodes.rate)]);
    table(["preset", "depth", "count", "Mnodes/s of CPU"], rows, &[1, 2, 3])
}

/// Gives the JSON object of one searched game; the rate is rounded to whole nodes.
pub fn baseline_json(game: &NamedGame, searched: &Searched) -> Value {
    json!({
        "measure": "baseline",
        "version": damma_eval::VERSION,
        "preset": game.preset,
        "set": game.set,
        "positions": searched.signature.positions,
        "depth": searched.signature.depth,
        "signature": searched.signature.nodes,
        "nodes": searched.nodes,
        "nodes_per_cpu_second": searched.rate.round() as u64,
    })
}

/// Lays out the searched games.
pub fn baseline_table(rows: &[(NamedGame, Searched)]) -> String {
    let rows = rows.iter().map(|(game, searched)| {
        [
            game.label(),
            searched.signature.depth.to_string(),
            searched.signature.nodes.to_string(),
            searched.nodes.to_string(),
            millions(searched.rate),
        ]
    });
    table(["preset", "depth", "signature", "nodes", "Mnodes/s of CPU"], rows, &[1, 2, 3, 4])
}

/// Writes a rate in millions.
fn millions(rate: f64) -> String {
    format!("{:.2}", rate / 1e6)
}

/// Lays out rows, with the columns of numbers to the right.
fn table<const N: usize>(header: [&str; N], rows: impl Iterator<Item = [String; N]>, numbers: &[usize]) -> String {
    let mut table = Table::new();
    let style = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
    table.load_style(style).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header);
    table.add_rows(rows);
    for &number in numbers {
        table.column_mut(number).expect("a column of the header").set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt()
}
