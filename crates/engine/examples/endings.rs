//! What the engine knows about endings whose outcome is known: some positions, fortresses among them, with its evaluation, its
//! search and how it plays them out against itself; then endings at random, played out, and how many end as they should.
//!
//! ```text
//! cargo run --release -p drawish-engine --example endings -- 100
//! ```
//!
//! King and pawn against king is solved here, from the end backwards; king and queen or rook against king are won.

#![expect(clippy::print_stdout, reason = "a program for the command line")]

use drawish_engine::eval::{Evaluate, Evaluator, State};
use drawish_engine::search::{Game, Limits, Searcher, Value};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Fen;
use shakmaty::{Board, CastlingMode, Chess, Color, Position, Role, Setup, Square, attacks};

const HASH_MB: usize = 16;
const NODES: u64 = 200_000;
const NODES_A_MOVE: u64 = 5000;

/// Name, position, and whether White wins it with the best play.
const ENDINGS: &[(&str, &str, bool)] = &[
    ("queen", "8/8/8/3k4/8/8/8/KQ6 w - - 0 1", true),
    ("rook", "8/8/8/3k4/8/8/8/KR6 w - - 0 1", true),
    ("two bishops", "8/8/8/3k4/8/8/8/KBB5 w - - 0 1", true),
    ("bishop and knight", "8/8/8/3k4/8/8/8/KBN5 w - - 0 1", true),
    ("pawn, with the opposition", "4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", true),
    ("pawn, king two ranks before it", "8/4k3/8/4K3/8/4P3/8/8 b - - 0 1", true),
    ("pawn, king out of its square", "8/8/7k/8/P7/8/8/7K w - - 0 1", true),
    ("pawn, king within its square", "8/8/8/5k2/P7/8/8/7K b - - 0 1", false),
    ("pawn, opposition to the defender", "8/4k3/8/4P3/4K3/8/8/8 w - - 0 1", false),
    ("rook's pawn", "k7/8/K7/P7/8/8/8/8 w - - 0 1", false),
    ("the wrong bishop", "k7/8/1K6/P7/8/8/8/2B5 w - - 0 1", false),
    ("no way in", "4k3/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/R3K3 w - - 0 1", false),
    ("two knights", "8/8/4k3/8/8/3NN3/8/4K3 w - - 0 1", false),
    ("rook against the right bishop", "6bk/R7/6K1/8/8/8/8/8 b - - 0 1", false),
    ("queen against rook and pawn", "6k1/5p2/6r1/8/8/8/4Q3/4K3 w - - 0 1", false),
    ("knight and rook's pawn", "k7/P7/2N5/4K3/8/8/8/8 w - - 0 1", false),
];

fn main() {
    let games: usize = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(100);
    println!("| ending | position | truth | static | after {NODES} nodes | played out, {NODES_A_MOVE} nodes a move |");
    println!("|---|---|---|---|---|---|");
    for (name, fen, won) in ENDINGS {
        let fen: Fen = fen.parse().expect("a FEN");
        let position: Chess = fen.clone().into_position(CastlingMode::Standard).expect("a legal position");
        let mut evaluator = Evaluator::default();
        let fixed = evaluator.evaluate(&State::new(position.clone())).win_loss;
        let found =
            Searcher::new(evaluator, HASH_MB).search(&Game::new(position.clone()), &Limits::nodes(NODES), &mut |_| {});
        let sign = if position.turn().is_white() { 1 } else { -1 };
        let found = match found.score {
            Value::Centipawns(score) => format!("{:+}", sign * score),
            Value::Mate(moves) => format!("mate in {}", sign * moves),
        };
        let truth = if *won { "won" } else { "draw" };
        println!("| {name} | `{fen}` | {truth} | {fixed:+} | {found} | {} |", outcome(play_out(position)));
    }
    println!();
    let pawns = PawnEndings::solve();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for (name, role, won) in [
        ("queen", Role::Queen, true),
        ("rook", Role::Rook, true),
        ("pawn", Role::Pawn, true),
        ("pawn", Role::Pawn, false),
    ] {
        let mut right = 0;
        for _ in 0..games {
            let position = random_ending(role, &mut random, |ending| role != Role::Pawn || pawns.is_won(ending) == won);
            right += usize::from(play_out(position) == won.then_some(Color::White));
        }
        let truth = if won { "won" } else { "drawn" };
        println!("{name} against king, {truth}: {right} of {games} games ended so");
    }
}

fn outcome(winner: Option<Color>) -> &'static str {
    match winner {
        Some(Color::White) => "won",
        Some(Color::Black) => "lost",
        None => "drawn",
    }
}

/// Plays a position out against itself and returns the winner.
fn play_out(start: Chess) -> Option<Color> {
    let mut searcher = Searcher::new(Evaluator::default(), HASH_MB);
    let mut game = Game::new(start);
    loop {
        let position = game.position();
        if position.is_checkmate() {
            return Some(!position.turn());
        }
        if position.is_stalemate()
            || position.is_insufficient_material()
            || position.halfmoves() >= 100
            || game.occurrences() >= 3
        {
            return None;
        }
        let result = searcher.search(&game, &Limits::nodes(NODES_A_MOVE), &mut |_| {});
        game.play(result.best.expect("the game goes on"));
    }
}

/// White's king and one piece of White's against Black's king.
#[derive(Clone, Copy)]
struct Ending {
    white: Square,
    black: Square,
    piece: Square,
    turn: Color,
}

/// A legal position that is wanted; White is to move if its piece is no pawn.
fn random_ending(role: Role, random: &mut ChaCha8Rng, wanted: impl Fn(Ending) -> bool) -> Chess {
    loop {
        let mut square = || Square::new(random.random_range(0..64));
        let ending = Ending { white: square(), black: square(), piece: square(), turn: Color::White };
        let turn = if role == Role::Pawn { Color::from_white(random.random_bool(0.5)) } else { Color::White };
        let ending = Ending { turn, ..ending };
        let mut board = Board::empty();
        board.set_piece_at(ending.piece, role.of(Color::White));
        board.set_piece_at(ending.white, Role::King.of(Color::White));
        board.set_piece_at(ending.black, Role::King.of(Color::Black));
        let setup = Setup { board, turn, ..Setup::empty() };
        if setup.board.occupied().count() == 3
            && let Ok(position) = setup.position::<Chess>(CastlingMode::Standard)
            && !position.is_game_over()
            && wanted(ending)
        {
            return position;
        }
    }
}

/// Which positions of king and pawn against king White wins.
struct PawnEndings(Vec<bool>);

impl PawnEndings {
    /// Adds positions from which White gets, or Black must go, to a won one, until there are no more.
    fn solve() -> PawnEndings {
        let mut endings = PawnEndings(vec![false; 64 * 64 * 64 * 2]);
        let all: Vec<Ending> = (0..64 * 64 * 64 * 2_u32).filter_map(Ending::numbered).collect();
        loop {
            let more: Vec<usize> = all
                .iter()
                .filter(|ending| !endings.is_won(**ending) && endings.leads_to_win(**ending))
                .map(|ending| ending.number())
                .collect();
            if more.is_empty() {
                return endings;
            }
            for number in more {
                endings.0[number] = true;
            }
        }
    }

    fn is_won(&self, ending: Ending) -> bool {
        self.0[ending.number()]
    }

    fn leads_to_win(&self, ending: Ending) -> bool {
        let Ending { white, black, piece: pawn, turn } = ending;
        let held = attacks::pawn_attacks(Color::White, pawn);
        if turn.is_black() {
            let flights = attacks::king_attacks(black) & !attacks::king_attacks(white) & !held;
            // Without a flight it is mate or stalemate, and a pawn that is taken wins nothing.
            return if flights.is_empty() {
                held.contains(black)
            } else {
                flights
                    .into_iter()
                    .all(|to| to != pawn && self.is_won(Ending { black: to, turn: Color::White, ..ending }))
            };
        }
        let mut steps = attacks::king_attacks(white) & !attacks::king_attacks(black);
        steps.discard(pawn);
        if steps.into_iter().any(|to| self.is_won(Ending { white: to, turn: Color::Black, ..ending })) {
            return true;
        }
        let free = |to: &Square| *to != white && *to != black;
        let Some(ahead) = pawn.offset(8).filter(free) else { return false };
        if ahead.rank() == shakmaty::Rank::Eighth {
            // A queen, or a rook where a queen would be stalemate, that is not taken at once.
            return !attacks::king_attacks(black).contains(ahead) || attacks::king_attacks(white).contains(ahead);
        }
        let pushed = |to: Square| self.is_won(Ending { piece: to, turn: Color::Black, ..ending });
        let twice = ahead.offset(8).filter(|to| pawn.rank() == shakmaty::Rank::Second && free(to));
        pushed(ahead) || twice.is_some_and(pushed)
    }
}

impl Ending {
    fn number(self) -> usize {
        let [white, black, piece] = [self.white, self.black, self.piece].map(Square::to_usize);
        ((usize::from(self.turn.is_black()) * 64 + piece) * 64 + white) * 64 + black
    }

    /// The position of this number with a pawn for the piece, if it is one.
    fn numbered(number: u32) -> Option<Ending> {
        let square = |shift: u32| Square::new(number >> shift & 63);
        let (black, white, piece) = (square(0), square(6), square(12));
        let turn = Color::from_white(number >> 18 == 0);
        let apart = white != black && white != piece && black != piece;
        let ranks = (1..7).contains(&(piece.rank() as u32));
        let in_check = turn.is_white() && attacks::pawn_attacks(Color::White, piece).contains(black);
        let legal = apart && ranks && !in_check && !attacks::king_attacks(white).contains(black);
        legal.then_some(Ending { white, black, piece, turn })
    }
}
