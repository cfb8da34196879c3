//! Several runs of the same match taken together.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::results::{KindsDiffer, Results};

/// The sum of runs, and whether they fit together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pool {
    /// All results.
    pub results: Results,
    /// The probability that runs of one and the same match differ at least as much as these do in their scores; `None` for a
    /// single run. A small one (below 0.01, say) means that the runs did not play the same match: another book, another
    /// build, another machine.
    pub same_match: Option<f64>,
}

impl Pool {
    /// Adds runs; `None` if there are none. The homogeneity of the scores is judged by Cochran's Q = sum (m_i - m)^2 / (v / n_i),
    /// chi-square with one degree of freedom less than runs, with the pooled variance v.
    ///
    /// # Errors
    ///
    /// If some count pairs and others games.
    pub fn of(runs: &[Results]) -> Result<Option<Pool>, KindsDiffer> {
        let Some((&first, others)) = runs.split_first() else { return Ok(None) };
        let results = others.iter().try_fold(first, |sum, &run| sum.pooled_with(run))?;
        let (_, all) = results.law();
        let (mean, variance) = (all.mean(), all.moment(2));
        let q: f64 = runs
            .iter()
            .map(|run| {
                let (n, law) = run.law();
                n * (law.mean() - mean).powi(2) / variance
            })
            .sum();
        let same_match = ChiSquared::new(others.len() as f64).ok().map(|law| law.sf(q));
        Ok(Some(Pool { results, same_match }))
    }
}
