//! What is reported of a run while it goes on, and where every test has gone.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::Duration;

use drawish_stats::numbers::{counted, grouped, row};
use serde_json::{Value, json};

use super::error::{FileError, RequestError, TestError};
use super::listing::Refusal;

/// What became of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Its file is there now.
    Downloaded {
        /// Length of the file.
        bytes: u64,
        /// Bytes of it that an earlier run had brought.
        resumed: u64,
        /// Games in the file.
        games: u64,
        /// Games by the metadata, where they tell.
        expected: Option<u64>,
    },
    /// Only its metadata were asked for, and are there now.
    Metadata,
    /// It is not wanted, or cannot be had.
    Refused(Refusal),
    /// It could not be downloaded; the next run goes on from what is there.
    Failed(TestError),
}

impl Outcome {
    /// What became of the test of this identifier, in a line.
    #[must_use]
    pub fn line(&self, id: &str) -> String {
        match self {
            Outcome::Downloaded { bytes, games, expected, .. } => {
                let of = expected
                    .filter(|expected| expected != games)
                    .map_or(String::new(), |expected| format!(" (its metadata says {})", grouped(expected)));
                format!("{id}: {}, {}{of}", counted(*bytes, "byte"), counted(*games, "game"))
            }
            Outcome::Metadata => id.to_owned(),
            Outcome::Refused(refusal) => format!("{id}: {}", refusal.meaning()),
            Outcome::Failed(error) => format!("{id}: {error}; the next run tries again"),
        }
    }
}

/// What a run tells while it goes on.
#[derive(Debug)]
pub enum Event<'a> {
    /// A test is done with.
    Test {
        /// Its identifier.
        id: &'a str,
        /// What became of it.
        outcome: &'a Outcome,
    },
    /// More bytes have come.
    Bytes(u64),
    /// The server is tried again after a wait.
    Waiting {
        /// What went wrong.
        why: Retry<'a>,
        /// How long the wait is.
        wait: Duration,
    },
}

/// Why the server is tried again.
#[derive(Debug)]
#[expect(missing_docs, reason = "its text says what each is")]
pub enum Retry<'a> {
    Request { path: &'a str, error: &'a RequestError, attempt: u32, attempts: u32 },
    File { test: &'a str, error: &'a FileError },
}

impl fmt::Display for Retry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Retry::Request { path, error, attempt, attempts } => {
                write!(f, "{path}: {error} (attempt {attempt} of {attempts})")
            }
            Retry::File { test, error } => write!(f, "{test}: {error}; downloaded once more from the beginning"),
        }
    }
}

/// The listener to a run.
pub type Listener<'a> = dyn FnMut(Event<'_>) + 'a;

/// Where every test has gone: `tests` is the sum of those downloaded, those whose metadata were, those refused and those failed.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// Tests found.
    pub tests: u64,
    /// Tests whose games are there now.
    pub downloaded: u64,
    /// Tests whose metadata alone were downloaded.
    pub metadata: u64,
    /// Length of the files.
    pub bytes: u64,
    /// Bytes of them that earlier runs had brought.
    pub resumed: u64,
    /// Games in the files.
    pub games: u64,
    /// How many tests were left out for each reason.
    pub refused: BTreeMap<Refusal, u64>,
    /// Tests that could not be downloaded, and why.
    pub failed: Vec<(String, TestError)>,
}

impl Account {
    /// Takes down what became of a test.
    pub fn add(&mut self, id: &str, outcome: &Outcome) {
        self.tests += 1;
        match outcome {
            Outcome::Downloaded { bytes, resumed, games, .. } => {
                self.downloaded += 1;
                self.bytes += bytes;
                self.resumed += resumed;
                self.games += games;
            }
            Outcome::Metadata => self.metadata += 1,
            Outcome::Refused(refusal) => *self.refused.entry(*refusal).or_default() += 1,
            Outcome::Failed(error) => self.failed.push((id.to_owned(), error.clone())),
        }
    }

    /// Where every test has gone, as a table under what came into that directory.
    #[must_use]
    pub fn text(&self, directory: &Path) -> String {
        let mut out = format!(
            "{}: {} in {}{}\n\n",
            directory.display(),
            counted(self.games, "game"),
            counted(self.bytes, "byte"),
            match self.resumed {
                0 => String::new(),
                resumed => format!(", {} of them from an earlier run", grouped(resumed)),
            }
        );
        let tests = self.tests;
        row(&mut out, "tests found", tests, tests, "");
        row(&mut out, "  downloaded", self.downloaded, tests, "");
        if self.metadata > 0 {
            row(&mut out, "  metadata downloaded", self.metadata, tests, "");
        }
        for (refusal, count) in &self.refused {
            row(&mut out, &format!("  left out: {}", refusal.name()), *count, tests, refusal.meaning());
        }
        if !self.failed.is_empty() {
            row(&mut out, "  failed", self.failed.len() as u64, tests, "see above; the next run tries again");
        }
        out
    }

    /// All of it as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let refused = Refusal::ALL.into_iter().map(|refusal| {
            let count = self.refused.get(&refusal).copied().unwrap_or_default();
            (refusal.name().to_owned(), json!(count))
        });
        let failed = self.failed.iter().map(|(id, error)| json!({ "test": id, "reason": error.to_string() }));
        json!({
            "tests": self.tests,
            "downloaded": self.downloaded,
            "metadata": self.metadata,
            "bytes": self.bytes,
            "resumed_bytes": self.resumed,
            "games": self.games,
            "left_out": refused.collect::<Value>(),
            "failed": failed.collect::<Value>(),
        })
    }
}
