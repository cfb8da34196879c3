//! Reading files from bytes: numbers that may not be there, and the checksum.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

/// Two bytes, little-endian; none beyond the end.
#[inline]
pub(crate) const fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    match bytes.split_at_checked(at) {
        Some((_, rest)) => match rest.first_chunk() {
            Some(&pair) => Some(u16::from_le_bytes(pair)),
            None => None,
        },
        None => None,
    }
}

/// Four bytes, little-endian; none beyond the end.
#[inline]
pub(crate) const fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    match bytes.split_at_checked(at) {
        Some((_, rest)) => match rest.first_chunk() {
            Some(&four) => Some(u32::from_le_bytes(four)),
            None => None,
        },
        None => None,
    }
}

/// The same two bytes as a number with a sign.
#[inline]
pub(crate) const fn i16_at(bytes: &[u8], at: usize) -> Option<i16> {
    match u16_at(bytes, at) {
        Some(number) => Some(i16::from_le_bytes(number.to_le_bytes())),
        None => None,
    }
}

/// The same four bytes as a number with a sign.
#[inline]
pub(crate) const fn i32_at(bytes: &[u8], at: usize) -> Option<i32> {
    match u32_at(bytes, at) {
        Some(number) => Some(i32::from_le_bytes(number.to_le_bytes())),
        None => None,
    }
}

/// One step for each byte: the table of the reflected polynomial 0xEDB88320.
static CRC_OF_BYTE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0_u32;
    while byte < 256 {
        let mut crc = byte;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
            bit += 1;
        }
        table[byte as usize] = crc;
        byte += 1;
    }
    table
};

/// CRC-32 (IEEE 802.3) of all bytes, with the four at `field` as 0.
pub(crate) const fn checksum(bytes: &[u8], field: usize) -> u32 {
    let mut crc = u32::MAX;
    let mut rest = bytes;
    let mut at = 0;
    while let [byte, more @ ..] = rest {
        let byte = if at >= field && at - field < 4 { 0 } else { *byte };
        crc = crc >> 8 ^ CRC_OF_BYTE[((crc ^ byte as u32) & 0xff) as usize];
        rest = more;
        at += 1;
    }
    !crc
}
