//! Annotating whole files.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use thiserror::Error;

use super::{Annotator, Options, Summary};
use crate::pgn::{ChunkBuffer, Chunks, Input, Packing};
use drawish_artefact::outfile::WholeFile;

/// What came of an input.
#[derive(Debug)]
pub struct Annotated {
    /// What was read and added.
    pub summary: Summary,
    /// Why reading ended early, if it did; what stands before the break is annotated.
    pub broken: Option<io::Error>,
}

/// Why an input was not annotated.
#[derive(Debug, Error)]
pub enum AnnotateError {
    /// It cannot be opened.
    #[error(transparent)]
    Read(io::Error),
    /// The result cannot be written.
    #[error(transparent)]
    Write(io::Error),
}

/// Copies an input to `out` with symbols and expected results added, to its end or to where it breaks. `progress` is called
/// with the bytes of the file and the games read so far.
///
/// # Errors
///
/// If the input cannot be opened or the output cannot be written.
pub fn annotate(
    input: &Input,
    options: Options,
    out: &mut impl Write,
    progress: impl FnMut(u64, u64),
) -> Result<Annotated, AnnotateError> {
    annotate_if(input, options, out, progress, |_| Ok(()))
}

/// The same after a look at the first text.
fn annotate_if(
    input: &Input,
    options: Options,
    out: &mut impl Write,
    mut progress: impl FnMut(u64, u64),
    look: impl FnOnce(&[u8]) -> Result<(), AnnotateError>,
) -> Result<Annotated, AnnotateError> {
    let mut look = Some(look);
    let mut chunks = Chunks::new(input.open().map_err(AnnotateError::Read)?).verbatim();
    let mut annotator = Annotator::new(options);
    let (mut buffer, mut annotated) = (ChunkBuffer::default(), Vec::new());
    while chunks.next(&mut buffer) {
        look.take().map_or(Ok(()), |look| look(buffer.text()))?;
        annotated.clear();
        annotator.annotate(buffer.text(), &mut annotated);
        out.write_all(&annotated).map_err(AnnotateError::Write)?;
        progress(chunks.source().file_bytes(), annotator.summary().games);
    }
    out.flush().map_err(AnnotateError::Write)?;
    Ok(Annotated { summary: annotator.judge.summary, broken: chunks.take_error() })
}

/// As [`annotate`], to a file that is written whole or not at all. It replaces what was made of the same games before, and nothing
/// else that holds something.
///
/// # Errors
///
/// If the input cannot be opened, the file cannot be written, or it holds something else, or an annotation of more than
/// the input has to its break.
pub fn annotate_file(
    input: &Input,
    options: Options,
    path: &Path,
    progress: impl FnMut(u64, u64),
) -> Result<Annotated, AnnotateError> {
    if path.extension().is_some_and(|ending| Packing::of_ending(ending) != Packing::None) {
        let said = "the output is not compressed: name it .pgn and compress it afterwards";
        return Err(AnnotateError::Write(io::Error::new(io::ErrorKind::InvalidInput, said)));
    }
    let mut file = WholeFile::create(path).map_err(AnnotateError::Write)?;
    let annotated = annotate_if(input, options, &mut file, progress, |text| keep_others(path, text))?;
    // Less than a whole input takes the place of nothing.
    let is_less = annotated.summary.games == 0 || annotated.broken.is_some();
    if is_less && holds_something(path) {
        return Err(kept(
            "it holds an earlier annotation, and the input is cut or has no game: choose another name, or remove it",
        ));
    }
    file.finish().map_err(AnnotateError::Write)?;
    Ok(annotated)
}

fn holds_something(path: &Path) -> bool {
    path.metadata().is_ok_and(|there| there.is_file() && there.len() > 0)
}

fn kept(why: &str) -> AnnotateError {
    AnnotateError::Write(io::Error::new(io::ErrorKind::AlreadyExists, why))
}

/// Makes sure that a file that is there was made of this text before, as far as its first games show.
fn keep_others(path: &Path, text: &[u8]) -> Result<(), AnnotateError> {
    if !holds_something(path) {
        return Ok(());
    }
    let mut begin = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LOOKED_AT as u64).read_to_end(&mut begin))
        .map_err(AnnotateError::Write)?;
    let (there, own) = (plain(&begin), plain(&text[..text.len().min(LOOKED_AT)]));
    if there.starts_with(&own) || own.starts_with(&there) {
        return Ok(());
    }
    Err(kept("it holds something else, which is not replaced: choose another name, or remove it"))
}

/// So much of both files is compared.
const LOOKED_AT: usize = 16 << 10;

/// A text without blanks and without what is added to it: symbols of moves and positions, and comments with an expected result.
fn plain(text: &[u8]) -> Vec<u8> {
    const ADDED: &[u8] = b"{[%expected";
    let mut rest = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut plain = Vec::with_capacity(rest.len());
    while let [first, behind @ ..] = rest {
        rest = if rest.starts_with(ADDED) {
            memchr::memchr(b'}', rest).map_or(&[], |end| &rest[end + 1..])
        } else if *first == b'$' {
            &behind[behind.iter().take_while(|byte| byte.is_ascii_digit()).count()..]
        } else {
            plain.extend(Some(*first).filter(|byte| !byte.is_ascii_whitespace()));
            behind
        };
    }
    plain
}
