//! What the user named: files, directories, patterns and standard input; and opening them.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use thiserror::Error;
use twox_hash::XxHash3_128;

/// One source of games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// Standard input.
    Stdin,
    /// A file, packed or not.
    File(PathBuf),
}

/// Why the named inputs cannot be read. Found before any work begins.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum InputError {
    #[error("{path}: {source}; check the name and the permissions")]
    Unreadable { path: String, source: io::Error },
    #[error("{pattern}: no file fits this pattern")]
    NoMatch { pattern: String },
    #[error("{pattern}: not a valid pattern: {source}")]
    Pattern { pattern: String, source: glob::PatternError },
    #[error("{path}: no .pgn, .pgn.gz, .pgn.zst or .pgn.bz2 file in this directory or below it")]
    EmptyDirectory { path: String },
    #[error("{path} is named twice: its games would be counted twice; name it once")]
    Twice { path: String },
}

impl Input {
    /// The size of a file in bytes, packed as it is; `None` for standard input.
    #[must_use]
    pub fn len(&self) -> Option<u64> {
        match self {
            Input::Stdin => None,
            Input::File(path) => fs::metadata(path).ok().map(|metadata| metadata.len()),
        }
    }

    /// Whether a file has no bytes at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// The name without directories: what provenance records, so that it says nothing about anybody's disk.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Input::Stdin => "stdin".to_owned(),
            Input::File(path) => path
                .file_name()
                .map_or_else(|| path.to_string_lossy().into_owned(), |name| name.to_string_lossy().into_owned()),
        }
    }

    /// Opens the input and looks at its first bytes to see how it is packed; the name does not matter.
    ///
    /// # Errors
    ///
    /// Those of opening and of reading the first bytes.
    pub fn open(&self) -> io::Result<OpenInput> {
        let raw: Box<dyn Read + Send> = match self {
            Input::Stdin => Box::new(io::stdin()),
            Input::File(path) => Box::new(File::open(path)?),
        };
        let meter = Arc::new(Mutex::new(Meter::new()));
        let mut metered = Metered { source: raw, meter: Arc::clone(&meter) };
        let mut head = Vec::with_capacity(4);
        metered.by_ref().take(4).read_to_end(&mut head)?;
        let packing = Packing::of(&head);
        let whole = io::Cursor::new(head).chain(metered);
        let text: Box<dyn Read + Send> = match packing {
            Packing::None => Box::new(whole),
            Packing::Gzip => Box::new(MultiGzDecoder::new(whole)),
            Packing::Zstd => Box::new(zstd::Decoder::new(whole)?),
            Packing::Bzip2 => Box::new(MultiBzDecoder::new(BufReader::with_capacity(64 << 10, whole))),
        };
        Ok(OpenInput { text, meter, packing })
    }
}

/// The whole path, for messages.
impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Stdin => f.write_str("standard input"),
            Input::File(path) => path.display().fmt(f),
        }
    }
}

/// How a file is packed, told by its first bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    /// Plain text, or something unknown.
    None,
    /// gzip, any number of members.
    Gzip,
    /// Zstandard, any number of frames.
    Zstd,
    /// bzip2, any number of streams.
    Bzip2,
}

impl Packing {
    fn of(head: &[u8]) -> Packing {
        match head {
            [0x1f, 0x8b, ..] => Packing::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd] => Packing::Zstd,
            [b'B', b'Z', b'h', _] => Packing::Bzip2,
            _ => Packing::None,
        }
    }
}

/// An open input: its unpacked text, and a meter on the bytes of the file itself.
pub struct OpenInput {
    text: Box<dyn Read + Send>,
    meter: Arc<Mutex<Meter>>,
    /// How the file is packed.
    pub packing: Packing,
}

impl Read for OpenInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.text.read(buffer)
    }
}

impl OpenInput {
    /// Bytes of the file (not of its text) read so far.
    #[must_use]
    pub fn file_bytes(&self) -> u64 {
        self.meter.lock().unwrap_or_else(PoisonError::into_inner).bytes
    }

    /// XXH3-128 of the bytes of the file read so far: of the whole file once the text has ended.
    #[must_use]
    pub fn digest(&self) -> u128 {
        self.meter.lock().unwrap_or_else(PoisonError::into_inner).hash.finish_128()
    }
}

/// XXH3-128 and length of a whole file, packed as it is.
///
/// # Errors
///
/// Those of opening and reading it.
pub fn file_digest(path: &Path) -> io::Result<(u128, u64)> {
    let meter = Arc::new(Mutex::new(Meter::new()));
    let mut metered = Metered { source: File::open(path)?, meter: Arc::clone(&meter) };
    let mut buffer = vec![0; 256 << 10];
    while metered.read(&mut buffer)? > 0 {}
    let meter = meter.lock().unwrap_or_else(PoisonError::into_inner);
    Ok((meter.hash.finish_128(), meter.bytes))
}

struct Meter {
    hash: XxHash3_128,
    bytes: u64,
}

impl Meter {
    fn new() -> Self {
        Meter { hash: XxHash3_128::new(), bytes: 0 }
    }
}

struct Metered<R> {
    source: R,
    meter: Arc<Mutex<Meter>>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        let mut meter = self.meter.lock().unwrap_or_else(PoisonError::into_inner);
        meter.hash.write(&buffer[..count]);
        meter.bytes += count as u64;
        Ok(count)
    }
}

/// What the arguments name: `-` is standard input, a directory stands for all PGN files in it and below, and
/// what is no file but has `*`, `?` or `[` is a pattern. Sorted by path, so that the order of the arguments
/// changes nothing.
///
/// # Errors
///
/// - anything named that cannot be opened for reading;
/// - a pattern or directory that stands for no file;
/// - the same file named twice.
pub fn expand_inputs(arguments: &[String]) -> Result<Vec<Input>, InputError> {
    let mut stdin = false;
    let mut paths = Vec::new();
    for argument in arguments {
        let path = Path::new(argument);
        if argument == "-" {
            if std::mem::replace(&mut stdin, true) {
                return Err(InputError::Twice { path: "-".to_owned() });
            }
        } else if path.is_dir() {
            let before = paths.len();
            files_below(path, &mut paths)?;
            if paths.len() == before {
                return Err(InputError::EmptyDirectory { path: argument.clone() });
            }
        } else if !path.exists() && argument.contains(['*', '?', '[']) {
            let matches = glob::glob(argument)
                .map_err(|source| InputError::Pattern { pattern: argument.clone(), source })?
                .filter_map(Result::ok)
                .filter(|path| path.is_file());
            let before = paths.len();
            paths.extend(matches);
            if paths.len() == before {
                return Err(InputError::NoMatch { pattern: argument.clone() });
            }
        } else {
            paths.push(path.to_owned());
        }
    }
    paths.sort();
    let mut seen = BTreeMap::new();
    for path in &paths {
        let unreadable = |source| InputError::Unreadable { path: path.display().to_string(), source };
        // A named pipe can be opened only once, by the one who reads it.
        if fs::metadata(path).map_err(unreadable)?.is_file() {
            File::open(path).map_err(unreadable)?;
        }
        if seen.insert(fs::canonicalize(path).map_err(unreadable)?, ()).is_some() {
            return Err(InputError::Twice { path: path.display().to_string() });
        }
    }
    Ok(stdin.then_some(Input::Stdin).into_iter().chain(paths.into_iter().map(Input::File)).collect())
}

/// Adds every PGN file below a directory.
fn files_below(directory: &Path, paths: &mut Vec<PathBuf>) -> Result<(), InputError> {
    let unreadable = |source| InputError::Unreadable { path: directory.display().to_string(), source };
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            files_below(&path, paths)?;
        } else if has_pgn_name(&path) {
            paths.push(path);
        }
    }
    Ok(())
}

fn has_pgn_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    ["", ".gz", ".zst", ".bz2"].iter().any(|packing| name.ends_with(&format!(".pgn{packing}")))
}

/// What a file that holds no game probably is, told by its first bytes.
#[must_use]
pub fn guess_what_it_is(path: &Path) -> &'static str {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| {
        let mut reader = BufReader::new(file);
        reader.fill_buf().map(|bytes| head.extend_from_slice(&bytes[..bytes.len().min(8)]))
    });
    match (read, &head[..]) {
        (Err(_), _) => "it cannot be read",
        (_, [0x89, b'P', b'N', b'G', ..]) => "it is a PNG picture",
        (_, [b'P', b'K', 3, 4, ..]) => "it is a zip archive: unpack it first",
        (_, [b'7', b'z', 0xbc, 0xaf, ..]) => "it is a 7z archive: unpack it first",
        (_, [0xfd, b'7', b'z', b'X', b'Z', ..]) => "it is packed with xz: unpack it first",
        (_, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) => "it is UTF-16 text: convert it to UTF-8 first",
        _ => "is it PGN?",
    }
}
