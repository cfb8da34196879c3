//! Training data of every format against the same games as PGN, written by the crates of the formats' authors; and what is
//! made of files that are cut, damaged or of another kind.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;

use bulletformat::ChessBoard;
use drawish_core::{Outcome, Pawns, Scheme, Wdl};
use drawish_games::collect::{Collect, Collected};
use drawish_games::pgn::{
    EvalValue, GameHandler, Input, Interest, ReadGame, Tags, VariantChoice, eval_in_comment, expand_inputs, read_games,
};
use drawish_games::rows::{Gather, Gathered, MemoryRows, Rows};
use drawish_games::sample::{Rule, Sampling, SkipReason};
use drawish_games::wdl;
use sfbinpack::chess::coords::Square as BinpackSquare;
use sfbinpack::chess::r#move::{Move as BinpackMove, MoveType};
use sfbinpack::chess::piece::Piece as BinpackPiece;
use sfbinpack::chess::position::Position as BinpackPosition;
use sfbinpack::{CompressedTrainingDataEntryReader, CompressedTrainingDataEntryWriter, TrainingDataEntry};
use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position, Role};
use tempfile::TempDir;
use viriformat::chess::board::{Board as ViriBoard, DrawType, GameOutcome, WinType};
use viriformat::chess::chessmove::{Move as ViriMove, MoveFlags};
use viriformat::chess::piece::PieceType as ViriPiece;
use viriformat::chess::types::Square as ViriSquare;
use viriformat::dataformat::Game as ViriGame;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// What a binpack says of a position without evaluation.
const NO_EVAL: i16 = 32002;

/// A game with the evaluations of the side to move, where there are some.
#[derive(Clone)]
struct Game {
    start: Chess,
    moves: Vec<(Move, Option<i16>)>,
    outcome: Outcome,
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
fn games(count: usize) -> Vec<Game> {
    let packed = std::fs::File::open(Path::new(ROOT).join("src/cli/demo/sample.pgn.zst")).expect("the sample");
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

fn pgn(games: &[Game]) -> String {
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
                write!(text, " {{{sign}{}.{:02}/1}}", size / 100, size % 100).expect("text");
            }
            text.push('\n');
            position.play_unchecked(played);
        }
        write!(text, "{result}\n\n").expect("text");
    }
    text
}

/// What the side to move gets.
fn for_mover(outcome: Outcome, turn: Color) -> i16 {
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

fn binpack(games: &[Game]) -> Vec<u8> {
    let mut writer = CompressedTrainingDataEntryWriter::new_in_memory().expect("memory");
    for entry in entries(games) {
        writer.write_entry(&entry).expect("an entry");
    }
    writer.into_bytes().expect("bytes")
}

fn viri(games: &[Game]) -> Vec<u8> {
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

fn bullet(games: &[Game]) -> Vec<u8> {
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

/// Files for a test, gone at its end.
struct Files(TempDir);

impl Files {
    fn new() -> Files {
        Files(TempDir::new().expect("a directory"))
    }

    fn put(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).expect("a file");
        path
    }
}

fn collect(path: &Path, rule: &Rule, threads: usize) -> Collected {
    let inputs = expand_inputs(&[path.to_owned()]).expect("the file");
    Collect::new(inputs).rule(rule.clone()).threads(NonZero::new(threads).expect("a thread")).run().expect("a run")
}

fn rules() -> Vec<Rule> {
    let from_fens = Rule { fen_starts: true, ..Rule::default() };
    vec![
        Rule::default(),
        from_fens.clone(),
        Rule { sampling: Sampling::At { at: 12 }, min_moves: 0, ..from_fens.clone() },
        Rule { sampling: Sampling::Every { from: 20 }, min_moves: 30, ..from_fens.clone() },
        Rule { sampling: Sampling::OneRandomPly { from: 5 }, min_moves: 0, ..from_fens.clone() },
        Rule { sampling: Sampling::Positions, min_moves: 0, dedupe: true, ..from_fens.clone() },
        Rule { sampling: Sampling::Every { from: 1 }, min_moves: 0, replay: true, ..from_fens },
    ]
}

#[test]
fn counts_are_those_of_the_same_games_as_pgn() {
    let mut games = games(400);
    // The first hundred come twice.
    games.extend_from_within(..100);
    let files = Files::new();
    let text = files.put("games.pgn", pgn(&games));
    let packed = zstd::encode_all(&binpack(&games)[..], 3).expect("zstd");
    let coded = [
        files.put("games.binpack", binpack(&games)),
        files.put("games.vf", viri(&games)),
        files.put("p.binpack.zst", packed),
    ];
    for rule in rules() {
        let expected = collect(&text, &rule, 2);
        assert!(expected.file.tally().counted() > 20, "{rule}");
        for path in &coded {
            let found = collect(path, &rule, 2);
            assert_eq!(found.problems.lines("counted"), Vec::<String>::new());
            assert_eq!(found.file.tally(), expected.file.tally(), "{rule} {}", path.display());
            assert!(found.file.counts == expected.file.counts, "{rule} {}", path.display());
        }
        assert_eq!(collect(&coded[0], &rule, 1).file.to_bytes(), collect(&coded[0], &rule, 3).file.to_bytes());
    }
}

fn rows(path: &Path, rule: &Rule) -> (Rows, Gathered) {
    let inputs = expand_inputs(&[path.to_owned()]).expect("the file");
    let (rows, gathered) = MemoryRows::gather(Gather::new(inputs).rule(rule.clone()));
    (rows.rows().clone(), gathered)
}

#[test]
fn rows_and_wdl_counts_are_those_of_the_same_games_as_pgn() {
    let games = games(120);
    let files = Files::new();
    let text = files.put("games.pgn", pgn(&games));
    // There all positions have evaluations.
    let all_evaluated: Vec<_> = games
        .iter()
        .map(|game| Game {
            moves: game.moves.iter().map(|&(played, eval)| (played, eval.or(Some(0)))).collect(),
            ..game.clone()
        })
        .collect();
    let evaluated = files.put("evaluated.pgn", pgn(&all_evaluated));
    let rule = Rule { sampling: Sampling::Every { from: 3 }, min_moves: 0, fen_starts: true, ..Rule::default() };
    for (coded, text) in
        [(files.put("g.binpack", binpack(&games)), text), (files.put("g.viri", viri(&games)), evaluated)]
    {
        let (expected, account) = rows(&text, &rule);
        let (found, gathered) = rows(&coded, &rule);
        assert_eq!(gathered.tally, account.tally);
        assert_eq!(
            (&found.games, &found.skeletons, &found.plies),
            (&expected.games, &expected.skeletons, &expected.plies)
        );
        assert_eq!(
            (&found.outcomes, &found.evals, &found.events),
            (&expected.outcomes, &expected.evals, &expected.events)
        );
        assert!(found.cells == expected.cells && found.features == expected.features);
        assert!(found.evals.iter().flatten().count() > 5000);

        let count = |path: &Path| {
            let inputs = expand_inputs(&[path.to_owned()]).expect("the file");
            let counted = wdl::Collect::new(inputs).run().expect("a run");
            assert_eq!(counted.problems.lines("counted"), Vec::<String>::new());
            (counted.file.counts, counted.tally)
        };
        let ((expected, account), (found, tally)) = (count(&text), count(&coded));
        assert!(found == expected, "WDL counts of {}", coded.display());
        assert_eq!(
            (tally.games(), tally.counted, tally.positions),
            (account.games(), account.counted, account.positions)
        );
    }
}

#[test]
fn boards_count_for_the_side_to_move() {
    let games = games(150);
    let files = Files::new();
    let scheme = Scheme::Bg;
    let mut expected: BTreeMap<u32, Wdl> = BTreeMap::new();
    let (mut evals, mut plies) = (Vec::new(), 0);
    for game in &games {
        let mut position = game.start.clone();
        for &(played, eval) in &game.moves {
            let of = |color: Color| u64::from(position.board().by_piece(color.pawn()));
            let (white, black) = (of(Color::White), of(Color::Black));
            let (pawns, outcome) = match (position.turn(), game.outcome) {
                (Color::White, outcome) => (Pawns { white, black }, outcome),
                (Color::Black, outcome) => {
                    let turned = match outcome {
                        Outcome::WhiteWin => Outcome::BlackWin,
                        Outcome::Draw => Outcome::Draw,
                        Outcome::BlackWin => Outcome::WhiteWin,
                    };
                    (Pawns { white: black.swap_bytes(), black: white.swap_bytes() }, turned)
                }
            };
            expected.entry(scheme.index(pawns).0).or_default().count(outcome);
            evals.push(Some(i32::from(eval.unwrap_or(0))));
            plies += 1;
            position.play_unchecked(played);
        }
    }
    for name in ["boards.bullet", "boards.data"] {
        let path = files.put(name, bullet(&games));
        let found = collect(&path, &Rule::of_positions(), 2);
        let cells: BTreeMap<u32, Wdl> = found.file.counts.non_empty().map(|(cell, wdl)| (cell.0, wdl)).collect();
        assert_eq!(cells, expected);
        assert_eq!((found.file.tally().games(), found.file.tally().positions), (plies, plies));
        assert_eq!(
            found.file.rule.to_string(),
            "--sample positions --min-moves 0 --variant any --fen-starts --termination any"
        );
        let (rows, _) = rows(&path, &Rule::of_positions());
        assert_eq!((rows.len() as u64, &rows.evals), (plies, &evals));
        // A rule that needs games takes none, and the ledger says so.
        let none = collect(&path, &Rule::default(), 2).file.tally();
        assert_eq!((none.counted(), none.skipped(SkipReason::NotReached)), (0, plies));
    }
    let inputs = expand_inputs(&[files.0.path().join("boards.bullet")]).expect("the file");
    let counted = wdl::Collect::new(inputs).run().expect("a run");
    let lines = counted.problems.lines("counted");
    assert!(lines[0].contains("boards.bullet: positions without games"), "{lines:?}");
}

#[test]
fn chess960_is_a_variant_of_its_own() {
    let fen: Fen = "nrbbqknr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKNR w KQkq - 0 1".parse().expect("a FEN");
    let start: Chess = fen.into_position(CastlingMode::Chess960).expect("a position");
    let mut position = start.clone();
    let mut moves = Vec::new();
    for san in ["Nf3", "Nf6", "g4", "g5", "O-O", "O-O"] {
        let played = san.parse::<San>().expect("a move").to_move(&position).expect("a legal move");
        position.play_unchecked(played);
        moves.push((played, Some(7)));
    }
    let games = [Game { start, moves, outcome: Outcome::Draw }];
    let files = Files::new();
    let (text, coded) = (files.put("a.pgn", pgn(&games)), files.put("a.viri", viri(&games)));
    for variant in VariantChoice::ALL {
        let sampling = Sampling::Every { from: 1 };
        let rule = Rule { sampling, min_moves: 0, variant, fen_starts: true, ..Rule::default() };
        for replay in [false, true] {
            let rule = Rule { replay, ..rule.clone() };
            let (found, expected) = (collect(&coded, &rule, 1), collect(&text, &rule, 1));
            assert_eq!(found.file.tally(), expected.file.tally(), "{rule}");
            assert!(found.file.counts == expected.file.counts);
        }
    }
}

#[test]
fn the_sample_of_sfbinpack() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let done = Command::new(cargo).args(["metadata", "--format-version", "1", "--offline"]).current_dir(ROOT).output();
    let metadata = done.ok().filter(|done| done.status.success()).map(|done| done.stdout).unwrap_or_default();
    let metadata: serde_json::Value = serde_json::from_slice(&metadata).unwrap_or_default();
    let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
    let package = packages.iter().find(|package| package["name"] == "sfbinpack");
    let manifest = package.and_then(|package| package["manifest_path"].as_str()).map(PathBuf::from);
    let Some(sample) =
        manifest.map(|manifest| manifest.with_file_name("test/ep1.binpack")).filter(|path| path.exists())
    else {
        eprintln!("skipped: cargo does not say where the sample of sfbinpack is");
        return;
    };
    let rule = Rule { sampling: Sampling::Every { from: 1 }, min_moves: 0, fen_starts: true, ..Rule::default() };
    let (rows, gathered) = rows(&sample, &rule);
    assert_eq!((gathered.tally.games(), gathered.tally.positions), (1, 3));
    assert_eq!(rows.evals, [Some(-201), Some(-254), Some(-220)]);
    assert!(rows.outcomes.iter().all(|&outcome| outcome == Outcome::Draw));
}

/// As many entries as sfbinpack finds, read with its own loop.
#[test]
fn positions_are_as_many_as_sfbinpack_reads() {
    let games = games(200);
    let bytes = binpack(&games);
    let mut reader = CompressedTrainingDataEntryReader::from_slice(&bytes).expect("a binpack");
    let (mut positions, mut chains) = (0, 0);
    while reader.has_next() {
        reader.next();
        positions += 1;
        chains += u64::from(!reader.is_next_entry_continuation());
    }
    let files = Files::new();
    let rule = Rule { sampling: Sampling::Positions, min_moves: 0, fen_starts: true, ..Rule::default() };
    let tally = collect(&files.put("a.binpack", bytes), &rule, 2).file.tally();
    assert_eq!((tally.games(), tally.positions), (chains, positions));
}

#[test]
fn cut_files_say_where() {
    let games = games(3);
    let files = Files::new();
    let rule = Rule { sampling: Sampling::Every { from: 1 }, min_moves: 0, fen_starts: true, ..Rule::default() };
    for (ending, bytes, record) in [
        ("binpack", binpack(&games[..1]), usize::MAX),
        ("viri", viri(&games[..1]), usize::MAX),
        ("bullet", bullet(&games[..1]), 32),
    ] {
        let rule = if ending == "bullet" { &Rule::of_positions() } else { &rule };
        let whole = collect(&files.put(&format!("whole.{ending}"), &bytes), rule, 1).file.tally();
        for len in (1..bytes.len()).step_by(7) {
            let found = collect(&files.put(&format!("cut.{ending}"), &bytes[..len]), rule, 1);
            let lines = found.problems.lines("counted");
            let begin = len / record * record;
            if begin == len {
                assert!(lines.is_empty(), "{lines:?}");
                continue;
            }
            let place = format!(
                "the file is cut: the last {} record begins at byte {begin} ",
                match ending {
                    "viri" => "viriformat",
                    other => other,
                }
            );
            assert!(lines[0].contains(&place), "{ending} {len}: {lines:?}");
            assert!(found.file.tally().games() < whole.games());
        }
        let empty = collect(&files.put(&format!("empty.{ending}"), ""), rule, 1);
        assert!(empty.problems.lines("counted")[0].contains("the file is empty"));
    }
}

#[test]
fn no_byte_that_is_wrong_is_a_panic() {
    let games = games(2);
    let files = Files::new();
    let every = Rule { sampling: Sampling::Every { from: 1 }, min_moves: 0, fen_starts: true, ..Rule::default() };
    for (ending, bytes) in [("binpack", binpack(&games)), ("viri", viri(&games)), ("bullet", bullet(&games[..1]))] {
        let rule = if ending == "bullet" { &Rule::of_positions() } else { &every };
        let replayed = Rule { replay: true, ..rule.clone() };
        for place in 0..bytes.len().min(200) {
            for bit in [0x01, 0x10, 0x80, 0xff] {
                let mut wrong = bytes.clone();
                wrong[place] ^= bit;
                let path = files.put(&format!("wrong.{ending}"), wrong);
                let found = collect(&path, rule, 1);
                for line in found.problems.lines("counted") {
                    assert!(line.contains(" byte "), "{line}");
                }
                let again = collect(&path, &replayed, 1);
                assert_eq!(found.file.tally().games(), again.file.tally().games());
                if place % 40 == 0 {
                    let _ = rows(&path, rule);
                }
            }
        }
        // What is of another kind altogether.
        let foreign = collect(&files.put(&format!("foreign.{ending}"), pgn(&games)), rule, 1);
        assert!(foreign.problems.lines("counted")[0].contains("at byte 0"), "{:?}", foreign.problems.lines("counted"));
    }
}

#[test]
fn boards_that_can_be_no_position_are_skipped() {
    let board = |fen: &str| fen.parse::<ChessBoard>().expect("a board");
    let lines = [
        "8/8/8/8/8/8/8/8 w - - 0 1 | 0 | 0.5",
        "4k3/8/8/8/8/8/8/3KK3 w - - 0 1 | 0 | 0.5",
        "8/8/8/8/8/8/8/4K3 w - - 0 1 | 0 | 0.5",
        "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1 | 0 | 0.5",
        "4k3/8/8/8/8/8/8/P3K3 w - - 0 1 | 0 | 0.5",
        "p3k3/8/8/8/8/8/8/4K3 b - - 0 1 | 0 | 0.5",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1 | 0 | 0.5",
    ];
    let mut bytes = Vec::new();
    for line in lines {
        let board = board(line);
        bytes.extend_from_slice(&board.occ.to_le_bytes());
        bytes.extend_from_slice(&board.pcs);
        bytes.extend_from_slice(&[0, 0, board.result, board.ksq, board.opp_ksq, 0, 0, 0]);
    }
    let files = Files::new();
    let path = files.put("odd.bullet", &bytes);
    let tally = collect(&path, &Rule::of_positions(), 1).file.tally();
    assert_eq!((tally.counted(), tally.skipped(SkipReason::BadFen)), (1, 6));
    let (_, gathered) = rows(&path, &Rule::of_positions());
    assert_eq!((gathered.tally.counted(), gathered.tally.skipped(SkipReason::BadFen)), (1, 6));
    // A man of a kind that there is not, a result that there is not: no board at all.
    for (place, value) in [(2 * 32 + 26, 3), (32 + 8, 0xff)] {
        let mut wrong = bytes.clone();
        wrong[place] = value;
        let found = collect(&files.put("wrong.bullet", wrong), &Rule::of_positions(), 1);
        let at = format!("no bullet at byte {}", place / 32 * 32);
        assert!(found.problems.lines("counted")[0].contains(&at), "{:?}", found.problems.lines("counted"));
    }
}

#[test]
fn names_say_the_format() {
    let format = |name: &str| Input::File(name.into()).format().map(|format| format.name());
    for (name, expected) in [
        ("a.binpack", Some("binpack")),
        ("b/a.BINPACK.zst", Some("binpack")),
        ("a.data", Some("bullet")),
        ("a.bullet.gz", Some("bullet")),
        ("a.vf", Some("viriformat")),
        ("a.pgn.gz", None),
        ("binpack", None),
        ("data/a", None),
    ] {
        assert_eq!(format(name), expected, "{name}");
    }
}
