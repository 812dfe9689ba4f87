//! The command in the folder of the repository.

use assert_cmd::Command;
use serde_json::Value;

use super::{DAMMA, HERE};

pub fn damma(arguments: &[&str]) -> Command {
    let mut command = Command::new(DAMMA);
    command.args(arguments).current_dir(HERE);
    command
}

pub fn answer(arguments: &[&str]) -> String {
    super::answer(&mut damma(arguments))
}

pub fn refusal(arguments: &[&str]) -> String {
    super::refusal(&mut damma(arguments))
}

pub fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&answer(arguments)).expect("JSON")
}
