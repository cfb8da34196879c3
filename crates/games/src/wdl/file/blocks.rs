//! What blocks of games can hold, whatever the games.

use super::LONGEST_GAME;
use crate::wdl::cell::LAST_MOVE;
use crate::wdl::{Block, Cell};

/// Two blocks of more positions than two games can have are never the same: games with the same first moves are in one block, and
/// the evaluations of others differ, but for a game that another order of moves has led to.
pub(in crate::wdl) const ALIKE: u64 = 2 * LONGEST_GAME;

/// Blocks of fewer cells may be multiples of each other by chance; those of games have hundreds.
const FEWEST_CELLS: usize = 10;

/// Refuses blocks of which one is a copy of another, or a multiple of it.
pub(super) fn none_alike(blocks: &[Block]) -> Result<(), String> {
    let sizes: Vec<(u64, u64)> = blocks.iter().map(size_of).collect();
    for (place, (block, &(positions, factor))) in blocks.iter().zip(&sizes).enumerate() {
        let is_copy = |&before: &usize| {
            let (other, (other_positions, other_factor)) = (&blocks[before], sizes[before]);
            if positions.min(other_positions) <= ALIKE {
                return false;
            }
            let [one, other] = [(block, factor), (other, other_factor)]
                .map(|(block, factor)| block.iter().map(move |(word, count)| (word, count / factor)));
            (factor == other_factor || block.len() >= FEWEST_CELLS) && one.eq(other)
        };
        if let Some(before) = (0..place).find(is_copy) {
            let (one, other, others) = (before + 1, place + 1, sizes[before].0);
            return Err(if others == positions {
                format!("blocks {one} and {other} hold the same {positions} positions")
            } else {
                format!(
                    "blocks {one} and {other} hold the same positions, each so many times that they are {others} and {positions}"
                )
            });
        }
    }
    Ok(())
}

/// The positions of a block, and the largest number that divides the counts of all its cells.
fn size_of(block: &Block) -> (u64, u64) {
    let divisor = |mut one: u64, mut other: u64| {
        while other > 0 {
            (one, other) = (other, one % other);
        }
        one
    };
    let add = |(sum, common), (_, count)| (sum + count, divisor(common, count));
    let (positions, common) = block.iter().fold((0, 0), add);
    (positions, common.max(1))
}

/// So many games the positions of a block are of, at least: at each move a game has one position for either side, and only one of the
/// two wins.
pub(super) fn least_games(block: &Block) -> u64 {
    let mut by_move = [[0_u64; 3]; LAST_MOVE as usize + 1];
    for (word, count) in block.iter() {
        if let Some(cell) = Cell::unpack(word) {
            by_move[usize::from(cell.move_number)][cell.result as usize] += count;
        }
    }
    by_move.into_iter().map(|[wins, draws, losses]| wins.max(losses) + draws.div_ceil(2)).max().unwrap_or(0)
}
