//! A draw table as the evaluation uses it: the numbers of each cell at hand, without a detour over the file.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use drawish_core::expect::logit;
use drawish_core::{DrawScore, DrawTable, Pawns, ScaleFactor, Scheme, StructureIndex, TableError};
use shakmaty::Board;

/// The cells of a draw table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cells {
    name: String,
    scheme: Scheme,
    base: DrawScore,
    values: Box<[Value]>,
}

/// What the evaluation takes from a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Value {
    scale: ScaleFactor,
    draw: DrawScore,
}

static HUMAN: DrawTable<'static> = DrawTable::embed(drawish_tables::HUMAN_TABLE);
static TCEC: DrawTable<'static> = DrawTable::embed(drawish_tables::TCEC_TABLE);
static RIVAL: DrawTable<'static> = DrawTable::embed(drawish_tables::RIVAL_TABLE);

impl Cells {
    /// The names of the tables that are part of the program.
    pub const BUILT_IN: [&'static str; 3] = ["human", "tcec", "rival"];
    /// The one that is used unless another is wanted: the one counted from the most games.
    pub const DEFAULT: usize = 0;

    /// A table that is part of the program, by its number in [`BUILT_IN`](Self::BUILT_IN).
    ///
    /// # Panics
    ///
    /// When there is no such number.
    #[must_use]
    pub fn built_in(number: usize) -> Arc<Cells> {
        static ALL: LazyLock<[Arc<Cells>; 3]> = LazyLock::new(|| {
            let tables = [&HUMAN, &TCEC, &RIVAL];
            std::array::from_fn(|i| Arc::new(Cells::of_table(Cells::BUILT_IN[i], tables[i])))
        });
        Arc::clone(&ALL[number])
    }

    /// Reads a `.table` file.
    ///
    /// # Errors
    ///
    /// When the bytes are not a table, or one that was changed after it was written.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Cells, TableError> {
        let table = DrawTable::from_bytes(bytes)?;
        table.verify()?;
        Ok(Cells::of_table(name, &table))
    }

    fn of_table(name: &str, table: &DrawTable<'_>) -> Cells {
        let cells = (0..table.scheme().cells()).map_while(|cell| table.get(StructureIndex(cell)));
        let values = cells.map(|cell| Value { scale: cell.scale, draw: cell.draw_score }).collect();
        Cells { name: name.to_owned(), scheme: table.scheme(), base: logit(table.base()), values }
    }

    /// What the table is called: its name in the program, or its path.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The factor for a board's pawn structure.
    #[must_use]
    pub fn scale(&self, board: &Board) -> ScaleFactor {
        self.values[self.cell(board)].scale
    }

    /// The drawScore of a board's pawn structure, relative to [`base`](Self::base).
    #[must_use]
    pub fn draw(&self, board: &Board) -> DrawScore {
        self.values[self.cell(board)].draw
    }

    /// The drawScore of all positions of the table together.
    #[must_use]
    pub fn base(&self) -> DrawScore {
        self.base
    }

    fn cell(&self, board: &Board) -> usize {
        let pawns = board.pawns();
        let pawns = Pawns { white: (pawns & board.white()).0, black: (pawns & board.black()).0 };
        self.scheme.index(pawns).0 as usize
    }

    /// The same numbers, exchanged among the structures that have as many marked files and as many mirror images.
    ///
    /// Structures that mirroring or exchanging colours make of each other keep a common number, so that the evaluation
    /// stays symmetric. The same table is always shuffled in the same way.
    #[must_use]
    pub fn shuffled(&self) -> Cells {
        // A class of mirror images goes by its smallest cell.
        let mut classes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for cell in 0..self.scheme.cells() {
            classes.entry(self.scheme.canonical(StructureIndex(cell)).0).or_default().push(cell as usize);
        }
        let mut groups: BTreeMap<(u32, usize), Vec<u32>> = BTreeMap::new();
        for (class, cells) in &classes {
            let marks = self.scheme.describe(StructureIndex(*class));
            let count = marks.white.count_ones() + marks.black.count_ones();
            groups.entry((count, cells.len())).or_default().push(*class);
        }
        let mut shuffled = self.clone();
        let mut random = 0x5eed_u64;
        for members in groups.values() {
            let mut sources = members.clone();
            for i in (1..sources.len()).rev() {
                // Knuth's MMIX generator; its upper bits are the good ones.
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                sources.swap(i, ((random >> 33) % (i as u64 + 1)) as usize);
            }
            for (class, source) in members.iter().zip(sources) {
                // A table need not be symmetric: cells of a class are matched in order.
                for (cell, from) in classes[class].iter().zip(&classes[&source]) {
                    shuffled.values[*cell] = self.values[*from];
                }
            }
        }
        shuffled.name = format!("{}, shuffled", self.name);
        shuffled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffling_keeps_the_numbers_of_each_pawn_count() {
        for number in 0..Cells::BUILT_IN.len() {
            let cells = Cells::built_in(number);
            let shuffled = cells.shuffled();
            let changed = cells.values.iter().zip(&shuffled.values).filter(|(before, after)| before != after).count();
            assert!(changed > cells.values.len() / 3, "{changed} of {} cells changed", cells.values.len());
            let by_count = |cells: &Cells| {
                let mut found: BTreeMap<u32, Vec<Value>> = BTreeMap::new();
                for (cell, value) in cells.values.iter().enumerate() {
                    let marks = cells.scheme.describe(StructureIndex(cell as u32));
                    found.entry(marks.white.count_ones() + marks.black.count_ones()).or_default().push(*value);
                }
                found.values_mut().for_each(|values| values.sort_unstable());
                found
            };
            assert_eq!(by_count(&cells), by_count(&shuffled));
            let flip = |cell: usize| cells.scheme.flip_colors(StructureIndex(cell as u32)).0 as usize;
            assert!((0..cells.values.len()).all(|cell| shuffled.values[cell] == shuffled.values[flip(cell)]));
        }
    }

    #[test]
    fn damaged_bytes_are_refused() {
        let mut bytes = drawish_tables::TCEC_TABLE.to_vec();
        assert_eq!(Cells::from_bytes("tcec", &bytes).as_ref(), Ok(&*Cells::built_in(1)));
        bytes[500] ^= 1;
        assert!(matches!(Cells::from_bytes("tcec", &bytes), Err(TableError::Checksum { .. })));
        assert!(matches!(Cells::from_bytes("tcec", b"nothing"), Err(TableError::TooShort { .. })));
    }
}
