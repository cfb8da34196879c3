//! One source of games: a file, a member of an archive or standard input, and opening it.

mod kinds;

use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bzip2::read::MultiBzDecoder;
use drawish_artefact::Kind;
use flate2::read::MultiGzDecoder;
use twox_hash::XxHash3_128;

use self::kinds::{NOT_PGN, TAR, begins_with_tag, is_tar, other_kind};
use super::archive::Member;
use crate::training::Format;
use drawish_artefact::in_words;
use drawish_artefact::provenance::in_one_line;

/// So many bytes tell what a file is.
const HEAD: usize = 512;

/// One source of games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// Standard input.
    Stdin,
    /// A file, packed or not.
    File(PathBuf),
    /// A member of an archive, packed or not.
    Member(Member),
}

impl Input {
    /// The size of a file in bytes, packed as it is; `None` for standard input.
    #[must_use]
    pub fn len(&self) -> Option<u64> {
        match self {
            Input::Stdin => None,
            Input::File(path) => fs::metadata(path).ok().map(|metadata| metadata.len()),
            Input::Member(member) => Some(member.len()),
        }
    }

    /// The file that is read: the archive if this is a member of one.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match self {
            Input::Stdin => None,
            Input::File(path) => Some(path),
            Input::Member(member) => Some(member.archive()),
        }
    }

    /// Where it would lie if archives were directories.
    #[must_use]
    pub fn place(&self) -> Option<PathBuf> {
        match self {
            Input::Stdin => None,
            Input::File(path) => Some(path.clone()),
            Input::Member(member) => Some(member.archive().join(member.name())),
        }
    }

    /// Whether a file has no bytes at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// Why no game was found in it: it is empty, or something else, which is named with what takes it if it is known.
    #[must_use]
    pub fn why_no_game(&self) -> String {
        let known = || Kind::of_source(self.file().and_then(|_| self.open().ok())?).ok().flatten();
        match known() {
            _ if self.is_empty() => "the file is empty".to_owned(),
            Some(kind) if kind != Kind::Pgn => format!("no game found, but {}", kind.uses()),
            _ => "no game found; is it PGN?".to_owned(),
        }
    }

    /// The name without directories: what provenance records, so that it says nothing about anybody's disk. Of a member,
    /// the name of its archive and its path within.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Input::Stdin => "stdin".to_owned(),
            Input::File(path) => name_of(path),
            Input::Member(member) => format!("{}: {}", name_of(member.archive()), member.name().display()),
        }
    }

    /// Whether this is the file at `path`, by whatever name.
    #[must_use]
    pub fn is_same_file(&self, path: &Path) -> bool {
        match (self.file(), fs::canonicalize(path)) {
            (Some(own), Ok(other)) => fs::canonicalize(own).is_ok_and(|own| own == other),
            _ => false,
        }
    }

    /// Opens the input and looks at its first bytes to see how it is packed; the name does not matter.
    ///
    /// # Errors
    ///
    /// Those of opening and of reading the first bytes; and that it begins as a file of another kind does, which is
    /// [`Unsupported`](io::ErrorKind::Unsupported) unless there may be games in it.
    pub fn open(&self) -> io::Result<OpenInput> {
        let meter = Arc::new(Mutex::new(Meter::new()));
        let mut metered = Metered { source: self.raw().map_err(in_words)?, meter: Arc::clone(&meter) };
        let mut head = Vec::with_capacity(HEAD);
        metered.by_ref().take(HEAD as u64).read_to_end(&mut head).map_err(in_words)?;
        if let Some(what) = other_kind(&head) {
            // What is no PGN however it is packed, and what has to be unpacked by another program.
            let is_other = what.starts_with(NOT_PGN);
            let kind = if is_other { io::ErrorKind::Unsupported } else { io::ErrorKind::InvalidData };
            return Err(io::Error::new(kind, what));
        }
        let packing = Packing::of(&head);
        if packing == Packing::None && head.contains(&0) && !begins_with_tag(&head) {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "not PGN but something else than text"));
        }
        let whole = io::Cursor::new(head).chain(metered);
        let input = OpenInput::new(packing, whole, meter)?;
        if packing == Packing::None { Ok(input) } else { input.without_archive() }
    }

    /// The format of training data that its name says; `None` for PGN.
    #[must_use]
    pub fn format(&self) -> Option<Format> {
        match self {
            Input::File(path) => Format::of(path),
            Input::Stdin | Input::Member(_) => None,
        }
    }

    /// Whether it is training data of positions without games.
    #[must_use]
    pub fn is_of_positions(&self) -> bool {
        self.format().is_some_and(|format| !format.has_games())
    }

    /// Opens training data, whose first bytes may be anything: its name says how it is packed.
    pub(super) fn open_coded(&self) -> io::Result<OpenInput> {
        let meter = Arc::new(Mutex::new(Meter::new()));
        let metered = Metered { source: self.raw()?, meter: Arc::clone(&meter) };
        let packing = self.file().and_then(Path::extension).map_or(Packing::None, Packing::of_ending);
        OpenInput::new(packing, metered, meter)
    }

    /// The bytes, packed as they are.
    fn raw(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Input::Stdin => Box::new(io::stdin()),
            Input::File(path) => Box::new(File::open(path)?),
            Input::Member(member) => Box::new(member.open()?),
        })
    }

    /// XXH3-128 of the first `most` bytes of what the input contains, unpacked, as far as it can be read, and how it is packed.
    /// `None` for standard input, which can be read only once, and where there is nothing to read.
    pub(super) fn content(&self, most: u64) -> Option<(u128, Packing)> {
        if matches!(self, Input::Stdin) {
            return None;
        }
        let open = if self.format().is_some() { self.open_coded() } else { self.open() };
        let open = open.ok()?;
        let packing = open.packing;
        let ((digest, bytes), _) = digest_of(open.take(most));
        (bytes > 0).then_some((digest, packing))
    }

    /// XXH3-128 and length of all that can be read of a file or member, packed as it is; `None` for standard input, which can
    /// be read only once.
    pub(crate) fn digest(&self) -> Option<(u128, u64)> {
        if matches!(self, Input::Stdin) {
            return None;
        }
        let (found, ended) = digest_of(self.raw().ok()?);
        // That the end of a member is missing is reported by who reads it.
        (ended.is_ok() || matches!(self, Input::Member(_))).then_some(found)
    }
}

/// The whole path, for messages.
impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Stdin => f.write_str("standard input"),
            Input::File(path) => f.write_str(&in_one_line(&path.to_string_lossy())),
            Input::Member(member) => member.fmt(f),
        }
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
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
    pub(crate) fn of_ending(ending: &OsStr) -> Packing {
        match ending.to_ascii_lowercase().to_str() {
            Some("gz") => Packing::Gzip,
            Some("zst") => Packing::Zstd,
            Some("bz2") => Packing::Bzip2,
            _ => Packing::None,
        }
    }

    fn unpack(self, packed: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Packing::None => Box::new(packed),
            Packing::Gzip => Box::new(MultiGzDecoder::new(packed)),
            Packing::Zstd => Box::new(zstd::Decoder::new(packed)?),
            Packing::Bzip2 => Box::new(MultiBzDecoder::new(BufReader::with_capacity(64 << 10, packed))),
        })
    }

    fn of(head: &[u8]) -> Packing {
        match head {
            [0x1f, 0x8b, ..] => Packing::Gzip,
            // A frame, or one to be skipped, with which parallel packers begin.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Packing::Zstd,
            [b'B', b'Z', b'h', ..] => Packing::Bzip2,
            _ => Packing::None,
        }
    }
}

/// An open input: its unpacked text, and a meter on the bytes of the file itself.
pub struct OpenInput {
    text: Box<dyn Read + Send>,
    meter: Arc<Mutex<Meter>>,
    /// Of what is unpacked, while the file itself is hashed by its meter; the text of a plain file is the file.
    unpacked: Option<Meter>,
    /// How the file is packed.
    pub packing: Packing,
}

impl Read for OpenInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.text.read(buffer).map_err(with_remedy)?;
        if let Some(unpacked) = &mut self.unpacked {
            unpacked.add(&buffer[..count]);
        }
        Ok(count)
    }
}

impl OpenInput {
    fn new(packing: Packing, source: impl Read + Send + 'static, meter: Arc<Mutex<Meter>>) -> io::Result<OpenInput> {
        let unpacked = (packing != Packing::None).then(Meter::new);
        Ok(OpenInput { text: packing.unpack(source)?, meter, unpacked, packing })
    }

    /// The same unless what is packed is an archive: read as one text, its members would lose their first tags.
    fn without_archive(self) -> io::Result<OpenInput> {
        let OpenInput { mut text, meter, unpacked, packing } = self;
        let mut head = Vec::with_capacity(HEAD);
        // What fails here fails again where games are read, behind the text before it.
        let ended = text.by_ref().take(HEAD as u64).read_to_end(&mut head);
        if is_tar(&head) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, TAR));
        }
        let head = io::Cursor::new(head);
        let text: Box<dyn Read + Send> = match ended {
            Ok(_) => Box::new(head.chain(text)),
            Err(error) => Box::new(head.chain(Failed(Some(error)))),
        };
        Ok(OpenInput { text, meter, unpacked, packing })
    }

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

    /// XXH3-128 of the text read so far, if the file is packed and holds any; that of plain text is the [digest](Self::digest).
    #[must_use]
    pub fn unpacked_digest(&self) -> Option<u128> {
        self.unpacked.as_ref().filter(|text| text.bytes > 0).map(|text| text.hash.finish_128())
    }
}

/// The words of Zstandard for a window that is larger than it takes unasked say nothing of a way out.
fn with_remedy(error: io::Error) -> io::Error {
    if error.to_string().contains("too much memory") { io::Error::new(error.kind(), WIDE_WINDOW) } else { error }
}

const WIDE_WINDOW: &str = "packed by Zstandard with a window above 128 MB, as of --long=30; unpack it by zstd -d --long=31 and give that file";

/// What could not be read.
struct Failed(Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// XXH3-128 and length of a whole file, packed as it is.
///
/// # Errors
///
/// Those of opening and reading it.
pub fn file_digest(path: &Path) -> io::Result<(u128, u64)> {
    let (found, ended) = digest_of(File::open(path)?);
    ended.map(|()| found)
}

/// XXH3-128 and length of what can be read, and how that ended.
fn digest_of(source: impl Read) -> ((u128, u64), io::Result<()>) {
    let meter = Arc::new(Mutex::new(Meter::new()));
    let mut metered = Metered { source, meter: Arc::clone(&meter) };
    let ended = io::copy(&mut metered, &mut io::sink()).map(drop);
    let meter = meter.lock().unwrap_or_else(PoisonError::into_inner);
    ((meter.hash.finish_128(), meter.bytes), ended)
}

struct Meter {
    hash: XxHash3_128,
    bytes: u64,
}

impl Meter {
    fn new() -> Self {
        Meter { hash: XxHash3_128::new(), bytes: 0 }
    }

    fn add(&mut self, bytes: &[u8]) {
        self.hash.write(bytes);
        self.bytes += bytes.len() as u64;
    }
}

struct Metered<R> {
    source: R,
    meter: Arc<Mutex<Meter>>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.meter.lock().unwrap_or_else(PoisonError::into_inner).add(&buffer[..count]);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packings_are_told_by_endings() {
        let packings = ["gz", "ZST", "bz2", "pgn"].map(|ending| Packing::of_ending(OsStr::new(ending)));
        assert_eq!(packings, [Packing::Gzip, Packing::Zstd, Packing::Bzip2, Packing::None]);
    }

    /// An empty frame whose window is of 128 MB, and one of 256.
    #[test]
    fn wide_windows_are_refused_with_a_way_out() {
        let read = |window_log: u8| {
            let frame = [0x28, 0xb5, 0x2f, 0xfd, 0, (window_log - 10) << 3, 1, 0, 0];
            let meter = Arc::new(Mutex::new(Meter::new()));
            let mut input = OpenInput::new(Packing::Zstd, io::Cursor::new(frame), meter).expect("opened");
            input.read_to_end(&mut Vec::new()).map_err(|error| error.to_string())
        };
        assert_eq!((read(27), read(28)), (Ok(0), Err(WIDE_WINDOW.to_owned())));
    }

    #[test]
    fn the_digest_of_a_file_is_that_of_its_bytes() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        fs::write(file.path(), "1. e4 *\n").expect("text");
        assert_eq!(file_digest(file.path()).expect("a digest"), (XxHash3_128::oneshot(b"1. e4 *\n"), 8));
    }
}
