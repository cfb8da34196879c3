//! Two arms against the same opponents from the same openings, compared opening by opening.

use std::collections::HashMap;

use super::elo::{LARGEST_ELO, elo_of_score, score_of_elo};
use super::enough::{FEWEST_DIFFERING, differing};
use super::scores::{Mean, clustered_mean};

/// The scores of both arms in one task: what they made of the same opening against the same opponent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PairedScore {
    /// Share of the points of the first arm, 0 to 1.
    pub first: f64,
    /// Of the second.
    pub second: f64,
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
    /// Elo of the first score less Elo of the second.
    pub elo: f64,
    /// Half the width of its 95 % interval: the error of the mean of the linearised difference f'(p) a - f'(q) b, where p and q
    /// are the scores of the arms, a and b those in one task, and f'(p) = 400 / (ln 10 p (1 - p)) is the slope of Elo. `None` where `error` is, or while in fewer than
    /// [`FEWEST_DIFFERING`] openings an arm scores other than mostly: the Elo of an arm that wins everything has no error.
    pub elo_error: Option<f64>,
    /// What that error would be had the arms played different openings; `None` where the scores of an arm hardly vary.
    pub elo_error_unpaired: Option<f64>,
}

impl PairedDifference {
    /// From tasks in any order; `None` without any.
    #[must_use]
    pub fn of(tasks: &[PairedScore]) -> Option<PairedDifference> {
        let clusters: Vec<u32> = tasks.iter().map(|both| both.cluster).collect();
        let mean =
            |of: &dyn Fn(&PairedScore) -> f64| clustered_mean(&tasks.iter().map(of).collect::<Vec<_>>(), &clusters);
        let first = mean(&|both| both.first)?;
        let second = mean(&|both| both.second)?;
        let difference = mean(&|both| both.first - both.second)?;
        let [slope_first, slope_second] = [first.mean, second.mean].map(slope);
        let linearised = mean(&|both| slope_first * both.first - slope_second * both.second)?;
        let width = |mean: Mean, of: &dyn Fn(&PairedScore) -> f64| mean.half_width().filter(|_| vary(tasks, of));
        let arms = width(first, &|both| both.first).zip(width(second, &|both| both.second));
        let error = width(difference, &|both| both.first - both.second);
        let count =
            |wanted: &dyn Fn(f64) -> bool| tasks.iter().filter(|both| wanted(both.first - both.second)).count() as u64;
        Some(PairedDifference {
            tasks: tasks.len() as u64,
            more_same_less: [count(&|more| more > 0.0), count(&|more| more == 0.0), count(&|more| more < 0.0)],
            scores: [first.mean, second.mean],
            difference: difference.mean,
            error,
            elo: elo_of_score(first.mean) - elo_of_score(second.mean),
            elo_error: linearised.half_width().filter(|_| arms.is_some() && error.is_some()),
            elo_error_unpaired: arms.map(|(a, b)| (slope_first * a).hypot(slope_second * b)),
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

/// The slope of Elo at a score, which is kept on the scale of [`elo_of_score`].
fn slope(score: f64) -> f64 {
    let end = score_of_elo(LARGEST_ELO);
    let score = score.clamp(1.0 - end, end);
    400.0 / (std::f64::consts::LN_10 * score * (1.0 - score))
}

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::super::jackknife::reach_of_95_percent;
    use super::super::normal::Z95;
    use super::*;

    #[test]
    fn by_hand() {
        let both = |first, second, cluster| PairedScore { first, second, cluster };
        let four = [(1.0, 0.5), (0.5, 0.5), (0.75, 1.0), (0.75, 0.0)];
        let thrice: Vec<_> = (0..12).zip(four.repeat(3)).map(|(at, (one, two))| both(one, two, at)).collect();
        let found = PairedDifference::of(&thrice).expect("tasks");
        assert_eq!((found.tasks, found.more_same_less, found.scores), (12, [6, 3, 3], [0.75, 0.5]));
        // Differences 1/2, 0, -1/4, 3/4 with mean 1/4, each three times: squares of 1/16, 1/16, 1/4 and 1/4.
        assert!((found.difference - 0.25).abs() < 1e-12);
        let error = reach_of_95_percent(12) * (3.0 * 0.625f64 / 11.0 / 12.0).sqrt();
        assert!((found.error.expect("an error") - error).abs() < 1e-12 && found.elo_error.is_some());
        assert!((found.elo - elo_of_score(0.75)).abs() < 1e-9);
        assert_eq!(PairedDifference::of(&[]), None);
        let one = PairedDifference::of(&[both(1.0, 0.0, 0)]).expect("a task");
        assert!(one.error.is_none() && one.elo.is_finite());
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
        let task =
            |at: u32| PairedScore { first: f64::from(at % 7) / 8.0, second: f64::from(at % 3) / 2.0, cluster: at % 5 };
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
                    (0..opponents).map(move |_| (opening, luck)).collect::<Vec<_>>()
                };
                let tasks: Vec<PairedScore> = (0..openings)
                    .flat_map(task)
                    .map(|(cluster, luck)| PairedScore {
                        first: points(middle + luck + better),
                        second: points(middle + luck),
                        cluster,
                    })
                    .collect();
                let found = PairedDifference::of(&tasks).expect("tasks");
                let (Some(error), Some(elo_error)) = (found.error, found.elo_error) else { continue };
                let off = (found.difference - better).abs();
                given += 1;
                covered += i32::from(off < error);
                covered_elo += i32::from((found.elo - truth).abs() < elo_error);
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
                        cluster,
                    })
                })
                .collect();
            let found = PairedDifference::of(&tasks).expect("tasks");
            let (error, unpaired) = (found.elo_error.expect("an error"), found.elo_error_unpaired.expect("an error"));
            covered += u32::from((found.elo - truth).abs() < error);
            narrower += u32::from(error < unpaired);
        }
        let share = f64::from(covered) / f64::from(runs);
        assert!((0.93..=0.97).contains(&share), "{share}");
        assert!(narrower > runs * 99 / 100, "{narrower}");
    }

    /// By the delta method, of arms near an even score: Elo is 400 / ln 10 / (1/4) = 694.9 times as far from 0 as the score, and its
    /// error as large as that of the difference. Tasks that go alike in both arms cancel.
    #[test]
    fn the_error_in_elo_is_that_of_the_difference() {
        let tasks: Vec<_> = (0..60)
            .map(|at| {
                let first = 0.2 + 0.01 * f64::from(at);
                PairedScore { first, second: first - 0.01 * f64::from(at % 5) + 0.015, cluster: at }
            })
            .collect();
        let found = PairedDifference::of(&tasks).expect("tasks");
        let (error, elo_error) = (found.error.expect("they vary"), found.elo_error.expect("they vary"));
        assert!((elo_error / error / 694.9 - 1.0).abs() < 0.02, "{found:?}");
        // Each arm alone: 2.0 standard errors of 60 values 0.01 apart, 0.1746 / sqrt(60) each, for both together 694.9 sqrt(2) times as much.
        assert!(found.elo_error_unpaired.is_some_and(|unpaired| (unpaired / 44.3 - 1.0).abs() < 0.05), "{found:?}");
    }
}
