//! Whose evaluations were read, where players write their own: evaluations of several engines are on several scales.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::tags::{TagName, Tags};

/// So many names are kept.
const MOST: usize = 100;
/// So many are named in a line.
const NAMED: usize = 6;

/// The engines whose own evaluations were used, and the names of those who were not asked for. Of each 100 names at most are kept.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Engines {
    used: BTreeSet<String>,
    others: BTreeSet<String>,
}

impl Engines {
    /// Notes whose evaluations were used in a game, White's and Black's.
    pub fn note_used(&mut self, tags: &Tags, of: [bool; 2]) {
        note(&mut self.used, tags, of);
    }

    /// Notes a game in which neither player is the engine asked for.
    pub fn note_other(&mut self, tags: &Tags) {
        note(&mut self.others, tags, [true; 2]);
    }

    /// Adds what was noted elsewhere.
    pub fn add(&mut self, other: &Engines) {
        for (mine, theirs) in [(&mut self.used, &other.used), (&mut self.others, &other.others)] {
            for name in theirs {
                if mine.len() < MOST {
                    mine.insert(name.clone());
                }
            }
        }
    }

    /// Whose evaluations were used, in the order of their names.
    pub fn used(&self) -> impl ExactSizeIterator<Item = &str> {
        self.used.iter().map(String::as_str)
    }

    /// That evaluations of several engines are mixed, in a line; `None` for one engine or none.
    #[must_use]
    pub fn mixed(&self) -> Option<String> {
        let count = match self.used.len() {
            0 | 1 => return None,
            count if count < MOST => count.to_string(),
            _ => format!("{MOST} or more"),
        };
        Some(format!("evaluations of {count} engines are mixed: {}", listed(&self.used)))
    }

    /// The names found instead of those asked for; `None` if there are none.
    #[must_use]
    pub fn others(&self) -> Option<String> {
        (!self.others.is_empty()).then(|| listed(&self.others))
    }
}

fn note(names: &mut BTreeSet<String>, tags: &Tags, of: [bool; 2]) {
    let players = [TagName::White, TagName::Black].into_iter().zip(of).filter(|(_, is_noted)| *is_noted);
    for (tag, _) in players {
        let Some(bytes) = tags.get(tag).filter(|name| !name.is_empty()) else { continue };
        // Most games name an engine that is known, so most names are not copied.
        let is_known = std::str::from_utf8(bytes).is_ok_and(|name| names.contains(name));
        if names.len() < MOST && !is_known {
            names.extend(tags.text(tag));
        }
    }
}

fn listed(names: &BTreeSet<String>) -> String {
    let first: Vec<_> = names.iter().take(NAMED).map(String::as_str).collect();
    let more = if names.len() > NAMED { ", ..." } else { "" };
    format!("{}{more}", first.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_counted_once_and_named_in_a_line() {
        let tags = |white: &str, black: &str| {
            let mut tags = Tags::default();
            tags.insert(b"White", white.as_bytes());
            tags.insert(b"Black", black.as_bytes());
            tags
        };
        let mut engines = Engines::default();
        engines.note_used(&tags("A", "B"), [true, false]);
        engines.note_used(&tags("", "A"), [true, true]);
        assert_eq!((engines.mixed(), engines.used().len()), (None, 1));
        let mut more = Engines::default();
        more.note_used(&tags("A", "B"), [true, true]);
        more.note_other(&tags("C", "D"));
        engines.add(&more);
        assert_eq!(engines.mixed().as_deref(), Some("evaluations of 2 engines are mixed: A, B"));
        assert_eq!(engines.others().as_deref(), Some("C, D"));
        (0..200).for_each(|number| engines.note_used(&tags(&format!("E{number:03}"), ""), [true, false]));
        assert_eq!(
            engines.mixed().as_deref(),
            Some("evaluations of 100 or more engines are mixed: A, B, E000, E001, E002, E003, ...")
        );
    }
}
