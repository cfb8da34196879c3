//! The two orders with many words: the position, and the search with its limits.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Position};

use super::Server;
use super::command::{CommandError, Go, short};
use super::searching::{Endless, Held, Searching};
use super::worker::Job;
use crate::search::{Clock, Game, Limits, Signals, Time};

/// What is searched when nothing of a `go` could be read.
const NODES_INSTEAD: u64 = 10_000;

impl<W: Write> Server<'_, W> {
    /// Sets up a position and plays the moves after it, as far as they are legal.
    pub(super) fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> io::Result<()> {
        let start = match fen.map(|fen| read_fen(fen, self.mode())) {
            None => Chess::default(),
            Some(Ok(position)) => position,
            Some(Err(why)) => {
                let fen = short(fen.unwrap_or_default());
                return self
                    .complain(&format!("position: {fen:?} is not a legal position: {why}; the position is unchanged"));
            }
        };
        let mut game = Game::new(start);
        let mut wrong = None;
        for (i, text) in moves.iter().enumerate() {
            let parsed = text.parse::<UciMove>().ok().and_then(|m| m.to_move(game.position()).ok());
            match parsed {
                Some(m) => game.play(m),
                None => {
                    wrong = Some(format!(
                        "position: move {} of {}, {:?}, is not legal; the position is that after the {i} before it",
                        i + 1,
                        moves.len(),
                        short(text)
                    ));
                    break;
                }
            }
        }
        self.game = game;
        self.has_position = true;
        wrong.map_or(Ok(()), |wrong| self.complain(&wrong))
    }

    /// Begins a search.
    pub(super) fn go(&mut self, go: &Go) -> io::Result<()> {
        if !self.has_position {
            self.complain("go without a position before it: searching the start position")?;
            self.has_position = true;
        }
        for wrong in &go.wrong {
            self.complain(&wrong.to_string())?;
        }
        let mut endless = match go {
            go if go.is_endless() => Endless::Always,
            Go { ponder: true, .. } => Endless::WhilePondering,
            _ => Endless::Never,
        };
        let mut limits = self.limits(go)?;
        if endless == Endless::Always
            && !go.infinite
            && !go.ponder
            && go.wrong.iter().any(|wrong| matches!(wrong, CommandError::NoNumber { .. }))
        {
            self.complain(&format!("go: no limit could be read; searching {NODES_INSTEAD} nodes"))?;
            limits.nodes = Some(NODES_INSTEAD);
            endless = Endless::Never;
        }
        let signals = Arc::new(Signals::default());
        signals.pondering.store(go.ponder, Ordering::Relaxed);
        limits.signals = Some(Arc::clone(&signals));
        let held = match go {
            Go { infinite: true, .. } => Held::UntilStop,
            Go { ponder: true, .. } => Held::UntilPonderHit,
            _ => Held::No,
        };
        self.search(Searching::new(&signals, held, endless));
        self.ask(Job::Search { game: self.game.clone(), limits, mode: self.mode(), chances: self.options.chances() });
        Ok(())
    }

    fn limits(&self, go: &Go) -> io::Result<Limits> {
        let side = usize::from(self.game.position().turn() == Color::Black);
        let time = time(go, side, self.options.overhead);
        let mut moves = Vec::new();
        for text in &go.moves {
            match text.parse::<UciMove>().ok().and_then(|m| m.to_move(self.game.position()).ok()) {
                Some(m) => moves.push(m),
                None => {
                    self.complain(&format!("go searchmoves: {:?} is not legal here; it is ignored", short(text)))?
                }
            }
        }
        let time = if go.infinite { None } else { time };
        let (nodes, depth) = if go.infinite { (None, None) } else { (go.nodes, go.depth) };
        Ok(Limits { nodes, depth, time, mate: go.mate, moves, signals: None })
    }
}

/// The time for a move of a side: the smaller of the one for this move and what its clock allows.
fn time(go: &Go, side: usize, overhead: u64) -> Option<Time> {
    let clock = |side: usize| {
        let remaining = go.time[side]?;
        Some(Clock { remaining, increment: go.increment[side], moves_to_go: go.moves_to_go }.share(overhead))
    };
    match (go.move_time.map(|milliseconds| Clock::exactly(milliseconds, overhead)), clock(side)) {
        (Some(exact), Some(clock)) => Some(exact.at_most(clock)),
        (Some(exact), None) => Some(exact),
        // Only the other side's clock is known: its time is the best guess at ours.
        (None, own) => own.or_else(|| clock(1 - side)),
    }
}

/// A position from a FEN. Castling rights as in Chess960 are understood also when the option is off.
fn read_fen(text: &str, mode: CastlingMode) -> Result<Chess, String> {
    let fen: Fen = text.parse().map_err(|error| format!("{error}"))?;
    let setup = fen.into_setup();
    let first = match setup.clone().position(mode) {
        Ok(position) => return Ok(position),
        Err::<Chess, _>(error) => error.to_string(),
    };
    setup.position(CastlingMode::Chess960).map_err(|_| first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_bounds_the_time_for_a_move() {
        let go = |move_time, own: Option<u64>| Go { move_time, time: [own, Some(60_000)], ..Go::default() };
        let hard = |go: &Go| time(go, 0, 20).map(|time| time.hard.as_millis());
        let by_clock = hard(&go(None, Some(300)));
        assert!(by_clock < Some(280), "{by_clock:?}");
        assert_eq!(hard(&go(Some(5000), Some(300))), by_clock, "or it loses on time");
        assert_eq!(hard(&go(Some(100), Some(600_000))), Some(80));
        assert_eq!(hard(&go(Some(5000), None)), Some(4980), "the other side's clock is only a guess");
        assert!(hard(&go(None, None)) > Some(1000));
    }
}
