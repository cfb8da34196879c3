//! Counts the lines of every position of a suite by the search's own moves and compares with the published counts;
//! fails if one differs. A line of a suite is a FEN and counts: `... w KQkq - 0 1 ;D1 20 ;D2 400`.
//!
//! ```text
//! cargo run --release -p drawish-engine --example perft -- tests/perft.epd 5
//! ```

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the command line")]

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use drawish_engine::eval::State;
use drawish_engine::search::perft;
use shakmaty::CastlingMode;
use shakmaty::fen::Fen;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(depth)) = (arguments.next(), arguments.next().map_or(Some(5), |word| word.parse().ok()))
    else {
        eprintln!("expected the path of a suite, then the greatest depth, 5 unless given");
        return ExitCode::from(2);
    };
    match run(&path, depth) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{path}: {why}");
            ExitCode::from(2)
        }
    }
}

/// Whether all counts are those of the file, at the greatest depth up to `depth` that each line has.
fn run(path: &str, depth: u32) -> Result<bool, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let began = Instant::now();
    let (mut positions, mut wrong, mut total) = (0, 0, 0);
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let (state, counts) = read(line).map_err(|why| format!("line {}: {why}", i + 1))?;
        let Some((depth, expected)) = counts.into_iter().filter(|(of, _)| *of <= depth).max() else { continue };
        let found = perft(&state, depth, &AtomicBool::new(false)).ok_or("stopped")?;
        positions += 1;
        total += found;
        if found != expected {
            wrong += 1;
            println!("line {}: {found} lines of {depth} plies, expected {expected}: {line}", i + 1);
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    println!("{positions} positions, {wrong} of them wrong, {total} lines, {seconds:.1} s");
    Ok(wrong == 0 && positions > 0)
}

/// A position and its counts by depth.
fn read(line: &str) -> Result<(State, Vec<(u32, u64)>), String> {
    let mut fields = line.split(';');
    let fen: Fen = fields.next().unwrap_or_default().trim().parse().map_err(|error| format!("{error}"))?;
    let setup = fen.into_setup();
    let mode = CastlingMode::detect(&setup);
    let position = setup.position(mode).map_err(|error| format!("{error}"))?;
    let counts = fields.map(|field| {
        let (depth, lines) = field.trim().strip_prefix('D')?.split_once(' ')?;
        Some((depth.parse().ok()?, lines.trim().parse().ok()?))
    });
    let counts: Option<Vec<_>> = counts.collect();
    Ok((State::new(position), counts.ok_or("expected ;D1 20 ;D2 400 and so on after the FEN")?))
}
