//! `drawish experiment new`: the file of an experiment, to be looked at before its first game.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};

use crate::cli::args::engines::ArmWords;
use crate::cli::{done, output};
use drawish::experiment::Draft;

#[derive(clap::Args)]
pub(super) struct Args {
    /// Where to write the experiment, as .toml
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Openings: .epd, .fen or .pgn, plain or compressed
    #[arg(long, value_name = "FILE")]
    book: PathBuf,
    /// Half-moves taken from each game of a PGN book
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    #[command(flatten)]
    arms: ArmWords,
    /// Nodes a move
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..), value_name = "N")]
    nodes: u64,
    /// Pairs of games for each arm
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..), value_name = "N")]
    pairs: u64,
    /// Differences below so many Elo count as none
    #[arg(long, default_value_t = 3.0, value_name = "ELO")]
    margin: f64,
    /// Seed for the opening order
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let Args { file, book, plies, nodes, pairs, margin, seed, .. } = args;
    output::check([file], [book])?;
    ensure!(!file.exists(), "{} is there already; choose another name, or remove it", file.display());
    let draft = Draft {
        book: book.clone(),
        plies: *plies,
        seed: *seed,
        nodes: *nodes,
        pairs: *pairs,
        margin: *margin,
        arms: args.arms.arms()?,
    };
    output::write(file, draft.text(file)?.as_bytes())?;
    let books = match (book.parent(), file.parent()) {
        (Some(books), beside) if Some(books) != beside => {
            let books = if books.as_os_str().is_empty() { ".".into() } else { books.display().to_string() };
            format!(" --books {books}")
        }
        _ => String::new(),
    };
    let file = file.display();
    output::print(format!(
        "{file} is written. Read it, say what you ask, then: drawish experiment run {file}{books}\n"
    ))?;
    done()
}
