//! The only door to the network: requests that are repeated while there is hope.

use std::io::Read;
use std::time::Duration;

use serde_json::Value;
use ureq::http::{Response, StatusCode};
use ureq::{Agent, Body};

use super::account::{Event, Listener, Retry};
use super::error::{DownloadError, RequestError};
use super::excerpt::beginning;
use super::patience::Patience;
use super::store::Partial;

/// The longest wait between two attempts, unless the server asks for more.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// The longest wait that a server may ask for.
const LONGEST_WAIT_ASKED: Duration = Duration::from_secs(600);

/// No page of a listing comes near.
const LONGEST_ANSWER: u64 = 256 << 20;

/// Why a file could not be completed.
#[derive(Debug)]
pub(super) enum Broken {
    Server(RequestError),
    Disk(std::io::Error),
}

impl From<RequestError> for Broken {
    fn from(error: RequestError) -> Broken {
        Broken::Server(error)
    }
}

/// A client of one server.
pub(super) struct Client {
    agent: Agent,
    base: String,
    patience: Patience,
}

/// Counts the attempts of one task and waits between them.
struct Attempts<'a> {
    patience: Patience,
    failed: u32,
    what: &'a str,
}

impl Attempts<'_> {
    /// Waits before the next attempt, or gives up and hands the error back.
    fn after(
        &mut self,
        error: RequestError,
        asked: Option<Duration>,
        listener: &mut Listener<'_>,
    ) -> Result<(), RequestError> {
        if !error.may_pass() || self.failed == self.patience.retries {
            return Err(error);
        }
        let doubled = self.patience.first_wait.saturating_mul(1 << self.failed.min(16));
        let wait = asked.map_or(doubled.min(LONGEST_WAIT), |asked| asked.min(LONGEST_WAIT_ASKED));
        self.failed += 1;
        let why = Retry::Request {
            path: self.what,
            error: &error,
            attempt: self.failed,
            attempts: self.patience.retries + 1,
        };
        listener(Event::Waiting { why, wait });
        std::thread::sleep(wait);
        Ok(())
    }
}

impl Client {
    pub(super) fn new(base: &str, patience: Patience) -> Result<Client, DownloadError> {
        let base = base.trim_end_matches('/');
        let is_address =
            ["http://", "https://"].iter().any(|scheme| base.len() > scheme.len() && base.starts_with(scheme));
        if !is_address || base.parse::<ureq::http::Uri>().is_err() {
            return Err(DownloadError::Base { base: base.to_owned() });
        }
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_resolve(Some(patience.silence))
            .timeout_connect(Some(patience.silence))
            .timeout_recv_response(Some(patience.silence))
            .timeout_per_read(Some(patience.silence))
            .user_agent(concat!("drawish/", env!("CARGO_PKG_VERSION")))
            .build()
            .into();
        Ok(Client { agent, base: base.to_owned(), patience })
    }

    /// The full address of a path, for messages.
    pub(super) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// An answer in JSON.
    pub(super) fn get_json(
        &self,
        path: &str,
        query: &[(&str, String)],
        listener: &mut Listener<'_>,
    ) -> Result<Value, RequestError> {
        let mut attempts = Attempts { patience: self.patience, failed: 0, what: path };
        loop {
            let (error, asked) = match self.get(path, query, 0) {
                Ok(mut response) if response.status() == StatusCode::OK => {
                    let mut text = Vec::new();
                    match response.body_mut().as_reader().take(LONGEST_ANSWER + 1).read_to_end(&mut text) {
                        Ok(_) if text.len() as u64 > LONGEST_ANSWER => {
                            return Err(RequestError::Permanent(format!(
                                "the answer is longer than {LONGEST_ANSWER} bytes"
                            )));
                        }
                        Ok(_) => {
                            return serde_json::from_slice(&text)
                                .map_err(|_| RequestError::NoJson { found: beginning(&text) });
                        }
                        Err(error) => (RequestError::Connection(error.to_string()), None),
                    }
                }
                Ok(response) => (RequestError::Status(response.status().as_u16()), retry_after(&response)),
                Err(error) => (error, None),
            };
            attempts.after(error, asked, listener)?;
        }
    }

    /// Brings the bytes of a file that are not there yet. Attempts that bring some are not counted.
    pub(super) fn complete(
        &self,
        path: &str,
        partial: &mut Partial,
        listener: &mut Listener<'_>,
    ) -> Result<(), Broken> {
        let mut attempts = Attempts { patience: self.patience, failed: 0, what: path };
        let mut furthest = partial.len();
        loop {
            let (error, asked) = match self.get(path, &[], partial.len()) {
                Ok(mut response) => match self.take(&mut response, partial, listener).map_err(Broken::Disk)? {
                    Ok(()) => return Ok(()),
                    Err(error) => (error, retry_after(&response)),
                },
                Err(error) => (error, None),
            };
            if partial.len() > furthest {
                (furthest, attempts.failed) = (partial.len(), 0);
            }
            attempts.after(error, asked, listener)?;
        }
    }

    /// Appends what an answer brings. The outer error is the disk's.
    fn take(
        &self,
        response: &mut Response<Body>,
        partial: &mut Partial,
        listener: &mut Listener<'_>,
    ) -> std::io::Result<Result<(), RequestError>> {
        let range = header(response, "content-range").and_then(content_range);
        match response.status() {
            StatusCode::PARTIAL_CONTENT if range.is_some_and(|(from, _)| from == Some(partial.len())) => {}
            // The server does not begin where it was asked to.
            StatusCode::PARTIAL_CONTENT => {
                partial.restart()?;
                return Ok(Err(RequestError::Connection("the server sends another part than asked for".to_owned())));
            }
            StatusCode::OK => partial.restart()?,
            // Nothing is missing, or what is there is not of this file.
            StatusCode::RANGE_NOT_SATISFIABLE if partial.len() > 0 => {
                if range == Some((None, Some(partial.len()))) {
                    return Ok(Ok(()));
                }
                partial.restart()?;
                return Ok(Err(RequestError::Connection("what is there is longer than the server's file".to_owned())));
            }
            status => return Ok(Err(RequestError::Status(status.as_u16()))),
        }
        let whole = match range {
            Some((_, whole)) if response.status() == StatusCode::PARTIAL_CONTENT => whole,
            _ => header(response, "content-length").and_then(|text| text.parse().ok()),
        };
        let mut body = response.body_mut().as_reader();
        let mut buffer = [0; 1 << 16];
        loop {
            match body.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => {
                    partial.append(&buffer[..count])?;
                    listener(Event::Bytes(count as u64));
                }
                Err(error) => return Ok(Err(RequestError::Connection(error.to_string()))),
            }
        }
        Ok(match whole {
            Some(expected) if expected != partial.len() => Err(RequestError::Cut { found: partial.len(), expected }),
            _ => Ok(()),
        })
    }

    fn get(&self, path: &str, query: &[(&str, String)], from: u64) -> Result<Response<Body>, RequestError> {
        let mut request = self.agent.get(self.url(path));
        for (name, value) in query {
            request = request.query(name, value);
        }
        if from > 0 {
            request = request.header("Range", format!("bytes={from}-"));
        }
        request.call().map_err(RequestError::of)
    }
}

fn header<'a>(response: &'a Response<Body>, name: &str) -> Option<&'a str> {
    response.headers().get(name)?.to_str().ok()
}

/// How long the server asks to wait; it may also name a date, which is not followed.
fn retry_after(response: &Response<Body>) -> Option<Duration> {
    header(response, "retry-after")?.trim().parse().ok().map(Duration::from_secs)
}

/// First byte and whole length of a `Content-Range`: `bytes 5-9/10`, `bytes 5-9/*`, `bytes */10`.
fn content_range(text: &str) -> Option<(Option<u64>, Option<u64>)> {
    let (range, whole) = text.strip_prefix("bytes ")?.split_once('/')?;
    Some((range.split_once('-').and_then(|(from, _)| from.parse().ok()), whole.parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        assert_eq!(content_range("bytes 5-9/10"), Some((Some(5), Some(10))));
        assert_eq!(content_range("bytes 5-9/*"), Some((Some(5), None)));
        assert_eq!(content_range("bytes */10"), Some((None, Some(10))));
        assert_eq!(content_range("lines 5-9/10"), None);
    }

    #[test]
    fn waits_double_up_to_a_minute() {
        let patience = Patience { retries: 3, first_wait: Duration::ZERO, ..Patience::default() };
        let mut waits = 0;
        let mut attempts = Attempts { patience, failed: 0, what: "x" };
        let mut listener = |_: Event<'_>| waits += 1;
        while attempts.after(RequestError::Status(503), None, &mut listener).is_ok() {}
        assert!(attempts.after(RequestError::Status(404), None, &mut listener).is_err());
        assert_eq!(waits, 3);
    }

    #[test]
    fn only_servers_are_addresses() {
        for base in ["", "https://", "tests.stockfishchess.org", "ftp://x", "http://a b"] {
            assert!(Client::new(base, Patience::default()).is_err(), "{base:?}");
        }
        assert_eq!(
            Client::new("http://x:8/y/", Patience::default()).map(|c| c.url("/z")).ok().as_deref(),
            Some("http://x:8/y/z")
        );
    }
}
