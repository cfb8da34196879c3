//! The doubts about a fit, for people.

use crate::cli::output;
use drawish::wdl::fit::{Fit, Warning};

/// Prints the doubts about a fit on standard error.
pub(super) fn print(fit: &Fit) {
    for warning in &fit.warnings {
        let option = if let Warning::ThinRows { .. } = warning { " (see --win-min)" } else { "" };
        output::warn(format!("{warning}{option}"));
    }
}
