//! Two matches against the same opponent, opening by opening.

use thiserror::Error;

use super::logged::Logged;
use drawish_stats::PairedScore;

/// Why two matches cannot be compared opening by opening.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "the matches of {first} and {second} differ in {what}: they cannot be compared opening by opening; play both again"
)]
pub struct NotComparable {
    /// The arm of the first match.
    pub first: String,
    /// The arm of the second.
    pub second: String,
    /// What is not the same.
    pub what: String,
}

/// The openings that both matches have finished, with the shares of the points of their first sides. The second side, the opponent,
/// is the same in both, and has the number 0. Each opening has the number of its pair as its cluster, so that matches against several opponents can be
/// put together.
///
/// # Errors
///
/// If opponent, book, order or rules are not the same.
pub fn both(first: &Logged, second: &Logged) -> Result<Vec<PairedScore>, NotComparable> {
    let not_the_same = |what: &str| NotComparable {
        first: first.setup.sides[0].name.clone(),
        second: second.setup.sides[0].name.clone(),
        what: what.to_owned(),
    };
    let (one, two) = (&first.setup, &second.setup);
    let parts = [
        ("the opponent", one.sides[1] == two.sides[1]),
        ("the book", (&one.book_digest, one.plies) == (&two.book_digest, two.plies)),
        (
            "the openings that can be played",
            (one.openings, one.chess960, &one.band) == (two.openings, two.chess960, &two.band),
        ),
        ("the seed", one.seed == two.seed),
        ("the first pair", one.first_pair == two.first_pair),
        ("the rules", (&one.rules, &one.syzygy) == (&two.rules, &two.syzygy)),
    ];
    if let Some((what, _)) = parts.iter().find(|(_, is_same)| !is_same) {
        return Err(not_the_same(what));
    }
    let same = |number: usize| {
        let (one, two) = (&first.pairs[number], &second.pairs[number]);
        if (&one.fen, &one.book) != (&two.fen, &two.book) {
            return Err(not_the_same(&format!("the opening of pair {}", one.pair)));
        }
        let cluster = u32::try_from(number as u64 % first.setup.openings.max(1)).expect("fewer pairs than 2^32");
        Ok(PairedScore { first: one.score(), second: two.score(), opponent: 0, cluster })
    };
    (0..first.pairs.len().min(second.pairs.len())).map(same).collect()
}
