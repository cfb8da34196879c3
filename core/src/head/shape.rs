//! What a file of heads holds, for those who show it.

use super::sum::{NONE, starts_len};
use super::{Heads, Sum, WdlHead};
use crate::bytes::u16_at;

impl Heads<'_> {
    /// Bytes of the file.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.bytes.len()
    }

    /// XXH3-128 of the text that the file was made from.
    #[must_use]
    pub fn source_digest(&self) -> u128 {
        let digest = self.bytes.get(32..).and_then(|rest| rest.first_chunk());
        digest.map_or(0, |bytes| u128::from_le_bytes(*bytes))
    }
}

impl Sum<'_> {
    /// How many weights there are, linear ones and those of bands; the constant is none.
    #[must_use]
    pub fn weights(&self) -> usize {
        let linear: usize = self.linear.iter().map(|weights| weights.len() / 2).sum();
        let mut count = linear;
        let mut rest = self.bands;
        // Terms were checked when the heads were opened.
        while let (Some(length), Some(bands)) = (u16_at(rest, 0), u16_at(rest, 2)) {
            let [m, n] = bands.to_le_bytes().map(usize::from);
            let second = if u16_at(rest, 6) == Some(NONE) { 0 } else { n };
            let Some((term, more)) = rest.split_at_checked(usize::from(length)) else { break };
            let weights =
                term.split_at_checked(8 + starts_len(m) + starts_len(n)).map_or(0, |(_, weights)| weights.len() / 2);
            count += weights.min((m + 1) * (second + 1));
            rest = more;
            if length == 0 {
                break;
            }
        }
        count
    }
}

impl<'a> WdlHead<'a> {
    /// The line P: its knots in centipawns, ascending, with its value there in 1/1,024 logit.
    pub fn knots(&self) -> impl Iterator<Item = (i16, i16)> + 'a {
        let numbers = |bytes: &'a [u8]| {
            bytes.chunks_exact(2).map(|pair| if let &[low, high] = pair { i16::from_le_bytes([low, high]) } else { 0 })
        };
        numbers(self.knots).zip(numbers(self.line))
    }
}
