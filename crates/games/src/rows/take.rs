//! From a game that counts to its rows.

use std::sync::Arc;

use drawish_core::{Pawns, Scheme};
use shakmaty::fen::Fen;
use shakmaty::{Chess, Color, EnPassantMode, Position};
use twox_hash::XxHash3_64;

use super::{Place, Rows, SKELETON_PLY};
use crate::pgn::{Engines, Eval, EvalReader, EvalValue, Pattern, TagName, Tags, Variant, View, Writer, position_of};
use crate::sample::{CountedGame, Identity, Take};
use crate::training::LooseBoard;
use drawish_heads::features;

/// Mates stand beyond this value: `MATE + 1000` less the number written, at least `MATE`; for the mated side negative.
pub const MATE: i32 = 1_000_000;

/// An evaluation of positions in centipawns for White; nothing where a position cannot be evaluated as it stands.
pub type Judge = fn(&Chess) -> Option<i32>;

/// Takes a row for each position that counts.
#[derive(Default)]
pub struct TakeRows {
    /// Gives the evaluations in the place of the comments.
    judge: Option<Judge>,
    /// Whose evaluations are taken; `None` for those of both players.
    engine: Option<Pattern>,
    /// Whose evaluations were taken, where players write their own.
    pub engines: Engines,
    /// Rows without an evaluation because another engine than the one asked for made the move.
    pub other_engine: u64,
    /// Games with rows that begin from a FEN.
    pub fen_starts: u64,
    /// Reads the evaluations, and what speaks against how it did.
    pub evaluations: EvalReader,
    /// The rows of all games.
    pub rows: Rows,
    /// The games, in the order in which they were read: identity and number of rows.
    pub games: Vec<(Identity, usize)>,
    /// The first evaluation of each position of the game that is being read, by the half-moves before it: a player's of the one from
    /// which it has moved, an analyst's of the one that was reached.
    evals: Vec<(u64, Eval)>,
    /// The number of the game that is being read, among those that this taker was shown.
    number: u64,
}

impl TakeRows {
    /// A taker that has seen nothing.
    #[must_use]
    pub fn new() -> TakeRows {
        TakeRows { rows: Rows::new(), ..TakeRows::default() }
    }

    /// The same with evaluations by `judge` instead of those in comments, if there is one.
    #[must_use]
    pub fn judged(judge: Option<Judge>) -> TakeRows {
        TakeRows { judge, ..TakeRows::new() }
    }

    /// The same with places, if they are asked for: games are counted from the first that the taker is shown, and inputs not named.
    #[must_use]
    pub fn placed(mut self, places: bool) -> TakeRows {
        self.rows.places = places.then(Vec::new);
        self
    }

    /// The same with evaluations that are all from this view; `None` for that which each style has.
    #[must_use]
    pub fn of_view(self, view: Option<View>) -> TakeRows {
        TakeRows { evaluations: EvalReader::of_view(view), ..self }
    }

    /// The same with the evaluations of moves by one engine only, whose name fits.
    #[must_use]
    pub fn of_engine(self, engine: Option<Pattern>) -> TakeRows {
        TakeRows { engine, ..self }
    }

    fn add(&mut self, position: &Chess, ply: usize, eval: Option<i32>) {
        let board = position.board();
        let of = |color: Color| u64::from(board.by_piece(color.pawn()));
        let pawns = Pawns { white: of(Color::White), black: of(Color::Black) };
        for (cells, scheme) in self.rows.cells.iter_mut().zip(Scheme::ALL) {
            cells.push(scheme.index(pawns).0);
        }
        let mut values = [0; features::COUNT];
        features::fill(&features::view(position), &mut values);
        for (column, &value) in self.rows.features.iter_mut().zip(&values) {
            column.push(value);
        }
        self.rows.plies.push(u16::try_from(ply).unwrap_or(u16::MAX));
        self.rows.evals.push(eval);
        if let Some(places) = &mut self.rows.places {
            let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
            places.push(Place { input: Arc::default(), number: self.number, fen });
        }
    }

    /// Takes back the columns that [`add`](Self::add) has filled.
    fn forget(&mut self, rows: usize) {
        self.rows.cells.iter_mut().for_each(|column| column.truncate(rows));
        self.rows.features.iter_mut().for_each(|column| column.truncate(rows));
        self.rows.plies.truncate(rows);
        self.rows.evals.truncate(rows);
        self.rows.places.iter_mut().for_each(|places| places.truncate(rows));
    }
}

impl Take for TakeRows {
    const COMMENTS: bool = true;
    const PORTIONS: bool = true;
    const WHOLE_GAMES: bool = true;

    fn begin(&mut self) {
        self.number += 1;
        self.evaluations.begin();
        self.evals.clear();
    }

    fn comment(&mut self, plies: u64, comment: &[u8]) {
        if self.judge.is_some() {
            return;
        }
        let Some(eval) = self.evaluations.read(comment, plies) else { return };
        let is_players = eval.writer == Writer::Players;
        let Some(of) = plies.checked_sub(u64::from(is_players)) else { return };
        match self.evals.binary_search_by_key(&of, |&(of, _)| of) {
            // Where both are written, the player's counts.
            Ok(found) if is_players && self.evals[found].1.writer == Writer::Analyst => self.evals[found].1 = eval,
            Ok(_) => {}
            Err(place) => self.evals.insert(place, (of, eval)),
        }
    }

    fn take(&mut self, game: &CountedGame<'_>) -> Option<u64> {
        let first = self.rows.len();
        let mut position = game.start.cloned().unwrap_or_default();
        let white_first = position.turn().is_white();
        self.evaluations.end(Some(game.outcome), !white_first);
        let mut skeleton = None;
        let wanted = [TagName::White, TagName::Black].map(|name| {
            let fits = |engine: &Pattern| game.tags.get(name).is_some_and(|name| !name.is_empty() && engine.fits(name));
            self.engine.as_ref().is_none_or(fits)
        });
        let (mut own, mut other_engine) = ([false; 2], 0);
        let last = (game.wanted.end - 1).max(SKELETON_PLY.min(game.moves.len()));
        for ply in 0..=last {
            if ply == SKELETON_PLY.min(game.moves.len()) {
                skeleton = Some(skeleton_of(&position));
            }
            if game.wanted.contains(&ply) {
                let white_moves = white_first == (ply % 2 == 0);
                let found = self.evals.binary_search_by_key(&(ply as u64), |&(of, _)| of);
                let mut said = found.ok().map(|found| self.evals[found].1);
                if !wanted[usize::from(!white_moves)] && self.judge.is_none() {
                    other_engine += u64::from(said.take().is_some());
                }
                own[usize::from(!white_moves)] |= said.is_some_and(|eval| eval.writer == Writer::Players);
                let said = said.map(|eval| {
                    // A player's stands behind the move that leaves the position, an analyst's behind the one that reaches it.
                    let white_moved = white_moves == (eval.writer == Writer::Players);
                    centipawns(eval.for_white(white_moved))
                });
                self.add(&position, ply, self.judge.map_or(said, |judge| judge(&position)));
            }
            if ply < last {
                let Ok(legal) = game.moves[ply].to_move(&position) else {
                    self.forget(first);
                    return None;
                };
                position.play_unchecked(legal);
            }
        }
        self.other_engine += other_engine;
        if wanted == [false; 2] {
            self.engines.note_other(game.tags);
        }
        self.engines.note_used(game.tags, own);
        let rows = self.rows.plies.len() - first;
        let event = event_key(game.tags);
        let elo = |tag| game.tags.rating(tag).and_then(|elo| u16::try_from(elo).ok());
        let (white_elo, black_elo) = (elo(TagName::WhiteElo), elo(TagName::BlackElo));
        for _ in 0..rows {
            self.rows.games.push(game.identity.game);
            self.rows.lines.push(game.identity.beginning);
            self.rows.skeletons.push(skeleton.unwrap_or(0));
            self.rows.events.push(event.clone());
            self.rows.outcomes.push(game.outcome);
            self.rows.white_elos.push(white_elo);
            self.rows.black_elos.push(black_elo);
        }
        self.games.push((game.identity, rows));
        self.fen_starts += u64::from(game.start.is_some());
        Some(rows as u64)
    }

    fn take_board(&mut self, board: &LooseBoard, key: u64) -> bool {
        self.number += 1;
        let Some(position) = position_of(board.setup(), Variant::Standard).filter(|_| board.pawns().is_some()) else {
            return false;
        };
        let said = Some(i32::from(board.eval()));
        self.add(&position, 0, self.judge.map_or(said, |judge| judge(&position)));
        // Equal positions are one game, so that no fold learns from its own.
        self.rows.games.push(key);
        self.rows.lines.push(key);
        self.rows.skeletons.push(skeleton_of(&position));
        self.rows.events.push("".into());
        self.rows.outcomes.push(board.outcome());
        self.rows.white_elos.push(None);
        self.rows.black_elos.push(None);
        self.games.push((Identity { game: key, line: key, beginning: key }, 1));
        true
    }
}

fn centipawns(value: EvalValue) -> i32 {
    match value {
        EvalValue::Centipawns(value) => value.clamp(1 - MATE, MATE - 1),
        EvalValue::Mate(moves) => moves.signum() * (MATE + 1000 - moves.saturating_abs().min(1000)),
    }
}

/// The structure of a position as a number.
fn skeleton_of(position: &Chess) -> u64 {
    let board = position.board();
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&u64::from(board.by_piece(Color::White.pawn())).to_le_bytes());
    bytes[8..].copy_from_slice(&u64::from(board.by_piece(Color::Black.pawn())).to_le_bytes());
    XxHash3_64::oneshot(&bytes)
}

/// What the games of one event have in common: its name and year; in archives of tests without event names, the two
/// players in alphabetical order.
fn event_key(tags: &Tags) -> Arc<str> {
    let named = |tag| tags.text(tag).filter(|text| !text.is_empty() && text.as_str() != "?");
    let year = tags
        .date()
        .and_then(|date| date.get(..4))
        .filter(|year| year.iter().all(u8::is_ascii_digit))
        .map(|year| String::from_utf8_lossy(year).into_owned());
    if let Some(event) = named(TagName::Event) {
        return year.map_or_else(|| event.as_str().into(), |year| format!("{event} | {year}").into());
    }
    match (named(TagName::White), named(TagName::Black)) {
        (Some(white), Some(black)) => {
            let (first, second) = if white < black { (white, black) } else { (black, white) };
            format!("{first} v {second}").into()
        }
        _ => "".into(),
    }
}

#[cfg(test)]
mod tests {
    use drawish_core::Outcome;

    use super::*;
    use crate::pgn::read_games;
    use crate::sample::{Rule, Sampler, Sampling};

    fn rows(pgn: &str, sampling: Sampling) -> Rows {
        let rule = Rule { sampling, min_moves: 0, fen_starts: true, ..Rule::default() };
        let (sampler, _) = read_games(pgn.as_bytes(), false, || Sampler::with(&rule, TakeRows::new()));
        sampler.into_parts().1.rows
    }

    #[test]
    fn evaluations_are_those_of_the_side_that_looked() {
        let pgn = "[Event \"a\"]\n[Date \"2001.02.03\"]\n[WhiteElo \"2500\"]\n[BlackElo \"?\"]\n[Result \"0-1\"]\n\n\
            1. e4 {+0.35/18 1s} e5 {+0.10/17 1s} 2. Nf3 {[%eval -0.2]} Nc6 {book} 3. Bb5 {-M3/9} {+1.00/1} a6 {wv=0.24} 0-1\n";
        let rows = rows(pgn, Sampling::Every { from: 1 });
        // The analyst looked at the position behind the move.
        assert_eq!(rows.evals, [Some(35), Some(-10), None, Some(-20), Some(-MATE - 997), Some(24)]);
        assert_eq!(rows.plies, [0, 1, 2, 3, 4, 5]);
        assert!(rows.events.iter().all(|event| &**event == "a | 2001"));
        assert!(rows.outcomes.iter().all(|&outcome| outcome == Outcome::BlackWin));
        assert_eq!((rows.white_elos[0], rows.black_elos[0]), (Some(2500), None));
        assert!(rows.games.iter().all(|&game| game == rows.games[0]) && rows.games[0] != 0);
        assert!(rows.features.iter().chain(&[]).all(|column| column.len() == 6));
    }

    #[test]
    fn players_stand_for_an_event_without_name() {
        let game = |tags: &str| format!("[Event \"?\"]\n{tags}[Result \"1-0\"]\n\n1. e4 1-0\n\n");
        let pgn =
            game("[White \"B\"]\n[Black \"A\"]\n") + &game("[White \"A\"]\n[Black \"B\"]\n") + &game("[White \"A\"]\n");
        let events: Vec<_> = rows(&pgn, Sampling::Every { from: 1 }).events;
        assert_eq!(events.iter().map(|event| &**event).collect::<Vec<_>>(), ["A v B", "A v B", ""]);
    }

    #[test]
    fn an_illegal_move_leaves_no_row_behind() {
        let game = |moves: &str| format!("[Event \"a\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n");
        let pgn = game("1. e4 e5 2. Ke3 Nc6") + &game("1. d4 d5");
        let rows = rows(&pgn, Sampling::Every { from: 1 });
        assert_eq!((rows.len(), rows.plies.len(), rows.features[0].len()), (2, 2, 2));
    }

    /// One packed file of 16 KB held a game of two million half-moves, and took 3 GB of memory.
    #[test]
    fn no_game_has_more_rows_than_the_longest_one_has_half_moves() {
        let long = format!("[Event \"a\"]\n[Result \"1-0\"]\n\n{}1-0\n\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(4500));
        let of = |sampling| rows(&long, sampling).plies;
        let plies = of(Sampling::Positions);
        assert_eq!((plies.len(), plies.last()), (17_697, Some(&17_696)));
        assert_eq!(of(Sampling::Every { from: 8001 }).len(), 1697);
        assert_eq!(
            [Sampling::Every { from: 8850 }, Sampling::OneRandomPly { from: 8850 }].map(|from| of(from).len()),
            [0; 2]
        );
    }

    #[test]
    fn the_skeleton_is_the_structure_at_its_ply() {
        let shuffle = "Nf3 Nf6 Ng1 Ng8 ";
        let game = |opening: &str, end: &str| {
            format!("[Event \"a\"]\n[Result \"1-0\"]\n\n{opening} {} {end} 1-0\n\n", shuffle.repeat(10))
        };
        // The same pawns at half-move 40, whatever comes later.
        let pgn = game("e4 e5", "d4 d5") + &game("e3 e5 e4 Nc6", "a4 a5") + &game("d4 d5", "");
        let skeletons = rows(&pgn, Sampling::At { at: 1 }).skeletons;
        assert!(skeletons[0] == skeletons[1] && skeletons[0] != skeletons[2]);
    }
}
