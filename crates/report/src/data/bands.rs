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
    /// Rows that are positions without their games: those of one game count as independent, so that intervals are too narrow.
    pub boards: u64,
    /// Games that stand again, with all their moves or the first 60 half-moves: their positions count again in rates, but as dependent.
    pub copies: u64,
}

/// Results, and draw rate with its 90 % interval where games are enough for one; positions of one game, and of its copies, count as
/// dependent.
pub type BandRate = (Wdl, Option<(f64, f64, f64)>);

impl Bands {
    /// From rows that hold the cells of the scheme `bg`.
    #[must_use]
    pub fn of_rows(name: &str, rows: &Rows) -> Bands {
        let mut counted = Counted::default();
        counted.add(rows, "");
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

/// Positions with their results, and how the draws among them go together within games.
#[derive(Clone, Default)]
struct OfGames {
    results: Wdl,
    /// Runs of positions of one game: its key, draws, positions. A copy of a game, and a game whose rows stand apart, make several.
    runs: Vec<(u64, u32, u32)>,
}

impl OfGames {
    fn count(&mut self, game: u64, outcome: Outcome) {
        self.results.count(outcome);
        let draw = u32::from(outcome == Outcome::Draw);
        match self.runs.last_mut() {
            Some((same, draws, positions)) if *same == game && *positions < u32::MAX => {
                *draws += draw;
                *positions += 1;
            }
            _ => self.runs.push((game, draw, 1)),
        }
    }

    /// How many games there are, and sums over them of draws times draws, draws times positions, and positions times positions.
    fn by_game(&mut self) -> (usize, [f64; 3]) {
        self.runs.sort_unstable();
        let (mut games, mut sums) = (0, [0.0; 3]);
        for of_game in self.runs.chunk_by(|one, other| one.0 == other.0) {
            let sum = |of: fn(&(u64, u32, u32)) -> u32| of_game.iter().map(|run| f64::from(of(run))).sum::<f64>();
            let (draws, positions) = (sum(|run| run.1), sum(|run| run.2));
            let products = [draws * draws, draws * positions, positions * positions];
            sums.iter_mut().zip(products).for_each(|(sum, product)| *sum += product);
            games += 1;
        }
        (games, sums)
    }

    /// Results, and their rate with the interval of so many independent positions as vary as much, but never more than the games are
    /// worth of equal length: positions of a game have one result. The interval reaches as far as Student's distribution for that worth
    /// says, in the place of the normal one. Nothing where games are not [enough](are_enough).
    fn rate(mut self) -> BandRate {
        let (games, [draws, products, squares]) = self.by_game();
        let (positions, share) = (self.results.total() as f64, self.results.draw_rate().unwrap_or(0.0));
        let scatter = draws - 2.0 * share * products + share * share * squares;
        let worth = positions * positions / squares;
        if !are_enough(games, worth) {
            return (self.results, None);
        }
        let tries = independent_tries(share, positions, games as f64, scatter).min(worth);
        let wider = reach_of_90_percent_of_worth(worth) / Z90;
        (self.results, draw_rate_worth(self.results, tries / (wider * wider)))
    }
}

/// Results by class and band, taken from rows a part at a time.
#[derive(Default)]
pub(super) struct Counted {
    results: [[OfGames; BAND_EDGES.len()]; CLASSES.len()],
    without: u64,
    boards: u64,
    /// Of each run of rows of a game, the game's line and the half-move of its first row. A run ends where that half-move comes again.
    begun: Vec<(u64, u16)>,
    /// The game of the last row, and the half-move of the first row of its run.
    last: Option<(u64, u16)>,
}

impl Counted {
    /// Adds rows that hold the cells of the scheme `bg`, sampled by the rule with this line.
    pub(super) fn add(&mut self, rows: &Rows, rule: &str) {
        let are_boards = rows.are_boards(rule);
        let place = Scheme::ALL.iter().position(|&scheme| scheme == Scheme::Bg).unwrap_or(0);
        for (row, (eval, &cell)) in rows.evals.iter().zip(&rows.cells[place]).enumerate() {
            let (line, outcome) = (rows.line(row), rows.outcomes[row]);
            let game = rows.games[row];
            if are_boards[row] {
                // Equal boards are no copies: games share their first moves.
                self.boards += 1;
            } else if self.last.is_none_or(|(last, first)| last != game || first == rows.plies[row]) {
                self.last = Some((game, rows.plies[row]));
                self.begun.push((line, rows.plies[row]));
            }
            let Some(eval) = eval else {
                self.without += 1;
                continue;
            };
            let band = BAND_EDGES.partition_point(|&edge| edge <= eval.saturating_abs()) - 1;
            self.results[class_of(Scheme::Bg.describe(StructureIndex(cell)))][band].count(line, outcome);
        }
    }

    /// Their rates.
    pub(super) fn bands(mut self, name: &str) -> Bands {
        // Rows of one game may stand apart, but it has one position at a half-move.
        let begun = self.begun.len();
        self.begun.sort_unstable();
        self.begun.dedup();
        let copies = (begun - self.begun.len()) as u64;
        let rates = |bands: [OfGames; BAND_EDGES.len()]| bands.into_iter().map(OfGames::rate).collect();
        let classes: Vec<Vec<BandRate>> = self.results.into_iter().map(rates).collect();
        let rows = classes.iter().flatten().map(|(results, _)| results.total()).sum();
        Bands { name: name.to_owned(), classes, rows, without: self.without, boards: self.boards, copies }
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
        rows.plies = vec![9; 4];
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
            rows.plies = (0..).take(rows.games.len()).collect();
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
            rows.plies = (0..).take(positions).collect();
            (rows.evals, rows.cells[0]) = (vec![Some(0); positions], vec![0; positions]);
            Bands::of_rows("x", &rows).classes[0][0].1
        };
        assert!(drawn(12, 1).is_some() && drawn(12, 100) == drawn(12, 1));
        assert_eq!([drawn(1, 100), drawn(9, 10)], [None; 2]);
    }

    /// Copies of games say no more than the games, wherever they stand.
    #[test]
    fn games_that_come_again_make_no_interval_narrower() {
        let bands = |games: &[u64]| {
            let mut rows = Rows::new();
            // Three positions of each game.
            rows.games = games.iter().flat_map(|&game| [game; 3]).collect();
            rows.lines = rows.games.iter().map(|game| 7 * game).collect();
            rows.plies = games.iter().flat_map(|_| [40, 41, 42]).collect();
            rows.events = vec!["a".into(); rows.games.len()];
            rows.outcomes =
                rows.games.iter().map(|game| [Outcome::Draw, Outcome::WhiteWin][(game % 2) as usize]).collect();
            rows.evals = vec![Some(0); rows.games.len()];
            rows.cells[0] = vec![0; rows.games.len()];
            Bands::of_rows("x", &rows)
        };
        let once: Vec<u64> = (0..20).collect();
        let rate = |bands: &Bands| bands.classes[0][0].1;
        let alone = bands(&once);
        assert_eq!((alone.copies, rate(&alone).is_some()), (0, true));
        // Behind all others, and side by side, where a game has one position at a half-move.
        for games in [[once.clone(), once.clone()].concat(), once.iter().flat_map(|&game| [game; 2]).collect()] {
            let twice = bands(&games);
            assert_eq!((rate(&twice), twice.classes[0][0].0.total(), twice.copies), (rate(&alone), 120, 20));
        }
        // Nine games are too few, how often ever they come.
        assert_eq!(rate(&bands(&[0, 1, 2, 3, 4, 5, 6, 7, 8].repeat(5))), None);
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
