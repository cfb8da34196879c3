//! The features on boards of shakmaty, by its attacks, piece after piece: the naive twin of `drawish_core::features`.

mod clock;
mod endings;
mod files;
mod kings;
mod material;
mod position;
mod ranks;
mod win;

use shakmaty::{Chess, Position, Setup};

use position::PositionView;

/// The number of features of a family and how they are computed.
struct Block {
    count: usize,
    fill: fn(&PositionView, &mut [i16]),
}

/// The blocks in the order of the values.
const BLOCKS: [Block; 8] = [
    material::COUNTS,
    material::MATERIAL,
    endings::BLOCK,
    files::BLOCK,
    ranks::BLOCK,
    kings::BLOCK,
    clock::BLOCK,
    win::BLOCK,
];

/// All features of a position of a game.
pub(crate) fn values(position: &Chess) -> Vec<i16> {
    of(&PositionView::new(position.board().clone(), position.turn(), position.halfmoves()))
}

/// All features of any board.
pub(crate) fn values_of_setup(setup: &Setup) -> Vec<i16> {
    of(&PositionView::new(setup.board.clone(), setup.turn, setup.halfmoves))
}

fn of(view: &PositionView) -> Vec<i16> {
    let mut values = Vec::new();
    for block in BLOCKS {
        let first = values.len();
        values.resize(first + block.count, 0);
        (block.fill)(view, &mut values[first..]);
    }
    values
}
