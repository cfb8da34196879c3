//! Why some bytes are not a table.

use core::fmt;

use super::{HEADER_LEN, VERSION};

/// Why some bytes are not a table that this crate can read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TableError {
    /// Fewer bytes than a header.
    TooShort {
        /// Bytes given.
        len: usize,
    },
    /// The first eight bytes are not the magic.
    NotATable,
    /// Written by another version of the format.
    Version {
        /// The version in the header.
        found: u16,
    },
    /// The header has another length than version 1 gives it.
    HeaderLength {
        /// The length in the header.
        found: u16,
    },
    /// No scheme of this crate has the identifier in the header.
    UnknownScheme {
        /// The identifier.
        id: u16,
    },
    /// The header's number of cells is not that of its scheme.
    Cells {
        /// What the scheme has.
        expected: u32,
        /// What the header says.
        found: u32,
    },
    /// The file is longer or shorter than its header says: cut, or with something appended.
    Length {
        /// Bytes by the header.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// No estimator has the number in the header.
    UnknownEstimator {
        /// The number.
        id: u16,
    },
    /// A flag that version 1 does not have.
    UnknownFlags {
        /// All flags of the header.
        found: u32,
    },
    /// Bytes of the header that are 0 in version 1 are not.
    Reserved,
    /// A base draw probability of 0 or 1, to which nothing can be relative.
    Base,
    /// The checksum does not fit: at least one bit was changed.
    Checksum {
        /// By the header.
        expected: u32,
        /// By the bytes.
        found: u32,
    },
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            TableError::TooShort { len } => {
                write!(f, "expected at least the {HEADER_LEN} bytes of a table's header, found {len} bytes")
            }
            TableError::NotATable => f.write_str("not a draw table: it does not begin with DRAWTBL"),
            TableError::Version { found } => write!(
                f,
                "expected table format version {VERSION}, found {found}: make the table again with this version of drawish"
            ),
            TableError::HeaderLength { found } => {
                write!(f, "expected a header of {HEADER_LEN} bytes, found {found}: the file is damaged")
            }
            TableError::UnknownScheme { id } => {
                write!(f, "index scheme number {id} is not known to this version of drawish")
            }
            TableError::Cells { expected, found } => {
                write!(f, "expected {expected} cells for the table's index scheme, found {found}: the file is damaged")
            }
            TableError::Length { expected, found } => write!(
                f,
                "expected {expected} bytes, found {found}: the file is cut or has something appended, make or copy it again"
            ),
            TableError::UnknownEstimator { id } => {
                write!(
                    f,
                    "estimator number {id} is not known to this version of drawish: use the program that made the table"
                )
            }
            TableError::UnknownFlags { found } => write!(
                f,
                "the flags {found:#x} are not known to this version of drawish: use the program that made the table"
            ),
            TableError::Reserved => {
                f.write_str("bytes of the header that must be 0 are not: the file is damaged, make or copy it again")
            }
            TableError::Base => f.write_str("the base draw probability is 0 or 1: the file is damaged"),
            TableError::Checksum { expected, found } => write!(
                f,
                "expected checksum {expected:08x}, found {found:08x}: the file was changed after it was written, make or copy it again"
            ),
        }
    }
}

impl core::error::Error for TableError {}
