//! Features of a position: small whole numbers read off the board, the one definition that fitting and playing share.
//!
//! A feature is an `i16` that depends on the men, the side to move and the fifty-move clock alone. *Even* features do not care
//! which side is which: exchanging the colours leaves them as they are. They feed the draw head, the gain head and the WDL head.
//! *Odd* features change their sign: they feed the win/loss score. *Counts* are raw material for others.
//!
//! ```
//! use drawish_core::board::Board;
//! use drawish_core::features::{self, COUNT, View};
//!
//! let board = Board::from_fen("5b2/5k2/8/3p4/3P4/8/4KP2/5B2 w - - 0 1")?;
//! let mut values = [0; COUNT];
//! features::fill(&View::new(&board), &mut values);
//!
//! let value = |name| features::place(name).map(|place| values[place]);
//! assert_eq!(value("opposite_bishops"), Some(1)); // f1 is light, f8 dark
//! assert_eq!(value("rams"), Some(1)); // d4 against d5
//! assert_eq!(value("pawn_diff"), Some(1));
//! # Ok::<(), drawish_core::board::BoardError>(())
//! ```
//!
//! # Words
//!
//! Each [`Feature::meaning`] can be written again from its text and these:
//!
//! - *Men* are pieces, pawns and kings; *pieces* are knights, bishops, rooks and queens, of which knights and bishops are *minor*.
//! - *Material* of a side, in pawns: pawn 1, knight 3, bishop 3, rook 5, queen 9. The *stronger* side, the one with more material,
//!   has more of that sum, pawns included; the sides are *level* if both sums are equal.
//! - The *phase* is the sum over the pieces of both sides of 1 for a minor piece, 2 for a rook, 4 for a queen, at most 24.
//! - The *rank* of a pawn is seen from its own side: 0 is the side's back rank, 1 where pawns begin, 6 before promotion. The square
//!   *before* a pawn is one rank on.
//! - A pawn is *passed* if no enemy pawn stands on a higher rank (seen from its own side) of its own file or the next ones. A pawn
//!   of its own side before it changes nothing: both of doubled pawns can be passed.
//! - A pawn is *protected* if a pawn of its own side attacks its square, and *isolated* if no pawn of its own side is on a next file.
//! - *Islands* are groups of neighbouring files with pawns of a side.
//! - *Moves of a king* from one square to another are those on an empty board: the greater of the distances in files and ranks.
//! - What a man *attacks* does not depend on whose men stand there, on pins or on whose move it is; lines end with the first man.
//! - Odd features come in pairs, `_mg` and `_eg`: the difference White minus Black times the phase, and times 24 minus the phase, so
//!   that a linear fit of both is a tapered term.
//!
//! # Any board
//!
//! The values are defined for every board, also for those that [`Board::check`](crate::board::Board::check) refuses; nothing panics or
//! overflows. They are clamped to the range of an `i16`, which boards of games do not reach. With no king of a side, or several, what
//! depends on it is as [the features of kings](Family::Kings) and `passer_king`, `king_centre`, `king_shield`, `king_attack` say: 0.
//!
//! # Stability
//!
//! A feature keeps its name, its [identifier](Feature::id) and its values. A changed definition is a new feature at the end of its
//! family; so identifiers stay, while places among the values move on. `features.tsv` beside this crate's sources has 200 positions
//! with all values, for ports to other languages.

mod attacks;
mod clock;
mod endings;
mod files;
mod kings;
mod material;
mod ranks;
mod structure;
mod view;
mod win;

pub use structure::StructureClass;
pub use view::View;

/// How a feature behaves when the colours are exchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parity {
    /// It stays: about draws and gains.
    Even,
    /// It changes its sign: about winning.
    Odd,
    /// Neither: the count of one colour.
    Count,
}

/// What features of one kind have in common; each is a block of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Pieces and pawns of each colour.
    ///
    /// ```
    #[doc = include_str!("features/doctest.txt")]
    /// let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    /// assert_eq!(of(start, "white_knights"), 2);
    /// assert_eq!(of(start, "black_queens"), 1);
    /// ```
    Counts,
    /// Totals, differences and imbalances of material.
    ///
    /// ```
    #[doc = include_str!("features/doctest.txt")]
    /// // A queen against two rooks: White is stronger by a pawn.
    /// let fen = "3qk3/8/8/8/8/8/8/RR2K3 w - - 0 1";
    /// assert_eq!([of(fen, "material_diff"), of(fen, "imbalance"), of(fen, "strong_pawns")], [1, 9, 0]);
    /// ```
    Material,
    /// The classes of endings, 0 or 1.
    ///
    /// ```
    #[doc = include_str!("features/doctest.txt")]
    /// assert_eq!(of("8/5k2/r7/8/8/8/4KP2/R7 w - - 0 1", "rook_ending"), 1);
    /// assert_eq!(of("r4b2/5k2/8/8/8/8/4KP2/R4B2 w - - 0 1", "opposite_bishops_rooks"), 1);
    /// ```
    Endings,
    /// Files with and without pawns.
    ///
    /// ```
    #[doc = include_str!("features/doctest.txt")]
    /// let fen = "4k3/5ppp/8/8/8/8/PP4PP/4K3 w - - 0 1";
    /// assert_eq!([of(fen, "asymmetric_files"), of(fen, "symmetric_files"), of(fen, "span")], [3, 2, 7]);
    /// assert_eq!([of(fen, "majority"), of(fen, "opposed_majorities")], [3, 1]);
    /// ```
    Files,
    /// Where on their files the pawns stand: rams, passers, weak pawns.
    ///
    /// ```
    #[doc = include_str!("features/doctest.txt")]
    /// // White's a pawn is passed, and four files away from the nearest file with a black pawn.
    /// let fen = "4k3/4p3/4P3/8/8/8/P7/4K3 w - - 0 1";
    /// assert_eq!([of(fen, "passers"), of(fen, "outside_passer"), of(fen, "rams")], [1, 4, 1]);
    /// ```
    Ranks,
    /// Where the kings stand. All are 0 unless each side has exactly one king.
    ///
    /// ```
    #[doc = include_str!("features/doctest.txt")]
    /// // White's king needs 4 moves to a3, the square before the passed pawn, Black's 5.
    /// let fen = "8/8/1K6/8/8/5k2/P7/8 w - - 0 1";
    /// assert_eq!([of(fen, "outflanking"), of(fen, "king_support"), of(fen, "king_defence")], [7, 3, 5]);
    /// ```
    Kings,
    /// The fifty-move clock.
    ///
    /// ```
    #[doc = include_str!("features/doctest.txt")]
    /// let fen = "r3k3/8/8/8/8/8/8/4K2R w - - 50 80"; // phase 4
    /// assert_eq!([of(fen, "rule50"), of(fen, "rule50_pieces"), of(fen, "rule50_root")], [50, 8, 71]);
    /// ```
    Clock,
    /// The win/loss score: differences White minus Black, tapered.
    ///
    /// ```
    #[doc = include_str!("features/doctest.txt")]
    /// let fen = "r3k3/8/8/8/8/8/6PP/4K2R w - - 0 1"; // phase 4
    /// assert_eq!([of(fen, "pawn_mg"), of(fen, "pawn_eg"), of(fen, "rook_eg")], [2 * 4, 2 * 20, 0]);
    /// ```
    Win,
}

impl Family {
    /// All, in the order of the values.
    pub const ALL: [Family; 8] = [
        Family::Counts,
        Family::Material,
        Family::Endings,
        Family::Files,
        Family::Ranks,
        Family::Kings,
        Family::Clock,
        Family::Win,
    ];

    /// The name in model files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Family::Counts => "counts",
            Family::Material => "material",
            Family::Endings => "endings",
            Family::Files => "files",
            Family::Ranks => "ranks",
            Family::Kings => "kings",
            Family::Clock => "clock",
            Family::Win => "win",
        }
    }

    /// The behaviour of its features under exchange of colours.
    #[must_use]
    pub const fn parity(self) -> Parity {
        match self {
            Family::Counts => Parity::Count,
            Family::Win => Parity::Odd,
            _ => Parity::Even,
        }
    }

    const fn rows(self) -> &'static [Row] {
        match self {
            Family::Counts => &material::COUNTS,
            Family::Material => &material::MATERIAL,
            Family::Endings => &endings::ROWS,
            Family::Files => &files::ROWS,
            Family::Ranks => &ranks::ROWS,
            Family::Kings => &kings::ROWS,
            Family::Clock => &clock::ROWS,
            Family::Win => &win::ROWS,
        }
    }

    /// How many features it has.
    #[must_use]
    #[inline]
    pub const fn len(self) -> usize {
        self.rows().len()
    }

    /// Whether it has none: never.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.rows().is_empty()
    }

    /// The place of its first feature among the values.
    #[must_use]
    #[inline]
    pub const fn first(self) -> usize {
        let mut first = 0;
        let mut before = 0;
        while before < self as usize {
            first += Family::ALL[before].rows().len();
            before += 1;
        }
        first
    }
}

/// One feature.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// The name of its column.
    pub name: &'static str,
    /// What it measures, with its range, and its source in brackets.
    pub meaning: &'static str,
    /// Its behaviour under exchange of colours.
    pub parity: Parity,
    /// The family it belongs to.
    pub family: Family,
    /// What files of heads call it: 256 times the number of its family in [`Family::ALL`], plus its number in the family.
    pub id: u16,
    /// A position in which it is not 0.
    pub example: &'static str,
}

/// Name, meaning and example of a feature.
type Row = (&'static str, &'static str, &'static str);

/// How many features there are.
pub const COUNT: usize = {
    let mut count = 0;
    let mut family = 0;
    while family < Family::ALL.len() {
        count += Family::ALL[family].len();
        family += 1;
    }
    count
};

static ALL: [Feature; COUNT] = {
    let nothing = Feature { name: "", meaning: "", parity: Parity::Count, family: Family::Counts, id: 0, example: "" };
    let mut all = [nothing; COUNT];
    let (mut family, mut place) = (0, 0);
    while family < Family::ALL.len() {
        let kind = Family::ALL[family];
        let mut number = 0;
        while number < kind.len() {
            let (name, meaning, example) = kind.rows()[number];
            let id = (family * 256 + number) as u16;
            all[place] = Feature { name, meaning, parity: kind.parity(), family: kind, id, example };
            place += 1;
            number += 1;
        }
        family += 1;
    }
    all
};

/// All features, in the order of their values.
#[must_use]
#[inline]
pub fn all() -> &'static [Feature; COUNT] {
    &ALL
}

/// The place of a feature among the values, by its name.
#[must_use]
pub fn place(name: &str) -> Option<usize> {
    all().iter().position(|feature| feature.name == name)
}

/// The place of a feature among the values, by its [identifier](Feature::id).
#[must_use]
#[inline]
pub const fn place_of_id(id: u16) -> Option<usize> {
    let (family, number) = ((id >> 8) as usize, (id & 0xff) as usize);
    /// The place of the first feature of each family, and how many it has.
    static BLOCKS: [(u16, u16); Family::ALL.len()] = {
        let mut blocks = [(0, 0); Family::ALL.len()];
        let mut family = 0;
        while family < blocks.len() {
            blocks[family] = (Family::ALL[family].first() as u16, Family::ALL[family].len() as u16);
            family += 1;
        }
        blocks
    };
    if family >= BLOCKS.len() {
        return None;
    }
    let (first, len) = BLOCKS[family];
    if number < len as usize { Some(first as usize + number) } else { None }
}

/// Computes all features of a position.
#[inline]
pub fn fill(view: &View, values: &mut [i16; COUNT]) {
    fill_families(u8::MAX, view, values);
}

/// Computes the features of one family and leaves the other values as they are: for an engine that remembers them.
#[inline]
pub fn fill_family(family: Family, view: &View, values: &mut [i16; COUNT]) {
    fill_families(1 << family as u32, view, values);
}

/// The same of all families whose bit is set. One branch for each: a jump by the number of a family is hard to foresee.
#[inline]
pub(crate) fn fill_families(families: u8, view: &View, values: &mut [i16; COUNT]) {
    /// The values of a family, whose place and number are known when the program is compiled.
    macro_rules! fill {
        ($family:ident, $fill:path) => {
            if families >> Family::$family as u32 & 1 == 1 {
                if let Some((_, own)) = values.split_at_mut_checked(const { Family::$family.first() }) {
                    if let Some(own) = own.first_chunk_mut() {
                        $fill(view, own);
                    }
                }
            }
        };
    }
    fill!(Counts, material::fill_counts);
    fill!(Material, material::fill);
    fill!(Endings, endings::fill);
    fill!(Files, files::fill);
    fill!(Ranks, ranks::fill);
    fill!(Kings, kings::fill);
    fill!(Clock, clock::fill);
    fill!(Win, win::fill);
}

/// Writes values, which boards that no game has could bring beyond the range.
#[inline]
fn put<const N: usize>(values: &mut [i16; N], numbers: [i32; N]) {
    for (value, number) in values.iter_mut().zip(numbers) {
        *value = number.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::vec::Vec;

    use super::*;
    use crate::board::{Board, Color};

    fn values(board: &Board) -> [i16; COUNT] {
        let mut values = [i16::MAX; COUNT];
        fill(&View::new(board), &mut values);
        values
    }

    /// The values of some features of a position.
    fn of<const N: usize>(fen: &str, names: [&str; N]) -> [i16; N] {
        let values = values(&Board::from_fen(fen).expect("a FEN"));
        names.map(|name| values[place(name).unwrap_or_else(|| panic!("no feature {name}"))])
    }

    #[test]
    fn names_and_identifiers_are_unique_and_every_example_shows_its_feature() {
        let names: BTreeSet<_> = all().iter().map(|feature| feature.name).collect();
        assert_eq!(names.len(), all().len());
        for (at, feature) in all().iter().enumerate() {
            assert!(feature.meaning.len() >= 6, "{}", feature.name);
            assert_ne!(of(feature.example, [feature.name]), [0], "{}", feature.name);
            assert_eq!(place_of_id(feature.id), Some(at), "{}", feature.name);
            assert_eq!(place(feature.name), Some(at));
        }
        // The families lie one behind the other.
        let ends = Family::ALL.iter().fold(0, |end, family| {
            assert!(family.first() == end && !family.is_empty(), "{family:?}");
            end + family.len()
        });
        assert_eq!(ends, COUNT);
        for id in [10, 255, 19 + 256, 0x0800, 0x0740, u16::MAX] {
            assert_eq!(place_of_id(id), None, "{id:#x}");
        }
    }

    /// Identifiers are in files: they stay.
    #[test]
    fn identifiers_stay() {
        for (name, id) in
            [("white_pawns", 0), ("pawns", 0x100), ("bare", 0x112), ("one_piece", 0x210), ("strong_span", 0x309)]
        {
            assert_eq!(all()[place(name).expect("a feature")].id, id, "{name}");
        }
        for (name, id) in [
            ("rams", 0x400),
            ("outside_passer", 0x40d),
            ("kings_central", 0x506),
            ("rule50_root", 0x602),
            ("hanging_eg", 0x73f),
        ] {
            assert_eq!(all()[place(name).expect("a feature")].id, id, "{name}");
        }
    }

    #[test]
    fn the_start_position() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let names = ["pawns", "white_knights", "black_queens", "npm", "phase", "material_diff", "rams", "passers"];
        assert_eq!(of(fen, names), [16, 2, 1, 62, 24, 0, 0, 0]);
        let names =
            ["asymmetric_files", "symmetric_files", "open_files", "span", "both_flanks", "islands", "identical"];
        assert_eq!(of(fen, names), [0, 8, 0, 7, 1, 2, 1]);
        assert_eq!(of(fen, ["pawn_mg", "pawn_eg", "tempo_mg", "tempo_eg"]), [0, 0, 24, 0]);
    }

    #[test]
    fn endings_are_told_apart() {
        let names = [
            "pawn_ending",
            "rook_ending",
            "opposite_bishops_pure",
            "opposite_bishops_rooks",
            "opposite_bishops",
            "same_bishops",
        ];
        for (fen, expected) in [
            ("8/5k2/8/8/8/8/4KP2/8 w - - 0 1", [1, 0, 0, 0, 0, 0]),
            ("8/5k2/r7/8/8/8/4KP2/R7 w - - 0 1", [0, 1, 0, 0, 0, 0]),
            // f1 is a light square, f8 a dark one.
            ("5b2/5k2/8/8/8/8/4KP2/5B2 w - - 0 1", [0, 0, 1, 0, 1, 0]),
            ("r4b2/5k2/8/8/8/8/4KP2/R4B2 w - - 0 1", [0, 0, 0, 1, 1, 0]),
            ("2b5/5k2/8/8/8/8/4KP2/5B2 w - - 0 1", [0, 0, 0, 0, 0, 1]),
            ("8/5k2/n7/8/8/8/4KP2/5B2 w - - 0 1", [0; 6]),
        ] {
            assert_eq!(of(fen, names), expected, "{fen}");
        }
    }

    #[test]
    fn pawns_on_their_files() {
        // White a2 c4 e4 e5, Black c5 d7 e6 h3; White's a pawn and Black's h pawn are passed.
        let fen = "4k3/3p4/4p3/2p1P3/2P1P3/7p/P7/4K3 b - - 17 40";
        let names =
            ["rams", "rams_4", "passers", "passer_rank", "doubled", "isolated", "asymmetric_files", "symmetric_files"];
        assert_eq!(of(fen, names), [2, 0, 2, 5, 1, 5, 3, 2]);
        assert_eq!(of(fen, ["rule50", "both_flanks", "open_files", "span"]), [17, 1, 3, 7]);
        assert_eq!(of(fen, ["passer_rank_mg", "passer_rank_eg", "tempo_eg"]), [0, 24 * (1 - 5), -24]);
    }

    #[test]
    fn kings_and_material() {
        let fen = "8/8/1K6/8/8/5k2/P7/8 w - - 0 1";
        assert_eq!(
            of(fen, ["outflanking", "infiltration", "king_distance", "strong_pawns", "pawn_diff"]),
            [7, 1, 4, 1, 1]
        );
        let fen = "3qk3/8/8/8/8/8/8/RR2K3 w - - 0 1";
        assert_eq!(of(fen, ["material_diff", "imbalance", "queen_diff", "rook_diff", "strong_pawns"]), [1, 9, 1, 2, 0]);
    }

    /// Boards that no game has: all queens, bitboards of noise, men of both sides and of all roles at once.
    /// A knight that a pawn attacks is as much in danger where the king attacks it too, and not where its own king protects it.
    #[test]
    fn men_attacked_twice_are_attacked() {
        let hanging = |fen| of(fen, ["hanging_eg"])[0];
        let once = hanging("7k/8/8/8/4n3/3P4/8/K7 w - - 0 1");
        assert_ne!(once, 0);
        assert_eq!(hanging("7k/8/8/8/4n3/3PK3/8/8 w - - 0 1"), once);
        assert_eq!(hanging("8/8/8/4k3/4n3/3P4/8/K7 w - - 0 1"), 0);
    }

    #[test]
    fn any_bitboards_have_values() {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        };
        let all = u64::MAX;
        let mut boards = std::vec![
            Board::from_roles([0; 6], 0, 0, Color::White, 0),
            Board::from_roles([all; 6], all, all, Color::Black, u32::MAX),
            Board::from_roles([all; 6], all, 0, Color::White, 150),
            Board::from_roles([0, 0, 0, 0, all, 0], 0, all, Color::White, 150),
            Board::from_roles([all, 0, 0, 0, 0, 0], all, 0, Color::White, 150),
        ];
        boards.extend((0..2000).map(|_| {
            let roles = [next(), next(), next() & next(), next(), next(), next() & next() & next() & next()];
            Board::from_roles(roles, next(), next(), Color::Black, 7)
        }));
        let seen: BTreeSet<Vec<i16>> = boards.iter().map(|board| values(board).to_vec()).collect();
        assert!(seen.len() > 1900, "{}", seen.len());
        assert!(seen.iter().flatten().any(|&value| value == i16::MAX), "values end at the range of an i16");
    }
}
