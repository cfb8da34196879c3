//! Plots: rectangles of a picture with scales along their edges, and what is drawn by those scales. Every picture with axes is
//! made of these.

use super::svg::{Anchor, Look, Svg};
use drawish_stats::numbers;

/// From numbers to places along an axis.
#[derive(Clone, Copy)]
pub(crate) enum Scale {
    /// In proportion, from the first to the second, whichever is the larger.
    Linear(f64, f64),
    /// By ratio, both above 0.
    Ratio(f64, f64),
    /// Rows from the top, each with a name.
    Rows,
}

impl Scale {
    /// The place of a number, 0 to 1; what is beyond an end is at it.
    fn share(self, value: f64) -> f64 {
        let (first, last, value) = match self {
            Scale::Linear(first, last) => (first, last, value),
            Scale::Ratio(low, high) => (low.ln(), high.ln(), value.max(low).ln()),
            Scale::Rows => return 0.0,
        };
        if first == last { 0.5 } else { ((value - first) / (last - first)).clamp(0.0, 1.0) }
    }

    fn holds(self, value: f64) -> bool {
        match self {
            Scale::Linear(one, other) | Scale::Ratio(one, other) => (one.min(other)..=one.max(other)).contains(&value),
            Scale::Rows => true,
        }
    }

    /// About `count` round numbers between the ends, rising.
    fn ticks(self, count: usize) -> Vec<f64> {
        match self {
            Scale::Linear(one, other) if one == other => vec![one],
            Scale::Linear(one, other) => ticks(one.min(other), one.max(other), count),
            Scale::Ratio(low, high) => {
                let powers = (0..20).map(|power| 10_f64.powi(power));
                powers.filter(|tick| (low..=high).contains(tick)).collect()
            }
            Scale::Rows => Vec::new(),
        }
    }
}

/// How the numbers along an axis are written.
type Label = fn(f64) -> String;

/// A rectangle with two scales.
#[derive(Clone, Copy)]
pub(crate) struct Plot {
    /// Left, top, width and height in pixels.
    pub(crate) place: [f64; 4],
    /// Along the lower edge, from the left.
    pub(crate) across: Scale,
    /// Along the left edge, from the bottom.
    pub(crate) up: Scale,
}

impl Plot {
    /// Where a point is; what is outside is at the edge.
    pub(crate) fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let [left, top, width, height] = self.place;
        (left + width * self.across.share(x), top + height * (1.0 - self.up.share(y)))
    }

    /// Grid, numbers and the names of the scales: drawn first, so that the rest lies over it.
    pub(crate) fn draw(&self, svg: &mut Svg, across: &str, up: &str, [of_across, of_up]: [Label; 2]) {
        let [left, top, width, height] = self.place;
        let mut widest: f64 = 0.0;
        for tick in self.up.ticks(5) {
            let (_, y) = self.at(0.0, tick);
            let text = of_up(tick);
            widest = widest.max(width_of(&text, SMALL));
            svg.line((left, y), (left + width, y), "grid");
            svg.text((left - 7.0, y + 4.0), Anchor::End, "small", &text);
        }
        for tick in self.across.ticks((width / 80.0).max(5.0) as usize) {
            let (x, _) = self.at(tick, 0.0);
            if matches!(self.up, Scale::Rows) {
                svg.line((x, top), (x, top + height), "grid");
            }
            svg.line((x, top + height), (x, top + height + 4.0), "axis");
            svg.text((x, top + height + 17.0), Anchor::Middle, "small", &of_across(tick));
        }
        svg.line((left, top + height), (left + width, top + height), "axis");
        svg.text((left + width / 2.0, top + height + 35.0), Anchor::Middle, "small", across);
        if !up.is_empty() {
            svg.upright(((left - 44.0).min(left - widest - 14.0).max(9.0), top + height / 2.0), "small", up);
        }
    }

    /// What the plot shows, above its left corner.
    pub(crate) fn title(&self, svg: &mut Svg, text: &str) {
        let [left, top, ..] = self.place;
        svg.text((left, top - 26.0), Anchor::Start, "label", text);
    }

    /// A second scale along the upper edge, in which `unit` of the lower one is 1; its name stands beside its 0.
    pub(crate) fn scale_above(&self, svg: &mut Svg, unit: f64, name: &str) {
        let [_, top, width, _] = self.place;
        let Scale::Linear(first, last) = self.across else { return };
        for tick in Scale::Linear(first / unit, last / unit).ticks((width / 48.0).max(2.0) as usize) {
            let (x, _) = self.at(tick * unit, 0.0);
            let text = numbers::plain(tick);
            svg.line((x, top - 4.0), (x, top), "axis");
            svg.text((x, top - 8.0), Anchor::Middle, "small", &if tick == 0.0 { format!("0 {name}") } else { text });
        }
    }

    /// A dashed line at a height, with its name.
    pub(crate) fn level(&self, svg: &mut Svg, y: f64, name: &str) {
        let [left, _, width, _] = self.place;
        let (_, y) = self.at(0.0, y);
        svg.line((left, y), (left + width, y), "mark");
        if !name.is_empty() {
            svg.text((left + width - 4.0, y - 4.0), Anchor::End, "small", name);
        }
    }

    /// The same with its name at the left, which a curve that begins between two of them leaves free.
    pub(crate) fn bound(&self, svg: &mut Svg, y: f64, name: &str) {
        self.level(svg, y, "");
        let (_, y) = self.at(0.0, y);
        svg.text((self.place[0] + 4.0, y - 4.0), Anchor::Start, "small", name);
    }

    /// A line through points. What is too high or too low runs along the edge; points beyond the sides are left out.
    pub(crate) fn curve(&self, svg: &mut Svg, points: impl IntoIterator<Item = (f64, f64)>, class: &str) {
        let inside = points.into_iter().filter(|(x, y)| self.across.holds(*x) && y.is_finite());
        svg.curve(&inside.map(|(x, y)| self.at(x, y)).collect::<Vec<_>>(), class);
    }

    /// The area between the second and the third number of each point.
    pub(crate) fn band(&self, svg: &mut Svg, points: impl IntoIterator<Item = (f64, f64, f64)>, class: &str) {
        let is_inside = |(x, low, high): &(f64, f64, f64)| self.across.holds(*x) && low.is_finite() && high.is_finite();
        let (below, above): (Vec<_>, Vec<_>) =
            points.into_iter().filter(is_inside).map(|(x, low, high)| (self.at(x, low), self.at(x, high))).unzip();
        svg.band(&below, &above, class);
    }

    /// Many dots, those inside only. Dots that cannot be told apart are drawn once.
    pub(crate) fn dots(&self, svg: &mut Svg, points: impl IntoIterator<Item = (f64, f64)>, class: &str) {
        let inside = points.into_iter().filter(|(x, y)| self.across.holds(*x) && self.up.holds(*y));
        let mut halves: Vec<(i64, i64)> =
            inside.map(|(x, y)| self.at(x, y)).map(|(x, y)| ((2.0 * x) as i64, (2.0 * y) as i64)).collect();
        halves.sort_unstable();
        halves.dedup();
        let path: String = halves.iter().map(|&(x, y)| format!("M{} {}h0", x as f64 / 2.0, y as f64 / 2.0)).collect();
        if !path.is_empty() {
            svg.path(&path, Look::Class(class));
        }
    }

    /// Adds a rectangle between two corners to the data of a path, a hair wider, so that no seams show between neighbours.
    pub(crate) fn cell(&self, path: &mut String, across: (f64, f64), up: (f64, f64)) {
        let ((x0, y0), (x1, y1)) = (self.at(across.0, up.0), self.at(across.1, up.1));
        let (left, top) = (x0.min(x1), y0.min(y1));
        let (width, height) = ((x0 - x1).abs() + 0.3, (y0 - y1).abs() + 0.3);
        *path += &format!("M{left:.1} {top:.1}h{width:.1}v{height:.1}h-{width:.1}z");
    }
}

/// Plots of named rows under each other, as wide as all pictures.
impl Plot {
    /// A plot for rows with these names, `step` pixels each from `top`, which leaves `right` pixels for figures behind them. The
    /// names have as much room as the longest of them needs, up to two fifths of the picture.
    pub(crate) fn of_rows<'a>(
        names: impl IntoIterator<Item = &'a str>,
        (step, top, right): (f64, f64, f64),
        across: (f64, f64),
    ) -> Plot {
        let widths: Vec<f64> = names.into_iter().map(|name| width_of(name, LABEL)).collect();
        let left = 20.0 + widths.iter().copied().fold(60.0, f64::max).min(0.4 * WIDTH);
        Plot {
            place: [left, top, WIDTH - left - right, step * widths.len() as f64],
            across: Scale::Linear(across.0, across.1),
            up: Scale::Rows,
        }
    }

    /// The name of a row, whose middle is at this height; what is too long for its room is cut.
    pub(crate) fn row_name(&self, svg: &mut Svg, y: f64, name: &str) {
        svg.text((self.place[0] - 10.0, y + 4.0), Anchor::End, "label", &cut(name, self.place[0] - 14.0));
    }

    /// The middle of a row.
    pub(crate) fn row(&self, row: usize, rows: usize) -> f64 {
        let [_, top, _, height] = self.place;
        top + height * (row as f64 + 0.5) / rows as f64
    }
}

/// What the marks of a picture mean, in as many lines as they need.
pub(crate) struct Legend<'a> {
    /// Class, radius, name, place from the left, line.
    entries: Vec<(&'a str, f64, &'a str, f64, usize)>,
}

impl<'a> Legend<'a> {
    /// Entries of class, radius and name, in lines no wider than this.
    pub(crate) fn new(entries: impl IntoIterator<Item = (&'a str, f64, &'a str)>, width: f64) -> Legend<'a> {
        let (mut x, mut line) = (0.0, 0);
        let place = |(class, radius, name)| {
            let needs = 26.0 + width_of(name, SMALL);
            if x > 0.0 && x + needs > width {
                (x, line) = (0.0, line + 1);
            }
            let entry = (class, radius, name, x, line);
            x += needs;
            entry
        };
        Legend { entries: entries.into_iter().map(place).collect() }
    }

    /// Its height in pixels.
    pub(crate) fn height(&self) -> f64 {
        18.0 * self.entries.last().map_or(0, |entry| entry.4 + 1) as f64
    }

    /// Draws it with this left upper corner.
    pub(crate) fn draw(&self, svg: &mut Svg, (left, top): (f64, f64)) {
        for &(class, radius, name, x, line) in &self.entries {
            let y = top + 18.0 * line as f64 + 9.0;
            svg.spot((left + x + 4.0, y), radius, class);
            svg.text((left + x + 13.0, y + 4.0), Anchor::Start, "small", name);
        }
    }
}

/// The width of every picture that fills a column of a page.
pub(crate) const WIDTH: f64 = 744.0;

/// Sizes of letters of the classes `small` and `label`, in pixels.
pub(crate) const SMALL: f64 = 11.0;
const LABEL: f64 = 12.0;

/// About how wide a text is, in the usual sans-serif fonts: rather too wide than too narrow.
pub(crate) fn width_of(text: &str, size: f64) -> f64 {
    let of = |letter: char| match letter {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '|' | '\'' | '!' => 0.3,
        'f' | 'r' | 't' | ' ' | '(' | ')' | '-' | '/' => 0.38,
        'm' | 'w' | 'M' | 'W' | '%' | '+' | '±' | '…' => 0.9,
        'A'..='Z' => 0.68,
        _ => 0.58,
    };
    size * text.chars().map(of).sum::<f64>()
}

/// A text, or as much of it as fits.
fn cut(text: &str, room: f64) -> String {
    if width_of(text, LABEL) <= room {
        return text.to_owned();
    }
    let ends = text.char_indices().map(|(end, _)| &text[..end]);
    let fits = ends.take_while(|part| width_of(part, LABEL) + width_of("…", LABEL) <= room).last();
    format!("{}…", fits.unwrap_or_default().trim_end())
}

/// A number along an axis: as short as it goes, millions as `2.5M`.
pub(crate) fn plain(value: f64) -> String {
    if value.abs() >= 1e6 && value % 1e5 == 0.0 { format!("{}M", value / 1e6) } else { numbers::plain(value) }
}

/// A share along an axis.
pub(crate) fn percent(share: f64) -> String {
    format!("{} %", numbers::plain((share * 1e4).round() / 100.0))
}

/// No numbers along an axis.
pub(crate) fn nothing(_: f64) -> String {
    String::new()
}

/// Round numbers from `low` to `high`, about `count` of them.
fn ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
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
        assert_eq!(Scale::Linear(78.0, 17.0).ticks(6), [20.0, 40.0, 60.0]);
        assert_eq!(Scale::Linear(5.0, 5.0).ticks(6), [5.0]);
        assert_eq!(Scale::Ratio(1.0, 250.0).ticks(6), [1.0, 10.0, 100.0]);
        assert_eq!([plain(0.6000000000000001), plain(-0.0), plain(2_500_000.0)], ["0.6", "0", "2.5M"]);
        assert_eq!([percent(0.5), percent(0.125)], ["50 %", "12.5 %"]);
    }

    #[test]
    fn points_outside_are_at_the_edge_or_left_out() {
        let plot =
            Plot { place: [10.0, 20.0, 100.0, 50.0], across: Scale::Linear(4.0, 0.0), up: Scale::Linear(0.0, 1.0) };
        assert_eq!(plot.at(4.0, 1.0), (10.0, 20.0));
        assert_eq!(plot.at(-1.0, -1.0), (110.0, 70.0));
        let mut svg = Svg::new(120.0, 80.0);
        plot.curve(&mut svg, [(5.0, 0.5), (4.0, 0.5), (2.0, 9.0), (1.0, f64::INFINITY)], "l1");
        plot.dots(&mut svg, [(2.0, 1.5), (2.0, 0.5), (2.0, 0.5)], "p1");
        let drawn = svg.finish("t");
        assert!(drawn.contains(r#"d="M10.0 45.0L60.0 20.0" class="l1""#), "{drawn}");
        assert!(drawn.contains(r#"d="M60 45h0" class="p1""#), "{drawn}");
    }

    #[test]
    fn long_names_are_cut_and_legends_take_more_lines() {
        let long = "a very long name of a model that nobody will ever read to its end, and on it goes";
        assert_eq!(cut("short", 200.0), "short");
        let part = cut(long, 200.0);
        assert!(part.ends_with('…') && part.len() > 20 && width_of(&part, LABEL) <= 200.0, "{part}");
        let two = Legend::new([("f1", 4.0, long), ("f2", 4.0, "short")], 300.0);
        assert_eq!((two.height(), two.entries[1].3), (36.0, 0.0));
    }
}
