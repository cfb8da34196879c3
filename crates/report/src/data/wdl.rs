//! A WDL model, read from its file.

use drawish_games::wdl::{CurvePoint, Model};
use drawish_stats::model::WinDrawLoss;
use drawish_stats::model::wdl::Curve;

/// A fitted WDL model with the name of its file.
#[derive(Clone, PartialEq, Debug)]
pub struct WdlData {
    /// The name of the file.
    pub name: String,
    /// What it holds.
    pub model: Model,
}

impl WdlData {
    /// Win, draw and loss rates at an evaluation in pawns of the anchor, at this point of the curve.
    #[must_use]
    pub fn rates(&self, point: &CurvePoint, pawns: f64) -> WinDrawLoss {
        Curve::new(point.a, point.b).rates(pawns * self.model.pawn_value)
    }
}
