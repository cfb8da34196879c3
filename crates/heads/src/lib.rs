//! Features of chess positions and the heads fitted to them: what fitting and playing share.
//!
//! A [feature](features) is a small whole number read off the board: the number of blocked pawns, say, or whether this is a
//! rook ending. A [head](heads) is a sum of weighted features that says how drawish a position is (the draw head) or how
//! much a lead is worth in it (the gain head). `drawish tune` fits heads to games and writes them to a `.heads.toml` file.
//!
//! # The features of a position
//!
//! ```
//! use drawish_heads::features;
//! use shakmaty::fen::Fen;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let fen: Fen = "5b2/5k2/8/3p4/3P4/8/4KP2/5B2 w - - 0 1".parse()?;
//! let mut values = [0; features::COUNT];
//! features::fill(&features::view_of_setup(fen.as_setup()), &mut values);
//!
//! let value = |name| features::place(name).map(|place| values[place]);
//! assert_eq!(value("opposite_bishops"), Some(1));
//! assert_eq!(value("rams"), Some(1)); // d4 against d5
//! assert_eq!(value("pawn_diff"), Some(1));
//! # Ok(())
//! # }
//! ```
//!
//! # How drawish is it?
//!
//! The draw head gives the drawScore v in logits. With a win/loss score w (logits, 0 for a level position) and the head's
//! kappa, the probability of a draw is 1 / (1 + e^-u), u = v - kappa ln(2 cosh(w/2)).
//!
//! ```
//! use drawish_heads::features;
//! use drawish_heads::heads::HeadsFile;
//! use shakmaty::fen::Fen;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let file = HeadsFile::from_toml(&std::fs::read_to_string("../../tables/pooled.heads.toml")?)?;
//! let draw_probability = |fen: &str| -> Result<f64, Box<dyn std::error::Error>> {
//!     let mut values = [0; features::COUNT];
//!     features::fill(&features::view_of_setup(fen.parse::<Fen>()?.as_setup()), &mut values);
//!     let v = file.draw.score_of(&values)?;
//!     let level = file.draw.kappa.unwrap_or(0.0) * 2_f64.ln();
//!     Ok(1.0 / (1.0 + (level - v).exp()))
//! };
//! let opposite_bishops = draw_probability("5b2/5k2/8/3p4/3P4/8/4KP2/5B2 w - - 0 1")?;
//! let queens = draw_probability("r2q1rk1/pp2bppp/2n1b3/3p4/8/1P2PN2/PB2BPPP/R2Q1RK1 w - - 0 12")?;
//! assert!(opposite_bishops > queens);
//! # Ok(())
//! # }
//! ```
//!
//! To play by heads, see the crate `drawish-engine`; to fit them, `drawish-games`.

mod boards;
pub mod heads;
pub mod normalisation;

/// The features of [`drawish_core::features`], which defines them, and how they see the boards of shakmaty.
pub mod features {
    pub use drawish_core::features::*;

    pub use crate::boards::{NoFen, board, pawns, setup_of_fen, view, view_of_setup};
}
