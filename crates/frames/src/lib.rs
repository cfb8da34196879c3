//! Tables and rows as data frames and Parquet files, and the only door to polars.
//!
//! A [`Frame`] is columns in Arrow's memory, so that any library of data frames takes them without a copy. Of polars these are
//! its Arrow and its Parquet; its engine (`polars-core`, `lazy`) is not built.
//!
//! Rows are sampled positions with their features. [`write_rows`] puts those of some games into a Parquet file, [`open_rows`]
//! opens such files for a fit:
//!
//! ```
//! use drawish_frames::{open_rows, write_rows};
//! use drawish_games::fit::Tune;
//! use drawish_games::pgn::expand_inputs;
//! use drawish_games::rows::Gather;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../src/cli/demo/sample.pgn.zst");
//! # let directory = drawish_artefact::outfile::ScratchDirectory::new()?;
//! # let file = directory.path().join("rows.parquet");
//! let written = write_rows(Gather::new(expand_inputs(&[games.into()])?), &file)?;
//! assert_eq!(written.rows, written.gathered.tally.counted());
//!
//! let rows = open_rows([&file])?;
//! let tuned = Tune::new(&rows).run()?;
//! assert!(tuned.heads.draw.kappa.is_some());
//! # Ok(())
//! # }
//! ```

mod csv;
mod frame;
mod gather;
mod parquet;
mod rows;
mod stream;

use std::error::Error;
use std::io;

use drawish_core::StructureIndex;
use polars_arrow::array::Array;

pub use frame::{Frame, RecordBatch, Value};
pub use gather::{RowsFormat, WrittenRows, write_rows};
pub use parquet::{from_parquet, to_parquet};
pub use rows::{RowsError, RowsReader, RowsWriter, open_rows};
pub use stream::{CStream, c_stream, rows_stream};

use frame::IntoArray;

use drawish_games::counts::Counts;
use drawish_games::export::{Table, file_letters};
use drawish_games::fit::{Evaluation, Subject, Target};
use drawish_games::wdl::{Cell, WdlCounts};

/// Why a frame or its Parquet file is refused.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum FrameError {
    #[error("{0}; the file may be damaged")]
    Parquet(Box<dyn Error + Send + Sync>),
    #[error("cannot be written: {0}; choose a place with room on the disk")]
    Write(io::Error),
    #[error("the file ends before its columns do; it was truncated or is damaged: make it again")]
    Cut,
    #[error("the columns are not those that were written; the file is damaged: make it again")]
    Damaged,
    #[error("the columns {} are missing", .0.join(", "))]
    Missing(Vec<String>),
    #[error("column {0} is nested, expected plain numbers or text")]
    Nested(String),
    #[error("column {column}: expected {expected}, found {found}")]
    Type { column: String, expected: &'static str, found: String },
}

impl FrameError {
    /// Whether the file is whole, but its columns are not those that were wanted.
    fn is_of_columns(&self) -> bool {
        matches!(self, FrameError::Missing(_) | FrameError::Type { .. })
    }

    /// What polars or the file system refused.
    fn of(error: impl Error + Send + Sync + 'static) -> FrameError {
        FrameError::Parquet(error.into())
    }
}

/// One row for each cell: `cell` u32, `white_files` and `black_files` str (as in `bcdf`, `-` for none),
/// `positions` u32, `pooled_positions` u64, `probability`, `low` and `high` f64 (0 to 1), `draw_score` i32
/// (1/256 logit), `scale` u32 (1/128).
///
/// # Errors
///
/// If columns differ in length, which would be a mistake of this crate.
pub fn table_frame(table: &Table) -> Result<Frame, FrameError> {
    let structures = || (0..table.scheme.cells()).map(|cell| table.scheme.describe(StructureIndex(cell)));
    let columns = vec![
        column("cell", (0..table.scheme.cells()).collect::<Vec<_>>()),
        column("white_files", structures().map(|structure| Some(file_letters(structure.white))).collect::<Vec<_>>()),
        column("black_files", structures().map(|structure| Some(file_letters(structure.black))).collect::<Vec<_>>()),
        column("positions", table.cells.iter().map(|cell| cell.positions).collect::<Vec<_>>()),
        column("pooled_positions", table.cells.iter().map(|cell| cell.pooled).collect::<Vec<_>>()),
        column("probability", table.cells.iter().map(|cell| cell.values.probability.to_f64()).collect::<Vec<_>>()),
        column("low", table.cells.iter().map(|cell| cell.low.to_f64()).collect::<Vec<_>>()),
        column("high", table.cells.iter().map(|cell| cell.high.to_f64()).collect::<Vec<_>>()),
        column("draw_score", table.cells.iter().map(|cell| i32::from(cell.values.draw_score.0)).collect::<Vec<_>>()),
        column("scale", table.cells.iter().map(|cell| u32::from(cell.values.scale.0)).collect::<Vec<_>>()),
    ];
    Frame::new(columns)
}

/// One row for each cell: `cell` u32, `white_files` and `black_files` str (as in `bcdf`, `-` for none), `wins`, `draws` and
/// `losses` u64, for White.
///
/// # Errors
///
/// If columns differ in length, which would be a mistake of this crate.
pub fn counts_frame(counts: &Counts) -> Result<Frame, FrameError> {
    let scheme = counts.scheme();
    let structures = || (0..scheme.cells()).map(|cell| scheme.describe(StructureIndex(cell)));
    let columns = vec![
        column("cell", (0..scheme.cells()).collect::<Vec<_>>()),
        column("white_files", structures().map(|structure| Some(file_letters(structure.white))).collect::<Vec<_>>()),
        column("black_files", structures().map(|structure| Some(file_letters(structure.black))).collect::<Vec<_>>()),
        column("wins", counts.iter().map(|(_, wdl)| wdl.wins).collect::<Vec<_>>()),
        column("draws", counts.iter().map(|(_, wdl)| wdl.draws).collect::<Vec<_>>()),
        column("losses", counts.iter().map(|(_, wdl)| wdl.losses).collect::<Vec<_>>()),
    ];
    Frame::new(columns)
}

/// One row for each model and target of some evaluations: `table`, `model`, `target` str, `weights` u64, `loss` f64 (bits),
/// `gain` and `gain_error` f64 (millibits over the constant), `over` str (the model that it builds on), `over_gain` and
/// `over_error` f64, `brier`, `ece`, `ece_low` and `ece_high` f64.
///
/// # Errors
///
/// If columns differ in length, which would be a mistake of this crate.
pub fn evaluation_frame(tables: &[(Subject, Evaluation)]) -> Result<Frame, FrameError> {
    let rows: Vec<_> = tables
        .iter()
        .flat_map(|(table, evaluation)| {
            evaluation
                .verdicts
                .iter()
                .flat_map(move |verdict| verdict.qualities.iter().map(move |q| (table.name(), verdict, q)))
        })
        .collect();
    let targets = rows.iter().map(|(_, _, quality)| match quality.target {
        Target::Draw => Some("draw"),
        Target::WinDrawLoss => Some("win-draw-loss"),
        Target::Score => Some("score"),
    });
    let ece = |place: usize| rows.iter().map(|(_, _, q)| q.ece.and_then(|ece| ece[place])).collect::<Vec<_>>();
    let columns = vec![
        column("table", rows.iter().map(|(table, ..)| Some(*table)).collect::<Vec<_>>()),
        column("model", rows.iter().map(|(_, verdict, _)| Some(verdict.name.as_str())).collect::<Vec<_>>()),
        column("target", targets.collect::<Vec<_>>()),
        column("weights", rows.iter().map(|(_, verdict, _)| verdict.weights as u64).collect::<Vec<_>>()),
        column("loss", rows.iter().map(|(.., q)| q.loss).collect::<Vec<_>>()),
        column("gain", rows.iter().map(|(.., q)| q.gain.millibits).collect::<Vec<_>>()),
        column("gain_error", rows.iter().map(|(.., q)| q.gain.error).collect::<Vec<_>>()),
        column("over", rows.iter().map(|(_, verdict, _)| verdict.over.as_deref()).collect::<Vec<_>>()),
        column("over_gain", rows.iter().map(|(.., q)| q.over.map(|over| over.millibits)).collect::<Vec<_>>()),
        column("over_error", rows.iter().map(|(.., q)| q.over.and_then(|over| over.error)).collect::<Vec<_>>()),
        column("brier", rows.iter().map(|(.., q)| q.brier).collect::<Vec<_>>()),
        column("ece", ece(0)),
        column("ece_low", ece(1)),
        column("ece_high", ece(2)),
    ];
    Frame::new(columns)
}

/// One row for each cell of each block of WDL counts: `block` u32, `result` str (`W`, `D` or `L` for the side to move), `move`,
/// `material` u32, `eval` i32 (centipawns, ±1001 for mates), `time_class` u32 (0 unknown, 1 to 7), `count` u64.
///
/// # Errors
///
/// If columns differ in length, which would be a mistake of this crate.
pub fn wdl_frame(counts: &WdlCounts) -> Result<Frame, FrameError> {
    let cells = || {
        (0_u32..).zip(&counts.blocks).flat_map(|(number, block)| {
            block.iter().filter_map(move |(word, count)| Some((number, Cell::unpack(word)?, count)))
        })
    };
    let letter = |cell: Cell| Some(char::from(cell.result.letter()).to_string());
    let columns = vec![
        column("block", cells().map(|row| row.0).collect::<Vec<_>>()),
        column("result", cells().map(|row| letter(row.1)).collect::<Vec<_>>()),
        column("move", cells().map(|row| u32::from(row.1.move_number)).collect::<Vec<_>>()),
        column("material", cells().map(|row| u32::from(row.1.material)).collect::<Vec<_>>()),
        column("eval", cells().map(|row| i32::from(row.1.eval)).collect::<Vec<_>>()),
        column("time_class", cells().map(|row| u32::from(row.1.speed.class())).collect::<Vec<_>>()),
        column("count", cells().map(|row| row.2).collect::<Vec<_>>()),
    ];
    Frame::new(columns)
}

fn column(name: &str, values: impl IntoArray) -> (String, Box<dyn Array>) {
    (name.to_owned(), values.into_array())
}
