//! The pairs of a match in their order, as a sequential test looks at them.

use drawish_stats::numbers::{counted, grouped};
use drawish_stats::{Counted, Decision, Model, NoFigure, Pentanomial, Results, Sprt, SprtError, Tested, Trinomial};
use shakmaty::Color;

use super::record::PairRecord;
use super::repeats::SeenPairs;

/// The results of a match pair after pair, in the order of their numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Course(Vec<Step>);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    /// Half points of the first side in each of both games.
    halves: [u8; 2],
    /// The fingerprint of the pair: tests look at the same games once.
    print: Option<[u64; 2]>,
    /// Tests do not look at it: one of its games was in another pair.
    is_left_out: bool,
}

impl Course {
    /// That of these pairs.
    #[must_use]
    pub fn of<'a>(pairs: impl IntoIterator<Item = &'a PairRecord>) -> Course {
        let halves = |pair: &PairRecord| {
            let [one, two] = &pair.games;
            [(one, Color::White), (two, Color::Black)].map(|(game, own)| match game.winner() {
                None => 1,
                Some(winner) => 2 * u8::from(winner == own),
            })
        };
        let step =
            |pair| Step { halves: halves(pair), print: pair.fingerprint(["first", "second"]), is_left_out: false };
        Course(pairs.into_iter().map(step).collect())
    }

    /// That of pairs by the half points of the first side in both games, and by their fingerprints.
    pub(crate) fn of_halves(pairs: impl IntoIterator<Item = ([u8; 2], Option<[u64; 2]>)>) -> Course {
        Course(pairs.into_iter().map(|(halves, print)| Step { halves, print, is_left_out: false }).collect())
    }

    /// Says the fingerprint of the pair at a place.
    pub(crate) fn set_print(&mut self, place: usize, print: [u64; 2]) {
        if let Some(step) = self.0.get_mut(place) {
            step.print = Some(print);
        }
    }

    /// Leaves the pair at a place out of what tests look at.
    pub(crate) fn leave_out(&mut self, place: usize) {
        if let Some(step) = self.0.get_mut(place) {
            step.is_left_out = true;
        }
    }

    /// The pairs of several courses, one behind the other.
    #[must_use]
    pub fn joined<'a>(courses: impl IntoIterator<Item = &'a Course>) -> Course {
        Course(courses.into_iter().flat_map(|course| course.0.iter().copied()).collect())
    }

    /// How many pairs there are.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.len() as u64
    }

    /// The same for the other side.
    #[must_use]
    pub fn reversed(self) -> Course {
        Course(self.0.into_iter().map(|step| Step { halves: step.halves.map(|halves| 2 - halves), ..step }).collect())
    }

    /// Half points of the first side in both games of each pair.
    pub(crate) fn halves(&self) -> impl Iterator<Item = [u8; 2]> {
        self.0.iter().map(|step| step.halves)
    }

    /// The sum of all pairs.
    #[must_use]
    pub fn counted(&self) -> Counted {
        let (pairs, games) = self.sum();
        Counted { pairs: Some(pairs), games: Some(games) }
    }

    fn sum(&self) -> (Pentanomial, Trinomial) {
        let mut sum = Default::default();
        self.0.iter().for_each(|step| add(&mut sum, step.halves));
        sum
    }

    /// The pairs with their numbers from 1, without those that are left out or the same games as an earlier one: they add no evidence.
    fn looked_at(&self) -> impl Iterator<Item = (usize, [u8; 2])> {
        let mut seen = SeenPairs::default();
        let mut is_new = move |step: &Step| !step.is_left_out && step.print.is_none_or(|print| seen.add(print));
        (1..).zip(&self.0).filter(move |(_, step)| is_new(step)).map(|(number, step)| (number, step.halves))
    }

    /// What a test says, which looks at the match after each pair and ends with the first pair after which it is decided. Pairs
    /// behind that one, and those that are the same games as an earlier one, are only counted.
    ///
    /// # Errors
    ///
    /// If the test is not made for pairs and games, or there are no pairs.
    pub fn judge(&self, sprt: Sprt) -> Result<Tested, SprtError> {
        let mut decided = self.0.len();
        let mut sum = Default::default();
        for (number, pair) in self.looked_at() {
            add(&mut sum, pair);
            if sprt.decide(sprt.llr(&as_judged(sum, sprt))?) != Decision::Continue {
                decided = number;
                break;
            }
        }
        let tested = Tested::of(&as_judged(sum, sprt), sprt)?;
        Ok(Tested { later: (self.0.len() - decided) as u64, ..tested })
    }

    /// What a test says of all pairs at once, where they are not the first ones of a match: nothing is known then of where a test has
    /// stopped it.
    ///
    /// # Errors
    ///
    /// As [`judge`](Self::judge).
    pub fn judge_part(&self, sprt: Sprt) -> Result<Tested, SprtError> {
        let mut sum = Default::default();
        self.looked_at().for_each(|(_, pair)| add(&mut sum, pair));
        let tested = Tested::of(&as_judged(sum, sprt), sprt)?;
        Ok(Tested { estimate: tested.estimate.and(Err(NoFigure::OrderUnknown)), ..tested })
    }

    /// As [`judge`](Self::judge), of a match whose own test is, or may be, another one: where that has stopped it, Elo cannot be
    /// corrected for a stop by this one.
    ///
    /// # Errors
    ///
    /// As [`judge`](Self::judge).
    pub fn judge_beside(&self, sprt: Sprt, own: Option<Sprt>) -> Result<Tested, SprtError> {
        let tested = self.judge(sprt)?;
        let other = own.filter(|own| *own != sprt).map(|own| self.judge(own)).transpose()?;
        let is_stopped = other.is_some_and(|other| other.decision != Decision::Continue);
        Ok(if is_stopped { Tested { estimate: Err(NoFigure::OtherStop), ..tested } } else { tested })
    }
}

/// What is to be said, with its full stop, of pairs behind the one after which a test was decided; nothing if there are none.
#[must_use]
pub fn later_text(judged: u64, later: u64) -> Option<String> {
    (later > 0).then(|| {
        let (was, noun) = if later == 1 { ("was", "pair") } else { ("were", "pairs") };
        format!(
            "Decided after {}; {} more {noun} {was} played. LLR, verdict and the Elo corrected for the stop are those \
             of the first {}, all other figures those of all {} pairs.",
            counted(judged, "pair"),
            grouped(later),
            grouped(judged),
            grouped(judged + later)
        )
    })
}

fn as_judged(sum: (Pentanomial, Trinomial), sprt: Sprt) -> Results {
    if sprt.model() == Model::Bayesian { Results::Games(sum.1) } else { Results::Pairs(sum.0) }
}

fn add((pairs, games): &mut (Pentanomial, Trinomial), pair: [u8; 2]) {
    add_pair(pairs, pair);
    pair.into_iter().for_each(|halves| add_game(games, halves));
}

/// Counts a game by its half points.
pub(crate) fn add_game(games: &mut Trinomial, halves: u8) {
    match halves {
        0 => games.losses += 1,
        1 => games.draws += 1,
        _ => games.wins += 1,
    }
}

/// Counts a pair by the half points of its games.
pub(crate) fn add_pair(pairs: &mut Pentanomial, [one, two]: [u8; 2]) {
    *match one + two {
        0 => &mut pairs.ll,
        1 => &mut pairs.ld,
        2 => &mut pairs.wl_dd,
        3 => &mut pairs.wd,
        _ => &mut pairs.ww,
    } += 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wins decide a test, and losses behind the decision change nothing in it.
    #[test]
    fn pairs_behind_the_decision_are_only_counted() {
        let won = [[2, 2], [2, 1], [2, 1], [1, 1]].repeat(50);
        let lost = [[0, 0], [0, 1]].repeat(60);
        let course = Course::of_halves([won, lost].concat().into_iter().map(|halves| (halves, None)));
        for model in [Model::Normalized, Model::Logistic, Model::Bayesian] {
            let sprt = Sprt::new(model, 0.0, 20.0, 0.05, 0.05).expect("a test");
            let tested = course.judge(sprt).expect("judged");
            assert_eq!(tested.decision, Decision::H1, "{model:?}");
            let judged = course.0.len() - tested.later as usize;
            assert!(judged < 200, "{model:?}: {judged}");
            let until = Course(course.0[..judged].to_vec());
            assert_eq!(until.judge(sprt).expect("judged"), Tested { later: 0, ..tested });
            // Another test, which is still open there, has no stop to correct for.
            let wider = Sprt::new(model, 0.0, 5.0, 0.001, 0.001).expect("a test");
            let beside = until.judge_beside(wider, Some(sprt)).expect("judged");
            assert_eq!((beside.decision, beside.estimate), (Decision::Continue, Err(NoFigure::OtherStop)), "{model:?}");
            assert_eq!(until.judge_beside(sprt, Some(sprt)), until.judge(sprt));
            assert_eq!(until.judge_beside(wider, None), until.judge(wider));
            let before = Course(course.0[..judged - 1].to_vec());
            assert_eq!(before.judge_beside(wider, Some(sprt)), before.judge(wider));
            assert_eq!(before.judge(sprt).expect("judged").decision, Decision::Continue);
            let other = course.clone().reversed().judge(sprt.reversed()).expect("judged");
            assert_eq!((other.decision, other.later), (Decision::H0, tested.later), "{model:?}, from the other side");
        }
        let sum = course.counted();
        assert_eq!(sum.pairs.map(|pairs| (pairs.ww, pairs.ll)), Some((50, 60)));
        assert_eq!(sum.games.map(|games| games.wins), Some(200));
    }

    /// The same games again and again accept nothing, wherever they stand.
    #[test]
    fn a_test_looks_at_the_same_games_once() {
        let again = |times| std::iter::repeat_n(([2, 1], Some([7; 2])), times);
        let sprt = Sprt::new(Model::Normalized, 0.0, 20.0, 0.05, 0.05).expect("a test");
        let once = Course::of_halves(again(1)).judge(sprt).expect("judged");
        let often = Course::of_halves(again(500));
        assert_eq!(often.counted().pairs.map(|pairs| pairs.wd), Some(500));
        assert_eq!(
            (often.judge(sprt).expect("judged"), often.clone().reversed().judge(sprt).expect("judged").decision),
            (once, Decision::Continue)
        );
        assert_eq!(often.judge_part(sprt).expect("judged").llr, once.llr);
        let both = Course::joined([&often, &Course::of_halves([([2, 1], Some([9, 7])), ([0, 1], Some([8; 2]))])]);
        let two = Course::of_halves([([2, 1], None), ([0, 1], None)]);
        assert_eq!(both.judge(sprt).expect("judged"), two.judge(sprt).expect("judged"));
    }

    #[test]
    fn later_pairs_are_said() {
        assert_eq!(later_text(100, 0), None);
        let said = later_text(1100, 1).expect("a pair");
        assert!(said.starts_with("Decided after 1,100 pairs; 1 more pair was played."), "{said}");
        assert!(said.ends_with("those of all 1,101 pairs."), "{said}");
    }
}
