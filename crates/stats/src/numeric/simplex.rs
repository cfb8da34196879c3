//! Minimising a function of a few numbers without derivatives.

/// A vertex and its value.
type Vertex = (Vec<f64>, f64);

/// Minimises a function of up to about five numbers by the simplex method of Nelder and Mead (1965): from `start`, first
/// with steps of `step`.
///
/// Begun once more from where it ends, until that gains nothing, since a simplex can shrink before it has arrived. The
/// same function gives the same answer. What is not finite counts as infinitely bad.
#[must_use]
pub fn nelder_mead(start: &[f64], step: f64, function: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let value = |at: Vec<f64>| {
        let found = function(&at);
        (at, if found.is_nan() { f64::INFINITY } else { found })
    };
    let mut best = value(start.to_vec());
    // Each round begins with smaller steps; four are always enough for what is fitted here, and cost little.
    for round in 0..8 {
        let found = descend(&best, step / f64::from(1 << round), &value);
        let gain = best.1 - found.1;
        best = found;
        if round > 0 && gain.abs() <= 1e-12 * best.1.abs() {
            break;
        }
    }
    best.0
}

fn descend(start: &Vertex, step: f64, value: &impl Fn(Vec<f64>) -> Vertex) -> Vertex {
    let mut simplex = vec![start.clone()];
    for place in 0..start.0.len() {
        let mut moved = start.0.clone();
        moved[place] += step;
        simplex.push(value(moved));
    }
    for _ in 0..2000 {
        simplex.sort_by(|a, b| a.1.total_cmp(&b.1));
        let last = simplex.len() - 1;
        let (best, worst) = (simplex[0].1, simplex[last].1);
        if worst - best <= 1e-15 * best.abs() {
            break;
        }
        let centre: Vec<f64> =
            (0..last).map(|place| simplex[..last].iter().map(|(at, _)| at[place]).sum::<f64>() / last as f64).collect();
        let along = |share: f64| {
            value(
                centre.iter().zip(&simplex[last].0).map(|(centre, worst)| centre + share * (worst - centre)).collect(),
            )
        };
        let reflected = along(-1.0);
        let taken = if reflected.1 < best {
            let further = along(-2.0);
            Some(if further.1 < reflected.1 { further } else { reflected })
        } else if reflected.1 < simplex[last - 1].1 {
            Some(reflected)
        } else {
            let contracted = along(if reflected.1 < worst { -0.5 } else { 0.5 });
            (contracted.1 < worst.min(reflected.1)).then_some(contracted)
        };
        match taken {
            Some(vertex) => simplex[last] = vertex,
            None => {
                let towards = simplex[0].0.clone();
                for vertex in &mut simplex[1..] {
                    *vertex = value(vertex.0.iter().zip(&towards).map(|(at, best)| (at + best) / 2.0).collect());
                }
            }
        }
    }
    simplex.sort_by(|a, b| a.1.total_cmp(&b.1));
    simplex.swap_remove(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_minima() {
        let bowl = nelder_mead(&[5.0, -3.0, 0.0], 0.5, |at| {
            3.0 + (at[0] - 1.0).powi(2) + 10.0 * (at[1] - at[0]).powi(2) + at[2].powi(4)
        });
        assert!((bowl[0] - 1.0).abs() < 1e-5 && (bowl[1] - 1.0).abs() < 1e-5 && bowl[2].abs() < 1e-2, "{bowl:?}");
        // Rosenbrock's valley from its usual start.
        let valley =
            nelder_mead(&[-1.2, 1.0], 0.5, |at| (1.0 - at[0]).powi(2) + 100.0 * (at[1] - at[0] * at[0]).powi(2));
        assert!((valley[0] - 1.0).abs() < 1e-4 && (valley[1] - 1.0).abs() < 1e-4, "{valley:?}");
        let one = nelder_mead(&[10.0], 0.5, |at| if at[0] < 2.0 { f64::NAN } else { at[0] });
        assert!((one[0] - 2.0).abs() < 1e-9, "{one:?}");
    }

    /// What lies a thousand steps away is reached by steps that grow, in far fewer evaluations than steps of the first size would take.
    #[test]
    fn steps_grow_on_the_way() {
        let evaluated = std::cell::Cell::new(0);
        let found = nelder_mead(&[0.0, 0.0], 0.5, |at| {
            evaluated.set(evaluated.get() + 1);
            (at[0] - 1000.0).powi(2) + (at[1] + 500.0).powi(2)
        });
        assert!((found[0] - 1000.0).abs() < 1e-3 && (found[1] + 500.0).abs() < 1e-3, "{found:?}");
        assert!(evaluated.get() < 1000, "{}", evaluated.get());
    }

    /// Where the function has no value but next to the start, all vertices come half the way to it until they are there.
    #[test]
    fn a_simplex_that_leads_nowhere_shrinks_to_its_best() {
        let found = nelder_mead(&[1.0, 1.0], 0.5, |at| {
            let (x, y) = (at[0] - 1.0, at[1] - 1.0);
            if x.hypot(y) < 1e-3 { (x - 4e-4).powi(2) + (y + 3e-4).powi(2) } else { f64::NAN }
        });
        assert!((found[0] - 1.0004).abs() < 1e-6 && (found[1] - 0.9997).abs() < 1e-6, "{found:?}");
    }

    /// The first points by the rules of Nelder and Mead for one number: the other vertex, its reflection, and then, where the
    /// reflection is better than the worst but not than the best, the middle of centre and reflection, where it is worse than the
    /// worst that of centre and worst, and where it is the best the point twice as far away.
    #[test]
    fn reflection_expansion_and_contraction_by_hand() {
        for (minimum, points) in [
            (0.6, [0.0, 0.5, 1.0, 0.75]),
            (0.3, [0.0, 0.5, 1.0, 0.25]),
            (5.0, [0.0, 0.5, 1.0, 1.5]),
            (0.1, [0.0, 0.5, -0.5, 0.25]),
        ] {
            let evaluated = std::cell::RefCell::new(Vec::new());
            let found = nelder_mead(&[0.0], 0.5, |at| {
                evaluated.borrow_mut().push(at[0]);
                (at[0] - minimum).powi(2)
            });
            assert!((found[0] - minimum).abs() < 1e-7, "{found:?}");
            assert_eq!(evaluated.borrow()[..4], points, "{minimum}");
        }
    }
}
