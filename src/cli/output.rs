//! Where results go and where files come from: `-` is standard output and input.

use std::borrow::Cow;
use std::fmt::Display;
use std::fs;
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use serde::Serialize;

use drawish::Kind;
use drawish::counts::CountsFile;
use drawish::export::{OwnFile, OwnFileError};
use drawish::in_words;
pub(super) use drawish::outfile::check_named;
use drawish::outfile::{self, OutputError};
use drawish::pgn::{Input, has_name_of_no_counts};
use drawish::provenance::harmless;
use drawish_tables::SHIPPED;

/// Whether a path stands for standard output or input.
pub(super) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Makes sure, before the work, that results can be written there and would replace neither each other nor one of the inputs, which are
/// everything that the verb reads, nor a log, which nothing brings back.
pub(super) fn check<O: AsRef<Path>, I: AsRef<Path>>(
    outputs: impl IntoIterator<Item = O>,
    inputs: impl IntoIterator<Item = I>,
) -> Result<()> {
    let outputs: Vec<O> = outputs.into_iter().collect();
    outputs.iter().try_for_each(|path| is_no_log(path.as_ref()))?;
    check_with_logs(outputs, inputs)
}

/// The same where a log may be continued.
pub(super) fn check_with_logs<O: AsRef<Path>, I: AsRef<Path>>(
    outputs: impl IntoIterator<Item = O>,
    inputs: impl IntoIterator<Item = I>,
) -> Result<()> {
    let outputs: Vec<O> = outputs.into_iter().filter(|path| !is_standard(path.as_ref())).collect();
    outfile::check_outputs(outputs, inputs).map_err(|error| {
        let said = format!("{error}; choose another place for -o");
        match error {
            OutputError::Write { source, .. } => Error::new(source).context(said),
            _ => anyhow!(said),
        }
    })
}

/// Makes sure that a file, if it is there, is not the log of games.
fn is_no_log(path: &Path) -> Result<()> {
    /// The first line of a log has the engines with their options, and no more.
    const LONGEST: u64 = 1 << 20;
    let mut begin = Vec::new();
    if fs::metadata(path).is_ok_and(|found| found.is_file())
        && let Ok(file) = fs::File::open(path)
        && file.take(LONGEST).read_to_end(&mut begin).is_ok()
        && let Some(kind @ (Kind::MatchLog | Kind::TournamentLog | Kind::TuningLog)) = Kind::of(&begin)
    {
        let (path, name) = (path.display(), kind.name());
        bail!("{path} holds a {name}, and is not replaced: choose another place for -o, or remove it");
    }
    Ok(())
}

/// Makes sure that counts do not go into a file whose name says that it holds something else.
pub(super) fn is_name_of_counts(path: &Path) -> Result<()> {
    ensure!(
        !has_name_of_no_counts(path),
        "{}: counts have a form of their own, which `drawish inspect` prints as CSV or JSON; give -o a name that ends in .counts",
        path.display()
    );
    Ok(())
}

/// The files among inputs.
pub(super) fn files(inputs: &[Input]) -> impl Iterator<Item = &Path> {
    inputs.iter().filter_map(Input::file)
}

/// Writes a result as a whole.
pub(super) fn write(path: &Path, content: &[u8]) -> Result<()> {
    if is_standard(path) {
        return match std::str::from_utf8(content) {
            Ok(text) if io::stdout().is_terminal() => print(text),
            _ => print_with(|out| out.write_all(content)),
        };
    }
    is_no_log(path)?;
    outfile::write_whole(path, content).with_context(|| format!("{} cannot be written", path.display()))
}

/// The same of what is written part after part, and is no text for people.
pub(super) fn write_with(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    if is_standard(path) {
        return print_with(write);
    }
    is_no_log(path)?;
    outfile::write_with(path, write).with_context(|| format!("{} cannot be written", path.display()))
}

/// Writes a text for people, or JSON for programs, to standard output; that its reader has seen enough and gone away is no failure.
pub(super) fn print(text: impl AsRef<str>) -> Result<()> {
    let text = text.as_ref();
    let shown = harmless(text);
    // JSON has escapes of its own, and a program that reads it wants the name as it is.
    let is_for_programs = || !io::stdout().is_terminal() && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    let text = if matches!(shown, Cow::Owned(_)) && is_for_programs() { text } else { &shown };
    print_with(|out| out.write_all(text.as_bytes()))
}

/// The same of what is written part after part.
pub(super) fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut stdout = BufWriter::new(io::stdout().lock());
    match write(&mut stdout).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error).context("standard output"),
        _ => Ok(()),
    }
}

/// The same of a result that is printed as JSON or as text.
pub(super) fn print_as<J: Serialize>(
    as_json: bool,
    json: impl FnOnce() -> J,
    text: impl FnOnce() -> String,
) -> Result<()> {
    print(as_asked(as_json, json, text))
}

/// A result as JSON or as text.
pub(super) fn as_asked<J: Serialize>(as_json: bool, json: impl FnOnce() -> J, text: impl FnOnce() -> String) -> String {
    let pretty = |json: J| serde_json::to_string_pretty(&json).expect("texts and numbers are always JSON");
    if as_json { pretty(json()) + "\n" } else { text() }
}

/// Prints what is said beside results: on standard error if one of them is printed.
pub(super) fn print_beside<'a>(results: impl IntoIterator<Item = &'a PathBuf>, text: impl AsRef<str>) -> Result<()> {
    if results.into_iter().any(|path| is_standard(path)) {
        complain(text);
        return Ok(());
    }
    print(text)
}

/// Says on standard error, in a line, what is wrong or odd.
pub(super) fn warn(what: impl Display) {
    complain(format!("drawish: {what}\n"));
}

/// Writes to standard error. There is nowhere to tell that this failed.
pub(super) fn complain(text: impl AsRef<str>) {
    let text = text.as_ref();
    // Lines that go on being written begin with a return.
    let (begin, rest) = text.split_at(usize::from(text.starts_with('\r')));
    let _ = io::stderr().lock().write_all(format!("{begin}{}", harmless(rest)).as_bytes());
}

/// Reads a file, which must be one of this program's.
pub(super) fn read(path: &Path) -> Result<OwnFile> {
    if is_standard(path) {
        return own(path, None, io::stdin());
    }
    let file = fs::File::open(path).map_err(in_words).with_context(|| unreadable(path))?;
    let len = file.metadata().ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len());
    own(path, len, file)
}

/// The same; without a file of that name, what is shipped under it.
pub(super) fn read_or_shipped(path: &Path) -> Result<OwnFile> {
    if let Some(bytes) = shipped(path) {
        return own(path, None, bytes);
    }
    if !path.exists() && !is_standard(path) {
        let names = SHIPPED.map(|(name, _)| name).join(", ");
        bail!("{} is not there; check the name, or take what is shipped: {names}", path.display())
    }
    read(path)
}

/// What is shipped under a name that no file has.
fn shipped(path: &Path) -> Option<&'static [u8]> {
    let (_, bytes) = SHIPPED.iter().find(|(name, _)| Path::new(name) == path)?;
    (!path.exists()).then_some(*bytes)
}

/// Reads a file that may be anything; `-` is standard input.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    let from_stdin = |mut bytes| io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes);
    let bytes = if is_standard(path) { from_stdin(Vec::new()) } else { fs::read(path) };
    bytes.map_err(in_words).with_context(|| unreadable(path))
}

/// The same of a text.
pub(super) fn read_text(path: &Path) -> Result<String> {
    String::from_utf8(read_bytes(path)?).map_err(|error| {
        let found = Kind::of(error.as_bytes()).map_or("something else", Kind::uses);
        anyhow!("{}: expected a text, found {found}", path.display())
    })
}

fn unreadable(path: &Path) -> String {
    format!("{} cannot be read; check the name", path.display())
}

fn own(path: &Path, len: Option<u64>, source: impl Read) -> Result<OwnFile> {
    OwnFile::read(source, len).map_err(|error| match error {
        OwnFileError::Read(error) => Error::new(in_words(error)).context(unreadable(path)),
        error => Error::new(error).context(path.display().to_string()),
    })
}

/// Reads and checks a counts file, or those that are shipped.
pub(super) fn read_counts(path: &Path) -> Result<CountsFile> {
    let found = match shipped(path).map_or_else(|| read(path), |bytes| own(path, None, bytes)) {
        Ok(OwnFile::Counts(counts)) => return Ok(*counts),
        Ok(other) => other.kind(),
        Err(error) => match error.downcast_ref() {
            Some(OwnFileError::Elsewhere(found)) => found,
            _ => return Err(error),
        },
    };
    let remedy = if found.contains("`drawish collect`") { "" } else { "; make them by `drawish collect`" };
    bail!("{}: expected counts of structures, found {found}{remedy}", path.display())
}
