//! Nanoseconds per query: from two pawn bitboards to a cell's number, and to what a table says about it.
//!
//! Each query is timed in two ways. `independent` asks one after another, as much at a time as the processor
//! can overlap: what a query takes away from the rest of a search. `chained` makes each query wait for the answer
//! of the one before: the whole delay from bitboards to answer. `floor` is the cost of the loop itself.
//!
//! Before a query is timed each of its answers is compared with a naive one made here, and so is the sum that the timed
//! loop returns: a fast wrong answer ends the run.

use std::collections::BTreeSet;
use std::fs;
use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput};
use drawish_core::index::{Ah, Bg, BgBlocked, BgSym, IndexScheme};
use drawish_core::table::{HEADER_LEN, MAGIC, VERSION, file_len};
use drawish_core::{Cell, DrawTable, Pawns, Scheme};

const STRUCTURES: usize = 4096;

const BG_LEN: usize = file_len(Bg::CELLS as usize, false);
static BG_BYTES: [u8; BG_LEN] = table_bytes(Scheme::Bg);
/// As in an engine: the scheme is known when it is compiled.
static EMBEDDED: DrawTable<'static> = DrawTable::embed(&BG_BYTES);

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .without_plots()
        .configure_from_args();
    let structures = random_structures();
    let naive = Naive::new();
    bench_indices(&mut criterion, &structures, &naive);
    bench_tables(&mut criterion, &structures, &naive);
    criterion.final_summary();
}

fn bench_indices(criterion: &mut Criterion, structures: &[Pawns], naive: &Naive) {
    let floor = |pawns: Pawns| (pawns.white ^ pawns.black) as u32;
    bench(criterion, "floor", structures, floor, floor);
    bench(criterion, "index/bg", structures, |pawns| Bg::index(pawns).0, |pawns| naive.index(Scheme::Bg, pawns));
    bench(
        criterion,
        "index/bg-blocked",
        structures,
        |pawns| BgBlocked::index(pawns).0,
        |pawns| naive.index(Scheme::BgBlocked, pawns),
    );
    bench(criterion, "index/ah", structures, |pawns| Ah::index(pawns).0, |pawns| naive.index(Scheme::Ah, pawns));
    bench(
        criterion,
        "index/bg-sym",
        structures,
        |pawns| BgSym::index(pawns).0,
        |pawns| naive.index(Scheme::BgSym, pawns),
    );
}

fn bench_tables(criterion: &mut Criterion, structures: &[Pawns], naive: &Naive) {
    let naive_cell = |scheme| move |pawns| all_of(value_of(naive.index(scheme, pawns)));
    let naive_scale = |pawns| u32::from(value_of(naive.index(Scheme::Bg, pawns)).2);
    bench(criterion, "cell/bg-embedded", structures, |pawns| read(EMBEDDED.cell(pawns)), naive_cell(Scheme::Bg));
    let scale = |pawns| u32::from(EMBEDDED.cell(pawns).scale.0);
    bench(criterion, "scale/bg-embedded", structures, scale, naive_scale);
    for &scheme in Scheme::ALL {
        let bytes = match scheme {
            Scheme::Bg | Scheme::BgBlocked => table_bytes::<BG_LEN>(scheme).to_vec(),
            Scheme::Ah => table_bytes::<{ file_len(Ah::CELLS as usize, false) }>(scheme).to_vec(),
            Scheme::BgSym => table_bytes::<{ file_len(BgSym::CELLS as usize, false) }>(scheme).to_vec(),
        };
        // Opened from bytes that the compiler has not seen: the scheme is looked up for each query.
        let table = DrawTable::from_bytes(black_box(&bytes)).expect("a table");
        bench(criterion, &format!("cell/{scheme}"), structures, |pawns| read(table.cell(pawns)), naive_cell(scheme));
    }
}

/// Checks a query against its naive twin, then times it in both ways.
fn bench<Q: Fn(Pawns) -> u32 + Copy>(
    criterion: &mut Criterion,
    name: &str,
    structures: &[Pawns],
    query: Q,
    naive: impl Fn(Pawns) -> u32,
) {
    for &pawns in structures {
        assert_eq!(query(pawns), naive(pawns), "{name}: {pawns:x?}");
    }
    let expected = structures.iter().fold(0, |sum: u32, &pawns| sum.wrapping_add(naive(pawns)));
    let ways = [("independent", independent as fn(&[Pawns], Q) -> u32), ("chained", chained)];
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(1));
    for (way, run) in ways {
        assert_eq!(run(structures, query), expected, "{name}, {way}");
        // One iteration is one query, so that criterion prints the time of one.
        group.bench_function(BenchmarkId::from_parameter(way), |bencher| {
            bencher.iter_custom(|queries| time(queries, structures, |structures| run(structures, query)));
        });
    }
    group.finish();
}

/// The time of so many queries: whole rounds over all structures, scaled to the number asked for.
fn time(queries: u64, structures: &[Pawns], run: impl Fn(&[Pawns]) -> u32) -> Duration {
    let rounds = queries.div_ceil(structures.len() as u64);
    let (wall, cpu) = (Instant::now(), cpu_time());
    for _ in 0..rounds {
        black_box(run(black_box(structures)));
    }
    let spent = cpu.zip(cpu_time()).map_or_else(|| wall.elapsed(), |(before, after)| after - before);
    spent.mul_f64(queries as f64 / (rounds * structures.len() as u64) as f64)
}

/// How long this thread has been on a processor, so that other programs do not count; `None` if the system does
/// not say it the way Linux does.
fn cpu_time() -> Option<Duration> {
    // The kernel brings the figure up to date when a thread offers to give way, else only a few hundred times a second.
    thread::yield_now();
    let figures = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    figures.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// The sum of all answers, none of which needs another.
#[inline(never)]
fn independent(structures: &[Pawns], query: impl Fn(Pawns) -> u32) -> u32 {
    // Without the black box several queries would become one vector instruction, which no search can do.
    structures.iter().fold(0, |sum: u32, &pawns| sum.wrapping_add(black_box(query(pawns))))
}

/// The sum of all answers, each of which needs the one before.
#[inline(never)]
fn chained(structures: &[Pawns], query: impl Fn(Pawns) -> u32) -> u32 {
    // No bit of the answer gets into the next query, but the compiler and the processor cannot know that.
    let no_bits = black_box(0);
    let (mut sum, mut answer) = (0u32, 0u32);
    for &Pawns { white, black } in structures {
        // An addition, because its carry could reach every bit.
        let nothing = u64::from(answer & no_bits);
        answer = query(Pawns { white: white.wrapping_add(nothing), black: black.wrapping_add(nothing) });
        sum = sum.wrapping_add(answer);
    }
    sum
}

/// Structures as they might come up in games: on most files one pawn of each side, on ranks 2 to 7, eight at most.
fn random_structures() -> Vec<Pawns> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    // Knuth's MMIX generator; its high bits are the good ones.
    let mut below = move |limit: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    (0..STRUCTURES)
        .map(|_| {
            let mut sides = [0u64; 2];
            for place in 0..16 {
                let (side, file) = (place / 8, (place % 8) as u64);
                let pawns_on_file = [0, 0, 1, 1, 1, 1, 1, 1, 1, 2][below(10) as usize];
                for _ in 0..pawns_on_file {
                    let square = 1 << (8 * (1 + below(6)) + file);
                    if (sides[0] | sides[1]) & square == 0 && sides[side].count_ones() < 8 {
                        sides[side] |= square;
                    }
                }
            }
            Pawns { white: sides[0], black: sides[1] }
        })
        .collect()
}

/// A table without evidence whose cells hold [`value_of`] their number. Its checksum is left out: only `verify`,
/// which is not timed here, asks for it.
const fn table_bytes<const LEN: usize>(scheme: Scheme) -> [u8; LEN] {
    let cells = scheme.cells() as usize;
    let mut bytes = [0; LEN];
    let mut i = 0;
    while i < MAGIC.len() {
        bytes[i] = MAGIC[i];
        i += 1;
    }
    put(&mut bytes, 8, VERSION);
    put(&mut bytes, 10, HEADER_LEN as u16);
    put(&mut bytes, 12, scheme.id());
    put(&mut bytes, 16, (cells & 0xffff) as u16);
    put(&mut bytes, 18, (cells >> 16) as u16);
    put(&mut bytes, 32, 24_000); // the base draw probability
    let mut cell = 0;
    while cell < cells {
        let (probability, draw_score, scale) = value_of(cell as u32);
        put(&mut bytes, HEADER_LEN + 2 * cell, probability);
        put(&mut bytes, HEADER_LEN + 2 * (cells + cell), draw_score as u16);
        bytes[HEADER_LEN + 4 * cells + cell] = scale;
        cell += 1;
    }
    bytes
}

const fn put(bytes: &mut [u8], at: usize, value: u16) {
    [bytes[at], bytes[at + 1]] = value.to_le_bytes();
}

/// Probability, drawScore and scale factor of a cell: numbers that differ from cell to cell, without a meaning.
const fn value_of(cell: u32) -> (u16, i16, u8) {
    (cell.wrapping_mul(40_503) as u16, cell.wrapping_mul(30_011) as i16, (cell % 251) as u8)
}

/// Everything that a table says about a structure as one number, so that nothing of it can be left unread.
fn all_of((probability, draw_score, scale): (u16, i16, u8)) -> u32 {
    u32::from(probability) + 3 * u32::from(draw_score as u16) + 5 * u32::from(scale)
}

fn read(cell: Cell) -> u32 {
    all_of((cell.probability.0, cell.draw_score.0, cell.scale.0))
}

/// The schemes once more, square by square and bit by bit: too simple to be wrong.
struct Naive {
    /// The number in `bg-sym` of each cell of `bg`.
    classes: Vec<u32>,
}

impl Naive {
    fn new() -> Naive {
        let smallest: Vec<u32> = (0..Bg::CELLS).map(smallest_twin).collect();
        let distinct: BTreeSet<u32> = smallest.iter().copied().collect();
        let classes = smallest.iter().map(|cell| distinct.range(..cell).count() as u32).collect();
        Naive { classes }
    }

    fn index(&self, scheme: Scheme, pawns: Pawns) -> u32 {
        let has = |squares: u64, file: u32| (0..8).any(|rank| squares >> (8 * rank + file) & 1 == 1);
        let is_rammed = |file: u32| {
            let stands = |squares: u64, rank: u32| squares >> (8 * rank + file) & 1 == 1;
            (0..7).any(|rank| stands(pawns.white, rank) && stands(pawns.black, rank + 1))
        };
        match scheme {
            Scheme::Bg => cell_of(1..7, |file| has(pawns.white, file), |file| has(pawns.black, file)),
            Scheme::BgBlocked => cell_of(1..7, is_rammed, is_rammed),
            Scheme::Ah => cell_of(0..8, |file| has(pawns.white, file), |file| has(pawns.black, file)),
            Scheme::BgSym => self.classes[self.index(Scheme::Bg, pawns) as usize],
        }
    }
}

/// One bit for each file, White's first.
fn cell_of(files: std::ops::Range<u32>, white: impl Fn(u32) -> bool, black: impl Fn(u32) -> bool) -> u32 {
    let bits = files.clone().map(white).chain(files.map(black));
    bits.enumerate().map(|(bit, is_set)| u32::from(is_set) << bit).sum()
}

/// The smallest of the cells of `bg` that colour swap and file mirror make of this one.
fn smallest_twin(cell: u32) -> u32 {
    let moved = |to: fn(u32) -> u32| (0..12).map(|bit| (cell >> bit & 1) << to(bit)).sum::<u32>();
    let swapped = |bit| (bit + 6) % 12;
    let mirrored = |bit| bit / 6 * 6 + 5 - bit % 6;
    let both = |bit| 11 - bit;
    cell.min(moved(swapped)).min(moved(mirrored)).min(moved(both))
}
