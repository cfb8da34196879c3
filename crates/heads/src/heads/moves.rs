//! By how much single moves change what heads say: what a search sees, which compares positions that are a few moves apart.
//!
//! A head that predicts results well may still reward moves that change nothing about the game, such as exchanges of pawns for the
//! side ahead. So this table is read before the head plays.

use drawish_core::Heads;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Move, Position, Role};

use crate::boards::board;
use crate::normalisation;

/// Kinds of moves, each move being of the first that applies from below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveKind {
    /// Neither takes nor moves a pawn, and no castling.
    Quiet,
    /// A pawn moves without taking.
    PawnPush,
    /// A piece takes a pawn.
    PieceTakesPawn,
    /// A pawn takes a pawn, en passant too.
    PawnTakesPawn,
    /// A piece takes a piece.
    PieceTakesPiece,
    /// A pawn takes a piece.
    PawnTakesPiece,
    /// Castling.
    Castling,
    /// A pawn is promoted, taking or not.
    Promotion,
}

impl MoveKind {
    /// All kinds.
    pub const ALL: [MoveKind; 8] = [
        MoveKind::Quiet,
        MoveKind::PawnPush,
        MoveKind::PieceTakesPawn,
        MoveKind::PawnTakesPawn,
        MoveKind::PieceTakesPiece,
        MoveKind::PawnTakesPiece,
        MoveKind::Castling,
        MoveKind::Promotion,
    ];

    /// As it is called in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            MoveKind::Quiet => "quiet",
            MoveKind::PawnPush => "pawn push",
            MoveKind::PieceTakesPawn => "piece takes pawn",
            MoveKind::PawnTakesPawn => "pawn takes pawn",
            MoveKind::PieceTakesPiece => "piece takes piece",
            MoveKind::PawnTakesPiece => "pawn takes piece",
            MoveKind::Castling => "castling",
            MoveKind::Promotion => "promotion",
        }
    }

    /// The kind of a move.
    #[must_use]
    pub fn of(played: Move) -> MoveKind {
        match (played.promotion(), played.is_castle(), played.role(), played.capture()) {
            (Some(_), ..) => MoveKind::Promotion,
            (_, true, ..) => MoveKind::Castling,
            (_, _, Role::Pawn, Some(Role::Pawn)) => MoveKind::PawnTakesPawn,
            (_, _, Role::Pawn, Some(_)) => MoveKind::PawnTakesPiece,
            (_, _, Role::Pawn, None) => MoveKind::PawnPush,
            (.., Some(Role::Pawn)) => MoveKind::PieceTakesPawn,
            (.., Some(_)) => MoveKind::PieceTakesPiece,
            (.., None) => MoveKind::Quiet,
        }
    }
}

/// Changes of a number by moves, in logits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Changes {
    /// Their mean.
    pub mean: f64,
    /// Half of the 95 % interval of the mean, the moves of one position being no independent witnesses.
    pub error: f64,
    /// Their standard deviation.
    pub spread: f64,
}

/// What moves of one kind change.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KindOfMove {
    /// The kind.
    pub kind: MoveKind,
    /// So many moves.
    pub moves: u64,
    /// Changes of the drawScore, `None` without a draw head or moves.
    pub draw: Option<Changes>,
    /// Changes of ln g, the logarithm of what an evaluation is multiplied by; `None` without a gain head or moves.
    pub gain: Option<Changes>,
}

/// What all legal moves of the positions of games change.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveTable {
    /// Positions whose moves were looked at.
    pub positions: u64,
    /// In the order of [`MoveKind::ALL`].
    pub kinds: Vec<KindOfMove>,
    /// Standard deviation of the drawScore among the moves of a position, in logits.
    pub draw_within: Option<f64>,
    /// Standard deviation of ln g among the moves of a position.
    pub gain_within: Option<f64>,
}

/// The changes by one move.
struct Seen {
    position: usize,
    kind: MoveKind,
    change: f64,
}

impl MoveTable {
    /// Asks heads about every legal move of [the positions of games](normalisation::FENS). Both numbers are those that an engine
    /// gets, rounded and clamped.
    #[must_use]
    pub fn of(heads: &Heads<'_>) -> MoveTable {
        let positions = normalisation::FENS.lines().map(|fen| {
            let fen: Fen = fen.parse().expect("the FENs of this crate");
            fen.into_position(CastlingMode::Standard).expect("the FENs of this crate are of games")
        });
        let positions: Vec<Chess> = positions.collect();
        let draw = |position: &Chess| heads.draw_score(&board(position)).map(|score| score.to_logit());
        let gain = |position: &Chess| heads.gain(&board(position)).map(|gain| f64::from(gain.gain).ln());
        let (draw, gain) = (changes(&positions, draw), changes(&positions, gain));
        let count = |kind| {
            let of_kind = |position: &Chess| {
                position.legal_moves().iter().filter(|played| MoveKind::of(**played) == kind).count() as u64
            };
            positions.iter().map(of_kind).sum()
        };
        let kinds = MoveKind::ALL.map(|kind| KindOfMove {
            kind,
            moves: count(kind),
            draw: Changes::of(&draw, kind),
            gain: Changes::of(&gain, kind),
        });
        MoveTable {
            positions: positions.len() as u64,
            kinds: kinds.to_vec(),
            draw_within: within(&draw),
            gain_within: within(&gain),
        }
    }
}

/// By how much each move of each position changes a number.
fn changes(positions: &[Chess], number: impl Fn(&Chess) -> Option<f64>) -> Vec<Seen> {
    let mut seen = Vec::new();
    for (at, position) in positions.iter().enumerate() {
        let Some(before) = number(position) else { break };
        for played in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(played);
            seen.extend(number(&after).map(|after| Seen {
                position: at,
                kind: MoveKind::of(played),
                change: after - before,
            }));
        }
    }
    seen
}

impl Changes {
    fn of(seen: &[Seen], kind: MoveKind) -> Option<Changes> {
        let seen: Vec<&Seen> = seen.iter().filter(|seen| seen.kind == kind).collect();
        if seen.is_empty() {
            return None;
        }
        let n = seen.len() as f64;
        let mean = seen.iter().map(|seen| seen.change).sum::<f64>() / n;
        let spread = (seen.iter().map(|seen| (seen.change - mean).powi(2)).sum::<f64>() / n).sqrt();
        let of_position = |moves: &[&Seen]| moves.iter().map(|seen| seen.change - mean).sum::<f64>().powi(2);
        let clusters = seen.chunk_by(|one, other| one.position == other.position).map(of_position);
        Some(Changes { mean, error: 1.96 * clusters.sum::<f64>().sqrt() / n, spread })
    }
}

/// The standard deviation among the moves of a position.
fn within(seen: &[Seen]) -> Option<f64> {
    let squares = seen.chunk_by(|one, other| one.position == other.position).map(|moves| {
        let mean = moves.iter().map(|seen| seen.change).sum::<f64>() / moves.len() as f64;
        moves.iter().map(|seen| (seen.change - mean).powi(2)).sum::<f64>()
    });
    (!seen.is_empty()).then(|| (squares.sum::<f64>() / seen.len() as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::super::{HeadsFile, Weighted};
    use super::*;

    /// Heads that know nothing but the number of pawns, so that what every kind of move changes is known.
    fn by_pawns() -> Vec<u8> {
        let mut file = HeadsFile::from_toml(drawish_tables::POOLED_HEADS_TEXT).expect("heads");
        let pawns =
            |weight: f64| vec![Weighted { term: "pawns".to_owned(), weights: vec![weight], errors: Vec::new() }];
        (file.draw.score, file.draw.shift, file.draw.constant) = (pawns(-0.25), 8, Some(0.0));
        (file.gain.score, file.gain.shift, file.gain.residual) = (pawns(0.01), 12, None);
        file.to_binary().expect("a file")
    }

    #[test]
    fn kinds_of_moves_change_what_the_weights_say() {
        let bytes = by_pawns();
        let table = MoveTable::of(&Heads::from_bytes(&bytes).expect("heads"));
        assert_eq!(table.positions as usize, normalisation::boards().len());
        for found in &table.kinds {
            let kind = found.kind;
            let takes_a_pawn = matches!(kind, MoveKind::PieceTakesPawn | MoveKind::PawnTakesPawn | MoveKind::Promotion);
            let (draw, gain) = if takes_a_pawn { (0.25, -0.01) } else { (0.0, 0.0) };
            assert!(found.moves > 20, "{kind:?}: {}", found.moves);
            let (seen, factor) = (found.draw.expect("a draw head"), found.gain.expect("a gain head"));
            assert!((seen.mean - draw).abs() < 1e-9 && seen.error < 1e-9 && seen.spread < 1e-9, "{kind:?}: {seen:?}");
            // Gains are whole numbers of 1/1024.
            assert!((factor.mean - gain).abs() < 1e-3, "{kind:?}: {factor:?}");
        }
        let moves: u64 = table.kinds.iter().map(|found| found.moves).sum();
        let taking = |found: &&KindOfMove| found.draw.is_some_and(|draw| draw.mean > 0.1);
        let taken: u64 = table.kinds.iter().filter(taking).map(|found| found.moves).sum();
        // Most of the spread is among the moves of a position, less than among all.
        let share = taken as f64 / moves as f64;
        let all = 0.25 * (share * (1.0 - share)).sqrt();
        assert!(table.draw_within.is_some_and(|within| within < all && within > all / 2.0), "{table:?}");
    }

    #[test]
    fn a_wdl_head_alone_has_moves_and_no_changes() {
        let table = MoveTable::of(&Heads::from_bytes(drawish_tables::DRAWISH_WDL).expect("heads"));
        assert!(table.kinds.iter().all(|found| found.moves > 0 && found.draw.is_none() && found.gain.is_none()));
        assert_eq!((table.draw_within, table.gain_within), (None, None));
    }
}
