//! From games to a row file.

use std::io::{BufWriter, Write};
use std::path::Path;

use drawish_artefact::outfile::WholeFile;
use drawish_games::rows::{Gather, Gathered, Rows};

use super::csv;
use super::rows::{RowsError, RowsWriter, frame, no_rows};

/// What a row file was made of.
#[derive(Debug)]
#[non_exhaustive]
pub struct WrittenRows {
    /// Rows in the file.
    pub rows: u64,
    /// The games that were read.
    pub gathered: Gathered,
}

/// How rows are written, by the ending of the file's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowsFormat {
    /// `.parquet`: what fits read, with where the rows come from.
    Parquet,
    /// `.csv`: the same columns as text, without where they come from; nothing here reads it.
    Csv,
}

impl RowsFormat {
    /// The format that a file's name asks for.
    #[must_use]
    pub fn of(path: &Path) -> Option<RowsFormat> {
        match path.extension()?.to_str()? {
            "parquet" => Some(RowsFormat::Parquet),
            "csv" => Some(RowsFormat::Csv),
            _ => None,
        }
    }
}

/// Writes the rows of a run into a file, as Parquet unless its name asks for CSV. It is whole or as it was before, also where there
/// are no rows. Threads change nothing in the file.
///
/// # Errors
///
/// Those of writing. Inputs that cannot be read are named in [`Gathered::problems`].
pub fn write_rows(run: Gather<'_>, path: &Path) -> Result<WrittenRows, RowsError> {
    let mut whole = WholeFile::create(path)?;
    let mut count = 0;
    let gathered = {
        // The writer of Parquet, too, writes a few bytes at a time.
        let out = BufWriter::new(&mut whole);
        let mut file = match RowsFormat::of(path) {
            Some(RowsFormat::Csv) => Output::Csv(CsvRows::new(out, run.has_places())?),
            _ => Output::Parquet(Box::new(RowsWriter::new(out, run.has_places())?)),
        };
        let sink = |rows: Rows| {
            count += rows.len() as u64;
            match &mut file {
                Output::Csv(file) => file.write(&rows),
                Output::Parquet(file) => file.write(rows),
            }
        };
        let gathered = run.run(sink)?;
        match file {
            Output::Csv(file) => file.finish()?,
            Output::Parquet(file) => file.finish(&gathered.provenance)?,
        }
        gathered
    };
    if count > 0 {
        whole.finish()?;
    }
    Ok(WrittenRows { rows: count, gathered })
}

enum Output<'a> {
    Csv(CsvRows<BufWriter<&'a mut WholeFile>>),
    Parquet(Box<RowsWriter<BufWriter<&'a mut WholeFile>>>),
}

/// Rows as text.
struct CsvRows<W>(W);

impl<W: Write> CsvRows<W> {
    fn new(mut out: W, places: bool) -> Result<Self, RowsError> {
        csv::write_names(&mut out, &frame(&no_rows(places))?)?;
        Ok(CsvRows(out))
    }

    fn write(&mut self, rows: &Rows) -> Result<(), RowsError> {
        Ok(csv::write_rows(&mut self.0, &frame(rows)?)?)
    }

    fn finish(mut self) -> Result<(), RowsError> {
        Ok(self.0.flush()?)
    }
}
