//! Tables and rows as data frames, and the only door to polars.

mod rows;

use std::io::Cursor;

use drawish_core::StructureIndex;
use polars::prelude::{Column, DataFrame, NamedFrom, PolarsError, Series};
use polars_io::prelude::ParquetWriter;
use thiserror::Error;

pub use rows::{RowsError, RowsReader, RowsWriter, Wanted};

use crate::export::{Table, file_letters};

/// What polars refused.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct FrameError(#[from] PolarsError);

/// One row for each cell: `cell` u32, `white_files` and `black_files` str (as in `bcdf`, `-` for none),
/// `positions` u32, `pooled_positions` u64, `probability`, `low` and `high` f64 (0 to 1), `draw_score` i32
/// (1/256 logit), `scale` u32 (1/128).
///
/// # Errors
///
/// Those of polars.
pub fn table_frame(table: &Table) -> Result<DataFrame, FrameError> {
    let structures = || (0..table.scheme.cells()).map(|cell| table.scheme.describe(StructureIndex(cell)));
    let columns = vec![
        column("cell", (0..table.scheme.cells()).collect::<Vec<_>>()),
        column("white_files", structures().map(|structure| file_letters(structure.white)).collect::<Vec<_>>()),
        column("black_files", structures().map(|structure| file_letters(structure.black)).collect::<Vec<_>>()),
        column("positions", table.cells.iter().map(|cell| cell.positions).collect::<Vec<_>>()),
        column("pooled_positions", table.cells.iter().map(|cell| cell.pooled).collect::<Vec<_>>()),
        column("probability", table.cells.iter().map(|cell| cell.values.probability.to_f64()).collect::<Vec<_>>()),
        column("low", table.cells.iter().map(|cell| cell.low.to_f64()).collect::<Vec<_>>()),
        column("high", table.cells.iter().map(|cell| cell.high.to_f64()).collect::<Vec<_>>()),
        column("draw_score", table.cells.iter().map(|cell| i32::from(cell.values.draw_score.0)).collect::<Vec<_>>()),
        column("scale", table.cells.iter().map(|cell| u32::from(cell.values.scale.0)).collect::<Vec<_>>()),
    ];
    Ok(DataFrame::new(table.cells.len(), columns)?)
}

/// A frame as a Parquet file (Zstandard, the default of polars).
///
/// # Errors
///
/// Those of polars.
pub fn to_parquet(frame: DataFrame) -> Result<Vec<u8>, FrameError> {
    let mut frame = frame;
    let mut bytes = Cursor::new(Vec::new());
    ParquetWriter::new(&mut bytes).finish(&mut frame)?;
    Ok(bytes.into_inner())
}

fn column<T, Phantom: ?Sized>(name: &str, values: T) -> Column
where
    Series: NamedFrom<T, Phantom>,
{
    Series::new(name.into(), values).into()
}
