//! Where results go and where files come from: `-` is standard output and input.

use std::borrow::Cow;
use std::fmt::Display;
use std::fs;
use std::io::{self, BufRead, BufReader, BufWriter, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, anyhow, bail};
use serde_json::Value;

use drawish::counts::CountsFile;
use drawish::heads::{HeadsFile, WdlHead};
use drawish::outfile::{self, OutputError};
use drawish::pgn::Input;
use drawish::provenance::harmless;
use drawish::wdl::WdlFile;
use drawish::{Kind, read_bounded_to};
use drawish_tables::SHIPPED;

/// Whether a path stands for standard output or input.
pub(super) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Makes sure, before the work, that results can be written there and would replace neither each other nor one of the inputs:
/// everything that the verb reads.
pub(super) fn check<O: AsRef<Path>, I: AsRef<Path>>(
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

/// Makes sure that no two options name the same file, which need not exist yet.
pub(super) fn check_named<'a>(named: impl IntoIterator<Item = (&'static str, &'a PathBuf)>) -> Result<()> {
    let real = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).ok();
    let mut before: Vec<(&str, &PathBuf, Option<PathBuf>)> = Vec::new();
    for (option, path) in named {
        let own = real(path);
        let is_same =
            |(_, other, its): &&(&str, &PathBuf, Option<PathBuf>)| *other == path || (own.is_some() && *its == own);
        if let Some((other, ..)) = before.iter().find(is_same) {
            bail!("{other} and {option} both name {}: each needs a file of its own", path.display());
        }
        before.push((option, path, own));
    }
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
    outfile::write_whole(path, content).with_context(|| format!("{} cannot be written", path.display()))
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
pub(super) fn print_as(as_json: bool, json: impl FnOnce() -> Value, text: impl FnOnce() -> String) -> Result<()> {
    print(if as_json { format!("{:#}\n", json()) } else { text() })
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

/// A file of this program, read as a whole.
pub(super) enum Known {
    /// Counts, which are whole.
    Counts(Box<CountsFile>),
    /// It begins as a table does.
    Table(Vec<u8>),
    /// It begins as heads for engines do, or is what the text of heads gives.
    Heads(Vec<u8>),
    WdlCounts(Box<WdlFile>),
}

/// Reads a file, which must be one of this program's.
pub(super) fn read(path: &Path) -> Result<Known> {
    if is_standard(path) {
        return known(path, None, io::stdin());
    }
    let file = fs::File::open(path).with_context(|| unreadable(path))?;
    let len = file.metadata().ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len());
    known(path, len, file)
}

/// The longest first line that is looked at.
const FIRST_LINE: u64 = 1 << 20;

/// What to do with a file of a kind that is neither counts nor a table nor heads.
fn elsewhere(kind: Option<Kind>) -> Option<&'static str> {
    Some(match kind? {
        Kind::TournamentLog => "the log of a tournament: `drawish sprt` prints its table, `drawish report` shows it",
        Kind::MatchLog => "the log of a match: `drawish sprt` judges it, `drawish report` shows it",
        Kind::TuningLog => "the log of tuning by games: `drawish report` shows it",
        Kind::Pgn => "games: `drawish collect` counts them",
        Kind::Rows => "rows: `drawish tune` fits heads to them",
        _ => return None,
    })
}

/// The same; without a file of that name, what is shipped under it.
pub(super) fn read_or_shipped(path: &Path) -> Result<Known> {
    match SHIPPED.iter().find(|(name, _)| Path::new(name) == path) {
        Some((_, bytes)) if !path.exists() => known(path, None, *bytes),
        _ if path.exists() || is_standard(path) => read(path),
        _ => {
            let names = SHIPPED.map(|(name, _)| name).join(", ");
            bail!("{} is not there; check the name, or take what is shipped: {names}", path.display())
        }
    }
}

fn unreadable(path: &Path) -> String {
    format!("{} cannot be read; check the name", path.display())
}

/// What a source holds; what is not known is refused before the rest of it is read.
fn known(path: &Path, len: Option<u64>, mut source: impl Read) -> Result<Known> {
    let unreadable = || unreadable(path);
    let mut bytes = Vec::new();
    source.by_ref().take(8).read_to_end(&mut bytes).with_context(unreadable)?;
    // Only the whole of a text says what it is, and texts of heads begin with their format.
    if bytes.starts_with(b"format ") {
        read_bounded_to(&mut source, len, &mut bytes).with_context(unreadable)?;
    }
    let kind = Kind::of(&bytes);
    if !matches!(
        kind,
        Some(Kind::Counts | Kind::Table | Kind::EngineHeads | Kind::Heads | Kind::WdlHead | Kind::WdlCounts)
    ) {
        let expected =
            "expected a table, counts, heads or WDL counts, which begin with DRAWTBL, DRAWCNT, DRAWHDS and DRAWWDL";
        // The first line says what games and logs are.
        BufReader::new(source.take(FIRST_LINE)).read_until(b'\n', &mut bytes).with_context(unreadable)?;
        match elsewhere(Kind::of(&bytes)) {
            Some(found) => bail!("{}: {expected}; found {found}", path.display()),
            None => bail!(
                "{}: {expected}; make them by `drawish table`, `drawish collect`, `drawish tune` or `drawish wdl head`, and `drawish \
                 wdl collect`",
                path.display()
            ),
        }
    }
    read_bounded_to(source, len, &mut bytes).with_context(unreadable)?;
    let name = || path.display().to_string();
    Ok(match kind {
        Some(Kind::Counts) => Known::Counts(Box::new(CountsFile::from_bytes(&bytes).with_context(name)?)),
        Some(Kind::Table) => Known::Table(bytes),
        Some(Kind::EngineHeads) => Known::Heads(bytes),
        Some(Kind::WdlCounts) => Known::WdlCounts(Box::new(WdlFile::from_bytes(&bytes).with_context(name)?)),
        _ => {
            let text = std::str::from_utf8(&bytes).with_context(name)?;
            let binary = if kind == Some(Kind::Heads) {
                HeadsFile::from_toml(text).and_then(|heads| heads.to_binary())
            } else {
                WdlHead::from_toml(text).and_then(|head| head.to_binary())
            };
            Known::Heads(binary.with_context(name)?)
        }
    })
}

/// Reads and checks a counts file.
pub(super) fn read_counts(path: &Path) -> Result<CountsFile> {
    match read(path)? {
        Known::Counts(counts) => Ok(*counts),
        Known::Table(_) => {
            bail!("{}: expected counts, found a table; make counts by `drawish collect`", path.display())
        }
        Known::Heads(_) => bail!("{}: expected counts, found heads; make counts by `drawish collect`", path.display()),
        Known::WdlCounts(_) => {
            bail!(
                "{}: expected counts of structures, found WDL counts; make counts by `drawish collect`",
                path.display()
            )
        }
    }
}
