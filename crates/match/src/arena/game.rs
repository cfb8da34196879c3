//! One game: who moves, how it ends.

use std::sync::atomic::{AtomicBool, Ordering};

use drawish_engine::search::Certainty;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Move, Position};

use super::limits::{Clock, Limits};
use super::opening::Opening;
use super::player::{Fault, Player, PlayerLost, Reply, Score, Seat, Turn};
use super::repetition::Stood;
use super::rules::{DrawRule, End, Resign, Rules};
use super::tablebase::Tablebases;

/// A game that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// What the players answered, White's and Black's in turns from the side that is to move after the opening.
    pub replies: Vec<Reply>,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// Why it was over.
    pub end: End,
    /// What was illegal, or how late it was.
    pub note: Option<String>,
}

/// Plays a game from an opening; White's player and limits come first. `None` if `stop` was set meanwhile. Tables are asked
/// after every move that a player has made, so also an opening that they know is not decided before the first.
///
/// # Errors
///
/// If a player does not get ready, or tables cannot be read.
pub fn play(
    opening: &Opening,
    players: [&mut dyn Player; 2],
    limits: [&Limits; 2],
    rules: &Rules,
    tablebases: Option<&dyn Tablebases>,
    stop: &AtomicBool,
) -> Result<Option<Game>, PlayerLost> {
    let [white, black] = players;
    white.new_game()?;
    black.new_game()?;
    let mut table = Table::new(opening, limits, *rules);
    let mut is_stopped = false;
    while table.over.is_none() {
        is_stopped = stop.load(Ordering::Relaxed);
        if is_stopped {
            break;
        }
        let mover = table.position.turn();
        let player: &mut dyn Player = if mover == Color::White { &mut *white } else { &mut *black };
        table.ask(player, limits);
        if let (None, Some(tablebases)) = (table.over, tablebases) {
            let verdict = tablebases.verdict(&table.position)?;
            table.over = verdict.map(|verdict| (verdict.winner, End::Tablebase));
        }
        if table.over.is_none() {
            player.ponder(&table.turn(limits[side(mover)]));
        }
    }
    white.rest();
    black.rest();
    if is_stopped {
        return Ok(None);
    }
    let (winner, end) = table.over.unwrap_or((None, End::MaxMoves));
    Ok(Some(Game { replies: table.replies, winner, end, note: table.note }))
}

/// Tells White's player and Black's which game of a pair comes next, 1 or 2.
pub(crate) fn seat(players: [&mut dyn Player; 2], pair: u64, game: u8) {
    for (player, color) in players.into_iter().zip(Color::ALL) {
        player.sit(Seat { pair, game, color });
    }
}

/// Where a side stands in arrays: White first.
pub(super) fn side(color: Color) -> usize {
    color.fold_wb(0, 1)
}

/// The board, the clocks and what adjudication remembers.
struct Table<'a> {
    opening: &'a Opening,
    rules: Rules,
    start: Chess,
    position: Chess,
    moves: Vec<Move>,
    moves_text: String,
    stood: Stood,
    clocks: [Option<Clock>; 2],
    replies: Vec<Reply>,
    /// Moves in a row after which each side has found itself lost.
    lost_for: [u32; 2],
    /// Moves in a row after which each side has found itself won.
    won_for: [u32; 2],
    /// Half-moves in a row with a small score.
    level_for: u32,
    over: Option<(Option<Color>, End)>,
    note: Option<String>,
}

impl<'a> Table<'a> {
    fn new(opening: &'a Opening, limits: [&Limits; 2], rules: Rules) -> Table<'a> {
        let start = opening.start().clone();
        let mut table = Table {
            opening,
            rules,
            position: start.clone(),
            stood: Stood::new(&start),
            start,
            moves: Vec::new(),
            moves_text: String::new(),
            clocks: limits.map(|limits| limits.tc.map(Clock::new)),
            replies: Vec::new(),
            lost_for: [0; 2],
            won_for: [0; 2],
            level_for: 0,
            over: None,
            note: None,
        };
        for &played in opening.moves() {
            table.play(played);
        }
        table.over = table.end_by_rule();
        table
    }

    fn play(&mut self, played: Move) {
        self.moves_text.push(' ');
        UciMove::from_move(played, self.opening.castling()).append_to_string(&mut self.moves_text);
        self.moves.push(played);
        self.position.play_unchecked(played);
        if self.position.halfmoves() == 0 {
            self.level_for = 0;
        }
        self.stood.add(&self.position);
    }

    /// The game as a player with these limits sees it.
    fn turn<'b>(&'b self, limits: &'b Limits) -> Turn<'b> {
        Turn {
            start_fen: self.opening.fen(),
            castling: self.opening.castling(),
            start: &self.start,
            moves: &self.moves,
            moves_text: &self.moves_text,
            position: &self.position,
            limits,
            clocks: self.clocks,
            time_margin: self.rules.time_margin,
        }
    }

    /// Asks the player who is to move, and draws the consequences.
    fn ask(&mut self, player: &mut dyn Player, limits: [&Limits; 2]) {
        let mover = self.position.turn();
        let side = side(mover);
        let legal = player.go(&self.turn(limits[side])).and_then(|reply| {
            let text = || UciMove::from_move(reply.chosen, self.opening.castling()).to_string();
            if self.position.is_legal(reply.chosen) { Ok(reply) } else { Err(Fault::Illegal(text())) }
        });
        let timely = legal.and_then(|mut reply| {
            let Some(clock) = &mut self.clocks[side] else { return Ok(reply) };
            let left = clock.left + self.rules.time_margin;
            if clock.spend(reply.time, self.rules.time_margin) {
                reply.time_left = Some(clock.left);
                Ok(reply)
            } else {
                Err(Fault::Late(reply.time - left))
            }
        });
        let reply = match timely {
            Ok(reply) => reply,
            Err(fault) => {
                let (end, note) = match fault {
                    Fault::Illegal(played) => (End::Illegal, Some(played)),
                    Fault::Crash => (End::Crash, None),
                    Fault::Stall => (End::Stall, None),
                    Fault::Late(by) => (End::Late, Some(format!("{} ms", by.as_millis()))),
                };
                (self.over, self.note) = (Some((Some(!mover), end)), note);
                return;
            }
        };
        self.replies.push(reply);
        self.play(reply.chosen);
        self.over = self.end_by_rule().or_else(|| self.adjudicate(mover, reply.score, reply.certainty));
    }

    /// The end by the rules of chess.
    fn end_by_rule(&self) -> Option<(Option<Color>, End)> {
        let position = &self.position;
        if position.legal_moves().is_empty() {
            let mated = position.is_check();
            return Some(if mated { (Some(!position.turn()), End::Mate) } else { (None, End::Stalemate) });
        }
        if self.stood.times() >= 3 {
            Some((None, End::Repetition))
        } else if position.halfmoves() >= 100 {
            Some((None, End::Fifty))
        } else if position.is_insufficient_material() {
            Some((None, End::Material))
        } else {
            None
        }
    }

    /// The end by the rules of the match, after the score of the side that has moved. A bound counts only for what it implies: who
    /// stands at -900 at least may stand well.
    fn adjudicate(&mut self, mover: Color, score: Option<Score>, certainty: Certainty) -> Option<(Option<Color>, End)> {
        if let Some(Resign { moves, score: limit, two_sided }) = self.rules.resign {
            let (lost, won) = match score {
                Some(Score::Centipawns(value)) => (value <= -limit, value >= limit),
                Some(Score::Mate(moves)) => (moves <= 0, moves > 0),
                None => (false, false),
            };
            let (lost, won) = (lost && certainty != Certainty::AtLeast, won && certainty != Certainty::AtMost);
            let follow = |so_far: &mut u32, holds: bool| *so_far = if holds { *so_far + 1 } else { 0 };
            follow(&mut self.lost_for[side(mover)], lost);
            follow(&mut self.won_for[side(mover)], won);
            // Where both must agree, the winner may be the last to see it.
            let loser = [mover, !mover].into_iter().take(1 + usize::from(two_sided)).find(|&loser| {
                self.lost_for[side(loser)] >= moves && (!two_sided || self.won_for[side(!loser)] >= moves)
            });
            if let Some(loser) = loser {
                return Some((Some(!loser), End::Resignation));
            }
        }
        if let Some(DrawRule { from_move, moves, score: limit }) = self.rules.draw {
            let level = matches!(score, Some(Score::Centipawns(value)) if i64::from(value).abs() <= i64::from(limit))
                && certainty == Certainty::Exact;
            self.level_for = if level { self.level_for + 1 } else { 0 };
            if self.level_for >= 2 * moves && self.position.fullmoves().get() > from_move {
                return Some((None, End::DrawScore));
            }
        }
        let played = self.moves.len() - self.opening.moves().len();
        self.rules.max_moves.filter(|&most| played >= 2 * most as usize).map(|_| (None, End::MaxMoves))
    }
}
