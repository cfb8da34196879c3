//! What is counted, and how evaluations are rounded.

use regex::bytes::Regex;

use super::FenCounters;
use super::cell::{EVAL_LIMIT, MATE};
use crate::pgn::EvalValue;

/// Which variants of chess are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum VariantRule {
    /// Standard chess and Chess960, as scoreWDLstat does.
    #[default]
    Any,
    /// Games without a Variant tag or with Standard, Chess or Normal, from any start position.
    Standard,
    /// Games tagged as Chess960 by any of its names.
    Chess960,
}

/// What is counted.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Which variants.
    pub variant: VariantRule,
    /// Only evaluations of engines whose White or Black tag this pattern matches as a whole.
    pub engine: Option<Regex>,
    /// Evaluations are rounded to multiples of this many centipawns, at least 1.
    pub bin_width: u16,
    /// Cut decimals as scoreWDLstat does, `0.53` to 52, instead of reading them exactly.
    pub truncate: bool,
    /// Move counters for start positions that are written with `0 1`.
    pub fens: Option<FenCounters>,
    /// Leave out a position when the engine's evaluation, other than 0, is the same for this many of its moves in a row.
    pub drop_repeated: Option<u32>,
    /// Follow games by every rule of chess.
    pub replay: bool,
}

impl Default for Rule {
    fn default() -> Self {
        Rule {
            variant: VariantRule::Any,
            engine: None,
            bin_width: 5,
            truncate: false,
            fens: None,
            drop_repeated: None,
            replay: false,
        }
    }
}

impl Rule {
    /// The evaluation as it is counted.
    #[inline]
    pub(super) fn binned(&self, value: EvalValue) -> i16 {
        let centipawns = match value {
            // No side that has just moved is mated.
            EvalValue::Mate(moves) => return if moves < 0 { -MATE } else { MATE },
            EvalValue::Centipawns(value) if self.truncate => truncated(value),
            EvalValue::Centipawns(value) => value,
        };
        let limited = centipawns.clamp(-i32::from(EVAL_LIMIT), i32::from(EVAL_LIMIT));
        let width = i32::from(self.bin_width);
        // Halves go away from zero; an odd width has none.
        let bins = (limited.abs() + width / 2) / width;
        (limited.signum() * bins * width).clamp(-i32::from(EVAL_LIMIT), i32::from(EVAL_LIMIT)) as i16
    }
}

/// `int(100 * x)` in single precision, which loses a centipawn on 62 of the values from 0.00 to 10.00.
fn truncated(hundredths: i32) -> i32 {
    (100.0 * (f64::from(hundredths) / 100.0) as f32) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_exact_or_cut_as_scorewdlstat_cuts_them() {
        let exact = Rule { bin_width: 1, ..Rule::default() };
        let cut = Rule { truncate: true, ..exact.clone() };
        let differ: Vec<i32> = (0..=1000)
            .filter(|&value| {
                assert_eq!(i32::from(exact.binned(EvalValue::Centipawns(value))), value);
                let truncated = cut.binned(EvalValue::Centipawns(value));
                assert_eq!(cut.binned(EvalValue::Centipawns(-value)), -truncated);
                i32::from(truncated) != value
            })
            .collect();
        assert_eq!(differ.len(), 62, "the number that the study of scoreWDLstat found");
        assert!([53, 118, 418].iter().all(|value| differ.contains(value)));
        let fives = |rule: &Rule, value| Rule { bin_width: 5, ..rule.clone() }.binned(EvalValue::Centipawns(value));
        let moved = (0..=1000).filter(|&value| fives(&exact, value) != fives(&cut, value)).count();
        assert_eq!(moved, 14, "values in another bin");
    }

    #[test]
    fn bins_round_halves_away_from_zero_and_mates_are_kept_apart() {
        let rule = |bin_width| Rule { bin_width, ..Rule::default() };
        for (width, value, bin) in
            [(5, 2, 0), (5, 3, 5), (5, -3, -5), (10, 5, 10), (10, -5, -10), (4, 2, 4), (7, 998, 1000), (5, 15235, 1000)]
        {
            assert_eq!(rule(width).binned(EvalValue::Centipawns(value)), bin, "{value} by {width}");
        }
        assert_eq!(rule(5).binned(EvalValue::Mate(5)), MATE);
        assert_eq!(rule(5).binned(EvalValue::Mate(-1)), -MATE);
    }
}
