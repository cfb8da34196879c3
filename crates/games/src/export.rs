//! From estimates to files: the table that engines include, and the same numbers in every form that people and
//! programs ask for.

mod binary;
mod c_header;
mod finished;
mod own_file;
mod text;

use std::path::Path;

pub use finished::{Inconsistency, check_consistency, estimator_of, pooled_positions, table_csv};
pub use own_file::{Opened, OwnFile, OwnFileError, warnings_of};
pub use text::file_letters;

use drawish_artefact::provenance::made_by;
use drawish_core::table::Cell;
use drawish_core::{DrawScore, Probability, ScaleFactor, Scheme};
use thiserror::Error;

use crate::counts::{CountsFile, Shard};
use crate::sample::Rule;
use crate::smooth::{Estimates, Estimator};
use drawish_artefact::provenance::InputRecord;

/// A table as engines know it: estimates in the units of a `.table` file, and where they come from.
#[derive(Clone, Debug)]
pub struct Table {
    /// The scheme of the cells.
    pub scheme: Scheme,
    /// How the probabilities were estimated.
    pub estimator: Estimator,
    /// The draw rate of all positions together.
    pub base: Probability,
    /// Positions counted in all cells.
    pub positions: u64,
    /// One for each cell.
    pub cells: Vec<TableCell>,
    /// Where the numbers come from.
    pub provenance: Provenance,
}

/// One cell in the units of a `.table` file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableCell {
    /// What an engine needs.
    pub values: Cell,
    /// Lower end of the 90 % interval of the probability.
    pub low: Probability,
    /// Upper end of the 90 % interval of the probability.
    pub high: Probability,
    /// Positions counted in the cell itself; more than four billion count as that.
    pub positions: u32,
    /// Positions that the estimate rests on.
    pub pooled: u64,
}

/// What is said of intervals of positions that may depend on each other.
pub const DEPENDENT: &str = "the intervals take positions for independent, so they are too narrow; honest ones need one position of each game, and each game once";

/// Where the numbers of a table come from.
#[derive(Clone, Debug)]
pub struct Provenance {
    /// The program that made it.
    pub made_by: String,
    /// The programs that made the counts.
    pub counted_by: Vec<String>,
    /// The rule of counting.
    pub rule: Rule,
    /// XXH3-128 of rule, inputs and results of the counts.
    pub counts_digest: u128,
    /// The inputs that were counted.
    pub inputs: Vec<InputRecord>,
    /// Games read and games counted.
    pub games: (u64, u64),
    /// Mean and strength of the fitted prior.
    pub prior: Option<(f64, f64)>,
    /// Whether positions may depend on each other, so that intervals are too narrow: [`CountsFile::is_dependent`].
    pub is_dependent: bool,
    /// What must be known before one structure is called more drawish than another.
    pub remark: Option<&'static str>,
}

/// The forms in which a table can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// What [`drawish_core::DrawTable`] reads.
    Table,
    /// Draw probabilities only, u16 in 1/65,535, little-endian.
    Probabilities,
    /// drawScores only, i16 in 1/256 logit, little-endian.
    DrawScores,
    /// Scale factors only, u8 in 1/128.
    ScaleFactors,
    /// A C header with the three arrays and the index function.
    CHeader,
    /// A Rust source file with the three arrays.
    Rust,
    /// All numbers and the provenance.
    Json,
    /// All numbers.
    Csv,
    /// The provenance alone, to lie beside a `.table`.
    Toml,
}

/// Whether a `.table` holds intervals and numbers of positions, which engines do not need. Other formats hold what they are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Evidence {
    /// It does.
    #[default]
    Kept,
    /// It does not.
    LeftOut,
}

/// The format for a file name and the ending that chooses it.
const ENDINGS: [(&str, Format); 9] = [
    ("table", Format::Table),
    ("u16", Format::Probabilities),
    ("i16", Format::DrawScores),
    ("u8", Format::ScaleFactors),
    ("h", Format::CHeader),
    ("rs", Format::Rust),
    ("json", Format::Json),
    ("csv", Format::Csv),
    ("toml", Format::Toml),
];

/// A file name whose ending is that of no format.
#[derive(Debug, Error)]
#[error(
    "{name}: the ending of the name chooses the format, and this one is none of .table .u16 .i16 .u8 .h .rs .json .csv .parquet .toml"
)]
pub struct UnknownEnding {
    name: String,
}

impl Format {
    /// The format that the ending of a file name asks for. Parquet is not among them: see the crate `drawish-frames`.
    ///
    /// # Errors
    ///
    /// If the ending is unknown.
    pub fn of(path: &Path) -> Result<Format, UnknownEnding> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let found = ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, format)| *format);
        found.ok_or_else(|| UnknownEnding { name: path.display().to_string() })
    }
}

impl Table {
    /// Quantises estimates: each value is the nearest one in its unit.
    ///
    /// With p the probability and q the base: drawScore = 256 (logit p - logit q), scale factor
    /// = 128 (1 - p) / (1 - q) between 16 and 176. The probability is kept off 0 and 1 by half a unit, so that
    /// its logit stays finite.
    #[must_use]
    pub fn new(estimates: &Estimates, counts: &CountsFile) -> Table {
        let tally = counts.tally();
        let base = Probability(Probability::from_f64(estimates.base).0.clamp(1, u16::MAX - 1));
        let cells = estimates
            .cells
            .iter()
            .map(|cell| TableCell {
                values: Cell {
                    probability: Probability::from_f64(cell.probability),
                    draw_score: draw_score(cell.probability, estimates.base),
                    scale: scale_factor(cell.probability, estimates.base),
                },
                low: Probability::from_f64(cell.low),
                high: Probability::from_f64(cell.high),
                positions: u32::try_from(cell.own).unwrap_or(u32::MAX),
                pooled: cell.pooled,
            })
            .collect();
        Table {
            scheme: estimates.scheme,
            estimator: estimates.estimator,
            base,
            positions: estimates.positions,
            cells,
            provenance: Provenance {
                made_by: made_by(),
                counted_by: counts.made_by.clone(),
                rule: counts.rule.clone(),
                counts_digest: counts.digest(),
                inputs: counts.shards.iter().map(Shard::record).collect(),
                games: (tally.games(), tally.counted()),
                prior: estimates.prior.map(|prior| (prior.mean, prior.strength)),
                is_dependent: counts.is_dependent(),
                remark: estimates.remark(),
            },
        }
    }

    /// The table in a format.
    #[must_use]
    pub fn to_bytes(&self, format: Format, evidence: Evidence) -> Vec<u8> {
        match format {
            Format::Table => binary::table(self, evidence == Evidence::Kept),
            Format::Probabilities => binary::probabilities(self),
            Format::DrawScores => binary::draw_scores(self),
            Format::ScaleFactors => binary::scale_factors(self),
            Format::CHeader => c_header::c_header(self).into_bytes(),
            Format::Rust => text::rust(self).into_bytes(),
            Format::Json => text::json(self).into_bytes(),
            Format::Csv => text::csv(self).into_bytes(),
            Format::Toml => text::toml(self).into_bytes(),
        }
    }
}

fn draw_score(probability: f64, base: f64) -> DrawScore {
    let half_unit = 0.5 / 65_535.0;
    let logit = |p: f64| {
        let p = p.clamp(half_unit, 1.0 - half_unit);
        (p / (1.0 - p)).ln()
    };
    // `as` saturates; 256 times the largest difference of logits is below 7,000 all the same.
    DrawScore((256.0 * (logit(probability) - logit(base))).round() as i16)
}

fn scale_factor(probability: f64, base: f64) -> ScaleFactor {
    let factor = (128.0 * (1.0 - probability) / (1.0 - base)).round();
    ScaleFactor(factor.clamp(f64::from(ScaleFactor::MIN.0), f64::from(ScaleFactor::MAX.0)) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_average_structure_is_left_alone() {
        assert_eq!(draw_score(0.36, 0.36), DrawScore(0));
        assert_eq!(scale_factor(0.36, 0.36), ScaleFactor::ONE);
    }

    #[test]
    fn values_by_hand() {
        // logit(0.62) - logit(0.36) = 0.48955 + 0.57536 = 1.06491; 0.38 / 0.64 = 0.59375.
        assert_eq!(draw_score(0.62, 0.36), DrawScore(273));
        assert_eq!(scale_factor(0.62, 0.36), ScaleFactor(76));
        assert_eq!(scale_factor(0.0, 0.36), ScaleFactor::MAX);
        assert_eq!(scale_factor(1.0, 0.36), ScaleFactor::MIN);
        // logit(0.5/65535) = -11.7834
        assert_eq!(draw_score(0.0, 0.5), DrawScore(-3017));
        assert_eq!(draw_score(1.0, 0.5), DrawScore(3017));
    }

    /// The nearer the base is to 1, the more its rounding is worth.
    #[test]
    fn a_table_of_any_base_is_consistent() {
        for base in [0.001, 0.36, 0.9, 0.99, 0.997, 0.9971, 0.9987, 0.9999, 0.99998, 0.999_995, 1.0 - 1e-9] {
            let mut table = table("a");
            table.base = Probability(Probability::from_f64(base).0.clamp(1, u16::MAX - 1));
            let count = table.cells.len();
            for (number, cell) in table.cells.iter_mut().enumerate() {
                // From where the factor is largest to where it is smallest.
                let p = f64::max(1.0 - (1.0 - base) * 1.5 * number as f64 / count as f64, 0.0);
                cell.values = Cell {
                    probability: Probability::from_f64(p),
                    draw_score: draw_score(p, base),
                    scale: scale_factor(p, base),
                };
                (cell.low, cell.high) = (Probability(0), Probability(u16::MAX));
            }
            table.positions = 3 * count as u64;
            let bytes = table.to_bytes(Format::Table, Evidence::Kept);
            let read = drawish_core::DrawTable::from_bytes(&bytes).expect("a table");
            assert_eq!(check_consistency(&read), Ok(()), "base {base}");
        }
        let mut wrong = table("a");
        wrong.base = Probability::from_f64(0.36);
        wrong.cells[7].values.scale = ScaleFactor(126);
        wrong.cells.iter_mut().for_each(|cell| {
            (cell.values.probability, cell.values.draw_score) = (wrong.base, DrawScore(0));
            cell.high = wrong.base;
        });
        let found = |table: &Table| {
            let bytes = table.to_bytes(Format::Table, Evidence::Kept);
            check_consistency(&drawish_core::DrawTable::from_bytes(&bytes).expect("a table"))
        };
        assert!(matches!(found(&wrong), Err(Inconsistency::Scale { cell: 7, found: 126, .. })));
        wrong.cells[7].values.scale = ScaleFactor(128);
        wrong.cells[9].values.draw_score = DrawScore(20);
        assert!(matches!(found(&wrong), Err(Inconsistency::DrawScore { cell: 9, found: 20, .. })));
        wrong.cells[9].values.draw_score = DrawScore(0);
        wrong.positions = 3 * wrong.cells.len() as u64;
        assert_eq!(found(&wrong), Ok(()));
        let [below, above] = [1, u16::MAX].map(|units| Probability(wrong.base.0.wrapping_add(units)));
        for (low, high) in [(below, below), (above, above), (Probability(1), above)] {
            (wrong.cells[8].low, wrong.cells[8].high) = (low, high);
            assert_eq!(found(&wrong), Err(Inconsistency::NotHeld { cell: 8 }), "{low:?} {high:?}");
        }
    }

    /// The raw rate of a cell without draws, or without anything else, lay outside of its interval in tables of earlier builds.
    #[test]
    fn raw_rates_of_0_and_1_may_lie_beyond_their_intervals() {
        let found = |estimator, p: f64, interval: [f64; 2]| {
            let mut table = table("a");
            table.estimator = estimator;
            table.base = Probability::from_f64(0.36);
            table.positions = 3 * table.cells.len() as u64;
            let base = table.base.to_f64();
            let [low, high] = interval.map(Probability::from_f64);
            let values = Cell {
                probability: Probability::from_f64(p),
                draw_score: draw_score(p, base),
                scale: scale_factor(p, base),
            };
            table.cells.iter_mut().for_each(|cell| *cell = TableCell { values, low, high, ..*cell });
            let bytes = table.to_bytes(Format::Table, Evidence::Kept);
            check_consistency(&drawish_core::DrawTable::from_bytes(&bytes).expect("a table"))
        };
        let refused = Err(Inconsistency::NotHeld { cell: 0 });
        for (p, interval) in [(0.0, [0.001, 0.4]), (1.0, [0.6, 0.999])] {
            assert_eq!(found(Estimator::Raw, p, interval), Ok(()));
            assert_eq!(found(Estimator::EmpiricalBayesSymmetric, p, interval), refused);
        }
        assert_eq!(found(Estimator::Raw, 0.5, [0.6, 0.9]), refused);
    }

    /// No estimate of so many positions is surer than by as many coins and the strongest prior.
    #[test]
    fn intervals_too_narrow_for_their_positions_are_refused() {
        let found = |estimator, positions: u32, p: f64, width: f64| {
            let mut table = table("a");
            table.estimator = estimator;
            table.base = Probability::from_f64(0.36);
            table.positions = u64::from(positions) * table.cells.len() as u64;
            let base = table.base.to_f64();
            let [low, high] = [-0.5, 0.5].map(|side| Probability::from_f64((p + side * width).clamp(0.0, 1.0)));
            let values = Cell {
                probability: Probability::from_f64(p),
                draw_score: draw_score(p, base),
                scale: scale_factor(p, base),
            };
            table.cells.iter_mut().for_each(|cell| *cell = TableCell { values, low, high, positions, ..*cell });
            let bytes = table.to_bytes(Format::Table, Evidence::Kept);
            check_consistency(&drawish_core::DrawTable::from_bytes(&bytes).expect("a table")).map_err(|e| e.to_string())
        };
        let refused = "cell 0: an interval of 0.4000 to 0.4000 is narrower than 3000 positions and any prior can make it; make the table again";
        assert_eq!(found(Estimator::Raw, 3000, 0.4, 0.0), Err(refused.to_owned()));
        for estimator in Estimator::ALL {
            assert!(found(estimator, 3000, 0.4, 0.0).is_err(), "{estimator:?}");
            // Rates near the ends, and of millions of positions, are sure to a unit.
            assert_eq!(found(estimator, 3000, 0.0, 0.0), Ok(()));
            assert_eq!(found(estimator, 4_000_000_000, 0.4, 0.0), Ok(()));
        }
        // 3.29 sqrt(0.24 / 3002) = 0.029
        assert!(found(Estimator::Raw, 3000, 0.4, 0.029).is_ok() && found(Estimator::Raw, 3000, 0.4, 0.01).is_err());
        // What estimators give is wide enough, of few positions and of many, of rare draws and of frequent ones.
        for estimator in Estimator::ALL {
            for (draws, total) in [(1, 2), (1, 1000), (999, 1000), (400_000, 1_000_000), (3, 3_000_000)] {
                let mut counts = crate::counts::Counts::new(drawish_core::Scheme::Bg);
                for cell in 0..40 {
                    let wdl = counts.get_mut(drawish_core::StructureIndex(cell));
                    (wdl.draws, wdl.wins) = (draws, total - draws);
                }
                let estimates = crate::smooth::estimate(&counts, estimator).expect("draws and wins");
                let file = crate::counts::CountsFile::new(crate::sample::Rule::default(), drawish_core::Scheme::Bg);
                let table = Table { positions: estimates.positions, ..Table::new(&estimates, &file) };
                let bytes = table.to_bytes(Format::Table, Evidence::Kept);
                let table = drawish_core::DrawTable::from_bytes(&bytes).expect("a table");
                assert_eq!(check_consistency(&table), Ok(()), "{estimator:?} {draws} of {total}");
            }
        }
    }

    /// A table of so many positions in each cell, whose files have this name.
    fn table(name: &str) -> Table {
        let cell = TableCell {
            values: Cell { probability: Probability(9), draw_score: DrawScore(1), scale: ScaleFactor(128) },
            low: Probability(1),
            high: Probability(20),
            positions: 3,
            pooled: 3,
        };
        Table {
            scheme: Scheme::Bg,
            estimator: Estimator::Raw,
            base: Probability(9),
            positions: 3,
            cells: vec![cell; Scheme::Bg.cells() as usize],
            provenance: Provenance {
                made_by: name.to_owned(),
                counted_by: vec![name.to_owned()],
                rule: Rule::default(),
                counts_digest: 1,
                inputs: vec![InputRecord { name: name.to_owned(), games: 3, counted: 3, ..InputRecord::default() }],
                games: (3, 3),
                prior: None,
                is_dependent: false,
                remark: None,
            },
        }
    }

    /// A file name may hold anything but `/` and NUL, and a shared file of counts anything at all.
    #[test]
    fn names_stay_in_their_comments() {
        let name = "a\npub fn evil() {}\r*/ int evil; /* `\u{2028}\"\\\u{202e}.pgn";
        let table = table(name);
        let text = |format| String::from_utf8(table.to_bytes(format, Evidence::Kept)).expect("text");
        for line in text(Format::Rust).lines().filter(|line| line.contains("evil")) {
            assert!(line.starts_with("// "), "{line}");
        }
        for line in text(Format::CHeader).lines().filter(|line| line.contains("evil")) {
            let inside = line.strip_prefix("/* ").and_then(|line| line.strip_suffix(" */")).expect("a comment");
            assert!(!inside.contains("*/"), "{line}");
        }
        for format in [Format::Rust, Format::CHeader] {
            let text = text(format);
            assert_eq!(text.matches("evil()").count(), 2);
            assert!(text.chars().all(|char| char == '\n' || !char.is_control() && char != '\u{202e}'));
        }
        let json: serde_json::Value = serde_json::from_str(&text(Format::Json)).expect("JSON");
        let toml: toml::Table = text(Format::Toml).parse().expect("TOML");
        assert_eq!(json["inputs"][0]["name"].as_str(), Some(name));
        assert_eq!(toml["inputs"][0]["name"].as_str(), Some(name));
        assert!(!text(Format::Csv).contains("evil"));
    }

    #[test]
    fn endings_choose_formats() {
        assert_eq!(Format::of(Path::new("a/pawns.table")).unwrap(), Format::Table);
        assert_eq!(Format::of(Path::new("PAWNS.H")).unwrap(), Format::CHeader);
        for name in ["pawns", "pawns.txt", ".table"] {
            let message = Format::of(Path::new(name)).unwrap_err().to_string();
            assert!(message.starts_with(name) && message.contains(".table .u16"), "{message}");
        }
    }
}
