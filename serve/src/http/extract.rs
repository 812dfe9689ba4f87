//! Bodies and queries of requests, with our own errors.

use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query};

use crate::problem::Problem;

/// A JSON body.
#[derive(FromRequest)]
#[from_request(via(Json), rejection(Problem))]
pub struct Body<T>(pub T);

/// A segment of a path.
#[derive(FromRequestParts)]
#[from_request(via(Path), rejection(Problem))]
pub struct Segment<T>(pub T);

/// The query of an address.
#[derive(FromRequestParts)]
#[from_request(via(Query), rejection(Problem))]
pub struct Asked<T>(pub T);

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Self {
        Self::body(rejection.status(), rejection.body_text())
    }
}

impl From<BytesRejection> for Problem {
    fn from(rejection: BytesRejection) -> Self {
        Self::body(rejection.status(), rejection.body_text())
    }
}

impl From<PathRejection> for Problem {
    fn from(rejection: PathRejection) -> Self {
        Self::not_found(rejection.body_text())
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        Self::invalid("query", rejection.body_text())
    }
}
