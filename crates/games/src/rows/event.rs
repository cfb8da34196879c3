//! Which rows belong to one event.

use std::sync::Arc;

use twox_hash::XxHash3_64;

/// What tells the games of one event from those of another. Games of one event depend on each other: folds and standard
/// errors keep them together.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum EventKey {
    /// Event and year, or both players.
    Named(Arc<str>),
    /// The opening skeleton of a game that names neither an event nor both players.
    Opening(u64),
}

impl EventKey {
    /// The key of a row with this event and this opening skeleton; an empty event is no name.
    #[must_use]
    pub fn of(event: &Arc<str>, skeleton: u64) -> EventKey {
        if event.is_empty() { EventKey::Opening(skeleton) } else { EventKey::Named(event.clone()) }
    }

    /// A hash that is the same on every machine: folds are dealt out by it.
    #[must_use]
    pub fn digest(&self) -> u64 {
        match self {
            EventKey::Named(name) => XxHash3_64::oneshot(name.as_bytes()),
            // Rows once had such a name in the place of a key: the folds are still the same.
            EventKey::Opening(skeleton) => XxHash3_64::oneshot(format!("opening {skeleton:016x}").as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_without_a_name_belongs_to_its_opening() {
        let key = |event: &str| EventKey::of(&event.into(), 0xabc);
        assert_eq!(key(""), EventKey::Opening(0xabc));
        assert_eq!(key("opening 0000000000000abc").digest(), key("").digest());
        assert_ne!(key("opening 0000000000000abc"), key(""));
    }
}
