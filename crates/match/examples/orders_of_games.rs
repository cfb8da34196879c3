//! How often PGN of matches between equal engines is judged to show a difference, by what a runner writes: with rounds or without, in the
//! order in which games end or sorted, whole or while the match still runs. The first side wins quickly and loses slowly, as engines do
//! that differ in their contempt, so that what stands first in a file, or is there already, speaks for it. Fails if more than 5 % of files
//! of a kind (by three standard errors of this simulation) have a sequential test accept H1 or an interval that leaves out 0, and
//! nothing is said of their order or of missing games.
//!
//! ```text
//! cargo run --release -p drawish-match --example orders_of_games -- 200
//! ```

#![expect(clippy::print_stdout, reason = "a program for the command line")]

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::num::NonZero;
use std::process::ExitCode;
use std::thread::available_parallelism;

use drawish_core::Outcome;
use drawish_games::pgn::Input;
use drawish_match::results::{Choice, Remark, Source, judge, read_all};
use drawish_stats::numeric::in_order;
use drawish_stats::{Decision, Sprt};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, EnPassantMode, Position};
use tempfile::NamedTempFile;

const PAIRS: usize = 300;
const TEST: [&str; 2] = ["elo0=0", "elo1=20"];
const LEVEL: f64 = 0.05;
/// White's share of wins, and Black's, of all games.
const WINS: [f64; 2] = [0.3, 0.2];
/// Half-moves of the opening, which has a FEN of its own.
const OPENING: usize = 8;

/// What a runner writes of the round of a game.
#[derive(Clone, Copy)]
enum Rounds {
    /// Both games of a pair have one.
    OfPairs,
    /// Each game has its own.
    OfGames,
    /// So many pairs share one.
    Shared(usize),
    None,
}

/// In which order games stand.
#[derive(Clone, Copy)]
enum Order {
    /// That in which they end.
    Ended,
    /// The shortest first.
    Length,
    /// By White's name and the result.
    WhiteAndResult,
}

/// A kind of files.
struct Kind {
    rounds: Rounds,
    order: Order,
    /// So many games are played at a time.
    at_once: usize,
    /// Whether the games that were running when the last one began are not there yet.
    is_running: bool,
}

/// A game between equals.
struct Game {
    pair: usize,
    /// Whether the first side has White.
    is_first: bool,
    outcome: Outcome,
    moves: String,
    plies: usize,
}

/// How files of a kind were judged.
#[derive(Default)]
struct Judged {
    h1: u32,
    h0: u32,
    /// Intervals that leave out 0.
    missed: u32,
    /// Files of which something is said.
    told: u32,
    /// Of the others, those with H1, and intervals that leave out 0.
    silent: [u32; 2],
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let files: u64 = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(200);
    println!("{files} files of {PAIRS} pairs each; {}", TEST.join(" "));
    println!("{:<68}{:>6}{:>6}{:>8}{:>6}{:>12}", "", "H1", "H0", "missed", "told", "not told");
    let seeds: Vec<u64> = (0..files).collect();
    let threads = available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let most = files as f64 * LEVEL + 3.0 * (files as f64 * LEVEL * (1.0 - LEVEL)).sqrt();
    let mut is_kept = true;
    for kind in kinds() {
        let mut all = Judged::default();
        let mut failed = None;
        in_order(
            &seeds,
            threads,
            |_, &seed| judged(&kind, seed).map_err(|error| error.to_string()),
            |one| match one {
                Ok(one) => all.add(&one),
                Err(error) => failed = Some(error),
            },
        );
        if let Some(error) = failed {
            return Err(error.into());
        }
        is_kept &= all.silent.iter().all(|&silent| f64::from(silent) <= most);
        let Judged { h1, h0, missed, told, silent: [test, interval] } = all;
        println!("{:<68}{h1:>6}{h0:>6}{missed:>8}{told:>6}{:>12}", kind.name(), format!("{test} {interval}"));
    }
    println!(
        "not told: files with H1, and with an interval that leaves out 0, without a remark; at most {most:.0} each"
    );
    Ok(if is_kept { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn kinds() -> Vec<Kind> {
    let ended = |rounds, at_once| Kind { rounds, order: Order::Ended, at_once, is_running: false };
    let running = |rounds, at_once| Kind { is_running: true, ..ended(rounds, at_once) };
    let sorted = |order| Kind { rounds: Rounds::None, order, at_once: 1, is_running: false };
    vec![
        ended(Rounds::OfPairs, 1),
        ended(Rounds::OfPairs, 128),
        ended(Rounds::OfGames, 128),
        ended(Rounds::Shared(100), 128),
        ended(Rounds::None, 1),
        ended(Rounds::None, 128),
        ended(Rounds::None, 400),
        sorted(Order::Length),
        sorted(Order::WhiteAndResult),
        running(Rounds::OfPairs, 16),
        running(Rounds::OfPairs, 128),
        running(Rounds::OfGames, 128),
        running(Rounds::None, 128),
    ]
}

impl Kind {
    fn name(&self) -> String {
        let rounds = match self.rounds {
            Rounds::OfPairs => "a round for each pair".to_owned(),
            Rounds::OfGames => "a round for each game".to_owned(),
            Rounds::Shared(pairs) => format!("a round for {pairs} pairs"),
            Rounds::None => "no rounds".to_owned(),
        };
        let order = match self.order {
            Order::Ended => format!("as games end, {} at a time", self.at_once),
            Order::Length => "sorted by length".to_owned(),
            Order::WhiteAndResult => "sorted by White and result".to_owned(),
        };
        format!("{rounds}, {order}{}", if self.is_running { ", still running" } else { "" })
    }

    /// Brings games, which stand in the order in which they begin, into that of the file.
    fn arrange(&self, games: &mut Vec<Game>) {
        match self.order {
            Order::Ended => {
                let mut ends = vec![0; self.at_once];
                let end = |plies| {
                    let free = (0..ends.len()).min_by_key(|&at| ends[at]).expect("at least one at a time");
                    ends[free] += plies;
                    ends[free]
                };
                let ended: Vec<usize> = games.iter().map(|game| game.plies).map(end).collect();
                // The moment in which the last game begins: whoever looks then has what has ended.
                let begun = ended.last().zip(games.last()).map_or(0, |(end, game)| end - game.plies);
                let mut both: Vec<(usize, Game)> = ended.into_iter().zip(games.drain(..)).collect();
                both.sort_by_key(|(end, _)| *end);
                both.retain(|(end, _)| !self.is_running || *end <= begun);
                games.extend(both.into_iter().map(|(_, game)| game));
            }
            Order::Length => games.sort_by_key(|game| game.plies),
            Order::WhiteAndResult => games.sort_by_key(|game| (!game.is_first, game.result())),
        }
    }

    fn round(&self, game: &Game) -> String {
        match self.rounds {
            Rounds::OfPairs => (game.pair + 1).to_string(),
            Rounds::OfGames => (2 * game.pair + 1 + usize::from(!game.is_first)).to_string(),
            Rounds::Shared(pairs) => (game.pair / pairs + 1).to_string(),
            Rounds::None => "?".to_owned(),
        }
    }
}

impl Game {
    fn result(&self) -> &'static str {
        match self.outcome {
            Outcome::WhiteWin => "1-0",
            Outcome::Draw => "1/2-1/2",
            Outcome::BlackWin => "0-1",
        }
    }
}

impl Judged {
    fn add(&mut self, one: &Judged) {
        self.h1 += one.h1;
        self.h0 += one.h0;
        self.missed += one.missed;
        self.told += one.told;
        (0..2).for_each(|at| self.silent[at] += one.silent[at]);
    }
}

/// Writes a file of a kind and lets the library read and judge it.
fn judged(kind: &Kind, seed: u64) -> Result<Judged, Box<dyn Error>> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let openings: Vec<Chess> = (0..PAIRS).map(|_| played(Chess::default(), OPENING, &mut random).0).collect();
    let mut games: Vec<Game> = Vec::with_capacity(2 * PAIRS);
    for (pair, opening) in openings.iter().enumerate() {
        games.extend([true, false].map(|is_first| game(pair, opening, is_first, &mut random)));
    }
    kind.arrange(&mut games);
    let mut file = NamedTempFile::with_suffix(".pgn")?;
    for game in &games {
        let sides = if game.is_first { ["new", "old"] } else { ["old", "new"] };
        let fen = Fen::from_position(&openings[game.pair], EnPassantMode::Legal);
        writeln!(file, "[Event \"match\"]\n[Round \"{}\"]\n[White \"{}\"]", kind.round(game), sides[0])?;
        writeln!(file, "[Black \"{}\"]\n[Result \"{}\"]\n[FEN \"{fen}\"]\n", sides[1], game.result())?;
        writeln!(file, "{}{}\n", game.moves, game.result())?;
    }
    file.flush()?;
    let choice = Choice { first: Some("new".to_owned()), ..Choice::default() };
    let runs = read_all(&[Source::Input(Input::File(file.path().to_owned()))], &choice)?;
    let found = judge(&runs, Some(Sprt::from_words(TEST)?), None)?;
    let decision = found.test.ok_or("no test")?.decision;
    let said = |remark: &Remark| {
        matches!(
            remark,
            Remark::NoRounds | Remark::Streaky | Remark::Sorted | Remark::Missing { .. } | Remark::Partners { .. }
        )
    };
    let is_told = runs[0].remarks.iter().any(said);
    let h1 = u32::from(decision == Decision::H1);
    let missed = u32::from(found.strength.elo_low > 0.0 || found.strength.elo_high < 0.0);
    let silent = [h1, missed].map(|wrong| if is_told { 0 } else { wrong });
    Ok(Judged { h1, h0: u32::from(decision == Decision::H0), missed, told: u32::from(is_told), silent })
}

fn game(pair: usize, opening: &Chess, is_first: bool, random: &mut ChaCha8Rng) -> Game {
    let drawn: f64 = random.random();
    let outcome = match drawn {
        drawn if drawn < WINS[0] => Outcome::WhiteWin,
        drawn if drawn < WINS[0] + WINS[1] => Outcome::BlackWin,
        _ => Outcome::Draw,
    };
    let first_wins = if is_first { Outcome::WhiteWin } else { Outcome::BlackWin };
    let usual = match outcome {
        Outcome::Draw => 60,
        outcome if outcome == first_wins => 20,
        _ => 100,
    };
    let (_, moves, plies) = played(opening.clone(), random.random_range(usual..usual + 20), random);
    Game { pair, is_first, outcome, moves, plies }
}

/// Random moves from a position, so many or until the game ends by them: where they lead, their text and number.
fn played(mut position: Chess, most: usize, random: &mut ChaCha8Rng) -> (Chess, String, usize) {
    let mut text = String::new();
    for ply in 0..most {
        let moves = position.legal_moves();
        let Some(&chosen) = moves.choose(random) else { return (position, text, ply) };
        let _ = write!(text, "{} ", SanPlus::from_move_and_play_unchecked(&mut position, chosen));
    }
    (position, text, most)
}
