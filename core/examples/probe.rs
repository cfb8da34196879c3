//! The engine's side in Rust: the table is part of the program and was checked when it was compiled.
//!
//! ```text
//! cargo run --example probe                                     the start position
//! cargo run --example probe -- 0000ff00 ff000000000000          two pawn bitboards in hexadecimal, a1 = bit 0
//! ```

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the command line")]

use std::process::ExitCode;

use drawish_core::{DrawTable, Pawns};

static TABLE: DrawTable<'static> = DrawTable::embed(include_bytes!("pawns.table"));

fn main() -> ExitCode {
    let args: Vec<_> = std::env::args().skip(1).map(|text| u64::from_str_radix(&text, 16)).collect();
    let pawns = match args[..] {
        [] => Pawns::START,
        [Ok(white), Ok(black)] => Pawns { white, black },
        _ => {
            eprintln!("expected the white and the black pawns as two bitboards in hexadecimal");
            return ExitCode::from(2);
        }
    };
    let index = TABLE.scheme().index(pawns);
    let cell = TABLE.cell(pawns);
    println!("{}", TABLE.scheme().describe(index));
    println!(
        "draw probability {:.3}, base {:.3}, drawScore {:+.3} logit",
        cell.probability.to_f64(),
        TABLE.base().to_f64(),
        cell.draw_score.to_logit()
    );
    println!("an evaluation of 100 becomes {}", cell.scale.apply(100));
    ExitCode::SUCCESS
}
