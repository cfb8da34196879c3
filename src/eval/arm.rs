//! The arms of a comparison: what is done with the win/loss score before the search sees it.

use std::sync::Arc;

use super::cells::Cells;

/// What is done with the win/loss score w of the classical evaluation.
///
/// Every arm is normalised: its number is divided by the mean of its slope over [`REFERENCE`](super::REFERENCE), so that
/// no arm wins by moving the search's margins, which are in centipawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Arm {
    /// w as it is.
    #[default]
    None,
    /// w times the scale factor of the pawn structure's cell, (1 - p) / (1 - base). The patch of T. Petzke's article.
    ScaleTable,
    /// The score of the draw model's expected score, logit(P)/C, where the drawScore is that of the pawn structure's
    /// cell: v = logit(base) + kappa ln 2 + cell, u = v - kappa ln(2 cosh(w/2)) with kappa = 1, D = s(u),
    /// P - 1/2 = (1 - D)(Wp - 1/2). A level position of the average cell has D = base.
    DrawTable,
    /// w times one and the same factor in every position: plays as [`None`](Self::None) does, or something is wrong
    /// with the comparison.
    Constant,
    /// [`ScaleTable`](Self::ScaleTable) with the factors exchanged among structures of equal pawn count: a placebo.
    Shuffled,
}

impl Arm {
    /// All arms.
    pub const ALL: &'static [Arm] = &[Arm::None, Arm::ScaleTable, Arm::DrawTable, Arm::Constant, Arm::Shuffled];

    /// The name in options and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Arm::None => "none",
            Arm::ScaleTable => "scale-table",
            Arm::DrawTable => "draw-table",
            Arm::Constant => "constant",
            Arm::Shuffled => "shuffled",
        }
    }

    /// The arm of this name, in capitals or small letters, or `None`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Arm> {
        Arm::ALL.iter().copied().find(|arm| arm.name().eq_ignore_ascii_case(name))
    }
}

/// How an evaluator is made.
#[derive(Clone, Debug)]
pub struct Config {
    /// What is done with the win/loss score.
    pub arm: Arm,
    /// The table of the arms that use one.
    pub table: Arc<Cells>,
    /// Whether a table counts the more the fewer officers are on the board, and not at all with all of them; else it
    /// counts fully everywhere.
    pub taper: bool,
    /// By how much pseudo-Elo the side that searches is thought to be stronger than the other. One pseudo-Elo adds one
    /// centipawn to w, while draws by the rules stay at 0: so draws are bad for the stronger side.
    /// Source: M. van Kervinck's evaluation draw model, section 3.1.
    pub contempt: i32,
}

impl Default for Config {
    fn default() -> Config {
        Config { arm: Arm::None, table: Cells::built_in(Cells::DEFAULT), taper: true, contempt: 0 }
    }
}

/// The largest contempt that is accepted, either way: more says nothing about chess.
pub const MAX_CONTEMPT: i32 = 420;
