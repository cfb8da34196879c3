//! The doubts about a fit, for people.

use clap::Args;

use crate::cli::args::known::known;
use crate::cli::output;
use drawish::wdl::fit::{Fit, Warning};

/// Prints the doubts about a fit on standard error.
pub(super) fn print<Verb: Args>(fit: &Fit) {
    for warning in &fit.warnings {
        let option = if let Warning::ThinRows { .. } = warning { known::<Verb>(" (see --win-min)") } else { None };
        output::warn(format!("{warning}{}", option.unwrap_or_default()));
    }
}
