//! What sessions need done without being asked: bots that move and answer, clocks that run out.
//!
//! An errand holds its session only while it looks at it: a session that nobody looks at leaves memory, and what it
//! needed is begun again when somebody comes back.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Duration;

use damma_env::{Action, Side};
use rand_pcg::Pcg64;
use tokio::sync::watch;

use super::live::{Live, Sessions, now};
use super::seat::Seat;
use super::session::Session;
use crate::analysis::{game_of, limits};
use crate::problem::Problem;
use crate::thinker::{Choosing, Thought, Who};

/// Time after which what found no room is tried again; each time twice as long, up to the second.
const RETRY: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(3)];

/// How much better than even a bot may think that it stands and still take a draw.
const CONTENT: f32 = 0.05;

/// Simulations for an answer to a draw offer.
const ANSWER_VISITS: u32 = 200;

/// Pauses between tries, each longer than the one before.
struct Pauses(Duration);

impl Pauses {
    const fn new() -> Self {
        Self(RETRY[0])
    }

    fn is_first(&self) -> bool {
        self.0 == RETRY[0]
    }

    async fn pause(&mut self) {
        tokio::time::sleep(self.0).await;
        self.0 = RETRY[1].min(2 * self.0);
    }
}

impl Sessions {
    /// Sets off what a session needs next: a bot's move or answer, and an eye on the clock.
    pub(super) fn follow(&self, live: &Arc<Live>, session: &Session) {
        let decision = session.bot_to_move().map_or(0, |_| key_of(session));
        if live.thinking.swap(decision, Ordering::Relaxed) != decision && decision != 0 {
            tokio::spawn(self.clone().bot_moves(Arc::downgrade(live), decision));
        }
        let offered = session.record.draw_offer.map(Side::opponent);
        if offered.is_some_and(|side| matches!(session.seat(side), Seat::Bot { .. })) {
            tokio::spawn(self.clone().bot_answers(live.clone()));
        }
        if let Some(left) = session.flag_in(now()) {
            let version = session.record.version;
            tokio::spawn(self.clone().flag_falls(Arc::downgrade(live), live.watch(), version, left));
        }
    }

    async fn bot_moves(self, live: Weak<Live>, decision: u64) {
        let Some(turn) = self.bot_thinks(&live, decision).await else { return };
        let mut pauses = Pauses::new();
        while let Some(live) = live.upgrade() {
            let play = |session: &mut Session, now: u64| {
                if key_of(session) == decision && session.bot_to_move().is_some() {
                    session.play_bot(&turn, now);
                }
                Ok(())
            };
            // A full disk or queue: the move is made as soon as it can be kept.
            let Err(problem) = self.change(&live, play).await else { return };
            drop(live);
            if pauses.is_first() {
                tracing::warn!("a bot's move waits: {}", problem.detail);
            }
            pauses.pause().await;
        }
    }

    /// Finds the bot's turn; nothing where it is not wanted any more, or the bot cannot think.
    async fn bot_thinks(&self, live: &Weak<Live>, decision: u64) -> Option<Vec<Action>> {
        let mut pauses = Pauses::new();
        loop {
            let session = live.upgrade()?.session.lock().await.clone();
            if key_of(&session) != decision || session.bot_to_move().is_none() {
                return None;
            }
            match self.think(&session, session.side(), None).await {
                Ok(thought) => return Some(thought.turn),
                Err(problem) if problem.status == 503 => pauses.pause().await,
                Err(problem) => {
                    tracing::error!(session = session.record.id, "the bot cannot move: {}", problem.detail);
                    // Whoever waits for the move is told that none comes.
                    let live = live.upgrade()?;
                    let _ = live.thinking.compare_exchange(decision, 0, Ordering::Relaxed, Ordering::Relaxed);
                    live.version.send_modify(|_| ());
                    return None;
                }
            }
        }
    }

    async fn bot_answers(self, live: Arc<Live>) {
        let session = live.session.lock().await.clone();
        let Some(by) = session.record.draw_offer else { return };
        let thought = self.think(&session, by.opponent(), Some(ANSWER_VISITS)).await;
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
        // One millisecond more: the clock is at its end, not before it.
        let mut patience = Duration::from_millis(left + 1);
        while tokio::time::timeout(patience, changes.wait_for(|now| *now != version)).await.is_err() {
            let Some(live) = live.upgrade() else { return };
            self.look_at_clock(&live).await;
            let left = live.session.lock().await.flag_in(now());
            // The time of day was set back, or what happened cannot be kept yet.
            patience = Duration::from_millis(left.unwrap_or(0)).max(RETRY[0]);
        }
    }

    /// Ends the game if the clock that runs is at its end.
    pub(super) async fn look_at_clock(&self, live: &Arc<Live>) {
        if live.session.lock().await.flag_in(now()) == Some(0) {
            // What cannot be kept now is tried again when the flag is looked at next.
            let _ = self.change(live, |_, _| Ok(())).await;
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
        let most = self.0.most_visits;
        let (mut budget, level) = match visits {
            Some(visits) => limits(Some(visits.min(most)), None, None, most)?,
            None => limits(*own, *milliseconds, *level, most)?,
        };
        if let Some(share) = session.share_of_clock(now()) {
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
}

/// Tells decisions of a session apart; never 0.
fn key_of(session: &Session) -> u64 {
    let mut hasher = DefaultHasher::new();
    session.record.series[1].hash(&mut hasher);
    session.line.actions.iter().for_each(|action| hasher.write_u16(action.0));
    hasher.finish().max(1)
}
