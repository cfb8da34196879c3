//! Results by advantage in pawns, for fitting the scale of [`pawn_advantage`](drawish_stats::model::pawn_advantage).

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::num::NonZero;
use std::ops::AddAssign;

use drawish_core::Wdl;
use shakmaty::Chess;
use shakmaty::san::San;

use super::BLOCKS;
use super::hash::{LINE, block_of, mix, san_code};
use crate::follow::Board;
use crate::pgn::{
    Account, GameHandler, Input, InputProblems, Interest, Progress, ReadGame, Repeats, Step, Tags, Variant,
    VariantChoice, fen_of, position_of, read_in_order, setup_of, start_epd,
};
use drawish_stats::model::pawn_advantage::expected_score;
use drawish_stats::numeric::bisect;
use drawish_stats::{are_enough, jackknife_errors, reach_of_95_percent_of_worth, worth};

/// Half-moves without a capture after which a material configuration counts as settled.
pub const QUIET_PLIES: u32 = 5;

/// Wins, draws and losses of the side ahead by advantage, in blocks of games: what was found in some files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdvantageCounts {
    blocks: Vec<BTreeMap<u32, Wdl>>,
    /// Games counted.
    pub games: u64,
    /// Games left out: no result, an abnormal ending, no position in the FEN tag, or another variant than standard chess and Chess960.
    pub skipped: u64,
    /// Games that were counted up to a move that cannot be made.
    pub cut: u64,
    /// Counted games that have the moves of an earlier one.
    pub repeats: Repeats,
}

/// The scale with its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// K in pawns: ten times the chances for each.
    pub k: f64,
    /// Standard error by the jackknife; none while blocks are not [enough](Self::is_enough), or where the rest without one has no scale.
    pub error: Option<f64>,
    /// That of 1/K.
    pub slope_error: Option<f64>,
    /// Blocks of games in which a side was ahead, from which the error comes.
    pub blocks: usize,
    /// So many blocks that tell equally much of K are [worth](drawish_stats::worth) as much.
    pub worth: f64,
}

impl Default for AdvantageCounts {
    fn default() -> Self {
        AdvantageCounts {
            blocks: vec![BTreeMap::new(); BLOCKS],
            games: 0,
            skipped: 0,
            cut: 0,
            repeats: Repeats::default(),
        }
    }
}

impl AdvantageCounts {
    /// Reads all games of the inputs, and reports what was wrong with single ones.
    pub fn gather(
        inputs: Vec<Input>,
        threads: NonZero<usize>,
        progress: &Progress<'_>,
    ) -> (AdvantageCounts, InputProblems) {
        let (mut counts, mut problems) = (AdvantageCounts::default(), InputProblems::default());
        let inputs = problems.leave_out_copies(inputs);
        let take = |step: Step<'_, AdvantageCounts, ()>| {
            if let Step::End(read) = step {
                problems.note(&read);
                counts += read.account;
            }
            Ok::<_, Infallible>(())
        };
        let Ok(()) = read_in_order(&inputs, threads, progress, Quiet::new, |quiet| (quiet.counts, ()), take);
        (counts, problems)
    }

    /// Wins, draws and losses of the side ahead by each number of pawns; for 0, each position from both sides.
    #[must_use]
    pub fn total(&self) -> BTreeMap<u32, Wdl> {
        let mut total: BTreeMap<u32, Wdl> = BTreeMap::new();
        for (pawns, outcomes) in self.blocks.iter().flatten() {
            *total.entry(*pawns).or_default() += *outcomes;
        }
        total
    }

    /// The most probable K: that at which the mean of (score - expected score) · P is 0, which the likelihood of logistic
    /// regression without a constant asks for. `None` if the side ahead does not score more than half.
    #[must_use]
    pub fn fit(&self) -> Option<Scale> {
        let blocks: Vec<_> = self.blocks.iter().filter(|block| block.keys().any(|pawns| *pawns > 0)).collect();
        let k = fit_scale(blocks.iter().copied())?;
        let k_and_slope = |k: f64| vec![k, 1.0 / k];
        let without: Option<Vec<Vec<f64>>> = (0..blocks.len())
            .map(|left_out| {
                let rest = blocks.iter().enumerate().filter(|(place, _)| *place != left_out).map(|(_, block)| *block);
                fit_scale(rest).map(k_and_slope)
            })
            .collect();
        let worth = worth(blocks.iter().map(|block| information(block, k)));
        let mut scale = Scale { k, error: None, slope_error: None, blocks: blocks.len(), worth };
        if let Some(errors) = without.filter(|_| scale.is_enough()).and_then(|without| jackknife_errors(&without)) {
            (scale.error, scale.slope_error) = (Some(errors[0]), Some(errors[1]));
        }
        Some(scale)
    }
}

impl Scale {
    /// Whether blocks are [enough](are_enough) to tell how much games differ.
    #[must_use]
    pub fn is_enough(&self) -> bool {
        are_enough(self.blocks, self.worth)
    }

    /// The 95 % interval of K in pawns, from that of 1/K: K is above 0, and large where material says little. Without an upper end
    /// where 1/K may be 0. `None` without errors.
    #[must_use]
    pub fn interval_95(&self) -> Option<(f64, Option<f64>)> {
        let reach = reach_of_95_percent_of_worth(self.worth) * self.slope_error?;
        let slope = 1.0 / self.k;
        Some((1.0 / (slope + reach), (slope > reach).then(|| 1.0 / (slope - reach))))
    }
}

impl AddAssign for AdvantageCounts {
    fn add_assign(&mut self, other: AdvantageCounts) {
        for (mine, theirs) in self.blocks.iter_mut().zip(other.blocks) {
            for (pawns, outcomes) in theirs {
                *mine.entry(pawns).or_default() += outcomes;
            }
        }
        self.games += other.games;
        self.skipped += other.skipped;
        self.cut += other.cut;
        self.repeats.merge(other.repeats);
    }
}

impl Account for AdvantageCounts {
    fn games(&self) -> u64 {
        self.games + self.skipped
    }
}

fn fit_scale<'a>(blocks: impl Iterator<Item = &'a BTreeMap<u32, Wdl>> + Clone) -> Option<f64> {
    // The sum falls as 1/K rises: between no slope and a very steep one it changes its sign once.
    let excess = |slope: f64| -> f64 {
        blocks
            .clone()
            .flatten()
            .map(|(pawns, results)| {
                let n = results.total() as f64;
                let score = results.wins as f64 + 0.5 * results.draws as f64;
                f64::from(*pawns) * (score - n * expected_score(f64::from(*pawns), 1.0 / slope))
            })
            .sum()
    };
    let (least, most) = (1e-6, 100.0);
    if excess(least) <= 0.0 || excess(most) >= 0.0 {
        return None;
    }
    let (below, above) = bisect(least, most, |slope| excess(slope) > 0.0);
    Some(2.0 / (below + above))
}

/// How much a block tells of 1/K, but for a factor that all have: the more, the more positions and pawns, and the less, the surer the end is.
fn information(block: &BTreeMap<u32, Wdl>, k: f64) -> f64 {
    let of = |(&pawns, results): (&u32, &Wdl)| {
        let expected = expected_score(f64::from(pawns), k);
        results.total() as f64 * f64::from(pawns).powi(2) * expected * (1.0 - expected)
    };
    block.iter().map(of).sum()
}

/// Takes the material of a game whenever five half-moves have passed without a capture.
struct Quiet {
    counts: AdvantageCounts,
    board: Option<Board>,
    quiet: u32,
    half_moves: u64,
    /// Of its first moves, by which it belongs to a block.
    line: u64,
    /// Of its start and all its moves.
    moves: u64,
    settled: Vec<i32>,
    is_cut: bool,
}

impl Quiet {
    fn new() -> Quiet {
        let counts = AdvantageCounts::default();
        Quiet { counts, board: None, quiet: 0, half_moves: 0, line: 0, moves: 0, settled: Vec::new(), is_cut: false }
    }
}

/// The position before the first move; `None` for a variant that is not known or a FEN that is no position.
fn start(tags: &Tags) -> Option<Chess> {
    let variant = Variant::of(tags);
    if !VariantChoice::Any.accepts(variant) {
        return None;
    }
    fen_of(tags).map_or_else(|| Some(Chess::default()), |fen| position_of(setup_of(fen)?, variant))
}

impl GameHandler for Quiet {
    fn begin(&mut self) {
        let counts = std::mem::take(&mut self.counts);
        *self = Quiet { counts, ..Quiet::new() };
    }

    fn moves(&mut self, tags: &Tags) -> Interest {
        // Asked again where more tags follow, so that nothing is left of those before.
        let start = start(tags).filter(|_| !tags.ended_abnormally());
        self.board = start.as_ref().map(Board::new);
        let epd = start.filter(|_| fen_of(tags).is_some()).map(|start| start_epd(&start));
        self.moves = epd.map_or(0, |epd| mix(0, epd.bytes().fold(0, |hash, byte| mix(hash, u64::from(byte)))));
        if self.board.is_some() { Interest::Moves } else { Interest::Nothing }
    }

    fn san(&mut self, san: San) {
        let Some(board) = self.board.as_mut().filter(|_| !self.is_cut) else { return };
        self.half_moves += 1;
        let code = san_code(board.spelled(san));
        self.moves = mix(self.moves, code);
        if self.half_moves <= LINE {
            self.line = mix(self.line, code);
        }
        let men = board.men();
        if !board.play(san) {
            self.is_cut = true;
            return;
        }
        self.quiet = if board.men() < men { 0 } else { self.quiet + 1 };
        if self.quiet == QUIET_PLIES {
            self.settled.push(board.advantage());
        }
    }

    fn end(&mut self, game: ReadGame<'_>) {
        let for_white = game.outcome();
        let Some(for_white) = for_white.filter(|_| self.board.is_some()) else {
            self.counts.skipped += 1;
            return;
        };
        self.counts.games += 1;
        self.counts.repeats.add(self.moves);
        self.counts.cut += u64::from(self.is_cut);
        let block = &mut self.counts.blocks[block_of(self.line)];
        for &advantage in &self.settled {
            let outcomes = block.entry(advantage.unsigned_abs()).or_default();
            if advantage >= 0 {
                outcomes.count(for_white);
            }
            if advantage <= 0 {
                outcomes.count(for_white.flip_colors());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::read_games;
    use drawish_core::Outcome;

    fn counts_of(text: &str) -> AdvantageCounts {
        let (found, _) = read_games(text.as_bytes(), false, Quiet::new);
        found.counts
    }

    #[test]
    fn material_settles_after_five_quiet_plies() {
        let head = "[Result \"1-0\"]\n\n";
        // Five quiet plies, then White wins a pawn, and five quiet plies again.
        let text = format!("{head}1. e4 d5 2. a3 a6 3. h3 h6 4. exd5 Nf6 5. b3 b6 6. c3 c6 1-0\n");
        let counts = counts_of(&text);
        assert_eq!((counts.games, counts.skipped, counts.cut), (1, 0, 0));
        assert_eq!(counts.total(), BTreeMap::from([(0, [1, 0, 1].into()), (1, [1, 0, 0].into())]));
        let illegal = counts_of(&format!("{head}1. e4 e4 1-0\n\n[Result \"*\"]\n\n1. e4 *\n"));
        assert_eq!((illegal.games, illegal.skipped, illegal.cut), (1, 1, 1));
    }

    /// What is lost on time says nothing of material, and `wdl collect` leaves it out.
    #[test]
    fn games_that_ended_abnormally_are_left_out() {
        let game = |termination: &str| {
            let head = format!("[Result \"1-0\"]\n[Termination \"{termination}\"]\n\n");
            let counts = counts_of(&format!("{head}1. e4 d5 2. a3 a6 3. h3 h6 1-0\n"));
            (counts.games, counts.skipped, counts.total().is_empty())
        };
        let twice = "[Result \"1-0\"]\n\n1. e4 d5 1-0\n\n".repeat(2) + "[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
        let twice = counts_of(&twice);
        assert_eq!((twice.games, twice.repeats.games()), (3, 1));
        assert_eq!(game("normal"), (1, 0, false));
        // A quote ends the tags for the reader, so that it first tells of those before.
        let torn = "[Event \"The \"Big\" One\"]\n[Result \"1-0\"]\n[Termination \"time forfeit\"]\n\n1. e4 d5 1-0\n";
        let torn = counts_of(torn);
        assert_eq!((torn.games, torn.skipped), (0, 1));
        assert_eq!(game("time forfeit"), (0, 1, true));
        assert_eq!(game("abandoned"), (0, 1, true));
    }

    #[test]
    fn a_game_is_the_same_however_its_fen_is_spelled() {
        let spellings = ["w KQkq - 0 2", "w KQkq e6 0 2", "w KQkq -", "w  KQkq\t- 0 2", "w HAha - 0 2", "w QKqk - 1 1"];
        let text = spellings.map(|fen| {
            let fen = format!("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR {fen}");
            format!("[Result \"1-0\"]\n[FEN \"{fen}\"]\n\n2. Nf3 Nc6 1-0\n\n")
        });
        let counts = counts_of(&text.concat());
        assert_eq!((counts.games, counts.skipped, counts.repeats.games()), (6, 0, 5));
    }

    #[test]
    fn a_known_scale_is_found_again() {
        let mut counts = AdvantageCounts::default();
        for (place, block) in counts.blocks.iter_mut().enumerate() {
            for pawns in 0..8_u32 {
                let wins = (1e6 * expected_score(f64::from(pawns), 3.5)).round() as u64 + place as u64;
                block.insert(pawns, [wins, 0, 1_000_000 - wins.min(1_000_000)].into());
            }
        }
        let scale = counts.fit().expect("a scale");
        assert!((scale.k - 3.5).abs() < 1e-3, "{scale:?}");
        assert!(scale.error.is_some_and(|error| error > 0.0 && error < 1e-3), "{scale:?}");
        assert_eq!(AdvantageCounts::default().fit(), None);
    }

    /// Games whose material wanders and decides them, each in the block of a line of its own.
    fn simulated(games: usize, random: &mut impl FnMut() -> f64) -> AdvantageCounts {
        let mut counts = AdvantageCounts::default();
        for _ in 0..games {
            let block = (random() * BLOCKS as f64) as usize;
            let mut ahead: i32 = 0;
            let mut settled = Vec::new();
            while settled.len() < 2 || random() < 0.8 {
                ahead += [0, 0, 0, 1, -1, 1, -1, 2, -2, 3, -3, 5, -5][(random() * 13.0) as usize];
                settled.push(ahead);
            }
            let (score, luck) = (expected_score(f64::from(ahead), 4.0), random());
            let draws = 0.3 * score.min(1.0 - score);
            let for_white = match luck {
                luck if luck < score - draws => Outcome::WhiteWin,
                luck if luck < score + draws => Outcome::Draw,
                _ => Outcome::BlackWin,
            };
            for ahead in settled {
                let outcomes = counts.blocks[block].entry(ahead.unsigned_abs()).or_default();
                if ahead >= 0 {
                    outcomes.count(for_white);
                }
                if ahead <= 0 {
                    outcomes.count(for_white.flip_colors());
                }
            }
        }
        counts
    }

    /// From two games on there were intervals.
    #[test]
    fn intervals_of_few_games_hold_the_scale() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let truth = simulated(20_000, &mut random).fit().expect("a scale").k;
        for games in [2, 5, 10, 20, 50] {
            let (trials, mut given, mut held) = (100, 0, 0);
            for _ in 0..trials {
                let Some(interval) = simulated(games, &mut random).fit().and_then(|scale| scale.interval_95()) else {
                    continue;
                };
                given += 1;
                held += u32::from(interval.0 <= truth && interval.1.is_none_or(|high| truth <= high));
            }
            let said = format!("{games} games: {given} of {trials} sets with an interval, held by {held}");
            assert!(f64::from(held) >= 0.9 * f64::from(given), "{said}");
            assert!(if games < 10 { given == 0 } else { games < 20 || given > trials / 2 }, "{said}");
        }
    }
}
