//! `drawish relevance annotate`: symbols and expected results into PGN.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::cli::args::SummaryArgs;
use crate::cli::args::choice::{Choice, choice};
use crate::cli::args::curve::CurveArgs;
use crate::cli::args::writer::{VIEWS, WRITERS, check_view};
use crate::cli::output;
use crate::cli::progress::{moved, progress_bar};
use drawish::annotate::{AnnotateError, Options, annotate, annotate_file};
use drawish::model::relevance::{MoveScheme, PositionScheme};
use drawish::pgn::{View, Writer, expand_inputs};
use drawish::report::text::annotate::{json, lines, text};

/// Add symbols, and on demand expected results, to the moves of a PGN file
///
/// From the evaluations in its comments, whatever their style. Nothing else in the file is changed, and a move that has
/// a symbol keeps it. Moves are judged by the evaluations before and after them: an analyst's, or the opponent's where
/// the players wrote them. The default parameters, a score of 0.75 at 1.50 pawns and of 0.875 at 3.00, are those of no engine
/// in particular: `drawish relevance estimate` derives an engine's own from its games.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish relevance annotate games.pgn -o annotated.pgn\n  \
    drawish relevance annotate games.pgn.zst --positions nine-by-result --results -o annotated.pgn")]
pub(super) struct Args {
    /// A PGN file, plain or compressed; - for standard input
    #[arg(value_name = "GAMES")]
    file: PathBuf,
    /// Where to write the annotated PGN, uncompressed; - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    // The whole path of `Option` makes a value of it, not an argument that may be absent.
    /// Symbols for moves, $1 to $6
    #[arg(long, value_parser = choice(&MOVES), default_value = "sevenths", value_name = "SCHEME")]
    moves: std::option::Option<MoveScheme>,
    /// Symbols for positions, $10 and $14 to $21
    #[arg(long, value_parser = choice(&POSITIONS), default_value = "none", value_name = "SCHEME")]
    positions: std::option::Option<PositionScheme>,
    /// Expected results for White, as in {[%expected 0.731]}
    #[arg(long)]
    results: bool,
    /// Whose evaluations the comments hold
    #[arg(long, value_parser = choice(&WRITERS), default_value = "auto")]
    evals: std::option::Option<Writer>,
    /// From whose view they are
    #[arg(long, value_parser = choice(&VIEWS), default_value = "auto", value_name = "VIEW")]
    eval_view: std::option::Option<View>,
    #[command(flatten)]
    summary: SummaryArgs,
    // Last: a heading holds for all that follows.
    #[command(flatten, next_help_heading = "Parameters")]
    curve: CurveArgs,
}

const MOVES: [Choice<Option<MoveScheme>>; 3] = [
    (
        &["sevenths"],
        "Seven sectors of the total integral: symbols from 1/14, 3/14 and 5/14 on",
        Some(MoveScheme::Sevenths),
    ),
    (&["eighths"], "Eight: symbols from 1/8, 2/8 and 3/8 on", Some(MoveScheme::Eighths)),
    (&["none"], "No symbols for moves", None),
];

const POSITIONS: [Choice<Option<PositionScheme>>; 5] = [
    (&["none"], "No symbols for positions", None),
    (
        &["nine-by-result"],
        "Nine sectors; clear advantage from e(=0.75), extreme from e(>0.75) on",
        Some(PositionScheme::NineByResult),
    ),
    (
        &["seven-by-result"],
        "Seven sectors; moderate advantage from e(=0.75), clear from e(>0.75) on",
        Some(PositionScheme::SevenByResult),
    ),
    (&["nine-equal"], "Nine equal shares of the total integral", Some(PositionScheme::NineEqual)),
    (&["seven-equal"], "Seven equal shares", Some(PositionScheme::SevenEqual)),
];

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let options = Options {
        curve: args.curve.curve()?,
        moves: args.moves,
        positions: args.positions,
        results: args.results,
        writer: args.evals,
        view: args.eval_view,
    };
    let input = match &expand_inputs(std::slice::from_ref(&args.file))?[..] {
        [one] => one.clone(),
        several => bail!("{} holds {} files; annotate them one by one", args.file.display(), several.len()),
    };
    if input.format().is_some() {
        bail!("{input} is training data, which has no comments to annotate; give PGN");
    }
    check_view(args.eval_view, std::slice::from_ref(&input))?;
    output::check([&args.output], [&args.file])?;
    let to_standard = output::is_standard(&args.output);
    let bar = progress_bar(std::slice::from_ref(&input), args.summary.quiet);
    let progress = moved(&bar);
    let done = if to_standard {
        annotate(&input, options, &mut io::stdout().lock(), progress)
    } else {
        annotate_file(&input, options, &args.output, progress)
    };
    bar.finish_and_clear();
    let found = match done {
        Ok(found) => found,
        // Its reader has seen enough.
        Err(AnnotateError::Write(error)) if to_standard && error.kind() == io::ErrorKind::BrokenPipe => {
            return Ok(ExitCode::SUCCESS);
        }
        Err(AnnotateError::Write(error)) => {
            return Err(error).context(format!("{} cannot be written", args.output.display()));
        }
        Err(AnnotateError::Read(error)) => return Err(error).context(input.to_string()),
    };
    lines(&input, &found, " (see --evals)").iter().for_each(output::warn);
    output::print_beside(
        [&args.output],
        args.summary.text(|| json(&found, &options), || text(&found.summary, &options)),
    )?;
    let failed = found.broken.is_some() || found.summary.games == 0;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
