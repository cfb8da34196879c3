//! `drawish demo`: the whole road on a built-in sample, by the same commands that a user types.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;

use super::{Cli, dispatch, done, output};

/// Twelve hundred games that a simple player of this project has played against itself, see examples/sample_games.rs.
const SAMPLE: &[u8] = include_bytes!("demo/sample.pgn.zst");

/// Walk the whole road on a built-in sample of games
///
/// Writes the sample, its counts, a table and a C header into a directory, and shows each command as you would
/// type it. The games were played by a simple program: the figures show the road, not the truth about chess.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  drawish demo")]
pub(super) struct Args {
    /// Where to put the files
    #[arg(short, long, default_value = "drawish-demo", value_name = "DIRECTORY")]
    output: PathBuf,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let directory = &args.output;
    fs::create_dir_all(directory)
        .with_context(|| format!("{} cannot be made; choose another place by -o", directory.display()))?;
    let path = |name: &str| directory.join(name).display().to_string();
    output::write(&directory.join("sample.pgn.zst"), SAMPLE)?;
    let (sample, counts, table, header) =
        (path("sample.pgn.zst"), path("sample.counts"), path("pawns.table"), path("pawns.h"));
    let open_sicilian = "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - 1 5";
    let no_pawns_inside = "4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 50";
    for (why, words) in [
        ("Count the results of every pawn structure", vec!["collect", &sample, "-o", &counts, "--fresh"]),
        ("Turn the counts into a table, and a C header beside it", vec!["table", &counts, "-o", &table, "-o", &header]),
        ("Ask what the table knows: the open Sicilian", vec!["inspect", &table, open_sicilian]),
        ("And a board without pawns on the files b to g", vec!["inspect", &table, no_pawns_inside]),
        ("Check that both files are whole", vec!["verify", &table, &counts]),
    ] {
        output::print(format!("\n# {why}\n$ drawish {}\n", typed(&words)))?;
        dispatch(Cli::try_parse_from(["drawish"].iter().chain(&words))?)?;
    }
    output::print(format!(
        "\nThe files are in {}. With your own games:\n\n  \
         drawish collect games.pgn -o games.counts\n  \
         drawish table games.counts -o pawns.table\n",
        directory.display()
    ))?;
    done()
}

/// Words as one types them: those with blanks in quotes.
fn typed(words: &[&str]) -> String {
    let quoted: Vec<_> =
        words.iter().map(|word| if word.contains(' ') { format!("\"{word}\"") } else { (*word).to_owned() }).collect();
    quoted.join(" ")
}
