//! The article's counting.

use std::collections::HashSet;
use std::fmt;

use serde::Serialize;
use thiserror::Error;

use crate::pgn::{EvalValue, Writer};

use super::games::{Evaluation, Game};
use drawish_core::Outcome;
use drawish_stats::FEWEST_DIFFERING;

/// The best evaluation that a side ever had in a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Peak {
    /// A mate against the side, below every number: it never had anything better.
    Mated,
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// A mate for the side, above every number.
    Mate,
}

impl Peak {
    /// In pawns; `None` for a mate.
    #[must_use]
    pub fn pawns(self) -> Option<f64> {
        match self {
            Peak::Centipawns(value) => Some(f64::from(value) / 100.0),
            Peak::Mated | Peak::Mate => None,
        }
    }
}

/// What a side made of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "as it says")]
pub enum Score {
    Win,
    Draw,
    Loss,
}

/// A game from the view of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// The number of the game, the same for both of its sides.
    pub game: u32,
    /// Its [opening](Game::opening): games that have it in common depend on each other.
    pub opening: u64,
    /// What came of it.
    pub score: Score,
    /// The best evaluation of this side; `None` if there is none.
    pub peak: Option<Peak>,
}

impl Record {
    /// The records of White and of Black; `None` for a game without a result.
    ///
    /// If players wrote the evaluations, each side has those after its own moves; if an analyst did, both have all.
    /// `writer` overrides what the style of each evaluation says about that.
    #[must_use]
    pub fn of_game(game: &Game, number: u32, writer: Option<Writer>) -> Option<[Record; 2]> {
        let outcome = game.outcome?;
        Some([true, false].map(|is_white| {
            let counts = |found: &&Evaluation| match writer.unwrap_or(found.writer) {
                Writer::Players => found.white_moved == is_white,
                Writer::Analyst => true,
            };
            let own = game.evaluations.iter().filter(counts);
            let peak = own.map(|found| match if is_white { found.value } else { found.value.negated() } {
                EvalValue::Centipawns(value) => Peak::Centipawns(value),
                EvalValue::Mate(moves) if moves < 0 => Peak::Mated,
                EvalValue::Mate(_) => Peak::Mate,
            });
            let score = match (outcome, is_white) {
                (Outcome::Draw, _) => Score::Draw,
                (Outcome::WhiteWin, true) | (Outcome::BlackWin, false) => Score::Win,
                (Outcome::WhiteWin, false) | (Outcome::BlackWin, true) => Score::Loss,
            };
            Record { game: number, opening: game.opening, score, peak: peak.max() }
        }))
    }
}

/// An evaluation e(>0.75) and the average result of the games in which it was reached.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Pair {
    /// In pawns, above 0.
    pub evaluation: f64,
    /// (wins + draws / 2) / (wins + draws + losses), with the wins of all games, in points.
    pub result: f64,
    /// Games that were not won although it was reached.
    pub without_win: u64,
    /// Losses among them.
    pub losses: u64,
}

/// What was counted. `None` is what cannot be told, most often because there are fewer games without a win than with one.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Count {
    /// Different games in which the side has an evaluation; all below is about these.
    pub games: u64,
    /// Wins.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Losses. With wins and draws as many as records: twice the games if both sides of each game count.
    pub losses: u64,
    /// Records left out because that side has no evaluation.
    pub without_evaluations: u64,
    /// Different openings of the wins.
    pub openings_won: u64,
    /// Different openings of the draws and losses.
    pub openings_not_won: u64,
    /// e(=0.75) by counting, in pawns: the n-th highest peak of the games that were not won, n being the wins.
    pub e75: Option<f64>,
    /// Losses among those n, a share of them where several have the n-th highest peak.
    pub losses_at_e75: f64,
    /// e(=0.75) corrected for these losses: with them the average result at e is y = 3/4 - losses / (4 n), and the first
    /// sector of the curve, y = 1/2 + e / (4 e75), goes through that point: e75 = e / (1 - losses / n).
    pub e75_corrected: Option<f64>,
    /// The highest peak of a game that was not won.
    pub max_without_win: Option<Peak>,
    /// The average result of the games in which it was reached.
    pub result_at_max: Option<f64>,
    /// Every peak down to e(=0.75) with its average result, from the highest; mates and what is not above 0 left out.
    pub pairs: Vec<Pair>,
}

impl Count {
    /// The result to which the article takes the nearest pair.
    pub const MIDDLE: f64 = 0.875;

    /// Why games drawn again from these would not say how far the figures can be off; `None` if they do.
    #[must_use]
    pub fn too_few(&self) -> Option<TooFew> {
        let found = TooFew {
            won: self.wins,
            not_won: self.draws + self.losses,
            openings_won: self.openings_won,
            openings_not_won: self.openings_not_won,
        };
        (found.openings_won.min(found.openings_not_won) < FEWEST_DIFFERING).then_some(found)
    }

    /// The pair whose result is nearest to 0.875, the middle between 0.75 and 1; of two the one with the higher evaluation.
    #[must_use]
    pub fn nearest(&self) -> Option<Pair> {
        let distance = |pair: &Pair| (pair.result - Count::MIDDLE).abs();
        self.pairs.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }
}

/// Too few games for intervals, or games of too few openings: those of one opening say little more than one of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub struct TooFew {
    /// Sides with an evaluation that won.
    pub won: u64,
    /// Those that did not.
    pub not_won: u64,
    /// Different openings of those that won.
    pub openings_won: u64,
    /// Different openings of those that did not.
    pub openings_not_won: u64,
}

impl fmt::Display for TooFew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &TooFew { won, not_won, openings_won, openings_not_won } = self;
        if won.min(not_won) < FEWEST_DIFFERING {
            return write!(f, "{won} won and {not_won} not won are too few, {FEWEST_DIFFERING} of each are needed");
        }
        let openings = |number: u64| if number == 1 { "1 opening".to_owned() } else { format!("{number} openings") };
        write!(
            f,
            "{won} won from {} and {not_won} not won from {} are too few, {FEWEST_DIFFERING} of each from different openings are needed",
            openings(openings_won),
            openings(openings_not_won)
        )
    }
}

/// Counts some records.
#[must_use]
pub fn count(records: &[Record]) -> Count {
    let mut count = Ranked::new(records).count(|_| 1);
    let mut games: Vec<_> = records.iter().filter(|record| record.peak.is_some()).map(|record| record.game).collect();
    games.sort_unstable();
    games.dedup();
    count.games = games.len() as u64;
    let openings = |won: bool| {
        let counted = records.iter().filter(|record| record.peak.is_some() && (record.score == Score::Win) == won);
        counted.map(|record| record.opening).collect::<HashSet<_>>().len() as u64
    };
    (count.openings_won, count.openings_not_won) = (openings(true), openings(false));
    count.without_evaluations = records.iter().filter(|record| record.peak.is_none()).count() as u64;
    count
}

/// Records with an evaluation, in the order in which they are counted.
pub(super) struct Ranked {
    /// Those without a win, by falling peak.
    without_win: Vec<(Peak, Record)>,
    won: Vec<Record>,
}

impl Ranked {
    pub fn new(records: &[Record]) -> Ranked {
        let counted = records.iter().filter_map(|record| Some((record.peak?, *record)));
        let (won, mut without_win): (Vec<_>, Vec<_>) = counted.partition(|(_, record)| record.score == Score::Win);
        without_win.sort_by_key(|(peak, _)| std::cmp::Reverse(*peak));
        Ranked { without_win, won: won.into_iter().map(|(_, record)| record).collect() }
    }

    /// Counts each record as often as `weight` says; how many different games and openings there are is left at 0.
    pub fn count(&self, weight: impl Fn(&Record) -> u64) -> Count {
        let wins = self.won.iter().map(&weight).sum();
        let mut count = Count { wins, ..Count::default() };
        for (_, record) in &self.without_win {
            let times = weight(record);
            if record.score == Score::Draw { count.draws += times } else { count.losses += times }
        }
        let (mut above, mut losses_above) = (0, 0);
        for same in self.without_win.chunk_by(|(a, _), (b, _)| a == b) {
            let peak = same[0].0;
            let here: u64 = same.iter().map(|(_, record)| weight(record)).sum();
            if here == 0 {
                continue;
            }
            let lost = same.iter().filter(|(_, record)| record.score == Score::Loss);
            let losses_here: u64 = lost.map(|(_, record)| weight(record)).sum();
            let (without_win, losses) = (above + here, losses_above + losses_here);
            let result = (count.wins as f64 + (without_win - losses) as f64 / 2.0) / (count.wins + without_win) as f64;
            if above == 0 {
                count.max_without_win = Some(peak);
                count.result_at_max = Some(result);
            }
            if above >= count.wins {
                break;
            }
            if let Some(evaluation) = peak.pawns().filter(|&pawns| pawns > 0.0) {
                count.pairs.push(Pair { evaluation, without_win, losses, result });
                if without_win >= count.wins {
                    let needed = (count.wins - above) as f64 / here as f64;
                    count.losses_at_e75 = losses_above as f64 + losses_here as f64 * needed;
                    count.e75 = Some(evaluation);
                    let kept = 1.0 - count.losses_at_e75 / count.wins as f64;
                    count.e75_corrected = (kept > 0.0).then(|| evaluation / kept);
                }
            }
            (above, losses_above) = (without_win, losses);
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{GameEnd, Style};

    /// Records with the peaks of games that were not won, losses marked.
    fn records(wins: usize, without_win: &[(i32, Score)]) -> Vec<Record> {
        let won = vec![(5000, Score::Win); wins];
        let all = won.into_iter().chain(without_win.iter().copied()).enumerate();
        all.map(|(game, (peak, score))| Record {
            game: game as u32,
            opening: game as u64,
            score,
            peak: Some(Peak::Centipawns(peak)),
        })
        .collect()
    }

    /// The article's example, LCZero in superfinal 17: 17 wins, the 17th highest evaluation without a win is 1.26, one
    /// of the 17 games is a loss at 1.89, the fourth highest; the highest is 5.01. It has 1.34 corrected, 0.9722 at the
    /// highest and 1.89 / 0.8810 as the nearest pair.
    #[test]
    fn the_example_of_the_article() {
        let mut without_win = vec![(501, Score::Draw), (300, Score::Draw), (200, Score::Draw), (189, Score::Loss)];
        without_win.extend((0..12).map(|i| (180 - i, Score::Draw)));
        without_win.extend([(126, Score::Draw), (90, Score::Draw), (10, Score::Loss)]);
        let count = count(&records(17, &without_win));
        assert_eq!((count.games, count.wins, count.draws, count.losses), (36, 17, 17, 2));
        assert_eq!((count.e75, count.losses_at_e75), (Some(1.26), 1.0));
        assert_eq!(format!("{:.2}", count.e75_corrected.expect("a value")), "1.34");
        assert_eq!(count.max_without_win, Some(Peak::Centipawns(501)));
        assert_eq!(format!("{:.4}", count.result_at_max.expect("a value")), "0.9722");
        let nearest = count.nearest().expect("a pair");
        assert_eq!((nearest.evaluation, format!("{:.4}", nearest.result)), (1.89, "0.8810".to_owned()));
        assert_eq!(count.pairs.last().map(|pair| pair.evaluation), Some(1.26));
    }

    #[test]
    fn several_games_with_one_peak() {
        use Score::{Draw, Loss};
        let mut games = [(200, Draw), (100, Loss), (100, Draw), (100, Draw), (50, Draw)];
        let counted = count(&records(2, &games));
        // The second highest is one of three, of which one is lost.
        assert_eq!((counted.e75, counted.losses_at_e75), (Some(1.0), 1.0 / 3.0));
        assert_eq!(counted.pairs.iter().map(|pair| pair.without_win).collect::<Vec<_>>(), [1, 4]);
        games.reverse();
        assert_eq!(count(&records(2, &games)), counted, "the order of the games does not matter");
    }

    #[test]
    fn what_cannot_be_told() {
        use Score::{Draw, Loss};
        let few = count(&records(3, &[(200, Draw), (100, Draw)]));
        assert_eq!((few.e75, few.max_without_win), (None, Some(Peak::Centipawns(200))));
        assert_eq!(few.pairs.len(), 2);
        let negative = count(&records(2, &[(20, Draw), (-30, Draw)]));
        assert_eq!((negative.e75, negative.pairs.len()), (None, 1));
        let lost = count(&records(1, &[(20, Loss)]));
        assert_eq!((lost.e75, lost.e75_corrected), (Some(0.2), None));
        let no_win = count(&records(0, &[(20, Draw)]));
        assert_eq!((no_win.e75, no_win.pairs.len(), no_win.nearest()), (None, 0, None));
        assert_eq!(no_win.result_at_max, Some(0.5));
        assert_eq!(count(&[]), Count::default());
        let silent = [Score::Win, Score::Draw].map(|score| Record { game: 7, opening: 7, score, peak: None });
        assert_eq!(count(&silent), Count { without_evaluations: 2, ..Count::default() });
    }

    #[test]
    fn games_of_one_opening_are_not_enough() {
        let mut records = records(8, &[(20, Score::Draw); 9]);
        assert_eq!(count(&records).too_few(), None);
        for (openings, few) in [
            (5, None),
            (
                4,
                Some(
                    "8 won from 4 openings and 9 not won from 4 openings are too few, 5 of each from different openings are needed",
                ),
            ),
        ] {
            records.iter_mut().for_each(|record| record.opening = u64::from(record.game) % openings);
            assert_eq!(count(&records).too_few().map(|few| few.to_string()).as_deref(), few);
        }
        let few = count(&records[4..]).too_few().expect("too few");
        assert_eq!(few.to_string(), "4 won and 9 not won are too few, 5 of each are needed");
    }

    #[test]
    fn peaks_are_those_of_the_side_that_wrote_them() {
        let evaluation = |value, white_moved, style| Evaluation { value, white_moved, style, writer: style.writer() };
        let mut game = Game {
            event: String::new(),
            white: String::new(),
            black: String::new(),
            outcome: Some(Outcome::Draw),
            opening: 0,
            line: 0,
            evaluations: [(40, true), (-300, false), (500, false), (-90, true)]
                .map(|(value, white)| evaluation(EvalValue::Centipawns(value), white, Style::Tcec))
                .to_vec(),
            end: GameEnd::Whole,
        };
        let peaks = |game: &Game, writer| {
            Record::of_game(game, 0, writer).expect("a result").map(|record| record.peak.expect("a peak"))
        };
        assert_eq!(peaks(&game, None), [Peak::Centipawns(40), Peak::Centipawns(300)]);
        assert_eq!(peaks(&game, Some(Writer::Analyst)), [Peak::Centipawns(500), Peak::Centipawns(300)]);
        game.evaluations.iter_mut().for_each(|evaluation| evaluation.writer = Writer::Analyst);
        assert_eq!(peaks(&game, None), [Peak::Centipawns(500), Peak::Centipawns(300)]);
        assert_eq!(peaks(&game, Some(Writer::Players)), [Peak::Centipawns(40), Peak::Centipawns(300)]);
        game.evaluations.push(evaluation(EvalValue::Mate(-3), true, Style::Tcec));
        assert_eq!(peaks(&game, Some(Writer::Analyst)), [Peak::Centipawns(500), Peak::Mate]);
        game.outcome = None;
        assert_eq!(Record::of_game(&game, 0, None), None);
    }
}
