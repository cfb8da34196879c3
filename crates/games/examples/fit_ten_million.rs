//! How long a fit of ten million rows takes: twenty entries a row that are not 0, win, draw and loss with kappa, and the known
//! weights found again. Prints CPU-independent facts; time it from outside:
//!
//! ```text
//! /usr/bin/time -v cargo run --release -p drawish-games --example fit_ten_million -- 10000000
//! ```

use std::error::Error;
use std::io::{Write, stdout};
use std::thread::available_parallelism;

use drawish_core::Outcome;
use drawish_games::fit::{Data, Kernel, Prediction, Priors, fit};
use drawish_games::rows::Rows;
use drawish_heads::features::{self, Parity};
use drawish_heads::heads::{Input, Spec, Term};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const KAPPA: f64 = 1.2;

fn main() -> Result<(), Box<dyn Error>> {
    let count: usize = std::env::args().nth(1).as_deref().unwrap_or("10000000").parse()?;
    let of = |parity: Parity, count: usize| -> Vec<Term> {
        let places = (0..features::all().len()).filter(|&place| features::all()[place].parity == parity);
        places.map(|place| Term::Linear(Input::Feature(place))).take(count).collect()
    };
    // Ten odd entries, nine even ones and the constant.
    let spec = Spec { win: of(Parity::Odd, 10), draw: of(Parity::Even, 9), constant: true };
    let truth: Vec<f64> =
        (0..20).map(|place| if place == 10 { 0.3 } else { 0.02 * (f64::from(place) - 9.0) }).collect();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let firsts = (0..count).step_by(65_536);
    let parts = firsts.map(|first| rows(&mut random, &spec, &truth, first, 65_536.min(count - first)));
    let data = Data::of(parts, &spec, None);
    let kernel = Kernel::WinDrawLoss { kappa: None };
    let fitted = fit(&data, None, &spec, kernel, Priors::default(), None, available_parallelism()?);
    let worst = fitted.weights.iter().zip(&truth).map(|(found, truth)| (found - truth).abs()).fold(0.0, f64::max);
    let kappa = fitted.kappa().unwrap_or(f64::NAN);
    writeln!(
        stdout(),
        "{} rows, {} steps, converged: {}; kappa {kappa:.4} of {KAPPA}, largest error of the other weights {worst:.4}",
        data.len(),
        fitted.steps,
        fitted.converged
    )?;
    assert!(fitted.converged && worst < 0.02 && (kappa - KAPPA).abs() < 0.05, "the weights are not found again");
    Ok(())
}

/// Rows whose results follow the draw model with these weights.
fn rows(random: &mut impl Rng, spec: &Spec, truth: &[f64], first: usize, count: usize) -> Rows {
    let mut rows = Rows::new();
    let places = spec.win.iter().chain(&spec.draw).filter_map(|term| match term {
        Term::Linear(Input::Feature(place)) => Some(*place),
        _ => None,
    });
    let places: Vec<usize> = places.collect();
    for row in 0..count {
        let (mut w, mut v) = (0.0, truth[10]);
        for (number, &place) in places.iter().enumerate() {
            let value = random.random_range(1..=4_i16) * if random.random_bool(0.5) { 1 } else { -1 };
            rows.features[place].push(value);
            if number < 10 {
                w += truth[number] * f64::from(value);
            } else {
                v += truth[number + 1] * f64::from(value);
            }
        }
        let prediction = Kernel::WinDrawLoss { kappa: Some(KAPPA) }.predict(w, v, 0.0);
        let Prediction::Results { win, draw, .. } = prediction else { unreachable!("the kernel knows all results") };
        rows.outcomes.push(match random.random::<f64>() {
            x if x < draw => Outcome::Draw,
            x if x < draw + win => Outcome::WhiteWin,
            _ => Outcome::BlackWin,
        });
        rows.games.push((first + row) as u64);
        rows.skeletons.push(0);
        rows.plies.push(98);
        rows.events.push(format!("{}", (first + row) / 1000).into());
        rows.evals.push(None);
    }
    rows
}
