//! A sum of weighted features.

use crate::bytes::i16_at;
use crate::features::{COUNT, Family};

/// What stands for no second feature.
pub(super) const NONE: u16 = u16::MAX;
/// What starts of bands are filled up with, and beyond which none is.
pub(super) const FAR: i32 = 0x3fff;
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
        let [counts, material, endings, files, ranks, kings, clock, win] = self.linear;
        /// What the linear terms of a family add, whose place and number are known when the program is compiled.
        macro_rules! add {
            ($family:ident, $weights:expr) => {
                if !$weights.is_empty() {
                    const FIRST: usize = Family::$family.first();
                    const LEN: usize = Family::$family.len();
                    let own = values.split_at_checked(FIRST).and_then(|(_, rest)| rest.first_chunk::<LEN>());
                    sum += own.map_or(0, |own| match $weights.first_chunk::<{ 2 * LEN }>() {
                        Some(all) => products(own, all),
                        None => products(own, $weights),
                    });
                }
            };
        }
        add!(Counts, counts);
        add!(Material, material);
        add!(Endings, endings);
        add!(Files, files);
        add!(Ranks, ranks);
        add!(Kings, kings);
        add!(Clock, clock);
        add!(Win, win);
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

/// The sum of values times weights, of which there may be fewer.
#[inline(always)]
fn products<const LEN: usize>(values: &[i16; LEN], weights: &[u8]) -> i64 {
    let products =
        values.iter().zip(weights.chunks_exact(2)).map(|(value, weight)| i32::from(number(weight)) * i32::from(*value));
    if LEN > 19 {
        return products.map(i64::from).sum();
    }
    // On no board is a value of the families that are as small as this above 1,344 in size: 19 products fit, and several can be
    // added at once.
    products.fold(0, i32::wrapping_add).into()
}

/// A little-endian number of two bytes.
#[inline]
fn number(bytes: &[u8]) -> i16 {
    if let &[low, high] = bytes { i16::from_le_bytes([low, high]) } else { 0 }
}

/// What the first of some banded terms adds, and the terms behind it; none behind the last.
#[inline]
fn term<'a>(bytes: &'a [u8], values: &[i16; COUNT]) -> Option<(i16, &'a [u8])> {
    // The length leads to the next term before anything of this one is known.
    let begin = u64::from_le_bytes(*bytes.first_chunk()?);
    let (term, rest) = bytes.split_at_checked(usize::from(begin as u16))?;
    let (m, n) = ((begin >> 16 & 0xff) as usize, (begin >> 24 & 0xff) as usize);
    let (first, second) = ((begin >> 32) as u16, (begin >> 48) as u16);
    // Nearly all terms are pairs of features with one to four starts each, which lie where they are expected: both counts less one
    // are below 4, and what one of them would borrow shows as well.
    if (begin >> 16 & 0xffff).wrapping_sub(0x0101) & 0xfcfc == 0 {
        let (starts, weights) = term.split_first_chunk::<24>()?;
        let (_, starts) = starts.split_first_chunk::<8>()?;
        let (first_starts, second_starts) = starts.split_first_chunk::<8>()?;
        let first = not_above(spread(value(first, values)?), *first_starts);
        let second = not_above(spread(value(second, values)?), *second_starts.first_chunk()?);
        // Both counts in one product: its four numbers are at most 5 and 1, and their sum at most 24.
        let place = counted(first.wrapping_mul(n as u64 + 1).wrapping_add(second));
        let weight = weights.get(2 * place..)?.first_chunk()?;
        return Some((i16::from_le_bytes(*weight), rest));
    }
    let (_, starts) = term.split_at_checked(8)?;
    let (first_starts, starts) = starts.split_at_checked(starts_len(m))?;
    let band = band(first, first_starts, values)? * (n + 1);
    let (second_starts, weights) = starts.split_at_checked(starts_len(n))?;
    let band = if second == NONE { band } else { band + self::band(second, second_starts, values)? };
    Some((i16_at(weights, 2 * band)?, rest))
}

/// Bytes of so many starts, which are filled up to a multiple of four.
#[inline]
pub(super) const fn starts_len(starts: usize) -> usize {
    starts.div_ceil(4) * 8
}

/// The band of a feature's value: so many starts are not above it.
#[inline]
fn band(id: u16, starts: &[u8], values: &[i16; COUNT]) -> Option<usize> {
    let value = spread(value(id, values)?);
    let mut band = 0;
    let mut rest = starts;
    while let Some((four, more)) = rest.split_first_chunk() {
        band += not_above(value, *four);
        rest = more;
    }
    Some(counted(band))
}

/// The value of a feature by its identifier, which was checked when the heads were opened.
#[inline]
fn value(id: u16, values: &[i16; COUNT]) -> Option<i16> {
    /// The place of the first feature of each family.
    static FIRST: [u8; FAMILIES] = {
        let mut first = [0; FAMILIES];
        let mut family = 0;
        while family < FAMILIES {
            first[family] = Family::ALL[family].first() as u8;
            family += 1;
        }
        first
    };
    const { assert!(FAMILIES == 8 && COUNT < 256) };
    let [number, family] = id.to_le_bytes();
    values.get(usize::from(FIRST[usize::from(family & 7)]) + usize::from(number)).copied()
}

// Four numbers at once, each with 15 bits and moved so that none is negative: the bit above them stays where a start is not above.
const ABOVE: u64 = 0x8000_8000_8000_8000;
const SIGN: u64 = 0x4000_4000_4000_4000;
const EACH: u64 = 0x0001_0001_0001_0001;

/// A value four times, to be compared with four starts.
#[inline]
fn spread(value: i16) -> u64 {
    (((value.clamp(-FAR as i16, FAR as i16 - 1) + 0x4000) as u64).wrapping_mul(EACH)) | ABOVE
}

/// A 1 for each of four starts that is not above a value, in a number of 16 bits each.
#[inline]
fn not_above(value: u64, starts: [u8; 8]) -> u64 {
    let starts = (u64::from_le_bytes(starts) ^ SIGN) & !ABOVE;
    (value.wrapping_sub(starts) & ABOVE) >> 15
}

/// The sum of four numbers of 16 bits.
#[inline]
fn counted(fours: u64) -> usize {
    (fours.wrapping_mul(EACH) >> 48) as usize
}
