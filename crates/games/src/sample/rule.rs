//! Which positions of which games count.

use std::fmt;

use super::Filters;

/// Which positions of a game count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sampling {
    /// The position with this FEN move number and White to move.
    At {
        /// FEN move number.
        at: u32,
    },
    /// One position from the move with this number on, drawn by the game's own hash, before one of its moves.
    OneRandomPly {
        /// FEN move number.
        from: u32,
    },
    /// Every position from the move with this number on, before each of its moves.
    Every {
        /// FEN move number.
        from: u32,
    },
}

/// Which variants of chess count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariantChoice {
    /// No Variant tag, or Standard, Chess or Normal.
    Standard,
    /// Chess960 by any of its names.
    Chess960,
    /// Both, from any start position.
    Any,
}

impl VariantChoice {
    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            VariantChoice::Standard => "standard",
            VariantChoice::Chess960 => "chess960",
            VariantChoice::Any => "any",
        }
    }
}

/// What counts. The default is the rule of the article that began this: games of at least 60 moves, the position
/// before White's 50th.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Which positions of a game.
    pub sampling: Sampling,
    /// The least number of the last move: 60 means 119 plies or more from the standard position.
    pub min_moves: u32,
    /// Which variants.
    pub variant: VariantChoice,
    /// Take games of standard chess that begin from another position, too.
    pub fen_starts: bool,
    /// Leave out games whose start and moves are those of a game counted before.
    pub dedupe: bool,
    /// Learn where the pawns stand from a full replay by the rules of chess instead of the tracker.
    pub replay: bool,
    /// What the tags must say.
    pub filters: Filters,
}

impl Default for Rule {
    fn default() -> Self {
        Rule {
            sampling: Sampling::At { at: 50 },
            min_moves: 60,
            variant: VariantChoice::Standard,
            fen_starts: false,
            dedupe: false,
            replay: false,
            filters: Filters::default(),
        }
    }
}

impl Rule {
    /// Whether only games from the standard position of chess can count.
    #[must_use]
    pub fn wants_standard_start(&self) -> bool {
        self.variant == VariantChoice::Standard && !self.fen_starts
    }
}

/// As options of the command line, complete and always in the same order: two rules are equal when their texts
/// are, and the text in a file makes the same counts again.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.sampling {
            Sampling::At { at } => write!(f, "--sample at --at {at}")?,
            Sampling::OneRandomPly { from } => write!(f, "--sample one-random-ply --from {from}")?,
            Sampling::Every { from } => write!(f, "--sample every --from {from}")?,
        }
        write!(f, " --min-moves {} --variant {}", self.min_moves, self.variant.name())?;
        if self.fen_starts {
            f.write_str(" --fen-starts")?;
        }
        if self.dedupe {
            f.write_str(" --dedupe")?;
        }
        if self.replay {
            f.write_str(" --replay")?;
        }
        self.filters.fmt(f)
    }
}
