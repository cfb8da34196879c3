//! What can go wrong with a run, with a test, with a request.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;
use ureq::http::StatusCode;

/// Why a run ended before its end. What it has downloaded stays.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum DownloadError {
    #[error("{base}: expected the address of a server, as https://tests.stockfishchess.org")]
    Base { base: String },
    #[error("{url}: {source}; try again later: what is downloaded stays and is not downloaded again")]
    Listing { url: String, source: RequestError },
    #[error("{url}: expected a JSON object of tests, found {found}; is it the address of a fishtest server?")]
    NoListing { url: String, found: String },
    #[error("{path}: {cause}; see to the disk and start again: partial files are completed", path = path.display())]
    Disk { path: PathBuf, cause: io::Error },
}

impl DownloadError {
    pub(super) fn disk(path: &Path, cause: io::Error) -> DownloadError {
        DownloadError::Disk { path: path.to_owned(), cause }
    }
}

/// Why one test could not be downloaded.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum TestError {
    #[error(transparent)]
    Request(#[from] RequestError),
    #[error("the server's file is broken: {0}")]
    Broken(#[from] FileError),
    #[error("the answer is no JSON object")]
    NoObject,
}

/// Why a request had no success.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RequestError {
    /// The server answers with an error.
    #[error("the server answers {}", status(*.0))]
    Status(u16),
    /// The connection failed, or was cut; it may be better next time.
    #[error("{0}")]
    Connection(String),
    /// The request cannot have success.
    #[error("{0}")]
    Permanent(String),
    /// The answer ends too early.
    #[error("the answer ends after {found} of {expected} bytes")]
    Cut {
        /// Bytes that came.
        found: u64,
        /// Bytes that were announced.
        expected: u64,
    },
    /// The answer is no JSON.
    #[error("expected JSON, found {found}")]
    NoJson {
        /// Its beginning.
        found: String,
    },
}

impl RequestError {
    pub(super) fn of(error: ureq::Error) -> RequestError {
        use ureq::Error;
        let text = error.to_string();
        match error {
            Error::StatusCode(code) => RequestError::Status(code),
            Error::Io(_) | Error::Timeout(_) | Error::HostNotFound | Error::ConnectionFailed | Error::Protocol(_) => {
                RequestError::Connection(text)
            }
            _ => RequestError::Permanent(text),
        }
    }

    /// Whether the same request may have success later.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        match self {
            RequestError::Status(code) => matches!(code, 408 | 425 | 429 | 500..=599),
            RequestError::Connection(_) | RequestError::Cut { .. } => true,
            RequestError::Permanent(_) | RequestError::NoJson { .. } => false,
        }
    }
}

fn status(code: u16) -> String {
    let reason = StatusCode::from_u16(code).ok().and_then(|status| status.canonical_reason());
    reason.map_or_else(|| code.to_string(), |reason| format!("{code} {reason}"))
}

/// Why a downloaded file is not what it should be.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FileError {
    /// It cannot be opened.
    #[error("{0}")]
    Unreadable(String),
    /// It is packed otherwise, or not at all.
    #[error("expected a gzip file, found other data")]
    NoGzip,
    /// No result is in it, as where a server has packed a file twice.
    #[error("no game ends in what it unpacks to, though games were played")]
    NoGames,
    /// Its checksums are wrong, or its end is missing.
    #[error("the gzip data do not end as they should: {0}")]
    Damaged(String),
    /// It is no file of games, but one made to fill memory or disk.
    #[error("it unpacks to more than {limit} bytes, which no games of its length do")]
    TooLong {
        /// As long as it may be.
        limit: u64,
    },
}
