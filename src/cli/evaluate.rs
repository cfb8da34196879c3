//! `drawish evaluate`: what predicts a draw, and what predicts the result, on games that no fit has seen.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Error, Result};

use super::args::ThreadsArg;
use super::progress::{fit_bar, fitting};
use super::{output, rows};
use drawish::fit::{Compare, CompareError};
use drawish::frames::{self, open_rows};
use drawish::report::text::evaluation::text;
use drawish::report::write_comparison;

/// Compare models on held-out rows: log-loss, Brier score, calibration, paired gains
///
/// The rows are split into folds by opening skeleton and by event at once; every row is predicted by models fitted to rows
/// that share neither its fold of openings nor its fold of events. Gains are paired with the constant, and with the model
/// that each builds on; errors are robust to dependence within events and among games that begin alike.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish evaluate rows.parquet\n  \
    drawish evaluate rows.parquet --report out\n  \
    drawish evaluate other-games.parquet --heads heads.toml")]
pub(super) struct Args {
    /// Row files of `drawish positions`
    #[arg(required = true, value_name = "ROWS")]
    files: Vec<PathBuf>,
    /// Judge these heads unchanged instead of fitting models; the rows must not be of games that they were fitted to, which is noticed where
    /// about one in twenty of these is among them
    #[arg(long, value_name = "HEADS")]
    heads: Option<PathBuf>,
    /// Folds of openings and folds of events, without --heads
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(2..=20), value_name = "K", conflicts_with = "heads")]
    folds: u8,
    /// Write evaluation.json, evaluation.parquet, a page, and pictures of gains and calibration (SVG, PNG) into this directory
    #[arg(long, value_name = "DIRECTORY")]
    report: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    if let Some(directory) = &args.report {
        fs::create_dir_all(directory)
            .with_context(|| format!("{} cannot be made; choose another place for --report", directory.display()))?;
        let outputs = ["evaluation.json", "evaluation.parquet", "evaluation.html"].map(|name| directory.join(name));
        output::check(outputs, args.files.iter().chain(&args.heads))?;
    }
    let files = open_rows(&args.files)?;
    rows::warn_of_rules(&files);
    let heads = args.heads.as_deref().map(super::heads::read).transpose()?;
    let bar = fit_bar(args.json);
    let progress = fitting(&bar);
    let mut compare =
        Compare::new(&files).folds(usize::from(args.folds)).threads(args.threads.number()).progress(&progress);
    if let Some(heads) = &heads {
        compare = compare.heads(heads);
    }
    let compared = compare.run().map_err(advised)?;
    bar.finish_and_clear();
    for remark in &compared.remarks {
        output::warn(format!("{remark}"));
    }
    if let Some(directory) = &args.report {
        write_comparison(&compared, directory)?;
        let frame = frames::evaluation_frame(&compared.tables)?;
        output::write(&directory.join("evaluation.parquet"), &frames::to_parquet(&frame)?)?;
    }
    if args.json {
        output::print(compared.to_json())?;
    } else {
        compared.tables.iter().try_for_each(|(subject, evaluation)| output::print(text(*subject, evaluation)))?;
    }
    super::done()
}

fn advised(error: CompareError) -> Error {
    match error {
        CompareError::Unlearnable(error) => rows::unlearnable(error),
        _ => error.into(),
    }
}
