//! `drawish relevance annotate`: symbols and expected results into PGN.

use std::fmt::Write;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::reading::by_style;
use crate::cli::args::choice::{Choice, choice};
use crate::cli::args::curve::CurveArgs;
use crate::cli::args::writer::WRITERS;
use crate::cli::output;
use crate::cli::progress::progress_bar;
use drawish::annotate::{AnnotateError, Annotated, Options, Summary, annotate, annotate_file};
use drawish::model::relevance::{MoveScheme, MoveSymbol, PositionScheme, PositionSymbol};
use drawish::pgn::{Input, Style, Writer, expand_inputs};
use drawish::stats::numbers::grouped;

/// Add symbols, and on demand expected results, to the moves of a PGN file
///
/// From the evaluations in its comments, whatever their style. Nothing else in the file is changed, and a move that has
/// a symbol keeps it. Moves are judged by the evaluations before and after them: an analyst's, or the opponent's where
/// the players wrote them.
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
    #[command(flatten)]
    curve: CurveArgs,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    /// Print nothing but errors
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
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
    };
    let input = match &expand_inputs(std::slice::from_ref(&args.file))?[..] {
        [one] => one.clone(),
        several => bail!("{} holds {} files; annotate them one by one", args.file.display(), several.len()),
    };
    let packed =
        args.output.extension().is_some_and(|ending| ["gz", "zst", "bz2"].iter().any(|packing| ending == *packing));
    ensure!(
        !packed,
        "{}: the output is not compressed; name it .pgn and compress it afterwards",
        args.output.display()
    );
    output::check([&args.output], [&args.file])?;
    let to_standard = output::is_standard(&args.output);
    let bar = progress_bar(std::slice::from_ref(&input), args.quiet);
    let progress = |bytes, games| {
        bar.set_position(bytes);
        bar.set_message(format!("{} games", grouped(games)));
    };
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
    report(&input, &found);
    if !args.quiet {
        let text = if args.json { as_json(&found) } else { as_text(&found.summary) };
        if to_standard { output::complain(text) } else { output::print(text)? }
    }
    let failed = found.broken.is_some() || found.summary.games == 0;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Says on standard error what was wrong.
fn report(input: &Input, Annotated { summary: found, broken }: &Annotated) {
    /// More than this would hide what matters.
    const SHOWN: usize = 20;
    for (game, what) in found.broken.iter().take(SHOWN) {
        output::complain(format!(
            "drawish: {input}: game {game}: {what}; copied as it is, the next games are annotated\n"
        ));
    }
    if found.broken.len() > SHOWN {
        output::complain(format!("drawish: {input}: {} more games are broken\n", found.broken.len() - SHOWN));
    }
    if let Some(error) = broken {
        output::complain(format!(
            "drawish: {input}: {error} after game {}; what stands before it is annotated, the rest cannot be read\n",
            found.games
        ));
    }
    if found.styles.iter().filter(|&&count| count > 0).count() > 1 {
        output::complain(format!("drawish: {input}: {}; each is read by its own rule (see --evals)\n", styles(found)));
    }
    if found.games == 0 {
        output::complain(format!("drawish: {input}: no game found; is it PGN?\n"));
    } else if found.evaluated == 0 {
        output::complain(format!(
            "drawish: {input}: no evaluation found; expected comments like {{+0.35/18 1.2s}}, {{[%eval 0.35]}} or {{wv=0.35}} after moves\n"
        ));
    }
}

fn styles(found: &Summary) -> String {
    let styles = Style::ALL.iter().zip(found.styles).filter(|(_, count)| *count > 0);
    let names: Vec<_> = styles.map(|(style, count)| format!("{} of style {}", grouped(count), style.name())).collect();
    format!("evaluations: {}", names.join(", "))
}

/// The symbols for which there is a NAG, in the order of the lists of symbols.
fn symbols() -> impl Iterator<Item = (&'static str, u8)> {
    let moves = MoveSymbol::ALL.into_iter().map(|symbol| (symbol.text(), symbol.nag()));
    moves.chain(PositionSymbol::ALL.into_iter().map(|symbol| (symbol.text(), symbol.nag())))
}

fn as_json(Annotated { summary: found, broken }: &Annotated) -> String {
    let nags: Value = symbols()
        .filter(|(_, nag)| found.nags[usize::from(*nag)] > 0)
        .map(|(symbol, nag)| json!({ "symbol": symbol, "nag": nag, "added": found.nags[usize::from(nag)] }))
        .collect();
    let games: Value = found.broken.iter().map(|(game, what)| json!({ "game": game, "what": what })).collect();
    let value = json!({
        "games": found.games,
        "moves": found.moves,
        "evaluated": found.evaluated,
        "evaluations": by_style(found.styles),
        "mates": found.mates,
        "symbols": nags,
        "results": found.results,
        "left_alone": found.left_alone,
        "broken_games": games,
        "broken": broken.as_ref().map(ToString::to_string),
    });
    format!("{value:#}\n")
}

fn as_text(found: &Summary) -> String {
    let mut out = format!(
        "{} games, {} moves, {} of them with an evaluation\n",
        grouped(found.games),
        grouped(found.moves),
        grouped(found.evaluated)
    );
    for (symbol, nag) in symbols().filter(|(_, nag)| found.nags[usize::from(*nag)] > 0) {
        let _ = writeln!(out, "  {symbol:<4}{:<5}{:>12}", format!("${nag}"), grouped(found.nags[usize::from(nag)]));
    }
    for (what, count) in [("expected results", found.results), ("left alone, had a symbol", found.left_alone)] {
        if count > 0 {
            let _ = writeln!(out, "  {what}: {}", grouped(count));
        }
    }
    out
}
