//! Sessions over HTTP.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use serde::Deserialize;
use utoipa::IntoParams;

use super::Shared;
use super::extract::{Asked, Body, Segment};
use crate::problem::Problem;
use crate::sessions::{Create, Created, Join, Joined, Reply, SessionView, SignedCommand};

/// How long a client may wait for a change.
const PATIENCE: Duration = Duration::from_secs(25);

/// What a session is asked.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct SessionQuery {
    /// Waits up to 25 seconds for a version after this one.
    after: Option<u64>,
    /// A token of the server, where it asks for one.
    #[serde(rename = "access_token")]
    #[expect(dead_code, reason = "the gate has read it")]
    access_token: Option<String>,
}

/// Begins a game.
#[utoipa::path(post, path = "/api/sessions", tag = "sessions", request_body = Create, responses(
    (status = 201, body = Created, links(
        ("session" = (operation_id = "session", parameters(("id" = "$response.body#/session/id")))),
        ("join" = (operation_id = "join", parameters(("id" = "$response.body#/session/id")))),
        ("commands" = (operation_id = "commands", parameters(("id" = "$response.body#/session/id")))),
        ("pdn" = (operation_id = "pdn", parameters(("id" = "$response.body#/session/id")))),
        ("svg" = (operation_id = "svg", parameters(("id" = "$response.body#/session/id")))),
    )),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = 503, body = Problem, content_type = "application/problem+json"),
))]
pub async fn create(
    State(app): State<Shared>,
    Body(asked): Body<Create>,
) -> Result<(StatusCode, Json<Created>), Problem> {
    Ok((StatusCode::CREATED, Json(app.sessions.create(asked).await?)))
}

/// Gives a game, or waits until it has changed.
#[utoipa::path(get, path = "/api/sessions/{id}", tag = "sessions", params(("id" = String, Path, description = "Its name"), SessionQuery), responses(
    (status = 200, body = SessionView),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
))]
pub async fn session(
    State(app): State<Shared>,
    Segment(id): Segment<String>,
    Asked(query): Asked<SessionQuery>,
) -> Result<Json<SessionView>, Problem> {
    let live = app.sessions.get(&id).await?;
    let patience = PATIENCE.min(Duration::from_secs(app.config.limits.request_seconds) / 2);
    Ok(Json(match query.after {
        Some(version) => {
            let mut stopping = app.stopping.subscribe();
            tokio::select! {
                view = app.sessions.after(&live, version, patience) => view,
                _ = stopping.changed() => live.view().await,
            }
        }
        None => live.view().await,
    }))
}

/// Takes an open seat.
#[utoipa::path(post, path = "/api/sessions/{id}/join", tag = "sessions", params(("id" = String, Path, description = "Its name")), request_body = Join, responses(
    (status = 200, body = Joined),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
))]
pub async fn join(
    State(app): State<Shared>,
    Segment(id): Segment<String>,
    Body(asked): Body<Join>,
) -> Result<Json<Joined>, Problem> {
    finished(async move { app.sessions.join(&id, asked).await }).await.map(Json)
}

/// Moves, takes back, resigns, offers or answers a draw, asks for a hint, or begins the next game.
#[utoipa::path(post, path = "/api/sessions/{id}/commands", tag = "sessions", params(("id" = String, Path, description = "Its name")), request_body = SignedCommand, responses(
    (status = 200, body = Reply),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = 503, body = Problem, content_type = "application/problem+json"),
))]
pub async fn commands(
    State(app): State<Shared>,
    Segment(id): Segment<String>,
    Body(signed): Body<SignedCommand>,
) -> Result<Json<Reply>, Problem> {
    let live = app.sessions.get(&id).await?;
    finished(async move { app.sessions.obey(&live, signed).await }).await.map(Json)
}

/// Finishes what was begun, also where the client has gone: memory and store must not part in the middle of a change.
async fn finished<T: Send + 'static>(
    work: impl Future<Output = Result<T, Problem>> + Send + 'static,
) -> Result<T, Problem> {
    tokio::spawn(work).await.map_err(|_| Problem::internal())?
}

/// Gives the games of the series as PDN.
#[utoipa::path(get, path = "/api/sessions/{id}/pdn", tag = "sessions", params(("id" = String, Path, description = "Its name")), responses(
    (status = 200, body = String, content_type = "text/plain"),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
))]
pub async fn pdn(State(app): State<Shared>, Segment(id): Segment<String>) -> Result<impl IntoResponse, Problem> {
    let text = app.sessions.get(&id).await?.pdn().await;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text))
}

/// Draws the board.
#[utoipa::path(get, path = "/api/sessions/{id}/svg", tag = "sessions", params(("id" = String, Path, description = "Its name")), responses(
    (status = 200, body = String, content_type = "image/svg+xml"),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
))]
pub async fn svg(State(app): State<Shared>, Segment(id): Segment<String>) -> Result<impl IntoResponse, Problem> {
    let picture = app.sessions.get(&id).await?.svg().await;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], picture))
}
