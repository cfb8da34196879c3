//! From bytes to heads, in `const`.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

use super::gain::LIMITS;
use super::sum::{FAMILIES, FAR, NONE, starts_len};
use super::{DrawHead, GainHead, HEADER_LEN, Heads, HeadsError, MAGIC, Sum, VERSION, WdlHead};
use crate::bytes::{i16_at, i32_at, u16_at, u32_at};
use crate::expect::DrawModel;
use crate::features::{self, Family};
use crate::index::Scheme;

/// The kinds of blocks.
mod kind {
    pub(super) const DRAW: u16 = 1;
    pub(super) const GAIN: u16 = 2;
    pub(super) const WIN: u16 = 3;
    pub(super) const THRESHOLD: u16 = 4;
    pub(super) const SLOPE: u16 = 5;
    pub(super) const SHIFT: u16 = 6;
    pub(super) const LINE: u16 = 7;
    pub(super) const CELLS: u16 = 8;
}

/// Takes the value of an `Option`, or ends with an error: `?` is not for `const`.
macro_rules! or {
    ($value:expr, $error:expr) => {
        match $value {
            Some(value) => value,
            None => return Err($error),
        }
    };
}

/// Takes the value of a `Result`, or ends with its error.
macro_rules! ok {
    ($value:expr) => {
        match $value {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}

const WHOLE: HeadsError = HeadsError::Block { kind: 0 };

/// Reads heads.
pub(super) const fn heads(bytes: &[u8]) -> Result<Heads<'_>, HeadsError> {
    let (header, mut rest) = or!(bytes.split_first_chunk::<HEADER_LEN>(), HeadsError::TooShort { len: bytes.len() });
    let mut i = 0;
    while i < MAGIC.len() {
        if header[i] != MAGIC[i] {
            return Err(HeadsError::NotHeads);
        }
        i += 1;
    }
    let version = or!(u16_at(header, 8), WHOLE);
    if version != VERSION {
        return Err(HeadsError::Version { found: version });
    }
    let header_len = or!(u16_at(header, 10), WHOLE);
    if header_len as usize != HEADER_LEN {
        return Err(HeadsError::HeaderLength { found: header_len });
    }
    let expected = or!(u32_at(header, 16), WHOLE);
    if expected as usize != bytes.len() {
        return Err(HeadsError::Length { expected, found: bytes.len() });
    }
    let mut sums: [Option<Sum<'_>>; 7] = [None; 7];
    let mut line = None;
    let mut cells = None;
    let mut blocks = or!(u16_at(header, 12), WHOLE);
    if blocks == 0 {
        return Err(WHOLE);
    }
    while blocks > 0 {
        let kind = or!(u16_at(rest, 0), WHOLE);
        let shift = or!(u16_at(rest, 2), WHOLE);
        let len = or!(u32_at(rest, 4), WHOLE) as usize;
        if len < 8 || len % 4 != 0 {
            return Err(WHOLE);
        }
        let (block, more) = or!(rest.split_at_checked(len), WHOLE);
        let (_, body) = or!(block.split_at_checked(8), WHOLE);
        let double = match kind {
            kind::DRAW..=kind::SHIFT => {
                let sum = ok!(sum(kind, shift, body));
                let slot = &mut sums[(kind & 7) as usize % 7];
                let double = slot.is_some();
                *slot = Some(sum);
                double
            }
            kind::LINE => {
                let double = line.is_some();
                line = Some(ok!(self::line(body)));
                double
            }
            kind::CELLS => {
                let double = cells.is_some();
                cells = Some(ok!(self::cells(body)));
                double
            }
            _ => return Err(HeadsError::UnknownBlock { kind }),
        };
        if double {
            return Err(WHOLE);
        }
        rest = more;
        blocks -= 1;
    }
    if !rest.is_empty() {
        return Err(WHOLE);
    }
    assemble(bytes, sums, line, cells)
}

type Line<'a> = (&'a [u8], &'a [u8]);

const fn assemble<'a>(
    bytes: &'a [u8],
    sums: [Option<Sum<'a>>; 7],
    line: Option<Line<'a>>,
    cells: Option<(Scheme, &'a [u8])>,
) -> Result<Heads<'a>, HeadsError> {
    let win = sums[kind::WIN as usize];
    let draw = match sums[kind::DRAW as usize] {
        Some(score) => {
            let kappa = score.parameters[0];
            let [low, high, 0, 0] = kappa.to_le_bytes() else {
                return Err(HeadsError::Block { kind: kind::DRAW });
            };
            Some(DrawHead { score, win, model: DrawModel::new(u16::from_le_bytes([low, high])) })
        }
        None if win.is_some() => return Err(WHOLE),
        None => None,
    };
    let gain = match sums[kind::GAIN as usize] {
        Some(sum) => {
            let [power, mean] = sum.parameters;
            // It is a mean of gains, all of which are within their limits.
            if power < 1 || (mean as i64) < LIMITS.0 || mean as i64 > LIMITS.1 {
                return Err(HeadsError::Block { kind: kind::GAIN });
            }
            Some(GainHead { sum, cells })
        }
        None if cells.is_some() => return Err(WHOLE),
        None => None,
    };
    let (threshold, slope) = (sums[kind::THRESHOLD as usize], sums[kind::SLOPE as usize]);
    let wdl = match (threshold, slope, sums[kind::SHIFT as usize], line) {
        (Some(threshold), Some(slope), Some(shift), Some((knots, line))) => {
            Some(WdlHead { threshold, slope, shift, knots, line })
        }
        (None, None, None, None) => None,
        _ => return Err(WHOLE),
    };
    Ok(Heads { bytes, draw, gain, wdl })
}

/// The body of a sum, behind kind, shift and length.
const fn sum(kind: u16, shift: u16, body: &[u8]) -> Result<Sum<'_>, HeadsError> {
    let wrong = HeadsError::Block { kind };
    if shift < 8 || shift > 15 {
        return Err(wrong);
    }
    let constant = or!(i32_at(body, 0), wrong);
    let parameters = [or!(i32_at(body, 4), wrong), or!(i32_at(body, 8), wrong)];
    let terms = or!(u16_at(body, 28), wrong);
    let (counts, mut rest) = or!(body.split_at_checked(32), wrong);
    let mut linear: [&[u8]; FAMILIES] = [&[]; FAMILIES];
    let mut reads = 0;
    let mut family = 0;
    while family < FAMILIES {
        let count = or!(u16_at(counts, 12 + 2 * family), wrong) as usize;
        if count > Family::ALL[family].len() {
            #[cfg_attr(not(test), expect(clippy::cast_possible_truncation, reason = "few families of few features"))]
            let id = (256 * family + Family::ALL[family].len()) as u16;
            return Err(HeadsError::UnknownFeature { id });
        }
        (linear[family], rest) = or!(rest.split_at_checked(2 * count), wrong);
        if count > 0 {
            reads |= 1 << family;
        }
        family += 1;
    }
    let bands = rest;
    let mut term = 0;
    while term < terms {
        let length = or!(u16_at(rest, 0), wrong) as usize;
        let [m, n] = or!(u16_at(rest, 2), wrong).to_le_bytes();
        let (m, n) = (m as usize, n as usize);
        let (first, second) = (or!(u16_at(rest, 4), wrong), or!(u16_at(rest, 6), wrong));
        if features::place_of_id(first).is_none() {
            return Err(HeadsError::UnknownFeature { id: first });
        }
        reads |= 1 << (first >> 8);
        if second != NONE {
            if features::place_of_id(second).is_none() {
                return Err(HeadsError::UnknownFeature { id: second });
            }
            reads |= 1 << (second >> 8);
        } else if n != 0 {
            return Err(wrong);
        }
        let expected = 8 + starts_len(m) + starts_len(n) + 2 * (m + 1) * (n + 1);
        let (whole, more) = or!(rest.split_at_checked(length), wrong);
        if length != expected {
            return Err(wrong);
        }
        let (_, starts) = or!(whole.split_at_checked(8), wrong);
        let (starts, others) = or!(starts.split_at_checked(starts_len(m)), wrong);
        let (others, _) = or!(others.split_at_checked(starts_len(n)), wrong);
        if !are_starts(starts, m) || !are_starts(others, n) {
            return Err(wrong);
        }
        rest = more;
        term += 1;
    }
    // Two bytes fill the block up to a multiple of four.
    let (bands, filled) = or!(bands.split_at_checked(bands.len() - rest.len()), wrong);
    match filled {
        [] | [0, 0] => Ok(Sum { shift: shift as u32, constant, parameters, linear, bands, reads }),
        _ => Err(wrong),
    }
}

/// Whether starts of bands rise and are filled up.
const fn are_starts(numbers: &[u8], count: usize) -> bool {
    let Some((starts, mut filled)) = numbers.split_at_checked(2 * count) else { return false };
    if let ([low, high, ..], [.., last_low, last_high]) = (starts, starts) {
        let (first, last) = (i16::from_le_bytes([*low, *high]), i16::from_le_bytes([*last_low, *last_high]));
        if first as i32 <= -FAR || last as i32 >= FAR {
            return false;
        }
    }
    while let [low, high, more @ ..] = filled {
        if i16::from_le_bytes([*low, *high]) as i32 != FAR {
            return false;
        }
        filled = more;
    }
    ascending(starts, 1)
}

/// Whether numbers of two bytes rise by at least `least` from each to the next.
const fn ascending(numbers: &[u8], least: i32) -> bool {
    let mut last = i32::MIN / 2;
    let mut rest = numbers;
    while let [low, high, more @ ..] = rest {
        let number = i16::from_le_bytes([*low, *high]) as i32;
        if number < last + least {
            return false;
        }
        last = number;
        rest = more;
    }
    true
}

/// The body of a line: its knots and its values there.
const fn line(body: &[u8]) -> Result<Line<'_>, HeadsError> {
    let wrong = HeadsError::Block { kind: kind::LINE };
    let count = or!(u16_at(body, 0), wrong) as usize;
    let (_, rest) = or!(body.split_at_checked(4), wrong);
    let (knots, line) = or!(rest.split_at_checked(2 * count), wrong);
    if count < 2 || count > 64 || line.len() != 2 * count || !ascending(knots, 1) || !ascending(line, 0) {
        return Err(wrong);
    }
    let mut place = 0;
    while place < count {
        let (a, b) = (2 * place, 2 * (count - 1 - place));
        let opposite = or!(i16_at(knots, a), wrong) as i32 + or!(i16_at(knots, b), wrong) as i32;
        let both = or!(i16_at(line, a), wrong) as i32 + or!(i16_at(line, b), wrong) as i32;
        if opposite != 0 || both > 0 {
            return Err(wrong);
        }
        place += 1;
    }
    Ok((knots, line))
}

/// The body of cells: their scheme and what each adds.
const fn cells(body: &[u8]) -> Result<(Scheme, &[u8]), HeadsError> {
    let wrong = HeadsError::Block { kind: kind::CELLS };
    let id = or!(u16_at(body, 0), wrong);
    let scheme = or!(Scheme::from_id(id), wrong);
    let (_, cells) = or!(body.split_at_checked(4), wrong);
    if cells.len() != scheme.cells() as usize { Err(wrong) } else { Ok((scheme, cells)) }
}
