//! The way of the values: where they stood after each step, their averages, and how far these go by chance alone.

use drawish_stats::normal::Z95;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::parameter::Parameter;

/// Of fewer steps in the second half nothing is said of how far the average goes by chance.
const LEAST_STEPS: u64 = 20;
/// So many walks within bounds tell the limit of 95 of 100 to about a hundredth of it.
const WALKS: usize = 2000;

/// The values after every step.
#[derive(Clone, PartialEq, Debug)]
pub struct Path {
    parameters: usize,
    /// The least and the greatest value of each.
    bounds: Vec<[f64; 2]>,
    /// Before the first step and after each, one set after the other.
    values: Vec<f64>,
    /// Sums of the values after the steps so far, less the first values: so a value that never moves has itself as its average.
    sums: Vec<f64>,
}

impl Path {
    /// A path that begins at the values of the parameters.
    #[must_use]
    pub fn new(parameters: &[Parameter]) -> Path {
        let values = parameters.iter().map(|parameter| parameter.value).collect();
        let bounds = parameters.iter().map(|parameter| [parameter.min, parameter.max]).collect();
        Path { parameters: parameters.len(), bounds, values, sums: vec![0.0; parameters.len()] }
    }

    /// Steps so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        (self.values.len() / self.parameters) as u64 - 1
    }

    /// The values after so many steps.
    ///
    /// # Panics
    ///
    /// If there were fewer.
    #[must_use]
    pub fn after(&self, steps: u64) -> &[f64] {
        let at = steps as usize * self.parameters;
        &self.values[at..at + self.parameters]
    }

    /// Adds the values after the next step.
    pub fn push(&mut self, values: &[f64]) {
        let last = self.sums.len() - self.parameters;
        for (at, value) in values.iter().enumerate() {
            self.values.push(*value);
            self.sums.push(self.sums[last + at] + (value - self.values[at]));
        }
    }

    /// The mean of a value after the steps of a range, the first of which is not counted; the value itself for none.
    fn mean(&self, parameter: usize, after: u64, to: u64) -> f64 {
        if to <= after {
            return self.after(to)[parameter];
        }
        let sum = |steps: u64| self.sums[steps as usize * self.parameters + parameter];
        self.after(0)[parameter] + (sum(to) - sum(after)) / (to - after) as f64
    }

    /// The average of a value over the second half of the first so many steps (Polyak and Ruppert).
    #[must_use]
    pub fn average(&self, parameter: usize, steps: u64) -> f64 {
        self.mean(parameter, steps / 2, steps)
    }

    /// How far from the first value this average is by chance alone, in 95 of 100 runs, if the value does not matter: then each step goes
    /// either way with the same probability, by the sign that was drawn for it, so that the variance of the average is the sum of the
    /// squares of what each step moves it by. Where such steps reach a bound, which holds them back, the limit is that of 2,000 walks with
    /// signs drawn anew, always the same ones. `None` with fewer than 20 steps in the second half.
    ///
    /// The means of parts of the path do not tell that: in a random walk they depend on each other, and a value that only wanders
    /// seems to have moved.
    #[must_use]
    pub fn by_chance(&self, parameter: usize, steps: u64) -> Option<f64> {
        let half = steps / 2;
        let length = steps - half;
        let moves: Vec<f64> =
            (1..=steps).map(|step| self.after(step)[parameter] - self.after(step - 1)[parameter]).collect();
        // The share of the second half that a step is part of.
        let share = |left: u64| left.min(length) as f64 / length as f64;
        let to_average = moves.iter().rev().zip(1..).map(|(moved, left)| moved * share(left));
        let ([min, max], first) = (self.bounds[parameter], self.after(0)[parameter]);
        let is_free = || limit(moves.iter().copied()) <= (first - min).min(max - first);
        let found = || if is_free() { limit(to_average) } else { self.by_chance_within(parameter, &moves) };
        (length >= LEAST_STEPS).then(found)
    }

    /// The same by walks that end at the bounds.
    fn by_chance_within(&self, parameter: usize, moves: &[f64]) -> f64 {
        let ([min, max], first) = (self.bounds[parameter], self.after(0)[parameter]);
        let half = moves.len() / 2;
        let mut random = ChaCha8Rng::seed_from_u64(0);
        let mut average = || {
            let (mut value, mut sum) = (first, 0.0);
            for (step, moved) in moves.iter().enumerate() {
                value = (value + if random.random() { *moved } else { -moved }).clamp(min, max);
                sum += if step >= half { value - first } else { 0.0 };
            }
            sum.abs() / (moves.len() - half) as f64
        };
        let mut averages: Vec<f64> = (0..WALKS).map(|_| average()).collect();
        averages.sort_unstable_by(f64::total_cmp);
        averages[WALKS * 95 / 100]
    }

    /// Whether every average has moved by less than `share` of its `c_end` during the last quarter of the steps so far.
    #[must_use]
    pub fn is_at_rest(&self, parameters: &[Parameter], share: f64) -> bool {
        let (now, before) = (self.steps(), self.steps() * 3 / 4);
        before > 0
            && parameters.iter().enumerate().all(|(at, parameter)| {
                let moved = self.average(at, now) - self.average(at, before);
                moved.abs() < share * parameter.c_end
            })
    }
}

/// How far a sum of such moves is from 0, if each may as well be the opposite, in 95 of 100 cases.
fn limit(moves: impl Iterator<Item = f64>) -> f64 {
    Z95 * moves.map(|moved| moved.powi(2)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(values: impl IntoIterator<Item = f64>) -> (Vec<Parameter>, Path) {
        let parameters = Parameter::read("a, float, 0, -100, 100, 1, 0.01").expect("a parameter");
        let mut path = Path::new(&parameters);
        values.into_iter().for_each(|value| path.push(&[value]));
        (parameters, path)
    }

    #[test]
    fn averages_are_of_the_second_half() {
        let (_, path) = path([4.0, 4.0, 1.0, 3.0]);
        assert_eq!((path.steps(), path.after(0)[0], path.after(3)[0]), (4, 0.0, 1.0));
        assert_eq!((path.average(0, 4), path.average(0, 2), path.average(0, 0)), (2.0, 4.0, 0.0));
    }

    #[test]
    fn steps_by_chance_move_the_average_by_the_share_that_they_are_part_of() {
        // Steps of 3, of which the first 21 are part of the whole second half, the next of 19 of 20, and so on.
        let (_, path) = path((1..=40).map(|step| if step % 2 == 1 { 3.0 } else { 0.0 }));
        let squares = 20.0 + (1..=20).map(|part| (f64::from(part) / 20.0).powi(2)).sum::<f64>();
        let found = path.by_chance(0, 40).expect("20 steps");
        assert!((found - Z95 * 3.0 * squares.sqrt()).abs() < 1e-9, "{found}");
        assert_eq!(path.by_chance(0, 38), None);
    }

    /// A bound holds a walk back, and averages of half of the way to it are no chance.
    #[test]
    fn steps_within_bounds_go_less_far_by_chance() {
        let limit = |bound: &str| {
            let parameters = Parameter::read(&format!("a, float, 0, -{bound}, {bound}, 1, 0.01")).expect("a parameter");
            let mut path = Path::new(&parameters);
            (1..=400).for_each(|step| path.push(&[if step % 2 == 1 { 3.0 } else { 0.0 }]));
            path.by_chance(0, 400).expect("steps enough")
        };
        let free = limit("10000");
        assert_eq!(limit("120"), free, "out of reach");
        let far = limit("117");
        assert!((far / free - 1.0).abs() < 0.06, "within reach in one run of twenty: {far} and {free}");
        let near = limit("15");
        // Nearly even between the bounds, the average of 200 steps, which depend on each other over some thirty.
        assert!(near > 3.0 && near < 12.0 && near < free / 4.0, "{near} and {free}");
    }

    #[test]
    fn a_value_that_stays_is_its_own_average() {
        let parameters = Parameter::read("a, float, 20.3, -100, 100, 1, 0.01").expect("a parameter");
        let mut path = Path::new(&parameters);
        (0..60).for_each(|_| path.push(&[20.3]));
        assert_eq!((path.average(0, 60), path.by_chance(0, 60)), (20.3, Some(0.0)));
    }

    #[test]
    fn rest_is_measured_in_perturbations() {
        let (parameters, moving) = path((0..40).map(f64::from));
        assert!(!moving.is_at_rest(&parameters, 0.5));
        let (parameters, still) = path([1.0; 40]);
        assert!(still.is_at_rest(&parameters, 0.1));
        assert!(!path([]).1.is_at_rest(&parameters, 0.1));
    }
}
