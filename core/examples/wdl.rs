//! Win, draw and loss of a position with an evaluation: the heads are part of the program and were checked when it was compiled.
//!
//! ```text
//! cargo run --example wdl -- "8/5k2/5b2/3p4/3P4/4B3/4KP2/8 w - - 0 1" 120
//! ```
//!
//! The evaluation is in centipawns, of the side to move. `wdl.c` and `wdl.cpp` are the same in C and C++.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the command line")]

use std::process::ExitCode;

use drawish_core::{Board, Centipawns, Heads};

static HEADS: Heads<'static> = Heads::embed(include_bytes!("example.heads"));

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let [fen, eval] = &args[..] else {
        eprintln!("expected a FEN in quotes and an evaluation in centipawns");
        return ExitCode::from(2);
    };
    let board = match Board::from_fen(fen) {
        Ok(board) => board,
        Err(error) => {
            eprintln!("{fen}: {error}");
            return ExitCode::FAILURE;
        }
    };
    let Ok(eval) = eval.parse().map(Centipawns) else {
        eprintln!("{eval}: expected a whole number of centipawns");
        return ExitCode::from(2);
    };
    if let Some(wdl) = HEADS.wdl(&board, eval) {
        println!("wdl {} {} {}", wdl.win, wdl.draw, wdl.loss);
    }
    if let (Some(v), Some(expected)) = (HEADS.draw_score(&board), HEADS.expected(&board, eval)) {
        println!("drawscore {}", v.0);
        println!("expected {:.4}", expected.to_f64());
    }
    ExitCode::SUCCESS
}
