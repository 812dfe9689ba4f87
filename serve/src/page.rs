//! The web page, embedded in the program.

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use rust_embed::Embed;

use crate::http::{Segment, Shared};
use crate::problem::Problem;

/// The page's files; `tests` and the like stay outside of this folder.
#[derive(Embed)]
#[folder = "page"]
struct Files;

/// The page may load what this server has, and nothing else.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'; \
                      base-uri 'none'; form-action 'none'";

/// Gives the routes of the page.
pub fn routes() -> Router<Shared> {
    Router::new().route("/", get(index)).route("/{*path}", get(asset).fallback(no_method))
}

/// Gives the page.
async fn index(headers: HeaderMap) -> Response {
    file("index.html", &headers)
}

/// Gives a file of the page.
async fn asset(Segment(path): Segment<String>, headers: HeaderMap) -> Response {
    file(&path, &headers)
}

/// Refuses other methods, where there is something to refuse them on.
async fn no_method(Segment(path): Segment<String>) -> Problem {
    if Files::get(&path).is_some() {
        return Problem::method("files of the page are read with GET");
    }
    Problem::not_found(format!("there is nothing at `/{path:.100}`; docs/api.md lists the paths"))
}

fn file(path: &str, headers: &HeaderMap) -> Response {
    let Some(file) = Files::get(path) else {
        return Problem::not_found(format!("there is nothing at `/{path:.100}`; docs/api.md lists the paths"))
            .into_response();
    };
    let (hash, _) =
        file.metadata.sha256_hash().split_first_chunk().map(|(first, rest)| (*first, rest)).expect("32 bytes");
    let tag = format!("\"{:016x}\"", u64::from_be_bytes(hash));
    let is_known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, kind(path))], file.data).into_response()
    };
    let value = |text: &str| HeaderValue::from_str(text).expect("plain text");
    let fields = response.headers_mut();
    fields.insert(header::ETAG, value(&tag));
    fields.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    fields.insert(header::CONTENT_SECURITY_POLICY, value(POLICY));
    response
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}
