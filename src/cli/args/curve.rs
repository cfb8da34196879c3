//! The curve of evaluation relevance, and whose view is taken.

use super::choice::Choice;
use crate::cli::Usage;
use drawish::model::relevance::{Relevance, Side};

/// The three parameters.
#[derive(clap::Args)]
pub(in crate::cli) struct CurveArgs {
    /// e(=0.75): the evaluation at which White scores 0.75 points on average
    #[arg(long, value_name = "PAWNS", default_value_t = Relevance::default().e75(), allow_negative_numbers = true)]
    e75: f64,
    /// e(>0.75): a larger evaluation
    #[arg(long, value_name = "PAWNS", default_value_t = Relevance::default().e_plus(), allow_negative_numbers = true)]
    eplus: f64,
    /// What White scores on average at e(>0.75), between 0.75 and 1
    #[arg(long, value_name = "POINTS", default_value_t = Relevance::default().result(), allow_negative_numbers = true)]
    result: f64,
}

impl CurveArgs {
    pub(in crate::cli) fn curve(&self) -> Result<Relevance, Usage> {
        let defaults = in_options(&Relevance::default());
        let advise = |error| Usage(format!("{error}; give all three: those left out are the defaults {defaults}"));
        Relevance::new(self.e75, self.eplus, self.result).map_err(advise)
    }
}

pub(in crate::cli) const SIDES: [Choice<Side>; 2] = [(&["white"], "", Side::White), (&["black"], "", Side::Black)];

/// Parameters as options, to be given to other tasks.
pub(in crate::cli) fn in_options(curve: &Relevance) -> String {
    format!("--e75 {:.2} --eplus {:.2} --result {:.4}", curve.e75(), curve.e_plus(), curve.result())
}
