//! `drawish table`: counts to tables.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Error, Result, anyhow, ensure};

use super::target::Target;
use super::{args, done, output};
use drawish::export::{Evidence, Format, Table};
#[cfg(feature = "frames")]
use drawish::frames;
use drawish::report::text::counts::dependence;
use drawish::report::text::table::estimates as estimates_text;
use drawish::smooth::{Estimator, SmoothError, estimate};

/// Turn counts into a table that an engine includes
///
/// Estimates the draw probability of every structure and writes it, with the drawScore and the
/// scaling factor made from it, in the format that the ending of each output's name chooses:
///
///   .table          what drawish_core::DrawTable reads, also for include_bytes!
///   .h .rs          C header, Rust source
///   .json .csv      all numbers with intervals and games
///   .parquet        the same for data frames
///   .u16 .i16 .u8   one array of plain little-endian numbers: probabilities (1/65535),
///                   drawScores (1/256 logit), scaling factors (1/128)
///   .toml           where the numbers come from, to keep beside a .table
///
/// drawScore = logit(p) - logit(base) and scaling factor = (1 - p) / (1 - base), base being the
/// draw rate of all positions together. Why (1 - p): an expected score of P = D/2 + Wp - Wp D
/// lies (1 - D)(Wp - 1/2) away from equality.
#[derive(clap::Args)]
#[command(verbatim_doc_comment, after_help = "Example:\n  drawish table games.counts -o pawns.table -o pawns.h")]
pub(super) struct Args {
    /// Counts file, as written by collect or merge; - for standard input
    #[arg(value_name = "COUNTS")]
    counts: PathBuf,
    /// Where to write; may be given several times
    #[arg(short, long, required = true, value_name = "FILE")]
    output: Vec<PathBuf>,
    /// How probabilities are estimated
    #[arg(long, default_value = "eb-sym", value_parser = args::named(&Estimator::ALL, Estimator::name, Estimator::meaning))]
    estimate: Estimator,
    /// Leave intervals and numbers of games out of a .table, which engines do not need
    #[arg(long)]
    slim: bool,
    /// Print nothing but warnings and errors
    #[arg(short, long)]
    quiet: bool,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let mut outputs = Vec::new();
    for path in &args.output {
        outputs.push((path, Target::of(path, ".csv or .json", |path| Ok(Format::of(path)?))?));
    }
    ensure!(
        !args.slim || outputs.iter().any(|(_, target)| matches!(target, Target::Own(Format::Table))),
        "--slim is about .table, and no output is one: leave it out"
    );
    output::check(&args.output, [&args.counts])?;
    let counts = output::read_counts(&args.counts)?;
    let estimates =
        estimate(&counts.counts, args.estimate).map_err(advised).with_context(|| args.counts.display().to_string())?;
    if let Some(remark) = dependence(&counts) {
        let remedy = match counts.has_copies() {
            true => "`drawish collect --dedupe`",
            false => "`drawish collect --sample one-random-ply`",
        };
        output::warn(format!("{}: {remark}: {remedy}", args.counts.display()));
    }
    let table = Table::new(&estimates, &counts);
    let evidence = if args.slim { Evidence::LeftOut } else { Evidence::Kept };
    for (path, target) in outputs {
        let bytes = match target {
            Target::Own(format) => table.to_bytes(format, evidence),
            #[cfg(feature = "frames")]
            Target::Parquet => frames::to_parquet(&frames::table_frame(&table)?)?,
        };
        output::write(path, &bytes)?;
    }
    if !args.quiet {
        output::print(estimates_text(&estimates))?;
    }
    done()
}

fn advised(error: SmoothError) -> Error {
    match error {
        SmoothError::Empty => anyhow!("{error}: see the reasons by `drawish inspect` on the counts"),
        SmoothError::OneClass { .. } => error.into(),
    }
}
