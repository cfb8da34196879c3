//! A fixed set of searches: its count of nodes is the checksum of the engine's behaviour, its time the speed.

use std::time::{Duration, Instant};

use shakmaty::CastlingMode;
use shakmaty::fen::Fen;

use super::{Game, Limits, SearchResult, Searcher};
use crate::eval::Evaluate;

/// The depth to which each position is searched unless another one is wanted.
pub const DEPTH: u32 = 11;

/// Openings, middlegames, endings of all kinds, mates and fortresses.
pub const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/8/4k3/8/2p1b3/4K3/2P1B3/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
    "8/5k2/8/5KP1/8/8/8/6r1 b - - 0 60",
    "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 30",
];

/// What the searches have found.
#[derive(Clone, Debug)]
pub struct Bench {
    /// Of each position.
    pub results: Vec<SearchResult>,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Time of all searches.
    pub elapsed: Duration,
}

impl Bench {
    /// Nodes a second.
    #[must_use]
    pub fn speed(&self) -> u64 {
        (u128::from(self.nodes) * 1_000_000_000 / self.elapsed.as_nanos().max(1)) as u64
    }
}

/// The games that the positions begin.
///
/// # Panics
///
/// Never: the positions are legal, and a test reads them.
pub fn games() -> impl Iterator<Item = Game> {
    POSITIONS.iter().map(|text| {
        let fen: Fen = text.parse().expect("a FEN");
        Game::new(fen.into_position(CastlingMode::Standard).expect("a legal position"))
    })
}

/// Searches each position, as a new game, to the depth.
pub fn run<E: Evaluate>(searcher: &mut Searcher<E>, depth: u32) -> Bench {
    let began = Instant::now();
    let results: Vec<SearchResult> = games()
        .map(|game| {
            searcher.new_game();
            searcher.search(&game, &Limits::depth(depth), &mut |_| {})
        })
        .collect();
    Bench { nodes: results.iter().map(|result| result.nodes).sum(), elapsed: began.elapsed(), results }
}
