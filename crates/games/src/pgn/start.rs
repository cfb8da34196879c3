//! What the tags say about where a game begins and by which rules.

use serde::{Deserialize, Serialize};
use shakmaty::fen::{Epd, Fen};
use shakmaty::{Castles, CastlingMode, Chess, EnPassantMode, FromSetup, PositionError, Setup};

use super::tag_pair::VERTICAL_TAB;
use super::tags::{TagName, Tags};

/// The variant that a game's tags name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// No Variant tag, or one without a name (`?`), or Standard, Chess, Classical, Orthodox, Normal, Regular, From Position or a
    /// class of speed (Blitz).
    Standard,
    /// Chess960 by any of its names, or by the castling rights of its FEN.
    Chess960,
    /// Anything else.
    Other,
}

impl Variant {
    /// The variant of a game. One from a FEN whose castling only Chess960 knows is Chess960, and one whose FEN has pieces in hand or counts
    /// checks is another variant, whatever its tags leave out.
    #[must_use]
    pub fn of(tags: &Tags) -> Variant {
        let named = tags.get(TagName::Variant).map_or(Variant::Standard, Variant::named);
        match fen_of(tags).filter(|_| named != Variant::Other).and_then(setup_of) {
            Some(setup) if setup.pockets.is_some() || setup.remaining_checks.is_some() => Variant::Other,
            Some(setup) if castling_of(&setup) == CastlingMode::Chess960 => Variant::Chess960,
            _ => named,
        }
    }

    /// The variant with this name, upper and lower case and signs between the letters being the same.
    #[must_use]
    pub fn named(variant: &[u8]) -> Variant {
        const STANDARD: [&str; 14] = [
            "",
            "standard",
            "classical",
            "orthodox",
            "normal",
            "regular",
            "fromposition",
            // ChessBase's, which python-chess takes for standard chess, too.
            "illegal",
            // What FICS rates apart, as Raptor names it.
            "classic",
            "blitz",
            "lightning",
            "bullet",
            "rapid",
            "untimed",
        ];
        const CHESS960: [&str; 9] = [
            "chess960",
            "960",
            "fischerandom",
            "fischerrandom",
            "frc",
            "dfrc",
            "freestyle",
            "chess9lx",
            // FICS.
            "wildfr",
        ];
        // Letters of any alphabet, also in encodings that are not known: what cannot be read is another variant.
        let text = String::from_utf8_lossy(variant);
        let letters = text.chars().filter(|&letter| letter.is_alphanumeric() || letter == char::REPLACEMENT_CHARACTER);
        let plain: String = letters.flat_map(char::to_lowercase).collect();
        // `Standard Chess`, `Fischer Random Chess`, and only `Chess`. Without a letter or digit are "", "?" and "-": nothing is said.
        // Lichess names games from a FEN `From Position`.
        let name = plain.strip_suffix("chess").unwrap_or(&plain);
        if STANDARD.contains(&name) {
            Variant::Standard
        } else if CHESS960.contains(&name) {
            Variant::Chess960
        } else {
            Variant::Other
        }
    }
}

/// Which variants of chess are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VariantChoice {
    /// No Variant tag, or Standard, Chess or Normal.
    Standard,
    /// Chess960 by any of its names.
    Chess960,
    /// Both.
    Any,
}

impl VariantChoice {
    /// All.
    pub const ALL: [VariantChoice; 3] = [VariantChoice::Standard, VariantChoice::Chess960, VariantChoice::Any];

    /// The name in files and options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            VariantChoice::Standard => "standard",
            VariantChoice::Chess960 => "chess960",
            VariantChoice::Any => "any",
        }
    }

    /// Whether games of a variant are wanted.
    #[must_use]
    pub fn accepts(self, variant: Variant) -> bool {
        match self {
            VariantChoice::Standard => variant == Variant::Standard,
            VariantChoice::Chess960 => variant == Variant::Chess960,
            VariantChoice::Any => variant != Variant::Other,
        }
    }
}

/// The text of the FEN tag, unless it is absent, empty or the standard position before the first move, however it is spelled.
#[must_use]
pub fn fen_of(tags: &Tags) -> Option<&[u8]> {
    const PLACES: &[u8] = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ";
    const STANDARD: &[u8] = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    // Some programs write an empty FEN for the standard position.
    tags.get(TagName::Fen).filter(|text| {
        let text = text.trim_ascii();
        let is_standard = || text.starts_with(PLACES) && setup_of(text) == Some(Setup::initial());
        ![STANDARD, &b""[..], &b"?"[..]].contains(&text) && !is_standard()
    })
}

/// Chess960 where the castling rights are some that only Chess960 has: rooks or kings elsewhere. Rights without their king or rook, such as
/// `KQkq` of a castled king, are untrue and tell nothing.
#[must_use]
pub fn castling_of(setup: &Setup) -> CastlingMode {
    let are_true = Castles::from_setup(setup, CastlingMode::Chess960).is_ok();
    if are_true { CastlingMode::detect(setup) } else { CastlingMode::Standard }
}

/// The position that a setup stands for, with the errors forgiven that real files have; `None` if it is none.
#[must_use]
pub fn position_of(setup: Setup, variant: Variant) -> Option<Chess> {
    position_with(setup, variant, false)
}

/// The same, also if more or other men give check than any move can bring about: no start of a game, but one whose moves can be passed over.
pub(super) fn position_to_pass(setup: Setup, variant: Variant) -> Option<Chess> {
    position_with(setup, variant, true)
}

fn position_with(setup: Setup, variant: Variant, any_checks: bool) -> Option<Chess> {
    let found = Chess::from_setup(setup, CastlingMode::from_chess960(variant == Variant::Chess960))
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_too_much_material);
    match any_checks {
        true => found.or_else(PositionError::ignore_impossible_check).ok(),
        false => found.ok(),
    }
}

/// The setup that a FEN describes; any white space may stand between its fields.
#[must_use]
pub fn setup_of(fen: &[u8]) -> Option<Setup> {
    let setup = |fen: &[u8]| Fen::from_ascii(fen).ok().map(Fen::into_setup);
    let other_blank = |byte: &u8| byte.is_ascii_whitespace() && *byte != b' ' || *byte == VERTICAL_TAB;
    if fen.iter().any(other_blank) {
        let blanks = fen.iter().map(|byte| if other_blank(byte) { b' ' } else { *byte });
        setup(blanks.collect::<Vec<u8>>().trim_ascii())
    } else {
        setup(fen.trim_ascii())
    }
}

/// Whether Black moves first by a FEN, which may have other errors.
pub(crate) fn black_begins(fen: &[u8]) -> bool {
    let mut fields = fen.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    setup_of(fen).map_or_else(|| fields.nth(1) == Some(b"b"), |setup| setup.turn.is_black())
}

/// The FEN of a start position, the same however a tag spells it.
pub(crate) fn start_fen(start: &Chess) -> String {
    Fen::from_position(start, EnPassantMode::Legal).to_string()
}

/// The same without its counters, which some programs leave out or write as `0 1`.
pub(crate) fn start_epd(start: &Chess) -> String {
    Epd::from_position(start, EnPassantMode::Legal).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Addresses have underscores between the fields.
    #[test]
    fn black_begins_however_the_fields_are_parted() {
        for fen in [
            "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
            " 4k3/8/8/8/8/8/8/4K3  b",
            "4k3/8/8/8/8/8/8/4K3_b_-_-_0_1",
            "x b",
            "4k3/8/8/8/8/8/8/4K3\nb - -",
        ] {
            assert!(black_begins(fen.as_bytes()), "{fen}");
        }
        for fen in ["", "?", "4k3/8/8/8/8/8/8/4K3 w - b", "4k3/8/8/8/8/8/8/4K3_w_-_-_0_1", "x w"] {
            assert!(!black_begins(fen.as_bytes()), "{fen}");
        }
    }

    #[test]
    fn variants_have_many_names() {
        for (expected, names) in [
            (
                Variant::Standard,
                "Standard,standard chess,Chess,CLASSICAL,Orthodox,normal,Regular Chess,From Position,Illegal,Blitz,lightning,classic,?,-,",
            ),
            (
                Variant::Chess960,
                "Chess960,chess 960,Chess-960,960,fischerandom,Fischer Random,FischeRandom Chess,Fischer Random Chess,FRC,DFRC,\
                 Freestyle,Freestyle Chess,Chess9LX,wild/fr",
            ),
            (
                Variant::Other,
                "Crazyhouse,Atomic,Horde,Racing Kings,Antichess,Three-check,3check,King of the Hill,suicide,losers,wild/5,bughouse,\
                 anti chess,duck chess,fog of war,nocastle,Standard960,seirawan,shatranj,armageddon,Атомные шахматы,象棋,チェス",
            ),
            (Variant::Chess960, "Fischer\u{a0}Random,\u{2013}Chess960"),
        ] {
            for name in names.split(',') {
                assert_eq!(Variant::named(name.as_bytes()), expected, "{name}");
            }
        }
        // In Windows-1251 and Shift JIS.
        for name in [&b"\xc0\xf2\xee\xec"[..], b"\x8f\xab\x8a\xfb"] {
            assert_eq!(Variant::named(name), Variant::Other);
        }
    }

    #[test]
    fn the_fen_tells_variants_that_the_tags_leave_out() {
        const PLACES: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        for (variant, fen, expected) in [
            ("", format!("{PLACES} w KQkq - 4 3"), Variant::Standard),
            ("Chess960", format!("{PLACES} w KQkq - 0 1"), Variant::Chess960),
            ("", format!("{PLACES} w HAkq - 0 1"), Variant::Standard),
            ("", "rknqbbrn/pppppppp/8/8/8/8/PPPPPPPP/RKNQBBRN w KQkq - 0 1".to_owned(), Variant::Chess960),
            // The rights of kings that have castled, and of a rook that is gone.
            ("", "r1bq1rk1/pppppppp/8/8/8/8/PPPPPPPP/R1BQ1RK1 w KQkq - 0 7".to_owned(), Variant::Standard),
            ("", "2kr3r/pppppppp/8/8/8/8/PPPPPPPP/2KR3R w KQkq - 0 7".to_owned(), Variant::Standard),
            ("From Position", "r4rk1/8/8/8/8/8/8/R3K3 w KQ - 0 7".to_owned(), Variant::Standard),
            ("Chess960", "r4rk1/8/8/8/8/8/8/R4RK1 w KQkq - 0 7".to_owned(), Variant::Chess960),
            ("", "r4rk1/8/8/8/8/8/8/R4RK1 w Qq - 0 7".to_owned(), Variant::Chess960),
            // Crazyhouse and bughouse, three-check in both forms.
            ("", format!("{PLACES}[] w KQkq - 0 1"), Variant::Other),
            ("", format!("{PLACES}/NNn w KQkq - 0 1"), Variant::Other),
            ("Chess960", format!("{PLACES}[Qp] w KQkq - 0 1"), Variant::Other),
            ("Standard", format!("{PLACES} w KQkq - 3+3 0 1"), Variant::Other),
            ("", format!("{PLACES} w KQkq - 0 1 +0+2"), Variant::Other),
            ("Atomic", format!("{PLACES} w KQkq - 4 3"), Variant::Other),
            ("", "no position".to_owned(), Variant::Standard),
        ] {
            let mut tags = Tags::default();
            tags.insert(b"FEN", fen.as_bytes());
            tags.insert(b"Variant", variant.as_bytes());
            assert_eq!(Variant::of(&tags), expected, "{variant} {fen}");
        }
    }

    #[test]
    fn fields_of_a_fen_stand_with_any_white_space() {
        let plain = setup_of(b"4k3/8/8/8/8/8/4P3/4K3 b - - 3 40");
        assert!(plain.is_some());
        for fen in [
            "4k3/8/8/8/8/8/4P3/4K3  b -  - 3 40",
            "4k3/8/8/8/8/8/4P3/4K3\tb\t-\t-\t3\t40",
            " 4k3/8/8/8/8/8/4P3/4K3 b - - 3 40 ",
        ] {
            assert_eq!(setup_of(fen.as_bytes()), plain, "{fen:?}");
        }
    }

    /// The same game with and without the standard position as a FEN is the same.
    #[test]
    fn the_standard_position_is_no_fen_however_it_is_spelled() {
        const PLACES: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        for (fen, is_standard) in [
            ("w KQkq - 0 1", true),
            ("w KQkq -", true),
            ("w KQkq", true),
            ("w QKqk - 0 1", true),
            ("w HAha - 0 1", true),
            ("w KQkq - 0 0", true),
            (" w KQkq - 0 1 ", true),
            ("w KQkq - 1 1", false),
            ("w KQkq - 0 2", false),
            ("w KQk - 0 1", false),
            ("b KQkq - 0 1", false),
            ("w KQkq - 3+3 0 1", false),
        ] {
            let mut tags = Tags::default();
            tags.insert(b"FEN", format!("{PLACES} {fen}").as_bytes());
            assert_eq!(fen_of(&tags).is_none(), is_standard, "{fen}");
        }
    }
}
