//! Counting lines: how many ways there are to go on for so many plies.
//!
//! The moves are those of the search, in its order, and they are made as it makes them; so a published count that is met
//! speaks for both. Only the last ply is not played: its moves are counted.

use std::sync::atomic::{AtomicBool, Ordering};

use shakmaty::Position;

use super::history::History;
use super::moves::ShortMove;
use super::picker::{Hints, Picker, Ranked};
use crate::eval::State;

/// The lines of `depth` plies from a position; `None` when `stop` was set meanwhile.
#[must_use]
pub fn perft(state: &State, depth: u32, stop: &AtomicBool) -> Option<u64> {
    let mut lists = vec![<[Vec<Ranked>; 3]>::default(); depth as usize];
    lines(state, depth, stop, &History::new(), &mut lists)
}

/// `lists` has the memory for the moves of each ply to come.
fn lines(
    state: &State,
    depth: u32,
    stop: &AtomicBool,
    history: &History,
    lists: &mut [[Vec<Ranked>; 3]],
) -> Option<u64> {
    let position = state.position();
    let Some((list, below)) = lists.split_first_mut().filter(|_| depth > 1) else {
        return Some(if depth == 0 { 1 } else { position.legal_moves().len() as u64 });
    };
    if depth > 2 && stop.load(Ordering::Relaxed) {
        return None;
    }
    // What the tables would hint at: a move that takes the detour over two bytes, and others that it must not double.
    let legal = position.legal_moves();
    let hint = |i: usize| legal.get(i).map_or(ShortMove::NONE, |m| ShortMove::new(*m));
    let hints = Hints {
        table: hint(legal.len() / 2).in_position(position),
        killers: [hint(1), hint(legal.len() / 2)],
        counter: hint(2),
        before: [None; 2],
    };
    let mut picker = Picker::new(position.turn(), hints, std::mem::take(list));
    let mut sum = 0;
    let mut after = state.clone();
    while let Some(m) = picker.next(position, history) {
        after.clone_from(state);
        after.play(m);
        sum += lines(&after, depth - 1, stop, history, below)?;
    }
    *list = picker.into_lists();
    Some(sum)
}
