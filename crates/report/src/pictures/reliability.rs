//! How far forecasts of win, draw and loss are from what happened, of two models side by side.

use super::palette::{BLUE, GREY, Hue};
use super::plot::{Legend, Plot, Scale, WIDTH, percent, plain};
use super::svg::{Anchor, Svg};
use drawish_games::fit::wdl_head::{ComparedWdl, WdlVerdict};
use drawish_stats::Calibration;
use drawish_stats::numbers::grouped;

/// Deviations beyond this many percentage points run along the edge.
const MOST: f64 = 30.0;
/// The height of the picture.
pub(crate) const HEIGHT: f64 = 372.0;
const PANELS: [&str; 3] = ["win", "draw", "loss"];

/// Three panels, for win, draw and loss of the side to move: forecasts in ten bins of equal mass, and above each how much more often
/// it happened, with 95 % intervals where there are enough events. Stockfish's model in grey, the last model of the comparison in blue.
#[must_use]
pub fn reliability(compared: &ComparedWdl) -> Svg {
    let shown: Vec<(&WdlVerdict, Hue)> = match compared.verdicts.as_slice() {
        [cubic, .., head] => vec![(cubic, GREY), (head, BLUE)],
        rest => rest.iter().map(|verdict| (verdict, GREY)).collect(),
    };
    let mut svg = Svg::new(WIDTH, HEIGHT);
    let is_loose = compared.is_of_positions();
    let title =
        if is_loose { "Win, draw and loss on positions held out" } else { "Win, draw and loss on games held out" };
    svg.text((WIDTH / 2.0, 24.0), Anchor::Middle, "title", title);
    let of = if is_loose {
        "without their games".to_owned()
    } else {
        format!("of {} games", grouped(compared.games as u64))
    };
    let said =
        format!("{} positions {of}; off by the mean distance of forecast and rate", grouped(compared.positions as u64));
    svg.text((WIDTH / 2.0, 42.0), Anchor::Middle, "small", &said);
    Legend::new(shown.iter().map(|(verdict, hue)| (hue.fill, 4.0, verdict.name.as_str())), WIDTH - 72.0)
        .draw(&mut svg, (58.0, 50.0));
    let reach = shown.iter().flat_map(|(verdict, _)| &verdict.calibration).flat_map(|class| &class.bins);
    let reach = reach
        .flat_map(|bin| bin.interval().map_or([bin.rate - bin.forecast; 2], |(low, high)| [low, high]))
        .fold(2.0_f64, |reach, end| reach.max(100.0 * end.abs()))
        .min(MOST);
    for (panel, name) in PANELS.into_iter().enumerate() {
        let plot = Plot {
            place: [58.0 + 232.0 * panel as f64, 120.0, 196.0, 200.0],
            across: Scale::Linear(0.0, 1.0),
            up: Scale::Linear(-reach, reach),
        };
        let up = if panel == 0 { "observed less forecast, percentage points" } else { "" };
        plot.draw(&mut svg, &format!("forecast of {name}"), up, [percent, plain]);
        plot.level(&mut svg, 0.0, "");
        let errors: Vec<String> =
            shown.iter().map(|(verdict, _)| format!("{:.2}", 100.0 * verdict.calibration[panel].ece)).collect();
        plot.title(&mut svg, &format!("{name}, off by {} %", errors.join(" and ")));
        for (verdict, hue) in &shown {
            class(&mut svg, &plot, &verdict.calibration[panel], *hue);
        }
    }
    svg
}

fn class(svg: &mut Svg, plot: &Plot, calibration: &Calibration, hue: Hue) {
    let points = || calibration.bins.iter().map(|bin| (bin.forecast, 100.0 * (bin.rate - bin.forecast)));
    plot.curve(svg, points(), hue.line);
    for (bin, (x, y)) in calibration.bins.iter().zip(points()) {
        if let Some((low, high)) = bin.interval() {
            svg.line(plot.at(x, 100.0 * low), plot.at(x, 100.0 * high), hue.line);
        }
        svg.spot(plot.at(x, y), 3.0, hue.fill);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drawish_games::fit::Gain;
    use drawish_games::sample::Rule;
    use drawish_stats::Bin;

    fn verdict(name: &str, off: f64) -> WdlVerdict {
        let gain = Gain { millibits: 0.0, error: None, half_width: None };
        let bin = |forecast: f64| Bin {
            count: 9,
            forecast,
            rate: forecast + off,
            low: Some(off - 0.01),
            high: Some(off + 0.01),
        };
        let class = Calibration { ece: off.abs(), low: Some(0.0), high: Some(0.1), bins: vec![bin(0.25), bin(0.75)] };
        WdlVerdict {
            name: name.to_owned(),
            weights: 8,
            in_sample: false,
            bits: 1.0,
            bits_by_game: 1.0,
            gain,
            gain_by_game: gain,
            over_last: gain,
            calibration: [class.clone(), class.clone(), class],
        }
    }

    #[test]
    fn both_models_stand_in_every_panel_at_their_distance() {
        let compared = ComparedWdl {
            made_by: String::new(),
            inputs: Vec::new(),
            rules: Vec::new(),
            warnings: Vec::new(),
            positions: 12_345,
            games: 67,
            events: 2,
            folds: 2,
            by_game: false,
            largest_eval: 600,
            verdicts: vec![verdict("Stockfish's model", 0.05), verdict("between", 0.0), verdict("head <1>", -0.02)],
        };
        let picture = reliability(&compared).finish("");
        assert!(picture.contains("12,345 positions of 67 games") && picture.contains("head &lt;1&gt;"), "{picture}");
        assert!(!picture.contains("between"));
        assert_eq!(picture.matches("off by 5.00 and 2.00 %").count(), 3);
        // Two bins of two models in three panels, and two dots of the legend.
        assert_eq!((picture.matches("<circle").count(), picture.matches("NaN").count()), (14, 0));
        // Without intervals the points alone are drawn.
        let mut few = compared.clone();
        let bins =
            few.verdicts.iter_mut().flat_map(|verdict| &mut verdict.calibration).flat_map(|class| &mut class.bins);
        bins.for_each(|bin| (bin.low, bin.high) = (None, None));
        let alone = reliability(&few).finish("");
        assert_ne!(picture, alone);
        assert_eq!((alone.matches("<circle").count(), alone.matches("NaN").count()), (14, 0));
        let loose = ComparedWdl { rules: vec![Rule::of_positions().to_string()], ..compared.clone() };
        let loose = reliability(&loose).finish("");
        assert!(
            loose.contains("12,345 positions without their games") && !loose.contains("on games held out"),
            "{loose}"
        );
        let none = ComparedWdl { verdicts: Vec::new(), ..compared };
        assert_eq!(reliability(&none).finish("").matches("<circle").count(), 0);
    }
}
