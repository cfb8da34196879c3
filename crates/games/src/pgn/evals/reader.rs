//! What single comments leave open and games decide: whether a bare number is a time, in which unit `[%eval 1]` is, and whether
//! evaluations are from the view that their style has.

use std::{array, mem};

use super::directive::{directive_with_comma, has_slash};
use super::number::{LARGEST, sign};
use super::{Eval, EvalDoubts, EvalValue, Style, View, any_style, plain, without_plus};
use drawish_core::Outcome;

/// Reads the evaluations of games, comment by comment. A bare number such as `{12.30}` is none behind one with other decimals
/// (`{22.016}`) in its game: the database of FICS writes seconds so. A whole number in `[%eval 1]` without a depth is in pawns behind
/// another `[%eval 0.35]` in its game, as JavaScript prints 1.00, and else in centipawns; so is one before a depth behind
/// another with decimals, such as `+0.5/18`. A number that lacks a plus, such as `0.3/18`, or the decimals of a whole one, such as `0/18`, is an
/// evaluation behind `-0.2/17` in its game if that side has no plus: who writes no plus would otherwise be read where evaluations are below
/// 0 alone. The two sides may be written by two programs. `[%eval 1,35]` behind `[%eval 0,05]` in its game has decimals behind its comma, and
/// else a depth.
#[derive(Clone, Debug, Default)]
pub struct EvalReader {
    /// In all games so far.
    pub doubts: EvalDoubts,
    game: Game,
}

/// What is known of the game that is being read.
#[derive(Clone, Copy, Debug, Default)]
struct Game {
    /// The half-move of each side's last evaluation beyond a pawn, its style, and whether the side is better whose view it is.
    last: [Option<(u64, Style, bool)>; 2],
    /// Pairs as [`EvalDoubts::pairs`] has them.
    pairs: [[u64; 2]; Style::ALL.len()],
    /// A `+0.35/18` with decimals and a depth came.
    has_pawns: bool,
    /// A `0.35/18` came that was not read for want of a plus.
    has_unread_pawns: bool,
    /// An `[%eval 0.35]` with decimals came.
    has_decimals: bool,
    /// Bare numbers with other than two decimals came.
    has_times: bool,
    /// An `[%eval 0,05]` came, which has decimals behind its comma.
    has_commas: bool,
    /// Those with one or two digits behind a comma that were read as a depth.
    depths: u64,
    /// Evaluations came behind half-moves of each side.
    has_evals: [bool; 2],
    /// Bare numbers that were read as evaluations.
    bare: u64,
    /// An evaluation with a sign and nothing behind it came.
    has_alone: bool,
    /// An evaluation in the style of match runners with a plus came, of each side.
    has_plus: [bool; 2],
    /// One with a minus came: without a depth, with one, and a whole number with one.
    has_minus: [[bool; 3]; 2],
}

impl EvalReader {
    /// One for evaluations that are all from this view; `None` for that which each style has.
    #[must_use]
    pub fn of_view(view: Option<View>) -> EvalReader {
        EvalReader { doubts: EvalDoubts { view, ..EvalDoubts::default() }, ..EvalReader::default() }
    }

    /// A game begins.
    pub fn begin(&mut self) {
        self.game = Game::default();
    }

    /// The evaluation in a comment, without its braces, that stands behind so many half-moves of its game. `None` for comments without
    /// one.
    #[inline]
    pub fn read(&mut self, comment: &[u8], half_moves: u64) -> Option<Eval> {
        let eval = plain(comment).or_else(|| self.of_any_style(comment, half_moves))?;
        let view = self.doubts.view.unwrap_or(eval.view);
        let writer = eval.style.writer_from(self.doubts.view);
        let eval = Eval { view, writer, ..eval };
        if eval.style == Style::Runner {
            self.game.has_pawns |= eval.is_of_pawns();
            self.note_sign(comment, eval, half_moves);
        }
        self.doubts.placeholders += u64::from(eval.is_placeholder());
        self.compare(eval, half_moves);
        Some(eval)
    }

    /// The game that has ended so, in which Black moved first or White. White's evaluations are the same from its view and as the side that
    /// moved; Black's count where there are no others.
    pub fn end(&mut self, outcome: Option<Outcome>, black_began: bool) {
        let Some(outcome) = outcome.filter(|outcome| *outcome != Outcome::Draw) else { return };
        let is_white = self.game.has_evals[usize::from(black_began)];
        let Some((_, style, is_better)) = self.game.last[usize::from(is_white == black_began)] else { return };
        let is_white_better = is_better == self.doubts.view.unwrap_or(style.view()).is_of_white(is_white);
        let counts = if is_white { &mut self.doubts.endings_of_white } else { &mut self.doubts.endings };
        counts[style as usize][usize::from(is_white_better == (outcome == Outcome::WhiteWin))] += 1;
    }

    /// Notes how evaluations of the style of match runners are written.
    #[inline]
    fn note_sign(&mut self, comment: &[u8], eval: Eval, half_moves: u64) {
        let side = side_of(half_moves);
        self.game.has_alone |= eval.depth.is_none() && !eval.is_unsure;
        let comment = comment.trim_ascii_start();
        let moves = if comment.starts_with(b"(") { memchr::memchr(b')', comment).map_or(0, |at| at + 1) } else { 0 };
        let number = comment[moves..].trim_ascii_start();
        let (is_negative, digits) = sign(number);
        if digits.len() == number.len() {
            return;
        }
        if !is_negative {
            self.game.has_plus[side] = true;
        } else if !self.game.has_plus[side] {
            self.doubts.minus += 1;
            // Mates have no decimals.
            self.game.has_minus[side][form_of(eval)] |= matches!(eval.value, EvalValue::Centipawns(_));
            // No time is below 0.
            self.game.has_times &= eval.depth.is_some();
        }
    }

    /// A number that lacks a plus, or the decimals of a whole one, where its game has shown that they are not written.
    fn without_plus(&mut self, comment: &[u8], half_moves: u64) -> Option<Eval> {
        let side = side_of(half_moves);
        let (own, others) = (self.game.has_minus[side], self.game.has_minus[1 - side]);
        let eval = without_plus(comment)?;
        let form = form_of(eval);
        let has_minus: [bool; 3] = array::from_fn(|form| own[form] || others[form] && !self.game.has_plus[1 - side]);
        // `40/2` is a time control, `2006/12` a month, and `1204/16` no evaluation in pawns.
        let is_of_centipawns = || {
            eval.depth.is_some_and(|depth| depth <= 2)
                || matches!(eval.value, EvalValue::Centipawns(value) if value.unsigned_abs() >= 1000)
        };
        if form == 2 && !has_minus[2] && is_of_centipawns() {
            return None;
        }
        // Who writes a plus need not write it before a 0.
        let is_known = if form == 0 { self.game.has_alone && !self.game.has_times } else { self.game.has_pawns };
        if eval.value == EvalValue::Centipawns(0) && is_known {
            return Some(eval);
        }
        if self.game.has_plus[side] {
            return None;
        }
        // Numbers alone of one side may be times if the other's are evaluations, but none is below 0.
        let may_be_time = form == 0 && self.game.has_plus[1 - side] && !own[0];
        let found = match eval.value {
            EvalValue::Centipawns(pawns) if form == 2 && (has_minus[1] || self.game.has_pawns) => {
                Some(of_pawns(eval, pawns)).filter(|_| has_minus[1] || has_minus[2])
            }
            _ => Some(eval).filter(|_| has_minus[form] && !may_be_time),
        };
        self.doubts.lacking_plus += u64::from(found.is_none());
        self.game.has_unread_pawns |= found.is_none() && form == 1;
        found
    }

    fn of_any_style(&mut self, comment: &[u8], half_moves: u64) -> Option<Eval> {
        let Some(eval) = any_style(comment) else {
            let eval = self.without_plus(comment, half_moves);
            self.doubts.whole += u64::from(is_signed_whole(comment));
            if eval.is_none() && is_bare_number(comment) {
                self.doubts.times += 1;
                self.doubts.misread += mem::take(&mut self.game.bare);
                self.game.has_times = true;
            }
            return eval;
        };
        if let (Style::Lichess, EvalValue::Centipawns(value), Some(_)) = (eval.style, eval.value, eval.depth)
            && value != 0
            && has_slash(comment)
        {
            self.doubts.before_slash[usize::from(value % 100 != 0)] += 1;
        }
        match (eval.style, eval.value) {
            (Style::Runner, EvalValue::Centipawns(pawns)) if eval.is_unsure && eval.depth.is_some() => {
                let is_of_pawns = self.game.has_pawns || self.game.has_unread_pawns;
                return Some(if is_of_pawns { of_pawns(eval, pawns) } else { eval });
            }
            (Style::Runner, _) if eval.is_unsure && self.game.has_times => {
                self.doubts.unread += 1;
                return None;
            }
            (Style::Lichess, _) if let Some(decimals) = directive_with_comma(comment) => {
                if eval.depth.is_none() {
                    (self.game.has_commas, self.game.has_decimals) = (true, true);
                    self.doubts.commas += mem::take(&mut self.game.depths);
                }
                if self.game.has_commas {
                    return Some(decimals);
                }
                self.game.depths += 1;
                if let EvalValue::Centipawns(value) = eval.value
                    && value != 0
                {
                    self.doubts.before_comma[usize::from(value.unsigned_abs() > 9)] += 1;
                }
                return Some(eval);
            }
            (Style::Runner, _) => self.game.bare += u64::from(eval.is_unsure),
            (Style::Lichess, EvalValue::Centipawns(pawns)) if eval.is_unsure && self.game.has_decimals => {
                return Some(of_pawns(eval, pawns));
            }
            // Centipawns with a depth are not meant.
            (Style::Lichess, EvalValue::Centipawns(_)) if eval.depth.is_none() && !eval.is_unsure => {
                self.game.has_decimals = true;
            }
            _ => {}
        }
        Some(eval)
    }

    /// Compares who is better with the evaluation of the half-move before.
    #[inline]
    fn compare(&mut self, eval: Eval, half_moves: u64) {
        let side = side_of(half_moves);
        self.game.has_evals[side] = true;
        // Most evaluations end here.
        let is_better = match eval.value {
            EvalValue::Centipawns(value) if value.unsigned_abs() <= 100 => return,
            EvalValue::Centipawns(value) | EvalValue::Mate(value) => value > 0,
        };
        self.game.last[side] = Some((half_moves, eval.style, is_better));
        if let Some((before, style, was_better)) = self.game.last[1 - side]
            && before + 1 == half_moves
            && style == eval.style
        {
            let is_same_side = (is_better == was_better) == (eval.view == View::White);
            self.doubts.count_pair(style, is_same_side, &mut self.game.pairs[style as usize]);
        }
    }
}

/// 0 for the side that moves first, which is Black behind some FENs, and 1 for the other.
fn side_of(half_moves: u64) -> usize {
    usize::from(half_moves.is_multiple_of(2))
}

/// Without a depth, with one, and a whole number with one.
fn form_of(eval: Eval) -> usize {
    match eval.depth {
        None => 0,
        Some(_) => 1 + usize::from(eval.is_unsure),
    }
}

/// The evaluation in whole pawns.
fn of_pawns(eval: Eval, pawns: i32) -> Eval {
    Eval { value: EvalValue::Centipawns(pawns.saturating_mul(100).clamp(-LARGEST, LARGEST)), ..eval }
}

/// A number with decimals and without a sign, and nothing else.
fn is_bare_number(comment: &[u8]) -> bool {
    let comment = comment.trim_ascii();
    let is_number = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    comment.first().is_some_and(u8::is_ascii_digit)
        && memchr::memchr(b'.', comment).is_some_and(|at| is_number(&comment[..at]) && is_number(&comment[at + 1..]))
}

/// A whole number with a sign, and nothing else.
fn is_signed_whole(comment: &[u8]) -> bool {
    let comment = comment.trim_ascii();
    let (_, digits) = sign(comment);
    digits.len() < comment.len() && !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The centipawns that are read in a game with these comments, one behind each half-move.
    fn read(reader: &mut EvalReader, comments: &[&str]) -> Vec<Option<EvalValue>> {
        reader.begin();
        let numbered = (1..).zip(comments);
        numbered.map(|(ply, comment)| Some(reader.read(comment.as_bytes(), ply)?.value)).collect()
    }

    fn centipawns(values: &[i32]) -> Vec<Option<EvalValue>> {
        values.iter().map(|&value| Some(EvalValue::Centipawns(value))).collect()
    }

    #[test]
    fn whole_numbers_are_pawns_behind_decimals() {
        let mut reader = EvalReader::default();
        for (comments, expected) in [
            (
                &["[%eval 0.35]", "[%eval 1]", "[%eval -2]", "[%eval 0]", "[%eval 99999]"][..],
                &[35, 100, -200, 0, 1_000_000][..],
            ),
            (&["[%eval 35]", "[%eval -12]"], &[35, -12]),
            // ChessBase's have a depth.
            (&["[%eval 0.35]", "[%eval 1,18]"], &[35, 1]),
            (&["[%eval 14,24]", "[%eval 0.35,9]", "[%eval 25]"], &[14, 35, 25]),
        ] {
            assert_eq!(read(&mut reader, comments), centipawns(expected), "{comments:?}");
        }
        for (comments, expected) in [
            (&["+0.35/18 1s", "+3/18 1s", "-5/18 1.5s", "0/9 1s"][..], &[35, 300, -500, 0][..]),
            (&["24/28 153ms", "-7/30 201ms", "+35/18 1s"], &[24, -7, 35]),
            (&["+0.5/17 1s", "-3/18 1s", "+3/18 1s", "-2/20 1s"], &[50, -300, 300, -200]),
            (&["-0.2/17 1s", "0/18 1s", "1/19 1s", "-2/20 1s", "0.35/20 1.2s"], &[-20, 0, 100, -200, 35]),
        ] {
            assert_eq!(read(&mut reader, comments), centipawns(expected), "{comments:?}");
        }
        assert_eq!(reader.doubts.lines(), Vec::<String>::new());
    }

    /// PyChess wrote centipawns with two decimals for a year.
    #[test]
    fn decimals_that_are_all_0_are_noticed() {
        let mut reader = EvalReader::default();
        let of_pychess = ["[%eval 35.00/18]", "[%eval -120.00/17]", "[%eval 0.00/18]", "[%eval 7.00/19]"];
        (0..3).for_each(|_| drop(read(&mut reader, &of_pychess)));
        assert!(reader.doubts.before_slash == [9, 0] && reader.doubts.lines().is_empty());
        assert_eq!(read(&mut reader, &of_pychess[..1]), centipawns(&[3500]));
        assert!(
            reader
                .doubts
                .lines()
                .concat()
                .starts_with("10 of 10 evaluations such as [%eval 35.00/18] have no decimals but 00")
        );
        // Others are pawns, ChessBase's and those without a depth as well.
        read(&mut reader, &["[%eval 0.35/18]"]);
        assert_eq!((reader.doubts.before_slash, reader.doubts.lines().len()), ([10, 1], 0));
        read(&mut reader, &["[%eval 100,18]", "[%eval 1.00]", "+1.00/18 1s"]);
        assert_eq!(reader.doubts.before_slash, [10, 1]);
    }

    /// As python-chess prints scores.
    #[test]
    fn whole_numbers_with_a_sign_are_no_evaluations_and_noticed() {
        let mut reader = EvalReader::default();
        let comments = [" +35 ", "-12", "#+3", "+", "12", "+3 days"];
        assert_eq!(read(&mut reader, &comments), [None, None, Some(EvalValue::Mate(3)), None, None, None]);
        assert_eq!(reader.doubts.whole, 2);
        (0..4).for_each(|_| drop(read(&mut reader, &comments)));
        let lines = reader.doubts.lines();
        assert!(lines.iter().any(|line| line.starts_with("10 comments are whole numbers with a sign")), "{lines:?}");
    }

    #[test]
    fn bare_numbers_are_no_evaluations_behind_times() {
        let mut reader = EvalReader::default();
        // As the database of FICS writes them.
        let times = ["1.61", "22.016", "12.969", "11.89", "2.5", "+0.30", "0.30/9 1s"];
        let found = read(&mut reader, &times);
        let number = |value| Some(EvalValue::Centipawns(value));
        assert_eq!(found, [number(161), None, None, None, None, number(30), number(30)]);
        let EvalDoubts { times, unread, misread, .. } = reader.doubts;
        assert_eq!((times, unread, misread), (3, 1, 1));
        assert_eq!(
            reader.doubts.lines(),
            [
                "3 comments are bare numbers with one or more than two decimals, as seconds are written: 1 with two decimals \
                 behind them in their games were not read as evaluations, 1 before them were; if they are times, remove them \
                 and start again"
            ]
        );
        // Another game may have evaluations.
        assert_eq!(read(&mut reader, &["0.35", "12.30", "0.00"]), centipawns(&[35, 1230, 0]));
        // Alone they are not misread.
        let mut reader = EvalReader::default();
        assert_eq!(read(&mut reader, &["22.016", "1.5", "12.", ".5", "1.2.3", "12"]), [None; 6]);
        assert_eq!((reader.doubts.times, reader.doubts.lines().len()), (2, 0));
    }

    /// Who writes no plus would be read where evaluations are below 0 alone.
    #[test]
    fn numbers_that_lack_a_plus_are_evaluations_behind_a_minus() {
        let value = |value| Some(EvalValue::Centipawns(value));
        for (comments, expected) in [
            (["-0.2/17", "0.3/18", "0.0/19", "1.5/20 3"], [value(-20), value(30), value(0), value(150)]),
            (["-0,20/17 12", "0,35/18 12", "0,00/19 12", "1,50/2 3"], [value(-20), value(35), value(0), value(150)]),
            (["-0.2", "0.3", "0.35", "22.016"], [value(-20), value(30), value(35), value(2202)]),
            (["(d4) -0.2/17", "(e5 d5) 0.3/18", "0.3/4", "0.35"], [value(-20), value(30), value(30), value(35)]),
            (["0.3", "-0.2", "0.35", "0.3"], [None, value(-20), value(35), value(30)]),
            // Other forms, or a plus, show nothing.
            (["-0.2", "0.3/18", "1/18", "12.5 hours"], [value(-20), None, None, None]),
            (["+0.2/17", "-0.3/18", "0.3/18", "0.3"], [value(20), value(-30), None, None]),
            // Two programs; numbers alone may be times.
            (["-0.2/17", "+0.3/18", "0.3/18", "0.3"], [value(-20), value(30), value(30), None]),
            (["+0.2/17", "0.3/18", "+0.2/17", "-0.3/18"], [value(20), None, value(20), value(-30)]),
            (["-0.2", "+0.3", "0.3", "0.3"], [value(-20), value(30), value(30), None]),
            (["0.2", "+0.3", "0.3", "-0.3"], [None, value(30), None, value(-30)]),
            (["-0.2/17", "0/18", "1/19 1s", "-2/20"], [value(-20), value(0), value(100), value(-200)]),
            (["-0.2/17", "1/2", "12", "1/2-1/2"], [value(-20), None, None, None]),
            (["-0.2", "0/18", "1/19", "1"], [value(-20), None, None, None]),
            (
                ["-0.2", "0.35", "M43", "#5"],
                [value(-20), value(35), Some(EvalValue::Mate(43)), Some(EvalValue::Mate(5))],
            ),
            // A 0 needs no plus.
            (["+0.3/17", "0.0/18 46.0", "0,0/19", "0/30"], [value(30), value(0), value(0), value(0)]),
            (["0.0/17", "0/30", "+0.3", "0.0"], [value(0), value(0), value(30), value(0)]),
            (["0.0", "0/30", "1.5", "0.0"], [None; 4]),
            (["+0.3", "1.5", "0.0", "0/30"], [value(30), None, None, None]),
            // Months, years and dates.
            (["-0.5", "2006.02", "1999.5", "12.2006"], [value(-50), None, None, None]),
            (["-0.4296", "0.1971", "1.23456", "12.2006"], [value(-43), value(20), value(123), None]),
            (["-0.50/12", "2023/12", "12/2023", "1006.5/12"], [value(-50), None, None, None]),
            // Centipawns.
            (["43/25 12s", "-33/32 12s", "43/25 12s", "0/26 1s"], [None, value(-33), value(43), value(0)]),
            (["19/16", "-4/18", "21/17", "40/2"], [None, value(-4), value(21), value(40)]),
            (["-4/18", "1204/16", "1/2", "2099/11"], [value(-4), value(1204), None, value(2099)]),
            (["-M10/12", "4/12", "-4/12", "5/12"], [Some(EvalValue::Mate(-10)), None, value(-4), value(5)]),
            (["-4/18", "0/1", "2/2", "12/2006"], [value(-4), value(0), value(2), None]),
            (["-0,4296/30", "1,1953/52", "1/2", "0,5/3"], [value(-43), value(120), None, value(50)]),
            (["-0.20/26", "-3/32", "4/25", "+1/2"], [value(-20), value(-300), value(400), None]),
            (["-33/32 12s", "40/4", "43/25 12s", "0.20/26 1s"], [value(-33), value(40), value(43), value(20)]),
            (["0.20/26", "-3/32 12s", "4/25 12s", "-1/25"], [value(20), value(-300), value(400), value(-100)]),
            (["[%eval -0.2]", "0.3/18", "-5/18", "0.3/18"], [value(-20), None, value(-500), None]),
            (["-0.2/17", "03.5/18", "1.5/2006 Paris", "40/2"], [value(-20), None, None, None]),
        ] {
            assert_eq!(read(&mut EvalReader::default(), &comments), expected, "{comments:?}");
        }
        let said = |games: &[&str]| {
            let mut reader = EvalReader::default();
            (0..10).for_each(|_| {
                games.iter().for_each(|game| drop(read(&mut reader, &game.split(' ').collect::<Vec<_>>())))
            });
            reader.doubts.lines()
        };
        assert_eq!(
            said(&["0.3/18", "-0.3/18"]),
            [
                "10 comments look like evaluations without a plus and are not read, 10 with a minus are, so that what is read is \
                 one-sided; write a plus before the others and start again, or leave the file out"
            ]
        );
        assert!(said(&["0.3/18"]).is_empty() && said(&["+0.3/18 -0.2/18 0.3/18"]).is_empty());
    }

    #[test]
    fn every_dash_is_a_minus() {
        for dash in [
            "-",
            "\u{2212}",
            "\u{2010}",
            "\u{2011}",
            "\u{2012}",
            "\u{2013}",
            "\u{2014}",
            "\u{ff0d}",
            "\u{200e}-",
            "\u{200f}-",
        ] {
            let comments = [
                format!("{dash}0.35/18 1.2s"),
                format!("{dash}0.3"),
                format!("{dash}M3/9"),
                format!("[%eval {dash}0.2]"),
            ];
            let found = read(&mut EvalReader::default(), &comments.each_ref().map(String::as_str));
            let [.., mate, lichess] = &found[..] else { panic!("{found:?}") };
            assert_eq!(found[..2], centipawns(&[-35, -30]), "{dash}");
            assert_eq!((mate, lichess), (&Some(EvalValue::Mate(-3)), &Some(EvalValue::Centipawns(-20))), "{dash}");
        }
        let mixed = ["\u{ff0b}0.3/18", "\u{ff0d}0.2/18", "0.3/18", "0.2/18", "\u{200e}-0.1/18"];
        let found = read(&mut EvalReader::default(), &mixed);
        assert_eq!(found, [30, -20, 0, 20, -10].map(|value| Some(EvalValue::Centipawns(value)).filter(|_| value != 0)));
        let text = ["\u{2014} and wins", "\u{200e}0.35/18", "\u{ff0c}0.3", "\u{2013}"];
        assert_eq!(read(&mut EvalReader::default(), &text), [None; 4]);
    }

    /// As programs write `[%eval]` in German or French.
    #[test]
    fn commas_of_decimals_are_known_by_their_games() {
        let mut reader = EvalReader::default();
        let comments = [
            "[%eval 0,24]",
            "[%eval 0,05]",
            "[%eval 1,35]",
            "[%eval -0,35] [%clk 0:01:00]",
            "[%eval 0,9]",
            "[%eval #-3]",
        ];
        let found = read(&mut reader, &comments);
        assert_eq!(found[..5], centipawns(&[0, 5, 135, -35, 90]));
        assert_eq!(found[5], Some(EvalValue::Mate(-3)));
        assert_eq!(reader.doubts.commas, 1);
        // ChessBase's have depths, also where a minus stands before a 0.
        let depths = ["[%eval -0,5]", "[%eval -0,24]", "[%eval 14,10]", "[%eval -101,8]"];
        assert_eq!(read(&mut reader, &depths), centipawns(&[0, 0, 14, -101]));
        assert_eq!((reader.doubts.commas, reader.doubts.lines().len()), (1, 0));
        (0..9).for_each(|_| drop(read(&mut reader, &comments)));
        assert!(
            reader.doubts.lines()[0]
                .starts_with("10 evaluations such as [%eval 1,35] were read as centipawns and a depth")
        );
    }

    /// No comment shows whether decimals or depths stand there, but all together do.
    #[test]
    fn decimals_of_one_digit_behind_commas_are_noticed() {
        let mut reader = EvalReader::default();
        let depths = ["[%eval 14,10]", "[%eval -101,8]", "[%eval 3,18]", "[%eval 0,9]"];
        (0..20).for_each(|_| drop(read(&mut reader, &depths)));
        assert_eq!(reader.doubts.lines(), [""; 0]);
        let decimals = ["[%eval 0,3]", "[%eval -0,5]", "[%eval 1,2]", "[%eval -2,3]", "[%eval 12,1]"];
        assert_eq!(read(&mut reader, &decimals), centipawns(&[0, 0, 1, -2, 12]));
        (0..40).for_each(|_| drop(read(&mut reader, &decimals)));
        assert_eq!(reader.doubts.before_comma, [20 + 2 * 41, 2 * 20 + 41]);
        assert_eq!(
            reader.doubts.lines(),
            [
                "102 of 183 evaluations such as [%eval 1,35] are of 1 to 9 centipawns if a depth stands behind the comma, as which they are \
              read: if these are decimals, write points and start again"
            ]
        );
    }

    /// What a program keeps of its games against people: no two evaluations are successive.
    #[test]
    fn the_other_view_is_noticed_in_evaluations_of_one_player() {
        let said = |comments: [&str; 4], outcome, black_began| {
            let mut reader = EvalReader::default();
            for _ in 0..10 {
                read(&mut reader, &comments);
                reader.end(Some(outcome), black_began);
            }
            reader.doubts.lines()
        };
        let black = ["book", "0.27/20 384", "", "2.70/22 384"];
        let lines = said(black, Outcome::WhiteWin, false);
        assert!(lines[0].starts_with(
            "in 10 of 10 decided games with evaluations of Black only, the last one beyond a pawn, in style runner, sees the loser better \
             from the view of the side that moved, as which they are read: it is probably White's"
        ), "{lines:?}");
        for (comments, outcome, black_began) in [
            (black, Outcome::BlackWin, false),
            (black, Outcome::Draw, false),
            // They are White's, from whom either view is the same.
            (black, Outcome::WhiteWin, true),
            (["book", "0.27/20 384", "+0.5/9", "2.70/22 384"], Outcome::WhiteWin, false),
            (["book", "[%eval 0.2]", "", "[%eval 2.7]"], Outcome::WhiteWin, false),
            (["book", "0.27/20 384", "", "0.70/22 384"], Outcome::WhiteWin, false),
        ] {
            assert_eq!(said(comments, outcome, black_began), [""; 0], "{comments:?} {outcome:?}");
        }
        let lines = said(["", "[%eval 0.2]", "", "[%eval 2.7]"], Outcome::BlackWin, false);
        assert!(lines[0].contains("style lichess, sees the loser better from White's view"), "{lines:?}");
        // Evaluations of the position behind the move, from the view of who moves there.
        let reversed = ["-0.27/20 1s", "+0.30/20 1s", "-2.70/22 1s", "+0.60/22 1s"];
        let lines = said(reversed, Outcome::WhiteWin, false);
        assert!(
            lines.len() == 1
                && lines[0].starts_with(
                    "in 10 of 10 decided games, White's last evaluation beyond a pawn, in style runner, sees the loser better"
                ),
            "{lines:?}"
        );
        assert_eq!(said(reversed, Outcome::BlackWin, false), [""; 0]);
        let mut reader = EvalReader::of_view(Some(View::ToMove));
        for (ply, comment) in (1..).zip(reversed) {
            let eval = reader.read(comment.as_bytes(), ply).expect("an evaluation");
            let own = EvalReader::default().read(comment.as_bytes(), ply).expect("an evaluation");
            let white_moved = ply % 2 == 1;
            assert_eq!(eval.for_white(white_moved), own.for_white(white_moved).negated());
            assert_eq!(eval.for_mover(white_moved), own.for_mover(white_moved).negated());
            assert_eq!((eval.writer, own.writer), (super::super::Writer::Analyst, super::super::Writer::Players));
        }
        reader.end(Some(Outcome::WhiteWin), false);
        assert_eq!(reader.doubts.endings_of_white[Style::Runner as usize], [0, 1]);
        // A view that is named is not proposed.
        let mut reader = EvalReader::of_view(Some(View::ToMove));
        for _ in 0..10 {
            read(&mut reader, &["+2.70/22 1s", "-2.60/22 1s"]);
            reader.end(Some(Outcome::WhiteWin), false);
        }
        let lines = reader.doubts.lines();
        assert!(lines.len() == 1 && lines[0].contains("from the view of the side that moved, or White's"), "{lines:?}");
    }

    #[test]
    fn evaluations_of_the_other_view_are_noticed() {
        let game = |reader: &mut EvalReader, pairs: usize, comments: [&str; 2]| {
            reader.begin();
            for ply in 0..=pairs {
                assert!(reader.read(comments[ply % 2].as_bytes(), ply as u64).is_some(), "{comments:?}");
            }
        };
        let (is_white, is_mover) = (
            "from the view of the side that moved, as which they are read: it is probably White's",
            "from White's view, as which they are read: it is probably that of the side that moved",
        );
        for (style, comments, other, said) in [
            ("runner", ["1.50/20 384", "1.60/24 400 (h3)"], ["1.50/20 384", "-1.60/24 400 (h3)"], is_white),
            ("runner", ["-M5/20 1s", "-M6/24 1s"], ["+M5/20 1s", "-M6/24 1s"], is_white),
            ("lichess", ["[%eval 277,14]", "[%eval -301,27]"], ["[%eval 277,14]", "[%eval 301,27]"], is_mover),
            ("tcec", ["d=5, wv=2.77,", "d=5, wv=-2.99,"], ["d=5, wv=2.77,", "d=5, wv=2.99,"], is_mover),
        ] {
            let mut reader = EvalReader::default();
            game(&mut reader, 9, comments);
            assert_eq!(reader.doubts.lines().len(), 0, "nine pairs may be chance");
            game(&mut reader, 4, comments);
            game(&mut reader, 6, other);
            let lines = reader.doubts.lines();
            assert_eq!(lines.len(), 1, "{comments:?}");
            assert!(
                lines[0].starts_with(&format!(
                    "13 of 19 pairs of successive evaluations beyond a pawn, in style {style}, "
                )),
                "{lines:?}"
            );
            assert!(lines[0].contains(said), "{lines:?}");
            game(&mut reader, 1, other);
            assert_eq!(reader.doubts.lines().len(), 0, "most of them no longer do");
        }
    }

    /// Of an engine that gives its score from White's view every second game is turned, as are all of an event that was written so.
    #[test]
    fn games_of_the_other_view_among_others_are_noticed() {
        let mut reader = EvalReader::default();
        let game = |reader: &mut EvalReader, white: &str, black: &str| {
            let comments: Vec<&str> = (0..12).map(|ply| if ply % 2 == 0 { white } else { black }).collect();
            read(reader, &comments);
        };
        for games in [15, 1000] {
            (0..games).for_each(|_| game(&mut reader, "+1.50/9", "-1.60/9"));
            (0..9 + games / 1000).for_each(|_| game(&mut reader, "+1.50/9", "+1.60/9"));
            if games == 15 {
                assert_eq!(reader.doubts.games[0], [9, 15]);
                assert_eq!(reader.doubts.lines().len(), 0, "nine games may be chance");
                game(&mut reader, "+1.50/9", "+1.60/9");
                let said = reader.doubts.lines();
                assert!(
                    said.len() == 1
                        && said[0].starts_with("in 10 of 25 games with 10 or more pairs of successive evaluations"),
                    "{said:?}"
                );
                let mut sum = EvalDoubts::default();
                (0..2).for_each(|_| sum += reader.doubts);
                assert_eq!(sum.games[0], [20, 30]);
                reader = EvalReader::default();
            }
        }
        assert_eq!(
            (reader.doubts.games[0], reader.doubts.lines().len()),
            ([10, 1000], 0),
            "few of many engines disagree so long"
        );
    }

    /// What a view makes of evaluations is what turned signs say, and the evidence is for or against it.
    #[test]
    fn a_view_that_is_named_stands_above_that_of_the_style() {
        let of = |view, comments: [&str; 2]| {
            let mut reader = EvalReader::of_view(view);
            reader.begin();
            let values = (1..=12).map(|ply: u64| {
                let white_moved = ply % 2 == 1;
                let eval = reader.read(comments[usize::from(!white_moved)].as_bytes(), ply).expect("an evaluation");
                (eval.for_white(white_moved), eval.for_mover(white_moved))
            });
            (values.collect::<Vec<_>>(), reader.doubts.lines())
        };
        let read = |view, comments| of(Some(view), comments).0;
        for (by_white, by_mover) in [
            (["1.50/20 384", "1.60/24 400"], ["1.50/20 384", "-1.60/24 400"]),
            (["-M5/20 1s", "+2.5/24"], ["-M5/20 1s", "-2.5/24"]),
            (["[%eval 277,14]", "[%eval -301,27]"], ["[%eval 277,14]", "[%eval 301,27]"]),
            (["d=5, wv=2.77,", "d=5, wv=-2.99,"], ["d=5, wv=2.77,", "d=5, wv=2.99,"]),
        ] {
            assert_eq!(read(View::White, by_white), read(View::Mover, by_mover), "{by_white:?}");
            let of_style = any_style(by_white[0].as_bytes()).expect("an evaluation").view;
            let its_own = if of_style == View::White { by_white } else { by_mover };
            assert_eq!(of(None, its_own), of(Some(of_style), its_own));
        }
        let same = ["1.50/20", "1.60/24"];
        assert!(of(Some(View::White), same).1.is_empty() && of(None, same).1.len() == 1);
        let said = &of(Some(View::White), ["1.50/20", "-1.60/24"]).1[0];
        assert!(said.contains("from White's view, as which they are read: it is probably that of the side"), "{said}");
    }

    #[test]
    fn only_successive_evaluations_beyond_a_pawn_are_compared() {
        let mut reader = EvalReader::default();
        let pairs = [
            ([1, 2], ["+0.99/9", "+1.50/9"]),
            ([1, 2], ["+1.00/9", "+1.50/9"]),
            ([1, 3], ["+1.50/9", "+1.50/9"]),
            ([1, 1], ["+1.50/9", "+1.50/9"]),
            ([1, 2], ["+1.50/9", "[%eval -1.50]"]),
        ];
        for (plies, comments) in pairs {
            reader.begin();
            for (ply, comment) in plies.into_iter().zip(comments) {
                assert!(reader.read(comment.as_bytes(), ply).is_some());
            }
            assert_eq!(reader.doubts, EvalDoubts::default(), "{comments:?}");
        }
        for ply in 1..=2 {
            reader.begin();
            assert!(reader.read(b"+1.50/9", ply).is_some());
        }
        assert_eq!(reader.doubts, EvalDoubts::default(), "no pair reaches into the next game");
    }
}
