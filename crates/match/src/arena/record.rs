//! A finished pair of games, as the log keeps it and as PGN tells it.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Position};

use super::game::{End, Game, side};
use super::limits::Limits;
use super::opening::Opening;
use super::player::Reply;

/// Two games from one opening. The first side of the match has White in the first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
    /// The moves of the opening, in UCI notation.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub book: String,
    /// The games.
    pub games: [GameRecord; 2],
}

/// A game within a pair.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// [`End::name`].
    pub end: String,
    /// What was illegal, or how late it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The moves after the opening, in UCI notation.
    pub moves: String,
    /// What was said of each: `score/depth/nodes`, and `/milliseconds` where time is a limit; nothing where nothing was said.
    pub said: String,
    /// Searches of White and Black that went far beyond their limits.
    #[serde(default, skip_serializing_if = "is_none")]
    pub overran: [u32; 2],
}

fn is_none(overran: &[u32; 2]) -> bool {
    *overran == [0; 2]
}

impl PairRecord {
    /// From two finished games. Times are kept only where games depend on them, so that equal games have equal records.
    #[must_use]
    pub fn new(pair: u64, opening: &Opening, games: [&Game; 2], with_times: bool) -> PairRecord {
        let book = opening.moves.iter().map(|&played| UciMove::from_move(played, opening.castling).to_string());
        PairRecord {
            pair,
            fen: opening.fen.clone(),
            chess960: opening.castling.is_chess960(),
            eval: opening.eval,
            book: book.collect::<Vec<_>>().join(" "),
            games: games.map(|game| GameRecord::new(opening, game, with_times)),
        }
    }

    /// The position before the moves of the opening.
    ///
    /// # Errors
    ///
    /// If the FEN is not one of a position, in words.
    pub fn start(&self) -> Result<Chess, String> {
        let castling = CastlingMode::from_chess960(self.chess960);
        Opening { fen: self.fen.clone(), moves: Vec::new(), castling, eval: None }.start()
    }

    /// The share of the points of the first side, 0 to 1.
    #[must_use]
    pub fn score(&self) -> f64 {
        let points = |game: &GameRecord, own: Color| match game.winner().flatten() {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == own)),
        };
        (points(&self.games[0], Color::White) + points(&self.games[1], Color::Black)) / 2.0
    }

    /// Whether both games have the same moves, played by either side: the difference between the sides never showed.
    #[must_use]
    pub fn is_identical(&self) -> bool {
        let [one, other] = &self.games;
        one.moves == other.moves && one.result == other.result
    }

    /// Whether the moves of both games are legal from the opening: false for a log that was edited.
    #[must_use]
    pub fn is_legal(&self) -> bool {
        self.games.iter().all(|game| {
            self.position_after(game, usize::MAX).is_some()
                && game.said.split_whitespace().count() == words(&game.moves)
                && game.winner().is_some()
                && game.end().is_some()
        })
    }

    /// The position of a game after so many half-moves, those of the opening included, or at its end if that is earlier; `None`
    /// if its moves are not legal.
    #[must_use]
    pub fn position_after(&self, game: &GameRecord, plies: usize) -> Option<Chess> {
        let mut position = self.start().ok()?;
        for played in self.book.split_whitespace().chain(game.moves.split_whitespace()).take(plies) {
            let legal = played.parse::<UciMove>().ok()?.to_move(&position).ok()?;
            position.play_unchecked(legal);
        }
        Some(position)
    }

    /// Both games as PGN, in the style of comments that match runners use: `{+0.35/12 0.104s, n=5000}`.
    #[must_use]
    pub fn to_pgn(&self, event: &str, names: [&str; 2], limits: [&Limits; 2]) -> String {
        [0, 1].map(|number| self.game_to_pgn(number, event, names, limits)).concat()
    }

    /// The first game (0) or the second (1), in which the sides have exchanged colours.
    ///
    /// # Panics
    ///
    /// If `number` is larger.
    #[must_use]
    pub fn game_to_pgn(&self, number: usize, event: &str, names: [&str; 2], limits: [&Limits; 2]) -> String {
        let mut text = String::new();
        let game = &self.games[number];
        let [white, black] = [number, 1 - number];
        let headers = [
            ("Event", event.to_owned()),
            ("Site", "?".to_owned()),
            ("Date", "????.??.??".to_owned()),
            ("Round", format!("{}.{}", self.pair, number + 1)),
            ("White", names[white].to_owned()),
            ("Black", names[black].to_owned()),
            ("Result", game.result.clone()),
            ("PlyCount", (words(&self.book) + words(&game.moves)).to_string()),
            ("Termination", game.termination().to_owned()),
            ("WhiteTimeControl", limits[white].to_string()),
            ("BlackTimeControl", limits[black].to_string()),
        ];
        for (name, value) in headers {
            let _ = writeln!(text, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
        }
        if self.chess960 {
            text.push_str("[Variant \"Chess960\"]\n");
        }
        if let Some(fen) = &self.fen {
            let _ = writeln!(text, "[SetUp \"1\"]\n[FEN \"{fen}\"]");
        }
        text.push('\n');
        self.movetext(game, &mut text);
        text.push_str("\n\n");
        text
    }

    fn movetext(&self, game: &GameRecord, text: &mut String) {
        let mut position = self.start().unwrap_or_default();
        let reason = game.reason();
        let book = self.book.split_whitespace().map(|played| (played, "book".to_owned()));
        let played = game.moves.split_whitespace().zip(game.said.split(' ').map(comment));
        let all: Vec<_> = book.chain(played).collect();
        let last = all.len();
        let mut line = String::new();
        let mut put = |word: String| {
            if !line.is_empty() && line.len() + 1 + word.len() > 80 {
                line.push('\n');
                text.push_str(&line);
                line.clear();
            } else if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
            line.len()
        };
        for (at, (played, mut comment)) in (1..).zip(all) {
            let Some(legal) = played.parse::<UciMove>().ok().and_then(|played| played.to_move(&position).ok()) else {
                break;
            };
            match position.turn() {
                Color::White => drop(put(format!("{}.", position.fullmoves()))),
                Color::Black if at == 1 => drop(put(format!("{}...", position.fullmoves()))),
                Color::Black => {}
            }
            put(SanPlus::from_move_and_play_unchecked(&mut position, legal).to_string());
            if at == last {
                let comma = if comment.is_empty() { "" } else { ", " };
                comment = format!("{comment}{comma}{reason}");
            }
            if !comment.is_empty() {
                put(format!("{{{comment}}}"));
            }
        }
        if last == 0 {
            put(format!("{{{reason}}}"));
        }
        put(game.result.clone());
        text.push_str(&line);
    }
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// `score/depth/nodes/milliseconds` as a comment.
fn comment(said: &str) -> String {
    let mut parts = said.split('/');
    let mut next = || parts.next().unwrap_or_default();
    let [score, depth, nodes, milliseconds] = [next(), next(), next(), next()];
    let mut text = score.to_owned();
    if !score.is_empty() && !depth.is_empty() {
        let _ = write!(text, "/{depth}");
    }
    if let Ok(milliseconds) = milliseconds.parse::<f64>() {
        let blank = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{blank}{:.3}s", milliseconds / 1000.0);
    }
    if !nodes.is_empty() {
        let comma = if text.is_empty() { "" } else { ", " };
        let _ = write!(text, "{comma}n={nodes}");
    }
    text
}

impl GameRecord {
    fn new(opening: &Opening, game: &Game, with_times: bool) -> GameRecord {
        let moves = game.replies.iter().map(|reply| UciMove::from_move(reply.chosen, opening.castling).to_string());
        let said = game.replies.iter().map(|reply| said(reply, with_times));
        let mut mover = opening.start().unwrap_or_default().turn();
        if opening.moves.len() % 2 == 1 {
            mover = !mover;
        }
        let mut overran = [0; 2];
        for reply in &game.replies {
            overran[side(mover)] += u32::from(reply.overran);
            mover = !mover;
        }
        let result = match game.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        };
        GameRecord {
            result: result.to_owned(),
            end: game.end.name().to_owned(),
            note: game.note.clone(),
            moves: moves.collect::<Vec<_>>().join(" "),
            said: said.collect::<Vec<_>>().join(" "),
            overran,
        }
    }

    /// The winner; the outer `None` if the record says something else than a result.
    #[must_use]
    pub fn winner(&self) -> Option<Option<Color>> {
        match self.result.as_str() {
            "1-0" => Some(Some(Color::White)),
            "0-1" => Some(Some(Color::Black)),
            "1/2-1/2" => Some(None),
            _ => None,
        }
    }

    /// Why it was over, if the record's word for it is known.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        End::ALL.into_iter().find(|end| end.name() == self.end)
    }

    /// The value of the tag.
    fn termination(&self) -> &'static str {
        match self.end() {
            Some(End::Late) => "time forfeit",
            Some(End::Illegal) => "illegal move",
            Some(End::Crash | End::Stall) => "abandoned",
            Some(end) if end.is_adjudicated() => "adjudication",
            _ => "normal",
        }
    }

    /// The note between two texts, nothing without one. A brace would end the comment in which it stands.
    fn remark(&self, before: &str, after: &str) -> String {
        let note = self.note.as_deref().map(|note| note.replace(['{', '}'], "?"));
        note.map_or(String::new(), |note| format!("{before}{note}{after}"))
    }

    /// The end in the words of match runners.
    fn reason(&self) -> String {
        let (winner, loser) = match self.winner() {
            Some(Some(Color::White)) => ("White", "Black"),
            _ => ("Black", "White"),
        };
        match self.end() {
            Some(End::Mate) => format!("{winner} mates"),
            Some(End::Stalemate) => "Draw by stalemate".to_owned(),
            Some(End::Repetition) => "Draw by 3-fold repetition".to_owned(),
            Some(End::Fifty) => "Draw by fifty moves rule".to_owned(),
            Some(End::Material) => "Draw by insufficient mating material".to_owned(),
            Some(End::Resignation) => format!("{winner} wins by adjudication"),
            Some(End::DrawScore) => "Draw by adjudication".to_owned(),
            Some(End::Tablebase) if self.winner() == Some(None) => "Draw by adjudication: SyzygyTB".to_owned(),
            Some(End::Tablebase) => format!("{winner} wins by adjudication: SyzygyTB"),
            Some(End::MaxMoves) => "Draw by adjudication: maximum number of moves".to_owned(),
            Some(End::Crash) => format!("{loser} disconnects"),
            Some(End::Stall) => format!("{loser}'s connection stalls"),
            Some(End::Illegal) => format!("{loser} makes an illegal move{}", self.remark(": ", "")),
            Some(End::Late) => format!("{loser} loses on time{}", self.remark(" (", " overrun)")),
            None => self.end.clone(),
        }
    }
}

/// See [`GameRecord::said`].
fn said(reply: &Reply, with_times: bool) -> String {
    let mut text = String::new();
    if let Some(score) = reply.score {
        let _ = write!(text, "{score}");
    }
    text.push('/');
    if let Some(depth) = reply.depth {
        let _ = write!(text, "{depth}");
    }
    text.push('/');
    if let Some(nodes) = reply.nodes {
        let _ = write!(text, "{nodes}");
    }
    if with_times {
        let _ = write!(text, "/{}", reply.time.as_millis());
    }
    text
}
