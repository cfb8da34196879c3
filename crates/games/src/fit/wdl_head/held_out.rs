//! WDL heads held against Stockfish's model on games that no fit has seen.

use std::collections::HashSet;
use std::num::NonZero;
use std::thread::available_parallelism;

use drawish_artefact::provenance::made_by;
use drawish_core::{Outcome, Wdl};
use drawish_heads::heads::WdlHead;
use drawish_stats::numeric::in_order;
use drawish_stats::{Calibration, Clusters, calibration, clustered_mean};

use super::super::Gain;
use super::super::remark::lines;
use super::compared::{ComparedWdl, WdlVerdict, is_within_games};
use super::cubic::Cubic;
use super::likelihood::probabilities;
use super::prior::PRIORS;
use super::rescale::{self, Asked, Rescaled};
use super::{Model, Near, Positions, Priors, WdlHeadError, WdlTerms, check_priors, prepared};

/// Compares WDL heads with the model of Stockfish at its own optimum: its a and b cubic in the material.
///
/// Positions are held out by opening and event at once, as [`Compare`](super::super::Compare) does: each is predicted by
/// fits to positions that share neither its fold of openings nor its fold of events.
#[derive(Clone, Debug)]
pub struct CompareWdl<'a> {
    positions: &'a Positions,
    contenders: Vec<(String, WdlTerms)>,
    given: Vec<(String, WdlHead)>,
    judged: i32,
    folds: usize,
    by_game: bool,
    priors: Priors,
    towards: Option<WdlHead>,
    threads: NonZero<usize>,
}

/// The column of the side to move among the odd features: the first of them.
const TEMPO: usize = 0;
/// Games of another engine that the two numbers of a given head are fitted to.
const GAMES_TO_RESCALE: usize = 1000;

impl<'a> CompareWdl<'a> {
    /// Compares the steps from the evaluation alone to the built-in head, judged up to 600
    /// centipawns, in five folds.
    #[must_use]
    pub fn new(positions: &'a Positions) -> CompareWdl<'a> {
        CompareWdl {
            positions,
            contenders: WdlTerms::steps().into_iter().map(|(name, terms)| (name.to_owned(), terms)).collect(),
            given: Vec::new(),
            judged: positions.choice().largest_eval.min(600),
            folds: 5,
            by_game: false,
            priors: PRIORS,
            towards: None,
            threads: available_parallelism().unwrap_or(NonZero::<usize>::MIN),
        }
    }

    /// The models to compare, each with its name.
    #[must_use]
    pub fn contenders(mut self, contenders: Vec<(String, WdlTerms)>) -> Self {
        self.contenders = contenders;
        self
    }

    /// Heads to judge as they are, and [in sample](WdlVerdict::in_sample) with scale and width fitted to 1,000 of these games.
    #[must_use]
    pub fn given(mut self, heads: Vec<(String, WdlHead)>) -> Self {
        self.given = heads;
        self
    }

    /// The largest evaluation judged, in centipawns, at most the largest of the positions; 600 by default.
    #[must_use]
    pub fn judged(mut self, centipawns: i32) -> Self {
        self.judged = centipawns.min(self.positions.choice().largest_eval);
        self
    }

    /// Folds of openings and folds of events, 2 to 20.
    #[must_use]
    pub fn folds(mut self, folds: usize) -> Self {
        self.folds = folds;
        self
    }

    /// Holds out by game alone instead of by opening and event at once. Games of the same opening and event then stand on both
    /// sides, as for a user whose games are like those of the fit; but those that are the same for their first 20 moves are one game, of
    /// which the others are near copies. Errors are robust to dependence within events and among these, as always, but within games if these are of fewer
    /// than [`FEWEST_EVENTS`](super::super::FEWEST_EVENTS).
    #[must_use]
    pub fn by_game(mut self, by_game: bool) -> Self {
        self.by_game = by_game;
        self
    }

    /// How strongly weights are held back.
    #[must_use]
    pub fn priors(mut self, priors: Priors) -> Self {
        self.priors = priors;
        self
    }

    /// Another head towards whose weights those of the contenders are held back, as in
    /// [`TuneWdl`](super::TuneWdl::towards); it must not have seen these games.
    #[must_use]
    pub fn towards(mut self, head: Option<WdlHead>) -> Self {
        self.towards = head;
        self
    }

    /// Threads that fit.
    #[must_use]
    pub fn threads(mut self, threads: NonZero<usize>) -> Self {
        self.threads = threads;
        self
    }

    /// Compares.
    ///
    /// # Errors
    ///
    /// See [`WdlHeadError`].
    pub fn run(&self) -> Result<ComparedWdl, WdlHeadError> {
        if !(2..=20).contains(&self.folds) {
            return Err(WdlHeadError::Folds(self.folds));
        }
        check_priors(self.priors)?;
        let positions = self.positions;
        let judged: Vec<bool> = positions.each(|block, row| i32::from(block.evals[row]).abs() <= self.judged).collect();
        let folds = if self.by_game { positions.folds_by_game(self.folds) } else { positions.folds(self.folds) };
        let contest = Contest { positions, judged, folds, by_game: self.by_game, threads: self.threads };
        let mut forecasts = vec![("Stockfish's model".to_owned(), 8, contest.cubic(self.folds))];
        let mut in_sample = Vec::new();
        for (name, terms) in &self.contenders {
            terms.check()?;
            let model = Model::new(positions, terms, self.priors).towards(self.towards.as_ref(), positions, terms)?;
            let found = contest.model(&model, self.folds);
            forecasts.push((name.clone(), model.design.unknowns(), found));
        }
        for (name, head) in &self.given {
            let asked = Asked::new(positions, &head.quantised(), self.threads)?;
            let all = |numbers: Rescaled| (0..positions.len()).map(|row| Some(asked.wdl(row, numbers))).collect();
            let learned = contest.some_games(GAMES_TO_RESCALE);
            let numbers = rescale::fit(positions, &asked, Some(&learned));
            forecasts.push((name.clone(), head.free_weights(), all(Rescaled { scale: 1.0, width: 1.0 })));
            let Rescaled { scale, width } = numbers;
            in_sample.push(forecasts.len());
            forecasts.push((format!("{name}, scale {scale:.2}, width {width:.2}"), 2, all(numbers)));
        }
        let mut compared = self.verdicts(&contest, &forecasts);
        in_sample.into_iter().for_each(|place| compared.verdicts[place].in_sample = true);
        Ok(compared)
    }

    /// What to know of the positions, and which of the given heads have seen their games.
    fn warnings(&self) -> Vec<String> {
        let mut warnings = lines(&self.positions.remarks());
        let named = self.given.iter().map(|(name, head)| (name.as_str(), head));
        for (name, head) in
            named.chain(self.towards.iter().map(|head| ("the head that weights are held towards", head)))
        {
            warnings.extend(
                self.positions.known_to(head).map(|seen| {
                    format!("{}: {name} was fitted to games of this file; its figures flatter it", seen.name)
                }),
            );
            warnings.extend(self.positions.known_games(head).map(|remark| format!("{name}: {remark}")));
        }
        warnings
    }

    fn verdicts(&self, contest: &Contest<'_>, forecasts: &[(String, usize, Forecasts)]) -> ComparedWdl {
        let positions = contest.positions;
        let rows: Vec<usize> = (0..positions.len()).filter(|&row| contest.judged[row]).collect();
        let all: Vec<_> = positions
            .each(|block, row| {
                let white_moves = block.odd(row)[TEMPO] > 0;
                (block.outcomes[row], block.events[row], block.games[row], block.weights[row], white_moves)
            })
            .collect();
        let within_games = is_within_games(self.by_game, positions.events());
        let families = positions.families();
        let families: Vec<u32> = rows.iter().map(|&row| families[row]).collect();
        let events: Vec<u32> = rows.iter().map(|&row| all[row].1).collect();
        let clusters = match within_games {
            true => Clusters::from(&families),
            false => Clusters::from(&events).crossed_by(&families),
        };
        let games: HashSet<u32> = rows.iter().map(|&row| all[row].2).collect();
        let mut of_game = vec![0.0_f64; positions.games()];
        rows.iter().for_each(|&row| of_game[all[row].2 as usize] += 1.0);
        let mean = rows.len() as f64 / games.len().max(1) as f64;
        let by_game: Vec<f64> = rows.iter().map(|&row| mean / of_game[all[row].2 as usize]).collect();
        let losses: Vec<Vec<f64>> = forecasts
            .iter()
            .map(|(.., found)| {
                let loss = |row: &usize| {
                    let p = found[*row].map_or(1.0 / 3.0, |wdl| *wdl.of(all[*row].0));
                    -p.max(1e-12).log2()
                };
                rows.iter().map(loss).collect()
            })
            .collect();
        let mean_of = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
        let weighed =
            |values: &[f64]| values.iter().zip(&by_game).map(|(value, weight)| value * weight).collect::<Vec<_>>();
        let gain = |than: &[f64], own: &[f64]| {
            let better: Vec<f64> = than.iter().zip(own).map(|(than, own)| 1000.0 * (than - own)).collect();
            // Weights have mean 1: the error of the weighted mean is that of its deviations.
            let gain = |values: &[f64]| Gain::of(clustered_mean(values, clusters));
            let by_position = gain(&better);
            let centre = mean_of(&weighed(&better));
            let off: Vec<f64> = better.iter().zip(&by_game).map(|(value, weight)| weight * (value - centre)).collect();
            (by_position, Gain { millibits: centre, ..gain(&off) })
        };
        let mut verdicts: Vec<WdlVerdict> = Vec::new();
        for (place, (name, weights, found)) in forecasts.iter().enumerate() {
            let (over_cubic, over_cubic_by_game) = gain(&losses[0], &losses[place]);
            let class = |of: &dyn Fn(Wdl<f64>) -> f64, outcome: Outcome| {
                let of_mover = |&row: &usize| {
                    let wdl = found[row].map_or(Wdl { wins: 1.0, draws: 1.0, losses: 1.0 }.map(|p| p / 3.0), |wdl| wdl);
                    of(if all[row].4 { wdl } else { wdl.flip() })
                };
                let was = |&row: &usize| {
                    let (ended, white) = (all[row].0, all[row].4);
                    f64::from(u8::from(if white { ended } else { ended.flip_colors() } == outcome))
                };
                let forecast: Vec<f64> = rows.iter().map(of_mover).collect();
                let happened: Vec<f64> = rows.iter().map(was).collect();
                let nothing = Calibration { ece: 0.0, low: None, high: None, bins: Vec::new() };
                calibration(&forecast, &happened, clusters, 10).unwrap_or(nothing)
            };
            verdicts.push(WdlVerdict {
                name: name.clone(),
                weights: *weights,
                in_sample: false,
                bits: mean_of(&losses[place]),
                bits_by_game: mean_of(&weighed(&losses[place])),
                gain: over_cubic,
                gain_by_game: over_cubic_by_game,
                over_last: gain(&losses[place.saturating_sub(1)], &losses[place]).0,
                calibration: [
                    class(&|wdl| wdl.wins, Outcome::WhiteWin),
                    class(&|wdl| wdl.draws, Outcome::Draw),
                    class(&|wdl| wdl.losses, Outcome::BlackWin),
                ],
            });
        }
        ComparedWdl {
            made_by: made_by(),
            inputs: positions.inputs().to_vec(),
            rules: positions.rules().to_vec(),
            warnings: self.warnings(),
            positions: rows.len(),
            games: games.len(),
            events: positions.events(),
            folds: self.folds,
            by_game: self.by_game,
            largest_eval: self.judged,
            verdicts,
        }
    }
}

/// What a model says of each position that it was asked about.
type Forecasts = Vec<Option<Wdl<f64>>>;

struct Contest<'a> {
    positions: &'a Positions,
    judged: Vec<bool>,
    folds: Vec<(u8, u8)>,
    by_game: bool,
    threads: NonZero<usize>,
}

impl Contest<'_> {
    /// The forecasts of a model for each cell of the square of folds, by fits to what is strange to it.
    fn forecast(&self, folds: usize, of_cell: impl Fn(&[bool], &[usize]) -> Vec<Wdl<f64>> + Sync) -> Forecasts {
        let events = self.folds.iter().map(|&(_, event)| event).max().map_or(1, |last| usize::from(last) + 1);
        let cells: Vec<(u8, u8)> =
            (0..folds as u8).flat_map(|opening| (0..events as u8).map(move |event| (opening, event))).collect();
        let mut forecasts = vec![None; self.positions.len()];
        in_order(
            &cells,
            self.threads,
            |_, &cell| {
                let test: Vec<bool> =
                    self.folds.iter().zip(&self.judged).map(|(&fold, &judged)| judged && fold == cell).collect();
                let rows: Vec<usize> = (0..test.len()).filter(|&row| test[row]).collect();
                if rows.is_empty() {
                    return (rows, Vec::new());
                }
                let found = of_cell(&self.strangers(&test, events > 1), &rows);
                (rows, found)
            },
            |(rows, found)| rows.into_iter().zip(found).for_each(|(row, wdl)| forecasts[row] = Some(wdl)),
        );
        forecasts
    }

    /// The positions that share neither opening nor event with one of `test`; by game, those of games that begin otherwise.
    fn strangers(&self, test: &[bool], by_event: bool) -> Vec<bool> {
        let keys = self.positions.each(|block, row| (block.openings[row], block.events[row]));
        let of = |((opening, event), family): ((u32, u32), u32)| (if self.by_game { family } else { opening }, event);
        let keys: Vec<(u32, u32)> = keys.zip(self.positions.families()).map(of).collect();
        let of_test = || keys.iter().zip(test).filter(|&(_, &test)| test).map(|(&key, _)| key);
        let openings: HashSet<u32> = of_test().map(|(opening, _)| opening).collect();
        let events: HashSet<u32> = of_test().filter(|_| by_event).map(|(_, event)| event).collect();
        keys.iter().map(|(opening, event)| !openings.contains(opening) && !events.contains(event)).collect()
    }

    fn cubic(&self, folds: usize) -> Forecasts {
        let cubic = Cubic::new(self.positions);
        self.forecast(folds, |train, rows| {
            let train: Vec<bool> = train.iter().zip(&self.judged).map(|(&train, &judged)| train && judged).collect();
            let unknowns = cubic.fit(self.positions, &train);
            let of = |&row: &usize| {
                let (win, loss) = cubic.logits(&unknowns, row);
                probabilities(win, loss)
            };
            rows.iter().map(of).collect()
        })
    }

    fn model(&self, model: &Model, folds: usize) -> Forecasts {
        let (near, ..): (Near, _, _) = model.near(self.positions, self.threads);
        let places: Vec<(usize, usize)> = (self.positions.blocks.iter().enumerate())
            .flat_map(|(number, block)| (0..block.len()).map(move |row| (number, row)))
            .collect();
        self.forecast(folds, |train, rows| {
            let unknowns = model.fit_some(self.positions, train, &near);
            let prepared = prepared(model, &unknowns);
            let of = |&row: &usize| {
                let (block, place) = places[row];
                let scored = prepared.score(&self.positions.blocks[block], place);
                probabilities(scored.win, scored.loss)
            };
            rows.iter().map(of).collect()
        })
    }

    /// The positions of some games, spread over all of them.
    fn some_games(&self, count: usize) -> Vec<bool> {
        let every = (self.positions.games() / count.max(1)).max(1) as u32;
        self.positions.each(|block, row| block.games[row] % every == 0).collect()
    }
}
