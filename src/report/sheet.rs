//! Charts as SVG: a sheet, panels with axes on it, and marks in a panel's own coordinates.

use std::fmt::Write;

/// A picture in the making.
pub(super) struct Sheet {
    width: f64,
    height: f64,
    body: String,
}

/// Where text stands by its point.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Sheet {
    /// An empty white sheet, in pixels.
    pub(super) fn new(width: f64, height: f64, title: &str) -> Sheet {
        let mut sheet = Sheet { width, height, body: String::new() };
        sheet.text(width / 2.0, 26.0, 18.0, Anchor::Middle, title);
        sheet
    }

    pub(super) fn text(&mut self, x: f64, y: f64, size: f64, anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\">{escaped}</text>"
        );
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
        let _ = writeln!(
            self.body,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\"/>",
            from.0, from.1, to.0, to.1
        );
    }

    /// A rectangle in pixels.
    pub(super) fn block(&mut self, x: f64, y: f64, width: f64, height: f64, colour: &str) {
        let _ = writeln!(
            self.body,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\" shape-rendering=\"crispEdges\"/>"
        );
    }

    /// The finished picture.
    pub(super) fn finish(self) -> String {
        let (width, height) = (self.width, self.height);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" fill=\"#222222\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            self.body
        )
    }
}

/// A rectangle of a sheet with coordinates of its own.
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

    /// Frame, ticks, grid, title and the names of the axes.
    pub(super) fn draw(&self, sheet: &mut Sheet, title: &str, across: &str, up: &str) {
        let [left, top, width, height] = self.place;
        let (right, bottom) = (left + width, top + height);
        for tick in ticks(self.across) {
            let x = self.x(tick);
            sheet.line((x, bottom), (x, bottom + 4.0), "#222222", 1.0);
            sheet.text(x, bottom + 17.0, 11.0, Anchor::Middle, &label(tick));
        }
        for tick in ticks(self.up) {
            let y = self.y(tick);
            sheet.line((left - 4.0, y), (left, y), "#222222", 1.0);
            sheet.text(left - 7.0, y + 4.0, 11.0, Anchor::End, &label(tick));
        }
        let _ = writeln!(
            sheet.body,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"none\" stroke=\"#222222\"/>"
        );
        sheet.text(left + width / 2.0, bottom + 34.0, 12.0, Anchor::Middle, across);
        let (x, y) = (left - 48.0, top + height / 2.0);
        let _ = writeln!(
            sheet.body,
            "<text transform=\"translate({x:.1} {y:.1}) rotate(-90)\" font-size=\"12\" text-anchor=\"middle\">{up}</text>"
        );
        sheet.text(left + width / 2.0, top - 26.0, 13.0, Anchor::Middle, title);
        debug_assert!(right > left);
    }

    /// Pale lines at the ticks, to be drawn before what they shall lie behind.
    pub(super) fn grid(&self, sheet: &mut Sheet) {
        let [left, top, width, height] = self.place;
        for tick in ticks(self.across) {
            sheet.line((self.x(tick), top), (self.x(tick), top + height), "#e8e8e8", 1.0);
        }
        for tick in ticks(self.up) {
            sheet.line((left, self.y(tick)), (left + width, self.y(tick)), "#e8e8e8", 1.0);
        }
    }

    /// A second scale along the top, in which `unit` of the coordinates is 1.
    pub(super) fn scale_above(&self, sheet: &mut Sheet, unit: f64, name: &str) {
        let [left, top, width, _] = self.place;
        for tick in ticks((self.across.0 / unit, self.across.1 / unit)) {
            let x = self.x(tick * unit);
            sheet.line((x, top - 4.0), (x, top), "#222222", 1.0);
            sheet.text(x, top - 7.0, 10.0, Anchor::Middle, &label(tick));
        }
        sheet.text(left + width + 4.0, top - 7.0, 10.0, Anchor::Start, name);
    }

    /// A line through points; it breaks where a point is not a number, and is cut at the frame.
    pub(super) fn curve(&self, sheet: &mut Sheet, points: &[(f64, f64)], colour: &str, dashes: &str) {
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
            let _ = writeln!(
                sheet.body,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\"/>"
            );
        }
    }

    /// The area between two lines.
    pub(super) fn band(&self, sheet: &mut Sheet, points: &[(f64, f64, f64)], colour: &str) {
        let inside = |y: f64| y.clamp(self.up.0.min(self.up.1), self.up.1.max(self.up.0));
        let known = || points.iter().filter(|(x, low, high)| x.is_finite() && low.is_finite() && high.is_finite());
        let corner = |x: f64, y: f64| format!("{:.1},{:.1}", self.x(x), self.y(inside(y)));
        let above = known().map(|&(x, _, high)| corner(x, high));
        let below = known().rev().map(|&(x, low, _)| corner(x, low));
        let corners: Vec<String> = above.chain(below).collect();
        if !corners.is_empty() {
            let _ = writeln!(
                sheet.body,
                "<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.2\"/>",
                corners.join(" ")
            );
        }
    }

    /// Points within the frame.
    pub(super) fn dots(&self, sheet: &mut Sheet, points: impl Iterator<Item = (f64, f64)>, colour: &str, radius: f64) {
        let within = |value: f64, (one, other): (f64, f64)| (one.min(other)..=one.max(other)).contains(&value);
        for (x, y) in points.filter(|(x, y)| within(*x, self.across) && within(*y, self.up)) {
            let _ = writeln!(
                sheet.body,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"{colour}\" fill-opacity=\"0.75\"/>",
                self.x(x),
                self.y(y)
            );
        }
    }

    /// A rectangle between two corners in the panel's coordinates.
    pub(super) fn cell(&self, sheet: &mut Sheet, across: (f64, f64), up: (f64, f64), colour: &str) {
        let (left, right) = (self.x(across.0).min(self.x(across.1)), self.x(across.0).max(self.x(across.1)));
        let (top, bottom) = (self.y(up.0).min(self.y(up.1)), self.y(up.0).max(self.y(up.1)));
        // A hair wider, so that no seams show.
        sheet.block(left, top, right - left + 0.3, bottom - top + 0.3, colour);
    }
}

/// Round numbers within a span, about six of them.
fn ticks((one, other): (f64, f64)) -> Vec<f64> {
    let (least, most) = (one.min(other), one.max(other));
    let rough = (most - least) / 6.0;
    if !(rough > 0.0 && rough.is_finite()) {
        return vec![least];
    }
    let power = 10_f64.powf(rough.log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= rough).unwrap_or(rough);
    let first = (least / step).ceil() as i64;
    (first..).map(|place| place as f64 * step).take_while(|tick| *tick <= most + 1e-9 * step).take(50).collect()
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
        assert_eq!(ticks((0.0, 1.0)), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(ticks((78.0, 17.0)), [20.0, 40.0, 60.0]);
        assert_eq!(ticks((5.0, 5.0)), [5.0]);
        assert_eq!([label(0.6000000000000001), label(-0.0), label(2_500_000.0)], ["0.6", "0", "2.5M"]);
    }
}
