//! Frames: named columns of equal length, in Arrow's memory.

use polars_arrow::array::{Array, MutablePlString, PrimitiveArray, Utf8ViewArray};
use polars_arrow::datatypes::{ArrowSchema, Field};
use polars_arrow::record_batch::RecordBatchT;

use super::FrameError;

/// Arrow columns with their names and types, as libraries of data frames take them.
pub type RecordBatch = RecordBatchT<Box<dyn Array>>;

/// Named columns of equal length.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame(RecordBatch);

impl Frame {
    /// A frame of these columns.
    ///
    /// # Errors
    ///
    /// If they differ in length, which happens to columns that were read from a damaged file.
    pub(crate) fn new(columns: Vec<(String, Box<dyn Array>)>) -> Result<Frame, FrameError> {
        let height = columns.first().map_or(0, |(_, array)| array.len());
        let field = |(name, array): &(String, Box<dyn Array>)| Field::new(name.into(), array.dtype().clone(), true);
        let schema: ArrowSchema = columns.iter().map(field).map(|field| (field.name.clone(), field)).collect();
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        RecordBatch::try_new(height, schema.into(), arrays).map(Frame).map_err(FrameError::of)
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.0.height()
    }

    /// The names of the columns, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.schema().iter_names().map(|name| name.as_str())
    }

    /// The values of a column, `None` where it has none.
    ///
    /// # Errors
    ///
    /// If there is no such column, or its values are of another type.
    pub fn values<'a, T: Value<'a>>(&'a self, name: &str) -> Result<Vec<Option<T>>, FrameError> {
        let place = self.0.schema().index_of(name).ok_or_else(|| FrameError::Missing(vec![name.to_owned()]))?;
        let array = &*self.0.arrays()[place];
        T::of(array).ok_or_else(|| FrameError::Type {
            column: name.to_owned(),
            expected: T::NAME,
            found: format!("{:?}", array.dtype()),
        })
    }

    /// The columns in Arrow's memory.
    #[must_use]
    pub fn batch(&self) -> &RecordBatch {
        &self.0
    }
}

impl From<Frame> for RecordBatch {
    fn from(frame: Frame) -> RecordBatch {
        frame.0
    }
}

/// What a column can hold: `u32`, `u64`, `i32`, `f64`, `&str`.
pub trait Value<'a>: Sized {
    /// The type as messages name it.
    const NAME: &'static str;

    /// The values of an array of this type, `None` for an array of another.
    fn of(array: &'a dyn Array) -> Option<Vec<Option<Self>>>;
}

/// What becomes a column.
pub(crate) trait IntoArray {
    fn into_array(self) -> Box<dyn Array>;
}

macro_rules! numbers {
    ($($number:ty: $name:literal),*) => {$(
        impl Value<'_> for $number {
            const NAME: &'static str = $name;

            fn of(array: &dyn Array) -> Option<Vec<Option<Self>>> {
                let array = array.as_any().downcast_ref::<PrimitiveArray<$number>>()?;
                Some(array.iter().map(|value| value.copied()).collect())
            }
        }

        impl IntoArray for Vec<$number> {
            fn into_array(self) -> Box<dyn Array> {
                PrimitiveArray::from_vec(self).boxed()
            }
        }

        impl IntoArray for Vec<Option<$number>> {
            fn into_array(self) -> Box<dyn Array> {
                PrimitiveArray::from(self).boxed()
            }
        }
    )*};
}

numbers!(u32: "u32", u64: "u64", i32: "i32", f64: "f64");

impl<'a> Value<'a> for &'a str {
    const NAME: &'static str = "str";

    fn of(array: &'a dyn Array) -> Option<Vec<Option<Self>>> {
        Some(array.as_any().downcast_ref::<Utf8ViewArray>()?.iter().collect())
    }
}

macro_rules! texts {
    ($($text:ty),*) => {$(
        impl IntoArray for Vec<Option<$text>> {
            fn into_array(self) -> Box<dyn Array> {
                let mut array = MutablePlString::with_capacity(self.len());
                for value in self {
                    array.push(value);
                }
                array.freeze().boxed()
            }
        }
    )*};
}

texts!(&str, String);
