//! Row files: sampled positions as Parquet, written and read in row groups so that no file is too large.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use drawish_core::{Outcome, Scheme};
use polars_core::prelude::{Column, DataFrame, DataType, PolarsError, Series};
use polars_io::SerReader;
use polars_io::parquet::read::{ParallelStrategy, ParquetReader};
use polars_io::parquet::write::{
    BatchedWriter, KeyValueMetadata, ParquetCompression, ParquetMetadataContext, ParquetWriter,
};
use thiserror::Error;

use super::{FrameError, column};
use drawish_games::rows::{RowSet, RowSetError, RowSource, Rows, RowsProvenance, VERSION, Wanted};
use drawish_heads::features;

/// Rows in a row group: large enough to pack well, small enough to be held several times.
const GROUP: usize = 1 << 16;

/// The key of the provenance in the metadata of the file.
const KEY: &str = "drawish.rows";

/// Why a row file cannot be read.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum RowsError {
    #[error("{0}; check the name and the permissions")]
    Io(io::Error),
    #[error(transparent)]
    Frame(#[from] FrameError),
    #[error("not a Parquet file")]
    NotParquet,
    #[error("a Parquet file, but not of rows: it does not say which version of rows it holds")]
    NoProvenance,
    #[error("rows of version {found}, this version of drawish reads version {VERSION}")]
    Version { found: u64 },
    #[error("the columns {} are missing", .0.join(", "))]
    Missing(Vec<String>),
    #[error("column {column}: expected {expected}, found {found}")]
    Type { column: String, expected: &'static str, found: String },
    #[error("the file is damaged: its bytes contradict each other")]
    Damaged,
    #[error("column {column}: expected {expected} rows, found {found}: the file is damaged")]
    Length { column: String, expected: usize, found: usize },
    #[error("column {column}, row {row}: {found} is not {expected}")]
    Value { column: &'static str, row: usize, found: i64, expected: &'static str },
}

impl RowsError {
    /// Whether the file is readable but holds other than the rows of this version, so that new rows are the remedy.
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        !matches!(self, RowsError::Io(_) | RowsError::Frame(_))
    }
}

impl From<io::Error> for RowsError {
    fn from(error: io::Error) -> Self {
        RowsError::Io(error)
    }
}

impl From<PolarsError> for RowsError {
    fn from(error: PolarsError) -> Self {
        RowsError::Frame(error.into())
    }
}

/// Writes a row file.
pub struct RowsWriter<W: Write> {
    file: BatchedWriter<W>,
    waiting: Rows,
}

impl<W: Write> RowsWriter<W> {
    /// Begins a row file.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn new(out: W) -> Result<Self, RowsError> {
        let empty = frame(&Rows::new())?;
        let file = ParquetWriter::new(out).with_compression(ParquetCompression::Zstd(None)).batched(empty.schema())?;
        Ok(RowsWriter { file, waiting: Rows::new() })
    }

    /// Appends rows with all columns.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn write(&mut self, mut rows: Rows) -> Result<(), RowsError> {
        self.waiting.append(&mut rows);
        if self.waiting.len() >= GROUP { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), RowsError> {
        let rows = std::mem::replace(&mut self.waiting, Rows::new());
        Ok(self.file.write_batch(&frame(&rows)?)?)
    }

    /// Writes what is left and the provenance.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn finish(mut self, provenance: &RowsProvenance) -> Result<(), RowsError> {
        if !self.waiting.is_empty() {
            self.flush()?;
        }
        let text = serde_json::to_string(provenance).map_err(io::Error::from)?;
        // The provenance is known only now, so it goes past the writer's own way of setting it before.
        let metadata = KeyValueMetadata::from_static(vec![(KEY.to_owned(), text)]);
        let pairs = metadata.collect(ParquetMetadataContext { arrow_schema: "" })?;
        self.file.get_writer().lock().unwrap_or_else(PoisonError::into_inner).end(Some(pairs))?;
        Ok(())
    }
}

/// The columns of a row file.
fn frame(rows: &Rows) -> Result<DataFrame, FrameError> {
    let optional = |elos: &[Option<u16>]| elos.iter().map(|elo| elo.map(u32::from)).collect::<Vec<_>>();
    let result = |outcome: &Outcome| match outcome {
        Outcome::WhiteWin => 1_i32,
        Outcome::Draw => 0,
        Outcome::BlackWin => -1,
    };
    let events: Vec<&str> = rows.events.iter().map(|event| &**event).collect();
    let mut columns: Vec<Column> = vec![
        column("game", rows.games.clone()),
        column("skeleton", rows.skeletons.clone()),
        column("event", events),
        column("result", rows.outcomes.iter().map(result).collect::<Vec<_>>()),
        column("ply", rows.plies.iter().map(|&ply| i32::from(ply)).collect::<Vec<_>>()),
        column("white_elo", optional(&rows.white_elos)),
        column("black_elo", optional(&rows.black_elos)),
        column("eval_cp", rows.evals.clone()),
    ];
    for (scheme, cells) in Scheme::ALL.iter().zip(&rows.cells) {
        columns.push(column(&cell_column(*scheme), cells.clone()));
    }
    for (feature, values) in features::all().iter().zip(&rows.features) {
        columns.push(column(feature.name, values.iter().map(|&value| i32::from(value)).collect::<Vec<_>>()));
    }
    Ok(DataFrame::new(rows.len(), columns)?)
}

fn cell_column(scheme: Scheme) -> String {
    format!("cell_{}", scheme.name().replace('-', "_"))
}

/// Opens row files that are read together.
///
/// # Errors
///
/// If one is no row file, or two hold the same games.
pub fn open_rows<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<RowSet<RowsReader>, RowSetError> {
    let open = |path: P| {
        let path = path.as_ref();
        RowsReader::open(path).map_err(|error| RowSetError::of_source(path.display().to_string(), error))
    };
    RowSet::new(paths.into_iter().map(open).collect::<Result<Vec<_>, _>>()?)
}

/// Reads a row file, some rows at a time.
#[derive(Debug)]
pub struct RowsReader {
    path: PathBuf,
    file: File,
    len: usize,
    provenance: RowsProvenance,
    columns: HashSet<String>,
}

const KEYS: [&str; 8] = ["game", "skeleton", "event", "result", "ply", "white_elo", "black_elo", "eval_cp"];

impl RowsReader {
    /// Opens a row file and looks at its version.
    ///
    /// # Errors
    ///
    /// See [`RowsError`].
    pub fn open(path: &Path) -> Result<RowsReader, RowsError> {
        let mut file = File::open(path)?;
        let mut magic = [0; 4];
        if file.read_exact(&mut magic).is_err() || &magic != b"PAR1" {
            return Err(RowsError::NotParquet);
        }
        let mut reader = ParquetReader::new(file.try_clone()?);
        let (len, pairs, columns) = guarded(|| {
            let metadata = reader.get_metadata()?;
            let (len, pairs) = (metadata.num_rows, metadata.key_value_metadata().clone().unwrap_or_default());
            let columns = reader.schema()?.iter_names().map(ToString::to_string).collect();
            Ok((len, pairs, columns))
        })?;
        let text = pairs.into_iter().find(|pair| pair.key == KEY).and_then(|pair| pair.value);
        let text = text.ok_or(RowsError::NoProvenance)?;
        let value: serde_json::Value = serde_json::from_str(&text).map_err(|_| RowsError::NoProvenance)?;
        match value["version"].as_u64() {
            Some(version) if version == u64::from(VERSION) => {}
            Some(found) => return Err(RowsError::Version { found }),
            None => return Err(RowsError::NoProvenance),
        }
        let provenance = serde_json::from_value(value).map_err(|_| RowsError::NoProvenance)?;
        Ok(RowsReader { path: path.to_owned(), file, len, provenance, columns })
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl RowSource for RowsReader {
    type Error = RowsError;

    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn provenance(&self) -> &RowsProvenance {
        &self.provenance
    }

    /// The columns that are not wanted stay empty. Columns that are missing or hold something else are errors.
    fn read(&self, wanted: &Wanted, take: &mut dyn FnMut(Cow<'_, Rows>)) -> Result<(), RowsError> {
        let mut names: Vec<String> = KEYS.map(str::to_owned).into();
        names.extend(wanted.cells.iter().map(|&scheme| cell_column(scheme)));
        names.extend(wanted.features.iter().map(|&place| features::all()[place].name.to_owned()));
        let missing: Vec<_> = names.iter().filter(|name| !self.columns.contains(*name)).cloned().collect();
        if !missing.is_empty() {
            return Err(RowsError::Missing(missing));
        }
        for start in (0..self.len).step_by(GROUP) {
            let len = GROUP.min(self.len - start);
            let file = self.file.try_clone()?;
            let frame = guarded(|| {
                let reader = ParquetReader::new(file).read_parallel(ParallelStrategy::None);
                Ok(reader.with_columns(Some(names.clone())).with_slice(Some((start, len))).finish()?)
            })?;
            check_lengths(frame.columns().iter().map(|column| (column.name().as_str(), column.len())), len)?;
            take(Cow::Owned(rows(&frame, wanted, start)?));
        }
        Ok(())
    }
}

/// Reads by polars, which panics on some damaged files; nothing that it has touched is used after that.
fn guarded<T>(read: impl FnOnce() -> Result<T, RowsError>) -> Result<T, RowsError> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or(Err(RowsError::Damaged))
}

/// Makes sure that every column has as many rows as the file promises: those of a damaged one need not.
fn check_lengths<'a>(columns: impl IntoIterator<Item = (&'a str, usize)>, expected: usize) -> Result<(), RowsError> {
    match columns.into_iter().find(|(_, found)| *found != expected) {
        Some((column, found)) => Err(RowsError::Length { column: column.to_owned(), expected, found }),
        None => Ok(()),
    }
}

/// Some rows of a file, from row `start` on.
fn rows(frame: &DataFrame, wanted: &Wanted, start: usize) -> Result<Rows, RowsError> {
    let series =
        |name: &str| -> Result<Series, RowsError> { Ok(frame.column(name)?.as_materialized_series().rechunk()) };
    let wrong = |name: &str, expected, found: &DataType| RowsError::Type {
        column: name.to_owned(),
        expected,
        found: found.to_string(),
    };
    let u64s = |name: &str| {
        let series = series(name)?;
        let values = series.u64().map_err(|_| wrong(name, "u64", series.dtype()))?;
        Ok::<Vec<u64>, RowsError>(values.iter().map(|value| value.unwrap_or(0)).collect())
    };
    let i32s = |name: &str| {
        let series = series(name)?;
        let values = series.i32().map_err(|_| wrong(name, "i32", series.dtype()))?;
        Ok::<Vec<Option<i32>>, RowsError>(values.iter().collect())
    };
    let u32s = |name: &str| {
        let series = series(name)?;
        let values = series.u32().map_err(|_| wrong(name, "u32", series.dtype()))?;
        Ok::<Vec<Option<u32>>, RowsError>(values.iter().collect())
    };
    let elos = |name: &str| -> Result<Vec<Option<u16>>, RowsError> {
        Ok(u32s(name)?.into_iter().map(|elo| elo.and_then(|elo| u16::try_from(elo).ok())).collect())
    };
    let outcome = |(row, value): (usize, Option<i32>)| match value {
        Some(1) => Ok(Outcome::WhiteWin),
        Some(0) => Ok(Outcome::Draw),
        Some(-1) => Ok(Outcome::BlackWin),
        other => Err(RowsError::Value {
            column: "result",
            row: start + row,
            found: other.map_or(i64::MIN, i64::from),
            expected: "1, 0 or -1",
        }),
    };
    let events = series("event")?;
    let events = events.str().map_err(|_| wrong("event", "str", events.dtype()))?;
    let mut known: HashSet<Arc<str>> = HashSet::new();
    let mut shared = |event: Option<&str>| {
        let event = event.unwrap_or_default();
        known.get(event).cloned().unwrap_or_else(|| {
            let event: Arc<str> = event.into();
            known.insert(event.clone());
            event
        })
    };
    let mut rows = Rows {
        games: u64s("game")?,
        skeletons: u64s("skeleton")?,
        events: events.iter().map(&mut shared).collect(),
        outcomes: i32s("result")?.into_iter().enumerate().map(outcome).collect::<Result<_, _>>()?,
        plies: i32s("ply")?.into_iter().map(|ply| u16::try_from(ply.unwrap_or(0)).unwrap_or(u16::MAX)).collect(),
        white_elos: elos("white_elo")?,
        black_elos: elos("black_elo")?,
        evals: i32s("eval_cp")?,
        ..Rows::new()
    };
    for &scheme in &wanted.cells {
        let place = Scheme::ALL.iter().position(|&other| other == scheme).unwrap_or(0);
        let cells = u32s(&cell_column(scheme))?;
        let of = |(row, cell): (usize, Option<u32>)| {
            cell.filter(|&cell| cell < scheme.cells()).ok_or(RowsError::Value {
                column: "cell",
                row: start + row,
                found: cell.map_or(-1, i64::from),
                expected: "a cell of the scheme",
            })
        };
        rows.cells[place] = cells.into_iter().enumerate().map(of).collect::<Result<_, _>>()?;
    }
    for &place in &wanted.features {
        let of = |(row, value): (usize, Option<i32>)| {
            value.and_then(|value| i16::try_from(value).ok()).ok_or(RowsError::Value {
                column: features::all()[place].name,
                row: start + row,
                found: value.map_or(i64::MIN, i64::from),
                expected: "a whole number from -32,768 to 32,767",
            })
        };
        let values = i32s(features::all()[place].name)?;
        rows.features[place] = values.into_iter().enumerate().map(of).collect::<Result<_, _>>()?;
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_the_reader_is_an_error() {
        let read = guarded(|| -> Result<(), RowsError> { panic!("thrift bool field") });
        assert!(matches!(read, Err(RowsError::Damaged)));
        assert!(guarded(|| Ok(1)).is_ok());
    }

    #[test]
    fn columns_of_unequal_length_are_refused() {
        assert!(check_lengths([("game", 2), ("ply", 2)], 2).is_ok());
        for columns in [[("game", 2), ("ply", 1)], [("ply", 1), ("game", 1)]] {
            let error = check_lengths(columns, 2).unwrap_err().to_string();
            assert_eq!(error, "column ply: expected 2 rows, found 1: the file is damaged");
        }
    }
}
