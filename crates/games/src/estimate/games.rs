//! Games with their evaluations, and an account of what was read.

use std::hash::{Hash, Hasher};
use std::mem;
use std::num::NonZero;
use std::ops::ControlFlow;

use drawish_core::Outcome;
use shakmaty::san::San;
use twox_hash::XxHash3_64;

use crate::pgn::{
    EvalValue, GameEnd, GameHandler, Input, InputProblems, Interest, Piece, ResultToken, Style, TagName, Tags,
    eval_in_comment, read_in_order,
};

/// Half-moves that make an opening.
pub const OPENING_PLIES: usize = 16;

/// A game and the evaluations in the comments of its main line.
#[derive(Clone, Debug)]
pub struct Game {
    /// The tag; empty if absent, as for the others.
    pub event: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The Result tag, or where it tells nothing the result at the end of the moves.
    pub outcome: Option<Outcome>,
    /// The same for games with the same first moves, [`OPENING_PLIES`] of them at most.
    pub opening: u64,
    /// In the order of the moves.
    pub evaluations: Vec<Evaluation>,
    /// How its text ended.
    pub end: GameEnd,
}

/// An evaluation in the comment after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// From White's view.
    pub value: EvalValue,
    /// Who made the move.
    pub white_moved: bool,
    /// How it was written.
    pub style: Style,
}

/// What was read.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// All games.
    pub games: u64,
    /// Games that tell no result.
    pub without_result: u64,
    /// Games with a result but without any evaluation.
    pub without_evaluations: u64,
    /// Evaluations of each style, in the order of [`Style::ALL`].
    pub styles: [u64; 3],
    /// Mates among the evaluations.
    pub mates: u64,
    /// Inputs with evaluations of more than one style.
    pub mixed_styles: Vec<String>,
    /// Games whose last comment has no closing brace, by input and number from 1: their moves up to there are used.
    pub open_comments: Vec<(String, u64)>,
    /// What must be told of single inputs.
    pub problems: InputProblems,
}

/// Reads all games of the inputs and hands them on one after another, in the order of the inputs. `progress` is told the
/// bytes of files and the games read so far.
pub fn read_evaluated(
    inputs: Vec<Input>,
    threads: NonZero<usize>,
    mut take: impl FnMut(Game) + Send,
    mut progress: impl FnMut(u64, u64) + Send,
) -> Reading {
    let mut reading = Reading::default();
    let inputs = reading.problems.leave_out_copies(inputs);
    let (mut current, mut in_input, mut styles) = (0, 0_u64, [0_u64; 3]);
    let mut bytes_before = 0;
    let take = |piece: Piece<Vec<Game>>| {
        match piece {
            Piece::Games { found, file_bytes, .. } => {
                for game in found {
                    in_input += 1;
                    if game.end == GameEnd::OpenComment {
                        reading.open_comments.push((inputs[current].to_string(), in_input));
                    }
                    reading.without_result += u64::from(game.outcome.is_none());
                    reading.without_evaluations += u64::from(game.outcome.is_some() && game.evaluations.is_empty());
                    for evaluation in &game.evaluations {
                        styles[evaluation.style as usize] += 1;
                        reading.mates += u64::from(matches!(evaluation.value, EvalValue::Mate(_)));
                    }
                    take(game);
                }
                progress(bytes_before + file_bytes, reading.games + in_input);
            }
            Piece::End { input, broken, ends_whole, file_bytes, .. } => {
                bytes_before += file_bytes;
                reading.problems.note_end(&inputs[input], broken, ends_whole, in_input);
                if styles.iter().filter(|&&count| count > 0).count() > 1 {
                    reading.mixed_styles.push(inputs[input].to_string());
                }
                reading.games += mem::take(&mut in_input);
                for (sum, count) in reading.styles.iter_mut().zip(mem::take(&mut styles)) {
                    *sum += count;
                }
                current = input + 1;
            }
        }
        ControlFlow::Continue(())
    };
    read_in_order(inputs.clone(), threads, Collector::default, |collector| collector.games, take);
    reading
}

/// Gathers the games of a portion.
#[derive(Default)]
struct Collector {
    games: Vec<Game>,
    tags: Tags,
    evaluations: Vec<Evaluation>,
    plies: usize,
    black_begins: bool,
    token: Option<Outcome>,
    opening: XxHash3_64,
}

impl GameHandler for Collector {
    const COMMENTS: bool = true;

    fn begin(&mut self) {
        self.tags.clear();
        self.evaluations.clear();
        self.plies = 0;
        self.token = None;
        self.opening = XxHash3_64::new();
    }

    fn tag(&mut self, name: &[u8], value: &[u8]) {
        self.tags.insert(name, value);
    }

    fn moves(&mut self) -> Interest {
        let fen = self.tags.get(TagName::Fen).unwrap_or_default();
        self.black_begins = fen.split(|&byte| byte == b' ').nth(1) == Some(b"b");
        Interest::Moves
    }

    fn san(&mut self, san: San) {
        if self.plies < OPENING_PLIES {
            san.hash(&mut self.opening);
        }
        self.plies += 1;
    }

    fn comment(&mut self, comment: &[u8]) {
        // What stands before the first move belongs to no move, and mate in 0 does not say for whom.
        if self.plies > 0
            && let Some(eval) = eval_in_comment(comment).filter(|eval| eval.value != EvalValue::Mate(0))
        {
            let white_moved = (self.plies % 2 == 1) != self.black_begins;
            let value = eval.for_white(white_moved);
            self.evaluations.push(Evaluation { value, white_moved, style: eval.style });
        }
    }

    fn result(&mut self, token: ResultToken) {
        self.token = match token {
            ResultToken::WhiteWin => Some(Outcome::WhiteWin),
            ResultToken::Draw => Some(Outcome::Draw),
            ResultToken::BlackWin => Some(Outcome::BlackWin),
            ResultToken::Unknown => None,
        };
    }

    fn end(&mut self, end: GameEnd) {
        let outcome = match self.tags.get(TagName::Result) {
            Some(b"1-0") => Some(Outcome::WhiteWin),
            Some(b"0-1") => Some(Outcome::BlackWin),
            Some(b"1/2-1/2") => Some(Outcome::Draw),
            _ => self.token,
        };
        let text = |name| self.tags.text(name).unwrap_or_default();
        self.games.push(Game {
            event: text(TagName::Event),
            white: text(TagName::White),
            black: text(TagName::Black),
            outcome,
            opening: self.opening.finish(),
            evaluations: mem::take(&mut self.evaluations),
            end,
        });
    }
}
