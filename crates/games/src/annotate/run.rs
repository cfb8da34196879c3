//! Annotating whole files.

use std::io::{self, Write};
use std::path::Path;

use thiserror::Error;

use super::{Annotator, Options, Summary};
use crate::pgn::{ChunkBuffer, Chunks, Input};
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
    mut progress: impl FnMut(u64, u64),
) -> Result<Annotated, AnnotateError> {
    let mut chunks = Chunks::new(input.open().map_err(AnnotateError::Read)?).verbatim();
    let mut annotator = Annotator::new(options);
    let (mut buffer, mut annotated) = (ChunkBuffer::default(), Vec::new());
    while chunks.next(&mut buffer) {
        annotated.clear();
        annotator.annotate(buffer.text(), &mut annotated);
        out.write_all(&annotated).map_err(AnnotateError::Write)?;
        progress(chunks.source().file_bytes(), annotator.summary().games);
    }
    out.flush().map_err(AnnotateError::Write)?;
    Ok(Annotated { summary: annotator.judge.summary, broken: chunks.take_error() })
}

/// As [`annotate`], to a file that is written whole or not at all.
///
/// # Errors
///
/// If the input cannot be opened or the file cannot be written.
pub fn annotate_file(
    input: &Input,
    options: Options,
    path: &Path,
    progress: impl FnMut(u64, u64),
) -> Result<Annotated, AnnotateError> {
    let mut file = WholeFile::create(path).map_err(AnnotateError::Write)?;
    let annotated = annotate(input, options, &mut file, progress)?;
    file.finish().map_err(AnnotateError::Write)?;
    Ok(annotated)
}
