//! Panels: rectangles of a picture with axes and coordinates of their own.

use std::fmt::Write;

use super::svg::{Anchor, Svg, ticks};

/// A rectangle with coordinates of its own.
#[derive(Clone, Copy)]
pub(super) struct Panel {
    /// Left, top, width and height in pixels.
    pub(super) place: [f64; 4],
    /// The coordinates at the left and right edges.
    pub(super) across: (f64, f64),
    /// The coordinates at the bottom and top edges.
    pub(super) up: (f64, f64),
}

impl Panel {
    pub(super) fn x(&self, x: f64) -> f64 {
        let [left, _, width, _] = self.place;
        left + width * (x - self.across.0) / (self.across.1 - self.across.0)
    }

    pub(super) fn y(&self, y: f64) -> f64 {
        let [_, top, _, height] = self.place;
        top + height * (1.0 - (y - self.up.0) / (self.up.1 - self.up.0))
    }

    /// Frame, ticks, title and the names of the axes.
    pub(super) fn draw(&self, svg: &mut Svg, title: &str, across: &str, up: &str) {
        let [left, top, width, height] = self.place;
        let bottom = top + height;
        for tick in ticks_between(self.across) {
            let x = self.x(tick);
            svg.line((x, bottom), (x, bottom + 4.0), "axis");
            svg.text((x, bottom + 17.0), Anchor::Middle, "small", &label(tick));
        }
        for tick in ticks_between(self.up) {
            let y = self.y(tick);
            svg.line((left - 4.0, y), (left, y), "axis");
            svg.text((left - 7.0, y + 4.0), Anchor::End, "small", &label(tick));
        }
        for (from, to) in [
            ((left, top), (left + width, top)),
            ((left, bottom), (left + width, bottom)),
            ((left, top), (left, bottom)),
            ((left + width, top), (left + width, bottom)),
        ] {
            svg.line(from, to, "axis");
        }
        svg.text((left + width / 2.0, bottom + 34.0), Anchor::Middle, "label", across);
        svg.upright((left - 48.0, top + height / 2.0), "label", up);
        svg.text((left + width / 2.0, top - 26.0), Anchor::Middle, "label", title);
    }

    /// Pale lines at the ticks, to be drawn before what they shall lie behind.
    pub(super) fn grid(&self, svg: &mut Svg) {
        let [left, top, width, height] = self.place;
        for tick in ticks_between(self.across) {
            svg.line((self.x(tick), top), (self.x(tick), top + height), "grid");
        }
        for tick in ticks_between(self.up) {
            svg.line((left, self.y(tick)), (left + width, self.y(tick)), "grid");
        }
    }

    /// A second scale along the top, in which `unit` of the coordinates is 1.
    pub(super) fn scale_above(&self, svg: &mut Svg, unit: f64, name: &str) {
        let [left, top, width, _] = self.place;
        for tick in ticks_between((self.across.0 / unit, self.across.1 / unit)) {
            let x = self.x(tick * unit);
            svg.line((x, top - 4.0), (x, top), "axis");
            svg.text((x, top - 7.0), Anchor::Middle, "small", &label(tick));
        }
        svg.text((left + width + 12.0, top - 7.0), Anchor::Start, "small", name);
    }

    /// A line through points; it breaks where a point is not a number, and is cut at the frame.
    pub(super) fn curve(&self, svg: &mut Svg, points: &[(f64, f64)], colour: &str, dashes: &str) {
        let mut path = String::new();
        let mut down = false;
        for &(x, y) in points {
            if !(x.is_finite() && y.is_finite()) {
                down = false;
                continue;
            }
            let y = y.clamp(self.up.0.min(self.up.1), self.up.1.max(self.up.0));
            let _ = write!(path, "{}{:.1} {:.1}", if down { "L" } else { "M" }, self.x(x), self.y(y));
            down = true;
        }
        if !path.is_empty() {
            svg.shape(&format!(
                r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"{}/>"#,
                if dashes.is_empty() { String::new() } else { format!(r#" stroke-dasharray="{dashes}""#) }
            ));
        }
    }

    /// The area between two lines.
    pub(super) fn band(&self, svg: &mut Svg, points: &[(f64, f64, f64)], colour: &str) {
        let inside = |y: f64| y.clamp(self.up.0.min(self.up.1), self.up.1.max(self.up.0));
        let known = || points.iter().filter(|(x, low, high)| x.is_finite() && low.is_finite() && high.is_finite());
        let corner = |x: f64, y: f64| format!("{:.1},{:.1}", self.x(x), self.y(inside(y)));
        let above = known().map(|&(x, _, high)| corner(x, high));
        let below = known().rev().map(|&(x, low, _)| corner(x, low));
        let corners: Vec<String> = above.chain(below).collect();
        if !corners.is_empty() {
            svg.shape(&format!(r#"<polygon points="{}" fill="{colour}" fill-opacity="0.2"/>"#, corners.join(" ")));
        }
    }

    /// Points within the frame.
    pub(super) fn dots(&self, svg: &mut Svg, points: impl Iterator<Item = (f64, f64)>, colour: &str, radius: f64) {
        let within = |value: f64, (one, other): (f64, f64)| (one.min(other)..=one.max(other)).contains(&value);
        for (x, y) in points.filter(|(x, y)| within(*x, self.across) && within(*y, self.up)) {
            svg.shape(&format!(
                r#"<circle cx="{:.1}" cy="{:.1}" r="{radius}" fill="{colour}" fill-opacity="0.75"/>"#,
                self.x(x),
                self.y(y)
            ));
        }
    }

    /// A rectangle between two corners in the panel's coordinates.
    pub(super) fn cell(&self, svg: &mut Svg, across: (f64, f64), up: (f64, f64), colour: &str) {
        let (left, right) = (self.x(across.0).min(self.x(across.1)), self.x(across.0).max(self.x(across.1)));
        let (top, bottom) = (self.y(up.0).min(self.y(up.1)), self.y(up.0).max(self.y(up.1)));
        // A hair wider, so that no seams show.
        let (width, height) = (right - left + 0.3, bottom - top + 0.3);
        svg.shape(&format!(
            r#"<rect x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}" fill="{colour}" shape-rendering="crispEdges"/>"#
        ));
    }
}

/// About six round numbers within a span, whichever end is the smaller.
fn ticks_between((one, other): (f64, f64)) -> Vec<f64> {
    let (least, most) = (one.min(other), one.max(other));
    if most - least > 0.0 && (most - least).is_finite() { ticks(least, most, 6) } else { vec![least] }
}

/// A number as short as it can be.
fn label(tick: f64) -> String {
    if tick.abs() >= 1e6 && tick % 1e5 == 0.0 {
        return format!("{}M", tick / 1e6);
    }
    let text = format!("{tick:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks_between((0.0, 1.0)), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(ticks_between((78.0, 17.0)), [20.0, 40.0, 60.0]);
        assert_eq!(ticks_between((5.0, 5.0)), [5.0]);
        assert_eq!([label(0.6000000000000001), label(-0.0), label(2_500_000.0)], ["0.6", "0", "2.5M"]);
    }
}
