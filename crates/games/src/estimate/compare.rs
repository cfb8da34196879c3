//! Which form tells the results of games best from evaluations: each fitted on the same games and judged on others.

mod judged;

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::num::NonZero;

use drawish_core::{Outcome, Wdl};
use thiserror::Error;
use twox_hash::XxHash3_64;

use super::counting::{Record, count};
use super::forms::{Cells, Form, Kind, log_losses};
use super::games::{Evaluation, Game, Reading, read_evaluated};
use crate::pgn::{EvalValue, Input, Pattern, Progress, View, Writer, rank_of_event};
use drawish_stats::model::pawn_advantage;
use drawish_stats::model::relevance::Relevance;
use drawish_stats::worth;
pub use judged::{BINS, Bin, Comparison, Judged};
use judged::{calibrate, cluster_error, of_fits};

/// What to compare on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trial {
    /// Evaluations beyond this many hundredths of a pawn are left out.
    pub limit: u16,
    /// How many parts the games are cut into, each of which is told by a fit on the others.
    pub folds: usize,
    /// Whose evaluations the comments hold; for the article's counting.
    pub writer: Option<Writer>,
    /// From whose view they are; `None` for that of their style.
    pub view: Option<View>,
}

/// Games that are kept together, in one fold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// With the same Event tag.
    Event,
    /// With the same first moves.
    Opening,
    /// None.
    Game,
}

impl Group {
    /// What the groups are, in the plural.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Group::Event => "events",
            Group::Opening => "openings",
            Group::Game => "games",
        }
    }
}

/// Why nothing can be compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum CompareError {
    /// Some fold would have no games.
    #[error(
        "{games} games with evaluations make {groups} groups: expected at least {folds}, one for each fold; group them otherwise, or ask for fewer folds"
    )]
    TooFew {
        /// Games with a result and an evaluation.
        games: usize,
        /// Groups of them.
        groups: usize,
        /// Folds asked for.
        folds: usize,
    },
}

/// The evaluations of games with results.
#[derive(Debug)]
pub struct Contest {
    trial: Trial,
    games: Vec<Entry>,
    /// Evaluations in hundredths of a pawn from White's view, game after game.
    evaluations: Vec<i16>,
    events: HashMap<String, u32>,
    openings: HashMap<u64, u32>,
    /// Lines of copies that do not count, and their events.
    copies: Vec<(u64, u32)>,
    /// Evaluations that were left out: mates, and those beyond the limit.
    left_out: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    outcome: Outcome,
    event: u32,
    opening: u32,
    /// That of [`Game`].
    line: u64,
    /// The same wherever the game stands in the input.
    key: u64,
    /// Where its evaluations end.
    end: usize,
    /// Those of players asked for.
    records: [Option<Record>; 2],
}

impl Contest {
    /// Without games yet.
    #[must_use]
    pub fn new(trial: Trial) -> Contest {
        let (games, evaluations) = (Vec::new(), Vec::new());
        let (events, openings, copies) = (HashMap::new(), HashMap::new(), Vec::new());
        Contest { trial, games, evaluations, events, openings, copies, left_out: 0 }
    }

    /// With the games of the inputs, or those of an event and of a player that match, and an account of what was read. Of a player's
    /// games only its own evaluations count, or all where an analyst wrote them. `progress` is called with the bytes of files and
    /// the games read so far.
    #[must_use]
    pub fn read(
        trial: Trial,
        [event, player]: [Option<&Pattern>; 2],
        inputs: Vec<Input>,
        threads: NonZero<usize>,
        progress: &Progress<'_>,
    ) -> (Contest, Reading) {
        let mut contest = Contest::new(trial);
        let wanted =
            |game: &Game| [&*game.white, &*game.black].map(|name| player.is_none_or(|player| player.fits(name)));
        let is_asked_for =
            |game: &Game| event.is_none_or(|event| event.fits(&game.event)) && wanted(game).contains(&true);
        let take = |game: Game, is_copy: bool| {
            if is_copy { contest.add_copy(&game) } else { contest.add_sides(&game, wanted(&game)) }
        };
        let reading = read_evaluated(inputs, trial.view, threads, is_asked_for, take, progress);
        (contest, reading)
    }

    /// Adds a game; one without a result or without evaluations within the limit changes nothing.
    pub fn add(&mut self, game: &Game) {
        self.add_sides(game, [true; 2]);
    }

    /// Notes in which event a copy of a game stands, which does not count again: which of them comes first changes no group then.
    fn add_copy(&mut self, game: &Game) {
        let event = self.event(game);
        self.copies.push((game.line, event));
    }

    fn event(&mut self, game: &Game) -> u32 {
        let next = self.events.len() as u32;
        *self.events.entry(game.event.clone()).or_insert(next)
    }

    /// The same of the sides that are wanted, White's and Black's; without either it changes nothing.
    fn add_sides(&mut self, game: &Game, wanted: [bool; 2]) {
        let (writer, number) = (self.trial.writer, self.games.len() as u32);
        let records = Record::of_game(game, number, writer).filter(|_| wanted.contains(&true));
        let (Some(outcome), Some([white, black])) = (game.outcome, records) else { return };
        let begin = self.evaluations.len();
        let is_own = |found: &Evaluation| wanted[usize::from(!found.white_moved)];
        let is_of_all = |found: &Evaluation| writer.unwrap_or(found.writer) == Writer::Analyst;
        for evaluation in game.evaluations.iter().filter(|&found| is_own(found) || is_of_all(found)) {
            match evaluation.value {
                // Within the limit, it is within an i16 that is not the smallest.
                EvalValue::Centipawns(value) if value.unsigned_abs() <= u32::from(self.trial.limit.min(32_767)) => {
                    self.evaluations.push(value as i16);
                }
                EvalValue::Centipawns(_) | EvalValue::Mate(_) => self.left_out += 1,
            }
        }
        let end = self.evaluations.len();
        if end > begin {
            let event = self.event(game);
            let next = self.openings.len() as u32;
            let opening = *self.openings.entry(game.opening).or_insert(next);
            let key = key_of(game, &self.evaluations[begin..]);
            let records = [wanted[0].then_some(white), wanted[1].then_some(black)];
            self.games.push(Entry { outcome, event, opening, line: game.line, key, end, records });
        }
    }

    /// How many groups the games make.
    #[must_use]
    pub fn groups(&self, group: Group) -> usize {
        self.group_of(group).1.len()
    }

    /// Events, or openings where there are fewer than two events for each fold, or too few for intervals.
    #[must_use]
    pub fn natural_group(&self) -> Group {
        let (of_event, keys) = self.group_of(Group::Event);
        let events = keys.len();
        let mut sizes = vec![0.0; events];
        self.each(&of_event).for_each(|(_, evaluations, event)| sizes[event] += evaluations.len() as f64);
        let are_enough = events >= 2 * self.trial.folds && drawish_stats::are_enough(events, worth(sizes));
        if are_enough { Group::Event } else { Group::Opening }
    }

    /// The group of each game, and the key of each group. Games of one line, be they copies with other names, evaluations or last moves,
    /// are in one group: that of least [rank](rank_of_event).
    /// Copies that do not count have a say, so that the order of all games changes nothing.
    fn group_of(&self, group: Group) -> (Vec<usize>, Vec<u64>) {
        let keys = self.keys(group);
        let own: Vec<usize> = self
            .games
            .iter()
            .enumerate()
            .map(|(number, entry)| match group {
                Group::Event => entry.event as usize,
                Group::Opening => entry.opening as usize,
                Group::Game => number,
            })
            .collect();
        let copies = self.copies.iter().filter(|_| group == Group::Event).map(|&(line, event)| (line, event as usize));
        let lines = self.games.iter().zip(&own).map(|(entry, &group)| (entry.line, group)).chain(copies);
        let lines: Vec<(u64, usize)> = lines.collect();
        let mut sizes = vec![0_usize; keys.len()];
        // Not how often they are listed.
        lines.iter().collect::<HashSet<_>>().into_iter().for_each(|&(_, group)| sizes[group] += 1);
        let mut of_line: HashMap<u64, usize> = HashMap::new();
        for (line, group) in lines {
            let smallest = of_line.entry(line).or_insert(group);
            let rank = |group: usize| rank_of_event(sizes[group], keys[group]);
            if rank(group) < rank(*smallest) {
                *smallest = group;
            }
        }
        // Numbered anew, since some groups may have no games of their own.
        let (mut numbers, mut kept) = (HashMap::new(), Vec::new());
        let number = |entry: &Entry| {
            let group = of_line[&entry.line];
            *numbers.entry(group).or_insert_with(|| {
                kept.push(keys[group]);
                kept.len() - 1
            })
        };
        let of_game = self.games.iter().map(number).collect();
        (of_game, kept)
    }

    /// Fits each form on the games outside each fold and judges it on those inside. Left out are forms that cannot be
    /// had in every fold, for want of wins or of games without one to count.
    ///
    /// # Errors
    ///
    /// If there are fewer groups than folds.
    pub fn compare(&self, group: Group) -> Result<Comparison, CompareError> {
        let (group_of, keys) = self.group_of(group);
        let (games, groups, folds) = (self.games.len(), keys.len(), self.trial.folds);
        if groups < folds {
            return Err(CompareError::TooFew { games, groups, folds });
        }
        let fold_of = self.folds(&group_of, &keys);
        let mut cells_of_fold = vec![vec![Wdl::default(); usize::from(self.trial.limit) + 1]; folds];
        for (entry, evaluations, fold) in self.each(&fold_of) {
            for &evaluation in evaluations {
                let cell: &mut Wdl<f64> = &mut cells_of_fold[fold][usize::from(evaluation.unsigned_abs())];
                *cell.of_mut(result_ahead(evaluation, entry.outcome)) += 1.0;
            }
        }
        let fits: Vec<Vec<Option<Form>>> =
            (0..folds).map(Some).chain([None]).map(|fold| self.fit(fold, &fold_of, &cells_of_fold)).collect();
        let contestants = Kind::ALL.into_iter().enumerate().filter_map(|(kind_place, kind)| {
            let forms: Option<Vec<Form>> = fits.iter().map(|forms| forms[kind_place]).collect();
            forms.map(|forms| (kind, forms))
        });
        let varied = of_fits(folds);
        let mut reference = None;
        let mut judged = Vec::new();
        for (kind, forms) in contestants {
            let losses: Vec<_> = forms[..folds].iter().map(|form| tabulate(form, cells_of_fold[0].len())).collect();
            let by_game: Vec<f64> = self
                .each(&fold_of)
                .map(|(entry, evaluations, fold)| {
                    let loss = |&evaluation: &i16| {
                        *losses[fold][usize::from(evaluation.unsigned_abs())]
                            .of(result_ahead(evaluation, entry.outcome))
                    };
                    evaluations.iter().map(loss).sum()
                })
                .collect();
            let first = reference.get_or_insert_with(|| by_game.clone());
            let excess: Vec<f64> = by_game.iter().zip(first).map(|(own, first)| own - *first).collect();
            let sizes: Vec<f64> = self.each(&fold_of).map(|(_, evaluations, _)| evaluations.len() as f64).collect();
            let sum_by_group = |values: &[f64]| {
                let mut sums = vec![0.0; groups];
                values.iter().zip(&group_of).for_each(|(value, &group)| sums[group] += value);
                sums
            };
            let positions = self.evaluations.len() as f64;
            let (brier, bins) = calibrate(&forms[..folds], &cells_of_fold);
            judged.push(Judged {
                kind,
                form: forms[folds],
                log_loss: by_game.iter().sum::<f64>() / positions,
                brier: brier / positions,
                excess: excess.iter().sum::<f64>() / positions,
                error: varied * cluster_error(&sum_by_group(&excess), &sum_by_group(&sizes)),
                groups,
                worth: worth(sum_by_group(&sizes)),
                error_by_game: varied * cluster_error(&excess, &sizes),
                bins,
            });
        }
        let positions = self.evaluations.len();
        Ok(Comparison { games, positions, left_out: self.left_out, groups, forms: judged })
    }

    /// Each game with its evaluations and its fold.
    fn each<'a>(&'a self, fold_of: &'a [usize]) -> impl Iterator<Item = (&'a Entry, &'a [i16], usize)> {
        let begins = std::iter::once(0).chain(self.games.iter().map(|entry| entry.end));
        let with_evaluations =
            self.games.iter().zip(begins).map(|(entry, begin)| (entry, &self.evaluations[begin..entry.end]));
        with_evaluations.zip(fold_of).map(|((entry, evaluations), &fold)| (entry, evaluations, fold))
    }

    /// A number for each group that tells nothing of where its games stand in the input.
    fn keys(&self, group: Group) -> Vec<u64> {
        let of_groups: Vec<(u32, u64)> = match group {
            Group::Event => {
                self.events.iter().map(|(name, &number)| (number, XxHash3_64::oneshot(name.as_bytes()))).collect()
            }
            Group::Opening => self.openings.iter().map(|(&opening, &number)| (number, opening)).collect(),
            Group::Game => return self.games.iter().map(|entry| entry.key).collect(),
        };
        let mut keys = vec![0; of_groups.len()];
        of_groups.into_iter().for_each(|(number, key)| keys[number as usize] = key);
        keys
    }

    /// The fold of each game: the largest groups first, each into the fold with the fewest games. The order of the games changes none.
    fn folds(&self, group_of: &[usize], keys: &[u64]) -> Vec<usize> {
        let groups = keys.len();
        let mut sizes: Vec<(usize, usize)> = (0..groups).map(|group| (0, group)).collect();
        group_of.iter().for_each(|&group| sizes[group].0 += 1);
        sizes.sort_by_key(|&(games, group)| (std::cmp::Reverse(games), keys[group], group));
        let mut in_fold = vec![0; self.trial.folds];
        let mut fold_of = vec![0; groups];
        for (games, group) in sizes {
            let fold = (0..in_fold.len()).min_by_key(|&fold| in_fold[fold]).unwrap_or(0);
            in_fold[fold] += games;
            fold_of[group] = fold;
        }
        group_of.iter().map(|&group| fold_of[group]).collect()
    }

    /// All forms on the games outside a fold, or on all, in the order of [`Kind::ALL`].
    fn fit(&self, fold: Option<usize>, fold_of: &[usize], cells_of_fold: &[Cells]) -> Vec<Option<Form>> {
        let mut cells: Cells = vec![Wdl::default(); cells_of_fold[0].len()];
        for (_, others) in cells_of_fold.iter().enumerate().filter(|(number, _)| Some(*number) != fold) {
            for (sum, cell) in cells.iter_mut().zip(others) {
                *sum += *cell;
            }
        }
        let counted = || {
            let outside = self.games.iter().zip(fold_of).filter(|(_, of)| Some(**of) != fold);
            let records: Vec<_> = outside.flat_map(|(entry, _)| entry.records.into_iter().flatten()).collect();
            let counted = count(&records);
            let nearest = counted.nearest()?;
            Relevance::new(counted.e75_corrected?, nearest.evaluation, nearest.result).ok().map(Form::Relevance)
        };
        let form = |kind| match kind {
            Kind::PawnAdvantagePublished => Some(Form::PawnAdvantage { k: pawn_advantage::K }),
            Kind::RelevanceCounted => counted(),
            fitted => Form::fit(fitted, &cells),
        };
        Kind::ALL.into_iter().map(form).collect()
    }
}

/// A digest of a game by what is read of it.
fn key_of(game: &Game, evaluations: &[i16]) -> u64 {
    let mut hasher = XxHash3_64::new();
    [&game.event, &game.white, &game.black].into_iter().for_each(|text| text.hash(&mut hasher));
    (game.outcome, game.opening, evaluations).hash(&mut hasher);
    hasher.finish()
}

/// The outcome of a game if the side ahead had White.
fn result_ahead(evaluation: i16, outcome: Outcome) -> Outcome {
    if evaluation < 0 { outcome.flip_colors() } else { outcome }
}

/// The losses of a form at every evaluation.
fn tabulate(form: &Form, cells: usize) -> Cells {
    (0..cells).map(|centipawns| log_losses(form.expected(centipawns as f64 / 100.0))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{GameEnd, Style};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Games of three evaluations each whose results follow the sigmoid with K = 2.5, in 40 events.
    fn contest(games: u32, folds: usize) -> Contest {
        let mut contest = Contest::new(Trial { limit: 800, folds, writer: None, view: None });
        made(games).iter().for_each(|game| contest.add(game));
        contest
    }

    fn made(games: u32) -> Vec<Game> {
        let truth = Form::PawnAdvantage { k: 2.5 };
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let game = |number| {
            let centipawns = rng.random_range(-700..=700);
            let white_wins = rng.random::<f64>() < truth.expected(f64::from(centipawns) / 100.0);
            let evaluation =
                |value| Evaluation { value, white_moved: true, style: Style::Runner, writer: Writer::Players };
            let values = [0, 1, -1].map(|more| evaluation(EvalValue::Centipawns(centipawns + more)));
            let beyond = [EvalValue::Mate(3), EvalValue::Centipawns(801)].map(evaluation);
            Game {
                event: format!("event {}", number % 40),
                white: String::new(),
                black: String::new(),
                outcome: Some(if white_wins { Outcome::WhiteWin } else { Outcome::BlackWin }),
                opening: u64::from(number % 3),
                line: u64::from(number),
                evaluations: values.into_iter().chain(beyond).collect(),
                end: GameEnd::Whole,
            }
        };
        (0..games).map(game).collect()
    }

    /// Which of two copies counts changes no event.
    #[test]
    fn copies_in_other_events_are_grouped_in_any_order() {
        let games = made(400);
        let mut collected = games.clone();
        collected.iter_mut().for_each(|game| game.event = "my collection".to_owned());
        let grouped = |first: &[Game], copies: &[Game]| {
            let mut contest = Contest::new(Trial { limit: 800, folds: 5, writer: None, view: None });
            first.iter().for_each(|game| contest.add(game));
            copies.iter().for_each(|game| contest.add_copy(game));
            let (groups, keys) = contest.group_of(Group::Event);
            (contest.natural_group(), groups.into_iter().map(|group| keys[group]).collect::<Vec<_>>())
        };
        let some = |games: &[Game]| games.iter().step_by(3).cloned().collect::<Vec<_>>();
        let mut mixed = games.clone();
        mixed.iter_mut().zip(&collected).step_by(3).for_each(|(game, other)| *game = other.clone());
        assert_eq!(grouped(&games, &some(&collected)), grouped(&mixed, &some(&games)));
        // A name of its own is that of a single game, however often it is listed.
        let mut own = games.clone();
        own.iter_mut().enumerate().for_each(|(at, game)| game.event = format!("game {at}"));
        let (once, twice) = (some(&own), [some(&own), some(&own)].concat());
        assert_eq!([grouped(&games, &once), grouped(&games, &twice)], [(); 2].map(|()| grouped(&games, &[])));
        // Whatever the collection is called, games stay in their events.
        let (natural, keys) = grouped(&games, &[]);
        for name in 0..20 {
            collected.iter_mut().for_each(|game| game.event = format!("collection {name}"));
            assert_eq!(grouped(&games, &some(&collected)), (natural, keys.clone()), "{name}");
        }
    }

    /// Files may be put together in any order.
    #[test]
    fn the_order_of_games_changes_no_fold() {
        let games = made(400);
        let of = |games: &[&Game]| {
            let mut contest = Contest::new(Trial { limit: 800, folds: 7, writer: None, view: None });
            games.iter().for_each(|game| contest.add(game));
            [Group::Event, Group::Game].map(|group| {
                let (group_of, keys) = contest.group_of(group);
                let folds = contest.folds(&group_of, &keys);
                let mut folds: Vec<_> = contest.games.iter().map(|game| game.key).zip(folds).collect();
                folds.sort_unstable();
                let loss = contest.compare(group).expect("enough games").forms[0].log_loss;
                (folds, (1e9 * loss).round())
            })
        };
        let forward: Vec<&Game> = games.iter().collect();
        let backward: Vec<&Game> = games.iter().rev().collect();
        assert_eq!(of(&forward), of(&backward));
    }

    #[test]
    fn the_true_form_wins() {
        let comparison = contest(20_000, 5).compare(Group::Event).expect("enough games");
        assert_eq!((comparison.games, comparison.positions, comparison.groups), (20_000, 60_000, 40));
        assert_eq!(comparison.left_out, 40_000);
        let of = |kind| comparison.forms.iter().find(|judged| judged.kind == kind).expect("judged");
        let sigmoid = of(Kind::PawnAdvantage);
        let Form::PawnAdvantage { k } = sigmoid.form else { panic!("{:?}", sigmoid.form) };
        assert!((k - 2.5).abs() < 0.1, "{k}");
        assert!(sigmoid.calibration_error() < 0.01);
        assert_eq!((of(Kind::Relevance).excess, of(Kind::Relevance).error), (0.0, 0.0));
        for other in [Kind::Relevance, Kind::PawnAdvantagePublished] {
            assert!(sigmoid.log_loss < of(other).log_loss && sigmoid.brier < of(other).brier);
        }
        let excess = sigmoid.log_loss - of(Kind::Relevance).log_loss;
        assert!((sigmoid.excess - excess).abs() < 1e-12);
        // Events are no clusters here, so both errors estimate the same; positions of one game are one observation.
        let ratio = sigmoid.error / sigmoid.error_by_game;
        assert!((0.6..1.6).contains(&ratio), "{ratio}");
        let positions: u64 = sigmoid.bins.iter().map(|bin| bin.positions).sum();
        assert_eq!(positions, 60_000);
    }

    /// They were independent, so that intervals were too narrow.
    #[test]
    fn copies_with_other_names_and_ends_count_with_the_original() {
        let games = made(400);
        let copy = |game: &Game| {
            let mut copy = Game { event: format!("{} again", game.event), white: "Other".to_owned(), ..game.clone() };
            copy.evaluations.pop();
            copy
        };
        let of = |games: &[Game], group| {
            let mut contest = Contest::new(Trial { limit: 800, folds: 7, writer: None, view: None });
            games.iter().for_each(|game| contest.add(game));
            let compared = contest.compare(group).expect("enough games");
            (compared.groups, compared.forms[1].error)
        };
        for (group, groups) in [(Group::Event, 40), (Group::Game, 400)] {
            let (once, twice) =
                (of(&games, group), of(&[games.clone(), games.iter().map(copy).collect()].concat(), group));
            assert_eq!([once.0, twice.0], [groups; 2]);
            assert!((twice.1 / once.1 - 1.0).abs() < 0.15, "{once:?} {twice:?}");
        }
    }

    #[test]
    fn folds_are_balanced_and_keep_groups_together() {
        let contest = contest(1000, 7);
        let (group_of, keys) = contest.group_of(Group::Event);
        assert_eq!(group_of, contest.games.iter().map(|entry| entry.event as usize).collect::<Vec<_>>());
        let folds = contest.folds(&group_of, &keys);
        for (number, fold) in folds.iter().enumerate() {
            assert_eq!(*fold, folds[number % 40]);
        }
        let sizes: Vec<_> = (0..7).map(|fold| folds.iter().filter(|&&of| of == fold).count()).collect();
        assert!(sizes.iter().all(|&size| (125..=150).contains(&size)), "{sizes:?}");
        let error = contest.compare(Group::Opening).unwrap_err();
        assert!(error.to_string().starts_with("1000 games with evaluations make 3 groups: expected at least 7"));
    }

    /// Small events beside one that holds nearly all games hardly say how much events differ.
    #[test]
    fn events_of_which_one_holds_nearly_all_games_are_no_groups() {
        let mut contest = contest(1000, 5);
        assert_eq!(contest.natural_group(), Group::Event);
        let share = contest.games.len() / 50;
        (contest.games.iter_mut().enumerate()).for_each(|(at, entry)| entry.event *= u32::from(at < share));
        assert_eq!(contest.natural_group(), Group::Opening);
        let by_event = contest.compare(Group::Event).expect("enough games").forms.remove(1);
        assert!(by_event.worth < 2.0 && by_event.interval().is_none(), "{by_event:?}");
    }

    #[test]
    fn few_groups_make_wide_intervals() {
        let mut judged = contest(500, 5).compare(Group::Game).expect("enough games").forms.remove(1);
        (judged.excess, judged.error) = (0.0, 1.0);
        let mut reach = |groups, worth| {
            (judged.groups, judged.worth) = (groups, worth);
            judged.interval().map(|[_, high]| (1000.0 * high).round())
        };
        assert_eq!(
            [(10, 10.0), (20, 20.0), (40, 5.0)].map(|(groups, worth)| reach(groups, worth)),
            [Some(1833.0), Some(1729.0), Some(2132.0)]
        );
        assert_eq!([(9, 9.0), (40, 4.9)].map(|(groups, worth)| reach(groups, worth)), [None, None]);
    }

    #[test]
    fn errors_by_hand() {
        // Two fits that share no game, and ten that share nearly all: 1 + 2 / 1 and 1 + 10 / 9 of the variance.
        assert!((of_fits(2).powi(2) - 3.0).abs() < 1e-12 && (of_fits(10).powi(2) - 19.0 / 9.0).abs() < 1e-12);
        // Two clusters of one: mean 2, without either 1 more or less, (2 * 2 + 2 * 2) 1 / 2, root 2, over 2.
        assert_eq!(cluster_error(&[1.0, 3.0], &[1.0, 1.0]), 1.0);
        assert_eq!(cluster_error(&[2.0, 6.0], &[1.0, 3.0]), 0.0);
        // The larger one draws the mean towards itself: 3 / 4, without it 0, without the other 1, by which the mean changes by 3 / 4 and 1 / 4.
        assert!(
            (cluster_error(&[3.0, 0.0], &[3.0, 1.0]) - (0.5 * (0.75_f64.powi(2) + 0.25_f64.powi(2))).sqrt()).abs()
                < 1e-12
        );
    }
}
