//! From games to a row file.

use std::num::NonZero;
use std::path::Path;

use drawish_artefact::outfile::WholeFile;
use drawish_games::pgn::Input;
use drawish_games::rows::{Gathered, Judge, RowsProvenance, gather};
use drawish_games::sample::Rule;

use super::rows::{RowsError, RowsWriter};

/// What a row file was made of.
#[derive(Debug)]
#[non_exhaustive]
pub struct WrittenRows {
    /// Rows in the file.
    pub rows: u64,
    /// The games that were read.
    pub gathered: Gathered,
}

/// Writes a row for each position that counts by `rule` into a Parquet file, which is whole or as it was before. With a `judge`
/// the evaluations are its own instead of those in comments. `progress` gets the bytes and games that were read so far. Threads
/// change nothing in the file.
///
/// # Errors
///
/// Those of writing. Inputs that cannot be read are named in [`Gathered::problems`].
pub fn write_rows(
    inputs: Vec<Input>,
    rule: &Rule,
    judge: Option<Judge>,
    threads: NonZero<usize>,
    path: &Path,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<WrittenRows, RowsError> {
    let mut whole = WholeFile::create(path)?;
    let mut file = RowsWriter::new(&mut whole)?;
    let mut count = 0;
    let sink = |rows: drawish_games::rows::Rows| {
        count += rows.len() as u64;
        file.write(rows)
    };
    let gathered = gather(inputs, rule, judge, threads, sink, progress)?;
    file.finish(&RowsProvenance::new(rule, judge.is_some(), gathered.inputs.clone()))?;
    whole.finish()?;
    Ok(WrittenRows { rows: count, gathered })
}
