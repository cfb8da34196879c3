//! What fishtest tells about finished tests, and which of them are wanted.

use serde_json::Value;

use super::excerpt::beginning;

/// Which tests are wanted. By the rules of `download_fishtest_pgns.py`: the server applies those that it knows.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Wanted {
    /// Last changed at this time or later, in seconds since 1970.
    pub since: f64,
    /// Tests at long time control.
    pub ltc_only: bool,
    /// Passed tests.
    pub success_only: bool,
    /// Failed tests that were not bad.
    pub yellow_only: bool,
    /// No books for Chess960: none with "frc" in its name.
    pub standard_chess_only: bool,
    /// Tests of one user.
    pub username: Option<String>,
    /// Smallest base time of either side, in seconds.
    pub tc_lower_limit: Option<f64>,
    /// Largest base time of either side, in seconds.
    pub tc_upper_limit: Option<f64>,
}

impl Wanted {
    /// Path and query of a page of finished tests; pages are counted from 1.
    pub(super) fn address_of_page(&self, page: u32) -> (String, Vec<(&'static str, String)>) {
        let mut query = vec![("page", page.to_string()), ("timestamp", self.since.to_string())];
        let flags =
            [(self.ltc_only, "ltc_only"), (self.success_only, "success_only"), (self.yellow_only, "yellow_only")];
        query.extend(flags.into_iter().filter(|(set, _)| *set).map(|(_, name)| (name, "1".to_owned())));
        query.extend(self.username.clone().map(|name| ("username", name)));
        ("/api/finished_runs".to_owned(), query)
    }
}

/// Why a test is not downloaded: the first that applies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the texts say what each is")]
pub enum Refusal {
    Known,
    NoIdentifier,
    NoDay,
    Spsa,
    Empty,
    Book,
    NoTimeControl,
    UnknownTimeControl,
    ShortTimeControl,
    LongTimeControl,
    Busy,
    Absent,
}

impl Refusal {
    /// All, in the order in which they are looked for.
    pub const ALL: [Refusal; 12] = [
        Refusal::Known,
        Refusal::NoIdentifier,
        Refusal::NoDay,
        Refusal::Spsa,
        Refusal::Empty,
        Refusal::Book,
        Refusal::NoTimeControl,
        Refusal::UnknownTimeControl,
        Refusal::ShortTimeControl,
        Refusal::LongTimeControl,
        Refusal::Busy,
        Refusal::Absent,
    ];

    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Refusal::Known => "there-already",
            Refusal::NoIdentifier => "no-identifier",
            Refusal::NoDay => "no-day",
            Refusal::Spsa => "spsa",
            Refusal::Empty => "no-games",
            Refusal::Book => "book",
            Refusal::NoTimeControl => "no-time-control",
            Refusal::UnknownTimeControl => "unknown-time-control",
            Refusal::ShortTimeControl => "short-time-control",
            Refusal::LongTimeControl => "long-time-control",
            Refusal::Busy => "busy",
            Refusal::Absent => "absent",
        }
    }

    /// What it is, in a few words.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Refusal::Known => "below the directory already",
            Refusal::NoIdentifier => "an identifier that is not of small letters and digits",
            Refusal::NoDay => "no start_time with a date",
            Refusal::Spsa => "tuning by SPSA",
            Refusal::Empty => "no games played",
            Refusal::Book => "a book of Chess960",
            Refusal::NoTimeControl => "no time controls in its metadata, which the limits need",
            Refusal::UnknownTimeControl => "a time control that does not begin with a number",
            Refusal::ShortTimeControl => "a time control below the limit",
            Refusal::LongTimeControl => "a time control above the limit",
            Refusal::Busy => "another process is downloading it",
            Refusal::Absent => "the server does not have it",
        }
    }
}

/// A finished test.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Test {
    pub(super) id: String,
    pub(super) metadata: Value,
}

/// An answer that is no page of tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NoPage {
    /// Its beginning.
    pub(super) found: String,
}

/// The tests of a page, in the server's order. The page behind the last is empty.
pub(super) fn tests_of_page(page: Value) -> Result<Vec<Test>, NoPage> {
    let empty = |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    match page {
        Value::Object(tests) if tests.values().all(Value::is_object) => {
            Ok(tests.into_iter().map(|(id, metadata)| Test { id, metadata }).collect())
        }
        page if empty(&page) => Ok(Vec::new()),
        page => Err(NoPage { found: beginning(page.to_string().as_bytes()) }),
    }
}

impl Test {
    /// Why it is not to be downloaded, if it is not.
    pub(super) fn refusal(&self, wanted: &Wanted, known: bool) -> Option<Refusal> {
        let arguments = &self.metadata["args"];
        let text = |name: &str| arguments[name].as_str().unwrap_or_default();
        // The name becomes that of a directory.
        let is_identifier =
            !self.id.is_empty() && self.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
        let reasons = [
            (known, Refusal::Known),
            (!is_identifier, Refusal::NoIdentifier),
            (self.day().is_none(), Refusal::NoDay),
            (arguments.get("spsa").is_some(), Refusal::Spsa),
            (self.games() == Some(0), Refusal::Empty),
            (wanted.standard_chess_only && text("book").to_lowercase().contains("frc"), Refusal::Book),
        ];
        if let Some((_, reason)) = reasons.into_iter().find(|(applies, _)| *applies) {
            return Some(reason);
        }
        if wanted.tc_lower_limit.is_none() && wanted.tc_upper_limit.is_none() {
            return None;
        }
        let (old, new) = (text("tc"), text("new_tc"));
        if old.is_empty() || new.is_empty() {
            return Some(Refusal::NoTimeControl);
        }
        let (Some(old), Some(new)) = (base_time(old), base_time(new)) else { return Some(Refusal::UnknownTimeControl) };
        if wanted.tc_lower_limit.is_some_and(|limit| old.min(new) < limit) {
            return Some(Refusal::ShortTimeControl);
        }
        wanted.tc_upper_limit.is_some_and(|limit| old.max(new) > limit).then_some(Refusal::LongTimeControl)
    }

    /// The day on which it began, as YY-MM-DD.
    pub(super) fn day(&self) -> Option<&str> {
        let date = self.metadata["start_time"].as_str()?.get(..10)?;
        let is_date = date.bytes().enumerate().all(|(place, byte)| match place {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
        is_date.then(|| &date[2..])
    }

    /// Games by the results in the metadata.
    pub(super) fn games(&self) -> Option<u64> {
        let results = self.metadata.get("results")?;
        let games = ["wins", "draws", "losses"].iter().filter_map(|name| results[name].as_u64());
        Some(games.fold(0, u64::saturating_add))
    }
}

/// Seconds before increments of a time control such as `60+0.6` or `40/10+0.1`, in which 40 counts moves.
fn base_time(text: &str) -> Option<f64> {
    let time = text.split_once('/').map_or(text, |(_, time)| time);
    let end = time.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(time.len());
    time[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn test(id: &str, metadata: Value) -> Test {
        let mut all = json!({ "start_time": "2026-01-31 23:59:59.5+00:00" });
        all.as_object_mut().expect("a map").extend(metadata.as_object().expect("a map").clone());
        Test { id: id.to_owned(), metadata: all }
    }

    #[test]
    fn tests_are_refused_for_the_first_reason_that_applies() {
        let limits = Wanted { tc_lower_limit: Some(10.0), tc_upper_limit: Some(60.0), ..Wanted::default() };
        let tc = |old: &str, new: &str| json!({ "args": { "tc": old, "new_tc": new } });
        for (metadata, refusal) in [
            (tc("60+0.6", "60+0.6"), None),
            (tc("10+0.1", "60.0+0.6"), None),
            (tc("9.9+0.1", "60+0.6"), Some(Refusal::ShortTimeControl)),
            (tc("10+0.1", "180+1.8"), Some(Refusal::LongTimeControl)),
            (tc("40/20+0.1", "20"), None),
            (tc("ten", "60+0.6"), Some(Refusal::UnknownTimeControl)),
            (tc("", "60+0.6"), Some(Refusal::NoTimeControl)),
            (json!({}), Some(Refusal::NoTimeControl)),
            (json!({ "args": { "spsa": {} } }), Some(Refusal::Spsa)),
            (json!({ "results": { "wins": 0, "losses": 0, "draws": 0 } }), Some(Refusal::Empty)),
            (json!({ "start_time": "yesterday" }), Some(Refusal::NoDay)),
            (json!({ "start_time": "2026-0\u{e9}-31" }), Some(Refusal::NoDay)),
        ] {
            assert_eq!(test("a1", metadata.clone()).refusal(&limits, false), refusal, "{metadata}");
        }
        let frc = test("a1", json!({ "args": { "book": "UHO_FRC_v1.epd" } }));
        assert_eq!(frc.refusal(&Wanted::default(), false), None);
        let standard = Wanted { standard_chess_only: true, ..Wanted::default() };
        assert_eq!(frc.refusal(&standard, false), Some(Refusal::Book));
        assert_eq!(frc.refusal(&standard, true), Some(Refusal::Known));
        for id in ["", "../../etc", "A", "a b"] {
            assert_eq!(test(id, json!({})).refusal(&Wanted::default(), false), Some(Refusal::NoIdentifier), "{id:?}");
        }
        assert_eq!(frc.day(), Some("26-01-31"));
        let forged = test("a1", json!({ "results": { "wins": u64::MAX, "losses": 1, "draws": 2 } }));
        assert_eq!(forged.games(), Some(u64::MAX), "no server may claim more games than fit, and wrap them");
    }

    #[test]
    fn only_objects_of_objects_are_pages() {
        assert_eq!(tests_of_page(json!({ "b": {}, "a": {} })).map(|tests| tests[0].id.clone()), Ok("b".to_owned()));
        for empty in [json!(null), json!({}), json!([])] {
            assert_eq!(tests_of_page(empty), Ok(Vec::new()));
        }
        for other in [json!("x"), json!([1]), json!({ "error": "not found" })] {
            assert!(tests_of_page(other.clone()).is_err(), "{other}");
        }
    }
}
