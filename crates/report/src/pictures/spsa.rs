//! The picture of tuning: the way of each parameter, step after step.

use super::Svg;
use super::palette::{BLUE, ORANGE};
use super::plot::{Legend, Plot, SMALL, Scale, WIDTH, plain, width_of};
use drawish_match::spsa::{Parameter, Path};

/// The height of the plot of one parameter, with its title and its numbers.
const STEP: f64 = 190.0;
const HEIGHT: f64 = 110.0;
/// Points of a curve at most: more cannot be told apart.
const POINTS: u64 = 1500;

/// The height of the picture of so many parameters.
pub(crate) fn height(parameters: usize) -> f64 {
    40.0 + STEP * parameters as f64
}

/// The values and averages of all parameters by the games played, one plot below the other.
#[must_use]
pub fn paths(parameters: &[Parameter], path: &Path, games_per_step: u64) -> Svg {
    let mut svg = Svg::new(WIDTH, height(parameters.len()));
    let legend = [(BLUE.fill, 4.0, "value"), (ORANGE.fill, 4.0, "average of the second half so far")];
    Legend::new(legend, WIDTH - 20.0).draw(&mut svg, (20.0, 10.0));
    let steps = path.steps();
    let stride = steps.div_ceil(POINTS).max(1);
    let shown = || (0..steps).step_by(stride as usize).chain([steps]);
    let games = |step: u64| (step * games_per_step) as f64;
    for (at, parameter) in parameters.iter().enumerate() {
        let values = || shown().map(|step| path.after(step)[at]);
        let (low, high) =
            values().fold((parameter.value, parameter.value), |(low, high), value| (low.min(value), high.max(value)));
        // Not so near that noise looks like a way.
        let room = (0.1 * (high - low)).max(parameter.c_end);
        let ends = (low - room, high + room);
        let left = 20.0 + 40.0 + width_of(&plain(ends.1.round()), SMALL);
        let plot = Plot {
            place: [left, 75.0 + STEP * at as f64, WIDTH - left - 20.0, HEIGHT],
            across: Scale::Linear(0.0, games(steps.max(1))),
            up: Scale::Linear(ends.0, ends.1),
        };
        plot.draw(&mut svg, "games", "", [plain, plain]);
        plot.title(&mut svg, &parameter.name);
        plot.level(&mut svg, parameter.value, "before");
        plot.curve(&mut svg, shown().zip(values()).map(|(step, value)| (games(step), value)), BLUE.line);
        let averages = shown().map(|step| (games(step), path.average(at, step)));
        plot.curve(&mut svg, averages, ORANGE.line);
    }
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_has_a_plot() {
        let parameters =
            Parameter::read("a, int, 1, 0, 9, 1, 1\nb & c, float, 1, 0, 9, 1, 1\n").expect("two parameters");
        let mut path = Path::new(&parameters);
        assert!(paths(&parameters, &path, 2).finish("t").contains("b &amp; c"));
        (0..4000).for_each(|step| path.push(&[1.0, f64::from(step) / 500.0]));
        let svg = paths(&parameters, &path, 2).finish("t");
        assert_eq!(svg.matches("class=\"l1\"").count(), 2);
        assert!(svg.len() < 200_000 && !svg.contains("NaN"), "{}", svg.len());
    }
}
