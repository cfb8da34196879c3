//! What can be asked of a finished table.

use std::collections::BTreeSet;
use std::fmt::Write;

use drawish_core::{DrawTable, Probability, ScaleFactor, StructureIndex};
use thiserror::Error;

use super::file_letters;
use crate::smooth::{Estimator, MAX_STRENGTH};
use drawish_stats::Z90;

/// Why the values of a table do not belong together.
#[derive(Clone, PartialEq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum Inconsistency {
    #[error(
        "cell {cell}: expected the scaling factor {expected:.0} for a probability of {probability:.4}, found {found}; make the table again"
    )]
    Scale { cell: u32, expected: f64, probability: f64, found: u8 },
    #[error(
        "cell {cell}: expected the drawScore {expected:.0} for a probability of {probability:.4}, found {found}; make the table again"
    )]
    DrawScore { cell: u32, expected: f64, probability: f64, found: i16 },
    #[error("cell {cell}: the interval ends before it begins; make the table again")]
    Interval { cell: u32 },
    #[error("cell {cell}: the interval does not hold the probability; make the table again")]
    NotHeld { cell: u32 },
    #[error(
        "cell {cell}: an interval of {low:.4} to {high:.4} is narrower than {positions} positions and any prior can make it; make the table \
         again"
    )]
    Narrow { cell: u32, low: f64, high: f64, positions: u64 },
    #[error("the header tells of {header} positions, the cells hold {cells}; make the table again")]
    Positions { header: u64, cells: u64 },
}

/// A probability of a table is within this of the one that it was made of.
const HALF_UNIT: f64 = 0.5 / 65_535.0;
/// A scaling factor is within this of the one that it was made of, with room for sums that are rounded otherwise.
const ROUNDED: f64 = 0.5 + 1e-6;

/// The logit of a probability, which is kept off 0 and 1 as tables do it.
fn logit(p: f64) -> f64 {
    let p = p.clamp(HALF_UNIT, 1.0 - HALF_UNIT);
    (p / (1.0 - p)).ln()
}

/// Makes sure that the values of each cell belong together, beyond the checksum that [`DrawTable::verify`] looks at.
///
/// # Errors
///
/// The first value that does not fit the others.
pub fn check_consistency(table: &DrawTable<'_>) -> Result<(), Inconsistency> {
    let base = table.base().to_f64();
    // A base is kept off 0 and 1, whatever it was.
    let lowest = if table.base().0 == 1 { 0.0 } else { base - HALF_UNIT };
    let highest = if table.base().0 == u16::MAX - 1 { 1.0 } else { base + HALF_UNIT };
    let estimator = Estimator::from_id(table.estimator());
    let is_raw = estimator == Some(Estimator::Raw);
    let has_prior = !matches!(estimator, Some(Estimator::Raw | Estimator::Laplace));
    let mut positions = 0_u64;
    // A cell with more positions than fit counts as full.
    let mut is_full = false;
    for index in (0..table.scheme().cells()).map(StructureIndex) {
        let Some(values) = table.get(index) else { continue };
        let cell = index.0;
        let p = values.probability.to_f64();
        let factor = |p: f64, base: f64| {
            let factor = 128.0 * f64::max(1.0 - p, 0.0) / f64::max(1.0 - base, f64::MIN_POSITIVE);
            factor.clamp(f64::from(ScaleFactor::MIN.0), f64::from(ScaleFactor::MAX.0))
        };
        let expected = factor(p, base);
        // The table's probability and base are rounded themselves, as the factor is. The nearer the base is to 1, the more that is.
        let [low, high] = [factor(p + HALF_UNIT, base - HALF_UNIT), factor(p - HALF_UNIT, highest)];
        if !(low - ROUNDED..=high + ROUNDED).contains(&f64::from(values.scale.0)) {
            return Err(Inconsistency::Scale { cell, expected, probability: p, found: values.scale.0 });
        }
        let score = |p: f64, base: f64| 256.0 * (logit(p) - logit(base));
        let [low, high] = [score(p - HALF_UNIT, highest), score(p + HALF_UNIT, lowest)];
        if !(low - ROUNDED..=high + ROUNDED).contains(&f64::from(values.draw_score.0)) {
            let (expected, found) = (score(p, base), values.draw_score.0);
            return Err(Inconsistency::DrawScore { cell, expected, probability: p, found });
        }
        if let Some(evidence) = table.evidence(index) {
            positions = positions.saturating_add(u64::from(evidence.positions));
            is_full |= evidence.positions == u32::MAX;
            if evidence.low > evidence.high {
                return Err(Inconsistency::Interval { cell });
            }
            // The interval of a raw rate of 0 or 1 did not reach it in tables of earlier builds.
            let is_end = is_raw && [0, u16::MAX].contains(&values.probability.0);
            if !(is_end || (evidence.low..=evidence.high).contains(&values.probability)) {
                return Err(Inconsistency::NotHeld { cell });
            }
            // So many positions are the evidence at most: a class may have those of all cells.
            let is_own = !has_prior && evidence.positions < u32::MAX;
            let own = if is_own { u64::from(evidence.positions) } else { table.positions() };
            let weight = own as f64 + if has_prior { MAX_STRENGTH } else { 2.0 };
            let (low, high) = (evidence.low.to_f64(), evidence.high.to_f64());
            // Half of what the normal law gives leaves room for skewed posteriors, a unit for the rounding of both ends.
            let least = Z90 * (p * (1.0 - p) / weight).sqrt() - 2.0 * HALF_UNIT;
            if !is_end && high - low < least {
                return Err(Inconsistency::Narrow { cell, low, high, positions: own });
            }
        }
    }
    let fits = if is_full { positions <= table.positions() } else { positions == table.positions() };
    if table.has_evidence() && !fits {
        return Err(Inconsistency::Positions { header: table.positions(), cells: positions });
    }
    Ok(())
}

/// The name of the estimator of a table.
#[must_use]
pub fn estimator_of(table: &DrawTable<'_>) -> String {
    Estimator::from_id(table.estimator())
        .map_or_else(|| format!("number {}", table.estimator()), |estimator| estimator.name().to_owned())
}

/// Positions that the estimate of a cell rests on, where cells share theirs; `None` where they do not, or the table is slim.
#[must_use]
pub fn pooled_positions(table: &DrawTable<'_>, index: StructureIndex) -> Option<u64> {
    if Estimator::from_id(table.estimator()) != Some(Estimator::EmpiricalBayesSymmetric) {
        return None;
    }
    let scheme = table.scheme();
    let mirrored = scheme.mirror_files(index);
    let class = BTreeSet::from([index, mirrored, scheme.flip_colors(index), scheme.flip_colors(mirrored)]);
    class.into_iter().map(|cell| Some(u64::from(table.evidence(cell)?.positions))).sum()
}

/// Every cell as a line of `cell,white_files,black_files,positions,probability,low,high,draw_score,scale`; the fields that a slim
/// table does not know are empty.
#[must_use]
pub fn table_csv(table: &DrawTable<'_>) -> String {
    let mut out = "cell,white_files,black_files,positions,probability,low,high,draw_score,scale\n".to_owned();
    for index in (0..table.scheme().cells()).map(StructureIndex) {
        let Some(cell) = table.get(index) else { continue };
        let structure = table.scheme().describe(index);
        let (positions, low, high) = table.evidence(index).map_or_else(Default::default, |evidence| {
            let share = |p: Probability| format!("{:.6}", p.to_f64());
            (evidence.positions.to_string(), share(evidence.low), share(evidence.high))
        });
        let _ = writeln!(
            out,
            "{},{},{},{positions},{:.6},{low},{high},{},{}",
            index.0,
            file_letters(structure.white),
            file_letters(structure.black),
            cell.probability.to_f64(),
            cell.draw_score.0,
            cell.scale.0
        );
    }
    out
}
