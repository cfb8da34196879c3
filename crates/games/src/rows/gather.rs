//! The run that turns files into rows, in the order of the input.

use std::collections::HashSet;
use std::num::NonZero;
use std::sync::Arc;

use drawish_artefact::provenance::{InputRecord, made_by};

use super::source::OF_VIEW;
use super::{Judge, Rows, RowsProvenance, TakeRows, VERSION};
use crate::fan_out::all_cores;
use crate::pgn::{Anomalies, Engines, Input, InputProblems, Pattern, Progress, Step, View, read_in_order};
use crate::sample::{Dedupe, GamesAgain, Rule, Sampler, SkipReason, Tally};

/// A run that turns files into rows.
///
/// By default every core works, and the evaluations are those in the comments.
pub struct Gather<'a> {
    inputs: Vec<Input>,
    rule: Rule,
    judge: Option<Judge>,
    engine: Option<Pattern>,
    view: Option<View>,
    places: bool,
    threads: NonZero<usize>,
    progress: &'a Progress<'a>,
}

/// What a run has read; its rows went to the sink.
#[derive(Debug)]
#[non_exhaustive]
pub struct Gathered {
    /// Every game, counted or left out.
    pub tally: Tally,
    /// What was odd.
    pub anomalies: Anomalies,
    /// What a file of these rows records of its making.
    pub provenance: RowsProvenance,
    /// What must be reported of single inputs.
    pub problems: InputProblems,
    /// Whose evaluations the rows have, where players write their own.
    pub engines: Engines,
    /// Rows whose evaluation was left out because it is another engine's than the one asked for.
    pub other_engine: u64,
    /// Games that begin from a FEN, those that were withdrawn as copies included.
    pub fen_starts: u64,
    /// Counted games that come again, of those that [`dedupe`](Rule::dedupe) does not skip.
    pub repeats: GamesAgain,
}

impl<'a> Gather<'a> {
    /// Rows of these inputs by the default rule.
    #[must_use]
    pub fn new(inputs: Vec<Input>) -> Gather<'a> {
        Gather {
            inputs,
            rule: Rule::default(),
            judge: None,
            engine: None,
            view: None,
            places: false,
            threads: all_cores(),
            progress: &|_, _| {},
        }
    }

    /// Which positions count.
    #[must_use]
    pub fn rule(self, rule: Rule) -> Self {
        Gather { rule, ..self }
    }

    /// Evaluations by a judge, in the place of those in comments.
    #[must_use]
    pub fn judge(self, judge: Option<Judge>) -> Self {
        Gather { judge, ..self }
    }

    /// Only the evaluations of engines whose White or Black tag this pattern fits, for whole names [`Pattern::whole`]; the rows of
    /// other positions have none.
    #[must_use]
    pub fn engine(self, engine: Option<Pattern>) -> Self {
        Gather { engine, ..self }
    }

    /// From whose view the evaluations in comments are; `None`, the default, for that of their style.
    #[must_use]
    pub fn view(self, view: Option<View>) -> Self {
        Gather { view, ..self }
    }

    /// Whether rows say where they stand: input, number of the game, FEN.
    #[must_use]
    pub fn places(self, places: bool) -> Self {
        Gather { places, ..self }
    }

    /// Whether rows will say where they stand.
    #[must_use]
    pub fn has_places(&self) -> bool {
        self.places
    }

    /// How many threads parse, as far as the system allows that many. They change nothing in the rows.
    #[must_use]
    pub fn threads(self, threads: NonZero<usize>) -> Self {
        Gather { threads, ..self }
    }

    /// Called with the bytes and games read so far.
    #[must_use]
    pub fn progress(self, progress: &'a Progress<'a>) -> Self {
        Gather { progress, ..self }
    }

    /// Reads all inputs and hands the rows, some thousands at a time and always in the same order and chunks, to `sink`.
    ///
    /// # Errors
    ///
    /// The first one of `sink`; then the run ends.
    pub fn run<E: Send>(self, mut sink: impl FnMut(Rows) -> Result<(), E> + Send) -> Result<Gathered, E> {
        let Gather { inputs, rule, judge, engine, view, places, threads, progress } = self;
        // The line of the rule, and after it what tells the judge's evaluations from those in comments.
        let line = if judge.is_some() { format!("{rule} --static") } else { rule.to_string() };
        let of_engine = engine.as_ref().map_or(String::new(), |engine| format!(" --match-engine {}", engine.inner()));
        let of_view = view.map_or(String::new(), |view| OF_VIEW.to_owned() + view.name());
        let line = line + &of_engine + &of_view;
        let mut problems = InputProblems::default();
        let inputs = problems.leave_out_copies(inputs);
        let mut gathered = Gathered {
            tally: Tally::default(),
            anomalies: Anomalies::default(),
            provenance: RowsProvenance { version: VERSION, made_by: made_by(), rule: line, inputs: Vec::new() },
            problems,
            engines: Engines::default(),
            other_engine: 0,
            fen_starts: 0,
            repeats: GamesAgain::default(),
        };
        let mut seen = HashSet::new();
        let take = |step: Step<'_, Tally, TakeRows>| {
            match step {
                Step::Chunk { found: mut taken, account: tally, input, games_before } => {
                    if let Some(places) = &mut taken.rows.places {
                        let input: Arc<str> = input.name().into();
                        for place in places {
                            place.input = Arc::clone(&input);
                            place.number += games_before;
                        }
                    }
                    withdraw_repeated(&mut taken, rule.dedupe, &mut seen, tally);
                    if !input.is_of_positions() {
                        taken.games.iter().for_each(|(identity, _)| gathered.repeats.add(*identity, rule.dedupe));
                    }
                    gathered.engines.add(&taken.engines);
                    gathered.problems.note_evals(input, taken.evaluations.doubts);
                    gathered.other_engine += taken.other_engine;
                    gathered.fen_starts += taken.fen_starts;
                    sink(taken.rows)?;
                }
                Step::End(read) => {
                    gathered.problems.note(&read);
                    gathered.tally += read.account;
                    gathered.anomalies += read.anomalies;
                    let record: InputRecord = read.record(read.account.counted());
                    gathered.provenance.inputs.push(record);
                }
            }
            Ok(())
        };
        let taker = || TakeRows::judged(judge).of_engine(engine.clone()).of_view(view).placed(places);
        let sampler = || Sampler::with(&rule, taker());
        read_in_order(&inputs, threads, progress, sampler, Sampler::into_parts, take)?;
        if rule.dedupe != Dedupe::No {
            // The games of a copy were withdrawn one by one.
            gathered.problems.used_twice.clear();
        }
        Ok(gathered)
    }
}

/// Takes the rows of games that were seen before out again.
fn withdraw_repeated(taken: &mut TakeRows, dedupe: Dedupe, seen: &mut HashSet<u64>, tally: &mut Tally) {
    let mut keep = Vec::with_capacity(taken.rows.len());
    taken.games.retain(|&(identity, rows)| {
        let is_new = !identity.is_copy(dedupe, seen);
        keep.extend(std::iter::repeat_n(is_new, rows));
        if !is_new {
            tally.withdraw(SkipReason::Duplicate, 1);
            tally.positions -= rows as u64;
        }
        is_new
    });
    if keep.contains(&false) {
        taken.rows.retain(&keep);
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::fs;

    use super::*;
    use crate::sample::Sampling;

    /// Numbers count every game of an input, also those that are skipped, are withdrawn as copies, or stand in another chunk.
    #[test]
    fn places_lead_back_to_the_position() {
        /// The FEN of a position with pawns by the bits of a number, which ends so.
        fn places_of(number: u64, end: &str) -> String {
            let rank = |bits: u64, pawn: &str| -> String {
                let empty: String = (0..8).map(|file| if bits >> file & 1 == 1 { pawn } else { "1" }).collect();
                (2..=8).rev().fold(empty, |rank, count| rank.replace(&"1".repeat(count), &count.to_string()))
            };
            format!("4k3/{}/8/8/8/8/{}/{end}", rank(number >> 8, "p"), rank(number, "P"))
        }
        let directory = tempfile::tempdir().expect("a directory");
        let game = |number: u64| {
            let result = if number.is_multiple_of(5) { "*" } else { "1-0" };
            let second = ["Kd8", "Kf8"][number as usize % 2];
            // Every seventh game is the same in both files, and no other is like one before it.
            let start = if number.is_multiple_of(7) { number } else { number + 1 };
            let fen = places_of(start, "4K3 w - - 0 1");
            format!("[Event \"{number}\"]\n[FEN \"{fen}\"]\n[Result \"{result}\"]\n\n1. Kf1 {second} {result}\n\n")
        };
        let write = |name: &str, games: &mut dyn Iterator<Item = u64>| {
            let path = directory.path().join(name);
            fs::write(&path, games.map(game).collect::<String>()).expect("a file");
            Input::File(path)
        };
        let inputs = vec![write("a.pgn", &mut (1..=9000)), write("b.pgn", &mut [5, 7, 9001].into_iter())];
        let rule = Rule {
            sampling: Sampling::Every { from: 1 },
            min_moves: 0,
            fen_starts: true,
            dedupe: Dedupe::Games,
            ..Rule::default()
        };
        let (mut chunks, mut places) = (0, Vec::new());
        let run = Gather::new(inputs).rule(rule).places(true);
        let gathered = run.run(|rows| {
            chunks += 1;
            assert_eq!(rows.places.as_ref().map(Vec::len), Some(rows.len()));
            places.extend(rows.places.unwrap_or_default().into_iter().zip(rows.plies));
            Ok::<_, Infallible>(())
        });
        let Ok(gathered) = gathered;
        assert!(chunks > 2, "{chunks}");
        assert_eq!(gathered.tally.positions, places.len() as u64);
        let expected = (1..=9000_u64).map(|number| ("a.pgn", number, number)).chain([("b.pgn", 3, 9001)]);
        let expected = expected.filter(|(_, _, game)| !game.is_multiple_of(5));
        let wanted: Vec<(String, u64, String)> = expected
            .flat_map(|(input, number, game)| {
                let start = if game.is_multiple_of(7) { game } else { game + 1 };
                [
                    (input.to_owned(), number, places_of(start, "4K3 w - - 0 1")),
                    (input.to_owned(), number, places_of(start, "5K2 b - - 1 1")),
                ]
            })
            .collect();
        let found: Vec<_> =
            places.into_iter().map(|(place, _)| (place.input.to_string(), place.number, place.fen)).collect();
        assert!(found == wanted, "{} rows, {} expected", found.len(), wanted.len());
    }
}
