//! Which rows belong to one event.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use twox_hash::XxHash3_64;

use super::Rows;
use crate::pgn::rank_of_event;

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
/// several events, as databases name them, belongs with all its copies to one of them, which [`settle`](Self::settle) tells: that of least
/// [rank](rank_of_event). So no order of the rows changes anything. Games that only begin alike stay in the events that they name; that they depend on each other, their line says.
#[derive(Clone, Default, Debug)]
pub(crate) struct Events {
    numbers: HashMap<EventKey, u32>,
    games: HashMap<u64, Seen>,
    /// What is known of each line by its first game; of one that is a whole game, as in files without lines, that game tells it.
    lines: HashMap<u64, Seen>,
    /// How many lines there are.
    line_count: u32,
    /// The event in which each game stood first, by its number.
    firsts: Vec<u32>,
    /// Games, by their numbers, with the other events in which they stand.
    elsewhere: HashSet<(u32, u32)>,
    /// The last row's game with its line, as they are named, and its event: most rows are of the game of the row before.
    last: Option<(u64, u64, EventKey, Origin, u16)>,
    copies: usize,
    copies_within: usize,
    rows: usize,
    boards: usize,
    /// Rows of files whose rule says that they are positions without games.
    loose: usize,
}

/// A game, or the first of a line, where it stood first.
#[derive(Clone, Copy, Debug)]
struct Seen {
    origin: Origin,
    event: u32,
    /// The ply of its first row.
    ply: u16,
}

/// By what a row depends on others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Origin {
    /// The number of its game, by which [`settle`](Events::settle) tells its event.
    pub game: u32,
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
        if let Some((last, last_line, last_key, origin, first)) = &self.last
            && (*last, *last_line, last_key) == (game, line, &key)
        {
            self.copies_within += usize::from(is_copy(*first));
            return *origin;
        }
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        let event = *self.numbers.entry(key.clone()).or_insert(next);
        let own = self.games.get(&game).copied();
        let known = self.lines.get(&line).or_else(|| self.games.get(&line)).copied().or(own);
        let here = |seen: &Seen| seen.event == event;
        match known.filter(here).or(own.filter(here)) {
            Some(seen) => self.copies_within += usize::from(is_copy(seen.ply)),
            None => self.copies += usize::from(known.is_some()),
        }
        let number = own.map_or_else(
            || {
                self.firsts.push(event);
                u32::try_from(self.firsts.len() - 1).unwrap_or(u32::MAX)
            },
            |own| own.origin.game,
        );
        if own.is_some_and(|own| own.event != event) {
            self.elsewhere.insert((number, event));
        }
        let line_number = known.map_or(self.line_count, |known| known.origin.line);
        self.line_count += u32::from(known.is_none());
        let origin = Origin { game: number, line: line_number };
        let seen = Seen { origin, event, ply };
        if line != game {
            self.lines.entry(line).or_insert(seen);
        }
        self.games.entry(game).or_insert(seen);
        self.last = Some((game, line, key, origin, known.map_or(ply, |known| known.ply)));
        origin
    }

    /// The event of each game by its number, once all rows have come; left are the events to which games belong.
    pub(crate) fn settle(&mut self) -> Vec<u32> {
        self.last = None;
        let mut sizes = vec![0_usize; self.len()];
        let all = self.firsts.iter().copied().chain(self.elsewhere.iter().map(|&(_, event)| event));
        all.for_each(|event| sizes[event as usize] += 1);
        // A name says more than that there is none.
        let mut ranks = vec![(false, rank_of_event(0, 0)); self.len()];
        self.numbers.iter().for_each(|(key, &event)| {
            let rank = rank_of_event(sizes[event as usize], key.digest());
            ranks[event as usize] = (matches!(key, EventKey::Opening(_)), rank);
        });
        let mut of_game = std::mem::take(&mut self.firsts);
        for (game, event) in self.elsewhere.drain() {
            let own = &mut of_game[game as usize];
            if ranks[event as usize] < ranks[*own as usize] {
                *own = event;
            }
        }
        let (mut kept, mut count) = (vec![None; ranks.len()], 0);
        for event in &mut of_game {
            *event = *kept[*event as usize].get_or_insert_with(|| {
                count += 1;
                count - 1
            });
        }
        self.numbers.retain(|_, number| {
            let kept = kept[*number as usize];
            *number = kept.unwrap_or_default();
            kept.is_some()
        });
        of_game
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
            let digest = &mut digests[seen.origin.line as usize];
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

    /// The events of rows, each a game, its line and its event; with the copies.
    fn events_of(list: &[(u64, u64, &str)]) -> (Vec<String>, usize, usize) {
        let (mut events, mut rows) = (Events::default(), Rows::new());
        rows.games = list.iter().map(|&(game, ..)| game).collect();
        rows.lines = list.iter().map(|&(_, line, _)| line).collect();
        rows.events = list.iter().map(|&(.., event)| event.into()).collect();
        rows.skeletons = vec![7; list.len()];
        rows.plies = vec![9; list.len()];
        let games: Vec<u32> = (0..list.len()).map(|row| events.of(&rows, row).game).collect();
        let of_game = events.settle();
        let names: HashMap<u32, String> = events
            .iter()
            .map(|(key, number)| match key {
                EventKey::Named(name) => (number, name.to_string()),
                EventKey::Opening(_) => (number, String::new()),
            })
            .collect();
        assert_eq!(names.len(), events.len());
        let named = games.iter().map(|&game| names[&of_game[game as usize]].clone()).collect();
        (named, events.copies(), events.copies_within())
    }

    #[test]
    fn a_game_belongs_to_the_smallest_of_its_events_in_any_order() {
        // Two events, a collection of both and more, a game that begins as another, a game without a name, and one that has one elsewhere.
        let list = [
            (1, 1, "a", "a"),
            (2, 2, "a", "a"),
            (3, 3, "b", "b"),
            (1, 1, "all", "a"),
            (2, 2, "all", "a"),
            (3, 3, "all", "b"),
            (4, 4, "all", "all"),
            (5, 3, "c", "c"),
            (2, 2, "", "a"),
            (6, 6, "", ""),
            (7, 7, "copies alone", "c"),
            (7, 7, "c", "c"),
            (1, 1, "copies alone", "a"),
            (8, 8, "copies alone", "a"),
            (8, 8, "a", "a"),
            (7, 7, "round 3.1", "c"),
            (9, 9, "b", "b"),
        ];
        // Three games each, of which "c" has two.
        let least = |one: &'static str, other: &'static str| {
            let digest = |name: &str| EventKey::Named(name.into()).digest();
            if digest(one) < digest(other) { one } else { other }
        };
        for turn in 0..list.len() {
            for backwards in [false, true] {
                let mut list = list.to_vec();
                list.rotate_left(turn);
                if backwards {
                    list.reverse();
                }
                let rows: Vec<_> = list.iter().map(|&(game, line, event, _)| (game, line, event)).collect();
                let wanted = list.iter().map(|&(game, .., wanted)| match game {
                    1 | 8 => least("a", "copies alone").to_owned(),
                    _ => wanted.to_owned(),
                });
                assert_eq!(events_of(&rows).0, wanted.collect::<Vec<_>>(), "{list:?}");
            }
        }
    }

    #[test]
    fn copies_under_other_names_are_counted() {
        let copies = |list: &[(u64, u64, &str)]| {
            let (_, copies, within) = events_of(list);
            (copies, within)
        };
        assert_eq!(copies(&[(1, 1, "a"), (2, 2, "a"), (3, 3, "b"), (4, 4, "")]), (0, 0));
        assert_eq!(copies(&[(1, 1, "a"), (2, 2, "b"), (1, 1, "c"), (2, 2, "c"), (3, 3, "c")]), (2, 0));
    }

    #[test]
    fn games_that_begin_alike_stay_in_their_events_and_have_one_line() {
        let (mut events, mut rows) = (Events::default(), Rows::new());
        rows.games = vec![1, 2, 3, 2];
        rows.lines = vec![7, 7, 8, 7];
        rows.events = ["a", "b", "b", "b"].map(Into::into).into();
        rows.skeletons = vec![7; 4];
        rows.plies = vec![9, 9, 9, 8];
        let origin = |(game, line)| Origin { game, line };
        assert_eq!([0, 1, 2, 3].map(|row| events.of(&rows, row)), [(0, 0), (1, 0), (2, 1), (1, 0)].map(origin));
        assert_eq!((events.copies(), events.copies_within()), (1, 0));
        // A file without lines has the same games.
        rows.lines = rows.games.clone();
        rows.events = vec!["c".into(); 4];
        assert_eq!([0, 1, 2].map(|row| events.of(&rows, row)), [(0, 0), (1, 0), (2, 1)].map(origin));
        assert_eq!((events.lines(), events.copies()), (2, 4));
        assert_eq!((events.settle(), events.len()), (vec![0, 1, 1], 2));
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
