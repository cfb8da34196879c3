//! Where something changes on a line.

/// Halvings of a bracket: enough to bring any bracket of practice below the rounding of its ends.
const HALVINGS: usize = 60;
const MOST_STEPS: usize = 200;

/// Narrows a bracket by halving it: `holds` is true at the first number and false at the second, in either order of the
/// two, and changes once between them.
///
/// Returns the last number at which it held and the first at which it did not, 2^-60 of the bracket apart. Neither end is
/// asked for: where `holds` is true or false throughout, the answer is at the other end.
///
/// ```
/// let (below, above) = drawish_stats::numeric::bisect(0.0, 2.0, |x| x * x < 2.0);
/// assert!((0.5 * (below + above) - 2f64.sqrt()).abs() < 1e-15);
/// ```
#[must_use]
pub fn bisect(mut inside: f64, mut outside: f64, holds: impl Fn(f64) -> bool) -> (f64, f64) {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (inside + outside);
        *(if holds(middle) { &mut inside } else { &mut outside }) = middle;
    }
    (inside, outside)
}

/// The root of a function that falls from above 0 to below 0 between two numbers above 0, by Newton's method in a
/// bracket that shrinks.
///
/// `function` gives its value and its derivative. The search begins at the right end; where a step would leave the bracket,
/// the bracket is halved on the logarithmic scale instead, so that roots near 0 keep their relative precision. Ends when a
/// step is below four roundings of x.
#[must_use]
pub fn newton_in_bracket(mut left: f64, mut right: f64, function: impl Fn(f64) -> (f64, f64)) -> f64 {
    let mut x = right;
    for _ in 0..MOST_STEPS {
        let (value, slope) = function(x);
        *(if value > 0.0 { &mut left } else { &mut right }) = x;
        let newton = x - value / slope;
        let next = if newton > left && newton < right { newton } else { (left * right).sqrt() };
        let change = (next - x).abs();
        x = next;
        if change <= 4.0 * f64::EPSILON * x {
            break;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_close_from_either_side() {
        let third = |x: f64| x < 1.0 / 3.0;
        for (inside, outside) in [bisect(-5.0, 7.0, third), bisect(7.0, -5.0, |x| !third(x))] {
            assert!((inside - 1.0 / 3.0).abs() < 1e-15 && (outside - 1.0 / 3.0).abs() < 1e-15);
        }
        assert_eq!(bisect(0.0, 1.0, |_| false).0, 0.0);
        assert_eq!(bisect(0.0, 1.0, |_| true).1, 1.0);
    }

    #[test]
    fn small_roots_keep_their_digits() {
        // ln(r / x) falls from above 0 to below 0 and has its root at r.
        for root in [1e-30, 1e-9, 0.3, 0.999] {
            let calls = std::cell::Cell::new(0);
            let found = newton_in_bracket(1e-40, 1.0, |x| {
                calls.set(calls.get() + 1);
                ((root / x).ln(), -1.0 / x)
            });
            assert!((found / root - 1.0).abs() < 1e-14, "{found} {root}");
            assert!(calls.get() < 100, "it ends when it has arrived: {}", calls.get());
        }
    }
}
