//! Positions with evaluations as the fit of a WDL head sees them: packed, so that ten million stay in memory.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::LazyLock;

use drawish_artefact::provenance::InputRecord;
use drawish_core::{Outcome, Wdl};
use drawish_heads::features::{self, Family, Parity};
use drawish_heads::heads::WdlHead;
use twox_hash::XxHash3_64;

use super::super::data::deal;
use super::super::remark::{Remark, check_results};
use super::WdlHeadError;
use crate::rows::{EventKey, Gather, Gathered, RowSet, RowSource, Rows, Wanted};

/// Positions in a block; the size never changes, because sums are rounded by it.
const BLOCK: usize = 1 << 12;
/// Even features are kept in a byte, this much larger.
pub(super) const OFFSET: i16 = 16;

/// Which positions of the sources count, and how much.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// The largest evaluation in centipawns.
    pub largest_eval: i32,
    /// One in so many positions of a game, from a place that depends on the game.
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
    events: HashMap<EventKey, u32>,
    games: usize,
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
        let mut last_game = None;
        set.read(&Wanted { features: (0..features::all().len()).collect(), cells: Vec::new() }, |rows| {
            (0..rows.len()).for_each(|row| positions.add(&rows, row, &mut last_game));
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
        let mut last_game = None;
        let Ok(gathered) = run.run(|rows| {
            (0..rows.len()).for_each(|row| positions.add(&rows, row, &mut last_game));
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
        let (blocks, events) = (Vec::new(), HashMap::new());
        let left = Left::default();
        Ok(Positions { blocks, events, games: 0, rows: 0, choice, left, rules: Vec::new(), inputs: Vec::new() })
    }

    fn add(&mut self, rows: &Rows, row: usize, last_game: &mut Option<u64>) {
        let choice = self.choice;
        let Some(eval) = rows.evals[row] else {
            self.left.no_eval += 1;
            return;
        };
        if eval.abs() > choice.largest_eval {
            self.left.large_eval += 1;
            return;
        }
        let (game, every) = (rows.games[row], u64::from(choice.every.max(1)));
        if (u64::from(rows.plies[row]) + game) % every != 0 {
            self.left.between += 1;
            return;
        }
        if self.blocks.last().is_none_or(|block| block.len() >= BLOCK) {
            self.blocks.push(Block::default());
        }
        if *last_game != Some(game) {
            *last_game = Some(game);
            self.games += 1;
        }
        let events = self.events.len() as u32;
        let event = *self.events.entry(rows.event(row)).or_insert(events);
        let game = (self.games - 1) as u32;
        let Some(block) = self.blocks.last_mut() else { return };
        let value = |place: usize| rows.features[place][row];
        block.even.extend(even_places().iter().map(|&place| (value(place) + OFFSET).clamp(0, 255) as u8));
        // The two values are the feature times the phase and times 24 less the phase.
        block.odd.extend(odd_places().iter().map(|&[opening, ending]| (value(opening) + value(ending)) / 24));
        block.evals.push(eval as i16);
        block.outcomes.push(rows.outcomes[row]);
        block.games.push(game);
        block.events.push(event);
        block.openings.push(rows.skeletons[row] as u32);
        self.rows += 1;
    }

    /// The positions with their weights, which add up to the number of games; an error if they teach nothing.
    fn weighed(mut self) -> Result<Positions, WdlHeadError> {
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

    /// Results of the positions, White's.
    #[must_use]
    pub fn results(&self) -> Wdl {
        let mut results = Wdl::default();
        self.each(|block, row| block.outcomes[row]).for_each(|outcome| results.count(outcome));
        results
    }

    /// That the side to move scored so much in them that it is no chance: near one half where positions of both sides are taken.
    #[must_use]
    pub fn remark(&self) -> Option<Remark> {
        let chance = 1.0 / (self.games as f64).sqrt();
        let score = self.mover_score().filter(|score| (score - 0.5).abs() > f64::max(0.04, chance))?;
        Some(Remark::Mover { permille: (1000.0 * score).round() as u32 })
    }

    /// The expected score of the side to move, each position with its weight; `None` without positions.
    pub(super) fn mover_score(&self) -> Option<f64> {
        let tempo = features::place("tempo_mg")?;
        let column = odd_places().iter().position(|places| places[0] == tempo)?;
        let of = |block: &Block, row: usize| {
            let points = match block.outcomes[row] {
                Outcome::WhiteWin => 1.0,
                Outcome::Draw => 0.5,
                Outcome::BlackWin => 0.0,
            };
            let is_white = block.odd(row)[column] > 0;
            (f64::from(block.weights[row]), if is_white { points } else { 1.0 - points })
        };
        let (points, weights) = self
            .each(of)
            .fold((0.0, 0.0), |(points, weights), (weight, score)| (points + weight * score, weights + weight));
        (weights > 0.0).then(|| points / weights)
    }

    /// Something of each position.
    pub(super) fn each<T>(&self, of: impl Fn(&Block, usize) -> T + Copy) -> impl Iterator<Item = T> {
        self.blocks.iter().flat_map(move |block| (0..block.len()).map(move |row| of(block, row)))
    }

    /// The folds of each position by its game, and no folds by event.
    pub(super) fn folds_by_game(&self, count: usize) -> Vec<(u8, u8)> {
        let game = |block: &Block, row: usize| block.games[row];
        let games = deal(self.each(game), count, |key| XxHash3_64::oneshot(&key.to_le_bytes()));
        self.each(game).map(|game| (games[&game], 0)).collect()
    }

    /// The folds of each position by opening and by event, as those of [`Data`](super::super::Data).
    pub(super) fn folds(&self, count: usize) -> Vec<(u8, u8)> {
        let mut hashes = vec![0; self.events.len()];
        for (key, &event) in &self.events {
            hashes[event as usize] = key.digest();
        }
        let event = |block: &Block, row: usize| block.events[row];
        let opening = |block: &Block, row: usize| block.openings[row];
        let events = deal(self.each(event), count, |event| hashes[event as usize]);
        let openings = deal(self.each(opening), count, |key| XxHash3_64::oneshot(&key.to_le_bytes()));
        let one_event = self.events.len() < 2;
        self.each(opening)
            .zip(self.each(event))
            .map(|(opening, event)| (openings[&opening], if one_event { 0 } else { events[&event] }))
            .collect()
    }
}
