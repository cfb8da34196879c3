//! Tournaments: the log is the same however they are interrupted, and others are refused.

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use drawish_match::arena::Limits;
use drawish_match::contest::{ArmSettings, ContestError, Engine, Openings};
use drawish_match::results::{Against, Choice, Run, Source, judge, read_all};
use drawish_match::tournament::{LoggedTournament, Schedule, Tournament, TournamentEvent, TournamentPlayed};
use drawish_stats::{EloZero, Model, Sprt};

const ROUNDS: u64 = 3;

fn tournament(nodes: &[u64]) -> Tournament {
    let arm = ArmSettings::from_pairs([("arm", "none"), ("hash", "1")]).expect("an arm");
    let engine = |nodes: &u64| Engine::from(arm.clone()).named(format!("n{nodes}")).limits(Limits::nodes(*nodes));
    let mut tournament = Tournament::new(nodes.iter().map(engine).collect(), Openings::Random(4));
    (tournament.terms.pairs, tournament.terms.seed) = (Some(ROUNDS), Some(7));
    tournament.terms.rules.max_moves = Some(12);
    tournament
}

fn go_on(_: TournamentEvent<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn play(tournament: Tournament, log: &Path, resume: bool) -> Result<TournamentPlayed, ContestError> {
    let mut tournament = tournament;
    (tournament.log, tournament.pgn) = (Some(log.to_owned()), Some(log.with_extension("pgn")));
    tournament.resume = resume;
    tournament.run(go_on)
}

#[test]
fn interruptions_and_workers_change_nothing() {
    let place = tempfile::tempdir().expect("a directory");
    let (whole, other) = (place.path().join("whole.jsonl"), place.path().join("other.jsonl"));
    let setting = tournament(&[10, 20, 30, 40]);
    let played = play(setting.clone(), &whole, false).expect("a tournament");
    assert_eq!((played.standing.pairs(), played.rounds), (6 * ROUNDS, ROUNDS));
    let (log, pgn) = (fs::read(&whole).expect("a log"), fs::read(whole.with_extension("pgn")).expect("games"));
    let text = String::from_utf8(log.clone()).expect("text");
    assert!(text.starts_with(r#"{"tournament":1,"schedule":"round-robin","sides":["#), "{text}");
    let second = text.lines().nth(2).expect("a line");
    assert!(second.starts_with(r#"{"players":["n10","n30"],"pair":2,"#), "{second}");
    // Within a round all pairings have the same opening.
    let logged = LoggedTournament::read(&log).expect("a log");
    let openings: Vec<&str> = logged.pairs.iter().map(|pair| pair.book.as_str()).collect();
    assert!(openings.chunks(6).all(|round| round.iter().all(|opening| opening == &round[0])), "{openings:?}");
    assert!(openings[0] != openings[6]);
    assert_eq!(logged.standing(), played.standing);
    let first = log.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
    // Cuts within the first line, at its end, within a pair, at the end of one and at the end of all.
    let cuts = [0, 1, first / 2, first - 1, first, first + 9, log.len() / 2, log.len() - 1, log.len()];
    for (cut, workers) in cuts.into_iter().zip([1, 2, 3].into_iter().cycle()) {
        fs::write(&other, &log[..cut]).expect("a log");
        let _ = fs::remove_file(other.with_extension("pgn"));
        let mut again = setting.clone();
        again.terms.workers = NonZeroUsize::new(workers);
        let resumed = play(again, &other, true).unwrap_or_else(|error| panic!("{cut}: {error}"));
        assert!(fs::read(&other).expect("a log") == log, "cut at {cut}");
        assert!(fs::read(other.with_extension("pgn")).expect("games") == pgn, "cut at {cut}");
        assert_eq!(resumed.standing, played.standing);
    }
    // A few more rounds continue it.
    let mut more = setting;
    more.terms.pairs = Some(ROUNDS - 1);
    let shorter = place.path().join("shorter.jsonl");
    play(more.clone(), &shorter, false).expect("a tournament");
    more.terms.pairs = Some(ROUNDS);
    assert!(play(more, &shorter, true).is_err_and(|error| error.to_string().contains("openings was")));
}

/// All opponents are met from the same openings, which the log and the games tell alike.
#[test]
fn results_against_all_are_by_opening() {
    let place = tempfile::tempdir().expect("a directory");
    let log = place.path().join("log.jsonl");
    let mut setting = tournament(&[10, 20, 30]);
    setting.terms.pairs = Some(12);
    play(setting, &log, false).expect("a tournament");
    let choice = Choice { first: Some("n10".to_owned()), against: Against::All };
    let read = |path: &Path| -> Vec<Run> {
        let words = [path.to_str().expect("a name").to_owned()];
        read_all(&Source::of_words(&words).expect("a source"), &choice).expect("results")
    };
    let [of_log, of_games] = [read(&log), read(&log.with_extension("pgn"))];
    assert_eq!((of_log[0].counted, of_log[0].design_effect), (of_games[0].counted, of_games[0].design_effect));
    for runs in [of_log, of_games] {
        let said: Vec<String> = runs[0].remarks.iter().map(ToString::to_string).collect();
        assert!(said.iter().any(|said| said == "24 pairs from 12 openings: errors by opening"), "{said:?}");
        assert!(judge(&runs, None, None).is_ok());
        let test = Sprt::new(Model::Normalized, 0.0, 5.0, 0.05, 0.05).expect("a test");
        assert!(judge(&runs, Some(test), None).is_err_and(|error| error.to_string().contains("choose one opponent")));
    }
}

#[test]
fn other_logs_are_refused() {
    let place = tempfile::tempdir().expect("a directory");
    let log = place.path().join("log.jsonl");
    play(tournament(&[10, 20, 30]), &log, false).expect("a tournament");
    let refused = |tournament: Tournament, resume: bool, said: &str| {
        let error = play(tournament, &log, resume).expect_err("refused").to_string();
        assert!(error.contains(said), "{error}");
    };
    refused(tournament(&[10, 20, 30]), false, "holds a match already");
    let mut faster = tournament(&[10, 20, 30]);
    faster.engines[2].limits = Limits::nodes(31);
    refused(faster, true, "sides.3.limits was \"30 nodes\", now it is \"31 nodes\"");
    refused(tournament(&[10, 20]), true, "sides was ");
    let mut gauntlet = tournament(&[10, 20, 30]);
    gauntlet.schedule = Schedule::Gauntlet { seeds: NonZeroUsize::MIN };
    refused(gauntlet, true, "schedule was \"round-robin\", now it is {\"gauntlet\":{\"seeds\":1}}");
    let text = fs::read_to_string(&log).expect("text");
    let kept = text.replace("1/2-1/2", "1-0");
    fs::write(&log, if kept == text { text.replace("1-0", "0-1") } else { kept }).expect("a log");
    refused(tournament(&[10, 20, 30]), true, "is damaged: it was changed after it was written");
    for other in [
        "{\"format\":3,\"sides\":[]}\n",
        "[Event \"x\"]\n",
        "{\"tournament\":1}\n",
        "{\"tournament\":2,\"sides\":[]}\n",
    ] {
        fs::write(&log, other).expect("a file");
        let error = play(tournament(&[10, 20, 30]), &log, true).expect_err("refused").to_string();
        let expected =
            if other.contains("tournament") { "line 1 is damaged" } else { "is not the log of a tournament" };
        assert!(error.contains(expected), "{other}: {error}");
        assert_eq!(fs::read_to_string(&log).expect("untouched"), other);
    }
}

#[test]
fn what_cannot_be_played_is_refused() {
    let said = |tournament: Tournament| tournament.run(go_on).expect_err("refused").to_string();
    assert!(said(tournament(&[10, 20, 10])).contains("two engines are called n10"));
    assert!(said(tournament(&[10])).contains("nobody plays in a round robin with 1 engine: name"));
    let mut equal = tournament(&[10, 20, 30]);
    equal.engines[2] = equal.engines[0].clone().named("again");
    assert!(said(equal.clone()).contains("n10 and again search alike"));
    // In a gauntlet these two do not meet.
    equal.schedule = Schedule::Gauntlet { seeds: NonZeroUsize::MIN };
    equal.engines.swap(0, 1);
    assert_eq!(equal.run(go_on).expect("a gauntlet").standing.pairs(), 2 * ROUNDS);
    let mut unlimited = tournament(&[10, 20, 30]);
    unlimited.engines[1].limits = Limits::default();
    assert!(said(unlimited).contains("nothing limits the thinking of n20"));
}

/// Engines that play alike give the same games in all their pairings, which no count of repeats within a pairing sees.
#[test]
fn equal_games_of_different_pairings_are_counted() {
    let mut three = tournament(&[30, 30, 30]);
    three.allow_equal = true;
    three.engines.iter_mut().zip(["a", "b", "c"]).for_each(|(engine, name)| engine.name = name.to_owned());
    let standing = three.run(go_on).expect("a tournament").standing;
    assert_eq!(standing.shared(), 2 * ROUNDS, "two of three pairings have the games of the first");
    assert_eq!(standing.to_be_shown().shared(), 2 * ROUNDS);
    assert!(standing.meetings().iter().all(|meeting| meeting.tally.repeated() == 0));
    let others = tournament(&[10, 30, 200]).run(go_on).expect("a tournament").standing;
    assert_eq!(others.shared(), 0);
}

/// A book that is played through three times by engines that play the same games rates them as it does once.
#[test]
fn the_same_games_rate_nobody_twice() {
    let place = tempfile::tempdir().expect("a directory");
    let book = place.path().join("book.epd");
    let pawns = ["4P3/8/PPPP1PPP", "3P4/8/PPP1PPPP", "2P5/8/PP1PPPPP"];
    let line = |pawns: &str| format!("rnbqkbnr/pppppppp/8/8/{pawns}/RNBQKBNR b KQkq - 0 1\n");
    fs::write(&book, pawns.map(line).concat()).expect("a book");
    let mut setting = tournament(&[10, 30, 200]);
    setting.terms.openings = book.into();
    let once = setting.clone().run(go_on).expect("a tournament").standing;
    (setting.terms.pairs, setting.terms.repeat_openings) = (Some(3 * ROUNDS), true);
    let often = setting.run(go_on).expect("a tournament").standing;
    let repeated: u64 = often.meetings().iter().map(|meeting| meeting.tally.repeated()).sum();
    assert_eq!((often.pairs(), repeated), (3 * once.pairs(), 2 * once.pairs()));
    let zero = EloZero::Mean;
    assert_eq!(often.ratings(zero), once.ratings(zero));
}
