//! The `.heads` file: fitted heads, read in place from bytes, without a copy and without allocation.
//!
//! A head is a few sums of weighted [features](crate::features). `drawish tune` fits heads to games and writes them as text and in
//! this form. The *draw head* says how drawish a position is ([`Heads::draw_score`], [`Heads::expected`]), the *gain head* how much
//! a lead is worth in it ([`Heads::gain`]), the *WDL head* how often an evaluation wins, draws and loses ([`Heads::wdl`]). Everything
//! is computed in integers: the same answers on every machine, in Rust and in C (`include/drawish.h`).
//!
//! ```
//! use drawish_core::{Board, Centipawns, Heads};
//!
//! static HEADS: Heads<'static> =
//!     Heads::embed(include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/example.heads")));
//!
//! let drawn = Board::from_fen("5b2/5k2/8/3p4/3P4/8/4KP2/5B2 w - - 0 1")?; // a pawn up, with bishops of opposite colours
//! let sharp = Board::from_fen("r2q1rk1/pp2bppp/2n1b3/3p4/8/1P2PN2/PB2BPPP/R2Q1RK1 w - - 0 12")?;
//! assert!(HEADS.draw_score(&drawn) > HEADS.draw_score(&sharp));
//!
//! let expected = |board| HEADS.expected(board, Centipawns(100)).map_or(0.5, |expected| expected.to_f64());
//! assert!(expected(&drawn) < expected(&sharp));
//! # Ok::<(), drawish_core::BoardError>(())
//! ```
//!
//! # Layout
//!
//! All numbers are little-endian. A header of 64 bytes is followed by blocks, each of them a multiple of 4 bytes long.
//!
//! | offset | type | content |
//! |---|---|---|
//! | 0 | `[u8; 8]` | magic `DRAWHDS\0` |
//! | 8 | u16 | format version, [`VERSION`] |
//! | 10 | u16 | length of this header, 64 |
//! | 12 | u16 | number of blocks |
//! | 14 | u16 | 0 |
//! | 16 | u32 | length of the file |
//! | 20 | u32 | CRC-32 (IEEE 802.3) of all bytes of the file, these four taken as 0 |
//! | 24 | u64 | rows that the heads were fitted to |
//! | 32 | `[u8; 16]` | XXH3-128 of the text that the file was made from |
//! | 48 | `[u8; 16]` | 0 |
//!
//! A block begins with
//!
//! | offset | type | content |
//! |---|---|---|
//! | 0 | u16 | kind |
//! | 2 | u16 | shift: weights are in units of 1/2^shift logit, 8 to 15; 0 where there are none |
//! | 4 | u32 | length of the block |
//!
//! | kind | content | block |
//! |---|---|---|
//! | 1 | drawScore v of the draw head | sum; the first parameter is kappa in 1/256 |
//! | 2 | logarithm of the gain, v of the gain head | sum; the parameters are both means, the second 128 to 1,408, see [`Heads::gain`] |
//! | 3 | the draw head's own win/loss score w, White's | sum |
//! | 4 | threshold v of the WDL head | sum |
//! | 5 | slope s of the WDL head | sum |
//! | 6 | shift o of the WDL head, White's | sum |
//! | 7 | line P of the WDL head | line |
//! | 8 | what each pawn structure adds to the gain's logarithm | cells |
//!
//! There is at least one block, and one of each kind at most. 4 to 7 come together, 8 only with 2. A *sum* goes on
//!
//! | offset | type | content |
//! |---|---|---|
//! | 8 | i32 | constant |
//! | 12 | `[i32; 2]` | parameters, 0 where there are none |
//! | 20 | `[u16; 8]` | k, for each [family](crate::features::Family::ALL) how many linear weights follow: of its first k features |
//! | 36 | u16 | number of banded terms |
//! | 38 | u16 | 0 |
//! | 40 | `[i16]` | linear weights, family by family |
//! | | | banded terms |
//! | | | 0 or 2 bytes of 0 |
//!
//! with each banded term as u16 its length in bytes, u8 m, u8 n (0 without a second feature), u16
//! [identifier](crate::features::Feature::id) of a feature, u16 identifier of a second feature or 0xffff, `[i16]` the m and `[i16]` the n values with which
//! bands begin, ascending and within ±16,382, each filled up to a multiple of four numbers with 16,383, `[i16; (m + 1) (n + 1)]` weights. A value
//! is in the band with the number of starts that are not above it; the weight at (n + 1) times the first feature's band plus the second's
//! is added. Linear weights are multiplied by the value of their feature.
//!
//! A *line* goes on with u16 number of knots (2 to 64), u16 0, `[i16]` knots x in centipawns, ascending, and `[i16]` P there in 1/1,024, never
//! falling. Knots are symmetric (the negative of each is one), and P(x) + P(-x) is at most 0.
//!
//! *Cells* go on with u16 identifier of the [index scheme](crate::index), u16 0, `[i8]` for each cell in 1/64 logit. What a structure
//! adds is the mean of its cell and of the one with colours exchanged.
//!
//! # Stability
//!
//! A file of version 1 stays readable by every later release, with the same answers; any change to these tables is a new version.
//! Identifiers of features stay, see [there](crate::features#stability). A file that reads features of a later release is refused.

mod error;
mod exp;
mod gain;
mod parse;
mod shape;
mod sum;
mod wdl;

pub use error::HeadsError;
pub use gain::{Gain, GainHead};
pub use sum::Sum;
pub use wdl::WdlHead;

use crate::board::{Board, Color};
use crate::bytes;
use crate::expect::{DrawModel, ExpectedScore, WdlPermille, Wilo};
use crate::features::{COUNT, View, fill_families};
use crate::score::{Centipawns, DrawScore};

/// The first eight bytes of every file of heads.
pub const MAGIC: [u8; 8] = *b"DRAWHDS\0";
/// The version of the format that this crate reads.
pub const VERSION: u16 = 1;
/// Bytes before the first block.
pub const HEADER_LEN: usize = 64;
/// Where the checksum stands.
pub const CRC_OFFSET: usize = 20;

/// Heads over the bytes of a `.heads` file.
///
/// A file need not hold all heads: what belongs to one that is missing is `None`. Boards are not checked, see
/// [`Board::check`]; on one that no game has, an answer is within its range and means nothing.
#[derive(Clone, Copy, Debug)]
pub struct Heads<'a> {
    bytes: &'a [u8],
    draw: Option<DrawHead<'a>>,
    gain: Option<GainHead<'a>>,
    wdl: Option<WdlHead<'a>>,
}

/// The draw head: D = sigmoid(v - kappa ln(2 cosh(w/2))), Wp = sigmoid(w).
#[derive(Clone, Copy, Debug)]
pub struct DrawHead<'a> {
    score: Sum<'a>,
    win: Option<Sum<'a>>,
    model: DrawModel,
}

impl<'a> Heads<'a> {
    /// Opens heads: checks everything but the checksum.
    ///
    /// # Errors
    ///
    /// Every [`HeadsError`] but `Checksum`, which [`verify`](Self::verify) finds.
    pub const fn from_bytes(bytes: &'a [u8]) -> Result<Heads<'a>, HeadsError> {
        parse::heads(bytes)
    }

    /// Opens heads whose bytes were included at compile time, as in
    /// `static HEADS: Heads<'static> = Heads::embed(include_bytes!("pooled.heads"));`
    ///
    /// # Panics
    ///
    /// If [`from_bytes`](Self::from_bytes) or [`verify`](Self::verify) refuses the bytes. In a `static` or `const` that is an error of
    /// the compiler: stale or damaged heads fail the build.
    #[must_use]
    pub const fn embed(bytes: &'a [u8]) -> Heads<'a> {
        match Heads::from_bytes(bytes) {
            Ok(heads) => match heads.verify() {
                Ok(()) => heads,
                Err(_) => panic!("the included heads are damaged: their checksum does not fit"),
            },
            Err(HeadsError::Version { .. }) => panic!("heads of another format version: make them again"),
            Err(HeadsError::NotHeads) => panic!("the included file is not a file of heads"),
            Err(HeadsError::UnknownFeature { .. }) => panic!("heads that read a feature unknown to this version"),
            Err(_) => panic!("the included heads are damaged: make or copy them again"),
        }
    }

    /// Reads all bytes and compares the checksum.
    ///
    /// # Errors
    ///
    /// [`HeadsError::Checksum`] if any bit differs from what was written.
    pub const fn verify(&self) -> Result<(), HeadsError> {
        let expected = match bytes::u32_at(self.bytes, CRC_OFFSET) {
            Some(crc) => crc,
            None => 0,
        };
        let found = checksum(self.bytes);
        if expected == found { Ok(()) } else { Err(HeadsError::Checksum { expected, found }) }
    }

    /// The draw head.
    #[must_use]
    pub const fn draw(&self) -> Option<&DrawHead<'a>> {
        self.draw.as_ref()
    }

    /// The gain head.
    #[must_use]
    pub const fn gain_head(&self) -> Option<&GainHead<'a>> {
        self.gain.as_ref()
    }

    /// The WDL head.
    #[must_use]
    pub const fn wdl_head(&self) -> Option<&WdlHead<'a>> {
        self.wdl.as_ref()
    }

    /// Rows that the heads were fitted to.
    #[must_use]
    pub const fn rows(&self) -> u64 {
        match (bytes::u32_at(self.bytes, 24), bytes::u32_at(self.bytes, 28)) {
            (Some(low), Some(high)) => low as u64 | (high as u64) << 32,
            _ => 0,
        }
    }

    /// The drawScore v of a position in 1/256 logit, rounded down; it does not depend on whose view is taken.
    #[must_use]
    pub fn draw_score(&self, board: &Board) -> Option<DrawScore> {
        let draw = self.draw()?;
        Some(draw.score(&values(board, [&draw.score; 1])))
    }

    /// By what an evaluation is multiplied in a position, so that a lead counts less where it seldom wins.
    #[must_use]
    pub fn gain(&self, board: &Board) -> Option<Gain> {
        let gain = self.gain_head()?;
        Some(gain.gain(&values(board, [gain.score()]), board.pawns()))
    }

    /// The expected score of a side by the draw head, from the evaluation of that side, which says who would win if somebody did.
    ///
    /// `eval` may have any size; see [`Wilo::from_centipawns`].
    #[must_use]
    pub fn expected(&self, board: &Board, eval: Centipawns) -> Option<ExpectedScore> {
        let draw = self.draw()?;
        Some(draw.model.expected_score(Wilo::from_centipawns(eval), self.draw_score(board)?))
    }

    /// Win, draw and loss of the side to move in permille, by the WDL head, from the evaluation of the side to move.
    ///
    /// Evaluations from 10,000 centipawns on are mates and the like: they win. Beyond the last knot of the head's line an evaluation
    /// counts as that knot.
    #[must_use]
    pub fn wdl(&self, board: &Board, eval: Centipawns) -> Option<WdlPermille> {
        let head = self.wdl_head()?;
        if let Some(certain) = WdlHead::certain(eval) {
            return Some(certain);
        }
        let values = values(board, head.sums());
        Some(match board.turn {
            Color::White => head.wdl(&values, eval),
            Color::Black => {
                let WdlPermille { win, draw, loss } = head.wdl(&values, Centipawns(-eval.0));
                WdlPermille { win: loss, draw, loss: win }
            }
        })
    }
}

impl<'a> DrawHead<'a> {
    /// The drawScore v from the values of all features, in 1/256 logit and rounded down.
    #[must_use]
    #[inline]
    pub fn score(&self, values: &[i16; COUNT]) -> DrawScore {
        DrawScore(self.score.at(values).clamp(i16::MIN.into(), i16::MAX.into()) as i16)
    }

    /// The head's own win/loss score w, White's, for who has no evaluation; none if the file leaves it out.
    #[must_use]
    pub fn win_score(&self, values: &[i16; COUNT]) -> Option<Wilo> {
        self.win.map(|win| Wilo(win.in_2_16(values).clamp(i32::MIN.into(), i32::MAX.into()) as i32))
    }

    /// From win/loss score and drawScore to expected score, win, draw and loss.
    #[must_use]
    #[inline]
    pub const fn model(&self) -> DrawModel {
        self.model
    }

    /// The sum of the drawScore.
    #[must_use]
    pub const fn sum(&self) -> &Sum<'a> {
        &self.score
    }
}

/// The values of the features that sums read; those of other families are 0.
#[must_use]
#[inline]
pub fn values<const N: usize>(board: &Board, sums: [&Sum<'_>; N]) -> [i16; COUNT] {
    let mut values = [0; COUNT];
    let families = sums.iter().fold(0, |families, sum| families | sum.reads);
    fill_families(families, &View::new(board), &mut values);
    values
}

/// The checksum that belongs into the header: CRC-32 of all bytes, with the four at [`CRC_OFFSET`] as 0.
#[must_use]
pub const fn checksum(bytes: &[u8]) -> u32 {
    bytes::checksum(bytes, CRC_OFFSET)
}
