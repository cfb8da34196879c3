//! How often the 95 % intervals of one engine against several opponents, taken together, hold the truth: opponents alike and 300 Elo
//! apart, met from the same openings, from some of them or from their own, of which each may favour the engine or not. Fails if an
//! interval of Elo holds in less than 93 % or more than 97 %, but for three standard errors of the simulation.
//!
//! ```text
//! cargo run --release -p drawish-stats --example several_opponents -- 2000     # the table of docs/statistics.md
//! cargo run --release -p drawish-stats --example several_opponents -- 2000 all # and a line for each cell
//! ```

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the command line")]

use std::process::ExitCode;

#[path = "simulation/opponents.rs"]
mod opponents;
mod simulation;

use opponents::{Cell, Found, Meeting, cells};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let matches: u32 = words.iter().find_map(|word| word.parse().ok()).unwrap_or(500);
    let cells = cells();
    let found = simulation::in_parallel(cells.len(), |at| cells[at].play(matches, at as u64));
    let all: Vec<(Cell, Found)> = cells.into_iter().zip(found).collect();
    if words.iter().any(|word| word == "all") {
        println!("opponents         met   openings  luck   Elo +/-  interval  nElo +/-   one stratum  half width");
        all.iter().for_each(|(cell, found)| line(cell, found));
        println!();
    }
    println!(
        "{matches} matches in each cell; least and most of the 95 % intervals that hold the truth, in percent; most wrong LOS (beyond"
    );
    println!("2.5 or 97.5 % between equals) and wrong equivalence (p < 0.05 with the truth as margin)");
    println!("opponents      met   cells       Elo +/-      interval      nElo +/-   one stratum  LOS  equivalence");
    for field in ["alike", "+40", "+300, 0, -300", "+300, -100"] {
        for meeting in [Meeting::All, Meeting::Some, Meeting::Own] {
            let these = all.iter().filter(|(cell, _)| cell.field() == field && cell.meeting == meeting);
            let these: Vec<&(Cell, Found)> = these.collect();
            if !these.is_empty() {
                row(field, meeting, &these);
            }
        }
    }
    let most = 3.0 * (0.03 * 0.97 / f64::from(matches)).sqrt();
    if all.iter().flat_map(|(_, found)| found.holds()).all(|share| (0.93 - most..=0.97 + most).contains(&share)) {
        println!("all intervals of Elo hold in 93 to 97 %, but for three standard errors of the simulation");
        return ExitCode::SUCCESS;
    }
    eprintln!("an interval of Elo holds in less than 93 or more than 97 %");
    ExitCode::FAILURE
}

fn named(meeting: Meeting) -> &'static str {
    match meeting {
        Meeting::All => "all",
        Meeting::Some => "some",
        Meeting::Own => "own",
    }
}

fn percent(count: u32, matches: u32) -> f64 {
    100.0 * f64::from(count) / f64::from(matches)
}

fn row(field: &str, meeting: Meeting, these: &[&(Cell, Found)]) {
    let ends = |of: fn(&Found) -> u32| {
        let shares = these.iter().map(|(_, found)| percent(of(found), found.matches));
        let (least, most) =
            shares.fold((100.0, 0.0), |(low, high): (f64, f64), share| (low.min(share), high.max(share)));
        format!("{least:.1} to {most:.1}")
    };
    let most = |is_told: fn(&Cell) -> bool, of: fn(&Found) -> u32| {
        let shares = these.iter().filter(|(cell, _)| is_told(cell)).map(|(_, found)| percent(of(found), found.matches));
        shares.reduce(f64::max).map_or("-".to_owned(), |share| format!("{share:.1}"))
    };
    println!(
        "{field:<13}  {:<4} {:>6}  {:>12}  {:>12}  {:>12}  {:>12} {:>4} {:>12}",
        named(meeting),
        these.len(),
        ends(|found| found.error),
        ends(|found| found.interval),
        ends(|found| found.nelo),
        ends(|found| found.as_one_stratum),
        most(|cell| cell.truth().abs() < 1e-9, |found| found.wrong_los),
        most(|cell| cell.truth() > 1.0, |found| found.equivalent),
    );
}

fn line(cell: &Cell, found: &Found) {
    let share = |count| percent(count, found.matches);
    println!(
        "{:>2} {:<13} {:>5} {:>9} {:>6} {:>8.1} {:>9.1} {:>9.1} {:>13.1} {:>11.1}",
        cell.opponents,
        cell.field(),
        named(cell.meeting),
        cell.openings,
        cell.luck,
        share(found.error),
        share(found.interval),
        share(found.nelo),
        share(found.as_one_stratum),
        found.width / f64::from(found.matches),
    );
}
