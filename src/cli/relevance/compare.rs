//! `drawish relevance compare`: which form tells results best from evaluations.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::ValueEnum;
use regex::Regex;
use serde_json::{Value, json};

use super::estimate::{reading_json, report};
use super::{WriterArg, read};
use crate::cli::args::ThreadsArg;
use crate::cli::output;
use drawish::estimate::{BINS, Comparison, Contest, Group, Judged, Reading, Trial};
use drawish::report::grouped;

/// Compare forms of the expected score on games with evaluations
///
/// Each form is fitted on the same games and judged on others: evaluation relevance, Fischer and Kannan's sigmoid, a WDL
/// model and the draw model. Differences of log-loss come with intervals that take groups of games as clusters.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish relevance compare games.pgn\n  \
    drawish relevance compare archive/ --group opening --limit 6 --json")]
pub(super) struct Args {
    /// PGN files, directories, patterns, - for standard input; packed or not
    #[arg(required = true, value_name = "GAMES")]
    files: Vec<PathBuf>,
    /// Only games of events that match
    #[arg(long, value_name = "REGEX")]
    event: Option<Regex>,
    /// Whose evaluations the comments hold; for the article's way of counting
    #[arg(long, value_enum, default_value_t = WriterArg::Auto)]
    evals: WriterArg,
    /// Parts that the games are cut into; each is judged by fits on the others
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(2..=100))]
    folds: u16,
    /// Games that stay together in a part
    #[arg(long, value_enum, default_value_t = GroupArg::Auto)]
    group: GroupArg,
    /// Largest evaluation that counts, in pawns; mates do not
    #[arg(long, value_name = "PAWNS", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=300))]
    limit: u16,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GroupArg {
    /// By event, or by opening where there are fewer than two events for each part
    Auto,
    /// Those with the same Event tag
    Event,
    /// Those with the same first 16 half-moves
    Opening,
    /// Each game by itself
    Game,
}

/// Half of a 90 % interval in standard errors.
const NINETY: f64 = 1.645;

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let trial = Trial { limit: 100 * args.limit, folds: usize::from(args.folds), writer: args.evals.writer() };
    let mut contest = Contest::new(trial);
    let reading = read(&args.files, &args.threads, |game| {
        if args.event.as_ref().is_none_or(|event| event.is_match(&game.event)) {
            contest.add(&game);
        }
    })?;
    let failed = report(&reading);
    let (group, name) = match args.group {
        GroupArg::Event => (Group::Event, "events"),
        GroupArg::Opening => (Group::Opening, "openings"),
        GroupArg::Game => (Group::Game, "games"),
        GroupArg::Auto if contest.groups(Group::Event) >= 2 * trial.folds => (Group::Event, "events"),
        GroupArg::Auto => (Group::Opening, "openings"),
    };
    let comparison = contest.compare(group)?;
    let text = if args.json { as_json(&args, &comparison, name, &reading) } else { as_text(&args, &comparison, name) };
    output::print(text)?;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn as_json(args: &Args, comparison: &Comparison, groups: &str, reading: &Reading) -> String {
    let form = |judged: &Judged| {
        let parameters: Value =
            judged.form.parameters().into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect();
        let bins: Value = judged
            .bins
            .iter()
            .filter(|bin| bin.positions > 0)
            .map(|bin| {
                let mean = |sum: f64| sum / bin.positions as f64;
                json!({ "positions": bin.positions, "expected": mean(bin.expected), "points": mean(bin.points) })
            })
            .collect();
        json!({
            "name": judged.kind.name(),
            "fitted_parameters": judged.kind.parameters(),
            "parameters": parameters,
            "log_loss_bits": judged.log_loss,
            "brier": judged.brier,
            "calibration_error": judged.calibration_error(),
            "difference_bits": judged.excess,
            "difference_low": judged.excess - NINETY * judged.error,
            "difference_high": judged.excess + NINETY * judged.error,
            "standard_error": judged.error,
            "standard_error_by_game": judged.error_by_game,
            "calibration": bins,
        })
    };
    let value = json!({
        "games": comparison.games,
        "positions": comparison.positions,
        "left_out": comparison.left_out,
        "limit": args.limit,
        "folds": args.folds,
        "grouped_by": groups,
        "groups": comparison.groups,
        "reference": comparison.forms.first().map(|first| first.kind.name()),
        "forms": comparison.forms.iter().map(form).collect::<Value>(),
        "reading": reading_json(reading),
    });
    format!("{value:#}\n")
}

fn as_text(args: &Args, comparison: &Comparison, groups: &str) -> String {
    let mut out = format!(
        "{} evaluations of {} games, {} folds of {} {groups}; {} evaluations beyond {} pawns or mates left out\n\n",
        grouped(comparison.positions as u64),
        grouped(comparison.games as u64),
        args.folds,
        grouped(comparison.groups as u64),
        grouped(comparison.left_out),
        args.limit
    );
    let _ = writeln!(
        out,
        "{:<23}{:>9}{:>9}{:>13}  {:<30}parameters on all games",
        "form", "log-loss", "Brier", "calibration", "against the first, mbit"
    );
    for judged in &comparison.forms {
        let millibits = |bits: f64| 1000.0 * bits;
        let difference = if judged.kind == comparison.forms[0].kind {
            String::new()
        } else {
            format!(
                "{:+.2}  ({:+.2} to {:+.2})",
                millibits(judged.excess),
                millibits(judged.excess - NINETY * judged.error),
                millibits(judged.excess + NINETY * judged.error)
            )
        };
        let parameters: Vec<_> =
            judged.form.parameters().into_iter().map(|(name, value)| format!("{name} {value:.3}")).collect();
        let _ = writeln!(
            out,
            "{:<23}{:>9.5}{:>9.5}{:>13.5}  {difference:<30}{}",
            judged.kind.name(),
            judged.log_loss,
            judged.brier,
            judged.calibration_error(),
            parameters.join(", ")
        );
    }
    out.push('\n');
    for judged in &comparison.forms {
        let _ = writeln!(out, "{:<23}{}", judged.kind.name(), judged.kind.meaning());
    }
    out + "\n" + &calibration_text(comparison)
}

/// What the side ahead scored where a form expected so much.
fn calibration_text(comparison: &Comparison) -> String {
    let mut out = format!("{:<23}", "expected");
    for bin in 0..BINS {
        let _ = write!(out, "{:>7}", format!("{:.2}-", 0.5 + 0.5 * bin as f64 / BINS as f64));
    }
    out.push_str("  <- points of the side ahead where a form expects them\n");
    for judged in &comparison.forms {
        let _ = write!(out, "{:<23}", judged.kind.name());
        for bin in &judged.bins {
            let points =
                if bin.positions == 0 { "-".to_owned() } else { format!("{:.3}", bin.points / bin.positions as f64) };
            let _ = write!(out, "{points:>7}");
        }
        out.push('\n');
    }
    out
}
