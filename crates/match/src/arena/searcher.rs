//! A player within this process: a search of this program's engine, without pipes.

use std::time::{Duration, Instant};

use shakmaty::Position;

use super::player::{Fault, Player, PlayerLost, Reply, Score, Turn};
use drawish_engine::eval::Evaluate;
use drawish_engine::search::{Clock, Game, Limits as SearchLimits, Searcher, Time, Value};

/// A search as a player. With limits of nodes or depth it plays the same games on every machine.
#[derive(Debug)]
pub struct SearchPlayer<E> {
    searcher: Searcher<E>,
    followed: Followed,
}

/// The game so far, followed from move to move: to set it up anew for each move would cost more than some searches.
#[derive(Debug, Default)]
struct Followed {
    game: Option<Game>,
    /// Moves of the turn that are played in it.
    moves: usize,
}

impl<E: Evaluate> SearchPlayer<E> {
    /// Plays by this search.
    pub fn new(searcher: Searcher<E>) -> SearchPlayer<E> {
        SearchPlayer { searcher, followed: Followed::default() }
    }

    /// The search, to change it between games.
    pub fn searcher(&mut self) -> &mut Searcher<E> {
        &mut self.searcher
    }
}

impl Followed {
    /// The game of a turn.
    fn at(&mut self, turn: &Turn<'_>) -> &Game {
        let game = self.game.get_or_insert_with(|| {
            self.moves = 0;
            Game::new(turn.start.clone())
        });
        for &played in &turn.moves[self.moves..] {
            game.play(played);
        }
        self.moves = turn.moves.len();
        game
    }
}

impl<E: Evaluate + Send> Player for SearchPlayer<E> {
    fn new_game(&mut self) -> Result<(), PlayerLost> {
        self.searcher.new_game();
        self.followed = Followed::default();
        Ok(())
    }

    fn go(&mut self, turn: &Turn<'_>) -> Result<Reply, Fault> {
        let began = Instant::now();
        let limits = SearchLimits {
            nodes: turn.limits.nodes,
            depth: turn.limits.depth,
            time: time(turn),
            ..SearchLimits::default()
        };
        let result = self.searcher.search(self.followed.at(turn), &limits, &mut |_| {});
        let time = began.elapsed();
        let chosen = result.best.ok_or_else(|| Fault::Illegal("no move".to_owned()))?;
        Ok(Reply {
            score: Some(match result.score {
                Value::Centipawns(value) => Score::Centipawns(value),
                Value::Mate(moves) => Score::Mate(moves),
            }),
            depth: Some(result.depth),
            // The same moves have the same log, whatever else a later version of the search counts: no seldepth.
            nodes: Some(result.nodes),
            nps: (!time.is_zero()).then(|| nodes_per_second(result.nodes, time)),
            ..Reply::new(chosen, time)
        })
    }
}

#[cfg_attr(
    not(test),
    expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive, and `as` saturates")
)]
fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64()) as u64
}

/// What the clocks leave for this move; there is no way between programs on which time could be lost.
fn time(turn: &Turn<'_>) -> Option<Time> {
    let milliseconds = super::limits::milliseconds;
    let exact = turn.limits.movetime.map(|time| Clock::exactly(milliseconds(time), 0));
    let clock = turn.clocks[usize::from(!turn.position.turn().is_white())];
    let shared = clock.map(|clock| {
        let (remaining, increment) = (milliseconds(clock.left), milliseconds(clock.increment));
        Clock { remaining, increment, moves_to_go: clock.moves_to_go.map(u64::from) }.share(0)
    });
    match (exact, shared) {
        (Some(one), Some(other)) => Some(one.at_most(other)),
        (one, other) => one.or(other),
    }
}
