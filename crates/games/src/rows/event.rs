//! Which rows belong to one event.

use std::collections::HashMap;
use std::sync::Arc;

use twox_hash::XxHash3_64;

use super::Rows;

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

/// The events of rows and the lines in which their games begin, both numbered from 0 in the order in which they come. A game that stands in
/// several events, as databases name them, belongs to the first with all its copies. Games that only begin alike stay in the events that they
/// name, for then no order of the games changes anything; that they depend on each other, their line says.
#[derive(Clone, Default, Debug)]
pub(crate) struct Events {
    numbers: HashMap<EventKey, u32>,
    games: HashMap<u64, Seen>,
    /// What is known of each line by its first game; of one that is a whole game, as in files without lines, that game tells it.
    lines: HashMap<u64, Seen>,
    /// How many lines there are.
    line_count: u32,
    /// The last row's game with its line, as they are named, and its event: most rows are of the game of the row before.
    last: Option<(u64, u64, EventKey, Seen, u32)>,
    copies: usize,
    copies_within: usize,
    rows: usize,
    boards: usize,
    /// Rows of files whose rule says that they are positions without games.
    loose: usize,
}

/// A game, or the first of a line.
#[derive(Clone, Copy, Debug)]
struct Seen {
    event: u32,
    line: u32,
    /// The ply of its first row.
    ply: u16,
}

/// By what a row depends on others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Origin {
    /// The number of its event.
    pub event: u32,
    /// The number of the line in which its game begins.
    pub line: u32,
}

impl Events {
    /// Where a row comes from.
    pub(crate) fn of(&mut self, rows: &Rows, row: usize) -> Origin {
        let (game, line, key, ply) = (rows.games[row], rows.line(row), rows.event(row), rows.plies[row]);
        self.rows += 1;
        // A game that has no name has one position before its first move.
        self.boards += usize::from(ply == 0 && matches!(key, EventKey::Opening(_)));
        // Rows of one game may stand apart or in any order, but a game has one position at a ply: the ply of its first row comes again
        // with each copy, and only there. Boards of training data have no name and are no games: equal ones have one key.
        let is_copy = |first: u16| ply == first && matches!(key, EventKey::Named(_));
        if let Some((last, last_line, last_key, first, event)) = &self.last
            && (*last, *last_line, last_key) == (game, line, &key)
        {
            self.copies_within += usize::from(is_copy(first.ply));
            return Origin { event: *event, line: first.line };
        }
        let (own, named) = (self.games.get(&game).copied(), self.numbers.get(&key).copied());
        let known = self.lines.get(&line).or_else(|| self.games.get(&line)).copied().or(own);
        let here = |seen: &Seen| named == Some(seen.event);
        match known.filter(here).or(own.filter(here)) {
            Some(seen) => self.copies_within += usize::from(is_copy(seen.ply)),
            None => self.copies += usize::from(known.is_some()),
        }
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        let event = own.map_or_else(|| *self.numbers.entry(key.clone()).or_insert(next), |seen| seen.event);
        let first = known.unwrap_or(Seen { event, line: self.line_count, ply });
        self.line_count += u32::from(known.is_none());
        if line != game {
            self.lines.entry(line).or_insert(first);
        }
        self.games.entry(game).or_insert(Seen { event, line: first.line, ply });
        self.last = Some((game, line, key, first, event));
        Origin { event, line: first.line }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// How many lines there are.
    pub(crate) fn lines(&self) -> usize {
        self.line_count as usize
    }

    /// Each event with its number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&EventKey, u32)> {
        self.numbers.iter().map(|(key, &event)| (key, event))
    }

    /// A hash of each line by its number, which does not depend on the order in which they came.
    pub(crate) fn line_digests(&self) -> Vec<u64> {
        let mut digests = vec![u64::MAX; self.lines()];
        for (&key, seen) in self.lines.iter().chain(&self.games) {
            let digest = &mut digests[seen.line as usize];
            *digest = key.min(*digest);
        }
        digests
    }

    /// A hash of each event by its number, which is the same on every machine.
    pub(crate) fn digests(&self) -> Vec<u64> {
        let mut digests = vec![0; self.len()];
        for (key, event) in self.iter() {
            digests[event as usize] = key.digest();
        }
        digests
    }

    /// The games and their lines.
    pub(crate) fn games(&self) -> impl Iterator<Item = u64> {
        self.games.keys().chain(self.lines.keys().filter(|line| !self.games.contains_key(line))).copied()
    }

    /// Whether a game is here, or begins with this line.
    pub(crate) fn has_game(&self, game: u64) -> bool {
        self.games.contains_key(&game) || self.lines.contains_key(&game)
    }

    /// Counts so many rows as positions whose games are not known.
    pub(crate) fn add_loose(&mut self, rows: usize) {
        self.loose += rows;
    }

    /// How many rows are positions whose games are not known: those of files whose rule says so, or else those that look so, where these
    /// are most.
    pub(crate) fn boards(&self) -> Option<usize> {
        match self.loose {
            0 => (2 * self.boards > self.rows).then_some(self.boards),
            loose => Some(loose),
        }
    }

    /// How many games came again under the name of another event.
    pub(crate) fn copies(&self) -> usize {
        self.copies
    }

    /// How many games came again under the name of their own event.
    pub(crate) fn copies_within(&self) -> usize {
        self.copies_within
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_belongs_to_the_event_that_it_stood_in_first() {
        let (mut events, mut rows) = (Events::default(), Rows::new());
        let mut of = |games: &[(u64, &str)]| -> Vec<u32> {
            rows.games = games.iter().map(|(game, _)| *game).collect();
            rows.events = games.iter().map(|(_, event)| (*event).into()).collect();
            rows.skeletons = vec![7; games.len()];
            rows.plies = (0..).take(games.len()).collect();
            (0..games.len()).map(|row| events.of(&rows, row).event).collect()
        };
        assert_eq!(of(&[(1, "a"), (1, "a"), (2, "a"), (3, "b"), (3, "b"), (4, "")]), [0, 0, 0, 1, 1, 2]);
        // Copies in other files, a new event of copies alone, and a game with rows in both.
        assert_eq!(of(&[(1, "c"), (1, "c"), (3, "c"), (4, "d"), (5, "b"), (2, "a")]), [0, 0, 1, 2, 1, 0]);
        assert_eq!(of(&[(6, "c"), (6, "a")]), [3, 3]);
        assert_eq!((events.len(), events.copies()), (4, 4));
    }

    #[test]
    fn games_that_begin_alike_stay_in_their_events_and_have_one_line() {
        let (mut events, mut rows) = (Events::default(), Rows::new());
        rows.games = vec![1, 2, 3, 2];
        rows.lines = vec![7, 7, 8, 7];
        rows.events = ["a", "b", "b", "b"].map(Into::into).into();
        rows.skeletons = vec![7; 4];
        rows.plies = vec![9, 9, 9, 8];
        let origin = |(event, line)| Origin { event, line };
        assert_eq!([0, 1, 2, 3].map(|row| events.of(&rows, row)), [(0, 0), (1, 0), (1, 1), (1, 0)].map(origin));
        assert_eq!((events.copies(), events.copies_within()), (1, 0));
        // A file without lines has the same games, which belong to the events in which they stood first.
        rows.lines = rows.games.clone();
        rows.events = vec!["c".into(); 4];
        assert_eq!([0, 1, 2].map(|row| events.of(&rows, row)), [(0, 0), (1, 0), (1, 1)].map(origin));
        assert_eq!((events.len(), events.copies()), (2, 4));
    }

    #[test]
    fn copies_within_an_event_are_told_from_rows_that_stand_apart() {
        let copies = |list: &[(u64, &str, u16)]| {
            let (mut events, mut rows) = (Events::default(), Rows::new());
            rows.games = list.iter().map(|(game, ..)| *game).collect();
            rows.events = list.iter().map(|(_, event, _)| (*event).into()).collect();
            rows.plies = list.iter().map(|(.., ply)| *ply).collect();
            rows.skeletons = vec![7; list.len()];
            (0..list.len()).for_each(|row| _ = events.of(&rows, row));
            (events.copies(), events.copies_within())
        };
        let [one, other] = [[(1, "a", 8), (1, "a", 9)], [(2, "a", 8), (2, "a", 9)]];
        assert_eq!(copies(&[one, other].concat()), (0, 0));
        // Apart, next to each other, and three times.
        assert_eq!(copies(&[one, other, one].concat()), (0, 1));
        assert_eq!(copies(&[one, one, other].concat()), (0, 1));
        assert_eq!(copies(&[one, other, one, other, one].concat()), (0, 3));
        // Rows apart and in any order.
        assert_eq!(copies(&[(1, "a", 9), (2, "a", 9), (1, "a", 8), (2, "a", 8), (1, "a", 10)]), (0, 0));
        // Under another name, and equal boards without a name.
        assert_eq!(copies(&[(1, "a", 8), (1, "a", 9), (1, "b", 8), (1, "b", 9)]), (1, 0));
        assert_eq!(copies(&[(1, "", 0), (2, "", 0), (1, "", 0), (1, "", 0)]), (0, 0));
    }

    #[test]
    fn positions_without_games_are_known() {
        let boards = |list: &[(&str, u16)]| {
            let (mut events, mut rows) = (Events::default(), Rows::new());
            rows.games = (0..).take(list.len()).collect();
            rows.events = list.iter().map(|(event, _)| (*event).into()).collect();
            rows.plies = list.iter().map(|(_, ply)| *ply).collect();
            rows.skeletons = vec![7; list.len()];
            (0..list.len()).for_each(|row| _ = events.of(&rows, row));
            events.boards()
        };
        assert_eq!(boards(&[("", 0), ("", 0), ("a", 0)]), Some(2));
        assert_eq!(boards(&[("", 0), ("", 1), ("", 2)]), None, "a game without a name");
        assert_eq!(boards(&[("a", 0), ("a", 0)]), None, "named");
        // Among more games, where the rule of their file says so.
        let mut events = Events::default();
        events.add_loose(2);
        assert_eq!(events.boards(), Some(2));
    }

    #[test]
    fn a_game_without_a_name_belongs_to_its_opening() {
        let key = |event: &str| EventKey::of(&event.into(), 0xabc);
        assert_eq!(key(""), EventKey::Opening(0xabc));
        assert_eq!(key("opening 0000000000000abc").digest(), key("").digest());
        assert_ne!(key("opening 0000000000000abc"), key(""));
    }
}
