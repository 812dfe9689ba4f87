//! Matches in a folder of their own.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::{damma, text};

pub fn folder() -> TempDir {
    TempDir::new().expect("a folder")
}

/// Runs a match that must succeed, and gives its report.
pub fn report(arguments: &[&str], folder: &Path) -> Value {
    let output = damma(&[&["match", "--json"], arguments].concat(), folder);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Runs a match that must be refused, and gives the message.
pub fn refusal(arguments: &[&str], folder: &Path) -> String {
    let output = damma(&[&["match"], arguments].concat(), folder);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stderr));
    assert!(output.stdout.is_empty());
    text(&output.stderr)
}
