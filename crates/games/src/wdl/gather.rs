//! From games to cells.

use drawish_core::Outcome;
use shakmaty::san::San;
use shakmaty::{Chess, Color, Position};

use super::Rule;
use super::cell::{BLACK_TO_MOVE, LAST_MOVE, MoverResult, Speed, eval_bits, outcome_bits, position_bits};
use super::hash::{LINE, mix, san_code};
use super::rule::Bins;
use super::tally::{Cut, DropReason, GameReason, Notice, Tally};
use crate::follow::Follower;
use crate::pgn::{
    Engines, Eval, EvalReader, EvalValue, GameEnd, GameHandler, Interest, ReadGame, ResultTag, TagName, Tags, Variant,
    View, Writer, fen_of, position_of, setup_of, start_epd,
};

/// What was found in a chunk of games.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) tally: Tally,
    /// Cells of all counted games, one game after another.
    pub(super) words: Vec<u32>,
    /// The counted games.
    pub(super) games: Vec<CountedGame>,
    /// The first games that were cut at an illegal move.
    pub(super) cuts: Vec<Cut>,
    /// Whose evaluations were counted.
    pub(super) engines: Engines,
}

/// A counted game.
#[derive(Debug)]
pub(super) struct CountedGame {
    /// The hash of its start and moves.
    pub(super) moves: u64,
    /// That of its start and its first moves, [`LINE`] of them: games that have these in common depend on each other.
    pub(super) line: u64,
    /// Where its words end.
    pub(super) end: usize,
}

/// How many examples of cut games a chunk keeps.
pub(super) const EXAMPLES: usize = 5;

/// Receives games and takes their cells.
pub(super) struct Gatherer<'a> {
    rule: &'a Rule,
    bins: &'a Bins,
    standard: Chess,
    evals: EvalReader,
    batch: Batch,
    game: Game,
}

struct Game {
    refused: Option<GameReason>,
    follower: Follower,
    move_number: u32,
    /// Whose evaluations count, White's and Black's.
    wanted: [bool; 2],
    /// Of the half-move that was made last: its cell without an evaluation.
    waiting: Option<Waiting>,
    /// An analyst's evaluation of the position before it, which counts where the player gives none.
    analysed_before: Option<Eval>,
    /// An analyst's evaluation of the position that it has reached, for White.
    analysed: Option<Eval>,
    half_moves: u64,
    /// The first move that could not be made.
    illegal: Option<Cut>,
    from_fen: bool,
    black_begins: bool,
    repaired: bool,
    hash: u64,
    /// The same as far as it decides about the block.
    line: u64,
    /// The last evaluation of each side, and how often it has come in a row.
    last_evals: [(Option<EvalValue>, u32); 2],
    /// Where its words begin.
    first_word: usize,
    dropped: [u64; DropReason::ALL.len()],
    second_evals: u64,
    /// Evaluations of an analyst where those of one engine are asked for.
    analyst_evals: u64,
    /// Whether an evaluation of White's, or of Black's own was counted.
    own_evals: [bool; 2],
}

/// A half-move whose evaluation has not come yet. It is small and changed in place: copies of it were a tenth of a run's time.
#[derive(Clone, Copy)]
struct Waiting {
    /// What is known of its cell.
    word: u32,
    mover: Color,
    /// A comment came, but no evaluation was in it.
    commented: bool,
    /// The evaluation came: others are not taken.
    settled: bool,
}

impl<'a> Gatherer<'a> {
    /// By a rule and its bins.
    pub(super) fn new(rule: &'a Rule, bins: &'a Bins) -> Self {
        let standard = Chess::default();
        let game = Game::new(Follower::new(&standard, rule.replay), 0);
        Gatherer { rule, bins, evals: EvalReader::of_view(rule.view), batch: Batch::default(), game, standard }
    }

    pub(super) fn into_batch(mut self) -> Batch {
        self.batch.tally.evals = self.evals.doubts;
        self.batch
    }

    /// Reads the tags: everything that can be known before the moves.
    fn prepare(&mut self, tags: &Tags) -> Result<(), GameReason> {
        let variant = Variant::of(tags);
        if !self.rule.variant.accepts(variant) {
            return Err(GameReason::Variant);
        }
        self.read_start(tags, variant)?;
        if tags.result() == ResultTag::Other {
            return Err(GameReason::NoResult);
        }
        if tags.ended_abnormally() {
            return Err(GameReason::Termination);
        }
        if let Some(engine) = &self.rule.engine {
            self.game.wanted = [TagName::White, TagName::Black]
                .map(|name| tags.get(name).is_some_and(|name| !name.is_empty() && engine.fits(name)));
            if self.game.wanted == [false; 2] {
                self.batch.engines.note_other(tags);
                return Err(GameReason::Engine);
            }
        }
        Ok(())
    }

    fn read_start(&mut self, tags: &Tags, variant: Variant) -> Result<(), GameReason> {
        let Some(fen) = fen_of(tags) else { return Ok(()) };
        self.game.from_fen = true;
        let start = setup_of(fen).and_then(|setup| position_of(setup, variant)).ok_or(GameReason::BadFen)?;
        self.game.follower = Follower::new(&start, self.rule.replay);
        self.game.move_number = start.fullmoves().get();
        self.game.black_begins = start.turn().is_black();
        // Nothing that is counted looks at the clock.
        if let Some(repair) = self.rule.fens.as_ref().and_then(|list| list.repair(&start)) {
            self.game.move_number = repair.ok_or(GameReason::FenNotFound)?;
            self.game.repaired = true;
        }
        self.game.hash = mix(0, start_epd(&start).bytes().fold(0, |hash, byte| mix(hash, u64::from(byte))));
        Ok(())
    }

    /// Closes the half-move made last.
    #[inline]
    fn settle(&mut self) {
        if let Some(waiting) = self.game.waiting.take().filter(|waiting| !waiting.settled) {
            self.settle_without_eval(waiting);
        }
    }

    #[inline(never)]
    fn settle_without_eval(&mut self, waiting: Waiting) {
        if let Some(eval) = self.game.analysed_before {
            self.game.analyst_evals += u64::from(self.rule.engine.is_some());
            self.take(waiting.word, waiting.mover, eval);
        } else {
            let reason = if waiting.commented { DropReason::NoEval } else { DropReason::NoComment };
            self.game.dropped[reason as usize] += 1;
        }
    }

    /// Counts an evaluation with what is known of its cell.
    #[inline]
    fn take(&mut self, word: u32, mover: Color, eval: Eval) {
        let white = mover.is_white();
        let value = eval.for_mover(white);
        if let Some(limit) = self.rule.drop_repeated {
            let (last, times) = &mut self.game.last_evals[usize::from(!white)];
            *times = if *last == Some(value) { *times + 1 } else { 1 };
            *last = Some(value);
            if *times >= limit && value != EvalValue::Centipawns(0) {
                self.game.dropped[DropReason::RepeatedEval as usize] += 1;
                return;
            }
        }
        self.game.own_evals[usize::from(!white)] |= eval.writer == Writer::Players;
        self.batch.words.push(word | eval_bits(self.bins.of(value)) | if white { 0 } else { BLACK_TO_MOVE });
    }

    /// Counts the game that has ended, or says why not.
    fn finish(&mut self, read: &ReadGame<'_>) -> Result<(), GameReason> {
        self.settle();
        let game = &mut self.game;
        if let Some(reason) = game.refused {
            return Err(reason);
        }
        let outcome = read.outcome().ok_or(GameReason::NoResult)?;
        if game.half_moves == 0 {
            return Err(GameReason::NoMoves);
        }
        self.evals.end(Some(outcome), game.black_begins);
        let tally = &mut self.batch.tally;
        tally.counted += 1;
        tally.positions += (self.batch.words.len() - game.first_word) as u64;
        for reason in DropReason::ALL {
            tally.drop_many(reason, game.dropped[reason as usize]);
        }
        for (notice, times) in [
            (Notice::IllegalMove, u64::from(game.illegal.is_some())),
            (Notice::CutOff, u64::from(read.end != GameEnd::Whole)),
            (Notice::ResultFromToken, u64::from(read.tags.result() == ResultTag::Absent)),
            (Notice::ResultTokenDiffers, u64::from(read.token_differs())),
            (Notice::CountersRepaired, u64::from(game.repaired)),
            (Notice::FenStart, u64::from(game.from_fen)),
            (Notice::AnalystEval, game.analyst_evals),
            (Notice::SecondEval, game.second_evals),
        ] {
            tally.notice(notice, times);
        }
        let speed = read.tags.time_control().map_or(Speed::UNKNOWN, Speed::of_tag);
        let [white, black] = results(outcome).map(|result| outcome_bits(result, speed));
        for word in &mut self.batch.words[game.first_word..] {
            // The bit of the mover is the one of the result.
            *word = (*word & !BLACK_TO_MOVE) | if *word & BLACK_TO_MOVE == 0 { white } else { black };
        }
        self.batch.engines.note_used(read.tags, game.own_evals);
        let end = self.batch.words.len();
        self.batch.games.push(CountedGame { moves: game.hash, line: game.line, end });
        if let Some(cut) = game.illegal.take()
            && self.batch.cuts.len() < EXAMPLES
        {
            self.batch.cuts.push(Cut { game: tally.games(), ..cut });
        }
        Ok(())
    }
}

/// How the game ended for White and for Black.
fn results(outcome: Outcome) -> [MoverResult; 2] {
    match outcome {
        Outcome::WhiteWin => [MoverResult::Win, MoverResult::Loss],
        Outcome::BlackWin => [MoverResult::Loss, MoverResult::Win],
        Outcome::Draw => [MoverResult::Draw, MoverResult::Draw],
    }
}

impl Game {
    /// Adds a move to the hashes.
    #[inline]
    fn hash_move(&mut self, san: San) {
        self.hash = mix(self.hash, san_code(san));
        if self.half_moves <= LINE {
            self.line = self.hash;
        }
    }

    fn new(follower: Follower, first_word: usize) -> Game {
        Game {
            refused: None,
            follower,
            move_number: 1,
            wanted: [true; 2],
            waiting: None,
            analysed_before: None,
            analysed: None,
            half_moves: 0,
            illegal: None,
            from_fen: false,
            black_begins: false,
            repaired: false,
            hash: 0,
            line: 0,
            last_evals: [(None, 0); 2],
            first_word,
            dropped: [0; DropReason::ALL.len()],
            second_evals: 0,
            analyst_evals: 0,
            own_evals: [false; 2],
        }
    }
}

impl GameHandler for Gatherer<'_> {
    const COMMENTS: bool = true;

    fn begin(&mut self) {
        self.evals.begin();
        self.game = Game::new(Follower::new(&self.standard, self.rule.replay), self.batch.words.len());
    }

    fn moves(&mut self, tags: &Tags) -> Interest {
        self.game.refused = self.prepare(tags).err();
        if self.game.refused.is_some() { Interest::Nothing } else { Interest::Moves }
    }

    #[inline]
    fn san(&mut self, san: San) {
        self.settle();
        let game = &mut self.game;
        game.analysed_before = game.analysed.take();
        game.half_moves += 1;
        if game.illegal.is_some() {
            game.hash_move(san);
            game.dropped[DropReason::AfterIllegal as usize] += 1;
            return;
        }
        let mover = game.follower.turn();
        let material = game.follower.material();
        let spelled = game.follower.spelled(san);
        let is_played = game.follower.play(san);
        // From an illegal move on the board does not say which origins are needed.
        game.hash_move(if is_played { spelled } else { san });
        if !is_played {
            let dots = if mover.is_white() { "." } else { "..." };
            game.illegal = Some(Cut { game: 0, at: format!("{}{dots} {san}", game.move_number) });
            // The engine's evaluation is of the position before its move, which was reached by legal ones. But where an
            // evaluation without a move stands before, a move in unknown notation was passed over.
            if game.second_evals > 0 {
                game.dropped[DropReason::AfterIllegal as usize] += 1;
                return;
            }
        }
        // A FEN may begin at any move, also at the last that fits the type.
        let counted = u8::try_from(game.move_number).ok().filter(|number| u32::from(*number) <= LAST_MOVE);
        let Some(move_number) = counted else {
            game.dropped[DropReason::BeyondLastMove as usize] += 1;
            game.move_number = game.move_number.saturating_add(u32::from(mover.is_black()));
            return;
        };
        if !game.wanted[usize::from(mover.is_black())] {
            game.dropped[DropReason::OtherEngine as usize] += 1;
        } else {
            let material = u8::try_from(material).unwrap_or(u8::MAX);
            let word = position_bits(move_number, material);
            game.waiting = Some(Waiting { word, mover, commented: false, settled: false });
        }
        game.move_number += u32::from(mover.is_black());
    }

    #[inline]
    fn comment(&mut self, comment: &[u8]) {
        let eval = self.evals.read(comment, self.game.half_moves);
        if let Some(eval) = eval.filter(|eval| eval.writer == Writer::Analyst) {
            // It counts for the side to move, which need not be the one from whose view it is.
            let white_moved = self.game.half_moves.is_multiple_of(2) == self.game.black_begins;
            let for_white = Eval { value: eval.for_white(white_moved), view: View::White, ..eval };
            self.game.analysed.get_or_insert(for_white);
            self.game.waiting.iter_mut().for_each(|waiting| waiting.commented = true);
            return;
        }
        let Some(waiting) = &mut self.game.waiting else { return };
        match eval {
            Some(_) if waiting.settled => self.game.second_evals += 1,
            Some(eval) => {
                waiting.settled = true;
                let Waiting { word, mover, .. } = *waiting;
                self.take(word, mover, eval);
            }
            None => waiting.commented = true,
        }
    }

    fn end(&mut self, game: ReadGame<'_>) {
        if let Err(reason) = self.finish(&game) {
            self.batch.words.truncate(self.game.first_word);
            self.batch.tally.skip(reason);
        }
    }
}
