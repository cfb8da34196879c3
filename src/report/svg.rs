//! The few shapes that pictures are made of.

use std::fmt::Write;

/// A picture in the making. Units are pixels at 100 %, the origin is at the top left.
pub(super) struct Svg {
    width: f64,
    height: f64,
    body: String,
}

/// Colours that remain apart for the colour-blind (Okabe and Ito 2008).
pub(super) const BLUE: &str = "#0072b2";
pub(super) const ORANGE: &str = "#d55e00";
pub(super) const GREY: &str = "#888888";

/// Where a text stands relative to its point.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Svg {
    pub fn new(width: f64, height: f64) -> Svg {
        Svg { width, height, body: String::new() }
    }

    pub fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = writeln!(
            self.body,
            r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" class="{class}">{escaped}</text>"#
        );
    }

    /// Text that reads upwards, its middle at the point.
    pub fn upright(&mut self, (x, y): (f64, f64), class: &str, text: &str) {
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = writeln!(
            self.body,
            r#"<text transform="translate({x:.1} {y:.1}) rotate(-90)" text-anchor="middle" class="{class}">{escaped}</text>"#
        );
    }

    /// An element as it is written.
    pub fn shape(&mut self, element: &str) {
        let _ = writeln!(self.body, "{element}");
    }

    pub fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), class: &str) {
        let _ = writeln!(self.body, r#"<line x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}" class="{class}"/>"#);
    }

    pub fn bar(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), fill: &str) {
        let _ = writeln!(
            self.body,
            r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" fill="{fill}"/>"#
        );
    }

    pub fn dot(&mut self, (x, y): (f64, f64), radius: f64, fill: &str) {
        let _ = writeln!(self.body, r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius:.1}" fill="{fill}"/>"#);
    }

    /// The picture as a file: light, or dark where the reader prefers that.
    pub fn finish(self, title: &str) -> String {
        let Svg { width, height, body } = self;
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" role="img" aria-label="{title}">
<style>
svg {{ background: #ffffff; font-family: system-ui, sans-serif; }}
text {{ fill: #222222; font-size: 12px; }}
.title {{ font-size: 15px; font-weight: 600; }}
.small {{ font-size: 11px; fill: #666666; }}
.axis {{ stroke: #999999; stroke-width: 1; }}
.grid {{ stroke: #e6e6e6; stroke-width: 1; }}
.whisker {{ stroke: #222222; stroke-width: 1.4; }}
@media (prefers-color-scheme: dark) {{
svg {{ background: #16181c; }} text {{ fill: #e6e6e6; }} .small {{ fill: #9aa0a6; }}
.axis {{ stroke: #777777; }} .grid {{ stroke: #2c3036; }} .whisker {{ stroke: #e6e6e6; }}
}}
</style>
{body}</svg>
"#
        )
    }
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
    }
}
