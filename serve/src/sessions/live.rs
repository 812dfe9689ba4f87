//! Sessions in memory: who hears of changes, bots that move, clocks that run out.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use damma_env::Side;
use rand_pcg::Pcg64;
use tokio::sync::{Semaphore, watch};

use super::messages::{Command, Create, Created, Join, Joined, Reply, SessionView};
use super::seat::Seat;
use super::session::{Record, Session};
use crate::analysis::{Analysis, Query, game_of, limits};
use crate::bots::Bots;
use crate::problem::Problem;
use crate::store::Store;
use crate::thinker::{Choosing, Thought, Who};

/// How long a session that nobody looks at stays in memory.
pub const IDLE: Duration = Duration::from_mins(2);

/// Time after which a bot that found no room tries again; each time twice as long, up to the second.
const RETRY: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(3)];

/// Part of the time left that a bot takes for a turn, as one over this.
const TURNS_TO_COME: u64 = 30;

/// How much better than even a bot may think that it stands and still take a draw.
const CONTENT: f32 = 0.05;

/// The sessions of a server.
#[derive(Clone)]
pub struct Sessions(Arc<Inner>);

struct Inner {
    live: Mutex<HashMap<String, Arc<Live>>>,
    store: Store,
    bots: Arc<Bots>,
    /// What the baseline may take of the machine.
    threads: Arc<Semaphore>,
    most: usize,
    most_visits: u32,
    /// When the server began, in milliseconds of Unix time; clocks stood still before.
    started: u64,
}

/// A session in memory.
pub struct Live {
    session: tokio::sync::Mutex<Session>,
    /// The version; changes wake who waits.
    version: watch::Sender<u64>,
    /// Which decision a bot thinks about, so that it thinks once; 0 for none, also where the bot is gone.
    thinking: AtomicU64,
    /// When somebody last asked for it, in milliseconds of Unix time.
    touched: AtomicU64,
}

/// Gives the time in milliseconds of Unix time.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

impl Live {
    fn new(session: Session) -> Self {
        let version = watch::Sender::new(session.record.version);
        let (thinking, touched) = (AtomicU64::new(0), AtomicU64::new(now()));
        Self { session: tokio::sync::Mutex::new(session), version, thinking, touched }
    }

    /// Hears of changes.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// Shows the session as it is now.
    pub async fn view(&self) -> SessionView {
        let session = self.session.lock().await;
        session.view(self.thinking.load(Ordering::Relaxed) != 0, now())
    }

    /// Gives the sides that a token may act for.
    ///
    /// # Errors
    /// It is nobody's.
    pub async fn sides_of(&self, token: &str) -> Result<Vec<Side>, Problem> {
        self.session.lock().await.sides_of(token)
    }

    /// Writes the games of the series as PDN.
    pub async fn pdn(&self) -> String {
        self.session.lock().await.series_pdn()
    }

    /// Draws the board.
    pub async fn svg(&self) -> String {
        let session = self.session.lock().await;
        let (white, black) = (session.seat(Side::White).name(), session.seat(Side::Black).name());
        crate::picture::drawn(&session.game, session.line.state.position(), &format!("{white} - {black}"))
    }
}

impl Sessions {
    /// Makes room for sessions.
    #[must_use]
    pub fn new(store: Store, bots: Arc<Bots>, threads: Arc<Semaphore>, most: usize, most_visits: u32) -> Self {
        Self(Arc::new(Inner { live: Mutex::default(), store, bots, threads, most, most_visits, started: now() }))
    }

    /// Counts the sessions in memory.
    #[must_use]
    pub fn count(&self) -> usize {
        self.lock().len()
    }

    /// Begins a session.
    ///
    /// # Errors
    /// A field is wrong, or there is no room.
    pub async fn create(&self, asked: Create) -> Result<Created, Problem> {
        for (field, seat) in [("white", &asked.white), ("black", &asked.black)] {
            self.check_seat(seat, &asked).map_err(|problem| problem.of(field))?;
        }
        if self.count() >= self.0.most {
            // Whoever nobody looks at this moment makes room.
            self.sweep(Duration::ZERO);
        }
        if self.count() >= self.0.most {
            return Err(Problem::busy(format!("{} sessions are played already", self.0.most)));
        }
        let (session, tokens) = Session::create(asked)?;
        self.keep(&session).await?;
        let live = self.take_up(session);
        Ok(Created { session: live.view().await, tokens })
    }

    /// Finds a session, in memory or in the store.
    ///
    /// # Errors
    /// There is none of this name.
    pub async fn get(&self, id: &str) -> Result<Arc<Live>, Problem> {
        if let Some(live) = self.lock().get(id) {
            live.touched.store(now(), Ordering::Relaxed);
            return Ok(live.clone());
        }
        let unknown = || Problem::not_found(format!("there is no session `{id:.40}`"));
        let is_name = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        let document = if is_name { self.0.store.load(id).await? } else { None };
        let document = document.ok_or_else(unknown)?;
        let record: Record = serde_json::from_str(&document)
            .map_err(|error| Problem::storage(format!("session {id} cannot be read: {error}")))?;
        Ok(self.take_up(Session::restore(record, self.0.started)?))
    }

    /// Seats a person.
    ///
    /// # Errors
    /// There is no such session, or the seat is taken.
    pub async fn join(&self, id: &str, asked: Join) -> Result<Joined, Problem> {
        let live = self.get(id).await?;
        let token = self.change(&live, |session, _| session.join(asked.side.into(), asked.name)).await?;
        Ok(Joined { session: live.view().await, token })
    }

    /// Does what a person wants.
    ///
    /// # Errors
    /// The person may not, or not now.
    pub async fn obey(&self, live: &Arc<Live>, sides: &[Side], command: Command) -> Result<Reply, Problem> {
        let mut changes = live.watch();
        let mut waits = false;
        match command {
            Command::Move { ply, word, wait } => {
                waits = wait;
                self.change(live, |session, now| session.play(sides, ply, &word, now)).await?;
            }
            Command::Undo {} => self.change(live, |session, now| session.undo(sides, now)).await?,
            Command::Resign {} => self.change(live, |session, now| session.resign(sides, now)).await?,
            Command::Draw { answer } => self.change(live, |session, now| session.draw(sides, answer, now)).await?,
            Command::Next {} => self.change(live, |session, _| session.next()).await?,
            Command::Hint {} => return Ok(Reply::Hint { hint: self.hint(live).await? }),
            Command::State {} => {}
        }
        loop {
            changes.mark_unchanged();
            let view = live.view().await;
            if !(waits && view.thinking) {
                return Ok(Reply::Session(view));
            }
            // The sender lives as long as `live`.
            let _ = changes.changed().await;
        }
    }

    /// Waits for a version after this one, for so long at most.
    pub async fn after(&self, live: &Arc<Live>, version: u64, patience: Duration) -> SessionView {
        let mut changes = live.watch();
        let _ = tokio::time::timeout(patience, changes.wait_for(|now| *now > version)).await;
        live.view().await
    }

    /// Takes sessions out of memory that nobody has looked at for so long; they are all in the store.
    pub fn sweep(&self, idle: Duration) {
        let oldest = now().saturating_sub(idle.as_millis() as u64);
        self.lock().retain(|_, live| {
            let is_idle = Arc::strong_count(live) == 1 && live.touched.load(Ordering::Relaxed) <= oldest;
            !is_idle
        });
    }

    /// Says what a bot of this game would play: the one in the session, or any that knows it, or the baseline.
    async fn hint(&self, live: &Arc<Live>) -> Result<Analysis, Problem> {
        let session = live.session.lock().await.clone();
        if session.ended().is_some() {
            return Err(Problem::game_over(axum::http::StatusCode::CONFLICT));
        }
        let plays = |bot: &Arc<crate::bots::Bot>| bot.game.ruleset() == session.game.ruleset();
        let bot = self.0.bots.all().into_iter().find(plays).map_or_else(|| "ab-4".to_owned(), |bot| bot.name.clone());
        let who = Who::named(&self.0.bots, &self.0.threads, &bot)?;
        let moves = damma_eval::turn_words(&session.game, &session.line.start, &session.line.actions);
        let position = Some(session.game.position_text(&session.line.start));
        let game = Some(crate::spec::GameSpec::of(&session.game));
        let query = Query { bot, game, position, moves, lines: Some(3), ..Query::default() };
        query.check(who, self.0.most_visits)?.answer(|_| ()).await
    }

    /// Checks that a bot can play here.
    fn check_seat(&self, seat: &Seat, asked: &Create) -> Result<(), Problem> {
        let Seat::Bot { bot, level, visits, milliseconds } = seat else { return Ok(()) };
        let who = Who::named(&self.0.bots, &self.0.threads, bot)?;
        game_of(&who, Some(&asked.game))?;
        who.takes(*visits, *level)?;
        limits(*visits, *milliseconds, *level, self.0.most_visits)?;
        Ok(())
    }

    /// Changes a session: the change is in the store before anybody hears of it, or it did not happen.
    async fn change<T>(
        &self,
        live: &Arc<Live>,
        change: impl FnOnce(&mut Session, u64) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let mut session = live.session.lock().await;
        let mut next = session.clone();
        // A clock that has run out ends the game before anything else does.
        next.look_at_clock(now());
        let mut tried = next.clone();
        let result = change(&mut tried, now());
        if result.is_ok() {
            next = tried;
        }
        if next.record.version != session.record.version {
            self.keep(&next).await?;
            let version = next.record.version;
            *session = next;
            self.follow(live, &session);
            live.version.send_replace(version);
        }
        result
    }

    async fn keep(&self, session: &Session) -> Result<(), Problem> {
        let document = serde_json::to_string(&session.record).expect("a record is plain data");
        self.0.store.save(&session.record.id, document, session.ended().is_some()).await
    }

    /// Puts a session in memory; who comes second gets the first one's.
    fn take_up(&self, session: Session) -> Arc<Live> {
        let id = session.record.id.clone();
        let mut all = self.lock();
        let live = all.entry(id).or_insert_with(|| {
            let live = Arc::new(Live::new(session));
            self.follow(&live, &live.session.try_lock().expect("nobody else has it yet"));
            live
        });
        live.clone()
    }

    /// Sets off what a session needs next: a bot's move or answer, and an eye on the clock.
    fn follow(&self, live: &Arc<Live>, session: &Session) {
        let decision = session.bot_to_move().map_or(0, |_| key_of(session));
        if live.thinking.swap(decision, Ordering::Relaxed) != decision && decision != 0 {
            tokio::spawn(self.clone().bot_moves(live.clone(), decision));
        }
        let offered = session.record.draw_offer.map(Side::opponent);
        if offered.is_some_and(|side| matches!(session.seat(side), Seat::Bot { .. })) {
            tokio::spawn(self.clone().bot_answers(live.clone()));
        }
        if let Some(left) = session.flag_in(now()) {
            tokio::spawn(self.clone().flag_falls(Arc::downgrade(live), live.watch(), session.record.version, left));
        }
    }

    async fn bot_moves(self, live: Arc<Live>, decision: u64) {
        let [mut wait, longest] = RETRY;
        let thought = loop {
            let session = live.session.lock().await.clone();
            if key_of(&session) != decision || session.bot_to_move().is_none() {
                return;
            }
            match self.think(&session, session.side(), None).await {
                Ok(thought) => break thought,
                Err(problem) if problem.status == 503 => {
                    tokio::time::sleep(wait).await;
                    wait = longest.min(2 * wait);
                }
                Err(problem) => {
                    tracing::error!(session = session.record.id, "the bot cannot move: {}", problem.detail);
                    // Whoever waits for the move is told that none comes.
                    let _ = live.thinking.compare_exchange(decision, 0, Ordering::Relaxed, Ordering::Relaxed);
                    live.version.send_modify(|_| ());
                    return;
                }
            }
        };
        wait = RETRY[0];
        loop {
            let play = |session: &mut Session, now: u64| {
                if key_of(session) == decision && session.bot_to_move().is_some() {
                    session.play_bot(&thought.turn, now);
                }
                Ok(())
            };
            match self.change(&live, play).await {
                Ok(()) => return,
                // A full disk or queue: the move is made as soon as it can be kept.
                Err(problem) => {
                    if wait == RETRY[0] {
                        tracing::warn!("a bot's move waits: {}", problem.detail);
                    }
                    tokio::time::sleep(wait).await;
                    wait = longest.min(2 * wait);
                }
            }
        }
    }

    async fn bot_answers(self, live: Arc<Live>) {
        let session = live.session.lock().await.clone();
        let Some(by) = session.record.draw_offer else { return };
        let thought = self.think(&session, by.opponent(), Some(200)).await;
        let accepts = thought.is_ok_and(|thought| thought.value.for_side(by.opponent()) < CONTENT);
        let answer = |session: &mut Session, now: u64| {
            if session.record.draw_offer == Some(by) {
                session.answer_draw(accepts, now);
            }
            Ok(())
        };
        if let Err(problem) = self.change(&live, answer).await {
            tracing::warn!("a bot's answer is lost: {}", problem.detail);
        }
    }

    /// Ends the game when the clock that runs now is at its end, unless something happens before, or nobody looks:
    /// then whoever looks next finds it ended.
    async fn flag_falls(self, live: Weak<Live>, mut changes: watch::Receiver<u64>, version: u64, left: u64) {
        let other = changes.wait_for(|now| *now != version);
        // One millisecond more: the clock is at its end, not before it.
        let fell = tokio::time::timeout(Duration::from_millis(left + 1), other).await.is_err();
        if let (true, Some(live)) = (fell, live.upgrade()) {
            let _ = self.change(&live, |_, _| Ok(())).await;
        }
    }

    /// Lets the bot on a side think about the position.
    async fn think(&self, session: &Session, side: Side, visits: Option<u32>) -> Result<Thought, Problem> {
        let Seat::Bot { bot, level, visits: own, milliseconds } = session.seat(side) else {
            return Err(Problem::internal());
        };
        let who = Who::named(&self.0.bots, &self.0.threads, bot)?;
        // The bot of this name may play another game by now.
        game_of(&who, Some(&session.record.game))?;
        let (mut budget, level) = match visits {
            Some(visits) => limits(Some(visits.min(self.0.most_visits)), None, None, self.0.most_visits)?,
            None => limits(*own, *milliseconds, *level, self.0.most_visits)?,
        };
        if let Some(left) = session.flag_in(now()) {
            let share = Duration::from_millis((left / TURNS_TO_COME).max(10));
            budget.time = Some(budget.time.map_or(share, |time| time.min(share)));
        }
        let choosing = match level {
            Some(level) => {
                let mut hasher = DefaultHasher::new();
                session.record.id.hash(&mut hasher);
                Choosing::Level(level, Box::new(Pcg64::new(hasher.finish().into(), key_of(session).into())))
            }
            None => Choosing::Best,
        };
        who.think(&session.game, &session.line.state, budget, choosing, |_, _| ()).await
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Live>>> {
        self.0.live.lock().expect("nothing panics while it holds the sessions")
    }
}

/// Tells decisions of a session apart; never 0.
fn key_of(session: &Session) -> u64 {
    let mut hasher = DefaultHasher::new();
    session.record.series[1].hash(&mut hasher);
    session.line.actions.iter().for_each(|action| hasher.write_u16(action.0));
    hasher.finish().max(1)
}
