//! `drawish relevance compare`: which form tells results best from evaluations.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::reading;
use crate::cli::args::ThreadsArg;
use crate::cli::args::choice::{Choice, choice};
use crate::cli::args::writer::{VIEWS, WRITERS, check_view};
use crate::cli::output;
use crate::cli::progress::moved;
use drawish::estimate::{Contest, Group, Trial};
use drawish::pgn::{Pattern, View, Writer};
use drawish::report::text::compare::{json, text};

/// Compare forms of the expected score on games with evaluations
///
/// Each form is fitted on the same games and judged on others: evaluation relevance, Fischer and Kannan's sigmoid, a WDL
/// model and the draw model. Differences of log-loss come with intervals that take groups of games as clusters, where there
/// are 10 of them and none holds nearly half of the evaluations.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish relevance compare games.pgn\n  \
    drawish relevance compare archive/ --group opening --limit 6 --json")]
pub(super) struct Args {
    /// PGN files, directories, patterns, - for standard input; plain or compressed
    #[arg(required = true, value_name = "GAMES")]
    files: Vec<PathBuf>,
    /// Only games, and evaluations, of players whose name matches
    #[arg(long, value_name = "REGEX", value_parser = Pattern::name)]
    player: Option<Pattern>,
    /// Only games of events that match
    #[arg(long, value_name = "REGEX", value_parser = Pattern::name)]
    event: Option<Pattern>,
    // The whole path of `Option` makes a value of it, not an argument that may be absent.
    /// Whose evaluations the comments hold; for the article's way of counting
    #[arg(long, value_parser = choice(&WRITERS), default_value = "auto")]
    evals: std::option::Option<Writer>,
    /// From whose view they are
    #[arg(long, value_parser = choice(&VIEWS), default_value = "auto", value_name = "VIEW")]
    eval_view: std::option::Option<View>,
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
    (
        &["auto"],
        "By event, or by opening where there are fewer than two events for each part or one holds nearly half of the evaluations",
        None,
    ),
    (&["event"], "Those with the same Event tag", Some(Group::Event)),
    (&["opening"], "Those with the same first 16 half-moves", Some(Group::Opening)),
    (&["game"], "Each game by itself", Some(Group::Game)),
];

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let trial =
        Trial { limit: 100 * args.limit, folds: usize::from(args.folds), writer: args.evals, view: args.eval_view };
    let (inputs, bar) = reading::open(&args.files)?;
    check_view(args.eval_view, &inputs)?;
    let wanted = [args.event.as_ref(), args.player.as_ref()];
    let (contest, read) = Contest::read(trial, wanted, inputs, args.threads.number(), &moved(&bar));
    bar.finish_and_clear();
    let failed = reading::report(&read);
    let group = args.group.unwrap_or_else(|| contest.natural_group());
    let comparison = contest.compare(group)?;
    let (folds, limit) = (trial.folds, args.limit);
    let json = || json(&comparison, folds, group, limit, &read);
    output::print_as(args.json, json, || text(&comparison, folds, group, limit))?;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
