//! Players that are programs: clients of the text protocol UGI (`docs/protocol.md`).
//!
//! One program a game that is played at a time. What is legal is asked of the rules engine, never
//! of the program: one that crashes, is late or chooses what is not legal loses that game.

mod answer;
mod process;

use std::collections::VecDeque;
use std::fmt;
use std::time::{Duration, Instant};

use damma_env::{Action, Game, PdnResult, Position, State};
use rand_pcg::Pcg64;

use crate::error::EvalError;
use crate::player::{Choice, Decision, Fault, Forfeit, Player};
use crate::turn_line::{parse_turns, turn_words};
use answer::{Answer, Reader};
use process::{Broken, Process};

/// How long a program may take to answer beyond the time that it was told.
const GRACE: Duration = Duration::from_secs(2);

/// How long a program may take to say what it is, and each time to get ready for a game.
const GREETING: Duration = Duration::from_secs(20);

/// How long an engine may think about a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineBudget {
    /// The time it is told.
    pub time: Option<Duration>,
    /// The nodes it is told.
    pub nodes: Option<u64>,
    /// The depth it is told, in turns.
    pub depth: Option<u32>,
    /// When it has lost, where it is told no time.
    pub patience: Duration,
}

impl EngineBudget {
    /// Leaves the engine to its own settings, for a minute a turn at most.
    pub const OWN: Self = Self { time: None, nodes: None, depth: None, patience: Duration::from_mins(1) };

    fn limit(&self) -> Duration {
        self.time.map_or(self.patience, |time| time + GRACE)
    }
}

/// Writes the command that starts the engine's search.
impl fmt::Display for EngineBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        self.time.map_or(Ok(()), |time| write!(f, " movetime {}", time.as_millis()))?;
        self.nodes.map_or(Ok(()), |nodes| write!(f, " nodes {nodes}"))?;
        self.depth.map_or(Ok(()), |depth| write!(f, " depth {depth}"))
    }
}

/// A player whose choices a program makes, or several copies of it.
pub struct EnginePlayer {
    name: String,
    launch: Launch,
    slots: Vec<Slot>,
}

impl EnginePlayer {
    /// Starts a program and hears that it speaks the protocol.
    ///
    /// `command` is the program and its arguments, as a shell would take them.
    ///
    /// # Errors
    /// There is no such program, or it does not answer as an engine does.
    pub fn start(name: &str, command: &str, game: &Game, budget: EngineBudget) -> Result<Self, EvalError> {
        let fail = |what: String| EvalError::Engine { command: command.to_owned(), what };
        let words = shlex::split(command).ok_or_else(|| fail("its quotes do not match".to_owned()))?;
        if words.is_empty() {
            return Err(fail("it names no program".to_owned()));
        }
        let launch = Launch { words, settings: settings(game), budget };
        let process = launch.start().map_err(|broken| fail(broken.detail))?;
        Ok(Self { name: name.to_owned(), launch, slots: vec![Slot { process: Some(process), ..Slot::default() }] })
    }
}

impl Player for EnginePlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    /// # Panics
    /// The program fails: only [`Player::decide`] can say so.
    fn choose(&mut self, game: &Game, states: &[&State], rngs: &mut [Pcg64]) -> Vec<Action> {
        // Which games these are is not known, so nothing of other ones may be left.
        for slot in &mut self.slots {
            slot.game = None;
            slot.turn.clear();
        }
        let decision = |(slot, state)| {
            let state: &State = state;
            Decision { game: usize::MAX, slot, start: state.position(), actions: &[], state }
        };
        let decisions: Vec<Decision> = states.iter().copied().enumerate().map(decision).collect();
        let answers = self.decide(game, &decisions, rngs);
        answers.into_iter().map(|answer| answer.expect("the engine works").action).collect()
    }

    fn decide(&mut self, game: &Game, decisions: &[Decision<'_>], _: &mut [Pcg64]) -> Vec<Result<Choice, Forfeit>> {
        let most = decisions.iter().map(|decision| decision.slot + 1).max().unwrap_or(0);
        if self.slots.len() < most {
            self.slots.resize_with(most, Slot::default);
        }
        let launch = &self.launch;
        let of_slot = |slot: usize| decisions.iter().position(|decision| decision.slot == slot);
        let asked = self.slots.iter_mut().enumerate().filter_map(|(slot, own)| Some((of_slot(slot)?, own)));
        let mut answers: Vec<(usize, Result<Choice, Forfeit>)> = std::thread::scope(|scope| {
            let threads: Vec<_> = asked
                .map(|(place, slot)| scope.spawn(move || (place, slot.decide(launch, game, &decisions[place]))))
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("asking an engine does not panic")).collect()
        });
        answers.sort_by_key(|(place, _)| *place);
        answers.into_iter().map(|(_, answer)| answer).collect()
    }
}

/// How the program is started.
struct Launch {
    words: Vec<String>,
    /// The options that say which game is played.
    settings: Vec<(&'static str, String)>,
    budget: EngineBudget,
}

impl Launch {
    fn start(&self) -> Result<Process, Broken> {
        let mut process = Process::start(&self.words)?;
        process.send("ugi")?;
        let mut options = Vec::new();
        process.wait_for(Instant::now() + GREETING, |line| {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("option") => options.extend(words.nth(1).map(str::to_owned)),
                Some("ugiok") => return Some(()),
                _ => {}
            }
            None
        })?;
        // A program without these options plays one game only: its moves will show which.
        for (name, value) in &self.settings {
            if options.iter().any(|option| option == name) {
                process.send(&format!("setoption name {name} value {value}"))?;
            }
        }
        let refused = get_ready(&mut process)?;
        refused.map_or(Ok(process), |detail| Err(Broken { fault: Fault::Crash, detail }))
    }
}

/// Waits until the program has taken everything in; gives what it objects to.
fn get_ready(process: &mut Process) -> Result<Option<String>, Broken> {
    process.send("isready")?;
    let mut refused = None;
    process.wait_for(Instant::now() + GREETING, |line| {
        if let Some(what) = line.strip_prefix("info string error") {
            refused.get_or_insert_with(|| format!("it says: {}", what.trim_start_matches([':', ' '])));
        }
        (line == "readyok").then_some(())
    })?;
    Ok(refused)
}

/// Says which game is played, as the options of the protocol do.
fn settings(game: &Game) -> Vec<(&'static str, String)> {
    let pdn = game.record_pdn(&game.start(), &[], PdnResult::Unknown, &[]);
    let overrides = pdn.tag("RulesetOverrides").unwrap_or("none").to_owned();
    vec![("Preset", pdn.tag("Ruleset").unwrap_or("damma8").to_owned()), ("Set", overrides)]
}

/// The program of one game at a time.
#[derive(Default)]
struct Slot {
    process: Option<Process>,
    game: Option<usize>,
    /// The rest of the turn that it chose.
    turn: VecDeque<Action>,
}

impl Slot {
    fn decide(&mut self, launch: &Launch, game: &Game, decision: &Decision<'_>) -> Result<Choice, Forfeit> {
        let same = self.game.replace(decision.game) == Some(decision.game);
        if let Some(action) = self.turn.pop_front().filter(|_| same) {
            return Ok(Choice::of(action));
        }
        self.turn.clear();
        let chosen = self.ask(launch, game, decision, same);
        if chosen.as_ref().is_err_and(|forfeit| forfeit.fault != Fault::IllegalMove) {
            // Dropped and with that ended; the next game gets a new one.
            self.process = None;
        }
        chosen
    }

    fn ask(&mut self, launch: &Launch, game: &Game, decision: &Decision<'_>, same: bool) -> Result<Choice, Forfeit> {
        if self.process.is_none() {
            self.process = Some(launch.start()?);
        }
        let process = self.process.as_mut().expect("it was just started");
        if !same {
            process.send("uginewgame")?;
            get_ready(process)?;
        }
        process.send(&position_line(game, decision))?;
        process.send(&launch.budget.to_string())?;
        let begun = Instant::now();
        let mut reader = Reader::default();
        let Answer { turn, opinion, nodes } =
            process.wait_for(begun + launch.budget.limit(), |line| reader.read(line))?;
        let spent = Some(begun.elapsed());
        let mut actions = parse_turns(game, decision.state.position(), [turn.as_str()]).map_err(|error| Forfeit {
            fault: Fault::IllegalMove,
            detail: format!(
                "it chose `{turn}` in `{}`: {}",
                game.position_text(decision.state.position()),
                error.reason
            ),
        })?;
        let action = actions.remove(0);
        self.turn.extend(actions);
        Ok(Choice { action, opinion, nodes, spent })
    }
}

/// Writes where the game stands: the start and every turn since, so that repetitions count.
fn position_line(game: &Game, decision: &Decision<'_>) -> String {
    let position = decision.state.position();
    let placed = |start: &Position| format!("position fen {}", game.position_text(start));
    // A turn half played can only be told as a position.
    if position.chain().is_some() || position.has_progressed() {
        return placed(position);
    }
    let start = if *decision.start == game.start() { "position startpos".to_owned() } else { placed(decision.start) };
    let words = turn_words(game, decision.start, decision.actions);
    if words.is_empty() { start } else { format!("{start} moves {}", words.join(" ")) }
}
