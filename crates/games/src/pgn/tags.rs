//! The tag pairs of one game that somebody may ask for.

use std::ops::Range;

use drawish_core::Outcome;

use super::tag_pair::unescaped;

/// Endings of a game that say little about its positions: values of the Termination tag in lower case. Those of the PGN standard, of
/// which lichess writes some, those of cutechess and fastchess, and `timeout` and `crash` of Banksia.
const ABNORMAL: [&str; 10] = [
    "time forfeit",
    "abandoned",
    "stalled connection",
    "illegal move",
    "unterminated",
    "rules infraction",
    "death",
    "emergency",
    "timeout",
    "crash",
];

/// The same as chess.com writes them, behind the name of a player or of the game: how the value ends.
const ABNORMAL_ENDS: [&str; 3] = [" won on time", "game abandoned", " drawn by timeout vs insufficient material"];

/// The tags that are kept; all others are passed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "each is the tag of that name")]
pub enum TagName {
    Event,
    Date,
    White,
    Black,
    Result,
    WhiteElo,
    BlackElo,
    TimeControl,
    Termination,
    Variant,
    Fen,
    PlyCount,
}

impl TagName {
    const COUNT: usize = TagName::PlyCount as usize + 1;

    #[inline]
    fn from_bytes(name: &[u8]) -> Option<TagName> {
        Some(match name {
            b"Event" => TagName::Event,
            b"Date" => TagName::Date,
            b"White" => TagName::White,
            b"Black" => TagName::Black,
            b"Result" => TagName::Result,
            b"WhiteElo" => TagName::WhiteElo,
            b"BlackElo" => TagName::BlackElo,
            b"TimeControl" => TagName::TimeControl,
            b"Termination" => TagName::Termination,
            b"Variant" => TagName::Variant,
            b"FEN" => TagName::Fen,
            b"PlyCount" => TagName::PlyCount,
            // In other letters, against the standard, they still say where and by which rules a game begins.
            _ if name.eq_ignore_ascii_case(b"FEN") => TagName::Fen,
            _ if name.eq_ignore_ascii_case(b"Variant") => TagName::Variant,
            _ => return None,
        })
    }
}

/// Whether a tag of this name is one of [`TagName`].
pub(super) fn is_kept(name: &[u8]) -> bool {
    TagName::from_bytes(name).is_some()
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
    places: [Option<Range<usize>>; TagName::COUNT],
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

    /// Keeps a tag if its name is one of [`TagName`]; of a tag given twice the last value counts. Whether it was given before.
    pub fn insert(&mut self, name: &[u8], value: &[u8]) -> bool {
        TagName::from_bytes(name).is_some_and(|name| {
            let start = self.bytes.len();
            if self.plain {
                self.bytes.extend_from_slice(value);
            } else {
                self.bytes.extend_from_slice(&unescaped(value));
            }
            self.places[name as usize].replace(start..self.bytes.len()).is_some()
        })
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

    /// The value as a whole number; `None` if absent or anything else.
    #[must_use]
    pub fn number(&self, name: TagName) -> Option<u32> {
        str::from_utf8(self.get(name)?).ok()?.parse().ok()
    }

    /// What the Result tag says.
    #[must_use]
    pub fn result(&self) -> ResultTag {
        match self.get(TagName::Result) {
            None => ResultTag::Absent,
            Some(b"1-0") => ResultTag::Known(Outcome::WhiteWin),
            Some(b"1/2-1/2") => ResultTag::Known(Outcome::Draw),
            Some(b"0-1") => ResultTag::Known(Outcome::BlackWin),
            Some(_) => ResultTag::Other,
        }
    }

    /// Whether the Termination tag says that the game ended on time, was abandoned or interrupted, or broke the rules, in upper or lower
    /// case: time forfeit, timeout, abandoned, stalled connection, unterminated, illegal move, rules infraction, death, emergency or
    /// crash, or what chess.com writes of them in English (`NAME won on time`).
    #[must_use]
    pub fn ended_abnormally(&self) -> bool {
        let ends_in = |value: &[u8], ending: &str| {
            let at = value.len().checked_sub(ending.len());
            at.is_some_and(|at| value[at..].eq_ignore_ascii_case(ending.as_bytes()))
        };
        self.get(TagName::Termination).is_some_and(|value| {
            ABNORMAL.iter().any(|ending| value.eq_ignore_ascii_case(ending.as_bytes()))
                || ABNORMAL_ENDS.iter().any(|ending| ends_in(value, ending))
        })
    }
}

/// What the Result tag says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultTag {
    /// There is none.
    Absent,
    /// `1-0`, `1/2-1/2` or `0-1`.
    Known(Outcome),
    /// Anything else, `*` included.
    Other,
}

fn text_of(bytes: &[u8]) -> String {
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
        assert_eq!((tags.get(TagName::Fen), tags.get(TagName::Variant)), (Some(&b"8/8"[..]), Some(&b"Atomic"[..])));
        assert_eq!(tags.get(TagName::Result), Some(&b"1-0"[..]));
        assert_eq!(tags.text(TagName::White).as_deref(), Some("Müller, \"Hans\""));
        assert_eq!(tags.get(TagName::White), Some(&b"M\xfcller, \"Hans\""[..]));
        assert_eq!(tags.get(TagName::Event), Some(&b"a\\\""[..]));
        assert_eq!(tags.text(TagName::Black).as_deref(), Some("Çelik"));
        assert_eq!(tags.number(TagName::WhiteElo), Some(2500));
        assert_eq!(tags.number(TagName::BlackElo), None);
        tags.insert(b"Result", b"0-1");
        assert_eq!(tags.get(TagName::Result), Some(&b"0-1"[..]), "the last value counts");
        tags.clear();
        assert_eq!(tags.get(TagName::Result), None);
    }

    #[test]
    fn text_of_a_value_is_decoded() {
        assert_eq!(tag_text(b"M\xfcller, \\\"Hans\\\""), "Müller, \"Hans\"");
        assert_eq!(tag_text("Çelik".as_bytes()), "Çelik");
    }
}
