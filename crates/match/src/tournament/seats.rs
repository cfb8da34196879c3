//! The players of a worker: engines that were started stay for their next game, up to a number.

use crate::arena::{Player, PlayerLost};
use crate::contest::Players;

/// Engines that a worker keeps running. Those that do not think cost memory, and each may have a large hash table.
const KEPT: usize = 8;

/// The players of a worker.
pub(super) struct Seats<'a> {
    players: &'a [Players],
    /// Who is there, the one that has played last at the end.
    seated: Vec<(usize, Box<dyn Player>)>,
}

impl Seats<'_> {
    pub(super) fn new(players: &[Players]) -> Seats<'_> {
        Seats { players, seated: Vec::new() }
    }

    /// The players of a pairing, started if they are not there.
    pub(super) fn take(&mut self, pairing: [usize; 2]) -> Result<[Box<dyn Player>; 2], PlayerLost> {
        let [one, two] = pairing;
        Ok([self.one(one)?, self.one(two)?])
    }

    fn one(&mut self, engine: usize) -> Result<Box<dyn Player>, PlayerLost> {
        match self.seated.iter().position(|(seated, _)| *seated == engine) {
            Some(at) => Ok(self.seated.remove(at).1),
            None => self.players[engine].player(),
        }
    }

    /// Keeps the players of a pairing for later, and ends those that have not played for longest.
    pub(super) fn give_back(&mut self, pairing: [usize; 2], players: [Box<dyn Player>; 2]) {
        self.seated.extend(pairing.into_iter().zip(players));
        let surplus = self.seated.len().saturating_sub(KEPT);
        self.seated.drain(..surplus);
    }
}
