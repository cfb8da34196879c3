//! A finished pair of games, as the log keeps it.

mod pgn;

pub use pgn::PgnTags;
pub(crate) use pgn::tag;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position};
use twox_hash::XxHash3_64;

use super::figures::{Figure, Figures};
use super::game::{Game, side};
use super::opening::{Opening, OpeningError, position};
use super::player::Reply;
use super::rules::End;
use drawish_core::Outcome;

/// Two games from one opening. The first side of the match has White in the first.
///
/// As JSON it is a line of the log. One that is read has a legal position to begin in, and its games have results and ends; whether
/// their moves are legal is left to [`is_legal`](Self::is_legal).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Line")]
pub struct PairRecord {
    /// Number of the pair in the match, from 1.
    pub pair: u64,
    /// The position in which both games begin; the standard one if it is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Whether it is Chess960, where castling is written as the king taking its rook.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub chess960: bool,
    /// What the book says of the position in which the players begin, in centipawns for White, in a match about conversion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval: Option<i32>,
    /// The code of the opening, such as `B90`, where the book has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eco: Option<String>,
    /// The name of the opening, where the book has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    /// The moves of the opening, in UCI notation.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub book: String,
    /// The games.
    pub games: [GameRecord; 2],
    /// The position of the FEN.
    #[serde(skip)]
    start: Chess,
}

/// What is kept of each search beside its score, depth and nodes: by default nothing that differs from run to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Kept {
    /// Times. They are kept only where games depend on them, so that equal games have equal records.
    pub times: bool,
    /// What differs from run to run.
    pub figures: Figures,
}

/// A pair as it is written, its position not yet read.
#[derive(Deserialize)]
struct Line {
    pair: u64,
    fen: Option<String>,
    #[serde(default)]
    chess960: bool,
    eval: Option<i32>,
    eco: Option<String>,
    opening: Option<String>,
    #[serde(default)]
    book: String,
    games: [GameRecord; 2],
}

impl TryFrom<Line> for PairRecord {
    type Error = OpeningError;

    fn try_from(line: Line) -> Result<PairRecord, OpeningError> {
        let Line { pair, fen, chess960, eval, eco, opening, book, games } = line;
        let castling = CastlingMode::from_chess960(chess960);
        let start = fen.as_deref().map_or_else(|| Ok(Chess::new()), |fen| position(fen, castling))?;
        Ok(PairRecord { pair, fen, chess960, eval, eco, opening, book, games, start })
    }
}

/// A game within a pair.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// As PGN writes it: `1-0`, `0-1` or `1/2-1/2`.
    #[serde(with = "result")]
    pub result: Outcome,
    /// Why it was over, by [`End::name`].
    pub end: End,
    /// What was illegal, or how late it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Moves and comments as a checksum, where a log keeps only some pairs whole; then `moves` and `said` are empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
    /// The moves after the opening, in UCI notation.
    pub moves: String,
    /// What was said of each: `score/depth/nodes`, and `/milliseconds` where time is a limit; nothing where nothing was said. An
    /// engine that says how deep its longest line went has `/seldepth` as a fifth part: `+0.35/12/5000//18`. The parts behind it are
    /// those of [`Figure::ALL`] that are kept, times in milliseconds: `+0.35/12/5000//18/48000` has nodes per second.
    pub said: String,
    /// Searches of White and Black that went far beyond their limits.
    #[serde(default, skip_serializing_if = "is_none")]
    pub overran: [u32; 2],
}

/// What is left of the moves of a game that are not kept: enough to see whether a game played again is the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LeftOut {
    /// Half-moves after the opening.
    pub plies: u32,
    /// XXH3-64 of the moves as [`GameRecord::moves`] would have them.
    pub xxh3: u64,
    /// The same of all moves from the start, those of the book included, if there are such; early logs lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_start: Option<u64>,
}

fn is_none(overran: &[u32; 2]) -> bool {
    *overran == [0; 2]
}

/// Results as PGN writes them.
mod result {
    use serde::de::{Deserializer, Error};
    use serde::{Deserialize, Serializer};

    use super::Outcome;

    pub(super) const fn text(result: Outcome) -> &'static str {
        match result {
            Outcome::WhiteWin => "1-0",
            Outcome::BlackWin => "0-1",
            Outcome::Draw => "1/2-1/2",
        }
    }

    pub(super) fn serialize<S: Serializer>(result: &Outcome, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(text(*result))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Outcome, D::Error> {
        let found = String::deserialize(from)?;
        let known = [Outcome::WhiteWin, Outcome::BlackWin, Outcome::Draw].into_iter();
        known.into_iter().find(|result| text(*result) == found).ok_or_else(|| {
            D::Error::custom(format!("{found:?} is not a result of a game: expected 1-0, 0-1 or 1/2-1/2"))
        })
    }
}

impl PairRecord {
    /// From two finished games.
    #[must_use]
    pub fn new(pair: u64, opening: &Opening, games: [&Game; 2], kept: Kept) -> PairRecord {
        let book = opening.moves().iter().map(|&played| UciMove::from_move(played, opening.castling()).to_string());
        PairRecord {
            pair,
            fen: opening.fen().map(str::to_owned),
            chess960: opening.castling().is_chess960(),
            eval: opening.eval(),
            eco: opening.eco().map(str::to_owned),
            opening: opening.name().map(str::to_owned),
            book: book.collect::<Vec<_>>().join(" "),
            games: games.map(|game| GameRecord::new(opening, game, kept)),
            start: opening.start().clone(),
        }
    }

    /// The same without moves and what was said of them, of which a checksum is left.
    #[must_use]
    pub fn abridged(mut self) -> PairRecord {
        let from_start = self.games.each_ref().map(|game| self.moves_from_start(game));
        for (game, from_start) in self.games.iter_mut().zip(from_start) {
            game.left_out.get_or_insert_with(|| LeftOut {
                plies: u32::try_from(words(&game.moves)).unwrap_or(u32::MAX),
                xxh3: XxHash3_64::oneshot(game.moves.as_bytes()),
                from_start,
            });
            game.moves.clear();
            game.said.clear();
        }
        self
    }

    /// The same as early logs have it, without a hash from the start of moves that are left out.
    #[must_use]
    pub(crate) fn of_early_logs(mut self) -> PairRecord {
        self.games.iter_mut().filter_map(|game| game.left_out.as_mut()).for_each(|left_out| left_out.from_start = None);
        self
    }

    /// Whether a log has it as this line, without its end, be it an early one.
    pub(crate) fn is_line(&self, line: &[u8]) -> bool {
        line == self.to_line().as_bytes() || line == self.clone().of_early_logs().to_line().as_bytes()
    }

    /// The line of the log, without its end.
    #[must_use]
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("numbers and texts are always JSON")
    }

    /// The position before the moves of the opening.
    #[must_use]
    pub fn start(&self) -> &Chess {
        &self.start
    }

    /// The share of the points of the first side, 0 to 1.
    #[must_use]
    pub fn score(&self) -> f64 {
        let points = |game: &GameRecord, own: Color| match game.winner() {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == own)),
        };
        (points(&self.games[0], Color::White) + points(&self.games[1], Color::Black)) / 2.0
    }

    /// Whether both games have the same moves, played by either side: the difference between the sides never showed.
    #[must_use]
    pub fn is_identical(&self) -> bool {
        let [one, other] = &self.games;
        one.moves == other.moves && one.left_out == other.left_out && one.result == other.result
    }

    /// Whether the moves of both games are legal from the opening, or left out: false for a log that was edited.
    #[must_use]
    pub fn is_legal(&self) -> bool {
        self.games.iter().all(|game| {
            if game.left_out.is_some() {
                return game.moves.is_empty() && game.said.is_empty();
            }
            self.position_after(game, usize::MAX).is_some()
                && game.said.split_whitespace().count() == words(&game.moves)
        })
    }

    /// The position of a game after so many half-moves, those of the opening included, or at its end if that is earlier; `None`
    /// if its moves are not legal, or left out.
    #[must_use]
    pub fn position_after(&self, game: &GameRecord, plies: usize) -> Option<Chess> {
        if game.left_out.is_some() {
            return None;
        }
        let mut position = self.start.clone();
        for played in self.book.split_whitespace().chain(game.moves.split_whitespace()).take(plies) {
            let legal = played.parse::<UciMove>().ok()?.to_move(&position).ok()?;
            position.play_unchecked(legal);
        }
        Some(position)
    }

    /// The positions in which both games ended, as FEN, a line each. A game whose moves are left out has none.
    #[must_use]
    pub fn final_positions(&self) -> String {
        let ends = self.games.iter().filter_map(|game| self.position_after(game, usize::MAX));
        ends.map(|position| format!("{}\n", Fen::from_position(&position, EnPassantMode::Legal))).collect()
    }
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

impl GameRecord {
    fn new(opening: &Opening, game: &Game, kept: Kept) -> GameRecord {
        let moves = game.replies.iter().map(|reply| UciMove::from_move(reply.chosen, opening.castling()).to_string());
        let said = game.replies.iter().map(|reply| said(reply, kept));
        let mut mover = opening.start().turn();
        if opening.moves().len() % 2 == 1 {
            mover = !mover;
        }
        let mut overran = [0; 2];
        for reply in &game.replies {
            overran[side(mover)] += u32::from(reply.overran);
            mover = !mover;
        }
        let result = match game.winner {
            Some(Color::White) => Outcome::WhiteWin,
            Some(Color::Black) => Outcome::BlackWin,
            None => Outcome::Draw,
        };
        GameRecord {
            result,
            end: game.end,
            note: game.note.clone(),
            left_out: None,
            moves: moves.collect::<Vec<_>>().join(" "),
            said: said.collect::<Vec<_>>().join(" "),
            overran,
        }
    }

    /// Half-moves after the opening.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.left_out.map_or_else(|| words(&self.moves), |left_out| left_out.plies as usize)
    }

    /// The winner; `None` for a draw.
    #[must_use]
    pub fn winner(&self) -> Option<Color> {
        match self.result {
            Outcome::WhiteWin => Some(Color::White),
            Outcome::BlackWin => Some(Color::Black),
            Outcome::Draw => None,
        }
    }
}

/// See [`GameRecord::said`].
fn said(reply: &Reply, kept: Kept) -> String {
    let number = |value: Option<u64>| value.map_or(String::new(), |value| value.to_string());
    let milliseconds = |time: Duration| u64::try_from(time.as_millis()).ok();
    let figures = Figure::ALL.map(|figure| {
        let value = match figure {
            Figure::Nps => reply.nps,
            Figure::Hashfull => reply.hashfull,
            Figure::Tbhits => reply.tbhits,
            Figure::TimeLeft => reply.time_left.and_then(milliseconds),
            Figure::Latency => reply.own_time.and_then(|own| milliseconds(reply.time.saturating_sub(own))),
        };
        number(value.filter(|_| kept.figures.has(figure)))
    });
    let parts = [
        reply.score.map_or(String::new(), |score| score.to_string()),
        number(reply.depth.map(u64::from)),
        number(reply.nodes),
        number(milliseconds(reply.time).filter(|_| kept.times)),
        number(reply.seldepth.map(u64::from)),
    ];
    let parts = [parts.as_slice(), &figures].concat();
    // The first three are always there; what is empty at the end is left out.
    let used = parts.iter().rposition(|part| !part.is_empty()).map_or(0, |last| last + 1);
    parts[..used.max(3)].join("/")
}
