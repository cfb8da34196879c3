//! The tag pairs of one game that somebody may ask for.

use std::borrow::Cow;
use std::ops::Range;

use drawish_core::Outcome;

use super::endings::termination;
use super::lucas_chess::{ENGINE_MALFUNCTION, WON_ON_TIME};
use super::tag_value::unescaped;

/// Endings of a game that say little about its positions: values of the Termination tag in lower case. Those of the PGN standard, of
/// which lichess writes some, those of cutechess and fastchess, `timeout` and `crash` of Banksia, and the last two of Lucas Chess.
const ABNORMAL: [&str; 35] = [
    "time forfeit",
    // Of Genetic Chess, and of the duels of engine tuners.
    "time forfeiture",
    "time expired with insufficient material",
    "forfeits on time",
    // Of home-made runners.
    "forfeit",
    "disconnect",
    "disconnected",
    "disconnection",
    "illegal",
    "illegal moves",
    "crashed",
    "engine crash",
    "time loss",
    "timed out",
    "flag",
    "flag fall",
    "flagged",
    "time forefit",
    "out of time",
    "time out",
    "aborted",
    "abandoned",
    "abandonment",
    "stalled connection",
    "illegal move",
    "unterminated",
    "rules infraction",
    "death",
    "emergency",
    "timeout",
    "crash",
    "won on time",
    "engine malfunction",
    "disconnects",
    "engine error",
];

/// The same as chess.com and clients write them, behind the name of a player or of the game: how the value ends.
const ABNORMAL_ENDS: [&str; 9] = [
    // Of home-made runners.
    " timeout",
    " returned no move",
    " engine failure",
    " drawn on time",
    " engine died",
    " won on time",
    " forfeits on time",
    "game abandoned",
    " drawn by timeout vs insufficient material",
];

/// Tags in the words of FICS and ICC.
const OF_CLIENTS: [TagName; 3] = [TagName::IccResult, TagName::ResultDescription, TagName::LongResult];

/// The tags that are kept; all others are passed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "each is the tag of that name")]
pub enum TagName {
    Event,
    Date,
    UtcDate,
    White,
    Black,
    Result,
    WhiteElo,
    BlackElo,
    TimeControl,
    WhiteTimeControl,
    BlackTimeControl,
    Termination,
    IccResult,
    ResultDescription,
    LongResult,
    Variant,
    Fen,
    PlyCount,
}

/// Their names, in their order.
const NAMES: [(TagName, &[u8]); 18] = [
    (TagName::Event, b"Event"),
    (TagName::Date, b"Date"),
    (TagName::UtcDate, b"UTCDate"),
    (TagName::White, b"White"),
    (TagName::Black, b"Black"),
    (TagName::Result, b"Result"),
    (TagName::WhiteElo, b"WhiteElo"),
    (TagName::BlackElo, b"BlackElo"),
    (TagName::TimeControl, b"TimeControl"),
    (TagName::WhiteTimeControl, b"WhiteTimeControl"),
    (TagName::BlackTimeControl, b"BlackTimeControl"),
    (TagName::Termination, b"Termination"),
    (TagName::IccResult, b"ICCResult"),
    (TagName::ResultDescription, b"ResultDescription"),
    (TagName::LongResult, b"LongResult"),
    (TagName::Variant, b"Variant"),
    (TagName::Fen, b"FEN"),
    (TagName::PlyCount, b"PlyCount"),
];

impl TagName {
    #[inline]
    fn standard(name: &[u8]) -> Option<TagName> {
        NAMES.iter().find(|(_, known)| *known == name).map(|(tag, _)| *tag)
    }

    /// The tag whose name is written in other letters, against the standard, as by hand or by programs that keep tags as columns of a
    /// database (`Iccresult`, `WhiteELO`). Not Scid's `Timecontrol`, which is in minutes.
    fn in_other_letters(name: &[u8]) -> Option<TagName> {
        let tag = NAMES.iter().find(|(_, known)| known.eq_ignore_ascii_case(name))?.0;
        (name != b"Timecontrol").then_some(tag)
    }
}

/// Whether a tag of this name is one of [`TagName`], if only the two that say where and by which rules a game begins may be written in
/// other letters: words that are no tags are not to be taken for one.
pub(super) fn is_kept(name: &[u8]) -> bool {
    TagName::standard(name).is_some() || [&b"FEN"[..], b"Variant"].iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// The value of a tag as text, from the bytes between its quotes: escapes are resolved, and what is not UTF-8 is read as Latin-1.
#[must_use]
pub fn tag_text(value: &[u8]) -> String {
    text_of(&unescaped(value))
}

/// The kept tags of one game, in memory that is used again for the next.
#[derive(Debug, Default)]
pub struct Tags {
    bytes: Vec<u8>,
    places: [Option<Range<usize>>; NAMES.len()],
    /// No value has an escape, so that none is looked for.
    plain: bool,
}

impl Tags {
    /// Is told whether the text to come has no backslash anywhere.
    pub(super) fn expect_plain(&mut self, plain: bool) {
        self.plain = plain;
    }

    /// Forgets everything, for the next game.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.places = Default::default();
    }

    /// Keeps a tag if its name is one of [`TagName`]; of a tag given twice the last value counts, but one whose name is in other letters
    /// does not take the place of another. Whether it was given before.
    pub fn insert(&mut self, name: &[u8], value: &[u8]) -> bool {
        let standard = TagName::standard(name);
        let Some(tag) = standard.or_else(|| TagName::in_other_letters(name)) else { return false };
        let is_there = self.places[tag as usize].is_some();
        if is_there && standard.is_none() {
            return true;
        }
        let start = self.bytes.len();
        if self.plain {
            self.bytes.extend_from_slice(value);
        } else {
            self.bytes.extend_from_slice(&unescaped(value));
        }
        self.places[tag as usize] = Some(start..self.bytes.len());
        is_there
    }

    /// The value with its escapes resolved, without blanks at its ends.
    #[must_use]
    pub fn get(&self, name: TagName) -> Option<&[u8]> {
        self.places[name as usize].clone().map(|place| self.bytes[place].trim_ascii())
    }

    /// The value as text: what is not UTF-8 is read as Latin-1.
    #[must_use]
    pub fn text(&self, name: TagName) -> Option<String> {
        self.get(name).map(text_of)
    }

    /// The date as year, month and day, as far as it is known: of the UTCDate tag where a Date is missing, as in Lichess' older archives.
    #[must_use]
    pub fn date(&self) -> Option<&[u8]> {
        let is_known = |date: &&[u8]| date.first().is_some_and(u8::is_ascii_digit) && !date.starts_with(b"0000");
        let of = |name| self.get(name).filter(is_known);
        of(TagName::Date).or_else(|| of(TagName::UtcDate))
    }

    /// The time control of both players: of the TimeControl tag, or, where that is missing or unknown (`?`), of those of White and Black, which
    /// cutechess, fast-chess and TCEC write in its place, if they are the same.
    #[must_use]
    pub fn time_control(&self) -> Option<&[u8]> {
        let of_both = self.get(TagName::TimeControl);
        of_both
            .filter(|value| !matches!(*value, b"" | b"?"))
            .or_else(|| {
                let white = self.get(TagName::WhiteTimeControl)?;
                (self.get(TagName::BlackTimeControl)? == white).then_some(white)
            })
            .or(of_both)
    }

    /// The value as a whole number; `None` if absent or anything else.
    #[must_use]
    pub fn number(&self, name: TagName) -> Option<u32> {
        str::from_utf8(self.get(name)?).ok()?.parse().ok()
    }

    /// A rating; `None` if absent, 0 or anything else. One letter or sign that marks it as provisional or estimated may stand behind it:
    /// `1586?` of pychess.org, `1586E` and `1586P` of FICS.
    #[must_use]
    pub fn rating(&self, name: TagName) -> Option<u32> {
        let text = str::from_utf8(self.get(name)?).ok()?;
        let number = text.strip_suffix(['?', 'E', 'P', 'e', 'p']).unwrap_or(text).trim_end();
        number.parse().ok().filter(|&rating| rating > 0)
    }

    /// What the Result tag says, also in other spellings: `1/2`, `½-½`, `0.5-0.5`, `1.0-0.0`, `1:0`, and with other dashes or blanks.
    #[must_use]
    pub fn result(&self) -> ResultTag {
        match self.get(TagName::Result) {
            None => ResultTag::Absent,
            Some(b"1-0") => ResultTag::Known(Outcome::WhiteWin),
            Some(b"1/2-1/2") => ResultTag::Known(Outcome::Draw),
            Some(b"0-1") => ResultTag::Known(Outcome::BlackWin),
            Some(value) => result_in_other_words(value).map_or(ResultTag::Other, ResultTag::Known),
        }
    }

    /// Whether the Termination tag says that the game ended on time, was abandoned or interrupted, or broke the rules, in upper or lower
    /// case: time forfeit, timeout, abandoned, stalled connection, unterminated, illegal move, rules infraction, death, emergency,
    /// crash, disconnects, won on time or engine malfunction (in all languages of Lucas Chess), what chess.com writes of them in English (`NAME won on
    /// time`), or the words of comments (`White makes an illegal move`) and home-made runners (`time_forfeit`). So it is if ICC's tag ICCResult, ResultDescription of the client Raptor, or LongResult of the database of FICS, says so: `White forfeits on time`. Games of which only the
    /// last comment does are given a Termination tag when they are read.
    #[must_use]
    pub fn ended_abnormally(&self) -> bool {
        let ends_in = |value: &[u8], ending: &str| {
            let at = value.len().checked_sub(ending.len());
            at.is_some_and(|at| value[at..].eq_ignore_ascii_case(ending.as_bytes()))
        };
        let values =
            self.get(TagName::Termination).into_iter().flat_map(|value| [Cow::Borrowed(value), of_constant(value)]);
        values.into_iter().any(|value| {
            let value = &*value;
            // chess.com writes it behind the name of a player, who may be called Timed_out.
            let behind = |words: &[u8]| memchr::memmem::rfind(value, words).map(|at| &value[at + words.len()..]);
            let said = BY.into_iter().find_map(behind).unwrap_or(value);
            ABNORMAL.iter().any(|ending| said.eq_ignore_ascii_case(ending.as_bytes()))
                || ABNORMAL_ENDS.iter().any(|ending| ends_in(value, ending))
                // In any words of theirs: `illegal or missing engine move`, `illegal move by NAME`.
                || said.to_ascii_lowercase().windows(ILLEGAL.len()).any(|word| word == ILLEGAL)
                // Lucas Chess 11 names the move behind it.
                || value.starts_with(b"Engine error: ")
                || WON_ON_TIME.iter().chain(&ENGINE_MALFUNCTION).any(|words| value == words.as_bytes())
                // In the words of comments; but TCEC writes `time` of games that its own table counts.
                || !value.eq_ignore_ascii_case(b"time") && termination(said).is_some()
        }) || OF_CLIENTS.into_iter().filter_map(|name| self.get(name)).any(|words| termination(words).is_some())
    }
}

const BY: [&[u8]; 3] = [b" won by ", b" wins by ", b" drawn by "];
const ILLEGAL: &[u8] = b"illegal";

/// The words of a value that is the name of a constant, as home-made runners write it: `illegal_move`, `illegal-move`, `IllegalMove`,
/// `LOST_ON_TIME`. Other values as they are.
fn of_constant(value: &[u8]) -> Cow<'_, [u8]> {
    if value.contains(&b' ') {
        return Cow::Borrowed(value);
    }
    let mut words = Vec::with_capacity(value.len() + 1);
    for (at, &byte) in value.iter().enumerate() {
        let begins_word = byte.is_ascii_uppercase() && at > 0 && value[at - 1].is_ascii_lowercase();
        words.extend(begins_word.then_some(b' '));
        words.push(if matches!(byte, b'_' | b'-') { b' ' } else { byte.to_ascii_lowercase() });
    }
    Cow::Owned(words)
}

/// What the Result tag says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultTag {
    /// There is none.
    Absent,
    /// `1-0`, `1/2-1/2` or `0-1`, however it is spelled.
    Known(Outcome),
    /// Anything else, `*` included.
    Other,
}

/// What word processors and pages of the web put in the place of a hyphen.
pub(crate) fn is_dash(letter: char) -> bool {
    matches!(letter, '\u{2010}'..='\u{2014}' | '\u{2212}')
}

/// If only some results were written otherwise and not read, the others alone would count: a file has all of them in one form (`1.0-0.0`,
/// `½:½`), or draws shorter (`1/2`). A number alone may be White's score or a code (1, 0 and -1).
fn result_in_other_words(value: &[u8]) -> Option<Outcome> {
    let text: String = text_of(value).split_whitespace().collect();
    let text = text.replace(|letter| letter == ':' || is_dash(letter), "-").replace(',', ".");
    match &*text.replace("1.0", "1").replace("0.0", "0").replace('½', "1/2").replace("0.5-0.5", "1/2") {
        "1-0" => Some(Outcome::WhiteWin),
        "1/2-1/2" | "1/2" => Some(Outcome::Draw),
        "0-1" => Some(Outcome::BlackWin),
        _ => None,
    }
}

/// What is not UTF-8 is read as Latin-1.
pub(super) fn text_of(bytes: &[u8]) -> String {
    str::from_utf8(bytes).map_or_else(|_| bytes.iter().copied().map(char::from).collect(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_kept_trimmed_decoded_and_forgotten() {
        let mut tags = Tags::default();
        tags.insert(b"Result", b" 1-0 ");
        tags.insert(b"White", b"M\xfcller, \\\"Hans\\\"");
        tags.insert(b"Event", b"a\\\\\\\"");
        tags.insert(b"Black", "Çelik".as_bytes());
        tags.insert(b"WhiteElo", b"2500");
        tags.insert(b"BlackElo", b"?");
        tags.insert(b"Opening", b"unknown tag");
        tags.insert(b"Fen", b"8/8");
        tags.insert(b"VARIANT", b"Atomic");
        for (name, value) in [
            ("Timecontrol", "3+0"),
            ("Iccresult", "White forfeits on time"),
            ("whiteELO", "1"),
            ("WhiteTimecontrol", "60+1"),
            ("TIMECONTROL", "60"),
        ] {
            tags.insert(name.as_bytes(), value.as_bytes());
        }
        assert_eq!(tags.get(TagName::IccResult), Some(&b"White forfeits on time"[..]));
        assert_eq!(tags.get(TagName::WhiteTimeControl), Some(&b"60+1"[..]));
        assert_eq!(tags.get(TagName::TimeControl), Some(&b"60"[..]), "that of Scid is in minutes");
        assert_eq!((tags.get(TagName::Fen), tags.get(TagName::Variant)), (Some(&b"8/8"[..]), Some(&b"Atomic"[..])));
        assert_eq!(tags.get(TagName::Result), Some(&b"1-0"[..]));
        assert_eq!(tags.text(TagName::White).as_deref(), Some("Müller, \"Hans\""));
        assert_eq!(tags.get(TagName::White), Some(&b"M\xfcller, \"Hans\""[..]));
        assert_eq!(tags.get(TagName::Event), Some(&b"a\\\""[..]));
        assert_eq!(tags.text(TagName::Black).as_deref(), Some("Çelik"));
        assert_eq!(tags.number(TagName::WhiteElo), Some(2500));
        assert_eq!((tags.number(TagName::BlackElo), tags.rating(TagName::BlackElo)), (None, None));
        for (text, rating) in [("1586?", 1586), ("1586E", 1586), ("1700P", 1700), ("1500 ?", 1500), ("2500", 2500)] {
            let mut tags = Tags::default();
            tags.insert(b"WhiteElo", text.as_bytes());
            assert_eq!(tags.rating(TagName::WhiteElo), Some(rating), "{text}");
        }
        for text in ["0", "0P", "?", "-", "", "GM", "1586??", "1586 1600"] {
            let mut tags = Tags::default();
            tags.insert(b"WhiteElo", text.as_bytes());
            assert_eq!(tags.rating(TagName::WhiteElo), None, "{text}");
        }
        tags.insert(b"Result", b"0-1");
        assert_eq!(tags.get(TagName::Result), Some(&b"0-1"[..]), "the last value counts");
        tags.clear();
        assert_eq!(tags.get(TagName::Result), None);
    }

    #[test]
    fn names_stand_in_their_order() {
        assert!(NAMES.iter().enumerate().all(|(at, (tag, _))| *tag as usize == at));
    }

    #[test]
    fn a_date_may_be_that_of_lichess() {
        for (date, utc, expected) in [
            (Some("2013.01.02"), Some("2013.01.01"), Some("2013.01.02")),
            (None, Some("2013.01.01"), Some("2013.01.01")),
            (Some("????.??.??"), Some("2013.01.01"), Some("2013.01.01")),
            (Some("1999.??.??"), None, Some("1999.??.??")),
            (Some("0000.00.00"), Some("2013.01.01"), Some("2013.01.01")),
            (Some(""), None, None),
        ] {
            let mut tags = Tags::default();
            for (name, value) in [("Date", date), ("UTCDate", utc)] {
                value.map(|value| tags.insert(name.as_bytes(), value.as_bytes()));
            }
            assert_eq!(tags.date(), expected.map(str::as_bytes), "{date:?} {utc:?}");
        }
    }

    #[test]
    fn results_are_known_in_other_spellings() {
        for (expected, spellings) in [
            (ResultTag::Known(Outcome::Draw), "1/2-1/2|1/2|½-½|½|0.5-0.5|0,5-0,5|1/2 - 1/2|1/2–1/2|½:½"),
            (ResultTag::Known(Outcome::WhiteWin), "1-0|1:0|1 - 0|1–0|1.0-0.0|1,0-0,0|1.0 : 0.0|1.0-0"),
            (ResultTag::Known(Outcome::BlackWin), "0-1|0:1|0 - 1|0\u{2212}1|0.0-1.0|0,0–1,0|0-1.0"),
            (ResultTag::Other, "*|?|1-1|0-0|1/2-0|1-0 (time)|+-|1|0|0.5|1.0|0.0|10-0|draw"),
        ] {
            for spelling in spellings.split('|') {
                let mut tags = Tags::default();
                tags.insert(b"Result", spelling.as_bytes());
                assert_eq!(tags.result(), expected, "{spelling}");
            }
        }
        let mut tags = Tags::default();
        tags.insert(b"Result", b"\xbd-\xbd");
        assert_eq!(tags.result(), ResultTag::Known(Outcome::Draw), "in Latin-1");
    }

    #[test]
    fn text_of_a_value_is_decoded() {
        assert_eq!(tag_text(b"M\xfcller, \\\"Hans\\\""), "Müller, \"Hans\"");
        assert_eq!(tag_text("Çelik".as_bytes()), "Çelik");
    }
}
