//! `drawish demo`: the whole road on built-in games, by the same commands that a user types.

use std::fs;
use std::path::{Path, PathBuf};
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

    /// Write the sample games to this file and stop
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    games: Option<PathBuf>,
}

/// Commands with the reason for each. `@name` is a file in the directory of the walk, `~` a blank within a word.
type Steps = &'static [(&'static str, &'static str)];

const TO_THE_TABLE: Steps = &[
    ("Count the results of every pawn structure", "collect @sample.pgn.zst -o @sample.counts --fresh"),
    ("Turn the counts into a table, and a C header beside it", "table @sample.counts -o @pawns.table -o @pawns.h"),
    (
        "Ask what the table knows: the open Sicilian",
        "inspect @pawns.table rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R~w~KQkq~-~1~5",
    ),
    ("Check that both files are whole", "verify @pawns.table @sample.counts"),
];

/// Heads need rows, and rows need data frames.
#[cfg(feature = "frames")]
const TO_THE_PAGE: Steps = &[
    (
        "Take one position of each game as a row of features",
        "positions @sample.pgn.zst -o @rows.parquet --sample one-random-ply --from 8 --min-moves 0 -q",
    ),
    (
        "And all quiet positions with what the engine's evaluation says of them",
        "positions @sample.pgn.zst -o @static.parquet --sample every --static --from 8 --min-moves 0 -q",
    ),
    (
        "Fit a draw head to the first and a gain head to the second",
        "tune @rows.parquet --gain-on @static.parquet --residual -o @heads.toml",
    ),
    (
        "Play a short match with it against the same engine without",
        "match --engine arm=gain-head heads=@heads.toml --engine arm=none --openings random:8 --pairs 100 --seed 1 --nodes 1000 \
         --log @match.jsonl",
    ),
    (
        "Show all of it on one page",
        "report @sample.counts @pawns.table @heads.toml @match.jsonl -o @demo.html -o @demo.md",
    ),
];

#[cfg(not(feature = "frames"))]
const TO_THE_PAGE: Steps = &[
    (
        "Play a short match with it against the same engine without",
        "match --engine arm=draw-table table=@pawns.table --engine arm=none --openings random:8 --pairs 100 --seed 1 --nodes 1000 \
         --log @match.jsonl",
    ),
    ("Show all of it on one page", "report @sample.counts @pawns.table @match.jsonl -o @demo.html -o @demo.md"),
];

pub(super) fn run(args: Args) -> Result<ExitCode> {
    if let Some(path) = &args.games {
        output::write(path, SAMPLE)?;
        return done();
    }
    let directory = &args.output;
    fs::create_dir_all(directory)
        .with_context(|| format!("{} cannot be made; choose another place by -o", directory.display()))?;
    output::write(&directory.join("sample.pgn.zst"), SAMPLE)?;
    // A log of an earlier walk would be of another match when the program is another one.
    let log = directory.join("match.jsonl");
    if log.exists() {
        fs::remove_file(&log).with_context(|| log.display().to_string())?;
    }
    for (why, command) in TO_THE_TABLE.iter().chain(TO_THE_PAGE) {
        let words: Vec<String> = command.split_whitespace().map(|word| spelt_out(word, directory)).collect();
        output::print(format!("\n# {why}\n$ drawish {}\n", typed(&words)))?;
        dispatch(Cli::try_parse_from(std::iter::once("drawish").chain(words.iter().map(String::as_str)))?)?;
    }
    output::print(format!(
        "\nOpen {} in a browser. With your own games:\n\n  \
         drawish collect games.pgn -o games.counts\n  \
         drawish table games.counts -o pawns.table\n",
        directory.join("demo.html").display()
    ))?;
    done()
}

/// A word of a command as the program takes it.
fn spelt_out(word: &str, directory: &Path) -> String {
    match word.split_once('@') {
        Some((before, name)) => format!("{before}{}", directory.join(name).display()),
        None => word.replace('~', " "),
    }
}

/// Words as one types them: those with blanks in quotes.
fn typed(words: &[String]) -> String {
    let quoted: Vec<_> =
        words.iter().map(|word| if word.contains(' ') { format!("\"{word}\"") } else { word.clone() }).collect();
    quoted.join(" ")
}
