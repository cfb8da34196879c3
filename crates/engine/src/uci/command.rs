//! What a GUI or a match runner says: lines into commands, and what is wrong with those that are none.

use std::str::SplitAsciiWhitespace;

use thiserror::Error;

/// A line that is understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    Uci,
    IsReady,
    NewGame,
    Stop,
    PonderHit,
    Quit,
    /// Nothing to do: an empty line, `debug`, `register`.
    Nothing,
    Option {
        name: String,
        value: Option<String>,
    },
    /// `None` is the start position.
    Position {
        fen: Option<String>,
        moves: Vec<String>,
    },
    Go(Go),
    Perft(u32),
    Eval,
    Display,
}

/// The limits of a `go`; numbers out of range are cut to it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Go {
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    pub mate: Option<u32>,
    pub move_time: Option<u64>,
    /// White's, Black's.
    pub time: [Option<u64>; 2],
    pub increment: [u64; 2],
    pub moves_to_go: Option<u64>,
    pub infinite: bool,
    pub ponder: bool,
    pub moves: Vec<String>,
    /// What could not be read; the rest counts.
    pub wrong: Vec<CommandError>,
}

/// Why a line, or a part of it, is no command.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum CommandError {
    #[error("unknown command {0:?}: it is ignored")]
    Unknown(String),
    #[error("setoption: expected \"setoption name NAME value VALUE\", found no name")]
    OptionWithoutName,
    #[error("position: expected startpos or fen, found {0:?}; the position is unchanged")]
    NoPosition(String),
    #[error("go {word}: expected a number, found {found:?}")]
    NoNumber { word: String, found: String },
    #[error("go: {0:?} is not a limit of this engine; it is ignored")]
    UnknownLimit(String),
    #[error("go perft: expected a depth from 1 to 9, found {0:?}")]
    Perft(String),
}

/// Reads a line.
pub(super) fn parse(line: &str) -> Result<Command, CommandError> {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        None | Some("debug" | "register") => Ok(Command::Nothing),
        Some("uci") => Ok(Command::Uci),
        Some("isready") => Ok(Command::IsReady),
        Some("ucinewgame") => Ok(Command::NewGame),
        Some("stop") => Ok(Command::Stop),
        Some("ponderhit") => Ok(Command::PonderHit),
        Some("quit") => Ok(Command::Quit),
        Some("eval") => Ok(Command::Eval),
        Some("d") => Ok(Command::Display),
        Some("setoption") => option(words),
        Some("position") => position(words),
        Some("go") => go(words),
        Some(_) => Err(CommandError::Unknown(short(line))),
    }
}

/// The beginning of a text that may be long and strange.
pub(super) fn short(text: &str) -> String {
    let mut beginning: String = text.trim().chars().take(60).collect();
    if beginning.len() < text.trim().len() {
        beginning.push('…');
    }
    beginning
}

/// Names and values are words with single blanks between.
fn option(words: SplitAsciiWhitespace<'_>) -> Result<Command, CommandError> {
    let mut words = words.skip_while(|word| *word != "name").skip(1).peekable();
    let mut name = Vec::new();
    while let Some(word) = words.next_if(|word| *word != "value") {
        name.push(word);
    }
    if name.is_empty() {
        return Err(CommandError::OptionWithoutName);
    }
    let value = words.next().map(|_| words.collect::<Vec<_>>().join(" "));
    Ok(Command::Option { name: name.join(" "), value })
}

fn position(words: SplitAsciiWhitespace<'_>) -> Result<Command, CommandError> {
    let mut words = words.peekable();
    let fen = match words.next() {
        Some("startpos") => None,
        Some("fen") => {
            let mut fields = Vec::new();
            while let Some(field) = words.next_if(|word| *word != "moves") {
                fields.push(field);
            }
            Some(fields.join(" "))
        }
        other => return Err(CommandError::NoPosition(short(other.unwrap_or_default()))),
    };
    let moves = match words.next() {
        None => Vec::new(),
        Some("moves") => words.map(str::to_owned).collect(),
        Some(other) => return Err(CommandError::NoPosition(format!("startpos {}", short(other)))),
    };
    Ok(Command::Position { fen, moves })
}

fn go(words: SplitAsciiWhitespace<'_>) -> Result<Command, CommandError> {
    let mut go = Go::default();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                while let Some(m) = words.next_if(|word| !LIMITS.contains(word)) {
                    go.moves.push(m.to_owned());
                }
            }
            "perft" => {
                let found = words.next().unwrap_or_default();
                let depth = found.parse().ok().filter(|depth| (1..=9).contains(depth));
                return depth.map(Command::Perft).ok_or_else(|| CommandError::Perft(short(found)));
            }
            _ if LIMITS.contains(&word) => {
                let found = words.next_if(|word| !LIMITS.contains(word)).unwrap_or_default();
                match number(found) {
                    Some(number) => go.limit(word, number),
                    None => go.wrong.push(CommandError::NoNumber { word: word.to_owned(), found: short(found) }),
                }
            }
            _ => go.wrong.push(CommandError::UnknownLimit(short(word))),
        }
    }
    Ok(Command::Go(go))
}

/// All words that `go` may be followed by.
const LIMITS: [&str; 13] = [
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
    "nodes",
    "depth",
    "mate",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
];

/// A whole number. A clock may have run below zero, and some programs send fractions; beyond 64 bits there is no end.
fn number(text: &str) -> Option<u64> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let whole = digits.split('.').next().unwrap_or_default();
    if whole.is_empty() || !whole.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(if negative { 0 } else { whole.parse().unwrap_or(u64::MAX) })
}

impl Go {
    fn limit(&mut self, word: &str, number: u64) {
        let small = u32::try_from(number).unwrap_or(u32::MAX);
        match word {
            "nodes" => self.nodes = Some(number.max(1)),
            "depth" => self.depth = Some(small.max(1)),
            "mate" => self.mate = Some(small.max(1)),
            "movetime" => self.move_time = Some(number),
            "wtime" => self.time[0] = Some(number),
            "btime" => self.time[1] = Some(number),
            "winc" => self.increment[0] = number,
            "binc" => self.increment[1] = number,
            _ => self.moves_to_go = Some(number),
        }
    }

    /// Whether nothing but `stop` ends the search.
    pub fn is_endless(&self) -> bool {
        self.infinite
            || (self.nodes.is_none()
                && self.depth.is_none()
                && self.mate.is_none()
                && self.move_time.is_none()
                && self.time == [None; 2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        assert_eq!(parse("  uci \r"), Ok(Command::Uci));
        assert_eq!(parse(""), Ok(Command::Nothing));
        assert_eq!(
            parse("setoption name Move  Overhead value 30"),
            Ok(Command::Option { name: "Move Overhead".into(), value: Some("30".into()) })
        );
        assert_eq!(parse("setoption name Clear Hash"), Ok(Command::Option { name: "Clear Hash".into(), value: None }));
        assert_eq!(parse("setoption"), Err(CommandError::OptionWithoutName));
        assert_eq!(
            parse("position fen 8/8 w - - moves a1a2"),
            Ok(Command::Position { fen: Some("8/8 w - -".into()), moves: vec!["a1a2".into()] })
        );
        assert!(matches!(parse("position"), Err(CommandError::NoPosition(_))));
        assert!(matches!(parse("position startpos e2e4"), Err(CommandError::NoPosition(_))));
        assert!(matches!(parse("xyzzy \u{7}"), Err(CommandError::Unknown(_))));
    }

    #[test]
    fn limits() {
        let go = |line: &str| match parse(line) {
            Ok(Command::Go(go)) => go,
            other => panic!("{other:?}"),
        };
        assert_eq!(go("go nodes 5 depth 99999999999999999999").depth, Some(u32::MAX));
        assert_eq!(go("go wtime -20 btime 5 winc 1 binc 2 movestogo 3").time, [Some(0), Some(5)]);
        assert_eq!(go("go searchmoves e2e4 d2d4 depth 3").moves, ["e2e4", "d2d4"]);
        assert!(go("go").is_endless() && go("go infinite nodes 4").is_endless() && !go("go mate 3").is_endless());
        let half = go("go nodes depth 4 movetime x");
        assert_eq!((half.wrong.len(), half.depth, half.nodes), (2, Some(4), None));
        assert_eq!(parse("go perft 5"), Ok(Command::Perft(5)));
        assert!(matches!(parse("go perft 50"), Err(CommandError::Perft(_))));
    }
}
