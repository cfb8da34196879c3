//! Row files: sampled positions as Parquet, written and read in row groups so that no file is too large.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use drawish_artefact::{Kind, in_words};
use drawish_core::{Outcome, Scheme};
use thiserror::Error;

use super::frame::{Frame, Value};
use super::parquet::{ParquetReader, ParquetWriter};
use super::{FrameError, column};
use drawish_games::rows::{RowSet, RowSetError, RowSource, Rows, RowsProvenance, VERSION, Wanted};
use drawish_heads::features;

/// Rows in a row group: large enough to pack well, small enough to be held several times.
pub(crate) const GROUP: usize = 1 << 16;

/// The key of the provenance in the metadata of the file.
const KEY: &str = "drawish.rows";

/// Why a row file cannot be read.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum RowsError {
    #[error("{0}; check the name and the permissions")]
    Io(io::Error),
    #[error("{}{}", .0, if .0.is_of_columns() { "; make rows by `drawish positions`" } else { "" })]
    Frame(FrameError),
    #[error("not a Parquet file (rows as CSV are for other programs); make rows by `drawish positions`")]
    NotParquet,
    #[error("not a Parquet file of rows, but {0}; make rows by `drawish positions`")]
    Elsewhere(&'static str),
    #[error("games, expected a Parquet file of rows: `drawish positions` makes one of them")]
    Games,
    #[error(
        "a Parquet file, but not of rows: it does not say which version of rows it holds; make rows by `drawish positions`"
    )]
    NoProvenance,
    #[error(
        "rows of version {found}, this version of drawish reads version {VERSION}; make rows by `drawish positions`"
    )]
    Version { found: u64 },
    #[error("the file is damaged: its bytes contradict each other; make it again")]
    Damaged,
    #[error("column {column}, row {row}: {found} is not {expected}; make rows by `drawish positions`")]
    Value { column: &'static str, row: usize, found: i64, expected: &'static str },
}

impl From<FrameError> for RowsError {
    fn from(error: FrameError) -> Self {
        RowsError::Frame(error)
    }
}

impl From<io::Error> for RowsError {
    fn from(error: io::Error) -> Self {
        RowsError::Io(error)
    }
}

/// Writes a row file.
pub struct RowsWriter<W: Write> {
    file: ParquetWriter<W>,
    waiting: Rows,
}

impl<W: Write> RowsWriter<W> {
    /// Begins a row file, whose rows say where they stand or not.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn new(out: W, places: bool) -> Result<Self, RowsError> {
        let file = ParquetWriter::new(out, &frame(&no_rows(places))?)?;
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
        Ok(self.file.write(&frame(&rows)?)?)
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
        self.file.finish(&[(KEY, text)])?;
        Ok(())
    }
}

/// The columns without rows.
pub(crate) fn no_rows(places: bool) -> Rows {
    Rows { places: places.then(Vec::new), ..Rows::new() }
}

/// The columns of a row file.
pub(crate) fn frame(rows: &Rows) -> Result<Frame, FrameError> {
    let optional = |elos: &[Option<u16>]| elos.iter().map(|elo| elo.map(u32::from)).collect::<Vec<_>>();
    let result = |outcome: &Outcome| match outcome {
        Outcome::WhiteWin => 1_i32,
        Outcome::Draw => 0,
        Outcome::BlackWin => -1,
    };
    let events: Vec<Option<&str>> = rows.events.iter().map(|event| Some(&**event)).collect();
    let mut columns = vec![
        column("game", rows.games.clone()),
        column("skeleton", rows.skeletons.clone()),
        column("event", events),
        column("result", rows.outcomes.iter().map(result).collect::<Vec<_>>()),
        column("ply", rows.plies.iter().map(|&ply| i32::from(ply)).collect::<Vec<_>>()),
        column("white_elo", optional(&rows.white_elos)),
        column("black_elo", optional(&rows.black_elos)),
        column("eval_cp", rows.evals.clone()),
        column(LINE, rows.lines.clone()),
    ];
    for (scheme, cells) in Scheme::ALL.iter().zip(&rows.cells) {
        columns.push(column(&cell_column(*scheme), cells.clone()));
    }
    for (feature, values) in features::all().iter().zip(&rows.features) {
        columns.push(column(feature.name, values.iter().map(|&value| i32::from(value)).collect::<Vec<_>>()));
    }
    if let Some(places) = &rows.places {
        columns.push(column("input", places.iter().map(|place| Some(&*place.input)).collect::<Vec<_>>()));
        columns.push(column("number", places.iter().map(|place| place.number).collect::<Vec<_>>()));
        columns.push(column("fen", places.iter().map(|place| Some(&*place.fen)).collect::<Vec<_>>()));
    }
    Frame::new(columns)
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
    // Reading moves the place in the file.
    file: RefCell<ParquetReader<File>>,
    len: usize,
    provenance: RowsProvenance,
}

/// The column that files of version 1 do not have.
const LINE: &str = "line";

const KEYS: [&str; 8] = ["game", "skeleton", "event", "result", "ply", "white_elo", "black_elo", "eval_cp"];

impl RowsReader {
    /// Opens a row file and looks at its version.
    ///
    /// # Errors
    ///
    /// See [`RowsError`].
    pub fn open(path: &Path) -> Result<RowsReader, RowsError> {
        let mut file = File::open(path).map_err(in_words)?;
        let mut magic = [0; 4];
        let is_read = match file.read_exact(&mut magic).map_err(in_words) {
            Err(error) if error.kind() == io::ErrorKind::IsADirectory => return Err(RowsError::Io(error)),
            read => read.is_ok(),
        };
        if !is_read || &magic != b"PAR1" {
            let kind = Kind::of_source(File::open(path)?)?;
            return Err(match kind {
                Some(Kind::Pgn) => RowsError::Games,
                Some(kind) => RowsError::Elsewhere(kind.uses()),
                None => RowsError::NotParquet,
            });
        }
        let file = guarded(|| Ok(ParquetReader::new(file)?))?;
        let text = file.text(KEY).ok_or(RowsError::NoProvenance)?;
        let value: serde_json::Value = serde_json::from_str(text).map_err(|_| RowsError::NoProvenance)?;
        match value["version"].as_u64() {
            Some(version) if (1..=u64::from(VERSION)).contains(&version) => {}
            Some(found) => return Err(RowsError::Version { found }),
            None => return Err(RowsError::NoProvenance),
        }
        let provenance = serde_json::from_value(value).map_err(|_| RowsError::NoProvenance)?;
        Ok(RowsReader { path: path.to_owned(), len: file.rows(), file: RefCell::new(file), provenance })
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
        names.extend((self.provenance.version > 1).then(|| LINE.to_owned()));
        names.extend(wanted.cells.iter().map(|&scheme| cell_column(scheme)));
        names.extend(wanted.features.iter().map(|&place| features::all()[place].name.to_owned()));
        let mut file = self.file.borrow_mut();
        let mut start = 0;
        for group in 0..file.groups() {
            let frame = guarded(|| Ok(file.read(group, &names)?))?;
            take(Cow::Owned(rows(&frame, wanted, start, self.provenance.version)?));
            start += frame.height();
        }
        if start == self.len { Ok(()) } else { Err(RowsError::Damaged) }
    }
}

/// Reads by polars, which panics on some damaged files; those that hold their digest are refused before. Nothing that it has touched is used after that.
fn guarded<T>(read: impl FnOnce() -> Result<T, RowsError>) -> Result<T, RowsError> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or(Err(RowsError::Damaged))
}

/// Some rows of a file of a version, from row `start` on.
fn rows(frame: &Frame, wanted: &Wanted, start: usize, version: u32) -> Result<Rows, RowsError> {
    fn column<'a, T: Value<'a>>(frame: &'a Frame, name: &str) -> Result<Vec<Option<T>>, RowsError> {
        Ok(frame.values(name)?)
    }
    let u64s = |name: &str| {
        let values = column::<u64>(frame, name)?.into_iter();
        Ok::<Vec<u64>, RowsError>(values.map(|value| value.unwrap_or(0)).collect())
    };
    let i32s = |name: &str| column::<i32>(frame, name);
    let u32s = |name: &str| column::<u32>(frame, name);
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
    let mut known: HashSet<Arc<str>> = HashSet::new();
    let mut shared = |event: Option<&str>| {
        let event = event.unwrap_or_default();
        known.get(event).cloned().unwrap_or_else(|| {
            let event: Arc<str> = event.into();
            known.insert(event.clone());
            event
        })
    };
    let Rows { cells, features, .. } = Rows::new();
    let mut rows = Rows {
        games: u64s("game")?,
        lines: u64s(if version > 1 { LINE } else { "game" })?,
        skeletons: u64s("skeleton")?,
        events: column::<&str>(frame, "event")?.into_iter().map(&mut shared).collect(),
        outcomes: i32s("result")?.into_iter().enumerate().map(outcome).collect::<Result<_, _>>()?,
        plies: i32s("ply")?.into_iter().map(|ply| u16::try_from(ply.unwrap_or(0)).unwrap_or(u16::MAX)).collect(),
        white_elos: elos("white_elo")?,
        black_elos: elos("black_elo")?,
        evals: i32s("eval_cp")?,
        cells,
        features,
        places: None,
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
}
