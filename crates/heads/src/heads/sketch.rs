//! Which games a fit has seen, in a few numbers: enough to know them again in other files.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The smallest keys of the games of a fit (Broder 1997), by which games among others are known to be of them. Keys are hashes, so that these games
/// are as good as drawn. In files hexadecimal numbers with blanks between.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GameSketch(Vec<u64>);

/// Why a text is no sketch of games.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("a sketch of games is at most 64 rising hexadecimal numbers of 16 digits, found {0:?}")]
pub struct SketchError(String);

impl GameSketch {
    /// So many keys are kept: of a fit's games of which one in twenty is met again, one of them is in 96 of 100 cases.
    pub const SIZE: usize = 64;

    /// Of the games with these keys.
    #[must_use]
    pub fn of(keys: impl IntoIterator<Item = u64>) -> GameSketch {
        let mut smallest = BTreeSet::new();
        for key in keys {
            if smallest.len() < GameSketch::SIZE || smallest.last().is_some_and(|&last| key < last) {
                smallest.insert(key);
            }
            if smallest.len() > GameSketch::SIZE {
                smallest.pop_last();
            }
        }
        GameSketch(smallest.into_iter().collect())
    }

    /// The keys that are kept, rising.
    #[must_use]
    pub fn keys(&self) -> &[u64] {
        &self.0
    }

    /// Whether no game is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many of the keys are of games that somebody knows.
    #[must_use]
    pub fn shared(&self, knows: impl Fn(u64) -> bool) -> usize {
        self.0.iter().filter(|&&key| knows(key)).count()
    }
}

impl From<GameSketch> for String {
    fn from(sketch: GameSketch) -> String {
        sketch.0.iter().map(|key| format!("{key:016x}")).collect::<Vec<_>>().join(" ")
    }
}

impl TryFrom<String> for GameSketch {
    type Error = SketchError;

    fn try_from(text: String) -> Result<GameSketch, SketchError> {
        let key = |word: &str| {
            let is_key = word.len() == 16 && word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            u64::from_str_radix(word, 16).ok().filter(|_| is_key)
        };
        let keys: Option<Vec<u64>> = text.split_whitespace().map(key).collect();
        let keys = keys.filter(|keys| keys.len() <= GameSketch::SIZE && keys.is_sorted_by(|one, next| one < next));
        keys.map(GameSketch).ok_or_else(|| SketchError(text.chars().take(60).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_keys_are_kept_whatever_their_order() {
        let keys = |count: u64| (1..=count).map(|key| key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let sketch = GameSketch::of(keys(1000));
        let mut sorted: Vec<u64> = keys(1000).collect();
        sorted.sort_unstable();
        assert_eq!(sketch.keys(), &sorted[..GameSketch::SIZE]);
        assert_eq!(GameSketch::of(keys(1000).chain(keys(500)).collect::<Vec<_>>().into_iter().rev()), sketch);
        assert_eq!(GameSketch::of(keys(3)).keys().len(), 3);
        // Every other game is met again.
        let half: BTreeSet<u64> = keys(1000).step_by(2).collect();
        assert!((20..=44).contains(&sketch.shared(|key| half.contains(&key))));
        assert_eq!((sketch.shared(|_| false), sketch.shared(|_| true)), (0, 64));
    }

    #[test]
    fn sketches_come_back_from_text() {
        for count in [0, 1, 64] {
            let sketch = GameSketch::of((0..count).map(|key| key << 40 | 0xabc));
            assert_eq!(GameSketch::try_from(String::from(sketch.clone())), Ok(sketch));
        }
        let many = String::from(GameSketch::of(0..64)) + " ffffffffffffffff";
        for wrong in ["1", "00000000000000ZZ", "+000000000000001", "0000000000000002 0000000000000001", &many] {
            assert!(GameSketch::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
    }
}
