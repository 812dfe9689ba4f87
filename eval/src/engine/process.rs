//! A program with its input and output as lines, ended for certain when it is dropped, and with it
//! the programs that it started.

use std::io::{BufRead as _, BufReader, Read, Write as _};
#[cfg(unix)]
use std::os::unix::process::CommandExt as _;
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
    /// Nothing once it was left to whoever says farewell.
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl Process {
    /// Starts a program; what it writes to standard error goes to ours.
    pub fn start(words: &[String]) -> Result<Self, Broken> {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
        // A group of its own, so that programs behind a script can be ended with it.
        #[cfg(unix)]
        command.process_group(0);
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
        // It may be gone already; then there is nobody to tell and nothing to end. A program that
        // does not read may leave no room for a word, so it is told by somebody who can wait.
        if let Some(mut input) = self.input.take() {
            std::thread::spawn(move || writeln!(input, "quit"));
        }
        let ended = self.wait(FAREWELL).is_some();
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        if !ended {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::fd::AsFd as _;

    use super::*;

    fn shell(script: &str) -> Process {
        let words = ["sh", "-c", script].map(str::to_owned);
        Process::start(&words).unwrap_or_else(|broken| panic!("{}", broken.detail))
    }

    #[test]
    fn what_a_program_started_ends_with_it() {
        let mut process = shell("sleep 600 & echo $!; wait");
        let soon = Instant::now() + Duration::from_secs(20);
        let pid = process.wait_for(soon, |line| line.parse::<i32>().ok()).unwrap_or_else(|_| panic!("no number"));
        let pid = rustix::process::Pid::from_raw(pid).unwrap();

        drop(process);

        // It is gone once whoever inherited it has looked, or dead and not yet looked at.
        let alive = || {
            let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
            rustix::process::test_kill_process(pid).is_ok() && !state.contains(") Z")
        };
        while alive() && Instant::now() < soon {
            std::thread::yield_now();
        }
        assert!(!alive());
    }

    #[test]
    fn a_program_that_does_not_read_is_ended_all_the_same() {
        let process = shell("sleep 600");
        let mut input = std::fs::File::from(process.input.as_ref().unwrap().as_fd().try_clone_to_owned().unwrap());
        // As much as the pipe takes, with somebody waiting to write the rest.
        let writer = std::thread::spawn(move || input.write_all(&vec![b' '; 1 << 20]).is_err());
        drop(process);
        assert!(writer.join().unwrap());
    }
}
