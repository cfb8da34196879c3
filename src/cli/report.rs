//! `drawish report`: results of every kind as a page, as Markdown and as pictures.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::args::sprt::sprt as sprt_of;
use super::picture::Pages;
use super::{Usage, args, output, usage};
use drawish::report::data::ReportData;
use drawish::report::{PictureFormat, Report};
use drawish::smooth::Estimator;

/// Show results of every kind as one page that works offline, as Markdown, as pictures
///
/// Each input is recognised by its content:
///
///   counts, tables   structures as boards, all of them at once, how much is chance (.counts, .table)
///   heads            their terms with errors (`drawish tune`, .toml)
///   evaluations      gains of models and their calibration (`drawish evaluate --json`)
///   WDL fits         what an evaluation means (`drawish wdl fit --json`)
///   WDL heads        how they do on games held out (`drawish wdl head --compare --json`), their terms
///                    (.toml, .heads)
///   match logs       the course of the match, Elo, pairs, ends of games (.jsonl, plain or compressed)
///   tournament logs  Elo of every engine, each against each (`drawish tournament`, .jsonl)
///   tuning logs      where each parameter went, with intervals (`drawish spsa --log`, .jsonl)
///   rows             draw rates by structure and evaluation (`drawish positions`, .parquet)
///
/// The ending of each output's name chooses its form: .html is one file with everything in it,
/// .md is Markdown. Missing, outdated or unfinished inputs are reported; the rest is shown.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_help = "Examples:\n  \
        drawish report tables/human.counts tables/human.heads.toml -o report.html\n  \
        drawish report match.jsonl --sprt elo0=0 elo1=5 -o match.html -o match.md --svg pictures\n\n\
        Exit codes: 0 done, 1 failed, or an input or a file in a directory was missing or damaged (the rest is shown), 2 wrong usage."
)]
pub(super) struct Args {
    /// Results, or directories of them, in the order in which they appear
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Where to write, .html or .md; may be given several times; - writes Markdown to standard output
    #[arg(short, long, value_name = "FILE", required_unless_present_any = ["svg", "png"])]
    output: Vec<PathBuf>,
    /// Write every picture as SVG into this directory; Markdown then links to them
    #[arg(long, value_name = "DIRECTORY")]
    svg: Option<PathBuf>,
    /// Write every picture as PNG into this directory
    #[arg(long, value_name = "DIRECTORY")]
    png: Option<PathBuf>,
    /// The title [default: by what is shown]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// How probabilities are estimated from counts
    #[arg(long, default_value = "eb-sym", value_parser = args::named(&Estimator::ALL, Estimator::name, Estimator::meaning))]
    estimate: Estimator,
    /// The test of the matches [default: that of each log]: elo0= elo1= [alpha=] [beta=] [model=normalized|logistic|bayesian]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// Differences below this many Elo count as none
    #[arg(long, default_value_t = 3.0, value_name = "ELO")]
    margin: f64,
    /// Print nothing but warnings and errors
    #[arg(short, long)]
    quiet: bool,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    if !(args.margin > 0.0 && args.margin < 1000.0) {
        return Err(Usage(format!("--margin {}: expected a number of Elo above 0 and below 1000", args.margin)).into());
    }
    if args.sprt == ["none"] {
        let what = "--sprt none: a page shows the test of each log, as it may have stopped the match; leave --sprt out";
        return Err(Usage(what.to_owned()).into());
    }
    let sprt = sprt_of(&args.sprt).map_err(usage)?;
    let pages = Pages::of(&args.output)?.with_pictures(args.svg.as_ref(), PictureFormat::Svg);
    let pages = pages.with_pictures(args.png.as_ref(), PictureFormat::Png);
    pages.check(&args.inputs)?;
    let report = args.title.into_iter().fold(Report::new(&args.inputs), Report::title);
    let report = report.estimator(args.estimate).matches(sprt, args.margin);
    let data = report.read();
    complain(&data, args.quiet);
    pages.write(&report.document(&data)?)?;
    if !args.quiet {
        let outputs = args.output.iter().chain(&args.svg).chain(&args.png);
        output::print_beside(&args.output, data.written(outputs))?;
    }
    Ok(exit_code(&data))
}

/// What is missing or broken, on standard error; of what is only odd nothing if `quiet`.
pub(super) fn complain(data: &ReportData, quiet: bool) {
    data.notes.iter().filter(|note| note.is_fault || !quiet).for_each(output::warn);
}

/// A failure where an input was missing or broken, also when the rest is shown.
pub(super) fn exit_code(data: &ReportData) -> ExitCode {
    if data.notes.iter().any(|note| note.is_fault) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
