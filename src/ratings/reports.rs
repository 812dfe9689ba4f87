//! Results out of JSON: match reports, and the elo.json of runs.

use std::path::Path;

use anyhow::{Context as _, bail};
use damma_env::Ruleset;
use damma_eval::MatchReport;
use serde_json::Value;

use super::Read;

/// The rules and the baseline of the first report, with its place; all others must agree.
#[derive(Debug, Default)]
pub struct Rules(Option<(Ruleset, String, String)>);

/// Adds the reports of a text.
///
/// # Errors
/// The first thing that is no report, with file and line.
pub fn add(read: &mut Read, path: &Path, text: &str, rules: &mut Rules) -> anyhow::Result<()> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    loop {
        let begin = values.byte_offset();
        let Some(value) = values.next() else { return Ok(()) };
        let value = value.map_err(|error| {
            let (line, reason) = (error.line(), error.to_string());
            let reason = reason.rsplit_once(" at line ").map_or(reason.as_str(), |(reason, _)| reason).to_owned();
            anyhow::anyhow!("{}, line {line}: not JSON: {reason}", path.display())
        })?;
        let blank = text[begin..].len() - text[begin..].trim_start().len();
        let line = 1 + text[..begin + blank].matches('\n').count();
        let place = format!("{}, line {line}", path.display());
        for (index, object) in parts(value).into_iter().enumerate() {
            add_object(read, path, &place, object, rules).with_context(|| format!("{place}, object {}", index + 1))?;
        }
    }
}

fn parts(value: Value) -> Vec<Value> {
    match value {
        Value::Array(values) => values,
        value => vec![value],
    }
}

/// Adds a report, or a rated checkpoint with several.
fn add_object(read: &mut Read, path: &Path, place: &str, mut object: Value, rules: &mut Rules) -> anyhow::Result<()> {
    if let Some(matches) = object.get_mut("matches").map(Value::take) {
        // Checkpoints have the same names in every run: the folder says whose they are.
        let run = path.parent().filter(|run| !run.as_os_str().is_empty());
        for report in parts(matches) {
            let mut report: MatchReport = serde_json::from_value(report).context("`matches` holds no match report")?;
            if let Some(run) = run {
                report.a = format!("{}: {}", run.display(), report.a);
            }
            add_report(read, place, &report, rules)?;
        }
        return Ok(());
    }
    // The file of `damma match --out`.
    if let Some(report) = object.get_mut("report").map(Value::take) {
        object = report;
    }
    if object.get("pairs").is_none() {
        bail!(
            "neither a match report (as `damma match` prints with --json and writes with --out) nor a rated checkpoint \
             (as in elo.json)"
        );
    }
    let report = serde_json::from_value(object).context("not a match report")?;
    add_report(read, place, &report, rules)
}

fn add_report(read: &mut Read, place: &str, report: &MatchReport, rules: &mut Rules) -> anyhow::Result<()> {
    let (ruleset, baseline, first) =
        rules.0.get_or_insert_with(|| (report.ruleset.clone(), report.baseline.clone(), place.to_owned()));
    if *ruleset != report.ruleset || *baseline != report.baseline {
        bail!("{} against {} is of other rules or another baseline than {first}; rate them apart", report.a, report.b);
    }
    let (a, b) = (&report.a, &report.b);
    if report.series {
        read.warnings.push(format!("{place}: {a} against {b} is left out: a series has no pairs"));
        return Ok(());
    }
    if let Some(mirror) = report.statistics.and_then(|statistics| statistics.mirror) {
        read.warnings.push(format!("{place}: {a} against {b} is left out: {mirror}"));
        return Ok(());
    }
    let repeated = report.repeated_pairs();
    if repeated > 0 {
        read.warnings.push(format!("{place}: {a} against {b}: {repeated} pairs repeat others and are left out"));
    }
    let table = report.table().with_context(|| format!("the sums of {a} against {b} contradict each other"))?;
    read.results.add_pairs(a, b, &table);
    Ok(())
}
