//! Applies a rule to games as they are read.

use std::ops::Range;

use drawish_core::{Outcome, Pawns};
use shakmaty::san::San;
use shakmaty::{Chess, EnPassantMode, Position, Setup};

use super::identity::{TELLING, brief_identity, fingerprint, identity};
use super::{Batch, CountedGame, Dedupe, Rule, Sampling, SkipReason, Take, TakePawns, Tally};
use crate::pgn::{
    GameEnd, GameHandler, Interest, ReadGame, ResultTag, TagName, Tags, Variant, fen_of, position_of, setup_of,
};
use crate::training::LooseBoard;

/// Receives games and has taken from them what the rule asks for.
pub struct Sampler<'a, T = TakePawns> {
    rule: &'a Rule,
    tally: Tally,
    taker: T,
    /// Of the game that is being read.
    game: Game,
    /// The moves of the game, as many as the rule can need. Where they lead is looked at only when the game is
    /// known to count: most games do not.
    moves: Vec<San>,
    /// The pawns of the game, where its file has boards and they are enough.
    pawns: Vec<Pawns>,
}

/// The game that is being read.
struct Game {
    refused: Option<SkipReason>,
    outcome: Outcome,
    /// Where the game begins, if not in the standard position.
    start: Option<Chess>,
    /// Half-moves before the first one of the game, by the move number of its start position.
    plies_before: u64,
    plies: u64,
    /// How many moves the rule can need.
    needed: usize,
    /// The last of those behind them, by the lowest bits of their half-moves.
    last: [San; LAST],
}

/// Half-moves of the longest game that the 75-move rule allows: 8,848 moves and one by White. Each position of a game may be a row in memory.
const LONGEST_GAME: u64 = 17_697;

/// Games of equal length that begin alike and end with the same moves, so many, are the same.
const LAST: usize = 16;

impl<'a> Sampler<'a> {
    /// A sampler of pawns for this rule that has seen nothing.
    #[must_use]
    pub fn new(rule: &'a Rule) -> Self {
        Sampler::with(rule, TakePawns::default())
    }

    /// What was taken.
    #[must_use]
    pub fn into_batch(self) -> Batch {
        let (tally, TakePawns { games, positions }) = self.into_parts();
        Batch { tally, games, positions }
    }
}

impl<'a, T: Take> Sampler<'a, T> {
    /// A sampler for this rule that has seen nothing and hands the games that count to `taker`.
    #[must_use]
    pub fn with(rule: &'a Rule, taker: T) -> Self {
        Sampler { rule, tally: Tally::default(), taker, game: Game::new(), moves: Vec::new(), pawns: Vec::new() }
    }

    /// Every game, and what was taken.
    #[must_use]
    pub fn into_parts(self) -> (Tally, T) {
        (self.tally, self.taker)
    }

    /// Reads the tags: everything that can be known before the moves.
    fn prepare(&mut self, tags: &Tags, known: Option<&Chess>) -> Result<(), SkipReason> {
        let variant = Variant::of(tags);
        if !self.rule.variant.accepts(variant) {
            return Err(SkipReason::Variant);
        }
        match known {
            Some(start) => self.begin_from(start)?,
            None => self.read_start(tags, variant)?,
        }
        let ResultTag::Known(outcome) = tags.result() else { return Err(SkipReason::NoResult) };
        self.game.outcome = outcome;
        self.rule.filters.refuse(tags).map_or(Ok(()), Err)?;
        self.game.needed = match self.rule.sampling {
            Sampling::At { .. } if self.wants_fingerprint() => usize::MAX,
            Sampling::At { .. } => self.line_plies(),
            Sampling::OneRandomPly { .. } | Sampling::Every { .. } | Sampling::Positions => usize::MAX,
        };
        Ok(())
    }

    /// The same of a start that is known.
    fn begin_from(&mut self, start: &Chess) -> Result<(), SkipReason> {
        let setup = start.to_setup(EnPassantMode::Legal);
        let is_initial = setup == Setup { fullmoves: setup.fullmoves, halfmoves: setup.halfmoves, ..Setup::initial() };
        if self.rule.wants_standard_start() && !is_initial {
            return Err(SkipReason::StartPosition);
        }
        self.game.plies_before = plies_before(start);
        self.game.start = (!is_initial).then(|| start.clone());
        Ok(())
    }

    fn read_start(&mut self, tags: &Tags, variant: Variant) -> Result<(), SkipReason> {
        let Some(text) = fen_of(tags) else {
            return Ok(());
        };
        let setup = setup_of(text).ok_or(SkipReason::BadFen)?;
        let initial = Setup { fullmoves: setup.fullmoves, halfmoves: setup.halfmoves, ..Setup::initial() };
        let is_initial = setup == initial;
        let start = position_of(setup, variant).ok_or(SkipReason::BadFen)?;
        if self.rule.wants_standard_start() && !is_initial {
            return Err(SkipReason::StartPosition);
        }
        self.game.plies_before = plies_before(&start);
        self.game.start = Some(start);
        Ok(())
    }

    /// How many half-moves make a [line](Identity::line).
    fn line_plies(&self) -> usize {
        match self.rule.sampling {
            Sampling::At { at } => to_usize(plies_before_move(at).saturating_sub(self.game.plies_before)).max(TELLING),
            _ => TELLING,
        }
    }

    fn wants_fingerprint(&self) -> bool {
        T::WHOLE_GAMES || self.rule.dedupe != Dedupe::No || matches!(self.rule.sampling, Sampling::OneRandomPly { .. })
    }

    /// Takes the positions of a game whose moves are all read, or says why not.
    fn take_positions(&mut self, read: &ReadGame<'_>) -> Result<u64, SkipReason> {
        let game = &self.game;
        if let Some(reason) = game.refused {
            return Err(reason);
        }
        match read.end {
            GameEnd::Whole => {}
            GameEnd::CutOff if read.token.is_some() => {}
            GameEnd::OpenComment | GameEnd::OpenVariation | GameEnd::CutOff => return Err(SkipReason::Unreadable),
        }
        if game.plies == 0 {
            return Err(SkipReason::NoMoves);
        }
        let last_move = (game.plies_before + game.plies).div_ceil(2);
        if last_move < u64::from(self.rule.min_moves) || game.plies < u64::from(self.rule.filters.min_plies) {
            return Err(SkipReason::TooShort);
        }
        let (start, line) = (game.start.as_ref(), self.line_plies());
        let identity = if T::WHOLE_GAMES || self.rule.dedupe != Dedupe::No {
            identity(start, &self.moves, line)
        } else {
            brief_identity(start, game.plies, &self.moves, line, self.last_moves())
        };
        let fingerprint = if self.wants_fingerprint() { fingerprint(start, &self.moves) } else { identity.game };
        let wanted = self.wanted_positions(fingerprint)?;
        if !self.pawns.is_empty() {
            let positions = wanted.len() as u64;
            self.taker.take_pawns(identity, game.outcome, &self.pawns[wanted]);
            return Ok(positions);
        }
        let game = CountedGame {
            rule: self.rule,
            fingerprint,
            identity,
            outcome: game.outcome,
            start: game.start.as_ref(),
            moves: &self.moves,
            wanted,
            tags: read.tags,
        };
        self.taker.take(&game).ok_or(SkipReason::IllegalMove)
    }

    /// Keeps a move that the rule can need, or for what it tells of how the game ended.
    #[inline(always)]
    fn keep(&mut self, san: San) {
        if self.moves.len() < self.game.needed {
            self.moves.push(san);
        } else {
            self.game.last[to_usize(self.game.plies) % LAST] = san;
        }
    }

    /// The last moves of the game behind those that are kept.
    fn last_moves(&self) -> impl Iterator<Item = San> {
        let kept = self.moves.len() as u64;
        let first = self.game.plies.saturating_sub(LAST as u64).max(kept);
        (first..self.game.plies).map(|ply| self.game.last[to_usize(ply) % LAST])
    }

    /// The positions asked for, counted in half-moves of the game; never empty.
    fn wanted_positions(&self, fingerprint: u64) -> Result<Range<usize>, SkipReason> {
        let Game { plies, plies_before, .. } = self.game;
        let end = plies.min(LONGEST_GAME);
        let since = |from: u32| {
            let first = plies_before_move(from).saturating_sub(plies_before);
            if first < end { Ok(first) } else { Err(SkipReason::NotReached) }
        };
        let range = match self.rule.sampling {
            Sampling::At { at } => match plies_before_move(at).checked_sub(plies_before) {
                Some(ply) if ply <= plies => ply..ply + 1,
                _ => return Err(SkipReason::NotReached),
            },
            Sampling::Every { from } => since(from)?..end,
            Sampling::Positions => 0..end,
            Sampling::OneRandomPly { from } => {
                let first = since(from)?;
                // The high half of a product spreads a hash evenly over any number of choices.
                let drawn = (u128::from(fingerprint) * u128::from(end - first)) >> 64;
                let ply = first + u64::try_from(drawn).unwrap_or_default();
                ply..ply + 1
            }
        };
        Ok(to_usize(range.start)..to_usize(range.end))
    }

    /// Notes what does not fit together in a counted game.
    fn notice(&mut self, read: &ReadGame<'_>) {
        let notices = &mut self.tally.notices;
        notices.result_token_differs += u64::from(read.token_differs());
        let ply_count = read.tags.number(TagName::PlyCount);
        notices.ply_count_differs += u64::from(ply_count.is_some_and(|count| u64::from(count) != self.game.plies));
    }
}

impl Game {
    fn new() -> Self {
        Game {
            refused: None,
            outcome: Outcome::Draw,
            plies_before: 0,
            plies: 0,
            needed: 0,
            start: None,
            last: [San::Null; LAST],
        }
    }
}

impl<T: Take> GameHandler for Sampler<'_, T> {
    const COMMENTS: bool = T::COMMENTS;
    const BOARDS: bool = true;
    const PORTIONS: bool = T::PORTIONS;

    fn begin(&mut self) {
        self.moves.clear();
        self.pawns.clear();
        self.game = Game::new();
        self.taker.begin();
    }

    fn moves(&mut self, tags: &Tags) -> Interest {
        self.game.refused = self.prepare(tags, None).err();
        if self.game.refused.is_some() { Interest::Nothing } else { Interest::Moves }
    }

    fn takes_pawns(&self) -> bool {
        T::PAWNS && !self.rule.replay && !self.wants_fingerprint()
    }

    fn begin_at(&mut self, tags: &Tags, start: &Chess) -> Interest {
        self.game.refused = self.prepare(tags, Some(start)).err();
        if self.game.refused.is_some() { Interest::Nothing } else { Interest::Moves }
    }

    #[inline]
    fn pawns(&mut self, pawns: Pawns, played: Option<San>) {
        self.game.plies = self.pawns.len() as u64;
        self.pawns.push(pawns);
        if let Some(played) = played {
            self.keep(played);
        }
    }

    // Called for every move of every game, from one place.
    #[inline(always)]
    fn san(&mut self, san: San) {
        self.keep(san);
        self.game.plies += 1;
    }

    fn comment(&mut self, comment: &[u8]) {
        self.taker.comment(self.game.plies, comment);
    }

    fn end(&mut self, game: ReadGame<'_>) {
        match self.take_positions(&game) {
            Ok(positions) => {
                self.tally.count();
                self.tally.positions += positions;
                self.notice(&game);
            }
            Err(reason) => self.tally.skip(reason),
        }
    }

    #[inline]
    fn board(&mut self, board: &LooseBoard) {
        let identity = if self.wants_fingerprint() { board.hash() } else { 0 };
        if self.rule.sampling != Sampling::Positions {
            self.tally.skip(SkipReason::NotReached);
        } else if self.taker.take_board(board, identity) {
            self.tally.count();
            self.tally.positions += 1;
        } else {
            self.tally.skip(SkipReason::BadFen);
        }
    }
}

/// Half-moves before a position by its move number.
fn plies_before(position: &Chess) -> u64 {
    2 * u64::from(position.fullmoves().get() - 1) + u64::from(position.turn().is_black())
}

/// Half-moves from the standard position to White's move with this number.
fn plies_before_move(number: u32) -> u64 {
    2 * u64::from(number.saturating_sub(1))
}

/// A number of half-moves, of which memory holds as many as fit.
fn to_usize(plies: u64) -> usize {
    usize::try_from(plies).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{VariantChoice, read_games};
    use crate::sample::Filters;

    /// Of each game that counts its fingerprint and identity, how many moves were kept, and the positions that are wanted.
    #[derive(Default)]
    struct Seen(Vec<([u64; 2], usize, Range<usize>)>);

    impl Take for Seen {
        fn take(&mut self, game: &CountedGame<'_>) -> Option<u64> {
            self.0.push(([game.fingerprint, game.identity.game], game.moves.len(), game.wanted.clone()));
            Some(game.wanted.len() as u64)
        }

        fn take_board(&mut self, _: &LooseBoard, _: u64) -> bool {
            false
        }
    }

    /// A rule without any condition but these.
    fn rule(sampling: Sampling) -> Rule {
        Rule { sampling, min_moves: 0, fen_starts: true, ..Rule::default() }
    }

    fn read(pgn: &str, cut_off: bool, rule: &Rule) -> (Tally, Seen) {
        read_games(pgn.as_bytes(), cut_off, || Sampler::with(rule, Seen::default())).0.into_parts()
    }

    /// The standard position after 1.Nf3 of a game whose moves are numbered from 10, Black to move: 19 half-moves lie before it.
    const LATER: &str = "[FEN \"rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 10\"]\n";

    /// So many half-moves of knights that go out and back.
    fn shuffle(plies: usize) -> Vec<&'static str> {
        ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(plies).collect()
    }

    fn game(tags: &str, moves: &[&str]) -> String {
        format!("[Event \"x\"]\n[Result \"1/2-1/2\"]\n{tags}\n{} 1/2-1/2\n\n", moves.join(" "))
    }

    /// What becomes of this one game.
    fn outcome(pgn: &str, rule: &Rule) -> Result<([u64; 2], usize, Range<usize>), SkipReason> {
        let (tally, Seen(mut games)) = read(pgn, false, rule);
        assert_eq!(tally.games(), 1);
        assert_eq!(tally.positions, games.iter().map(|(_, _, wanted)| wanted.len() as u64).sum::<u64>());
        let skipped = || SkipReason::ALL.into_iter().find(|reason| tally.skipped(*reason) == 1).expect("a reason");
        games.pop().ok_or_else(skipped)
    }

    #[test]
    fn positions_by_their_move_numbers() {
        use Sampling::{At, Every, Positions};
        let not_reached = Err(SkipReason::NotReached);
        for (tags, sampling, plies, expected) in [
            // White's move n of a game from the standard position has 2 (n - 1) half-moves before it.
            ("", At { at: 1 }, 4, Ok(0..1)),
            ("", At { at: 3 }, 4, Ok(4..5)),
            ("", At { at: 3 }, 3, not_reached.clone()),
            ("", Every { from: 0 }, 3, Ok(0..3)),
            ("", Every { from: 2 }, 5, Ok(2..5)),
            // Each of its positions stands before a move.
            ("", Every { from: 3 }, 5, Ok(4..5)),
            ("", Every { from: 3 }, 4, not_reached.clone()),
            ("", Positions, 3, Ok(0..3)),
            // One half-move later White's 11th is due.
            (LATER, At { at: 10 }, 3, not_reached.clone()),
            (LATER, At { at: 11 }, 3, Ok(1..2)),
            (LATER, At { at: 12 }, 3, Ok(3..4)),
            (LATER, At { at: 12 }, 2, not_reached.clone()),
            (LATER, Every { from: 8 }, 3, Ok(0..3)),
            (LATER, Every { from: 11 }, 3, Ok(1..3)),
            (LATER, Every { from: 12 }, 4, Ok(3..4)),
            (LATER, Every { from: 12 }, 3, not_reached),
        ] {
            let found = outcome(&game(tags, &shuffle(plies)), &rule(sampling)).map(|(_, _, wanted)| wanted);
            assert_eq!(found, expected, "{tags} {sampling:?} {plies}");
        }
    }

    #[test]
    fn lengths_are_counted_to_the_half_move() {
        let of = |min_moves, min_plies| Rule {
            min_moves,
            filters: Filters { min_plies, ..Filters::default() },
            ..rule(Sampling::Positions)
        };
        for (tags, plies, rule, counts) in [
            ("", 119, of(60, 0), true),
            ("", 118, of(60, 0), false),
            // Black's 10th and White's 11th.
            (LATER, 1, of(10, 0), true),
            (LATER, 1, of(11, 0), false),
            (LATER, 2, of(11, 0), true),
            // These are counted from where the game begins.
            ("", 5, of(0, 5), true),
            (LATER, 4, of(0, 5), false),
        ] {
            let found = outcome(&game(tags, &shuffle(plies)), &rule).map(drop);
            assert_eq!(found, if counts { Ok(()) } else { Err(SkipReason::TooShort) }, "{tags} {plies} {rule}");
        }
    }

    /// Which games are taken for the same: by 60 half-moves, or as many as lie before the position or are needed to draw one, by the
    /// last sixteen and by the length; with `--dedupe` by all moves.
    #[test]
    fn games_that_come_again() {
        let same = |rule: &Rule, plies: usize, changes: [(usize, &'static str); 2]| {
            let [one, other] = changes.map(|(at, san)| {
                let mut moves = shuffle(plies);
                moves[at] = san;
                outcome(&game("", &moves), rule).expect("a game that counts").0[1]
            });
            one == other
        };
        let early = rule(Sampling::At { at: 2 });
        assert!(same(&early, 90, [(60, "Nd4"), (60, "Bd4")]), "the 61st is not looked at");
        assert!(!same(&early, 90, [(59, "Nd4"), (59, "Bd4")]), "the 60th is");
        for (one, other) in [("Nd4", "Rd4"), ("Nd4", "Nd5"), ("d4", "Qd4"), ("O-O", "O-O-O"), ("a4", "b4")] {
            assert!(!same(&early, 90, [(3, one), (3, other)]), "{one} {other}");
        }
        assert!(same(&early, 90, [(3, "Nd4"), (3, "Nbxd4")]), "piece and target will do, however the move is written");
        assert!(!same(&early, 90, [(3, "Nd4"), (5, "Nd4")]), "the order counts");
        // The position before move 50 has 98 half-moves before it.
        let late = rule(Sampling::At { at: 50 });
        assert!(same(&late, 116, [(98, "Nd4"), (98, "Bd4")]) && !same(&late, 116, [(97, "Nd4"), (97, "Bd4")]));
        // And so do the last sixteen half-moves.
        assert!(same(&early, 90, [(73, "Nd4"), (73, "Bd4")]) && !same(&early, 90, [(74, "Nd4"), (74, "Bd4")]));
        assert!(!same(&late, 100, [(99, "Nd4"), (99, "Bd4")]) && !same(&early, 61, [(60, "Nd4"), (60, "Bd4")]));
        let dedupe = Rule { dedupe: Dedupe::Games, ..early.clone() };
        for whole in [&dedupe, &rule(Sampling::OneRandomPly { from: 1 })] {
            assert!(!same(whole, 90, [(89, "Nd4"), (89, "Bd4")]), "{whole}");
            assert!(same(whole, 90, [(89, "Nd4"), (89, "Nd4")]), "{whole}");
        }
        // Whose knight goes where matters, but not how that is written: after an even number of moves all knights stand at home.
        for (one, other, is_same) in
            [("Nc3", "Nbc3", true), ("N1c3", "Nb1c3", true), ("a3", "a2a3", true), ("Nc3", "Na3", false)]
        {
            assert_eq!(same(&dedupe, 90, [(88, one), (88, other)]), is_same, "{one} {other}");
        }
        let of = |tags: &str, plies| outcome(&game(tags, &shuffle(plies)), &early).expect("a game that counts");
        assert!(of("", 90).0 != of("", 94).0, "games of another length are others");
        let start = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n";
        let others = [start, &start.replace("4P3", "3P4"), ""].map(|tags| of(tags, 90).0);
        assert!(others[0] != others[1] && others[0] != others[2], "games from other positions are others");
        // So many moves are kept, of those from move 10 on 19 fewer.
        let kept = |tags, at| outcome(&game(tags, &shuffle(150)), &rule(Sampling::At { at })).expect("a game").1;
        assert_eq!([kept("", 2), kept("", 60), kept(LATER, 60), kept(LATER, 11)], [60, 118, 99, 60]);
    }

    /// By a program of its own in Python, from the words that the documentation of [`fingerprint`] has and the numbers of
    /// [`word_of`]: which position `one-random-ply` draws must never change.
    #[test]
    fn fingerprints_and_what_they_draw_stay_as_they_are() {
        let moves = "e4 d5 exd5 Qxd5 Nf3 Bg4 Be2 Nc6 O-O O-O-O Re1 Nf6 Ng5 Qxg5 Na3 Nb4 Nb1 N4d5 Kh1";
        let promotion = "a8=Q+ Kd7 O-O Ke6 Qe8+";
        let start = "[FEN \"4k3/P7/8/8/8/8/8/4K2R w K - 0 40\"]\n";
        for (tags, moves, from, expected, drawn) in [
            ("", moves, 1, 0x3df7_0c8a_dc11_e263, 4),
            ("", moves, 3, 0x3df7_0c8a_dc11_e263, 7),
            (start, promotion, 1, 0xae45_8ed8_df4b_239b, 3),
            (start, promotion, 41, 0xae45_8ed8_df4b_239b, 4),
        ] {
            let drawing = rule(Sampling::OneRandomPly { from });
            let found = outcome(&game(tags, &moves.split(' ').collect::<Vec<_>>()), &drawing).expect("a game");
            assert_eq!((found.0[0], found.2), (expected, drawn..drawn + 1), "{moves} {from}");
        }
    }

    /// In the French with 3.Nd2 the other knight goes to f3, in the others one to d2 where two could: an origin that is needed is part of
    /// the move, one that is not (c3 is pinned after Bb4) is not.
    #[test]
    fn copies_are_found_however_origins_are_written() {
        let dedupe = Rule { dedupe: Dedupe::Games, ..rule(Sampling::Positions) };
        let identity =
            |moves: &str| outcome(&game("", &moves.split(' ').collect::<Vec<_>>()), &dedupe).expect("a game").0[1];
        let pinned = identity("e4 e6 d4 d5 Nc3 Bb4 Ne2 Nf6");
        for same in ["e4 e6 d4 d5 Nc3 Bb4 Nge2 Nf6", "e2e4 e6 d4 d7d5 Nb1c3 Bf8b4 N1e2 Ng8f6"] {
            assert_eq!(identity(same), pinned, "{same}");
        }
        let needed = identity("Nf3 Nf6 d4 d5 Nbd2 e6 e3 c5");
        assert_eq!(identity("Nf3 Nf6 d4 d5 Nb1d2 e6 e3 c5"), needed);
        assert_ne!(identity("Nf3 Nf6 d4 d5 Nfd2 e6 e3 c5"), needed);
    }

    #[test]
    fn what_does_not_fit_together_is_noticed() {
        let of = |result: &str, tags: &str, token: &str| {
            let pgn = format!("[Event \"x\"]\n[Result \"{result}\"]\n{tags}\nNf3 Nf6 Ng1 {token}\n\n");
            let notices = read(&pgn, false, &rule(Sampling::Positions)).0.notices;
            (notices.result_token_differs, notices.ply_count_differs)
        };
        assert_eq!(of("1-0", "[PlyCount \"3\"]\n", "1-0"), (0, 0));
        assert_eq!(of("1-0", "", "0-1"), (1, 0));
        assert_eq!(of("1-0", "", "*"), (0, 0), "no result is not another one");
        assert_eq!(of("0-1", "[PlyCount \"4\"]\n", "1/2-1/2"), (1, 1));
    }

    #[test]
    fn games_without_an_end_or_a_beginning() {
        let positions = rule(Sampling::Positions);
        let reason = |pgn: &str, cut_off: bool| {
            let (tally, _) = read(&format!("[Event \"x\"]\n[Result \"1-0\"]\n\n{pgn}"), cut_off, &positions);
            assert_eq!(tally.games(), 1, "{pgn}");
            SkipReason::ALL.into_iter().find(|reason| tally.skipped(*reason) == 1)
        };
        assert_eq!(reason("Nf3 Nf6 1-0\n", true), None, "its result is there, so nothing is missing");
        assert_eq!(reason("Nf3 Nf6\n", true), Some(SkipReason::Unreadable));
        assert_eq!(reason("Nf3 Nf6\n", false), None);
        assert_eq!(reason("Nf3 {open\n", false), Some(SkipReason::Unreadable));
        assert_eq!(reason("Nf3 (Nc3\n", false), Some(SkipReason::Unreadable));
        assert_eq!(reason("1-0\n", false), Some(SkipReason::NoMoves));
    }

    #[test]
    fn which_starts_count() {
        let start = |fen: &str| format!("[FEN \"{fen}\"]\n");
        let standard = Rule { fen_starts: false, ..rule(Sampling::Positions) };
        let any = Rule { variant: VariantChoice::Any, ..standard.clone() };
        // The standard position with other counters is the standard position.
        let counters = start("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3");
        let no_castling = start("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1");
        let found = |tags: &str, rule: &Rule| outcome(&game(tags, &shuffle(4)), rule).map(drop);
        assert_eq!((found(&counters, &standard), found("", &standard)), (Ok(()), Ok(())));
        for other in [&no_castling, LATER] {
            assert_eq!(found(other, &standard), Err(SkipReason::StartPosition));
            assert_eq!((found(other, &rule(Sampling::Positions)), found(other, &any)), (Ok(()), Ok(())));
        }
        assert_eq!(found(&start("rubbish"), &standard), Err(SkipReason::BadFen));
        assert_eq!(found(&start("8/8/8/8/8/8/8/8 w - - 0 1"), &any), Err(SkipReason::BadFen));
    }
}
