//! Frames as text: comma-separated values with a line of names, which anything reads without a library.

use std::io::{self, Write};

use polars_arrow::array::{Array, PrimitiveArray, StaticArray, Utf8ViewArray};

use super::FrameError;
use super::frame::Frame;

/// Writes the names of the columns in a line.
pub(crate) fn write_names(out: &mut impl Write, frame: &Frame) -> Result<(), FrameError> {
    let names: Vec<_> = frame.names().collect();
    writeln!(out, "{}", names.join(",")).map_err(FrameError::Write)
}

/// Writes a line for each row; what has no value is empty, text with a comma, a quote or a line break stands in quotes.
pub(crate) fn write_rows(out: &mut impl Write, frame: &Frame) -> Result<(), FrameError> {
    let columns = frame.batch().arrays().iter().zip(frame.names());
    let columns = columns.map(|(array, name)| Column::of(&**array, name)).collect::<Result<Vec<_>, _>>()?;
    for row in 0..frame.height() {
        for (place, column) in columns.iter().enumerate() {
            let separator = if place == 0 { "" } else { "," };
            out.write_all(separator.as_bytes()).and_then(|()| column.write(out, row)).map_err(FrameError::Write)?;
        }
        out.write_all(b"\n").map_err(FrameError::Write)?;
    }
    Ok(())
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

    fn write(&self, out: &mut impl Write, row: usize) -> io::Result<()> {
        match self {
            Column::U32(column) => number(out, column.get(row)),
            Column::U64(column) => number(out, column.get(row)),
            Column::I32(column) => number(out, column.get(row)),
            Column::F64(column) => number(out, column.get(row)),
            Column::Text(column) => match column.get(row) {
                Some(text) if text.contains([',', '"', '\n', '\r']) => write!(out, "\"{}\"", text.replace('"', "\"\"")),
                Some(text) => out.write_all(text.as_bytes()),
                None => Ok(()),
            },
        }
    }
}

fn number(out: &mut impl Write, value: Option<impl std::fmt::Display>) -> io::Result<()> {
    value.map_or(Ok(()), |value| write!(out, "{value}"))
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
