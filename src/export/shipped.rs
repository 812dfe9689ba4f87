//! A checkpoint to give away: the network, what it says of itself, and a card for people.
//!
//! The state that training goes on from (optimiser, games) stays behind.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;
use damma_trainer::checkpoint::{FileSum, STATE_FILE};
use damma_trainer::learner::MODEL_FILE;
use damma_trainer::{Checkpoint, Network};

use crate::elo::RATINGS;
use crate::files::write_beside;
use crate::inspect::Findings;

/// What people read.
const CARD: &str = "card.md";
/// The same for programs.
const CARD_JSON: &str = "card.json";
/// The config that it was trained with.
const CONFIG: &str = "config.toml";

/// Writes a checkpoint to play with into a folder: network, state, config and card.
///
/// # Errors
/// The folder's name is not UTF-8 or something else is in it, the run's ratings are damaged, or a file cannot be written.
pub fn write(checkpoint: Checkpoint, network: &Network, folder: &Path, commit: Option<&str>) -> anyhow::Result<()> {
    let name = folder.file_name().and_then(|name| name.to_str());
    let name = name.with_context(|| format!("{} has no name for a card's title; give a folder", folder.display()))?;
    let is_empty = std::fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    anyhow::ensure!(
        is_empty || folder.join(CARD_JSON).is_file(),
        "{} has something else in it; give a new folder, or one that an export made",
        folder.display()
    );
    let model = network.to_safetensors();
    let mut findings = Findings::of(checkpoint)?;
    let state = &mut findings.checkpoint.state;
    state.files = vec![FileSum::of(MODEL_FILE, &model)];
    state.segments.clear();
    state.oldest_game = None;
    // Where it was trained is nobody's concern.
    state.config.output = Path::new("runs").join(name);
    for rated in &mut findings.ratings {
        rated.samples.clear();
    }
    let (state, config) = (serde_json::to_vec_pretty(state)?, state.config.to_toml());
    let mut json = findings.json();
    json["games_files"] = serde_json::Value::Null;
    json["commit"] = commit.into();
    json["path"] = name.into();
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    write_beside(&folder.join(MODEL_FILE), &model)?;
    write_beside(&folder.join(CONFIG), config.as_bytes())?;
    write_beside(&folder.join(RATINGS), &serde_json::to_vec(&findings.ratings)?)?;
    write_beside(&folder.join(CARD_JSON), (serde_json::to_string_pretty(&json)? + "\n").as_bytes())?;
    write_beside(&folder.join(CARD), card(name, &findings, commit).as_bytes())?;
    // Last: with it the folder is a checkpoint.
    write_beside(&folder.join(STATE_FILE), &state)
}

fn card(name: &str, findings: &Findings, commit: Option<&str>) -> String {
    let mut text = format!("# {name}\n");
    // The run's files stay behind, and what is here anybody can see.
    for (what, words) in findings.lines().into_iter().filter(|(what, _)| *what != "files") {
        let _ = writeln!(text, "- {what}: {words}");
    }
    if let Some(commit) = commit {
        let _ = writeln!(text, "- commit: {commit}");
    }
    text += "- config: [config.toml](config.toml)\n\n";
    let rated = findings.ratings.iter().filter(|rated| !rated.report.matches.is_empty());
    for (number, rated) in rated.enumerate() {
        if number == 0 {
            text += "| opponent | simulations | won | drawn | lost | score |\n|---|---|---|---|---|---|\n";
        }
        for report in &rated.report.matches {
            let total = report.total;
            let _ = writeln!(
                text,
                "| {} ({}) | {} | {} | {} | {} | {:.1} % |",
                report.b,
                report.baseline,
                rated.simulations,
                total.wins,
                total.draws,
                total.losses,
                100.0 * total.score()
            );
        }
    }
    text
}
