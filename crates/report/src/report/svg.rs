//! The few shapes that pictures are made of.

use std::fmt::Write;

/// A picture: shapes in pixels at 100 %, the origin at the top left.
#[derive(Clone, PartialEq, Debug)]
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
}

/// The look of every class, for light paper and for dark. `f1` to `f4` fill, `l1` to `l4` are lines, `b1` and `b2` bands, `p1` dots
/// of a path. The colours remain apart for the colour-blind (Okabe and Ito 2008).
pub(super) const LIGHT: &str = "
.title { font-size: 15px; font-weight: 600; } .small { font-size: 11px; fill: #5c6066; }
.axis { stroke: #8a8f96; stroke-width: 1; } .grid { stroke: #e3e5e8; stroke-width: 1; }
.whisker { stroke: #222222; stroke-width: 1.4; } .mark { stroke: #222222; stroke-width: 1; stroke-dasharray: 4 3; }
.f1 { fill: #0072b2; } .f2 { fill: #d55e00; } .f3 { fill: #009e73; } .f4 { fill: #888888; }
.l1 { stroke: #0072b2; } .l2 { stroke: #d55e00; } .l3 { stroke: #009e73; } .l4 { stroke: #888888; }
.l1, .l2, .l3, .l4 { fill: none; stroke-width: 1.8; }
.b1 { fill: #0072b2; fill-opacity: 0.16; } .b2 { fill: #888888; fill-opacity: 0.22; }
.p1 { stroke: #0072b2; stroke-width: 3.2; stroke-linecap: round; stroke-opacity: 0.45; }
.blank { fill: #e3e5e8; } .lightsquare { fill: #f1e9dc; } .darksquare { fill: #c9b79c; }
.wp { fill: #ffffff; stroke: #1a1a1a; stroke-width: 0.7; } .bp { fill: #1a1a1a; stroke: #f4f4f4; stroke-width: 0.5; }
";

/// What is otherwise on dark paper.
pub(super) const DARK: &str = "
.small { fill: #a3a9b0; } .axis { stroke: #7b8189; } .grid { stroke: #2c3036; }
.whisker, .mark { stroke: #e6e6e6; }
.f1 { fill: #56b4e9; } .f2 { fill: #e69f00; } .f3 { fill: #2fbf95; } .l1 { stroke: #56b4e9; } .l2 { stroke: #e69f00; }
.l3 { stroke: #2fbf95; } .b1 { fill: #56b4e9; } .p1 { stroke: #56b4e9; }
.blank { fill: #2c3036; } .lightsquare { fill: #b3a892; } .darksquare { fill: #7d705c; }
";

/// Where a text stands relative to its point.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Svg {
    pub(super) fn new(width: f64, height: f64) -> Svg {
        Svg { width, height, body: String::new() }
    }

    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let escaped = escape(text);
        let _ = writeln!(
            self.body,
            r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" class="{class}">{escaped}</text>"#
        );
    }

    /// Text that reads upwards, its middle at the point.
    pub(super) fn upright(&mut self, (x, y): (f64, f64), class: &str, text: &str) {
        let escaped = escape(text);
        let _ = writeln!(
            self.body,
            r#"<text transform="translate({x:.1} {y:.1}) rotate(-90)" text-anchor="middle" class="{class}">{escaped}</text>"#
        );
    }

    pub(super) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) {
        let _ = writeln!(self.body, r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" class="{class}"/>"#);
    }

    pub(super) fn bar(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), fill: &str) {
        let _ = writeln!(
            self.body,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" fill="{fill}"/>"#
        );
    }

    /// A rectangle whose look its class says.
    pub(super) fn block(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), class: &str) {
        let _ = writeln!(
            self.body,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" class="{class}"/>"#
        );
    }

    /// A dot whose look its class says.
    pub(super) fn spot(&mut self, (x, y): (f64, f64), radius: f64, class: &str) {
        let _ = writeln!(self.body, r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius:.1}" class="{class}"/>"#);
    }

    /// An element as it is written.
    pub(super) fn shape(&mut self, element: &str) {
        let _ = writeln!(self.body, "{element}");
    }

    /// A path; the data are not looked at.
    pub(super) fn path(&mut self, data: &str, look: Look<'_>) {
        let look = match look {
            Look::Class(class) => format!("class=\"{class}\""),
            Look::Fill(fill) => format!("fill=\"{fill}\" shape-rendering=\"crispEdges\""),
        };
        let _ = writeln!(self.body, r#"<path d="{data}" {look}/>"#);
    }

    /// A pawn within a square whose top left corner and side are these.
    pub(super) fn pawn(&mut self, (x, y): (f64, f64), side: f64, class: &str) {
        let scale = side / 10.0;
        let _ = writeln!(
            self.body,
            r#"<path class="{class}" transform="translate({x:.1} {y:.1}) scale({scale:.2})" d="{PAWN}"/>"#
        );
    }

    /// A line through points.
    pub(super) fn curve(&mut self, points: &[(f64, f64)], class: &str) {
        if !points.is_empty() {
            self.path(&format!("M{}", corners(points.iter().copied())), Look::Class(class));
        }
    }

    /// The area between two lines through points.
    pub(super) fn band(&mut self, below: &[(f64, f64)], above: &[(f64, f64)], class: &str) {
        if !below.is_empty() {
            let around = below.iter().copied().chain(above.iter().rev().copied());
            self.path(&format!("M{}Z", corners(around)), Look::Class(class));
        }
    }

    /// The picture as a file: light, or dark where the reader prefers that.
    #[must_use]
    pub fn finish(&self, title: &str) -> String {
        let Svg { width, height, body } = self;
        let title = escape(title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" role=\"img\" aria-label=\"{title}\">\n<style>\nsvg {{ background: #ffffff; font-family: \
             system-ui, sans-serif; }}\ntext {{ fill: #222222; font-size: 12px; }}{LIGHT}@media (prefers-color-scheme: dark) {{\n\
             svg {{ background: #16181c; }} text {{ fill: #e6e6e6; }}{DARK}}}\n</style>\n{body}</svg>\n"
        )
    }

    /// The picture as a part of a page, which says how its classes look.
    pub(super) fn inline(&self, title: &str) -> String {
        let Svg { width, height, body } = self;
        let title = escape(title);
        format!(
            "<svg viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" \
             aria-label=\"{title}\">\n{body}</svg>"
        )
    }
}

/// How a path looks.
pub(super) enum Look<'a> {
    /// As its class says.
    Class(&'a str),
    /// Filled with this colour.
    Fill(&'a str),
}

/// A pawn in a square of 10 by 10.
pub(super) const PAWN: &str = "M5 1.3a1.75 1.75 0 0 1 1.05 3.15c.1 1.5 1.75 2 1.75 4.05v.5H2.2v-.5c0-2.05 1.65-2.55 1.75-4.05A1.75 1.75 0 0 1 5 1.3Z";

fn corners(points: impl Iterator<Item = (f64, f64)>) -> String {
    points.map(|(x, y)| format!("{x:.1} {y:.1}")).collect::<Vec<_>>().join("L")
}

/// Text as it stands in XML and HTML.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Round numbers from `low` to `high`, about `count` of them.
pub(super) fn ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let rough = (high - low).max(1e-12) / count as f64;
    let power = 10_f64.powf(rough.log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|&step| step >= rough).unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    (first..).map(|number| number as f64 * step).take_while(|&tick| tick <= high + step * 1e-9).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(0.0, 1.0, 5), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(ticks(-30.0, 95.0, 6), [0.0, 50.0]);
        assert_eq!(ticks(0.0, 160.0, 8), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0, 120.0, 140.0, 160.0]);
    }

    #[test]
    fn text_is_escaped() {
        let mut svg = Svg::new(10.0, 10.0);
        svg.text((0.0, 0.0), Anchor::Start, "small", "a < b & c");
        assert!(svg.finish("t").contains("a &lt; b &amp; c"));
        assert!(svg.inline("a \"b\"").contains("aria-label=\"a &quot;b&quot;\""));
    }
}
