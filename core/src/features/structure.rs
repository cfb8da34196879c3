//! Classes of pawn structures: one word for the pawns of a position, by which results are told apart.

use super::attacks;
use super::view::files;
use crate::Pawns;
use crate::board::Color;

/// What a structure is called. Every structure has exactly one class: the first of [`ALL`](Self::ALL) that fits it. Classes do not
/// depend on which side is which.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum StructureClass {
    /// No pawns at all.
    NoPawns,
    /// Pawns of one side only.
    OneSided,
    /// At least four pairs of pawns that block each other.
    Blocked,
    /// All pawns on files a to d, or all on files e to h.
    OneFlank,
    /// Both sides have passed pawns.
    PassersBoth,
    /// One side has passed pawns.
    Passers,
    /// Each side has more pawns than the other on one of the flanks.
    OpposedMajorities,
    /// Both sides have pawns on the same files.
    Symmetric,
    /// Anything else.
    Asymmetric,
}

impl StructureClass {
    /// All, in the order in which they are tried and reported.
    pub const ALL: [StructureClass; 9] = [
        StructureClass::NoPawns,
        StructureClass::OneSided,
        StructureClass::Blocked,
        StructureClass::OneFlank,
        StructureClass::PassersBoth,
        StructureClass::Passers,
        StructureClass::OpposedMajorities,
        StructureClass::Symmetric,
        StructureClass::Asymmetric,
    ];

    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            StructureClass::NoPawns => "no-pawns",
            StructureClass::OneSided => "one-sided",
            StructureClass::Blocked => "blocked",
            StructureClass::OneFlank => "one-flank",
            StructureClass::PassersBoth => "passers-both",
            StructureClass::Passers => "passers",
            StructureClass::OpposedMajorities => "opposed-majorities",
            StructureClass::Symmetric => "symmetric",
            StructureClass::Asymmetric => "asymmetric",
        }
    }

    /// What it means, in a few words.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            StructureClass::NoPawns => "no pawns at all",
            StructureClass::OneSided => "pawns of one side only",
            StructureClass::Blocked => "at least 4 pairs of pawns that block each other",
            StructureClass::OneFlank => "all pawns on files a to d, or all on e to h",
            StructureClass::PassersBoth => "passed pawns of both sides",
            StructureClass::Passers => "passed pawns of one side",
            StructureClass::OpposedMajorities => "each side has more pawns on one flank",
            StructureClass::Symmetric => "both sides have pawns on the same files",
            StructureClass::Asymmetric => "anything else",
        }
    }

    /// The class of a structure.
    #[must_use]
    pub fn of(pawns: Pawns) -> StructureClass {
        const QUEENSIDE: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        let Pawns { white, black } = pawns;
        let surplus = |flank: u64| (white & flank).count_ones() as i32 - (black & flank).count_ones() as i32;
        let all = white | black;
        let rams = (white << 8 & black).count_ones();
        let white_passed = white & !attacks::held_up(Color::Black, black) != 0;
        let black_passed = black & !attacks::held_up(Color::White, white) != 0;
        let fits = |class: StructureClass| match class {
            StructureClass::NoPawns => all == 0,
            StructureClass::OneSided => white == 0 || black == 0,
            StructureClass::Blocked => rams >= 4,
            StructureClass::OneFlank => all & QUEENSIDE == 0 || all & !QUEENSIDE == 0,
            StructureClass::PassersBoth => white_passed && black_passed,
            StructureClass::Passers => white_passed || black_passed,
            StructureClass::OpposedMajorities => surplus(QUEENSIDE) * surplus(!QUEENSIDE) < 0,
            StructureClass::Symmetric => files(white) == files(black),
            StructureClass::Asymmetric => true,
        };
        StructureClass::ALL.into_iter().find(|&class| fits(class)).unwrap_or(StructureClass::Asymmetric)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn every_class_and_the_order_between_them() {
        for (board, class) in [
            ("4k3/8/8/8/8/8/8/R3K3", StructureClass::NoPawns),
            ("4k3/8/8/8/8/8/PP6/4K3", StructureClass::OneSided),
            ("4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3", StructureClass::Blocked),
            ("4k3/5ppp/8/8/8/4P3/5PPP/4K3", StructureClass::OneFlank),
            ("4k3/p5pp/8/8/8/8/2P3PP/4K3", StructureClass::PassersBoth),
            ("4k3/5ppp/8/8/8/8/P4PPP/4K3", StructureClass::Passers),
            ("4k3/ppp2pp1/8/8/8/8/PP3PPP/4K3", StructureClass::OpposedMajorities),
            ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3", StructureClass::Symmetric),
            ("4k3/ppp2ppp/8/8/8/8/PP1P1PPP/4K3", StructureClass::Asymmetric),
        ] {
            let board = Board::from_fen(&std::format!("{board} w")).expect("a board").pawns();
            assert_eq!(StructureClass::of(board), class, "{board:?}");
            assert_eq!(StructureClass::of(board.mirror_files()), class, "the mirror image of {board:?}");
            assert_eq!(StructureClass::of(board.flip_colors()), class, "exchanged colours of {board:?}");
        }
    }
}
