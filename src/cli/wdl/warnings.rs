//! The doubts about a fit, for people.

use clap::Args;

use crate::cli::args::known::known;
use crate::cli::output;
use drawish::wdl::fit::{Fit, Warning};

/// Prints the doubts about a fit on standard error.
pub(super) fn print<Verb: Args>(fit: &Fit) {
    for warning in &fit.warnings {
        let option = match warning {
            Warning::ThinRows { .. } => " (see --win-min)",
            Warning::StockfishUnits => ": give --normalize-to-pawn-value 100",
            _ => "",
        };
        output::warn(format!("{warning}{}", known::<Verb>(option).unwrap_or_default()));
    }
}
