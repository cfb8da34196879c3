//! What counting costs beside reading: `collect` on one thread against a visitor that only counts games, on the same
//! PGN file and in the same run; and `collect` on two threads against one.
//!
//! The games are made here, by random legal moves from a fixed seed. So it is known which of them the standard rule
//! counts and where the pawns stand in each: every timed run must find just that, or the bench ends with an error.
//!
//! Without the argument `--bench`, which `cargo bench` adds, the answers are checked on fewer games and nothing is
//! timed. Files named behind `--` are measured instead: both readers must find as many games in each.
#![expect(clippy::print_stdout, reason = "a bench says what it has measured")]

mod cpu;

use std::env;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use cpu::cpu_time;
use drawish::collect::{Collect, Collected};
use drawish::counts::Counts;
use drawish::pgn::{Anomalies, Input};
use drawish::sample::Notices;
use drawish_core::{Outcome, Pawns, Scheme};
use pgn_reader::{Reader, Visitor};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Position};
use tempfile::NamedTempFile;

const GAMES: usize = 20_000;
const ROUNDS: usize = 31;
const GAMES_WITHOUT_TIMING: usize = 1000;

/// The standard rule in half-moves: after how many the counted position is, and how long a counted game is at least.
const SAMPLED_AFTER: usize = 98;
const MIN_PLIES: usize = 119;

fn main() -> io::Result<()> {
    let (options, files): (Vec<_>, Vec<_>) = env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let is_timed = options.iter().any(|option| option == "--bench");
    if !files.is_empty() {
        let line = |file: &Path| measured(&name_of(file), file, |_| ());
        let lines: Vec<_> = files.iter().map(|file| line(Path::new(file))).collect::<io::Result<_>>()?;
        print_table(&lines);
        return Ok(());
    }
    let games = if is_timed { GAMES } else { GAMES_WITHOUT_TIMING };
    let games: Vec<Game> = (0..games as u64).map(Game::random).collect();
    let expected = Expected::of(&games);
    let mut lines = Vec::new();
    for style in [Style::Bare, Style::Commented] {
        let file = style.write(&games)?;
        if is_timed {
            lines.push(measured(style.name(), file.path(), |collected| expected.check(collected))?);
        } else {
            Round::run(file.path(), &|collected| expected.check(collected))?;
        }
    }
    if is_timed {
        println!("\n{} games of {} half-moves", expected.games, expected.plies);
        print_table(&lines);
    } else {
        println!("both readers find the {} games made; `cargo bench` times them", expected.games);
    }
    Ok(())
}

/// The name of a file as it fits into the table.
fn name_of(file: &Path) -> String {
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    name.chars().take(9).collect()
}

/// The line of a file in the table.
fn measured(name: &str, path: &Path, check: impl Fn(&Collected)) -> io::Result<String> {
    // The round that is not kept fills the page cache.
    let games = Round::run(path, &check)?.games;
    let rounds: Vec<Round> = (0..ROUNDS).map(|_| Round::run(path, &check)).collect::<io::Result<_>>()?;
    let megabytes = fs::metadata(path)?.len() as f64 / 1e6;
    Ok(table_line(name, games as f64, megabytes, &rounds))
}

/// One measurement of everything, one after another, so that a slow minute of the machine meets all alike.
struct Round {
    games: u64,
    collect: Cost,
    read: Cost,
    on_two_threads: Cost,
}

impl Round {
    fn run(path: &Path, check: &impl Fn(&Collected)) -> io::Result<Round> {
        let (collected, collect) = timed(|| collect_file(path, 1));
        check(&collected);
        let (games, read) = timed(|| read_file(path));
        let games = games?;
        assert_eq!(games, collected.file.tally().games(), "games found by the plain reader");
        let (on_two, on_two_threads) = timed(|| collect_file(path, 2));
        assert!(on_two.file == collected.file, "two threads find something else than one");
        Ok(Round { games, collect, read, on_two_threads })
    }
}

fn collect_file(path: &Path, threads: usize) -> Collected {
    let run = Collect::new(vec![Input::File(path.to_owned())]).threads(NonZero::new(threads).expect("a thread"));
    run.run().expect("no checkpoint that could fail")
}

/// The least that can be done with a PGN file: the number of its games.
fn read_file(path: &Path) -> io::Result<u64> {
    let mut reader = Reader::new(File::open(path)?);
    let mut games = 0;
    while reader.read_game(&mut Nothing)?.is_some() {
        games += 1;
    }
    Ok(games)
}

/// Looks at nothing.
struct Nothing;

impl Visitor for Nothing {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// What a piece of work took, in seconds.
struct Cost {
    wall: f64,
    /// Processor time of this thread, in user code and in the system; wall time where it is not known.
    cpu: f64,
    /// The part of it in user code, known to a hundredth only: of use when summed up.
    user: f64,
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    let (user_before, cpu_before, start) = (user_time(), cpu_time(), Instant::now());
    let answer = work();
    let wall = start.elapsed().as_secs_f64();
    let since = |before: Option<f64>, now: Option<f64>| before.zip(now).map_or(wall, |(before, now)| now - before);
    let cpu = since(cpu_before, cpu_time());
    let user = since(user_before, user_time());
    (answer, Cost { wall, cpu, user })
}

/// The part of [`cpu_time`] in user code, of which Linux tells hundredths of a second.
fn user_time() -> Option<f64> {
    let figures = fs::read_to_string("/proc/thread-self/stat").ok()?;
    // The second field is a name that may hold blanks, in parentheses; the fourteenth is the one.
    let (_, after_name) = figures.rsplit_once(") ")?;
    after_name.split(' ').nth(11)?.parse::<f64>().ok().map(|hundredths| hundredths / 100.0)
}

const HEADINGS: &str = concat!(
    "                 |        A         |        B         |           A / B            |        2 v 1 threads\n",
    "file          MB |   games/s   MB/s |   games/s   MB/s | median        range   user | median        range   best",
);

fn print_table(lines: &[String]) {
    let clock = if cpu_time().is_some() { "CPU time" } else { "wall time" };
    println!("medians of {ROUNDS} rounds");
    println!("A: collect, B: a visitor that does nothing; {clock} of one thread, `user` without the system's part");
    println!("2 v 1 threads: how many times as fast by wall time, `best` compares the shortest of all rounds");
    println!("\n{HEADINGS}");
    for line in lines {
        println!("{line}");
    }
}

fn table_line(name: &str, games: f64, megabytes: f64, rounds: &[Round]) -> String {
    let speed = |seconds: fn(&Round) -> f64| {
        let seconds = median(&sorted(rounds, seconds));
        format!("{:>9.0} {:>6.0}", games / seconds, megabytes / seconds)
    };
    let ratio = |ratio: fn(&Round) -> f64| {
        let ratios = sorted(rounds, ratio);
        let range = format!("{:.2} to {:.2}", ratios[0], ratios[ratios.len() - 1]);
        format!("{:>6.2} {range:>12}", median(&ratios))
    };
    let sum = |seconds: fn(&Round) -> f64| rounds.iter().map(seconds).sum::<f64>();
    let user = sum(|round| round.collect.user) / sum(|round| round.read.user);
    let best = sorted(rounds, |round| round.collect.wall)[0] / sorted(rounds, |round| round.on_two_threads.wall)[0];
    format!(
        "{name:9} {megabytes:>6.1} | {} | {} | {} {user:>6.2} | {} {best:>6.2}",
        speed(|round| round.collect.cpu),
        speed(|round| round.read.cpu),
        ratio(|round| round.collect.cpu / round.read.cpu),
        ratio(|round| round.collect.wall / round.on_two_threads.wall),
    )
}

fn sorted(rounds: &[Round], figure: fn(&Round) -> f64) -> Vec<f64> {
    let mut figures: Vec<f64> = rounds.iter().map(figure).collect();
    figures.sort_by(f64::total_cmp);
    figures
}

/// Of sorted figures, an odd number of them.
fn median(figures: &[f64]) -> f64 {
    figures[figures.len() / 2]
}

/// A game of random legal moves.
struct Game {
    moves: Vec<SanPlus>,
    outcome: Outcome,
    /// The pawns in the position that the standard rule counts, if it counts the game.
    sampled: Option<Pawns>,
}

impl Game {
    /// A game of 30 to 90 moves of each side, always the same for the same seed.
    fn random(seed: u64) -> Game {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let plies = random.random_range(60..=180);
        let outcomes = [Outcome::WhiteWin, Outcome::Draw, Outcome::BlackWin];
        let outcome = outcomes[random.random_range(0..outcomes.len())];
        // Some attempts end in mate or stalemate too early.
        let (moves, sampled) =
            std::iter::repeat_with(|| random_moves(&mut random, plies)).flatten().next().expect("endless");
        Game { moves, outcome, sampled: sampled.filter(|_| plies >= MIN_PLIES) }
    }

    fn result(&self) -> &'static str {
        match self.outcome {
            Outcome::WhiteWin => "1-0",
            Outcome::Draw => "1/2-1/2",
            Outcome::BlackWin => "0-1",
        }
    }
}

/// So many half-moves and the pawns where the rule looks at them; `None` if the game is over before.
fn random_moves(random: &mut ChaCha8Rng, plies: usize) -> Option<(Vec<SanPlus>, Option<Pawns>)> {
    let mut position = Chess::default();
    let mut moves = Vec::with_capacity(plies);
    let mut sampled = None;
    while moves.len() < plies {
        if moves.len() == SAMPLED_AFTER {
            let pawns_of = |color: Color| u64::from(position.board().pawns() & position.board().by_color(color));
            sampled = Some(Pawns { white: pawns_of(Color::White), black: pawns_of(Color::Black) });
        }
        let legal = position.legal_moves();
        if legal.is_empty() {
            return None;
        }
        let chosen = legal[random.random_range(0..legal.len())];
        moves.push(SanPlus::from_move_and_play_unchecked(&mut position, chosen));
    }
    Some((moves, sampled))
}

/// What `collect` has to find.
struct Expected {
    games: u64,
    plies: usize,
    counted: u64,
    counts: Counts,
}

impl Expected {
    fn of(games: &[Game]) -> Expected {
        let mut counts = Counts::new(Scheme::Bg);
        for game in games {
            if let Some(pawns) = game.sampled {
                counts.get_mut(Scheme::Bg.index(pawns)).count(game.outcome);
            }
        }
        let counted = counts.total().total();
        let plies = games.iter().map(|game| game.moves.len()).sum();
        Expected { games: games.len() as u64, plies, counted, counts }
    }

    fn check(&self, collected: &Collected) {
        let tally = collected.file.tally();
        assert_eq!((tally.games(), tally.counted()), (self.games, self.counted), "games found and games counted");
        assert_eq!(tally.notices, Notices::default());
        assert!(collected.file.counts == self.counts, "the counts are not those of the games made");
        assert!(collected.problems.broken.is_empty() && collected.file.shards[0].anomalies == Anomalies::default());
    }
}

/// How a game is written down.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Tags and moves.
    Bare,
    /// A comment as fastchess writes it after each move, and a long one of 400 bytes every 16 half-moves.
    Commented,
}

impl Style {
    fn name(self) -> &'static str {
        match self {
            Style::Bare => "bare",
            Style::Commented => "commented",
        }
    }

    /// All games in a temporary file.
    fn write(self, games: &[Game]) -> io::Result<NamedTempFile> {
        let mut out = BufWriter::new(NamedTempFile::new()?);
        for (number, game) in games.iter().enumerate() {
            self.write_game(&mut out, number + 1, game)?;
        }
        Ok(out.into_inner()?)
    }

    fn write_game(self, out: &mut impl Write, number: usize, game: &Game) -> io::Result<()> {
        let result = game.result();
        writeln!(out, "[Event \"Random moves\"]\n[Site \"?\"]\n[Date \"2025.01.31\"]\n[Round \"{number}\"]")?;
        writeln!(out, "[White \"Engine A 1.0\"]\n[Black \"Engine B 1.0\"]\n[Result \"{result}\"]")?;
        writeln!(out, "[PlyCount \"{}\"]\n[TimeControl \"10+0.1\"]\n", game.moves.len())?;
        for (ply, san) in game.moves.iter().enumerate() {
            if ply.is_multiple_of(2) {
                write!(out, "{}. ", ply / 2 + 1)?;
            }
            write!(out, "{san}")?;
            if self == Style::Commented {
                write_comment(out, number, ply)?;
            }
            out.write_all(if ply % 8 == 7 { b"\n" } else { b" " })?;
        }
        writeln!(out, "{result}\n")
    }
}

fn write_comment(out: &mut impl Write, number: usize, ply: usize) -> io::Result<()> {
    if ply % 16 == 15 {
        let variation = "pv=Nf3 Nf6 O-O dxc4; ".repeat(20);
        return write!(out, " {{{variation:.400}}}");
    }
    let (sign, centipawns) = (if ply.is_multiple_of(3) { '-' } else { '+' }, (number * 7 + ply * 13) % 300);
    let (depth, tenths) = (14 + ply % 9, 3 + (number + ply) % 20);
    write!(out, " {{{sign}{}.{:02}/{depth} {}.{}s}}", centipawns / 100, centipawns % 100, tenths / 10, tenths % 10)
}
