//! Several runs of the same match taken together.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::enough::too_few;
use super::results::{MixedResults, Results};

/// The sum of runs, and whether they fit together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pool {
    /// All results.
    pub results: Results,
    /// The p-value of homogeneity: the probability that runs of one and the same match differ at least as much as these do in
    /// their scores; `None` for a single run. A small one (below 0.01, say) means that the runs did not play the same match:
    /// another book, another build, another machine. `None` too where all results together do not say how much they vary.
    pub same_match: Option<f64>,
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
        // A run that has not begun says nothing, and would make the others look more alike.
        let played: Vec<_> = runs.iter().filter(|run| run.games() > 0).map(Results::distribution).collect();
        let q: f64 = played.iter().map(|(n, distribution)| n * (distribution.mean() - mean).powi(2) / variance).sum();
        let known = played.len() > 1 && too_few(&results).is_none();
        let same_match =
            ChiSquared::new(played.len() as f64 - 1.0).ok().filter(|_| known).map(|distribution| distribution.sf(q));
        Ok(Some(Pool { results, same_match }))
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
}
