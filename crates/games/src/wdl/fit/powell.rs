//! Powell's method with Brent's line search, as SciPy's `minimize(method="Powell", xtol=1e-6)` goes about it: not a good
//! way to this optimum, but the way of scoreWDL.py, whose published figures can be checked by it.
//!
//! M. J. D. Powell, "An efficient method for finding the minimum of a function of several variables without calculating
//! derivatives", 1964; R. Brent, "Algorithms for Minimization Without Derivatives", 1973. Constants and stopping rules
//! are SciPy's.

/// Relative precision of a line search: 100 times the `xtol` that scoreWDL.py gives.
const LINE_TOLERANCE: f64 = 1e-4;
/// The search ends when a round of all directions gains relatively less, which scoreWDL.py leaves as it is.
const VALUE_TOLERANCE: f64 = 1e-4;
const GOLDEN_GROWTH: f64 = 1.618_034;
const GOLDEN_STEP: f64 = 0.381_966_0;

/// Goes downhill from `start`; the end and its value.
pub(super) fn minimize(function: impl Fn(&[f64]) -> f64, start: &[f64]) -> (Vec<f64>, f64) {
    let n = start.len();
    let unit = |place: usize| (0..n).map(|i| f64::from(u8::from(i == place))).collect::<Vec<_>>();
    let mut directions: Vec<Vec<f64>> = (0..n).map(unit).collect();
    let mut at = start.to_vec();
    let mut value = function(&at);
    let mut round_start = at.clone();
    for _round in 0..100_000 {
        let before = value;
        let (mut largest_gain, mut best) = (0.0, 0);
        for (place, direction) in directions.iter().enumerate() {
            let last = value;
            (at, value) = line_search(&function, &at, direction, value).0;
            if last - value > largest_gain {
                (largest_gain, best) = (last - value, place);
            }
        }
        let limit = VALUE_TOLERANCE * (before.abs() + value.abs()) + 1e-20;
        if 2.0 * (before - value) <= limit || value.is_nan() {
            break;
        }
        // The way of the whole round may become a direction of its own.
        let way: Vec<f64> = at.iter().zip(&round_start).map(|(at, start)| at - start).collect();
        round_start.clone_from(&at);
        let beyond = function(&moved(&at, &way, 1.0));
        if before > beyond {
            let kept = before - value - largest_gain;
            let fallen = before - beyond;
            let turn = 2.0 * (before + beyond - 2.0 * value) * kept * kept - largest_gain * fallen * fallen;
            if turn < 0.0 {
                let step;
                ((at, value), step) = line_search(&function, &at, &way, value);
                if step.iter().any(|part| *part != 0.0) {
                    directions[best] = directions[n - 1].clone();
                    directions[n - 1] = step;
                }
            }
        }
    }
    (at, value)
}

fn moved(at: &[f64], direction: &[f64], by: f64) -> Vec<f64> {
    at.iter().zip(direction).map(|(at, direction)| at + by * direction).collect()
}

/// The lowest place along a line with its value, and the step to it.
fn line_search(
    function: impl Fn(&[f64]) -> f64,
    at: &[f64],
    direction: &[f64],
    value: f64,
) -> ((Vec<f64>, f64), Vec<f64>) {
    if direction.iter().all(|part| *part == 0.0) {
        return ((at.to_vec(), value), direction.to_vec());
    }
    let along = |by: f64| function(&moved(at, direction, by));
    let (by, value) = brent(along);
    let step: Vec<f64> = direction.iter().map(|direction| by * direction).collect();
    ((moved(at, &step, 1.0), value), step)
}

/// Three places of which the middle one is the lowest, found by growing steps from 0 and 1; the lowest place alone where
/// there are none.
fn bracket(function: impl Fn(f64) -> f64) -> Result<[(f64, f64); 3], (f64, f64)> {
    let point = |x: f64| (x, function(x));
    let (mut a, mut b) = (point(0.0), point(1.0));
    if a.1 < b.1 {
        std::mem::swap(&mut a, &mut b);
    }
    let beyond = |b: (f64, f64), c: (f64, f64)| point(c.0 + GOLDEN_GROWTH * (c.0 - b.0));
    let mut c = point(b.0 + GOLDEN_GROWTH * (b.0 - a.0));
    let mut steps = 0;
    while c.1 < b.1 && steps <= 1000 {
        steps += 1;
        let one = (b.0 - a.0) * (b.1 - c.1);
        let other = (b.0 - c.0) * (b.1 - a.1);
        let difference = other - one;
        let denominator = if difference.abs() < 1e-21 { 2e-21 } else { 2.0 * difference };
        let vertex = b.0 - ((b.0 - c.0) * other - (b.0 - a.0) * one) / denominator;
        let limit = b.0 + 110.0 * (c.0 - b.0);
        let next;
        if (vertex - c.0) * (b.0 - vertex) > 0.0 {
            let between = point(vertex);
            if between.1 < c.1 {
                (a, b) = (b, between);
                break;
            }
            if between.1 > b.1 {
                c = between;
                break;
            }
            next = beyond(b, c);
        } else if (vertex - limit) * (limit - c.0) >= 0.0 {
            next = point(limit);
        } else if (vertex - limit) * (c.0 - vertex) > 0.0 {
            let further = point(vertex);
            if further.1 < c.1 {
                (b, c) = (c, further);
                next = beyond(b, c);
            } else {
                next = further;
            }
        } else {
            next = beyond(b, c);
        }
        (a, b, c) = (b, c, next);
    }
    let lowest = (b.1 < c.1 && b.1 <= a.1) || (b.1 < a.1 && b.1 <= c.1);
    let between = (a.0 < b.0 && b.0 < c.0) || (c.0 < b.0 && b.0 < a.0);
    if lowest && between && [a.0, b.0, c.0].iter().all(|x| x.is_finite()) {
        return Ok([a, b, c]);
    }
    let mut best = a;
    for other in [b, c] {
        if other.1 < best.1 {
            best = other;
        }
    }
    Err(best)
}

/// Brent's minimum along a line.
fn brent(function: impl Fn(f64) -> f64) -> (f64, f64) {
    let [first, middle, last] = match bracket(&function) {
        Ok(three) => three,
        Err(best) => return best,
    };
    let (mut least, mut most) = (first.0.min(last.0), first.0.max(last.0));
    // The lowest place, the second, and the one before that.
    let (mut x, mut w, mut v) = (middle, middle, middle);
    let (mut span, mut step) = (0.0_f64, 0.0_f64);
    for _ in 0..500 {
        let small = LINE_TOLERANCE * x.0.abs() + 1e-11;
        let center = 0.5 * (least + most);
        if (x.0 - center).abs() < 2.0 * small - 0.5 * (most - least) {
            break;
        }
        let golden = if x.0 >= center { least - x.0 } else { most - x.0 };
        let mut parabola = None;
        if span.abs() > small {
            let one = (x.0 - w.0) * (x.1 - v.1);
            let other = (x.0 - v.0) * (x.1 - w.1);
            let mut numerator = (x.0 - v.0) * other - (x.0 - w.0) * one;
            let doubled = 2.0 * (other - one);
            if doubled > 0.0 {
                numerator = -numerator;
            }
            let denominator = doubled.abs();
            let before = std::mem::replace(&mut span, step);
            if numerator > denominator * (least - x.0)
                && numerator < denominator * (most - x.0)
                && numerator.abs() < (0.5 * denominator * before).abs()
            {
                let to = x.0 + numerator / denominator;
                let at_the_edge = to - least < 2.0 * small || most - to < 2.0 * small;
                let least_step = if center - x.0 >= 0.0 { small } else { -small };
                parabola = Some(if at_the_edge { least_step } else { numerator / denominator });
            }
        }
        step = parabola.unwrap_or_else(|| {
            span = golden;
            GOLDEN_STEP * golden
        });
        let to = if step.abs() >= small {
            x.0 + step
        } else if step >= 0.0 {
            x.0 + small
        } else {
            x.0 - small
        };
        let next = (to, function(to));
        if next.1 > x.1 {
            *(if to < x.0 { &mut least } else { &mut most }) = to;
            if next.1 <= w.1 || w.0 == x.0 {
                (v, w) = (w, next);
            } else if next.1 <= v.1 || v.0 == x.0 || v.0 == w.0 {
                v = next;
            }
        } else {
            *(if to >= x.0 { &mut least } else { &mut most }) = x.0;
            (v, w, x) = (w, x, next);
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_where_scipy_ends() {
        // SciPy 1.17.1: minimize(f, x0, method="Powell", options={"xtol": 1e-6}).
        let valley = |at: &[f64]| (1.0 - at[0]).powi(2) + 100.0 * (at[1] - at[0] * at[0]).powi(2);
        let bowl = |at: &[f64]| {
            (at[0] - 3.0).powi(2)
                + 2.0 * (at[1] + at[0]).powi(2)
                + (at[2] + 0.3 * at[0] * at[1]).powi(2)
                + (at[3] - at[2]).cosh()
        };
        type Case<'a> = (&'a dyn Fn(&[f64]) -> f64, &'a [f64], &'a [f64], f64);
        let cases: [Case<'_>; 2] = [
            (&valley, &[-1.2, 1.0], VALLEY_END.0, VALLEY_END.1),
            (&bowl, &[10.0, 5.0, -4.0, 2.0], BOWL_END.0, BOWL_END.1),
        ];
        for (function, start, end, value) in cases {
            let (at, found) = minimize(function, start);
            assert!((found - value).abs() < 1e-12 * (1.0 + value), "{found} for {value}");
            for (one, other) in at.iter().zip(end) {
                assert!((one - other).abs() < 1e-6, "{at:?} for {end:?}");
            }
        }
    }

    const VALLEY_END: (&[f64], f64) = (&[1.0000000000000189, 1.0000000000000397], 7.555808357820004e-28);
    const BOWL_END: (&[f64], f64) =
        (&[2.9997645052830513, -2.9997582281678556, 2.6994539315137684, 2.69967253934749], 1.0000000930141524);
}
