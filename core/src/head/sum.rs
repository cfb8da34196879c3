//! A sum of weighted features.

use crate::bytes::u16_at;
use crate::features::{self, COUNT, Family};

/// What stands for no second feature.
pub(super) const NONE: u16 = u16::MAX;
/// The number of families.
pub(super) const FAMILIES: usize = Family::ALL.len();

/// A score that is a constant and a sum of weighted features, over the bytes of its block.
#[derive(Clone, Copy, Debug)]
pub struct Sum<'a> {
    pub(super) shift: u32,
    pub(super) constant: i32,
    pub(super) parameters: [i32; 2],
    /// Weights of the first features of each family.
    pub(super) linear: [&'a [u8]; FAMILIES],
    /// Banded terms, one behind the other.
    pub(super) bands: &'a [u8],
    /// A bit for each family that is read.
    pub(super) reads: u8,
}

impl Sum<'_> {
    /// Whether the sum reads features of a family.
    #[must_use]
    #[inline]
    pub const fn reads(&self, family: Family) -> bool {
        self.reads >> family as u32 & 1 == 1
    }

    /// Bits behind the point of [`raw`](Self::raw), 8 to 15.
    #[must_use]
    pub const fn shift(&self) -> u32 {
        self.shift
    }

    /// The sum in 1/2^shift logit.
    #[must_use]
    pub fn raw(&self, values: &[i16; COUNT]) -> i64 {
        let mut sum = i64::from(self.constant);
        let mut rest: &[i16] = values;
        for (family, weights) in Family::ALL.iter().zip(&self.linear) {
            let Some((own, others)) = rest.split_at_checked(family.len()) else { break };
            rest = others;
            for (value, weight) in own.iter().zip(weights.chunks_exact(2)) {
                sum += i64::from(i32::from(number(weight)) * i32::from(*value));
            }
        }
        let mut bands = self.bands;
        while let Some((weight, rest)) = term(bands, values) {
            sum += i64::from(weight);
            bands = rest;
        }
        sum
    }

    /// The sum in 1/256 logit, rounded down.
    #[inline]
    pub(super) fn at(&self, values: &[i16; COUNT]) -> i64 {
        self.raw(values) >> (self.shift.wrapping_sub(8) & 7)
    }

    /// The sum in 1/65,536 logit.
    #[inline]
    pub(super) fn in_2_16(&self, values: &[i16; COUNT]) -> i64 {
        (self.raw(values) << 16) >> (self.shift & 15)
    }
}

/// A little-endian number of two bytes.
#[inline]
fn number(bytes: &[u8]) -> i16 {
    if let &[low, high] = bytes { i16::from_le_bytes([low, high]) } else { 0 }
}

/// What the first of some banded terms adds, and the terms behind it; none behind the last.
#[inline]
fn term<'a>(bytes: &'a [u8], values: &[i16; COUNT]) -> Option<(i16, &'a [u8])> {
    let (&[a, b, c, d, e, f, g, h], bytes) = bytes.split_first_chunk()?;
    let [first, m, second, n] = [[a, b], [c, d], [e, f], [g, h]].map(u16::from_le_bytes);
    let (m, n) = (usize::from(m), usize::from(n));
    let (first_starts, bytes) = bytes.split_at_checked(2 * m)?;
    let (second_starts, bytes) = bytes.split_at_checked(2 * n)?;
    let (weights, bytes) = bytes.split_at_checked(2 * ((m + 1) * (n + 1)))?;
    let band = band(first, first_starts, values)? * (n + 1);
    let band = if second == NONE { band } else { band + self::band(second, second_starts, values)? };
    Some((u16_at(weights, 2 * band)? as i16, bytes))
}

/// The band of a feature's value: so many starts are not above it.
#[inline]
fn band(id: u16, starts: &[u8], values: &[i16; COUNT]) -> Option<usize> {
    let value = *values.get(features::place_of_id(id)?)?;
    Some(starts.chunks_exact(2).map(|start| usize::from(number(start) <= value)).sum())
}
