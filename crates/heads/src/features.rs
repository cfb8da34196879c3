//! What a position says about its result: named numbers, the one definition that fitting and playing share.
//!
//! A feature is a small whole number (`i16`) read off the board, the side to move and the fifty-move clock. *Even*
//! features do not care which side is which: exchanging the colours leaves them as they are. They feed the draw head and
//! the gain head. *Odd* features change their sign: they feed the win/loss score. *Counts* are raw material for
//! others and enter no head of their own.
//!
//! Odd features come in pairs, `_mg` and `_eg`: the difference White minus Black times the phase (24 with all pieces on the
//! board, 0 with none) and times 24 minus the phase, so that a linear fit of both is a tapered term.

mod clock;
mod endings;
mod files;
mod kings;
mod material;
mod position;
mod ranks;
mod structure;
mod win;

use std::sync::LazyLock;

pub use position::PositionView;
pub use structure::StructureClass;

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

/// What features of one kind have in common; each is a block of columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Pieces and pawns of each colour.
    Counts,
    /// Totals, differences and imbalances of material.
    Material,
    /// The classes of endings, 0 or 1.
    Endings,
    /// Files with and without pawns.
    Files,
    /// Where on their files the pawns stand: rams, passers, weak pawns.
    Ranks,
    /// Where the kings stand.
    Kings,
    /// The fifty-move clock.
    Clock,
    /// The win/loss score.
    Win,
}

impl Family {
    /// All, in the order of the columns.
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

    #[inline]
    const fn block(self) -> Block {
        match self {
            Family::Counts => material::COUNTS,
            Family::Material => material::MATERIAL,
            Family::Endings => endings::BLOCK,
            Family::Files => files::BLOCK,
            Family::Ranks => ranks::BLOCK,
            Family::Kings => kings::BLOCK,
            Family::Clock => clock::BLOCK,
            Family::Win => win::BLOCK,
        }
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
}

/// The features of a family, each a name and its meaning, and how they are computed.
struct Block {
    parity: Parity,
    features: &'static [(&'static str, &'static str)],
    fill: fn(&PositionView, &mut [i16]),
}

/// All features, in the order of their values.
#[must_use]
pub fn all() -> &'static [Feature] {
    static ALL: LazyLock<Vec<Feature>> = LazyLock::new(|| {
        let of_family = |family: Family| {
            let Block { parity, features, .. } = family.block();
            features.iter().map(move |&(name, meaning)| Feature { name, meaning, parity, family })
        };
        Family::ALL.into_iter().flat_map(of_family).collect()
    });
    &ALL
}

/// The place of a feature among the values, by its name.
#[must_use]
pub fn place(name: &str) -> Option<usize> {
    all().iter().position(|feature| feature.name == name)
}

/// Computes all features of a position. `values` has the length of [`all`] and is overwritten.
///
/// # Panics
///
/// If `values` is shorter.
#[inline]
pub fn fill(position: &PositionView, values: &mut [i16]) {
    for family in Family::ALL {
        fill_family(family, position, values);
    }
}

/// Computes the features of one family and leaves the other values as they are: for an engine that remembers them.
///
/// # Panics
///
/// If `values` is shorter than [`all`].
#[inline]
pub fn fill_family(family: Family, position: &PositionView, values: &mut [i16]) {
    let before = Family::ALL.into_iter().take_while(|other| *other != family);
    let first: usize = before.map(|other| other.block().features.len()).sum();
    let block = family.block();
    let own = &mut values[first..first + block.features.len()];
    own.fill(0);
    (block.fill)(position, own);
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;
    use shakmaty::fen::Fen;
    use shakmaty::{Chess, Position};

    use super::*;

    fn values(view: &PositionView) -> Vec<i16> {
        let mut values = vec![0; all().len()];
        fill(view, &mut values);
        values
    }

    /// The values of some features of a position.
    fn of<const N: usize>(fen: &str, names: [&str; N]) -> [i16; N] {
        let setup = fen.parse::<Fen>().expect("a FEN").into_setup();
        let values = values(&PositionView::of_setup(&setup));
        names.map(|name| values[place(name).unwrap_or_else(|| panic!("no feature {name}"))])
    }

    #[test]
    fn names_are_unique_and_say_what_they_mean() {
        let names: HashSet<_> = all().iter().map(|feature| feature.name).collect();
        assert_eq!(names.len(), all().len());
        assert!(all().iter().all(|feature| feature.meaning.len() > 10));
    }

    proptest! {
        /// Games of random legal moves.
        #[test]
        fn exchanging_the_colours_keeps_or_negates(choices in prop::collection::vec(any::<u16>(), 0..160)) {
            let mut position = Chess::default();
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[usize::from(choice) % moves.len()]);
            }
            let view = PositionView::of(&position);
            let (values, flipped) = (values(&view), values(&view.flip_colors()));
            for (feature, (value, flipped)) in all().iter().zip(values.iter().zip(&flipped)) {
                match feature.parity {
                    Parity::Even => prop_assert_eq!(value, flipped, "{}", feature.name),
                    Parity::Odd => prop_assert_eq!(*value, -flipped, "{}", feature.name),
                    Parity::Count => {}
                }
            }
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
}
