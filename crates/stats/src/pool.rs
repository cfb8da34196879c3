//! Several runs of the same match taken together.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::enough::{FEWEST_DIFFERING, too_few};
use super::results::{MixedResults, Results};

/// The sum of runs, and whether they fit together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pool {
    /// All results.
    pub results: Results,
    /// The p-value of homogeneity: the probability that runs of one and the same match differ at least as much as these do in
    /// their scores; `None` for a single run. A small one (below 0.01, say) means that the runs did not play the same match:
    /// another book, another build, another machine. `None` too where all results together do not say how much they vary, or where fewer
    /// than two runs are long enough. Who adds runs against several opponents compares them within each of these.
    pub same_match: Option<f64>,
    /// Runs with games that are too short for that, and left out of it: as many results as they have would on average hold fewer than
    /// [`FEWEST_DIFFERING`] other than the most common one.
    pub too_short: usize,
}

impl Pool {
    /// Adds runs; `None` if there are none. The homogeneity of the scores is judged by Cochran's Q = sum (m_i - m)^2 / (v / n_i),
    /// chi-square with one degree of freedom less than runs with games, with the pooled variance v.
    ///
    /// # Errors
    ///
    /// If some count pairs and others games.
    pub fn of(runs: &[Results]) -> Result<Option<Pool>, MixedResults> {
        let Some((&first, others)) = runs.split_first() else { return Ok(None) };
        let results = others.iter().try_fold(first, |sum, &run| sum.pooled_with(run))?;
        let (_, all) = results.distribution();
        let (mean, variance) = (all.mean(), all.moment(2));
        // A run that has not begun says nothing, and would make the others look more alike. The score of one that has hardly begun does
        // not have the normal law: a single lost pair among many drawn ones would be another match.
        let counts = results.counts();
        let (most, count) =
            (counts.iter().copied().max().unwrap_or(0), counts.iter().map(|&count| count as f64).sum::<f64>());
        let differing = (count - most as f64) / count.max(1.0);
        let begun = || runs.iter().filter(|run| run.games() > 0).map(Results::distribution);
        let played: Vec<_> = begun().filter(|(n, _)| n * differing >= FEWEST_DIFFERING as f64).collect();
        // One run alone is compared with nothing.
        let too_short = if begun().count() > 1 { begun().count() - played.len() } else { 0 };
        let all: f64 = played.iter().map(|(n, _)| n).sum();
        let mean = if too_short == 0 { mean } else { played.iter().map(|(n, of)| n * of.mean()).sum::<f64>() / all };
        let q: f64 = played.iter().map(|(n, distribution)| n * (distribution.mean() - mean).powi(2) / variance).sum();
        let known = played.len() > 1 && too_few(&results).is_none();
        let same_match =
            ChiSquared::new(played.len() as f64 - 1.0).ok().filter(|_| known).map(|distribution| distribution.sf(q));
        Ok(Some(Pool { results, same_match, too_short }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Trinomial;

    #[test]
    fn sums_end_with_64_bits() {
        let pairs = Results::Pairs(crate::Pentanomial { ll: 1 << 63, ww: 1 << 63, ..Default::default() });
        let games = Results::Games(Trinomial { wins: 1 << 63, draws: 1, losses: 1 << 63 });
        for results in [pairs, games] {
            let pool = Pool::of(&[results, results]).expect("one kind").expect("runs");
            assert_eq!(
                (pool.results.counts().first(), pool.results.counts().last()),
                (Some(&u64::MAX), Some(&u64::MAX))
            );
        }
    }

    #[test]
    fn runs_without_games_do_not_make_the_others_alike() {
        let run = |wins, draws, losses| Results::Games(Trinomial { wins, draws, losses });
        let two = [run(60, 100, 40), run(40, 100, 60)];
        let p = |runs: &[Results]| Pool::of(runs).expect("one kind").expect("runs").same_match;
        let four = [two[0], run(0, 0, 0), two[1], run(0, 0, 0)];
        assert!(p(&two).is_some_and(|p| 0.001 < p && p < 0.05), "{:?}", p(&two));
        assert_eq!(p(&four), p(&two));
        assert_eq!((p(&two[..1]), p(&four[..2])), (None, None));
        // One win here and one loss there, or draws only, do not say whether it was the same match.
        assert_eq!((p(&[run(1, 0, 0), run(0, 0, 1)]), p(&[run(0, 50, 0), run(0, 60, 0)])), (None, None));
    }

    /// One pair has not the normal law: a lost one is no other match because nearly all pairs of a long run were drawn.
    #[test]
    fn a_run_that_has_hardly_begun_is_no_other_match() {
        let run = |[ll, ld, wl_dd, wd, ww]: [u64; 5]| Results::Pairs(crate::Pentanomial { ll, ld, wl_dd, wd, ww });
        let pool = |runs: &[Results]| Pool::of(runs).expect("one kind").expect("runs");
        let long = run([0, 50, 900, 50, 0]);
        for short in [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 2, 3, 0, 0]] {
            let found = pool(&[long, run(short)]);
            assert_eq!((found.same_match, found.too_short), (None, 1), "{short:?}");
            assert_eq!(found.results.games(), 2000 + run(short).games());
            let (beside, alone) =
                (pool(&[long, run(short), run([0, 60, 880, 60, 0])]), pool(&[long, run([0, 60, 880, 60, 0])]));
            let p = [beside, alone].map(|found| found.same_match.expect("two long runs"));
            assert!(beside.too_short == 1 && (p[0] - p[1]).abs() < 0.01, "{p:?}");
        }
        let found = pool(&[long, run([0, 20, 30, 0, 0])]);
        assert!(found.too_short == 0 && found.same_match.is_some_and(|p| p < 1e-6), "{found:?}");
    }
}
