//! Figures of a server for Prometheus.

use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text::encode};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// What requests are told apart by.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct Request {
    method: String,
    route: String,
    status: u16,
}

/// What bots are told apart by.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct Of {
    bot: String,
}

/// The figures.
pub struct Metrics {
    registry: Registry,
    requests: Family<Request, Counter>,
    running: Family<Of, Gauge>,
    waiting: Family<Of, Gauge>,
    latency: Histogram,
    sessions: Gauge,
    /// Open sockets.
    pub sockets: Gauge,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("damma");
        // From a millisecond to half a minute.
        let buckets = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0];
        let metrics = Self {
            registry: Registry::default(),
            requests: Family::default(),
            running: Family::default(),
            waiting: Family::default(),
            latency: Histogram::new(buckets),
            sessions: Gauge::default(),
            sockets: Gauge::default(),
        };
        registry.register("http_requests", "Requests answered", metrics.requests.clone());
        registry.register_with_unit("http_latency", "Time to an answer", Unit::Seconds, metrics.latency.clone());
        registry.register("searches_running", "Searches that go on", metrics.running.clone());
        registry.register("searches_waiting", "Searches that wait for a slot", metrics.waiting.clone());
        registry.register("sessions", "Sessions in memory", metrics.sessions.clone());
        registry.register("sockets", "Open WebSockets", metrics.sockets.clone());
        Self { registry, ..metrics }
    }
}

impl Metrics {
    /// Counts a request.
    pub fn answered(&self, method: &str, route: &str, status: u16, time: Duration) {
        let request = Request { method: method.to_owned(), route: route.to_owned(), status };
        self.requests.get_or_create(&request).inc();
        self.latency.observe(time.as_secs_f64());
    }

    /// Writes the figures as Prometheus reads them, with what is known now.
    #[must_use]
    pub fn text(&self, sessions: usize, loads: &[(String, (usize, usize))]) -> String {
        self.sessions.set(sessions as i64);
        for (bot, (running, waiting)) in loads {
            let of = Of { bot: bot.clone() };
            self.running.get_or_create(&of).set(*running as i64);
            self.waiting.get_or_create(&of).set(*waiting as i64);
        }
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("a string takes all text");
        text
    }
}
