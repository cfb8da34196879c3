//! Pairs of games that were played before: the same opening with the same moves adds nothing to what a match has shown.

use std::collections::HashSet;
use std::hash::{Hash, Hasher as _};

use shakmaty::fen::{Epd, Fen};
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, EnPassantMode, Position};
use twox_hash::XxHash3_64;
use twox_hash::xxhash3_64::Hasher;

use super::record::{GameRecord, PairRecord};
use drawish_core::Outcome;
use drawish_games::pgn::{Variant, position_of, setup_of};
use drawish_stats::numbers::grouped;

/// Which pairs of a match were seen, eight bytes for each, and how many of them were seen before.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Repeats {
    seen: HashSet<u64>,
    count: u64,
}

impl Repeats {
    /// Adds the [fingerprint](PairRecord::fingerprint) of a pair, and says whether it was new.
    pub(crate) fn add(&mut self, fingerprint: Option<u64>) -> bool {
        let is_new = fingerprint.is_none_or(|print| self.seen.insert(print));
        self.count += u64::from(!is_new);
        is_new
    }

    /// The same number, without what is needed to count on.
    pub(crate) fn total(&self) -> Repeats {
        Repeats { seen: HashSet::new(), count: self.count }
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
    let (is, same) = match (repeated, noun) {
        (1, "pair") => ("is", "games"),
        (1, _) => ("is", "game"),
        _ => ("are", "games"),
    };
    (repeated > 0).then(|| {
        format!(
            "{} of {} {noun}s {is} the same {same} as an earlier {noun}: they add no evidence, so Elo, its errors, LOS and tests leave them \
             out; play more openings, or limit the engines by time",
            grouped(repeated),
            grouped(all)
        )
    })
}

/// A game by its opening and moves and by who has which colour.
pub(crate) fn game_print(moves: u64, white: &str, black: &str) -> u64 {
    XxHash3_64::oneshot_with_seed(XxHash3_64::oneshot_with_seed(moves, white.as_bytes()), black.as_bytes())
}

/// The moves of a game in SAN from its FEN, the standard position if there is none: the same for a game of a log and for the same game
/// in PGN. `None` without a move.
pub(crate) fn moves_print(fen: Option<&str>, moves: impl IntoIterator<Item = San>) -> Option<u64> {
    let mut hasher = None;
    for san in moves {
        san.hash(hasher.get_or_insert_with(Hasher::default));
    }
    hasher.map(|hasher| with_start(hasher, fen))
}

/// One form for each position in which games begin, `None` for the standard one: logs name it where a book does, PGN need not, and
/// programs write rights and squares that no move can use.
pub(crate) fn start_of(fen: Option<&str>) -> Option<String> {
    let fen = fen?;
    let position = setup_of(fen.as_bytes()).and_then(|setup| position_of(setup, Variant::Standard));
    match position {
        Some(position) if position == Chess::default() => None,
        Some(position) => Some(Fen::from_position(&position, EnPassantMode::Legal).to_string()),
        None => Some(fen.to_owned()),
    }
}

/// The hash of moves with the position in which they begin.
pub(crate) fn with_start(mut moves: Hasher, fen: Option<&str>) -> u64 {
    start_of(fen).hash(&mut moves);
    moves.finish()
}

/// The hash of moves with how the game ended: the same moves may end by time or by a crash of either side.
pub(crate) fn with_result(moves: u64, result: Outcome) -> u64 {
    XxHash3_64::oneshot_with_seed(moves, &[result as u8])
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

    /// Of each game what the same game has in PGN; `None` where moves are left out or illegal, or nobody has moved.
    pub(crate) fn game_prints(&self, [first, second]: [&str; 2]) -> [Option<u64>; 2] {
        let print = |game: &GameRecord, white: &str, black: &str| {
            if game.left_out.is_some() {
                return None;
            }
            let mut position = self.start().clone();
            let san = |played: &str| {
                let legal = played.parse::<UciMove>().ok()?.to_move(&position).ok()?;
                let san = San::from_move(&position, legal);
                position.play_unchecked(legal);
                Some(san)
            };
            let moves = self.book.split_whitespace().chain(game.moves.split_whitespace()).map(san);
            let moves: Vec<San> = moves.collect::<Option<_>>()?;
            Some(game_print(with_result(moves_print(self.fen.as_deref(), moves)?, game.result), white, black))
        };
        [print(&self.games[0], first, second), print(&self.games[1], second, first)]
    }

    /// Equal for pairs of the same opening, the same moves and the same results between sides of these names, whichever is the first;
    /// also where the moves are left out. `None` if nobody has moved.
    #[must_use]
    pub fn fingerprint(&self, [first, second]: [&str; 2]) -> Option<u64> {
        let opening = XxHash3_64::oneshot(start_of(self.fen.as_deref()).unwrap_or_default().as_bytes());
        let opening = XxHash3_64::oneshot_with_seed(opening, self.book.as_bytes());
        let print = |game: &GameRecord, white: &str, black: &str| {
            let moves = game.left_out.map_or_else(|| XxHash3_64::oneshot(game.moves.as_bytes()), |moves| moves.xxh3);
            game_print(
                with_result(XxHash3_64::oneshot_with_seed(opening, &moves.to_le_bytes()), game.result),
                white,
                black,
            )
        };
        let [one, two] = &self.games;
        let moved = self.games.iter().any(|game| game.plies() > 0);
        moved.then(|| print(one, first, second).wrapping_add(print(two, second, first)))
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
        assert_ne!(lost.game_prints(names), first.game_prints(names));
        assert_eq!(pair(1, "e2e4", ["", ""]).fingerprint(names), None);
        let mut repeats = Repeats::default();
        let are_new = [Some(1), Some(2), Some(1), None, Some(1), None].map(|print| repeats.add(print));
        assert_eq!(are_new, [true, true, false, true, false, true]);
        assert_eq!(repeats.count(), 2);
    }

    #[test]
    fn one_repeat_is_said_in_the_singular() {
        let said = |count, noun| repeats_text(count, 1200, noun).expect("repeats");
        assert!(said(1, "pair").starts_with("1 of 1,200 pairs is the same games as an earlier pair: "));
        assert!(said(1, "game").starts_with("1 of 1,200 games is the same game as an earlier game: "));
        assert!(said(2, "game").starts_with("2 of 1,200 games are the same games as an earlier game: "));
    }

    #[test]
    fn the_standard_position_is_the_same_written_or_not() {
        let standard = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let names = ["a", "b"];
        let first = pair(1, "e2e4", ["e7e5", "c7c5"]);
        let with = |fen: &str| {
            let mut pair = first.clone();
            pair.fen = Some(fen.to_owned());
            pair
        };
        let written = with(standard);
        assert_eq!(written.game_prints(names), first.game_prints(names));
        assert_eq!(written.fingerprint(names), first.fingerprint(names));
        let other = with(&standard.replace("KQkq", "KQ"));
        assert_ne!(other.fingerprint(names), first.fingerprint(names));
        assert_eq!(
            start_of(Some("4k3/8/8/8/8/8/4P3/4K3  w KQ e3 0 1")),
            start_of(Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"))
        );
    }
}
