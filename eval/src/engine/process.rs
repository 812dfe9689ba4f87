//! A program with its input and output as lines, ended for certain when it is dropped.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use crate::player::{Fault, Forfeit};

/// Longer lines are cut into pieces.
const LONGEST_LINE: u64 = 1 << 16;

/// How many lines may wait to be read before the program has to.
const WAITING_LINES: usize = 1 << 10;

/// How long a program that was told to quit may take.
const FAREWELL: Duration = Duration::from_millis(300);

/// A program that does not work.
pub(super) struct Broken {
    pub fault: Fault,
    pub detail: String,
}

impl From<Broken> for Forfeit {
    fn from(Broken { fault, detail }: Broken) -> Self {
        Self { fault, detail }
    }
}

/// A program that runs.
pub(super) struct Process {
    child: Child,
    /// Nothing once it was closed.
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl Process {
    /// Starts a program; what it writes to standard error goes to ours.
    pub fn start(words: &[String]) -> Result<Self, Broken> {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| Broken {
            fault: Fault::Crash,
            detail: format!("`{}` cannot be started: {error}", words[0]),
        })?;
        let input = child.stdin.take();
        let stdout = child.stdout.take().expect("it was asked for");
        let (sender, output) = sync_channel(WAITING_LINES);
        // Ends with the program's output, or when nobody listens any more.
        std::thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            let mut line = Vec::new();
            while (&mut stdout).take(LONGEST_LINE).read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
                let text = String::from_utf8_lossy(&line).trim().to_owned();
                line.clear();
                if sender.send(text).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, input, output })
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Result<(), Broken> {
        let input = self.input.as_mut().expect("the input is closed only at the end");
        let sent = writeln!(input, "{line}").and_then(|()| input.flush());
        sent.map_err(|_| self.crashed())
    }

    /// Reads lines until one says what is wanted, or the time is over.
    pub fn wait_for<T>(&mut self, until: Instant, mut wanted: impl FnMut(&str) -> Option<T>) -> Result<T, Broken> {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(line) => {
                    if let Some(found) = wanted(&line) {
                        return Ok(found);
                    }
                    if left.is_zero() {
                        return Err(late());
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Err(late()),
                Err(RecvTimeoutError::Disconnected) => return Err(self.crashed()),
            }
        }
    }

    fn crashed(&mut self) -> Broken {
        let ended = self.wait(FAREWELL);
        let detail = ended.map_or_else(|| "it closed its output".to_owned(), |status| format!("it ended: {status}"));
        Broken { fault: Fault::Crash, detail }
    }

    /// Waits for the program's end, for so long at most.
    fn wait(&mut self, time: Duration) -> Option<std::process::ExitStatus> {
        let until = Instant::now() + time;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(2)),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

fn late() -> Broken {
    Broken { fault: Fault::Timeout, detail: "it did not answer in time".to_owned() }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be gone already; then there is nobody to tell and nothing to end.
        let _ = self.send("quit");
        self.input = None;
        if self.wait(FAREWELL).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
