//! `drawish wdl download`: games of finished fishtest tests.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Result, ensure};
use clap::builder::BoolishValueParser;

use crate::cli::args::SummaryArgs;
use crate::cli::args::numbers::not_negative;
use crate::cli::output;
use crate::cli::progress::bar_of;
use drawish::download::{Account, Config, Event, Outcome, Patience, Wanted, download, download_metadata};

/// Download the games of finished fishtest tests, each with its metadata
///
/// What download_fishtest_pgns.py does, with its options under their old names, too. Files go to DIRECTORY/YY-MM-DD/TEST/TEST.pgn.gz
/// and TEST.json, where `wdl collect` and `wdl update` look for them. A test of which a file is below the directory is not
/// downloaded again, wherever it is; a download that was interrupted is completed by the next run.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish wdl download --time-delta 24\n  \
    drawish wdl download --path pgns --tc-lower-limit 60 --standard-chess-only\n  \
    drawish wdl download --path pgns --missing-metadata\n\n\
    Exit code 1 if a wanted test could not be downloaded; the same command tries again.")]
pub(super) struct Args {
    /// The directory of the downloads
    #[arg(long, default_value = "pgns", value_name = "DIRECTORY")]
    path: PathBuf,
    /// The server
    #[arg(long, default_value = "https://tests.stockfishchess.org", value_name = "URL")]
    base: String,
    /// Instead of games: the metadata of files below the directory that have none
    #[arg(long)]
    missing_metadata: bool,
    /// With --missing-metadata: of all files, in place of what is there
    #[arg(long, requires = "missing_metadata")]
    overwrite: bool,
    #[command(flatten)]
    summary: SummaryArgs,
    // Last: a heading holds for all that follows.
    #[command(flatten, next_help_heading = "Which tests")]
    which: WhichArgs,
    #[command(flatten, next_help_heading = "Patience")]
    patience: PatienceArgs,
}

/// Which tests are wanted.
#[derive(clap::Args)]
struct WhichArgs {
    /// Tests that were last changed in this many hours
    #[arg(long, alias = "time_delta", default_value_t = 168.0, value_name = "HOURS", value_parser = not_negative)]
    time_delta: f64,
    /// Only tests at long time control
    #[arg(long, alias = "ltc_only", default_value = "True", num_args = 0..=1, default_missing_value = "True", value_name = "True|False", value_parser = BoolishValueParser::new())]
    ltc_only: bool,
    /// Only passed tests
    #[arg(long, alias = "success_only", default_value = "False", num_args = 0..=1, default_missing_value = "True", value_name = "True|False", value_parser = BoolishValueParser::new())]
    success_only: bool,
    /// Only tests that failed, but not badly
    #[arg(long, alias = "yellow_only", default_value = "False", num_args = 0..=1, default_missing_value = "True", value_name = "True|False", value_parser = BoolishValueParser::new())]
    yellow_only: bool,
    /// Leave out tests with books of Chess960
    #[arg(long, alias = "standard_chess_only", default_value = "False", num_args = 0..=1, default_missing_value = "True", value_name = "True|False", value_parser = BoolishValueParser::new())]
    standard_chess_only: bool,
    /// Smallest base time of either side
    #[arg(long, alias = "tc_lower_limit", value_name = "SECONDS", value_parser = not_negative)]
    tc_lower_limit: Option<f64>,
    /// Largest base time of either side
    #[arg(long, alias = "tc_upper_limit", value_name = "SECONDS", value_parser = not_negative)]
    tc_upper_limit: Option<f64>,
    /// Only tests of this user
    #[arg(long, value_name = "NAME")]
    username: Option<String>,
}

/// What is done where the server fails.
#[derive(clap::Args)]
struct PatienceArgs {
    /// How often to try again, with growing waits, where the server fails; attempts that bring something do not count
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    retries: u32,
    /// The first of these waits
    #[arg(long, default_value_t = 1.0, value_name = "SECONDS", value_parser = not_negative)]
    retry_wait: f64,
    /// How long the server may be silent
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS", value_parser = not_negative)]
    timeout: f64,
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let config = config(args)?;
    let bar = bar_of("{spinner} {bytes}, {bytes_per_sec}, {elapsed}", None, args.summary.quiet);
    let mut account = Account::default();
    let mut listener = |event: Event<'_>| match event {
        Event::Bytes(bytes) => bar.inc(bytes),
        Event::Waiting { why, wait } => bar.suspend(|| {
            output::warn(format!("{why}{}", next_attempt(wait)));
        }),
        Event::Test { id, outcome } => {
            account.add(id, outcome);
            let line = outcome.line(id);
            match outcome {
                Outcome::Failed(_) => bar.suspend(|| output::warn(line)),
                Outcome::Downloaded { .. } if !args.summary.quiet => {
                    bar.suspend(|| output::complain(format!("{line}\n")))
                }
                _ => {}
            }
        }
    };
    let ended = if args.missing_metadata {
        download_metadata(&config, args.overwrite, &mut listener)
    } else {
        download(&config, &mut listener)
    };
    bar.finish_and_clear();
    output::print(args.summary.text(|| account.to_json(), || account.text(&config.directory)))?;
    ended?;
    Ok(if account.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn next_attempt(wait: Duration) -> String {
    if wait.is_zero() { String::new() } else { format!("; next attempt in {} s", wait.as_secs_f64()) }
}

fn config(args: &Args) -> Result<Config> {
    let (which, patience) = (&args.which, &args.patience);
    if let (Some(lower), Some(upper)) = (which.tc_lower_limit, which.tc_upper_limit) {
        ensure!(lower <= upper, "--tc-lower-limit {lower} is above --tc-upper-limit {upper}: no test could pass");
    }
    ensure!(patience.timeout > 0.0, "--timeout 0 leaves the server no time to answer");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
    Ok(Config {
        base: args.base.clone(),
        directory: args.path.clone(),
        wanted: Wanted {
            since: now - 3600.0 * which.time_delta,
            ltc_only: which.ltc_only,
            success_only: which.success_only,
            yellow_only: which.yellow_only,
            standard_chess_only: which.standard_chess_only,
            username: which.username.clone(),
            tc_lower_limit: which.tc_lower_limit,
            tc_upper_limit: which.tc_upper_limit,
        },
        patience: Patience {
            retries: patience.retries,
            first_wait: Duration::from_secs_f64(patience.retry_wait),
            silence: Duration::from_secs_f64(patience.timeout),
        },
    })
}
