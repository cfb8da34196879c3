//! `drawish relevance annotate`: symbols and expected results into PGN.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use serde_json::{Value, json};

use super::{CurveArgs, WriterArg};
use crate::cli::output;
use crate::cli::progress::progress_bar;
use drawish::annotate::{Annotator, Options, Summary};
use drawish::model::relevance::{MoveScheme, MoveSymbol, PositionScheme, PositionSymbol};
use drawish::outfile::WholeFile;
use drawish::pgn::{ChunkBuffer, Chunks, Input, Style, expand_inputs};
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
    /// A PGN file, packed or not; - for standard input
    #[arg(value_name = "GAMES")]
    file: PathBuf,
    /// Where the annotated PGN goes, not packed; - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Symbols for moves, $1 to $6
    #[arg(long, value_enum, default_value_t = MovesArg::Sevenths, value_name = "SCHEME")]
    moves: MovesArg,
    /// Symbols for positions, $10 and $14 to $21
    #[arg(long, value_enum, default_value_t = PositionsArg::None, value_name = "SCHEME")]
    positions: PositionsArg,
    /// Expected results for White, as in {[%expected 0.731]}
    #[arg(long)]
    results: bool,
    /// Whose evaluations the comments hold
    #[arg(long, value_enum, default_value_t = WriterArg::Auto)]
    evals: WriterArg,
    #[command(flatten)]
    curve: CurveArgs,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    /// Print nothing but errors
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum MovesArg {
    /// Seven sectors of the total integral: symbols from 1/14, 3/14 and 5/14 on
    Sevenths,
    /// Eight: symbols from 1/8, 2/8 and 3/8 on
    Eighths,
    /// No symbols for moves
    None,
}

#[derive(Clone, Copy, ValueEnum)]
enum PositionsArg {
    /// No symbols for positions
    None,
    /// Nine sectors; clear advantage from e(=0.75), extreme from e(>0.75) on
    NineByResult,
    /// Seven sectors; moderate advantage from e(=0.75), clear from e(>0.75) on
    SevenByResult,
    /// Nine equal shares of the total integral
    NineEqual,
    /// Seven equal shares
    SevenEqual,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let options = options(&args);
    let input = match &expand_inputs(std::slice::from_ref(&args.file))?[..] {
        [one] => one.clone(),
        several => bail!("{} holds {} files; annotate them one by one", args.file.display(), several.len()),
    };
    let packed =
        args.output.extension().is_some_and(|ending| ["gz", "zst", "bz2"].iter().any(|packing| ending == *packing));
    ensure!(!packed, "{}: the output is not packed; name it .pgn and pack it afterwards", args.output.display());
    output::check(&args.output, std::slice::from_ref(&args.file))?;
    let unwritable = || format!("{} cannot be written", args.output.display());
    let (annotator, broken) = if output::is_standard(&args.output) {
        let mut stdout = io::stdout().lock();
        let done = annotate(&input, options, &mut stdout, args.quiet);
        match done {
            // Its reader has seen enough.
            Err(Failure::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(ExitCode::SUCCESS),
            done => done,
        }
    } else {
        let mut file = WholeFile::create(&args.output).with_context(unwritable)?;
        let done = annotate(&input, options, &mut file, args.quiet);
        if done.is_ok() {
            file.finish().with_context(unwritable)?;
        }
        done
    }
    .map_err(|failure| match failure {
        Failure::Read(error) => anyhow::Error::new(error).context(input.to_string()),
        Failure::Write(error) => anyhow::Error::new(error).context(unwritable()),
    })?;
    let found = annotator.summary();
    report(&input, found, broken.as_ref());
    let text = if args.json { as_json(found, broken.as_ref()) } else { as_text(found) };
    if !args.quiet {
        if output::is_standard(&args.output) { output::complain(text) } else { output::print(text)? }
    }
    Ok(if broken.is_some() || found.games == 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn options(args: &Args) -> Options {
    Options {
        curve: args.curve.curve(),
        moves: match args.moves {
            MovesArg::Sevenths => Some(MoveScheme::Sevenths),
            MovesArg::Eighths => Some(MoveScheme::Eighths),
            MovesArg::None => None,
        },
        positions: match args.positions {
            PositionsArg::None => None,
            PositionsArg::NineByResult => Some(PositionScheme::NineByResult),
            PositionsArg::SevenByResult => Some(PositionScheme::SevenByResult),
            PositionsArg::NineEqual => Some(PositionScheme::NineEqual),
            PositionsArg::SevenEqual => Some(PositionScheme::SevenEqual),
        },
        results: args.results,
        writer: args.evals.writer(),
    }
}

enum Failure {
    Read(io::Error),
    Write(io::Error),
}

/// Annotates an input from its beginning to its end or to where it breaks, which is told.
fn annotate(
    input: &Input,
    options: Options,
    out: &mut impl Write,
    quiet: bool,
) -> Result<(Annotator, Option<io::Error>), Failure> {
    let bar = progress_bar(std::slice::from_ref(input), quiet);
    let mut chunks = Chunks::new(input.open().map_err(Failure::Read)?).verbatim();
    let mut annotator = Annotator::new(options);
    let (mut buffer, mut annotated) = (ChunkBuffer::default(), Vec::new());
    while chunks.next(&mut buffer) {
        annotated.clear();
        annotator.annotate(buffer.text(), &mut annotated);
        out.write_all(&annotated).map_err(Failure::Write)?;
        bar.set_position(chunks.source().file_bytes());
        bar.set_message(format!("{} games", grouped(annotator.summary().games)));
    }
    out.flush().map_err(Failure::Write)?;
    bar.finish_and_clear();
    Ok((annotator, chunks.take_error()))
}

/// Says on standard error what was wrong.
fn report(input: &Input, found: &Summary, broken: Option<&io::Error>) {
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

fn as_json(found: &Summary, broken: Option<&io::Error>) -> String {
    let nags: Value = symbols()
        .filter(|(_, nag)| found.nags[usize::from(*nag)] > 0)
        .map(|(symbol, nag)| json!({ "symbol": symbol, "nag": nag, "added": found.nags[usize::from(nag)] }))
        .collect();
    let styles: Value = Style::ALL
        .iter()
        .zip(found.styles)
        .map(|(style, count)| (style.name().to_owned(), Value::from(count)))
        .collect();
    let games: Value = found.broken.iter().map(|(game, what)| json!({ "game": game, "what": what })).collect();
    let value = json!({
        "games": found.games,
        "moves": found.moves,
        "evaluated": found.evaluated,
        "evaluations": styles,
        "mates": found.mates,
        "symbols": nags,
        "results": found.results,
        "left_alone": found.left_alone,
        "broken_games": games,
        "broken": broken.map(ToString::to_string),
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
