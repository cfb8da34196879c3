//! Symbols and expected results written into PGN text, from the evaluations in its comments.
//!
//! The text is scanned as bytes and copied as it is: tags, comments, variations, line ends and whatever is broken come
//! out unchanged, and all that is added are ` $n` after a move and ` {[%expected 0.731]}` after its comment.
//!
//! **What a move is judged by.** The article compares a bad move with the best alternative and a good one with the second
//! best. Comments tell neither, but the evaluation before the move is that of the best play, so a move after which it is
//! worse has lost that much against the best alternative; and one after which it is better is better by at least that
//! much than any other was thought to be. Where one judge evaluated all positions ([`Writer::Analyst`]), the evaluations
//! after the move before and after the move itself are compared. Where each player wrote its own ([`Writer::Players`]), a
//! move is judged by the opponent's evaluations before and after it, for the scales of two engines differ; only the last
//! evaluated move of a game, to which the opponent says nothing any more, is judged by both players' evaluations.
//!
//! **What is left alone.** A move that has a move symbol already (`!`, `?`, `$1` to `$6`) gets no other one, and one with
//! a position symbol (`$10` to `$21`) no other of those; so annotating twice changes nothing. Variations get nothing.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod run;
mod scan;
mod turn;

use crate::pgn::{EvalDoubts, EvalReader, EvalValue, View, Writer};
use drawish_stats::model::relevance::{
    Advantage, MoveScheme, MoveSymbol, PositionScheme, PositionSymbol, Relevance, Side,
};
pub use run::{AnnotateError, Annotated, annotate, annotate_file};
use scan::{Scanner, Sink};

/// What to add.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// From evaluations to results.
    pub curve: Relevance,
    /// Symbols for moves.
    pub moves: Option<MoveScheme>,
    /// Symbols for positions.
    pub positions: Option<PositionScheme>,
    /// Expected results for White.
    pub results: bool,
    /// Whose evaluations the comments hold; `None` to tell by their style.
    pub writer: Option<Writer>,
    /// From whose view they are; `None` for that of their style.
    pub view: Option<View>,
}

/// What was read and added.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Games, with or without moves.
    pub games: u64,
    /// Moves of main lines.
    pub moves: u64,
    /// Moves among them with an evaluation; of several to one move the first counts.
    pub evaluated: u64,
    /// Evaluations of each style, in the order of [`Style::ALL`](crate::pgn::Style::ALL).
    pub styles: [u64; 3],
    /// Mates among them.
    pub mates: u64,
    /// What speaks against how evaluations were read.
    pub doubts: EvalDoubts,
    /// How often each NAG was added, by its number.
    pub nags: [u64; 22],
    /// Expected results added.
    pub results: u64,
    /// Symbols not added because the move had one of that kind.
    pub left_alone: u64,
    /// What is broken first in a game: its number from 1, and what, of the first [`MOST_BROKEN`] games that are.
    pub broken: Vec<(u64, &'static str)>,
    /// How many games are.
    pub broken_games: u64,
}

/// So many games at most are named that are broken: a text of nothing else may be packed a thousandfold.
pub const MOST_BROKEN: usize = 10_000;

/// Annotates text that comes in chunks of whole games. A game that is cut all the same loses the symbols of the two
/// moves before the cut, and nothing else.
#[derive(Debug)]
pub struct Annotator {
    scanner: Scanner,
    judge: Judge,
}

impl Annotator {
    /// With nothing read yet.
    #[must_use]
    pub fn new(options: Options) -> Annotator {
        let advantages = options.positions.map(|scheme| options.curve.position_thresholds(scheme)).unwrap_or_default();
        let judge = Judge {
            options,
            advantages,
            evaluations: [None; 3],
            evals: EvalReader::of_view(options.view),
            summary: Summary::default(),
            last_broken: None,
        };
        Annotator { scanner: Scanner::default(), judge }
    }

    /// Appends a chunk, with what is added to it, to `out`.
    pub fn annotate(&mut self, text: &[u8], out: &mut Vec<u8>) {
        let mut copy = Copy { judge: &mut self.judge, text, copied: 0, out, last: None, before_last: None };
        self.scanner.scan(text, &mut copy);
        copy.finish();
    }

    /// What was read and added so far.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.judge.summary
    }
}

/// What lasts from chunk to chunk.
#[derive(Debug)]
struct Judge {
    options: Options,
    /// Where White's advantages begin.
    advantages: Vec<(Advantage, f64)>,
    /// After the last move, the one before and the one before that, in pawns from White's view; mates are infinite.
    evaluations: [Option<f64>; 3],
    evals: EvalReader,
    summary: Summary,
    /// The number of the last game that is broken.
    last_broken: Option<u64>,
}

impl Judge {
    /// What [`Relevance::position_symbol`] says, with the thresholds worked out once.
    fn position(&self, evaluation: f64) -> PositionSymbol {
        let reached = self.advantages.iter().rev().find(|(_, begin)| evaluation.abs() >= *begin);
        let side = if evaluation < 0.0 { Side::Black } else { Side::White };
        reached.map_or(PositionSymbol::Balanced, |&(advantage, _)| PositionSymbol::Better(side, advantage))
    }
}

/// A move to which something may be added.
#[derive(Debug)]
struct Slot {
    /// Where its text ends.
    end: usize,
    is_white: bool,
    move_symbol: Option<MoveSymbol>,
    position_symbol: Option<PositionSymbol>,
    /// Where the comment with its evaluation ends, and the expected result.
    result: Option<(usize, f64)>,
    /// It has a symbol of that kind already.
    has_move_symbol: bool,
    has_position_symbol: bool,
}

/// A chunk on its way to the output.
struct Copy<'a> {
    judge: &'a mut Judge,
    text: &'a [u8],
    /// Up to here it is in the output.
    copied: usize,
    out: &'a mut Vec<u8>,
    last: Option<Slot>,
    before_last: Option<Slot>,
}

impl Copy<'_> {
    fn copy_to(&mut self, end: usize) {
        self.out.extend_from_slice(&self.text[self.copied..end]);
        self.copied = end;
    }

    /// Writes what is known about a move once nothing more can come.
    fn write(&mut self, slot: Option<Slot>) {
        let Some(slot) = slot else { return };
        let of_move = slot.move_symbol.map(|symbol| (symbol.nag(), slot.has_move_symbol));
        let of_position = slot.position_symbol.map(|symbol| (symbol.nag(), slot.has_position_symbol));
        for (nag, is_there) in of_move.into_iter().chain(of_position) {
            if is_there {
                self.judge.summary.left_alone += 1;
            } else {
                self.copy_to(slot.end);
                let tens = (nag >= 10).then_some(b'0' + nag / 10);
                self.out.extend(b" $".iter().copied().chain(tens).chain([b'0' + nag % 10]));
                self.judge.summary.nags[usize::from(nag)] += 1;
            }
        }
        if let Some((end, expected)) = slot.result {
            self.copy_to(end);
            // By hand, since the formatting of numbers took a third of all the time.
            #[cfg_attr(
                not(test),
                expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an expected score, 0 to 1")
            )]
            let thousandths = (1000.0 * expected).round() as u16;
            let digit = |unit: u16| b'0' + (thousandths / unit % 10) as u8;
            self.out.extend_from_slice(b" {[%expected ");
            self.out.extend([digit(1000), b'.', digit(100), digit(10), digit(1)]);
            self.out.extend_from_slice(b"]}");
            // Behind a `;` comment another line begins here: one with `%` is escaped, and a tag one, only where they begin it.
            let before = &self.text[..end];
            let line_end = [&b"\r\n"[..], b"\n", b"\r"].into_iter().find(|line_end| before.ends_with(line_end));
            self.out.extend_from_slice(line_end.unwrap_or_default());
            self.judge.summary.results += 1;
        }
    }

    fn finish(mut self) {
        let slots = [self.before_last.take(), self.last.take()];
        slots.into_iter().for_each(|slot| self.write(slot));
        self.copy_to(self.text.len());
    }

    /// Judges moves by the evaluation after the last one.
    fn evaluate(&mut self, evaluation: f64, usual: Writer) {
        let Options { curve, moves, writer, .. } = self.judge.options;
        self.judge.evaluations[0] = Some(evaluation);
        let [_, previous, own] = self.judge.evaluations;
        let Some(scheme) = moves else { return };
        let symbol = |slot: &Slot, alternative: Option<f64>| {
            let side = if slot.is_white { Side::White } else { Side::Black };
            alternative.and_then(|alternative| curve.move_symbol(scheme, alternative, evaluation, side))
        };
        if let Some(slot) = &mut self.last {
            slot.move_symbol = symbol(slot, previous);
        }
        // The opponent knows better, if it says something.
        if let Some(slot) = &mut self.before_last
            && writer.unwrap_or(usual) == Writer::Players
        {
            slot.move_symbol = symbol(slot, own);
        }
    }
}

impl Sink for Copy<'_> {
    fn game(&mut self) {
        self.judge.summary.games += 1;
        self.judge.evals.begin();
        self.judge.evaluations = [None; 3];
        let slots = [self.before_last.take(), self.last.take()];
        slots.into_iter().for_each(|slot| self.write(slot));
    }

    fn played(&mut self, end: usize, is_white: bool) {
        self.judge.summary.moves += 1;
        self.judge.evaluations.rotate_right(1);
        self.judge.evaluations[0] = None;
        let slot = Slot {
            end,
            is_white,
            move_symbol: None,
            position_symbol: None,
            result: None,
            has_move_symbol: false,
            has_position_symbol: false,
        };
        let oldest = std::mem::replace(&mut self.before_last, self.last.replace(slot));
        self.write(oldest);
    }

    fn suffix(&mut self, end: usize) {
        if let Some(slot) = &mut self.last {
            slot.has_move_symbol = true;
            // Only what is part of the word; `e4 !` is two.
            if slot.end + 1 == end {
                slot.end = end;
            }
        }
    }

    fn nag(&mut self, nag: u8) {
        if let Some(slot) = &mut self.last {
            slot.has_move_symbol |= MoveSymbol::from_nag(nag).is_some();
            slot.has_position_symbol |= PositionSymbol::from_nag(nag).is_some();
        }
    }

    fn comment(&mut self, comment: &[u8], end: usize) {
        // As it is added: a comment of its own.
        if comment.starts_with(b"[%expected") {
            self.last.iter_mut().for_each(|slot| slot.result = None);
            return;
        }
        let Judge { evals, summary, evaluations, .. } = &mut *self.judge;
        // Those that do not count tell the reader of evaluations how the others are written.
        let eval = evals.read(comment, summary.moves);
        summary.doubts = evals.doubts;
        // The first evaluation of a move counts.
        let (Some(eval), Some(slot), None) = (eval, &mut self.last, evaluations[0]) else { return };
        summary.styles[eval.style as usize] += 1;
        summary.evaluated += 1;
        if eval.is_placeholder() {
            return;
        }
        let evaluation = match eval.for_white(slot.is_white) {
            EvalValue::Centipawns(value) => f64::from(value) / 100.0,
            EvalValue::Mate(moves) => {
                summary.mates += 1;
                f64::INFINITY.copysign(f64::from(moves))
            }
        };
        if self.judge.options.results {
            slot.result = Some((end, self.judge.options.curve.expected(evaluation)));
        }
        if self.judge.options.positions.is_some() {
            slot.position_symbol = Some(self.judge.position(evaluation));
        }
        self.evaluate(evaluation, eval.writer);
    }

    fn broken(&mut self, what: &'static str) {
        let summary = &mut self.judge.summary;
        if self.judge.last_broken.replace(summary.games) == Some(summary.games) {
            return;
        }
        summary.broken_games += 1;
        if summary.broken.len() < MOST_BROKEN {
            summary.broken.push((summary.games, what));
        }
    }
}
