//! Numbers in comments, with what stands around their digits.

use super::EvalValue;

/// The largest number of hundredths of a pawn.
pub(super) const LARGEST: i32 = 1_000_000;

/// No mate that is written as a number of centipawns is further away.
const LONGEST_MATE: i32 = 255;

/// What so many centipawns say if some of them stand for mates, `moves` being the distance of the mate for a size.
pub(super) fn mate_of(centipawns: i32, moves: impl Fn(i32) -> i32) -> EvalValue {
    match moves(centipawns.abs()) {
        moves @ 0..=LONGEST_MATE => EvalValue::Mate(moves * centipawns.signum()),
        _ => EvalValue::Centipawns(centipawns),
    }
}

/// A number as it is written, and what follows it.
pub(super) struct Number<'a> {
    pub value: EvalValue,
    pub has_sign: bool,
    /// Also of a 0, whose value has no sign.
    pub is_negative: bool,
    pub is_mate: bool,
    /// A mate with `#`, not with `M`.
    pub is_hash: bool,
    /// Other digits follow a leading 0, as in `03.12`.
    pub has_leading_zero: bool,
    is_comma: bool,
    pub decimals: usize,
    pub rest: &'a [u8],
}

/// The decimals of a number whose line is broken behind its point, as ChessBase breaks lines (`0.` and `60/21` on the next one), or that has a
/// blank there, as where the breaks of such lines were made blanks. `None` where what follows is no more of it: `12. Nf3`, `3. 25 minutes`.
fn behind_break(decimals: &[u8], is_surely_one: bool) -> Option<&[u8]> {
    let rest = decimals.trim_ascii_start();
    let blank = &decimals[..decimals.len() - rest.len()];
    let len = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (is_broken, next) = (blank.contains(&b'\n'), rest.get(len));
    // Behind a depth stands a time.
    let is_timed = || {
        let behind = rest[len + 1..].trim_ascii_start();
        let depth = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (behind, time) = (&behind[depth..], behind[depth..].trim_ascii());
        depth > 0 && time.len() < behind.len() && time.first().is_some_and(u8::is_ascii_digit)
    };
    let fits = match next {
        Some(b'/') => (1..=2).contains(&len) && is_broken || len == 2 && (is_surely_one || is_timed()),
        Some(b']' | b',') => (1..=2).contains(&len) && is_broken,
        _ => false,
    };
    (!blank.is_empty() && fits).then_some(rest)
}

impl Number<'_> {
    /// Reads a decimal number or a mate at the beginning of `text`. A comma separates decimals only where there may be one.
    pub fn read(text: &[u8], may_have_comma: bool) -> Option<Number<'_>> {
        let (negative, rest) = sign(text);
        let has_sign = rest.len() < text.len();
        if let [mark @ (b'M' | b'#'), rest @ ..] = rest {
            // The sign stands behind the mark in `#-3`.
            let (negative_behind, behind) = sign(rest);
            if has_sign && behind.len() < rest.len() {
                return None;
            }
            let has_sign = has_sign || behind.len() < rest.len();
            let (moves, rest) = leading_digits(behind)?;
            let moves = i32::try_from(moves).unwrap_or(i32::MAX);
            let (is_negative, is_hash) = (negative || negative_behind, *mark == b'#');
            let value = EvalValue::Mate(if is_negative { -moves } else { moves });
            return Some(Number {
                value,
                has_sign,
                is_negative,
                is_mate: true,
                is_hash,
                has_leading_zero: false,
                is_comma: false,
                decimals: 0,
                rest,
            });
        }
        let (whole, behind) = leading_digits(rest).unwrap_or((0, rest));
        let had_digits = behind.len() < rest.len();
        let has_leading_zero = matches!(rest, [b'0', b'0'..=b'9', ..]);
        let (is_comma, decimals) = match behind {
            [b'.', decimals @ ..] if had_digits || decimals.first().is_some_and(u8::is_ascii_digit) => {
                let is_surely_one = has_sign || whole == 0;
                (false, behind_break(decimals, is_surely_one).filter(|_| had_digits).unwrap_or(decimals))
            }
            [b',', decimals @ ..] if had_digits && may_have_comma => (true, decimals),
            _ => (false, &[][..]),
        };
        let len = decimals.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if len == 0 && !had_digits {
            return None;
        }
        let digit = |place: usize| u64::from(decimals[..len].get(place).map_or(0, |byte| byte - b'0'));
        let hundredths = 10 * digit(0) + digit(1) + u64::from(digit(2) >= 5);
        let value = whole.saturating_mul(100).saturating_add(hundredths).min(LARGEST.unsigned_abs().into());
        let value = i32::try_from(value).unwrap_or_default();
        let value = EvalValue::Centipawns(if negative { -value } else { value });
        // A point or comma without decimals does not belong to the number: `12. Nf3`, `+1, 3s`.
        let rest = if len > 0 { &decimals[len..] } else { behind };
        Some(Number {
            value,
            has_sign,
            is_negative: negative,
            is_mate: false,
            is_hash: false,
            has_leading_zero,
            is_comma: is_comma && len > 0,
            decimals: len,
            rest,
        })
    }

    pub fn is_whole(&self) -> bool {
        !self.is_mate && self.decimals == 0
    }

    pub fn is_zero(&self) -> bool {
        self.value == EvalValue::Centipawns(0)
    }

    pub fn has_decimals_or_is_mate(&self) -> bool {
        self.is_mate || self.decimals > 0
    }

    pub fn is_below_1000(&self) -> bool {
        matches!(self.value, EvalValue::Centipawns(value) if value.unsigned_abs() < 100_000)
    }

    /// Whether a comma stands before the decimals.
    pub fn is_comma(&self) -> bool {
        self.is_comma
    }

    /// Whether the first decimal is 0, as in `1,05`.
    pub fn is_below_tenth(&self) -> bool {
        // The largest stands for all beyond it.
        matches!(self.value, EvalValue::Centipawns(value) if value.abs() < LARGEST && value.unsigned_abs() % 100 < 10)
    }

    /// `12,30` may be a price, a clock or two numbers; `0,00` is none of these.
    pub fn is_unsigned_comma(&self) -> bool {
        self.is_comma && !self.has_sign && !self.is_zero()
    }
}

/// A depth of up to four digits, and what follows it.
pub(super) fn depth(text: &[u8]) -> Option<(u16, &[u8])> {
    let len = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (depth, rest) = leading_digits(text).filter(|_| len <= 4)?;
    Some((u16::try_from(depth).ok()?, rest))
}

/// Whether a minus sign leads, and what follows the sign.
#[inline]
pub(super) fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] | [0xef, 0xbc, 0x8b, rest @ ..] => (false, rest),
        // U+2212, which runtimes print in some languages and word processors make of a hyphen; other hyphens and dashes, U+2010 to U+2014
        // and the wide one, U+FF0D, beside the wide plus, U+FF0B.
        [0xe2, 0x88, 0x92, rest @ ..] | [0xe2, 0x80, 0x90..=0x94, rest @ ..] | [0xef, 0xbc, 0x8d, rest @ ..] => {
            (true, rest)
        }
        // Before it runtimes put a mark of direction in Hebrew and Arabic.
        [0xe2, 0x80, 0x8e | 0x8f, rest @ ..] if matches!(rest.first(), Some(b'-' | b'+')) => sign(rest),
        _ => (false, text),
    }
}

/// The whole number that stands there with or without a sign.
pub(super) fn signed_digits(text: &[u8]) -> Option<i32> {
    let (negative, digits) = sign(text);
    let value = i32::try_from(leading_digits(digits)?.0).unwrap_or(LARGEST).min(LARGEST);
    Some(if negative { -value } else { value })
}

pub(super) fn leading_digits(text: &[u8]) -> Option<(u64, &[u8])> {
    let len = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value =
        text[..len].iter().fold(0_u64, |sum, digit| sum.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
    (len > 0).then_some((value, &text[len..]))
}
