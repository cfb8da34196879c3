//! Games with their evaluations, and an account of what was read.

use std::collections::HashSet;
use std::convert::Infallible;
use std::hash::{Hash, Hasher};
use std::mem;
use std::num::NonZero;

use drawish_core::Outcome;
use drawish_stats::numbers::counted;
use shakmaty::Chess;
use shakmaty::san::San;
use twox_hash::XxHash3_64;

use crate::follow::Follower;
use crate::pgn::{
    EvalDoubts, EvalReader, EvalValue, GameEnd, GameHandler, Input, InputProblems, Interest, Progress, ReadGame, Step,
    Style, TagName, Tags, Variant, VariantChoice, View, Writer, black_begins, fen_of, named, position_of,
    read_in_order, setup_of, start_epd,
};

/// Half-moves that make an opening.
pub const OPENING_PLIES: usize = 16;

/// Half-moves by which copies of a game are known, whatever else is written otherwise.
pub const LINE_PLIES: usize = 32;

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
    /// The same for games from the same start position of a FEN, and of others for those with the same first moves,
    /// [`OPENING_PLIES`] of them at most.
    pub opening: u64,
    /// The same for games with the same start and the same first moves, [`LINE_PLIES`] of them at most. They depend on each other, as
    /// copies do in which the names, evaluations or last moves are others.
    pub line: u64,
    /// In the order of the moves.
    pub evaluations: Vec<Evaluation>,
    /// How its text ended.
    pub end: GameEnd,
}

named! {
    /// Why a game with a result does not count: the first reason that applies.
    LeftOut {
        Variant "variant" "of another variant than chess and Chess960",
        BadFen "bad-fen" "with a FEN tag that is not a position",
        Termination "termination" "lost on time, abandoned, interrupted or against the rules, by the Termination tag or the last comment",
        IllegalMove "illegal-move" "with an illegal or unreadable move, behind which nothing is known",
        Repeated "repeated" "with the players, moves, evaluations and result of an earlier one",
    }
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
    /// Whose it is, by how it was written and from which view.
    pub writer: Writer,
}

/// What was read. All but the first two is about the games that were asked for.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// All games.
    pub games: u64,
    /// Games that were not asked for.
    pub others: u64,
    /// Games that tell no result.
    pub without_result: u64,
    /// Games with a result but without any evaluation.
    pub without_evaluations: u64,
    /// Games with a result that do not count, by the place of the reason in [`LeftOut::ALL`].
    pub left_out: [u64; LeftOut::ALL.len()],
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

impl Reading {
    /// How many games with a result do not count and why, a line for each reason that occurs.
    #[must_use]
    pub fn left_out_in_words(&self) -> Vec<String> {
        let with = LeftOut::ALL.into_iter().zip(self.left_out).filter(|&(_, games)| games > 0);
        with.map(|(reason, games)| format!("left out: {} {}", counted(games, "game"), reason.meaning())).collect()
    }
}

/// Reads all games of the inputs, with evaluations from a view or `None` for that of their style, and hands those on that are asked for and count
/// or have no result, one after another, in the order of the inputs; and with `true` the copies of these, which do not count, but may stand in other
/// events.
pub fn read_evaluated(
    inputs: Vec<Input>,
    view: Option<View>,
    threads: NonZero<usize>,
    mut is_asked_for: impl FnMut(&Game) -> bool + Send,
    mut take: impl FnMut(Game, bool) + Send,
    progress: &Progress<'_>,
) -> Reading {
    let mut reading = Reading::default();
    let inputs = reading.problems.leave_out_copies(inputs);
    let mut styles = [0_u64; 3];
    // The same game again is no further observation, and would make intervals too narrow.
    let mut known = HashSet::new();
    let take = |step: Step<'_, u64, Vec<Found>>| {
        match step {
            Step::Chunk { found, input, games_before, .. } => {
                for (Found { game, left_out, fingerprint, doubts }, number) in found.into_iter().zip(games_before + 1..)
                {
                    if !is_asked_for(&game) {
                        reading.others += 1;
                        continue;
                    }
                    reading.problems.note_evals(input, doubts);
                    if game.end == GameEnd::OpenComment {
                        reading.open_comments.push((input.to_string(), number));
                    }
                    for evaluation in &game.evaluations {
                        styles[evaluation.style as usize] += 1;
                        reading.mates += u64::from(matches!(evaluation.value, EvalValue::Mate(_)));
                    }
                    if game.outcome.is_none() {
                        reading.without_result += 1;
                    } else if let Some(reason) = left_out {
                        reading.left_out[reason as usize] += 1;
                        continue;
                    } else if game.evaluations.is_empty() {
                        reading.without_evaluations += 1;
                    } else if !known.insert(fingerprint) {
                        reading.left_out[LeftOut::Repeated as usize] += 1;
                        take(game, true);
                        continue;
                    }
                    take(game, false);
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
    let collector = || Collector { evals: EvalReader::of_view(view), ..Collector::default() };
    let condense = |Collector { games, .. }: Collector| (games.len() as u64, games);
    let Ok(()) = read_in_order(&inputs, threads, progress, collector, condense, take);
    reading
}

/// A game of a chunk.
struct Found {
    game: Game,
    /// Why it does not count, as far as it alone tells.
    left_out: Option<LeftOut>,
    /// The same for games that are the same but for the names of their events.
    fingerprint: u64,
    doubts: EvalDoubts,
}

/// Gathers the games of a chunk.
#[derive(Default)]
struct Collector {
    games: Vec<Found>,
    evals: EvalReader,
    evaluations: Vec<Evaluation>,
    plies: usize,
    black_begins: bool,
    /// The writers whose evaluation of the last half-move has come.
    has_evaluation: [bool; 2],
    left_out: Option<LeftOut>,
    /// `None` for a game that does not count in any case.
    follower: Option<Follower>,
    from_fen: bool,
    opening: XxHash3_64,
    /// Of the start and the first moves.
    line: u64,
    moves: XxHash3_64,
}

impl Collector {
    /// Where the game begins, or why it does not count.
    fn start(&mut self, tags: &Tags) -> Result<Chess, LeftOut> {
        let variant = Variant::of(tags);
        if !VariantChoice::Any.accepts(variant) {
            return Err(LeftOut::Variant);
        }
        let start = fen_of(tags).map_or(Ok(Chess::default()), |fen| {
            setup_of(fen).and_then(|setup| position_of(setup, variant)).ok_or(LeftOut::BadFen)
        })?;
        if tags.ended_abnormally() { Err(LeftOut::Termination) } else { Ok(start) }
    }
}

impl GameHandler for Collector {
    const COMMENTS: bool = true;

    fn begin(&mut self) {
        self.evals.begin();
        self.evaluations.clear();
        (self.plies, self.line) = (0, 0);
        self.has_evaluation = [false; 2];
        (self.opening, self.moves) = (XxHash3_64::new(), XxHash3_64::new());
    }

    fn moves(&mut self, tags: &Tags) -> Interest {
        self.black_begins = tags.get(TagName::Fen).is_some_and(black_begins);
        self.from_fen = fen_of(tags).is_some();
        (self.opening, self.moves) = (XxHash3_64::new(), XxHash3_64::new());
        let start = self.start(tags);
        if let Some(start) = start.as_ref().ok().filter(|_| self.from_fen) {
            let epd = start_epd(start);
            epd.split(' ').for_each(|field| field.as_bytes().hash(&mut self.opening));
            epd.hash(&mut self.moves);
        }
        self.left_out = start.as_ref().err().copied();
        self.follower = start.ok().map(|start| Follower::new(&start, false));
        Interest::Moves
    }

    fn san(&mut self, san: San) {
        let san = self.follower.as_ref().map_or(san, |follower| follower.spelled(san));
        // Games from one position of a book are of one opening, whatever they begin with.
        if self.plies < OPENING_PLIES && !self.from_fen {
            san.hash(&mut self.opening);
        }
        san.hash(&mut self.moves);
        if self.plies < LINE_PLIES {
            self.line = self.moves.finish();
        }
        self.plies += 1;
        self.has_evaluation = [false; 2];
        // A move in other letters is passed over, and what follows is then no move of the side to move.
        if self.left_out.is_none() && self.follower.as_mut().is_some_and(|follower| !follower.play(san)) {
            self.left_out = Some(LeftOut::IllegalMove);
        }
    }

    fn comment(&mut self, comment: &[u8]) {
        // What stands before the first move belongs to no move, but tells how the other evaluations are written.
        if let Some(eval) = self.evals.read(comment, self.plies as u64)
            && self.plies > 0
            // Nor does a second one: a move that cannot be read may stand before.
            && !mem::replace(&mut self.has_evaluation[eval.writer as usize], true)
        {
            let white_moved = (self.plies % 2 == 1) != self.black_begins;
            let value = eval.for_white(white_moved);
            self.evaluations.push(Evaluation { value, white_moved, style: eval.style, writer: eval.writer });
        }
    }

    fn end(&mut self, game: ReadGame<'_>) {
        let outcome = game.outcome();
        self.evals.end(outcome, self.black_begins);
        let text = |name| game.tags.text(name).unwrap_or_default();
        let (white, black) = (text(TagName::White), text(TagName::Black));
        (&white, &black, outcome.map(|outcome| outcome as u8)).hash(&mut self.moves);
        for Evaluation { value, style, .. } in &self.evaluations {
            let (is_mate, value) = match value {
                EvalValue::Centipawns(value) => (false, *value),
                EvalValue::Mate(moves) => (true, *moves),
            };
            (is_mate, value, *style as u8).hash(&mut self.moves);
        }
        // Both of this game: what stands behind it is of none.
        self.evals.begin();
        let none = EvalDoubts { view: self.evals.doubts.view, ..EvalDoubts::default() };
        self.games.push(Found {
            doubts: mem::replace(&mut self.evals.doubts, none),
            game: Game {
                event: text(TagName::Event),
                white,
                black,
                outcome,
                opening: self.opening.finish(),
                line: self.line,
                evaluations: mem::take(&mut self.evaluations),
                end: game.end,
            },
            left_out: self.left_out,
            fingerprint: self.moves.finish(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Reading, Vec<Game>) {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("games.pgn");
        std::fs::write(&path, text).expect("a file");
        let mut games = Vec::new();
        let one = NonZero::<usize>::MIN;
        let reading = read_evaluated(
            vec![Input::File(path)],
            None,
            one,
            |_| true,
            |game, is_copy| games.extend((!is_copy).then_some(game)),
            &|_, _| {},
        );
        (reading, games)
    }

    fn game(tags: &str, moves: &str) -> String {
        format!("[Event \"e\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n{tags}\n{moves} 1-0\n\n")
    }

    const MOVES: &str = "1. e4 {+0.30/9 1s} e5 {-0.20/9 1s} 2. Nf3 {+0.40/9 1s} d6 {-0.50/9 1s}";

    /// The evaluations of others say nothing about the view of those that are asked for, nor are theirs left out.
    #[test]
    fn what_was_not_asked_for_is_counted_alone() {
        let moves = |black: &str| -> String {
            let knights = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(24);
            let moves = knights.zip((0..).map(|ply| if ply % 2 == 0 { "+1.50/9 1s" } else { black }));
            moves.map(|(san, eval)| format!("{san} {{{eval}}} ")).collect()
        };
        let of = |event: &str, number: usize, black: &str| {
            let tags = format!("[Round \"{number}\"]\n");
            game(&tags, &moves(black))
                .replace("\"e\"", &format!("\"{event}\""))
                .replace("\"A\"", &format!("\"A{number}\""))
        };
        let text: String = (0..40)
            .map(|number| of("right", number, "-1.50/9 1s"))
            .chain([of("turned", 50, "+1.50/9 1s"), game("[Variant \"Atomic\"]\n", MOVES)])
            .collect();
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("games.pgn");
        std::fs::write(&path, text).expect("a file");
        let asked = |event: &str| {
            let (mut games, one) = (0, NonZero::<usize>::MIN);
            let is_asked_for = |game: &Game| game.event == event;
            let reading =
                read_evaluated(vec![Input::File(path.clone())], None, one, is_asked_for, |_, _| games += 1, &|_, _| {});
            (games, reading.games, reading.others, reading.left_out, reading.problems.lines("used").len())
        };
        let none = [0; LeftOut::ALL.len()];
        assert_eq!(asked("right"), (40, 42, 2, none, 0));
        assert_eq!(asked("turned"), (1, 42, 41, none, 1));
        assert_eq!(asked("e").3[LeftOut::Variant as usize], 1);
    }

    #[test]
    fn games_that_cannot_be_followed_are_left_out_by_reason() {
        let german = MOVES.replace("Nf3", "Sf3");
        let text = [
            game("", MOVES),
            // Without its move White would be said to have made Black's.
            game("", &german),
            game("", &MOVES.replace("Nf3", "Nf6")),
            game("[Variant \"Atomic\"]\n", MOVES),
            game("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n", MOVES),
            game("[Termination \"time forfeit\"]\n", MOVES),
        ];
        let (reading, games) = read(&text.concat());
        assert_eq!((reading.games, games.len(), reading.left_out), (6, 1, [1, 1, 1, 2, 0]));
        assert_eq!(
            games[0].evaluations.iter().map(|found| found.white_moved).collect::<Vec<_>>(),
            [true, false, true, false]
        );
        let said = reading.left_out_in_words();
        assert_eq!(said.len(), 4);
        assert!(said[3].starts_with("left out: 2 games with an illegal or unreadable move"), "{said:?}");
    }

    #[test]
    fn an_evaluation_of_an_unreadable_last_move_is_nobodys() {
        let (_, games) = read(&game("", "1. e4 {+0.30/9 1s} e5 {-0.20/9 1s} 2. Txe8# {+M1/9 1s}"));
        let values: Vec<_> = games[0].evaluations.iter().map(|found| found.value).collect();
        assert_eq!(values, [EvalValue::Centipawns(30), EvalValue::Centipawns(20)]);
    }

    /// Once whole numbers counted centipawns here where `wdl collect` took them for pawns.
    #[test]
    fn an_evaluation_before_the_first_move_tells_the_unit_of_others() {
        let (_, games) = read(&game("", "{[%eval 0.2]} 1. e4 {[%eval 3]} e5 {[%eval 2]}"));
        let values: Vec<_> = games[0].evaluations.iter().map(|found| found.value).collect();
        assert_eq!(values, [EvalValue::Centipawns(300), EvalValue::Centipawns(200)]);
    }

    #[test]
    fn the_same_game_counts_once() {
        let other = game("", &MOVES.replace("0.40", "0.41"));
        let renamed = game("", MOVES).replace("\"e\"", "\"another event\"");
        let (reading, games) = read(&(game("", MOVES).repeat(3) + &other + &renamed));
        assert_eq!((reading.games, games.len()), (5, 2));
        assert_eq!(reading.left_out[LeftOut::Repeated as usize], 3);
    }

    #[test]
    fn games_from_one_position_are_of_one_opening() {
        let from = |counters: &str, eval: &str, moves: &str| {
            let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
            game(&format!("[FEN \"{fen} {counters}\"]\n"), &format!("2. {moves} {{{eval}/9 1s}}"))
        };
        let text = from("0 2", "+0.10", "Nf3") + &from("0 1", "+0.20", "f4") + &game("", "1. Nf3 {+0.10/9 1s}");
        let (_, games) = read(&(text + &game("", "1. f4 {+0.10/9 1s}")));
        let openings: HashSet<u64> = games.iter().map(|game| game.opening).collect();
        assert_eq!((games.len(), openings.len()), (4, 3));
        assert_eq!(games[0].opening, games[1].opening);
    }

    /// Copies of a game whose FEN another program has written are no further games, nor are others from there of another opening.
    #[test]
    fn a_start_is_the_same_however_its_fen_is_spelled() {
        const SPELLINGS: [&str; 7] = [
            "w KQkq - 0 2",
            "w KQkq e6 0 2",
            "w KQkq -",
            "w  KQkq -  0 2",
            "w\tKQkq - 0 2",
            "w HAha - 0 2",
            "w QKqk - 1 1",
        ];
        let from = |fen: &str, moves: &str| {
            let fen = format!("[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR {fen}\"]\n");
            game(&fen, &format!("2. {moves} {{+0.10/9 1s}}"))
        };
        let (reading, games) = read(&SPELLINGS.map(|fen| from(fen, "Nf3")).concat());
        assert_eq!((reading.games, games.len(), reading.left_out), (7, 1, [0, 0, 0, 0, 6]));
        let moves = ["Nf3", "Nc3", "f4", "d4", "c3", "Bc4", "Bb5"];
        let text: String = SPELLINGS.into_iter().zip(moves).map(|(fen, moves)| from(fen, moves)).collect();
        let (_, games) = read(&text);
        let openings: HashSet<u64> = games.iter().map(|game| game.opening).collect();
        assert_eq!((games.len(), openings.len()), (7, 1));
    }
}
