//! What an engine writes, line by line. Engines write much that no protocol knows, so what is not understood is passed over.

use drawish_engine::search::Certainty;

use super::super::player::{EngineFailure, Score};

/// A line that matters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line<'a> {
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `id name ...`, what comes after it.
    Name(&'a str),
    /// `option name ...`
    Option(Declared),
    /// `info string ...`, what comes after it.
    Says(&'a str),
    /// `info ...` with some of these.
    Info(Info),
    /// `bestmove ... ponder ...`
    BestMove {
        /// The move; `None` for `(none)`, `0000` and nothing.
        played: Option<&'a str>,
        /// The answer that the engine expects, likewise.
        expected: Option<&'a str>,
    },
    /// Anything else.
    Other,
}

/// What an engine says while it searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// For the side to move.
    pub score: Option<Score>,
    /// Whether the score is exact or a bound: `lowerbound` is at least, `upperbound` at most.
    pub certainty: Certainty,
    /// In half-moves.
    pub depth: Option<u32>,
    /// Of the longest line looked at, in half-moves.
    pub seldepth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Positions searched in a second.
    pub nps: Option<u64>,
    /// Permille of the hash table in use.
    pub hashfull: Option<u64>,
    /// Positions found in endgame tables.
    pub tbhits: Option<u64>,
    /// Milliseconds that it has searched.
    pub time: Option<u64>,
}

impl Info {
    /// Adds what a later line says. Depths are those of the score, so without one they are passed over. A bound is passed over where
    /// there is an exact score: the search had yet to find out what follows from it.
    pub fn update(&mut self, later: Info) {
        let is_kept = self.score.is_some() && self.certainty == Certainty::Exact;
        let is_scored = later.score.is_some() && (later.certainty == Certainty::Exact || !is_kept);
        let scored = |depth: Option<u32>| depth.filter(|_| is_scored);
        if is_scored {
            (self.score, self.certainty) = (later.score, later.certainty);
        }
        self.depth = scored(later.depth).or(self.depth);
        self.seldepth = scored(later.seldepth).or(self.seldepth);
        self.nodes = later.nodes.or(self.nodes);
        self.nps = later.nps.or(self.nps);
        self.hashfull = later.hashfull.or(self.hashfull);
        self.tbhits = later.tbhits.or(self.tbhits);
        self.time = later.time.or(self.time);
    }
}

/// An option that an engine has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// Its name, compared without regard to case.
    pub name: String,
    /// What it takes.
    pub kind: Kind,
}

/// What an option takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `true` or `false`
    Check,
    /// A number from the first to the second.
    Spin(i64, i64),
    /// One of these.
    Combo(Vec<String>),
    /// Nothing.
    Button,
    /// Text.
    String,
}

/// So much of what an engine wrote is repeated to others.
const MOST: usize = 100;

/// What an engine wrote, as logs, PGN and terminals can take it: not long, and without characters that steer a terminal or turn
/// the text around.
#[must_use]
pub fn printable(text: &str) -> String {
    let steers = |c: char| {
        c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut shown: String = text.chars().take(MOST).map(|c| if steers(c) { '?' } else { c }).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push_str("...");
    }
    shown
}

/// Reads a line without its end.
#[must_use]
pub fn read(line: &str) -> Line<'_> {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        // Asked word by word first: most lines of a search are long, and none of these.
        Some("info") if words.clone().next() == Some("string") => match line.split_once("info string ") {
            Some((_, said)) => Line::Says(said),
            None => info(words),
        },
        Some("info") => info(words),
        Some("bestmove") => {
            let is_move = |word: &&str| !matches!(*word, "(none)" | "0000" | "NULL" | "none");
            let played = words.next().filter(is_move);
            let expected = words.next().filter(|word| *word == "ponder").and_then(|_| words.next()).filter(is_move);
            Line::BestMove { played, expected }
        }
        Some("id") => match line.split_once("id name ") {
            Some((before, name)) if before.trim().is_empty() && !name.trim().is_empty() => Line::Name(name.trim()),
            _ => Line::Other,
        },
        Some("uciok") => Line::UciOk,
        Some("readyok") => Line::ReadyOk,
        Some("option") => declared(line).map_or(Line::Other, Line::Option),
        _ => Line::Other,
    }
}

/// A number, commas between its digits or after it being no matter.
fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    let word = word?;
    if word.contains(',') { word.replace(',', "").parse().ok() } else { word.parse().ok() }
}

fn info<'a>(mut words: impl Iterator<Item = &'a str>) -> Line<'static> {
    let mut info = Info::default();
    let mut exact = true;
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = number(words.next()),
            "seldepth" => info.seldepth = number(words.next()),
            "nodes" => info.nodes = number(words.next()),
            "nps" => info.nps = number(words.next()),
            "hashfull" => info.hashfull = number(words.next()),
            "tbhits" => info.tbhits = number(words.next()),
            "time" => info.time = number(words.next()),
            "lowerbound" => info.certainty = Certainty::AtLeast,
            "upperbound" => info.certainty = Certainty::AtMost,
            "score" => {
                info.score = match words.next() {
                    Some("cp") => number(words.next()).map(Score::Centipawns),
                    Some("mate") => number(words.next()).map(Score::Mate),
                    _ => None,
                }
            }
            // A second variation of the same depth says nothing about the move that will be played.
            "multipv" => exact &= number::<u32>(words.next()).is_none_or(|variation| variation == 1),
            "pv" | "string" => break,
            _ => {}
        }
    }
    if info == Info::default() || !exact { Line::Other } else { Line::Info(info) }
}

fn declared(line: &str) -> Option<Declared> {
    let (_, rest) = line.split_once("name ")?;
    let (name, rest) = rest.split_once(" type ")?;
    let mut words = rest.split_ascii_whitespace();
    let kind = match words.next()? {
        "check" => Kind::Check,
        "spin" => {
            let words: Vec<_> = words.collect();
            let after =
                |what| words.iter().position(|word| *word == what).and_then(|at| number(words.get(at + 1).copied()));
            Kind::Spin(after("min").unwrap_or(i64::MIN), after("max").unwrap_or(i64::MAX))
        }
        "combo" => Kind::Combo(rest.split(" var ").skip(1).map(|value| value.trim().to_owned()).collect()),
        "button" => Kind::Button,
        _ => Kind::String,
    };
    Some(Declared { name: name.trim().to_owned(), kind })
}

/// So many options of an engine are named in a message.
const MOST_SHOWN: usize = 100;

/// The option as the engine spells it, if it has one that takes this value.
pub(super) fn declared_as<'a>(
    declared: &'a [Declared],
    option: &str,
    value: &str,
) -> Result<&'a Declared, EngineFailure> {
    let Some(own) = declared.iter().find(|own| own.name.eq_ignore_ascii_case(option)) else {
        let known = declared.iter().take(MOST_SHOWN).map(|own| printable(&own.name)).collect();
        return Err(EngineFailure::NoOption { option: option.to_owned(), known });
    };
    match own.kind.objection(value) {
        Some(objection) => {
            let (option, objection) = (printable(&own.name), printable(&objection));
            Err(EngineFailure::Value { option, value: value.to_owned(), objection })
        }
        None => Ok(own),
    }
}

impl Kind {
    /// What is wrong with a value, `None` if nothing.
    #[must_use]
    pub fn objection(&self, value: &str) -> Option<String> {
        match self {
            Kind::Check if !matches!(value, "true" | "false") => Some("expected true or false".to_owned()),
            Kind::Spin(min, max) => match value.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => None,
                _ => Some(format!("expected a whole number from {min} to {max}")),
            },
            Kind::Combo(values) if !values.iter().any(|own| own.eq_ignore_ascii_case(value)) => {
                Some(format!("expected one of {}", values.join(", ")))
            }
            _ => None,
        }
    }
}

/// No engine has more options, but a broken one may declare them without end.
pub(super) const MOST_OPTIONS: usize = 10_000;

/// Whether an engine says of an option that it does not take its value, and not only what it has become.
pub(super) fn refuses_option(said: &str) -> bool {
    const REFUSALS: [&str; 8] =
        [" stay", "expected ", "invalid", "unknown", "cannot ", "failed", "not found", "not valid"];
    let is_refusal = || {
        let said = said.to_ascii_lowercase();
        REFUSALS.iter().any(|words| said.contains(words))
    };
    said.starts_with("option ") && is_refusal()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(line: &str) -> Info {
        match read(line) {
            Line::Info(info) => info,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn what_an_option_has_become_is_no_refusal() {
        for said in [
            "option Hash: expected a whole number from 1 to 1024, found \"x\"; it stays 16",
            "option Heads: a.heads: it is cut; they stay none",
            "option Foo is unknown",
            "option Hash has an invalid value",
        ] {
            assert!(refuses_option(said), "{said}");
        }
        for said in ["option set: UseNNUE = true", "option Hash 16", "Unknown option: x", "optional terms: on"] {
            assert!(!refuses_option(said), "{said}");
        }
    }

    #[test]
    fn searches_of_every_style() {
        let stockfish = "info depth 12 seldepth 17 multipv 1 score cp -34 wdl 5 800 195 nodes 45123 nps 900000 hashfull 7 tbhits 2 time 50 pv e7e5 g1f3";
        let (score, depth, seldepth) = (Some(Score::Centipawns(-34)), Some(12), Some(17));
        let (nodes, nps) = (Some(45_123), Some(900_000));
        let (hashfull, tbhits, time) = (Some(7), Some(2), Some(50));
        let certainty = Certainty::Exact;
        assert_eq!(info(stockfish), Info { score, certainty, depth, seldepth, nodes, nps, hashfull, tbhits, time });
        let bound = info("info score mate -3 upperbound depth 9");
        assert_eq!((bound.score, bound.certainty), (Some(Score::Mate(-3)), Certainty::AtMost));
        let with_commas = info("info depth 5 nodes 45,000 nps 46,000,");
        assert_eq!((with_commas.nodes, with_commas.nps), (Some(45_000), Some(46_000)));
        assert_eq!(info("  info\tdepth 5  score cp 10 ").depth, Some(5));
        // Words within texts and variations are no figures.
        assert_eq!(info("info depth 3 pv depth 9").depth, Some(3));
        assert_eq!(read("info string NNUE depth 4"), Line::Says("NNUE depth 4"));
        for line in ["info", "info depth x", "info depth 4 multipv 2 score cp 500", "information"] {
            assert_eq!(read(line), Line::Other, "{line}");
        }
    }

    #[test]
    fn later_lines_add_to_earlier_ones() {
        let mut all = info("info depth 12 seldepth 17 score cp 5 nodes 100 tbhits 2 time 50");
        all.update(info("info depth 13 seldepth 19 nodes 150 hashfull 8"));
        assert_eq!((all.score, all.depth, all.seldepth), (Some(Score::Centipawns(5)), Some(12), Some(17)));
        assert_eq!((all.nodes, all.hashfull, all.tbhits, all.time), (Some(150), Some(8), Some(2), Some(50)));
        all.update(info("info depth 13 score mate 2 tbhits 3 time 60"));
        assert_eq!((all.score, all.depth, all.seldepth), (Some(Score::Mate(2)), Some(13), Some(17)));
        assert_eq!((all.nodes, all.hashfull, all.tbhits, all.time), (Some(150), Some(8), Some(3), Some(60)));
    }

    #[test]
    fn a_bound_stands_only_where_no_exact_score_does() {
        let after = |lines: &[&str]| {
            let mut all = Info::default();
            lines.iter().for_each(|line| all.update(info(line)));
            (all.score, all.certainty, all.depth)
        };
        let (exact, low, high) =
            ("info depth 5 score cp 300", "info depth 6 score cp 5 lowerbound", "info depth 7 score cp -9 upperbound");
        let of = |score, certainty, depth| (Some(Score::Centipawns(score)), certainty, Some(depth));
        assert_eq!(after(&[exact, low, high]), of(300, Certainty::Exact, 5));
        assert_eq!(after(&[low, exact]), of(300, Certainty::Exact, 5));
        assert_eq!(after(&[low, high, "info depth 8 nodes 9"]), of(-9, Certainty::AtMost, 7));
    }

    #[test]
    fn what_is_repeated_is_short_and_harmless() {
        assert_eq!(printable("e2e4\u{1b}[2J\n\u{202e}x"), "e2e4?[2J??x");
        assert_eq!(printable(&"a".repeat(MOST)), "a".repeat(MOST));
        assert_eq!(printable(&"\u{e9}".repeat(1 << 20)), format!("{}...", "\u{e9}".repeat(MOST)));
    }

    #[test]
    fn moves_and_none() {
        let best = |played, expected| Line::BestMove { played, expected };
        assert_eq!(read("bestmove e2e4 ponder e7e5"), best(Some("e2e4"), Some("e7e5")));
        for line in ["bestmove e2e4", "bestmove e2e4 ponder", "bestmove e2e4 ponder (none)", "bestmove e2e4 e7e5"] {
            assert_eq!(read(line), best(Some("e2e4"), None), "{line}");
        }
        for line in ["bestmove (none)", "bestmove 0000", "bestmove"] {
            assert_eq!(read(line), best(None, None), "{line}");
        }
        assert_eq!(read("id name Toga II 3.0 "), Line::Name("Toga II 3.0"));
        assert_eq!(read("id author Thomas Gaksch"), Line::Other);
        assert_eq!(read("id name "), Line::Other);
        assert_eq!(read("Toga II 3.0 UCI based on Fruit 2.1"), Line::Other);
    }

    #[test]
    fn options_and_their_values() {
        let option = |line: &str| match read(line) {
            Line::Option(option) => option,
            other => panic!("{line}: {other:?}"),
        };
        let hash = option("option name Hash type spin default 16 min 1 max 33554432");
        assert_eq!((hash.name.as_str(), hash.kind.objection("16")), ("Hash", None));
        assert_eq!(hash.kind.objection("0").as_deref(), Some("expected a whole number from 1 to 33554432"));
        assert!(hash.kind.objection("16.5").is_some());
        let style = option("option name Skill Style type combo default Normal var Solid var Normal var Very Risky");
        assert_eq!(style.kind, Kind::Combo(vec!["Solid".to_owned(), "Normal".to_owned(), "Very Risky".to_owned()]));
        assert!(style.kind.objection("very risky").is_none() && style.kind.objection("mad").is_some());
        assert!(option("option name Ponder type check default false").kind.objection("yes").is_some());
        assert!(option("option name SyzygyPath type string default <empty>").kind.objection("/x").is_none());
    }
}
