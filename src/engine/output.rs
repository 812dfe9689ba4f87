//! What an engine writes: whole lines, at once, from any thread.

use std::io::{self, Write as _};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

/// The answer to one `go`: the best turn so far, said once.
#[derive(Clone)]
pub struct Answer(Arc<(Mutex<Best>, Condvar)>);

struct Best {
    turn: String,
    said: bool,
}

impl Answer {
    /// Begins with a turn that will do.
    #[must_use]
    pub fn new(turn: String) -> Self {
        Self(Arc::new((Mutex::new(Best { turn, said: false }), Condvar::new())))
    }

    /// Takes a better turn and tells what was found out; not after the answer was given.
    pub fn improve(&self, turn: &str, info: &str) {
        let mut best = self.best();
        if !best.said {
            turn.clone_into(&mut best.turn);
            // A closed output ends the engine with its next command.
            let _ = say(&format!("info {info} pv {turn}"));
        }
    }

    /// Gives the answer, unless it was given.
    ///
    /// # Errors
    /// The output is closed.
    pub fn give(&self) -> io::Result<()> {
        let mut best = self.best();
        if best.said {
            return Ok(());
        }
        best.said = true;
        self.0.1.notify_all();
        say(&format!("bestmove {}", best.turn))
    }

    /// Waits until it is time or the answer was given, and gives it then.
    ///
    /// # Errors
    /// The output is closed.
    pub fn give_at(&self, time: Instant) -> io::Result<()> {
        let left = time.saturating_duration_since(Instant::now());
        let waited = self.0.1.wait_timeout_while(self.best(), left, |best| !best.said);
        drop(waited.expect("nothing panics while it holds the answer"));
        self.give()
    }

    /// Says whether the answer was given.
    #[must_use]
    pub fn is_given(&self) -> bool {
        self.best().said
    }

    fn best(&self) -> std::sync::MutexGuard<'_, Best> {
        self.0.0.lock().expect("nothing panics while it holds the answer")
    }
}

/// Writes a line.
///
/// # Errors
/// The output is closed.
pub fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
