//! Who may ask, and how much: bearer tokens and requests per client.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;

use axum::extract::Query;
use axum::http::{HeaderMap, Uri, header};
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use subtle::{Choice, ConstantTimeEq as _};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config::{Limits, ServeConfig};
use crate::problem::Problem;

/// A connection's place among those that the server takes at once, free when the last copy is dropped.
#[derive(Clone)]
pub struct Place(#[expect(dead_code, reason = "it is held, not read")] Arc<OwnedSemaphorePermit>);

impl Place {
    /// Takes a place, once there is one.
    ///
    /// # Panics
    /// The semaphore is closed.
    pub async fn take(places: &Arc<Semaphore>) -> Self {
        Self(Arc::new(places.clone().acquire_owned().await.expect("the places are never closed")))
    }
}

/// Lets requests in, or not.
pub struct Gate {
    tokens: Vec<String>,
    rates: Option<DefaultKeyedRateLimiter<IpAddr>>,
    clock: DefaultClock,
}

impl Gate {
    /// Takes the settings of a server.
    #[must_use]
    pub fn new(config: &ServeConfig) -> Self {
        let Limits { requests_per_second, burst, .. } = config.limits;
        let quota = NonZeroU32::new(requests_per_second)
            .map(|rate| Quota::per_second(rate).allow_burst(NonZeroU32::new(burst).expect("the config was checked")));
        Self { tokens: config.tokens.clone(), rates: quota.map(RateLimiter::keyed), clock: DefaultClock::default() }
    }

    /// Counts a request of a client.
    ///
    /// # Errors
    /// The client has used up what it may.
    pub fn count(&self, client: IpAddr) -> Result<(), Problem> {
        let Some(rates) = &self.rates else { return Ok(()) };
        rates.check_key(&client).map(drop).map_err(|wait| {
            let seconds = wait.wait_time_from(self.clock.now()).as_secs_f64().ceil() as u64;
            Problem::too_many(seconds.max(1))
        })
    }

    /// Checks the token of a request, in its header or, for sockets of browsers, which can set none, in `access_token`
    /// of its query. It takes as long whichever token is wrong.
    ///
    /// # Errors
    /// There is none of the server's.
    pub fn admit(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), Problem> {
        if self.tokens.is_empty() {
            return Ok(());
        }
        let header = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        // The scheme's name is in any case, RFC 9110, 11.1.
        let in_header = header
            .and_then(|value| value.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
            .map(|(_, token)| token.trim().to_owned());
        let in_query = || {
            let Query(pairs) = Query::<Vec<(String, String)>>::try_from_uri(uri).ok()?;
            pairs.into_iter().find_map(|(name, value)| (name == "access_token").then_some(value))
        };
        let given = in_header.or_else(in_query).unwrap_or_default();
        let is_known =
            self.tokens.iter().fold(Choice::from(0), |known, token| known | token.as_bytes().ct_eq(given.as_bytes()));
        if is_known.into() { Ok(()) } else { Err(Problem::unauthorized()) }
    }

    /// Forgets clients that have not asked for a while.
    pub fn sweep(&self) {
        if let Some(rates) = &self.rates {
            rates.retain_recent();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(text: &str) -> Gate {
        Gate::new(&ServeConfig::from_toml(text, std::path::Path::new(".")).unwrap())
    }

    #[test]
    fn only_a_token_of_the_server_opens() {
        let gate = gate("tokens = [\"0123456789abcdef\", \"fedcba9876543210\"]");
        let uri = |text: &str| text.parse::<Uri>().unwrap();
        let with = |value: &str| HeaderMap::from_iter([(header::AUTHORIZATION, value.parse().unwrap())]);

        assert!(gate.admit(&with("Bearer fedcba9876543210"), &uri("/")).is_ok());
        assert!(gate.admit(&with("bearer fedcba9876543210"), &uri("/")).is_ok());
        assert!(gate.admit(&HeaderMap::new(), &uri("/x?a=1&access_token=0123456789abcdef")).is_ok());
        for headers in [HeaderMap::new(), with("Bearer "), with("Bearer 0123456789abcde"), with("0123456789abcdef")] {
            assert_eq!(gate.admit(&headers, &uri("/")).unwrap_err().status, 401);
        }
    }

    #[test]
    fn a_client_that_asks_too_much_is_told_when_to_come_back() {
        let gate = gate("[limits]\nrequests_per_second = 1\nburst = 2");
        let (one, other) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        assert!(gate.count(one).is_ok() && gate.count(one).is_ok());
        let problem = gate.count(one).unwrap_err();
        assert_eq!((problem.status, problem.retry_after), (429, Some(1)));
        assert!(gate.count(other).is_ok());
    }
}
