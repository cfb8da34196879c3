//! `drawish relevance compare`: which form tells results best from evaluations.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use regex::Regex;
use serde_json::{Value, json};

use super::reading;
use crate::cli::args::ThreadsArg;
use crate::cli::args::choice::{Choice, choice};
use crate::cli::args::writer::WRITERS;
use crate::cli::output;
use drawish::estimate::{Comparison, Contest, Group, Judged, Reading, Trial};
use drawish::pgn::Writer;
use drawish::report::text::compare::text;

/// Compare forms of the expected score on games with evaluations
///
/// Each form is fitted on the same games and judged on others: evaluation relevance, Fischer and Kannan's sigmoid, a WDL
/// model and the draw model. Differences of log-loss come with intervals that take groups of games as clusters.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish relevance compare games.pgn\n  \
    drawish relevance compare archive/ --group opening --limit 6 --json")]
pub(super) struct Args {
    /// PGN files, directories, patterns, - for standard input; plain or compressed
    #[arg(required = true, value_name = "GAMES")]
    files: Vec<PathBuf>,
    /// Only games of events that match
    #[arg(long, value_name = "REGEX")]
    event: Option<Regex>,
    // The whole path of `Option` makes a value of it, not an argument that may be absent.
    /// Whose evaluations the comments hold; for the article's way of counting
    #[arg(long, value_parser = choice(&WRITERS), default_value = "auto")]
    evals: std::option::Option<Writer>,
    /// Parts that the games are cut into; each is judged by fits on the others
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(2..=100))]
    folds: u16,
    /// Games that stay together in a part
    #[arg(long, value_parser = choice(&GROUPS), default_value = "auto")]
    group: std::option::Option<Group>,
    /// Largest evaluation that counts, in pawns; mates do not
    #[arg(long, value_name = "PAWNS", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=300))]
    limit: u16,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

const GROUPS: [Choice<Option<Group>>; 4] = [
    (&["auto"], "By event, or by opening where there are fewer than two events for each part", None),
    (&["event"], "Those with the same Event tag", Some(Group::Event)),
    (&["opening"], "Those with the same first 16 half-moves", Some(Group::Opening)),
    (&["game"], "Each game by itself", Some(Group::Game)),
];

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let trial = Trial { limit: 100 * args.limit, folds: usize::from(args.folds), writer: args.evals };
    let (inputs, bar) = reading::open(&args.files)?;
    let (contest, read) =
        Contest::read(trial, args.event.as_ref(), inputs, args.threads.number(), &reading::show(&bar));
    bar.finish_and_clear();
    let failed = reading::report(&read);
    let group = args.group.unwrap_or_else(|| contest.natural_group());
    let comparison = contest.compare(group)?;
    output::print(if args.json {
        as_json(&args, &comparison, group.name(), &read)
    } else {
        text(&comparison, trial.folds, group, args.limit)
    })?;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn as_json(args: &Args, comparison: &Comparison, groups: &str, read: &Reading) -> String {
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
        let [low, high] = judged.interval();
        json!({
            "name": judged.kind.name(),
            "fitted_parameters": judged.kind.parameters(),
            "parameters": parameters,
            "log_loss_bits": judged.log_loss,
            "brier": judged.brier,
            "calibration_error": judged.calibration_error(),
            "difference_bits": judged.excess,
            "difference_low": low,
            "difference_high": high,
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
        "reading": reading::json(read),
    });
    format!("{value:#}\n")
}
