//! What went wrong, as clients are told: RFC 9457 problem details.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A problem, `application/problem+json`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// What kind of problem it is, for programs.
    #[serde(rename = "type")]
    pub kind: String,
    /// What kind of problem it is, for people.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What is wrong with this request, and what to do.
    pub detail: String,
    /// The field that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Seconds after which to try again.
    #[serde(skip)]
    #[schema(ignore)]
    pub retry_after: Option<u64>,
}

impl Problem {
    #[expect(clippy::needless_pass_by_value, reason = "callers hand over errors, texts and made texts alike")]
    fn new(status: StatusCode, kind: &str, title: &str, detail: impl ToString) -> Self {
        Self {
            kind: kind.to_owned(),
            title: title.to_owned(),
            status: status.as_u16(),
            detail: detail.to_string(),
            field: None,
            retry_after: None,
        }
    }

    /// A field has a value that it cannot have.
    pub fn invalid(field: &str, detail: impl ToString) -> Self {
        let problem = Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid-field", "A field has a wrong value", detail);
        problem.of(field)
    }

    /// A move is not legal where it is played.
    pub fn illegal_move(field: &str, detail: impl ToString) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "illegal-move", "The move is not legal", detail).of(field)
    }

    /// The game of a session is over.
    pub fn game_over() -> Self {
        Self::new(StatusCode::CONFLICT, "game-over", "The game is over", "nothing can be played where a game is over")
    }

    /// The game is over in the position that was sent.
    pub fn position_over() -> Self {
        let detail = "nothing can be searched where a game is over";
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "game-over", "The game is over", detail)
    }

    /// The request does not fit how the session stands now.
    pub fn conflict(kind: &str, detail: impl ToString) -> Self {
        Self::new(StatusCode::CONFLICT, kind, "The session is not where the request takes it to be", detail)
    }

    /// The request is none that opens a WebSocket.
    pub fn upgrade(status: StatusCode, detail: impl ToString) -> Self {
        Self::new(status, "no-upgrade", "The request opens no WebSocket", detail)
    }

    /// There is no such thing.
    pub fn not_found(detail: impl ToString) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "There is no such thing", detail)
    }

    /// The path is known, the method is not.
    pub fn method(detail: impl ToString) -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "wrong-method", "The path has no such method", detail)
    }

    /// The token is not that of who may do this.
    pub fn forbidden(detail: impl ToString) -> Self {
        Self::new(StatusCode::FORBIDDEN, "not-your-seat", "This seat is not yours", detail)
    }

    /// The bearer token is missing or wrong.
    pub fn unauthorized() -> Self {
        let detail = "send the header `Authorization: Bearer TOKEN` with a token of this server";
        Self::new(StatusCode::UNAUTHORIZED, "no-token", "A token is needed", detail)
    }

    /// The body is not what it should be.
    pub fn body(status: StatusCode, detail: impl ToString) -> Self {
        let (kind, title) = match status {
            StatusCode::PAYLOAD_TOO_LARGE => ("too-large", "The body is too large"),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => ("no-json", "The body is not said to be JSON"),
            StatusCode::UNPROCESSABLE_ENTITY => ("invalid-field", "A field has a wrong value"),
            _ => ("no-json", "The body is not JSON"),
        };
        Self::new(status, kind, title, detail)
    }

    /// The client was too slow.
    pub fn too_slow() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "too-slow", "The request took too long", "try again")
    }

    /// The client asks too much.
    pub fn too_many(seconds: u64) -> Self {
        let detail = format!("wait for {seconds} s");
        let problem = Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many", "Too many requests", detail);
        Self { retry_after: Some(seconds), ..problem }
    }

    /// The server has no room for more.
    pub fn busy(detail: impl ToString) -> Self {
        let problem = Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "The server is busy", detail);
        Self { retry_after: Some(1), ..problem }
    }

    /// The server cannot keep what it should.
    pub fn storage(detail: impl ToString) -> Self {
        let problem = Self::new(StatusCode::SERVICE_UNAVAILABLE, "storage", "The game cannot be kept", detail);
        Self { retry_after: Some(5), ..problem }
    }

    /// A mistake of the server's own.
    pub fn internal() -> Self {
        let detail = "the server made a mistake; its log says more";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "The server made a mistake", detail)
    }

    /// Names the field.
    #[must_use]
    pub fn of(mut self, field: &str) -> Self {
        self.field = Some(field.to_owned());
        self
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).expect("problems have statuses of HTTP");
        let retry = self.retry_after;
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = retry {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
