//! Whole runs of `collect` as a library: games that come again, what a run goes on from, and what it refuses to go on from.

use std::fs;
use std::path::{Path, PathBuf};
use std::slice::from_ref;

use drawish_artefact::provenance::Digest;
use drawish_core::{Scheme, StructureIndex, Wdl};
use drawish_games::collect::{Collect, Collected};
use drawish_games::counts::CountsFile;
use drawish_games::kept::{KeptError, forget, partial_path, partial_path_for};
use drawish_games::pgn::{Input, OddWords};
use drawish_games::sample::{Dedupe, GamesAgain, Rule, Sampling, SkipReason};
use serde_json::{Map, json};
use tempfile::TempDir;

/// The state of a run that has counted this so far, with nothing else to say of its inputs.
fn state_of(file: &CountsFile) -> Vec<u8> {
    let of_input = json!({ "ends_whole": true, "odd_words": OddWords::default() });
    let inputs: Map<_, _> =
        file.shards.iter().map(|shard| (Digest(shard.digest).to_string(), of_input.clone())).collect();
    let account = json!({ "inputs": inputs, "repeats": GamesAgain::default() }).to_string();
    let length = u32::try_from(account.len()).expect("a short account").to_le_bytes();
    let crc = crc32fast::hash(account.as_bytes()).to_le_bytes();
    [b"DRAWCNP\0", &length[..], &crc, account.as_bytes(), &file.to_bytes()].concat()
}

/// The counts in the state of a run.
fn counts_of(state: &[u8]) -> CountsFile {
    let length = u32::from_le_bytes(state[8..12].try_into().expect("four bytes"));
    CountsFile::from_bytes(&state[16 + length as usize..]).expect("counts")
}

/// White's e-pawn has taken on d5: White b c d f g, Black b c e f g.
const TAKEN: StructureIndex = StructureIndex(0b11_1011 << 6 | 0b11_0111);
/// Pawns on all files.
const ALL: StructureIndex = StructureIndex(4095);

/// Queens and pawns: before move 3 as [`TAKEN`].
fn scandinavian(result: &str) -> String {
    format!("[Event \"x\"]\n[Result \"{result}\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 {result}\n\n")
}

/// Before move 3 as [`ALL`].
fn spanish(result: &str) -> String {
    format!("[Event \"x\"]\n[Result \"{result}\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {result}\n\n")
}

/// The same structure by other moves.
fn scotch(result: &str) -> String {
    format!("[Event \"x\"]\n[Result \"{result}\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 {result}\n\n")
}

fn rule() -> Rule {
    Rule { sampling: Sampling::At { at: 3 }, min_moves: 0, ..Rule::default() }
}

fn without_repeats() -> Rule {
    Rule { dedupe: Dedupe::Games, ..rule() }
}

struct Place(TempDir);

impl Place {
    fn new() -> Place {
        Place(TempDir::new().expect("a directory"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, content: impl AsRef<[u8]>) -> Input {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(&path, content).expect("a file");
        Input::File(path)
    }
}

fn run(inputs: &[Input], rule: Rule) -> Collected {
    Collect::new(inputs.to_vec()).rule(rule).run().expect("a run")
}

/// A run that keeps its state there, or goes on from it.
fn run_from(inputs: &[Input], rule: Rule, state: &Path) -> Result<Collected, KeptError> {
    Collect::new(inputs.to_vec()).rule(rule).checkpoint(state).run()
}

/// Games that are cut or go on otherwise, before and behind the position that counts; the longer of two lines counts.
#[test]
fn lines_that_come_again_by_hand() {
    let place = Place::new();
    // Knights go out and back, and then something else.
    let game = |plies: usize, more: &str| {
        let shuffle: Vec<_> = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(plies).collect();
        format!("[Event \"x\"]\n[Result \"1-0\"]\n\n{} {more} 1-0\n\n", shuffle.join(" "))
    };
    let games = [(64, ""), (64, ""), (68, ""), (64, "e4"), (60, "e4 e5 d4"), (56, "e4 e5 d4 d5 a3 a6 h3")];
    let input = [place.put("a.pgn", games.map(|(plies, more)| game(plies, more)).concat())];
    let of = |at, dedupe| {
        let rule = Rule { sampling: Sampling::At { at }, min_moves: 0, dedupe, ..Rule::default() };
        let found = run(&input, rule);
        (found.file.tally().counted(), found.repeats.games.games(), found.repeats.lines.games())
    };
    // Five agree for 60 half-moves; before move 32 stand 62, for which only four do.
    assert_eq!([of(3, Dedupe::No), of(3, Dedupe::Games), of(3, Dedupe::Lines)], [(6, 1, 4), (5, 0, 3), (2, 0, 0)]);
    assert_eq!([of(32, Dedupe::No), of(32, Dedupe::Games), of(32, Dedupe::Lines)], [(6, 1, 3), (5, 0, 2), (3, 0, 0)]);
}

#[test]
fn games_that_come_again_by_hand() {
    let place = Place::new();
    let one = place.put("one.pgn", [scandinavian("1-0"), spanish("1/2-1/2"), scandinavian("0-1")].concat());
    let two = place.put("two.pgn", [scandinavian("1-0"), scotch("1-0")].concat());
    let copy = place.put("copy.pgn", [scandinavian("1-0"), scotch("1-0")].concat());
    let inputs = [one, two, copy];
    let all = run(&inputs, rule());
    let tally = all.file.tally();
    assert_eq!((tally.games(), tally.counted(), tally.positions), (5, 5, 5));
    assert_eq!(all.file.counts.get(TAKEN), Wdl { wins: 2, draws: 0, losses: 1 });
    assert_eq!(all.file.counts.get(ALL), Wdl { wins: 1, draws: 1, losses: 0 });
    assert_eq!(all.file.counts.total(), Wdl { wins: 3, draws: 1, losses: 1 });
    assert_eq!(all.file.counts.non_empty().map(|(cell, _)| cell).collect::<Vec<_>>(), [TAKEN, ALL]);
    // The Scandinavian comes three times; the copy is not read for games.
    assert_eq!((all.repeats.games.games(), all.resumed), (2, 0));
    let [(left_out, original)] = &all.problems.repeated[..] else { panic!("{:?}", all.problems.repeated) };
    assert_eq!((left_out.name().as_str(), original.as_str()), ("copy.pgn", "two.pgn"));
    assert_eq!(all.file.shards.len(), 2);

    let once = run(&inputs, without_repeats());
    let tally = once.file.tally();
    assert_eq!((tally.games(), tally.counted(), tally.positions), (5, 3, 3));
    assert_eq!((tally.skipped(SkipReason::Duplicate), once.repeats.games.games()), (2, 0));
    assert_eq!(once.file.counts.get(TAKEN), Wdl { wins: 1, draws: 0, losses: 0 });
    assert_eq!(once.file.counts.get(ALL), Wdl { wins: 1, draws: 1, losses: 0 });
    assert_eq!(once.file.seen, Vec::<u64>::new(), "the games seen are for runs that are not finished");
}

#[test]
fn a_run_goes_on_from_what_it_has_kept() {
    let place = Place::new();
    let state = place.path("games.counts.partial");
    // The first ends in the middle of a game, which must be said again.
    let one =
        place.put("one.pgn", format!("{}[Event \"x\"]\n\n1. d4 d5", [scandinavian("1-0"), spanish("1-0")].concat()));
    let two = place.put("two.pgn", [scandinavian("0-1"), scotch("1/2-1/2")].concat());
    let inputs = [one, two];
    for (rule, seen) in [(rule(), 0), (without_repeats(), 2)] {
        let whole = run(&inputs, rule.clone());
        assert_eq!(whole.problems.unfinished.len(), 1);
        let kept = run_from(&inputs, rule.clone(), &state).expect("a run");
        assert_eq!((kept.resumed, kept.file.to_bytes()), (0, whole.file.to_bytes()));
        // After the last input nothing is kept.
        let partial = counts_of(&fs::read(&state).expect("a state"));
        assert_eq!(partial.shards.iter().map(|shard| shard.name.as_str()).collect::<Vec<_>>(), ["one.pgn"]);
        assert_eq!(partial.counts.total(), Wdl { wins: 2, draws: 0, losses: 0 });
        assert_eq!(partial.seen.len(), seen, "the games by which later ones are known again");
        assert!(partial.seen.is_sorted());
        let resumed = run_from(&inputs, rule.clone(), &state).expect("a run");
        assert_eq!((resumed.resumed, resumed.file.to_bytes()), (1, whole.file.to_bytes()));
        assert_eq!(resumed.problems.lines("counted"), whole.problems.lines("counted"));
        let anew = Collect::new(inputs.to_vec()).rule(rule).checkpoint(&state).fresh(true).run().expect("a run");
        assert_eq!((anew.resumed, anew.file.to_bytes()), (0, whole.file.to_bytes()));
        fs::remove_file(&state).expect("a state");
    }
}

/// Finished inputs are known by their bytes: of two files with one name and one length the right one is left out.
#[test]
fn finished_inputs_are_known_by_their_bytes() {
    let place = Place::new();
    let state = place.path("partial");
    let [one, two] =
        [("x/g.pgn", scandinavian("1-0")), ("y/g.pgn", scandinavian("0-1"))].map(|(name, pgn)| place.put(name, pgn));
    let whole = run(&[one.clone(), two.clone()], rule()).file;
    assert_eq!(whole.counts.get(TAKEN), Wdl { wins: 1, draws: 0, losses: 1 });
    for finished in [&one, &two] {
        fs::write(&state, state_of(&run(from_ref(finished), rule()).file)).expect("a state");
        let resumed = run_from(&[one.clone(), two.clone()], rule(), &state).expect("a run");
        assert_eq!((resumed.resumed, resumed.file.to_bytes()), (1, whole.to_bytes()), "{finished}");
        assert!(resumed.problems.repeated.is_empty() && resumed.problems.unfinished.is_empty());
    }
    // A file by another name is another input.
    fs::write(&state, state_of(&run(&[one], rule()).file)).expect("a state");
    let renamed = place.put("z/h.pgn", scandinavian("1-0"));
    let refused = run_from(&[renamed, two], rule(), &state).expect_err("an input is gone").to_string();
    assert!(refused.ends_with("that had read g.pgn, which is not among the inputs or has changed"), "{refused}");
}

/// What gave nothing is tried again; what broke behind some games is not, and is said again.
#[test]
fn inputs_that_broke() {
    let place = Place::new();
    let state = place.path("partial");
    let missing = Input::File(place.path("late.pgn"));
    let nothing = run(from_ref(&missing), rule());
    assert_eq!((nothing.problems.broken.len(), nothing.file.tally().games()), (1, 0));
    fs::write(&state, state_of(&nothing.file)).expect("a state");
    place.put("late.pgn", spanish("1-0"));
    let found = run_from(&[missing], rule(), &state).expect("a run");
    assert_eq!((found.resumed, found.file.tally().games(), found.problems.broken.len()), (0, 1, 0));

    let games: String = (0..400).map(|_| spanish("1-0") + &scotch("0-1")).collect();
    let packed = zstd::encode_all(games.as_bytes(), 0).expect("zstd");
    let mut frames = zstd::encode_all(spanish("1-0").as_bytes(), 0).expect("zstd");
    frames.extend_from_slice(&packed[..packed.len() / 2]);
    let cut = place.put("cut.pgn.zst", frames);
    let broken = run(from_ref(&cut), rule());
    assert_eq!((broken.problems.broken.len(), broken.file.tally().games() > 0), (1, true));
    fs::write(&state, state_of(&broken.file)).expect("a state");
    let resumed = run_from(&[cut], rule(), &state).expect("a run");
    assert_eq!((resumed.resumed, resumed.file.to_bytes()), (1, broken.file.to_bytes()));
    assert_eq!(resumed.problems.lines("counted"), broken.problems.lines("counted"));
}

#[test]
fn the_state_of_another_run_is_refused() {
    let place = Place::new();
    let state = place.path("partial");
    let input = place.put("one.pgn", spanish("1-0"));
    let inputs = [input.clone()];
    let finished = run(&inputs, rule()).file;
    let put = |bytes: &[u8]| fs::write(&state, bytes).expect("a state");
    let says = |run: Result<Collected, KeptError>| run.expect_err("another run").to_string();
    put(&state_of(&finished));
    let other = Rule { sampling: Sampling::At { at: 2 }, ..rule() };
    assert!(says(run_from(&inputs, other, &state)).ends_with("that had another rule (at: expected 2, found 3)"));
    let scheme = Collect::new(inputs.to_vec()).rule(rule()).scheme(Scheme::Ah).checkpoint(&state).run();
    assert!(says(scheme).ends_with("that counted in the scheme bg, not in ah"));
    put(&state_of(&CountsFile { made_by: vec!["another build".to_owned()], ..finished.clone() }));
    assert!(says(run_from(&inputs, rule(), &state)).ends_with("that was made by another build"));
    // What is no state at all is not replaced either, even by a run that begins anew.
    put(b"my notes");
    for fresh in [false, true] {
        let refused = Collect::new(inputs.to_vec()).rule(rule()).checkpoint(&state).fresh(fresh).run();
        assert!(says(refused).contains("partial is in the way: it should be what an interrupted run has left, but: "));
    }
    assert_eq!(fs::read(&state).expect("notes"), b"my notes");
    let Input::File(path) = &input else { panic!("a file") };
    assert!(says(run_from(&inputs, rule(), path)).ends_with("one.pgn is an input and would be overwritten"));
    // A state that cannot be read, or not be written.
    fs::create_dir(place.path("directory")).expect("a directory");
    assert!(says(run_from(&inputs, rule(), &place.path("directory"))).contains("directory is in the way"));
    let nowhere = place.path("nowhere/partial");
    let two = [input, place.put("two.pgn", scotch("1-0"))];
    assert!(says(run_from(&two, rule(), &nowhere)).starts_with("the state of the run cannot be kept in "));
}

#[test]
fn where_the_state_is_kept_and_how_it_goes() {
    let place = Place::new();
    let output = place.path("games.counts");
    assert_eq!(partial_path(&output), place.path("games.counts.partial"));
    let input = place.put("one.pgn", spanish("1-0"));
    let Input::File(file) = &input else { panic!("a file") };
    // Beside what is or will be a file, for inputs that can be had again.
    assert_eq!(partial_path_for(&output, from_ref(&input)), Some(place.path("games.counts.partial")));
    assert_eq!(partial_path_for(file, &[]), Some(place.path("one.pgn.partial")));
    assert_eq!(partial_path_for(place.0.path(), from_ref(&input)), None);
    assert_eq!(partial_path_for(&output, &[input, Input::Stdin]), None);
    let state = partial_path(&output);
    assert!(forget(&state).is_ok(), "what is not there");
    fs::write(&state, "").expect("a state");
    assert!(forget(&state).is_ok() && !state.exists());
    fs::create_dir(&state).expect("a directory");
    let refused = forget(&state).expect_err("a directory").to_string();
    assert!(refused.contains("games.counts.partial is left over and cannot be removed"), "{refused}");
}
