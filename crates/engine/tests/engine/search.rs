//! The search as a library: limits, mates, endings that are won, and some that are not.

use drawish_engine::eval::{Arm, Config, Evaluator};
use drawish_engine::search::{Certainty, Game, Limits, SearchResult, Searcher, Value, bench};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Color, Position};

fn game(fen: &str) -> Game {
    let fen: Fen = fen.parse().expect("a FEN");
    Game::new(fen.into_position(CastlingMode::Standard).expect("a legal position"))
}

fn searcher() -> Searcher<Evaluator> {
    Searcher::new(Evaluator::default(), 8)
}

fn search(fen: &str, limits: &Limits) -> SearchResult {
    searcher().search(&game(fen), limits, &mut |_| {})
}

#[test]
fn mates_are_found_with_their_length() {
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("r1b1k1nr/pppp1ppp/2n5/8/2B1P2q/2P2b2/PP3P1P/RNB2RK1 b kq - 0 1", 1),
        ("2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("1k6/1P6/1K6/8/8/8/8/7R w - - 0 1", 1),
    ] {
        let limits = Limits { mate: Some(moves as u32), nodes: Some(500_000), ..Limits::default() };
        let result = search(fen, &limits);
        assert_eq!(result.score, Value::Mate(moves), "{fen}: {result:?}");
        assert!(result.pv.len() >= 2 * moves as usize - 1, "{fen}: {:?}", result.pv);
    }
    let mated = search("8/8/8/8/8/2k5/1q6/K7 w - - 0 1", &Limits::depth(3));
    assert_eq!((mated.best, mated.score), (None, Value::Mate(0)));
    let stopped = search("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", &Limits { mate: Some(3), ..Limits::default() });
    assert_eq!(stopped.score, Value::Mate(3));
}

/// Plays a position out against itself and returns the winner.
fn play_out(fen: &str, nodes: u64) -> Option<Color> {
    let mut searcher = searcher();
    let mut game = game(fen);
    loop {
        let position = game.position();
        if position.is_checkmate() {
            return Some(!position.turn());
        }
        if position.is_stalemate()
            || position.is_insufficient_material()
            || position.halfmoves() >= 100
            || game.occurrences() >= 3
        {
            return None;
        }
        let result = searcher.search(&game, &Limits::nodes(nodes), &mut |_| {});
        game.play(result.best.expect("the game goes on"));
    }
}

#[test]
fn won_endings_are_won() {
    for (fen, winner) in [
        ("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", Color::White),
        ("1K6/8/8/3Q4/8/8/8/1k6 w - - 0 1", Color::White),
        ("8/8/8/2k5/7K/8/6Q1/8 w - - 0 1", Color::White),
        ("7k/8/8/8/4K3/8/q7/8 b - - 0 1", Color::Black),
        ("8/8/8/3k4/8/8/8/KR6 w - - 0 1", Color::White),
        ("8/8/1K6/6R1/8/8/2k5/8 w - - 0 1", Color::White),
        ("8/1k6/8/8/8/8/8/4K2R w - - 0 1", Color::White),
        ("7k/8/8/8/4K3/8/r7/8 b - - 0 1", Color::Black),
        ("8/8/8/3k4/8/8/8/KBB5 w - - 0 1", Color::White),
        // The king is before its pawn, with the opposition or without need of it.
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Color::White),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", Color::White),
        // The pawn alone is faster; the king must first gain a square; Black's pawn.
        ("8/8/P7/8/1k6/5K2/8/8 b - - 0 1", Color::White),
        ("8/8/8/8/7K/3P4/8/4k3 w - - 0 1", Color::White),
        ("8/5k2/8/8/3P4/2K5/8/8 w - - 0 1", Color::White),
        ("8/8/8/8/8/1p6/1k6/4K3 w - - 0 1", Color::Black),
    ] {
        assert_eq!(play_out(fen, 5000), Some(winner), "{fen}");
    }
}

#[test]
fn drawn_endings_are_drawn() {
    for fen in [
        // The defender has the opposition; a rook's pawn; the wrong bishop.
        "8/4k3/8/4P3/4K3/8/8/8 w - - 0 1",
        "k7/8/K7/P7/8/8/8/8 w - - 0 1",
        "1k6/8/1K6/P7/8/8/8/6B1 b - - 0 1",
        "8/8/8/2k5/8/1p6/1K6/8 b - - 0 1",
        "8/k7/8/3P4/8/8/6K1/8 b - - 0 1",
        "8/8/3k4/8/8/8/1P6/6K1 w - - 0 1",
        "4k3/8/8/7K/P7/8/8/8 w - - 0 1",
        "2k5/8/2P5/8/8/4K3/8/8 b - - 0 1",
        "8/8/4k3/8/8/3NN3/8/4K3 w - - 0 1",
    ] {
        assert_eq!(play_out(fen, 4000), None, "{fen}");
    }
}

#[test]
fn a_third_time_is_a_draw() {
    let mut game = game("7k/8/8/8/8/6q1/5QPP/7K b - - 0 1");
    let start = game.clone();
    assert_eq!((start.occurrences(), start.keys().len()), (1, 1));
    for text in ["h8g8", "h1g1", "g8h8", "g1h1"] {
        let m: shakmaty::uci::UciMove = text.parse().expect("a move");
        let m = m.to_move(game.position()).expect("legal");
        game.play(m);
    }
    assert_eq!(game.occurrences(), 2);
    // Far behind, but with a third time in reach: the score is that of a draw.
    let mut ahead = searcher();
    let perpetual = ahead.search(&game_of_checks(), &Limits::depth(3), &mut |_| {});
    assert_eq!(perpetual.score, Value::Centipawns(0), "{perpetual:?}");
}

/// White has lost but for checks from e8 and h5, which have been given twice.
fn game_of_checks() -> Game {
    let mut game = game("6k1/6p1/8/8/8/r7/q7/4Q2K w - - 0 1");
    for text in ["e1e8", "g8h7", "e8h5", "h7g8", "h5e8", "g8h7", "e8h5", "h7g8"] {
        let m: shakmaty::uci::UciMove = text.parse().expect("a move");
        let m = m.to_move(game.position()).expect("legal");
        game.play(m);
    }
    game
}

#[test]
fn limits_are_kept_and_searches_independent() {
    for nodes in [1, 2, 50, 1000, 4321] {
        let result = search("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", &Limits::nodes(nodes));
        assert!(result.nodes <= nodes && result.best.is_some(), "{nodes}: {result:?}");
    }
    // A search after a new game is that of a new searcher, whatever came before.
    let (a, b) = (game("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"), Game::default());
    let fresh = searcher().search(&a, &Limits::nodes(20_000), &mut |_| {});
    let mut used = searcher();
    used.search(&b, &Limits::nodes(20_000), &mut |_| {});
    used.new_game();
    assert_eq!(used.search(&a, &Limits::nodes(20_000), &mut |_| {}), fresh);
}

/// The limit falls just after a move has turned out better than the window allowed for: its true score is not known, but it is
/// the best.
#[test]
fn a_move_above_the_window_is_kept_when_the_limit_comes() {
    let mut met = 0;
    for game in bench::games() {
        let mut settled = None;
        let mut above = Vec::new();
        searcher().search(&game, &Limits::depth(10), &mut |info| match info.certainty {
            Certainty::Exact => settled = info.pv.first().copied(),
            Certainty::AtLeast if info.pv.first() != settled.as_ref() => above.push((info.nodes, info.pv.to_vec())),
            _ => {}
        });
        for (nodes, line) in above {
            // One node more, and the search for the true score has begun.
            let result = searcher().search(&game, &Limits::nodes(nodes + 1), &mut |_| {});
            assert_eq!((result.best, &result.pv), (line.first().copied(), &line), "{nodes} nodes");
            met += 1;
        }
    }
    assert!(met >= 5, "only {met} moves rose above the window");
}

#[test]
fn a_constant_scale_plays_the_same_moves() {
    let of = |arm: Arm| {
        let mut searcher =
            Searcher::new(Evaluator::new(&Config { arm, ..Config::default() }).expect("no heads needed"), 8);
        let mut game = Game::default();
        (0..16)
            .map(|_| {
                let result = searcher.search(&game, &Limits::nodes(3000), &mut |_| {});
                game.play(result.best.expect("the game goes on"));
                result
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(of(Arm::None), of(Arm::Constant));
}

/// What `drawish bench` prints: a change of this number is a change of the engine's moves, and of every match log's checksum.
#[test]
fn the_bench_counts_its_nodes() {
    let mut searcher = Searcher::new(Evaluator::default(), 16);
    assert_eq!(bench::run(&mut searcher, bench::DEPTH).nodes, 1_252_468);
}

/// A search that has finished no iteration reports the position as it stands, not a draw; its move is the same as ever.
#[test]
fn a_search_that_is_cut_off_at_once_reports_the_static_evaluation() {
    // A queen more, with captures and checks that a few nodes do not exhaust.
    for (fen, sign) in [
        ("r1b1kbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1", 1),
        ("rnb1kbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 1", -1),
        // In check.
        ("rnb1kbnr/pppp1Qpp/8/4p3/4P3/5N2/PPPP1PPP/RNB1KB1R b KQkq - 0 1", -1),
    ] {
        let result = search(fen, &Limits::nodes(1));
        let Value::Centipawns(score) = result.score else { panic!("{fen}: {result:?}") };
        assert!(result.depth == 0 && sign * score > 300, "{fen}: {result:?}");
        assert!(result.best.is_some() && result.nodes <= 1, "{fen}: {result:?}");
    }
}
