//! What an engine writes: whole lines, at once, from any thread.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use damma_env::{Action, Game, Position};
use damma_eval::turn_words;

use super::hub_move;

/// Where lines go.
#[derive(Clone)]
pub struct Output(Arc<Mutex<dyn Write + Send>>);

impl Output {
    /// Writes lines there.
    #[must_use]
    pub fn new(writer: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(writer)))
    }

    /// Writes a line.
    ///
    /// # Errors
    /// The output is closed.
    pub fn say(&self, line: &str) -> io::Result<()> {
        let mut out = self.0.lock().expect("nothing panics while it writes");
        // One write: others may write to the same place.
        out.write_all(format!("{line}\n").as_bytes())?;
        out.flush()
    }
}

/// Which protocol is spoken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// The universal game interface.
    Ugi,
    /// The draughts field's protocol, version 2.
    Hub,
}

/// What a search has found so far, besides its turn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Info {
    /// Turns, of a search that goes by depth.
    pub depth: Option<u32>,
    /// How the decider stands.
    pub score: Score,
    /// Positions looked at.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
}

/// How a decider stands.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Score {
    /// Hundredths of a man ahead.
    Hundredths(i32),
    /// The expected result, -1 to 1.
    Expected(f32),
}

/// Who is told, in which words, of which position.
#[derive(Clone)]
pub struct Voice {
    /// Where lines go.
    pub output: Output,
    /// In which words.
    pub protocol: Protocol,
    /// Which game.
    pub game: Arc<Game>,
    /// Where the turn begins.
    pub position: Position,
}

impl Voice {
    fn turn(&self, turn: &[Action]) -> String {
        match self.protocol {
            Protocol::Ugi => turn_words(&self.game, &self.position, turn).concat(),
            Protocol::Hub => hub_move::text(&self.game, &self.position, turn),
        }
    }

    fn info(&self, turn: &[Action], info: &Info) -> String {
        let Info { depth, score, nodes, time } = *info;
        let turn = self.turn(turn);
        match self.protocol {
            Protocol::Ugi => {
                let depth = depth.map_or_else(String::new, |depth| format!("depth {depth} "));
                let score = match score {
                    Score::Hundredths(score) => format!("cp {score}"),
                    Score::Expected(score) => format!("expected {:.0}", 1_000.0 * score),
                };
                format!("info {depth}score {score} nodes {nodes} time {} pv {turn}", time.as_millis())
            }
            Protocol::Hub => {
                let depth = depth.map_or_else(String::new, |depth| format!("depth={depth} "));
                let score = match score {
                    Score::Hundredths(score) => score as f32 / 100.0,
                    // The inverse of what turns men into expected results elsewhere.
                    Score::Expected(score) => 4.0 * score.clamp(-0.999, 0.999).atanh(),
                };
                let seconds = time.as_secs_f64();
                let rate = nodes as f64 / seconds.max(1e-6) / 1e6;
                format!("info {depth}score={score:.2} nodes={nodes} time={seconds:.3} nps={rate:.3} pv=\"{turn}\"")
            }
        }
    }

    fn best(&self, turn: &[Action]) -> String {
        match self.protocol {
            Protocol::Ugi => format!("bestmove {}", self.turn(turn)),
            Protocol::Hub => format!("done move={}", self.turn(turn)),
        }
    }
}

/// The answer to one search: the best turn so far, said once.
#[derive(Clone)]
pub struct Answer {
    /// The best turn so far, and what wakes who waits for the answer.
    shared: Arc<(Mutex<Vec<Action>>, Condvar)>,
    /// True once it was said; changed only while the turn is held, read by searches without it.
    given: Arc<AtomicBool>,
    voice: Arc<Voice>,
}

impl Answer {
    /// Begins with a turn that will do.
    #[must_use]
    pub fn new(voice: Voice, turn: Vec<Action>) -> Self {
        Self { shared: Arc::new((Mutex::new(turn), Condvar::new())), given: Arc::default(), voice: Arc::new(voice) }
    }

    /// Takes a better turn and tells what was found out; not after the answer was given.
    pub fn improve(&self, turn: &[Action], info: &Info) {
        let mut best = self.best();
        if !self.is_given() {
            turn.clone_into(&mut best);
            // A closed output ends the engine with its next command.
            let _ = self.voice.output.say(&self.voice.info(turn, info));
        }
    }

    /// Gives the answer, unless it was given.
    ///
    /// # Errors
    /// The output is closed.
    pub fn give(&self) -> io::Result<()> {
        let best = self.best();
        if self.is_given() {
            return Ok(());
        }
        self.end();
        self.voice.output.say(&self.voice.best(&best))
    }

    /// Ends the search without an answer.
    pub fn forget(&self) {
        let _best = self.best();
        self.end();
    }

    /// Called while the best turn is held.
    fn end(&self) {
        self.given.store(true, Ordering::Relaxed);
        self.shared.1.notify_all();
    }

    /// Waits until it is time or the answer was given, and gives it then.
    ///
    /// # Errors
    /// The output is closed.
    pub fn give_at(&self, time: Instant) -> io::Result<()> {
        let left = time.saturating_duration_since(Instant::now());
        let waited = self.shared.1.wait_timeout_while(self.best(), left, |_| !self.is_given());
        drop(waited.expect("nothing panics while it holds the answer"));
        self.give()
    }

    /// Says whether the answer was given.
    #[must_use]
    pub fn is_given(&self) -> bool {
        self.given.load(Ordering::Relaxed)
    }

    /// Gives the flag that is true once the answer was given.
    #[must_use]
    pub fn given(&self) -> Arc<AtomicBool> {
        self.given.clone()
    }

    fn best(&self) -> MutexGuard<'_, Vec<Action>> {
        self.shared.0.lock().expect("nothing panics while it holds the answer")
    }
}
