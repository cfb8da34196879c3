//! Elo of several engines from the games between them.
//!
//! The model is that of Bradley and Terry with a draw as half a win: engine i expects the share
//! s = 1 / (1 + 10^((r_j - r_i) / 400)) of the points against engine j. The ratings r are those of largest likelihood, and only their differences
//! are defined, so one of them, or their mean, is put at 0.
//!
//! Draws and the common opening of a pair make results vary less, or more, than independent games with such odds would, so the
//! errors do not trust the model for that: they are those of a sandwich H^-1 M H^-1 with pairs of games as clusters (Liang and Zeger
//! 1986), H being the information of the model and M the sum of the squared residuals of the pairs, each divided by one less its
//! leverage (J. G. MacKinnon and H. White 1985, HC2). For two engines that is the error of Elo by the variance of their pairs.
//!
//! Where all pairings play the same openings ([`Ratings::of_rounds`]), an opening that suits one engine does so against several
//! opponents: there M has one square for each round, or for all rounds from an opening that comes again, of the sum of the residuals of all its pairs.

mod fit;
mod groups;
mod rounds;

use thiserror::Error;

use self::fit::Fit;
use self::groups::{chained, comparable, reach_by_points};
pub use self::rounds::RoundPair;
use self::rounds::{Part, gathered, of_engine};
use super::elo::{ELO_PER_LOGIT, LARGEST_ELO};
use super::enough::FEWEST_DIFFERING;
use super::jackknife::{cdf_of_blocks, reach_of_95_percent};
use super::numeric::{bisect, neg_ln_sigmoid};
use super::results::Pentanomial;

/// Results of the pairs between two engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encounter {
    /// Which engines, by their numbers from 0.
    pub engines: [usize; 2],
    /// The pairs, by their points for the first of both.
    pub pairs: Pentanomial,
}

/// What has Elo 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EloZero {
    /// The mean of all engines whose Elo is estimated.
    #[default]
    Mean,
    /// An engine, by its number from 0.
    Engine(usize),
}

/// The strength of an engine among others.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RatedElo {
    /// The likeliest Elo.
    Likeliest {
        /// Elo.
        elo: f64,
        /// Half the width of its 95 % interval, with Student's distribution for the number of the engine's pairs, or of those that
        /// its distance from the zero depends on if these are fewer. `None` while fewer than [`FEWEST_DIFFERING`] of either differ from
        /// the most common result of their two engines, or while encounters with fewer carry more than 20 % of its variance and do not
        /// have as many together: pairs that all end alike do not say how much pairs vary.
        error: Option<f64>,
    },
    /// It has won every game against the engines that have an Elo, so that no finite Elo is the likeliest. With this Elo it would win
    /// all these pairs with a probability of 0.025 at most, the Elo of its opponents taken as exact: a pair is won with probability s at
    /// most, the expected share of its points. `None` if it has played none of them.
    AtLeast(Option<f64>),
    /// The same for an engine that has lost every such game.
    AtMost(Option<f64>),
    /// Neither has it taken points from the engines that have an Elo, if only by way of others, nor they from it: it may be stronger
    /// or weaker than all of them.
    Unknown,
}

/// Elo of several engines, with their errors.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    elos: Vec<RatedElo>,
    order: Vec<usize>,
    fit: Fit,
    /// Of each engine, if pairs are of rounds: how many it has played, and in how many it made other points than in most.
    rounds: Option<Vec<(usize, u64)>>,
}

/// Why there are no ratings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RatingsError {
    /// Results or the zero name an engine that is not there.
    #[error("there is no engine of number {engine}: expected 0 to {}", engines.saturating_sub(1))]
    NoSuchEngine {
        /// The number.
        engine: usize,
        /// How many there are.
        engines: usize,
    },
    /// Results do not connect the engines.
    #[error("no chain of games leads from engine {one} to engine {other}, so nothing says which is stronger")]
    Apart {
        /// An engine.
        one: usize,
        /// The first one that is not connected with it.
        other: usize,
    },
    /// Results of an engine against itself: they say nothing of its strength.
    #[error("engine {engine} stands on both sides of a result; leave out what it has played against itself")]
    Itself {
        /// The number.
        engine: usize,
    },
    /// The engine that should have Elo 0 has none.
    #[error("engine {engine} has only won, or only lost, so that nothing can be measured from it")]
    NoZero {
        /// The engine.
        engine: usize,
    },
}

impl Encounter {
    pub(crate) fn by_points(&self) -> [u64; 5] {
        let Pentanomial { ll, ld, wl_dd, wd, ww } = self.pairs;
        [ll, ld, wl_dd, wd, ww]
    }

    /// Pairs.
    fn count(&self) -> f64 {
        self.by_points().map(|count| count as f64).iter().sum()
    }

    /// Points of the first engine and of the second.
    fn points(&self) -> [f64; 2] {
        let own: f64 =
            self.by_points().iter().zip(0..).map(|(&count, halves)| count as f64 * f64::from(halves) / 2.0).sum();
        [own, 2.0 * self.count() - own]
    }

    /// The side of an engine, if it played here.
    fn side_of(&self, engine: usize) -> Option<usize> {
        self.engines.iter().position(|&own| own == engine)
    }
}

impl Ratings {
    /// Rates engines with the numbers 0 to `engines` - 1; the same two may meet in several encounters.
    ///
    /// Engines that have taken points from each other, if only by way of others, are rated together. Of those that have not, because
    /// somebody has only won or only lost, the largest group is rated, and the others get a bound from their games against it.
    ///
    /// ```
    /// use drawish_stats::{EloZero, Encounter, Pentanomial, RatedElo, Ratings};
    ///
    /// let met = |engines, [ll, ld, wl_dd, wd, ww]: [u64; 5]| Encounter { engines, pairs: Pentanomial { ll, ld, wl_dd, wd, ww } };
    /// let met = [met([0, 1], [2, 9, 30, 14, 5]), met([0, 2], [0, 4, 20, 24, 12]), met([1, 2], [1, 8, 25, 18, 8])];
    /// let ratings = Ratings::of(3, &met, EloZero::Mean)?;
    /// let RatedElo::Likeliest { elo, error: Some(error) } = ratings.elos()[0] else { panic!("an Elo") };
    /// assert_eq!(format!("{elo:.1} +- {error:.1}"), "54.8 +- 19.8");
    /// assert!(ratings.superiority(0, 1).is_some_and(|los| (0.990..0.992).contains(&los)));
    /// # Ok::<(), drawish_stats::RatingsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If not all engines are connected by games, a number names no engine, or an engine has played itself.
    pub fn of(engines: usize, met: &[Encounter], zero: EloZero) -> Result<Ratings, RatingsError> {
        Ratings::rated(engines, met, None, zero)
    }

    /// The same from single pairs, of which those of a round depend on each other, as in a tournament where all pairings play the same
    /// openings: rounds are the clusters of the errors, and Student's distribution has their number. There is no error from fewer than
    /// [`FEWEST_DIFFERING`] rounds, nor while in fewer rounds an engine makes other points than mostly.
    ///
    /// # Errors
    ///
    /// As [`of`](Self::of).
    pub fn of_rounds(engines: usize, pairs: &[RoundPair], zero: EloZero) -> Result<Ratings, RatingsError> {
        let (met, rounds) = gathered(pairs);
        Ratings::rated(engines, &met, Some(&rounds), zero)
    }

    /// Parts of rounds name their encounters as they stand here; then no two of these are of the same engines, and none is empty.
    fn rated(
        engines: usize,
        met: &[Encounter],
        rounds: Option<&[Vec<Part>]>,
        zero: EloZero,
    ) -> Result<Ratings, RatingsError> {
        let anchor = match zero {
            EloZero::Mean => None,
            EloZero::Engine(engine) => Some(engine),
        };
        let named = met.iter().flat_map(|met| met.engines).chain(anchor);
        if let Some(engine) = named.into_iter().find(|&engine| engine >= engines) {
            return Err(RatingsError::NoSuchEngine { engine, engines });
        }
        if let Some(met) = met.iter().find(|met| met.engines[0] == met.engines[1]) {
            return Err(RatingsError::Itself { engine: met.engines[0] });
        }
        let met: Vec<Encounter> = met.iter().copied().filter(|met| met.count() > 0.0).collect();
        if let Some(other) = chained(engines, &met).iter().position(|reached| !reached) {
            return Err(RatingsError::Apart { one: 0, other });
        }
        let met = merged(&met);
        let reach = reach_by_points(engines, &met);
        let rated = comparable(&reach, &met);
        if let Some(engine) = anchor.filter(|&engine| !rated[engine]) {
            return Err(RatingsError::NoZero { engine });
        }
        let fit = Fit::of(&rated, &met, rounds, anchor);
        let elos = (0..engines).map(|engine| match fit.logit(engine) {
            Some(logit) => RatedElo::Likeliest { elo: ELO_PER_LOGIT * logit, error: error(engine, &fit, &met, rounds) },
            None => bound(engine, &fit, &met, rounds).unwrap_or_else(|| by_way_of_others(engine, &rated, &reach)),
        });
        let elos: Vec<RatedElo> = elos.collect();
        let rounds = rounds.map(|rounds| (0..engines).map(|engine| of_engine(engine, &met, rounds)).collect());
        Ok(Ratings { order: order(&elos, &reach, &met), elos, fit, rounds })
    }

    /// The Elo of each engine, by its number.
    #[must_use]
    pub fn elos(&self) -> &[RatedElo] {
        &self.elos
    }

    /// The engines from the strongest to the weakest. Whoever has taken points from another one, if only by way of others, stands above
    /// it if that has taken none from him; engines that have taken points from each other are in the order of their Elo, or without
    /// one of their share of points, and so are those that nothing compares.
    #[must_use]
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The likelihood that one engine is the stronger of two: Student's distribution at the difference by its standard error, as for the
    /// intervals, for the number of the pairs that the difference depends on or of rounds of either engine, if fewer. `None` where one of
    /// them has no Elo, or their difference no error, as in [`RatedElo::Likeliest`], or of engines that play exactly alike.
    #[must_use]
    pub fn superiority(&self, one: usize, other: usize) -> Option<f64> {
        let difference = self.fit.logit(one)? - self.fit.logit(other)?;
        let (error, pairs) = self.fit.error_of_difference(one, other).filter(|(error, _)| *error > 0.0)?;
        let mut clusters = pairs.round() as usize;
        if let Some(rounds) = &self.rounds {
            for (played, differing) in [rounds[one], rounds[other]] {
                if differing.min(played as u64) < FEWEST_DIFFERING {
                    return None;
                }
                clusters = clusters.min(played);
            }
        }
        Some(cdf_of_blocks(difference / error, clusters))
    }
}

impl RatedElo {
    /// The likeliest Elo, or the bound, if there is one.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        match *self {
            RatedElo::Likeliest { elo, .. } => Some(elo),
            RatedElo::AtLeast(bound) | RatedElo::AtMost(bound) => bound,
            RatedElo::Unknown => None,
        }
    }
}

/// One encounter for each two engines that have met.
fn merged(met: &[Encounter]) -> Vec<Encounter> {
    let mut merged: Vec<Encounter> = Vec::new();
    for met in met {
        let Some(known) = merged.iter_mut().find(|known| met.engines.iter().all(|&one| known.side_of(one).is_some()))
        else {
            merged.push(*met);
            continue;
        };
        let mut counts = met.by_points();
        if known.engines != met.engines {
            counts.reverse();
        }
        let known = &mut known.pairs;
        let all = [&mut known.ll, &mut known.ld, &mut known.wl_dd, &mut known.wd, &mut known.ww];
        all.into_iter().zip(counts).for_each(|(known, more)| *known = known.saturating_add(more));
    }
    merged
}

/// Half the width of the interval of an engine; `None` if the results that it depends on hardly vary.
fn error(engine: usize, fit: &Fit, met: &[Encounter], rounds: Option<&[Vec<Part>]>) -> Option<f64> {
    let own = met.iter().filter(|met| met.side_of(engine).is_some()).map(Encounter::by_points);
    let (pairs, differing) = own.fold((0_u64, 0_u64), |(pairs, differing), mut counts| {
        counts.sort_unstable();
        let others = counts[..4].iter().fold(0_u64, |sum, &count| sum.saturating_add(count));
        (pairs.saturating_add(others).saturating_add(counts[4]), differing.saturating_add(others))
    });
    let (error, behind) = fit.error(engine).filter(|_| differing >= FEWEST_DIFFERING)?;
    let fewer = if error > 0.0 { behind.min(pairs as f64) } else { pairs as f64 };
    let mut clusters = fewer.round() as usize;
    if let Some(rounds) = rounds {
        let (played, differing) = of_engine(engine, met, rounds);
        if differing.min(played as u64) < FEWEST_DIFFERING {
            return None;
        }
        clusters = clusters.min(played);
    }
    Some(ELO_PER_LOGIT * reach_of_95_percent(clusters) * error)
}

/// The bound of an engine that has won, or lost, every game against those with an Elo; `None` if it has played none of them. What it has won
/// of a round has the probability of its least likely pair at most, however alike the pairs of a round go.
fn bound(engine: usize, fit: &Fit, met: &[Encounter], rounds: Option<&[Vec<Part>]>) -> Option<RatedElo> {
    let opponent = |met: &Encounter| {
        let side = met.side_of(engine)?;
        Some((fit.logit(met.engines[1 - side])?, met.points()[side] > 0.0))
    };
    let wins = met.iter().find_map(opponent)?.1;
    let sign = if wins { 1.0 } else { -1.0 };
    let against: Vec<(f64, f64)> = match rounds {
        None => met.iter().filter_map(|met| Some((opponent(met)?.0, met.count()))).collect(),
        Some(rounds) => {
            let hardest = |round: &Vec<Part>| {
                let others = round.iter().filter_map(|part| opponent(&met[part.encounter]));
                others.map(|(other, _)| sign * other).reduce(f64::max).map(|hardest| (sign * hardest, 1.0))
            };
            rounds.iter().filter_map(hardest).collect()
        }
    };
    let unlikely = |logit: f64| {
        let loss: f64 = against.iter().map(|(other, pairs)| pairs * neg_ln_sigmoid(sign * (logit - other))).sum();
        loss > -0.025f64.ln()
    };
    // From where all is unlikely to where it is not.
    let extreme = |towards: f64| {
        let others = against.iter().map(|(other, _)| sign * towards * other).fold(f64::NEG_INFINITY, f64::max);
        sign * towards * (others + 4.0 * LARGEST_ELO / ELO_PER_LOGIT)
    };
    let found = bisect(extreme(-1.0), extreme(1.0), unlikely).0;
    let elo = Some(ELO_PER_LOGIT * found);
    Some(if wins { RatedElo::AtLeast(elo) } else { RatedElo::AtMost(elo) })
}

/// On which side of those with an Elo an engine is that has played none of them.
fn by_way_of_others(engine: usize, rated: &[bool], reach: &[Vec<bool>]) -> RatedElo {
    // Who reaches one of the group reaches all of it.
    let Some(one) = rated.iter().position(|&is_rated| is_rated) else { return RatedElo::Unknown };
    match (reach[engine][one], reach[one][engine]) {
        (true, _) => RatedElo::AtLeast(None),
        (false, true) => RatedElo::AtMost(None),
        (false, false) => RatedElo::Unknown,
    }
}

/// The engines from the strongest to the weakest.
fn order(elos: &[RatedElo], reach: &[Vec<bool>], met: &[Encounter]) -> Vec<usize> {
    let engines = elos.len();
    let share = |of: &dyn Fn(usize) -> bool| {
        let sides =
            met.iter().flat_map(|met| met.engines.into_iter().zip(met.points()).map(|side| (side, met.count())));
        let (points, pairs) = sides
            .filter(|((engine, _), _)| of(*engine))
            .fold((0.0, 0.0), |(points, pairs), ((_, own), count)| (points + own, pairs + count));
        if pairs > 0.0 { points / (2.0 * pairs) } else { 0.5 }
    };
    let key = |engine: usize| {
        let beside = |other: usize| reach[engine][other] && reach[other][engine];
        let above = (0..engines).filter(|&other| reach[other][engine] && !reach[engine][other]).count();
        let group = (0..engines).find(|&other| beside(other)).unwrap_or(engine);
        let strength = match elos[engine] {
            RatedElo::Likeliest { elo, .. } => elo,
            _ => share(&|other| other == engine),
        };
        // What is less than a millionth of an Elo is rounding; and 0 has one sign.
        (above, share(&beside), group, (1e6 * strength).round() + 0.0)
    };
    // Whoever stands above an engine has fewer above himself. Engines of the same strength stay in their order.
    let keys: Vec<_> = (0..engines).map(key).collect();
    let mut order: Vec<usize> = (0..engines).collect();
    order.sort_by(|&one, &other| {
        let ((above, share, group, strength), than) = (keys[one], keys[other]);
        let groups = above.cmp(&than.0).then(than.1.total_cmp(&share)).then(group.cmp(&than.2));
        groups.then(than.3.total_cmp(&strength))
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo::{elo_of_score, score_of_elo};
    use crate::{Results, Strength};

    fn met(engines: [usize; 2], [ll, ld, wl_dd, wd, ww]: [u64; 5]) -> Encounter {
        Encounter { engines, pairs: Pentanomial { ll, ld, wl_dd, wd, ww } }
    }

    fn likeliest(ratings: &Ratings, engine: usize) -> (f64, Option<f64>) {
        match ratings.elos()[engine] {
            RatedElo::Likeliest { elo, error } => (elo, error),
            other => panic!("{engine}: {other:?}"),
        }
    }

    /// A chain of three: 0 takes 3 of 4 points from 1, and 1 from 2, in ten pairs of two points and ten of one.
    #[test]
    fn results_of_an_engine_against_itself_are_refused() {
        let itself = Encounter { engines: [1, 1], pairs: Pentanomial { ld: 5, wd: 9, ..Pentanomial::default() } };
        let other = Encounter { engines: [0, 1], ..itself };
        let refused = Err(RatingsError::Itself { engine: 1 });
        assert_eq!(Ratings::of(2, &[other, itself], EloZero::Mean), refused);
        let pair = RoundPair { engines: [1, 1], halves: 2, round: 0 };
        assert_eq!(Ratings::of_rounds(2, &[RoundPair { engines: [0, 1], ..pair }, pair], EloZero::Mean), refused);
    }

    #[test]
    fn counts_beyond_the_largest_number_are_finite() {
        let pairs = Pentanomial { ll: u64::MAX, ld: u64::MAX, wl_dd: 5, wd: 4, ww: u64::MAX };
        let found = Ratings::of(2, &[Encounter { engines: [0, 1], pairs }; 2], EloZero::Mean).expect("ratings");
        let RatedElo::Likeliest { elo, error: Some(error) } = found.elos()[0] else { panic!("{found:?}") };
        assert!(elo.is_finite() && error.is_finite(), "{elo} {error}");
    }

    #[test]
    fn a_chain_by_hand() {
        let met = [met([0, 1], [0, 0, 10, 0, 10]), met([2, 1], [10, 0, 10, 0, 0])];
        let ratings = Ratings::of(3, &met, EloZero::Mean).expect("a chain");
        let step = 400.0 * 3f64.log10();
        // Of each encounter: information 20 * 2 * 3/16, residuals 1/2 with leverage 1/20, so the variance of a difference is v.
        let information = 20.0 * 2.0 * 3.0 / 16.0;
        let v: f64 = 20.0 * 0.25 / (1.0 - 1.0 / 20.0) / (information * information);
        // The first stands (2 a + b) / 3 above the mean, the second (b - a) / 3, where a and b are the differences.
        let scale = 400.0 / std::f64::consts::LN_10;
        for (engine, elo, variance, pairs) in
            [(0, step, 5.0 / 9.0, 20), (1, 0.0, 2.0 / 9.0, 40), (2, -step, 5.0 / 9.0, 20)]
        {
            let (found, error) = likeliest(&ratings, engine);
            assert!((found - elo).abs() < 1e-8, "{engine}: {found} {elo}");
            let expected = reach_of_95_percent(pairs) * scale * (v * variance).sqrt();
            assert!((error.expect("an error") - expected).abs() < 1e-8, "{engine}: {error:?} {expected}");
        }
        let los = ratings.superiority(0, 1).expect("errors");
        assert!((los - cdf_of_blocks(step / scale / v.sqrt(), 20)).abs() < 1e-9);
        let anchored = Ratings::of(3, &met, EloZero::Engine(2)).expect("a chain");
        assert_eq!(likeliest(&anchored, 2), (0.0, Some(0.0)));
        let (first, error) = likeliest(&anchored, 0);
        let expected = reach_of_95_percent(20) * scale * (2.0 * v).sqrt();
        assert!((first - 2.0 * step).abs() < 1e-8 && (error.expect("an error") - expected).abs() < 1e-8);
    }

    /// Two engines have the Elo and, for many pairs, the error of a match.
    #[test]
    fn two_engines_are_a_match() {
        let pairs = Pentanomial { ll: 50, ld: 287, wl_dd: 610, wd: 387, ww: 73 };
        let strength = Strength::of(&Results::Pairs(pairs));
        let two = Ratings::of(2, &[Encounter { engines: [1, 0], pairs }], EloZero::Engine(0)).expect("a match");
        let (elo, error) = likeliest(&two, 1);
        assert!((elo - strength.elo).abs() < 1e-6, "{elo}");
        assert!((error.expect("an error") - strength.elo_error.expect("an error")).abs() < 0.02, "{error:?}");
        let los = two.superiority(1, 0).expect("errors");
        assert!((los - strength.los.expect("pairs")).abs() < 1e-6);
        assert_eq!((two.elos()[1].value(), two.elos()[0].value()), (Some(elo), Some(0.0)));
        assert_eq!((two.superiority(1, 1), two.superiority(0, 2)), (None, None));
        // In two parts, one of them seen by the other side, they are the same.
        let parts = [met([1, 0], [20, 100, 300, 200, 23]), met([0, 1], [50, 187, 310, 187, 30])];
        let parts = Ratings::of(2, &parts, EloZero::Engine(0)).expect("a match");
        let (again, again_error) = likeliest(&parts, 1);
        assert!((again - elo).abs() < 1e-9 && (again_error.expect("an error") - error.expect("an error")).abs() < 1e-9);
    }

    /// Each pair in a round of its own is the same as no rounds; pairs that several opponents always play alike are worth one.
    #[test]
    fn rounds_are_clusters() {
        let results = [[0, 3, 2], [4, 1, 2], [2, 3, 3], [1, 2, 0], [3, 4, 2], [2, 0, 1], [4, 2, 3], [1, 3, 2]];
        let pairs = |round: &dyn Fn(u32, u32) -> u32| {
            let of = |(number, halves): (u32, &[u8; 3])| {
                let sides = [[0, 1], [2, 0], [1, 2]].into_iter().zip(*halves).zip(0..);
                sides
                    .map(|((engines, halves), at)| RoundPair { engines, halves, round: round(number, at) })
                    .collect::<Vec<_>>()
            };
            (0..).zip(&results).flat_map(of).collect::<Vec<_>>()
        };
        let alone = pairs(&|number, at| 3 * number + at);
        let met: Vec<Encounter> = gathered(&alone).0;
        let error = |ratings: &Ratings, engine| likeliest(ratings, engine).1.expect("an error");
        let (one, other) = (Ratings::of(3, &met, EloZero::Mean), Ratings::of_rounds(3, &alone, EloZero::Mean));
        let (one, other) = (one.expect("connected"), other.expect("connected"));
        for engine in 0..3 {
            assert!((error(&one, engine) - error(&other, engine)).abs() < 1e-6, "{one:?} {other:?}");
        }
        // Three opponents against whom each opening goes alike.
        let same: Vec<RoundPair> = (0..60)
            .flat_map(|number: u32| {
                let halves = (number * 7 % 5) as u8;
                (1..4).map(move |opponent| RoundPair { engines: [0, opponent], halves, round: number })
            })
            .collect();
        let thrice = Ratings::of_rounds(4, &same, EloZero::Engine(1)).expect("connected");
        let single: Vec<_> = same.iter().copied().filter(|pair| pair.engines[1] == 1).collect();
        let single = Ratings::of_rounds(2, &single, EloZero::Engine(1)).expect("connected");
        assert!((error(&thrice, 0) - error(&single, 0)).abs() < 0.2, "{thrice:?} {single:?}");
        // Above the mean it is three quarters of that, and opponents who do all alike do not differ.
        let mean = Ratings::of_rounds(4, &same, EloZero::Mean).expect("connected");
        assert!((error(&mean, 0) / error(&thrice, 0) - 0.75).abs() < 0.01, "{mean:?}");
        let apart = Ratings::of(4, &gathered(&same).0, EloZero::Mean).expect("connected");
        assert!(error(&apart, 0) < 0.6 * error(&mean, 0), "{apart:?}");
    }

    /// Their ratings and errors cancel but for rounding, of which no likelihood is made.
    #[test]
    fn engines_that_play_exactly_alike_are_not_told_apart() {
        for rounds in 10..60_u32 {
            let halves = |number: u32, seed: u32| ((number + 97 * seed).wrapping_mul(0x9e37_79b9) >> 20) as u8 % 5;
            let pair = |number, seed: usize, other, halves| RoundPair { engines: [seed, other], halves, round: number };
            let of = |number: u32| {
                let against =
                    |seed: usize| (2..7).map(move |other| pair(number, seed, other, halves(number, seed as u32)));
                against(0).chain(against(1)).chain([pair(number, 0, 1, halves(number, 2))]).collect::<Vec<_>>()
            };
            let pairs: Vec<RoundPair> = (0..rounds).flat_map(of).collect();
            for zero in [EloZero::Mean, EloZero::Engine(3)] {
                let ratings = Ratings::of_rounds(7, &pairs, zero).expect("connected");
                for (one, other) in (2..7).flat_map(|one| (2..7).map(move |other| (one, other))) {
                    assert_eq!(ratings.superiority(one, other), None, "{rounds} {one} {other}");
                }
                assert!(ratings.superiority(0, 2).is_some());
                let order = ratings.order().iter().filter(|&&engine| engine > 1);
                assert!(order.clone().is_sorted(), "{rounds} {:?}", ratings.order());
            }
        }
    }

    /// Of few rounds nothing is said, however many pairs they have; nor where one round alone says something.
    #[test]
    fn few_rounds_have_no_error() {
        let pairs = |rounds: u32| {
            let pair = |number: u32| RoundPair {
                engines: [[0, 1], [0, 2], [1, 2]][(number % 3) as usize],
                halves: (number.wrapping_mul(0x9e37_79b9) >> 20) as u8 % 5,
                round: number % rounds,
            };
            (0..90).map(pair).collect::<Vec<_>>()
        };
        for rounds in 1..FEWEST_DIFFERING as u32 {
            let ratings = Ratings::of_rounds(3, &pairs(rounds), EloZero::Mean).expect("connected");
            assert!((0..3).all(|engine| likeliest(&ratings, engine).1.is_none()), "{rounds}: {ratings:?}");
            assert_eq!(ratings.superiority(0, 1), None);
        }
        let mut enough = pairs(10);
        let ratings = Ratings::of_rounds(3, &enough, EloZero::Mean).expect("connected");
        assert!((0..3).all(|engine| likeliest(&ratings, engine).1.is_some()), "{ratings:?}");
        enough.retain(|pair| pair.engines[1] != 2 || pair.round == 4);
        let ratings = Ratings::of_rounds(3, &enough, EloZero::Mean).expect("connected");
        assert_eq!(likeliest(&ratings, 0).1, None, "{ratings:?}");
    }

    /// The ratings make the expected points those that were made.
    #[test]
    fn expected_points_are_those_made() {
        let met = [
            met([0, 1], [3, 9, 30, 14, 5]),
            met([0, 2], [0, 4, 20, 24, 12]),
            met([3, 2], [30, 10, 3, 1, 0]),
            met([1, 2], [1, 8, 25, 18, 8]),
        ];
        let ratings = Ratings::of(4, &met, EloZero::Mean).expect("connected");
        let elo = |engine| likeliest(&ratings, engine).0;
        assert!((0..4).map(elo).sum::<f64>().abs() < 1e-9);
        for engine in 0..4 {
            let own = met.iter().filter_map(|met| Some((met, met.side_of(engine)?)));
            let (made, expected) = own.fold((0.0, 0.0), |(made, expected), (met, side)| {
                let share = score_of_elo(elo(engine) - elo(met.engines[1 - side]));
                (made + met.points()[side], expected + 2.0 * met.count() * share)
            });
            assert!((made - expected).abs() < 1e-6, "{engine}: {made} {expected}");
        }
    }

    /// Who has only won has a bound: with that Elo eight won pairs have probability 0.025.
    #[test]
    fn who_only_wins_or_loses_has_a_bound() {
        let met = [
            met([0, 1], [5, 6, 8, 6, 5]),
            met([2, 0], [0, 0, 0, 0, 8]),
            met([3, 0], [4, 0, 0, 0, 0]),
            met([1, 3], [0, 0, 0, 0, 4]),
        ];
        let ratings = Ratings::of(4, &met, EloZero::Mean).expect("connected");
        assert!(likeliest(&ratings, 0).0.abs() < 1e-9 && likeliest(&ratings, 1).0.abs() < 1e-9);
        let expected = elo_of_score(0.025f64.powf(1.0 / 8.0));
        let RatedElo::AtLeast(Some(high)) = ratings.elos()[2] else { panic!("{ratings:?}") };
        let RatedElo::AtMost(Some(low)) = ratings.elos()[3] else { panic!("{ratings:?}") };
        assert!((high - expected).abs() < 1e-6 && (low + expected).abs() < 1e-6, "{high} {low} {expected}");
        assert_eq!(ratings.superiority(2, 0), None);
        assert_eq!(Ratings::of(4, &met, EloZero::Engine(2)), Err(RatingsError::NoZero { engine: 2 }));
    }

    /// A bound follows the Elo of who was beaten: with 3 of 4 points that is 400 log10(3) above the other.
    #[test]
    fn bounds_lie_beside_those_who_were_met() {
        let met = [met([0, 1], [0, 0, 10, 0, 10]), met([2, 0], [0, 0, 0, 0, 8]), met([3, 1], [5, 0, 0, 0, 0])];
        let ratings = Ratings::of(4, &met, EloZero::Engine(1)).expect("connected");
        let RatedElo::AtLeast(Some(high)) = ratings.elos()[2] else { panic!("{ratings:?}") };
        let RatedElo::AtMost(Some(low)) = ratings.elos()[3] else { panic!("{ratings:?}") };
        let expected = 400.0 * 3f64.log10() + elo_of_score(0.025f64.powf(1.0 / 8.0));
        assert!((high - expected).abs() < 1e-6, "{high} {expected}");
        assert!((low + elo_of_score(0.025f64.powf(1.0 / 5.0))).abs() < 1e-6, "{low}");
    }

    /// The interval holds 0 just when the LOS lies between 2.5 and 97.5 %: both are by the same law.
    #[test]
    fn superiority_has_the_law_of_the_intervals() {
        let halves = [4, 3, 1, 2, 3, 2, 3, 4];
        let pairs: Vec<RoundPair> =
            (0..).zip(halves).map(|(round, halves)| RoundPair { engines: [0, 1], halves, round }).collect();
        let ratings = Ratings::of_rounds(2, &pairs, EloZero::Engine(1)).expect("connected");
        let (elo, error) = likeliest(&ratings, 0);
        let errors = elo / (error.expect("eight rounds") / reach_of_95_percent(8));
        let los = ratings.superiority(0, 1).expect("eight rounds");
        assert!((los - cdf_of_blocks(errors, 8)).abs() < 1e-9 && (0.9..0.975).contains(&los), "{los} {errors}");
        assert!(crate::normal::cdf(errors) > los + 0.01, "the normal law would say more");
        // One round in which the engine makes other points than in most says nothing.
        let alike: Vec<RoundPair> =
            (0..8).map(|round| RoundPair { engines: [0, 1], halves: if round == 0 { 1 } else { 3 }, round }).collect();
        assert_eq!(Ratings::of_rounds(2, &alike, EloZero::Mean).expect("connected").superiority(0, 1), None);
    }

    /// What an engine wins of a round, from one opening, may all go alike: it has the probability of its least likely pair.
    #[test]
    fn pairs_of_a_round_bound_no_more_than_the_least_likely_of_them() {
        let pair = |one, other, halves, round| RoundPair { engines: [one, other], halves, round };
        // 0 stands above 1 and both are rated; 2 wins all, 3 loses all.
        let rounds = (0..6).flat_map(|round| {
            let between = pair(0, 1, [4, 2, 3, 1, 2, 3][round as usize], round);
            let others = [[2, 0], [2, 1], [0, 3], [1, 3], [2, 3]].map(|[one, other]| pair(one, other, 4, round));
            std::iter::once(between).chain(others)
        });
        let ratings = Ratings::of_rounds(4, &rounds.collect::<Vec<_>>(), EloZero::Mean).expect("connected");
        let [above, below] = [0, 1].map(|engine| likeliest(&ratings, engine).0);
        assert!(above > 10.0 && below < -10.0, "{ratings:?}");
        let expected = elo_of_score(0.025f64.powf(1.0 / 6.0));
        let RatedElo::AtLeast(Some(high)) = ratings.elos()[2] else { panic!("{ratings:?}") };
        let RatedElo::AtMost(Some(low)) = ratings.elos()[3] else { panic!("{ratings:?}") };
        assert!((high - above - expected).abs() < 1e-6 && (low - below + expected).abs() < 1e-6, "{high} {low}");
    }

    /// Each wins all against those below: one of them is the zero, the others have bounds where they have met it.
    #[test]
    fn nobody_has_taken_a_point_from_anybody_better() {
        let met = [met([0, 1], [0, 0, 0, 0, 3]), met([1, 2], [0, 0, 0, 0, 3])];
        let ratings = Ratings::of(3, &met, EloZero::Mean).expect("a chain");
        assert!(matches!(
            ratings.elos(),
            [RatedElo::AtLeast(Some(_)), RatedElo::Likeliest { elo: 0.0, error: None }, RatedElo::AtMost(Some(_))]
        ));
        let ratings =
            Ratings::of(4, &[met[0], met[1], self::met([2, 3], [0, 0, 0, 0, 1])], EloZero::Mean).expect("a chain");
        assert_eq!(ratings.elos()[3], RatedElo::AtMost(None));
    }

    /// Whoever has met none of the rated engines stands where the points between them put it, whomever it met.
    #[test]
    fn who_has_met_no_rated_engine_stands_where_points_put_it() {
        // 0, 1 and 2 draw with each other and beat 3, whose only other pair is a draw with 4.
        let mut all: Vec<_> = [[0, 1], [1, 2], [0, 2]].map(|engines| met(engines, [0, 0, 2, 0, 0])).to_vec();
        all.extend([0, 1, 2].map(|engine| met([engine, 3], [0, 0, 0, 0, 1])));
        all.push(met([3, 4], [0, 0, 1, 0, 0]));
        let ratings = Ratings::of(5, &all, EloZero::Mean).expect("a chain");
        assert_eq!((ratings.elos()[4], ratings.order()), (RatedElo::AtMost(None), [0, 1, 2, 4, 3].as_slice()));
        // 3 wins all; 0 and 1 only against 2, so nothing compares them.
        let won = |engines| met(engines, [0, 0, 0, 0, 3]);
        let ratings = Ratings::of(4, &[won([0, 2]), won([3, 0]), won([1, 2]), won([3, 1])], EloZero::Mean);
        let ratings = ratings.expect("connected");
        assert_eq!((ratings.elos()[1], ratings.order()), (RatedElo::Unknown, [3, 0, 1, 2].as_slice()));
        assert!(matches!(ratings.elos()[3], RatedElo::AtLeast(Some(_))));
        // Who has beaten somebody better than the rated is above both.
        let ratings = Ratings::of(3, &[met([0, 1], [0, 0, 0, 0, 1]), met([1, 2], [0, 0, 0, 0, 1])], EloZero::Engine(2));
        assert!(ratings.is_err_and(|error| error == RatingsError::NoZero { engine: 2 }));
        let above = [met([3, 2], [0, 0, 0, 0, 1]), met([2, 0], [0, 0, 0, 0, 1]), met([0, 1], [1, 1, 2, 1, 1])];
        let ratings = Ratings::of(4, &above, EloZero::Mean).expect("a chain");
        assert_eq!((ratings.elos()[3], ratings.order()), (RatedElo::AtLeast(None), [3, 2, 0, 1].as_slice()));
    }

    /// Pairs that all ended alike do not say how much pairs vary, whatever the engine's pairs against others do.
    #[test]
    fn no_error_by_way_of_pairs_that_all_ended_alike() {
        let varied = met([0, 2], [2, 4, 8, 4, 2]);
        for alike in [[0, 0, 20, 0, 0], [0, 0, 0, 20, 0], [0, 1, 19, 0, 0]] {
            let all = [met([0, 1], alike), varied];
            let ratings = Ratings::of(3, &all, EloZero::Engine(1)).expect("a gauntlet");
            // From 1 to 0 there are only these pairs, and to 2 these and others.
            assert!([0, 2].into_iter().all(|engine| likeliest(&ratings, engine).1.is_none()), "{alike:?}: {ratings:?}");
            assert_eq!((ratings.superiority(0, 1), ratings.superiority(1, 2)), (None, None));
            assert!(ratings.superiority(0, 2).is_some());
            // The mean of three is nearer, but a half and more of the way to it is unknown.
            let ratings = Ratings::of(3, &all, EloZero::Mean).expect("a gauntlet");
            assert!((0..2).all(|engine| likeliest(&ratings, engine).1.is_none()), "{alike:?}: {ratings:?}");
            // From 0 the distance of 2 depends on their own pairs alone, by so many of which the interval reaches.
            let ratings = Ratings::of(3, &all, EloZero::Engine(2)).expect("a gauntlet");
            let two = Ratings::of(3, &[met([0, 1], [2, 4, 8, 4, 2]), varied], EloZero::Engine(2)).expect("a gauntlet");
            let alone = Ratings::of(2, &[met([0, 1], [2, 4, 8, 4, 2])], EloZero::Engine(1)).expect("a match");
            let expected = likeliest(&alone, 0).1.expect("an error");
            for found in [ratings, two] {
                assert!((likeliest(&found, 0).1.expect("an error") - expected).abs() < 1e-9, "{found:?}");
            }
        }
        // Met twice, they have what both say together.
        let ratings = Ratings::of(2, &[met([0, 1], [0, 3, 20, 0, 0]), met([1, 0], [0, 3, 20, 0, 0])], EloZero::Mean);
        assert!(likeliest(&ratings.expect("a match"), 0).1.is_some());
    }

    /// In the first rounds of many engines no encounter varies enough, but all of them together do.
    #[test]
    fn few_pairs_each_of_many_engines_are_enough_together() {
        let pairings = (0..6).flat_map(|one| (0..one).map(move |two| [one, two]));
        let all: Vec<_> = pairings.map(|engines| met(engines, [0, 1, 1, 1, 0])).collect();
        let ratings = Ratings::of(6, &all, EloZero::Mean).expect("a round robin");
        assert!((0..6).all(|engine| likeliest(&ratings, engine).1.is_some()), "{ratings:?}");
    }

    #[test]
    fn what_cannot_be_rated_is_refused() {
        let met = [met([0, 1], [1, 2, 3, 2, 1]), met([2, 3], [1, 2, 3, 2, 1]), met([1, 2], [0; 5])];
        let error = Ratings::of(4, &met, EloZero::Mean).expect_err("two islands");
        assert_eq!(error, RatingsError::Apart { one: 0, other: 2 });
        assert!(Ratings::of(2, &met, EloZero::Mean).is_err_and(|error| error.to_string().contains("expected 0 to 1")));
        assert!(Ratings::of(0, &[], EloZero::Engine(0)).is_err());
        assert_eq!(Ratings::of(0, &[], EloZero::Mean).map(|none| none.elos().len()), Ok(0));
        let one = Ratings::of(1, &[], EloZero::Mean).expect("alone");
        assert_eq!(likeliest(&one, 0), (0.0, None));
    }

    /// Where nothing varies there is no error, and after the first round none in a gauntlet, where each pair is fitted exactly.
    #[test]
    fn no_error_without_variation() {
        let drawn = [met([0, 1], [0, 0, 90, 0, 0]), met([1, 2], [0, 0, 86, 4, 0])];
        let ratings = Ratings::of(3, &drawn, EloZero::Mean).expect("a chain");
        assert!((0..3).all(|engine| likeliest(&ratings, engine).1.is_none()));
        let first = (1..8).map(|other| met([0, other], [0, 1, 0, 0, 0])).collect::<Vec<_>>();
        let ratings = Ratings::of(8, &first, EloZero::Mean).expect("a star");
        assert!((0..8).all(|engine| likeliest(&ratings, engine).1.is_none()));
    }

    /// A round with three quarters of the pairs is not all that is known; with nearly all of them it leaves no error.
    #[test]
    fn one_round_may_hold_most_pairs() {
        let pairs = |many: u32| -> Vec<RoundPair> {
            let pair = |number: u32, round| RoundPair { engines: [0, 1], halves: (number % 5) as u8, round };
            (0..20).map(|number| pair(number, number)).chain((0..many).map(|number| pair(number, 20))).collect()
        };
        let ratings = Ratings::of_rounds(2, &pairs(60), EloZero::Engine(1)).expect("a match");
        assert!(likeliest(&ratings, 0).1.is_some(), "{ratings:?}");
        // The same seen from the other side.
        let mirrored: Vec<RoundPair> = pairs(60)
            .into_iter()
            .enumerate()
            .map(
                |(at, pair)| {
                    if at % 2 == 0 { pair } else { RoundPair { engines: [1, 0], halves: 4 - pair.halves, ..pair } }
                },
            )
            .collect();
        let again = Ratings::of_rounds(2, &mirrored, EloZero::Engine(1)).expect("a match");
        let (elo, error) = likeliest(&ratings, 0);
        let (same, same_error) = likeliest(&again, 0);
        assert!((elo - same).abs() < 1e-9 && (error.expect("rounds") - same_error.expect("rounds")).abs() < 1e-9);
    }
}
