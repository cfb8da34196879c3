//! Figures of a search that log and games have only where they are asked for, because they differ from run to run.

use std::str::FromStr;

/// A figure of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Figure {
    /// Positions searched in a second, as the player measures it.
    Nps,
    /// Permille of the player's hash table in use.
    Hashfull,
    /// Positions found in endgame tables.
    Tbhits,
    /// What its clock shows after the move, the increment added.
    TimeLeft,
    /// The time that was measured less the time that the player reports; 0 if it reports more.
    Latency,
}

impl Figure {
    /// All, in the order in which the log has them.
    pub const ALL: [Figure; 5] = [Figure::Nps, Figure::Hashfull, Figure::Tbhits, Figure::TimeLeft, Figure::Latency];

    /// The name by which it is asked for.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Figure::Nps => "nps",
            Figure::Hashfull => "hashfull",
            Figure::Tbhits => "tbhits",
            Figure::TimeLeft => "timeleft",
            Figure::Latency => "latency",
        }
    }
}

/// A text that is no name of a [`Figure`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected nps, hashfull, tbhits, timeleft or latency")]
pub struct UnknownFigure;

impl FromStr for Figure {
    type Err = UnknownFigure;

    fn from_str(name: &str) -> Result<Figure, UnknownFigure> {
        Figure::ALL.into_iter().find(|figure| figure.name() == name).ok_or(UnknownFigure)
    }
}

/// Some of the figures; none by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures([bool; Figure::ALL.len()]);

impl Figures {
    /// Whether a figure is among them.
    #[must_use]
    pub fn has(self, figure: Figure) -> bool {
        self.0[figure as usize]
    }

    /// Takes a figure in, or out.
    pub fn set(&mut self, figure: Figure, wanted: bool) {
        self.0[figure as usize] = wanted;
    }
}

impl FromIterator<Figure> for Figures {
    fn from_iter<I: IntoIterator<Item = Figure>>(figures: I) -> Figures {
        let mut all = Figures::default();
        figures.into_iter().for_each(|figure| all.set(figure, true));
        all
    }
}
