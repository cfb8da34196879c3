//! Numbers of a few bits, one after another, the highest bit first.

/// Reads them.
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    /// Bits read.
    at: usize,
}

impl<'a> Bits<'a> {
    pub fn new(bytes: &'a [u8]) -> Bits<'a> {
        Bits { bytes, at: 0 }
    }

    /// The next 56 bits or more, at the top of a number; zeros behind the end.
    #[inline]
    pub fn window(&self) -> Window {
        let byte = self.at / 8;
        let mut eight = [0; 8];
        match self.bytes.get(byte..byte + 8) {
            Some(bytes) => eight.copy_from_slice(bytes),
            None => {
                let rest = self.bytes.get(byte..).unwrap_or_default();
                eight[..rest.len()].copy_from_slice(rest);
            }
        }
        Window { bits: u64::from_be_bytes(eight) << (self.at % 8), used: 0 }
    }

    /// Goes on behind what was used of a window; `false` if that was more than there is.
    #[inline]
    pub fn pass(&mut self, window: &Window) -> bool {
        self.at += window.used;
        self.at <= 8 * self.bytes.len()
    }

    /// Bytes of which something was read.
    pub fn bytes_read(&self) -> usize {
        self.at.div_ceil(8)
    }
}

/// Some bits.
pub(super) struct Window {
    bits: u64,
    used: usize,
}

impl Window {
    /// The next `count` bits as a number, at most 32.
    #[inline]
    pub fn take(&mut self, count: u32) -> u32 {
        // Shifting by 64 would be one too many.
        let value = (self.bits >> 1) >> (63 - count);
        self.bits <<= count;
        self.used += count as usize;
        value as u32
    }

    /// A number below `choices`, in as few bits as it needs; it may be larger if the bits are not of this format.
    #[inline]
    pub fn choose(&mut self, choices: u32) -> u32 {
        self.take(u32::BITS - choices.saturating_sub(1).leading_zeros())
    }

    /// A number of 16 bits in blocks of four, each with a bit that says whether another one follows; `None` if too many do.
    #[inline]
    pub fn blocks(&mut self) -> Option<u16> {
        let mut value = 0;
        for shift in [0, 4, 8, 12] {
            let block = self.take(5);
            value |= (block & 15) << shift;
            if block & 16 == 0 {
                return u16::try_from(value).ok();
            }
        }
        None
    }
}
