//! Evaluations in comments, in every style that engines, runners and sites write.
//!
//! | style | example | whose view |
//! |---|---|---|
//! | runner | `+0.35/18 1.2s`, `+0.35/18, 1.2s`, `0.35`, `+M5/18`, `-M3/9`, `#-5` | the side that moved |
//! | lichess | `[%eval 0.35]`, `[%eval #-3]`, `[%eval 0.35,18]` | White |
//! | TCEC | `d=28, wv=0.24`, `ev=-0.29`, `wv=M12` | White |
//!
//! The TCEC keys are White's view, as counted over its archive: 66,546 evaluations at the ends of decided games agree
//! with White's view and 331 do not.

/// An evaluation as an engine gave it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Eval {
    /// How much.
    pub value: EvalValue,
    /// From whose point of view.
    pub view: View,
    /// How it was written.
    pub style: Style,
    /// Search depth in half-moves, where it is given.
    pub depth: Option<u16>,
}

/// How much an evaluation says, positive for the side whose view it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvalValue {
    /// Hundredths of a pawn, rounded to the nearest, halves away from zero; at most ±1,000,000.
    Centipawns(i32),
    /// Mate: the number as written, in moves or half-moves, negative for the side that is mated.
    Mate(i32),
}

/// The point of view of an evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// The side that made the move before the comment.
    Mover,
    /// White, whoever moved.
    White,
}

/// A way to write evaluations; see the table of this module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Style {
    /// `+0.35/18 1.2s`, by the runner of a match: each player's own evaluations.
    Runner,
    /// `[%eval 0.35]`: those of one engine that has analysed the game.
    Lichess,
    /// `wv=0.24`: each player's own evaluations.
    Tcec,
}

impl Style {
    /// All.
    pub const ALL: [Style; 3] = [Style::Runner, Style::Lichess, Style::Tcec];

    /// The name in summaries.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Style::Runner => "runner",
            Style::Lichess => "lichess",
            Style::Tcec => "tcec",
        }
    }

    /// Who usually writes like this.
    #[must_use]
    pub const fn writer(self) -> Writer {
        match self {
            Style::Runner | Style::Tcec => Writer::Players,
            Style::Lichess => Writer::Analyst,
        }
    }
}

/// Whose evaluations stand in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writer {
    /// Each player's, after its own moves.
    Players,
    /// Those of one judge after the moves of both sides.
    Analyst,
}

impl Eval {
    /// The evaluation from White's point of view; `white_moved` says who made the move before the comment.
    #[must_use]
    pub fn for_white(self, white_moved: bool) -> EvalValue {
        if self.view == View::White || white_moved { self.value } else { self.value.negated() }
    }

    /// The evaluation from the point of view of the side that made the move before the comment.
    #[must_use]
    pub fn for_mover(self, white_moved: bool) -> EvalValue {
        if self.view == View::Mover || white_moved { self.value } else { self.value.negated() }
    }
}

impl EvalValue {
    /// The same from the other side.
    #[must_use]
    pub fn negated(self) -> EvalValue {
        match self {
            EvalValue::Centipawns(value) => EvalValue::Centipawns(-value),
            EvalValue::Mate(moves) => EvalValue::Mate(-moves),
        }
    }
}

/// Finds the evaluation in the text of a comment, without its braces. `None` for comments without one.
#[must_use]
#[inline]
pub fn eval_in_comment(comment: &[u8]) -> Option<Eval> {
    plain(comment).or_else(|| any_style(comment))
}

/// The style of most files, `+0.35/18 1.2s` with two decimals and a depth, which is read several times faster by itself.
/// `None` for any other, even if it is an evaluation.
#[inline]
fn plain(comment: &[u8]) -> Option<Eval> {
    let digit = |byte: u8| byte.is_ascii_digit().then(|| i32::from(byte - b'0'));
    let (negative, rest) = sign(comment);
    let (whole, rest) = match rest {
        [one, b'.', rest @ ..] => (digit(*one)?, rest),
        [ten, one, b'.', rest @ ..] => (10 * digit(*ten)? + digit(*one)?, rest),
        _ => return None,
    };
    let [tenth, hundredth, b'/', rest @ ..] = rest else { return None };
    let (depth, rest) = match rest {
        [ten, one, rest @ ..] if ten.is_ascii_digit() && one.is_ascii_digit() => {
            (10 * digit(*ten)? + digit(*one)?, rest)
        }
        [one, rest @ ..] => (digit(*one)?, rest),
        [] => return None,
    };
    if !matches!(rest.first(), None | Some(b' ' | b',')) {
        return None;
    }
    let value = 100 * whole + 10 * digit(*tenth)? + digit(*hundredth)?;
    let value = EvalValue::Centipawns(if negative { -value } else { value });
    Some(Eval { value, view: View::Mover, style: Style::Runner, depth: Some(depth as u16) })
}

fn any_style(comment: &[u8]) -> Option<Eval> {
    let comment = comment.trim_ascii();
    match comment.first()? {
        b'+' | b'-' | b'0'..=b'9' | b'.' | b'#' | b'M' => runner(comment),
        // The expected answer stands first in some styles: `(Nf6) +0.17/23 32s`.
        b'(' => runner(after(comment, b")")?.trim_ascii_start()),
        _ => None,
    }
    .or_else(|| lichess(comment))
    .or_else(|| tcec(comment))
}

/// `+0.35/18 1.2s` and its relatives.
fn runner(text: &[u8]) -> Option<Eval> {
    let (value, rest) = number(text)?;
    let depth = rest.strip_prefix(b"/").and_then(|rest| leading_digits(rest)).map(|(depth, _)| clamp_depth(depth));
    // A move number, a clock or a date is no evaluation: `1.2s`, `12:30`, `2 pawns down`.
    let ends_well = match rest.first() {
        None | Some(b'/') => true,
        Some(b' ' | b',' | b'\t' | b'\r' | b'\n') => has_fraction_or_mate(&text[..text.len() - rest.len()]),
        Some(_) => false,
    };
    (ends_well && (depth.is_some() || rest.first() != Some(&b'/'))).then_some(Eval {
        value,
        view: View::Mover,
        style: Style::Runner,
        depth,
    })
}

/// `[%eval 0.35]`.
fn lichess(comment: &[u8]) -> Option<Eval> {
    let text = after(comment, b"[%eval")?.trim_ascii_start();
    let (value, rest) = number(text)?;
    let depth = rest.strip_prefix(b",").and_then(leading_digits).map(|(depth, _)| clamp_depth(depth));
    Some(Eval { value, view: View::White, style: Style::Lichess, depth })
}

/// `d=28, sd=53, wv=0.24,` with the keys in any order.
fn tcec(comment: &[u8]) -> Option<Eval> {
    let key = |name: &[u8]| {
        let found = memchr::memmem::find_iter(comment, name)
            .find(|&at| at == 0 || matches!(comment[at - 1], b' ' | b',' | b';' | b'\n' | b'\r'))?;
        Some(comment[found + name.len()..].trim_ascii_start())
    };
    let (value, _) = key(b"wv=").or_else(|| key(b"ev=")).and_then(number)?;
    let depth = key(b"d=").and_then(leading_digits).map(|(depth, _)| clamp_depth(depth));
    Some(Eval { value, view: View::White, style: Style::Tcec, depth })
}

/// What follows the first `pattern` in `text`.
fn after<'a>(text: &'a [u8], pattern: &[u8]) -> Option<&'a [u8]> {
    memchr::memmem::find(text, pattern).map(|at| &text[at + pattern.len()..])
}

fn has_fraction_or_mate(number: &[u8]) -> bool {
    number.iter().any(|byte| matches!(byte, b'.' | b',' | b'M' | b'#'))
}

fn clamp_depth(depth: u64) -> u16 {
    u16::try_from(depth).unwrap_or(u16::MAX)
}

/// A signed decimal number or mate at the beginning of `text`, and what follows it.
fn number(text: &[u8]) -> Option<(EvalValue, &[u8])> {
    let (negative, rest) = sign(text);
    if let Some(rest) = rest.strip_prefix(b"M").or_else(|| rest.strip_prefix(b"#")) {
        // The sign stands behind the mark in `#-3`.
        let (negative_behind, rest) = sign(rest);
        let (moves, rest) = leading_digits(rest)?;
        let moves = i32::try_from(moves).unwrap_or(i32::MAX);
        return Some((EvalValue::Mate(if negative != negative_behind { -moves } else { moves }), rest));
    }
    let (whole, rest) = leading_digits(rest).unwrap_or((0, rest));
    let had_digits = rest.len() < text.len() && text[text.len() - rest.len() - 1].is_ascii_digit();
    let separated = match rest {
        [b'.', rest @ ..] => Some(rest),
        // A comma separates decimals only between digits: `0,35/18`, but not `+1, 3s`.
        [b',', next, ..] if next.is_ascii_digit() && had_digits => Some(&rest[1..]),
        _ => None,
    };
    let (hundredths, rest) = match separated {
        Some(decimals) => {
            let len = decimals.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if len == 0 && !had_digits {
                return None;
            }
            let digit = |place: usize| u64::from(decimals[..len].get(place).map_or(0, |byte| byte - b'0'));
            (10 * digit(0) + digit(1) + u64::from(digit(2) >= 5), &decimals[len..])
        }
        None if had_digits => (0, rest),
        None => return None,
    };
    let value = whole.saturating_mul(100).saturating_add(hundredths).min(1_000_000) as i32;
    Some((EvalValue::Centipawns(if negative { -value } else { value }), rest))
}

/// Whether a minus sign leads, and what follows the sign.
fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

fn leading_digits(text: &[u8]) -> Option<(u64, &[u8])> {
    let len = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value =
        text[..len].iter().fold(0_u64, |sum, digit| sum.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
    (len > 0).then_some((value, &text[len..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use EvalValue::{Centipawns, Mate};

    #[test]
    fn reads_every_style() {
        let mover = |comment: &str| eval_in_comment(comment.as_bytes()).filter(|eval| eval.view == View::Mover);
        let white = |comment: &str| eval_in_comment(comment.as_bytes()).filter(|eval| eval.view == View::White);
        let cases = [
            ("+0.35/18 1.2s", Centipawns(35), Some(18)),
            ("+1.16/8, 0.004s", Centipawns(116), Some(8)),
            ("0.00/18 1.2s", Centipawns(0), Some(18)),
            (" -0.30/18 1.2s ", Centipawns(-30), Some(18)),
            ("+0.35", Centipawns(35), None),
            ("-0,35/7", Centipawns(-35), Some(7)),
            ("-.5/7", Centipawns(-50), Some(7)),
            ("+35/18 3s", Centipawns(3500), Some(18)),
            ("+M5/18 1.2s", Mate(5), Some(18)),
            ("-M3/9 1.2s", Mate(-3), Some(9)),
            ("M5/18 1.2s", Mate(5), Some(18)),
            ("#5", Mate(5), None),
            ("#-5 12s", Mate(-5), None),
            ("(Nf6) +0.17/23 32s", Centipawns(17), Some(23)),
            ("+1.2/9 0.3s, White wins by adjudication", Centipawns(120), Some(9)),
            ("1.005/3 0s", Centipawns(101), Some(3)),
            ("99999999999999999999/3", Centipawns(1_000_000), Some(3)),
        ];
        for (comment, value, depth) in cases {
            assert_eq!(
                mover(comment),
                Some(Eval { value, view: View::Mover, style: Style::Runner, depth }),
                "{comment}"
            );
        }
        let cases = [
            ("[%eval 0.35]", Centipawns(35), None),
            ("[%eval #-3]", Mate(-3), None),
            ("[%eval -1.2,18] [%clk 0:03:00]", Centipawns(-120), Some(18)),
            ("a move [%clk 0:03:00] [%eval 2.5]", Centipawns(250), None),
            ("d=28, pd=d5, mt=00:02:46, tb=0, R50=50, wv=0.24, ", Centipawns(24), Some(28)),
            ("wv=-M12, d=30", Mate(-12), Some(30)),
            ("ev=-0.29, d=18, mt=00:00:59", Centipawns(-29), Some(18)),
        ];
        for (comment, value, depth) in cases {
            let style = if comment.contains("%eval") { Style::Lichess } else { Style::Tcec };
            assert_eq!(white(comment), Some(Eval { value, view: View::White, style, depth }), "{comment}");
        }
    }

    #[test]
    fn text_and_times_are_no_evaluations() {
        for comment in [
            "",
            "book",
            "a nice move",
            "0.26s",
            "2 pawns down",
            "12:30",
            "+",
            "-",
            "M",
            "#",
            ".",
            "+/18",
            "0.35/",
            "prev=1.5",
            "[%clk 0:01:00]",
        ] {
            assert_eq!(eval_in_comment(comment.as_bytes()), None, "{comment}");
        }
    }

    #[test]
    fn the_quick_way_finds_what_the_careful_way_finds() {
        let mut found = 0;
        for sign in ["", "+", "-", " "] {
            for number in ["0.35", "12.05", "9.99", "123.45", "0.3", "1.234", "0,35", ".35", "12", "M3"] {
                for rest in ["/18 1.2s", "/9", "/9, 3s", "/123 1s", "/1x", "/", "", " 1.2s", "/18/30"] {
                    let comment = format!("{sign}{number}{rest}");
                    let quick = plain(comment.as_bytes());
                    assert!(quick.is_none() || quick == any_style(comment.as_bytes()), "{comment}");
                    found += u32::from(quick.is_some());
                }
            }
        }
        assert_eq!(found, 3 * 3 * 3, "three signs, three numbers and three endings are plain");
    }

    #[test]
    fn the_view_decides_the_sign() {
        let of_mover = eval_in_comment(b"+0.35/18").expect("an evaluation");
        assert_eq!((of_mover.for_white(true), of_mover.for_white(false)), (Centipawns(35), Centipawns(-35)));
        assert_eq!(of_mover.for_mover(false), Centipawns(35));
        let of_white = eval_in_comment(b"[%eval 0.35]").expect("an evaluation");
        assert_eq!((of_white.for_white(false), of_white.for_mover(false)), (Centipawns(35), Centipawns(-35)));
    }
}
