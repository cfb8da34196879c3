//! Who reads games, and what it learns of each.

use std::ops::AddAssign;

use drawish_core::{Outcome, Pawns};
use serde::{Deserialize, Serialize};
use shakmaty::Chess;
use shakmaty::san::San;

use super::tags::{ResultTag, Tags};
use crate::training::LooseBoard;

/// Whether the receiver wants to see the moves of the game whose tags it has read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interest {
    /// Send the moves.
    Moves,
    /// Pass over them.
    Nothing,
}

/// A result token in the movetext.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultToken {
    /// `1-0`.
    WhiteWin,
    /// `0-1`.
    BlackWin,
    /// `1/2-1/2`.
    Draw,
    /// `*`.
    Unknown,
}

/// How the text of a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// In an orderly way, or at least at the beginning of the next game.
    Whole,
    /// Inside a comment without a closing brace.
    OpenComment,
    /// Inside a variation without a closing parenthesis: what followed of the main line is not known.
    OpenVariation,
    /// Where the file broke off, by a read error.
    CutOff,
}

impl ResultToken {
    /// How the game ended; `None` for `*`.
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            ResultToken::WhiteWin => Some(Outcome::WhiteWin),
            ResultToken::Draw => Some(Outcome::Draw),
            ResultToken::BlackWin => Some(Outcome::BlackWin),
            ResultToken::Unknown => None,
        }
    }
}

/// What is known of a game once its text has ended.
#[derive(Clone, Copy, Debug)]
pub struct ReadGame<'a> {
    /// Its tags.
    pub tags: &'a Tags,
    /// The last result token behind its moves; `None` if there is none, or after `Interest::Nothing`.
    pub token: Option<ResultToken>,
    /// How its text ended.
    pub end: GameEnd,
}

impl ReadGame<'_> {
    /// How the game ended by the result token alone.
    #[must_use]
    pub fn token_outcome(&self) -> Option<Outcome> {
        self.token.and_then(ResultToken::outcome)
    }

    /// How the game ended: by the Result tag, or by the token where there is no such tag. `None` where the tag is there
    /// and says something else than a result.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self.tags.result() {
            ResultTag::Known(outcome) => Some(outcome),
            ResultTag::Absent => self.token_outcome(),
            ResultTag::Other => None,
        }
    }

    /// Whether the result token says another result than the Result tag.
    #[must_use]
    pub fn token_differs(&self) -> bool {
        self.outcome().zip(self.token_outcome()).is_some_and(|(tag, token)| tag != token)
    }
}

/// Receives the games of a chunk, one after another: `begin`, `moves`, `san`s and `comment`s, `end`. Tags and result are
/// kept for it by the reader; who wants them as they come has `tag` and `result`.
pub trait GameHandler {
    /// Whether comments are wanted; without it they are not put together.
    const COMMENTS: bool = false;
    /// Whether positions without games are of use. Without it a file of them is not read.
    const BOARDS: bool = false;
    /// Whether what it keeps of a game is many times as large as the game: then long blocks of training data come in portions, at
    /// the cost of reading them twice.
    const PORTIONS: bool = false;

    /// A new game begins.
    fn begin(&mut self);
    /// A tag pair of any name, as it stands in the file.
    fn tag(&mut self, _name: &[u8], _value: &[u8]) {}
    /// The tags are complete. Called for each game, also for one without moves; and once more if they were not
    /// complete after all.
    fn moves(&mut self, tags: &Tags) -> Interest;
    /// A move of the main line; not called after `Interest::Nothing`.
    fn san(&mut self, san: San);
    /// A whole comment within the main line, without its braces or semicolon; only with [`COMMENTS`](Self::COMMENTS), and not
    /// called after `Interest::Nothing`. It belongs to the last move before it, or to none.
    fn comment(&mut self, _comment: &[u8]) {}
    /// A result token; not called after `Interest::Nothing`.
    fn result(&mut self, _token: ResultToken) {}
    /// Whether the pawns before and after each move are enough, and moves without what tells their origins apart. Then, in files that have
    /// boards and no text, a game is `begin`, `begin_at`, `pawns` for each position, the first and the last included, and `end`.
    fn takes_pawns(&self) -> bool {
        false
    }
    /// As [`moves`](Self::moves), for a game that begins there whatever its tags say.
    fn begin_at(&mut self, tags: &Tags, _start: &Chess) -> Interest {
        self.moves(tags)
    }
    /// The pawns of the next position, and the move that is played there; none in the last.
    fn pawns(&mut self, _pawns: Pawns, _played: Option<San>) {}
    /// The game is over.
    fn end(&mut self, game: ReadGame<'_>);
    /// A position without a game; only with [`BOARDS`](Self::BOARDS).
    fn board(&mut self, _board: &LooseBoard) {}
}

/// What was odd in the text, though no game was lost by it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Anomalies {
    /// Games with a blank line among their moves.
    pub blank_line_in_game: u64,
    /// Tags that were left out because they are longer than 1,024 bytes, never end, hold long comments or stand within a line of moves.
    pub unreadable_tags: u64,
    /// Places with text that belongs to no game.
    pub stray_text: u64,
    /// Places where an unescaped quote, a tag without quotes or other words broke the tags of a game apart, or other characters stood in
    /// front of one.
    pub broken_tags: u64,
    /// Games that the one before them had swallowed by an unclosed comment or variation or for want of a result, found again.
    pub rescued_games: u64,
}

impl AddAssign for Anomalies {
    fn add_assign(&mut self, other: Anomalies) {
        self.blank_line_in_game += other.blank_line_in_game;
        self.unreadable_tags += other.unreadable_tags;
        self.stray_text += other.stray_text;
        self.broken_tags += other.broken_tags;
        self.rescued_games += other.rescued_games;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anomalies_add_up_kind_by_kind() {
        let of = |numbers: [u64; 5]| {
            let [blank_line_in_game, unreadable_tags, stray_text, broken_tags, rescued_games] = numbers;
            Anomalies { blank_line_in_game, unreadable_tags, stray_text, broken_tags, rescued_games }
        };
        let mut sum = of([0, 1, 2, 3, 4]);
        sum += of([10, 20, 30, 40, 50]);
        assert_eq!(sum, of([10, 21, 32, 43, 54]));
    }
}
