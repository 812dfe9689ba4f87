//! The HTTP interface: routes, what they take and give, and what stands before them.
//!
//! docs/api.md describes it; `/openapi.json` is made of the annotations here.

mod catalogue;
mod extract;
mod guard;
mod play;
mod socket;
mod study;

pub use extract::Segment;

use std::sync::Arc;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Router, middleware};
use tokio::sync::{Semaphore, watch};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use utoipa_swagger_ui::SwaggerUi;

use crate::bots::Bots;
use crate::config::ServeConfig;
use crate::limits::Gate;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::sessions::Sessions;
use crate::store::Store;

/// What all requests share.
pub struct App {
    /// The settings.
    pub config: ServeConfig,
    /// Who plays.
    pub bots: Arc<Bots>,
    /// What the baseline may take of the machine.
    pub threads: Arc<Semaphore>,
    /// The games.
    pub sessions: Sessions,
    /// Where they are kept.
    pub store: Store,
    /// Who may ask.
    pub gate: Gate,
    /// Figures.
    pub metrics: Metrics,
    /// Changes when the server stops.
    pub stopping: watch::Sender<bool>,
}

/// What is the same for all requests, cheap to copy.
pub type Shared = Arc<App>;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Damma",
        description = "Draughts of the Sahara and the Arab world: trained bots, analysis and games over HTTP and WebSocket.",
        license(name = "MIT OR Apache-2.0")
    ),
    components(schemas(Problem, crate::sessions::Push, crate::sessions::Command)),
    tags(
        (name = "catalogue", description = "Games, options and bots"),
        (name = "analysis", description = "Positions and what bots think of them"),
        (name = "sessions", description = "Games on the server"),
        (name = "server", description = "The server itself")
    )
)]
struct Document;

/// Puts everything together; `page` are routes that need no token.
pub fn router(app: Shared, page: Router<Shared>) -> Router {
    let (paths, document) = paths(&app);
    paths
        .merge(SwaggerUi::new("/docs").url("/openapi.json", document))
        .merge(page)
        .method_not_allowed_fallback(async || Problem::method("docs/api.md lists the methods of each path"))
        .layer(middleware::from_fn_with_state(app.clone(), guard::watch))
        .layer(axum::extract::DefaultBodyLimit::max(app.config.limits.body_bytes))
        .layer(cors(&app.config.cors_origins))
        .layer(SetResponseHeaderLayer::if_not_present(
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        ))
        .layer(CatchPanicLayer::custom(panicked))
        .with_state(app)
}

/// Gives the interface's routes, and the document that describes them.
fn paths(app: &Shared) -> (Router<Shared>, utoipa::openapi::OpenApi) {
    let (api, document) = OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(catalogue::games))
        .routes(routes!(catalogue::options))
        .routes(routes!(catalogue::boards))
        .routes(routes!(catalogue::bots))
        .routes(routes!(catalogue::bot))
        .routes(routes!(catalogue::version))
        .routes(routes!(study::positions))
        .routes(routes!(study::analyze))
        .routes(routes!(study::stream))
        .routes(routes!(play::create))
        .routes(routes!(play::session))
        .routes(routes!(play::join))
        .routes(routes!(play::commands))
        .routes(routes!(play::pdn))
        .routes(routes!(play::svg))
        .routes(routes!(socket::open))
        .split_for_parts();
    let api = api.route_layer(middleware::from_fn_with_state(app.clone(), guard::admit));
    let (open, open_document) = OpenApiRouter::new()
        .routes(routes!(guard::health))
        .routes(routes!(guard::ready))
        .routes(routes!(guard::metrics))
        .split_for_parts();
    let mut document = document;
    document.merge(open_document);
    (api.merge(open), document)
}

fn cors(origins: &[String]) -> CorsLayer {
    let methods = [axum::http::Method::GET, axum::http::Method::POST];
    let layer = CorsLayer::new().allow_methods(methods).allow_headers([header::CONTENT_TYPE, header::AUTHORIZATION]);
    if origins.iter().any(|origin| origin == "*") {
        return layer.allow_origin(AllowOrigin::any());
    }
    layer.allow_origin(AllowOrigin::list(origins.iter().filter_map(|origin| origin.parse().ok())))
}

fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    tracing::error!("a request ended in a panic");
    Problem::internal().into_response()
}
