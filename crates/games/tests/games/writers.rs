//! Games as training data, written by the crates of the formats' authors.

use std::fmt::Write;
use std::path::Path;

use bulletformat::ChessBoard;
use drawish_core::Outcome;
use drawish_games::pgn::{EvalValue, GameHandler, Interest, ReadGame, Tags, eval_in_comment, read_games};
use sfbinpack::chess::coords::Square as BinpackSquare;
use sfbinpack::chess::r#move::{Move as BinpackMove, MoveType};
use sfbinpack::chess::piece::Piece as BinpackPiece;
use sfbinpack::chess::position::Position as BinpackPosition;
use sfbinpack::{CompressedTrainingDataEntryWriter, TrainingDataEntry};
use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{Chess, Color, EnPassantMode, Move, Position, Role};
use viriformat::chess::board::{Board as ViriBoard, DrawType, GameOutcome, WinType};
use viriformat::chess::chessmove::{Move as ViriMove, MoveFlags};
use viriformat::chess::piece::PieceType as ViriPiece;
use viriformat::chess::types::Square as ViriSquare;
use viriformat::dataformat::Game as ViriGame;

/// What a binpack says of a position without evaluation.
const NO_EVAL: i16 = 32002;

/// A game with the evaluations of the side to move, where there are some.
#[derive(Clone)]
pub struct Game {
    pub start: Chess,
    pub moves: Vec<(Move, Option<i16>)>,
    pub outcome: Outcome,
}

/// Takes whole games from PGN.
#[derive(Default)]
struct Recorder {
    games: Vec<Game>,
    sans: Vec<(San, Option<i16>)>,
}

impl GameHandler for Recorder {
    const COMMENTS: bool = true;

    fn begin(&mut self) {
        self.sans.clear();
    }

    fn moves(&mut self, _tags: &Tags) -> Interest {
        Interest::Moves
    }

    fn san(&mut self, san: San) {
        self.sans.push((san, None));
    }

    fn comment(&mut self, comment: &[u8]) {
        let eval = eval_in_comment(comment).map(|eval| match eval.value {
            EvalValue::Centipawns(value) => value.clamp(-30_000, 30_000) as i16,
            EvalValue::Mate(moves) => moves.signum() as i16 * 31_000,
        });
        self.sans.last_mut().expect("a move").1 = eval;
    }

    fn end(&mut self, read: ReadGame<'_>) {
        let mut position = Chess::default();
        let mut moves = Vec::new();
        for &(san, eval) in &self.sans {
            let played = san.to_move(&position).expect("a legal move");
            moves.push((played, eval));
            position.play_unchecked(played);
        }
        let outcome = read.outcome().expect("a result");
        self.games.push(Game { start: Chess::default(), moves, outcome });
    }
}

/// Games of the shipped sample, every third of them from a later position on.
pub fn games(count: usize) -> Vec<Game> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let packed = std::fs::File::open(root.join("src/cli/demo/sample.pgn.zst")).expect("the sample");
    let text = zstd::decode_all(packed).expect("PGN");
    let (recorder, _) = read_games(&text, false, Recorder::default);
    let mut games = recorder.games;
    games.truncate(count);
    for (number, game) in games.iter_mut().enumerate().filter(|(number, _)| number % 3 == 0) {
        let before: Vec<_> = game.moves.drain(..(number % 50).min(game.moves.len() / 2)).collect();
        before.into_iter().for_each(|(played, _)| game.start.play_unchecked(played));
    }
    games
}

pub fn pgn(games: &[Game]) -> String {
    let mut text = String::new();
    for game in games {
        let result = match game.outcome {
            Outcome::WhiteWin => "1-0",
            Outcome::Draw => "1/2-1/2",
            Outcome::BlackWin => "0-1",
        };
        let fen = Fen::from_position(&game.start, EnPassantMode::Legal);
        let chess960 = if game.start.castles().mode().is_chess960() { "[Variant \"Chess960\"]\n" } else { "" };
        write!(text, "[Event \"?\"]\n{chess960}[FEN \"{fen}\"]\n[Result \"{result}\"]\n\n").expect("text");
        let mut position = game.start.clone();
        for &(played, eval) in &game.moves {
            write!(text, "{}", San::from_move(&position, played)).expect("text");
            if let Some(eval) = eval {
                let (sign, size) = (if eval < 0 { '-' } else { '+' }, eval.unsigned_abs());
                write!(text, " {{{sign}{}.{:02}/9}}", size / 100, size % 100).expect("text");
            }
            text.push('\n');
            position.play_unchecked(played);
        }
        write!(text, "{result}\n\n").expect("text");
    }
    text
}

/// What the side to move gets.
pub fn for_mover(outcome: Outcome, turn: Color) -> i16 {
    let for_white = match outcome {
        Outcome::WhiteWin => 1,
        Outcome::Draw => 0,
        Outcome::BlackWin => -1,
    };
    if turn.is_white() { for_white } else { -for_white }
}

fn entries(games: &[Game]) -> Vec<TrainingDataEntry> {
    let square = |square: shakmaty::Square| BinpackSquare::new(u32::from(square));
    let mut entries = Vec::new();
    for game in games {
        let mut position = game.start.clone();
        for &(played, eval) in &game.moves {
            let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
            let (from, to) = (square(played.from().expect("no drop")), square(played.to()));
            let mv = match played {
                Move::Castle { .. } => BinpackMove::castle(from, to),
                Move::EnPassant { .. } => BinpackMove::en_passant(from, to),
                Move::Normal { promotion: Some(role), .. } => {
                    let id = 2 * (role as i32 - 1) + i32::from(position.turn().is_black());
                    BinpackMove::new(from, to, MoveType::Promotion, BinpackPiece::from_id(id))
                }
                _ => BinpackMove::normal(from, to),
            };
            let ply = 2 * (position.fullmoves().get() - 1) + u32::from(position.turn().is_black());
            entries.push(TrainingDataEntry {
                pos: BinpackPosition::from_fen(&fen).expect("a position"),
                mv,
                score: eval.unwrap_or(NO_EVAL),
                ply: u16::try_from(ply).expect("a short game"),
                result: for_mover(game.outcome, position.turn()),
            });
            position.play_unchecked(played);
        }
    }
    entries
}

pub fn binpack(games: &[Game]) -> Vec<u8> {
    let mut writer = CompressedTrainingDataEntryWriter::new_in_memory().expect("memory");
    for entry in entries(games) {
        writer.write_entry(&entry).expect("an entry");
    }
    writer.into_bytes().expect("bytes")
}

pub fn viri(games: &[Game]) -> Vec<u8> {
    let square = |square: shakmaty::Square| ViriSquare::new(u32::from(square) as u8).expect("a square");
    let mut bytes = Vec::new();
    for game in games {
        let chess960 = game.start.castles().mode().is_chess960();
        let fen = Fen::from_position(&game.start, EnPassantMode::Legal).to_string();
        let mut board = ViriBoard::new();
        board.set_from_fen(&fen, chess960).expect("a position");
        let mut written = ViriGame::new(&board);
        written.set_outcome(match game.outcome {
            Outcome::WhiteWin => GameOutcome::WhiteWin(WinType::Mate),
            Outcome::Draw => GameOutcome::Draw(DrawType::Adjudication),
            Outcome::BlackWin => GameOutcome::BlackWin(WinType::Mate),
        });
        let mut white = game.start.turn().is_white();
        for &(played, eval) in &game.moves {
            let (from, to) = (square(played.from().expect("no drop")), square(played.to()));
            let entry = match played {
                Move::Castle { .. } => ViriMove::new_with_flags(from, to, MoveFlags::Castle),
                Move::EnPassant { .. } => ViriMove::new_with_flags(from, to, MoveFlags::EnPassant),
                Move::Normal { promotion: Some(role), .. } => {
                    ViriMove::new_with_promo(from, to, ViriPiece::new(role as u8 - 1).expect("a piece"))
                }
                _ => ViriMove::new(from, to),
            };
            let eval = eval.unwrap_or(0);
            written.add_move(entry, if white { eval } else { -eval });
            white = !white;
        }
        written.serialise_into(&mut bytes).expect("memory");
    }
    bytes
}

/// Every position before a move, as bullet's own crate has it.
fn boards(games: &[Game]) -> Vec<ChessBoard> {
    let mut boards = Vec::new();
    for game in games {
        let mut position = game.start.clone();
        for &(played, eval) in &game.moves {
            let board = position.board();
            let mut bitboards = [0; 8];
            bitboards[0] = u64::from(board.white());
            bitboards[1] = u64::from(board.black());
            for (place, role) in Role::ALL.into_iter().enumerate() {
                bitboards[2 + place] = u64::from(board.by_role(role));
            }
            let eval = eval.unwrap_or(0);
            let for_white = if position.turn().is_white() { eval } else { -eval };
            let result = f32::from(for_mover(game.outcome, Color::White)) / 2.0 + 0.5;
            let turn = usize::from(position.turn().is_black());
            boards.push(ChessBoard::from_raw(bitboards, turn, for_white, result).expect("a board"));
            position.play_unchecked(played);
        }
    }
    boards
}

pub fn bullet(games: &[Game]) -> Vec<u8> {
    let write = |board: &ChessBoard| {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&board.occ.to_le_bytes());
        bytes[8..24].copy_from_slice(&board.pcs);
        bytes[24..26].copy_from_slice(&board.score.to_le_bytes());
        bytes[26..29].copy_from_slice(&[board.result, board.ksq, board.opp_ksq]);
        bytes
    };
    boards(games).iter().flat_map(write).collect()
}
