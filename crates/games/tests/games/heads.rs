//! The features and heads of `drawish-core` on positions of games: against their naive twin, and against the C header, which is
//! compiled here as C and as C++.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use drawish_core::features::{COUNT, View, fill};
use drawish_core::{Board, Centipawns, Color, DrawTable, Heads, Scheme};
use drawish_games::fit::export::HeadsFormat;
use drawish_heads::features::view;
use drawish_heads::heads::{BinaryHeads, CellShifts, HeadsFile, SumKind, Weighted};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

use crate::naive;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Hands every position of every game to someone, until they have enough.
struct Positions<F>(F);

impl<F: FnMut(&Chess) -> ControlFlow<()>> Visitor for Positions<F> {
    type Tags = Option<Chess>;
    type Movetext = Chess;
    type Output = bool;

    fn begin_tags(&mut self) -> ControlFlow<bool, Option<Chess>> {
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, start: &mut Option<Chess>, name: &[u8], value: RawTag<'_>) -> ControlFlow<bool> {
        if name == b"FEN" {
            let Ok(fen) = Fen::from_ascii(value.as_bytes()) else { return ControlFlow::Break(true) };
            let Ok(position) = fen.into_position(CastlingMode::Chess960) else { return ControlFlow::Break(true) };
            *start = Some(position);
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Option<Chess>) -> ControlFlow<bool, Chess> {
        ControlFlow::Continue(start.unwrap_or_default())
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<bool> {
        let Ok(next) = san.san.to_move(position) else { return ControlFlow::Break(true) };
        position.play_unchecked(next);
        match (self.0)(position) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(false),
        }
    }

    fn begin_variation(&mut self, _: &mut Chess) -> ControlFlow<bool, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, _: Chess) -> bool {
        true
    }
}

/// The first positions of the games in a packed file.
fn positions(path: &Path, most: usize, mut each: impl FnMut(&Chess)) -> usize {
    let mut seen = 0;
    let mut reader = Reader::new(zstd::Decoder::new(File::open(path).expect("games")).expect("packed games"));
    let mut visitor = Positions(|position: &Chess| {
        each(position);
        seen += 1;
        if seen < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    while let Some(true) = reader.read_game(&mut visitor).expect("games") {}
    seen
}

fn sample() -> PathBuf {
    Path::new(ROOT).join("src/cli/demo/sample.pgn.zst")
}

/// Real games beside the project, which only its builders have.
fn real_games() -> Option<Vec<PathBuf>> {
    let names = ["tcec-train.pgn.zst", "human-train.pgn.zst", "engine-rival2022-train.pgn.zst"];
    let all = names.map(|name| Path::new(ROOT).join("../shared/data").join(name)).to_vec();
    let there = all.iter().all(|path| path.exists());
    if !there {
        eprintln!("skipped: ../shared/data is absent");
    }
    there.then_some(all)
}

fn agrees_with_the_twin(position: &Chess) {
    let mut values = [0; COUNT];
    fill(&view(position), &mut values);
    assert_eq!(
        values.to_vec(),
        naive::values(position),
        "{}",
        Fen::from_position(position, shakmaty::EnPassantMode::Legal)
    );
}

#[test]
fn features_of_the_sample_are_those_of_the_naive_twin() {
    assert_eq!(positions(&sample(), 20_000, agrees_with_the_twin), 20_000);
}

#[test]
fn features_of_real_games_are_those_of_the_naive_twin() {
    for games in real_games().into_iter().flatten() {
        assert_eq!(positions(&games, 30_000, agrees_with_the_twin), 30_000);
    }
}

/// Numbers without a pattern.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: i32) -> i32 {
        (self.next() >> 33) as i32 % limit
    }

    fn weight(&mut self, scale: f64) -> f64 {
        f64::from(self.below(20_001) - 10_000) / 10_000.0 * scale
    }
}

/// The pooled heads with what structures of a scheme add, and a WDL head of random weights over everything that a sum can have.
fn heads(scheme: Scheme) -> Vec<u8> {
    let text = std::fs::read_to_string(Path::new(ROOT).join("tables/pooled.heads.toml")).expect("the shipped heads");
    let mut file = HeadsFile::from_toml(&text).expect("heads");
    let mut random = Random(88_172_645_463_325_252);
    let shifts: Vec<f64> = (0..scheme.cells()).map(|_| random.weight(2.0)).collect();
    file.gain.residual = Some(CellShifts::new(scheme, 0.1, &shifts));
    let mut blocks = file.blocks().expect("blocks");
    let mut weighted = |term: &str, count: usize, scale: f64| Weighted {
        term: term.to_owned(),
        weights: (0..count).map(|_| random.weight(scale)).collect(),
        errors: Vec::new(),
    };
    let even = |weighted: &mut dyn FnMut(&str, usize, f64) -> Weighted| {
        let mut terms: Vec<_> = drawish_core::features::all()
            .iter()
            .filter(|feature| feature.parity == drawish_core::features::Parity::Even)
            .map(|feature| weighted(feature.name, 1, 0.02))
            .collect();
        terms.extend([
            weighted("rams @ 1,2,4", 4, 0.5),
            weighted("strong_pawns @ 1,2,3,4 * npm_diff @ 1,3,5", 20, 0.5),
            weighted("pawns @ 4,8 * phase @ 6,14", 9, 0.5),
        ]);
        terms
    };
    let (threshold, slope) = (even(&mut weighted), even(&mut weighted));
    let odd: Vec<_> = drawish_core::features::all()
        .iter()
        .filter(|feature| feature.parity == drawish_core::features::Parity::Odd)
        .map(|feature| weighted(feature.name, 1, 0.002))
        .collect();
    blocks.sum(SumKind::Threshold, 14, 0.4, &threshold, [0; 2]).expect("a threshold");
    blocks.sum(SumKind::Slope, 13, -0.2, &slope, [0; 2]).expect("a slope");
    blocks.sum(SumKind::Shift, 15, 0.0, &odd, [0; 2]).expect("a shift");
    let knots: Vec<i16> = vec![-2000, -900, -400, -150, -50, 0, 50, 150, 400, 900, 2000];
    blocks.line(&knots, &[-8.0, -7.5, -4.0, -1.6, -0.6, -0.01, 0.5, 1.5, 3.9, 7.0, 7.9]);
    blocks.finish(7, b"a test").expect("heads")
}

fn small_heads() -> Vec<u8> {
    let mut blocks = BinaryHeads::new();
    let terms = [Weighted { term: "npm".to_owned(), weights: vec![0.01], errors: Vec::new() }];
    blocks.sum(SumKind::Draw, 12, 0.5, &terms, [300, 0]).expect("a draw head");
    blocks.finish(1, b"").expect("heads")
}

fn table() -> Vec<u8> {
    std::fs::read(Path::new(ROOT).join("tables/human.table")).expect("the shipped table")
}

/// What the C program writes for a position, from the Rust side.
fn record(board: &Board, eval: i32, heads: &[Heads<'_>], table: &DrawTable<'_>) -> Vec<i32> {
    let mut values = [0; COUNT];
    fill(&View::new(board), &mut values);
    let mut out: Vec<i32> = values.iter().map(|&value| value.into()).collect();
    let eval = Centipawns(eval);
    for heads in heads {
        let gain = heads.gain(board);
        let wdl = heads.wdl(board, eval);
        out.extend([
            heads.draw_score(board).map_or(0, |score| score.0.into()),
            heads.draw().and_then(|head| head.win_score(&values)).map_or(0, |score| score.0),
            heads.expected(board, eval).map_or(i32::MIN, |expected| expected.raw() as i32),
            gain.map_or(1024, |gain| gain.gain.into()),
            gain.map_or(1024, |gain| gain.mean.into()),
            gain.map_or(eval, |gain| gain.apply(eval)).0,
        ]);
        out.extend(wdl.map_or([0, 1000, 0], |wdl| [wdl.win, wdl.draw, wdl.loss].map(i32::from)));
    }
    let cell = table.cell(board.pawns());
    out.extend([cell.probability.0.into(), cell.draw_score.0.into(), i32::from(cell.scale.0)]);
    out.extend(Scheme::ALL.iter().map(|scheme| scheme.index(board.pawns()).0 as i32));
    out
}

/// The compilers that are there, each with what it calls itself.
fn compilers() -> Vec<(&'static str, &'static [&'static str])> {
    let all: [(&str, &[&str]); 4] = [
        ("cc", &["-std=c99"]),
        ("c++", &["-std=c++11", "-x", "c++"]),
        ("clang", &["-std=c99"]),
        ("clang++", &["-std=c++11", "-x", "c++"]),
    ];
    let there = |name: &str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    all.into_iter().filter(|(name, _)| there(name)).collect()
}

/// Compiles `parity.c`; none if the compiler lacks an option.
fn compile(place: &Path, name: &str, language: &[&str], options: &[&str]) -> PathBuf {
    let program = place.join(format!("parity-{}", name.replace('+', "p")));
    let compiled = Command::new(name)
        .args(language)
        .args(["-O2", "-Wall", "-Wextra", "-Wpedantic", "-pedantic-errors", "-Wconversion", "-Werror"])
        .args(options)
        .arg("-I")
        .arg(Path::new(ROOT).join("core/include"))
        .arg("-o")
        .arg(&program)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/games/parity.c"))
        .output()
        .expect("a compiler");
    assert!(compiled.status.success(), "{name}: {}", String::from_utf8_lossy(&compiled.stderr));
    program
}

/// Compares what Rust and a C program say of boards, by heads with structures of a scheme.
fn compare(program: &Path, place: &Path, boards: &[Board], scheme: Scheme) {
    let (heads, small, table) = (heads(scheme), small_heads(), table());
    let files = [("some.heads", &heads), ("small.heads", &small), ("human.table", &table)];
    for (name, bytes) in files {
        std::fs::write(place.join(name), bytes).expect("a file");
    }
    let mut random = Random(4_101_842_887_655_102_017);
    let mut eval = move || match random.below(50) {
        0 => [i32::MIN, -10_000, -9_999, 9_999, 10_000, i32::MAX, 32_000, -29_990][random.below(8) as usize],
        1 => 0,
        _ => random.below(4_001) - 2_000,
    };
    let evals: Vec<i32> = boards.iter().map(|_| eval()).collect();
    {
        let mut out = BufWriter::new(File::create(place.join("boards")).expect("a file"));
        for (board, eval) in boards.iter().zip(&evals) {
            for bits in board.roles().iter().chain(&board.colors()) {
                out.write_all(&bits.to_le_bytes()).expect("room");
            }
            let black = u8::from(board.turn() == Color::Black);
            out.write_all(&[black, board.halfmoves()]).expect("room");
            out.write_all(&eval.to_le_bytes()).expect("room");
        }
    }
    let mut child = Command::new(program).current_dir(place).stdout(Stdio::piped()).spawn().expect("it runs");
    let mut said = BufReader::with_capacity(1 << 20, child.stdout.take().expect("its output"));
    let opened = [Heads::from_bytes(&heads).expect("heads"), Heads::from_bytes(&small).expect("heads")];
    let table = DrawTable::from_bytes(&table).expect("a table");
    let mut bytes = Vec::new();
    for (number, (board, eval)) in boards.iter().zip(&evals).enumerate() {
        let expected = record(board, *eval, &opened, &table);
        bytes.resize(4 * expected.len(), 0);
        said.read_exact(&mut bytes).expect("an answer for each position");
        let found: Vec<i32> =
            bytes.chunks_exact(4).map(|four| i32::from_le_bytes(four.try_into().expect("four bytes"))).collect();
        assert_eq!(found, expected, "position {number}: {board:?}, evaluation {eval}");
    }
    assert!(said.read_to_end(&mut bytes).is_ok_and(|more| more == 0), "no more answers than positions");
    assert!(child.wait().expect("it ends").success());
}

fn place(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&place).expect("a directory");
    place
}

fn boards(games: &[PathBuf], each: usize) -> Vec<Board> {
    let mut boards = Vec::new();
    for games in games {
        positions(games, each, |position| boards.push(*view(position).board()));
    }
    boards
}

/// Boards of games, and boards that no game has, each compiler with all its warnings and checks of undefined behaviour.
#[test]
fn the_header_says_what_rust_says_of_the_sample_and_of_any_board() {
    let mut all = boards(&[sample()], 5_000);
    let mut random = Random(1_181_783_497_276_652_981);
    for _ in 0..3_000 {
        let thin = |random: &mut Random| random.next() & random.next() & random.next();
        let roles = [0; 6].map(|_| thin(&mut random));
        let (white, black) = (random.next(), random.next());
        let turn = if random.below(2) == 0 { Color::White } else { Color::Black };
        all.push(Board::from_roles(roles, white, black, turn, random.below(200) as u32));
    }
    all.push(Board::from_roles([u64::MAX; 6], u64::MAX, u64::MAX, Color::Black, u32::MAX));
    all.push(Board::from_roles([0; 6], 0, 0, Color::White, 0));
    let compilers = compilers();
    if compilers.is_empty() {
        eprintln!("skipped: there is no C compiler called cc, c++, clang or clang++");
    }
    for (name, language) in compilers {
        let place = place(&format!("header-{name}"));
        let sane = has_sanitizers(name, &place);
        let options: &[&str] = if sane { &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"] } else { &[] };
        let program = compile(&place, name, language, options);
        for &scheme in Scheme::ALL {
            compare(&program, &place, &all, scheme);
        }
    }
}

/// Whether a compiler can build programs that check themselves.
fn has_sanitizers(name: &str, place: &Path) -> bool {
    let source = place.join("empty.c");
    std::fs::write(&source, "int main(void) { return 0; }\n").expect("a file");
    let built =
        Command::new(name).arg("-fsanitize=address,undefined").arg(source).arg("-o").arg(place.join("empty")).output();
    built.is_ok_and(|output| output.status.success())
}

/// Headers of several heads, each of them complete, in one file and in two files of a program, in C and in C++.
#[test]
fn headers_of_several_heads_go_together() {
    const MAIN: &str = "#define DRAWISH_IMPLEMENTATION\n#include \"human.h\"\n#include \"tcec.h\"\n#include \"human.h\"\n\
        #include <stdio.h>\nint32_t other(const drawish_board *board);\nint main(void)\n{\n    drawish_board board;\n    \
        drawish_heads human;\n    if (drawish_board_from_fen(&board, \"5b2/5k2/8/3p4/3P4/8/4KP2/5B2 w - - 0 1\") != DRAWISH_OK\n        \
        || drawish_heads_open(&human, drawish_data_human, DRAWISH_DATA_HUMAN_LENGTH) != DRAWISH_OK)\n        return 1;\n    \
        printf(\"%d %d\\n\", (int)drawish_heads_draw_score(&human, &board), (int)other(&board));\n    return 0;\n}\n";
    const OTHER: &str = "#include \"tcec.h\"\n#include \"human.h\"\nint32_t other(const drawish_board *board);\n\
        int32_t other(const drawish_board *board)\n{\n    drawish_heads tcec;\n    \
        return drawish_heads_open(&tcec, drawish_data_tcec, DRAWISH_DATA_TCEC_LENGTH) == DRAWISH_OK\n        \
        ? drawish_heads_draw_score(&tcec, board) : -1;\n}\n";
    let board = Board::from_fen("5b2/5k2/8/3p4/3P4/8/4KP2/5B2 w - - 0 1").expect("a FEN");
    let shipped = |name: &str| {
        let text = std::fs::read_to_string(Path::new(ROOT).join(format!("tables/{name}.heads.toml"))).expect("heads");
        HeadsFile::from_toml(&text).expect("heads")
    };
    let score = |name: &str| {
        let bytes = shipped(name).to_binary().expect("a file");
        Heads::from_bytes(&bytes).expect("heads").draw_score(&board).expect("a draw head").0
    };
    let expected = format!("{} {}\n", score("human"), score("tcec"));
    for (name, language) in compilers() {
        let place = place(&format!("headers-{name}"));
        for heads in ["human", "tcec"] {
            let header = HeadsFormat::C.bytes(&shipped(heads), heads).expect("a header");
            std::fs::write(place.join(format!("{heads}.h")), header).expect("a file");
        }
        std::fs::write(place.join("main.c"), MAIN).expect("a file");
        std::fs::write(place.join("other.c"), OTHER).expect("a file");
        let compiled = Command::new(name)
            .current_dir(&place)
            .args(language)
            .args(["-Wall", "-Wextra", "-Wpedantic", "-pedantic-errors", "-Wconversion", "-Werror"])
            .args(["main.c", "other.c", "-o", "main"])
            .output()
            .expect("a compiler");
        assert!(compiled.status.success(), "{name}: {}", String::from_utf8_lossy(&compiled.stderr));
        let said = Command::new(place.join("main")).output().expect("it runs").stdout;
        assert_eq!(String::from_utf8_lossy(&said), expected, "{name}");
    }
}

/// The examples in C and C++ print what the library says.
#[test]
fn the_examples_print_what_rust_says() {
    let heads = std::fs::read(Path::new(ROOT).join("core/examples/example.heads")).expect("heads");
    let opened = Heads::from_bytes(&heads).expect("heads");
    for (name, language) in compilers() {
        let place = place(&format!("example-{name}"));
        let source = if language.contains(&"c++") { "wdl.cpp" } else { "wdl.c" };
        let folder = Path::new(ROOT).join("core/examples");
        let compiled = Command::new(name)
            .args(language)
            .args(["-O2", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-I"])
            .arg(folder.join("../include"))
            .arg(folder.join(source))
            .arg("-o")
            .arg(place.join("wdl"))
            .output()
            .expect("a compiler");
        assert!(compiled.status.success(), "{name}: {}", String::from_utf8_lossy(&compiled.stderr));
        let run = |heads: &Path, fen: &str, eval: &str| {
            Command::new(place.join("wdl")).arg(heads).args([fen, eval]).output().expect("it runs")
        };
        let good = folder.join("example.heads");
        for (fen, eval) in [("8/5k2/5b2/3p4/3P4/4B3/4KP2/8 w - - 0 1", 120), ("8/8/1k6/8/8/5K2/p7/8 b - - 3 60", -45)] {
            let board = Board::from_fen(fen).expect("a FEN");
            let wdl = opened.wdl(&board, Centipawns(eval)).expect("a WDL head");
            let expected = format!(
                "wdl {} {} {}\ndrawscore {}\nexpected {:.4}\n",
                wdl.win,
                wdl.draw,
                wdl.loss,
                opened.draw_score(&board).expect("a draw head").0,
                opened.expected(&board, Centipawns(eval)).expect("a draw head").to_f64()
            );
            assert_eq!(String::from_utf8_lossy(&run(&good, fen, &eval.to_string()).stdout), expected, "{name}");
        }
        let complaint = |heads: &Path, fen: &str| {
            let output = run(heads, fen, "7");
            assert_eq!(output.status.code(), Some(1));
            String::from_utf8_lossy(&output.stderr).into_owned()
        };
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        for (fen, said) in
            [("8/8/8/8/8/8/8/4K3 w", "one king"), ("P3k3/8/8/8/8/8/8/4K3 w", "last rank"), ("x", "not a FEN")]
        {
            assert!(complaint(&good, fen).contains(said), "{name}: {fen}");
        }
        let damaged = place.join("damaged.heads");
        for (at, byte, said) in
            [(0, 7, "not such a file"), (8, 2, "another version"), (300, 0x55, "checksum"), (84, 11, "later version")]
        {
            let mut bytes = heads.clone();
            bytes[at] = byte;
            std::fs::write(&damaged, bytes).expect("a file");
            assert!(complaint(&damaged, fen).contains(said), "{name}: {at}");
        }
        std::fs::write(&damaged, &heads[..1000]).expect("a file");
        assert!(complaint(&damaged, fen).contains("cut"), "{name}");
    }
}

/// A million positions of real games.
#[test]
fn the_header_says_what_rust_says_of_a_million_positions() {
    let (Some(games), Some((name, language))) = (real_games(), compilers().into_iter().next()) else { return };
    let all = boards(&games, 333_334);
    assert!(all.len() >= 1_000_000, "{}", all.len());
    let place = place("header-million");
    compare(&compile(&place, name, language, &[]), &place, &all, Scheme::BgBlocked);
}
