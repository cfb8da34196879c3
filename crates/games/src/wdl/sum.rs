//! Files of counts added to one, whatever their form.

use twox_hash::XxHash3_128;

use super::cell::SPEED_MASK;
use super::{WdlCounts, WdlFile, WdlFileError};

/// The sum of files of counts. The same counts twice are refused, even in two forms, of which JSON does not say from which games they are, or
/// from two inputs, if they are too many to be the same by chance: one is a copy of the other with other line ends, tags or packing.
#[derive(Debug, Default)]
pub struct WdlSum {
    sum: WdlFile,
    files: usize,
    /// The contents of the files so far, and whether their games are known. Of one file alone nothing is.
    contents: Vec<(u128, bool)>,
}

impl WdlSum {
    /// Adds a file.
    ///
    /// # Errors
    ///
    /// Those of [`WdlFile::add`], and [`WdlFileError::SameCounts`] where the games of this file or of an earlier one with the same
    /// counts are not known. The sum is of no use then.
    pub fn add(&mut self, file: WdlFile) -> Result<(), WdlFileError> {
        self.files += 1;
        if self.files == 1 {
            return self.sum.add(file);
        }
        if self.contents.is_empty() {
            self.contents.push(content(&self.sum));
        }
        let own @ (counts, is_known) = content(&file);
        let are_few = file.telling_digest().is_none();
        let is_same =
            |&(other, is_other_known): &(u128, bool)| counts == other && !(are_few && is_known && is_other_known);
        let is_again = file.counts.positions() > 0 && self.contents.iter().any(is_same);
        self.sum.add(file)?;
        self.contents.push(own);
        if is_again { Err(WdlFileError::SameCounts) } else { Ok(()) }
    }

    /// The sum.
    #[must_use]
    pub fn into_file(self) -> WdlFile {
        self.sum
    }
}

/// A digest of the counts as every form has them, and whether the file says by which rule and from which games they come.
fn content(file: &WdlFile) -> (u128, bool) {
    (digest(&file.counts), !file.provenance.rules.is_empty())
}

/// So many positions of other games never have the same counts.
const MANY: u64 = 500;

impl WdlFile {
    /// XXH3-128 of the counts, whatever blocks and times they have; `None` of so few that other games may have the same.
    #[must_use]
    pub fn telling_digest(&self) -> Option<u128> {
        (self.counts.positions() >= MANY).then(|| digest(&self.counts))
    }
}

/// JSON has neither blocks nor times.
fn digest(counts: &WdlCounts) -> u128 {
    let mut cells: Vec<(u32, u64)> = counts.total().iter().map(|(word, count)| (word & !SPEED_MASK, count)).collect();
    cells.sort_unstable_by_key(|&(word, _)| word);
    let mut hash = XxHash3_128::new();
    for same in cells.chunk_by(|one, other| one.0 == other.0) {
        hash.write(&same[0].0.to_le_bytes());
        let count = same.iter().fold(0_u64, |sum, &(_, count)| sum.wrapping_add(count));
        hash.write(&count.to_le_bytes());
    }
    hash.finish_128()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wdl::{Block, Cell, MoverResult, Provenance, RecordedRule, Speed, WdlMergeError, write_json};
    use drawish_artefact::provenance::{Digest, InputRecord};

    /// Counts in two blocks, some with a time control, from an input with this digest.
    fn collected(digest: u128) -> WdlFile {
        let word = |eval, speed| {
            let speed = Speed::new(speed).expect("a class");
            Cell { result: MoverResult::Draw, move_number: 20, material: 50, eval, speed }.pack()
        };
        let mut counts = WdlCounts { blocks: vec![Block::default(); 2] };
        for (block, word) in [(0, word(10, 0)), (0, word(10, 3)), (1, word(10, 3)), (1, word(15, 3))] {
            assert!(counts.blocks[block].push(word, 5));
        }
        let input = InputRecord { xxh3_128: Digest(digest), games: 3, ..InputRecord::default() };
        let rules = vec![RecordedRule::Line("a rule".to_owned())];
        WdlFile { provenance: Provenance { rules, inputs: vec![input], ..Provenance::default() }, counts }
    }

    fn json(file: &WdlFile) -> WdlFile {
        let mut text = Vec::new();
        write_json(&file.counts, &mut text).expect("JSON");
        WdlFile::read(&text[..], "a.json").expect("counts")
    }

    fn added(files: &[WdlFile]) -> Result<u64, WdlFileError> {
        let mut sum = WdlSum::default();
        files.iter().try_for_each(|file| sum.add(file.clone()))?;
        Ok(sum.into_file().counts.positions())
    }

    #[test]
    fn the_same_counts_in_two_forms_are_refused() {
        let (one, mut other) = (collected(1), collected(2));
        other.counts.blocks[0] = Block::default();
        for files in [[one.clone(), json(&one)], [json(&one), one.clone()]] {
            assert!(matches!(added(&files), Err(WdlFileError::SameCounts)));
        }
        let third = added(&[other.clone(), one.clone(), json(&one)]);
        assert!(matches!(third, Err(WdlFileError::SameCounts)));
        assert_eq!(added(&[one.clone(), json(&other)]).expect("other counts"), 30);
        // Different games whose counts are the same by chance.
        assert_eq!(added(&[one, collected(2)]).expect("other games"), 40);
        // Of so many no chance makes them the same.
        let many = |digest| {
            let mut file = collected(digest);
            (0..25).for_each(|_| file.counts.add(collected(0).counts));
            file
        };
        assert!(matches!(added(&[many(1), many(2)]), Err(WdlFileError::SameCounts)));
        assert!(matches!(many(1).merge(many(2)), Err(WdlMergeError::SameCounts)));
        assert!(collected(1).merge(collected(2)).is_ok());
    }
}
