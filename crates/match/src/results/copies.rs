//! Games that are copies of others, whole or cut short.
//!
//! A game is a copy of another one with the same players if it has the same opening, the same moves behind it and the same result. The
//! opening is the position behind the FEN and the moves of the book, without its clocks. It is a copy as well if one of the two is the
//! beginning of the other, as where a match is played again with games that are adjudicated. Engines by time begin games of an opening
//! alike, so that the shorter game must be of [`SHORTEST`] half-moves, and games that do not name their opening are compared whole.

use std::collections::{HashMap, HashSet};
use std::hash::Hasher as _;

use shakmaty::Chess;
use twox_hash::XxHash3_64;
use twox_hash::xxhash3_64::Hasher;

use super::Run;
use crate::arena::{PairRecord, game_print, opening_print, seat_print};
use drawish_core::Outcome;

/// So many half-moves behind the opening has the shorter one of two games of which one is the beginning of the other.
pub(super) const SHORTEST: usize = 12;

/// A game among others of which it may be a copy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// Its opening and who has which colour.
    seat: u64,
    /// A hash of its moves behind the opening.
    moves: u64,
    plies: usize,
    result: Outcome,
    /// The moves themselves, nothing where they are left out.
    text: String,
    names_opening: bool,
    /// What tells it from others by its moves from the start, where it has moves of a book: other sources may not say which these are.
    from_start: Option<u64>,
    /// Whether it stands in the log of a match.
    is_logged: bool,
    /// Whether its moves are left out, so that only a hash of those behind the opening is left.
    is_left_out: bool,
    /// Whether some of its moves cannot be read: copies in another notation have other ones.
    is_broken: bool,
}

impl Known {
    /// A game of PGN: the opening if it names one, its moves, and the position and hash of all moves from before the book.
    pub(super) fn of_pgn(
        opening: Option<u64>,
        players: [&str; 2],
        moves: &str,
        result: Outcome,
        from_start: Option<[u64; 2]>,
    ) -> Known {
        let seat = |opening| seat_print(opening, players);
        Known {
            seat: seat(opening.unwrap_or_else(|| opening_print(&Chess::default()))),
            moves: XxHash3_64::oneshot(moves.as_bytes()),
            plies: moves.split_whitespace().count(),
            result,
            text: moves.to_owned(),
            names_opening: opening.is_some(),
            from_start: from_start.map(|[start, moves]| game_print(seat(start), moves, result)),
            is_logged: false,
            is_left_out: false,
            is_broken: false,
        }
    }

    /// The same game, if some of its moves cannot be read.
    pub(super) fn broken(self, is_broken: bool) -> Known {
        Known { is_broken, ..self }
    }

    /// The games of a logged pair between these, the first side first.
    pub(super) fn of_pair(pair: &PairRecord, [first, second]: [&str; 2]) -> [Known; 2] {
        let opening = pair.opening_or_text();
        [(0, [first, second]), (1, [second, first])].map(|(at, players)| {
            let game = &pair.games[at];
            Known {
                seat: seat_print(opening, players),
                moves: game.moves_print(),
                plies: game.plies(),
                result: game.result,
                text: game.moves.clone(),
                names_opening: true,
                from_start: pair.print_from_start(game, players),
                is_logged: true,
                is_left_out: game.left_out.is_some(),
                is_broken: false,
            }
        })
    }

    /// Whether it has moves, be they all of a book.
    fn has_moves(&self) -> bool {
        self.plies > 0 || self.from_start.is_some()
    }

    /// Whether it may be a copy of another game of its source: it has moves, and in a log, as for its match, some behind the book.
    pub(super) fn may_repeat(&self) -> bool {
        self.plies > 0 || !self.is_logged && self.has_moves()
    }

    /// Whether sources cannot be asked for it: it has no moves, or they are left out.
    pub(super) fn is_unknown(&self) -> bool {
        !self.has_moves() || self.is_left_out
    }

    /// Whether sources can be asked for it as it stands only.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken && !self.is_unknown()
    }

    fn print(&self) -> u64 {
        game_print(self.seat, self.moves, self.result)
    }

    /// What tells it from others as it stands, behind the opening and from its start.
    fn prints(&self) -> [u64; 2] {
        let print = self.print();
        [print, self.from_start.unwrap_or(print)]
    }

    /// By what a game is found of which it is the beginning.
    fn place(&self) -> [u64; 2] {
        [self.seat, self.moves]
    }

    /// The hashes of the moves of shorter games with which it may begin.
    fn beginnings(&self) -> impl Iterator<Item = u64> {
        // Hashed on and on: a game may have thousands of them.
        let (mut hasher, mut hashed) = (Hasher::default(), 0);
        let ends = self.text.match_indices(' ').map(|(at, _)| at);
        let moves = ends.map(move |end| {
            hasher.write(&self.text.as_bytes()[hashed..end]);
            hashed = end;
            hasher.finish()
        });
        moves.skip(SHORTEST - 1)
    }
}

/// Of games that are the beginnings of longer ones, by their [place](Known::place), what tells such a longer game from others.
struct Beginnings(HashMap<[u64; 2], u64>);

impl Beginnings {
    fn of<'a>(games: impl Iterator<Item = &'a Known> + Clone) -> Beginnings {
        let mut times: HashMap<u64, u32> = HashMap::new();
        games.clone().for_each(|game| *times.entry(game.seat).or_default() += 1);
        let games = games.filter(|game| game.names_opening && game.plies >= SHORTEST && times[&game.seat] > 1);
        let places: HashSet<[u64; 2]> = games.clone().map(Known::place).collect();
        let within = |game: &Known| -> Vec<[u64; 2]> {
            game.beginnings().map(|moves| [game.seat, moves]).filter(|place| places.contains(place)).collect()
        };
        let begun: HashSet<[u64; 2]> = games.clone().flat_map(within).collect();
        let seats: HashSet<u64> = begun.iter().map(|[seat, _]| *seat).collect();
        let mut longest = HashMap::new();
        // Of several that go on differently one stands for it, whatever their order; they are no copies of each other.
        for game in games.filter(|game| seats.contains(&game.seat) && !begun.contains(&game.place())) {
            let print = game.print();
            for place in within(game) {
                longest.entry(place).and_modify(|known: &mut u64| *known = print.min(*known)).or_insert(print);
            }
        }
        Beginnings(longest)
    }

    /// Equal for a game and its copies: what tells the longer game from others of which it is the beginning, or else the game itself.
    fn print(&self, game: &Known) -> u64 {
        let found = self.0.get(&game.place()).filter(|_| game.names_opening);
        found.copied().unwrap_or_else(|| game.print())
    }
}

/// Where a round puts a game, if it does.
type Place = Option<[u64; 2]>;
/// How many parts a round has; none where it says nothing.
type Form = usize;

/// Games that have been read.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// In sources before, whose rounds may be others.
    before: HashSet<u64>,
    /// In this source, with the places that their rounds give them.
    here: HashSet<(u64, Place)>,
    /// The same with the form of these rounds.
    forms: HashSet<(u64, Form)>,
    anywhere_here: HashSet<u64>,
}

impl Seen {
    /// Another source begins.
    pub(super) fn begin_source(&mut self) {
        self.before.extend(self.anywhere_here.drain());
        self.here.clear();
        self.forms.clear();
    }

    /// Remembers a game, if it has moves; whether it had been read before. In another place of its source, by a round of the same form, engines
    /// have played it again.
    pub(super) fn again(&mut self, game: &Known, (place, form): (Place, Form)) -> bool {
        let [print, whole] = game.prints();
        // Both are remembered, whatever the first says.
        game.has_moves() && (self.insert(print, place, form) | (whole != print && self.insert(whole, place, form)))
    }

    /// Remembers games of another source.
    pub(super) fn remember(&mut self, games: &[Known]) {
        self.before.extend(games.iter().filter(|game| game.has_moves()).flat_map(Known::prints));
    }

    fn insert(&mut self, print: u64, place: Place, form: Form) -> bool {
        let is_new_here = self.anywhere_here.insert(print);
        let is_new_in_place = self.here.insert((print, place));
        self.forms.insert((print, form));
        let has_other_form = || (0..=FORMS).any(|other| other != form && self.forms.contains(&(print, other)));
        let is_here = !is_new_here && (!is_new_in_place || has_other_form());
        is_here || self.before.contains(&print)
    }
}

/// Rounds have so many parts at most, or count as if they had.
pub(super) const FORMS: Form = 3;

/// Finds what tells the games of these runs from others, and gives back the memory for their moves.
pub(super) fn settle(runs: &mut [Run]) {
    let beginnings = Beginnings::of(runs.iter().flat_map(|run| &run.prints.known));
    for prints in runs.iter_mut().map(|run| &mut run.prints).filter(|prints| !prints.known.is_empty()) {
        let known = std::mem::take(&mut prints.known);
        let of_games: Vec<[u64; 2]> = known
            .iter()
            .map(|game| {
                let print = beginnings.print(game);
                [print, game.from_start.unwrap_or(print)]
            })
            .collect();
        let sum = |members: &Vec<usize>, which: usize| {
            members.iter().fold(0_u64, |sum, &game| sum.wrapping_add(of_games[game][which]))
        };
        prints.units = prints.members.iter().map(|members| [0, 1].map(|which| sum(members, which))).collect();
        prints.games_of_units =
            prints.members.iter().map(|members| members.iter().flat_map(|&game| of_games[game]).collect()).collect();
        prints.games =
            known.iter().zip(of_games).filter(|(game, _)| game.has_moves()).map(|(_, prints)| prints).collect();
    }
    for run in runs.iter_mut() {
        let (places, units) = (&run.prints.places, &run.prints.units);
        if let Some(course) = &mut run.course {
            places.iter().zip(units).for_each(|(&place, &unit)| course.set_print(place, unit));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::moves_from_start;

    const LINE: &str = "e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3";

    fn words(count: usize) -> String {
        LINE.split(' ').take(count).collect::<Vec<_>>().join(" ")
    }

    fn known(opening: Option<u64>, moves: &str, result: Outcome) -> Known {
        Known::of_pgn(opening, ["a", "b"], moves, result, None)
    }

    fn are_copies(one: &Known, other: &Known) -> bool {
        let beginnings = Beginnings::of([one, other].into_iter());
        beginnings.print(one) == beginnings.print(other)
    }

    #[test]
    fn a_game_that_is_cut_short_is_a_copy() {
        let whole = known(Some(1), LINE, Outcome::Draw);
        for (moves, is_copy) in [(words(SHORTEST), true), (words(15), true), (words(SHORTEST - 1), false)] {
            let cut = known(Some(1), &moves, Outcome::WhiteWin);
            assert_eq!(are_copies(&whole, &cut), is_copy, "{moves}");
            assert!(!are_copies(&whole, &known(Some(2), &moves, Outcome::WhiteWin)), "another opening");
            assert!(!are_copies(&known(None, LINE, Outcome::Draw), &known(None, &moves, Outcome::Draw)), "none named");
            let turned = Known::of_pgn(Some(1), ["b", "a"], &moves, Outcome::WhiteWin, None);
            assert!(!are_copies(&whole, &turned), "the other colours");
        }
        for (moves, result) in [
            (format!("{} c8b7", words(15)), Outcome::Draw),
            // The same moves may end by time or by a crash of either side.
            (LINE.to_owned(), Outcome::WhiteWin),
            (format!("{}q", words(15)), Outcome::Draw),
        ] {
            assert!(!are_copies(&whole, &known(Some(1), &moves, result)), "{moves}");
        }
    }

    /// A game that ended in the book is known as well; in a log, where pairs of a match are compared, only among other sources.
    #[test]
    fn games_that_end_in_the_book_are_known() {
        let of = |is_logged| Known { is_logged, ..Known::of_pgn(Some(1), ["a", "b"], "", Outcome::Draw, Some([2, 3])) };
        assert!(of(false).may_repeat() && !of(true).may_repeat() && !of(false).is_unknown() && !of(true).is_unknown());
        let empty = Known::of_pgn(Some(1), ["a", "b"], "", Outcome::Draw, None);
        assert!(!empty.may_repeat() && empty.is_unknown());
    }

    /// Thousands of beginnings were once hashed each from the first move: half a minute for these.
    #[test]
    fn long_games_are_hashed_once() {
        let begun = std::time::Instant::now();
        let moves = format!("{LINE} {}", "f3g1 f6g8 g1f3 g8f6 ".repeat(50_000));
        let games = ["d2d4", "d2d3"].map(|last| known(Some(1), &format!("{moves}{last}"), Outcome::Draw));
        assert!(!are_copies(&games[0], &games[1]) && begun.elapsed().as_secs() < 15, "{:?}", begun.elapsed());
    }

    /// Of two games that go on differently behind the end of a third one is its copy, whatever their order.
    #[test]
    fn games_that_go_on_differently_are_no_copies() {
        let other = known(Some(1), &format!("{} c8b7", words(15)), Outcome::BlackWin);
        let (short, whole) = (known(Some(1), &words(13), Outcome::Draw), known(Some(1), LINE, Outcome::WhiteWin));
        let middle = known(Some(1), &words(14), Outcome::Draw);
        for all in [[&other, &short, &middle, &whole], [&whole, &middle, &other, &short]] {
            let beginnings = Beginnings::of(all.into_iter());
            let print = |game: &Known| beginnings.print(game);
            assert_eq!([print(&other), print(&whole)], [other.print(), whole.print()]);
            assert_eq!([print(&short), print(&middle)], [other.print().min(whole.print()); 2]);
        }
    }

    /// A checksum is enough for the shorter game, and for whole ones.
    #[test]
    fn games_of_logs_are_those_of_pgn() {
        let game = |moves: &str| format!(r#"{{"result":"1-0","end":"resignation","moves":"{moves}","said":""}}"#);
        let line = format!(r#"{{"pair":1,"book":"e2e4","games":[{},{}]}}"#, game(&words(14)), game(LINE));
        let pair: PairRecord = serde_json::from_str(&line).expect("a pair");
        let logged = Known::of_pair(&pair, ["a", "b"]);
        let abridged = Known::of_pair(&pair.clone().abridged(), ["a", "b"]);
        let opening = pair.opening_print();
        let start = opening_print(&Chess::default());
        let of_pgn = |moves: &str| {
            Known::of_pgn(opening, ["a", "b"], moves, Outcome::WhiteWin, Some([start, moves_from_start("e2e4", moves)]))
        };
        let unmarked = known(None, &format!("e2e4 {}", words(14)), Outcome::WhiteWin);
        assert_eq!(Known { is_logged: false, ..logged[0].clone() }, of_pgn(&words(14)));
        assert_eq!(logged[0].from_start, Some(unmarked.print()));
        for one in [&logged[0], &abridged[0]] {
            assert!(are_copies(one, &of_pgn(&words(14))) && are_copies(one, &of_pgn(LINE)));
            assert!(!are_copies(one, &logged[1]), "the other colours");
        }
    }
}
