//! Frames as text: comma-separated values with a line of names, which anything reads without a library.

use std::fmt::{Display, Write as _};
use std::io::{self, Write};

use ::csv::{QuoteStyle, Writer, WriterBuilder};
use polars_arrow::array::{Array, PrimitiveArray, StaticArray, Utf8ViewArray};

use super::FrameError;
use super::frame::Frame;

/// Writes the names of the columns in a line.
pub(crate) fn write_names(out: &mut impl Write, frame: &Frame) -> Result<(), FrameError> {
    let mut out = writer(out);
    out.write_record(frame.names()).map_err(io::Error::from).and_then(|()| out.flush()).map_err(FrameError::Write)
}

/// Writes a line for each row; what has no value is empty, text with a comma, a quote or a line break stands in quotes.
pub(crate) fn write_rows(out: &mut impl Write, frame: &Frame) -> Result<(), FrameError> {
    let columns = frame.batch().arrays().iter().zip(frame.names());
    let columns = columns.map(|(array, name)| Column::of(&**array, name)).collect::<Result<Vec<_>, _>>()?;
    let (mut out, mut text) = (writer(out), String::new());
    let mut write = || -> io::Result<()> {
        for row in 0..frame.height() {
            for column in &columns {
                out.write_field(column.field(row, &mut text))?;
            }
            out.write_record(None::<&[u8]>)?;
        }
        out.flush()
    };
    write().map_err(FrameError::Write)
}

fn writer<W: Write>(out: W) -> Writer<W> {
    WriterBuilder::new().quote_style(QuoteStyle::Necessary).from_writer(out)
}

enum Column<'a> {
    U32(&'a PrimitiveArray<u32>),
    U64(&'a PrimitiveArray<u64>),
    I32(&'a PrimitiveArray<i32>),
    F64(&'a PrimitiveArray<f64>),
    Text(&'a Utf8ViewArray),
}

impl<'a> Column<'a> {
    fn of(array: &'a dyn Array, name: &str) -> Result<Column<'a>, FrameError> {
        let any = array.as_any();
        None.or_else(|| any.downcast_ref().map(Column::U32))
            .or_else(|| any.downcast_ref().map(Column::U64))
            .or_else(|| any.downcast_ref().map(Column::I32))
            .or_else(|| any.downcast_ref().map(Column::F64))
            .or_else(|| any.downcast_ref().map(Column::Text))
            .ok_or_else(|| FrameError::Nested(name.to_owned()))
    }

    /// The value of a row, for which `text` has room; empty where there is none.
    fn field<'b>(&'b self, row: usize, text: &'b mut String) -> &'b str {
        match self {
            Column::U32(column) => number(column.get(row), text),
            Column::U64(column) => number(column.get(row), text),
            Column::I32(column) => number(column.get(row), text),
            Column::F64(column) => number(column.get(row), text),
            Column::Text(column) => column.get(row).unwrap_or_default(),
        }
    }
}

fn number(value: Option<impl Display>, text: &mut String) -> &str {
    text.clear();
    if let Some(value) = value {
        let _ = write!(text, "{value}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::column;
    use super::*;

    #[test]
    fn values_are_plain_absent_or_in_quotes() {
        let frame = Frame::new(vec![
            column("n", vec![1_u64, u64::MAX]),
            column("of", vec![None, Some(-7_i32)]),
            column("text", vec![Some("a, \"b\""), Some("c")]),
        ])
        .expect("a frame");
        let mut out = Vec::new();
        write_names(&mut out, &frame).and_then(|()| write_rows(&mut out, &frame)).expect("a text");
        let expected = "n,of,text\n1,,\"a, \"\"b\"\"\"\n18446744073709551615,-7,c\n";
        assert_eq!(String::from_utf8_lossy(&out), expected);
    }
}
