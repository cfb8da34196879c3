//! Training data of every format against the same games as PGN, written by the crates of the formats' authors; and what is
//! made of files that are cut, damaged or of another kind.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;

use bulletformat::ChessBoard;
use drawish_core::{Outcome, Pawns, Scheme, Wdl};
use drawish_games::collect::{Collect, Collected};
use drawish_games::pgn::{Input, VariantChoice, expand_inputs};
use drawish_games::rows::{Gather, Gathered, MemoryRows, Rows};
use drawish_games::sample::{Dedupe, Rule, Sampling, SkipReason};
use drawish_games::wdl;
use sfbinpack::CompressedTrainingDataEntryReader;
use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{CastlingMode, Chess, Color, Position};
use tempfile::TempDir;

use crate::writers::{Game, binpack, bullet, games, pgn, viri};

/// Bytes before the chains of a binpack's block.
const HEADER_LEN: usize = 8;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

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
        Rule { sampling: Sampling::Positions, min_moves: 0, dedupe: Dedupe::Games, ..from_fens.clone() },
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
            // They are known again in either format.
            assert_eq!(found.file.games, expected.file.games, "{rule} {}", path.display());
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

/// What a cluster relies on: files cut between two records give together the counts, positions and ledger of the whole file,
/// wherever they are cut.
#[test]
fn parts_make_the_whole() {
    let games = games(140);
    let every = Rule { sampling: Sampling::Every { from: 3 }, min_moves: 40, fen_starts: true, ..Rule::default() };
    let random = Rule { sampling: Sampling::OneRandomPly { from: 5 }, ..every.clone() };
    // Blocks of some sizes, one of a single game; boards by one; games by one.
    let blocks = |sizes: &[usize]| {
        let mut rest = &games[..];
        let parts = sizes.iter().map(|&size| binpack(rest.split_off(..size).expect("games"))).collect::<Vec<_>>();
        assert!(rest.is_empty());
        parts
    };
    let single = |write: fn(&[Game]) -> Vec<u8>| games.iter().map(|game| write(std::slice::from_ref(game))).collect();
    type Records = Vec<Vec<u8>>;
    let kinds: [(&str, Records, Vec<Rule>); 3] = [
        ("binpack", blocks(&[1, 40, 2, 30, 60, 7]), vec![every.clone(), random.clone()]),
        ("viri", single(viri), vec![every, random]),
        ("data", bullet(&games).chunks(32).map(<[u8]>::to_vec).collect(), vec![Rule::of_positions()]),
    ];
    let files = Files::new();
    for (ending, records, rules) in kinds {
        let bytes = records.concat();
        let whole = files.put(&format!("whole.{ending}"), &bytes);
        for rule in rules {
            let expected = collect(&whole, &rule, 2).file;
            assert!(expected.tally().positions > 50, "{ending} {rule}");
            let (all_rows, _) = rows(&whole, &rule);
            for parts in [1, 2, 3, 7] {
                let mut sum = Vec::new();
                let mut row_count = 0;
                // A record belongs to the part in which it begins; some parts may be without any.
                let (mut from, mut to, mut at) = (0, 0, 0);
                for part in 1..=parts {
                    while at < records.len() && to < bytes.len() * part / parts {
                        to += records[at].len();
                        at += 1;
                    }
                    let path = files.put(&format!("part-{part}.{ending}"), &bytes[from..to]);
                    if from < to {
                        sum.push(collect(&path, &rule, 1).file);
                        row_count += rows(&path, &rule).0.len();
                    }
                    from = to;
                }
                assert_eq!(from, bytes.len());
                let mut found = sum.remove(0);
                sum.into_iter().for_each(|part| found.merge(part).expect("parts of one file"));
                assert_eq!(found.tally(), expected.tally(), "{ending} {rule} in {parts}");
                assert!(found.counts == expected.counts, "{ending} {rule} in {parts}");
                assert_eq!(row_count, all_rows.len());
            }
        }
    }
}

/// Memory does not grow with blocks: one of any length gives its rows in portions, the same ones as short blocks give, and says at
/// which byte it is damaged.
#[test]
fn a_long_block_comes_in_portions() {
    let games = games(60);
    let chains: Vec<Vec<u8>> =
        games.iter().map(|game| binpack(std::slice::from_ref(game)).split_off(HEADER_LEN)).collect();
    let block = |chains: &[&[u8]]| {
        let body = chains.concat();
        [b"BINP", &u32::try_from(body.len()).expect("a length").to_le_bytes()[..], &body].concat()
    };
    let chains: Vec<&[u8]> = chains.iter().map(Vec::as_slice).cycle().take(4_000).collect();
    let files = Files::new();
    let short = files.put("short.binpack", chains.chunks(50).flat_map(block).collect::<Vec<_>>());
    // The long one begins in the middle of a chunk, behind one that holds nothing.
    let mut bytes = [block(&chains[..30]), block(&[]), block(&chains[30..])].concat();
    let long = files.put("long.binpack", &bytes);
    let rule = Rule { sampling: Sampling::Positions, min_moves: 0, fen_starts: true, ..Rule::default() };
    let (expected, of_short) = rows(&short, &rule);
    let mut largest = 0;
    let inputs = expand_inputs(std::slice::from_ref(&long)).expect("the file");
    let keep = |some: Rows| {
        largest = largest.max(some.len());
        Ok::<_, std::convert::Infallible>(())
    };
    let Ok(of_long) = Gather::new(inputs).rule(rule.clone()).run(keep);
    assert!(expected.len() > 4 * largest, "{} rows, {largest} at once", expected.len());
    assert_eq!(of_long.tally, of_short.tally);
    assert!(rows(&long, &rule).0 == expected);
    // A stem of which all squares are occupied, among the last.
    let damaged = 3_900;
    let from = bytes.len() - chains[damaged..].concat().len();
    bytes[from..from + 8].fill(0xff);
    let (before, gathered) = rows(&files.put("damaged.binpack", &bytes), &rule);
    assert!(before.len() > 3 * largest && before.games == expected.games[..before.len()]);
    assert_eq!(gathered.tally.games(), damaged as u64);
    let lines = gathered.problems.lines("counted").join("\n");
    assert!(lines.contains(&format!("no binpack at byte {from}:")), "{lines}");
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

/// Generators that place men at random begin from checks that no move brings about: such a chain is one game that is left out.
#[test]
fn a_chain_from_an_impossible_check_is_passed_over() {
    // The king goes from e4 to d4, and the other one moves.
    let chain = |men: &[(u32, u8)]| {
        let mut men = men.to_vec();
        men.sort_unstable();
        let occupied = men.iter().fold(0_u64, |all, (square, _)| all | 1 << square);
        let mut codes = [0_u8; 16];
        men.iter().enumerate().for_each(|(place, (_, code))| codes[place / 2] |= code << (4 * (place % 2)));
        let rest = [28_u16 << 8 | 27 << 2, 20, 2 << 14 | 20, 0, 1, 0].map(u16::to_be_bytes).concat();
        [occupied.to_be_bytes().to_vec(), codes.to_vec(), rest].concat()
    };
    let (white, black, rook) = (10, 11, 7);
    let sound = chain(&[(28, white), (63, black), (4, rook), (8, 0), (49, 1)]);
    let odd = chain(&[(28, white), (63, black), (4, rook), (60, rook), (8, 0), (49, 1)]);
    let block = [sound.clone(), odd, sound.clone(), sound].concat();
    let len = u32::try_from(block.len()).expect("small").to_le_bytes();
    let files = Files::new();
    let path = files.put("odd.binpack", [&b"BINP"[..], &len, &block].concat());
    let rule = Rule { sampling: Sampling::Every { from: 1 }, min_moves: 0, fen_starts: true, ..Rule::default() };
    for rule in [rule.clone(), Rule { replay: true, ..rule }] {
        let found = collect(&path, &rule, 1);
        assert!(found.problems.lines("counted").is_empty(), "{:?}", found.problems.lines("counted"));
        let tally = found.file.tally();
        assert_eq!((tally.counted(), tally.skipped(SkipReason::BadFen)), (3, 1));
        let (_, gathered) = rows(&path, &rule);
        assert_eq!((gathered.tally.counted(), gathered.tally.skipped(SkipReason::BadFen)), (3, 1));
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
