//! Ranges of a match, and the log that is put together from theirs.

use std::fs;
use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};

use drawish_match::arena::{End, GameRecord, Logged};
use drawish_match::contest::{
    ArmSettings, Contest, ContestError, Event, GatherError, GatherLogsError, Gathering, Openings, Ready, TestOfLog,
};
use drawish_stats::{Decision, Model, Sprt};

const PAIRS: u64 = 12;

fn contest() -> Contest {
    let arm =
        |pairs: [(&str, &str); 2]| ArmSettings::from_pairs(pairs.into_iter().chain([("hash", "1")])).expect("an arm");
    let (table, none) = (arm([("arm", "draw-table"), ("table", "rival")]), arm([("arm", "none"), ("taper", "true")]));
    let mut contest = Contest::new(table, none, Openings::Random(6)).pairs(PAIRS).nodes(60).seed(3);
    contest.terms.moves_of_every = NonZeroU64::new(3).expect("3");
    contest
}

/// A test that ends the match before its last pair.
fn sprt() -> Sprt {
    Sprt::new(Model::Normalized, 0.0, 120.0, 0.3, 0.3).expect("a test")
}

fn go_on(_: Event<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().expect("a directory"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The log of one run.
    fn whole(&self, contest: Contest) -> (Vec<u8>, Decision) {
        let log = self.path("one-run.jsonl");
        let played = contest.log(&log).run(go_on).expect("a match");
        (fs::read(log).expect("a log"), played.finished.decision)
    }

    /// The log of a range.
    fn part(&self, ready: &Ready, range: RangeInclusive<u64>) -> Logged {
        let log = self.path(&format!("{range:?}.jsonl"));
        let _ = fs::remove_file(&log);
        ready.play_range(range, &log, NonZeroUsize::MIN, go_on).expect("a range");
        Logged::read(&fs::read(log).expect("a log")).expect("a log")
    }
}

fn gathering(ready: &Ready, log: &Path, sprt: Option<Sprt>) -> Gathering {
    let (setup, origin) = ready.header().expect("engines");
    Gathering::open_with(log, &setup, origin, ready.pairs(), sprt, 10).expect("a log")
}

#[test]
fn ranges_give_the_log_of_one_run() {
    let place = Place::new();
    let (whole, _) = place.whole(contest());
    let ready = contest().ready(go_on).expect("a match");
    let log = place.path("gathered.jsonl");
    for range in [1..=1, 2..=7, 8..=11, 12..=12] {
        // Each time as after an interruption, and with pairs that are there already.
        let mut gathering = gathering(&ready, &log, None);
        let (first, last): (u64, u64) = (*range.start().max(&2) - 1, *range.end());
        let part = place.part(&ready, first..=last);
        assert_eq!(part.setup.first_pair.get(), first);
        gathering.add(&part).expect("pairs");
        assert_eq!((gathering.wanted(), gathering.is_over()), (last + 1, last == PAIRS));
    }
    assert_eq!(fs::read(log).expect("a log"), whole);
}

#[test]
fn logs_are_put_together_in_any_order() {
    let place = Place::new();
    let (whole, _) = place.whole(contest());
    let ready = contest().ready(go_on).expect("a match");
    let logs = [7..=PAIRS, 1..=6].map(|range| {
        place.part(&ready, range.clone());
        place.path(&format!("{range:?}.jsonl"))
    });
    let log = place.path("gathered.jsonl");
    let gathering = Gathering::of_logs(&log, &logs).expect("ranges of one match");
    assert_eq!(gathering.wanted(), PAIRS + 1);
    assert_eq!(fs::read(log).expect("a log"), whole);
    let refused = |ranges| Gathering::of_logs(&place.path("gap.jsonl"), ranges).expect_err("a refusal");
    let gap = refused(&logs[..1]);
    let GatherLogsError::Range { path, source: GatherError::Gap { wanted: 1, first: 7 } } = gap else {
        panic!("{gap:?}");
    };
    assert_eq!(path, logs[0]);
    assert!(matches!(refused(&[]), GatherLogsError::Nothing));
    assert!(matches!(refused(&[place.path("absent.jsonl")]), GatherLogsError::Read { .. }));
}

/// A run that was killed leaves a line without its end, and nobody sees that a pair is missing at the end of a match.
#[test]
fn a_cut_pair_is_named_and_packed_ranges_are_read() {
    let place = Place::new();
    let ready = contest().ready(go_on).expect("a match");
    place.part(&ready, 1..=3);
    place.part(&ready, 4..=PAIRS);
    let (log, range) = (place.path("gathered.jsonl"), place.path("1..=3.jsonl"));
    let text = fs::read(&range).expect("a log");
    fs::write(&range, &text[..text.len() - 9]).expect("a cut log");
    let said = Gathering::of_logs(&log, std::slice::from_ref(&range)).expect("a range").remarks();
    assert!(said.len() == 1 && said[0].starts_with("pair 3 is not written to its end"), "{said:?}");
    fs::write(&range, &text).expect("the whole log");
    let packed = place.path("packed.jsonl.zst");
    drawish_artefact::outfile::write_packed(
        &packed,
        &fs::read(place.path(&format!("4..={PAIRS}.jsonl"))).expect("a log"),
        1,
    )
    .expect("a packed log");
    let gathering = Gathering::of_logs(&log, &[range, packed]).expect("ranges of one match");
    assert_eq!((gathering.wanted(), gathering.remarks()), (PAIRS + 1, vec![]));
}

/// Games at a time limit differ each time that they are played, so that it matters which of them count.
#[test]
fn pairs_with_other_games_in_two_ranges_are_named() {
    let place = Place::new();
    let ready = contest().ready(go_on).expect("a match");
    let log = place.path("gathered.jsonl");
    let mut gathering = gathering(&ready, &log, None);
    gathering.add(&place.part(&ready, 1..=6)).expect("pairs");
    let mut again = place.part(&ready, 4..=9);
    // The same games say nothing, be it that one log has their moves and the other one has not.
    again.pairs[0] = again.pairs[0].clone().abridged();
    again.pairs[1] = again.pairs[1].clone().abridged();
    gathering.add(&again).expect("pairs");
    assert_eq!((gathering.wanted(), gathering.remarks()), (10, vec![]));
    let counted = gathering.finished().clone();
    let turn = |game: &mut GameRecord| game.end = if game.end == End::Stall { End::Illegal } else { End::Stall };
    for (at, said) in [(2, "pair 6 is in two logs with other games"), (5, "pair 6 and 1 more are in two logs")] {
        turn(&mut again.pairs[at].games[1]);
        gathering.add(&again).expect("pairs");
        let remarks = gathering.remarks();
        assert!(remarks.len() == 1 && remarks[0].starts_with(said), "{remarks:?}");
    }
    assert_eq!(gathering.finished(), &counted);
}

#[test]
fn a_test_ends_at_the_same_pair_wherever_it_was_played() {
    let place = Place::new();
    let mut alone = contest();
    alone.sprt = Some(sprt());
    let (whole, decision) = place.whole(alone.clone());
    let pairs = whole.iter().filter(|&&byte| byte == b'\n').count() as u64 - 1;
    assert!(decision != Decision::Continue && pairs < PAIRS, "{decision:?} after {pairs} pairs");
    let ready = alone.ready(go_on).expect("a match");
    for size in [1, 5, PAIRS] {
        let log = place.path(&format!("gathered-{size}.jsonl"));
        let mut gathering = gathering(&ready, &log, Some(sprt()));
        for first in (1..=PAIRS).step_by(size as usize) {
            gathering.add(&place.part(&ready, first..=PAIRS.min(first + size - 1))).expect("pairs");
        }
        assert_eq!((gathering.finished().decision, gathering.wanted()), (decision, pairs + 1));
        // What is left out is said, also of ranges that are given twice.
        gathering.add(&place.part(&ready, PAIRS..=PAIRS)).expect("pairs");
        let said = format!("pair {pairs} decides the test and ends the match: {} pairs behind it", PAIRS - pairs);
        assert!(PAIRS - pairs > 1 && gathering.remarks().iter().any(|remark| remark.starts_with(&said)), "{said}");
        assert_eq!(fs::read(log).expect("a log"), whole);
    }
}

/// Who goes on with a log does so by its test, unless another one is given, and is told in both cases.
#[test]
fn the_test_of_a_log_ends_what_is_gathered() {
    let place = Place::new();
    let ready = contest().sprt(sprt()).ready(go_on).expect("a match");
    let log = place.path("gathered.jsonl");
    let mut begun = gathering(&ready, &log, Some(sprt()));
    assert_eq!(begun.test_of_log(), None);
    begun.add(&place.part(&ready, 1..=2)).expect("pairs");
    drop(begun);
    let ready = contest().ready(go_on).expect("a match");
    let mut gathered = gathering(&ready, &log, None);
    assert_eq!(gathered.test_of_log(), Some(TestOfLog::Taken(sprt())));
    gathered.add(&place.part(&ready, 3..=PAIRS)).expect("pairs");
    assert!(gathered.finished().decision != Decision::Continue && gathered.wanted() <= PAIRS);
    drop(gathered);
    let other = Sprt::new(Model::Normalized, 0.0, 5.0, 0.05, 0.05).expect("a test");
    let gathered = gathering(&ready, &log, Some(other));
    assert_eq!(gathered.test_of_log(), Some(TestOfLog::Other { logged: sprt(), asked: other, is_decided: true }));
    assert_eq!(gathered.finished().decision, Decision::Continue);
    // The games ended by the test before: nothing is known to correct for a stop by this one.
    let why = gathered.to_json()["sequential_absent"].to_string();
    assert!(why.contains("another test, the one named with these games, was decided within them"), "{why}");
}

#[test]
fn what_does_not_belong_to_the_match_is_refused() {
    let place = Place::new();
    let ready = contest().ready(go_on).expect("a match");
    let log = place.path("gathered.jsonl");
    let mut gathering = gathering(&ready, &log, None);
    let refused = |gathering: &mut Gathering, part: &Logged| gathering.add(part).expect_err("a refusal").to_string();
    let early = place.part(&ready, 3..=4);
    assert_eq!(
        refused(&mut gathering, &early),
        "expected pair 1, found pairs from 3: add the range that begins with pair 1 first"
    );
    let other = contest().nodes(61).ready(go_on).expect("a match");
    let said = refused(&mut gathering, &place.part(&other, 1..=1));
    assert!(said.contains("another match: sides.1.limits was \"60 nodes\", now it is \"61 nodes\""), "{said}");
    let text = fs::read_to_string(place.path("3..=4.jsonl")).expect("a log");
    let (header, pairs) = text.split_once('\n').expect("lines");
    let text = format!("{header}\n{}", pairs.replacen("\"book\":\"", "\"book\":\"a2a3 ", 1));
    let edited = Logged::read(text.as_bytes()).expect("a log");
    let said = refused(&mut gathering, &edited);
    assert!(said.contains("pairs from 3: line 2 is damaged"), "{said}");
    assert_eq!(gathering.wanted(), 1);
}

#[test]
fn ranges_lie_within_the_match_and_have_no_test() {
    let refused = |contest: Contest| contest.run(go_on).expect_err("a refusal");
    for range in [0..=3, RangeInclusive::new(3, 2), 5..=13] {
        assert!(matches!(refused(contest().range(range)), ContestError::NoSuchPairs { pairs: PAIRS, .. }));
    }
    assert!(matches!(refused(contest().range(1..=2).sprt(sprt())), ContestError::TestOfRange));
}
