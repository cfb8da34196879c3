//! `drawish demo`: the whole road on built-in games, by the same commands that a user types.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;

use super::{Cli, dispatch, done, output};

/// Three thousand games that the engine of this project has played against itself; CONTRIBUTING.md has the command.
const SAMPLE: &[u8] = include_bytes!("demo/sample.pgn.zst");

/// Walk the whole road on a built-in sample of games
///
/// From games to counts, to a table, to heads, to a match of two arms of the engine and to a page that shows all of it, in
/// one or two minutes; each command is shown as you would type it. The games were played by this project's engine at 2,000
/// nodes a move: the figures show the road, not the truth about chess.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  drawish demo")]
pub(super) struct Args {
    /// Where to put the files
    #[arg(short, long, default_value = "drawish-demo", value_name = "DIRECTORY")]
    output: PathBuf,
}

/// A command with the reason for it.
type Step = (&'static str, Vec<String>);

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let directory = &args.output;
    fs::create_dir_all(directory)
        .with_context(|| format!("{} cannot be made; choose another place by -o", directory.display()))?;
    output::write(&directory.join("sample.pgn.zst"), SAMPLE)?;
    let place = |name: &str| directory.join(name).display().to_string();
    // A log of an earlier walk would be of another match when the program is another one.
    let log = directory.join("match.jsonl");
    if log.exists() {
        fs::remove_file(&log).with_context(|| log.display().to_string())?;
    }
    for (why, words) in to_the_table(&place).into_iter().chain(to_the_heads(&place)).chain(to_the_page(&place)) {
        output::print(format!("\n# {why}\n$ drawish {}\n", typed(&words)))?;
        dispatch(Cli::try_parse_from(std::iter::once("drawish").chain(words.iter().map(String::as_str)))?)?;
    }
    output::print(format!(
        "\nOpen {} in a browser. With your own games:\n\n  \
         drawish collect games.pgn -o games.counts\n  \
         drawish table games.counts -o pawns.table\n",
        place("demo.html")
    ))?;
    done()
}

fn step(why: &'static str, words: &[&str]) -> Step {
    (why, words.iter().map(|&word| word.to_owned()).collect())
}

fn to_the_table(place: &dyn Fn(&str) -> String) -> Vec<Step> {
    let (sample, counts, table) = (&place("sample.pgn.zst"), &place("sample.counts"), &place("pawns.table"));
    let open_sicilian = "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - 1 5";
    vec![
        step("Count the results of every pawn structure", &["collect", sample, "-o", counts, "--fresh"]),
        step(
            "Turn the counts into a table, and a C header beside it",
            &["table", counts, "-o", table, "-o", &place("pawns.h")],
        ),
        step("Ask what the table knows: the open Sicilian", &["inspect", table, open_sicilian]),
        step("Check that both files are whole", &["verify", table, counts]),
    ]
}

/// Heads need rows, and rows need data frames.
#[cfg(feature = "frames")]
fn to_the_heads(place: &dyn Fn(&str) -> String) -> Vec<Step> {
    let (sample, rows, quiet) = (&place("sample.pgn.zst"), &place("rows.parquet"), &place("static.parquet"));
    let sampling = |more: &[&'static str]| [more, &["--from", "8", "--min-moves", "0", "-q"]].concat();
    let positions = |out: &str, more: &[&'static str]| {
        let words = [&["positions", sample.as_str(), "-o", out][..], &sampling(more)].concat();
        words.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    vec![
        ("Take one position of each game as a row of features", positions(rows, &["--sample", "one-random-ply"])),
        (
            "And all quiet positions with what the engine's evaluation says of them",
            positions(quiet, &["--sample", "every", "--static"]),
        ),
        step(
            "Fit a draw head to the first and a gain head to the second",
            &["tune", rows, "--gain-on", quiet, "--residual", "-o", &place("heads.toml")],
        ),
    ]
}

#[cfg(not(feature = "frames"))]
fn to_the_heads(_place: &dyn Fn(&str) -> String) -> Vec<Step> {
    Vec::new()
}

fn to_the_page(place: &dyn Fn(&str) -> String) -> Vec<Step> {
    let (log, heads) = (&place("match.jsonl"), &place("heads.toml"));
    let with_heads = cfg!(feature = "frames");
    let setting = if with_heads { format!("heads={heads}") } else { format!("table={}", place("pawns.table")) };
    let arm = if with_heads { "arm=gain-head" } else { "arm=draw-table" };
    let mut inputs = vec!["report".to_owned(), place("sample.counts"), place("pawns.table")];
    inputs.extend(with_heads.then(|| heads.clone()));
    inputs.extend([log.clone(), "-o".to_owned(), place("demo.html"), "-o".to_owned(), place("demo.md")]);
    vec![
        step(
            "Play a short match with it against the same engine without",
            &[
                "match",
                "--engine",
                arm,
                &setting,
                "--engine",
                "arm=none",
                "--openings",
                "random:8",
                "--pairs",
                "100",
                "--seed",
                "1",
                "--nodes",
                "1000",
                "--log",
                log,
            ],
        ),
        ("Show all of it on one page", inputs),
    ]
}

/// Words as one types them: those with blanks in quotes.
fn typed(words: &[String]) -> String {
    let quoted: Vec<_> =
        words.iter().map(|word| if word.contains(' ') { format!("\"{word}\"") } else { word.clone() }).collect();
    quoted.join(" ")
}
