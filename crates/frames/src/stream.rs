//! Frames for other libraries: Arrow's C stream interface.

use std::iter::Fuse;

use drawish_games::rows::Rows;
use polars_arrow::array::{Array, StructArray};
use polars_arrow::datatypes::{ArrowDataType, Field};
use polars_arrow::ffi::{ArrowArrayStream, export_iterator};
use polars_error::PolarsError;

use super::rows::{GROUP, frame, no_rows};
use super::{Frame, FrameError};

/// Frames of the same columns, as [Arrow's C stream interface](https://arrow.apache.org/docs/format/CStreamInterface.html)
/// hands them to another library in the same process, without copying a column.
pub type CStream = ArrowArrayStream;

/// A stream of this frame and of those that follow it with the same columns. Whoever takes it asks for one frame at a time, so
/// that they need never be in memory together; it ends with the first error.
///
/// ```
/// use drawish_core::Scheme;
/// use drawish_frames::{c_stream, counts_frame};
/// use drawish_games::counts::Counts;
///
/// let stream = c_stream(counts_frame(&Counts::new(Scheme::Bg))?, std::iter::empty());
/// # drop(stream);
/// # Ok::<(), drawish_frames::FrameError>(())
/// ```
#[must_use]
pub fn c_stream(first: Frame, rest: impl Iterator<Item = Result<Frame, FrameError>> + 'static) -> CStream {
    let columns = first.clone();
    stream(&columns, std::iter::once(Ok(first)).chain(rest))
}

/// A stream of frames with these columns.
fn stream(columns: &Frame, frames: impl Iterator<Item = Result<Frame, FrameError>> + 'static) -> CStream {
    let columns = columns.batch().schema().iter_values().cloned().collect();
    let dtype = ArrowDataType::Struct(columns);
    let field = Field::new("".into(), dtype.clone(), false);
    let batch = move |frame: Result<Frame, FrameError>| {
        let frame = frame.map_err(|error| PolarsError::ComputeError(error.to_string().into()))?;
        let array = StructArray::try_new(dtype.clone(), frame.height(), frame.batch().arrays().to_vec(), None)?;
        Ok(array.boxed() as Box<dyn Array>)
    };
    export_iterator(Box::new(frames.map(batch)), field)
}

/// A stream of rows with the columns of a row file, those of places if the rows have them, in frames of 65,536 rows or more. An error
/// is the text of what ends it.
///
/// # Errors
///
/// If columns differ in length, which would be a mistake of this crate.
pub fn rows_stream(
    rows: impl Iterator<Item = Result<Rows, String>> + 'static,
    places: bool,
) -> Result<CStream, FrameError> {
    Ok(stream(&frame(&no_rows(places))?, Groups { rows: rows.fuse() }))
}

/// Rows put together until they are worth a frame.
struct Groups<I> {
    rows: Fuse<I>,
}

impl<I: Iterator<Item = Result<Rows, String>>> Iterator for Groups<I> {
    type Item = Result<Frame, FrameError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut waiting = Rows::new();
        while waiting.len() < GROUP {
            match self.rows.next() {
                Some(Ok(mut rows)) => waiting.append(&mut rows),
                Some(Err(text)) => return Some(Err(FrameError::Parquet(text.into()))),
                None if waiting.is_empty() => return None,
                None => break,
            }
        }
        Some(frame(&waiting))
    }
}
