//! `drawish demo`: the whole road on built-in games, by the same commands that a user types.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;

use super::{Cli, dispatch, done, output};

/// Three thousand games that the engine of this project has played against itself; CONTRIBUTING.md has the command.
const SAMPLE: &[u8] = include_bytes!("demo/sample.pgn.zst");

/// Run every step on a built-in sample of games
///
/// From games to counts, a table, a WDL model, a match with a verdict, its control, and one page that shows everything, in less than
/// half a minute; each command is printed as you would type it. The engine of this project played the games at 2,000 nodes a move.
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

/// Results of 522,066 games of masters: what a table is made of when there are more games than a demonstration can carry.
const HUMAN: &[u8] = drawish_tables::HUMAN_COUNTS;

/// Commands with the reason for each. `@name` is a file in the directory of the walk, `~` a blank within a word.
type Steps = &'static [(&'static str, &'static str)];

const TO_THE_MATCHES: Steps = &[
    (
        "Count the results of pawn structures, one position of each game",
        "collect @sample.pgn.zst -o @sample.counts --fresh --sample one-random-ply --from 20 --min-moves 0",
    ),
    (
        "Make a table for an engine, and a C header beside it. 3,000 games are few, so here from 522,066 games of masters",
        "table @human.counts -o @pawns.table -o @pawns.h",
    ),
    (
        "Look up a position in the table: the open Sicilian",
        "inspect @pawns.table rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R~w~KQkq~-~1~5",
    ),
    ("Count evaluations by their results", "wdl collect @sample.pgn.zst -o @sample.wdl"),
    (
        "Fit what they are worth: the WDL model, as a file and as a C header",
        "wdl fit @sample.wdl --normalize-to-pawn-value 100 -o @model.json -o @wdl_model.h",
    ),
    (
        "Ask a question by a match: do twice as many nodes win?",
        "match --engine arm=none name=1000-nodes nodes=1000 --engine arm=none name=500-nodes nodes=500 --openings random:8 \
         --pairs 500 --seed 1 --sprt elo0=0 elo1=60 --log @match.jsonl -q",
    ),
    (
        "A control, which must find nothing: the same evaluation times one factor plays the same moves",
        "match --engine arm=constant --engine arm=none --allow-equal --openings random:8 --pairs 60 --seed 1 --nodes 500 \
         --log @control.jsonl -q",
    ),
];

/// Heads need rows, and rows need data frames.
#[cfg(feature = "frames")]
const TO_THE_PAGE: Steps = &[
    (
        "Take one position of each game as a row of features",
        "positions @sample.pgn.zst -o @rows.parquet --sample one-random-ply --from 8 --min-moves 0 -q",
    ),
    ("Fit heads to them: what makes a draw likely", "tune @rows.parquet -o @heads.toml -q"),
    (
        "Show all of it on one page",
        "report @human.counts @sample.counts @model.json @heads.toml @match.jsonl @control.jsonl -o @demo.html -o @demo.md",
    ),
];

#[cfg(not(feature = "frames"))]
const TO_THE_PAGE: Steps = &[(
    "Show all of it on one page",
    "report @human.counts @sample.counts @model.json @match.jsonl @control.jsonl -o @demo.html -o @demo.md",
)];

pub(super) fn run(args: Args) -> Result<ExitCode> {
    if let Some(path) = &args.games {
        output::write(path, SAMPLE)?;
        return done();
    }
    let directory = &args.output;
    fs::create_dir_all(directory)
        .with_context(|| format!("{} cannot be made; choose another place by -o", directory.display()))?;
    output::write(&directory.join("sample.pgn.zst"), SAMPLE)?;
    output::write(&directory.join("human.counts"), HUMAN)?;
    // A log of an earlier walk would be of another match when the program is another one.
    for log in ["match.jsonl", "control.jsonl"].map(|name| directory.join(name)) {
        if log.exists() {
            fs::remove_file(&log).with_context(|| log.display().to_string())?;
        }
    }
    for (why, command) in TO_THE_MATCHES.iter().chain(TO_THE_PAGE) {
        let words: Vec<String> = command.split_whitespace().map(|word| spelt_out(word, directory)).collect();
        output::print(format!("\n# {why}\n$ drawish {}\n", typed(&words)))?;
        dispatch(Cli::try_parse_from(std::iter::once("drawish").chain(words.iter().map(String::as_str)))?)?;
    }
    output::print(format!(
        "\nOpen {} in a browser. With your own games and engines:\n\n  \
         drawish collect games.pgn -o games.counts && drawish table games.counts -o pawns.table -o pawns.h\n  \
         drawish wdl collect games.pgn -o games.wdl && drawish wdl fit games.wdl -o wdl_model.h\n  \
         drawish match --engine cmd=./new name=new --engine cmd=./old name=old --openings book.epd --nodes 20000 \\\n      \
         --sprt elo0=0 elo1=5 --log match.jsonl\n",
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
