//! Games of finished fishtest tests, downloaded with what fishtest knows about them.
//!
//! ```text
//! pages of finished tests -> those wanted and not there yet -> <test>.pgn.gz.partial -> checked -> <test>.pgn.gz
//!       listing                       listing, store                 client              store
//! ```
//!
//! Files lie where `download_fishtest_pgns.py` of Stockfish's WDL_model puts them: `<directory>/YY-MM-DD/<test>/` with
//! `<test>.pgn.gz` and `<test>.json`. A partial file is completed by the next run; a file takes its name only after
//! its checksums were found right, and a test whose file is somewhere below the directory is never asked for again.

mod client;
mod listing;
mod store;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use thiserror::Error;

use client::{Client, Trouble};
pub use listing::{Refusal, Wanted};
use listing::{Test, tests_of_page};
use store::{Games, Partial, Tree};

/// What to download, from where, and where to.
#[derive(Clone, Debug)]
pub struct Config {
    /// The server: scheme and host, and what comes before `/api/`.
    pub base: String,
    /// Where the tree of downloads is or shall be.
    pub directory: PathBuf,
    /// Which tests.
    pub wanted: Wanted,
    /// How long to bear with the server.
    pub patience: Patience,
}

/// How long to bear with a server.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Attempts after the first that may fail one after another without bringing a byte.
    pub retries: u32,
    /// The wait before the first of them; each further one is twice as long, up to a minute, or as long as the server says.
    pub first_wait: Duration,
    /// How long the server may be silent.
    pub silence: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Patience { retries: 5, first_wait: Duration::from_secs(1), silence: Duration::from_secs(60) }
    }
}

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
    Failed(String),
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
        why: String,
        /// How long the wait is.
        wait: Duration,
    },
}

/// The listener to a run.
pub type Listener<'a> = dyn FnMut(Event<'_>) + 'a;

/// Why a run ended before its end. What it has downloaded stays.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum DownloadError {
    #[error("{base}: expected the address of a server, as https://tests.stockfishchess.org")]
    Base { base: String },
    #[error("{url}: {trouble}; try again later: what is downloaded stays and is not downloaded again")]
    Listing { url: String, trouble: String },
    #[error("{url}: expected a JSON object of tests, found {found}; is it the address of a fishtest server?")]
    NoListing { url: String, found: String },
    #[error("{path}: {cause}; see to the disk and start again: partial files are completed", path = path.display())]
    Disk { path: PathBuf, cause: std::io::Error },
}

impl DownloadError {
    fn disk(path: &Path, cause: std::io::Error) -> DownloadError {
        DownloadError::Disk { path: path.to_owned(), cause }
    }
}

/// Downloads the games and metadata of all wanted tests that are not there yet.
///
/// # Errors
///
/// If the list of tests cannot be had, or the disk fails. What goes wrong with one test is its [`Outcome`].
pub fn download(config: &Config, listener: &mut Listener<'_>) -> Result<(), DownloadError> {
    let client = Client::new(&config.base, config.patience)?;
    let mut tree = Tree::read(&config.directory)?;
    let mut listed = std::collections::HashSet::new();
    for page in 1_u32.. {
        let address = config.wanted.address_of_page(page);
        let answer = match client.get_json(&address.0, &address.1, listener) {
            Ok(answer) => answer,
            Err(Trouble::NoJson { found }) => {
                return Err(DownloadError::NoListing { url: client.url(&address.0), found });
            }
            Err(trouble) => {
                return Err(DownloadError::Listing { url: client.url(&address.0), trouble: trouble.to_string() });
            }
        };
        let tests =
            tests_of_page(answer).map_err(|found| DownloadError::NoListing { url: client.url(&address.0), found })?;
        // Tests that finish meanwhile push others to later pages; a server that knows only one page has no more to tell.
        let new: Vec<Test> = tests.into_iter().filter(|test| listed.insert(test.id.clone())).collect();
        if new.is_empty() {
            break;
        }
        for test in new {
            let outcome = match test.refusal(&config.wanted, tree.holds(&test.id)) {
                Some(refusal) => Outcome::Refused(refusal),
                None => one_test(&client, &mut tree, &test, listener)?,
            };
            listener(Event::Test { id: &test.id, outcome: &outcome });
        }
    }
    Ok(())
}

/// Asks for the metadata of files below the directory that have none beside them, or of all, and for nothing else.
///
/// # Errors
///
/// If the disk fails. What goes wrong with one test is its [`Outcome`].
pub fn download_metadata(config: &Config, all: bool, listener: &mut Listener<'_>) -> Result<(), DownloadError> {
    let client = Client::new(&config.base, config.patience)?;
    for (directory, id) in Tree::read(&config.directory)?.tests() {
        let path = directory.join(format!("{id}.json"));
        let outcome = if !all && path.exists() {
            Outcome::Refused(Refusal::Known)
        } else {
            match client.get_json(&format!("/api/get_run/{id}"), &[], listener) {
                Ok(metadata @ Value::Object(_)) => {
                    store::write_metadata(&path, &metadata)?;
                    Outcome::Metadata
                }
                Ok(_) => Outcome::Failed("the answer is no JSON object".to_owned()),
                Err(Trouble::Status(404)) => Outcome::Refused(Refusal::Absent),
                Err(trouble) => Outcome::Failed(trouble.to_string()),
            }
        };
        listener(Event::Test { id: &id, outcome: &outcome });
    }
    Ok(())
}

/// Downloads one test. A file that is not what it should be is asked for a second time, from its beginning.
fn one_test(
    client: &Client,
    tree: &mut Tree,
    test: &Test,
    listener: &mut Listener<'_>,
) -> Result<Outcome, DownloadError> {
    let Some(mut partial) = Partial::open(tree.place(test))? else { return Ok(Outcome::Refused(Refusal::Busy)) };
    let address = format!("/api/run_pgns/{}.pgn.gz", test.id);
    let mut resumed = partial.len();
    let mut is_second = false;
    loop {
        match client.complete(&address, &mut partial, listener) {
            Ok(()) => {}
            Err(client::Broken::Disk(cause)) => return Err(DownloadError::disk(partial.path(), cause)),
            Err(client::Broken::Server(Trouble::Status(404))) => {
                if partial.len() == 0 {
                    partial.discard()?;
                }
                return Ok(Outcome::Refused(Refusal::Absent));
            }
            Err(client::Broken::Server(trouble)) => return Ok(Outcome::Failed(trouble.to_string())),
        }
        match partial.check() {
            Ok(Games(games)) => {
                let bytes = partial.len();
                // First, so that no file is ever without its metadata.
                store::write_metadata(&tree.metadata(test), &test.metadata)?;
                partial.finish(&tree.file(test))?;
                tree.add(&test.id);
                return Ok(Outcome::Downloaded { bytes, resumed, games, expected: test.games() });
            }
            Err(wrong) if is_second => {
                partial.discard()?;
                return Ok(Outcome::Failed(format!("the server's file is broken: {wrong}")));
            }
            Err(wrong) => {
                // Parts of two different files may have been put together.
                let why = format!("{}: {wrong}; downloaded once more from the beginning", test.id);
                listener(Event::Waiting { why, wait: Duration::ZERO });
                partial.restart().map_err(|cause| DownloadError::disk(partial.path(), cause))?;
                (resumed, is_second) = (0, true);
            }
        }
    }
}
