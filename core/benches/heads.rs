//! Nanoseconds per position for what heads say, from nothing remembered: a board in, features and score out.
//!
//! The positions are those of `features.tsv`, whose first 70 are endings made by hand and whose others come from games; the latter
//! are timed. Every answer is compared with that file before anything is timed: a fast wrong answer ends the run.

use std::fs;
use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use criterion::Criterion;
use drawish_core::features::{self, COUNT, View};
use drawish_core::{Board, Centipawns, Heads};

static HEADS: Heads<'static> = Heads::embed(include_bytes!("../examples/example.heads"));
const TABLE: &str = include_str!("../features.tsv");
/// Positions of games in the table.
const GAMES: usize = 130;

/// A position, and what the table says of it.
struct Row {
    board: Board,
    eval: Centipawns,
    values: Vec<i64>,
    scores: Vec<i64>,
}

impl Row {
    fn of(line: &str) -> Row {
        let (fen, numbers) = line.split_once('\t').expect("values");
        let mut values: Vec<i64> = numbers.split('\t').map(|number| number.parse().expect("a number")).collect();
        let scores = values.split_off(COUNT);
        Row { board: Board::from_fen(fen).expect("a FEN"), eval: Centipawns(scores[5] as i32), values, scores }
    }
}

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .without_plots()
        .configure_from_args();
    let rows: Vec<Row> = TABLE.lines().skip(1).map(Row::of).collect();
    bench(
        &mut criterion,
        "features",
        &rows,
        |row| {
            let mut values = [0; COUNT];
            features::fill(&View::new(&row.board), &mut values);
            values
        },
        |values, row| values.iter().zip(&row.values).all(|(a, b)| i64::from(*a) == *b),
    );
    let draw = |row: &Row| HEADS.draw_score(&row.board).map(|score| i64::from(score.0));
    bench(&mut criterion, "draw-score", &rows, draw, |score, row| *score == Some(row.scores[0]));
    let gain = |row: &Row| HEADS.gain(&row.board).map(|gain| i64::from(gain.apply(row.eval).0));
    bench(&mut criterion, "gain", &rows, gain, |eval, row| *eval == Some(row.scores[6]));
    let expected = |row: &Row| HEADS.expected(&row.board, row.eval).map(|expected| i64::from(expected.raw()));
    bench(&mut criterion, "expected-score", &rows, expected, |expected, row| *expected == Some(row.scores[7]));
    // Evaluations that are mates would cost nothing.
    let rows: Vec<Row> = rows.into_iter().filter(|row| row.eval.0.abs() < 10_000).collect();
    let wdl = |row: &Row| HEADS.wdl(&row.board, row.eval).map(|wdl| [wdl.win, wdl.draw, wdl.loss].map(i64::from));
    bench(&mut criterion, "wdl", &rows, wdl, |wdl, row| wdl.is_some_and(|wdl| wdl == row.scores[8..]));
    criterion.final_summary();
}

/// Checks each answer, then times those of positions of games.
fn bench<T>(
    criterion: &mut Criterion,
    name: &str,
    rows: &[Row],
    query: impl Fn(&Row) -> T,
    right: impl Fn(&T, &Row) -> bool,
) {
    assert!(rows.iter().all(|row| right(&query(row), row)), "{name}");
    let games = &rows[rows.len().saturating_sub(GAMES)..];
    criterion.bench_function(name, |bencher| {
        bencher.iter_custom(|queries| {
            let rounds = queries.div_ceil(games.len() as u64);
            let (wall, cpu) = (Instant::now(), cpu_time());
            for _ in 0..rounds {
                for row in games {
                    black_box(query(black_box(row)));
                }
            }
            let spent = cpu.zip(cpu_time()).map_or_else(|| wall.elapsed(), |(before, after)| after - before);
            spent.mul_f64(queries as f64 / (rounds * games.len() as u64) as f64)
        });
    });
}

/// How long this thread has been on a processor, so that other programs hardly count; `None` if the system does not say it the way
/// Linux does.
fn cpu_time() -> Option<Duration> {
    // The kernel brings the figure up to date when a thread offers to give way, else only a few hundred times a second.
    thread::yield_now();
    let figures = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    figures.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
