//! Openings of random moves, where there is no book.

use std::collections::HashSet;

use shakmaty::{CastlingMode, Chess, Position};
use twox_hash::{XxHash3_64, XxHash3_128};

use super::{Book, BookRule, Opening, epd};

impl Book {
    /// Openings of `plies` random legal moves from the standard position, as many as wanted, no two of which reach the same
    /// position, and none that `accept` refuses. They depend on the numbers and on `accept` alone.
    pub fn random(plies: u32, count: u64, seed: u64, mut accept: impl FnMut(&Chess) -> bool) -> Book {
        let mut openings = Vec::new();
        let mut reached = HashSet::new();
        let mut duplicates = 0;
        let mut text = String::new();
        for number in 0..count.saturating_mul(MOST_TRIES) {
            if openings.len() as u64 == count {
                break;
            }
            let Some((moves, end)) = random(plies, seed, number) else { continue };
            let epd = epd(&end);
            if !accept(&end) {
                continue;
            }
            text += &epd;
            if reached.insert(epd) {
                openings.push(Opening { moves, ..Opening::standard() });
            } else {
                duplicates += 1;
            }
        }
        Book {
            name: format!("random:{plies}"),
            digest: XxHash3_128::oneshot(text.as_bytes()),
            rule: BookRule::default(),
            openings,
            duplicates,
            rejected: Vec::new(),
            castling: CastlingMode::Standard,
            chess960: 0,
        }
    }
}

/// So many openings are tried for each that is wanted.
const MOST_TRIES: u64 = 1000;

/// Moves by lot, and where they lead; `None` if the game is over.
fn random(plies: u32, seed: u64, number: u64) -> Option<(Vec<shakmaty::Move>, Chess)> {
    let mut position = Chess::new();
    let mut moves = Vec::new();
    for ply in 0..plies {
        let legal = position.legal_moves();
        let mut lot = number.to_le_bytes().to_vec();
        lot.extend(ply.to_le_bytes());
        let lot = XxHash3_64::oneshot_with_seed(seed, &lot);
        // The high half of the product: as even as a remainder, without its division.
        let chosen = *legal.get(((u128::from(lot) * legal.len() as u128) >> 64) as usize)?;
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
        assert_eq!(Book::random(0, 100, 3, |_| true).openings.len(), 1);
        assert!(Book::random(2, 5, 3, |_| false).openings.is_empty());
    }
}
