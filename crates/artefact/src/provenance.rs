//! Which build made a file, and from which inputs.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use thiserror::Error;

static COMMIT: OnceLock<&'static str> = OnceLock::new();

/// Sets the commit that [`made_by`] names. A program calls it once, when it starts; only the first call counts.
///
/// The commit comes from the program, not from this crate, so that a new commit rebuilds the program and nothing else.
pub fn set_commit(commit: &'static str) {
    let _ = COMMIT.set(commit);
}

/// Name, version and commit, as in `drawish 0.1.0 (git 0123456789ab)`; the commit is `unknown` where no program has set it.
#[must_use]
pub fn made_by() -> String {
    format!("drawish {} (git {})", env!("CARGO_PKG_VERSION"), COMMIT.get().unwrap_or(&"unknown"))
}

/// A text as it may stand in a comment of a source file, in one line whatever it holds: file names may contain line ends.
///
/// Characters that end or reorder lines are written as `\u{a}`; `*/` and `/*` are parted, so that C cannot read them as ends or
/// beginnings of comments, and trigraphs (`??/`), of which compilers warn.
#[must_use]
pub fn in_comment(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for char in text.chars() {
        if char.is_control() || reorders(char) {
            line.extend(char.escape_unicode());
        } else {
            // The end of a comment, the beginning of another, and what older C takes for one of its signs.
            let is_trigraph = line.ends_with("??") && "=/'()!<>-".contains(char);
            if is_trigraph || matches!((line.chars().next_back(), char), (Some('*'), '/') | (Some('/'), '*')) {
                line.push(' ');
            }
            line.push(char);
        }
    }
    line
}

/// Whether a character ends lines or turns the text around without being a control character.
fn reorders(char: char) -> bool {
    let turns = matches!(char, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || matches!(char, '\u{2028}' | '\u{2029}')
}

/// A text for people in which control characters, but for line ends and tabs, and those that reorder lines are shown, as `\u{1b}`,
/// and not obeyed: names in files may hold any.
#[must_use]
pub fn harmless(text: &str) -> Cow<'_, str> {
    shown(text, |char| char.is_control() && !matches!(char, '\n' | '\t') || reorders(char))
}

/// The same of a name, in one line whatever it holds: a file whose name holds a line end could put lines of its own into messages.
#[must_use]
pub fn in_one_line(name: &str) -> Cow<'_, str> {
    shown(name, |char| char.is_control() || reorders(char))
}

fn shown(text: &str, is_obeyed: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for char in text.chars() {
        if is_obeyed(char) {
            shown.extend(char.escape_unicode());
        } else {
            shown.push(char);
        }
    }
    Cow::Owned(shown)
}

/// XXH3-128 of the bytes of a file, compressed as it is. In files and messages it is 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(pub u128);

/// A text that is not a [`Digest`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("expected a digest of 32 hexadecimal digits, found {0:?}")]
pub struct DigestError(String);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Digest, DigestError> {
        let is_hexadecimal = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = is_hexadecimal.then(|| u128::from_str_radix(text, 16).ok()).flatten();
        value.map(Digest).ok_or_else(|| DigestError(text.to_owned()))
    }
}

impl TryFrom<String> for Digest {
    type Error = DigestError;

    fn try_from(text: String) -> Result<Digest, DigestError> {
        text.parse()
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> String {
        digest.to_string()
    }
}

/// An input from which a file was made, and what became of its games.
///
/// # Stability
///
/// Row files, heads and WDL counts hold records of this form. Fields may be added, and are then optional.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct InputRecord {
    /// The name of the file, without directories.
    pub name: String,
    /// XXH3-128 of the file. Two inputs with the same digest are the same games.
    pub xxh3_128: Digest,
    /// XXH3-128 of what a compressed file contains, up to where it breaks. Absent where the file is not compressed, and unknown in
    /// files of version 0.1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unpacked_xxh3_128: Option<Digest>,
    /// Length of the file in bytes, compressed as it is; unknown in files of version 0.1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Games read.
    pub games: u64,
    /// Games among them that were used.
    pub counted: u64,
    /// Positions taken from them, where positions are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// Why reading ended before the end of the file, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
}

impl InputRecord {
    /// Whether both stand for the same games: the same file, or the same content compressed differently or not at all. Inputs
    /// without games, such as empty files and those that could not be opened, are all alike and share nothing.
    #[must_use]
    pub fn shares_games_with(&self, other: &InputRecord) -> bool {
        let holds_any = |input: &InputRecord| input.games > 0 || input.positions.is_some_and(|positions| positions > 0);
        let content = |input: &InputRecord| input.unpacked_xxh3_128.unwrap_or(input.xxh3_128);
        // A record of version 0.1 knows a compressed file by its own bytes only.
        let same = self.xxh3_128 == other.xxh3_128 || content(self) == content(other);
        same && holds_any(self) && holds_any(other)
    }
}

/// The first of these inputs with which games or positions are more than 2^64 - 1 in all, which nothing can have counted; `None` if
/// their sums fit.
#[must_use]
pub fn first_beyond_counting<'a>(inputs: impl IntoIterator<Item = &'a InputRecord>) -> Option<&'a InputRecord> {
    let mut sums = [0_u64; 3];
    inputs.into_iter().find(|input| {
        let numbers = [input.games, input.counted, input.positions.unwrap_or(0)];
        sums.iter_mut().zip(numbers).any(|(sum, number)| {
            let (next, wraps) = sum.overflowing_add(number);
            *sum = next;
            wraps
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_32_digits() {
        let digest = Digest(0x0682);
        assert_eq!(digest.to_string(), "00000000000000000000000000000682");
        assert_eq!(digest.to_string().parse(), Ok(digest));
        for wrong in ["", "682", "+0000000000000000000000000000682", "g0000000000000000000000000000682"] {
            assert_eq!(wrong.parse::<Digest>(), Err(DigestError(wrong.to_owned())));
        }
    }

    #[test]
    fn inputs_are_the_same_by_what_they_contain() {
        let of = |file: u128, unpacked: Option<u128>, games| InputRecord {
            xxh3_128: Digest(file),
            unpacked_xxh3_128: unpacked.map(Digest),
            games,
            ..InputRecord::default()
        };
        let (plain, gzip, zstd, old) = (of(1, None, 9), of(2, Some(1), 9), of(3, Some(1), 9), of(2, None, 9));
        for (one, other) in [(&plain, &gzip), (&gzip, &zstd), (&gzip, &old), (&plain, &plain)] {
            assert!(one.shares_games_with(other) && other.shares_games_with(one), "{one:?} {other:?}");
        }
        for (one, other) in [(&plain, &of(4, None, 9)), (&plain, &old), (&gzip, &of(1, None, 0))] {
            assert!(!one.shares_games_with(other) && !other.shares_games_with(one), "{one:?} {other:?}");
        }
    }

    #[test]
    fn what_would_be_obeyed_is_shown() {
        assert!(matches!(harmless("a\tb\nZüge"), Cow::Borrowed("a\tb\nZüge")));
        assert_eq!(harmless("\u{1b}[2J\r\u{85}\u{202e}x\n"), "\\u{1b}[2J\\u{d}\\u{85}\\u{202e}x\n");
        assert_eq!(in_one_line("a\nnote: b\t"), "a\\u{a}note: b\\u{9}");
    }

    #[test]
    fn sums_that_would_wrap_are_found() {
        let of = |games, positions| InputRecord { games, positions, ..InputRecord::default() };
        let inputs = [of(u64::MAX, None), of(0, Some(u64::MAX)), of(0, Some(1))];
        assert_eq!(first_beyond_counting(&inputs[..2]), None);
        assert_eq!(first_beyond_counting(&inputs), Some(&inputs[2]));
        assert_eq!(first_beyond_counting([&inputs[0], &inputs[0]]), Some(&inputs[0]));
    }

    #[test]
    fn no_name_leaves_its_comment() {
        for (name, expected) in [
            ("games.pgn", "games.pgn"),
            ("Züge (2).pgn", "Züge (2).pgn"),
            ("a\npub fn evil() {}\n.pgn", "a\\u{a}pub fn evil() {}\\u{a}.pgn"),
            ("a\r\u{85}\u{2028}\u{2029}\u{b}\u{c}\0", "a\\u{d}\\u{85}\\u{2028}\\u{2029}\\u{b}\\u{c}\\u{0}"),
            ("*/ int evil; /*", "* / int evil; / *"),
            ("**//**/", "** // ** /"),
            ("/*/", "/ * /"),
            ("why??/", "why?? /"),
            ("????.??.??", "????.??.??"),
            ("\u{202e}a\u{2066}", "\\u{202e}a\\u{2066}"),
        ] {
            let line = in_comment(name);
            assert_eq!(line, expected);
            assert!(!line.contains("*/") && !line.contains("/*"));
        }
    }
}
