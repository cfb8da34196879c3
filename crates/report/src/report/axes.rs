//! A plot with axes on a picture.

use super::svg::{Anchor, Svg, ticks};

/// From numbers to places along an axis.
#[derive(Clone, Copy)]
pub(super) enum Scale {
    /// In proportion, from the first to the second.
    Linear(f64, f64),
    /// By ratio, both above 0.
    Ratio(f64, f64),
    /// No numbers: rows are placed by hand.
    Rows,
}

impl Scale {
    /// The place of a number, 0 to 1; what is beyond an end is at it.
    fn share(self, value: f64) -> f64 {
        let (low, high, value) = match self {
            Scale::Linear(low, high) => (low, high, value),
            Scale::Ratio(low, high) => (low.ln(), high.ln(), value.max(low).ln()),
            Scale::Rows => return 0.0,
        };
        if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.5 }
    }

    fn ticks(self, count: usize) -> Vec<f64> {
        match self {
            Scale::Linear(low, high) => ticks(low, high, count),
            Scale::Ratio(low, high) => {
                let powers = (0..20).map(|power| 10_f64.powi(power));
                powers.filter(|tick| (low..=high).contains(tick)).collect()
            }
            Scale::Rows => Vec::new(),
        }
    }
}

/// A rectangle with two axes.
pub(super) struct Axes {
    /// Left, top, width and height.
    pub(super) place: [f64; 4],
    pub(super) across: Scale,
    pub(super) up: Scale,
}

impl Axes {
    /// Where a point is.
    pub(super) fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let [left, top, width, height] = self.place;
        (left + width * self.across.share(x), top + height * (1.0 - self.up.share(y)))
    }

    /// Grid, numbers and names.
    pub(super) fn draw(&self, svg: &mut Svg, across: &str, up: &str, number: [fn(f64) -> String; 2]) {
        let [left, top, width, height] = self.place;
        for tick in self.up.ticks(5) {
            let (_, y) = self.at(0.0, tick);
            svg.line((left, y), (left + width, y), "grid");
            svg.text((left - 7.0, y + 4.0), Anchor::End, "small", &number[1](tick));
        }
        for tick in self.across.ticks((width / 80.0) as usize) {
            let (x, _) = self.at(tick, 0.0);
            svg.line((x, top + height), (x, top + height + 4.0), "axis");
            svg.text((x, top + height + 17.0), Anchor::Middle, "small", &number[0](tick));
        }
        svg.line((left, top + height), (left + width, top + height), "axis");
        svg.text((left + width / 2.0, top + height + 35.0), Anchor::Middle, "small", across);
        svg.upright((left - 44.0, top + height / 2.0), "small", up);
    }

    /// A dashed line at a height, with its name.
    pub(super) fn level(&self, svg: &mut Svg, y: f64, name: &str) {
        let [left, _, width, _] = self.place;
        let (_, y) = self.at(0.0, y);
        svg.line((left, y), (left + width, y), "mark");
        svg.text((left + width - 4.0, y - 4.0), Anchor::End, "small", name);
    }
}

/// A number as short as it goes.
pub(super) fn plain(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6 + 0.0;
    if rounded >= 1000.0 { super::numbers::grouped(rounded as u64) } else { format!("{rounded}") }
}

/// A share in percent.
pub(super) fn percent(value: f64) -> String {
    format!("{}%", plain((value * 1e4).round() / 100.0))
}
