//! Positions with evaluations as the fit of a WDL head sees them: packed, so that ten million stay in memory.

mod folds;
mod mover;

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::LazyLock;

use drawish_artefact::provenance::InputRecord;
use drawish_core::{Outcome, Wdl};
use drawish_heads::features::{self, Family, Parity};
use drawish_heads::heads::WdlHead;

use super::super::remark::{Remark, check_results, games_of_fit};
use super::WdlHeadError;
use super::beginning::Reading;
use crate::rows::{Events, Gather, Gathered, RowSet, RowSource, Rows, Wanted};

/// Positions in a block; the size never changes, because sums are rounded by it.
const BLOCK: usize = 1 << 12;
/// Even features are kept in a byte, this much larger.
pub(super) const OFFSET: i16 = 16;

/// Which positions of the sources count, and how much.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// The largest evaluation in centipawns.
    pub largest_eval: i32,
    /// One in so many positions of a game with an evaluation that counts, from a place that depends on the game.
    pub every: u16,
    /// How much a position counts.
    pub weighting: Weighting,
}

impl Default for Choice {
    /// All positions with evaluations up to 1,000 centipawns, each game counting the same.
    fn default() -> Choice {
        Choice { largest_eval: 1000, every: 1, weighting: Weighting::Game }
    }
}

/// How much a position counts in a fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weighting {
    /// All games count the same, so that a long one does not outvote a short one.
    Game,
    /// All positions count the same, together as much as there are games.
    Position,
}

impl Weighting {
    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Weighting::Game => "game",
            Weighting::Position => "position",
        }
    }
}

/// Positions of a set of sources.
#[derive(Debug)]
pub struct Positions {
    pub(super) blocks: Vec<Block>,
    events: Events,
    games: usize,
    /// A hash of each game's beginning.
    beginnings: Vec<u64>,
    rows: usize,
    choice: Choice,
    left: Left,
    rules: Vec<String>,
    inputs: Vec<InputRecord>,
}

/// Sampled positions that are not fitted to, each for the first reason that applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Left {
    /// Without an evaluation that counts.
    pub no_eval: u64,
    /// With one beyond the largest.
    pub large_eval: u64,
    /// Between those of which one in so many is taken.
    pub between: u64,
}

#[derive(Debug, Default)]
pub(super) struct Block {
    /// The even features of each position in their order, as bytes.
    pub even: Vec<u8>,
    /// The odd features without their phase, White minus Black.
    pub odd: Vec<i16>,
    pub evals: Vec<i16>,
    pub outcomes: Vec<Outcome>,
    pub weights: Vec<f32>,
    pub games: Vec<u32>,
    pub events: Vec<u32>,
    pub openings: Vec<u32>,
}

impl Block {
    pub fn len(&self) -> usize {
        self.outcomes.len()
    }

    pub fn even(&self, row: usize) -> &[u8] {
        let columns = even_places().len();
        &self.even[row * columns..(row + 1) * columns]
    }

    pub fn odd(&self, row: usize) -> &[i16] {
        let columns = odd_places().len();
        &self.odd[row * columns..(row + 1) * columns]
    }
}

/// The even features, by their places.
pub(super) fn even_places() -> &'static [usize] {
    static PLACES: LazyLock<Vec<usize>> = LazyLock::new(|| {
        (0..features::all().len()).filter(|&place| features::all()[place].parity == Parity::Even).collect()
    });
    &PLACES
}

/// The odd features, each by the places of its two values.
pub(super) fn odd_places() -> &'static [[usize; 2]] {
    static PLACES: LazyLock<Vec<[usize; 2]>> = LazyLock::new(|| {
        let all = features::all();
        let firsts =
            (0..all.len()).filter(|&place| all[place].family == Family::Win && all[place].name.ends_with("_mg"));
        firsts.map(|place| [place, place + 1]).collect()
    });
    &PLACES
}

/// The column of the phase among the even features.
pub(super) fn phase_column() -> usize {
    let phase = features::place("phase");
    even_places().iter().position(|&place| Some(place) == phase).unwrap_or(0)
}

impl Positions {
    /// The positions of row files that count.
    ///
    /// # Errors
    ///
    /// If a source cannot be read, or nothing can be learned from what it holds.
    pub fn of_rows<S: RowSource>(set: &RowSet<S>, choice: Choice) -> Result<Positions, WdlHeadError> {
        let mut positions = Positions::none(choice)?;
        let mut reading = Reading::default();
        set.read(&Wanted { features: (0..features::all().len()).collect(), cells: Vec::new() }, |rows| {
            (0..rows.len()).for_each(|row| positions.add(&rows, row, &mut reading));
        })?;
        positions.rules = set.sources().iter().map(|source| source.provenance().rule.clone()).collect();
        positions.inputs = set.sources().iter().flat_map(|source| source.provenance().inputs.clone()).collect();
        positions.weighed()
    }

    /// The positions of games that count, without rows in between: about 160 bytes each. What was skipped and what was odd
    /// stands in the [`Gathered`].
    ///
    /// # Errors
    ///
    /// If nothing can be learned from them; what was odd about their files stands in [`WdlHeadError::OfGames`].
    pub fn of_games(run: Gather<'_>, choice: Choice) -> Result<(Positions, Gathered), WdlHeadError> {
        let mut positions = Positions::none(choice)?;
        let mut reading = Reading::default();
        let Ok(gathered) = run.run(|rows| {
            (0..rows.len()).for_each(|row| positions.add(&rows, row, &mut reading));
            Ok::<_, Infallible>(())
        });
        positions.rules = vec![gathered.provenance.rule.clone()];
        positions.inputs = gathered.provenance.inputs.clone();
        if positions.rows == 0
            && let Some(found) = gathered.engines.others()
        {
            return Err(WdlHeadError::NoEngine { found });
        }
        match positions.weighed() {
            Ok(positions) => Ok((positions, gathered)),
            Err(cause) => Err(WdlHeadError::OfGames { cause: Box::new(cause), gathered: Box::new(gathered) }),
        }
    }

    fn none(choice: Choice) -> Result<Positions, WdlHeadError> {
        if !(50..=2000).contains(&choice.largest_eval) {
            return Err(WdlHeadError::LargestEval(choice.largest_eval));
        }
        let (blocks, events) = (Vec::new(), Events::default());
        let (left, beginnings) = (Left::default(), Vec::new());
        let (rules, inputs) = (Vec::new(), Vec::new());
        Ok(Positions { blocks, events, games: 0, beginnings, rows: 0, choice, left, rules, inputs })
    }

    fn add(&mut self, rows: &Rows, row: usize, reading: &mut Reading) {
        let choice = self.choice;
        if reading.begin(rows, row)
            && let Some(game) = reading.number
        {
            self.beginnings[game as usize] = reading.beginning;
        }
        let Some(eval) = rows.evals[row] else {
            self.left.no_eval += 1;
            return;
        };
        if eval.abs() > choice.largest_eval {
            self.left.large_eval += 1;
            return;
        }
        // By their number among these: evaluations of one engine have plies that are all even or all odd.
        let every = u64::from(choice.every.max(1));
        let is_taken = (reading.usable + rows.games[row] % every).is_multiple_of(every);
        reading.usable += 1;
        if !is_taken {
            self.left.between += 1;
            return;
        }
        if self.blocks.last().is_none_or(|block| block.len() >= BLOCK) {
            self.blocks.push(Block::default());
        }
        let game = reading.number.unwrap_or_else(|| {
            let game = self.games as u32;
            self.games += 1;
            self.beginnings.push(reading.beginning);
            game
        });
        reading.number = Some(game);
        let origin = self.events.of(rows, row);
        let Some(block) = self.blocks.last_mut() else { return };
        let value = |place: usize| rows.features[place][row];
        block.even.extend(even_places().iter().map(|&place| (value(place) + OFFSET).clamp(0, 255) as u8));
        // The two values are the feature times the phase and times 24 less the phase.
        block.odd.extend(odd_places().iter().map(|&[opening, ending]| (value(opening) + value(ending)) / 24));
        block.evals.push(eval as i16);
        block.outcomes.push(rows.outcomes[row]);
        block.games.push(game);
        // The game, until all have come.
        block.events.push(origin.game);
        block.openings.push(rows.skeletons[row] as u32);
        self.rows += 1;
    }

    /// The positions with their events and weights, which add up to the number of games; an error if they teach nothing.
    fn weighed(mut self) -> Result<Positions, WdlHeadError> {
        let of_game = self.events.settle();
        self.blocks.iter_mut().flat_map(|block| &mut block.events).for_each(|event| *event = of_game[*event as usize]);
        if self.rows == 0 {
            return Err(WdlHeadError::NoEvaluations(self.choice.largest_eval));
        }
        check_results(self.results())?;
        let mut of_game = vec![0_u32; self.games];
        self.blocks.iter().flat_map(|block| &block.games).for_each(|&game| of_game[game as usize] += 1);
        let same = self.games as f32 / self.rows as f32;
        for block in &mut self.blocks {
            let weight = |&game: &u32| match self.choice.weighting {
                Weighting::Game => 1.0 / of_game[game as usize] as f32,
                Weighting::Position => same,
            };
            block.weights = block.games.iter().map(weight).collect();
        }
        Ok(self)
    }

    /// Which ones they are.
    #[must_use]
    pub fn choice(&self) -> Choice {
        self.choice
    }

    /// The sampled positions that are none of these.
    #[must_use]
    pub fn left(&self) -> Left {
        self.left
    }

    /// The rule by which positions were sampled, of each source.
    #[must_use]
    pub fn rules(&self) -> &[String] {
        &self.rules
    }

    /// The games.
    #[must_use]
    pub fn inputs(&self) -> &[InputRecord] {
        &self.inputs
    }

    /// The inputs with games to which a head was fitted, or by which it was rescaled: on these its figures flatter it.
    pub fn known_to<'a>(&'a self, head: &'a WdlHead) -> impl Iterator<Item = &'a InputRecord> {
        self.inputs.iter().filter(|own| head.inputs.iter().any(|seen| seen.shares_games_with(own)))
    }

    /// That games of a head's fit are among these, where no [file](Self::known_to) of them is.
    #[must_use]
    pub fn known_games(&self, head: &WdlHead) -> Option<Remark> {
        games_of_fit(&head.sketch, &self.events).filter(|_| self.known_to(head).next().is_none())
    }

    /// How many positions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Of how many games.
    #[must_use]
    pub fn games(&self) -> usize {
        self.games
    }

    /// Of how many events.
    #[must_use]
    pub fn events(&self) -> usize {
        self.events.len()
    }

    /// The events, with the copies that were seen.
    pub(super) fn numbered_events(&self) -> &Events {
        &self.events
    }

    /// Results of the positions, White's.
    #[must_use]
    pub fn results(&self) -> Wdl {
        let mut results = Wdl::default();
        self.each(|block, row| block.outcomes[row]).for_each(|outcome| results.count(outcome));
        results
    }

    /// Those of some games, as if there were no others.
    #[cfg(test)]
    pub(super) fn of_some(&self, chosen: &[u32]) -> Positions {
        let numbers: HashMap<u32, u32> = chosen.iter().copied().zip(0..).collect();
        let mut found = Positions::none(self.choice).expect("a choice");
        let mut some = Block::default();
        for (from, row) in self.blocks.iter().flat_map(|block| (0..block.len()).map(move |row| (block, row))) {
            let Some(&game) = numbers.get(&from.games[row]) else { continue };
            some.even.extend(from.even(row));
            some.odd.extend(from.odd(row));
            some.evals.push(from.evals[row]);
            some.outcomes.push(from.outcomes[row]);
            some.weights.push(from.weights[row]);
            some.games.push(game);
            some.events.push(0);
            some.openings.push(from.openings[row]);
        }
        (found.games, found.rows) = (chosen.len(), some.len());
        found.blocks.push(some);
        found
    }

    /// Something of each position.
    pub(super) fn each<T>(&self, of: impl Fn(&Block, usize) -> T + Copy) -> impl Iterator<Item = T> {
        self.blocks.iter().flat_map(move |block| (0..block.len()).map(move |row| of(block, row)))
    }

    /// For each position the first game with the beginning of its game: games that are the same up to [`SKELETON_PLY`](crate::rows::SKELETON_PLY) depend on each
    /// other, as do those that engines repeat but for the last moves.
    pub(super) fn families(&self) -> Vec<u32> {
        let mut firsts = HashMap::new();
        let first_of = |(&beginning, game): (&u64, u32)| *firsts.entry(beginning).or_insert(game);
        let of_game: Vec<u32> = self.beginnings.iter().zip(0..).map(first_of).collect();
        self.each(|block, row| of_game[block.games[row] as usize]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::wdl_head::{CompareWdl, ComparedWdl, WdlTerms};
    use crate::pgn::expand_inputs;
    use crate::sample::Rule;

    /// The sample's games, and as often again without their last positions, as engines repeat games but for the last moves.
    fn with_copies(copies: u64) -> Positions {
        let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../src/cli/demo/sample.pgn.zst");
        let run = Gather::new(expand_inputs(&[games.into()]).expect("the sample")).rule(Rule::of_wdl_head());
        let choice = Choice { every: 24, ..Choice::default() };
        let mut positions = Positions::none(choice).expect("positions");
        let Ok(_) = run.run(|mut rows| {
            for copy in 0..=copies {
                let last: HashMap<u64, u16> = rows.games.iter().copied().zip(rows.plies.iter().copied()).collect();
                let mut reading = Reading::default();
                for row in (0..rows.len()).filter(|&row| rows.plies[row] + copy as u16 * 2 <= last[&rows.games[row]]) {
                    positions.add(&rows, row, &mut reading);
                }
                rows.games.iter_mut().for_each(|game| *game = game.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            }
            Ok::<_, Infallible>(())
        });
        positions.weighed().expect("positions")
    }

    fn by_game(positions: &Positions) -> ComparedWdl {
        let contenders = vec![("bent".to_owned(), WdlTerms::default())];
        CompareWdl::new(positions).contenders(contenders).folds(2).by_game(true).run().expect("figures")
    }

    /// Near copies of a game are no other games: neither may one be fitted to where the other is judged, nor are errors smaller for them.
    #[test]
    fn games_that_begin_alike_are_held_out_together() {
        let (once, copied) = (with_copies(0), with_copies(3));
        assert!(copied.games() > 3 * once.games());
        let folds = copied.folds_by_game(3);
        let of_family: HashMap<u32, u8> =
            copied.families().into_iter().zip(folds.iter().map(|&(fold, _)| fold)).collect();
        assert!(copied.families().iter().zip(&folds).all(|(family, &(fold, _))| of_family[family] == fold));
        let families: std::collections::HashSet<u32> = copied.families().into_iter().collect();
        // A copy that ends before the beginning is over is another game, and some games have no position that is sampled but in a copy.
        assert!(families.len() * 20 <= once.games() * 21, "{} of {}", families.len(), once.games());
        let error = |positions: &Positions| by_game(positions).verdicts[1].gain.error.expect("games enough");
        let (one, four) = (error(&once), error(&copied));
        assert!(four > 0.8 * one, "{four} with three copies of each game, {one} without");
    }

    /// Once copies that stood one behind the other were one game, so that the order of the games decided how much they counted.
    #[test]
    fn copies_are_as_many_games_wherever_they_stand() {
        let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../src/cli/demo/sample.pgn.zst");
        let text = zstd::decode_all(std::fs::File::open(games).expect("the sample")).expect("the sample");
        let text = String::from_utf8(text).expect("text");
        let found: Vec<&str> = text.split_inclusive("\n\n[").collect();
        let [drawn, won, lost] = ["1/2-1/2", "1-0", "0-1"].map(|result| {
            let tag = format!("[Result \"{result}\"]");
            let game = found[1..].iter().find(|game| game.contains(&tag)).expect("a game");
            format!("[{}", game.trim_end_matches('['))
        });
        let directory = tempfile::tempdir().expect("a directory");
        let counted = |order: &[&String]| {
            let path = directory.path().join("games.pgn");
            std::fs::write(&path, order.iter().map(|game| game.as_str()).collect::<String>()).expect("a file");
            let run = Gather::new(expand_inputs(&[path]).expect("games")).rule(Rule::of_wdl_head());
            let positions = Positions::of_games(run, Choice::default()).expect("positions").0;
            (positions.games(), positions.families().into_iter().collect::<std::collections::HashSet<_>>().len())
        };
        assert_eq!(counted(&[&drawn, &drawn, &won, &lost]), (4, 3));
        assert_eq!(counted(&[&drawn, &won, &drawn, &lost]), (4, 3));
    }

    /// Once a game's fold was chosen by its place among the games.
    #[test]
    fn folds_by_game_are_the_same_in_any_order() {
        let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../src/cli/demo/sample.pgn.zst");
        let text = zstd::decode_all(std::fs::File::open(games).expect("the sample")).expect("the sample");
        let text = String::from_utf8(text).expect("text");
        let mut games: Vec<&str> =
            text.split_inclusive("\n\n[").take(300).map(|game| game.trim_end_matches('[')).collect();
        games[0] = games[0].trim_start_matches('[');
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("games.pgn");
        let folds = |order: &[&str]| {
            std::fs::write(&path, order.iter().map(|game| format!("[{game}")).collect::<String>()).expect("a file");
            let run = Gather::new(expand_inputs(std::slice::from_ref(&path)).expect("games")).rule(Rule::of_wdl_head());
            let positions = Positions::of_games(run, Choice::default()).expect("positions").0;
            let of_position = positions.each(|block, row| (block.openings[row], block.evals[row], block.outcomes[row]));
            let mut folds: Vec<_> = of_position.zip(positions.folds_by_game(5)).collect();
            folds.sort_unstable_by_key(|&((opening, eval, outcome), fold)| (opening, eval, outcome as u8, fold));
            folds
        };
        let forward = folds(&games);
        assert!(forward.len() > 1000);
        games.reverse();
        assert_eq!(folds(&games), forward);
    }

    /// Of games with evaluations of one side, as with `--match-engine`, an even step must not leave out those whose key is odd.
    #[test]
    fn one_in_so_many_positions_is_counted_among_those_that_can_be_used() {
        let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../src/cli/demo/sample.pgn.zst");
        let taken = |every: u16| {
            let run = Gather::new(expand_inputs(&[games.into()]).expect("the sample")).rule(Rule::of_wdl_head());
            let mut positions = Positions::none(Choice { every, ..Choice::default() }).expect("positions");
            let mut reading = Reading::default();
            let Ok(_) = run.run(|mut rows| {
                for row in 0..rows.len() {
                    rows.evals[row] = rows.evals[row].filter(|_| rows.plies[row] % 2 == 0);
                    positions.add(&rows, row, &mut reading);
                }
                Ok::<_, Infallible>(())
            });
            positions
        };
        let all = taken(1);
        let mut of_game = vec![0_usize; all.games()];
        all.each(|block, row| block.games[row]).for_each(|game| of_game[game as usize] += 1);
        for every in [2, 3, 4] {
            let some = taken(every);
            let long = of_game.iter().filter(|&&positions| positions >= usize::from(every)).count();
            let share = some.rows as f64 * f64::from(every) / all.rows as f64;
            assert!((long..=all.games()).contains(&some.games()), "{every}: {} of {long} games", some.games());
            assert!((0.95..1.05).contains(&share), "{every}: {share}");
            assert_eq!(some.left.between as usize + some.rows, all.rows);
        }
    }
}
