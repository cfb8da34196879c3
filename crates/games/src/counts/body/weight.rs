//! How much a file of counts claims to hold: checked once, so that no sum made of it later can wrap. No honest file comes near.

use super::Body;

/// What is wrong with a body whose weight does not fit 64 bits.
pub(in crate::counts) const TOO_MUCH: &str =
    "it holds more than 2^64 - 1 results or games, which nothing can have counted";

impl Body {
    /// An upper bound of every sum that is made of the numbers of this body: the sum of all.
    pub(in crate::counts) fn weight(&self) -> u128 {
        let results = self.cells.iter().flat_map(|cell| [cell.white_wins, cell.draws, cell.black_wins]);
        let games = self.shards.iter().flat_map(|shard| {
            [
                shard.counted,
                shard.positions,
                shard.result_token_differs,
                shard.ply_count_differs,
                shard.blank_line_in_game,
                shard.unreadable_tags,
                shard.stray_text,
                shard.broken_tags,
                shard.rescued_games,
            ]
            .into_iter()
            .chain(shard.skipped.iter().map(|(_, games)| *games))
        });
        results.chain(games).map(u128::from).sum()
    }
}
