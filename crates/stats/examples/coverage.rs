//! How often the 95 % interval after a stop holds the true difference, on a grid: 5 to 2,000 pairs, draw ratios 0 to 0.98, three
//! models, wide bounds (the test decides) and narrow ones (the match is cut), the truth in the middle of the bounds and at the
//! upper one. Fails if intervals hold less than they promise.
//!
//! ```text
//! cargo run --release -p drawish-stats --example coverage            # the table of docs/statistics.md
//! cargo run --release -p drawish-stats --example coverage -- 2000 all # more matches, and a line for each cell
//! ```

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the command line")]

use std::process::ExitCode;

#[path = "simulation/grid.rs"]
mod grid;
mod simulation;

use grid::{Cell, LENGTHS, Tally, cells};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let matches: u32 = words.iter().find_map(|word| word.parse().ok()).unwrap_or(100);
    let cells = cells(&LENGTHS);
    let tallies = simulation::in_parallel(cells.len(), |at| cells[at].play(matches, at as u64));
    let all: Vec<(&Cell, Tally)> = cells.iter().zip(tallies).collect();
    if words.iter().any(|word| word == "all") {
        println!("pairs  bounds  model       draws  truth   figures  covered  median above");
        for (cell, tally) in &all {
            let truth = if cell.upper { "upper" } else { "middle" };
            let above = f64::from(tally.above) / f64::from(tally.figures.max(1));
            println!(
                "{:>5}  {:<6}  {:<10}  {:>5}  {truth:<6}  {:>7}  {:>7}  {:>12}",
                cell.pairs,
                if cell.wide { "wide" } else { "narrow" },
                cell.model.name(),
                cell.draws,
                percent(f64::from(tally.figures) / f64::from(tally.matches)),
                tally.coverage().map_or("-".to_owned(), percent),
                if tally.figures > 0 { percent(above) } else { "-".to_owned() }
            );
        }
        println!();
    }
    println!(
        "{matches} matches in each of {} cells; least and most over cells that give a figure in half of the matches",
        all.len()
    );
    println!("pairs  bounds  figures  covered    least     most  wrong figures");
    let mut kept = true;
    for pairs in LENGTHS {
        for wide in [true, false] {
            kept &= row(pairs, wide, &all);
        }
    }
    if kept {
        println!(
            "no cell is off by more than three standard errors from at most 7 % wrong intervals and at least 93 % coverage"
        );
        return ExitCode::SUCCESS;
    }
    eprintln!("intervals miss the truth too often: expected at most 7 % wrong ones, and coverage of at least 93 %");
    ExitCode::FAILURE
}

/// One line of the table; whether it keeps the promise, but for three standard errors of the simulation.
fn row(pairs: u64, wide: bool, all: &[(&Cell, Tally)]) -> bool {
    let these: Vec<Tally> =
        all.iter().filter(|(cell, _)| cell.pairs == pairs && cell.wide == wide).map(|&(_, tally)| tally).collect();
    let sum = these.iter().fold(Tally::default(), |sum, &tally| sum.plus(tally));
    let usual: Vec<Tally> = these.iter().copied().filter(|tally| 2 * tally.figures >= tally.matches).collect();
    let coverages = || usual.iter().filter_map(Tally::coverage);
    let ends = (coverages().fold(1.0, f64::min), coverages().fold(0.0, f64::max));
    let wrong = |tally: &Tally| f64::from(tally.figures - tally.covered) / f64::from(tally.matches);
    let most_wrong = these.iter().map(wrong).fold(0.0, f64::max);
    let shown = |share: f64| if usual.is_empty() { "-".to_owned() } else { percent(share) };
    println!(
        "{pairs:>5}  {:<6}  {:>7}  {:>7}  {:>7}  {:>7}  {:>13}",
        if wide { "wide" } else { "narrow" },
        percent(f64::from(sum.figures) / f64::from(sum.matches)),
        sum.coverage().map_or("-".to_owned(), percent),
        shown(ends.0),
        shown(ends.1),
        percent(most_wrong)
    );
    let error = |tally: &Tally| 3.0 * (0.07 * 0.93 / f64::from(tally.figures.max(1))).sqrt();
    these.iter().all(|tally| wrong(tally) <= 0.07 + error(tally))
        && usual.iter().all(|tally| tally.coverage().is_none_or(|share| share >= 0.93 - error(tally)))
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}
