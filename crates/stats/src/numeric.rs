//! Numerics that statistics of chess stand on, each of them once: logistic functions, roots, linear systems, minima, and
//! sums on several threads.
//!
//! | to | there is |
//! |---|---|
//! | turn logits into probabilities and back | [`sigmoid`], [`logit`], [`softplus`], [`neg_ln_sigmoid`] |
//! | find where something changes on a line | [`bisect`], [`newton_in_bracket`] |
//! | solve a symmetric system | [`Symmetric`], [`Cholesky`] |
//! | minimise with second derivatives | [`newton`], [`newton_by_value`] |
//! | minimise with first derivatives, thousands of unknowns | [`lbfgs`] |
//! | minimise a few unknowns without derivatives | [`nelder_mead`] |
//! | work on parts of a slice and take the results in order | [`in_order`] |
//!
//! All of it is deterministic: equal input gives equal bits, on any number of threads.
//!
//! ```
//! use drawish_stats::numeric::{Derivatives, Symmetric, newton, sigmoid, softplus};
//!
//! // The logit of a coin that fell on heads 30 times in 40.
//! let coin = |at: &[f64]| {
//!     let p = sigmoid(at[0]);
//!     let mut hessian = Symmetric::zero(1);
//!     hessian.add_to_diagonal(0, 40.0 * p * (1.0 - p));
//!     Derivatives { value: 40.0 * softplus(at[0]) - 30.0 * at[0], gradient: vec![40.0 * p - 30.0], hessian }
//! };
//! let found = newton(vec![0.0], 1e-12, coin);
//! assert!(found.converged && (sigmoid(found.at[0]) - 0.75).abs() < 1e-6);
//! ```

mod in_order;
mod lbfgs;
mod linear;
mod logistic;
mod newton;
mod root;
mod simplex;

pub use in_order::in_order;
pub use lbfgs::{LBFGS_PRECISION, lbfgs};
pub use linear::{Cholesky, Symmetric};
pub use logistic::{logit, neg_ln_sigmoid, sigmoid, softplus};
pub use newton::{Derivatives, Minimum, newton, newton_by_value};
pub use root::{bisect, newton_in_bracket};
pub use simplex::nelder_mead;

/// The inner product; of the longer slice only the beginning counts.
#[must_use]
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
