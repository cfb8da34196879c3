//! Draw rates by the kind of structure and by the size of the evaluation.

use drawish_core::index::Structure;
use drawish_core::{Outcome, Scheme, StructureIndex};
use drawish_stats::{Z90, are_enough, independent_tries, reach_of_90_percent_of_worth};

use drawish_games::counts::Wdl;
use drawish_games::rows::Rows;
use drawish_games::smooth::draw_rate_worth;

/// The classes of structures: by the number of files on which one side has a pawn and the other none.
pub const CLASSES: [&str; 6] =
    ["no pawns on b-g", "same files", "1 file differs", "2 files differ", "3 files differ", "4 or more differ"];

/// The place of a structure in [`CLASSES`]. Every structure has one.
#[must_use]
pub fn class_of(structure: Structure) -> usize {
    if structure.white | structure.black == 0 {
        return 0;
    }
    1 + ((structure.white ^ structure.black).count_ones() as usize).min(4)
}

/// Where bands of the size of an evaluation begin, in centipawns; the last has no end.
pub const BAND_EDGES: [i32; 7] = [0, 30, 60, 100, 150, 250, 400];

/// Draw rates by class and band, from rows with evaluations.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Bands {
    /// The name of the file.
    pub name: String,
    /// For each class its bands: results, draw rate with its 90 % interval.
    pub classes: Vec<Vec<BandRate>>,
    /// Rows with an evaluation.
    pub rows: u64,
    /// Rows without one.
    pub without: u64,
}

/// Results, and draw rate with its 90 % interval where games are enough for one; positions of one game count as dependent.
pub type BandRate = (Wdl, Option<(f64, f64, f64)>);

impl Bands {
    /// From rows that hold the cells of the scheme `bg`.
    #[must_use]
    pub fn of_rows(name: &str, rows: &Rows) -> Bands {
        let mut counted = Counted::default();
        counted.add(rows);
        counted.bands(name)
    }

    /// The band that begins at this edge, in pawns, as in `0.30-0.60`.
    #[must_use]
    pub fn band_name(band: usize) -> String {
        let pawns = |edge: i32| format!("{:.1}", f64::from(edge) / 100.0);
        match BAND_EDGES.get(band + 1) {
            Some(&next) => format!("{}-{}", pawns(BAND_EDGES[band]), pawns(next)),
            None => format!("{} and more", pawns(BAND_EDGES[band])),
        }
    }
}

/// Positions with their results, and how the draws among them go together within games. The positions of a game follow each other.
#[derive(Clone, Copy, Default)]
struct OfGames {
    results: Wdl,
    /// The game of the last position, and its draws and positions so far.
    last: Option<(u64, f64, f64)>,
    games: f64,
    /// Sums over games that are complete, of draws times draws, draws times positions, and positions times positions.
    sums: [f64; 3],
}

impl OfGames {
    fn count(&mut self, game: u64, outcome: Outcome) {
        self.results.count(outcome);
        let draw = f64::from(u8::from(outcome == Outcome::Draw));
        match &mut self.last {
            Some((same, draws, positions)) if *same == game => {
                *draws += draw;
                *positions += 1.0;
            }
            _ => {
                self.close();
                self.last = Some((game, draw, 1.0));
            }
        }
    }

    fn close(&mut self) {
        if let Some((_, draws, positions)) = self.last.take() {
            self.games += 1.0;
            let products = [draws * draws, draws * positions, positions * positions];
            self.sums.iter_mut().zip(products).for_each(|(sum, product)| *sum += product);
        }
    }

    /// Results, and their rate with the interval of so many independent positions as vary as much, but never more than the games are
    /// worth of equal length: positions of a game have one result. The interval reaches as far as Student's distribution for that worth
    /// says, in the place of the normal one. Nothing where games are not [enough](are_enough).
    fn rate(mut self) -> BandRate {
        self.close();
        let (positions, share) = (self.results.total() as f64, self.results.draw_rate().unwrap_or(0.0));
        let [draws, products, squares] = self.sums;
        let scatter = draws - 2.0 * share * products + share * share * squares;
        let worth = positions * positions / squares;
        if !are_enough(self.games as usize, worth) {
            return (self.results, None);
        }
        let tries = independent_tries(share, positions, self.games, scatter).min(worth);
        let wider = reach_of_90_percent_of_worth(worth) / Z90;
        (self.results, draw_rate_worth(self.results, tries / (wider * wider)))
    }
}

/// Results by class and band, taken from rows a part at a time.
#[derive(Default)]
pub(super) struct Counted {
    results: [[OfGames; BAND_EDGES.len()]; CLASSES.len()],
    without: u64,
}

impl Counted {
    /// Adds rows that hold the cells of the scheme `bg`.
    pub(super) fn add(&mut self, rows: &Rows) {
        let place = Scheme::ALL.iter().position(|&scheme| scheme == Scheme::Bg).unwrap_or(0);
        let results = rows.games.iter().zip(&rows.outcomes);
        for ((eval, &cell), (&game, &outcome)) in rows.evals.iter().zip(&rows.cells[place]).zip(results) {
            let Some(eval) = eval else {
                self.without += 1;
                continue;
            };
            let band = BAND_EDGES.partition_point(|&edge| edge <= eval.saturating_abs()) - 1;
            self.results[class_of(Scheme::Bg.describe(StructureIndex(cell)))][band].count(game, outcome);
        }
    }

    /// Their rates.
    pub(super) fn bands(self, name: &str) -> Bands {
        let rates = |bands: [OfGames; BAND_EDGES.len()]| bands.into_iter().map(OfGames::rate).collect();
        let classes: Vec<Vec<BandRate>> = self.results.into_iter().map(rates).collect();
        let rows = classes.iter().flatten().map(|(results, _)| results.total()).sum();
        Bands { name: name.to_owned(), classes, rows, without: self.without }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_with_an_evaluation_has_its_place() {
        let mut rows = Rows::new();
        rows.evals = vec![Some(-29), Some(30), Some(100_000), None];
        rows.cells[0] = vec![0, 65, 4095 - 64, 7];
        rows.outcomes = vec![Outcome::Draw, Outcome::WhiteWin, Outcome::Draw, Outcome::Draw];
        rows.games = vec![1, 2, 3, 4];
        let bands = Bands::of_rows("x", &rows);
        assert_eq!((bands.rows, bands.without), (3, 1));
        assert_eq!(bands.classes[0][0].0.draws, 1);
        assert_eq!(bands.classes[1][1].0.wins, 1);
        assert_eq!(bands.classes[2][6].0.draws, 1);
        assert_eq!(Bands::band_name(0), "0.0-0.3");
        assert_eq!(Bands::band_name(6), "4.0 and more");
    }

    #[test]
    fn positions_of_a_game_depend_on_each_other() {
        let bands = |of_a_game: usize, games: u64| {
            let mut rows = Rows::new();
            for game in 0..games {
                let outcome = if game % 2 == 0 { Outcome::Draw } else { Outcome::WhiteWin };
                rows.games.extend(vec![game; of_a_game]);
                rows.outcomes.extend(vec![outcome; of_a_game]);
            }
            rows.evals = vec![Some(0); rows.games.len()];
            rows.cells[0] = vec![0; rows.games.len()];
            Bands::of_rows("x", &rows).classes[0][0].1.expect("positions")
        };
        // A game says little more by all of its positions than by one.
        let (one, all, many) = (bands(1, 20), bands(30, 20), bands(1, 600));
        assert!((one.0 - all.0).abs() < 1e-12 && (one.0 - many.0).abs() < 1e-12);
        assert!((all.2 - all.1) > 0.95 * (one.2 - one.1), "{one:?} {all:?}");
        assert!((many.2 - many.1) < 0.25 * (one.2 - one.1), "{many:?}");
        // All drawn: as much as there are games, and nothing of one game.
        let drawn = |games: u64, of_a_game: usize| {
            let mut rows = Rows::new();
            rows.games = (0..games).flat_map(|game| vec![game; of_a_game]).collect();
            let positions = rows.games.len();
            rows.outcomes = vec![Outcome::Draw; positions];
            (rows.evals, rows.cells[0]) = (vec![Some(0); positions], vec![0; positions]);
            Bands::of_rows("x", &rows).classes[0][0].1
        };
        assert!(drawn(12, 1).is_some() && drawn(12, 100) == drawn(12, 1));
        assert_eq!([drawn(1, 100), drawn(9, 10)], [None; 2]);
    }

    /// How often an interval holds the true rate, of simulated games in which all positions share the result, and how often there is one.
    fn coverage(sizes: &[u32], truth: f64) -> (f64, f64) {
        const TRIALS: u32 = 3000;
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let (mut held, mut given) = (0.0, 0.0);
        for _ in 0..TRIALS {
            let mut games = OfGames::default();
            for (game, &size) in (0..).zip(sizes) {
                let outcome = if random() < truth { Outcome::Draw } else { Outcome::WhiteWin };
                (0..size).for_each(|_| games.count(game, outcome));
            }
            if let (_, Some((_, low, high))) = games.rate() {
                given += 1.0;
                held += f64::from(u8::from(low <= truth && truth <= high));
            }
        }
        (held / f64::max(given, 1.0), given / f64::from(TRIALS))
    }

    #[test]
    fn intervals_of_few_and_of_unequal_games_hold_the_rate() {
        let mut one_large = [1; 40];
        one_large[0] = 20;
        let unequal =
            |count: u32| (0..count).map(|game| 1 + 30 * (game % 5 == 0) as u32 + game % 7).collect::<Vec<_>>();
        let mut low = Vec::new();
        for (name, sizes) in [
            ("6 equal", vec![10; 6]),
            ("6 unequal", unequal(6)),
            ("10 equal", vec![10; 10]),
            ("12 unequal", unequal(12)),
            ("20 unequal", unequal(20)),
            ("40, one large", one_large.to_vec()),
            ("40 unequal", unequal(40)),
            ("100 unequal", unequal(100)),
        ] {
            for truth in [0.15, 0.3, 0.5, 0.7] {
                let (held, given) = coverage(&sizes, truth);
                if given > 0.0 && held < 0.86 {
                    low.push(format!("{name}, {truth}: {held:.3}"));
                }
            }
        }
        assert!(low.is_empty(), "{low:#?}");
    }
}
