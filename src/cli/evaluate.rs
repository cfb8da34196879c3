//! `drawish evaluate`: what predicts a draw, and what predicts the result, on games that no fit has seen.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use drawish_core::{Scheme, Wdl};
use serde_json::json;

use super::progress::ThreadsArg;
use super::report::write_pictures;
use super::{output, rows};
use drawish::features;
use drawish::findings::{Findings, Wanted};
use drawish::fit::{Contender, Evaluation, How, Kernel, Plan, Priors, Quality, Target, contenders, evaluate};
use drawish::frames;
use drawish::heads::HeadsFile;
use drawish::provenance::made_by;
use drawish::report;
use drawish::rows::Rows;
use drawish::smooth::Estimator;

/// Compare models on held-out rows: log-loss, Brier score, calibration, paired gains
///
/// The rows are cut into folds by opening skeleton and by event at once; every row is predicted by models fitted to rows
/// that share neither its fold of openings nor its fold of events. Gains are paired with the constant, and with the model
/// that each builds on; errors are robust to dependence within events.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish evaluate rows.parquet\n  \
    drawish evaluate rows.parquet --report out\n  \
    drawish evaluate other-games.parquet --heads heads.toml")]
pub(super) struct Args {
    /// Row files of `drawish positions`
    #[arg(required = true, value_name = "ROWS")]
    files: Vec<PathBuf>,
    /// Judge these heads as they are instead of fitting models; the rows must not be those of their fit
    #[arg(long, value_name = "HEADS")]
    heads: Option<PathBuf>,
    /// Folds of openings and folds of events
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(2..=20), value_name = "K")]
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

/// Rows with evaluations that make a table of their own.
const ENOUGH_EVALS: usize = 200;

pub(super) fn run(args: Args) -> Result<ExitCode> {
    if let Some(directory) = &args.report {
        std::fs::create_dir_all(directory)
            .with_context(|| format!("{} cannot be made; choose another place for --report", directory.display()))?;
    }
    let files = rows::open(&args.files)?;
    let wanted =
        frames::Wanted { features: (0..features::all().len()).collect(), cells: vec![Scheme::Bg, Scheme::BgSym] };
    let all = rows::load_rows(&files, &wanted)?;
    rows::check(results(&all))?;
    let plan = Plan { folds: usize::from(args.folds), priors: Priors::default(), threads: args.threads.number() };
    let mut tables: Vec<(&str, Evaluation)> = Vec::new();
    if let Some(path) = &args.heads {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("{} cannot be read; check the name", path.display()))?;
        let heads = HeadsFile::from_toml(&text).with_context(|| path.display().to_string())?;
        warn_of_shared_games(&heads, &files);
        tables.push(("heads", evaluate(&all, &given(&heads)?, Plan { folds: 1, ..plan })));
    } else {
        let rated = |row: usize| all.white_elos[row].is_some() && all.black_elos[row].is_some();
        let ratings = (0..all.len()).filter(|&row| rated(row)).count() * 10 >= all.len() * 9;
        let board = contenders::of_board(ratings);
        tables.push(("board", evaluate(&all, &board, plan)));
        let with_eval: Vec<bool> = all.evals.iter().map(Option::is_some).collect();
        let evals = with_eval.iter().filter(|&&has| has).count();
        if evals >= ENOUGH_EVALS {
            let mut some = all.clone();
            some.retain(&with_eval);
            tables.push(("evaluations", evaluate(&some, &contenders::of_evals(), plan)));
        }
    }
    let (_, first) = &tables[0];
    let weights =
        first.verdicts.iter().map(|verdict| verdict.weights).filter(|&weights| weights < 4000).max().unwrap_or(0);
    for remark in rows::remarks(first.rows, first.events, rows::nameless(&all), weights) {
        output::complain(format!("drawish: {remark}\n"));
    }
    if let Some(directory) = &args.report {
        write_report(directory, &tables)?;
    }
    if args.json {
        let value: serde_json::Map<_, _> =
            tables.iter().map(|(name, evaluation)| ((*name).to_owned(), json!(evaluation))).collect();
        output::print(format!("{:#}\n", serde_json::Value::Object(value)))?;
    } else {
        for (name, evaluation) in &tables {
            output::print(text(name, evaluation))?;
        }
    }
    super::done()
}

fn results(rows: &Rows) -> Wdl {
    let mut results = Wdl::default();
    rows.outcomes.iter().for_each(|&outcome| results.count(outcome));
    results
}

/// The heads as contenders, beside the constant of the rows.
fn given(heads: &HeadsFile) -> Result<Vec<Contender>> {
    let contender = |name: &str, how, over| Contender { name: name.to_owned(), how, over };
    let mut list = vec![contender("constant", How::Constant, None)];
    for (name, head, kernel) in
        [("draw head", &heads.draw, Kernel::of_draw_head(&heads.draw)), ("gain head", &heads.gain, Kernel::Gain)]
    {
        let (spec, weights) = head.model()?;
        list.push(contender(name, How::Given(spec, kernel, weights), None));
        let (spec, weights) = head.quantised().model()?;
        list.push(contender(&format!("{name}, quantised"), How::Given(spec, kernel, weights), Some(list.len() - 1)));
    }
    Ok(list)
}

fn warn_of_shared_games(heads: &HeadsFile, files: &[(PathBuf, frames::RowsReader)]) {
    for (path, reader) in files {
        let known = |digest: &str| heads.inputs.iter().any(|input| input.xxh3_128 == digest);
        if reader.provenance().inputs.iter().any(|input| known(&input.xxh3_128)) {
            output::complain(format!(
                "drawish: {}: the heads were fitted to games of this file; these figures flatter them\n",
                path.display()
            ));
        }
    }
}

fn write_report(directory: &std::path::Path, tables: &[(&str, Evaluation)]) -> Result<()> {
    let value: serde_json::Map<_, _> =
        tables.iter().map(|(name, evaluation)| ((*name).to_owned(), json!(evaluation))).collect();
    let text = format!("{:#}\n", serde_json::Value::Object(value));
    let path = directory.join("evaluation.json");
    output::write(&path, text.as_bytes())?;
    let frame = frames::evaluation_frame(tables)?;
    output::write(&directory.join("evaluation.parquet"), &frames::to_parquet(frame)?)?;
    let mut findings = Findings::default();
    findings.read(&path, Estimator::EmpiricalBayesSymmetric, Wanted { sprt: None, margin: 3.0 });
    let sections = report::sections(&findings);
    let page = report::html("Models held against games", &sections, &findings.structures, &made_by());
    output::write(&directory.join("evaluation.html"), page.as_bytes())?;
    let endings = if cfg!(feature = "png") { &["svg", "png"][..] } else { &["svg"] };
    // Every diagram is a file: beside the page they would bury it.
    let pictures = directory.join("pictures");
    std::fs::create_dir_all(&pictures).with_context(|| format!("{} cannot be made", pictures.display()))?;
    endings.iter().try_for_each(|ending| write_pictures(&pictures, ending, &sections))
}

/// The table for people: gains in millibits with their standard errors.
fn text(name: &str, evaluation: &Evaluation) -> String {
    let Wdl { wins: white, draws, losses: black } = evaluation.results;
    let folds = if evaluation.folds > 1 {
        format!("{0} x {0} folds by opening and event", evaluation.folds)
    } else {
        "no folds".to_owned()
    };
    let mut out = format!(
        "{} rows, {} events, {} openings, {folds}: {white} white wins, {draws} draws, {black} black wins\n",
        evaluation.rows, evaluation.events, evaluation.skeletons
    );
    out.push_str(match name {
        "evaluations" => "rows with an evaluation only\n",
        _ => "",
    });
    for (target, title) in
        [(Target::Draw, "Draw or not"), (Target::WinDrawLoss, "Win, draw or loss"), (Target::Score, "Expected score")]
    {
        let rows: Vec<(&str, usize, Option<&str>, &Quality)> = evaluation
            .verdicts
            .iter()
            .filter_map(|verdict| {
                let quality = verdict.qualities.iter().find(|quality| quality.target == target)?;
                Some((verdict.name.as_str(), verdict.weights, verdict.over.as_deref(), quality))
            })
            .collect();
        if rows.len() < 2 {
            continue;
        }
        out.push_str(&format!(
            "\n{title:<42}{:>8}{:>10}{:>18}{:>18}{:>9}{:>8}\n",
            "weights", "bits", "gain, mbit", "over its base", "Brier", "ECE"
        ));
        for (name, weights, _, quality) in rows {
            let gain = |gain: &drawish::fit::Gain| match gain.error {
                Some(error) => format!("{:+.1} +- {error:.1}", gain.millibits),
                None => format!("{:+.1}", gain.millibits),
            };
            let over = quality.over.as_ref().map_or_else(String::new, |over| match over.error {
                Some(error) => format!("{:+.2} +- {error:.2}", over.millibits),
                None => format!("{:+.2}", over.millibits),
            });
            let own = if name == "constant" { String::new() } else { gain(&quality.gain) };
            let ece = quality.ece.map_or_else(String::new, |[ece, ..]| format!("{ece:.4}"));
            let line = format!(
                "{name:<42}{weights:>8}{:>10.5}{own:>18}{over:>18}{:>9.4}{ece:>8}",
                quality.loss, quality.brier
            );
            out.push_str(&format!("{}\n", line.trim_end()));
        }
    }
    out.push('\n');
    out
}
