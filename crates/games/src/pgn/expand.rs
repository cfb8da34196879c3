//! What the user named: files, directories, archives, patterns and standard input, as inputs.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::archive::{self, Contents};
use super::input::Input;
use crate::training::Format;
use drawish_artefact::in_words;

/// Why the named inputs cannot be read. Found before any work begins.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum InputError {
    #[error("{path}: {cause}; check the name and the permissions")]
    Unreadable { path: String, cause: io::Error },
    #[error("{pattern}: no file fits this pattern")]
    NoMatch { pattern: String },
    #[error("{pattern}: not a valid pattern: {cause}")]
    Pattern { pattern: String, cause: glob::PatternError },
    #[error(
        "{path}: no .pgn, .pgn.gz, .pgn.zst or .pgn.bz2 file in this directory or below it; name training data by a pattern"
    )]
    EmptyDirectory { path: String },
    #[error("{path}: no .pgn, .pgn.gz, .pgn.zst or .pgn.bz2 file in it")]
    NoneInDirectory { path: String },
    #[error("{path}: no .pgn, .pgn.gz, .pgn.zst or .pgn.bz2 file in this archive")]
    EmptyArchive { path: String },
    #[error("{path}: {cause}")]
    BrokenArchive { path: String, cause: String },
    #[error("{path}: a compressed archive; decompress it to .tar, whose members may stay compressed, or unpack it")]
    PackedArchive { path: String },
    #[error("{path} is named twice: its games would be counted twice; name it once")]
    Twice { path: String },
}

/// What the arguments name: `-` is standard input, a directory or an archive (`.tar`) stands for all PGN files in it and
/// below, and what is no file but has `*`, `?` or `[` is a pattern. Sorted by path, so that the order of the arguments
/// changes nothing. A file that a directory holds under several names is taken once.
///
/// # Errors
///
/// - anything named that cannot be opened for reading; what a directory holds is reported when it is read;
/// - a pattern, directory or archive that stands for no file; a compressed archive;
/// - the same file named twice.
pub fn expand_inputs(arguments: &[PathBuf]) -> Result<Vec<Input>, InputError> {
    let mut found = Found::default();
    for argument in arguments {
        let text = argument.to_string_lossy();
        if text == "-" {
            if std::mem::replace(&mut found.stdin, true) {
                return Err(InputError::Twice { path: "-".to_owned() });
            }
        } else if !argument.exists() && text.contains(['*', '?', '[']) {
            found.add_pattern(&text)?;
        } else {
            found.add(argument)?;
        }
    }
    found.inputs.sort_by_cached_key(Input::place);
    let stdin = found.stdin.then_some(Input::Stdin);
    Ok(stdin.into_iter().chain(found.inputs).collect())
}

/// The PGN files in a directory, those below it left out.
///
/// # Errors
///
/// If it cannot be read, or there are none.
pub fn files_in(directory: &Path) -> Result<Vec<PathBuf>, InputError> {
    let path = directory.display().to_string();
    let entries = fs::read_dir(directory).map_err(|cause| InputError::Unreadable { path: path.clone(), cause })?;
    let files = entries.flatten().map(|entry| entry.path());
    let files: Vec<PathBuf> = files.filter(|path| path.is_file() && has_pgn_name(path) && !is_hidden(path)).collect();
    if files.is_empty() { Err(InputError::NoneInDirectory { path }) } else { Ok(files) }
}

/// What has been found so far.
#[derive(Default)]
struct Found {
    stdin: bool,
    inputs: Vec<Input>,
    /// Files and directories by their true names, so that links lead nowhere twice.
    seen: HashSet<PathBuf>,
}

impl Found {
    /// Adds a file, or the files of a directory or an archive.
    fn add(&mut self, path: &Path) -> Result<(), InputError> {
        let name = || path.display().to_string();
        let before = self.inputs.len();
        if path.is_dir() {
            self.add_directory(path)?;
            if self.inputs.len() == before {
                return Err(InputError::EmptyDirectory { path: name() });
            }
        } else if archive::has_packed_archive_name(path) {
            return Err(InputError::PackedArchive { path: name() });
        } else if archive::has_archive_name(path) {
            let Some(contents) = self.open_archive(path)? else { return Err(InputError::Twice { path: name() }) };
            if let Some(cause) = contents.broken() {
                return Err(InputError::BrokenArchive { path: name(), cause });
            }
            self.inputs.extend(contents.into_members().map(Input::Member));
            if self.inputs.len() == before {
                return Err(InputError::EmptyArchive { path: name() });
            }
        } else if !self.add_file(path)? {
            return Err(InputError::Twice { path: name() });
        }
        Ok(())
    }

    fn add_pattern(&mut self, pattern: &str) -> Result<(), InputError> {
        let matches =
            glob::glob(pattern).map_err(|cause| InputError::Pattern { pattern: pattern.to_owned(), cause })?;
        // As shells match names: a point at the beginning fits no other sign.
        let named = hidden_parts(Path::new(pattern));
        let before = self.inputs.len();
        for path in matches {
            let path = path.map_err(|error| {
                let path = error.path().display().to_string();
                InputError::Unreadable { path, cause: error.into() }
            })?;
            if !is_beside(&path) && hidden_parts(&path) <= named {
                self.add(&path)?;
            }
        }
        if self.inputs.len() == before {
            return Err(InputError::NoMatch { pattern: pattern.to_owned() });
        }
        Ok(())
    }

    /// Adds a file; `false` if it is there already.
    fn add_file(&mut self, path: &Path) -> Result<bool, InputError> {
        // A pipe has no other name, and can be opened only once, by the one who reads it.
        if fs::metadata(path).map_err(|cause| unreadable(path, cause))?.is_file() {
            File::open(path).map_err(|cause| unreadable(path, cause))?;
            if !self.seen.insert(fs::canonicalize(path).map_err(|cause| unreadable(path, cause))?) {
                return Ok(false);
            }
        }
        self.inputs.push(Input::File(path.to_owned()));
        Ok(true)
    }

    /// Lists an archive; `None` if that was done before.
    fn open_archive(&mut self, path: &Path) -> Result<Option<Contents>, InputError> {
        let failed = |cause| unreadable(path, cause);
        if !self.seen.insert(fs::canonicalize(path).map_err(failed)?) {
            return Ok(None);
        }
        archive::contents(path).map(Some).map_err(failed)
    }

    /// Adds every PGN file below a directory, and those in archives there, but for what is hidden: editors keep copies so.
    fn add_directory(&mut self, directory: &Path) -> Result<(), InputError> {
        let failed = |cause| unreadable(directory, cause);
        if !self.seen.insert(fs::canonicalize(directory).map_err(failed)?) {
            return Ok(());
        }
        let entries = fs::read_dir(directory).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
        let mut paths: Vec<_> = entries.into_iter().map(|entry| entry.path()).filter(|path| !is_hidden(path)).collect();
        // The first of several names is the same everywhere.
        paths.sort();
        for path in paths {
            if path.is_dir() {
                self.add_directory(&path)?;
            } else if archive::has_archive_name(&path) && is_file_or_broken(&path) {
                match self.open_archive(&path) {
                    Ok(contents) => {
                        let members = contents.into_iter().flat_map(Contents::into_members);
                        self.inputs.extend(members.map(Input::Member));
                    }
                    Err(_) => self.inputs.push(Input::File(path)),
                }
            } else if has_pgn_name(&path) && is_file_or_broken(&path) && self.add_file(&path).is_err() {
                // One file of many that cannot be opened does not end the run: reading it tells why.
                self.inputs.push(Input::File(path));
            } else if is_packed_otherwise(&path) && is_file_or_broken(&path) {
                self.inputs.push(Input::File(path));
            }
        }
        Ok(())
    }
}

fn unreadable(path: &Path, cause: io::Error) -> InputError {
    InputError::Unreadable { path: path.display().to_string(), cause: in_words(cause) }
}

/// Not a pipe or a device, at which a run would wait for ever although nobody has named it.
fn is_file_or_broken(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |metadata| metadata.is_file())
}

/// Whether a file is called as files of games are, packed or not; those that macOS puts beside every file in archives (`._games.pgn`) hold none.
#[must_use]
pub fn has_pgn_name(path: &Path) -> bool {
    ends_in(path, "pgn") && !is_beside(path)
}

/// How many parts of a path are hidden.
pub(super) fn hidden_parts(path: &Path) -> usize {
    path.iter().filter(|part| is_hidden(Path::new(part))).count()
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

fn is_beside(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"._"))
}

/// Whether there are games in a packing that is not read: to pass over them would lose them in silence, to read them tells why.
fn is_packed_otherwise(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    ["xz", "7z", "zip", "lz4", "lzma", "rar"].iter().any(|packing| name.ends_with(&format!(".pgn.{packing}")))
}

/// Whether the name says that there is something else than counts: games, text, tables, models, code, logs, pages; packed or not.
#[must_use]
pub fn has_name_of_no_counts(path: &Path) -> bool {
    const OTHERS: &[&str] = &[
        "pgn", "epd", "fen", "csv", "json", "jsonl", "parquet", "table", "u16", "i16", "u8", "wdl", "heads", "toml",
        "h", "hpp", "c", "cc", "cpp", "rs", "py", "html", "htm", "md", "svg", "png", "txt", "log", "nnue", "tar",
        "tgz", "zip", "7z", "rar", "xz", "lzma", "lz4",
    ];
    let formats = Format::ALL.iter().flat_map(|format| format.endings());
    OTHERS.iter().chain(formats).any(|ending| ends_in(path, ending))
}

fn ends_in(path: &Path, ending: &str) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    ["", ".gz", ".zst", ".bz2"].iter().any(|packing| name.ends_with(&format!(".{ending}{packing}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory with a file of games, other things with names of such, and an archive.
    fn place() -> tempfile::TempDir {
        let place = tempfile::tempdir().expect("a directory");
        let put = |name: &str, content: &[u8]| fs::write(place.path().join(name), content).expect("a file");
        put("a.pgn", b"1. e4 *\n");
        put("notes.txt", b"1. e4 *\n");
        put(".hidden.pgn", b"1. e4 *\n");
        fs::create_dir(place.path().join(".copies")).expect("a directory");
        put(".copies/a-checkpoint.pgn", b"1. e4 *\n");
        fs::create_dir(place.path().join("below.pgn")).expect("a directory");
        let mut builder = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_size(8);
        for name in ["b.pgn", ".copies/b.pgn", "x/.b.pgn"] {
            builder.append_data(&mut header, name, &b"1. d4 *\n"[..]).expect("a member");
        }
        put("c.tar", &builder.into_inner().expect("an archive in memory"));
        place
    }

    #[test]
    fn only_files_with_names_of_games_are_taken() {
        let place = place();
        assert_eq!(files_in(place.path()).expect("files"), [place.path().join("a.pgn")]);
        #[cfg(unix)]
        let _waits_for_ever = std::os::unix::net::UnixListener::bind(place.path().join("d.pgn")).expect("a socket");
        let found = expand_inputs(&[place.path().to_owned()]).expect("inputs");
        let places: Vec<_> = found.iter().filter_map(Input::place).collect();
        assert_eq!(places, [place.path().join("a.pgn"), place.path().join("c.tar/b.pgn")]);
        let found = |path: &str| expand_inputs(&[place.path().join(path)]).map_or(0, |found| found.len());
        // What is hidden has to be named.
        assert_eq!(
            [".copies", ".hidden.pgn", "[a].pgn", "*idden.pgn", "*/*.pgn", ".h*.pgn"].map(found),
            [1, 1, 1, 0, 0, 1]
        );
    }

    #[test]
    fn an_archive_is_listed_once() {
        let place = place();
        let archive = place.path().join("c.tar");
        let found = expand_inputs(std::slice::from_ref(&archive)).expect("inputs");
        assert_eq!(found.iter().filter_map(Input::place).collect::<Vec<_>>(), [archive.join("b.pgn")]);
        let twice = expand_inputs(&[archive.clone(), archive]).map_err(|error| error.to_string());
        assert!(twice.is_err_and(|error| error.contains("is named twice")));
    }
}
