//! Sessions over a WebSocket: the same commands, and news without asking.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Extension;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{ConnectInfo, State};
use axum::response::IntoResponse;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::mpsc;
use utoipa::IntoParams;

use super::Shared;
use super::extract::{Asked, Segment};
use crate::limits::Place;
use crate::problem::Problem;
use crate::sessions::{Command, Live, Push, Reply, SignedCommand};

/// Time between two pings.
const PING: Duration = Duration::from_secs(20);

/// Time after which a client that says nothing is taken to be gone.
const SILENCE: Duration = Duration::from_mins(1);

/// Time in which a client must take a message.
const PATIENCE: Duration = Duration::from_secs(10);

/// The longest message of a client, in bytes.
const LONGEST: usize = 16_384;

/// Commands of one socket that may be in hand.
const IN_HAND: usize = 8;

/// Who opens a socket.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct SocketQuery {
    /// A person's token; without one the socket only watches.
    token: Option<String>,
    /// A token of the server, where it asks for one.
    #[serde(rename = "access_token")]
    #[expect(dead_code, reason = "the gate has read it")]
    access_token: Option<String>,
}

/// A command, and what the client calls it.
#[derive(Deserialize)]
struct Numbered {
    #[serde(default)]
    id: Option<Value>,
    #[serde(default)]
    number: Option<u32>,
    #[serde(flatten)]
    command: Command,
}

/// Opens a WebSocket: `Command`s go up, `Push`es come down.
#[utoipa::path(get, path = "/api/sessions/{id}/socket", tag = "sessions", params(("id" = String, Path, description = "The session's name"), SocketQuery), responses(
    (status = 101, description = "The socket is open"),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
))]
pub async fn open(
    State(app): State<Shared>,
    ConnectInfo(client): ConnectInfo<SocketAddr>,
    Segment(id): Segment<String>,
    Asked(query): Asked<SocketQuery>,
    Extension(place): Extension<Place>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<impl IntoResponse, Problem> {
    let upgrade = upgrade.map_err(|error| Problem::upgrade(error.status(), error.body_text()))?;
    let live = app.sessions.get(&id).await?;
    if let Some(token) = &query.token {
        live.sides_of(token).await?;
    }
    let upgrade = upgrade.max_message_size(LONGEST).max_frame_size(LONGEST);
    Ok(upgrade.on_upgrade(move |socket| async move {
        app.metrics.sockets.inc();
        let talk = Talk { app: app.clone(), client, live, token: query.token };
        talk.run(socket).await;
        app.metrics.sockets.dec();
        drop(place);
    }))
}

/// A conversation over a socket.
struct Talk {
    app: Shared,
    client: SocketAddr,
    live: Arc<Live>,
    token: Option<String>,
}

impl Talk {
    async fn run(mut self, mut socket: WebSocket) {
        let mut changes = self.live.watch();
        changes.mark_changed();
        let (answers, mut waiting) = mpsc::channel::<Push>(IN_HAND);
        let mut ping = tokio::time::interval(PING);
        let mut heard = tokio::time::Instant::now();
        let mut stopping = self.app.stopping.subscribe();
        // Two changes close together are told once: what is told first may be newer than what woke us.
        let mut told = None;
        loop {
            let push = tokio::select! {
                news = changes.changed() => {
                    if news.is_err() {
                        return;
                    }
                    let session = self.live.view().await;
                    let news = Some((session.version, session.thinking));
                    if news == told {
                        continue;
                    }
                    told = news;
                    Push::State { session }
                }
                Some(push) = waiting.recv() => push,
                _ = stopping.changed() => {
                    let frame = CloseFrame { code: close_code::AWAY, reason: "the server stops".into() };
                    let _ = socket.send(Message::Close(Some(frame))).await;
                    return;
                }
                _ = ping.tick() => {
                    if heard.elapsed() > SILENCE || !sent(&mut socket, Message::Ping(Vec::new().into())).await {
                        return;
                    }
                    continue;
                }
                message = socket.recv() => {
                    heard = tokio::time::Instant::now();
                    match message {
                        Some(Ok(Message::Text(text))) => match self.hear(text.as_str(), &answers).await {
                            Some(push) => push,
                            None => continue,
                        },
                        Some(Ok(Message::Binary(_))) => refusal(None, Problem::invalid("message", "send text")),
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                        Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                    }
                }
            };
            let text = serde_json::to_string(&push).expect("a message is plain data");
            if !sent(&mut socket, Message::Text(text.into())).await {
                return;
            }
        }
    }

    /// Hears a message; what takes time is answered through the channel.
    async fn hear(&mut self, text: &str, answers: &mpsc::Sender<Push>) -> Option<Push> {
        if let Err(problem) = self.app.gate.count(self.client.ip()) {
            return Some(refusal(None, problem));
        }
        let Numbered { id, number, command } = match serde_json::from_str(text) {
            Ok(numbered) => numbered,
            Err(error) => {
                let id = serde_json::from_str::<Value>(text).ok().and_then(|value| value.get("id").cloned());
                return Some(refusal(id, Problem::invalid("message", error)));
            }
        };
        if matches!(command, Command::State {}) {
            return Some(Push::State { session: self.live.view().await });
        }
        let Some(token) = &self.token else {
            return Some(refusal(id, Problem::forbidden("a socket without a token only watches")));
        };
        let Ok(permit) = answers.clone().try_reserve_owned() else {
            return Some(refusal(id, Problem::too_many(1)));
        };
        let (app, live) = (self.app.clone(), self.live.clone());
        let signed = SignedCommand { token: token.clone(), number, command };
        tokio::spawn(async move {
            // What has changed is told to everybody by the session itself.
            match app.sessions.obey(&live, signed).await {
                Ok(Reply::Session(_)) => {}
                Ok(Reply::Hint { hint }) => drop(permit.send(Push::Hint { id, hint })),
                Err(problem) => drop(permit.send(refusal(id, problem))),
            }
        });
        None
    }
}

fn refusal(id: Option<Value>, problem: Problem) -> Push {
    Push::Error { id, problem }
}

/// Sends a message; `false` where the client is gone or does not take it.
async fn sent(socket: &mut WebSocket, message: Message) -> bool {
    tokio::time::timeout(PATIENCE, socket.send(message)).await.is_ok_and(|sent| sent.is_ok())
}
