//! What a user should know before using the figures of a fit.

use std::fmt;

use super::{Fit, Normalization, Objective, Shape};
use crate::wdl::BLOCKS;
use crate::wdl::model::PAWN_VALUES;
use drawish_stats::model::wdl::{Mom, SMALLEST_B};
use drawish_stats::numbers::grouped;
use drawish_stats::{FEWEST_EVENTS, LEAST_WORTH};

/// Coefficients of rational curves so many times larger than the curve say nothing by themselves.
const LARGEST_COEFFICIENT: f64 = 1e4;

/// Below this correlation with the results the sign of evaluations is reversed, and not just without meaning.
const REVERSED: f64 = -0.1;

/// A doubt about a fit.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Warning {
    /// Material counts or moves with too few wins to be fitted by themselves.
    ThinRows {
        /// Fewest wins that are enough.
        win_min: f64,
        /// What a and b depend on.
        mom: Mom,
        /// Where.
        at: Vec<f64>,
    },
    /// The standard error of the pawn value is this share of it.
    ThinData(f64),
    /// The evaluations are the higher, the worse the side to move did; how strongly, from -1 to 0.
    Reversed(f64),
    /// The pawn value is none that an engine can have.
    PawnValue(f64),
    /// The anchor lies beyond what was fitted, so that the pawn value is an extrapolation.
    AnchorBeyond {
        /// What a and b depend on.
        mom: Mom,
        /// The anchor.
        anchor: f64,
        /// The least and the most that was fitted.
        fitted: [f64; 2],
    },
    /// b at the anchor is none that a model can have.
    Spread(f64),
    /// The fit is doubtful, and evaluations were read as Stockfish's because nothing else was asked for.
    StockfishUnits,
    /// Scores do not tell a from -a, and 0 is near.
    ScoreTellsNoPawn,
    /// The counts have no blocks of games.
    NoBlocks,
    /// The games lie in too few blocks, or in blocks of too unequal size, for errors: so many.
    FewBlocks(usize),
    /// b is near 0 somewhere.
    SmallSpread {
        /// What b depends on.
        mom: Mom,
        /// Where.
        at: f64,
        /// b there.
        b: f64,
    },
    /// a is 0 or less somewhere.
    NoDraws {
        /// What a depends on.
        mom: Mom,
        /// Where.
        at: f64,
        /// a there.
        a: f64,
    },
    /// The coefficients of a rational curve are not determined, though the curve is: this is one of them.
    LooseCoefficients(f64),
    /// This share of the squared error of the pawn value comes from leaving out a single block.
    OneBlock(f64),
    /// Times are those of the middles of their [classes](crate::wdl::Speed).
    TimeClasses,
    /// The search has not ended in a minimum.
    NotConverged,
    /// The searches ended apart.
    Scattered {
        /// Number of starts.
        starts: usize,
        /// The worst objective less the best.
        span: f64,
    },
}

/// A larger standard error of the pawn value, as a share of it, makes a model that is not much of one.
const LARGEST_ERROR: f64 = 0.05;

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::ThinRows { win_min, mom, at } => {
                let list: Vec<_> = at.iter().map(ToString::to_string).collect();
                write!(f, "thin data: fewer than {win_min} wins at {mom} {}: no a and b of their own there", list.join(", "))
            }
            Warning::ThinData(share) => {
                let [percent, most] = [share, &LARGEST_ERROR].map(|share| 100.0 * share);
                write!(f, "thin data: the standard error of the pawn value is {percent:.1} % of it, more than {most} %; ")?;
                // Errors fall with the square root of the number of games.
                match (share / LARGEST_ERROR).powi(2) {
                    times if times < 1000.0 => write!(f, "about {:.1} times as many games would do", (10.0 * times).ceil() / 10.0),
                    _ => f.write_str("collect more games"),
                }
            }
            Warning::Reversed(correlation) => write!(
                f,
                "the sign of the evaluations is reversed: the higher they are, the worse the side to move did (correlation with the result \
                 {correlation:.2}); expected evaluations that are positive where the side to move is ahead"
            ),
            Warning::PawnValue(value) => write!(
                f,
                "the pawn value is {value:.1}, expected {} to {} internal units: this is no model; check the sign and the units of the \
                 evaluations, collect more games or choose another shape",
                PAWN_VALUES.start(),
                grouped(*PAWN_VALUES.end() as u64)
            ),
            Warning::AnchorBeyond { mom, anchor, fitted: [least, most] } => write!(
                f,
                "the anchor, {mom} {anchor}, lies beyond what was fitted, {mom} {least} to {most}: the pawn value is an extrapolation; give \
                 --mom-target within, or more games"
            ),
            Warning::Spread(spread) => write!(
                f,
                "the spread is {spread:.1}, expected more than 0: this is no model; collect more games or choose another shape"
            ),
            Warning::StockfishUnits => f.write_str(
                "the evaluations were read as those of Stockfish, which is the default; those of another engine have 100 units to the pawn",
            ),
            Warning::ScoreTellsNoPawn => f.write_str(
                "with optimizeScore the expected score is symmetric in a, and here a is near 0: the pawn value and its error are poorly identified; use optimizeProbability",
            ),
            Warning::NoBlocks => f.write_str(
                "no errors: they need games in blocks; collect to a .wdl file to have them (JSON has no blocks, and games with the same moves are in the same one)",
            ),
            Warning::FewBlocks(blocks) => write!(
                f,
                "no errors: these games lie in {blocks} of {BLOCKS} blocks, which do not tell how much games differ; errors need {FEWEST_EVENTS} \
                 blocks that are worth {LEAST_WORTH} of equal size: collect more games"
            ),
            Warning::SmallSpread { mom, at, b } => {
                write!(f, "b nears zero: {b:.2} at {mom} {at}: the model has no meaning there")
            }
            Warning::NoDraws { mom, at, a } => write!(f, "a is {a:.2} at {mom} {at}: draws have no probability there"),
            Warning::LooseCoefficients(coefficient) => write!(
                f,
                "the coefficients of the rational curves are not determined by these games (one is {coefficient:.1e}), only the curves are: take a and b from the curve"
            ),
            Warning::OneBlock(share) => write!(
                f,
                "the errors mean little: {:.0} % of the squared error of the pawn value come from leaving out a single block of games; take another shape or collect more games",
                100.0 * share
            ),
            Warning::TimeClasses => f.write_str(
                "time controls count as the middles of classes four times as wide (for 40 moves, up to 15 s as 7.5 s, up to 1 min as 30 s, up to 4 min as 2 min, \
                 up to 16 min as 8 min, and so on): where they lie elsewhere in their classes, the pawn value for 4 minutes and what a doubling adds are off by that; \
                 the figures of one time control are those of its games alone",
            ),
            Warning::NotConverged => {
                f.write_str("the search has not ended in a minimum: the data do not determine the parameters")
            }
            Warning::Scattered { starts, span } => {
                let span = if *span < 0.01 { format!("{span:.1e}") } else { format!("{span:.2}") };
                write!(
                    f,
                    "the searches from {starts} starts ended at different optima, {span} apart in the objective: the data do not determine \
                     the model. The best one is reported; do not use it before more games, or another shape, make them agree"
                )
            }
        }
    }
}

impl Warning {
    /// All that apply to a fit.
    pub(super) fn all(fit: &Fit) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let Some(estimate) = &fit.estimate else { return warnings };
        let mom = fit.options.mom;
        let correlation = correlation(fit);
        if correlation < REVERSED {
            warnings.push(Warning::Reversed(correlation));
        }
        if !PAWN_VALUES.contains(&estimate.pawn_value) {
            warnings.push(Warning::PawnValue(estimate.pawn_value));
        }
        let anchor = fit.options.mom_target;
        if let [Some(least), Some(most)] =
            [fit.moms.iter().copied().reduce(f64::min), fit.moms.iter().copied().reduce(f64::max)]
            && !(least..=most).contains(&anchor)
        {
            warnings.push(Warning::AnchorBeyond { mom, anchor, fitted: [least, most] });
        }
        if estimate.spread < SMALLEST_B {
            warnings.push(Warning::Spread(estimate.spread));
        }
        if !fit.thin.is_empty() {
            warnings.push(Warning::ThinRows { win_min: fit.options.win_min, mom, at: fit.thin.clone() });
        }
        if let Some(errors) = &fit.errors {
            let share = errors.pawn_value / estimate.pawn_value.abs();
            if share.is_nan() || share > LARGEST_ERROR {
                warnings.push(Warning::ThinData(share));
            }
            if fit.options.objective() == Objective::Score && estimate.pawn_value < 3.0 * errors.pawn_value {
                warnings.push(Warning::ScoreTellsNoPawn);
            }
        } else if fit.options.errors && !fit.options.parity {
            warnings.push(if fit.blocks > 1 { Warning::FewBlocks(fit.blocks) } else { Warning::NoBlocks });
        }
        let lowest = |values: &[f64]| {
            fit.moms.iter().copied().zip(values.iter().copied()).min_by(|one, other| one.1.total_cmp(&other.1))
        };
        if let Some((at, b)) = lowest(&estimate.b_at)
            && b < 0.1 * estimate.spread.abs().max(SMALLEST_B)
        {
            warnings.push(Warning::SmallSpread { mom, at, b });
        }
        if let Some((at, a)) = lowest(&estimate.a_at)
            && a <= 0.0
        {
            warnings.push(Warning::NoDraws { mom, at, a });
        }
        if fit.options.shape == Shape::Rational {
            let largest =
                |values: &[f64]| values.iter().copied().max_by(|one, other| one.abs().total_cmp(&other.abs()));
            for (coefficients, along) in [(&estimate.a, &estimate.a_at), (&estimate.b, &estimate.b_at)] {
                // A curve of this size and shape has coefficients a few times as large.
                if let (Some(coefficient), Some(value)) = (largest(coefficients), largest(along))
                    && coefficient.abs() > LARGEST_COEFFICIENT * value.abs()
                {
                    warnings.push(Warning::LooseCoefficients(coefficient));
                    break;
                }
            }
        }
        if fit.options.by_speed {
            warnings.push(Warning::TimeClasses);
        }
        if !fit.converged {
            warnings.push(Warning::NotConverged);
        }
        let span = fit
            .ends
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), end| (least.min(*end), most.max(*end)));
        if !fit.ends.is_empty() && ((span.1 - span.0).is_nan() || span.1 - span.0 > 1e-9) {
            warnings.push(Warning::Scattered { starts: fit.ends.len(), span: span.1 - span.0 });
        }
        let doubtful = |warning: &Warning| {
            matches!(warning, Warning::ThinData(_) | Warning::PawnValue(_) | Warning::Scattered { .. })
        };
        if fit.options.normalization == Normalization::DEFAULT && warnings.iter().any(doubtful) {
            warnings.push(Warning::StockfishUnits);
        }
        warnings
    }
}

/// The correlation of evaluations with results, both around 0; 0 without either.
fn correlation(fit: &Fit) -> f64 {
    let (mut both, mut evals, mut results) = (0.0, 0.0, 0.0);
    for (x, wdl) in fit.density.rows.iter().flatten() {
        both += x * (wdl.wins - wdl.losses);
        evals += x * x * wdl.total();
        results += wdl.wins + wdl.losses;
    }
    if evals * results > 0.0 { both / f64::sqrt(evals * results) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubtful_fits_are_named_with_the_units_of_stockfish() {
        use crate::wdl::{Block, Cell, MoverResult, Speed, WdlCounts, fit};
        // So few games that the data are thin.
        let block = |number: i16| {
            let mut words: Vec<u32> = (0..12_u8)
                .map(|place| {
                    let result = [MoverResult::Win, MoverResult::Draw, MoverResult::Loss][usize::from(place % 3)];
                    let eval = i16::from(place) * number % 90 - 40;
                    Cell { result, move_number: 30, material: 50 + place, eval, speed: Speed::UNKNOWN }.pack()
                })
                .collect();
            words.sort_unstable();
            let mut block = Block::default();
            words.into_iter().for_each(|word| assert!(block.push(word, 3)));
            block
        };
        let counts = WdlCounts { blocks: (1..5).map(block).collect() };
        let named = |normalization| {
            let options = fit::Options { normalization, ..fit::Options::default() };
            fit::fit(&counts, &options).expect("a fit").warnings.contains(&Warning::StockfishUnits)
        };
        assert!(named(Normalization::DEFAULT) && !named(Normalization::Static(100.0)));
        let mut fit = fit::fit(&counts, &fit::Options::default()).expect("a fit");
        for (spread, is_none) in [(-5.0, true), (0.0, true), (5.0, false)] {
            fit.estimate.as_mut().expect("an estimate").spread = spread;
            assert_eq!(Warning::all(&fit).contains(&Warning::Spread(spread)), is_none, "{spread}");
        }
    }

    #[test]
    fn lists_have_commas_and_numbers_few_digits() {
        let thin = Warning::ThinRows { win_min: 10.0, mom: Mom::Material, at: vec![17.0, 39.0] };
        assert!(thin.to_string().contains("fewer than 10 wins at material 17, 39: "), "{thin}");
        for (span, said) in [(4.409, "optima, 4.41 apart"), (2e-8, "optima, 2.0e-8 apart")] {
            let scattered = Warning::Scattered { starts: 4, span };
            assert!(scattered.to_string().contains(said), "{scattered}");
        }
    }
}
