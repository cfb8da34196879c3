//! Readers of games and of what is written into them.

use std::num::NonZero;

use drawish_games::annotate::{Annotator, Options};
use drawish_games::collect::Collect;
use drawish_games::estimate::{Contest, Draws, Group, Players, Trial, Wanted};
use drawish_games::pgn::{EvalValue, Input, VariantChoice, eval_in_comment, expand_inputs, read_games};
use drawish_games::rows::{Gather, MemoryRows};
use drawish_games::sample::{Batch, Dedupe, Filters, Rule, Sampler, Sampling, TerminationFilter};
use drawish_games::training::Format;
use drawish_games::wdl;
use drawish_stats::model::relevance::{MoveScheme, PositionScheme, Relevance};

use super::with_file;

/// Every position of every game that can be read.
pub(super) fn all_positions(replay: bool) -> Rule {
    Rule {
        sampling: Sampling::Every { from: 1 },
        min_moves: 0,
        variant: VariantChoice::Any,
        fen_starts: true,
        dedupe: Dedupe::No,
        replay,
        filters: Filters { termination: TerminationFilter::Any, ..Filters::default() },
    }
}

/// Comments: an evaluation is in range, and blanks around it change nothing.
pub fn comments(data: &[u8]) {
    let found = eval_in_comment(data);
    if let Some(eval) = found {
        assert!(eval.depth.is_none_or(|depth| depth <= 9_999));
        assert!(!matches!(eval.value, EvalValue::Centipawns(value) if value.abs() > 1_000_000));
        assert_eq!(eval.for_white(true), eval.for_mover(true));
    }
    assert_eq!(eval_in_comment(&[b" \n", data, b"\r\t"].concat()), found);
}

/// PGN on its way through `relevance annotate`: with nothing to add it stays as it is, and what is added takes nothing away.
pub fn annotate(data: &[u8]) {
    let curve = Relevance::new(2.0, 3.0, 0.85).expect("parameters in order");
    let nothing = Options { curve, moves: None, positions: None, results: false, writer: None, view: None };
    let mut same = Vec::new();
    Annotator::new(nothing).annotate(data, &mut same);
    assert_eq!(same, data);
    let moves = MoveScheme::ALL.first().copied();
    let all = Options { moves, positions: Some(PositionScheme::NineByResult), results: true, ..nothing };
    let mut annotated = Vec::new();
    Annotator::new(all).annotate(data, &mut annotated);
    let mut rest = annotated.iter();
    assert!(data.iter().all(|byte| rest.any(|other| other == byte)), "something was taken away");
}

/// PGN through `collect`: the pawn tracker and the replay agree on every game that both count.
pub fn games(data: &[u8]) {
    let read = |replay, cut_off| -> Batch {
        let rule = all_positions(replay);
        read_games(data, cut_off, || Sampler::new(&rule)).0.into_batch()
    };
    let (tracked, replayed) = (read(false, false), read(true, false));
    assert_eq!(tracked.tally.games(), replayed.tally.games());
    // The tracker does not see what only pieces do wrong.
    assert!(replayed.tally.counted() <= tracked.tally.counted());
    if replayed.tally == tracked.tally {
        assert_eq!(tracked.positions, replayed.positions);
        assert_eq!(tracked.games, replayed.games);
    }
    let _ = read(false, true);
}

/// An archive (`.tar`): each of its members is counted or said to be a copy, and they have no bytes in common.
pub fn archive(data: &[u8]) {
    // Members may be packed, and unpack to any size.
    let packed = [&b"\x1f\x8b"[..], b"\x28\xb5\x2f\xfd", b"BZh"];
    if packed.iter().any(|magic| data.windows(magic.len()).any(|part| part == *magic)) {
        return;
    }
    with_file(data, "tar", |input| {
        let Input::File(path) = input else { unreachable!("a file is read") };
        let Ok(members) = expand_inputs(std::slice::from_ref(path)) else { return };
        let run = Collect::new(members.clone()).rule(all_positions(false)).threads(NonZero::<usize>::MIN);
        let collected = run.run().expect("no state to be kept");
        // A member may be a copy of another.
        assert_eq!(collected.file.shards.len() + collected.problems.repeated.len(), members.len());
        assert!(members.iter().filter_map(Input::len).sum::<u64>() <= data.len() as u64);
    });
}

/// Training data, the first byte saying of which format: every game and every board is counted or skipped, and the replay sees
/// as many games as the boards do.
pub fn training(data: &[u8]) {
    let Some((kind, data)) = data.split_first() else { return };
    let format = Format::ALL[usize::from(*kind) % Format::ALL.len()];
    with_file(data, format.endings()[0], |input| {
        let read = |replay, sampling| {
            let rule = Rule { replay, sampling, ..Rule::of_positions() };
            let run = Collect::new(vec![input.clone()]).rule(rule).threads(NonZero::<usize>::MIN);
            run.run().expect("no state to be kept").file
        };
        let (all, replayed) = (read(false, Sampling::Positions), read(true, Sampling::Positions));
        assert_eq!(all.tally().games(), replayed.tally().games());
        assert!(replayed.tally().counted() <= all.tally().counted());
        assert_eq!(all.counts.total().total(), all.tally().positions);
        let rule = Rule { sampling: Sampling::OneRandomPly { from: 1 }, ..Rule::of_positions() };
        let (rows, gathered) = MemoryRows::gather(Gather::new(vec![input.clone()]).rule(rule));
        assert_eq!(rows.rows().len() as u64, gathered.tally.positions);
    });
}

/// PGN through `wdl collect`: the board that is followed from the moves as written and the full replay agree, every half-move of a
/// counted game is counted or dropped, and the counts come back from their file and from JSON.
pub fn wdl_games(data: &[u8]) {
    with_file(data, "pgn", |input| {
        let count = |replay, variant| {
            let rule = wdl::Rule { replay, variant, ..wdl::Rule::default() };
            let run = wdl::Collect::new(vec![input.clone()]).rule(rule).threads(NonZero::<usize>::MIN);
            run.run().expect("no state to be kept")
        };
        let (followed, replayed) = (count(false, VariantChoice::Any), count(true, VariantChoice::Any));
        assert_eq!(followed.tally.games(), replayed.tally.games());
        assert_eq!(followed.tally.half_moves(), replayed.tally.half_moves());
        assert_eq!(followed.file.counts.positions(), followed.tally.positions);
        if followed.tally == replayed.tally {
            assert_eq!(followed.file.counts, replayed.file.counts);
        }
        let whole = wdl::WdlFile::from_bytes(&followed.file.to_bytes()).expect("what was written");
        assert_eq!(whole, followed.file);
        // JSON has no classes of time controls; all else stays.
        let to_json = |counts: &wdl::WdlCounts| {
            let mut json = Vec::new();
            wdl::write_json(counts, &mut json).expect("memory takes all");
            json
        };
        let json = to_json(&followed.file.counts);
        let read = wdl::read_json(&json[..]).expect("what was written");
        assert_eq!(read.positions(), followed.tally.positions);
        assert_eq!(to_json(&read), json);
    });
}

/// PGN through `positions` and through both verbs that read evaluations: as many rows as positions, and figures or a reason why not.
pub fn rows(data: &[u8]) {
    with_file(data, "pgn", |input| {
        let one = NonZero::<usize>::MIN;
        let (rows, gathered) =
            MemoryRows::gather(Gather::new(vec![input.clone()]).rule(all_positions(false)).places(true).threads(one));
        assert_eq!(rows.rows().len() as u64, gathered.tally.positions);
        let players = Players::read(vec![input.clone()], one, Wanted::default(), &|_, _| {});
        if let Ok(estimated) = players.estimate(Draws { replicates: 3, seed: 1 }) {
            assert!(!estimated.each.is_empty());
        }
        let trial = Trial { limit: 1000, folds: 2, writer: None, view: None };
        let (contest, reading) = Contest::read(trial, [None, None], vec![input.clone()], one, &|_, _| {});
        assert_eq!(reading.games, players.reading.games);
        let _ = contest.compare(Group::Game);
    });
}
