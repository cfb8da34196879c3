//! `drawish demo`: the whole road on built-in games, by the same commands that a user types.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
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

    /// Write the sample games, packed by zstd, to this file and stop
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    games: Option<PathBuf>,
}

/// Results of 522,066 games of masters: what a table is made of when there are more games than a demonstration can carry.
const HUMAN: &[u8] = drawish_tables::HUMAN_COUNTS;

/// Commands, each below the reason for it. `@name` is a file in the directory of the walk, `~` a blank within a word.
const STEPS: &str = include_str!("demo/steps.txt");
/// Heads need rows, and rows need data frames.
#[cfg(feature = "frames")]
const PAGE: &str = include_str!("demo/page.txt");
#[cfg(not(feature = "frames"))]
const PAGE: &str = include_str!("demo/page_without_frames.txt");

pub(super) fn run(args: Args) -> Result<ExitCode> {
    if let Some(path) = &args.games {
        let holds_other = fs::read(path).is_ok_and(|found| found != SAMPLE);
        ensure!(!holds_other, "{} holds something else, which is not replaced: choose another name", path.display());
        output::write(path, SAMPLE)?;
        return done();
    }
    let directory = &args.output;
    fs::create_dir_all(directory)
        .with_context(|| format!("{} cannot be made; choose another place by -o", directory.display()))?;
    let sample = directory.join("sample.pgn.zst");
    // What another walk has left is replaced.
    if !sample.exists()
        && let Some(name) = names().find(|name| directory.join(name).exists())
    {
        bail!("{} is there, and of no walk: choose a directory of its own by -o", directory.join(name).display());
    }
    output::write(&sample, SAMPLE)?;
    output::write(&directory.join("human.counts"), HUMAN)?;
    // A log of an earlier walk would be of another match when the program is another one.
    for log in ["match.jsonl", "control.jsonl"] {
        let _ = fs::remove_file(directory.join(log)); // The match names one that is still there.
    }
    let mut why = "";
    for line in STEPS.lines().chain(PAGE.lines()).filter(|line| !line.is_empty()) {
        if line.starts_with('#') {
            why = line;
            continue;
        }
        let words: Vec<String> = line.split_whitespace().map(|word| spelt_out(word, directory)).collect();
        output::print(format!("\n{why}\n$ drawish {}\n", typed(&words)))?;
        dispatch(Cli::try_parse_from(std::iter::once("drawish").chain(words.iter().map(String::as_str)))?)?;
    }
    output::print(format!(
        "\nOpen {} in a browser. With your own games and engines:\n\n  \
         drawish collect games.pgn -o games.counts && drawish table games.counts -o pawns.table -o pawns.h\n  \
         drawish wdl collect games.pgn -o games.wdl && drawish wdl fit games.wdl --normalize-to-pawn-value 100 -o wdl_model.h\n  \
         drawish match --engine cmd=./new name=new --engine cmd=./old name=old --openings book.epd --nodes 20000 \\\n      \
         --sprt elo0=0 elo1=5 --log match.jsonl\n",
        directory.join("demo.html").display()
    ))?;
    done()
}

/// The files that the commands read and write.
fn names() -> impl Iterator<Item = &'static str> {
    let words = STEPS.lines().chain(PAGE.lines()).filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace);
    words.filter_map(|word| Some(word.split_once('@')?.1))
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
