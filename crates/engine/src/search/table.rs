//! The transposition table: what the search has found out about positions it met before.

use super::moves::ShortMove;
use super::{MATE_BOUND, MAX_PLY};

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub(super) enum Bound {
    #[default]
    None,
    /// The true score is at most this.
    Upper,
    /// The true score is at least this.
    Lower,
    Exact,
}

/// 16 bytes, four to a line of cache.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    best: ShortMove,
    score: i16,
    lasting: i16,
    depth: i8,
    /// The bound in the lower two bits, the generation above.
    bound_generation: u8,
}

/// What the table knows about a position; scores in centipawns from the view of the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub best: ShortMove,
    pub score: i32,
    /// What lasts of the static evaluation (see [`Appraisal`](crate::eval::Appraisal)), for the side to move; [`NO_EVAL`] if it
    /// was in check.
    pub lasting: i32,
    pub depth: i32,
    pub bound: Bound,
}

/// No evaluation has this value.
pub(super) const NO_EVAL: i32 = i16::MIN as i32;

const WAYS: usize = 4;
const GENERATIONS: u8 = 64;

/// The table. Entries are chosen by the key alone, so equal searches leave equal tables on every machine.
pub(super) struct Table {
    entries: Vec<[Entry; WAYS]>,
    generation: u8,
}

impl Table {
    /// A table of `megabytes` MiB, at least 1.
    pub fn new(megabytes: usize) -> Table {
        let clusters = (megabytes.max(1) << 20) / size_of::<[Entry; WAYS]>();
        Table { entries: vec![[Entry::default(); WAYS]; clusters], generation: 0 }
    }

    pub fn clear(&mut self) {
        self.entries.fill([Entry::default(); WAYS]);
        self.generation = 0;
    }

    /// Begins a new search: what older ones have stored is replaced first.
    pub fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    fn cluster(&self, key: u64) -> usize {
        ((u128::from(key) * self.entries.len() as u128) >> 64) as usize
    }

    /// `ply` is the distance to the root: mates are stored by their distance to the position.
    pub fn get(&self, key: u64, ply: usize) -> Option<Found> {
        let entry =
            self.entries[self.cluster(key)].iter().find(|entry| entry.key == key && entry.bound_generation & 3 != 0)?;
        Some(Found {
            best: entry.best,
            score: from_table(i32::from(entry.score), ply),
            lasting: i32::from(entry.lasting),
            depth: i32::from(entry.depth),
            bound: match entry.bound_generation & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
        })
    }

    pub fn put(&mut self, key: u64, ply: usize, found: Found) {
        let generation = self.generation;
        let age = |entry: &Entry| (generation + GENERATIONS - (entry.bound_generation >> 2)) % GENERATIONS;
        let cluster = self.cluster(key);
        let cluster = &mut self.entries[cluster];
        let slot = cluster.iter().position(|entry| entry.key == key).unwrap_or_else(|| {
            let worth = |entry: &Entry| {
                if entry.bound_generation & 3 == 0 {
                    i32::MIN
                } else {
                    i32::from(entry.depth) - 4 * i32::from(age(entry))
                }
            };
            (0..WAYS).min_by_key(|slot| worth(&cluster[*slot])).expect("a cluster has entries")
        });
        let old = cluster[slot];
        let same = old.key == key;
        // A shallow result does not push out a deep one for the same position, unless it is exact.
        if same && found.bound != Bound::Exact && found.depth + 4 <= i32::from(old.depth) && age(&old) == 0 {
            return;
        }
        cluster[slot] = Entry {
            key,
            best: if same && found.best == ShortMove::NONE { old.best } else { found.best },
            score: to_table(found.score, ply) as i16,
            lasting: found.lasting as i16,
            depth: found.depth as i8,
            bound_generation: found.bound as u8 | generation << 2,
        };
    }

    /// Thousandths of the table that this search has filled, by its first thousand entries.
    pub fn fill(&self) -> usize {
        let entries = self.entries.iter().flatten().take(1000);
        entries
            .filter(|entry| entry.bound_generation & 3 != 0 && entry.bound_generation >> 2 == self.generation)
            .count()
    }
}

fn to_table(score: i32, ply: usize) -> i32 {
    debug_assert!(ply <= MAX_PLY);
    match score {
        MATE_BOUND.. => score + ply as i32,
        _ if score <= -MATE_BOUND => score - ply as i32,
        _ => score,
    }
}

fn from_table(score: i32, ply: usize) -> i32 {
    match score {
        MATE_BOUND.. => score - ply as i32,
        _ if score <= -MATE_BOUND => score + ply as i32,
        _ => score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_stored_by_their_distance_to_the_position() {
        let mut table = Table::new(1);
        let found = Found { best: ShortMove::NONE, score: MATE_BOUND + 50, lasting: 7, depth: 5, bound: Bound::Exact };
        table.put(99, 10, found);
        assert_eq!(table.get(99, 4).expect("stored").score, MATE_BOUND + 56);
        assert_eq!(table.get(99, 4).expect("stored").lasting, 7);
        assert!(table.get(98, 4).is_none());
        assert!(size_of::<[Entry; WAYS]>() == 64);
    }
}
