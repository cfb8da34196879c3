//! Matches: how games end, who is to blame, what is written down, and that it can be gone on with.

use std::collections::VecDeque;
use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use drawish::arena::{
    Book, BookRule, CLASS_PLY, DrawRule, End, Fault, Figures, Game, Kept, Limits, Logged, Match, MatchLog, Opening,
    OpeningError, Order, Origin, PairRecord, PgnTags, Player, PlayerLost, ProbeError, Reply, Resign, Rules, Score,
    Setup, Side, Syzygy, Tablebases, Tally, Turn, Verdict, both, play,
};
use drawish::features::StructureClass;
use drawish::pgn::{EvalValue, Input, eval_in_comment};
use drawish::search::Certainty;
use drawish::stats::{Decision, Model, PairedDifference, PairedScore, Sprt, Trinomial};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Color, Position};

use crate::fake_engine::{VARIABLE, choose, engine};
use crate::run::{Done, Place, shared};

/// Plays what it is told, then by the position; says the score it is told.
#[derive(Default)]
struct Scripted {
    moves: VecDeque<&'static str>,
    score: Option<Score>,
    certainty: Certainty,
    salt: u64,
    fault: Option<Fault>,
}

impl Scripted {
    fn moves(moves: &'static str) -> Scripted {
        Scripted { moves: moves.split_whitespace().collect(), ..Scripted::default() }
    }
}

impl Player for Scripted {
    fn new_game(&mut self) -> Result<(), PlayerLost> {
        Ok(())
    }

    fn go(&mut self, turn: &Turn<'_>) -> Result<Reply, Fault> {
        let chosen = match self.moves.pop_front() {
            Some(told) => told.parse().expect("a move"),
            None => match self.fault.take() {
                Some(fault) => return Err(fault),
                None => choose(turn.position, self.salt),
            },
        };
        let chosen = chosen.to_move(turn.position).map_err(|_| Fault::Illegal(chosen.to_string()))?;
        Ok(Reply {
            score: self.score,
            certainty: self.certainty,
            depth: Some(1),
            nodes: Some(7),
            nps: Some(2_333),
            ..Reply::new(chosen, Duration::from_millis(3))
        })
    }
}

fn opening(fen: &str) -> Opening {
    if fen.is_empty() {
        return Opening::standard();
    }
    Opening::from_fen(fen, CastlingMode::Standard).expect("a legal position")
}

fn game(fen: &str, mut white: Scripted, mut black: Scripted, rules: Rules) -> Game {
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    play(&opening(fen), [&mut white, &mut black], [&limits, &limits], &rules, None, &AtomicBool::new(false))
        .expect("players that are there")
        .expect("a game to its end")
}

#[track_caller]
fn ends(game: &Game, winner: Option<Color>, end: End, plies: usize) {
    assert_eq!((game.winner, game.end, game.replies.len()), (winner, end, plies));
}

#[test]
fn games_end_by_the_rules_of_chess() {
    let rules = Rules::default();
    let scripted = Scripted::moves;
    let mate = game("", scripted("f2f3 g2g4"), scripted("e7e5 d8h4"), rules);
    ends(&mate, Some(Color::Black), End::Mate, 4);
    let back_and_forth = game("", scripted("g1f3 f3g1 g1f3 f3g1"), scripted("g8f6 f6g8 g8f6 f6g8"), rules);
    ends(&back_and_forth, None, End::Repetition, 8);
    let stalemate = game("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", scripted("g5g6"), scripted(""), rules);
    ends(&stalemate, None, End::Stalemate, 1);
    let bare = game("7k/8/8/8/8/8/1p6/K7 w - - 0 1", scripted("a1b2"), scripted(""), rules);
    ends(&bare, None, End::Material, 1);
    let fifty = game("7k/8/8/8/8/8/1R6/K7 w - - 98 80", scripted("b2b3"), scripted("h8g8"), rules);
    ends(&fifty, None, End::Fifty, 2);
    // Mate on the hundredth half-move is mate.
    let last = game("7k/8/6K1/8/8/8/1R6/8 w - - 99 80", scripted("b2b8"), scripted(""), rules);
    ends(&last, Some(Color::White), End::Mate, 1);
    // A capture or a pawn's move ends what can be repeated.
    let pawn = game(
        "",
        scripted("g1f3 f3g1 e2e4 g1f3 f3g1 f2f3 e1e2 d1e1"),
        scripted("g8f6 f6g8 e7e5 g8f6 f6g8 f7f6 g7g5 b8c6"),
        Rules { max_moves: Some(8), ..rules },
    );
    ends(&pawn, None, End::MaxMoves, 16);
}

#[test]
fn games_end_by_the_rules_of_the_match() {
    let with = |score, salt| Scripted { score: Some(score), salt, ..Scripted::default() };
    let cp = Score::Centipawns;
    let resign = Rules { resign: Some(Resign { moves: 3, score: 600, two_sided: false }), ..Rules::default() };
    ends(&game("", with(cp(10), 0), with(cp(-600), 0), resign), Some(Color::White), End::Resignation, 6);
    ends(&game("", with(Score::Mate(-4), 0), with(cp(0), 0), resign), Some(Color::Black), End::Resignation, 5);
    assert_ne!(game("", with(cp(0), 0), with(cp(-599), 0), resign).end, End::Resignation);
    // Where both must agree, the winner may be the last to see it.
    let agreed = Rules {
        resign: Some(Resign { moves: 3, score: 600, two_sided: true }),
        max_moves: Some(20),
        ..Rules::default()
    };
    ends(&game("", with(cp(600), 0), with(cp(-600), 0), agreed), Some(Color::White), End::Resignation, 6);
    ends(&game("", with(cp(-600), 0), with(Score::Mate(9), 0), agreed), Some(Color::Black), End::Resignation, 6);
    for (white, black) in [(cp(599), cp(-600)), (cp(600), cp(-599)), (cp(-700), cp(-700)), (cp(700), cp(700))] {
        assert_ne!(game("", with(white, 0), with(black, 0), agreed).end, End::Resignation);
    }
    // Quiet kings: no capture and no pawn's move starts the count again.
    let kings = "4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 30";
    let moves = |kings: &'static str| Scripted { score: Some(cp(20)), ..Scripted::moves(kings) };
    let (white, black) = ("e1d1 d1c1 c1b1 b1b2 b2b3", "e8d8 d8c8 c8b8 b8b7 b7b6");
    let draw = |from_move| Rules { draw: Some(DrawRule { from_move, moves: 3, score: 20 }), ..Rules::default() };
    ends(&game(kings, moves(white), moves(black), draw(1)), None, End::DrawScore, 6);
    ends(&game(kings, moves(white), moves(black), draw(34)), None, End::DrawScore, 10);
    let with_pawn = game(kings, moves("e1d1 h2h3 d1c1 c1b1"), moves("e8d8 d8c8 c8b8 b8b7"), draw(1));
    ends(&with_pawn, None, End::DrawScore, 8);
    // A bound counts only for what follows from it.
    let bound = |score, certainty| Scripted { certainty, ..with(score, 0) };
    let resigned = Rules { max_moves: Some(9), ..resign };
    for (black, end) in [
        (bound(cp(-900), Certainty::AtLeast), End::MaxMoves),
        (bound(cp(-900), Certainty::AtMost), End::Resignation),
        (bound(Score::Mate(-3), Certainty::AtLeast), End::MaxMoves),
    ] {
        assert_eq!(game("", with(cp(10), 0), black, resigned).end, end);
    }
    for (white, end) in [(Certainty::AtLeast, End::Resignation), (Certainty::AtMost, End::MaxMoves)] {
        let agreed = Rules { max_moves: Some(9), ..agreed };
        assert_eq!(game("", bound(cp(700), white), with(cp(-700), 0), agreed).end, end);
    }
    let level = |certainty| Scripted { certainty, ..moves("e1d1 d1c1 c1b1 b1b2 b2b3") };
    for certainty in [Certainty::AtLeast, Certainty::AtMost] {
        let rules = Rules { max_moves: Some(5), ..draw(1) };
        assert_eq!(game(kings, level(certainty), moves(black), rules).end, End::MaxMoves);
    }
    let max = Rules { max_moves: Some(4), ..Rules::default() };
    ends(&game("", with(cp(0), 3), with(cp(0), 4), max), None, End::MaxMoves, 8);
}

/// Knows positions of three men: who has more wins.
struct ThreeMen;

impl Tablebases for ThreeMen {
    fn verdict(&self, position: &shakmaty::Chess) -> Result<Option<Verdict>, ProbeError> {
        let board = position.board();
        match board.occupied().count() {
            3 => {
                Ok(Some(Verdict { winner: Some(if board.white().count() > 1 { Color::White } else { Color::Black }) }))
            }
            5 => Err(ProbeError { metric: "WDL".into(), material: "KRvKNP".into(), cause: "torn".into() }),
            _ => Ok(None),
        }
    }
}

fn game_with_tables(fen: &str, mut white: Scripted, mut black: Scripted) -> Result<Game, String> {
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    let players: [&mut dyn Player; 2] = [&mut white, &mut black];
    let rules = Rules::default();
    let game = play(&opening(fen), players, [&limits, &limits], &rules, Some(&ThreeMen), &AtomicBool::new(false));
    game.map(|game| game.expect("a game to its end")).map_err(|lost| lost.to_string())
}

#[test]
fn tables_end_games() {
    let scripted = Scripted::moves;
    // A capture leads into the tables.
    let won = game_with_tables("7k/8/8/8/8/8/1p6/K1R5 w - - 0 1", scripted("a1b2"), scripted("")).expect("a game");
    ends(&won, Some(Color::White), End::Tablebase, 1);
    assert!(End::Tablebase.is_adjudicated() && !End::Tablebase.is_fault());
    // An opening that they know is played for a move; mate comes before what they say.
    let known = game_with_tables("7k/8/8/8/8/8/1r6/K7 b - - 3 1", scripted(""), scripted("b2b7")).expect("a game");
    ends(&known, Some(Color::Black), End::Tablebase, 1);
    let mate = game_with_tables("7k/8/6K1/8/8/8/1R6/8 w - - 0 80", scripted("b2b8"), scripted("")).expect("a game");
    ends(&mate, Some(Color::White), End::Mate, 1);
    let torn = game_with_tables("7k/8/8/8/8/8/pp6/K1R4n w - - 0 1", scripted("a1b2"), scripted(""));
    let torn = torn.expect_err("a table that cannot be read");
    assert_eq!(torn, "the WDL table KRvKNP cannot be read: torn; fetch it again, or leave it out");
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    let record = PairRecord::new(1, &opening("7k/8/8/8/8/8/1p6/K1R5 w - - 0 1"), [&won, &won], Kept::default());
    let pgn = record.to_pgn(&PgnTags { event: "x", names: ["a", "b"], limits: [limits; 2], ..PgnTags::default() });
    assert!(
        pgn.contains("White wins by adjudication: SyzygyTB") && pgn.contains("[Termination \"adjudication\"]"),
        "{pgn}"
    );
    let mut tally = Tally::default();
    tally.add(&record);
    assert_eq!((tally.adjudicated(), tally.draws().count()), (2, 0));
    let drawn = Game { winner: None, ..won };
    let record = PairRecord::new(1, &opening("7k/8/8/8/8/8/1p6/K1R5 w - - 0 1"), [&drawn, &drawn], Kept::default());
    assert!(
        record
            .to_pgn(&PgnTags { event: "x", names: ["a", "b"], limits: [limits; 2], ..PgnTags::default() })
            .contains("Draw by adjudication: SyzygyTB")
    );
    tally.add(&record);
    assert_eq!((tally.adjudicated(), tally.draws().collect::<Vec<_>>()), (4, vec![(End::Tablebase, 2)]));
}

/// Real tables of three and four men, which are not shipped: in ../shared, or where the variable says.
pub fn syzygy_tables() -> Option<std::path::PathBuf> {
    std::env::var_os("DRAWISH_TEST_SYZYGY").map(Into::into).or_else(|| shared("data/syzygy"))
}

/// Against what is known of these endings: who wins, what the fifty-move rule takes away.
#[test]
fn real_tables() {
    let Some(path) = syzygy_tables() else { return };
    let syzygy = Syzygy::open(std::slice::from_ref(&path)).expect("tables");
    assert!(syzygy.missing().is_empty() && !syzygy.lacks_distances(), "{syzygy:?}");
    let won = |winner| Some(Verdict { winner: Some(winner) });
    let drawn = Some(Verdict { winner: None });
    let position = |fen: &str| -> shakmaty::Chess {
        fen.parse::<shakmaty::fen::Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position")
    };
    for (fen, verdict) in [
        ("8/8/8/8/8/4k3/8/R3K3 w - - 0 1", won(Color::White)),
        ("8/8/8/8/8/4k3/8/R3K3 w Q - 0 1", None),
        ("4k3/8/3KP3/8/8/8/8/8 b - - 0 1", drawn),
        ("4k3/8/3KP3/8/8/8/8/8 w - - 0 1", won(Color::White)),
        ("8/8/8/8/8/k7/p7/K7 w - - 0 1", None),
        ("8/8/8/8/4k3/4p3/8/4K3 b - - 0 1", drawn),
        ("8/8/8/8/4k3/8/4p3/K7 b - - 0 1", won(Color::Black)),
        // A rook mates in at most 16 moves, a bishop and a knight in at most 33: the clock may have run too far.
        ("8/8/8/8/8/4k3/8/R3K3 w - - 60 99", won(Color::White)),
        ("8/8/8/8/8/4k3/8/R3K3 w - - 97 99", drawn),
        ("7k/8/8/8/8/8/8/KBN5 w - - 0 1", won(Color::White)),
        ("7k/8/8/8/8/8/8/KBN5 w - - 70 99", drawn),
        ("4k3/8/8/8/8/8/8/2N1KN2 w - - 0 1", drawn),
        // More men than the tables.
        ("4k3/pp6/8/8/8/8/8/R3K3 w - - 0 1", None),
    ] {
        let found = syzygy.verdict(&position(fen)).expect("tables that can be read");
        // Mate and stalemate are found before tables are asked; what they say of them is no matter.
        if !position(fen).is_game_over() && verdict.is_some() {
            assert_eq!(found, verdict, "{fen}");
        } else if verdict.is_none() && !position(fen).is_game_over() {
            assert_eq!(found, None, "{fen}");
        }
    }
    // A directory that lacks some of them: what needs them is unknown, nothing else.
    let place = Place::new();
    for name in ["KRvK.rtbw", "KRvKP.rtbw", "KPvK.rtbw"] {
        place.put(&format!("some/{name}"), std::fs::read(path.join(name)).expect("a table"));
    }
    let some = Syzygy::open(&[place.path("some")]).expect("tables");
    assert_eq!((some.missing().len(), some.lacks_distances()), (32, true));
    assert_eq!(some.verdict(&position("8/8/8/8/8/4k3/8/R3K3 w - - 0 1")), Ok(won(Color::White)));
    assert_eq!(some.verdict(&position("8/8/8/8/8/4k3/8/R3K3 w - - 1 1")), Ok(None), "needs the distance");
    assert_eq!(some.verdict(&position("8/8/8/8/8/4k3/8/Q3K3 w - - 0 1")), Ok(None), "needs KQvK");
    // A table that is damaged is no unknown result.
    place.put("bad/KRvK.rtbw", [7; 80]);
    let bad = Syzygy::open(&[place.path("bad")]).expect("a file of a table's size");
    let error = bad.verdict(&position("8/8/8/8/8/4k3/8/R3K3 w - - 0 1")).expect_err("damaged").to_string();
    assert!(error.contains("KRvK cannot be read") && error.contains("fetch it again"), "{error}");

    let tables = format!("--syzygy {}", path.display());
    let endings = "8/4k3/8/8/8/8/4P3/R3K3 w - - 0 1\n8/8/8/1r6/8/2k5/8/R3K3 w - - 0 1\n";
    place.put("book.epd", endings);
    let words = engine("plays", "first").into_iter().chain(engine("plays_otherwise", "second"));
    let more = format!("--openings book.epd --seed 1 --nodes 5 --log a.jsonl --json {tables}");
    let all = std::iter::once("match".to_owned()).chain(words).chain(more.split_whitespace().map(str::to_owned));
    let done = Done(place.command(all).env(VARIABLE, "1").output().expect("the program runs")).ok();
    let last: serde_json::Value = serde_json::from_str(done.out().lines().last().expect("a line")).expect("JSON");
    assert_eq!((&last["ends"], &last["adjudicated"]), (&serde_json::json!({"tablebase": 4}), &4.into()), "{last}");
    let head = String::from_utf8(place.read("a.jsonl")).expect("text");
    assert!(head.contains(r#""syzygy":{"men":4,"wdl":35,"dtz":35}"#), "{head}");
}

#[test]
fn tables_that_are_not_there_are_told() {
    let place = Place::new();
    place.put("empty/readme.txt", "no table");
    place.put("cut/KRvK.rtbw", [1; 33]);
    place.put("distances/KRvK.rtbz", [1; 80]);
    let with = |dir: &str| play_match(&place, ["plays", "plays"], &format!("--nodes 5 --pairs 1 --syzygy {dir}"));
    with("none").fails(1, &["none: no directory of Syzygy tables: no such file or directory; expected"]);
    with("empty").fails(1, &["no Syzygy tables of wins and losses in empty", "KQvKR.rtbw"]);
    with("distances:empty").fails(1, &["no Syzygy tables of wins and losses in distances, empty"]);
    with("cut")
        .fails(1, &["cut: no directory of Syzygy tables", "unexpected file size", "fetch again what was cut off"]);
    place.put("part/KRvK.rtbw", [1; 80]);
    let done = with("part").ok();
    assert!(
        done.err().contains("Syzygy tables of up to 3 men (1 rtbw, 0 rtbz): 4 are missing, the first KBvK"),
        "{}",
        done.err()
    );
    assert!(done.err().contains("without all distances (rtbz)"), "{}", done.err());
}

#[test]
fn games_are_told_apart_by_their_pawns() {
    let scripted = |moves: &'static str| Scripted { salt: 1, ..Scripted::moves(moves) };
    let two = Rules { max_moves: Some(1), ..Rules::default() };
    let fen = "4k3/5ppp/8/8/8/8/5PPP/4K3 w - - 0 1";
    let quick = game(fen, scripted("e1d1"), scripted("e8d8"), two);
    let record = PairRecord::new(1, &opening(fen), [&quick, &quick], Kept::default());
    let mut tally = Tally::default();
    tally.add(&record);
    let share = &tally.structures[&StructureClass::OneFlank];
    assert_eq!((share.games.draws, share.total(), share.draws[&End::MaxMoves]), (2, 2, [1, 1]));
    // Half-move 80 decides, not the end of a longer game: after it, the pawns go.
    let start = opening("");
    let mut long = play_to(&start, CLASS_PLY);
    let at_80 = StructureClass::of(drawish::features::pawns(replay(&start, &long).board()));
    long.winner = Some(Color::White);
    let mut tally = Tally::default();
    tally.add(&PairRecord::new(1, &start, [&long, &long], Kept::default()));
    assert_eq!(tally.structures[&at_80].games, Trinomial { wins: 1, draws: 0, losses: 1 });
    let longer = play_to(&start, CLASS_PLY + 60);
    assert_eq!(longer.replies[..CLASS_PLY], long.replies[..]);
    assert_ne!(replay(&start, &longer).board().pawns(), replay(&start, &long).board().pawns());
    let mut tally = Tally::default();
    tally.add(&PairRecord::new(1, &start, [&longer, &longer], Kept::default()));
    assert_eq!(tally.structures.keys().collect::<Vec<_>>(), [&at_80]);
}

/// A game of so many half-moves by the positions.
fn play_to(opening: &Opening, plies: usize) -> Game {
    let rules = Rules { max_moves: Some(plies as u32 / 2), ..Rules::default() };
    let mut players = (0..200).map(|salt| game(opening.fen().unwrap_or_default(), salted(salt), salted(salt), rules));
    players.find(|game| game.replies.len() == plies).expect("one of these games is as long")
}

fn salted(salt: u64) -> Scripted {
    Scripted { salt, ..Scripted::default() }
}

fn replay(opening: &Opening, game: &Game) -> shakmaty::Chess {
    let mut position = opening.start().clone();
    game.replies.iter().for_each(|reply| position.play_unchecked(reply.chosen));
    position
}

/// A log of somebody else may hold anything in the place of scores: it ends no comment of the PGN, and steers no terminal.
#[test]
fn what_a_log_says_stays_within_its_comments() {
    let opening = opening("");
    let game = play_to(&opening, 4);
    let line = PairRecord::new(1, &opening, [&game, &game], Kept::default()).to_line();
    let mut pair: serde_json::Value = serde_json::from_str(&line).expect("a pair");
    pair["games"][0]["said"] = "+0.10}1-0/5 {/\u{7f}\u{1b}[2J/7 +0.30/8 -0.20/\n9".into();
    let record: PairRecord = serde_json::from_value(pair).expect("a pair");
    let pgn = record.to_pgn(&PgnTags { event: "x", names: ["a", "b"], ..PgnTags::default() });
    let games = pgn.matches("[Event ").count();
    let [open, close] = ['{', '}'].map(|brace| pgn.matches(brace).count());
    assert_eq!((games, open, close), (2, 8, 8), "{pgn}");
    assert!(!pgn.contains(|c: char| c.is_control() && c != '\n') && !pgn.contains("-0.20/\n"), "{pgn}");
    assert!(pgn.contains("{+0.10?1-0/5}") && pgn.contains("{+0.30/8}"), "{pgn}");
}

#[test]
fn whoever_fails_loses() {
    for (fault, end) in [
        (Fault::Crash, End::Crash),
        (Fault::Stall, End::Stall),
        (Fault::Illegal("a1a1".to_owned()), End::Illegal),
        (Fault::Late(Duration::from_millis(5)), End::Late),
    ] {
        let failing = |moves| Scripted { fault: Some(fault.clone()), ..Scripted::moves(moves) };
        ends(&game("", failing("e2e4"), Scripted::default(), Rules::default()), Some(Color::Black), end, 2);
        ends(&game("", Scripted::default(), failing("e7e6"), Rules::default()), Some(Color::White), end, 3);
    }
    let illegal = game("", Scripted::moves("e2e5"), Scripted::default(), Rules::default());
    ends(&illegal, Some(Color::Black), End::Illegal, 0);
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    let pgn = PairRecord::new(1, &opening(""), [&illegal, &illegal], Kept::default()).to_pgn(&PgnTags {
        event: "x",
        names: ["a", "b"],
        limits: [limits; 2],
        ..PgnTags::default()
    });
    assert!(pgn.contains("\n\n{White makes an illegal move: e2e5} 0-1\n"), "{pgn}");
    let slow = Limits { tc: Some("0.005+0.001".parse().expect("a time control")), ..Limits::default() };
    let (mut white, mut black) = (Scripted::default(), Scripted::default());
    let game =
        play(&opening(""), [&mut white, &mut black], [&slow, &slow], &Rules::default(), None, &AtomicBool::new(false));
    // 5 ms, less 3 and more 1 for each move: 3 ms are left for the second, 1 for the third.
    ends(&game.expect("players").expect("a game"), Some(Color::Black), End::Late, 4);
}

/// Openings whose games differ.
fn openings(count: usize) -> Vec<Opening> {
    let mut all = Vec::new();
    for salt in 0.. {
        let mut position = shakmaty::Chess::new();
        let mut moves = Vec::new();
        for _ in 0..6 {
            let played = choose(&position, salt).to_move(&position).expect("a legal move");
            moves.push(played);
            position.play_unchecked(played);
        }
        all.push(Opening::standard().with_moves(&moves).expect("legal moves"));
        if all.len() == count {
            return all;
        }
    }
    unreachable!("the loop ends by itself")
}

fn a_match(openings: &[Opening], workers: usize, sprt: Option<Sprt>) -> Match<'_> {
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    Match {
        openings,
        pairs: openings.len() as u64,
        passed: 0,
        limits: [limits; 2],
        rules: Rules { max_moves: Some(30), ..Rules::default() },
        tablebases: None,
        sprt,
        concurrency: NonZeroUsize::new(workers).expect("workers"),
        fault_limit: 10,
        moves_of_every: NonZeroU64::MIN,
        figures: Figures::default(),
    }
}

fn run(game: &Match<'_>, salts: [u64; 2], finished: &[PairRecord]) -> (Vec<PairRecord>, Tally, Decision) {
    let mut records = finished.to_vec();
    let player = |side: usize| -> Result<Box<dyn Player>, PlayerLost> {
        Ok(Box::new(Scripted { salt: salts[side], ..Scripted::default() }))
    };
    let ended = game
        .run(&player, finished, &mut |record, _, _| -> Result<ControlFlow<()>, std::io::Error> {
            records.push(record.clone());
            Ok(ControlFlow::Continue(()))
        })
        .expect("a match to its end");
    (records, ended.tally, ended.decision)
}

#[test]
fn workers_change_nothing() {
    let openings = openings(40);
    let (one, tally, _) = run(&a_match(&openings, 1, None), [1, 2], &[]);
    assert_eq!(tally.pairs_played(), 40);
    assert_eq!(run(&a_match(&openings, 4, None), [1, 2], &[]), (one.clone(), tally, Decision::Continue));
    // Nor where a test ends the match.
    let sprt = Sprt::new(Model::Normalized, 0.0, 150.0, 0.05, 0.05).expect("bounds");
    let stopped = run(&a_match(&openings, 1, Some(sprt)), [1, 2], &[]);
    assert!(stopped.2 != Decision::Continue && stopped.0.len() < 40, "{:?}", stopped.1);
    assert_eq!(run(&a_match(&openings, 3, Some(sprt)), [1, 2], &[]), stopped);
    assert_eq!(stopped.0[..], one[..stopped.0.len()]);
    // Gone on with after it was decided, there is nothing to do.
    assert_eq!(run(&a_match(&openings, 2, Some(sprt)), [1, 2], &stopped.0), stopped);
}

#[test]
fn identical_play_is_noticed() {
    let openings = openings(10);
    let (_, tally, _) = run(&a_match(&openings, 2, None), [5, 5], &[]);
    assert_eq!((tally.identical, tally.pairs.wl_dd), (10, 10));
    let (_, tally, _) = run(&a_match(&openings, 2, None), [5, 6], &[]);
    assert_eq!(tally.identical, 0);
}

fn setup() -> Setup {
    let side = |name: &str| Side {
        ponder: false,
        dir: None,
        restart: false,
        name: name.to_owned(),
        player: "scripted".to_owned(),
        build: None,
        files: None,
        options: Vec::new(),
        limits: Limits::nodes(1),
    };
    Setup {
        sides: [side("new"), side("old")],
        book: "made here".to_owned(),
        book_digest: "0".to_owned(),
        openings: 4,
        plies: None,
        seed: 3,
        order: Order::Random,
        passed_over: 0,
        chess960: false,
        rules: Rules::default(),
        syzygy: None,
        band: None,
        moves_of_every: NonZeroU64::MIN,
        first_pair: NonZeroU64::MIN,
    }
}

/// A log cut off at any byte is gone on with to the same log.
#[test]
fn a_log_can_be_cut_off_anywhere() {
    let place = Place::new();
    let path = place.path("whole.jsonl");
    let (records, ..) = run(&a_match(&openings(3), 1, None), [1, 2], &[]);
    let mut log = MatchLog::create(&path, &setup(), Origin::default()).expect("a new log");
    for record in &records {
        log.append(record).expect("room on the disk");
    }
    drop(log);
    let whole = place.read("whole.jsonl");
    for length in 0..=whole.len() {
        let cut = place.put("cut.jsonl", &whole[..length]);
        let (mut log, found) =
            MatchLog::resume(&cut, &setup(), Origin::default()).unwrap_or_else(|error| panic!("{length}: {error}"));
        assert_eq!(found, records[..found.len()]);
        let lines = whole[..length].iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(found.len(), lines.saturating_sub(1), "{length}");
        for record in &records[found.len()..] {
            log.append(record).expect("room on the disk");
        }
        assert!(place.read("cut.jsonl") == whole, "cut at {length}");
    }
}

/// A log of format 1 is resumed as it is: its first line stays, and pairs are the same lines.
#[test]
fn old_logs_are_resumed() {
    let place = Place::new();
    let (records, ..) = run(&a_match(&openings(3), 1, None), [1, 2], &[]);
    let side =
        |name| format!(r#"{{"name":"{name}","player":"scripted","build":null,"options":[],"limits":"1 nodes"}}"#);
    let head = format!(
        r#"{{"format":1,"sides":[{},{}],"book":"made here","book_digest":"0","openings":4,"plies":null,"seed":3,"rules":"rules of chess; lost after 3 moves with -600 or worse; time margin 20 ms"}}"#,
        side("new"),
        side("old")
    );
    let resign = Some(Resign { moves: 3, score: 600, two_sided: false });
    let rules = Rules { resign, time_margin: Duration::from_millis(20), ..Rules::default() };
    let old = Setup { rules, ..setup() };
    let begun = format!("{head}\n{}\n", records[0].to_line());
    let path = place.put("old.jsonl", &begun);
    let (mut log, found) = MatchLog::resume(&path, &old, Origin::default()).expect("the log of this match");
    assert_eq!(found, records[..1]);
    log.append(&records[1]).expect("room on the disk");
    drop(log);
    let now = String::from_utf8(place.read("old.jsonl")).expect("text");
    assert_eq!(now, begun + &records[1].to_line() + "\n");
    let read = Logged::read(now.as_bytes()).expect("a log");
    assert_eq!((read.setup, read.pairs.len()), (old.clone(), 2));
    let error = MatchLog::resume(&path, &Setup { rules: Rules { resign: None, ..rules }, ..old }, Origin::default())
        .expect_err("another");
    assert!(error.to_string().contains("rules.resign was {\"moves\":3,\"score\":600}, now it is null"), "{error}");
}

#[test]
fn wrong_logs_are_refused_in_words() {
    let place = Place::new();
    let refused = |text: &str, setup: &Setup| {
        let path = place.put("x.jsonl", text);
        let error = MatchLog::resume(&path, setup, Origin::default()).expect_err("not this log").to_string();
        assert_eq!(String::from_utf8_lossy(&place.read("x.jsonl")), text, "nothing is lost");
        error
    };
    for foreign in ["[Event \"x\"]\n", "{}\n", "no line", "{\"format\":\"other\""] {
        assert!(refused(foreign, &setup()).contains("is not the log of a match"), "{foreign}");
    }
    // Without links, whoever edited the lines.
    let head = setup().header(&Origin::default()).replace("\"format\":3", "\"format\":2") + "\n";
    let other = Setup { seed: 4, ..setup() };
    assert!(refused(&head, &other).contains("is the log of another match: seed was 3, now it is 4"));
    let (records, ..) = run(&a_match(&openings(2), 1, None), [1, 2], &[]);
    let second = serde_json::to_string(&records[1]).expect("a line") + "\n";
    assert!(refused(&(head.clone() + &second), &setup()).contains("line 2 is damaged: expected pair 1, found pair 2"));
    assert!(refused(&(head.clone() + "{}\n"), &setup()).contains("line 2 is damaged"));
    let mut edited = records[0].clone();
    edited.games[1].moves = format!("a1a8 {}", edited.games[1].moves);
    let edited = serde_json::to_string(&edited).expect("a line") + "\n";
    assert!(refused(&(head.clone() + &edited), &setup()).contains("its games cannot be played"));
    let lost = second.replace("\"pair\":2", "\"pair\":1,\"fen\":\"8/8/8/8/8/8/8/8 w - - 0 1\"");
    assert!(refused(&(head.clone() + &lost), &setup()).contains("is not a legal position"));
    let path = place.put("x.jsonl", head);
    assert!(
        MatchLog::create(&path, &setup(), Origin::default())
            .expect_err("it exists")
            .to_string()
            .contains("holds a match already")
    );
}

/// A log that was edited after it was written is not resumed, and not read past the place.
#[test]
fn edited_logs_are_noticed() {
    let place = Place::new();
    let path = place.path("log.jsonl");
    let (records, ..) = run(&a_match(&openings(3), 1, None), [1, 2], &[]);
    let mut log = MatchLog::create(&path, &setup(), Origin::default()).expect("a new log");
    records.iter().for_each(|record| log.append(record).expect("room on the disk"));
    drop(log);
    let text = String::from_utf8(place.read("log.jsonl")).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].contains(",\"chain\":\""), "{}", lines[1]);
    let edit = |line: usize, from: &str, to: &str| {
        let mut edited: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
        assert!(edited[line].contains(from), "{}", edited[line]);
        edited[line] = edited[line].replacen(from, to, 1);
        edited.concat()
    };
    let end = records[1].games[0].end.name();
    let link = lines[2].rsplit_once(",\"chain\"").expect("a link").0.len();
    let unlinked = format!("{}\n{}\n{}}}\n", lines[0], lines[1], &lines[2][..link]);
    for (text, line) in [
        (edit(2, "\"result\":\"", "\"result\": \""), 3),
        (edit(2, &format!("\"end\":\"{end}\""), "\"end\":\"resignation\""), 3),
        (edit(1, ",\"chain\":\"", ",\"chain\":\"0"), 2),
        (edit(0, "\"book\":\"", "\"book\": \""), 2),
        (unlinked, 3),
    ] {
        let path = place.put("edited.jsonl", &text);
        let error = MatchLog::resume(&path, &setup(), Origin::default()).expect_err("edited").to_string();
        let said = format!("line {line} is damaged: it was changed after it was written, or a line before it");
        assert!(error.contains(&said), "{error}");
        let read = Logged::read(text.as_bytes()).expect("a log");
        assert_eq!((read.pairs.len(), read.damage.map(|(line, _)| line)), (line - 2, Some(line)));
    }
}

#[test]
fn a_full_disk_is_told_and_nothing_is_lost() {
    let full = std::path::Path::new("/dev/full");
    if !full.exists() {
        eprintln!("skipped: there is no /dev/full here");
        return;
    }
    let error = MatchLog::create(full, &setup(), Origin::default()).expect_err("no room").to_string();
    assert!(error.starts_with("/dev/full: No space left"), "{error}");
}

#[test]
fn books_of_every_kind() {
    let place = Place::new();
    let read = |name: &str, text: &str, plies| {
        Book::read(&Input::File(place.put(name, text)), &BookRule { plies, ..BookRule::default() })
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let lines = format!(
        "{start} hmvc 0; id \"x\";\n\n# remark\n{start} 0 1\nrnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n\
         8/8/8 w - -\n8/8/8/8/8/8/8/KK6 w - - 0 1\nonly three fields\n7k/8/8/8/8/8/8/K7 w - - 0 1\n\
         8/8/8/8/8/8/R7/K6k w - - 100 80\n8/8/8/8/8/8/R7/K6k w - - 99 80\n"
    );
    let book = read("a.epd", &lines, None).expect("a book");
    assert_eq!((book.openings.len(), book.duplicates, book.rejected.len()), (3, 1, 5), "{book:?}");
    assert_eq!(book.rejected.iter().map(|rejected| rejected.place).collect::<Vec<_>>(), [6, 7, 8, 9, 10]);
    assert!(
        book.rejected[4].why.to_string().contains("its half-move clock is at 100, expected less than 100"),
        "{book:?}"
    );
    assert!(book.rejected[3].why.to_string().contains("the game is over"), "{book:?}");
    let games = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"b\"]\n\n1. Nf3 e5 2. e4 *\n\n[Event \"c\"]\n\n1. e4 Ke4 *\n\n\
                 [Event \"d\"]\n[FEN \"4k3/p7/8/8/8/8/P7/4K3 w - - 0 9\"]\n\n9. a4 a5 *\n";
    let book = read("b.pgn", games, None).expect("a book");
    assert_eq!((book.openings.len(), book.duplicates, book.rejected.len()), (2, 1, 1), "{book:?}");
    assert!(book.rejected[0].why.to_string().contains("Ke4, move 1 of the game"), "{book:?}");
    // A position that stands for the third time is a draw before anyone has moved.
    let again = "Nf3 Nf6 Ng1 Ng8 ";
    let repeated = format!(
        "[Event \"a\"]\n\n{again}{again}*\n\n[Event \"b\"]\n\n{again}*\n\n[Event \"c\"]\n\n{again}{again}e4 *\n"
    );
    let again = read("again.pgn", &repeated, None).expect("a book");
    assert_eq!((again.openings.len(), again.duplicates, again.rejected.len()), (2, 0, 1), "{again:?}");
    assert_eq!((again.rejected[0].place, &again.rejected[0].why), (1, &OpeningError::Repetition));
    let short = read("again.pgn", &repeated, Some(7)).expect("a book");
    assert_eq!((short.openings.len(), short.duplicates), (2, 1), "what comes later is no matter");
    let short = read("c.pgn", games, Some(1)).expect("a book");
    assert_eq!(short.openings.iter().map(|opening| opening.moves().len()).collect::<Vec<_>>(), [1, 1, 1]);
    assert_eq!((short.duplicates, short.rejected.len()), (1, 0));
    // The line ends of old Macs: only the first line was read.
    let returns = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\r4k3/p7/8/8/8/8/P7/4K3 w - - 0 9\r";
    assert_eq!(read("e.epd", returns, None).expect("a book").openings.len(), 2);
    let error = read("d.epd", "nothing to play\n", None).expect_err("no opening").to_string();
    assert!(error.contains("no opening in this book can be played (the first: "), "{error}");
}

#[test]
fn the_order_depends_on_the_seed_and_not_on_the_file() {
    let Some(path) = shared("data/books/book_300_balanced.epd") else { return };
    let order = |book: &mut Book, seed| {
        book.shuffle(seed);
        book.openings.iter().map(|opening| opening.fen().expect("a FEN").to_owned()).collect::<Vec<_>>()
    };
    let mut book = Book::read(&Input::File(path.clone()), &BookRule::default()).expect("a book");
    assert_eq!((book.openings.len(), book.duplicates, book.rejected.len()), (300, 0, 0));
    let one = order(&mut book, 1);
    assert_ne!(order(&mut book, 2), one);
    let text = std::fs::read_to_string(path).expect("text");
    let backwards: String = text.lines().rev().map(|line| format!("{line}\n")).collect();
    let place = Place::new();
    let mut backwards = Book::read(&Input::File(place.put("b.epd", backwards)), &BookRule::default()).expect("a book");
    assert_eq!(order(&mut backwards, 1), one);
}

/// Rooks beside the king and between both; SP 518, which is the standard array; a position without castling; one that only
/// Chess960 has, with a rook within the other.
const BOOK_960: &str = "bbrkrnqn/pppppppp/8/8/8/8/PPPPPPPP/BBRKRNQN w KQkq - 0 1\n\
    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1\n\
    4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1\n\
    nrk1r3/pppppppp/8/8/8/8/1PPPPPPP/RRK1R3 w EBeb - 0 1\n";

#[test]
fn chess960_in_books() {
    let place = Place::new();
    let read = |text: &str, castling| {
        Book::read(&Input::File(place.put("a", text)), &BookRule { castling, ..BookRule::default() })
    };
    let book = read(BOOK_960, None).expect("a book");
    assert_eq!((book.castling, book.chess960, book.openings.len()), (CastlingMode::Chess960, 2, 4), "{book:?}");
    let rights = |book: &Book| -> Vec<String> {
        let fens = book.openings.iter().map(|opening| opening.fen().expect("a FEN").to_owned());
        fens.map(|fen| fen.split(' ').nth(2).expect("castling rights").to_owned()).collect()
    };
    assert_eq!(rights(&book), ["ECec", "HAha", "-", "EBeb"]);
    assert!(book.openings.iter().all(|opening| opening.castling().is_chess960()));
    // Told standard chess, what is not is left out; told Chess960, a book of standard chess is played so.
    let book = read(BOOK_960, Some(CastlingMode::Standard)).expect("a book");
    assert_eq!((book.castling, book.openings.len(), book.rejected.len()), (CastlingMode::Standard, 2, 2));
    assert_eq!(rights(&book), ["KQkq", "-"]);
    assert!(book.rejected[0].why.to_string().contains("an opening of Chess960, and standard chess is to be played"));
    assert_eq!(read(BOOK, None).expect("a book").castling, CastlingMode::Standard);
    let book = read(BOOK, Some(CastlingMode::Chess960)).expect("a book");
    assert_eq!((book.chess960, rights(&book)), (0, vec!["HAha".to_owned(); 4]));
    // Games: the tag is enough, and castling is found where both agree.
    let game = |variant: &str, fen: &str, moves: &str| {
        format!("[Event \"x\"]\n[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n\n{moves} *\n\n")
    };
    let (array, corner) = ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "k7/8/8/8/8/8/8/5KR1 w G - 0 1");
    let games = [
        game("Fischerandom", array, "1. e4"),
        game("Standard", corner, "1. O-O"),
        game("Atomic", array, "1. d4"),
        "[Event \"x\"]\n\n1. c4 *\n".to_owned(),
    ];
    let book = read(&games.concat(), None).expect("a book");
    assert_eq!((book.chess960, book.openings.len(), book.rejected.len()), (2, 3, 1), "{book:?}");
    assert!(book.rejected[0].why.to_string().contains("Atomic, which is neither"), "{book:?}");
    assert!(book.openings[1].moves()[0].is_castle());
    assert_eq!(rights(&book), ["HAha", "G", "HAha"]);
}

#[test]
fn chess960_in_games() {
    let place = Place::new();
    place.put("960.epd", BOOK_960);
    let run = |engines: [&str; 2], more: &str| {
        let words = engine(engines[0], "first").into_iter().chain(engine(engines[1], "second"));
        let more = format!("--openings 960.epd --seed 1 --nodes 2000 --max-moves 20 -j 1 {more}");
        let all = std::iter::once("match".to_owned()).chain(words).chain(more.split_whitespace().map(str::to_owned));
        Done(place.command(all).env(VARIABLE, "1").output().expect("the program runs"))
    };
    let both = ["plays_chess960", "plays_chess960_otherwise"];
    let done = run(both, "--log a.jsonl --pgn a.pgn").ok();
    assert!(done.out().contains("\nChess960, as 2 of these openings are\n"), "{}", done.out());
    assert!(done.err().contains("2 of 4 openings are of Chess960, by a tag or by castling rights"), "{}", done.err());
    let pgn = String::from_utf8(place.read("a.pgn")).expect("text");
    assert_eq!(pgn.matches("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN ").count(), 8);
    assert!(pgn.contains("O-O") && !pgn.contains("illegal"), "{pgn}");
    let log = String::from_utf8(place.read("a.jsonl")).expect("text");
    assert_eq!(log.lines().filter(|line| line.contains("\"chess960\":true")).count(), 5);
    // The games are legal to others, and the log to its reader.
    let summary =
        place.say("collect a.pgn -o a.counts --variant chess960 --fen-starts --min-moves 0 --at 3 --json").ok();
    assert_eq!(summary.json()["skipped"]["illegal-move"], 0);
    place.say("sprt a.jsonl a.pgn").fails(1, &["all of its 8 games are in a.jsonl as well"]);
    run(both, "--log a.jsonl --resume").ok();
    assert_eq!(String::from_utf8(place.read("a.jsonl")).expect("text"), log);
    run(both, "--log a.jsonl --resume --variant standard").fails(1, &["a.jsonl is the log of another match"]);
    run(["plays_chess960", "plays"], "").fails(1, &["second (", "has no option UCI_Chess960", "--variant standard"]);
    run(["plays_chess960", "plays"], "--variant standard").ok();
    run(both, "--each option.UCI_Chess960=true").fails(1, &["UCI_Chess960 is set where"]);
}

#[test]
fn the_end_as_markdown() {
    let place = Place::new();
    let done = play_match(&place, ["plays", "plays_otherwise"], "--nodes 2000 --log a.jsonl --report a.md").ok();
    let text = String::from_utf8(place.read("a.md")).expect("text");
    let block: String = done
        .out()
        .lines()
        .skip_while(|line| !line.starts_with("Elo: "))
        .take(4)
        .map(|line| format!("{line}\n"))
        .collect();
    for part in [
        "# first against second\n",
        &block,
        "## Pawns at move 40\n",
        "| openings | book.epd: 4 different",
        "| seed | 1 |",
        "| variant | standard chess |",
        "drawn after 20 moves",
        "| drawn by | games | first had White | second had White |",
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    // Games that are told apart by their pawns are all games.
    let rows = text.split("## Pawns").nth(1).expect("the part").lines().filter(|line| line.contains(" % ("));
    let games: u64 =
        rows.map(|row| row.split('|').nth(2).expect("games").trim().parse::<u64>().expect("a count")).sum();
    assert_eq!(games, 8);
    play_match(&place, ["plays", "plays_otherwise"], "--nodes 2000 --report a.txt")
        .fails(1, &["a.txt: expected a name that ends in .md"]);
    // Standard chess leaves no trace of other variants or of evaluations in a log.
    let log = String::from_utf8(place.read("a.jsonl")).expect("text");
    assert!(!log.contains("chess960") && !log.contains("eval"), "{log}");
}

#[test]
fn files_of_a_match_do_not_get_in_each_others_way() {
    let place = Place::new();
    for more in ["--log x --pgn x", "--log l.md --report ./l.md", "--pgn x.md --report x.md", "--log book.epd"] {
        play_match(&place, ["plays", "plays_otherwise"], &format!("--nodes 2000 {more}"))
            .fails(2, &["both name", "a file of its own"]);
    }
    for (wrong, said) in [
        ("--resign moves=0", "moves= or movecount= from 1"),
        ("--resign moves=0.5", "whole numbers"),
        ("--resign score=0", "score= from 1"),
        ("--draw moves=0", "moves= or movecount= from 1"),
        ("--max-moves 0", "--max-moves"),
        ("--patience 18446744073709551615", "--patience"),
        ("--movetime 1e19", "a year"),
        ("--tc 1e19", "is not a time control"),
    ] {
        play_match(&place, ["plays", "plays_otherwise"], &format!("--nodes 2000 {wrong}")).fails(2, &[said]);
    }
    // Nor do options that self-play has no use for pass in silence.
    let selfplay = "match --selfplay --engine arm=none --openings random:4 --games 2 --nodes 50 --pgn s.pgn";
    place.say(&format!("{selfplay} --report s.md")).fails(1, &["--selfplay writes games", "--report"]);
    let done = place.say(&format!("{selfplay} --json")).ok().json();
    assert_eq!((&done["games"], &done["faults"]), (&2.into(), &0.into()));
    // Half as many openings as games are enough for a match.
    place.say("match --engine arm=none name=a --engine arm=none name=b --allow-equal --openings random:1 --games 20 --nodes 20 -q").ok();
    // An engine that says that it does not take an option does not play without it.
    let program = env!("CARGO_BIN_EXE_drawish");
    place
        .run(
            [
                "match",
                "--engine",
                &format!("cmd={program}"),
                "args=uci",
                "name=a",
                "option.Arm=gain-head",
                "--engine",
                "arm=none",
            ]
            .into_iter()
            .chain("--openings book.epd --nodes 50".split(' ')),
        )
        .fails(1, &["does not take its options", "option Arm", "needs heads"]);
    // A run that goes on keeps others from its log.
    play_match(&place, ["plays", "plays_otherwise"], "--nodes 2000 --games 4 --log a.jsonl").ok();
    let before = place.read("a.jsonl");
    let held = std::fs::File::open(place.path("a.jsonl")).expect("the log");
    held.lock().expect("a lock");
    play_match(&place, ["plays", "plays_otherwise"], "--nodes 2000 --games 8 --log a.jsonl --resume")
        .fails(1, &["a.jsonl is being written by another run"]);
    assert!(place.read("a.jsonl") == before);
    drop(held);
    play_match(&place, ["plays", "plays_otherwise"], "--nodes 2000 --games 8 --log a.jsonl --resume").ok();
    assert!(place.read("a.jsonl").starts_with(&before));
}

#[test]
fn positions_that_are_to_be_won() {
    let place = Place::new();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let lines = format!(
        "{start} b KQkq - ce -85; id \"white is better\";\n4k3/pppppppp/8/8/8/8/PPPP4/4K3 w - - 0 1 bm a3; ce -200;\n\
         {start} w KQkq - ce 20;\n4k3/pppppp2/8/8/8/8/PPPPPPPP/4K3 w - -\n"
    );
    let rule = BookRule { band: Some(60..=250), ..BookRule::default() };
    let read = |name: &str, text: &str, rule: &BookRule| Book::read(&Input::File(place.put(name, text)), rule);
    let book = read("a.epd", &lines, &rule).expect("a book");
    assert_eq!(book.openings.iter().map(|opening| opening.eval()).collect::<Vec<_>>(), [Some(85), Some(-200)]);
    let why = |at: usize| book.rejected[at].why.to_string();
    assert_eq!(why(0), "its evaluation of 20 is not within 60 to 250");
    assert!(why(1).contains("it has no evaluation: expected the operation ce, as in ce 85"), "{book:?}");
    // Without a band evaluations are no matter.
    let book = read("a.epd", &lines, &BookRule::default()).expect("a book");
    assert!(book.openings.len() == 4 && book.openings.iter().all(|opening| opening.eval().is_none()));
    // Runners write the view of the side that moved: Black's +0.90 after its second move is the first within the band from there on.
    let game = "[Event \"x\"]\n\n1. e4 {+0.70/9 0.1s} e5 {-0.10/9 0.1s} 2. Nf3 {+0.10/9 0.1s} Nc6 {+0.90/9 0.1s} 3. Bb5 {+2.00/9 0.1s} *\n";
    let plies = |plies| BookRule { plies, ..rule.clone() };
    let book = read("b.pgn", game, &plies(Some(2))).expect("a book");
    assert_eq!((book.openings[0].moves().len(), book.openings[0].eval()), (4, Some(-90)));
    let book = read("b.pgn", game, &plies(None)).expect("a book");
    assert_eq!((book.openings[0].moves().len(), book.openings[0].eval()), (1, Some(70)));
    let error = read("b.pgn", game, &plies(Some(9))).expect_err("no position").to_string();
    assert!(error.contains("no position of this game has an evaluation within the band"), "{error}");

    // Who has the better side wins by resigning of the other: conversion and holding are counted for the right side.
    let fen = "4k3/pppppppp/8/8/8/8/PPPP4/4K3 w - - 0 1";
    let opening = opening(fen).with_eval(-200);
    let drawn = game_of(fen, None);
    let won = game_of(fen, Some(Color::Black));
    // First game: the second side has Black and wins; second game: the first side has Black and draws.
    let record = PairRecord::new(1, &opening, [&won, &drawn], Kept::default());
    let mut tally = Tally::default();
    tally.add(&record);
    let (first, second) = (Trinomial { wins: 0, draws: 1, losses: 0 }, Trinomial { wins: 1, draws: 0, losses: 0 });
    assert_eq!(tally.conversions, [first, second]);
    assert_eq!(record.score(), 0.25);

    place.put("c.epd", lines);
    let words = engine("plays", "first").into_iter().chain(engine("plays_otherwise", "second"));
    let more = "--openings c.epd --conversion 60..250 --seed 1 --nodes 5 --max-moves 5 --log c.jsonl";
    let all: Vec<String> =
        std::iter::once("match".to_owned()).chain(words).chain(more.split_whitespace().map(str::to_owned)).collect();
    let run = |more: &str| {
        let all = all.iter().cloned().chain(more.split_whitespace().map(str::to_owned));
        Done(place.command(all).env(VARIABLE, "1").output().expect("the program runs"))
    };
    let done = run("").ok();
    assert!(
        done.out().contains("Better by 60 to 250 centipawns: first won 0.0 % (0.0 to 65.8) of 2, second won"),
        "{}",
        done.out()
    );
    assert!(done.out().contains("Worse by as much: first held 100.0 % (34.2 to 100.0) of 2"), "{}", done.out());
    let last: serde_json::Value = run("--resume --json").ok().json();
    assert_eq!(last["conversion"]["better"][1]["draws"], 2);
    run("--resume --conversion 9..1").fails(2, &[]);
}

/// A game without moves.
fn game_of(fen: &str, winner: Option<Color>) -> Game {
    let rules = Rules { max_moves: Some(1), ..Rules::default() };
    Game { winner, ..game(fen, Scripted::default(), Scripted::default(), rules) }
}

/// `drawish gauntlet` with engines that behave like these, against such opponents.
fn gauntlet(place: &Place, arms: [&str; 2], opponents: &[(&str, &str)], more: &str) -> Done {
    place.put("book.epd", BOOK);
    let arms = engine(arms[0], "new").into_iter().chain(engine(arms[1], "old"));
    let opponents = opponents.iter().flat_map(|(behaviour, name)| {
        let mut words = engine(behaviour, name);
        words[0] = "--opponent".to_owned();
        words
    });
    let more = format!("--openings book.epd --nodes 2000 --max-moves 60 -j 2 --logs g {more}");
    let more = more.split_whitespace().map(str::to_owned);
    let all = std::iter::once("gauntlet".to_owned()).chain(arms).chain(opponents).chain(more);
    Done(place.command(all).env(VARIABLE, "1").output().expect("the program runs"))
}

#[test]
fn a_gauntlet_compares_opening_by_opening() {
    let place = Place::new();
    let arms = ["plays", "plays_otherwise"];
    let opponents = [("plays", "one"), ("plays_otherwise", "two/three")];
    let json = gauntlet(&place, arms, &opponents, "--seed 5 --json -q").ok().json();
    assert_eq!((&json["arms"], &json["seed"]), (&serde_json::json!(["new", "old"]), &5.into()));
    assert_eq!((&json["all"]["pairs"], &json["opponents"][1]["opponent"]), (&8.into(), &"two/three".into()));
    // The figures are those of the logs.
    let read = |name: &str| Logged::read(&place.read(&format!("g/{name}.jsonl"))).expect("a log");
    let logs = [["new-one", "old-one"], ["new-two_three", "old-two_three"]].map(|pair| pair.map(read));
    let tasks: Vec<PairedScore> = (0..)
        .zip(&logs)
        .flat_map(|(opponent, [new, old])| {
            let pairs = both(new, old).expect("the same openings");
            pairs.into_iter().map(move |pair| PairedScore { opponent, ..pair })
        })
        .collect();
    let found = PairedDifference::of(&tasks).expect("tasks");
    assert_eq!((json["all"]["scores"][0].as_f64(), json["all"]["elo"].as_f64()), (Some(found.scores[0]), found.elo));
    assert!(logs[0][0].pairs.iter().zip(&logs[1][1].pairs).all(|(one, other)| one.fen == other.fen));
    // Interrupted and gone on with, and told in words, it is the same; the seed is that of the logs.
    let before = place.read("g/new-one.jsonl");
    let lines: Vec<&[u8]> = before.split_inclusive(|&byte| byte == b'\n').collect();
    place.put("g/new-one.jsonl", lines[..3].concat());
    std::fs::remove_file(place.path("g/old-two_three.jsonl")).expect("a log");
    let text = gauntlet(&place, arms, &opponents, "-q").ok().out();
    assert!(
        text.starts_with("new and old against the same opponents from the same openings, seed 5\nopponent"),
        "{text}"
    );
    assert!(text.contains("\nall ") && text.contains("compared opening by opening"), "{text}");
    // These engines differ by the same in every opening, which is no interval of width 0.
    assert!(text.contains("There is no interval") && !text.contains("+/-"), "{text}");
    assert!(json["all"]["elo_error"].is_null(), "{json}");
    assert!(place.read("g/new-one.jsonl") == before);
    // Another seed is another match; names and options that do not go together are told.
    gauntlet(&place, arms, &opponents, "--seed 6").fails(1, &["seed was 5, now it is 6"]);
    gauntlet(&place, arms, &[("plays", "new")], "").fails(2, &["two engines are called new", "by name="]);
    gauntlet(&place, arms, &opponents, "--pgn x.pgn").fails(2, &["unexpected argument '--pgn'"]);
    gauntlet(&place, arms, &[], "").fails(2, &["--opponent"]);
    let other = Logged { setup: Setup { seed: 9, ..logs[0][1].setup.clone() }, ..logs[0][1].clone() };
    let error = both(&logs[0][0], &other).expect_err("other openings").to_string();
    assert!(error.contains("the matches of new and old differ in the seed"), "{error}");
}

/// An opening is the beginning of another, and what follows is forced.
#[test]
fn openings_of_a_gauntlet_with_the_same_games_are_one() {
    let place = Place::new();
    let lines = ["1. e4 e5 2. Qh5 Nc6 3. Qxf7+", "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7", "1. d4 d5"];
    place.put("book.pgn", lines.map(|moves| format!("[Event \"?\"]\n[Result \"*\"]\n\n{moves} *\n\n")).concat());
    let arms = "gauntlet --engine arm=none name=a nodes=100 --engine arm=none name=b nodes=80 --opponent arm=none name=x nodes=60";
    let run = format!("{arms} --openings book.pgn --order sequential --pairs 3 --seed 1 --logs g -q");
    let text = place.run(run.split_whitespace()).ok().out();
    let same =
        "b against x: 1 of 3 pairs is the same games as an earlier pair: openings that led to these count as one";
    assert!(text.contains(same) && !text.contains("a against x"), "{text}");
    let json = place.run(run.split_whitespace().chain(["--json"])).ok().json();
    assert_eq!(json["opponents"][0]["repeated"], serde_json::json!([0, 1]));
    let [a, b] = ["a", "b"].map(|name| Logged::read(&place.read(&format!("g/{name}-x.jsonl"))).expect("a log"));
    let clusters: Vec<u32> = both(&a, &b).expect("the same openings").iter().map(|pair| pair.cluster).collect();
    assert_eq!(clusters, [0, 0, 2]);
}

/// Real games of Chess960 and double Chess960: their tags and moves are understood as openings.
#[test]
fn chess960_of_tournaments() {
    let Some(path) = shared("data/tcec-frc.pgn.zst") else { return };
    let book = Book::read(&Input::File(path), &BookRule { plies: Some(60), ..BookRule::default() }).expect("a book");
    eprintln!("{} openings, {} of Chess960, {} rejected", book.openings.len(), book.chess960, book.rejected.len());
    assert!(book.chess960 > 4000, "{}", book.chess960);
    for rejected in &book.rejected {
        let is_known = matches!(
            rejected.why,
            // Games that were drawn early by repetition are among them.
            OpeningError::Over | OpeningError::Repetition | OpeningError::Position { .. }
        );
        assert!(is_known, "{rejected:?}");
    }
}

#[test]
fn packed_books() {
    for (name, openings) in
        [("UHO_4060_v4.epd.zst", 241_670), ("8moves_v3.pgn.zst", 34_700), ("noob_3moves.epd.zst", 150_932)]
    {
        let Some(path) = shared(&format!("data/books/{name}")) else { return };
        let book =
            Book::read(&Input::File(path), &BookRule { plies: Some(16), ..BookRule::default() }).expect("a book");
        let read = (book.openings.len() as u64 + book.duplicates, book.rejected.len());
        assert_eq!(read, (openings, 0), "{name}: {:?}", book.rejected.first());
    }
}

const BOOK: &str = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1\n\
    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\
    rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n\
    rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1\n";

/// `drawish match` between engines that behave like this.
fn play_match(place: &Place, engines: [&str; 2], more: &str) -> Done {
    place.put("book.epd", BOOK);
    let words = engine(engines[0], "first").into_iter().chain(engine(engines[1], "second"));
    let length = if more.contains("--max-moves") { "" } else { "--max-moves 20" };
    let more = format!("--openings book.epd --seed 1 -j 2 {length} {more}");
    let all: Vec<String> =
        std::iter::once("match".to_owned()).chain(words).chain(more.split_whitespace().map(str::to_owned)).collect();
    Done(place.command(all).env(VARIABLE, "1").output().expect("the program runs"))
}

#[test]
fn engines_that_behave() {
    let place = Place::new();
    let done = play_match(
        &place,
        ["plays", "plays_otherwise"],
        "--nodes 2000 --log a.jsonl --pgn a.pgn --json --each option.hash=8",
    )
    .ok();
    let lines: Vec<serde_json::Value> =
        done.out().lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let [.., last] = lines.as_slice() else { panic!("no lines") };
    assert_eq!((lines.len(), &last["games"], &last["finished"]), (5, &8.into(), &true.into()));
    assert_eq!(last["faults"], serde_json::json!([{}, {}]));
    // What was written is read back: every game, with its evaluations.
    let pgn = String::from_utf8(place.read("a.pgn")).expect("text");
    assert_eq!(pgn.matches("[Event ").count(), 8);
    assert!(pgn.contains("{+0.32/3, n=1234, sd=5}"), "{pgn}");
    let eval = eval_in_comment(b"+0.32/3, n=1234, sd=5").expect("an evaluation");
    assert_eq!((eval.value, eval.depth), (EvalValue::Centipawns(32), Some(3)));
    let summary = place.say("collect a.pgn -o a.counts --fen-starts --min-moves 0 --at 3 --replay --json").ok().json();
    assert_eq!((&summary["games"], &summary["skipped"]["illegal-move"]), (&8.into(), &0.into()));
    assert_eq!(place.read("a.jsonl").iter().filter(|&&byte| byte == b'\n').count(), 5);
}

#[test]
fn times_are_kept_where_they_matter() {
    let place = Place::new();
    play_match(&place, ["plays", "plays_otherwise"], "--tc 5+0.1 --pairs 1 --max-moves 5 --pgn a.pgn").ok();
    let pgn = String::from_utf8(place.read("a.pgn")).expect("text");
    assert!(pgn.contains("[WhiteTimeControl \"5+0.1\"]") && pgn.contains("Draw by adjudication"), "{pgn}");
    let comment = pgn.split('{').nth(1).and_then(|rest| rest.split('}').next()).expect("a comment");
    let (score, rest) = comment.split_once(' ').expect("a time");
    let (time, nodes) = rest.split_once(", ").expect("nodes");
    assert_eq!((score, nodes), ("+0.32/3", "n=1234, sd=5"));
    assert!(
        time.strip_suffix('s').and_then(|time| time.parse::<f64>().ok()).is_some_and(|time| time < 5.0),
        "{comment}"
    );
}

#[test]
fn a_match_goes_on_only_as_itself() {
    let place = Place::new();
    let with =
        |more: &str| play_match(&place, ["plays", "plays_otherwise"], &format!("--log a.jsonl --pgn a.pgn {more}"));
    with("--nodes 2000 --pairs 2").ok();
    with("--nodes 2000 --pairs 2").fails(1, &["a.jsonl holds a match already", "by --resume"]);
    place.put("b.pgn", "[Event \"mine\"]\n");
    let other = |pgn: &str, more: &str| {
        play_match(&place, ["plays", "plays_otherwise"], &format!("--log a.jsonl --pgn {pgn} --resume {more}"))
    };
    other("b.pgn", "--nodes 2000").fails(1, &["b.pgn holds other games already"]);
    assert_eq!(place.read("b.pgn"), b"[Event \"mine\"]\n");
    other("a.pgn", "--nodes 3000")
        .fails(1, &["another match: sides.1.limits was \"2000 nodes\", now it is \"3000 nodes\""]);
    let before = place.read("a.jsonl");
    let text = other("a.pgn", "--nodes 2000").ok().out();
    assert!(text.contains("going on after 2 pairs of the log") && text.contains("Games: 8,"), "{text}");
    let text = other("a.pgn", "--nodes 2000").ok().out();
    assert!(text.contains("nothing is left to play: the log has 4 pairs\n"), "{text}");
    assert!(place.read("a.jsonl").starts_with(&before));
}

#[test]
fn engines_that_do_not() {
    let place = Place::new();
    for (behaviour, end, games) in [
        ("dies_in_its_fifth_move", "crash", 8),
        ("plays_an_illegal_move", "illegal", 1),
        ("gives_up", "illegal", 1),
        // Every game begins with a fresh process after a fault, and this engine fails in each.
        ("falls_silent", "stall", 2),
        ("never_ends_its_line", "stall", 2),
    ] {
        let pairs = if games == 8 { 4 } else { 1 };
        let more = format!("--nodes 2000 --patience 1 --pairs {pairs} --json");
        let done = play_match(&place, ["plays", behaviour], &more).ok();
        let last: serde_json::Value = serde_json::from_str(done.out().lines().last().expect("a line")).expect("JSON");
        assert_eq!(last["faults"], serde_json::json!([{}, { end: games }]), "{behaviour}");
    }
    let text = play_match(&place, ["falls_silent", "plays"], "--nodes 2000 --patience 1 --pairs 1").ok().out();
    assert!(text.contains("Lost by faults of first: 2 stall."), "{text}");
}

/// A second answer is none to the next question: this engine answers each question twice, and plays as if it had not.
#[test]
fn engines_that_answer_twice() {
    let place = Place::new();
    let more = "--nodes 2000 --pairs 2 --max-moves 12 --json";
    let faults = |behaviour| {
        let done = play_match(&place, [behaviour, "plays_otherwise"], more).ok();
        let last: serde_json::Value = serde_json::from_str(done.out().lines().last().expect("a line")).expect("JSON");
        (last["faults"].clone(), last["plies"].clone())
    };
    assert_eq!(faults("answers_twice"), faults("plays"));
}

/// A network or a script that is another now would be another engine under the same name.
#[test]
fn a_match_goes_on_with_the_same_files() {
    let place = Place::new();
    let run = |more: &str| {
        play_match(&place, ["plays net.nnue notes.txt", "plays"], &format!("--nodes 2000 --log a.jsonl {more}"))
    };
    place.put("net.nnue", "one");
    place.put("notes.txt", "one");
    run("--games 2").ok();
    place.put("notes.txt", "two");
    run("--games 4 --resume").ok();
    let log = place.read("a.jsonl");
    place.put("net.nnue", "two");
    run("--games 8 --resume").fails(1, &["is the log of another match: sides.1.files.1.2 was "]);
    assert!(place.read("a.jsonl") == log);
}

/// What an engine writes in the place of a move is repeated, but not all of it, and nothing that steers a terminal.
#[test]
fn engines_that_shout() {
    let place = Place::new();
    let more = "--nodes 2000 --pairs 1 --log a.jsonl --pgn a.pgn";
    play_match(&place, ["shouts", "plays"], more).ok();
    let (log, pgn) = (place.read("a.jsonl"), place.read("a.pgn"));
    assert!(log.len() < 10_000 && pgn.len() < 10_000, "{} and {} bytes", log.len(), pgn.len());
    let text = String::from_utf8(pgn).expect("text");
    assert!(text.contains("makes an illegal move: ?[2J??x"), "{text}");
    assert!(!text.contains(['\u{1b}', '\u{202e}']) && text.matches('}').count() == text.matches('{').count(), "{text}");
}

/// A quote in the name of a book is escaped in its games, which are known again.
#[cfg(unix)]
#[test]
fn names_of_books_do_not_break_the_games() {
    let place = Place::new();
    place.put("a\"b\n].epd", BOOK);
    let run = |more: &[&str]| {
        let words = engine("plays", "first").into_iter().chain(engine("plays_otherwise", "second"));
        let rest = [
            "--openings",
            "a\"b\n].epd",
            "--seed",
            "1",
            "--max-moves",
            "5",
            "--nodes",
            "9",
            "--log",
            "a.jsonl",
            "--pgn",
            "a.pgn",
        ];
        let all = std::iter::once("match".to_owned()).chain(words);
        let all = all.chain(rest.iter().chain(more).map(|word| (*word).to_owned()));
        Done(place.command(all).output().expect("the program runs")).ok()
    };
    run(&["--pairs", "1"]);
    run(&["--pairs", "2", "--resume"]);
    let text = String::from_utf8(place.read("a.pgn")).expect("text");
    assert_eq!(text.matches("[Event \"drawish match, a\\\"b ].epd, seed 1\"]\n").count(), 4, "{text}");
}

/// A start script whose own child hangs holds the pipes too; all of it is ended.
#[cfg(unix)]
#[test]
fn scripts_that_hang() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.put("book.epd", BOOK);
    let script = "#!/bin/sh\nwhile read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; \
                  go) sleep 300;; quit) exit;; esac; done\n";
    let path = place.put("hangs.sh", script);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    let begun = std::time::Instant::now();
    let line = "match --engine cmd=./hangs.sh name=one --engine cmd=./hangs.sh name=two --openings book.epd --pairs 1 --nodes 9 \
                --patience 1";
    let text = place.say(line).ok().out();
    assert!(
        text.contains("Lost by faults of one: 1 stall.") && text.contains("Lost by faults of two: 1 stall."),
        "{text}"
    );
    assert!(begun.elapsed() < Duration::from_secs(60), "waited for the child of the script");
}

/// An engine that is rebuilt while it plays would go on under the name of the old one; here its opponent does it.
#[cfg(unix)]
#[test]
fn engines_that_are_replaced() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.put("book.epd", BOOK);
    let program = env!("CARGO_BIN_EXE_drawish");
    let put = |name: &str, more: &str| {
        let path = place.put(name, format!("#!/bin/sh\n{more}\nexec {program} uci\n"));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    };
    let refused = [
        "one (./own.sh): ./own.sh is another file than when this run began",
        "put things back as they were and resume",
    ];
    let engines = "--engine cmd=./own.sh name=one --engine cmd=./other.sh name=two";
    let rest = "--openings book.epd --seed 1 -j 1 --nodes 20 --max-moves 4 --pairs 2";
    put("own.sh", "");
    put("other.sh", "echo '# new' >> own.sh");
    place.say(&format!("match {engines} --each restart=on {rest} --log a.jsonl")).fails(1, &refused);
    // Each match of a gauntlet starts its engines anew; the other one plays behind the first match.
    put("own.sh", "");
    let opponents = ["b", "c"].map(|name| format!("--opponent cmd={program} args=uci name={name}")).join(" ");
    place.say(&format!("gauntlet {engines} {opponents} {rest} --logs logs")).fails(1, &refused);
    assert!(place.path("logs/two-b.jsonl").exists() && !place.path("logs/one-c.jsonl").exists());
    // Nothing else is refused.
    put("other.sh", "");
    place.say(&format!("gauntlet {engines} {opponents} {rest} --logs others")).ok();
    // What a script starts is known by what it calls itself.
    let renamed = format!(
        "{program} uci | while IFS= read -r line; do case $line in 'id name'*) echo \"id name $(cat called)\";; *) printf '%s\\n' \"$line\";; \
         esac; done; exit"
    );
    put("own.sh", &renamed);
    place.put("called", "old");
    put("other.sh", "echo new > called");
    let text = place.say(&format!("gauntlet {engines} {opponents} {rest} --logs renamed")).ok().out();
    assert!(text.contains("\none calls itself old in one match and new in another: two engines have played"), "{text}");
    // A network that comes or goes is another one, too.
    put("own.sh", "");
    for (way, change) in [("comes", "touch own.nnue"), ("goes", "rm -f own.nnue")] {
        place.put("own.nnue", "");
        if way == "comes" {
            std::fs::remove_file(place.path("own.nnue")).expect("a file");
        }
        put("other.sh", change);
        let engines = engines.replace("name=one", "name=one args=own.nnue");
        let run = format!("match {engines} --each restart=on {rest} --log {way}.jsonl");
        place
            .say(&run)
            .fails(1, &["one (./own.sh): own.nnue is another file than when this run began, or has come or gone"]);
    }
}

#[test]
fn engines_that_need_to_be_told() {
    let place = Place::new();
    let text = play_match(&place, ["waits_for_stop", "plays"], "--nodes 2000 --patience 1 --pairs 1").ok().out();
    assert!(text.contains("first went far beyond its limit in 1 move: it does not keep to 2000 nodes."), "{text}");
    let text =
        play_match(&place, ["plays", "searches_a_million_nodes"], "--nodes 2000 --pairs 1 --max-moves 3").ok().out();
    assert!(text.contains("second went far beyond its limit in 6 moves: it does not keep to 2000 nodes."), "{text}");
    let text = play_match(&place, ["thinks_too_long", "plays"], "--movetime 0.2 --pairs 1").ok().out();
    assert!(text.contains("Lost by faults of first: 1 late."), "{text}");
    let text = play_match(&place, ["plays", "thinks_too_long"], "--tc 0.1+0.05 --pairs 1").ok().out();
    assert!(text.contains("Lost by faults of second: 1 late."), "{text}");
}

#[test]
fn too_many_faults_end_the_match_but_not_the_log() {
    let place = Place::new();
    let more = "--nodes 2000 --log a.jsonl --fault-limit 3";
    play_match(&place, ["plays", "dies_in_its_fifth_move"], more)
        .fails(1, &["second: lost 4 games by crashing or stalling"]);
    assert_eq!(place.read("a.jsonl").iter().filter(|&&byte| byte == b'\n').count(), 3);
}

#[test]
fn verdicts_are_exit_codes() {
    let place = Place::new();
    let sprt = |elo1| format!("--nodes 2000 --sprt elo0=0 elo1={elo1} alpha=0.4 beta=0.4 model=logistic");
    let code = |engines, more: &str| play_match(&place, engines, more).code();
    assert_eq!(code(["plays", "dies_in_its_fifth_move"], &sprt(400)), 0);
    assert_eq!(code(["dies_in_its_fifth_move", "plays"], &sprt(400)), 3);
    assert_eq!(code(["plays", "plays_otherwise"], "--nodes 2000 --sprt elo0=0 elo1=1 --pairs 2"), 4);
}

#[test]
fn what_cannot_be_played_is_told() {
    let place = Place::new();
    place.put("book.epd", BOOK);
    play_match(&place, ["plays", "is_no_engine"], "--nodes 9")
        .fails(1, &["second (", "has ended without answering \"uci\""]);
    play_match(&place, ["plays", "plays"], "--nodes 9 --each option.Hash=65")
        .fails(1, &["option Hash cannot be \"65\": expected a whole number from 1 to 64"]);
    play_match(&place, ["plays", "plays"], "--nodes 9 --each option.Foo=1")
        .fails(1, &["has no option \"Foo\"; it has Hash, Style"]);
    play_match(&place, ["plays", "plays"], "--nodes 9 --pairs 5")
        .fails(1, &["5 pairs are asked for, but book.epd has 4"]);
    play_match(&place, ["plays", "plays"], "").fails(2, &["nothing limits the thinking of first"]);
    play_match(&place, ["plays", "plays"], "--nodes 9 --games 3").fails(2, &["--games must be even"]);
    play_match(&place, ["plays", "plays"], "--nodes 9 --sprt elo0=0 elo1=300")
        .fails(2, &["the bound 300 cannot be tested"]);
    play_match(&place, ["plays", "plays"], "--nodes 9 --sprt elo0=0").fails(2, &["--sprt needs both elo0= and elo1="]);
    play_match(&place, ["plays", "plays"], "--tc 5+x").fails(2, &["\"5+x\" is not a time control"]);
    play_match(&place, ["plays", "plays"], "--nodes 9 --log /nowhere/a.jsonl")
        .fails(1, &["/nowhere/a.jsonl", "choose a place"]);
    for (words, code, said) in [
        (
            "--engine cmd=x name=a --engine cmd=y name=a --nodes 9",
            2,
            "two engines are called a: give each a name of its own, by name=",
        ),
        ("--engine cmd=x --engine cmd=y --nodes 9 --log -", 2, "--log, --pgn and --epd need files"),
        ("--engine cmd=x name=a --nodes 9", 2, "1 engine given; a match needs --engine twice"),
        (
            "--engine cmd=x --engine cmd=y --engine cmd=z --nodes 9",
            2,
            "a match needs --engine twice; drawish tournament plays more",
        ),
        ("--engine name=a --engine cmd=y --nodes 9", 2, "an engine without a program"),
        ("--engine cmd=x speed=1 --engine cmd=y --nodes 9", 2, "no setting is called \"speed\""),
        ("--engine cmd=./x --engine cmd=./y --nodes 9", 1, "x (./x): cannot be started"),
    ] {
        place.say(&format!("match {words} --openings book.epd")).fails(code, &[said]);
    }
    place
        .say("match --engine cmd=x --engine cmd=y --nodes 9 --openings none.epd")
        .fails(1, &["none.epd", "check the name"]);
}

/// Killed at random moments and gone on with, the log and the games are those of a run that was left alone.
#[test]
fn killed_again_and_again() {
    let place = Place::new();
    let book: String = openings(30)
        .iter()
        .map(|opening| {
            let mut position = shakmaty::Chess::new();
            opening.moves().iter().for_each(|&played| position.play_unchecked(played));
            shakmaty::fen::Fen::from_position(&position, shakmaty::EnPassantMode::Legal).to_string() + "\n"
        })
        .collect();
    place.put("many.epd", book);
    let command = |log: &str| {
        let words = engine("plays", "first").into_iter().chain(engine("plays_otherwise", "second"));
        let more = format!(
            "--openings many.epd --nodes 2000 --max-moves 40 --seed 5 -j 2 -q --resume --log {log}.jsonl --pgn {log}.pgn"
        );
        let all: Vec<String> = std::iter::once("match".to_owned())
            .chain(words)
            .chain(more.split_whitespace().map(str::to_owned))
            .collect();
        let mut command = place.command(all);
        command.env(VARIABLE, "1").stdout(std::process::Stdio::null());
        command
    };
    assert!(command("alone").status().expect("the program runs").success());
    let mut kills = 0;
    for round in 0..50_u64 {
        let mut child = command("killed").spawn().expect("the program runs");
        std::thread::sleep(Duration::from_millis(20 + 37 * round % 90));
        let killed = child.try_wait().expect("a status").is_none();
        let _ = child.kill();
        let status = child.wait().expect("a status");
        kills += u32::from(killed);
        if status.success() {
            break;
        }
    }
    assert!(command("killed").status().expect("the program runs").success());
    assert!(kills > 3, "killed only {kills} times");
    assert!(place.read("alone.jsonl") == place.read("killed.jsonl"));
    assert!(place.read("alone.pgn") == place.read("killed.pgn"));
}

#[test]
fn a_move_is_written_as_uci_has_it() {
    // Castling is the king's move of two squares, which every engine understands.
    let castle: UciMove = "e1g1".parse().expect("a move");
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let white = Scripted::moves("e1g1");
    let played = game(fen, white, Scripted::default(), Rules { max_moves: Some(1), ..Rules::default() });
    let record = PairRecord::new(1, &opening(fen), [&played, &played], Kept::default());
    assert!(record.games[0].moves.starts_with(&castle.to_string()), "{}", record.games[0].moves);
    assert!(record.is_legal());
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    assert!(
        record
            .to_pgn(&PgnTags { event: "x", names: ["a \"b\"", "c"], limits: [limits; 2], ..PgnTags::default() })
            .contains("[White \"a \\\"b\\\"\"]")
    );
}
