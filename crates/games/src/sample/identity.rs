//! Numbers by which a game is known: one that decides what is drawn from it, one by which it is found again.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use shakmaty::san::San;
use shakmaty::{CastlingSide, Chess, Position};

use super::Dedupe;
use crate::follow::respell;
use crate::pgn::{Repeats, mixed, start_epd, start_fen};

/// Two games that have so many half-moves in common depend on each other.
pub(super) const TELLING: usize = 60;

/// The numbers by which a game is found again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Identity {
    /// Of the start position and the moves, however their origins are spelled: of all moves if the rule or the taker needs that, otherwise of
    /// those that the rule needs, and of the length of the game.
    pub game: u64,
    /// The same of the first moves alone, up to the position of [`Sampling::At`](super::Sampling::At) and at least 60 half-moves.
    pub line: u64,
    /// The same of the first 60 half-moves: games in which they are the same depend on each other, however they go on.
    pub beginning: u64,
}

impl Identity {
    /// Whether a game is left out because of those seen before, among which it is counted from now on.
    pub(crate) fn is_copy(self, dedupe: Dedupe, seen: &mut HashSet<u64>) -> bool {
        match dedupe {
            Dedupe::No => false,
            Dedupe::Games => !seen.insert(self.game),
            // Of one game the number of a FEN's move decides how long its line is. That of a short game is all of it.
            Dedupe::Lines => !seen.insert(self.game) | (self.line != self.game && !seen.insert(self.line)),
        }
    }
}

/// Counted games that come again, of those that a rule does not leave out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GamesAgain {
    /// With the same start and moves as an earlier one.
    pub games: Repeats,
    /// With the same [line](Identity::line), these included.
    pub lines: Repeats,
}

impl GamesAgain {
    /// Takes down a game that counts by this rule.
    pub(crate) fn add(&mut self, identity: Identity, dedupe: Dedupe) {
        self.games.add(identity.game);
        if dedupe != Dedupe::Lines {
            self.lines.add(identity.line);
        }
    }

    /// Takes down the games of others, too.
    pub(crate) fn merge(&mut self, others: GamesAgain) {
        self.games.merge(others.games);
        self.lines.merge(others.lines);
    }
}

/// A hash of a start position, `None` being the standard one, and the moves of a game.
///
/// # Stability
///
/// It decides which position `one-random-ply` draws, so it never changes: for each byte of the start position's
/// FEN and then for each move, a number made of its parts is added by the step of an FNV-1a hash over 64-bit
/// words with a rotation, and the end is mixed by SplitMix64's finaliser (Steele, Lea and Flood 2014).
pub(super) fn fingerprint(start: Option<&Chess>, moves: &[San]) -> u64 {
    mixed(hash_of(&start.map(start_fen).unwrap_or_default(), moves))
}

/// The same of the position without its clocks, which programs write differently, and of the moves as the PGN standard spells them, so
/// that copies of a game are found whoever has written them; a line has up to so many half-moves.
pub(super) fn identity(start: Option<&Chess>, moves: &[San], line: usize) -> Identity {
    let mut spelled = moves.to_vec();
    respell(start, &mut spelled);
    let [beginning, of_line, rest] = parts(&spelled, line);
    let beginning = hash_of(&start.map(start_epd).unwrap_or_default(), beginning);
    let line = hash_on(beginning, of_line);
    Identity { game: mixed(hash_on(line, rest)), line: mixed(line), beginning: mixed(beginning) }
}

/// The first 60 half-moves, those behind them up to the end of a line, and the others.
fn parts<T>(moves: &[T], line: usize) -> [&[T]; 3] {
    let (line, rest) = moves.split_at(line.min(moves.len()));
    let (beginning, of_line) = line.split_at(TELLING.min(line.len()));
    [beginning, of_line, rest]
}

fn hash_of(start: &str, moves: &[San]) -> u64 {
    hash_on(start.bytes().map(u64::from).fold(0xcbf2_9ce4_8422_2325, hash_word), moves)
}

fn hash_on(hash: u64, moves: &[San]) -> u64 {
    moves.iter().copied().map(word_of).fold(hash, hash_word)
}

fn hash_word(hash: u64, word: u64) -> u64 {
    (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
}

/// Numbers by which a game that comes again is found where nothing depends on them, the same in files of games and of boards: of the start, the
/// length, and what was kept of the game anyhow; nobody asks such a game for its beginning. Those are its moves up to the positions that count
/// and at least 60, and its last ones, of which piece and target will do.
pub(super) fn brief_identity(
    start: Option<&Chess>,
    plies: u64,
    moves: &[San],
    line: usize,
    last: impl Iterator<Item = San>,
) -> Identity {
    let board = start.map(|start| start.board().clone().into_bitboards());
    let start = board.iter().flat_map(|(roles, colors)| roles.iter().chain(colors).map(|squares| squares.0));
    let add = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let brief = |san: San| match san {
        San::Normal { role, to, .. } => u64::from(u32::from(role)) << 6 | u64::from(u32::from(to)),
        san => word_of(san),
    };
    let add_moves = |hash, moves: &[San]| moves.iter().copied().map(brief).fold(hash, add);
    let (moves, more_moves) = moves.split_at(line.min(moves.len()));
    let line = add_moves(start.fold(0, add), moves);
    let game = last.map(brief).fold(add_moves(add(line, plies), more_moves), add);
    Identity { game, line, beginning: line }
}

/// A move as a number; different moves have different numbers.
fn word_of(san: San) -> u64 {
    match san {
        San::Normal { role, file, rank, capture, to, promotion } => {
            u64::from(u32::from(role))
                | file.map_or(15, u64::from) << 3
                | rank.map_or(15, u64::from) << 7
                | u64::from(capture) << 11
                | u64::from(u32::from(to)) << 12
                | promotion.map_or(0, |role| u64::from(u32::from(role))) << 18
        }
        San::Castle(CastlingSide::KingSide) => 1 << 32,
        San::Castle(CastlingSide::QueenSide) => 2 << 32,
        San::Null => 3 << 32,
        San::Put { role, to } => 4 << 32 | u64::from(u32::from(role)) << 6 | u64::from(u32::from(to)),
    }
}
