//! `drawish wdl fit`: counts to a model.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Error, Result, anyhow, ensure};

use super::options::FitArgs;
use super::plots::PlotArgs;
use super::{counts, warnings};
use crate::cli::{done, output};
use drawish::report::text::wdl::{linked, text, without_model};
use drawish::wdl::fit::{FitError, fit, fit_each_shape};
use drawish::wdl::{Model, ModelFormat};

/// Fit the win-draw-loss model to counts
///
/// What scoreWDL.py does, with its options under their old names, too, but to the true optimum of the objective, and with
/// standard errors: the fit is repeated without each of the 32 blocks of games that a .wdl file keeps apart.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    drawish wdl fit games.wdl --normalize-to-pawn-value 100\n  \
    drawish wdl fit scoreWDLstat.json --normalize-to-pawn-value 100 --mom-type move --mom-target 32\n  \
    drawish wdl fit games.wdl --normalize-to-pawn-value 100 -o model.json \\\n      \
        -o wdl_model.h -o wdl_model.rs\n  \
    drawish wdl fit games.wdl --shape spline --png-name model.png")]
pub(super) struct Args {
    /// Counts as .wdl or JSON, by drawish or scoreWDLstat, added up; - for standard input [default: scoreWDLstat.json]
    #[arg(value_name = "FILES")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    fit: FitArgs,
    /// Leave out errors, held-out loss and calibration
    #[arg(long)]
    no_errors: bool,
    /// Fit every shape to the same positions and compare their held-out losses, too; needs a .wdl file
    #[arg(long, conflicts_with_all = ["no_errors", "parity"])]
    compare_shapes: bool,
    /// Write the model: .json, which `wdl show` and `report` read, .h for C and C++, .rs for Rust; may be given several times
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,
    /// Print the figures as JSON, which `wdl show` reads
    #[arg(long)]
    json: bool,
    /// Print nothing but warnings, errors and, with --json, the figures
    #[arg(short, long)]
    quiet: bool,
    // Last: a heading holds for all that follows.
    #[command(flatten, next_help_heading = "Pictures")]
    plots: PlotArgs,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    args.fit.check(args.compare_shapes)?;
    let options = args.fit.options(!args.no_errors);
    // As scoreWDL.py does where none is named.
    let files = if args.files.is_empty() { vec![PathBuf::from("scoreWDLstat.json")] } else { args.files };
    ensure!(
        files.len() > 1 || files[0] != Path::new("scoreWDLstat.json") || files[0].exists(),
        "scoreWDLstat.json is not there; name counts by `drawish wdl collect`, as in: drawish wdl fit games.wdl"
    );
    args.plots.check(&files)?;
    output::check(&args.output, &files)?;
    let outputs = args.output.iter().map(|path| Ok((path, format(path)?))).collect::<Result<Vec<_>>>()?;
    let file = counts::read_all(&files)?;
    let fit = fit(&file.counts, &options).map_err(with_options)?;
    args.plots.save(&fit)?;
    warnings::print::<Args>(&fit);
    let mut model = Model::new(&fit, &file.provenance).ok();
    if args.compare_shapes {
        let fits = fit_each_shape(&file.counts, &options).map_err(with_options)?;
        model = model.map(|model| model.compared(&fits));
    }
    for (path, format) in outputs {
        let model =
            model.as_ref().ok_or_else(|| anyhow!("{}: there is no model without --model-fitting", path.display()))?;
        output::write(path, format.text(model).with_context(|| path.display().to_string())?.as_bytes())?;
    }
    let said = match &model {
        Some(model) if args.json => model.to_json(),
        None if args.json => format!("{:#}\n", without_model(&fit, &file.provenance)),
        _ if args.quiet => return done(),
        model => text(&fit, model.as_ref(), &files) + &linked(&args.output),
    };
    output::print_beside(&args.plots.paths(), said)?;
    done()
}

/// The form of an output, by the ending of its name.
fn format(path: &Path) -> Result<ModelFormat> {
    ModelFormat::of(path).with_context(|| format!("{}: a model is written as .json, .h or .rs", path.display()))
}

/// Says which options an error is about.
fn with_options(error: FitError) -> Error {
    match error {
        FitError::TooFewWins { .. } => anyhow!("{error} (see --win-min)"),
        FitError::Parity(_) => anyhow!("--parity: {error}; leave out --shape and --by-time-control"),
        error => error.into(),
    }
}
