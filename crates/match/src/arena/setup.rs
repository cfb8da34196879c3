//! What a match is: the first line of its log.

use std::fmt;
use std::num::NonZeroU64;
use std::ops::RangeInclusive;

use drawish_stats::Sprt;
use drawish_stats::numbers::grouped;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::limits::Limits;
use super::opening::Order;
use super::rules::{DrawRule, Resign, Rules};
use super::tablebase::SyzygyTables;

/// What a match is: two runs with the same setup continue each other. A tournament has more sides than two.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Setup<Sides = [Side; 2]> {
    /// Names, commands, options and limits of both sides.
    pub sides: Sides,
    /// File name of the book.
    pub book: String,
    /// XXH3-128 of the book, in hexadecimal.
    pub book_digest: String,
    /// Openings that can be played.
    pub openings: u64,
    /// Moves taken from each game of a PGN book.
    pub plies: Option<usize>,
    /// Of the order of the openings.
    pub seed: u64,
    /// The order of the openings; not written for the usual one, by the seed.
    #[serde(default, skip_serializing_if = "Order::is_random")]
    pub order: Order,
    /// Openings of that order that are passed over, to come after all others; not written for 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub passed_over: u64,
    /// Whether Chess960 is played; not written for standard chess.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub chess960: bool,
    /// What ends games early.
    pub rules: Rules,
    /// Endgame tables that end games whose result they know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syzygy: Option<SyzygyTables>,
    /// The openings in which one side is better by so many centipawns, if only these are played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub band: Option<RangeInclusive<i32>>,
    /// Every so many pairs are written with their moves, beginning with the first; not written if all are.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub moves_of_every: NonZeroU64,
    /// The first pair of the log, where it holds a range of the match and not its beginning; not written for 1.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub first_pair: NonZeroU64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn one() -> NonZeroU64 {
    NonZeroU64::MIN
}

fn is_one(number: &NonZeroU64) -> bool {
    *number == NonZeroU64::MIN
}

/// One side of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Side {
    /// Its name.
    pub name: String,
    /// What plays: a command with its arguments.
    pub player: String,
    /// Where it runs, as it was given; not written where that is the place of this program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// XXH3-128 of the program that is started, in hexadecimal, where it is a file that can be read: another build is another match.
    pub build: Option<String>,
    /// Scripts, archives and networks that arguments and options name, each with its XXH3-128 in hexadecimal, where they are files that
    /// can be read: others make another match. `None`, and not written, for arms of this program's engine and in early logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<(String, String)>>,
    /// Options that are set.
    pub options: Vec<(String, String)>,
    /// What limits its thinking.
    pub limits: Limits,
    /// Whether it thinks in its opponent's time, too; not written if it does not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// Whether it is started anew for every game; not written if it is not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restart: bool,
}

impl Side {
    /// What limits its thinking, and whether it ponders, in words: `8+0.08, ponder`.
    #[must_use]
    pub fn limits_text(&self) -> String {
        format!("{}{}", self.limits, if self.ponder { ", ponder" } else { "" })
    }

    /// Whether another side is the same but for its name.
    pub(crate) fn plays_as(&self, other: &Side) -> bool {
        Side { name: other.name.clone(), ..self.clone() } == *other
    }
}

/// How the match of a log was begun: when, between whom, and by which test. It is no part of what the match is.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Origin {
    /// The day on which it was begun, as PGN writes it: `2026.11.22`. `None` where games depend on nothing but the setup, so that
    /// the same match has the same log on any day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// What both engines call themselves, by `id name`.
    #[serde(default, skip_serializing_if = "are_unknown")]
    pub engines: [Option<String>; 2],
    /// The test that was to end the match when it was begun. It stands behind the setup in the first line, and not at all where
    /// there is none.
    #[serde(default, skip_serializing)]
    pub test: Option<Sprt>,
}

impl Origin {
    /// The first engine that calls itself otherwise than it does in another origin, among those whose names both know: whatever
    /// started it, it is another engine.
    pub(crate) fn difference(&self, now: &Origin) -> Option<Difference> {
        other_engine(&self.engines, &now.engines)
    }
}

/// The same of the names of any number of engines.
pub(crate) fn other_engine(before: &[Option<String>], now: &[Option<String>]) -> Option<Difference> {
    (1..).zip(before.iter().zip(now)).find_map(|(at, names): (usize, _)| match names {
        (Some(before), Some(now)) if before != now => {
            let [before, now] = [before, now].map(|name| Value::from(name.as_str()).to_string());
            Some(Difference { field: format!("engines.{at}"), before, now })
        }
        _ => None,
    })
}

fn are_unknown(engines: &[Option<String>; 2]) -> bool {
    engines.iter().all(Option::is_none)
}

/// The format of logs that this program writes.
pub const FORMAT: u32 = 3;
/// Older formats, which are read, and resumed without becoming new ones.
pub const OLD_FORMATS: [u32; 2] = [1, 2];

/// Why a value is not the first line of a log.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum SetupError {
    #[error("it does not say what is played")]
    Foreign,
    #[error("it is of format {0}")]
    Format(String),
    #[error("{0}")]
    Content(String),
}

/// The first field in which two setups differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Its name, within the setup: `seed`, `sides.1.limits`.
    pub field: String,
    /// What it is in the first, as JSON.
    pub before: String,
    /// What it is in the second.
    pub now: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} was {}, now it is {}", self.field, self.before, self.now)?;
        if [DIGEST, OPENINGS].contains(&self.field.as_str()) {
            f.write_str(
                ", as the openings are others: a book must stay as it was, random ones are made for a seed and a number of pairs",
            )?;
        }
        Ok(())
    }
}

/// The first line of a log.
#[derive(Serialize)]
struct Header<'a> {
    format: u32,
    #[serde(flatten)]
    origin: &'a Origin,
    #[serde(flatten)]
    setup: &'a Setup,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<Sprt>,
}

impl Setup {
    /// As the first line of a log has it, without the end of the line.
    #[must_use]
    pub fn header(&self, origin: &Origin) -> String {
        serde_json::to_string(&Header { format: FORMAT, origin, setup: self, test: origin.test })
            .expect("numbers and texts are always JSON")
    }

    /// Reads the first line of a log of any format that is known; returns its origin and the format, too.
    pub(super) fn from_header(mut header: Value) -> Result<(Setup, Origin, u32), SetupError> {
        let has_sides = header.get("sides").is_some();
        let Some(format) = header.as_object_mut().and_then(|fields| fields.remove("format")) else {
            return Err(SetupError::Foreign);
        };
        let known = format.as_u64().and_then(|format| u32::try_from(format).ok());
        let number = match known {
            Some(1) => {
                rules_from_text(&mut header)?;
                1
            }
            Some(number @ (2 | FORMAT)) => number,
            _ if has_sides => return Err(SetupError::Format(format.to_string())),
            _ => return Err(SetupError::Foreign),
        };
        let content = |error: serde_json::Error| SetupError::Content(error.to_string());
        let origin = Origin::deserialize(&header).map_err(content)?;
        let setup: Setup = serde_json::from_value(header).map_err(content)?;
        if setup.sides[0].name == setup.sides[1].name {
            return Err(SetupError::Content(format!("both sides are called {:?}", setup.sides[0].name)));
        }
        if setup.first_pair.get() > MOST_PAIRS {
            let what = format!("first_pair {}: expected at most {}", setup.first_pair, grouped(MOST_PAIRS));
            return Err(SetupError::Content(what));
        }
        Ok((setup, origin, number))
    }
}

impl<Sides: PartialEq + Serialize> Setup<Sides> {
    /// The first field that is another in another setup; `None` if both are the same match.
    #[must_use]
    pub fn difference(&self, now: &Setup<Sides>) -> Option<Difference> {
        if self == now { None } else { difference(self, now) }
    }

    /// What ends games early and which openings are played, in words.
    #[must_use]
    pub fn rules_text(&self) -> String {
        let mut text = self.rules.to_string();
        if let Some(tables) = &self.syzygy {
            text += &format!("; {tables}");
        }
        if let Some(band) = &self.band {
            text += &format!("; positions better by {} to {}", band.start(), band.end());
        }
        text
    }
}

/// More pairs than anybody plays, and numbers that can be counted on from.
const MOST_PAIRS: u64 = 1 << 53;

/// The fields of the content of the book, and of the number of its openings.
const DIGEST: &str = "book_digest";
const OPENINGS: &str = "openings";

/// The first field in which two setups of a kind differ, as they are written.
pub(crate) fn difference<T: Serialize>(before: &T, now: &T) -> Option<Difference> {
    let value = |setup: &T| serde_json::to_value(setup).unwrap_or_default();
    within("", &value(before), &value(now))
}

/// The same of two values; `name` is that of the values themselves.
fn within(name: &str, before: &Value, now: &Value) -> Option<Difference> {
    let inner = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
    match (before, now) {
        (Value::Object(old), Value::Object(new)) => {
            let gone = old.keys().filter(|key| !new.contains_key(*key));
            let value = |of: &serde_json::Map<String, Value>, key: &str| of.get(key).cloned().unwrap_or(Value::Null);
            let of = |key: &str| within(&inner(key), &value(old, key), &value(new, key));
            let first = new.keys().chain(gone).find_map(|key| of(key))?;
            // The number of openings says more than the digest of their book.
            let number = (first.field == DIGEST).then(|| of(OPENINGS)).flatten();
            Some(number.unwrap_or(first))
        }
        // Older logs do not say which program was started where they did not find it, nor what it reads.
        (Value::Null, _) if name.ends_with(".build") || name.ends_with(".files") => None,
        // The other range of a match may have been played by an older build, which does not say that there are none.
        (Value::Array(old), Value::Null) if name.ends_with(".files") && old.is_empty() => None,
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => (1..)
            .zip(old.iter().zip(new))
            .find_map(|(at, (old, new)): (u32, _)| within(&inner(&at.to_string()), old, new)),
        _ if before == now => None,
        _ => Some(Difference { field: name.to_owned(), before: before.to_string(), now: now.to_string() }),
    }
}

/// Makes fields of the text that format 1 has for the rules: what [`Setup::rules_text`] writes.
fn rules_from_text(header: &mut Value) -> Result<(), SetupError> {
    let text = header["rules"].as_str().unwrap_or_default().to_owned();
    let unknown = |part: &str| SetupError::Content(format!("the rules {part:?} are not known"));
    let mut rules = Rules::default();
    for part in text.split("; ") {
        if part == "rules of chess" {
        } else if let Some([moves, score]) = numbers(part, ["lost after ", " moves with -", " or worse"]) {
            let score = i32::try_from(score).map_err(|_| unknown(part))?;
            rules.resign = Some(Resign { moves, score, two_sided: false });
        } else if let Some([from_move, moves, score]) =
            numbers(part, ["drawn after move ", " and ", " moves within ", ""])
        {
            let score = i32::try_from(score).map_err(|_| unknown(part))?;
            rules.draw = Some(DrawRule { from_move, moves, score });
        } else if let Some([moves]) = numbers(part, ["drawn after ", " moves"]) {
            rules.max_moves = Some(moves);
        } else if let Some([milliseconds]) = numbers(part, ["time margin ", " ms"]) {
            rules.time_margin = std::time::Duration::from_millis(u64::from(milliseconds));
        } else if let Some([men, wdl, dtz]) = numbers(part, ["Syzygy tables of up to ", " men (", " rtbw, ", " rtbz)"])
        {
            header["syzygy"] = serde_json::json!({ "men": men, "wdl": wdl, "dtz": dtz });
        } else if let Some([low, high]) = numbers(part, ["positions better by ", " to ", ""]) {
            header["band"] = serde_json::json!({ "start": low, "end": high });
        } else {
            return Err(unknown(part));
        }
    }
    header["rules"] = serde_json::to_value(rules).map_err(|_| unknown(&text))?;
    Ok(())
}

/// The numbers between some words.
fn numbers<const WORDS: usize, const NUMBERS: usize>(text: &str, words: [&str; WORDS]) -> Option<[u32; NUMBERS]> {
    let mut rest = text.strip_prefix(words[0])?;
    let mut found = [0; NUMBERS];
    for (number, word) in found.iter_mut().zip(&words[1..]) {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        *number = rest[..digits].parse().ok()?;
        rest = rest[digits..].strip_prefix(word)?;
    }
    rest.is_empty().then_some(found)
}

#[cfg(test)]
mod tests {
    use drawish_stats::Model;

    use super::*;

    fn setup(rules: Rules, syzygy: Option<SyzygyTables>, band: Option<RangeInclusive<i32>>) -> Setup {
        let side = |name: &str| Side {
            name: name.to_owned(),
            player: "x".to_owned(),
            build: None,
            files: None,
            options: vec![("Hash".to_owned(), "4".to_owned())],
            limits: Limits::nodes(10),
            ponder: false,
            dir: None,
            restart: false,
        };
        Setup {
            sides: [side("a"), side("b")],
            book: "book".to_owned(),
            book_digest: "00".to_owned(),
            openings: 3,
            plies: None,
            seed: 1,
            order: Order::Random,
            passed_over: 0,
            chess960: false,
            rules,
            syzygy,
            band,
            moves_of_every: NonZeroU64::MIN,
            first_pair: NonZeroU64::MIN,
        }
    }

    fn all() -> Setup {
        let rules = Rules {
            resign: Some(Resign { moves: 3, score: 600, two_sided: false }),
            draw: Some(DrawRule { from_move: 34, moves: 8, score: 20 }),
            max_moves: Some(200),
            time_margin: std::time::Duration::from_millis(20),
        };
        setup(rules, Some(SyzygyTables { men: 5, wdl: 145, dtz: 140 }), Some(60..=250))
    }

    #[test]
    fn a_program_that_is_not_known_may_be_any() {
        let sides = |build: Option<&str>| serde_json::json!({ "sides": [{ "build": build }] });
        assert_eq!(within("", &sides(None), &sides(Some("ab"))), None);
        for (before, now) in [(Some("ab"), None), (Some("ab"), Some("cd"))] {
            assert!(within("", &sides(before), &sides(now)).is_some(), "{before:?} {now:?}");
        }
        let files = |files: Value| serde_json::json!({ "sides": [{ "files": files }] });
        let [one, other] = ["ab", "cd"].map(|digest| files(serde_json::json!([["net.nnue", digest]])));
        assert_eq!(within("", &files(Value::Null), &one), None, "of an older log");
        assert!(within("", &one, &other).is_some() && within("", &one, &files(Value::Null)).is_some());
        // One that was not there before, or is gone.
        let more = files(serde_json::json!([["./eng", "ef"], ["net.nnue", "ab"]]));
        let none = files(serde_json::json!([]));
        assert_eq!(within("", &none, &files(Value::Null)), None);
        for (before, now) in [(&one, &more), (&more, &one), (&none, &one), (&one, &none)] {
            assert!(within("", before, now).is_some(), "{before} {now}");
        }
    }

    #[test]
    fn both_formats_say_the_same() {
        for setup in [all(), setup(Rules::default(), None, None)] {
            let now: Value = serde_json::from_str(&setup.header(&Origin::default())).expect("JSON");
            let mut old = now.clone();
            old["format"] = 1.into();
            old["rules"] = setup.rules_text().into();
            for gone in ["syzygy", "band"] {
                old.as_object_mut().expect("an object").remove(gone);
            }
            assert_eq!(Setup::from_header(now).expect("a setup"), (setup.clone(), Origin::default(), FORMAT));
            assert_eq!(Setup::from_header(old.clone()).expect("a setup"), (setup, Origin::default(), 1));
            let scores =
                ["lost after 3 moves with -4294967295 or worse", "drawn after move 34 and 8 moves within 2147483648"];
            for wrong in ["rules of draughts"].into_iter().chain(scores) {
                old["rules"] = wrong.into();
                let error = Setup::from_header(old.clone()).expect_err("no rules");
                assert!(matches!(&error, SetupError::Content(what) if what.contains(wrong)), "{error}");
            }
        }
    }

    #[test]
    fn pairs_are_counted_on_from_the_first() {
        let read = |first: u64| {
            let mut header: Value = serde_json::from_str(&all().header(&Origin::default())).expect("JSON");
            header["first_pair"] = first.into();
            Setup::from_header(header)
        };
        assert!(read(1 << 53).is_ok());
        for first in [(1 << 53) + 1, u64::MAX] {
            let error = read(first).expect_err("no pair has this number");
            assert_eq!(
                error,
                SetupError::Content(format!("first_pair {first}: expected at most 9,007,199,254,740,992"))
            );
        }
    }

    #[test]
    fn the_origin_is_no_part_of_the_match() {
        let origin =
            Origin { date: Some("2026.11.22".to_owned()), engines: [None, Some("Fast 1.2".to_owned())], test: None };
        let header = all().header(&origin);
        assert!(
            header.starts_with(r#"{"format":3,"date":"2026.11.22","engines":[null,"Fast 1.2"],"sides""#),
            "{header}"
        );
        let read = Setup::from_header(serde_json::from_str(&header).expect("JSON")).expect("a setup");
        assert_eq!(read, (all(), origin, FORMAT));
    }

    #[test]
    fn the_test_stands_behind_the_setup_and_is_checked() {
        let without = Origin { date: Some("2026.11.22".to_owned()), ..Origin::default() };
        let test = Sprt::new(Model::Logistic, -1.5, 3.0, 0.05, 0.1).expect("a test");
        let with = Origin { test: Some(test), ..without.clone() };
        let header = all().header(&with);
        let end = r#","test":{"model":"logistic","elo0":-1.5,"elo1":3.0,"alpha":0.05,"beta":0.1}}"#;
        assert_eq!(header.strip_suffix(end), all().header(&without).strip_suffix('}'), "nothing else is another");
        let read = |header: &str| Setup::from_header(serde_json::from_str(header).expect("JSON"));
        assert_eq!(read(&header), Ok((all(), with, FORMAT)));
        let wrong = read(&header.replace("\"elo1\":3.0", "\"elo1\":-3.0")).expect_err("no such test");
        assert!(matches!(&wrong, SetupError::Content(what) if what.contains("expected elo0 < elo1")), "{wrong}");
    }

    #[test]
    fn differences_are_found_field_by_field() {
        let said = |other: &Setup| all().difference(other).expect("a difference").to_string();
        assert_eq!(all().difference(&all()), None);
        let mut other = all();
        other.rules.resign = Some(Resign { moves: 4, score: 600, two_sided: false });
        assert_eq!(said(&other), "rules.resign.moves was 3, now it is 4");
        assert_eq!(
            said(&Setup { syzygy: None, ..all() }),
            "syzygy was {\"men\":5,\"wdl\":145,\"dtz\":140}, now it is null"
        );
        let other = Setup { book_digest: "01".to_owned(), openings: 4, ..all() };
        assert!(
            said(&other).starts_with("openings was 3, now it is 4, as the openings are others: "),
            "{}",
            said(&other)
        );
        assert!(said(&Setup { openings: 3, ..other }).starts_with("book_digest was \"00\", now it is \"01\", as "));
        assert_eq!(said(&Setup { band: Some(60..=200), ..all() }), "band.end was 250, now it is 200");
        let mut other = all();
        other.sides[1].limits = Limits::nodes(20);
        assert_eq!(said(&other), "sides.2.limits was \"10 nodes\", now it is \"20 nodes\"");
    }
}
