//! Draw rates by the kind of structure and by the size of the evaluation.

use drawish_core::index::Structure;
use drawish_core::{Outcome, Scheme, StructureIndex};
use drawish_stats::independent_tries;

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

/// Results, and draw rate with its 90 % interval where there are any; positions of one game count as dependent.
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

    /// Results, and their rate with the interval of so many independent positions as vary as much.
    fn rate(mut self) -> BandRate {
        self.close();
        let (positions, share) = (self.results.total() as f64, self.results.draw_rate().unwrap_or(0.0));
        let [draws, products, squares] = self.sums;
        let scatter = draws - 2.0 * share * products + share * share * squares;
        let worth = independent_tries(share, positions, self.games, scatter);
        (self.results, draw_rate_worth(self.results, worth))
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
        // All drawn: as much as there are games.
        let drawn = |positions: usize| {
            let mut rows = Rows::new();
            (rows.games, rows.outcomes) = (vec![7; positions], vec![Outcome::Draw; positions]);
            (rows.evals, rows.cells[0]) = (vec![Some(0); positions], vec![0; positions]);
            Bands::of_rows("x", &rows).classes[0][0].1
        };
        assert_eq!(drawn(100), drawn(1));
    }
}
