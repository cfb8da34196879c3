//! Plays chess games of a simple player against itself and prints them as PGN.
//!
//! The player looks a few plies ahead, knows a little about endings, likes to
//! exchange, and is disturbed by a small random amount, so that the games
//! differ. They end by the rules alone; nothing is adjudicated. Run it with
//!
//! ```text
//! cargo run --release --example sample_games -- GAMES SEED > sample.pgn
//! ```
//!
//! A game depends only on SEED and on its number (the Round tag), so the first
//! games of a long sample are the same as those of a short one.

#![expect(clippy::print_stderr, reason = "a program for the command line")]

use std::cmp::Reverse;
use std::io::{self, Write};
use std::process::ExitCode;

use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use shakmaty::san::SanPlus;
use shakmaty::{Board, Chess, Color, KnownOutcome, Move, MoveList, Position, Role, Square};

/// Random moves before the player takes over, to spread the games out.
const OPENING_PLIES: usize = 8;
/// The widest advantage, in centipawns, that those moves may leave.
const OPENING_MARGIN: i32 = 50;
/// Search depth in plies, before the captures are played out.
const DEPTH: i32 = 3;
/// The depth with few pieces left, when searching is cheap and mates are far.
const ENDING_DEPTH: i32 = 5;
const ENDING_PIECES: usize = 10;
/// The most, in centipawns, that chance adds to the score of a move.
const NOISE: i32 = 35;
/// What a capture is worth for its own sake: exchanges lead to long endings.
const EXCHANGE_BONUS: i32 = 25;
/// The kings come out when no more officers than this are left.
const ENDING_OFFICERS: usize = 4;

/// Piece values in centipawns, indexed by `Role`, which counts from 1.
const VALUES: [i32; 7] = [0, 100, 320, 330, 500, 950, 0];
const MATE: i32 = 100_000;
/// How much more a mate one ply nearer is worth. It outweighs the noise, or a
/// player with a choice of mates might never get round to one.
const MATE_STEP: i32 = 100;
const INFINITY: i32 = 1_000_000;
/// The PGN standard advises against lines of 80 characters and more.
const LINE_WIDTH: usize = 79;

fn main() -> ExitCode {
    let args = std::env::args().skip(1);
    let numbers: Option<Vec<u64>> = args.map(|arg| arg.parse().ok()).collect();
    let Some(&[games, seed]) = numbers.as_deref() else {
        eprintln!("usage: sample_games GAMES SEED > sample.pgn (two whole numbers)");
        return ExitCode::from(2);
    };
    if let Err(error) = write_games(games, seed) {
        eprintln!("sample_games: cannot write the games: {error}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn write_games(games: u64, seed: u64) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for round in 1..=games {
        // A stream of the generator for each game keeps the games independent.
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(round);
        let mut game = Game::with_random_opening(&mut rng);
        let result = loop {
            if let Some(result) = game.result() {
                break result;
            }
            game.play(game.choose_move(&mut rng));
        };
        out.write_all(pgn(round, &game.sans, result).as_bytes())?;
    }
    out.flush()
}

fn pgn(round: u64, sans: &[SanPlus], result: KnownOutcome) -> String {
    let mut text = format!(
        "[Event \"drawish sample\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"{round}\"]\n\
         [White \"drawish sample player\"]\n[Black \"drawish sample player\"]\n\
         [Result \"{result}\"]\n[PlyCount \"{}\"]\n",
        sans.len()
    );
    let mut tokens = Vec::new();
    for (number, pair) in (1..).zip(sans.chunks(2)) {
        tokens.push(format!("{number}."));
        tokens.extend(pair.iter().map(SanPlus::to_string));
    }
    tokens.push(result.to_string());
    let mut width = LINE_WIDTH; // No room left: the movetext starts a new line.
    for token in tokens {
        let fits = width + 1 + token.len() <= LINE_WIDTH;
        width = token.len() + if fits { width + 1 } else { 0 };
        text.push(if fits { ' ' } else { '\n' });
        text.push_str(&token);
    }
    text + "\n\n"
}

#[derive(Default)]
struct Game {
    position: Chess,
    /// The earlier positions that can still come back.
    past: Vec<Chess>,
    sans: Vec<SanPlus>,
}

impl Game {
    /// Plays random moves, again and again until they leave the game open.
    fn with_random_opening(rng: &mut ChaCha8Rng) -> Game {
        loop {
            let mut game = Game::default();
            while game.sans.len() < OPENING_PLIES
                && let Some(&choice) = game.position.legal_moves().choose(rng)
            {
                game.play(choice);
            }
            // An early mate has a mate score, and so fails this test as well.
            if game.search(&game.position, 0, -INFINITY, INFINITY).abs() <= OPENING_MARGIN {
                return game;
            }
        }
    }

    fn play(&mut self, choice: Move) {
        self.past.push(self.position.clone());
        if choice.is_zeroing() {
            self.past.clear(); // Nothing comes back after a capture or a pawn move.
        }
        let san = SanPlus::from_move_and_play_unchecked(&mut self.position, choice);
        self.sans.push(san);
    }

    fn result(&self) -> Option<KnownOutcome> {
        // Mate comes first: it stands even on the last of the fifty moves.
        self.position.outcome().known().or_else(|| {
            let same = self.past.iter().filter(|&past| *past == self.position);
            let drawn = same.count() >= 2 || self.position.halfmoves() >= 100;
            drawn.then_some(KnownOutcome::Draw)
        })
    }

    /// The best move, but for the noise. The game must not be over.
    fn choose_move(&self, rng: &mut ChaCha8Rng) -> Move {
        let ending = self.position.board().occupied().count() <= ENDING_PIECES;
        let depth = if ending { ENDING_DEPTH } else { DEPTH };
        let (mut best, mut best_move) = (-INFINITY, None);
        for choice in ordered(self.position.legal_moves()) {
            let liking = EXCHANGE_BONUS * i32::from(choice.is_capture());
            let extra = liking + rng.random_range(0..=NOISE);
            let mut child = self.position.clone();
            child.play_unchecked(choice);
            // The bound cuts a move off when even its extra cannot make it best.
            let score = extra - self.search(&child, depth - 1, -INFINITY, extra - best);
            if score > best {
                (best, best_move) = (score, Some(choice));
            }
        }
        best_move.expect("there is a legal move as long as the game is not over")
    }

    /// Negamax alpha-beta: the score for the side to move, as far as the bounds go.
    /// From depth 0 on captures and promotions are played out all the same, so that
    /// no exchange is judged half-way.
    fn search(&self, position: &Chess, depth: i32, mut alpha: i32, beta: i32) -> i32 {
        // Going back to a position once is taken for the draw it may lead to.
        if depth >= 0 && self.past.contains(position) {
            return 0;
        }
        if depth <= 0 {
            // Nobody is forced to capture, but a check may turn out to be mate.
            let standing = evaluate(position);
            if standing >= beta && !position.is_check() {
                return standing;
            }
            alpha = alpha.max(standing);
        }
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            let mated = -MATE - MATE_STEP * depth;
            return if position.is_check() { mated } else { 0 };
        }
        if depth <= 0 {
            moves.retain(|choice| choice.is_capture() || choice.is_promotion());
        }
        for choice in ordered(moves) {
            if alpha >= beta {
                break;
            }
            let mut child = position.clone();
            child.play_unchecked(choice);
            alpha = alpha.max(-self.search(&child, depth - 1, -beta, -alpha));
        }
        alpha
    }
}

/// Big gains first and, among equals, small capturers: that gives early cuts.
fn ordered(mut moves: MoveList) -> MoveList {
    let value = |role: Option<Role>| role.map_or(0, |role| VALUES[role as usize]);
    moves.sort_by_key(|choice| {
        let gain = value(choice.capture()) + value(choice.promotion());
        (Reverse(gain), VALUES[choice.role() as usize])
    });
    moves
}

/// The score in centipawns for the side to move, without looking ahead.
fn evaluate(position: &Chess) -> i32 {
    if position.is_insufficient_material() {
        return 0;
    }
    let board = position.board();
    let officers = board.occupied() & !board.pawns() & !board.kings();
    let ending = officers.count() <= ENDING_OFFICERS;
    let mut score = 0;
    for (square, piece) in board {
        let bonus = match piece.role {
            Role::Pawn => pawn_bonus(board, square, piece.color),
            Role::Knight => 6 * centrality(square),
            Role::Bishop => 4 * centrality(square),
            Role::Rook | Role::Queen => centrality(square),
            Role::King if ending => king_bonus(board, square, piece.color),
            Role::King => -10 * centrality(square),
        };
        let worth = VALUES[piece.role as usize] + bonus;
        score += piece.color.fold_wb(worth, -worth);
    }
    position.turn().fold_wb(score, -score)
}

/// From 0 in the corners to 6 in the middle of the board.
fn centrality(square: Square) -> i32 {
    let (file, rank) = (square.file().to_u32(), square.rank().to_u32());
    (file.min(7 - file) + rank.min(7 - rank)) as i32
}

/// A pawn is to go forward, and the more so when it is passed.
fn pawn_bonus(board: &Board, square: Square, color: Color) -> i32 {
    let rank = |square: Square| color.relative_rank(square.rank()).to_u32() as i32;
    let mut enemies = (board.pawns() & board.by_color(!color)).into_iter();
    let passed = !enemies.any(|enemy| enemy.file().distance(square.file()) <= 1 && rank(enemy) > rank(square));
    let steps = rank(square) - 1;
    2 * steps + 2 * centrality(square) + if passed { 6 * steps * steps } else { 0 }
}

/// In an ending the king comes to the middle. A lone king is to be mopped up:
/// it wants the middle even more, and the other king away.
fn king_bonus(board: &Board, square: Square, color: Color) -> i32 {
    let lone = board.by_color(color).count() == 1;
    match board.king_of(!color) {
        Some(hunter) if lone => 20 * centrality(square) + 10 * square.distance(hunter) as i32,
        _ => 5 * centrality(square),
    }
}
