//! The few shapes that pictures are made of.

use std::fmt::Write;

use drawish_artefact::provenance::harmless;

use super::palette::{DARK, LIGHT};

/// A picture: shapes in pixels at 100 %, the origin at the top left.
#[derive(Clone, PartialEq, Debug)]
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Svg {
    pub(crate) fn new(width: f64, height: f64) -> Svg {
        Svg { width, height, body: String::new() }
    }

    pub(crate) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, class: &str, text: &str) {
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
    pub(crate) fn upright(&mut self, (x, y): (f64, f64), class: &str, text: &str) {
        let escaped = escape(text);
        let _ = writeln!(
            self.body,
            r#"<text transform="translate({x:.1} {y:.1}) rotate(-90)" text-anchor="middle" class="{class}">{escaped}</text>"#
        );
    }

    pub(crate) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) {
        let _ = writeln!(self.body, r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" class="{class}"/>"#);
    }

    pub(crate) fn bar(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), fill: &str) {
        let _ = writeln!(
            self.body,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" fill="{fill}"/>"#
        );
    }

    /// A rectangle whose look its class says.
    pub(crate) fn block(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), class: &str) {
        let _ = writeln!(
            self.body,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" class="{class}"/>"#
        );
    }

    /// A dot whose look its class says.
    pub(crate) fn spot(&mut self, (x, y): (f64, f64), radius: f64, class: &str) {
        let _ = writeln!(self.body, r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius:.1}" class="{class}"/>"#);
    }

    /// A path; the data are not looked at.
    pub(crate) fn path(&mut self, data: &str, look: Look<'_>) {
        let look = match look {
            Look::Class(class) => format!("class=\"{class}\""),
            Look::Fill(fill) => format!("fill=\"{fill}\" shape-rendering=\"crispEdges\""),
        };
        let _ = writeln!(self.body, r#"<path d="{data}" {look}/>"#);
    }

    /// A pawn within a square whose top left corner and side are these.
    pub(crate) fn pawn(&mut self, (x, y): (f64, f64), side: f64, class: &str) {
        let scale = side / 10.0;
        let _ = writeln!(
            self.body,
            r#"<path class="{class}" transform="translate({x:.1} {y:.1}) scale({scale:.2})" d="{PAWN}"/>"#
        );
    }

    /// A line through points.
    pub(crate) fn curve(&mut self, points: &[(f64, f64)], class: &str) {
        if !points.is_empty() {
            self.path(&format!("M{}", corners(points.iter().copied())), Look::Class(class));
        }
    }

    /// The area between two lines through points.
    pub(crate) fn band(&mut self, below: &[(f64, f64)], above: &[(f64, f64)], class: &str) {
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
    pub(crate) fn inline(&self, title: &str) -> String {
        let Svg { width, height, body } = self;
        let title = escape(title);
        format!(
            "<svg viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" \
             aria-label=\"{title}\">\n{body}</svg>"
        )
    }
}

/// How a path looks.
pub(crate) enum Look<'a> {
    /// As its class says.
    Class(&'a str),
    /// Filled with this colour.
    Fill(&'a str),
}

/// A pawn in a square of 10 by 10.
pub(crate) const PAWN: &str = "M5 1.3a1.75 1.75 0 0 1 1.05 3.15c.1 1.5 1.75 2 1.75 4.05v.5H2.2v-.5c0-2.05 1.65-2.55 1.75-4.05A1.75 1.75 0 0 1 5 1.3Z";

fn corners(points: impl Iterator<Item = (f64, f64)>) -> String {
    points.map(|(x, y)| format!("{x:.1} {y:.1}")).collect::<Vec<_>>().join("L")
}

/// Text as it stands in XML and HTML.
pub(crate) fn escape(text: &str) -> String {
    // Control characters are none of XML.
    harmless(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let mut svg = Svg::new(10.0, 10.0);
        svg.text((0.0, 0.0), Anchor::Start, "small", "a < b & c");
        assert!(svg.finish("t").contains("a &lt; b &amp; c"));
        svg.text((0.0, 0.0), Anchor::Start, "small", "\u{1b}[2J");
        assert!(svg.finish("t").contains("\\u{1b}[2J"));
        assert!(svg.inline("a \"b\"").contains("aria-label=\"a &quot;b&quot;\""));
    }
}
