//! Which build made a file.

use std::sync::OnceLock;

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
/// beginnings of comments.
#[must_use]
pub fn in_comment(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for char in text.chars() {
        let reorders =
            matches!(char, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if char.is_control() || reorders || matches!(char, '\u{2028}' | '\u{2029}') {
            line.extend(char.escape_unicode());
        } else {
            if matches!((line.chars().next_back(), char), (Some('*'), '/') | (Some('/'), '*')) {
                line.push(' ');
            }
            line.push(char);
        }
    }
    line
}

/// An input from which a file was made.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct InputProvenance {
    /// The name of the file.
    pub name: String,
    /// XXH3-128 of the file, packed as it is, in hexadecimal digits.
    pub xxh3_128: String,
    /// Games read.
    pub games: u64,
    /// Games with rows.
    pub counted: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("\u{202e}a\u{2066}", "\\u{202e}a\\u{2066}"),
        ] {
            let line = in_comment(name);
            assert_eq!(line, expected);
            assert!(!line.contains("*/") && !line.contains("/*"));
        }
    }
}
