//! From games to a row file.

use std::path::Path;

use drawish_artefact::outfile::WholeFile;
use drawish_games::rows::{Gather, Gathered};

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

/// Writes the rows of a run into a Parquet file, which is whole or as it was before. Threads change nothing in the file.
///
/// # Errors
///
/// Those of writing. Inputs that cannot be read are named in [`Gathered::problems`].
pub fn write_rows(run: Gather<'_>, path: &Path) -> Result<WrittenRows, RowsError> {
    let mut whole = WholeFile::create(path)?;
    let mut file = RowsWriter::new(&mut whole, run.has_places())?;
    let mut count = 0;
    let sink = |rows: drawish_games::rows::Rows| {
        count += rows.len() as u64;
        file.write(rows)
    };
    let gathered = run.run(sink)?;
    file.finish(&gathered.provenance)?;
    whole.finish()?;
    Ok(WrittenRows { rows: count, gathered })
}
