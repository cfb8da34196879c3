//! Draw tables and the estimates that they are made of.

use drawish_core::{DrawTable, Pawns, StructureIndex};
use drawish_games::export::{DEPENDENT, estimator_of, pooled_positions};
use drawish_games::smooth::{Estimate, Estimates, remark_of_table};
use drawish_stats::numbers::{counted, grouped, percent, percent_to, percents};
use serde_json::{Value, json};

/// What must be known of a table before its numbers are used.
fn remarks(table: &DrawTable<'_>) -> impl Iterator<Item = &'static str> {
    remark_of_table(table).into_iter().chain(is_narrow(table).then_some(DEPENDENT))
}

/// Whether it has intervals, which a slim table has not, and they are too narrow.
pub(crate) fn is_narrow(table: &DrawTable<'_>) -> bool {
    table.has_evidence() && table.is_dependent()
}

/// What a table says of itself. `left_out` is what a program says of a table without evidence, such as the option for it.
#[must_use]
pub fn contents(table: &DrawTable<'_>, left_out: Option<&str>) -> String {
    let evidence = if table.has_evidence() {
        "90 % intervals and positions of each cell".to_owned()
    } else {
        super::ledger::hinted("left out", left_out)
    };
    let beware = remarks(table).map(|remark| format!("beware     {remark}\n")).collect::<String>();
    format!(
        "draw table of scheme {}: {}\nestimator  {}\nbase       {} draws of {}\nevidence   {evidence}\nmade from  {:032x} (XXH3-128 of the content of the counts)\n{beware}",
        table.scheme(),
        table.scheme().summary(),
        estimator_of(table),
        percent_to(table.base().to_f64(), 2),
        counted(table.positions(), "position"),
        table.source_digest()
    )
}

/// The same for programs.
#[must_use]
pub fn contents_json(table: &DrawTable<'_>) -> Value {
    json!({
        "scheme": table.scheme().name(),
        "cells": table.scheme().cells(),
        "estimator": estimator_of(table),
        "base": table.base().to_f64(),
        "positions": table.positions(),
        "evidence": table.has_evidence(),
        "counts_xxh3_128": format!("{:032x}", table.source_digest()),
        "beware": remark_of_table(table),
        "dependent": is_narrow(table),
    })
}

/// What a table says of these pawns.
#[must_use]
pub fn structure(table: &DrawTable<'_>, pawns: Pawns) -> String {
    let scheme = table.scheme();
    let index = scheme.index(pawns);
    let cell = table.cell(pawns);
    let known = table.evidence(index).map_or(String::new(), |evidence| {
        format!(
            "  (90 % interval {} %; {} in this cell{})",
            percents(evidence.low.to_f64(), evidence.high.to_f64()),
            counted(evidence.positions.into(), "position"),
            pooled_positions(table, index).map_or(String::new(), |pooled| format!(
                ", {} with its mirror images and colour swaps, which share them",
                grouped(pooled)
            ))
        )
    });
    format!(
        "cell {} of {scheme}: {}\n\
         draw probability  {}{known}\n\
         base              {}\n\
         drawScore         {:+.3} logit ({} / 256)\n\
         scaling factor    {:.3} ({} / 128): an evaluation of 100 becomes {}\n",
        index.0,
        scheme.describe(index),
        percent(cell.probability.to_f64()),
        percent(table.base().to_f64()),
        cell.draw_score.to_logit(),
        cell.draw_score.0,
        f64::from(cell.scale.0) / 128.0,
        cell.scale.0,
        cell.scale.apply(100)
    ) + &remarks(table).map(|remark| format!("beware            {remark}\n")).collect::<String>()
}

/// The same for programs.
#[must_use]
pub fn structure_json(table: &DrawTable<'_>, pawns: Pawns) -> Value {
    let index = table.scheme().index(pawns);
    let cell = table.cell(pawns);
    let evidence = table.evidence(index);
    json!({
        "cell": index.0,
        "structure": table.scheme().describe(index).to_string(),
        "probability": cell.probability.to_f64(),
        "low": evidence.map(|evidence| evidence.low.to_f64()),
        "high": evidence.map(|evidence| evidence.high.to_f64()),
        "positions": evidence.map(|evidence| evidence.positions),
        "pooled_positions": pooled_positions(table, index),
        "base": table.base().to_f64(),
        "draw_score": cell.draw_score.0,
        "scale": cell.scale.0,
        "beware": remark_of_table(table),
        "dependent": is_narrow(table),
    })
}

/// What the estimates say as a whole, with the ends of the scale: a class of structures under colour swap and mirror
/// is named once.
#[must_use]
pub fn estimates(estimates: &Estimates) -> String {
    let mut out = format!(
        "base draw rate {} of {}, estimator {}\n",
        percent(estimates.base),
        counted(estimates.positions, "position"),
        estimates.estimator.name()
    );
    if let Some((prior, basis)) = estimates.prior.zip(estimates.basis()) {
        out += &format!("prior: {prior},\n       fitted to {basis}\n");
    }
    if let Some(remark) = estimates.remark() {
        out += &format!("beware: {remark}\n");
    }
    // Where all structures have the mean, none is more drawish than another.
    if estimates.prior.is_some_and(|prior| prior.is_unbounded()) {
        return out;
    }
    let cells = estimates.by_drawishness();
    let line = |(index, cell): &(StructureIndex, &Estimate)| {
        format!(
            "  {:>7}  ({}, {})  cell {}: {}\n",
            percent(cell.probability),
            percents(cell.low, cell.high),
            counted(cell.pooled, "position"),
            index.0,
            estimates.scheme.describe(*index)
        )
    };
    // What is near the base rate, or on its other side, is not drawish or the opposite of it.
    let shown = 3.min(cells.len() / 2);
    let most =
        cells[..shown].iter().filter(|(_, cell)| cell.probability > estimates.base).map(line).collect::<String>();
    let least = cells[cells.len() - shown..].iter().filter(|(_, cell)| cell.probability < estimates.base);
    let least = least.map(line).collect::<String>();
    let chance = if estimates.by_chance { ", which may be chance" } else { "" };
    for (title, lines) in [("most drawish", most), ("least drawish", least)] {
        if !lines.is_empty() {
            out += &format!("{title}{chance}:\n{lines}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use drawish_core::Scheme;
    use drawish_games::counts::{Counts, Wdl};
    use drawish_games::smooth::{Estimator, estimate};

    #[test]
    fn structures_that_nothing_tells_apart_are_not_ranked() {
        let said = |draws: fn(u64) -> u64| {
            let mut counts = Counts::new(Scheme::Bg);
            for cell in 0..100_u64 {
                let draws = draws(cell);
                *counts.get_mut(StructureIndex(cell as u32 * 7)) = Wdl { wins: 100 - draws, draws, losses: 0 };
            }
            super::estimates(&estimate(&counts, Estimator::EmpiricalBayes).expect("estimates"))
        };
        let alike = said(|cell| 49 + cell % 3);
        assert!(alike.contains("not bounded") && !alike.contains("most drawish"), "{alike}");
        assert!(said(|cell| cell).contains("most drawish"));
    }
}
