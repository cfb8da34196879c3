//! `drawish bench`: the behaviour checksum of the engine, and its speed.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;

use super::args::choice::by_name;
use super::{done, output};
use drawish::contest::{read_form, read_heads};
use drawish::eval::{Arm, Config, Evaluator, REFERENCE};
use drawish::search::{MAX_DEPTH, Searcher, bench};

/// Search a fixed set of positions: the node count identifies the build, nps measures the machine
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  drawish bench\n  drawish bench --depth 6\n\n\
    The last line is what OpenBench reads: nodes, and nodes a second.")]
pub(super) struct Args {
    /// Plies to which each position is searched
    #[arg(long, default_value_t = bench::DEPTH, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: u32,
    /// Transposition table in MiB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=4096))]
    hash: u32,
    /// What is done with the score of the evaluation
    #[arg(long, default_value = Arm::default().name(), value_parser = by_name(Arm::ALL, Arm::name))]
    arm: Arm,
    /// The heads of the arms that need some: human, tcec, rival, pooled, or a .toml made by drawish tune
    #[arg(long, value_name = "FILE")]
    heads: Option<PathBuf>,
    /// The form of the arm form: a file made by drawish form
    #[arg(long, value_name = "FILE")]
    form: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let heads = args.heads.as_deref().map(read_heads).transpose()?;
    let form = args.form.as_deref().map(read_form).transpose()?.map(Arc::new);
    let margins = form.as_ref().map(|form| form.margins());
    let config = Config { arm: args.arm, heads, form, ..Config::default() };
    let mut searcher = Searcher::new(Evaluator::new(&config)?, args.hash as usize);
    if let Some(margins) = margins {
        searcher.set_margins(margins);
    }
    let bench = bench::run(&mut searcher, args.depth);
    let mut text = String::new();
    for (position, result) in REFERENCE.iter().zip(&bench.results) {
        let _ = writeln!(text, "{:>9} nodes  {position}", result.nodes);
    }
    let _ = writeln!(text, "{} nodes {} nps", bench.nodes, bench.speed());
    output::print(text)?;
    done()
}
