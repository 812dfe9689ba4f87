//! Positions and analysis, without a session.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Json;
use axum::body::{Body as Stream, Bytes};
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use damma_env::PdnResult;
use damma_eval::turn_words;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::ToSchema;

use super::Shared;
use super::extract::Body;
use crate::analysis::{Analysis, Query};
use crate::problem::Problem;
use crate::spec::{GameSpec, Line};
use crate::thinker::Who;
use crate::view::{Last, Places, View};

/// The most queries of one stream.
const MOST_QUERIES: usize = 1_000;

/// Lines that may wait for a slow client before searches wait for it.
const WAITING: usize = 64;

/// Plays moves through the rules.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionQuery {
    /// Which game.
    pub game: GameSpec,
    /// The position as text; the start unless given.
    #[serde(default)]
    pub position: Option<String>,
    /// Turns or actions from there on; the last turn may be unfinished.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// Where moves lead.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct PositionAnswer {
    /// The position, and what may be done in it.
    pub view: View,
    /// The moves as turns.
    pub turns: Vec<String>,
    /// Where they began, as text.
    pub start: String,
    /// The turn played last.
    pub last: Option<Last>,
    /// The moves as PDN.
    pub pdn: String,
}

/// Plays moves through the rules, or checks a position that somebody set up.
#[utoipa::path(post, path = "/api/positions", tag = "analysis", request_body = PositionQuery, responses(
    (status = 200, body = PositionAnswer),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
))]
pub async fn positions(Body(query): Body<PositionQuery>) -> Result<Json<PositionAnswer>, Problem> {
    let game = query.game.game()?;
    let line = Line::read(&game, query.position.as_deref(), &query.moves)?;
    let places = Places::new(&game);
    Ok(Json(PositionAnswer {
        view: places.view(&line.state),
        turns: turn_words(&game, &line.start, &line.actions),
        start: game.position_text(&line.start),
        last: places.last(&line.start, &line.actions),
        pdn: game.record_pdn(&line.start, &line.actions, PdnResult::of(&game, line.state.outcome()), &[]).to_string(),
    }))
}

/// Says what a bot thinks of a position.
#[utoipa::path(post, path = "/api/analyze", tag = "analysis", request_body = Query, responses(
    (status = 200, body = Analysis),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = 503, description = "No room; `Retry-After` says when to come back", body = Problem, content_type = "application/problem+json"),
))]
pub async fn analyze(State(app): State<Shared>, Body(query): Body<Query>) -> Result<Json<Analysis>, Problem> {
    answer(&app, query, |_| ()).await.map(Json)
}

async fn answer(app: &Shared, query: Query, update: impl FnMut(Analysis)) -> Result<Analysis, Problem> {
    let who = Who::named(&app.bots, &app.threads, &query.bot)?;
    query.check(who, app.config.limits.visits)?.answer(update).await
}

/// Says what bots think of many positions, each a line, as they come to think it.
#[utoipa::path(post, path = "/api/analyze/stream", tag = "analysis",
    request_body(content = String, content_type = "application/x-ndjson", description = "A query a line, as /api/analyze takes them"),
    responses(
        (status = 200, description = "An Analysis a line, or {id, problem}", body = String, content_type = "application/x-ndjson"),
        (status = "4XX", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn stream(State(app): State<Shared>, body: Result<Bytes, BytesRejection>) -> Result<Response, Problem> {
    let body = body?;
    let lines = body.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.trim_ascii().is_empty());
    let queries: Vec<_> = lines.map(|(index, line)| read_line(index + 1, line)).collect();
    if queries.is_empty() || queries.len() > MOST_QUERIES {
        return Err(Problem::invalid(
            "body",
            format!("{} queries; give 1 to {MOST_QUERIES}, a line each", queries.len()),
        ));
    }
    let (lines, waiting) = mpsc::channel::<String>(WAITING);
    tokio::spawn(answer_all(app, queries, lines));
    let bytes = ReceiverStream::new(waiting).map(|line| Ok::<_, Infallible>(Bytes::from(line)));
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], Stream::from_stream(bytes)).into_response())
}

/// Reads a query of a stream; one that is none gives the line that answers it.
fn read_line(number: usize, line: &[u8]) -> Result<Query, String> {
    serde_json::from_slice(line).map_err(|error| {
        let value: Option<serde_json::Value> = serde_json::from_slice(line).ok();
        let id = value.and_then(|value| value.get("id")?.as_str().map(str::to_owned));
        failure(id.as_deref(), &Problem::invalid("body", format!("line {number}: {error}")))
    })
}

/// Answers queries side by side until all are answered or nobody listens.
async fn answer_all(app: Shared, queries: Vec<Result<Query, String>>, lines: mpsc::Sender<String>) {
    let mut searches = JoinSet::new();
    // As many at once as a bot's threads take in one batch; the rest follow.
    let room = Arc::new(tokio::sync::Semaphore::new(app.config.search.batch));
    for query in queries {
        let (app, lines, room) = (app.clone(), lines.clone(), room.clone());
        searches.spawn(async move {
            let _place = room.acquire().await.expect("the semaphore is never closed");
            // Updates that a slow client has no room for are left out.
            let update = |analysis: Analysis| drop(lines.try_send(line_of(&analysis)));
            let line = match query {
                Ok(query) => {
                    let id = query.id.clone();
                    let answer = answer(&app, query, update).await;
                    answer.map_or_else(|problem| failure(id.as_deref(), &problem), |analysis| line_of(&analysis))
                }
                Err(failed) => failed,
            };
            let _ = lines.send(line).await;
        });
    }
    tokio::select! {
        () = lines.closed() => {}
        () = async { while searches.join_next().await.is_some() {} } => {}
    }
}

fn failure(id: Option<&str>, problem: &Problem) -> String {
    line_of(&serde_json::json!({ "id": id, "problem": problem }))
}

fn line_of(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("an answer is plain data") + "\n"
}
