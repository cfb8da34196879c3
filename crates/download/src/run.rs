//! A run: the list of tests, page by page, and each wanted test to its place.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use super::account::{Event, Listener, Outcome, Retry};
use super::client::{Broken, Client};
use super::error::{DownloadError, RequestError, TestError};
use super::listing::{Refusal, Test, Wanted, tests_of_page};
use super::patience::Patience;
use super::store::{self, Games, Partial, Tree};

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

/// Downloads the games and metadata of all wanted tests that are not there yet.
///
/// # Errors
///
/// If the list of tests cannot be had, or the disk fails. What goes wrong with one test is its [`Outcome`].
pub fn download(config: &Config, listener: &mut Listener<'_>) -> Result<(), DownloadError> {
    let client = Client::new(&config.base, config.patience)?;
    let mut tree = Tree::read(&config.directory)?;
    let mut listed = HashSet::new();
    for page in 1_u32.. {
        let address = config.wanted.address_of_page(page);
        let answer = match client.get_json(&address.0, &address.1, listener) {
            Ok(answer) => answer,
            Err(RequestError::NoJson { found }) => {
                return Err(DownloadError::NoListing { url: client.url(&address.0), found });
            }
            Err(source) => return Err(DownloadError::Listing { url: client.url(&address.0), source }),
        };
        let tests = tests_of_page(answer)
            .map_err(|no_page| DownloadError::NoListing { url: client.url(&address.0), found: no_page.found })?;
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
                Ok(_) => Outcome::Failed(TestError::NoObject),
                Err(RequestError::Status(404)) => Outcome::Refused(Refusal::Absent),
                Err(error) => Outcome::Failed(error.into()),
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
    let day = test.day().unwrap_or_default();
    let Some(mut partial) = Partial::open(tree.place(day, &test.id))? else {
        return Ok(Outcome::Refused(Refusal::Busy));
    };
    let address = format!("/api/run_pgns/{}.pgn.gz", test.id);
    let mut resumed = partial.len();
    let mut is_second = false;
    loop {
        match client.complete(&address, &mut partial, listener) {
            Ok(()) => {}
            Err(Broken::Disk(cause)) => return Err(DownloadError::disk(partial.path(), cause)),
            Err(Broken::Server(RequestError::Status(404))) => {
                if partial.len() == 0 {
                    partial.discard()?;
                }
                return Ok(Outcome::Refused(Refusal::Absent));
            }
            Err(Broken::Server(error)) => return Ok(Outcome::Failed(error.into())),
        }
        match partial.check() {
            Ok(Games(games)) => {
                let bytes = partial.len();
                // First, so that no file is ever without its metadata.
                store::write_metadata(&tree.metadata(day, &test.id), &test.metadata)?;
                partial.finish(&tree.file(day, &test.id))?;
                tree.add(&test.id);
                return Ok(Outcome::Downloaded { bytes, resumed, games, expected: test.games() });
            }
            Err(error) if is_second => {
                partial.discard()?;
                return Ok(Outcome::Failed(error.into()));
            }
            Err(error) => {
                // Parts of two different files may have been put together.
                let why = Retry::File { test: &test.id, error: &error };
                listener(Event::Waiting { why, wait: Duration::ZERO });
                partial.restart().map_err(|cause| DownloadError::disk(partial.path(), cause))?;
                (resumed, is_second) = (0, true);
            }
        }
    }
}
