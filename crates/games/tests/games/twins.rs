//! The pawn tracker and the full replay see the same pawns.

use drawish_games::pgn::{VariantChoice, read_games};
use drawish_games::sample::{Batch, Dedupe, Filters, Rule, Sampler, Sampling, TerminationFilter};
use proptest::prelude::*;

use crate::random_games::random_game;

/// Every position of every game counts.
fn everything() -> Rule {
    Rule {
        sampling: Sampling::Every { from: 1 },
        min_moves: 0,
        variant: VariantChoice::Any,
        fen_starts: true,
        dedupe: Dedupe::No,
        replay: false,
        filters: Filters { termination: TerminationFilter::Any, ..Filters::default() },
    }
}

fn both(pgn: &str, rule: &Rule) -> (Batch, Batch) {
    let read = |rule: &Rule| read_games(pgn.as_bytes(), false, || Sampler::new(rule)).0.into_batch();
    (read(&Rule { replay: false, ..rule.clone() }), read(&Rule { replay: true, ..rule.clone() }))
}

#[track_caller]
fn assert_twins(pgn: &str, rule: &Rule) -> Batch {
    let (tracked, replayed) = both(pgn, rule);
    assert_eq!(tracked.positions, replayed.positions);
    assert_eq!(tracked.games, replayed.games);
    assert_eq!(tracked.tally, replayed.tally);
    tracked
}

const STARTS: [&str; 4] = [
    // Endings in which pawns race, with en passant at once.
    "8/pppppppp/8/k6K/8/8/PPPPPPPP/8 w - - 0 30",
    "4k3/8/8/3pP3/8/8/PPP5/4K3 w - d6 0 40",
    "4k3/ppp5/8/8/3pP3/8/8/4K3 b - e3 0 40",
    // Chess960.
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_random_games(seed: u64) {
        let (pgn, plies) = random_game(seed, None);
        let batch = assert_twins(&pgn, &everything());
        prop_assert_eq!(batch.positions.len(), plies);
        prop_assert_eq!(batch.positions[0], drawish_core::Pawns::START);
    }

    #[test]
    fn from_random_places(seed: u64, start in 0..STARTS.len()) {
        let (pgn, plies) = random_game(seed, Some(STARTS[start]));
        let batch = assert_twins(&pgn, &everything());
        prop_assert_eq!(batch.positions.len(), plies);
    }

    #[test]
    fn at_one_place_or_a_random_one(seed: u64, at in 1u32..80) {
        let (pgn, _) = random_game(seed, None);
        assert_twins(&pgn, &Rule { sampling: Sampling::At { at }, ..everything() });
        let batch = assert_twins(&pgn, &Rule { sampling: Sampling::OneRandomPly { from: at }, ..everything() });
        // The position drawn is one of those that `every` takes.
        let every = assert_twins(&pgn, &Rule { sampling: Sampling::Every { from: at }, ..everything() });
        prop_assert_eq!(batch.positions.len(), usize::from(!every.positions.is_empty()));
        prop_assert!(batch.positions.iter().all(|drawn| every.positions.contains(drawn)));
    }
}

/// What no pawn can do is found by both.
#[test]
fn impossible_pawn_moves() {
    for moves in [
        "1. e5",
        "1. e4 e4",
        "1. e4 d5 2. exd6",
        "1. exe3",
        "1. e4 e5 2. e5",
        "1. e4 d5 2. e4xd5 dxe5",
        "1. e8=Q",
        "1. a4 b5 2. axb5 bxa4",
        "1. e4 -- 2. e5",
        "1. Nxe2",
        "1. e2e5",
        // From a rank on which there is no pawn.
        "1. e3e4",
        "1. e4 d5 2. e3xd5",
        "1. e4 d5 2. Nd5",
        "1. e4 d5 2. ed5",
        // A double step over an enemy pawn, or not from the second rank.
        "1. e4 d5 2. e5 d4 3. Nc3 dxc3 4. c4",
        "1. e3 a6 2. e5",
        // A promotion that is none, and none where there must be one.
        "1. e4=Q",
        "1. h4 g5 2. hxg5 h6 3. gxh6 Nf6 4. h7 Ng8 5. hxg8",
    ] {
        let pgn = format!("[Event \"x\"]\n[Result \"1-0\"]\n\n{moves} 10. Ke2 1-0\n");
        let (tracked, replayed) = both(&pgn, &everything());
        for batch in [tracked, replayed] {
            assert_eq!(batch.tally.skipped(drawish_games::sample::SkipReason::IllegalMove), 1, "{moves}");
        }
    }
}

/// Moves that look odd and are legal.
#[test]
fn unusual_spellings() {
    for (moves, plies) in [
        ("1. e2e4 e7e5 2. g1f3", 2),
        ("1. e4 d5 2. e4xd5 c5 3. d5xc6 b7xc6 4. 0-0", 6),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. 0-0", 6),
        ("1. h4 g5 2. hxg5 h6 3. gxh6 Nf6 4. h7 Ng8 5. hxg8=N Rxh1 6. Nh6 Rxg1", 11),
    ] {
        let pgn = format!("[Event \"x\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n");
        let rule = Rule { sampling: Sampling::At { at: plies / 2 + 1 }, ..everything() };
        let batch = assert_twins(&pgn, &rule);
        assert_eq!(batch.games.len(), 1, "{moves}: {:?}", batch.tally);
    }
}
