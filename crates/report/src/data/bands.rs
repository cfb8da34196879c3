//! Draw rates by the kind of structure and by the size of the evaluation.

use drawish_core::index::Structure;
use drawish_core::{Outcome, Scheme, StructureIndex};

use drawish_games::counts::Wdl;
use drawish_games::rows::Rows;
use drawish_games::smooth::draw_rate;

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

/// Results, and draw rate with its 90 % interval where there are any.
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

/// Results by class and band, taken from rows a part at a time.
#[derive(Default)]
pub(super) struct Counted {
    results: [[Wdl; BAND_EDGES.len()]; CLASSES.len()],
    without: u64,
}

impl Counted {
    /// Adds rows that hold the cells of the scheme `bg`.
    pub(super) fn add(&mut self, rows: &Rows) {
        let place = Scheme::ALL.iter().position(|&scheme| scheme == Scheme::Bg).unwrap_or(0);
        for ((eval, &cell), &outcome) in rows.evals.iter().zip(&rows.cells[place]).zip(&rows.outcomes) {
            let Some(eval) = eval else {
                self.without += 1;
                continue;
            };
            let band = BAND_EDGES.partition_point(|&edge| edge <= eval.saturating_abs()) - 1;
            let outcome: Outcome = outcome;
            self.results[class_of(Scheme::Bg.describe(StructureIndex(cell)))][band].count(outcome);
        }
    }

    /// Their rates.
    pub(super) fn bands(self, name: &str) -> Bands {
        let rates = |bands: [Wdl; BAND_EDGES.len()]| bands.into_iter().map(|one| (one, draw_rate(one))).collect();
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
        let bands = Bands::of_rows("x", &rows);
        assert_eq!((bands.rows, bands.without), (3, 1));
        assert_eq!(bands.classes[0][0].0.draws, 1);
        assert_eq!(bands.classes[1][1].0.wins, 1);
        assert_eq!(bands.classes[2][6].0.draws, 1);
        assert_eq!(Bands::band_name(0), "0.0-0.3");
        assert_eq!(Bands::band_name(6), "4.0 and more");
    }
}
