//! What fishtest knows about the test that a PGN file comes from: `<directory>/<test>.json` beside
//! `<directory>/<test>-1.pgn.gz`, and the filters on it.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::pgn::{Input, Pattern};

/// The test that a file belongs to: its name up to the first `-` or `.`.
#[must_use]
pub fn test_id(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split(['-', '.']).next().unwrap_or_default().to_owned()
}

/// Where the metadata of a file lie.
fn beside(file: &Path) -> PathBuf {
    file.with_file_name(test_id(file) + ".json")
}

/// Whether a file is metadata of a test: JSON with its `args`.
#[must_use]
pub fn is_metadata(path: &Path) -> bool {
    #[derive(Deserialize)]
    struct Test {
        #[expect(dead_code, reason = "that it is there is all that is asked")]
        args: serde_json::Map<String, Value>,
    }
    File::open(path).is_ok_and(|file| serde_json::from_reader::<_, Test>(BufReader::new(file)).is_ok())
}

/// Whether there are metadata beside an input.
pub(super) fn has_metadata(input: &Input) -> bool {
    match input {
        Input::Stdin => false,
        Input::File(path) => beside(path).exists(),
        Input::Member(member) => member.has_metadata(&beside(member.name())),
    }
}

/// Why a file is left out: the first that applies.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the texts say what each is")]
pub enum FileRefusal {
    NoMetadata,
    BadMetadata(String),
    Sprt,
    Book,
    Revision,
    TimeControl,
    Threads,
    Elo,
}

impl FileRefusal {
    /// The name in JSON.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            FileRefusal::NoMetadata => "no-metadata",
            FileRefusal::BadMetadata(_) => "bad-metadata",
            FileRefusal::Sprt => "not-sprt",
            FileRefusal::Book => "book",
            FileRefusal::Revision => "revision",
            FileRefusal::TimeControl => "time-control",
            FileRefusal::Threads => "threads",
            FileRefusal::Elo => "elo",
        }
    }

    /// What it is, in a few words.
    #[must_use]
    pub fn meaning(&self) -> &'static str {
        match self {
            FileRefusal::NoMetadata => "no metadata file beside it, which the filters need",
            FileRefusal::BadMetadata(_) => "a metadata file that is not JSON of fishtest",
            FileRefusal::Sprt => "not of an SPRT test",
            FileRefusal::Book => "another opening book than asked for, or none given",
            FileRefusal::Revision => "neither revision is asked for",
            FileRefusal::TimeControl => "another time control than asked for, or two different ones",
            FileRefusal::Threads => "another number of threads than asked for",
            FileRefusal::Elo => "a difference in normalized Elo outside the limits, or one that is not defined",
        }
    }
}

/// Limits on the metadata of files. A file without the value does not pass. Patterns are searched: one for whole values
/// has anchors of its own, see [`Pattern::whole`].
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FileFilter {
    /// `args.sprt` is there.
    pub sprt_only: bool,
    /// `args.book`.
    pub book: Option<Pattern>,
    /// Books that do not match, instead.
    pub book_invert: bool,
    /// `args.resolved_base` or `args.resolved_new`.
    pub revision: Option<Pattern>,
    /// `args.tc`, to which `args.new_tc` must be equal.
    pub time_control: Option<Pattern>,
    /// `args.threads`.
    pub threads: Option<u32>,
    /// Smallest difference in normalized Elo by `results.pentanomial`.
    pub elo_min: Option<f64>,
    /// Largest difference in normalized Elo.
    pub elo_max: Option<f64>,
}

impl FileFilter {
    /// Whether anything is asked for.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.sprt_only
            || self.book.is_some()
            || self.revision.is_some()
            || self.time_control.is_some()
            || self.threads.is_some()
            || self.elo_min.is_some()
            || self.elo_max.is_some()
    }

    /// Divides inputs into those that pass and those that do not, each with its reason. Standard input has no metadata. Those of a file in
    /// an archive are looked for in the archive.
    #[must_use]
    pub fn divide(&self, inputs: Vec<Input>) -> (Vec<Input>, Vec<(PathBuf, FileRefusal)>) {
        if !self.is_active() {
            return (inputs, Vec::new());
        }
        let mut known: HashMap<PathBuf, Option<FileRefusal>> = HashMap::new();
        let (mut passed, mut refused) = (Vec::new(), Vec::new());
        for input in inputs {
            let Some(place) = input.place() else {
                refused.push((PathBuf::from("-"), FileRefusal::NoMetadata));
                continue;
            };
            let refusal = known.entry(beside(&place)).or_insert_with_key(|path| self.refuse_file(&input, path));
            match refusal {
                None => passed.push(input),
                Some(refusal) => refused.push((place, refusal.clone())),
            }
        }
        (passed, refused)
    }

    fn refuse_file(&self, input: &Input, metadata: &Path) -> Option<FileRefusal> {
        let text = match input {
            Input::Member(member) => member.metadata(&beside(member.name())).and_then(Result::ok),
            _ => std::fs::read(metadata).ok(),
        };
        let Some(text) = text else { return Some(FileRefusal::NoMetadata) };
        match serde_json::from_slice(&text) {
            Ok(value) => self.refuse(&value),
            Err(error) => Some(FileRefusal::BadMetadata(format!("{}: {error}", metadata.display()))),
        }
    }

    /// The first limit that a test does not pass.
    fn refuse(&self, test: &Value) -> Option<FileRefusal> {
        let args = &test["args"];
        let fits = |name: &str, pattern: &Pattern| args[name].as_str().is_some_and(|value| pattern.fits(value));
        let asked_and = |asked: bool, passes: bool| asked && !passes;
        let book = self.book.as_ref();
        let revision = self.revision.as_ref();
        let time_control = self.time_control.as_ref();
        let refusals = [
            (asked_and(self.sprt_only, args.get("sprt").is_some()), FileRefusal::Sprt),
            (
                book.is_some_and(|book| args["book"].as_str().is_none_or(|value| book.fits(value) == self.book_invert)),
                FileRefusal::Book,
            ),
            (
                revision.is_some_and(|pattern| !fits("resolved_base", pattern) && !fits("resolved_new", pattern)),
                FileRefusal::Revision,
            ),
            (
                time_control.is_some_and(|pattern| args["tc"] != args["new_tc"] || !fits("tc", pattern)),
                FileRefusal::TimeControl,
            ),
            (
                self.threads.is_some_and(|threads| args["threads"].as_u64() != Some(u64::from(threads))),
                FileRefusal::Threads,
            ),
            (
                asked_and(
                    self.elo_min.is_some() || self.elo_max.is_some(),
                    normalized_elo(&test["results"]["pentanomial"]).is_some_and(|elo| {
                        self.elo_min.is_none_or(|least| elo >= least) && self.elo_max.is_none_or(|most| elo <= most)
                    }),
                ),
                FileRefusal::Elo,
            ),
        ];
        refusals.into_iter().find_map(|(refused, refusal)| refused.then_some(refusal))
    }
}

/// Normalized Elo from the counts of pairs with 0, ½, 1, 1½ and 2 points: (s - ½) / √(2 var) · 800 / ln 10, s being the
/// mean of points in a pair over 2 and var its variance. `None` if no such difference is defined.
fn normalized_elo(pentanomial: &Value) -> Option<f64> {
    let counts: Vec<f64> = pentanomial.as_array()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
    let [ll, ld, mid, wd, ww] = counts[..] else { return None };
    let pairs = ll + ld + mid + wd + ww;
    let scores = [(ll, 0.0), (ld, 0.25), (mid, 0.5), (wd, 0.75), (ww, 1.0)];
    let mean = scores.iter().map(|(count, score)| count / pairs * score).sum::<f64>();
    let variance = scores.iter().map(|(count, score)| count / pairs * (score - mean) * (score - mean)).sum::<f64>();
    let elo = (mean - 0.5) / (2.0 * variance).sqrt() * (800.0 / std::f64::consts::LN_10);
    elo.is_finite().then_some(elo)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn files_belong_to_tests_by_their_names() {
        for (path, id) in [("pgns/24-01-01/abc/abc-1.pgn.gz", "abc"), ("x/abc.pgn", "abc"), ("abc", "abc")] {
            assert_eq!(test_id(Path::new(path)), id);
        }
    }

    #[test]
    fn each_limit_refuses_for_its_own_reason() {
        let test = json!({
            "args": { "book": "UHO.epd", "tc": "60+0.6", "new_tc": "60+0.6", "threads": 1, "resolved_base": "aaa", "resolved_new": "bbb", "sprt": {} },
            "results": { "pentanomial": [10, 200, 500, 210, 12] }
        });
        let pattern = |text: &str| Some(Pattern::whole(text).expect("a pattern"));
        let passing = FileFilter {
            sprt_only: true,
            book: pattern("UHO.*"),
            revision: pattern("b+|c"),
            time_control: pattern(r"60\+0\.6"),
            threads: Some(1),
            elo_min: Some(-20.0),
            elo_max: Some(20.0),
            ..FileFilter::default()
        };
        assert_eq!(passing.refuse(&test), None);
        for (filter, refusal) in [
            (FileFilter { book: pattern("UHO"), ..passing.clone() }, FileRefusal::Book),
            (FileFilter { book_invert: true, ..passing.clone() }, FileRefusal::Book),
            (FileFilter { revision: pattern("ab"), ..passing.clone() }, FileRefusal::Revision),
            (FileFilter { time_control: pattern("60"), ..passing.clone() }, FileRefusal::TimeControl),
            (FileFilter { threads: Some(2), ..passing.clone() }, FileRefusal::Threads),
            (FileFilter { elo_min: Some(6.0), elo_max: Some(10.0), ..passing.clone() }, FileRefusal::Elo),
        ] {
            assert_eq!(filter.refuse(&test), Some(refusal));
        }
        let bare = json!({ "args": {}, "results": { "pentanomial": [0, 0, 7, 0, 0] } });
        assert_eq!(passing.refuse(&bare), Some(FileRefusal::Sprt));
        let inverted = FileFilter { book: pattern("x"), book_invert: true, ..FileFilter::default() };
        assert_eq!(inverted.refuse(&bare), Some(FileRefusal::Book), "no book never passes");
        let any = FileFilter { elo_max: Some(f64::MAX), ..FileFilter::default() };
        assert_eq!(any.refuse(&bare), Some(FileRefusal::Elo), "a difference without variance is not defined");
    }

    #[test]
    fn normalized_elo_of_a_known_result() {
        let elo = normalized_elo(&json!([10, 200, 500, 210, 12])).expect("a number");
        // By the moments of the scores, in another way.
        let (n, points) = (932.0, [(10.0, 0.0), (200.0, 0.25), (500.0, 0.5), (210.0, 0.75), (12.0, 1.0)]);
        let s: f64 = points.iter().map(|(c, x)| c * x).sum::<f64>() / n;
        let second: f64 = points.iter().map(|(c, x)| c * x * x).sum::<f64>() / n;
        let expected = (s - 0.5) / (2.0 * (second - s * s)).sqrt() * 347.435_585_522_605_5;
        assert!((elo - expected).abs() < 1e-9);
        assert_eq!(normalized_elo(&json!([1, 2, 3])), None);
        assert_eq!(normalized_elo(&json!([0, 0, 0, 0, 0])), None);
    }
}
