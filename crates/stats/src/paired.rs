//! Two arms against the same opponents from the same openings, compared opening by opening.

use std::collections::{BTreeMap, HashMap};

use super::design::{Clustered, stratified_mean};
use super::elo::{ELO_PER_LOGIT, LARGEST_ELO, score_of_elo};
use super::enough::{FEWEST_DIFFERING, differing};
use super::numeric::{bisect, logit};
use super::scores::Mean;

/// The scores of both arms in one task: what they made of the same opening against the same opponent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PairedScore {
    /// Share of the points of the first arm, 0 to 1.
    pub first: f64,
    /// Of the second.
    pub second: f64,
    /// The opponent, by any number: each has a strength of its own.
    pub opponent: u32,
    /// The opening: what was played from one opening is not independent, also against several opponents.
    pub cluster: u32,
}

/// How much better the first arm does than the second. Openings in which both do well or badly tell nothing about the
/// difference, so the error is smaller than that of two scores that were won apart.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PairedDifference {
    /// Tasks that both arms have played.
    pub tasks: u64,
    /// Tasks in which the first arm scored more, as much, and less.
    pub more_same_less: [u64; 3],
    /// Share of the points of both arms, 0 to 1.
    pub scores: [f64; 2],
    /// The difference of the scores, -1 to 1.
    pub difference: f64,
    /// Half the width of its 95 % interval, with openings as clusters (Liang and Zeger 1986) and the quantile of Student's
    /// distribution with one degree of freedom less than there are openings: 2.26 standard errors with ten, 2.05 with 30. `None`
    /// while in fewer than [`FEWEST_DIFFERING`] openings the difference is another than the most common one.
    pub error: Option<f64>,
    /// How much stronger the first arm is, in Elo: the difference of largest likelihood where each opponent has a strength of its own (Bradley
    /// and Terry, a draw as half a win). Against one opponent that is Elo of the first score less Elo of the second; against several unlike ones
    /// that difference of the mean scores would be too small, since Elo of a mean is nearer to 0 than the mean of Elo. `None` where no finite
    /// difference is the likeliest: against each opponent one arm has won everything, or the other lost everything.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval, of the linearised difference: a task counts by 2 (q (1 - q) a - p (1 - p) b) / (p (1 - p) + q (1 - q)),
    /// where a and b are the scores of the arms in it, and p and q those that both are expected to have against its opponent. The mean of
    /// this has opponents as strata and openings as clusters ([`stratified_mean`]). `None` where `error` is, or while in fewer than
    /// [`FEWEST_DIFFERING`] openings an arm scores other than mostly: the Elo of an arm that wins everything has no error.
    pub elo_error: Option<f64>,
    /// What that error would be had the arms played different openings; `None` where the scores of an arm hardly vary.
    pub elo_error_unpaired: Option<f64>,
}

impl PairedDifference {
    /// From tasks in any order; `None` without any.
    #[must_use]
    pub fn of(tasks: &[PairedScore]) -> Option<PairedDifference> {
        let mean = |of: &dyn Fn(&PairedScore) -> f64| {
            let clustered = |both: &PairedScore| Clustered {
                value: of(both),
                weight: 1.0,
                stratum: both.opponent,
                cluster: both.cluster,
            };
            stratified_mean(&tasks.iter().map(clustered).collect::<Vec<_>>())
        };
        let first = mean(&|both| both.first)?;
        let second = mean(&|both| both.second)?;
        let difference = mean(&|both| both.first - both.second)?;
        let likeliest = Likeliest::of(tasks);
        let [of_first, of_second] = [0, 1].map(|arm| {
            mean(&|both: &PairedScore| [both.first, both.second][arm] * likeliest.slopes[&both.opponent][arm])
        });
        let linearised = mean(&|both| {
            let [slope_first, slope_second] = likeliest.slopes[&both.opponent];
            slope_first * both.first - slope_second * both.second
        })?;
        let width = |mean: Mean, of: &dyn Fn(&PairedScore) -> f64| mean.half_width().filter(|_| vary(tasks, of));
        let arms = width(of_first?, &|both| both.first).zip(width(of_second?, &|both| both.second));
        let error = width(difference, &|both| both.first - both.second);
        let count =
            |wanted: &dyn Fn(f64) -> bool| tasks.iter().filter(|both| wanted(both.first - both.second)).count() as u64;
        Some(PairedDifference {
            tasks: tasks.len() as u64,
            more_same_less: [count(&|more| more > 0.0), count(&|more| more == 0.0), count(&|more| more < 0.0)],
            scores: [first.mean, second.mean],
            difference: difference.mean,
            error,
            elo: likeliest.elo,
            elo_error: linearised.half_width().filter(|_| arms.is_some() && error.is_some() && likeliest.elo.is_some()),
            elo_error_unpaired: arms.filter(|_| likeliest.elo.is_some()).map(|(a, b)| a.hypot(b)),
        })
    }
}

/// Whether a value differs from the most common one in enough openings to tell how much it varies.
fn vary(tasks: &[PairedScore], of: &dyn Fn(&PairedScore) -> f64) -> bool {
    // Openings may be played by different numbers of tasks.
    let mut sums: HashMap<u32, (f64, f64)> = HashMap::new();
    for both in tasks {
        let (sum, count) = sums.entry(both.cluster).or_default();
        (*sum, *count) = (*sum + of(both), *count + 1.0);
    }
    differing(sums.into_values().map(|(sum, count)| sum / count).collect()) >= FEWEST_DIFFERING
}

/// The likeliest difference of two arms, each opponent having a strength of its own.
struct Likeliest {
    /// Elo of the first arm less Elo of the second.
    elo: Option<f64>,
    /// By how much the scores of both arms in a task move it, times the number of tasks, by the opponent.
    slopes: HashMap<u32, [f64; 2]>,
}

/// What both arms have reached against an opponent.
struct Reached {
    opponent: u32,
    tasks: f64,
    /// The mean scores of both.
    scores: [f64; 2],
}

impl Likeliest {
    /// The opponent's strength is the one with which both arms are expected to score what they do together, so that one equation in the
    /// difference is left: that the first arm scores as much more than the second as it is expected to. Its two sides cross once.
    fn of(tasks: &[PairedScore]) -> Likeliest {
        let met = Reached::by_opponent(tasks);
        // A difference can grow without end unless somebody has taken points from the better arm and lost some to the other.
        let is_bounded = [[0, 1], [1, 0]].iter().all(|&[better, worse]| {
            met.iter().any(|against| against.scores[better] < 1.0 && against.scores[worse] > 0.0)
        });
        let more = |difference: f64| {
            let more = |against: &Reached| {
                let ([own, other], [first, second]) = (against.on_scale(), against.expected(difference));
                against.tasks * (own - other - (first - second))
            };
            met.iter().map(more).sum::<f64>()
        };
        let end = 2.0 * logit(score_of_elo(LARGEST_ELO));
        let (below, above) = bisect(-end, end, |difference| more(difference) > 0.0);
        let difference = 0.5 * (below + above);
        // Expected scores of p and q have the variances v and w of single games: what is known of the difference is 2 v w / (v + w) a task.
        let variances = |against: &Reached| against.expected(difference).map(|score| score * (1.0 - score));
        let known = |against: &Reached| {
            let [v, w] = variances(against);
            against.tasks * 2.0 * v * w / (v + w)
        };
        let all: f64 = met.iter().map(|against| against.tasks).sum();
        let scale = ELO_PER_LOGIT * all / met.iter().map(known).sum::<f64>();
        let slopes = met.iter().map(|against| {
            let [v, w] = variances(against);
            (against.opponent, [w, v].map(|other| scale * 2.0 * other / (v + w)))
        });
        Likeliest { elo: is_bounded.then_some(ELO_PER_LOGIT * difference), slopes: slopes.collect() }
    }
}

impl Reached {
    fn by_opponent(tasks: &[PairedScore]) -> Vec<Reached> {
        let mut sums: BTreeMap<u32, (f64, [f64; 2])> = BTreeMap::new();
        for both in tasks {
            let (count, [first, second]) = sums.entry(both.opponent).or_default();
            (*count, *first, *second) = (*count + 1.0, *first + both.first, *second + both.second);
        }
        let reached = |(opponent, (count, [first, second])): (u32, (f64, [f64; 2]))| Reached {
            opponent,
            tasks: count,
            scores: [first / count, second / count],
        };
        sums.into_iter().map(reached).collect()
    }

    /// The scores, kept on the scale of Elo.
    fn on_scale(&self) -> [f64; 2] {
        let end = score_of_elo(LARGEST_ELO);
        self.scores.map(|score| score.clamp(1.0 - end, end))
    }

    /// What both arms are expected to score where the logits of their strengths differ by so much: with the logits m + d/2 and m - d/2 they
    /// score 1 + sinh m / (cosh m + cosh d/2) together, and the first sinh(d/2) / (cosh m + cosh d/2) more.
    fn expected(&self, difference: f64) -> [f64; 2] {
        let [first, second] = self.on_scale();
        let beyond_even = first + second - 1.0;
        let (size, cosh) = (beyond_even.abs(), (0.5 * difference).cosh());
        // A quadratic equation in e^|m|; 1 - size is at least twice what is left at the end of the scale.
        let exp = (size * cosh + ((size * cosh).powi(2) + (1.0 - size) * (1.0 + size)).sqrt()) / (1.0 - size);
        let more = (0.5 * difference).sinh() / (0.5 * (exp + exp.recip()) + cosh);
        [1.0, -1.0].map(|sign| 0.5 * (1.0 + beyond_even + sign * more))
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::super::elo::elo_of_score;
    use super::super::jackknife::reach_of_95_percent;
    use super::super::normal::Z95;
    use super::super::ratings::{EloZero, RatedElo, Ratings, RoundPair};
    use super::*;

    #[test]
    fn by_hand() {
        let both = |first, second, cluster| PairedScore { first, second, opponent: 0, cluster };
        let four = [(1.0, 0.5), (0.5, 0.5), (0.75, 1.0), (0.75, 0.0)];
        let thrice: Vec<_> = (0..12).zip(four.repeat(3)).map(|(at, (one, two))| both(one, two, at)).collect();
        let found = PairedDifference::of(&thrice).expect("tasks");
        assert_eq!((found.tasks, found.more_same_less, found.scores), (12, [6, 3, 3], [0.75, 0.5]));
        // Differences 1/2, 0, -1/4, 3/4 with mean 1/4, each three times: squares of 1/16, 1/16, 1/4 and 1/4.
        assert!((found.difference - 0.25).abs() < 1e-12);
        let error = reach_of_95_percent(12) * (3.0 * 0.625f64 / 11.0 / 12.0).sqrt();
        assert!((found.error.expect("an error") - error).abs() < 1e-12 && found.elo_error.is_some());
        assert!((found.elo.expect("both win and lose") - elo_of_score(0.75)).abs() < 1e-9);
        assert_eq!(PairedDifference::of(&[]), None);
        let one = PairedDifference::of(&[both(1.0, 0.0, 0)]).expect("a task");
        assert!(one.error.is_none() && one.elo.is_none());
        // That both arms play alike, or that one is ahead by the same everywhere, is no interval of width 0.
        for second in [0.5, 0.25] {
            let alike = PairedDifference::of(&[both(0.5, second, 0), both(0.5, second, 1), both(0.5, second, 2)]);
            let alike = alike.expect("tasks");
            assert_eq!((alike.error, alike.elo_error, alike.difference), (None, None, 0.5 - second));
        }
    }

    /// An arm that wins everything, or all but a few, has no error of its Elo, and few openings none of the difference.
    #[test]
    fn no_interval_where_scores_hardly_vary() {
        let second = [0.0, 0.25, 0.5, 0.75, 1.0];
        let tasks = |first: &[f64], openings: usize| {
            let task = |at: usize| PairedScore {
                first: first[at % first.len()],
                second: second[at % second.len()],
                opponent: 0,
                cluster: at as u32,
            };
            PairedDifference::of(&(0..openings).map(task).collect::<Vec<_>>()).expect("tasks")
        };
        let all = tasks(&[1.0], 20);
        assert!(all.error.is_some() && all.elo_error.is_none() && all.elo_error_unpaired.is_none(), "{all:?}");
        // Four of 20 openings are not won.
        assert_eq!(tasks(&[0.5, 1.0, 1.0, 1.0, 1.0], 20).elo_error, None);
        assert!(tasks(&[0.5, 1.0, 1.0, 1.0], 20).elo_error.is_some());
        let few = tasks(&[1.0, 0.0, 0.25], 5);
        assert_eq!((few.error, few.elo_error), (None, None));
        // Several opponents from one opening are one.
        let one = tasks(&[1.0, 0.0, 0.25], 60);
        assert!(one.error.is_some() && one.elo_error.is_some());
        let task = |at: u32| PairedScore {
            first: f64::from(at % 7) / 8.0,
            second: f64::from(at % 3) / 2.0,
            opponent: 0,
            cluster: at % 5,
        };
        let found = PairedDifference::of(&(0..60).map(task).collect::<Vec<_>>()).expect("tasks");
        assert_eq!((found.error, found.elo_error, found.elo_error_unpaired), (None, None, None));
    }

    /// The intervals hold from the fewest openings on that have one; with 1.96 standard errors those of ten would be too narrow.
    #[test]
    #[expect(clippy::print_stderr, reason = "figures of docs/statistics.md")]
    fn intervals_of_few_openings_cover_the_truth() {
        let mut random = ChaCha8Rng::seed_from_u64(11);
        for (openings, opponents, draws) in [
            (10, 1, 0.3),
            (10, 1, 0.6),
            (10, 3, 0.3),
            (10, 4, 0.6),
            (15, 1, 0.3),
            (15, 2, 0.6),
            (30, 1, 0.6),
            (30, 2, 0.3),
        ] {
            let (runs, better) = (4000, 0.08);
            // Two games; an opening is good or bad for both arms.
            let mut points = |win: f64| {
                let game = |random: &mut ChaCha8Rng| {
                    let lot: f64 = random.random();
                    if lot < win { 1.0 } else { f64::from(u8::from(lot < win + draws)) / 2.0 }
                };
                (game(&mut random) + game(&mut random)) / 2.0
            };
            let (mut given, mut covered, mut covered_elo, mut by_normal) = (0, 0, 0, 0);
            let middle = (1.0 - draws) / 2.0;
            let truth = elo_of_score(0.5 + better) - elo_of_score(0.5);
            for run in 0..runs {
                let task = |opening: u32| {
                    let luck = if (run + opening).is_multiple_of(2) { 0.05 } else { -0.05 };
                    (0..opponents).map(move |opponent| (opening, opponent, luck)).collect::<Vec<_>>()
                };
                let tasks: Vec<PairedScore> = (0..openings)
                    .flat_map(task)
                    .map(|(cluster, opponent, luck)| PairedScore {
                        first: points(middle + luck + better),
                        second: points(middle + luck),
                        opponent,
                        cluster,
                    })
                    .collect();
                let found = PairedDifference::of(&tasks).expect("tasks");
                let (Some(error), Some(elo_error)) = (found.error, found.elo_error) else { continue };
                let off = (found.difference - better).abs();
                given += 1;
                covered += i32::from(off < error);
                covered_elo += i32::from((found.elo.unwrap_or(f64::INFINITY) - truth).abs() < elo_error);
                by_normal += i32::from(off < error / reach_of_95_percent(openings as usize) * Z95);
            }
            let share = |count: i32| f64::from(count) / f64::from(given);
            let figures = [share(covered), share(covered_elo), share(by_normal), f64::from(given) / f64::from(runs)];
            eprintln!("{openings} openings, {opponents} opponents, {draws} draws: {figures:.3?}");
            assert!((0.93..=0.985).contains(&figures[0]), "{openings} {opponents} {draws}: {figures:?}");
            assert!(figures[1] > 0.93, "{openings} {opponents} {draws}: {figures:?}");
            assert!(openings > 10 || figures[2] < 0.96, "{openings} {opponents} {draws}: {figures:?}");
        }
    }

    /// Arms that share the luck of the opening: the interval covers the truth as often as it says, and is narrower than without
    /// pairs.
    #[test]
    fn intervals_cover_the_truth() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let points = |random: &mut ChaCha8Rng, p: f64| (0..2).filter(|_| random.random_bool(p)).count() as f64 / 2.0;
        let (mut covered, mut narrower, runs) = (0, 0, 2000);
        let (mean, spread, better) = (0.5, 0.3, 0.1);
        let truth = elo_of_score(mean + better) - elo_of_score(mean);
        for _ in 0..runs {
            let tasks: Vec<PairedScore> = (0..150)
                .flat_map(|cluster| {
                    let luck = if random.next_u32() % 2 == 0 { spread } else { -spread };
                    [0, 1].map(|_| PairedScore {
                        first: points(&mut random, mean + luck + better),
                        second: points(&mut random, mean + luck),
                        opponent: 0,
                        cluster,
                    })
                })
                .collect();
            let found = PairedDifference::of(&tasks).expect("tasks");
            let (error, unpaired) = (found.elo_error.expect("an error"), found.elo_error_unpaired.expect("an error"));
            covered += u32::from((found.elo.unwrap_or(f64::INFINITY) - truth).abs() < error);
            narrower += u32::from(error < unpaired);
        }
        let share = f64::from(covered) / f64::from(runs);
        assert!((0.93..=0.97).contains(&share), "{share}");
        assert!(narrower > runs * 99 / 100, "{narrower}");
    }

    /// Against each opponent one arm wins everything or the other nothing: the larger the difference, the better it fits.
    #[test]
    fn a_difference_without_end_is_none() {
        let of = |met: &[[f64; 2]]| {
            let tasks = |cluster: u32| {
                (0..).zip(met).map(move |(opponent, &[first, second])| {
                    // Spread about the score, where there is room, and not by the same for both.
                    let of = |score: f64, high: bool| match (score > 0.0 && score < 1.0, high) {
                        (false, _) => score,
                        (true, true) => score + 0.25,
                        (true, false) => score - 0.25,
                    };
                    let (first, second) = (of(first, cluster.is_multiple_of(2)), of(second, cluster % 4 < 2));
                    PairedScore { first, second, opponent, cluster }
                })
            };
            let found = PairedDifference::of(&(0..20).flat_map(tasks).collect::<Vec<_>>()).expect("tasks");
            assert_eq!(found.elo.is_some(), found.elo_error.is_some(), "{met:?}: {found:?}");
            found.elo
        };
        for without in [[[1.0, 0.5], [0.25, 0.0]], [[0.5, 1.0], [0.0, 0.25]], [[1.0, 1.0], [0.5, 0.0]]] {
            assert_eq!(of(&without), None, "{without:?}");
        }
        assert!(of(&[[1.0, 0.5], [0.5, 0.25]]).is_some_and(|elo| elo > 100.0));
        // An opponent from whom both take everything says nothing.
        let alone = of(&[[0.5, 0.25]]).expect("an Elo");
        assert!((of(&[[0.5, 0.25], [1.0, 1.0]]).expect("an Elo") - alone).abs() < 2.0);
    }

    /// The difference is that of ratings of all engines, however unlike the opponents are.
    #[test]
    fn the_difference_is_that_of_ratings() {
        let points = |opponent: u32, at: u32, arm: u32| {
            // Little against the first, nearly everything against the last.
            let halves = (at * (3 + arm) + opponent * 5 + at * at % (7 - arm)) % 5;
            if (at + arm).is_multiple_of(opponent + 2) {
                [4, halves, 0][opponent as usize]
            } else {
                [0, 2, 4][opponent as usize]
            }
        };
        let (mut tasks, mut pairs) = (Vec::new(), Vec::new());
        for (opponent, openings) in [(0, 90), (1, 40), (2, 60)] {
            for cluster in 0..openings {
                let halves = [0, 1].map(|arm| points(opponent, cluster, arm));
                let [first, second] = halves.map(|halves| f64::from(halves) / 4.0);
                tasks.push(PairedScore { first, second, opponent, cluster });
                for (arm, halves) in halves.into_iter().enumerate() {
                    let engines = [arm, 2 + opponent as usize];
                    pairs.push(RoundPair { engines, halves: u8::try_from(halves).expect("halves"), round: cluster });
                }
            }
        }
        let found = PairedDifference::of(&tasks).expect("tasks");
        let ratings = Ratings::of_rounds(5, &pairs, EloZero::Engine(1)).expect("ratings");
        let RatedElo::Likeliest { elo, error: Some(error) } = ratings.elos()[0] else { panic!("{ratings:?}") };
        assert!((found.elo.expect("bounded") - elo).abs() < 1e-6, "{found:?} {elo}");
        // Both take openings as clusters, and correct for few of them in ways of their own.
        assert!((found.elo_error.expect("an error") / error - 1.0).abs() < 0.1, "{found:?} {error}");
    }

    /// Against opponents far above and below, the interval holds the difference of strengths, which the Elo of mean scores do not have.
    #[test]
    #[expect(clippy::print_stderr, reason = "figures of docs/statistics.md")]
    fn intervals_against_unlike_opponents_cover_the_truth() {
        let mut random = ChaCha8Rng::seed_from_u64(17);
        for (opponents, openings, draws) in [
            (&[-200.0, 200.0][..], 100, 0.5),
            (&[-400.0, 400.0], 200, 0.3),
            (&[-300.0, 0.0, 100.0], 60, 0.6),
            (&[500.0, 450.0, 0.0, -600.0], 300, 0.4),
        ] {
            let (runs, better) = (1000, 50.0);
            let (mut given, mut covered, mut of_means) = (0, 0, 0.0);
            for _ in 0..runs {
                let mut tasks = Vec::new();
                for cluster in 0..openings {
                    let luck = if random.random_bool(0.5) { 60.0 } else { -60.0 };
                    for (opponent, strength) in (0..).zip(opponents) {
                        let mut pair = |arm: f64| {
                            let score = score_of_elo(arm - strength + luck);
                            // So many draws as even opponents have, and fewer where one is stronger.
                            let drawn = 4.0 * draws * score * (1.0 - score);
                            let mut game = || {
                                let lot: f64 = random.random();
                                if lot < score - 0.5 * drawn {
                                    1.0
                                } else {
                                    f64::from(u8::from(lot < score + 0.5 * drawn)) / 2.0
                                }
                            };
                            (game() + game()) / 2.0
                        };
                        tasks.push(PairedScore { first: pair(better), second: pair(0.0), opponent, cluster });
                    }
                }
                let found = PairedDifference::of(&tasks).expect("tasks");
                of_means += (elo_of_score(found.scores[0]) - elo_of_score(found.scores[1])) / f64::from(runs);
                let Some(error) = found.elo_error else { continue };
                given += 1;
                covered += i32::from((found.elo.unwrap_or(f64::INFINITY) - better).abs() < error);
            }
            let share = f64::from(covered) / f64::from(given);
            eprintln!(
                "{opponents:?}, {openings} openings, {draws} draws: {share:.3} of {given} intervals hold 50 Elo, of means {of_means:.1}"
            );
            assert!((0.93..=0.98).contains(&share) && given > runs * 9 / 10, "{opponents:?}: {share} of {given}");
            assert!(of_means < 45.0, "{opponents:?}: {of_means}");
        }
    }

    /// By the delta method, of arms near an even score: Elo is 400 / ln 10 / (1/4) = 694.9 times as far from 0 as the score, and its
    /// error as large as that of the difference. Tasks that go alike in both arms cancel.
    #[test]
    fn the_error_in_elo_is_that_of_the_difference() {
        let tasks: Vec<_> = (0..60)
            .map(|at| {
                let first = 0.2 + 0.01 * f64::from(at);
                PairedScore { first, second: first - 0.01 * f64::from(at % 5) + 0.015, opponent: 0, cluster: at }
            })
            .collect();
        let found = PairedDifference::of(&tasks).expect("tasks");
        let (error, elo_error) = (found.error.expect("they vary"), found.elo_error.expect("they vary"));
        assert!((elo_error / error / 694.9 - 1.0).abs() < 0.02, "{found:?}");
        // Each arm alone: 2.0 standard errors of 60 values 0.01 apart, 0.1746 / sqrt(60) each, for both together 694.9 sqrt(2) times as much.
        assert!(found.elo_error_unpaired.is_some_and(|unpaired| (unpaired / 44.3 - 1.0).abs() < 0.05), "{found:?}");
    }
}
