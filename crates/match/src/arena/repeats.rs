//! Pairs of games that were played before: the same opening with the same moves adds nothing to what a match has shown.

use std::collections::HashSet;

use shakmaty::fen::Epd;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, EnPassantMode, Position};
use twox_hash::XxHash3_64;

use super::record::{GameRecord, PairRecord};
use drawish_core::Outcome;
use drawish_stats::numbers::grouped;

/// The fingerprints of pairs that were seen, eight or sixteen bytes for each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct SeenPairs(HashSet<u64>);

impl SeenPairs {
    /// Adds the [fingerprint](PairRecord::fingerprint) of a pair, and says whether it was new.
    pub(crate) fn add(&mut self, [behind, whole]: [u64; 2]) -> bool {
        // Both are remembered, whatever the first says.
        self.0.insert(behind) & (whole == behind || self.0.insert(whole))
    }
}

/// Which pairs of a match were seen, and how many of them were seen before.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Repeats {
    seen: SeenPairs,
    count: u64,
}

impl Repeats {
    /// Adds the [fingerprint](PairRecord::fingerprint) of a pair, and says whether it was new.
    pub(crate) fn add(&mut self, fingerprint: Option<[u64; 2]>) -> bool {
        let is_new = fingerprint.is_none_or(|print| self.seen.add(print));
        self.count += u64::from(!is_new);
        is_new
    }

    /// The same number, without what is needed to count on.
    pub(crate) fn total(&self) -> Repeats {
        Repeats { seen: SeenPairs::default(), count: self.count }
    }

    /// Those that were seen before.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }
}

/// The pairs of a match that are not the same games as an earlier one of it.
pub(crate) fn distinct(pairs: &[PairRecord]) -> impl Iterator<Item = &PairRecord> {
    let mut repeats = Repeats::default();
    pairs.iter().filter(move |pair| repeats.add(pair.fingerprint(["first", "second"])))
}

/// What is to be said, without a full stop, if `repeated` of `all` pairs (or games, by `noun`) are the same games as an earlier one;
/// nothing if none is.
///
/// ```
/// use drawish_match::arena::repeats_text;
///
/// assert_eq!(repeats_text(0, 40, "pair"), None);
/// let text = repeats_text(12, 40, "pair").expect("repeats");
/// assert!(text.starts_with("12 of 40 pairs are the same games as an earlier pair"));
/// ```
#[must_use]
pub fn repeats_text(repeated: u64, all: u64, noun: &str) -> Option<String> {
    same_games(repeated, all, noun).map(|are_the_same| {
        format!(
            "{are_the_same}: they add no evidence, so Elo, its errors, LOS and tests leave them out; play more openings, or limit the engines by time"
        )
    })
}

/// The beginning of [`repeats_text`]: that these pairs (or games, by `noun`) are the same games as an earlier one.
#[must_use]
pub fn same_games(repeated: u64, all: u64, noun: &str) -> Option<String> {
    let (is, same) = match (repeated, noun) {
        (1, "pair") => ("is", "games"),
        (1, _) => ("is", "game"),
        _ => ("are", "games"),
    };
    (repeated > 0)
        .then(|| format!("{} of {} {noun}s {is} the same {same} as an earlier {noun}", grouped(repeated), grouped(all)))
}

/// Equal for games of the same opening in which the same players have the same colours.
pub(crate) fn seat_print(opening: u64, [white, black]: [&str; 2]) -> u64 {
    XxHash3_64::oneshot_with_seed(XxHash3_64::oneshot_with_seed(opening, white.as_bytes()), black.as_bytes())
}

/// Equal for the same games: their seats, a hash of the moves behind the opening as a log spells them, and how they ended, since the
/// same moves may end by time or by a crash of either side.
pub(crate) fn game_print(seat: u64, moves: u64, result: Outcome) -> u64 {
    XxHash3_64::oneshot_with_seed(XxHash3_64::oneshot_with_seed(seat, &moves.to_le_bytes()), &[result as u8])
}

/// The hash of all moves of a game.
pub(crate) fn moves_from_start(book: &str, moves: &str) -> u64 {
    XxHash3_64::oneshot([book, moves].join(" ").trim().as_bytes())
}

/// Equal for positions in which the players begin that differ in nothing but their clocks, whichever moves of a book lead there.
pub(crate) fn opening_print(position: &Chess) -> u64 {
    XxHash3_64::oneshot(Epd::from_position(position, EnPassantMode::Legal).to_string().as_bytes())
}

impl PairRecord {
    /// Equal for pairs in which the players begin in the same position; `None` if the moves of the book are illegal.
    pub(crate) fn opening_print(&self) -> Option<u64> {
        let mut position = self.start().clone();
        for played in self.book.split_whitespace() {
            let legal = played.parse::<UciMove>().ok()?.to_move(&position).ok()?;
            position.play_unchecked(legal);
        }
        Some(opening_print(&position))
    }

    /// The same, of a book that cannot be played by its text.
    pub(crate) fn opening_or_text(&self) -> u64 {
        let of_text = || XxHash3_64::oneshot_with_seed(opening_print(self.start()), self.book.as_bytes());
        self.opening_print().unwrap_or_else(of_text)
    }

    /// Two hashes, of which one at least is equal for pairs that are the same games between sides of these names, whichever is the first: the first
    /// for pairs of the same opening, the same moves behind it and the same results, also where the moves are left out; the second for
    /// the same moves from the start, wherever the book has ended. The opening is the position behind the book, without its clocks. `None` if
    /// nobody has moved.
    #[must_use]
    pub fn fingerprint(&self, [first, second]: [&str; 2]) -> Option<[u64; 2]> {
        let opening = self.opening_or_text();
        let seats = [[first, second], [second, first]];
        let sum = |print: &dyn Fn(&GameRecord, [&str; 2]) -> u64| {
            self.games.iter().zip(seats).fold(0_u64, |sum, (game, seats)| sum.wrapping_add(print(game, seats)))
        };
        let moved = self.games.iter().any(|game| game.plies() > 0);
        let behind = |game: &GameRecord, players: [&str; 2]| {
            game_print(seat_print(opening, players), game.moves_print(), game.result)
        };
        let whole = |game: &GameRecord, players: [&str; 2]| {
            self.print_from_start(game, players).unwrap_or_else(|| behind(game, players))
        };
        moved.then(|| [sum(&behind), sum(&whole)])
    }

    /// The hash of all moves of a game of it; `None` if there is no book, or an early log has left them out.
    pub(super) fn moves_from_start(&self, game: &GameRecord) -> Option<u64> {
        match game.left_out {
            Some(left_out) => left_out.from_start,
            None => (!self.book.is_empty()).then(|| moves_from_start(&self.book, &game.moves)),
        }
    }

    /// What tells a game of it between these players from others by all its moves, where these are known and some are of a book.
    pub(crate) fn print_from_start(&self, game: &GameRecord, players: [&str; 2]) -> Option<u64> {
        let seat = || seat_print(opening_print(self.start()), players);
        self.moves_from_start(game).map(|moves| game_print(seat(), moves, game.result))
    }
}

impl GameRecord {
    /// The hash of the moves behind the opening.
    pub(crate) fn moves_print(&self) -> u64 {
        self.left_out.map_or_else(|| XxHash3_64::oneshot(self.moves.as_bytes()), |left_out| left_out.xxh3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(number: u64, book: &str, moves: [&str; 2]) -> PairRecord {
        let game = |moves: &str| format!(r#"{{"result":"1-0","end":"mate","moves":"{moves}","said":"//"}}"#);
        let [one, two] = moves.map(game);
        let line = format!(r#"{{"pair":{number},"book":"{book}","games":[{one},{two}]}}"#);
        serde_json::from_str(&line).expect("a pair")
    }

    #[test]
    fn the_same_games_are_known_again() {
        let names = ["a", "b"];
        let first = pair(1, "e2e4", ["e7e5", "c7c5"]);
        let print = first.fingerprint(names);
        assert_eq!(pair(9, "e2e4", ["e7e5", "c7c5"]).fingerprint(names), print);
        assert_eq!(pair(9, "e2e4", ["c7c5", "e7e5"]).fingerprint(["b", "a"]), print, "seen from the other side");
        assert_eq!(first.clone().abridged().fingerprint(names), print, "without its moves");
        for other in
            [pair(1, "e2e4", ["c7c5", "e7e5"]), pair(1, "d2d4", ["e7e5", "c7c5"]), pair(1, "e2e4", ["e7e5", "e7e6"])]
        {
            assert_ne!(other.fingerprint(names), print);
        }
        // The same moves may end by time or by a crash of either side.
        let mut lost = first.clone();
        lost.games[1].result = Outcome::BlackWin;
        assert_ne!(lost.fingerprint(names), print);
        assert_eq!(pair(1, "e2e4", ["", ""]).fingerprint(names), None);
        let mut repeats = Repeats::default();
        let are_new =
            [Some(1), Some(2), Some(1), None, Some(1), None].map(|print| repeats.add(print.map(|print| [print; 2])));
        assert_eq!(are_new, [true, true, false, true, false, true]);
        assert_eq!(repeats.count(), 2);
    }

    /// One line of a book is the beginning of another, and the engines go on with that: the same games, cut elsewhere.
    #[test]
    fn the_end_of_the_book_makes_no_other_games() {
        let short = pair(1, "e2e4", ["e7e6 d2d4 d7d5 b1c3", "e7e6 d2d4 d7d5 e4e5"]);
        let long = pair(2, "e2e4 e7e6 d2d4", ["d7d5 b1c3", "d7d5 e4e5"]);
        let other = pair(3, "e2e4 e7e6 d2d4", ["d7d5 b1c3", "d7d5 b1d2"]);
        let pairs = [short.clone(), long.clone(), other, short, long];
        assert_eq!(distinct(&pairs).map(|pair| pair.pair).collect::<Vec<_>>(), [1, 3]);
        // So it is where a log keeps a checksum of the moves.
        for every in [1, 2] {
            let abridged: Vec<PairRecord> = (0..)
                .zip(pairs.clone())
                .map(|(at, pair)| if at % every == 0 { pair.abridged() } else { pair })
                .collect();
            assert_eq!(distinct(&abridged).map(|pair| pair.pair).collect::<Vec<_>>(), [1, 3]);
            // Early logs have no checksum of all moves, and are logs of these games all the same.
            let line = abridged[0].clone().of_early_logs().to_line();
            assert!(!line.contains("from_start") && abridged[0].is_line(line.as_bytes()));
            assert!(abridged[0].is_line(abridged[0].to_line().as_bytes()) && !abridged[2].is_line(line.as_bytes()));
        }
    }

    #[test]
    fn one_repeat_is_said_in_the_singular() {
        let said = |count, noun| repeats_text(count, 1200, noun).expect("repeats");
        assert!(said(1, "pair").starts_with("1 of 1,200 pairs is the same games as an earlier pair: "));
        assert!(said(1, "game").starts_with("1 of 1,200 games is the same game as an earlier game: "));
        assert!(said(2, "game").starts_with("2 of 1,200 games are the same games as an earlier game: "));
    }

    /// Clocks and the way of a book to its position are no other opening.
    #[test]
    fn an_opening_is_the_position_behind_the_book() {
        let standard = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let king = "4k3/8/8/8/8/8/4P3/4K3";
        let behind = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
        let print = |fen: &str, book: &str, moves| {
            let mut line = serde_json::to_value(pair(1, book, moves)).expect("JSON");
            if !fen.is_empty() {
                line["fen"] = fen.into();
            }
            serde_json::from_value::<PairRecord>(line)
                .expect("a pair")
                .fingerprint(["a", "b"])
                .map(|[behind, _]| behind)
        };
        let (open, ending) = (["e7e5", "c7c5"], ["e1d1", "e1f1"]);
        for (one, other, moves) in [
            (["", "e2e4"], [standard, "e2e4"], open),
            (["", "e2e4"], ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", ""], open),
            ([&format!("{king} w - - 0 1"), ""], [&format!("{king} w - - 5 40"), ""], ending),
            (["", "e2e4 e7e5 g1f3"], ["", "g1f3 e7e5 e2e4"], ["b8c6", "g8f6"]),
            (["", "e2e4 e7e5 g1f3"], [behind, ""], ["b8c6", "g8f6"]),
        ] {
            assert_eq!(print(one[0], one[1], moves), print(other[0], other[1], moves), "{one:?} {other:?}");
        }
        for other in [standard.replace("KQkq", "KQ"), standard.replace('w', "b")] {
            assert_ne!(print(&other, "", open), print("", "", open), "{other}");
        }
    }
}
