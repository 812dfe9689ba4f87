//! Running the command.

pub mod here;
pub mod matched;

use std::path::Path;
use std::process::{Command, Output};

/// The program.
pub const DAMMA: &str = env!("CARGO_BIN_EXE_damma");
/// The folder of the repository.
pub const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// Runs the command in a folder.
pub fn damma(arguments: &[&str], folder: &Path) -> Output {
    Command::new(DAMMA).args(arguments).current_dir(folder).output().expect("damma runs")
}

/// Gives what was printed, whatever it is.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs what must succeed, silently on stderr, and gives its output.
pub fn answer(command: &mut assert_cmd::Command) -> String {
    let output = command.assert().success().stderr("").get_output().stdout.clone();
    String::from_utf8(output).expect("text")
}

/// Runs what must be refused, with nothing on stdout, and gives the message.
pub fn refusal(command: &mut assert_cmd::Command) -> String {
    let output = command.assert().code(2).stdout("").get_output().stderr.clone();
    let message = String::from_utf8(output).expect("text");
    assert!(message.starts_with("error: "), "{message}");
    message
}
