//! Two matches against the same opponent, opening by opening.

use std::collections::HashMap;

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
/// put together; openings from which either engine has played the same games are one.
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
    let (mut seen, mut joined) = (HashMap::new(), Joined::default());
    let same = |number: usize| {
        let (one, two) = (&first.pairs[number], &second.pairs[number]);
        if (&one.fen, &one.book) != (&two.fen, &two.book) {
            return Err(not_the_same(&format!("the opening of pair {}", one.pair)));
        }
        let cluster = u32::try_from(number as u64 % first.setup.openings.max(1)).expect("fewer pairs than 2^32");
        for (engine, pair) in [one, two].into_iter().enumerate() {
            for print in pair.fingerprint(["first", "second"]).into_iter().flatten() {
                joined.join(cluster, *seen.entry((engine, print)).or_insert(cluster));
            }
        }
        Ok(PairedScore { first: one.score(), second: two.score(), opponent: 0, cluster })
    };
    let scores: Result<Vec<_>, _> = (0..first.pairs.len().min(second.pairs.len())).map(same).collect();
    Ok(scores?.into_iter().map(|score| PairedScore { cluster: joined.first(score.cluster), ..score }).collect())
}

/// Clusters that were found to be one.
#[derive(Default)]
pub(crate) struct Joined(HashMap<u32, u32>);

impl Joined {
    /// The smallest of those that are one with this.
    pub(crate) fn first(&self, mut cluster: u32) -> u32 {
        while let Some(&smaller) = self.0.get(&cluster) {
            cluster = smaller;
        }
        cluster
    }

    /// Makes them one.
    pub(crate) fn join(&mut self, one: u32, other: u32) {
        let [one, other] = [self.first(one), self.first(other)];
        if one != other {
            self.0.insert(one.max(other), one.min(other));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Joined;

    #[test]
    fn what_is_joined_in_turn_is_one() {
        let mut joined = Joined::default();
        [(5, 3), (4, 9), (5, 9), (7, 7), (9, 3)].into_iter().for_each(|(one, other)| joined.join(one, other));
        assert_eq!([3, 4, 5, 7, 9].map(|cluster| joined.first(cluster)), [3, 3, 3, 7, 3]);
    }
}
