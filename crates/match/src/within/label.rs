//! Moves of a root, and what searches say of the positions that they lead to.

// What a file holds must not wrap.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

use drawish_engine::eval::{Evaluator, LIMIT};
use drawish_engine::search::{Game, Limits, Searcher, Value, quiet_evaluation};
use serde::{Deserialize, Serialize};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen};

use crate::arena::{ProbeError, Tablebases};

/// Leads from here on, by the static evaluation of the best move, are decided: nothing is compared.
pub const DECIDED: i32 = 1000;
/// Moves that are compared: fewer are no comparison.
const FEWEST: usize = 2;

/// Why the moves of a root are not compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RootSkip {
    /// The side to move is in check.
    Check,
    /// The best move leads by [`DECIDED`] centipawns or more, for whichever side.
    Decided,
    /// Fewer than two moves are left to compare.
    Few,
    /// Endgame tables are asked, and do not know the position behind each move that could be compared.
    Unknown,
}

impl RootSkip {
    /// All reasons, in the order in which they are looked at.
    pub const ALL: [RootSkip; 4] = [RootSkip::Check, RootSkip::Decided, RootSkip::Few, RootSkip::Unknown];

    /// In words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RootSkip::Check => "in check",
            RootSkip::Decided => "decided",
            RootSkip::Few => "fewer than two moves",
            RootSkip::Unknown => "unknown to the tables",
        }
    }
}

/// Moves by what became of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MoveCounts {
    /// To be compared, unless their root is left out.
    pub labelled: u64,
    /// They end the game.
    pub over: u64,
    /// They give check.
    pub check: u64,
    /// Something hangs behind them: captures would change the evaluation.
    pub hanging: u64,
    /// Their evaluation is too far below that of the best move.
    pub outside: u64,
}

impl MoveCounts {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.labelled + self.over + self.check + self.hanging + self.outside
    }

    pub(super) fn add(&mut self, other: &MoveCounts) {
        self.labelled += other.labelled;
        self.over += other.over;
        self.check += other.check;
        self.hanging += other.hanging;
        self.outside += other.outside;
    }
}

/// A root with its moves: a line of the file of labels.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Labelled {
    /// The root as a FEN.
    pub root: String,
    /// Its game, in 16 hexadecimal digits.
    pub game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip: Option<RootSkip>,
    pub moves: MoveCounts,
    /// Move, static evaluation and score, in centipawns for White. What endgame tables know is 0 for a draw, else as far as scores go.
    pub children: Vec<(String, i32, i32)>,
}

impl Labelled {
    /// A root of which nothing is known yet.
    fn new(root: &Chess, game: u64) -> Labelled {
        Labelled {
            root: Fen::from_position(root, EnPassantMode::Legal).to_string(),
            game: format!("{game:016x}"),
            skip: None,
            moves: MoveCounts::default(),
            children: Vec::new(),
        }
    }

    /// Whether this is about a root.
    pub fn is_of(&self, root: &Chess, game: u64) -> bool {
        let other = Labelled::new(root, game);
        (&self.root, &self.game) == (&other.root, &other.game)
    }
}

/// The engine of this workspace, which labels.
pub(super) struct Labeller<'a> {
    searcher: Searcher<Evaluator>,
    nodes: u64,
    window: i32,
    tables: Option<&'a dyn Tablebases>,
}

impl<'a> Labeller<'a> {
    /// What `tables` know is not searched.
    pub fn new(nodes: u64, window: i32, tables: Option<&'a dyn Tablebases>) -> Labeller<'a> {
        Labeller { searcher: Searcher::new(Evaluator::default(), 1), nodes, window, tables }
    }

    /// Searches behind the moves of a root that can be compared.
    pub fn label(&mut self, root: &Chess, game: u64) -> Result<Labelled, ProbeError> {
        let mut labelled = Labelled::new(root, game);
        if root.is_check() {
            labelled.skip = Some(RootSkip::Check);
            return Ok(labelled);
        }
        let sign = if root.turn().is_white() { 1 } else { -1 };
        let mut quiet = Vec::new();
        for played in root.legal_moves() {
            let mut child = root.clone();
            child.play_unchecked(played);
            if child.is_game_over() {
                labelled.moves.over += 1;
            } else if child.is_check() {
                labelled.moves.check += 1;
            } else if let Some(eval) = quiet_evaluation(&child) {
                quiet.push((UciMove::from_move(played, CastlingMode::Chess960).to_string(), eval, child));
            } else {
                labelled.moves.hanging += 1;
            }
        }
        let best = quiet.iter().map(|(_, eval, _)| sign * eval).max().unwrap_or(0);
        let found = quiet.len();
        // What is looked at is the evaluation alone: to choose by the scores that are explained would bend the fit.
        quiet.retain(|(_, eval, _)| sign * eval >= best - self.window);
        labelled.moves.outside = (found - quiet.len()) as u64;
        labelled.moves.labelled = quiet.len() as u64;
        labelled.skip = match () {
            () if best.abs() >= DECIDED => Some(RootSkip::Decided),
            () if quiet.len() < FEWEST => Some(RootSkip::Few),
            () => None,
        };
        if labelled.skip.is_none() {
            for (played, eval, child) in quiet {
                let Some(score) = self.score(child)? else {
                    labelled.skip = Some(RootSkip::Unknown);
                    labelled.children.clear();
                    break;
                };
                labelled.children.push((played, eval, score));
            }
        }
        Ok(labelled)
    }

    /// What the tables know of a position, or what a search finds; `None` if there are tables that do not know it: what is certain
    /// and what is likely are no labels to be compared.
    fn score(&mut self, child: Chess) -> Result<Option<i32>, ProbeError> {
        let Some(tables) = self.tables else { return Ok(Some(self.search(child))) };
        let verdict = tables.verdict(&child)?;
        Ok(verdict.map(|verdict| verdict.winner.map_or(0, |winner| winner.fold_wb(LIMIT, -LIMIT))))
    }

    /// The score of a position in centipawns for White; mates count as the largest score.
    fn search(&mut self, child: Chess) -> i32 {
        let sign = if child.turn().is_white() { 1 } else { -1 };
        self.searcher.new_game();
        let result = self.searcher.search(&Game::new(child), &Limits::nodes(self.nodes), &mut |_| {});
        sign * match result.score {
            Value::Centipawns(score) => score.clamp(-LIMIT, LIMIT),
            Value::Mate(moves) if moves > 0 => LIMIT,
            Value::Mate(_) => -LIMIT,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Verdict;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("legal")
    }

    #[test]
    fn every_move_is_counted_once() {
        for fen in [
            "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 0 5",
            "8/5k2/4bp2/3p4/1P1P4/3BKP2/8/8 b - - 0 48",
            "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        ] {
            let root = position(fen);
            let labelled = label(&mut Labeller::new(100, 150, None), &root, 7);
            assert_eq!(labelled.moves.total(), root.legal_moves().len() as u64, "{fen}");
            let searched = if labelled.skip.is_none() { labelled.moves.labelled } else { 0 };
            assert_eq!(searched, labelled.children.len() as u64);
            assert!(labelled.is_of(&root, 7) && !labelled.is_of(&root, 8));
            let evals = || labelled.children.iter().map(|(_, eval, _)| *eval);
            assert!(evals().max().zip(evals().min()).is_none_or(|(most, least)| most - least <= 150), "{labelled:?}");
        }
    }

    #[test]
    fn reasons_to_leave_a_root_out_are_named() {
        for (fen, reason) in [
            ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", RootSkip::Check),
            ("4k3/8/8/8/8/8/8/QR2K3 w - - 0 1", RootSkip::Decided),
            ("7k/8/8/8/8/p7/P7/K7 w - - 0 1", RootSkip::Few),
        ] {
            let labelled = label(&mut Labeller::new(100, 150, None), &position(fen), 1);
            assert_eq!((labelled.skip, labelled.children.len()), (Some(reason), 0), "{fen}");
        }
    }

    /// What was searched before changes no label: so threads change none.
    #[test]
    fn labels_do_not_depend_on_what_was_searched_before() {
        let (first, second) = (
            position("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 0 5"),
            position("8/5k2/4bp2/3p4/1P1P4/3BKP2/8/8 b - - 0 48"),
        );
        let new = || Labeller::new(500, 150, None);
        let mut labeller = new();
        label(&mut labeller, &first, 1);
        assert_eq!(label(&mut labeller, &second, 2), label(&mut new(), &second, 2));
    }

    /// Knows that kings alone draw, and nothing of positions with pawns.
    struct Bare;

    impl Tablebases for Bare {
        fn verdict(&self, position: &Chess) -> Result<Option<Verdict>, ProbeError> {
            let board = position.board();
            let winner = (!board.rooks().is_empty()).then_some(shakmaty::Color::Black);
            if board.queens().any() {
                return Err(ProbeError { metric: "WDL".into(), material: "KQvK".into(), cause: "torn".into() });
            }
            Ok(board.pawns().is_empty().then_some(Verdict { winner }))
        }
    }

    #[test]
    fn what_tables_know_is_not_searched() {
        let with = |fen| Labeller::new(100, 1000, Some(&Bare)).label(&position(fen), 1);
        let unknown = with("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").expect("labels");
        assert_eq!((unknown.skip, unknown.children.len()), (Some(RootSkip::Unknown), 0));
        let known = with("4k3/8/8/8/8/r7/8/4K2R w - - 0 1").expect("labels");
        let (compared, scores) = (known.children.len(), known.children.iter().map(|(_, _, score)| *score));
        assert_eq!((known.skip, known.moves.labelled), (None, compared as u64));
        assert!(compared > 2 && scores.clone().all(|score| score == -LIMIT), "{scores:?}");
        assert!(with("4k3/8/8/3q4/8/8/8/2Q1K3 w - - 0 1").is_err());
    }

    fn label(labeller: &mut Labeller<'_>, root: &Chess, game: u64) -> Labelled {
        labeller.label(root, game).expect("no tables that could be torn")
    }
}
