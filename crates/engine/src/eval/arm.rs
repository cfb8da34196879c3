//! The arms of a comparison: what is done with the win/loss score before the search sees it.

use std::sync::Arc;

use thiserror::Error;

use super::cells::Cells;
use super::heads::Heads;
use crate::form::Form;

/// What is done with the win/loss score w of the classical evaluation.
///
/// Every arm is normalised: its number is divided by the mean of its slope over two thousand positions of the
/// engine's own games (`normalisation.fens`), so that no arm wins by moving the search's margins, which are in centipawns.
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
    /// [`DrawTable`](Self::DrawTable) with the draw head in the place of the table: v is its sum over the features of
    /// the position, kappa its own.
    DrawHead,
    /// w times g = e^v / mean e^v, within 16/128 and 176/128, where v is the gain head's sum over the features of the
    /// position.
    GainHead,
    /// [`GainHead`](Self::GainHead) with what the pawn structure's cell adds to v.
    GainHeadTable,
    /// w times one and the same factor in every position: plays as [`None`](Self::None) does, or something is wrong
    /// with the comparison.
    Constant,
    /// [`ScaleTable`](Self::ScaleTable) with the factors exchanged among structures of equal pawn count: a placebo.
    Shuffled,
    /// Both parts of w by the few numbers of a [`Form`]: factors by pawns and kind of ending, complexity, the clock. The only arm
    /// that may change the sign of a score, where its parts differ in theirs.
    Form,
}

impl Arm {
    /// All arms.
    pub const ALL: &'static [Arm] = &[
        Arm::None,
        Arm::ScaleTable,
        Arm::DrawTable,
        Arm::DrawHead,
        Arm::GainHead,
        Arm::GainHeadTable,
        Arm::Constant,
        Arm::Shuffled,
        Arm::Form,
    ];

    /// The name in options and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Arm::None => "none",
            Arm::ScaleTable => "scale-table",
            Arm::DrawTable => "draw-table",
            Arm::DrawHead => "draw-head",
            Arm::GainHead => "gain-head",
            Arm::GainHeadTable => "gain-head+table",
            Arm::Constant => "constant",
            Arm::Shuffled => "shuffled",
            Arm::Form => "form",
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
    /// The heads of the arms that use them.
    pub heads: Option<Arc<Heads>>,
    /// The form of the arm that needs one.
    pub form: Option<Arc<Form>>,
    /// Whether a table counts the more the fewer pieces are on the board, and not at all with all of them; else it
    /// counts fully everywhere.
    pub taper: bool,
    /// By how much pseudo-Elo the side that searches is thought to be stronger than the other. One pseudo-Elo adds one
    /// centipawn to w, while draws by the rules stay at 0: so draws are bad for the stronger side.
    /// Source: M. van Kervinck's evaluation draw model, section 3.1.
    pub contempt: i32,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            arm: Arm::None,
            table: Cells::built_in(Cells::DEFAULT),
            heads: None,
            form: None,
            taper: true,
            contempt: 0,
        }
    }
}

/// The largest contempt that is accepted, either way: more says nothing about chess.
pub const MAX_CONTEMPT: i32 = 420;

/// Why an evaluator cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ConfigError {
    /// The arm is one of heads, and there are none.
    #[error("the arm {} needs heads, and none are given: take heads=pooled, human, tcec or rival, or a file made by `drawish tune`", .0.name())]
    NoHeads(Arm),
    /// The arm is one of a form.
    #[error("the arm {} needs a form, and none is given: make one by `drawish form -o form.toml`", .0.name())]
    NoForm(Arm),
    /// The gain head has no part for pawn structures.
    #[error("the arm {} needs heads with a residual for each pawn structure, and these have none", .0.name())]
    NoResidual(Arm),
}

impl Config {
    /// Looks whether the arm has what it needs.
    ///
    /// # Errors
    ///
    /// What is missing.
    pub fn check(&self) -> Result<(), ConfigError> {
        let heads = self.heads.as_ref().ok_or(ConfigError::NoHeads(self.arm));
        match self.arm {
            Arm::None | Arm::ScaleTable | Arm::DrawTable | Arm::Constant | Arm::Shuffled => Ok(()),
            Arm::DrawHead | Arm::GainHead => heads.map(|_| ()),
            Arm::GainHeadTable if heads?.has_residual() => Ok(()),
            Arm::GainHeadTable => Err(ConfigError::NoResidual(self.arm)),
            Arm::Form => self.form.as_ref().map(|_| ()).ok_or(ConfigError::NoForm(self.arm)),
        }
    }
}
