//! A finished pair of games as PGN.

use std::fmt::Write;

use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Color, Position};

use super::{GameRecord, PairRecord, result, words};
use crate::arena::figures::Figure;
use crate::arena::limits::Limits;
use crate::arena::rules::End;
use crate::arena::uci::printable;

/// What the tags of games say of the match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PgnTags<'a> {
    /// `Event`
    pub event: &'a str,
    /// `Site`; `?` in PGN if `None`.
    pub site: Option<&'a str>,
    /// `Date`, as `2026.11.22`; `????.??.??` in PGN if `None`.
    pub date: Option<&'a str>,
    /// The names of the first side and of the second.
    pub names: [&'a str; 2],
    /// What the engines call themselves: `EngineWhiteName` and `EngineBlackName`.
    pub engines: [Option<&'a str>; 2],
    /// The limits of both sides.
    pub limits: [Limits; 2],
    /// Whether games have no comments, and only the seven tags that PGN requires and those of the position in which they begin.
    pub brief: bool,
}

impl PgnTags<'_> {
    /// The first tags of a game, 0 or 1, of a pair.
    pub(crate) fn beginning(&self, pair: u64, number: usize) -> String {
        let values = [
            self.event,
            self.site.unwrap_or("?"),
            self.date.unwrap_or("????.??.??"),
            &format!("{pair}.{}", number + 1),
            self.names[number],
            self.names[1 - number],
        ];
        let names = ["Event", "Site", "Date", "Round", "White", "Black"];
        names.iter().zip(values).map(|(name, value)| tag(name, value)).collect()
    }
}

impl PairRecord {
    /// Both games as PGN, in the style of comments that match runners use: `{+0.35/12 0.104s, n=5000, sd=18}`, and
    /// [`Figure`](crate::arena::Figure)s where they are kept: `{+0.35/12 0.104s, tl=9.896s, n=5000, sd=18, nps=48000}`.
    #[must_use]
    pub fn to_pgn(&self, tags: &PgnTags<'_>) -> String {
        [0, 1].map(|number| self.game_to_pgn(number, tags)).concat()
    }

    /// The first game (0) or the second (1), in which the sides have exchanged colours.
    ///
    /// # Panics
    ///
    /// If `number` is larger.
    #[must_use]
    pub fn game_to_pgn(&self, number: usize, tags: &PgnTags<'_>) -> String {
        let PgnTags { engines, limits, brief, .. } = tags;
        let mut text = tags.beginning(self.pair, number);
        let game = &self.games[number];
        let [white, black] = [number, 1 - number];
        let mut put = |name: &str, value: &str| text.push_str(&tag(name, value));
        put("Result", result::text(game.result));
        if !brief {
            for (name, value) in [("ECO", &self.eco), ("Opening", &self.opening)] {
                if let Some(value) = value {
                    put(name, value);
                }
            }
            put("PlyCount", &(words(&self.book) + game.plies()).to_string());
            put("Termination", game.termination());
            let [of_white, of_black] = [white, black].map(|side| limits[side].time_control_tag());
            if of_white == of_black {
                put("TimeControl", &of_white);
            }
            put("WhiteTimeControl", &limits[white].to_string());
            put("BlackTimeControl", &limits[black].to_string());
            for (name, engine) in [("EngineWhiteName", engines[white]), ("EngineBlackName", engines[black])] {
                if let Some(engine) = engine {
                    put(name, engine);
                }
            }
        }
        if self.chess960 {
            text.push_str("[Variant \"Chess960\"]\n");
        }
        if let Some(fen) = &self.fen {
            text.push_str("[SetUp \"1\"]\n");
            text.push_str(&tag("FEN", fen));
        }
        text.push('\n');
        self.movetext(game, *brief, &mut text);
        text.push_str("\n\n");
        text
    }

    fn movetext(&self, game: &GameRecord, brief: bool, text: &mut String) {
        let mut position = self.start.clone();
        let reason = match game.left_out {
            None => game.reason(),
            Some(_) => format!("{}; its moves are not kept", game.reason()),
        };
        let book = self.book.split_whitespace().map(|played| (played, "book".to_owned()));
        let said = game.said.split(' ').map(|said| within_comment(&comment(said)));
        let played = game.moves.split_whitespace().zip(said);
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
            if !comment.is_empty() && !brief {
                put(format!("{{{comment}}}"));
            }
        }
        if last == 0 && !brief {
            put(format!("{{{reason}}}"));
        }
        put(result::text(game.result).to_owned());
        text.push_str(&line);
    }
}

/// A line with a tag. No value ends its line, whatever a file or an engine is called.
pub(crate) fn tag(name: &str, value: &str) -> String {
    let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Text of a log as it may stand in a comment, which a brace would end: logs of older versions hold what engines wrote as it was, and
/// logs of others hold anything.
fn within_comment(text: &str) -> String {
    printable(text).replace(['{', '}'], "?")
}

/// `score/depth/nodes/milliseconds/seldepth` and figures as a comment.
fn comment(said: &str) -> String {
    let mut parts = said.split('/');
    let mut next = || parts.next().unwrap_or_default();
    let [score, depth, nodes, milliseconds, seldepth] = [next(), next(), next(), next(), next()];
    let [nps, hashfull, tbhits, left, latency] = Figure::ALL.map(|_| next());
    let seconds =
        |milliseconds: &str| milliseconds.parse::<f64>().ok().map(|number| format!("{:.3}s", number / 1000.0));
    let mut text = score.to_owned();
    if !score.is_empty() && !depth.is_empty() {
        let _ = write!(text, "/{depth}");
    }
    if let Some(time) = seconds(milliseconds) {
        let blank = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{blank}{time}");
    }
    let [left, latency] = [left, latency].map(|time| seconds(time).unwrap_or_default());
    let figures = [("tl", left.as_str()), ("latency", &latency), ("n", nodes), ("sd", seldepth)];
    for (name, value) in figures.into_iter().chain([("nps", nps), ("hashfull", hashfull), ("tbhits", tbhits)]) {
        if !value.is_empty() {
            let comma = if text.is_empty() { "" } else { ", " };
            let _ = write!(text, "{comma}{name}={value}");
        }
    }
    text
}

impl GameRecord {
    /// The value of the tag.
    fn termination(&self) -> &'static str {
        match self.end {
            End::Late => "time forfeit",
            End::Illegal => "illegal move",
            End::Crash | End::Stall => "abandoned",
            end if end.is_adjudicated() => "adjudication",
            _ => "normal",
        }
    }

    /// The note between two texts, nothing without one.
    fn remark(&self, before: &str, after: &str) -> String {
        let note = self.note.as_deref().map(within_comment);
        note.map_or(String::new(), |note| format!("{before}{note}{after}"))
    }

    /// The end in the words of match runners.
    fn reason(&self) -> String {
        let (winner, loser) = match self.winner() {
            Some(Color::White) => ("White", "Black"),
            _ => ("Black", "White"),
        };
        match self.end {
            End::Mate => format!("{winner} mates"),
            End::Stalemate => "Draw by stalemate".to_owned(),
            End::Repetition => "Draw by 3-fold repetition".to_owned(),
            End::Fifty => "Draw by fifty moves rule".to_owned(),
            End::Material => "Draw by insufficient mating material".to_owned(),
            End::Resignation => format!("{winner} wins by adjudication"),
            End::DrawScore => "Draw by adjudication".to_owned(),
            End::Tablebase if self.winner().is_none() => "Draw by adjudication: SyzygyTB".to_owned(),
            End::Tablebase => format!("{winner} wins by adjudication: SyzygyTB"),
            End::MaxMoves => "Draw by adjudication: maximum number of moves".to_owned(),
            End::Crash => format!("{loser} disconnects"),
            End::Stall => format!("{loser}'s connection stalls"),
            End::Illegal => format!("{loser} makes an illegal move{}", self.remark(": ", "")),
            End::Late => format!("{loser} loses on time{}", self.remark(" (", " overrun)")),
        }
    }
}
