//! Sessions in memory: who may do what in them, and who hears of changes.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use damma_env::Side;
use tokio::sync::{Semaphore, watch};

use super::messages::{Command, Create, Created, Join, Joined, Reply, SessionView, SignedCommand};
use super::seat::Seat;
use super::session::{Record, Session};
use crate::analysis::{Analysis, Query, game_of, limits};
use crate::bots::Bots;
use crate::problem::Problem;
use crate::store::Store;
use crate::thinker::Who;

/// How long a session that nobody looks at stays in memory.
pub const IDLE: Duration = Duration::from_mins(2);

/// The sessions of a server.
#[derive(Clone)]
pub struct Sessions(pub(super) Arc<Inner>);

/// What all hands on the sessions share.
pub(super) struct Inner {
    live: Mutex<HashMap<String, Arc<Live>>>,
    store: Store,
    pub(super) bots: Arc<Bots>,
    /// What the baseline may take of the machine.
    pub(super) threads: Arc<Semaphore>,
    most: usize,
    pub(super) most_visits: u32,
    /// When the server began, in milliseconds of Unix time; clocks stood still before.
    started: u64,
}

/// A session in memory.
pub struct Live {
    pub(super) session: tokio::sync::Mutex<Session>,
    /// The version; changes wake who waits.
    pub(super) version: watch::Sender<u64>,
    /// Which decision a bot thinks about, so that it thinks once; 0 for none, also where the bot is gone.
    pub(super) thinking: AtomicU64,
    /// When somebody last asked for it, in milliseconds of Unix time.
    touched: AtomicU64,
}

/// Gives the time in milliseconds of Unix time.
pub(super) fn now() -> u64 {
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
        session.picture()
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
        // Before anything is kept; taking it up looks again.
        self.make_room(&mut self.lock())?;
        let (session, tokens) = Session::create(asked)?;
        self.keep(&session).await?;
        let live = self.take_up(session)?;
        Ok(Created { session: live.view().await, tokens })
    }

    /// Finds a session, in memory or in the store.
    ///
    /// # Errors
    /// There is none of this name, or there is no room for one more in memory.
    pub async fn get(&self, id: &str) -> Result<Arc<Live>, Problem> {
        let live = self.lock().get(id).cloned();
        let live = match live {
            Some(live) => live,
            None => self.take_up(self.restored(id).await?)?,
        };
        live.touched.store(now(), Ordering::Relaxed);
        self.look_at_clock(&live).await;
        Ok(live)
    }

    async fn restored(&self, id: &str) -> Result<Session, Problem> {
        let is_name = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        let document = if is_name { self.0.store.load(id).await? } else { None };
        let document = document.ok_or_else(|| Problem::not_found(format!("there is no session `{id:.40}`")))?;
        let record: Record = serde_json::from_str(&document)
            .map_err(|error| Problem::storage(format!("session {id} cannot be read: {error}")))?;
        Session::restore(record, self.0.started)
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

    /// Does what the person with a token wants. Which sides that person has, and which game of the series is meant,
    /// is looked at together with the change: both may be others a moment later.
    ///
    /// # Errors
    /// The token is nobody's, or the person may not, or not now.
    pub async fn obey(&self, live: &Arc<Live>, signed: SignedCommand) -> Result<Reply, Problem> {
        let mut changes = live.watch();
        let SignedCommand { token, number, command } = signed;
        let (token, mut waits) = (&*token, false);
        match command {
            Command::Move { ply, word, wait } => {
                waits = wait;
                self.change_by(live, token, number, |session, sides, now| session.play(sides, ply, &word, now)).await?;
            }
            Command::Undo {} => self.change_by(live, token, number, Session::undo).await?,
            Command::Resign {} => self.change_by(live, token, number, Session::resign).await?,
            Command::Draw { answer } => {
                self.change_by(live, token, number, |session, sides, now| session.draw(sides, answer, now)).await?;
            }
            Command::Next {} => self.change_by(live, token, number, |session, _, _| session.next()).await?,
            Command::Hint {} => {
                live.sides_of(token).await?;
                return Ok(Reply::Hint { hint: self.hint(live).await? });
            }
            Command::State {} => drop(live.sides_of(token).await?),
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
        swept(&mut self.lock(), idle);
    }

    /// Finds room for one more session in memory.
    fn make_room(&self, live: &mut HashMap<String, Arc<Live>>) -> Result<(), Problem> {
        if live.len() >= self.0.most {
            // Those that nobody looks at this moment.
            swept(live, Duration::ZERO);
        }
        if live.len() >= self.0.most {
            return Err(Problem::busy(format!("{} sessions are played already", self.0.most)));
        }
        Ok(())
    }

    /// Says what a bot would play: the first by name that plays these rules, or the baseline.
    async fn hint(&self, live: &Arc<Live>) -> Result<Analysis, Problem> {
        let session = live.session.lock().await.clone();
        if session.ended().is_some() {
            return Err(Problem::game_over());
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

    /// Changes a session for the person with a token.
    async fn change_by<T>(
        &self,
        live: &Arc<Live>,
        token: &str,
        number: Option<u32>,
        change: impl FnOnce(&mut Session, &[Side], u64) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let by = |session: &mut Session, now: u64| {
            let sides = session.sides_of(token)?;
            session.expect_number(number)?;
            change(session, &sides, now)
        };
        self.change(live, by).await
    }

    /// Changes a session: the change is in the store before anybody hears of it, or it did not happen.
    pub(super) async fn change<T>(
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
    fn take_up(&self, session: Session) -> Result<Arc<Live>, Problem> {
        let id = session.record.id.clone();
        let mut all = self.lock();
        if let Some(live) = all.get(&id) {
            return Ok(live.clone());
        }
        self.make_room(&mut all)?;
        let live = Arc::new(Live::new(session));
        self.follow(&live, &live.session.try_lock().expect("nobody else has it yet"));
        all.insert(id, live.clone());
        Ok(live)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Live>>> {
        self.0.live.lock().expect("nothing panics while it holds the sessions")
    }
}

fn swept(live: &mut HashMap<String, Arc<Live>>, idle: Duration) {
    let oldest = now().saturating_sub(idle.as_millis() as u64);
    live.retain(|_, live| Arc::strong_count(live) > 1 || live.touched.load(Ordering::Relaxed) > oldest);
}
