//! Results against several opponents, who are met from the same openings.

use std::collections::HashMap;
use std::hash::Hash;

use super::{Remark, Run};
use drawish_stats::{Analysis, AnalysisError, Counted, Pentanomial, Results, Sprt, design_effect};

/// Pairs of games against several opponents, with what pairs of the same opening have in common.
#[derive(Debug)]
pub(super) struct ByOpening<K> {
    /// The numbers of the openings.
    openings: HashMap<K, u32>,
    scores: Vec<f64>,
    clusters: Vec<u32>,
}

impl<K: Hash + Eq> ByOpening<K> {
    pub(super) fn new() -> ByOpening<K> {
        ByOpening { openings: HashMap::new(), scores: Vec::new(), clusters: Vec::new() }
    }

    /// Adds a pair with this share of its points.
    pub(super) fn add(&mut self, opening: K, score: f64) {
        let next = self.openings.len() as u32;
        self.clusters.push(*self.openings.entry(opening).or_insert(next));
        self.scores.push(score);
    }

    /// How many pairs are worth an independent one, and what is to be said where this is more than one.
    pub(super) fn effect(&self) -> (f64, Option<Remark>) {
        let (openings, pairs) = (self.openings.len() as u64, self.scores.len() as u64);
        let remark = (openings < pairs).then_some(Remark::ByOpening { openings, pairs });
        (design_effect(&self.scores, &self.clusters), remark)
    }
}

impl Run {
    /// Whether the results are those against several opponents.
    fn is_of_several(&self) -> bool {
        self.remarks.iter().any(|remark| matches!(remark, Remark::Against(_)))
    }

    fn count(&self) -> f64 {
        let of = |pairs: Pentanomial| Results::Pairs(pairs).games();
        self.counted.pairs.map_or(0, of) as f64
    }
}

/// What results mean by a test and a margin, as [`Analysis::of`]: those that were read, and counts beside them, with `as_games` by games
/// also where they are of pairs. Of results against several opponents errors are by opening.
///
/// # Errors
///
/// As [`Analysis::of`], or if results against several opponents are to be tested.
pub fn analysed(
    counts: &[Counted],
    runs: &[Run],
    as_games: bool,
    sprt: Option<Sprt>,
    margin: Option<f64>,
) -> Result<Analysis, AnalysisError> {
    if sprt.is_some() && runs.iter().any(Run::is_of_several) {
        return Err(AnalysisError::Dependent);
    }
    let all: Vec<Counted> = counts.iter().copied().chain(runs.iter().map(|run| run.counted)).collect();
    let results = Counted::results(&all, as_games)?;
    let (known, worth) = runs
        .iter()
        .fold((0.0, 0.0), |(known, worth), run| (known + run.count(), worth + run.count() / run.design_effect));
    let others: u64 = counts.iter().filter_map(|one| Some(Results::Pairs(one.pairs?).games())).sum();
    let others = others as f64;
    let effect = if worth + others > 0.0 { (known + others) / (worth + others) } else { 1.0 };
    // Rounding makes no results dependent.
    let effect = if runs.iter().all(|run| run.design_effect == 1.0) { 1.0 } else { effect };
    Analysis::of_dependent(&results, effect, sprt, margin)
}
