//! Which positions are held out together.

use twox_hash::XxHash3_64;

use super::super::super::data::deal;
use super::{Block, Positions};

impl Positions {
    /// The folds of each position by its game and those that begin as it does, and no folds by event. They do not depend on the order of the games.
    pub(in super::super) fn folds_by_game(&self, count: usize) -> Vec<(u8, u8)> {
        let families = self.families();
        let folds = deal(families.iter().copied(), count, |game| self.beginnings[game as usize]);
        families.iter().map(|game| (folds[game], 0)).collect()
    }

    /// The folds of each position by opening and by event, as those of [`Data`](super::super::Data).
    pub(in super::super) fn folds(&self, count: usize) -> Vec<(u8, u8)> {
        let hashes = self.events.digests();
        let event = |block: &Block, row: usize| block.events[row];
        let opening = |block: &Block, row: usize| block.openings[row];
        let events = deal(self.each(event), count, |event| hashes[event as usize]);
        let openings = deal(self.each(opening), count, |key| XxHash3_64::oneshot(&key.to_le_bytes()));
        let one_event = self.events.len() < 2;
        self.each(opening)
            .zip(self.each(event))
            .map(|(opening, event)| (openings[&opening], if one_event { 0 } else { events[&event] }))
            .collect()
    }
}
