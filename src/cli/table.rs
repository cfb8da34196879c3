//! `drawish table`: counts to tables.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::ValueEnum;

use super::{done, output};
use crate::export::{Format, Table};
use crate::provenance;
use crate::smooth::{Estimator, estimate};

/// Turn counts into a table that an engine includes
///
/// Estimates the draw probability of every structure and writes it, with the drawScore and the scaling factor made
/// from it, in the format that the ending of each output's name chooses:
///
///   .table    what drawish_core::DrawTable reads, also for include_bytes!
///   .h  .rs   C header, Rust source
///   .json .csv .parquet   all numbers with intervals and games
///   .u16 .i16 .u8   one array of plain little-endian numbers: probabilities (1/65535), drawScores (1/256 logit),
///             scaling factors (1/128)
///   .toml     where the numbers come from, to keep beside a .table
///
/// drawScore = logit(p) - logit(base) and scaling factor = (1 - p) / (1 - base), base being the draw rate of all
/// positions together. Why (1 - p): an expected score of P = D/2 + Wp - Wp D lies (1 - D)(Wp - 1/2) away from equality.
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
    #[arg(long, value_enum, default_value_t = EstimateArg::EbSym)]
    estimate: EstimateArg,
    /// Leave intervals and numbers of games out of a .table, which engines do not need
    #[arg(long)]
    slim: bool,
    /// Print nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum EstimateArg {
    /// Draws / games; the base where there are none
    Raw,
    /// (draws + 1) / (games + 2)
    Laplace,
    /// Empirical Bayes: rates pulled towards their mean as far as the spread between cells asks for
    Eb,
    /// The same with structures that are each other's colour swap or mirror image taken together
    EbSym,
}

pub(super) fn run(args: Args) -> Result<ExitCode> {
    let mut outputs = Vec::new();
    for path in &args.output {
        outputs.push((path, Format::of(path)?));
        output::check(path)?;
    }
    let counts = output::read_counts(&args.counts)?;
    let estimator = match args.estimate {
        EstimateArg::Raw => Estimator::Raw,
        EstimateArg::Laplace => Estimator::Laplace,
        EstimateArg::Eb => Estimator::EmpiricalBayes,
        EstimateArg::EbSym => Estimator::EmpiricalBayesSymmetric,
    };
    let estimates = estimate(&counts.counts, estimator).with_context(|| args.counts.display().to_string())?;
    let table = Table::new(&estimates, &counts, provenance::made_by());
    for (path, format) in outputs {
        output::write(path, &table.to_bytes(format, args.slim)?)?;
    }
    if !args.quiet {
        output::print(describe(&estimates))?;
    }
    done()
}

/// What the estimates say as a whole.
pub(super) fn describe(estimates: &crate::smooth::Estimates) -> String {
    let mut out = format!(
        "base draw rate {:.1} % of {} positions, estimator {}\n",
        100.0 * estimates.base,
        super::summary::grouped(estimates.positions),
        estimates.estimator.name()
    );
    if let Some(prior) = estimates.prior {
        out += &format!(
            "prior: mean {:.1} %, standard deviation between structures {:.1} points, strength {:.1} games\n",
            100.0 * prior.mean,
            100.0 * prior.deviation(),
            prior.strength
        );
    }
    let scheme = estimates.scheme;
    let mut cells: Vec<_> =
        (0..).map(drawish_core::StructureIndex).zip(&estimates.cells).filter(|(_, cell)| cell.own > 0).collect();
    cells.sort_by(|(_, one), (_, other)| other.probability.total_cmp(&one.probability));
    let line = |(index, cell): &(drawish_core::StructureIndex, &crate::smooth::Estimate)| {
        format!(
            "  {:5.1} %  ({:.1} to {:.1}, {} games)  cell {}: {}\n",
            100.0 * cell.probability,
            100.0 * cell.low,
            100.0 * cell.high,
            super::summary::grouped(cell.pooled),
            index.0,
            scheme.describe(*index)
        )
    };
    let mut classes = std::collections::BTreeSet::new();
    cells.retain(|(index, _)| classes.insert(scheme.canonical(*index)));
    let shown = 3.min(cells.len() / 2);
    out += "most drawish:\n";
    out.extend(cells[..shown].iter().map(line));
    out += "least drawish:\n";
    out.extend(cells[cells.len() - shown..].iter().map(line));
    out
}
