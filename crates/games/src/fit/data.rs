//! Rows as a fit sees them: sparse and small, so that ten million stay in memory.

use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};

use drawish_core::{Outcome, Scheme, Wdl};
use drawish_stats::worth;
use twox_hash::XxHash3_64;

use crate::rows::{EventKey, Events, RowSet, RowSetError, RowSource, Rows, Wanted};
use drawish_heads::heads::{Input, Spec};

/// Rows in a block; a block is the unit of work, so its size decides how sums are rounded and never changes.
pub const BLOCK: usize = 1 << 12;

/// Rows for a fit.
#[derive(Debug, Default)]
pub struct Data {
    pub(super) blocks: Vec<Block>,
    /// Events, and the lines in which their games begin.
    events: Events,
    rows: usize,
    unmeasured: usize,
}

/// Some rows, each a run of entries: the weight's number and how many times it counts. The entries of the win/loss score
/// come first.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub starts: Vec<u32>,
    pub wins: Vec<u16>,
    pub weights: Vec<u16>,
    pub counts: Vec<i16>,
    pub outcomes: Vec<Outcome>,
    pub clusters: Vec<u32>,
    pub lines: Vec<u32>,
    pub skeletons: Vec<u32>,
    pub cells: Vec<u32>,
}

/// The entries of a row.
#[derive(Clone, Copy)]
pub(super) struct Entries<'a> {
    pub win: (&'a [u16], &'a [i16]),
    pub draw: (&'a [u16], &'a [i16]),
}

impl Block {
    pub fn len(&self) -> usize {
        self.outcomes.len()
    }

    pub fn entries(&self, row: usize) -> Entries<'_> {
        let (start, end) = (self.starts[row] as usize, self.starts[row + 1] as usize);
        let middle = start + usize::from(self.wins[row]);
        Entries {
            win: (&self.weights[start..middle], &self.counts[start..middle]),
            draw: (&self.weights[middle..end], &self.counts[middle..end]),
        }
    }

    fn is_full(&self) -> bool {
        self.len() >= BLOCK
    }

    fn shrink(&mut self) {
        self.weights.shrink_to_fit();
        self.counts.shrink_to_fit();
    }
}

impl Data {
    /// The rows that are chosen, each with its block.
    pub(super) fn chosen<'a>(&'a self, rows: Option<&'a [bool]>) -> impl Iterator<Item = (&'a Block, usize)> {
        let all = self.blocks.iter().flat_map(|block| (0..block.len()).map(move |row| (block, row)));
        all.enumerate().filter(move |(number, _)| rows.is_none_or(|rows| rows[*number])).map(|(_, row)| row)
    }

    /// All rows of a set as the model of `spec` sees them, with their cells of the scheme `bg-sym`; but for rows without an
    /// evaluation or rating that it reads, which are [counted](Self::unmeasured).
    ///
    /// # Errors
    ///
    /// If a source cannot be read.
    pub fn load<S: RowSource>(set: &RowSet<S>, spec: &Spec) -> Result<Data, RowSetError> {
        Data::load_some(set, spec, |rows| vec![true; rows.len()])
    }

    /// The same with one row of each game: what takes rows for independent needs it.
    ///
    /// # Errors
    ///
    /// If a source cannot be read.
    pub fn load_one_a_game<S: RowSource>(set: &RowSet<S>, spec: &Spec) -> Result<Data, RowSetError> {
        Data::load_some(set, spec, |rows| {
            let mut keep = vec![false; rows.len()];
            let mut first = 0;
            for game in rows.games.chunk_by(|one, other| one == other) {
                keep[first + (game[0] % game.len() as u64) as usize] = true;
                first += game.len();
            }
            keep
        })
    }

    fn load_some<S: RowSource>(
        set: &RowSet<S>,
        spec: &Spec,
        some: impl Fn(&Rows) -> Vec<bool>,
    ) -> Result<Data, RowSetError> {
        let mut data = Data::default();
        let covariates = spec.covariates();
        let wanted = Wanted { features: spec.features(), cells: vec![Scheme::BgSym] };
        set.read_sources(&wanted, |source, mut rows| {
            // A missing value is none, and least of all a measured 0.
            if (0..rows.len()).any(|row| covariates.iter().any(|&input| rows.lacks(input, row))) {
                data.unmeasured += rows.to_mut().leave_out_lacking(&covariates);
            }
            let keep = some(&rows);
            data.extend(&rows, spec, Some(Scheme::BgSym), |_, row| keep[row]);
            let boards = rows.are_boards(&source.provenance().rule);
            data.events.add_loose(boards.iter().zip(&keep).filter(|&(&is_board, &keep)| is_board && keep).count());
        })?;
        Ok(data.settled())
    }

    /// Rows as the model of `spec` sees them, with the cells of a scheme.
    #[must_use]
    pub fn of(rows: impl IntoIterator<Item: Borrow<Rows>>, spec: &Spec, scheme: Option<Scheme>) -> Data {
        let mut data = Data::default();
        rows.into_iter().for_each(|rows| data.extend(rows.borrow(), spec, scheme, |_, _| true));
        data.settled()
    }

    /// With the events of all rows, which are known when all have come.
    fn settled(mut self) -> Data {
        let of_game = self.events.settle();
        let clusters = self.blocks.iter_mut().flat_map(|block| &mut block.clusters);
        clusters.for_each(|cluster| *cluster = of_game[*cluster as usize]);
        self
    }

    /// Appends rows, but for their events. Only rows that `keep` accepts.
    fn extend(&mut self, rows: &Rows, spec: &Spec, scheme: Option<Scheme>, keep: impl Fn(&Rows, usize) -> bool) {
        let cells = scheme.and_then(|scheme| Scheme::ALL.iter().position(|&other| other == scheme));
        let cells = cells.map(|place| &rows.cells[place]);
        let first_draw = spec.win_weights();
        for row in (0..rows.len()).filter(|&row| keep(rows, row)) {
            if self.blocks.last().is_none_or(Block::is_full) {
                if let Some(full) = self.blocks.last_mut() {
                    full.shrink();
                }
                self.blocks.push(Block { starts: vec![0], ..Block::default() });
            }
            let origin = self.events.of(rows, row);
            let Some(block) = self.blocks.last_mut() else { continue };
            let mut entry = |weight: usize, count: i16| {
                if count != 0 {
                    block.weights.push(weight as u16);
                    block.counts.push(count);
                }
            };
            let value = |input: Input| rows.value(input, row);
            let mut first = 0;
            for term in &spec.win {
                let (weight, count) = term.of_row(value);
                entry(first + weight, count);
                first += term.weights();
            }
            let begin = *block.starts.last().unwrap_or(&0) as usize;
            block.wins.push((block.weights.len() - begin) as u16);
            let mut entry = |weight: usize, count: i16| {
                if count != 0 {
                    block.weights.push(weight as u16);
                    block.counts.push(count);
                }
            };
            let mut first = first_draw;
            if spec.constant {
                entry(first, 1);
                first += 1;
            }
            for term in &spec.draw {
                let (weight, count) = term.of_row(value);
                entry(first + weight, count);
                first += term.weights();
            }
            block.starts.push(block.weights.len() as u32);
            block.outcomes.push(rows.outcomes[row]);
            // The game, until all have come.
            block.clusters.push(origin.game);
            block.lines.push(origin.line);
            block.skeletons.push(rows.skeletons[row] as u32);
            if let Some(cells) = cells {
                block.cells.push(cells[row]);
            }
            self.rows += 1;
        }
    }

    /// Rows that were left out for want of an evaluation or rating.
    #[must_use]
    pub fn unmeasured(&self) -> usize {
        self.unmeasured
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// How many events the rows come from.
    #[must_use]
    pub fn events(&self) -> usize {
        self.events.len()
    }

    /// Counts so many of the rows as positions without their games.
    pub(super) fn add_loose(&mut self, rows: usize) {
        self.events.add_loose(rows);
    }

    /// The events, with the copies that were seen.
    pub(super) fn numbered_events(&self) -> &Events {
        &self.events
    }

    /// How many events of equal size the events of the chosen rows are [worth].
    pub(super) fn worth_of_events(&self, rows: Option<&[bool]>) -> f64 {
        worth(self.shares_of_events(rows))
    }

    /// How many lines in which as many games begin those of the chosen rows are [worth].
    pub(super) fn worth_of_lines(&self, rows: Option<&[bool]>) -> f64 {
        worth(self.shares(rows, self.events.lines(), |block, row| block.lines[row]))
    }

    /// The less of both: errors, which are robust to dependence in either way, are as exact as those from so many.
    pub(super) fn worth(&self, rows: Option<&[bool]>) -> f64 {
        self.worth_of_events(rows).min(self.worth_of_lines(rows))
    }

    /// The share of the chosen rows that each event has, by its number.
    pub(super) fn shares_of_events(&self, rows: Option<&[bool]>) -> Vec<f64> {
        self.shares(rows, self.events.len(), |block, row| block.clusters[row])
    }

    fn shares(&self, rows: Option<&[bool]>, numbers: usize, number: impl Fn(&Block, usize) -> u32) -> Vec<f64> {
        let mut counts = vec![0_u64; numbers];
        self.chosen(rows).for_each(|(block, row)| counts[number(block, row) as usize] += 1);
        let all = counts.iter().sum::<u64>().max(1) as f64;
        counts.into_iter().map(|count| count as f64 / all).collect()
    }

    /// Rows of games that name neither an event nor both players.
    #[must_use]
    pub fn nameless(&self) -> usize {
        let nameless: HashSet<u32> = self
            .events
            .iter()
            .filter(|(key, _)| matches!(key, EventKey::Opening(_)))
            .map(|(_, cluster)| cluster)
            .collect();
        self.clusters().filter(|cluster| nameless.contains(cluster)).count()
    }

    /// How many opening skeletons there are.
    #[must_use]
    pub fn skeletons(&self) -> usize {
        let mut all: Vec<u32> = self.blocks.iter().flat_map(|block| block.skeletons.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    }

    /// Results of the rows, White's.
    #[must_use]
    pub fn results(&self) -> Wdl {
        let mut results = Wdl::default();
        self.outcomes().for_each(|outcome| results.count(outcome));
        results
    }

    /// The results, row by row.
    pub fn outcomes(&self) -> impl Iterator<Item = Outcome> {
        self.blocks.iter().flat_map(|block| block.outcomes.iter().copied())
    }

    /// The events as numbers, row by row.
    pub fn clusters(&self) -> impl Iterator<Item = u32> {
        self.blocks.iter().flat_map(|block| block.clusters.iter().copied())
    }

    /// The lines in which the games of the rows begin as numbers, row by row: rows of one depend on each other, whatever their events.
    pub fn lines(&self) -> impl Iterator<Item = u32> {
        self.blocks.iter().flat_map(|block| block.lines.iter().copied())
    }

    /// The opening skeletons as numbers, row by row.
    pub fn skeleton_keys(&self) -> impl Iterator<Item = u32> {
        self.blocks.iter().flat_map(|block| block.skeletons.iter().copied())
    }

    /// The cells, row by row; none if no scheme was given.
    pub fn cells(&self) -> impl Iterator<Item = u32> {
        self.blocks.iter().flat_map(|block| block.cells.iter().copied())
    }

    /// The folds of each row by opening skeleton and by event, each below `count`. Folds are of about equal size: the keys are
    /// dealt out from the most frequent on, each to the smallest fold so far, keys of equal frequency in the order of
    /// a hash.
    #[must_use]
    pub fn folds(&self, count: usize) -> Vec<(u8, u8)> {
        let event_hashes = self.events.digests();
        let events = deal(self.clusters(), count, |cluster| event_hashes[cluster as usize]);
        let skeletons = deal(self.skeleton_keys(), count, |key| XxHash3_64::oneshot(&key.to_le_bytes()));
        self.skeleton_keys().zip(self.clusters()).map(|(key, cluster)| (skeletons[&key], events[&cluster])).collect()
    }
}

pub(super) fn deal(keys: impl Iterator<Item = u32>, count: usize, hash: impl Fn(u32) -> u64) -> HashMap<u32, u8> {
    let mut sizes: HashMap<u32, usize> = HashMap::new();
    keys.for_each(|key| *sizes.entry(key).or_default() += 1);
    let mut order: Vec<(usize, u64, u32)> = sizes.into_iter().map(|(key, size)| (size, hash(key), key)).collect();
    order.sort_unstable_by(|a, b| b.cmp(a));
    let mut loads = vec![0; count.max(1)];
    order
        .into_iter()
        .map(|(size, _, key)| {
            let smallest = (0..loads.len()).min_by_key(|&fold| loads[fold]).unwrap_or(0);
            loads[smallest] += size;
            (key, smallest as u8)
        })
        .collect()
}
