//! Index schemes: how a pawn structure becomes the number of a cell in a table.
//!
//! Every scheme is one file of this folder. A new one is a new file with a type that implements
//! [`IndexScheme`], and its line in the list at the end of this page. Command line and table format follow from that; the C
//! header and the bench name it once more (ARCHITECTURE.md, "Where things go").
//!
//! # Stability
//!
//! The numbers are stored in files: once released, a scheme never changes its name, its identifier or the
//! cell of any structure. A better idea is a new scheme.

use core::fmt;

use crate::Pawns;

/// A C function for [`IndexScheme::C_INDEX`], after the one that folds a bitboard into its files.
macro_rules! c_index {
    ($function:literal $(,)?) => {
        Some(concat!(
            "\
static inline unsigned drawish_files(uint64_t squares) {
    squares |= squares >> 32;
    squares |= squares >> 16;
    squares |= squares >> 8;
    return (unsigned)(squares & 0xff);
}

",
            $function
        ))
    };
}

mod ah;
mod bg;
mod bg_blocked;
mod bg_sym;

pub use ah::Ah;
pub use bg::Bg;
pub use bg_blocked::BgBlocked;
pub use bg_sym::BgSym;

/// The number of a cell: 0 up to, not including, [`IndexScheme::CELLS`] of the scheme that made it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StructureIndex(pub u32);

/// One way to number pawn structures. All functions are pure; an engine calls [`index`](Self::index) on its own
/// bitboards, with the scheme known at compile time.
pub trait IndexScheme {
    /// The name on the command line and in files' provenance.
    const NAME: &'static str;
    /// The number in the header of `.table` files; 0 is never used.
    const ID: u16;
    /// How many cells there are.
    const CELLS: u32;
    /// One line on what a cell stands for.
    const SUMMARY: &'static str;

    /// [`index`](Self::index) as a C99 function `drawish_index(uint64_t white, uint64_t black)`, for exported
    /// headers; `None` for a scheme that has no short one.
    const C_INDEX: Option<&'static str>;

    /// The cell of a structure, always below [`Self::CELLS`].
    fn index(pawns: Pawns) -> StructureIndex;

    /// The cell of the same structure with colours exchanged.
    fn flip_colors(cell: StructureIndex) -> StructureIndex;

    /// The cell of the same structure with files mirrored.
    fn mirror_files(cell: StructureIndex) -> StructureIndex;

    /// What a cell stands for: the files that it marks for each side.
    fn describe(cell: StructureIndex) -> Structure;
}

/// The files that a cell marks, White's first: bit 0 = file a … bit 7 = file h.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Structure {
    /// Files marked for White.
    pub white: u8,
    /// Files marked for Black.
    pub black: u8,
    /// What a mark means: `pawns` or `rammed pawns`.
    pub mark: &'static str,
}

/// In words, as in `white pawns b c d e g, black pawns b d e f g`.
impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (side, files, separator) in [("white", self.white, ", "), ("black", self.black, "")] {
            write!(f, "{side} {}", self.mark)?;
            if files == 0 {
                f.write_str(" none")?;
            }
            for file in 0..8u8 {
                if files >> file & 1 == 1 {
                    write!(f, " {}", char::from(b'a' + file))?;
                }
            }
            f.write_str(separator)?;
        }
        Ok(())
    }
}

/// Makes [`Scheme`], the choice of a scheme at run time, from the list of the types.
macro_rules! schemes {
    ($($scheme:ident),+ $(,)?) => {
        /// An index scheme chosen at run time; each variant answers as the type of the same name.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Scheme {
            $(#[doc = concat!("See [`", stringify!($scheme), "`](struct@", stringify!($scheme), ").")] $scheme,)+
        }

        impl Scheme {
            /// All schemes, in the order in which they were added.
            pub const ALL: &'static [Scheme] = &[$(Scheme::$scheme),+];

            /// See [`IndexScheme::NAME`].
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Scheme::$scheme => <$scheme as IndexScheme>::NAME,)+ }
            }

            /// See [`IndexScheme::ID`].
            #[must_use]
            pub const fn id(self) -> u16 {
                match self { $(Scheme::$scheme => <$scheme as IndexScheme>::ID,)+ }
            }

            /// See [`IndexScheme::CELLS`].
            #[must_use]
            pub const fn cells(self) -> u32 {
                match self { $(Scheme::$scheme => <$scheme as IndexScheme>::CELLS,)+ }
            }

            /// See [`IndexScheme::SUMMARY`].
            #[must_use]
            pub const fn summary(self) -> &'static str {
                match self { $(Scheme::$scheme => <$scheme as IndexScheme>::SUMMARY,)+ }
            }

            /// See [`IndexScheme::C_INDEX`].
            #[must_use]
            pub const fn c_index(self) -> Option<&'static str> {
                match self { $(Scheme::$scheme => <$scheme as IndexScheme>::C_INDEX,)+ }
            }

            /// See [`IndexScheme::index`].
            #[must_use]
            #[inline]
            pub fn index(self, pawns: Pawns) -> StructureIndex {
                match self { $(Scheme::$scheme => $scheme::index(pawns),)+ }
            }

            /// See [`IndexScheme::flip_colors`].
            #[must_use]
            pub fn flip_colors(self, cell: StructureIndex) -> StructureIndex {
                match self { $(Scheme::$scheme => $scheme::flip_colors(cell),)+ }
            }

            /// See [`IndexScheme::mirror_files`].
            #[must_use]
            pub fn mirror_files(self, cell: StructureIndex) -> StructureIndex {
                match self { $(Scheme::$scheme => $scheme::mirror_files(cell),)+ }
            }

            /// See [`IndexScheme::describe`].
            #[must_use]
            pub fn describe(self, cell: StructureIndex) -> Structure {
                match self { $(Scheme::$scheme => $scheme::describe(cell),)+ }
            }
        }
    };
}

schemes!(Bg, BgBlocked, Ah, BgSym);

impl Scheme {
    /// The scheme of this name, or `None`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Scheme> {
        Scheme::ALL.iter().copied().find(|scheme| scheme.name() == name)
    }

    /// The scheme with this identifier, or `None`.
    #[must_use]
    pub const fn from_id(id: u16) -> Option<Scheme> {
        let mut i = 0;
        while i < Scheme::ALL.len() {
            if Scheme::ALL[i].id() == id {
                return Some(Scheme::ALL[i]);
            }
            i += 1;
        }
        None
    }

    /// The smallest of the cells that colour swap and file mirror make of this one: the same number for all
    /// members of a symmetry class.
    #[must_use]
    pub fn canonical(self, cell: StructureIndex) -> StructureIndex {
        let mirrored = self.mirror_files(cell);
        cell.min(mirrored).min(self.flip_colors(cell)).min(self.flip_colors(mirrored))
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_identifiers_are_unique_and_found_again() {
        for &scheme in Scheme::ALL {
            assert_eq!(Scheme::from_name(scheme.name()), Some(scheme));
            assert_eq!(Scheme::from_id(scheme.id()), Some(scheme));
            assert_ne!(scheme.id(), 0);
            assert!(std::format!("{scheme}") == scheme.name());
        }
        assert_eq!(Scheme::from_name("nonsense"), None);
        assert_eq!(Scheme::from_id(0), None);
    }

    #[test]
    fn structures_are_described_in_words() {
        let said = |white, black| std::format!("{}", Structure { white, black, mark: "pawns" });
        assert_eq!(said(0b0101_1110, 0b0111_1010), "white pawns b c d e g, black pawns b d e f g");
        assert_eq!(said(0, 0b1000_0001), "white pawns none, black pawns a h");
    }

    /// A structure with one pawn on each marked file, White's on rank 4 and Black's on rank 5: the files of
    /// both sides are rammed, so the same pawns make the cell in every scheme.
    fn pawns_of(structure: Structure) -> Pawns {
        Pawns { white: u64::from(structure.white) << 24, black: u64::from(structure.black) << 32 }
    }

    #[test]
    fn describing_a_cell_and_indexing_the_description_gives_the_cell() {
        for &scheme in Scheme::ALL {
            for cell in (0..scheme.cells()).map(StructureIndex) {
                let structure = scheme.describe(cell);
                let reachable = scheme != Scheme::BgBlocked || structure.white == structure.black;
                if reachable {
                    assert_eq!(scheme.index(pawns_of(structure)), cell, "{scheme}: {structure}");
                }
            }
        }
    }

    #[test]
    fn symmetries_of_cells_are_the_symmetries_of_the_pawns() {
        for &scheme in Scheme::ALL {
            for cell in (0..scheme.cells()).map(StructureIndex) {
                let pawns = pawns_of(scheme.describe(cell));
                let cell = scheme.index(pawns);
                assert_eq!(scheme.flip_colors(cell), scheme.index(pawns.flip_colors()), "{scheme} {cell:?}");
                assert_eq!(scheme.mirror_files(cell), scheme.index(pawns.mirror_files()), "{scheme} {cell:?}");
                assert_eq!(scheme.canonical(scheme.flip_colors(cell)), scheme.canonical(cell));
                assert_eq!(scheme.canonical(scheme.mirror_files(cell)), scheme.canonical(cell));
            }
        }
    }

    #[test]
    fn the_start_position_in_each_scheme() {
        assert_eq!(Scheme::Bg.index(Pawns::START).0, 0b111_111_111_111);
        assert_eq!(Scheme::Ah.index(Pawns::START).0, 0xffff);
        assert_eq!(Scheme::BgBlocked.index(Pawns::START).0, 0);
        assert_eq!(Scheme::BgSym.index(Pawns::START).0, Scheme::BgSym.cells() - 1);
        for &scheme in Scheme::ALL {
            assert!(scheme.index(Pawns::NONE) == StructureIndex(0), "{scheme}");
        }
    }
}
