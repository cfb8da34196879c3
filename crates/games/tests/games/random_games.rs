//! Random legal games, for tests here and for those of the program.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Position, Role};

/// A random legal game that likes pawn moves, captures and promotions, as PGN, and the number of its moves.
pub fn random_game(seed: u64, start: Option<&str>) -> (String, usize) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut position: Chess = match start {
        None => Chess::default(),
        Some(fen) => {
            let setup = fen.parse::<Fen>().expect("a FEN").into_setup();
            let mode = CastlingMode::detect(&setup);
            shakmaty::FromSetup::from_setup(setup, mode).expect("a position")
        }
    };
    let mut pgn = format!("[Event \"{seed}\"]\n[Result \"1/2-1/2\"]\n");
    if let Some(fen) = start {
        pgn += &format!("[FEN \"{fen}\"]\n");
    }
    pgn.push('\n');
    let plies = random.random_range(1..300);
    let mut played = 0;
    for _ in 0..plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let lively: Vec<_> =
            legal.iter().filter(|m| m.role() == Role::Pawn || m.is_capture() || m.is_castle()).copied().collect();
        let from = if lively.is_empty() || random.random_bool(0.4) { &legal[..] } else { &lively[..] };
        let chosen = from[random.random_range(0..from.len())];
        pgn += &SanPlus::from_move_and_play_unchecked(&mut position, chosen).to_string();
        pgn.push(if random.random_bool(0.1) { '\n' } else { ' ' });
        played += 1;
    }
    (pgn + "1/2-1/2\n\n", played)
}
