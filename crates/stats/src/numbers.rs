//! Numbers as people read them: one style for terminals, pages and pictures.
//!
//! ```
//! use drawish_stats::numbers::{counted, fixed, grouped, interval, percent, percents, signed};
//!
//! assert_eq!(grouped(1_234_567), "1,234,567");
//! assert_eq!(counted(1, "game"), "1 game");
//! assert_eq!(percent(0.374), "37.4 %");
//! assert_eq!(percents(0.351, 0.398), "35.1 to 39.8");
//! assert_eq!(signed(1.5, 1), "+1.5");
//! assert_eq!(fixed(-0.001, 2), "0.00");
//! assert_eq!(interval(-3.0, 7.25, 1), "-3.0 to +7.2");
//! ```

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

use super::elo::LARGEST_ELO;

/// A whole number with a comma between thousands, as in `1,234,567`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count with what it counts, which is given in the singular: `1 game`, `2 losses`, `1,234 entries`.
#[must_use]
pub fn counted(count: u64, noun: &str) -> String {
    format!("{} {}", grouped(count), noun_for(count, noun))
}

/// What is counted, in the number that goes with the count: `game`, `games`.
#[must_use]
pub fn noun_for(count: u64, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if count == 1 => noun.to_owned(),
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if noun.ends_with(['s', 'x']) || noun.ends_with("ch") => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// A number with so many decimals, without the minus that rounding leaves to a zero.
#[must_use]
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if is_zero(&text) { text.replace('-', "") } else { text }
}

/// A number with its sign and so many decimals; a zero, also a rounded one, is positive.
#[must_use]
pub fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    if is_zero(&text) { text.replace('-', "+") } else { text }
}

/// An interval of numbers with signs, as in `-3.0 to +7.2`.
#[must_use]
pub fn interval(low: f64, high: f64, decimals: usize) -> String {
    format!("{} to {}", signed(low, decimals), signed(high, decimals))
}

/// An interval in Elo, whose ends are written so: an end that is that of the scale, [`LARGEST_ELO`], is no limit, and is marked, as in
/// `-56.3 to >= +1199.8`.
#[must_use]
pub fn elo_interval(low: f64, high: f64, write: impl Fn(f64) -> String) -> String {
    let end = |elo: f64| match elo {
        elo if elo > LARGEST_ELO - 1e-6 => format!(">= {}", write(elo)),
        elo if elo < 1e-6 - LARGEST_ELO => format!("<= {}", write(elo)),
        elo => write(elo),
    };
    format!("{} to {}", end(low), end(high))
}

/// A share, 0 to 1, in percent with one decimal, as in `37.4 %`.
#[must_use]
pub fn percent(share: f64) -> String {
    percent_to(share, 1)
}

/// A share, 0 to 1, in percent with so many decimals.
#[must_use]
pub fn percent_to(share: f64, decimals: usize) -> String {
    format!("{} %", fixed(100.0 * share, decimals))
}

/// An interval of shares, 0 to 1, in percent with one decimal and without the unit, which stands before it or behind it: `35.1 to 39.8`.
#[must_use]
pub fn percents(low: f64, high: f64) -> String {
    format!("{:.1} to {:.1}", 100.0 * low, 100.0 * high)
}

/// A part of a whole with its share, as in `12 (37.4 %)`; `-` where the whole is nothing.
#[must_use]
pub fn part(count: u64, of: u64) -> String {
    if of == 0 { "-".to_owned() } else { format!("{} ({})", grouped(count), percent(count as f64 / of as f64)) }
}

/// A probability with so many decimals, and no zero where something is only very unlikely.
///
/// ```
/// use drawish_stats::numbers::{p_value, probability};
///
/// assert_eq!((p_value(0.0123, 4), p_value(3e-7, 4)), ("p = 0.0123".to_owned(), "p < 0.0001".to_owned()));
/// assert_eq!((probability(0.0123, 3), probability(0.0, 3)), ("0.012".to_owned(), "< 0.001".to_owned()));
/// ```
#[must_use]
pub fn probability(p: f64, decimals: usize) -> String {
    let least = 0.1_f64.powi(i32::try_from(decimals).unwrap_or(i32::MAX));
    if p < least { format!("< {least:.decimals$}") } else { format!("{p:.decimals$}") }
}

/// The same with its name, for sentences.
#[must_use]
pub fn p_value(p: f64, decimals: usize) -> String {
    let probability = probability(p, decimals);
    if probability.starts_with('<') { format!("p {probability}") } else { format!("p = {probability}") }
}

/// A number as short as it goes, to six decimals and with a comma between thousands: for axes and limits.
#[must_use]
pub fn plain(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6 + 0.0;
    if rounded.abs() >= 1000.0 && rounded.abs() < 1e15 && rounded.fract() == 0.0 {
        #[cfg_attr(
            not(test),
            expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "whole, positive and below 10^15"
            )
        )]
        let whole = rounded.abs() as u64;
        format!("{}{}", if rounded < 0.0 { "-" } else { "" }, grouped(whole))
    } else {
        format!("{rounded}")
    }
}

fn is_zero(text: &str) -> bool {
    text.trim_start_matches(['-', '+']).chars().all(|digit| digit == '0' || digit == '.')
}

/// Appends a line of a table in which all that was read is accounted for: what, how many, which share of `of` that is, and a remark.
///
/// ```
/// let mut out = String::new();
/// drawish_stats::numbers::row(&mut out, "  counted", 1234, 2468, "see below");
/// assert_eq!(out, "  counted                          1,234   50.0 %  see below\n");
/// ```
pub fn row(out: &mut String, label: &str, count: u64, of: u64, remark: &str) {
    let share = if of > 0 { percent(count as f64 / of as f64) } else { String::new() };
    let line = format!("{label:<26}{:>14}  {share:>7}  {remark}", grouped(count));
    out.push_str(line.trim_end());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_by_hand() {
        assert_eq!([0, 999, 1000, 12_345, 1_234_567].map(grouped), ["0", "999", "1,000", "12,345", "1,234,567"]);
        assert_eq!(
            [counted(1, "game"), counted(0, "loss"), counted(1234, "entry"), counted(2, "play"), noun_for(1, "pair")],
            ["1 game", "0 losses", "1,234 entries", "2 plays", "pair"]
        );
        assert_eq!(
            [percent(0.3549), percent_to(0.5, 0), part(1, 3), part(0, 0)],
            ["35.5 %", "50 %", "1 (33.3 %)", "-"]
        );
        let mut table = String::new();
        row(&mut table, "  counted", 1234, 2468, "see below");
        row(&mut table, "none", 0, 0, "");
        let wanted =
            "  counted                          1,234   50.0 %  see below\nnone                                   0\n";
        assert_eq!(table, wanted);
        assert_eq!([interval(-3.04, 7.2, 1), interval(-0.004, 0.0, 2)], ["-3.0 to +7.2", "+0.00 to +0.00"]);
        let elo = |low, high| elo_interval(low, high, |elo| signed(elo, 1));
        assert_eq!(elo(-LARGEST_ELO, 7.25), "<= -1199.8 to +7.2");
        assert_eq!(elo(-3.0, LARGEST_ELO), "-3.0 to >= +1199.8");
        assert_eq!(elo(-1199.0, 1199.0), "-1199.0 to +1199.0");
        assert_eq!([percents(0.3512, 0.398), percents(0.0, 1.0)], ["35.1 to 39.8", "0.0 to 100.0"]);
        assert_eq!([probability(0.0123, 3), probability(0.0004, 3)], ["0.012", "< 0.001"]);
        assert_eq!([p_value(0.0123, 4), p_value(3e-7, 4)], ["p = 0.0123", "p < 0.0001"]);
        assert_eq!([signed(-0.001, 2), signed(1.5, 1), signed(-2.0, 0)], ["+0.00", "+1.5", "-2"]);
        assert_eq!([fixed(-0.001, 2), fixed(-0.005, 2), fixed(3.0, 0), fixed(-0.4, 0)], ["0.00", "-0.01", "3", "0"]);
        assert_eq!(
            [0.6000000000000001, -0.0, 1500.0, -12_000.0, 0.25].map(plain),
            ["0.6", "0", "1,500", "-12,000", "0.25"]
        );
    }
}
