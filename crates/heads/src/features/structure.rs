//! Classes of pawn structures: one word for the pawns of a position, by which results are told apart.

use shakmaty::{Bitboard, Board};

use super::position::{Side, both};

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

    /// The class of the pawns on a board.
    #[must_use]
    pub fn of(board: &Board) -> StructureClass {
        const QUEENSIDE: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);
        let [white, black] = both(board);
        let surplus = |flank: Bitboard| (white.pawns & flank).count() as i32 - (black.pawns & flank).count() as i32;
        let all = white.pawns | black.pawns;
        let rams = (Bitboard(u64::from(white.pawns) << 8) & black.pawns).count();
        let passed = [&white, &black].map(|side: &Side| side.passers.any());
        let fits = |class: StructureClass| match class {
            StructureClass::NoPawns => all.is_empty(),
            StructureClass::OneSided => white.pawns.is_empty() || black.pawns.is_empty(),
            StructureClass::Blocked => rams >= 4,
            StructureClass::OneFlank => (all & QUEENSIDE).is_empty() || (all & !QUEENSIDE).is_empty(),
            StructureClass::PassersBoth => passed == [true, true],
            StructureClass::Passers => passed != [false, false],
            StructureClass::OpposedMajorities => surplus(QUEENSIDE) * surplus(!QUEENSIDE) < 0,
            StructureClass::Symmetric => white.files() == black.files(),
            StructureClass::Asymmetric => true,
        };
        StructureClass::ALL.into_iter().find(|&class| fits(class)).unwrap_or(StructureClass::Asymmetric)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

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
            let mut board = board.parse::<Fen>().map(|fen| fen.into_setup().board).expect("a board");
            assert_eq!(StructureClass::of(&board), class, "{board}");
            board.flip_horizontal();
            assert_eq!(StructureClass::of(&board), class, "the mirror image of {board}");
            board.flip_vertical();
            board.swap_colors();
            assert_eq!(StructureClass::of(&board), class, "exchanged colours of {board}");
        }
    }
}
