//! Which positions of which games count.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Filters, TerminationFilter};
use crate::pgn::VariantChoice;

/// Which positions of a game count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "sample", rename_all = "kebab-case")]
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
    /// Every position there is: the only choice for positions without games, which have no move numbers. Of games, all
    /// before a move.
    Positions,
}

/// Which games are left out because of a game counted before. In files `false`, `true` and `"lines"`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dedupe {
    /// None.
    #[default]
    No,
    /// Those with the same start and moves.
    Games,
    /// Those with the same [line](super::Identity::line).
    Lines,
}

impl Dedupe {
    /// `none`, `games` or `lines`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Dedupe::No => "none",
            Dedupe::Games => "games",
            Dedupe::Lines => "lines",
        }
    }
}

impl Serialize for Dedupe {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Dedupe::No | Dedupe::Games => serializer.serialize_bool(*self == Dedupe::Games),
            Dedupe::Lines => serializer.serialize_str("lines"),
        }
    }
}

impl<'de> Deserialize<'de> for Dedupe {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Dedupe, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Value {
            Is(bool),
            Of(String),
        }
        match Value::deserialize(deserializer)? {
            Value::Is(is) => Ok(if is { Dedupe::Games } else { Dedupe::No }),
            Value::Of(name) if name == "lines" => Ok(Dedupe::Lines),
            Value::Of(name) => Err(Error::custom(format!("{name:?} is no way to leave out games: expected \"lines\""))),
        }
    }
}

/// What counts. The default is the rule of the article that began this: games of at least 60 moves, the position
/// before White's 50th.
///
/// Two rules that are equal count the same games and positions. Files keep a rule as data; as text it is one line, see its
/// `Display` and `FromStr`.
///
/// # Stability
///
/// A field that is added has a default that counts as before. A field is never given another meaning.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Rule {
    /// Which positions of a game.
    #[serde(flatten)]
    pub sampling: Sampling,
    /// The least number of the last move: 60 means 119 plies or more from the standard position.
    pub min_moves: u32,
    /// Which variants.
    pub variant: VariantChoice,
    /// Take games of standard chess that begin from another position, too.
    pub fen_starts: bool,
    /// Which games are left out because of a game counted before.
    pub dedupe: Dedupe,
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
            dedupe: Dedupe::No,
            replay: false,
            filters: Filters::default(),
        }
    }
}

impl Rule {
    /// The rule by which games count for a WDL head: every position from move 8 on, however short the game and wherever it begins. What
    /// an evaluation means does not depend on who chose the opening.
    #[must_use]
    pub fn of_wdl_head() -> Rule {
        Rule { sampling: Sampling::Every { from: 8 }, min_moves: 0, fen_starts: true, ..Rule::default() }
    }

    /// The rule by which positions without games count: every one, with no condition that would need a game.
    #[must_use]
    pub fn of_positions() -> Rule {
        Rule {
            sampling: Sampling::Positions,
            min_moves: 0,
            variant: VariantChoice::Any,
            fen_starts: true,
            filters: Filters { termination: TerminationFilter::Any, ..Filters::default() },
            ..Rule::default()
        }
    }

    /// The same rule without what changes nothing: games of other variants than standard chess count wherever they begin. Files of
    /// earlier builds may say either.
    #[must_use]
    pub fn canonical(&self) -> Rule {
        Rule { fen_starts: self.fen_starts && self.variant == VariantChoice::Standard, ..self.clone() }
    }

    /// Whether only games from the standard position of chess can count.
    #[must_use]
    pub fn wants_standard_start(&self) -> bool {
        self.variant == VariantChoice::Standard && !self.fen_starts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_that_have_names() {
        assert_eq!(
            Rule::of_wdl_head().to_string(),
            "--sample every --from 8 --min-moves 0 --variant standard --fen-starts --termination regular"
        );
        assert_eq!(
            Rule::of_positions().to_string(),
            "--sample positions --min-moves 0 --variant any --fen-starts --termination any"
        );
        // As row files have it; and a rule that takes all positions of games.
        let is_loose = |rule: Rule| super::super::is_of_positions(&format!("{rule} --static"));
        assert!(is_loose(Rule::of_positions()) && is_loose(Rule { replay: true, ..Rule::of_positions() }));
        assert!(!is_loose(Rule { sampling: Sampling::Positions, ..Rule::default() }) && !is_loose(Rule::of_wdl_head()));
        let with = |variant, fen_starts| Rule { variant, fen_starts, ..Rule::default() }.wants_standard_start();
        let [standard, any] = [VariantChoice::Standard, VariantChoice::Any];
        assert_eq!([with(standard, false), with(standard, true), with(any, false)], [true, false, false]);
    }
}
