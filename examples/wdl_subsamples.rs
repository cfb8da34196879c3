//! Is the jackknife's error the true one? Fits the WDL model to disjoint subsamples of real games and compares the spread
//! of their pawn values with the jackknife's errors.
//!
//! Which game goes where is drawn with a seed. Taking every N-th game would not do: events have periods (colours, pairings),
//! so that such subsamples differ by more than chance.
//!
//! ```text
//! cargo run --release --no-default-features --example wdl_subsamples -- games.pgn.zst [subsamples [pawn-value]]
//! ```
#![expect(clippy::print_stdout, reason = "the figures are its purpose")]

use std::io::Read;
use std::num::NonZero;
use std::path::PathBuf;

use rand::{RngExt, SeedableRng};

use drawish::pgn::Input;
use drawish::wdl::fit::{Method, Normalization, Objective, Options, fit};
use drawish::wdl::{Config, FileFilter, Rule, WdlCounts, collect};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let file = PathBuf::from(arguments.next().ok_or("name a PGN file")?);
    let subsamples: usize = arguments.next().map_or(Ok(20), |text| text.parse())?;
    let pawn: f64 = arguments.next().map_or(Ok(100.0), |text| text.parse())?;
    let mut text = String::new();
    Input::File(file).open()?.read_to_string(&mut text)?;
    let mut parts = vec![String::new(); subsamples];
    let begins: Vec<usize> = text.match_indices("[Event ").map(|found| found.0).chain([text.len()]).collect();
    let mut draw = rand_chacha::ChaCha8Rng::seed_from_u64(2026);
    for ends in begins.windows(2) {
        parts[draw.random_range(0..subsamples)] += &text[ends[0]..ends[1]];
    }
    for objective in [Objective::Probability, Objective::Score] {
        let options = Options {
            normalization: Normalization::Static(pawn),
            method: Method::Optimize(objective),
            ..Options::default()
        };
        let mut whole = WdlCounts::default();
        let (mut pawns, mut spreads, mut own_errors) = (Vec::new(), Vec::new(), Vec::new());
        let mut all = Vec::new();
        for part in &parts {
            let counts = count(part)?;
            let found = fit(&counts, &options)?;
            pawns.push(found.estimate.pawn_value);
            spreads.push(found.estimate.spread);
            own_errors.extend(found.errors.map(|errors| errors.pawn_value));
            whole.add(counts.clone());
            all.push(counts);
        }
        let found = fit(&whole, &options)?;
        let errors = found.errors.ok_or("no blocks")?;
        println!("{objective:?}, {} games, {subsamples} subsamples", begins.len() - 1);
        for (name, values, whole, jackknife) in [
            ("pawn value", &pawns, found.estimate.pawn_value, errors.pawn_value),
            ("spread", &spreads, found.estimate.spread, errors.spread),
        ] {
            let expected = deviation(values) / (subsamples as f64).sqrt();
            println!(
                "  {name}: {whole:.2}, jackknife error {jackknife:.2}; spread of the subsamples {:.2}, over sqrt({subsamples}) {expected:.2}; ratio {:.2}",
                deviation(values),
                jackknife / expected
            );
        }
        let mut without = Vec::new();
        for left_out in 0..subsamples {
            let mut rest = WdlCounts::default();
            for (_, counts) in all.iter().enumerate().filter(|(place, _)| *place != left_out) {
                rest.add(counts.clone());
            }
            without.push(fit(&rest, &Options { errors: false, ..options.clone() })?.estimate.pawn_value);
        }
        let n = subsamples as f64;
        println!("  leaving out one subsample after another: {:.2}", (n - 1.0) / n.sqrt() * deviation(&without));
        let mean = own_errors.iter().sum::<f64>() / own_errors.len() as f64;
        println!(
            "  jackknife error of one subsample: {mean:.2} on average; ratio to their spread {:.2}",
            mean / deviation(&pawns)
        );
    }
    Ok(())
}

fn count(games: &str) -> Result<WdlCounts, Failure> {
    let directory = std::env::temp_dir().join(format!("drawish-subsample-{}.pgn", std::process::id()));
    std::fs::write(&directory, games)?;
    let config = Config {
        inputs: vec![Input::File(directory.clone())],
        filter: FileFilter::default(),
        rule: Rule::default(),
        rule_text: String::new(),
        allow_duplicates: false,
        threads: NonZero::<usize>::MIN,
    };
    let counts = collect(&config, &|_, _| {})?.file.counts;
    std::fs::remove_file(directory)?;
    Ok(counts)
}

fn deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
}
