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

#[cfg(test)]
mod tests {
    use super::*;

    /// Results of 60 openings against three opponents; of each opening alike or not.
    fn run(alike: bool) -> Run {
        let mut by_opening = ByOpening::new();
        let mut counts = [0; 5];
        for pair in 0..180_u32 {
            let halves = (if alike { pair / 3 } else { pair / 3 + pair % 3 } * 7 % 5) as usize;
            counts[halves] += 1;
            by_opening.add(pair / 3, halves as f64 / 4.0);
        }
        let (design_effect, remark) = by_opening.effect();
        let [ll, ld, wl_dd, wd, ww] = counts;
        let pairs = Some(Pentanomial { ll, ld, wl_dd, wd, ww });
        let mut run = Run { design_effect, ..Run::of_counts("a", Counted { pairs, games: None }) };
        run.remarks.push(Remark::Against(
            [("b", 120), ("c", 120), ("d", 120)].map(|(name, games)| (name.to_owned(), games)).to_vec(),
        ));
        run.remarks.extend(remark);
        run
    }

    #[test]
    fn opponents_from_one_opening_are_worth_one() {
        let error = |run: &Run| {
            let found = analysed(&[], std::slice::from_ref(run), false, None, Some(3.0)).expect("results");
            found.strength.elo_error.expect("an error")
        };
        let independent = Run { design_effect: 1.0, ..run(true) };
        let ratio = error(&run(true)) / error(&independent);
        assert!((3f64.sqrt()..1.1 * 3f64.sqrt()).contains(&ratio), "{ratio}");
        assert_eq!(run(true).remarks[1].to_string(), "180 pairs from 60 openings: errors by opening");
        let ratio = error(&run(false)) / error(&independent);
        assert!((1.0..1.1).contains(&ratio), "{ratio}");
    }

    #[test]
    fn no_test_of_several_opponents() {
        let sprt = Sprt::new(drawish_stats::Model::Normalized, 0.0, 5.0, 0.05, 0.05).expect("a test");
        let refused = analysed(&[], &[run(false)], false, Some(sprt), None).expect_err("refused").to_string();
        assert!(refused.contains("choose one opponent"), "{refused}");
        let of_two = Run { remarks: Vec::new(), design_effect: 1.0, ..run(false) };
        assert!(analysed(&[], &[of_two], false, Some(sprt), None).is_ok());
    }
}
