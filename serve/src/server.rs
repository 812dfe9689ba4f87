//! A running server: its socket, its connections, and how it stops.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio_io_timeout::TimeoutStream;
use tower::{Layer, Service as _, ServiceExt as _};

use crate::bots::{BotError, Bots, with_causes};
use crate::config::ServeConfig;
use crate::http::{App, Shared, router};
use crate::limits::{Gate, Place};
use crate::metrics::Metrics;
use crate::page;
use crate::searcher::Sizes;
use crate::sessions::{IDLE, Sessions};
use crate::store::{Store, StoreError};

/// Time in which a client must have sent the head of a request.
const HEAD: Duration = Duration::from_secs(10);

/// Time after which a client that does not read what it asked for is left.
const UNREAD: Duration = Duration::from_secs(30);

/// Time that requests in hand are given when the server stops.
const FAREWELL: Duration = Duration::from_secs(5);

/// Time between two rounds of putting things in order.
const ROUNDS: Duration = Duration::from_secs(30);

/// Time between two rounds of forgetting old games.
const PRUNING: Duration = Duration::from_hours(1);

/// The routes, for the requests of one connection.
type Requests = <Extension<ConnectInfo<SocketAddr>> as Layer<axum::Router>>::Service;

/// A server that cannot start.
#[derive(Debug, Error)]
pub enum ServerError {
    /// A bot cannot be loaded.
    #[error(transparent)]
    Bot(#[from] BotError),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}; name another address with --listen")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    app: Shared,
}

impl Server {
    /// Loads the bots, opens the database and listens.
    ///
    /// # Errors
    /// One of these fails.
    pub async fn bind(config: ServeConfig) -> Result<Self, ServerError> {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let threads = if config.search.threads == 0 { cores } else { config.search.threads };
        let sizes = Sizes { threads, slots: config.search.batch, waiting: config.search.waiting };
        let bots = if config.bots.is_empty() {
            Bots::load_found(&config.models, sizes)?
        } else {
            Bots::load(config.bots.clone(), sizes)?
        };
        let bots = Arc::new(bots);
        let fail = |source| ServerError::Listen { address: config.listen, source };
        let listener = TcpListener::bind(config.listen).await.map_err(fail)?;
        // Last: a server that cannot start leaves no file behind.
        let store = Store::open(&config.database)?;
        let threads = Arc::new(Semaphore::new(threads));
        let (most, visits) = (config.limits.sessions, config.limits.visits);
        let sessions = Sessions::new(store.clone(), bots.clone(), threads.clone(), most, visits);
        let (gate, metrics, stopping) = (Gate::new(&config), Metrics::default(), watch::Sender::new(false));
        Ok(Self { listener, app: Arc::new(App { config, bots, threads, sessions, store, gate, metrics, stopping }) })
    }

    /// Gives the address that it listens on.
    ///
    /// # Panics
    /// The system does not know it.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.listener.local_addr().expect("it listens")
    }

    /// Names who plays.
    #[must_use]
    pub fn bots(&self) -> Vec<String> {
        self.app.bots.all().iter().map(|bot| bot.name.clone()).collect()
    }

    /// Names the file with the games.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.app.config.database.clone()
    }

    /// Serves until `stop` is done; then requests in hand are given a few seconds.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let rounds = tokio::spawn(put_in_order(self.app.clone()));
        let mut service = router(self.app.clone(), page::routes()).into_make_service_with_connect_info::<SocketAddr>();
        let places = Arc::new(Semaphore::new(self.app.config.limits.connections));
        let graceful = GracefulShutdown::new();
        let mut stop = std::pin::pin!(stop);
        loop {
            // With no place left, clients wait in the system's queue.
            let place = tokio::select! {
                place = Place::take(&places) => place,
                () = &mut stop => break,
            };
            let (stream, client) = tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    Err(error) => {
                        // Out of files, or a client that has gone: neither lasts.
                        tracing::warn!("cannot accept a connection: {error}");
                        tokio::time::sleep(Duration::from_millis(100)).await;
                        continue;
                    }
                },
                () = &mut stop => break,
            };
            let _ = stream.set_nodelay(true);
            let tower = service.call(client).await.unwrap_or_else(|never| match never {});
            tokio::spawn(answer(stream, tower, place, graceful.watcher()));
        }
        drop(self.listener);
        self.app.stopping.send_replace(true);
        let _ = tokio::time::timeout(FAREWELL, graceful.shutdown()).await;
        rounds.abort();
        self.app.store.close().await;
    }
}

/// Answers the requests of one connection; it has its place for as long as it lasts, also where it becomes a socket.
async fn answer(stream: TcpStream, tower: Requests, place: Place, watcher: Watcher) {
    // One that sends nothing at all ends here, before hyper's limit for the head begins.
    let waited = tokio::time::timeout(HEAD, stream.peek(&mut [0])).await;
    if !matches!(waited, Ok(Ok(1))) {
        return;
    }
    let hyper = hyper::service::service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(place.clone());
        tower.clone().oneshot(request.map(axum::body::Body::new))
    });
    let mut http = auto::Builder::new(TokioExecutor::new()).http1_only();
    http.http1().timer(TokioTimer::new()).header_read_timeout(HEAD);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(UNREAD));
    let connection = http.serve_connection_with_upgrades(TokioIo::new(Box::pin(stream)), hyper).into_owned();
    // A client that breaks off is no event.
    let _ = watcher.watch(connection).await;
}

/// Loads new checkpoints, and forgets what nobody needs.
async fn put_in_order(app: Shared) {
    let reload = app.config.reload_seconds;
    let mut looks = tokio::time::interval(Duration::from_secs(if reload == 0 { 86_400 } else { reload }));
    let (mut sweeps, mut prunes) = (tokio::time::interval(ROUNDS), tokio::time::interval(PRUNING));
    loop {
        tokio::select! {
            _ = looks.tick() => {
                if reload > 0 {
                    let bots = app.bots.clone();
                    let found = tokio::task::spawn_blocking(move || bots.refresh()).await;
                    let (swapped, faults) = found.unwrap_or_default();
                    for name in swapped {
                        tracing::info!("{name} is new");
                    }
                    for fault in faults {
                        tracing::warn!("{}; what there was of it plays on", with_causes(&fault));
                    }
                }
            }
            _ = sweeps.tick() => {
                app.sessions.sweep(IDLE);
                app.gate.sweep();
            }
            _ = prunes.tick() => {
                if app.config.keep_days > 0 {
                    app.store.prune(app.config.keep_days);
                }
            }
        }
    }
}
