//! Openings of random moves, where there is no book.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use drawish_games::fan_out::in_order;
use shakmaty::{CastlingMode, Chess, Position};
use twox_hash::{XxHash3_64, XxHash3_128};

use super::{Book, BookRule, Opening, epd};
use drawish_games::pgn::{EvalDoubts, OddWords};

impl Book {
    /// Openings of `plies` random legal moves from the standard position, as many as wanted, no two of which reach the same
    /// position, and none that `accept` refuses. They depend on the numbers and on `accept` alone.
    pub fn random(plies: u32, count: u64, seed: u64, mut accept: impl FnMut(&Chess) -> bool) -> Book {
        let mut made = Made::default();
        for number in 0..count.saturating_mul(MOST_TRIES) {
            if made.openings.len() as u64 == count {
                break;
            }
            if let Some(found) = Candidate::of(plies, seed, number).filter(|found| accept(&found.end)) {
                made.add(found);
            }
        }
        made.book(plies)
    }

    /// The same book, made on so many threads, each with an `accept` of its own that must not depend on what it has seen before.
    pub fn random_on<A: FnMut(&Chess) -> bool>(
        threads: NonZeroUsize,
        plies: u32,
        count: u64,
        seed: u64,
        accept: impl Fn() -> A + Sync,
    ) -> Book {
        let mut made = Made::default();
        let most = count.saturating_mul(MOST_TRIES);
        let mut chunks = (0..most).step_by(CHUNK);
        let _: Option<()> = in_order(
            threads,
            &accept,
            |_| chunks.next(),
            |accept, first, stop| {
                let mut found = Vec::new();
                for number in first..most.min(first + CHUNK as u64) {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    found.extend(Candidate::of(plies, seed, number).filter(|found| accept(&found.end)));
                }
                found
            },
            |found| {
                for found in found {
                    if made.openings.len() as u64 == count {
                        return ControlFlow::Break(());
                    }
                    made.add(found);
                }
                if made.openings.len() as u64 == count { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        made.book(plies)
    }
}

/// Openings that are tried in one go.
const CHUNK: usize = 64;

/// Random moves, and where they lead.
struct Candidate {
    moves: Vec<shakmaty::Move>,
    end: Chess,
}

impl Candidate {
    fn of(plies: u32, seed: u64, number: u64) -> Option<Candidate> {
        random(plies, seed, number).map(|(moves, end)| Candidate { moves, end })
    }
}

/// The openings so far.
#[derive(Default)]
struct Made {
    openings: Vec<Opening>,
    reached: HashSet<String>,
    duplicates: u64,
    text: String,
}

impl Made {
    fn add(&mut self, Candidate { moves, end }: Candidate) {
        let epd = epd(&end);
        self.text += &epd;
        if self.reached.insert(epd) {
            self.openings.push(Opening { moves, ..Opening::standard() });
        } else {
            self.duplicates += 1;
        }
    }

    fn book(self, plies: u32) -> Book {
        Book {
            name: format!("random:{plies}"),
            digest: XxHash3_128::oneshot(self.text.as_bytes()),
            rule: BookRule::default(),
            openings: self.openings,
            duplicates: self.duplicates,
            rejected: Vec::new(),
            odd_words: OddWords::default(),
            eval_doubts: EvalDoubts::default(),
            castling: CastlingMode::Standard,
            chess960: 0,
        }
    }
}

/// So many openings are tried for each that is wanted.
const MOST_TRIES: u64 = 1000;

/// Random moves, and where they lead; `None` if the game is over.
fn random(plies: u32, seed: u64, number: u64) -> Option<(Vec<shakmaty::Move>, Chess)> {
    let mut position = Chess::new();
    let mut moves = Vec::new();
    for ply in 0..plies {
        let legal = position.legal_moves();
        let mut lot = number.to_le_bytes().to_vec();
        lot.extend(ply.to_le_bytes());
        let lot = XxHash3_64::oneshot_with_seed(seed, &lot);
        // The high half of the product: as even as a remainder, without its division.
        #[cfg_attr(not(test), expect(clippy::cast_possible_truncation, reason = "below the number of moves"))]
        let place = ((u128::from(lot) * legal.len() as u128) >> 64) as usize;
        let chosen = *legal.get(place)?;
        position.play_unchecked(chosen);
        moves.push(chosen);
    }
    (!position.is_game_over()).then_some((moves, position))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_by_lot_depend_on_the_seed_alone() {
        let book = |seed, count| Book::random(6, count, seed, |position| !position.is_check());
        let (one, two) = (book(1, 50), book(1, 20));
        assert_eq!(one.openings[..20], two.openings[..]);
        assert_eq!((one.openings.len(), one.digest), (50, book(1, 50).digest));
        assert_ne!(one.openings, book(2, 50).openings);
        assert!(one.openings.iter().all(|opening| opening.moves().len() == 6 && opening.fen().is_none()));
    }

    #[test]
    fn fewer_are_had_where_there_are_no_more() {
        // Twenty first moves, one position after no move.
        assert_eq!(Book::random(1, 100, 3, |_| true).openings.len(), 20);
        for (plies, count) in [(6, 300), (1, 100), (2, 500), (6, 0)] {
            let quiet = |position: &Chess| !position.is_check() && position.halfmoves() != 1;
            let threads = NonZeroUsize::new(3).expect("above 0");
            assert_eq!(
                Book::random_on(threads, plies, count, 7, || quiet),
                Book::random(plies, count, 7, quiet),
                "{count} of {plies}"
            );
        }
        assert_eq!(Book::random(0, 100, 3, |_| true).openings.len(), 1);
        assert!(Book::random(2, 5, 3, |_| false).openings.is_empty());
    }
}
