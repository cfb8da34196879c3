//! The way of the values: where they stood after each step, their averages, and how far these go by chance alone.

use drawish_stats::normal::Z95;

use super::parameter::Parameter;

/// Of fewer steps in the second half nothing is said of how far the average goes by chance.
const LEAST_STEPS: u64 = 20;

/// The values after every step.
#[derive(Clone, PartialEq, Debug)]
pub struct Path {
    parameters: usize,
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
        Path { parameters: parameters.len(), values, sums: vec![0.0; parameters.len()] }
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
    /// squares of what each step moves it by. `None` with fewer than 20 steps in the second half.
    ///
    /// The means of parts of the path do not tell that: in a random walk they depend on each other, and a value that only wanders
    /// seems to have moved.
    #[must_use]
    pub fn by_chance(&self, parameter: usize, steps: u64) -> Option<f64> {
        let half = steps / 2;
        let length = steps - half;
        let variance = |step: u64| {
            // The share of the second half that a step is part of.
            let share = (steps - step + 1).min(length) as f64 / length as f64;
            ((self.after(step)[parameter] - self.after(step - 1)[parameter]) * share).powi(2)
        };
        (length >= LEAST_STEPS).then(|| Z95 * (1..=steps).map(variance).sum::<f64>().sqrt())
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
