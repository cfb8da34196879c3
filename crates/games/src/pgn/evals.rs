//! Evaluations in comments: the styles of engines, match runners and sites, by a grammar, and nothing else.
//!
//! | style | example | whose view | written by |
//! |---|---|---|---|
//! | runner | `+0.35/18 1.2s`, `-M3/9 0.1s`, `0.35`, `+0.35 18/24 120 9000` | the side that moved | cutechess, fastchess, XBoard, Arena, OpenBench, TCEC since 2013 (but for Season 5) |
//! | lichess | `[%eval 0.35]`, `[%eval #-3]`, `[%eval 14,24]`, `[%eval 0.24/9]`, `[%eval 9:0.24]` | White | lichess, ChessBase, python-chess, PyChess, Scid, Scidb |
//! | TCEC | `d=28, sd=53, wv=0.24,` | White | TCEC's own files |
//!
//! The TCEC keys are White's view, as counted over its archive: 66,546 evaluations at the ends of decided games agree
//! with White's view and 331 do not.
//!
//! # Grammar
//!
//! Blanks and line ends around a comment do not count. `digits` are 0 to 9, `gap` is a blank, a line end or a comma.
//!
//! ```text
//! comment  = runner / list / any text with a directive in it
//!
//! runner   = ["(" no parenthesis ")"] full           the expected moves may stand before it
//!          / short / archived
//! full     = clear "/" depth ["/" depth]             and then the end or a gap, but no prose; without a sign the depth is
//!                                                    below 1000; 1000.01 to 1002.55 are XBoard's mates in 1 to 255
//!          / decimal "/" depth ["/" depth] time      and then the end or a comma
//!          / sign digits "/" depth                   and then the end, but not `+1/2`
//! short    = signed / hundredths                     and then the end
//!          / (clear / number with decimals) time     and then no prose; without a sign the number is below 1000
//! archived = (mate / number with decimals) " " depth "/" depth " " digits " " digits
//!                                                    and then the end, or a comma and how the game ended:
//!                                                    depths, time and nodes
//! sign     = "+" / U+FF0B / "-" / U+2212 / U+2010 to U+2014 / U+FF0D, "+" and "-" also behind U+200E or U+200F
//! number   = [sign] digits [("." / ",") digits] / [sign] "." digits
//!                                                    without a sign no 0 stands before other digits of its whole part
//! decimal  = a number with a sign or decimals, or 0; before a time in milliseconds also a whole number. A whole number counts
//!            centipawns here, as c-chess-cli writes it
//! clear    = signed / mate / a number with a point and at least two decimals / a 0 with decimals
//! signed   = a number with a sign and at least one decimal / sign "M" digits / [sign] "#" [sign] digits
//! hundredths = a number below 1000 with a point and exactly two decimals, or with a comma `0,00`
//! mate     = [sign] ("M" / "#") [sign] digits        not 0, but for a player that mates by the move: `+M0` is M1
//! depth    = blanks and then one to four digits
//! time     = gap digits ["." digits] ("s" / "ms")    and then the end or a gap
//!
//! directive = "[%eval" blanks [depth ":"] value [("," / "/") depth / "/"] "]"  an integer is in centipawns, any other number in pawns; behind a comma
//!                                                    stand decimals if "/" and a depth follow, or if they are two digits and the first is 0,
//!                                                    and else a depth
//! list     = ("book" / key "=" text) *("," key "=" text), of which "wv=" or else "ev=" gives the value
//! value    = mate / [sign] [digits] ["." digits]     in a list with decimals or as a mate, and then the end, "," or ";"; in a directive
//!                                                    32,767 centipawns less up to 255 are a mate in so many, 32,767 one on the board
//! prose    = a word that is neither a move, a key with its value nor `White`, `Black` or `Draw`, as the first one behind a gap
//!            without a comma; where the number has no sign and is not 0, anywhere before a time or one of these three
//! ```
//!
//! So a bare `20`, `1.5 hours`, `12. Nf3 was better`, `1/2-1/2`, `12:30` and `M1 Garand` are text: a number that could be a
//! move number, a result, a clock or a count is an evaluation only with a sign or two decimals, and with words behind it
//! only if a time or a comma stands between: `24.12/15 was the date` is text. So are `03.12/15` and `2006.02`. What stays
//! undecidable by themselves are `{24.12/15}`, `{12.30}`, `{0.3/18}`, `{+3/18 1s}` and `[%eval 1]`: the first is read as an evaluation, of the
//! others the rest of their game decides ([`EvalReader`]).

mod behind;
mod directive;
mod doubts;
mod list;
mod number;
mod reader;

pub use doubts::EvalDoubts;
pub use reader::EvalReader;

use serde::{Deserialize, Serialize};

use behind::{Unit, begins_with_gap, behind_time, depth_of_archive, is_prose, unit_behind_time};
use directive::directive;
use list::list;
use number::{Number, depth, mate_of, sign, signed_digits};

/// An evaluation as an engine gave it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Eval {
    /// How much.
    pub value: EvalValue,
    /// From whose point of view.
    pub view: View,
    /// How it was written.
    pub style: Style,
    /// Whose it is: that of the style, but for one from the view of the side to move, which is of the position behind the move.
    pub writer: Writer,
    /// Search depth in half-moves, where it is given.
    pub depth: Option<u16>,
    /// What it says depends on the rest of its game: a number alone, without a sign, may be a time, and a whole number, alone in
    /// `[%eval 1]` or before a depth and a time, is in centipawns or pawns.
    pub is_unsure: bool,
}

/// How much an evaluation says, positive for the side whose view it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvalValue {
    /// Hundredths of a pawn, rounded to the nearest, halves away from zero; at most ±1,000,000.
    Centipawns(i32),
    /// Mate: the number as written, in moves or half-moves, negative for the side that is mated; never 0.
    Mate(i32),
}

/// The point of view of an evaluation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum View {
    /// The side that made the move before the comment.
    Mover,
    /// White, whoever moved.
    White,
    /// The side that moves behind the comment.
    ToMove,
}

impl View {
    /// The name in records and options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            View::Mover => "mover",
            View::White => "white",
            View::ToMove => "to-move",
        }
    }

    /// Whether it is that of White behind a move of White, or else of Black.
    #[inline]
    fn is_of_white(self, white_moved: bool) -> bool {
        match self {
            View::Mover => white_moved,
            View::White => true,
            View::ToMove => !white_moved,
        }
    }
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

    /// The view from which it is read.
    #[must_use]
    pub const fn view(self) -> View {
        match self {
            Style::Runner => View::Mover,
            Style::Lichess | Style::Tcec => View::White,
        }
    }

    /// Who usually writes like this, from such a view if it is not that of the style: the side to move is that of the position behind the
    /// move, which is an analyst's.
    #[must_use]
    pub fn writer_from(self, view: Option<View>) -> Writer {
        if view == Some(View::ToMove) { Writer::Analyst } else { self.writer() }
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
    /// Those of one judge, of the positions that the moves have reached: a player's is of the one from which it moved.
    Analyst,
}

impl Eval {
    /// The evaluation from White's point of view; `white_moved` says who made the move before the comment.
    #[must_use]
    pub fn for_white(self, white_moved: bool) -> EvalValue {
        if self.view.is_of_white(white_moved) { self.value } else { self.value.negated() }
    }

    /// The evaluation from the point of view of the side that made the move before the comment.
    #[must_use]
    pub fn for_mover(self, white_moved: bool) -> EvalValue {
        if self.view.is_of_white(white_moved) == white_moved { self.value } else { self.value.negated() }
    }

    /// Whether its number has decimals and a depth, and so is in pawns.
    #[inline]
    fn is_of_pawns(self) -> bool {
        self.depth.is_some() && !self.is_unsure && matches!(self.value, EvalValue::Centipawns(_))
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
    let has_sign = rest.len() < comment.len();
    let (whole, rest) = match rest {
        [one, b'.', rest @ ..] => (digit(*one)?, rest),
        [b'0', ..] if !has_sign => return None,
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
    let value = 100 * whole + 10 * digit(*tenth)? + digit(*hundredth)?;
    // What else stands behind is looked at with more care.
    let is_plain = match rest {
        [] => true,
        [b' ', next, ..] | [b',', b' ', next, ..] => next.is_ascii_digit() && (value == 0 || has_sign),
        _ => false,
    };
    if !is_plain {
        return None;
    }
    let value = EvalValue::Centipawns(if negative { -value } else { value });
    let depth = Some(u16::try_from(depth).ok()?);
    Some(Eval { value, view: View::Mover, style: Style::Runner, writer: Writer::Players, depth, is_unsure: false })
}

fn any_style(comment: &[u8]) -> Option<Eval> {
    let comment = comment.trim_ascii();
    runner_in(comment, false).or_else(|| directive(comment)).or_else(|| list(comment))
}

/// A number without a sign read as if a plus stood before it, and with a depth also a whole one, of pawns.
fn without_plus(comment: &[u8]) -> Option<Eval> {
    runner_in(comment.trim_ascii(), true)
}

/// An evaluation in the style of match runners: of the numbers that a plus or decimals would make one, or of all others.
fn runner_in(comment: &[u8], lacks_plus: bool) -> Option<Eval> {
    match comment.first()? {
        // Of U+2212 and other dashes the first byte.
        b'+' | b'-' | 0xe2 | 0xef | b'0'..=b'9' | b'.' | b'#' | b'M' => runner(comment, true, lacks_plus),
        // The expected moves stand first in some styles: `(Nf6) +0.17/23 32s`.
        b'(' => {
            let close = memchr::memchr2(b'(', b')', &comment[1..]).map(|at| at + 1);
            let behind = close.filter(|&at| comment[at] == b')').map(|at| comment[at + 1..].trim_ascii_start());
            behind.and_then(|behind| runner(behind, false, lacks_plus))
        }
        _ => None,
    }
}

/// `+0.35/18 1.2s` and its relatives; the short ones, which have no depth, only where they may stand.
fn runner(text: &[u8], may_be_short: bool, lacks_plus: bool) -> Option<Eval> {
    // `03.12/15` is a date.
    let mut number = Number::read(text, true).filter(|number| number.has_sign || !number.has_leading_zero)?;
    if lacks_plus {
        // Who drops the plus may drop decimals that are 0, too; `1/2` is a result, and `2006.02`, `12.2006` and `12/2006` are months.
        let is_month_of_year = || {
            let mut parts = text[..text.len() - number.rest.len()].split(|byte| matches!(byte, b'.' | b','));
            let (month, year) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let month = str::from_utf8(month).ok().and_then(|month| month.parse().ok());
            month.is_some_and(|month: u8| (1..=12).contains(&month))
                && year.len() == 4
                && matches!(&year[..2], b"18" | b"19" | b"20")
        };
        let depth = number.rest.strip_prefix(b"/").and_then(depth);
        let is_other = match (number.is_whole(), depth) {
            (true, None) => true,
            (true, Some((depth, _))) => is_half(number.value, depth),
            (false, depth) => {
                let is_month = depth.is_none() && is_month_of_year();
                number.has_sign || !number.is_mate && (!number.is_below_1000() || is_month)
            }
        };
        if is_other || depth.is_some_and(|(depth, _)| depth > 999) {
            return None;
        }
        number.has_sign = true;
    }
    let is_clear = number.is_mate
        || number.decimals >= if number.has_sign || number.is_zero() { 1 } else { 2 } && !number.is_unsigned_comma()
        || lacks_plus;
    let (depth, is_eval) = if let Some(behind) = number.rest.strip_prefix(b"/") {
        let (depth, rest) = depth(behind.trim_ascii_start())?;
        let rest = match rest.strip_prefix(b"/") {
            Some(selective) => self::depth(selective.trim_ascii_start())?.1,
            None => rest,
        };
        // `12.03/2015` is a date; depths of a thousand occur in solved endings.
        let is_clear = is_clear && (number.has_sign || depth <= 999) && begins_with_gap(rest);
        // `40/4 2s` is a time control.
        let is_decimal = number.has_sign || !number.is_whole() || number.is_zero();
        let is_timed = || {
            unit_behind_time(rest).is_some_and(|(unit, rest)| {
                (is_decimal || unit == Unit::Milliseconds) && (rest.is_empty() || rest.starts_with(b","))
            })
        };
        let is_sure = number.has_sign || number.is_zero();
        let is_signed_alone =
            || number.has_sign && number.is_whole() && rest.is_empty() && !is_half(number.value, depth);
        (Some(depth), is_clear && !is_prose(rest, is_sure) || is_timed() || is_signed_alone())
    } else if let Some(depth) = depth_of_archive(number.rest).filter(|_| number.has_decimals_or_is_mate()) {
        (Some(depth), may_be_short)
    } else {
        let stands_alone = if number.is_mate {
            number.has_sign || number.is_hash
        } else {
            is_clear && (number.has_sign || number.decimals == 2)
        };
        let is_timed = || behind_time(number.rest).is_some_and(|rest| !is_prose(rest, true));
        let is_short = stands_alone && number.rest.is_empty() || number.has_decimals_or_is_mate() && is_timed();
        // `2006.02` is a month.
        let is_sized = number.has_sign || number.is_mate || number.is_below_1000();
        (None, may_be_short && is_short && is_sized)
    };
    // Behind a move that mates; who is mated has no move.
    let value = match number.value {
        EvalValue::Mate(0) if number.is_negative => return None,
        EvalValue::Mate(0) => EvalValue::Mate(1),
        EvalValue::Centipawns(_) if number.is_whole() => EvalValue::Centipawns(signed_digits(text)?),
        // XBoard writes its protocol's numbers: 100,000 centipawns and the moves to the mate.
        EvalValue::Centipawns(centipawns) if depth.is_some() && number.has_sign && centipawns.abs() > 100_000 => {
            mate_of(centipawns, |size| size - 100_000)
        }
        value => value,
    };
    let is_bare = depth.is_none() && !number.has_sign && !number.is_mate && number.rest.is_empty();
    let is_unsure = is_bare || depth.is_some() && number.is_whole();
    is_eval.then_some(Eval {
        value,
        view: View::Mover,
        style: Style::Runner,
        writer: Writer::Players,
        depth,
        is_unsure,
    })
}

/// `1/2` and `+1/2` are half a point.
fn is_half(whole: EvalValue, depth: u16) -> bool {
    depth == 2 && matches!(whole, EvalValue::Centipawns(-100 | 100))
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
            ("-.35/7", Centipawns(-35), Some(7)),
            (".35/7", Centipawns(35), Some(7)),
            ("-0,35/7", Centipawns(-35), Some(7)),
            ("-.5/7", Centipawns(-50), Some(7)),
            ("+1000.03/24 1.5", Mate(3), Some(24)),
            ("-1000.12/24 1:05", Mate(-12), Some(24)),
            ("-1000.00/24 1.5", Centipawns(-100_000), Some(24)),
            ("+1002.56/24 1.5", Centipawns(100_256), Some(24)),
            ("+327.66/24 1.5", Centipawns(32_766), Some(24)),
            ("+35/18 3s", Centipawns(35), Some(18)),
            ("24/28 153ms", Centipawns(24), Some(28)),
            ("-4/18", Centipawns(-4), Some(18)),
            ("+M5/18 1.2s", Mate(5), Some(18)),
            ("-M3/9 1.2s", Mate(-3), Some(9)),
            ("M5/18 1.2s", Mate(5), Some(18)),
            ("#5", Mate(5), None),
            ("#-5 12s", Mate(-5), None),
            ("(Nf6) +0.17/23 32s", Centipawns(17), Some(23)),
            ("+1.2/9 0.3s, White wins by adjudication", Centipawns(120), Some(9)),
            ("1.005/3 0s", Centipawns(101), Some(3)),
            ("99999999999999999999.00/3", Centipawns(1_000_000), Some(3)),
        ];
        for (comment, value, depth) in cases {
            assert_eq!(
                mover(comment).map(|eval| Eval { is_unsure: false, ..eval }),
                Some(Eval {
                    value,
                    view: View::Mover,
                    style: Style::Runner,
                    writer: Writer::Players,
                    depth,
                    is_unsure: false
                }),
                "{comment}"
            );
        }
        let cases = [
            ("[%eval 0.35]", Centipawns(35), None),
            ("[%eval #-3]", Mate(-3), None),
            ("[%eval -1.2,18] [%clk 0:03:00]", Centipawns(-120), Some(18)),
            ("[%eval 32743,18]", Mate(24), Some(18)),
            ("[%eval -32766,18]", Mate(-1), Some(18)),
            ("[%eval -327.64/18]", Mate(-3), Some(18)),
            ("[%eval 327,66/18]", Mate(1), Some(18)),
            ("[%eval 327.66]", Mate(1), None),
            ("[%eval 0.24/]", Centipawns(24), None),
            ("[%eval 16:+0.35]", Centipawns(35), Some(16)),
            ("[%eval 16:#-3]", Mate(-3), Some(16)),
            ("[%eval 32512,18]", Mate(255), Some(18)),
            ("[%eval 32511,18]", Centipawns(32_511), Some(18)),
            ("[%eval 32768,18]", Centipawns(32_768), Some(18)),
            ("[%eval -99999999999999999999,18]", Centipawns(-1_000_000), Some(18)),
            ("a move [%clk 0:03:00] [%eval 2.5]", Centipawns(250), None),
            ("d=28, pd=d5, mt=00:02:46, tb=0, R50=50, wv=0.24, ", Centipawns(24), Some(28)),
            ("wv=-M12, d=30", Mate(-12), Some(30)),
            ("ev=-0.29, d=18, mt=00:00:59", Centipawns(-29), Some(18)),
        ];
        for (comment, value, depth) in cases {
            let style = if comment.contains("%eval") { Style::Lichess } else { Style::Tcec };
            let eval = Eval { value, view: View::White, style, writer: style.writer(), depth, is_unsure: false };
            assert_eq!(white(comment), Some(eval), "{comment}");
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
                for rest in ["/18 1.2s", "/9", "/9, 3s", "/9 1.xs", "/123 1s", "/1x", "/", "", " 1.2s", "/18/30"] {
                    let comment = format!("{sign}{number}{rest}");
                    let quick = plain(comment.as_bytes());
                    assert!(quick.is_none() || quick == any_style(comment.as_bytes()), "{comment}");
                    found += u32::from(quick.is_some());
                }
            }
        }
        assert_eq!(
            found,
            2 * 3 * 4 + 3,
            "two signs, three numbers and four endings are plain, without a sign only one"
        );
    }

    #[test]
    fn the_view_decides_the_sign() {
        let of_mover = eval_in_comment(b"+0.35/18").expect("an evaluation");
        assert_eq!((of_mover.for_white(true), of_mover.for_white(false)), (Centipawns(35), Centipawns(-35)));
        assert_eq!(of_mover.for_mover(false), Centipawns(35));
        let of_white = eval_in_comment(b"[%eval 0.35]").expect("an evaluation");
        assert_eq!((of_white.for_white(false), of_white.for_mover(false)), (Centipawns(35), Centipawns(-35)));
    }

    #[test]
    fn a_time_has_digits_and_a_short_evaluation_a_point() {
        for comment in ["+0.35/18 s", "+0.35/18 ms", "20 3s", "+1 3s", "+1, 3s"] {
            assert_eq!(eval_in_comment(comment.as_bytes()), None, "{comment}");
        }
        assert!(eval_in_comment(b"+0.35/18 1s").is_some() && eval_in_comment(b"+1.0 3s").is_some());
    }
}
