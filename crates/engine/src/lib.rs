//! A chess engine that knows how drawish a position is: evaluation with draw scores, search and UCI.
//!
//! | module | from | to |
//! |---|---|---|
//! | [`eval`] | a position | a win/loss score, a drawScore, and the one number that a search compares |
//! | [`search`] | an evaluation and limits | a move with its line; the same one on every machine |
//! | [`uci`] | lines of text | the engine that GUIs and match runners start |
//!
//! # Evaluate a position
//!
//! ```
//! use drawish_engine::eval::{Evaluate, Evaluator, State};
//! use shakmaty::{CastlingMode, Chess, fen::Fen};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Bishops of opposite colours, White is a pawn up.
//! let fen: Fen = "8/3k1p2/4b3/2B5/4KP2/6P1/8/8 w - - 0 48".parse()?;
//! let state = State::new(fen.into_position::<Chess>(CastlingMode::Standard)?);
//!
//! let mut evaluator = Evaluator::default();
//! let score = evaluator.evaluate(&state);
//! assert!(score.win_loss > 0); // centipawns for White
//!
//! let seen = evaluator.centipawns(&state);
//! let chances = evaluator.win_draw_loss(&state, seen);
//! assert_eq!(chances.win + chances.draw + chances.loss, 1000);
//! # Ok(())
//! # }
//! ```
//!
//! # Search 5,000 nodes
//!
//! ```
//! use drawish_engine::eval::Evaluator;
//! use drawish_engine::search::{Game, Limits, Searcher, Value};
//! use shakmaty::{CastlingMode, Chess, fen::Fen};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut searcher = Searcher::new(Evaluator::default(), 16); // a transposition table of 16 MiB
//! let fen: Fen = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1".parse()?;
//! let game = Game::new(fen.into_position::<Chess>(CastlingMode::Standard)?);
//!
//! let result = searcher.search(&game, &Limits::nodes(5_000), &mut |info| {
//!     assert!(info.nodes <= 5_000); // once for each iteration
//! });
//! assert_eq!(result.score, Value::Mate(3));
//! assert_eq!(result.best, result.pv.first().copied());
//! # Ok(())
//! # }
//! ```
//!
//! # Play by heads and a table
//!
//! An [`Arm`](eval::Arm) says what is done with the win/loss score before the search sees it. Two evaluators with different
//! arms are the two sides of an experiment.
//!
//! ```
//! use std::sync::Arc;
//!
//! use drawish_engine::eval::{Arm, Cells, Config, Evaluator, Heads};
//! use drawish_engine::search::{Game, Limits, Searcher};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let heads = Heads::from_toml("pooled", &std::fs::read_to_string("../../tables/pooled.heads.toml")?)?;
//! let by_heads = Config { arm: Arm::DrawHead, heads: Some(Arc::new(heads)), ..Config::default() };
//!
//! let table = Cells::from_bytes("rival", &std::fs::read("../../tables/rival.table")?)?;
//! let by_table = Config { arm: Arm::DrawTable, table: Arc::new(table), ..Config::default() };
//!
//! for config in [by_heads, by_table] {
//!     let mut searcher = Searcher::new(Evaluator::new(&config)?, 16);
//!     let result = searcher.search(&Game::default(), &Limits::nodes(5_000), &mut |_| {});
//!     assert!(result.best.is_some());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Speak UCI
//!
//! ```
//! use drawish_engine::uci;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let orders = "uci\nposition startpos moves e2e4\ngo nodes 5000\n";
//! let mut answers = Vec::new();
//! uci::serve(orders.as_bytes(), &mut answers, "my engine 1.0")?;
//!
//! let answers = String::from_utf8(answers)?;
//! assert!(answers.contains("id name my engine 1.0"));
//! assert!(answers.lines().any(|line| line.starts_with("bestmove ")));
//! # Ok(())
//! # }
//! ```

pub mod eval;
pub mod form;
pub mod search;
pub mod uci;
