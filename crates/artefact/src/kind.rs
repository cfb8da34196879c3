//! What a file is, by its content: the one place that recognises files.

mod bounded;
mod opened;

use serde_json::Value;

pub use bounded::{read_bounded, read_bounded_to};
pub use opened::in_words;

/// A kind of file that this project writes or reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// Results per structure, `.counts`.
    Counts,
    /// Draw probabilities per structure, `.table`.
    Table,
    /// Positions with evaluations by result, `.wdl`.
    WdlCounts,
    /// The same as scoreWDLstat writes them, JSON.
    WdlJson,
    /// A WDL model with its fit, JSON.
    WdlModel,
    /// Sampled positions, Parquet.
    Rows,
    /// Fitted heads, TOML.
    Heads,
    /// A fitted WDL head, TOML.
    WdlHead,
    /// Heads of any kind for engines, `.heads`.
    EngineHeads,
    /// Models held against games that they have not seen, JSON.
    Evaluation,
    /// WDL heads held against games that they have not seen, JSON.
    WdlComparison,
    /// A match, a line of JSON for the setup and one for each pair.
    MatchLog,
    /// A tournament, a line of JSON for the setup and one for each pair.
    TournamentLog,
    /// Tuning by games, a line of JSON for what is tuned and one for each step.
    TuningLog,
    /// What is to be played and asked, TOML.
    Experiment,
    /// Where a table comes from, TOML.
    Provenance,
    /// A table as C, Rust, JSON or CSV, for other programs.
    TableCode,
    /// A WDL model as C or Rust.
    WdlModelCode,
    /// Heads as C or Rust.
    HeadsCode,
    /// Games.
    Pgn,
}

/// What the texts begin with that are written for other programs and never read again.
const WRITTEN_FOR_OTHERS: [(Kind, &str); 7] = [
    (Kind::TableCode, "/* Draw table of scheme "),
    (Kind::TableCode, "// Draw table of scheme "),
    (Kind::TableCode, "cell,white_files,black_files,"),
    (Kind::WdlModelCode, "/* Win, draw and loss by evaluation and "),
    (Kind::WdlModelCode, "//! Win, draw and loss by evaluation and "),
    (Kind::HeadsCode, "/* drawish.h - "),
    (Kind::HeadsCode, "/// Heads. "),
];

/// What files of a kind begin with.
const MAGIC: [(Kind, &[u8]); 5] = [
    (Kind::Counts, b"DRAWCNT\0"),
    (Kind::Table, b"DRAWTBL\0"),
    (Kind::WdlCounts, b"DRAWWDL\0"),
    (Kind::EngineHeads, b"DRAWHDS\0"),
    (Kind::Rows, b"PAR1"),
];

impl Kind {
    /// Recognises a file by its content, unpacked; `None` for anything else.
    ///
    /// The first eight bytes are enough for [`Counts`](Kind::Counts), [`Table`](Kind::Table),
    /// [`WdlCounts`](Kind::WdlCounts), [`EngineHeads`](Kind::EngineHeads) and [`Rows`](Kind::Rows), of which less is recognised as well, so that a file that was cut
    /// short is refused as such. The first line is enough for [`Pgn`](Kind::Pgn), [`MatchLog`](Kind::MatchLog),
    /// [`TournamentLog`](Kind::TournamentLog) and [`TuningLog`](Kind::TuningLog). All others are
    /// recognised by the whole of their text.
    #[must_use]
    pub fn of(content: &[u8]) -> Option<Kind> {
        let begins = |magic: &[u8]| content.starts_with(magic) || (!content.is_empty() && magic.starts_with(content));
        if let Some(&(kind, _)) = MAGIC.iter().find(|(_, magic)| begins(magic)) {
            return Some(kind);
        }
        let text = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content).trim_ascii_start();
        if let Some(&(kind, _)) = WRITTEN_FOR_OTHERS.iter().find(|(_, begin)| text.starts_with(begin.as_bytes())) {
            return Some(kind);
        }
        match text.first()? {
            b'{' => of_json(text),
            b'[' if is_tag(text) => Some(Kind::Pgn),
            _ => of_toml(std::str::from_utf8(text).ok()?),
        }
    }

    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Counts => "counts",
            Kind::Table => "table",
            Kind::WdlCounts | Kind::WdlJson => "WDL counts",
            Kind::WdlModel => "WDL fit",
            Kind::Rows => "rows",
            Kind::Heads => "heads",
            Kind::WdlHead => "WDL head",
            Kind::EngineHeads => "heads for engines",
            Kind::Evaluation => "evaluation",
            Kind::WdlComparison => "comparison of WDL heads",
            Kind::MatchLog => "match log",
            Kind::TournamentLog => "tournament log",
            Kind::TuningLog => "tuning log",
            Kind::Experiment => "experiment",
            Kind::Provenance => "provenance of a table",
            Kind::TableCode => "table for other programs",
            Kind::WdlModelCode => "WDL model as code",
            Kind::HeadsCode => "heads as code",
            Kind::Pgn => "games",
        }
    }
}

impl Kind {
    /// What such a file is and which verb of the program takes it, as in "games: `drawish collect` counts them": for whoever got one
    /// where another kind was expected.
    #[must_use]
    pub const fn uses(self) -> &'static str {
        match self {
            Kind::Counts => "counts of structures: `drawish table` makes a table of them, `drawish report` shows them",
            Kind::Table => "a table: `drawish inspect` looks positions up in it, `drawish report` shows it",
            Kind::WdlCounts => "WDL counts: `drawish wdl fit` fits a model to them and writes it as .json",
            Kind::WdlJson => "WDL counts as JSON: `drawish wdl fit` fits a model to them and writes it as .json",
            Kind::WdlModel => {
                "a WDL model: `drawish wdl show` says what an evaluation means by it, `drawish report` shows its fit"
            }
            Kind::Rows => "rows: `drawish tune` fits heads to them",
            Kind::Heads => {
                "the text of a draw head and a gain head: `drawish inspect` shows them, `drawish tune` writes them as .heads for engines"
            }
            Kind::WdlHead => {
                "the text of a WDL head: `drawish wdl show` asks it, `drawish report` shows it, `drawish wdl head` writes it as .heads for engines"
            }
            Kind::EngineHeads => "heads for engines: `drawish inspect` asks them about a position",
            Kind::Evaluation => "a comparison of models: `drawish report` shows it",
            Kind::WdlComparison => "a comparison of WDL heads: `drawish report` shows it",
            Kind::TournamentLog => {
                "the log of a tournament: `drawish sprt` prints its table, `drawish report` shows it"
            }
            Kind::MatchLog => "the log of a match: `drawish sprt` judges it, `drawish report` shows it",
            Kind::TuningLog => "the log of tuning by games: `drawish report` shows it",
            Kind::Experiment => "the file of an experiment: `drawish experiment run` plays it",
            Kind::Provenance => "the provenance of a table: give the table beside it",
            Kind::TableCode => {
                "a table exported for other programs (C, Rust, JSON or CSV): give the .table or the .counts that it was made of"
            }
            Kind::WdlModelCode => {
                "a WDL model exported as C or Rust: give its .json, which `drawish wdl fit` writes beside it"
            }
            Kind::HeadsCode => "heads exported as C or Rust: give their .toml or .heads",
            Kind::Pgn => "games: `drawish collect` counts them",
        }
    }
}

/// Whether the first line is a tag of PGN: a name that begins with a letter, and a value in quotes.
fn is_tag(text: &[u8]) -> bool {
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    line.get(1).is_some_and(u8::is_ascii_alphabetic) && line.contains(&b'"')
}

fn of_json(text: &[u8]) -> Option<Kind> {
    if text[1..].trim_ascii_start().starts_with(b"\"('") {
        return Some(Kind::WdlJson);
    }
    let first_line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let setup = serde_json::from_slice::<Value>(first_line).ok();
    if let Some(setup) = setup.filter(|setup| setup.get("sides").is_some()) {
        let kinds = [("format", Kind::MatchLog), ("tournament", Kind::TournamentLog), ("spsa", Kind::TuningLog)];
        if let Some((_, kind)) = kinds.into_iter().find(|(field, _)| setup.get(*field).is_some()) {
            return Some(kind);
        }
    }
    let value: Value = serde_json::from_slice(text).ok()?;
    if value.get("pawn_value").is_some() {
        return Some(Kind::WdlModel);
    }
    if value.get("scheme").is_some() && value.get("estimator").is_some() && value.get("cells").is_some() {
        return Some(Kind::TableCode);
    }
    if value.get("verdicts").is_some() && value.get("largest_eval").is_some() {
        return Some(Kind::WdlComparison);
    }
    let has_verdicts = value.as_object()?.values().any(|one| one.get("verdicts").is_some());
    has_verdicts.then_some(Kind::Evaluation)
}

fn of_toml(text: &str) -> Option<Kind> {
    let has_line = |line: &str| text.lines().any(|other| other.trim() == line);
    let has_key = |key: &str| {
        text.lines().any(|line| line.strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('=')))
    };
    let is_of = |format: &str| has_key("format") && text.contains(format);
    if is_of("\"heads\"") {
        Some(Kind::Heads)
    } else if is_of("\"wdl-head\"") {
        Some(Kind::WdlHead)
    } else if has_line("[baseline]") && has_line("[[arm]]") {
        Some(Kind::Experiment)
    } else {
        (has_line("[[inputs]]") && has_key("rule")).then_some(Kind::Provenance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_known_by_its_content() {
        for (content, kind) in [
            ("DRAWCNT\0rest", Some(Kind::Counts)),
            ("DRAWCN", Some(Kind::Counts)),
            ("DRAWTBL\0", Some(Kind::Table)),
            ("DRAWWDL\0", Some(Kind::WdlCounts)),
            ("DRAWHDS\0rest", Some(Kind::EngineHeads)),
            ("DRAWH", Some(Kind::EngineHeads)),
            ("format = \"wdl-head\"\nversion = 1\n", Some(Kind::WdlHead)),
            ("PAR1...", Some(Kind::Rows)),
            ("{\"('W', 1, 78, 35)\": 6}", Some(Kind::WdlJson)),
            ("{\n \"pawn_value\": 350.0\n}\n", Some(Kind::WdlModel)),
            ("format = \"heads\"\nversion = 1\n", Some(Kind::Heads)),
            ("{\"a\": {\"verdicts\": []}}", Some(Kind::Evaluation)),
            ("{\"largest_eval\": 600, \"verdicts\": []}", Some(Kind::WdlComparison)),
            ("{\"format\":1,\"sides\":[]}\n{\"pair\":0}\n{\"pa", Some(Kind::MatchLog)),
            ("{\"tournament\":1,\"sides\":[]}\n{\"pair\":0}\n{\"pa", Some(Kind::TournamentLog)),
            ("{\"spsa\":1,\"parameters\":[],\"sides\":[]}\n{\"step\":1", Some(Kind::TuningLog)),
            ("title = \"a\"\n[baseline]\n[[arm]]\n", Some(Kind::Experiment)),
            ("rule = \"x\"\n\n[[inputs]]\n", Some(Kind::Provenance)),
            ("\u{feff}\n[Event \"a\"]\n", Some(Kind::Pgn)),
            ("[White \"a\"]\n", Some(Kind::Pgn)),
            ("/* Draw table of scheme bg: files. */\n", Some(Kind::TableCode)),
            ("{\"scheme\": \"bg\", \"estimator\": \"eb\", \"cells\": []}", Some(Kind::TableCode)),
            ("//! Win, draw and loss by evaluation and material: a model", Some(Kind::WdlModelCode)),
            ("/* drawish.h - how drawish is a position?", Some(Kind::HeadsCode)),
            ("[prior]\nmean = 1\n", None),
            ("{\"a\": 1}", None),
            ("{\"pawn_value\": ", None),
            ("", None),
            ("DRAWN", None),
        ] {
            assert_eq!(Kind::of(content.as_bytes()), kind, "{content:?}");
        }
    }
}
