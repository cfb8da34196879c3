//! `drawish experiment`: questions written down before the games, the games, and what they say.

mod draft;
mod report;

use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use clap::Subcommand;

use super::{done, output};
use drawish::experiment::{Checked, Layout, Progress, RunError, Runner};
use drawish::report::text::experiment as text;

/// Run a pre-registered experiment: several arms against one baseline
///
/// The file names the openings with their digest, the arms, the number of games, the margin and the level of the tests. Logs, one
/// for each arm, are in the directory beside it with its name: those of experiments/pilot.toml in experiments/pilot/. Arms take
/// turns, so an interrupted run has about as many games of each.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish experiment new table.toml --book ~/books/UHO.epd --pairs 2000 \\\n      \
        --arm arm=draw-head heads=pooled\n  \
    drawish experiment run experiments/record.toml --books ~/books\n  \
    drawish experiment status experiments/pilot.toml\n  \
    drawish experiment report experiments/pilot.toml -o pilot.html -o pilot.md\n  \
    drawish experiment check experiments/record.toml --pairs 100 --books ~/books")]
pub(super) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Write the file of a new experiment, with the digests of book and engine and a control
    New(draft::Args),
    /// Play what is missing; resume where an earlier run was interrupted
    Run(RunArgs),
    /// Show the progress and the score of each arm
    Status(StatusArgs),
    /// Write what is known and what is not, as .html or .md
    Report(ReportArgs),
    /// Play the first pairs of every arm again and compare them with the logs, byte for byte
    Check(CheckArgs),
}

/// How games are played.
#[derive(clap::Args)]
struct Playing {
    /// The file of the experiment
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where the book of openings is, if not beside the file
    #[arg(long, value_name = "DIRECTORY")]
    books: Option<PathBuf>,
    /// Only these arms
    #[arg(long, num_args = 1.., value_name = "ARM")]
    only: Vec<String>,
    /// Games at a time; without it, one for each core. The games do not depend on it
    #[arg(short = 'j', long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// Print nothing while it runs
    #[arg(short, long)]
    quiet: bool,
}

#[derive(clap::Args)]
struct RunArgs {
    #[command(flatten)]
    playing: Playing,
    /// Stop when every arm has this many pairs, even if the file asks for more
    #[arg(long, value_name = "N")]
    pairs: Option<u64>,
}

#[derive(clap::Args)]
struct CheckArgs {
    #[command(flatten)]
    playing: Playing,
    /// Pairs of each arm
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
}

#[derive(clap::Args)]
struct StatusArgs {
    /// The file of the experiment
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct ReportArgs {
    /// The file of the experiment
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where to write, .html or .md; may be given several times; - writes Markdown to standard output
    #[arg(short, long, required = true, value_name = "FILE")]
    output: Vec<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    match args.task {
        Task::New(args) => draft::run(&args),
        Task::Run(args) => play(&args.playing, args.pairs),
        Task::Check(args) => check(&args.playing, args.pairs),
        Task::Status(args) => report::status(&args.file, args.json),
        Task::Report(args) => report::report(&args.file, &args.output),
    }
}

impl Playing {
    fn runner<'a>(&self, layout: &'a Layout) -> Result<Runner<'a>> {
        let runner = Runner::new(layout, self.books.as_deref(), &self.only).map_err(|error| match error {
            RunError::NoBook { .. } => anyhow!("{error}; say where it is by --books"),
            RunError::NoArm { .. } => anyhow!("--only: {error}"),
            error => error.into(),
        })?;
        Ok(runner.workers(self.concurrency))
    }
}

/// Plays what is missing.
fn play(playing: &Playing, pairs: Option<u64>) -> Result<ExitCode> {
    let layout = Layout::open(&playing.file)?;
    let pause = if io::stderr().is_terminal() { Duration::from_millis(500) } else { Duration::from_secs(60) };
    let (mut shown, mut begun) = (Instant::now(), Instant::now());
    playing.runner(&layout)?.run(pairs, |Progress { arm, pairs, wanted, played }| {
        if played == 1 {
            begun = Instant::now();
        }
        if !playing.quiet && shown.elapsed() >= pause {
            shown = Instant::now();
            let rate = 2.0 * played as f64 / begun.elapsed().as_secs_f64();
            output::complain(format!("{arm}: {pairs} of {wanted} pairs, {rate:.1} games/s\n"));
        }
    })?;
    if !playing.quiet {
        output::print(text::status(&layout))?;
    }
    done()
}

/// Plays the first pairs again and compares.
fn check(playing: &Playing, pairs: u64) -> Result<ExitCode> {
    let layout = Layout::open(&playing.file)?;
    let mut printed = Ok(());
    let checked = playing.runner(&layout)?.check(pairs, |checked| {
        if printed.is_ok() {
            printed = output::print(format!("{checked}\n"));
        }
    })?;
    printed?;
    Ok(if checked.iter().any(Checked::differs) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
