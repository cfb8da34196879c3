//! Which games begin alike: they depend on each other, however they end.

use twox_hash::XxHash3_64;

use crate::rows::{Rows, SKELETON_PLY};

/// The game that is being read.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// Its key.
    game: Option<u64>,
    /// The half-moves before its last row.
    plies: u16,
    /// Its number, once a position of it counts.
    pub number: Option<u32>,
    /// Positions so far whose evaluation counts, whether taken or not.
    pub usable: u64,
    /// A hash of its opening skeleton and of its first position from [`SKELETON_PLY`] on, once that was there.
    pub beginning: u64,
    is_whole: bool,
}

impl Reading {
    /// Whether the beginning is another now: with the first row of a game, and with that from [`SKELETON_PLY`] on.
    pub fn begin(&mut self, rows: &Rows, row: usize) -> bool {
        let (game, skeleton) = (rows.games[row], rows.skeletons[row]);
        let plies = rows.plies[row];
        // A copy of a game may stand right behind it, or far from it.
        let is_new = self.game != Some(game) || plies < self.plies;
        if is_new {
            *self = Reading { game: Some(game), beginning: skeleton, ..Reading::default() };
        }
        self.plies = plies;
        let is_there = !self.is_whole && usize::from(plies) >= SKELETON_PLY;
        if is_there {
            self.is_whole = true;
            let values = rows.features.iter().flat_map(|column| column[row].to_le_bytes());
            let bytes: Vec<u8> = skeleton.to_le_bytes().into_iter().chain(values).collect();
            self.beginning = XxHash3_64::oneshot(&bytes);
        }
        is_new || is_there
    }
}
