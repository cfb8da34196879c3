//! What ends games: the rules of chess, those of the match, and faults.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// When a game is ended before its rules end it. Nothing but the rules of chess by default: a draw that is given because both
/// sides see none is circular where the evaluation of draws is what a match is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Rules {
    /// A side that finds itself lost for some moves loses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<Resign>,
    /// A game in which both sides find nothing for some moves is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// So many moves of each side after the opening make a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
    /// What a player may be late without losing, for the sake of a busy machine. In logs, whole milliseconds.
    #[serde(rename = "time_margin_ms", with = "milliseconds")]
    pub time_margin: Duration,
}

/// A time as whole milliseconds.
mod milliseconds {
    use super::Duration;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        super::super::limits::milliseconds(*time).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_millis)
    }
}

/// What the rules are, for the log.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("rules of chess")?;
        if let Some(Resign { moves, score, two_sided }) = self.resign {
            write!(f, "; lost after {moves} moves with -{score} or worse")?;
            if two_sided {
                f.write_str(", as both sides find")?;
            }
        }
        if let Some(DrawRule { from_move, moves, score }) = self.draw {
            write!(f, "; drawn after move {from_move} and {moves} moves within {score}")?;
        }
        if let Some(moves) = self.max_moves {
            write!(f, "; drawn after {moves} moves")?;
        }
        write!(f, "; time margin {} ms", self.time_margin.as_millis())
    }
}

/// Losing by one's own evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Resign {
    /// Moves of the side in a row with such a score.
    pub moves: u32,
    /// Centipawns, above 0: the score is minus this or worse.
    pub score: i32,
    /// Whether the other side must find itself won by as much, for as many moves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub two_sided: bool,
}

/// Drawing by both evaluations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// Not before so many moves of the game, those before the opening's position included.
    pub from_move: u32,
    /// Moves of both sides in a row with such scores, and without a capture or a pawn's move.
    pub moves: u32,
    /// Centipawns either way.
    pub score: i32,
}

/// A word of match runners that is not one of a rule.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{word}: expected {expected}")]
pub struct RuleError {
    /// The word, as it was given.
    pub word: String,
    /// What can stand there.
    pub expected: String,
}

/// Numbers beyond this mean nothing in moves or centipawns.
const GREATEST: u32 = 100_000;

/// A number by the names of its key, with the least value that it may have.
struct Number<'a> {
    keys: &'static [&'static str],
    least: u32,
    value: &'a mut u32,
}

/// Sets the number that the key names.
fn set(numbers: &mut [Number<'_>], key: &str, value: &str) -> Result<(), RuleError> {
    let parsed = value.parse().ok();
    for number in numbers.iter_mut().filter(|number| number.keys.contains(&key)) {
        if let Some(parsed) = parsed.filter(|parsed| (number.least..=GREATEST).contains(parsed)) {
            *number.value = parsed;
            return Ok(());
        }
    }
    let expected: Vec<_> =
        numbers.iter().map(|Number { keys, least, .. }| format!("{}= from {least}", keys.join("= or "))).collect();
    let expected = format!("whole numbers, {}, to {GREATEST}", expected.join(", "));
    Err(RuleError { word: format!("{key}={value}"), expected })
}

impl Resign {
    /// Three moves at -6 pawns or worse, by one side alone.
    pub const USUAL: Resign = Resign { moves: 3, score: 600, two_sided: false };

    /// From keys and values as match runners have them: `movecount` or `moves`, `score`, `twosided`. What is not said is as in
    /// `unsaid`; of two with the same key the later counts.
    ///
    /// # Errors
    ///
    /// If a key is not known, or its value is out of range.
    pub fn from_pairs<'a>(
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
        unsaid: Resign,
    ) -> Result<Resign, RuleError> {
        let Resign { mut moves, score, mut two_sided } = unsaid;
        let mut score = score.unsigned_abs();
        for (key, value) in pairs {
            if key == "twosided" {
                let wrong = |_| RuleError { word: format!("{key}={value}"), expected: "true or false".to_owned() };
                two_sided = value.parse().map_err(wrong)?;
                continue;
            }
            let moves = Number { keys: &["moves", "movecount"], least: 1, value: &mut moves };
            let score = Number { keys: &["score"], least: 1, value: &mut score };
            set(&mut [moves, score], key, value)?;
        }
        Ok(Resign { moves, score: score.cast_signed(), two_sided })
    }
}

impl DrawRule {
    /// From move 34 on, after eight moves within 20 centipawns.
    pub const USUAL: DrawRule = DrawRule { from_move: 34, moves: 8, score: 20 };

    /// From keys and values as match runners have them: `movenumber` or `from`, `movecount` or `moves`, `score`. What is not said is
    /// as in `unsaid`; of two with the same key the later counts.
    ///
    /// # Errors
    ///
    /// If a key is not known, or its value is out of range.
    pub fn from_pairs<'a>(
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
        unsaid: DrawRule,
    ) -> Result<DrawRule, RuleError> {
        let DrawRule { mut from_move, mut moves, score } = unsaid;
        let mut said = score.cast_unsigned();
        for (key, value) in pairs {
            let from_move = Number { keys: &["from", "movenumber"], least: 0, value: &mut from_move };
            let moves = Number { keys: &["moves", "movecount"], least: 1, value: &mut moves };
            let score = Number { keys: &["score"], least: 0, value: &mut said };
            set(&mut [from_move, moves, score], key, value)?;
        }
        Ok(DrawRule { from_move, moves, score: said.cast_signed() })
    }
}

/// Why a game was over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(into = "&str", try_from = "String")]
pub enum End {
    /// Checkmate.
    Mate,
    /// No legal move and no check.
    Stalemate,
    /// The position has stood three times.
    Repetition,
    /// A hundred half-moves without a capture or a pawn's move.
    Fifty,
    /// Neither side can mate by any play.
    Material,
    /// By [`Resign`].
    Resignation,
    /// By [`DrawRule`].
    DrawScore,
    /// By [`Rules::max_moves`].
    MaxMoves,
    /// By [`Tablebases`](super::Tablebases), won or drawn.
    Tablebase,
    /// The player's process has ended.
    Crash,
    /// The player has not answered.
    Stall,
    /// The player has made an illegal move.
    Illegal,
    /// The player has answered too late.
    Late,
}

impl End {
    /// All, in the order in which they are reported.
    pub const ALL: [End; 13] = [
        End::Mate,
        End::Resignation,
        End::Repetition,
        End::Fifty,
        End::Stalemate,
        End::Material,
        End::DrawScore,
        End::MaxMoves,
        End::Tablebase,
        End::Crash,
        End::Stall,
        End::Illegal,
        End::Late,
    ];

    /// The name in logs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            End::Mate => "mate",
            End::Stalemate => "stalemate",
            End::Repetition => "repetition",
            End::Fifty => "fifty",
            End::Material => "material",
            End::Resignation => "resignation",
            End::DrawScore => "draw-score",
            End::MaxMoves => "max-moves",
            End::Tablebase => "tablebase",
            End::Crash => "crash",
            End::Stall => "stall",
            End::Illegal => "illegal",
            End::Late => "late",
        }
    }

    /// Whether a rule of the match ended the game and not the rules of chess.
    #[must_use]
    pub const fn is_adjudicated(self) -> bool {
        matches!(self, End::Resignation | End::DrawScore | End::MaxMoves | End::Tablebase)
    }

    /// Whether a game can end so with a winner, or without one. A tablebase knows either.
    #[must_use]
    pub const fn allows(self, has_winner: bool) -> bool {
        let is_won = matches!(self, End::Mate | End::Resignation) || self.is_fault();
        is_won == has_winner || matches!(self, End::Tablebase)
    }

    /// Whether a player has failed.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        matches!(self, End::Crash | End::Stall | End::Illegal | End::Late)
    }
}

/// A word that no [`End`] has as its name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is not an end of a game")]
pub struct UnknownEnd(String);

impl TryFrom<String> for End {
    type Error = UnknownEnd;

    fn try_from(name: String) -> Result<End, UnknownEnd> {
        End::ALL.into_iter().find(|end| end.name() == name).ok_or(UnknownEnd(name))
    }
}

impl From<End> for &'static str {
    fn from(end: End) -> &'static str {
        end.name()
    }
}
