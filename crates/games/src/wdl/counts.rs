//! How often each cell was seen, in blocks of games.

use drawish_stats::{are_enough, worth};

/// Games are spread over this many blocks by a hash of their start and first moves, so that errors can be estimated by leaving out
/// one block after another: games that differ only in what comes later stand in one block.
pub const BLOCKS: usize = 32;

/// Words waiting in a block are sorted into it when there are this many: 1 MB.
const PENDING: usize = 1 << 18;

/// The counts of one block of games: cells in rising order, each once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Block {
    words: Vec<u32>,
    counts: Vec<u64>,
}

impl Block {
    /// Cells as packed words, and how often each was seen.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> {
        self.words.iter().copied().zip(self.counts.iter().copied())
    }

    /// Number of different cells.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether nothing was seen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Appends a cell that comes behind all others; `false` if it does not.
    pub(super) fn push(&mut self, word: u32, count: u64) -> bool {
        let rises = self.words.last().is_none_or(|last| *last < word);
        if rises {
            self.words.push(word);
            self.counts.push(count);
        }
        rises
    }

    /// The sum of two blocks.
    fn merge(&mut self, other: Block) {
        if self.is_empty() {
            *self = other;
            return;
        }
        let mut sum = Block {
            words: Vec::with_capacity(self.len() + other.len()),
            counts: Vec::with_capacity(self.len() + other.len()),
        };
        let (mut mine, mut theirs) = (self.iter().peekable(), other.iter().peekable());
        while let (Some(&(a, a_count)), Some(&(b, b_count))) = (mine.peek(), theirs.peek()) {
            let (word, count) = if a <= b { (a, a_count) } else { (b, b_count) };
            let both = if a == b { b_count } else { 0 };
            if a <= b {
                mine.next();
            }
            if b <= a {
                theirs.next();
            }
            sum.push(word, count + both);
        }
        for (word, count) in mine.chain(theirs) {
            sum.push(word, count);
        }
        *self = sum;
    }

    /// The counts of words in any order.
    fn of_words(words: &mut Vec<u32>) -> Block {
        sort(words);
        let mut block = Block::default();
        let mut rest = words.iter().copied();
        let Some(mut word) = rest.next() else { return block };
        let mut count = 1;
        for next in rest {
            if next == word {
                count += 1;
            } else {
                block.push(word, count);
                (word, count) = (next, 1);
            }
        }
        block.push(word, count);
        block
    }
}

/// Counts in blocks. A commutative monoid: the order in which games are added changes nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WdlCounts {
    /// One for each block; a single one where the blocks are not known, as in the original's JSON.
    pub blocks: Vec<Block>,
}

impl WdlCounts {
    /// Counts whose blocks are not known.
    #[must_use]
    pub fn without_blocks(block: Block) -> WdlCounts {
        WdlCounts { blocks: vec![block] }
    }

    /// Whether errors can be had by leaving out blocks.
    #[must_use]
    pub fn has_blocks(&self) -> bool {
        self.blocks.len() > 1
    }

    /// Whether blocks with positions are [enough](are_enough) for errors.
    /// The limits of a fit may leave fewer.
    #[must_use]
    pub fn blocks_tell_errors(&self) -> bool {
        let sizes = || self.blocks.iter().map(|block| block.counts.iter().map(|&count| count as f64).sum::<f64>());
        let with_positions = sizes().filter(|size| *size > 0.0).count();
        are_enough(with_positions, worth(sizes()))
    }

    /// Positions counted. Readers of files make sure that they fit.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.checked_positions().unwrap_or(u64::MAX)
    }

    /// Positions counted, if they fit: then no sum that is made of parts of them can wrap.
    pub(super) fn checked_positions(&self) -> Option<u64> {
        self.blocks.iter().flat_map(|block| &block.counts).try_fold(0_u64, |sum, count| sum.checked_add(*count))
    }

    /// The sum of all blocks.
    #[must_use]
    pub fn total(&self) -> Block {
        let mut blocks = self.blocks.clone();
        // By halves, so that each word is moved only a few times.
        while blocks.len() > 1 {
            let upper = blocks.split_off(blocks.len().div_ceil(2));
            blocks.iter_mut().zip(upper).for_each(|(block, other)| block.merge(other));
        }
        blocks.pop().unwrap_or_default()
    }

    /// Adds other counts. Counts with and without blocks give counts without; where nothing was counted there are no blocks, and
    /// the other's stay.
    pub fn add(&mut self, other: WdlCounts) {
        if other.blocks.is_empty() {
            return;
        }
        if self.blocks.is_empty() {
            *self = other;
        } else if self.blocks.len() == other.blocks.len() {
            self.blocks.iter_mut().zip(other.blocks).for_each(|(block, more)| block.merge(more));
        } else {
            let mut sum = self.total();
            sum.merge(other.total());
            *self = WdlCounts::without_blocks(sum);
        }
    }
}

/// Takes words as they come and counts them in batches.
pub(super) struct Counter {
    waiting: Vec<Vec<u32>>,
    counts: WdlCounts,
}

impl Counter {
    pub(super) fn new() -> Counter {
        Counter { waiting: vec![Vec::new(); BLOCKS], counts: WdlCounts { blocks: vec![Block::default(); BLOCKS] } }
    }

    /// Counts the cells of a game.
    pub(super) fn add(&mut self, block: usize, words: &[u32]) {
        let waiting = &mut self.waiting[block];
        waiting.extend_from_slice(words);
        if waiting.len() >= PENDING {
            self.counts.blocks[block].merge(Block::of_words(waiting));
            waiting.clear();
        }
    }

    pub(super) fn finish(mut self) -> WdlCounts {
        for (block, mut waiting) in self.counts.blocks.iter_mut().zip(self.waiting) {
            block.merge(Block::of_words(&mut waiting));
        }
        self.counts
    }
}

/// Sorts words by their three digits of 11 bits: several times faster than by comparing, which would be a tenth of a
/// run of `collect`.
fn sort(words: &mut Vec<u32>) {
    const DIGIT: u32 = 11;
    if words.len() < 1 << 8 {
        words.sort_unstable();
        return;
    }
    let mut other = vec![0; words.len()];
    let digit = |word: u32, shift: u32| (word >> shift) as usize & ((1 << DIGIT) - 1);
    let mut digits = [0, DIGIT, 2 * DIGIT].map(|shift| (shift, [0_u32; 1 << DIGIT]));
    for &word in &*words {
        for (shift, places) in &mut digits {
            places[digit(word, *shift)] += 1;
        }
    }
    for (shift, mut places) in digits {
        let mut sum = 0;
        for place in &mut places {
            sum += std::mem::replace(place, sum);
        }
        for &word in &*words {
            let place = &mut places[digit(word, shift)];
            other[*place as usize] = word;
            *place += 1;
        }
        std::mem::swap(words, &mut other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use rand::SeedableRng;

    #[test]
    fn words_are_sorted_as_by_comparing() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        for len in [0, 1, 255, 256, 10_000] {
            let mut words: Vec<u32> = (0..len).map(|_| rng.random()).collect();
            let mut expected = words.clone();
            expected.sort_unstable();
            sort(&mut words);
            assert_eq!(words, expected);
        }
    }

    #[test]
    fn counting_in_batches_is_counting_at_once() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(2);
        let words: Vec<u32> = (0..3 * PENDING).map(|_| rng.random_range(0..1 << 16)).collect();
        let mut counter = Counter::new();
        words.chunks(1000).for_each(|game| counter.add(7, game));
        let counts = counter.finish();
        assert_eq!(counts.positions(), words.len() as u64);
        assert_eq!(counts.blocks[7], Block::of_words(&mut words.clone()));
        assert_eq!(counts.total(), counts.blocks[7]);
        let mut twice = counts.clone();
        twice.add(counts.clone());
        assert_eq!(twice.positions(), 2 * counts.positions());
        let mut mixed = WdlCounts::without_blocks(counts.total());
        mixed.add(counts.clone());
        assert_eq!(mixed.total(), twice.total());
        assert!(!mixed.has_blocks());
    }
}
