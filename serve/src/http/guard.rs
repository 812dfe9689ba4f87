//! What stands before the routes: tokens, rates, time limits and figures; and how the server is.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Shared;
use crate::problem::Problem;

/// Methods that figures tell apart.
const STANDARD: [Method; 7] =
    [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS];

/// Lets in who has a token and has not asked too much.
pub async fn admit(
    State(app): State<Shared>,
    ConnectInfo(client): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let allowed = app.gate.count(client.ip()).and_then(|()| app.gate.admit(request.headers(), request.uri()));
    match allowed {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

/// Ends what takes too long, and counts what was answered.
pub async fn watch(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    // Methods that nobody has heard of would make a series each.
    let is_known = STANDARD.contains(request.method());
    let method = if is_known { request.method().to_string() } else { "other".to_owned() };
    // By route, not by path: ids would make a series each.
    let route = request.extensions().get::<MatchedPath>().map_or("-", |path| path.as_str()).to_owned();
    let limit = Duration::from_secs(app.config.limits.request_seconds);
    let response = match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Problem::too_slow().into_response(),
    };
    app.metrics.answered(&method, &route, response.status().as_u16(), begun.elapsed());
    response
}

/// Says that the server runs.
#[utoipa::path(get, path = "/health", tag = "server", responses((status = 200, description = "It runs", body = String)))]
pub async fn health() -> &'static str {
    "ok\n"
}

/// Says whether games can be played: bots are loaded and the database can be written.
#[utoipa::path(get, path = "/ready", tag = "server", responses(
    (status = 200, description = "Games can be played", body = String),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = 503, description = "Not now", body = Problem, content_type = "application/problem+json"),
))]
pub async fn ready(
    State(app): State<Shared>,
    ConnectInfo(client): ConnectInfo<SocketAddr>,
) -> Result<&'static str, Problem> {
    // It needs no token, but it writes.
    app.gate.count(client.ip())?;
    app.store.check().await?;
    Ok("ready\n")
}

/// Gives figures for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "server", responses((status = 200, description = "Figures", body = String, content_type = "application/openmetrics-text")))]
pub async fn metrics(State(app): State<Shared>) -> impl IntoResponse {
    let loads: Vec<_> = app.bots.all().iter().map(|bot| (bot.name.clone(), bot.searcher.load())).collect();
    let text = app.metrics.text(app.sessions.count(), &loads);
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    (StatusCode::OK, [(header::CONTENT_TYPE, kind)], text)
}
