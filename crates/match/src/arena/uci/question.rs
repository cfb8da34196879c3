//! What an engine is asked: a position, and how long it may think.

use std::fmt::Write;

use shakmaty::uci::UciMove;
use shakmaty::{Move, Position};

use crate::arena::game::side;
use crate::arena::limits::{Clock, Limits, milliseconds};
use crate::arena::player::Turn;

/// `position ...` and `go ...`; `go ponder ...` with the move that is expected of the opponent, who is to move.
pub(super) fn write_question(command: &mut String, turn: &Turn<'_>, expected: Option<Move>) {
    command.push_str("position ");
    match turn.start_fen {
        None => command.push_str("startpos"),
        Some(fen) => {
            let _ = write!(command, "fen {fen}");
        }
    }
    if !turn.moves.is_empty() || expected.is_some() {
        command.push_str(" moves");
        command.push_str(turn.moves_text);
    }
    let mut mover = turn.position.turn();
    if let Some(expected) = expected {
        command.push(' ');
        UciMove::from_move(expected, turn.castling).append_to_string(command);
        mover = !mover;
    }
    command.push_str(if expected.is_some() { "\ngo ponder" } else { "\ngo" });
    let Limits { nodes, depth, movetime, .. } = turn.limits;
    for (name, [white, black]) in [
        ("time", turn.clocks.map(|clock| clock.map(|Clock { left, .. }| left))),
        ("inc", turn.clocks.map(|clock| clock.map(|Clock { increment, .. }| increment))),
    ] {
        for (side, value) in [('w', white), ('b', black)] {
            if let Some(value) = value {
                let _ = write!(command, " {side}{name} {}", value.as_millis());
            }
        }
    }
    let moves_to_go = turn.clocks[side(mover)].and_then(|clock| clock.moves_to_go).map(u64::from);
    // Many engines take 0 for no limit, or for none of their time.
    let movetime = movetime.map(|time| milliseconds(time).max(1));
    for (name, value) in
        [("movestogo", moves_to_go), ("movetime", movetime), ("nodes", *nodes), ("depth", depth.map(u64::from))]
    {
        if let Some(value) = value {
            let _ = write!(command, " {name} {value}");
        }
    }
    command.push('\n');
}
