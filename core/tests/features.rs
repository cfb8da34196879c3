//! `features.tsv`, for ports to other languages: 200 positions with every feature and every score of `examples/example.heads`.
//!
//! After a wanted change `DRAWISH_UPDATE=1 cargo test -p drawish-core --test features` writes it anew from its first column.

use std::fmt::Write;
use std::path::Path;

use drawish_core::features::{self, COUNT, Family, Parity, View};
use drawish_core::{Board, Centipawns, Heads};

static HEADS: Heads<'static> = Heads::embed(include_bytes!("../examples/example.heads"));

/// The evaluation, and what the heads say of it.
const SCORES: [&str; 11] = [
    "draw_score",
    "win_score",
    "gain_exponent",
    "gain",
    "gain_mean",
    "eval",
    "gain_of_eval",
    "expected",
    "win",
    "draw",
    "loss",
];

fn row(number: usize, fen: &str) -> String {
    let board = Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mut values = [0; COUNT];
    features::fill(&View::new(&board), &mut values);
    // From -2,000 to 2,000 in no order, and evaluations that are mates.
    let eval = match number % 20 {
        0 => 10_000,
        1 => -32_000,
        2 => 0,
        _ => (number as i32 * 1_237) % 4_001 - 2_000,
    };
    let draw = HEADS.draw().expect("a draw head");
    let gain_head = HEADS.gain_head().expect("a gain head");
    let gain = HEADS.gain(&board).expect("a gain head");
    let wdl = HEADS.wdl(&board, Centipawns(eval)).expect("a WDL head");
    let scores = [
        draw.score(&values).0.into(),
        draw.win_score(&values).expect("a win/loss score").0.into(),
        gain_head.exponent(&values, board.pawns()),
        gain.gain.into(),
        gain.mean.into(),
        eval.into(),
        gain.apply(Centipawns(eval)).0.into(),
        HEADS.expected(&board, Centipawns(eval)).expect("a draw head").raw().into(),
        i64::from(wdl.win),
        wdl.draw.into(),
        wdl.loss.into(),
    ];
    let mut row = fen.to_owned();
    for number in values.iter().map(|&value| i64::from(value)).chain(scores) {
        let _ = write!(row, "\t{number}");
    }
    row
}

#[test]
fn the_shipped_positions_have_the_shipped_values() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("features.tsv");
    let found = std::fs::read_to_string(&path).expect("features.tsv");
    let names = features::all().iter().map(|feature| feature.name).chain(SCORES);
    let mut expected = std::iter::once("fen").chain(names).collect::<Vec<_>>().join("\t");
    expected.push('\n');
    let fens: Vec<_> = found.lines().skip(1).map(|line| line.split('\t').next().unwrap_or_default()).collect();
    assert_eq!(fens.len(), 200);
    for (number, fen) in fens.iter().enumerate() {
        expected.push_str(&row(number, fen));
        expected.push('\n');
    }
    if std::env::var_os("DRAWISH_UPDATE").is_some() {
        std::fs::write(path, &expected).expect("features.tsv is written");
    } else {
        assert!(found == expected, "features.tsv has other values than the code: see the top of this test");
    }
    // A port that leaves a feature out is found: each has several values.
    for column in 1..=COUNT {
        let values: std::collections::BTreeSet<_> =
            expected.lines().skip(1).map(|line| line.split('\t').nth(column)).collect();
        assert!(values.len() > 1, "{}", features::all()[column - 1].name);
    }
}

/// An engine that remembers families fills the others alone.
#[test]
fn each_family_is_filled_alone() {
    const UNTOUCHED: i16 = i16::MIN;
    let board = Board::from_fen("r1b1k2r/p1p3q1/1n6/3P4/4N3/2B4Q/PP6/R3K3 b q - 100 60").expect("a FEN");
    let view = View::new(&board);
    let mut all = [0; COUNT];
    features::fill(&view, &mut all);
    for family in Family::ALL {
        let mut values = [UNTOUCHED; COUNT];
        features::fill_family(family, &view, &mut values);
        let own = family.first()..family.first() + family.len();
        for (place, value) in values.into_iter().enumerate() {
            let expected = if own.contains(&place) { all[place] } else { UNTOUCHED };
            assert_eq!(value, expected, "{family:?}: {}", features::all()[place].name);
        }
    }
}

/// A rook and a queen do not make up for each other: no knight ending of opposite bishops.
#[test]
fn opposite_bishops_with_knights_are_without_heavy_pieces() {
    let place = features::place("opposite_bishops_knights").expect("a feature");
    let of = |fen: &str| {
        let mut values = [0; COUNT];
        features::fill(&View::new(&Board::from_fen(fen).expect("a FEN")), &mut values);
        values[place]
    };
    assert_eq!(of("2b1k1n1/8/8/8/8/8/8/2B1K1N1 w - - 0 1"), 1);
    assert_eq!(of("r1b1k1n1/8/8/8/8/8/8/2BQK1N1 w - - 0 1"), 0);
    assert_eq!(of("2b1k1n1/8/8/8/8/8/8/2BQK1N1 w - - 0 1"), 0);
}

/// Three rooks against nothing are no rook ending, one against two is.
#[test]
fn rook_endings_have_rooks_on_both_sides() {
    let place = features::place("rooks_ending").expect("a feature");
    let of = |fen: &str| {
        let mut values = [0; COUNT];
        features::fill(&View::new(&Board::from_fen(fen).expect("a FEN")), &mut values);
        values[place]
    };
    for fen in
        ["4k3/8/8/8/8/8/8/RRR1K3 w - - 0 1", "rrr1k3/8/8/8/8/8/8/4K3 w - - 0 1", "r3k3/8/8/8/8/8/8/R3K3 w - - 0 1"]
    {
        assert_eq!(of(fen), 0, "{fen}");
    }
    assert_eq!((of("r3k3/8/8/8/8/8/8/RR2K3 w - - 0 1"), of("rr2k3/8/8/8/8/8/8/R3K3 w - - 0 1")), (1, 1));
}

/// What a feature is said to do when the colours are exchanged, on all shipped positions.
#[test]
fn features_behave_as_their_parity_says() {
    let of = |board: &Board| {
        let mut values = [0; COUNT];
        features::fill(&View::new(board), &mut values);
        values
    };
    for line in include_str!("../features.tsv").lines().skip(1) {
        let board = Board::from_fen(line.split('\t').next().unwrap_or_default()).expect("a FEN");
        let (values, flipped) = (of(&board), of(&board.flip_colors()));
        for family in Family::ALL {
            for place in family.first()..family.first() + family.len() {
                let expected = match family.parity() {
                    Parity::Even => flipped[place],
                    Parity::Odd => -flipped[place],
                    // Men of either colour: the same kind of the other one, half the family away.
                    Parity::Count => flipped[(place + family.len() / 2) % family.len()],
                };
                assert_eq!(values[place], expected, "{} {board:?}", features::all()[place].name);
            }
        }
    }
}

/// The table of the features in the guide, where the guide is.
#[test]
fn the_guide_lists_the_features() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/heads.md");
    let Ok(guide) = std::fs::read_to_string(&path) else { return };
    let marker = "<!-- features,";
    let start = guide.find(marker).expect("a marker");
    let start = start + guide[start..].find('\n').expect("the end of its line") + 1;
    let mut expected = guide[..start].to_owned();
    expected.push_str("\n| feature | identifier | parity | meaning | example | value |\n|---|---|---|---|---|---|\n");
    for feature in features::all() {
        let mut values = [0; COUNT];
        features::fill(&View::new(&Board::from_fen(feature.example).expect("a FEN")), &mut values);
        let value = values[features::place(feature.name).expect("a feature")];
        let _ = writeln!(
            expected,
            "| `{}` | {:#06x} | {} | {} | `{}` | {value} |",
            feature.name,
            feature.id,
            format!("{:?}", feature.parity).to_lowercase(),
            feature.meaning,
            feature.example
        );
    }
    if std::env::var_os("DRAWISH_UPDATE").is_some() {
        std::fs::write(path, &expected).expect("the guide is written");
    } else {
        assert!(guide == expected, "docs/heads.md lists other features than the code: see the top of this test");
    }
}
