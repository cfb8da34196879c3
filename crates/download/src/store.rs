//! The tree of downloads: what is there, and files in the making.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

use super::error::{DownloadError, FileError};
use drawish_artefact::outfile;
use drawish_games::pgn::{Input, Packing};

/// The directory of downloads with the tests that it holds.
pub(super) struct Tree {
    root: PathBuf,
    /// Directory and identifier of each test.
    tests: BTreeSet<(PathBuf, String)>,
    known: BTreeSet<String>,
}

impl Tree {
    /// Looks for files of tests in all directories below `root`, which is made if it is not there.
    pub(super) fn read(root: &Path) -> Result<Tree, DownloadError> {
        fs::create_dir_all(root).map_err(|cause| DownloadError::disk(root, cause))?;
        let mut tree = Tree { root: root.to_owned(), tests: BTreeSet::new(), known: BTreeSet::new() };
        let mut directories = vec![root.to_owned()];
        while let Some(directory) = directories.pop() {
            let failed = |cause| DownloadError::disk(&directory, cause);
            for entry in fs::read_dir(&directory).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                if entry.file_type().map_err(failed)?.is_dir() {
                    directories.push(entry.path());
                } else if let Some(id) = test_of_file(&entry.file_name().to_string_lossy()) {
                    tree.known.insert(id.to_owned());
                    tree.tests.insert((directory.clone(), id.to_owned()));
                }
            }
        }
        Ok(tree)
    }

    /// Directory and identifier of each test that was there at the beginning.
    pub(super) fn tests(self) -> impl Iterator<Item = (PathBuf, String)> {
        self.tests.into_iter()
    }

    pub(super) fn holds(&self, id: &str) -> bool {
        self.known.contains(id)
    }

    pub(super) fn add(&mut self, id: &str) {
        self.known.insert(id.to_owned());
    }

    /// Where the file of a test belongs, by the day on which the test began and its identifier.
    pub(super) fn file(&self, day: &str, id: &str) -> PathBuf {
        self.root.join(day).join(id).join(format!("{id}.pgn.gz"))
    }

    /// Where its metadata belong.
    pub(super) fn metadata(&self, day: &str, id: &str) -> PathBuf {
        self.file(day, id).with_file_name(format!("{id}.json"))
    }

    /// Where its file is made.
    pub(super) fn place(&self, day: &str, id: &str) -> PathBuf {
        self.file(day, id).with_extension("gz.partial")
    }
}

/// The test that a file holds games of, by its name: `<test>.pgn` or `<test>-<number>.pgn`, packed or not.
fn test_of_file(name: &str) -> Option<&str> {
    let stem = ["", ".gz", ".zst", ".bz2"].iter().find_map(|packing| name.strip_suffix(&format!(".pgn{packing}")))?;
    let (id, number) = stem.split_once('-').unwrap_or((stem, "0"));
    let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    (is_id && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(id)
}

/// Writes metadata as fishtest's tools do: keys in order, four blanks for each level.
pub(super) fn write_metadata(path: &Path, metadata: &Value) -> Result<(), DownloadError> {
    let mut sorted = metadata.clone();
    sorted.sort_all_objects();
    outfile::write_with(path, |out| {
        let mut serializer = Serializer::with_formatter(out, PrettyFormatter::with_indent(b"    "));
        serde::Serialize::serialize(&sorted, &mut serializer).map_err(io::Error::from)
    })
    .map_err(|cause| DownloadError::disk(path, cause))
}

/// A file in the making, which no other process writes to meanwhile.
pub(super) struct Partial {
    file: File,
    path: PathBuf,
    len: u64,
}

/// Number of games in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Games(pub(super) u64);

impl Partial {
    /// Opens or makes the file and the directories around it; `None` if another process is at it.
    pub(super) fn open(path: PathBuf) -> Result<Option<Partial>, DownloadError> {
        let opened = || {
            fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
            let file = OpenOptions::new().append(true).create(true).open(&path)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Ok(None),
                // Some file systems know no locks; then the checksum has to find what two processes have mixed.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            // Between opening and locking another process may have finished the file and given it its name.
            if !is_at(&file, &path)? {
                return Ok(None);
            }
            let len = file.metadata()?.len();
            Ok(Some((file, len)))
        };
        match opened() {
            Ok(found) => Ok(found.map(|(file, len)| Partial { file, path, len })),
            Err(cause) => Err(DownloadError::disk(&path, cause)),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes that are there.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    pub(super) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.len += bytes.len() as u64;
        Ok(())
    }

    /// Throws away what is there.
    pub(super) fn restart(&mut self) -> io::Result<()> {
        if self.len > 0 {
            self.file.set_len(0)?;
            self.len = 0;
        }
        Ok(())
    }

    /// Removes the file, and the directories that were made for it unless there is more in them.
    pub(super) fn discard(self) -> Result<(), DownloadError> {
        fs::remove_file(&self.path).map_err(|cause| DownloadError::disk(&self.path, cause))?;
        for directory in self.path.ancestors().skip(1).take(2) {
            if fs::remove_dir(directory).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// Unpacks the file, whose checksums are compared by that, and counts its games.
    pub(super) fn check(&self) -> Result<Games, FileError> {
        let input = Input::File(self.path.clone()).open();
        let input = input.map_err(|error| FileError::Unreadable(error.to_string()))?;
        if input.packing != Packing::Gzip {
            return Err(FileError::NoGzip);
        }
        match count_games(input, self.len.saturating_mul(LARGEST_RATIO).saturating_add(LARGEST_UNPACKED))? {
            Games(0) => Err(FileError::NoGames),
            games => Ok(games),
        }
    }

    /// Gives the file its name, after all of it is on the disk.
    pub(super) fn finish(self, path: &Path) -> Result<(), DownloadError> {
        let finished = self.file.sync_all().and_then(|()| fs::rename(&self.path, path));
        finished.map_err(|cause| DownloadError::disk(path, cause))
    }
}

/// Games unpack to about five times their packed length: what is longer than this many times is none.
const LARGEST_RATIO: u64 = 100;
/// As long as this it may be in any case.
const LARGEST_UNPACKED: u64 = 16 << 20;

/// Counts the games of a text that is not longer than `limit`, whatever its lines are like.
fn count_games(text: impl Read, limit: u64) -> Result<Games, FileError> {
    let mut text = BufReader::with_capacity(1 << 16, text);
    let (mut games, mut bytes) = (0, 0);
    // Of a line only as much is kept as a result needs.
    let mut line = Vec::with_capacity(LONGEST_RESULT);
    loop {
        let part = match text.fill_buf() {
            Ok([]) => return Ok(Games(games + u64::from(is_result(&line)))),
            Ok(part) => part,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(FileError::Damaged(error.to_string())),
        };
        let end = part.iter().position(|byte| *byte == b'\n');
        let rest = &part[..end.unwrap_or(part.len())];
        line.extend_from_slice(&rest[..rest.len().min(LONGEST_RESULT - line.len())]);
        let used = rest.len() + usize::from(end.is_some());
        if end.is_some() {
            games += u64::from(is_result(&line));
            line.clear();
        }
        bytes += used as u64;
        if bytes > limit {
            return Err(FileError::TooLong { limit });
        }
        text.consume(used);
    }
}

/// Whether a file is the one that a path leads to.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let own = file.metadata()?;
    match fs::metadata(path) {
        Ok(there) => Ok((own.dev(), own.ino()) == (there.dev(), there.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Elsewhere an open file cannot be renamed.
#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> io::Result<bool> {
    path.try_exists()
}

/// `[Result "1/2-1/2"`.
const LONGEST_RESULT: usize = 17;

/// Whether a line is the tag of a finished game's result.
fn is_result(line: &[u8]) -> bool {
    let Some(result) = line.strip_prefix(b"[Result \"") else { return false };
    [&b"1-0\""[..], b"0-1\"", b"1/2-1/2\""].iter().any(|known| result.starts_with(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_that_another_process_has_finished_meanwhile_is_left_alone() {
        let place = drawish_artefact::outfile::ScratchDirectory::new().expect("a directory");
        let (partial, whole) = (place.path().join("x.gz.partial"), place.path().join("x.gz"));
        let file = File::create(&partial).expect("a file");
        assert!(is_at(&file, &partial).expect("it is there"));
        fs::rename(&partial, &whole).expect("renamed");
        assert!(!is_at(&file, &partial).expect("it is gone"));
        fs::write(&partial, "another").expect("a file");
        assert!(!is_at(&file, &partial).expect("it is another"));
    }

    #[test]
    fn games_are_counted_in_text_of_any_shape() {
        let text = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n[Result \"*\"]\r\n[Result \"1/2-1/2\"]";
        assert_eq!(count_games(text.as_bytes(), 1 << 20), Ok(Games(2)));
        // A line without end takes no memory, and text without end takes no time.
        let endless = io::repeat(b'x');
        assert_eq!(count_games(endless, 1 << 20), Err(FileError::TooLong { limit: 1 << 20 }));
    }

    #[test]
    fn files_tell_their_tests() {
        for (name, id) in [
            ("65a1.pgn.gz", Some("65a1")),
            ("65a1-12.pgn", Some("65a1")),
            ("65a1.pgn.zst", Some("65a1")),
            ("65a1.pgn.gz.partial", None),
            ("65a1.json", None),
            ("games-of-2020.pgn", None),
            ("My.pgn", None),
            (".pgn", None),
        ] {
            assert_eq!(test_of_file(name), id, "{name}");
        }
    }
}
