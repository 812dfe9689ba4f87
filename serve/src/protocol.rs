//! Engine protocols, lines in and lines out: UGI and Hub, chosen by the first command.
//!
//! `docs/protocol.md` is the reference of both. Searches run on a thread of their own, so that `stop`, `ping` and
//! `quit` are heard at once.

mod error;
mod go;
mod hub;
mod hub_move;
mod output;
mod search;
mod session;
mod settings;
mod ugi;

use std::io::{self, BufRead, Write};

pub use error::EngineError;
pub use settings::EngineOptions;

use output::{Output, Protocol};
use session::Session;
use settings::Settings;

/// The longest line that is read; the rest of a longer one is passed over.
const LONGEST_LINE: usize = 1 << 20;

/// Talks until `quit`, or the end of the input.
///
/// # Errors
/// The options do not fit together, or input or output fail.
pub fn converse(
    mut input: impl BufRead,
    output: impl Write + Send + 'static,
    options: EngineOptions,
) -> Result<(), EngineError> {
    let mut session = Session::new(Settings::new(options)?, Output::new(output))?;
    let mut line = Vec::new();
    while read_line(&mut input, &mut line)? {
        let text = String::from_utf8_lossy(&line).into_owned();
        let words: Vec<&str> = text.split_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { continue };
        if command == "quit" {
            break;
        }
        if command == "hub" {
            session.protocol = Protocol::Hub;
        }
        match session.protocol {
            Protocol::Ugi => session.hear_ugi(command, rest, text.trim())?,
            Protocol::Hub => session.hear_hub(command, text.trim())?,
        }
    }
    session.stop()?;
    Ok(())
}

/// Reads a line, or as much of it as is read; `false` at the end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut is_read = false;
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok(is_read);
        }
        is_read = true;
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        line.extend_from_slice(&part[..part.len().min(LONGEST_LINE - line.len())]);
        let used = end.map_or(bytes.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests;
