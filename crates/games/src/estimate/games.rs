//! Games with their evaluations, and an account of what was read.

use std::convert::Infallible;
use std::hash::{Hash, Hasher};
use std::mem;
use std::num::NonZero;

use drawish_core::Outcome;
use shakmaty::san::San;
use twox_hash::XxHash3_64;

use crate::pgn::{
    EvalValue, GameEnd, GameHandler, Input, InputProblems, Interest, Progress, ReadGame, ResultTag, Step, Style,
    TagName, Tags, eval_in_comment, read_in_order,
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
    /// What must be reported of single inputs.
    pub problems: InputProblems,
}

/// Reads all games of the inputs and hands them on one after another, in the order of the inputs.
pub fn read_evaluated(
    inputs: Vec<Input>,
    threads: NonZero<usize>,
    mut take: impl FnMut(Game) + Send,
    progress: &Progress<'_>,
) -> Reading {
    let mut reading = Reading::default();
    let inputs = reading.problems.leave_out_copies(inputs);
    let mut styles = [0_u64; 3];
    let take = |step: Step<'_, u64, Vec<Game>>| {
        match step {
            Step::Chunk { found, input, games_before, .. } => {
                for (game, number) in found.into_iter().zip(games_before + 1..) {
                    if game.end == GameEnd::OpenComment {
                        reading.open_comments.push((input.to_string(), number));
                    }
                    reading.without_result += u64::from(game.outcome.is_none());
                    reading.without_evaluations += u64::from(game.outcome.is_some() && game.evaluations.is_empty());
                    for evaluation in &game.evaluations {
                        styles[evaluation.style as usize] += 1;
                        reading.mates += u64::from(matches!(evaluation.value, EvalValue::Mate(_)));
                    }
                    take(game);
                }
            }
            Step::End(read) => {
                reading.problems.note(&read);
                if styles.iter().filter(|&&count| count > 0).count() > 1 {
                    reading.mixed_styles.push(read.input.to_string());
                }
                reading.games += read.account;
                for (sum, count) in reading.styles.iter_mut().zip(mem::take(&mut styles)) {
                    *sum += count;
                }
            }
        }
        Ok::<_, Infallible>(())
    };
    let condense = |collector: Collector| (collector.games.len() as u64, collector.games);
    let Ok(()) = read_in_order(&inputs, threads, progress, Collector::default, condense, take);
    reading
}

/// Gathers the games of a chunk.
#[derive(Default)]
struct Collector {
    games: Vec<Game>,
    evaluations: Vec<Evaluation>,
    plies: usize,
    black_begins: bool,
    opening: XxHash3_64,
}

impl GameHandler for Collector {
    const COMMENTS: bool = true;

    fn begin(&mut self) {
        self.evaluations.clear();
        self.plies = 0;
        self.opening = XxHash3_64::new();
    }

    fn moves(&mut self, tags: &Tags) -> Interest {
        let fen = tags.get(TagName::Fen).unwrap_or_default();
        let mut fields = fen.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
        self.black_begins = fields.nth(1) == Some(b"b");
        Interest::Moves
    }

    fn san(&mut self, san: San) {
        if self.plies < OPENING_PLIES {
            san.hash(&mut self.opening);
        }
        self.plies += 1;
    }

    fn comment(&mut self, comment: &[u8]) {
        // What stands before the first move belongs to no move.
        if self.plies > 0
            && let Some(eval) = eval_in_comment(comment)
        {
            let white_moved = (self.plies % 2 == 1) != self.black_begins;
            let value = eval.for_white(white_moved);
            self.evaluations.push(Evaluation { value, white_moved, style: eval.style });
        }
    }

    fn end(&mut self, game: ReadGame<'_>) {
        let outcome = match game.tags.result() {
            ResultTag::Known(outcome) => Some(outcome),
            ResultTag::Absent | ResultTag::Other => game.token_outcome(),
        };
        let text = |name| game.tags.text(name).unwrap_or_default();
        self.games.push(Game {
            event: text(TagName::Event),
            white: text(TagName::White),
            black: text(TagName::Black),
            outcome,
            opening: self.opening.finish(),
            evaluations: mem::take(&mut self.evaluations),
            end: game.end,
        });
    }
}
