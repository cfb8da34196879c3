//! The broken line that bends the evaluation, as the fit has it.
//!
//! Between two knots on the losing side it rises by n per pawn, on the winning side by n + r, both above 0. Its value at 0 is -c,
//! with c half of all that the r add up to, so that P(x) + P(-x) rises to 0 at the last knot and is below 0 before.

/// Where the line bends, in centipawns, beside 0 and the mirror images.
pub(super) const KNOTS: [i32; 10] = [3, 10, 25, 50, 100, 160, 250, 400, 600, 1000];
/// How many pieces it has on each side.
const PIECES: usize = KNOTS.len();
/// Its unknowns: ln n and ln r of each piece.
pub(super) const UNKNOWNS: usize = 2 * PIECES;
/// Evaluations are cut off here, in centipawns.
pub(super) const LAST: i32 = KNOTS[PIECES - 1];
/// Values that a table of the line has: one for each centipawn.
const TABLE: usize = 2 * LAST as usize + 1;

/// ln r where nothing is known: a twentieth of the usual slope.
const RARE: f64 = -3.0;
/// ln r where a fit begins. From a large r the way down is short; from a small one, whose slope is small, it is long.
const FIRST: f64 = -0.5;
/// Precision of the priors: of the difference of neighbouring ln n, of ln n itself, and of ln r where it is usual.
const SMOOTH: f64 = 4.0;
const LOOSE: f64 = 1.0;
const BESIDE: f64 = 0.3;
/// What ln r is beyond what is usual, at most: of more the exponential is no number.
const LARGEST: f64 = 50.0;

/// The unknowns where a fit begins.
pub(super) fn start() -> Vec<f64> {
    let mut unknowns = vec![0.0; PIECES];
    unknowns.resize(UNKNOWNS, FIRST);
    unknowns
}

/// The place of an evaluation in a table of the line.
pub(super) fn place(eval: i32) -> usize {
    (eval.clamp(-LAST, LAST) + LAST) as usize
}

/// What part of each piece lies between 0 and an evaluation of this size, in pawns.
fn parts(size: i32) -> [f64; PIECES] {
    let mut before = 0;
    KNOTS.map(|knot| {
        let part = (size.min(knot) - before).max(0);
        before = knot;
        f64::from(part) / 100.0
    })
}

/// The unknowns that are usual where nothing is known: their prior means.
pub(super) fn usual() -> Vec<f64> {
    let mut unknowns = vec![0.0; PIECES];
    unknowns.resize(UNKNOWNS, RARE);
    unknowns
}

/// The unknowns of a line that is given by its values in centipawns: their prior means for a line near it.
pub(super) fn of(line: impl Fn(i32) -> f64) -> Vec<f64> {
    let slope = |from: i32, to: i32| (line(to) - line(from)) / (f64::from(to - from) / 100.0);
    let ends = |piece: usize| (piece.checked_sub(1).map_or(0, |before| KNOTS[before]), KNOTS[piece]);
    let losing = (0..PIECES).map(ends).map(|(from, to)| slope(-to, -from));
    let beside = (0..PIECES).map(ends).map(|(from, to)| slope(from, to) - slope(-to, -from));
    losing.map(|n| n.max(0.01).ln()).chain(beside.map(|r| r.max(0.01).ln())).collect()
}

/// n and r of each piece.
fn slopes(unknowns: &[f64]) -> ([f64; PIECES], [f64; PIECES]) {
    let of = |first: usize| std::array::from_fn(|piece| unknowns[first + piece].clamp(-12.0, 6.0).exp());
    (of(0), of(PIECES))
}

/// The line at every centipawn.
pub(super) fn table(unknowns: &[f64]) -> Vec<f64> {
    let (n, r) = slopes(unknowns);
    let sum = |slopes: &[f64; PIECES], parts: &[f64; PIECES]| slopes.iter().zip(parts).map(|(a, b)| a * b).sum::<f64>();
    let depth = sum(&r, &parts(LAST)) / 2.0;
    (0..TABLE)
        .map(|place| {
            let eval = place as i32 - LAST;
            let parts = parts(eval.abs());
            if eval < 0 { -depth - sum(&n, &parts) } else { sum(&n, &parts) + sum(&r, &parts) - depth }
        })
        .collect()
}

/// The derivatives of the line at every centipawn by the unknowns.
pub(super) fn derivatives(unknowns: &[f64]) -> Vec<[f64; UNKNOWNS]> {
    let (n, r) = slopes(unknowns);
    let whole = parts(LAST);
    (0..TABLE)
        .map(|place| {
            let eval = place as i32 - LAST;
            let parts = parts(eval.abs());
            std::array::from_fn(|unknown| {
                let piece = unknown % PIECES;
                match (unknown < PIECES, eval < 0) {
                    (true, true) => -n[piece] * parts[piece],
                    (true, false) => n[piece] * parts[piece],
                    (false, true) => -r[piece] * whole[piece] / 2.0,
                    (false, false) => r[piece] * (parts[piece] - whole[piece] / 2.0),
                }
            })
        })
        .collect()
}

/// The knots on both sides, with the line there.
pub(super) fn knots(unknowns: &[f64]) -> (Vec<i16>, Vec<f64>) {
    let table = table(unknowns);
    let all = KNOTS.iter().rev().map(|knot| -knot).chain([0]).chain(KNOTS);
    all.map(|knot| (knot as i16, table[place(knot)])).unzip()
}

/// What the priors around some unknowns add: the penalty, its gradient, and the pairs of unknowns with their precision.
pub(super) fn prior(unknowns: &[f64], means: &[f64]) -> (f64, Vec<f64>, Vec<(usize, usize, f64)>) {
    let (mut penalty, mut gradient, mut precision) = (0.0, vec![0.0; UNKNOWNS], Vec::new());
    let mut add = |weights: &[(usize, f64)], strength: f64| {
        let off = weights.iter().map(|&(place, weight)| weight * (unknowns[place] - means[place])).sum::<f64>();
        penalty += strength * off * off / 2.0;
        for &(one, by_one) in weights {
            gradient[one] += strength * off * by_one;
            precision.extend(weights.iter().map(|&(other, by_other)| (one, other, strength * by_one * by_other)));
        }
    };
    for piece in 0..PIECES {
        add(&[(piece, 1.0)], LOOSE);
        if piece > 0 {
            add(&[(piece, 1.0), (piece - 1, -1.0)], SMOOTH);
        }
    }
    // By r itself this is convex, as the loss nearly is. A square of ln r is not, and held one large r or none, whichever came first.
    for place in PIECES..UNKNOWNS {
        let off = (unknowns[place] - means[place]).min(LARGEST);
        penalty += BESIDE * (off.exp() - 1.0 - off);
        gradient[place] += BESIDE * (off.exp() - 1.0);
        precision.push((place, place, BESIDE * steepness(off)));
    }
    (penalty, gradient, precision)
}

/// The curvature that the fit takes e^x - 1 - x for: its own above 0. Below, where that falls towards 0 and full steps would go
/// beyond all numbers, as much as leads to the minimum.
fn steepness(x: f64) -> f64 {
    if x < -1e-6 { x.exp_m1() / x } else { x.exp() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Vec<f64> {
        (0..UNKNOWNS).map(|place| (place as f64 * 0.7).sin() - if place < PIECES { 0.0 } else { 1.0 }).collect()
    }

    #[test]
    fn it_rises_and_leaves_room_for_draws() {
        let table = table(&some());
        assert!(table.is_sorted_by(|one, next| one < next));
        assert!(table.iter().zip(table.iter().rev()).all(|(one, other)| one + other <= 1e-12));
        assert!((table[0] + table[TABLE - 1]).abs() < 1e-12);
        let (knots, line) = knots(&some());
        assert_eq!((knots.len(), knots[PIECES], line[0]), (2 * PIECES + 1, 0, table[0]));
    }

    #[test]
    fn the_unknowns_of_a_line_are_those_that_made_it() {
        let table = table(&some());
        let back = of(|eval| table[place(eval)]);
        assert!(back.iter().zip(some()).all(|(back, own)| (back - own).abs() < 1e-9), "{back:?}");
    }

    /// Fits of the same games in another order ended elsewhere when it was not.
    #[test]
    fn the_prior_is_convex_in_what_stands_beside() {
        let at = |r: f64| {
            let mut unknowns = usual();
            unknowns[PIECES + 3] = r.ln();
            prior(&unknowns, &usual()).0
        };
        let step = 0.01;
        for r in (1..500).map(|r| 0.02 * f64::from(r)) {
            assert!(at(r - step) + at(r + step) > 2.0 * at(r), "{r}");
        }
        assert!(at(RARE.exp()) == 0.0 && prior(&[99.0; UNKNOWNS], &usual()).0.is_finite());
    }

    #[test]
    fn derivatives_are_those_of_the_line_and_of_the_prior() {
        let at = some();
        let (derivatives, (_, slopes, precision)) = (derivatives(&at), prior(&at, &usual()));
        let mut curvature = vec![vec![0.0; UNKNOWNS]; UNKNOWNS];
        precision.into_iter().for_each(|(one, other, value)| curvature[one][other] += value);
        for unknown in 0..UNKNOWNS {
            let moved = |by: f64| {
                let mut moved = at.clone();
                moved[unknown] += by;
                moved
            };
            let (low, high) = (moved(-1e-6), moved(1e-6));
            for (place, (low, high)) in table(&low).into_iter().zip(table(&high)).enumerate().step_by(37) {
                assert!(((high - low) / 2e-6 - derivatives[place][unknown]).abs() < 1e-6);
            }
            assert!(((prior(&high, &usual()).0 - prior(&low, &usual()).0) / 2e-6 - slopes[unknown]).abs() < 1e-5);
            for (other, row) in curvature.iter().enumerate() {
                assert!(
                    ((prior(&high, &usual()).1[other] - prior(&low, &usual()).1[other]) / 2e-6 - row[unknown]).abs()
                        < 1e-5
                );
            }
        }
    }
}
