//! Why some bytes are no heads.

use core::fmt;

use super::{HEADER_LEN, VERSION};

/// Why some bytes are not heads that this crate can read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum HeadsError {
    /// Fewer bytes than a header.
    TooShort {
        /// Bytes given.
        len: usize,
    },
    /// The first eight bytes are not the magic.
    NotHeads,
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
    /// The file is longer or shorter than its header says: cut, or with something appended.
    Length {
        /// Bytes by the header.
        expected: u32,
        /// Bytes given.
        found: usize,
    },
    /// A kind of block that this version does not have.
    UnknownBlock {
        /// The kind.
        kind: u16,
    },
    /// A feature that this version does not have.
    UnknownFeature {
        /// Its identifier.
        id: u16,
    },
    /// A block whose numbers contradict each other or are beyond their ranges.
    Block {
        /// Its kind; 0 if the blocks as a whole do not fit together.
        kind: u16,
    },
    /// The checksum does not fit: at least one bit was changed.
    Checksum {
        /// By the header.
        expected: u32,
        /// By the bytes.
        found: u32,
    },
}

impl fmt::Display for HeadsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            HeadsError::TooShort { len } => {
                write!(f, "expected at least the {HEADER_LEN} bytes of the header of heads, found {len} bytes")
            }
            HeadsError::NotHeads => f.write_str("not a file of heads: it does not begin with DRAWHDS"),
            HeadsError::Version { found } => write!(
                f,
                "expected heads of format version {VERSION}, found {found}: make them again with this version of drawish"
            ),
            HeadsError::HeaderLength { found } => {
                write!(f, "expected a header of {HEADER_LEN} bytes, found {found}: the file is damaged")
            }
            HeadsError::Length { expected, found } => write!(
                f,
                "expected {expected} bytes, found {found}: the file is cut or has something appended, make or copy it again"
            ),
            HeadsError::UnknownBlock { kind } => {
                write!(
                    f,
                    "block kind {kind} is not known to this version of drawish: use a later one, or make the heads again"
                )
            }
            HeadsError::UnknownFeature { id } => write!(
                f,
                "the feature {id:#06x} is not known to this version of drawish: use a later one, or make the heads again"
            ),
            HeadsError::Block { kind: 0 } => {
                f.write_str("blocks are missing, double or not whole: the file is damaged, make or copy it again")
            }
            HeadsError::Block { kind } => {
                write!(
                    f,
                    "block kind {kind} has numbers beyond their ranges: the file is damaged, make or copy it again"
                )
            }
            HeadsError::Checksum { expected, found } => write!(
                f,
                "expected checksum {expected:08x}, found {found:08x}: the file was changed after it was written, make or copy it again"
            ),
        }
    }
}

impl core::error::Error for HeadsError {}
