//! The nasty files of ../shared/data/hard-pgn, each with its outcome.

use crate::run::{Place, assert_adds_up, noticed, shared, skipped};

/// File, games read, games counted when everything with a result counts from its first position on, and the rest:
/// reasons and notices.
const OUTCOMES: [(&str, u64, u64, &str); 40] = [
    ("chess-library__black2move.pgn", 1, 0, "no-result 1"),
    ("chess-library__corrupted.pgn", 1, 1, "ply-count-differs 1"),
    ("chess-library__empty_body.pgn", 2, 0, "no-result 1, not-reached 1"),
    ("chess-library__no_moves_but_comment_followed_by_termination_marker.pgn", 2, 0, "no-result 2"),
    ("chess-library__no_moves_two_games.pgn", 2, 0, "no-result 2"),
    ("chess-library__non_ascii.pgn", 1, 1, ""),
    ("chess-library__square_bracket_in_header.pgn", 1, 0, "no-result 1"),
    ("chess-library__unescaped_quote_header.pgn", 1, 0, "no-result 1, broken-tags 4"),
    ("chess-library__variations.pgn", 1, 1, ""),
    ("chess.js____tests___pgn_0.pgn", 1, 0, "no-result 1"),
    ("chess__0008.pgn", 1, 0, "no-result 1"),
    ("chess__0014.pgn", 5, 0, "no-result 5"),
    ("chesslib__ep.pgn", 1, 1, "blank-line-in-game 1"),
    ("chesslib__longest.pgn", 1, 1, ""),
    ("chesslib__z0.pgn", 1, 1, "blank-line-in-game 1"),
    ("dartchess__data_leading-whitespace.pgn", 4, 0, "no-result 4, rescued-games 1"),
    ("dartchess__data_pathological-headers.pgn", 1, 0, "no-result 1"),
    ("dartchess__data_wcc_2023_eolcomment.pgn", 3, 3, ""),
    ("fastchess__test_invalid.pgn", 2, 1, "no-result 1"),
    ("made__cr_only.pgn", 1, 1, ""),
    ("pgn-extract__nested-comment.pgn", 1, 0, "no-result 1"),
    ("pgn-extract__test-fixresulttags-in.pgn", 5, 5, ""),
    ("pgn-extract__test-nobadresults.pgn", 9, 6, "no-result 3, result-token-differs 3"),
    ("pgn-extract__test-promotion-in.pgn", 8, 0, "no-result 8"),
    ("pgn-extract__test-splitvariants.pgn", 1, 0, "no-result 1"),
    ("pgn-parser__doc_sampleGameThrow.pgn", 1, 0, "no-result 1"),
    ("pgn.net__Test_Files_Real_Files_chess-informant-sample.pgn", 5, 5, ""),
    ("pgn.net__Test_Files_empty-file.pgn", 0, 0, ""),
    ("pgnmentor__Stein_nul_tail.pgn", 3, 3, ""),
    ("pychess__annotated.pgn", 1, 0, "no-result 1"),
    ("pychess__atomic.pgn", 10, 0, "variant 10"),
    ("pychess__badpgn.pgn", 1, 0, "no-result 1, broken-tags 1"),
    ("pychess__chess960rwch.pgn", 20, 20, ""),
    ("pychess__dortmund_latin1_cut.pgn", 3, 3, ""),
    ("python-chess__chessbase-empty-line.pgn", 1, 1, ""),
    ("python-chess__cutechess-fischerrandom.pgn", 4, 4, ""),
    ("python-chess__uci-moves.pgn", 1, 1, ""),
    ("python-chess__utf8-bom.pgn", 2, 0, "no-result 2"),
    ("rustyrival__semicolon_header.pgn", 3, 0, "not-reached 3, stray-text 1"),
    ("tcec__2010_old_comments.pgn", 1, 1, ""),
];

#[test]
fn every_file_has_the_outcome_that_it_had() {
    let Some(directory) = shared("data/hard-pgn") else { return };
    let place = Place::new();
    let mut files: Vec<_> = std::fs::read_dir(&directory)
        .expect("a directory")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".pgn"))
        .collect();
    files.sort();
    assert_eq!(files, OUTCOMES.map(|(name, ..)| name), "a file came or went");
    for (name, games, counted, rest) in OUTCOMES {
        let path = directory.join(name);
        for replay in [false, true] {
            let mut command =
                place.command("collect -o x.counts --json --min-moves 0 --at 1 --variant any --fresh".split(' '));
            command.arg(&path).args(replay.then_some("--replay"));
            // Where nothing counts, the run fails.
            let code = i32::from(counted == 0 || rest.contains("rescued-games"));
            let done = crate::run::Done(command.output().expect("the program runs")).fails(code, &[]);
            let summary = done.json();
            assert_adds_up(&summary);
            let found: Vec<_> = skipped(&summary)
                .into_iter()
                .chain(noticed(&summary))
                .map(|(what, times)| format!("{what} {times}"))
                .collect();
            let found = (summary["games"].as_u64(), summary["counted"].as_u64(), found.join(", "));
            assert_eq!(found, (Some(games), Some(counted), rest.to_owned()), "{name}, replay {replay}");
        }
    }
}
