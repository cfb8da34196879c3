//! How far the priors of `drawish tune` hold weights back, which its standard errors leave out: a draw head is fitted to real games, their
//! results are drawn anew from that head, and heads that are fitted to these are compared with it. kappa makes up for a win/loss score
//! that is held back, and comes out too large.
//!
//! ```text
//! cargo run --release -p drawish-games --example priors_hold_back -- games.pgn.zst [sets [rows]]
//! ```

#![expect(clippy::print_stdout, reason = "the figures are its purpose")]

use std::error::Error;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread::available_parallelism;

use drawish_core::Outcome;
use drawish_games::fit::{Data, Kernel, Priors, fit, specs, standard_errors};
use drawish_games::pgn::Input;
use drawish_games::rows::{Gather, MemoryRows, Rows};
use drawish_heads::heads::{Spec, Term};
use drawish_stats::numeric::in_order;
use drawish_stats::reach_of_95_percent;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const ONE: NonZero<usize> = NonZero::<usize>::MIN;
const KERNEL: Kernel = Kernel::WinDrawLoss { kappa: None };

/// A fit: the weights, kappa last, each with its standard error if it has one.
struct Found {
    weights: Vec<f64>,
    errors: Option<Vec<f64>>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = PathBuf::from(arguments.next().ok_or("name a PGN file")?);
    let sets: u64 = arguments.next().map_or(Ok(50), |text| text.parse())?;
    let most: usize = arguments.next().map_or(Ok(usize::MAX), |text| text.parse())?;
    let (rows, _) = MemoryRows::gather(Gather::new(vec![Input::File(file)]));
    let spec = Spec { win: specs::win(), draw: specs::even(), constant: true };
    let mut rows = rows.rows().clone();
    let threads = available_parallelism().unwrap_or(ONE);
    let truth = found(&rows, &spec, threads).weights;
    let keep: Vec<bool> = (0..rows.len()).map(|row| row < most).collect();
    rows.retain(&keep);
    let scores: Vec<[f64; 2]> = (0..rows.len()).map(|row| scores(&rows, row, &spec, &truth)).collect();
    let kappa = truth.last().copied().ok_or("no weights")?;
    let seeds: Vec<u64> = (0..sets).collect();
    let mut all: Vec<Found> = Vec::new();
    let again = |_: usize, &seed: &u64| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut rows = rows.clone();
        rows.outcomes = scores.iter().map(|&[w, v]| drawn(w, v, kappa, &mut random)).collect();
        found(&rows, &spec, ONE)
    };
    in_order(&seeds, threads, again, |one| all.push(one));

    let reach = reach_of_95_percent(data(&rows, &spec).events());
    let share = |places: std::ops::Range<usize>| {
        let (mut held, mut given) = (0, 0);
        for Found { weights, errors } in &all {
            let errors =
                errors.as_ref().into_iter().flat_map(|errors| places.clone().map(|place| (place, errors[place])));
            for (place, error) in errors.filter(|(_, error)| *error > 0.0) {
                given += 1;
                held += usize::from((weights[place] - truth[place]).abs() <= reach * error);
            }
        }
        format!("{held} of {given}")
    };
    let kappas: Vec<f64> = all.iter().filter_map(|found| found.weights.last().copied()).collect();
    let mean = kappas.iter().sum::<f64>() / kappas.len() as f64;
    let deviation = (kappas.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (kappas.len() as f64 - 1.0)).sqrt();
    let errors: Vec<f64> = all.iter().filter_map(|found| found.errors.as_ref()?.last().copied()).collect();
    let error = match errors.len() {
        0 => "without a standard error".to_owned(),
        number => format!("with a standard error of {:.3}", errors.iter().sum::<f64>() / number as f64),
    };
    let (win, last) = (spec.win_weights(), truth.len() - 1);
    println!("{} rows of {} events, {sets} sets of results", rows.len(), data(&rows, &spec).events());
    println!("kappa {kappa:.3}: found {mean:.3}, which varies by {deviation:.3}, {error}");
    println!("intervals of 95 % that hold kappa: {}", share(last..last + 1));
    println!("... weights of the win/loss score: {}", share(0..win));
    println!("... weights of the draw score:     {}", share(win..last));
    Ok(())
}

fn data(rows: &Rows, spec: &Spec) -> Data {
    Data::of([rows], spec, None)
}

fn found(rows: &Rows, spec: &Spec, threads: NonZero<usize>) -> Found {
    let data = data(rows, spec);
    let fitted = fit(&data, None, spec, KERNEL, Priors::default(), None, threads);
    let errors = standard_errors(&data, None, &fitted, Priors::default(), threads);
    Found { weights: fitted.weights, errors }
}

/// The win/loss score of a row and its draw score, all terms being linear.
fn scores(rows: &Rows, row: usize, spec: &Spec, weights: &[f64]) -> [f64; 2] {
    let sum = |terms: &[Term], weights: &[f64]| -> f64 {
        let value = |term: &Term| match term {
            Term::Linear(input) => f64::from(rows.value(*input, row)),
            _ => 0.0,
        };
        terms.iter().map(value).zip(weights).map(|(value, weight)| value * weight).sum()
    };
    let (win, rest) = weights.split_at(spec.win_weights());
    // The constant stands before the other weights of the draw score.
    [sum(&spec.win, win), rest[0] + sum(&spec.draw, &rest[1..])]
}

fn drawn(w: f64, v: f64, kappa: f64, random: &mut ChaCha8Rng) -> Outcome {
    let Some(p) = KERNEL.predict(w, v, kappa).win_draw_loss() else { return Outcome::Draw };
    match random.random::<f64>() {
        x if x < p.draw => Outcome::Draw,
        x if x < p.draw + p.win => Outcome::WhiteWin,
        _ => Outcome::BlackWin,
    }
}
