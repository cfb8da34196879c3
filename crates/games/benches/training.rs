//! How fast training data is read into counts: bullet's boards, and binpacks beside the loop of sfbinpack's own example. The
//! files are made of the shipped sample, a game of it standing there several times.
//!
//! ```sh
//! cargo bench -p drawish-games --bench training
//! ```
//!
//! Every figure is CPU time of one thread, the least of five runs in turn, and every run is held against the number of positions
//! that were written. Without the argument `--bench`, which `cargo bench` adds, only that is checked.

#![expect(clippy::print_stdout, reason = "that is what it is for")]

#[path = "../../../benches/cpu/mod.rs"]
mod cpu;
#[expect(dead_code, reason = "PGN and viridithas' games are for the tests")]
#[path = "../tests/games/writers.rs"]
mod writers;

use std::fs::File;
use std::hint::black_box;
use std::num::NonZero;
use std::path::Path;
use std::time::Instant;

use drawish_games::collect::Collect;
use drawish_games::pgn::Input;
use drawish_games::sample::{Rule, Sampling};
use sfbinpack::CompressedTrainingDataEntryReader;

/// How often each game stands in the files.
const COPIES: usize = 12;
const RUNS: usize = 5;

fn main() -> std::io::Result<()> {
    let games = writers::games(usize::MAX);
    let positions = COPIES * games.iter().map(|game| game.moves.len()).sum::<usize>();
    let place = tempfile::TempDir::new()?;
    let (boards, chains) = (place.path().join("a.bullet"), place.path().join("a.binpack"));
    std::fs::write(&boards, writers::bullet(&games).repeat(COPIES))?;
    std::fs::write(&chains, writers::binpack(&games).repeat(COPIES))?;
    let of_games = |sampling| Rule { sampling, min_moves: 0, fen_starts: true, ..Rule::default() };
    let every = of_games(Sampling::Every { from: 1 });
    let one = of_games(Sampling::At { at: 50 });
    let is_timed = std::env::args().any(|argument| argument == "--bench");
    let mut least = [f64::INFINITY; 4];
    for _ in 0..if is_timed { RUNS } else { 1 } {
        let times = [
            time(|| assert_eq!(collect(&boards, &Rule::of_positions()), positions)),
            time(|| assert_eq!(collect(&chains, &every), positions)),
            time(|| assert!(collect(&chains, &one) > 0)),
            time(|| assert_eq!(entries(&chains), positions)),
        ];
        least.iter_mut().zip(times).for_each(|(least, time)| *least = least.min(time));
    }
    if !is_timed {
        return Ok(());
    }
    println!("{positions} positions, {} games", COPIES * games.len());
    let names =
        ["bullet, each board", "binpack, every position", "binpack, move 50 of a game", "binpack, sfbinpack's loop"];
    for (name, seconds) in names.iter().zip(least) {
        println!("{name:<28}{seconds:>8.3} s{:>8.1} million positions a second", positions as f64 / seconds / 1e6);
    }
    println!("every position of a binpack takes {:.2} times as long as sfbinpack's loop", least[1] / least[3]);
    Ok(())
}

fn time(work: impl FnOnce()) -> f64 {
    let (began, before) = (Instant::now(), cpu::cpu_time());
    work();
    cpu::cpu_time().zip(before).map_or_else(|| began.elapsed().as_secs_f64(), |(after, before)| after - before)
}

/// The positions that were counted.
fn collect(path: &Path, rule: &Rule) -> usize {
    let run = Collect::new(vec![Input::File(path.to_owned())]).rule(rule.clone()).threads(NonZero::<usize>::MIN);
    run.run().expect("a run").file.tally().positions as usize
}

/// As sfbinpack's example reads, without printing.
fn entries(path: &Path) -> usize {
    let file = File::open(path).expect("the file");
    let mut reader = CompressedTrainingDataEntryReader::new(file).expect("a binpack");
    let mut count = 0;
    while reader.has_next() {
        black_box(reader.next());
        count += 1;
    }
    count
}
