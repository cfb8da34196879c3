//! A fixed set of searches: its count of nodes is the checksum of the engine's behaviour, its time the speed.

use std::fmt::Write;
use std::time::{Duration, Instant};

use shakmaty::CastlingMode;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use twox_hash::XxHash3_128;

use super::{Game, Limits, SearchResult, Searcher};
use crate::eval::{Evaluate, REFERENCE};

/// The depth to which each position is searched unless another one is wanted.
pub const DEPTH: u32 = 11;

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
    REFERENCE.iter().map(|text| {
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

/// Nodes for each position of [`checksum`]: about a tenth of a second in all.
const CHECKSUM_NODES: u64 = 4_000;

/// XXH3-128 of what a search does in each position of [`games`]: its line, its score and the node at which the line was
/// found. Searches with the same checksum play the same moves, as far as these positions tell.
pub fn checksum<E: Evaluate>(searcher: &mut Searcher<E>) -> u128 {
    let mut text = String::new();
    for game in games() {
        searcher.new_game();
        let result = searcher.search(&game, &Limits::nodes(CHECKSUM_NODES), &mut |info| {
            let _ = write!(text, "{} {:?} {} ", info.depth, info.value, info.nodes);
        });
        for played in result.pv {
            let _ = write!(text, "{} ", UciMove::from_move(played, CastlingMode::Chess960));
        }
    }
    searcher.new_game();
    XxHash3_128::oneshot(text.as_bytes())
}
