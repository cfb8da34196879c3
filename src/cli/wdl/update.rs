//! `drawish wdl update`: from a tree of downloads to new constants, compared with the old ones.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, anyhow};

use super::{account, counts, plots, warnings};
use crate::cli::args::numbers::positive;
use crate::cli::progress::{moved, progress_bar};
use crate::cli::{done, output};
use drawish::pgn::expand_inputs;
use drawish::report::pictures::wdl::View;
use drawish::report::text::wdl::{text, verdict};
use drawish::report::text::wdl_counts;
use drawish::wdl::fit::Normalization;
use drawish::wdl::{Revisions, Stockfish, StockfishError, Update};

/// The whole procedure for an engine's constants: games of its revisions to counts, counts to a model, the model against the old one
///
/// What updateWDL.sh does, from games already downloaded: picks the games of the revisions asked for at 60+0.6 with one
/// thread and the UHO_Lichess book, tests within 5 normalized Elo, counts them, fits material at 58, and says whether the
/// pawn value should change.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish wdl update pgns/ --stockfish ../Stockfish --firstrev 71f53b9 --lastrev HEAD\n  \
    drawish wdl update pgns/ --match-rev '.*' --old-pawn-value 377")]
pub(super) struct Args {
    /// The directory with the downloads, <day>/<test>/<test>.pgn.gz and .json
    #[arg(value_name = "DIRECTORY", default_value = "pgns")]
    directory: PathBuf,
    /// A git clone of Stockfish: revisions and the old normalization are read from it
    #[arg(long, value_name = "DIRECTORY", required_unless_present = "match_rev", requires = "firstrev")]
    stockfish: Option<PathBuf>,
    /// First revision, with --stockfish
    #[arg(long, value_name = "SHA", requires = "stockfish")]
    firstrev: Option<String>,
    /// Last revision, with --stockfish
    #[arg(long, value_name = "SHA", default_value = "HEAD")]
    lastrev: String,
    /// Instead of --stockfish: revisions by a regular expression
    #[arg(long, alias = "matchRev", value_name = "REGEX", conflicts_with_all = ["stockfish", "firstrev", "lastrev"])]
    match_rev: Option<String>,
    /// Instead of --stockfish: the old normalization as a pawn value
    #[arg(long, value_name = "N", conflicts_with_all = ["stockfish", "old_data"], value_parser = positive)]
    old_pawn_value: Option<f64>,
    /// Instead of --stockfish: the old normalization as JSON, see `wdl fit --normalize-data`
    #[arg(long, value_name = "JSON", conflicts_with = "stockfish")]
    old_data: Option<Normalization>,
    /// Least material of the fit
    #[arg(long, alias = "materialMin", default_value_t = 17, value_name = "N")]
    material_min: u32,
    /// Largest normalized Elo of a test, to both sides
    #[arg(long, aliases = ["EloDiffMax"], default_value_t = 5.0, value_name = "ELO")]
    elo_diff_max: f64,
    /// Opening book, a regular expression
    #[arg(long, alias = "matchBook", default_value = "UHO_Lichess_4852_v..epd", value_name = "REGEX")]
    match_book: String,
    /// Time control, a regular expression; 60+0.6 and the like mean exactly this
    #[arg(long, alias = "matchTC", default_value = r"60\+0.6", value_name = "REGEX")]
    match_tc: String,
    /// Where the results go: NAME.wdl, NAME.svg and NAMEdistro.svg
    #[arg(short, long, default_value = "updateWDL", value_name = "NAME")]
    output: PathBuf,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let begin = Instant::now();
    let file = |ending: &str| PathBuf::from(format!("{}{ending}", args.output.display()));
    let [wdl, svg, distro] = [".wdl", ".svg", "distro.svg"].map(file);
    let update = update(&args)?;
    output::check([&wdl, &svg, &distro], output::files(&update.inputs))?;
    let bar = progress_bar(&update.inputs, false);
    let collected = update.collect(&moved(&bar))?;
    bar.finish_and_clear();
    // Nothing replaces the counts of an earlier run.
    if collected.tally.positions > 0 {
        counts::write(&wdl, &collected.file)?;
    }
    account::report_problems::<Args>(&collected);
    let files = [wdl];
    output::print(wdl_counts::text(&files, &collected, begin.elapsed(), account::hint::<Args>))?;
    let updated = update.fit(&collected)?;
    plots::save(&updated.fit, View::of(&updated.fit.options), Some(&svg), Some(&distro))?;
    warnings::print::<Args>(&updated.fit);
    let fitted = text(&updated.fit, Some(&updated.model), &files);
    output::print(format!("{fitted}\n{}", verdict(&updated)))?;
    done()
}

fn update(args: &Args) -> Result<Update> {
    let given = args.old_pawn_value.map(Normalization::Static).or(args.old_data).unwrap_or(Normalization::DEFAULT);
    let (pattern, old) = match &args.stockfish {
        Some(clone) => {
            let first = args.firstrev.as_deref().unwrap_or_default();
            let revisions = Stockfish::new(clone).revisions(first, &args.lastrev).map_err(with_options)?;
            (Revisions::pattern(&revisions), revisions.normalization)
        }
        None => (args.match_rev.clone().unwrap_or_default(), given),
    };
    let mut update = Update::new(expand_inputs(std::slice::from_ref(&args.directory))?, pattern);
    update.old = old;
    update.book.clone_from(&args.match_book);
    update.time_control.clone_from(&args.match_tc);
    update.elo_diff_max = args.elo_diff_max;
    update.material_min = args.material_min;
    Ok(update)
}

/// Says which options an error is about.
fn with_options(error: StockfishError) -> anyhow::Error {
    match error {
        StockfishError::NoGit(_) => {
            anyhow!("{error}, or give --match-rev and the old normalization instead of --stockfish")
        }
        error => error.into(),
    }
}
