//! Real games of ../shared/data: figures counted by other programs, and the same answer on every road.

use std::path::Path;

use drawish::counts::CountsFile;

use crate::run::{Place, assert_adds_up, shared, skipped};

/// W, D and L of games of at least 60 moves, whatever their Termination, as counted with python-chess when the
/// corpora were built (../shared/anchors/data.md); games with another result than these three are not among them.
#[test]
fn long_games_of_each_corpus() {
    for (file, games, results) in [
        ("human-train", 522_066, [20_283, 23_408, 18_433]),
        ("engine-rival2022-train", 35_061, [7_251, 8_853, 5_534]),
        ("engine-rustyrival2026-train", 1_277, [80, 224, 92]),
        ("lichess-sample", 438, [8, 8, 14]),
        ("twic1599-sample", 1_110, [75, 81, 54]),
    ] {
        let Some(path) = shared(&format!("data/{file}.pgn.zst")) else { continue };
        let summary = collect(&path, "--min-plies 120 --termination any");
        assert_eq!(summary["games"], games, "{file}");
        let found = ["white_wins", "draws", "black_wins"].map(|result| summary[result].as_u64().expect("a count"));
        assert_eq!(found, results, "{file}");
    }
}

/// The standard rule, by a second program of independent make (python-chess) on the same files.
#[test]
fn the_standard_rule_by_another_program() {
    for (file, games, counted, cells, results) in [
        ("data/twic1599-sample.pgn.zst", 1_110, 222, 178, [83, 84, 55]),
        ("data/lichess-sample.pgn.zst", 438, 22, 22, [6, 6, 10]),
        ("data/tcec-season12-superfinal.pgn.zst", 100, 51, 51, [14, 31, 6]),
        ("golden/wdl/tcec_fc.pgn.gz", 3_819, 2_084, 1_229, [672, 1_082, 330]),
        // Four games without moves, whose tags python-chess gives to the next game, are games here: 17,747 + 4.
        ("data/tcec-train.pgn.zst", 17_751, 9_671, 2_704, [3_437, 4_779, 1_455]),
    ] {
        let Some(path) = shared(file) else { continue };
        let summary = collect(&path, "");
        let found =
            [&summary["games"], &summary["counted"], &summary["cells"]].map(|value| value.as_u64().expect("a count"));
        assert_eq!(found, [games, counted, cells], "{file}");
        let found = ["white_wins", "draws", "black_wins"].map(|result| summary[result].as_u64().expect("a count"));
        assert_eq!(found, results, "{file}");
    }
}

#[test]
fn chess960_and_odd_starts() {
    let Some(path) = shared("data/tcec-frc.pgn.zst") else { return };
    let place = Place::new();
    let mut command = place.command(["collect", "-o", "x.counts", "--json"]);
    let refused = crate::run::Done(command.arg(&path).output().expect("the program runs"));
    let standard = refused.fails(1, &["nothing was counted", "--variant any"]).json();
    assert_eq!(skipped(&standard), [("variant".to_owned(), 5_228), ("start-position".to_owned(), 122)]);
    let any = collect(&path, "--variant any --termination any");
    assert_eq!(any["games"], 5_350);
    for reason in ["variant", "start-position", "bad-fen", "illegal-move"] {
        assert_eq!(any["skipped"][reason], 0, "{reason}");
    }
}

/// Threads and the way to learn where the pawns stand change nothing on any file of the directory.
#[test]
fn everything_by_one_thread_or_two_tracked_or_replayed() {
    let Some(data) = shared("data") else { return };
    let place = Place::new();
    let roads = ["-j 1", "-j 2", "-j 1 --replay", "-j 2 --replay"];
    let counts: Vec<_> = roads
        .iter()
        .map(|road| {
            let mut command = place.command(["collect", "-o", "x.counts", "-q"]);
            command.args(road.split(' ')).arg(&data);
            // One of the nasty files holds a game that the one before it had swallowed.
            crate::run::Done(command.output().expect("the program runs"))
                .fails(1, &["leading-whitespace", "swallowed"]);
            place.read("x.counts")
        })
        .collect();
    assert!(counts[0] == counts[1] && counts[2] == counts[3], "one thread or two");
    let [tracked, replayed] =
        [&counts[0], &counts[2]].map(|bytes| CountsFile::from_bytes(bytes).expect("what was written"));
    assert_eq!(tracked.shards, replayed.shards);
    assert_eq!(tracked.counts, replayed.counts);
}

/// All positions of all games of a corpus, by the tracker and by the replay.
#[test]
fn every_position_of_the_engine_games() {
    for file in ["tcec-train", "tcec-frc", "engine-rustyrival2026-train", "lichess-sample", "twic1599-sample"] {
        let Some(path) = shared(&format!("data/{file}.pgn.zst")) else { continue };
        let options = "--sample every --from 1 --min-moves 0 --scheme ah --variant any --termination any";
        let tracked = collect(&path, options);
        let mut replayed = collect(&path, &format!("{options} --replay"));
        // What differs is the rule, and so the digest of rule and results.
        for name in ["rule", "content_xxh3_128"] {
            assert_ne!(tracked[name], replayed[name], "{name}");
            replayed[name] = tracked[name].clone();
        }
        assert_eq!(tracked, replayed, "{file}");
        assert_eq!(tracked["skipped"]["illegal-move"], 0, "{file}");
    }
}

fn collect(path: &Path, options: &str) -> serde_json::Value {
    let place = Place::new();
    let mut command = place.command(["collect", "-o", "x.counts", "--json"]);
    command.arg(path).args(options.split_whitespace());
    let summary = crate::run::Done(command.output().expect("the program runs")).ok().json();
    assert_adds_up(&summary);
    summary
}
