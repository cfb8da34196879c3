//! The colours of all pictures: one set for light paper, one for dark, and one scale for maps.

/// A colour as the classes that lines, dots, bands and clouds of dots have.
#[derive(Clone, Copy)]
pub(crate) struct Hue {
    /// A line.
    pub(crate) line: &'static str,
    /// A dot or a bar.
    pub(crate) fill: &'static str,
    /// A band, which lets the grid through.
    pub(crate) band: &'static str,
    /// A path of dots.
    pub(crate) dots: &'static str,
}

pub(crate) const BLUE: Hue = Hue { line: "l1", fill: "f1", band: "b1", dots: "p1" };
pub(crate) const ORANGE: Hue = Hue { line: "l2", fill: "f2", band: "b2", dots: "p2" };
pub(crate) const GREEN: Hue = Hue { line: "l3", fill: "f3", band: "b3", dots: "p3" };
pub(crate) const GREY: Hue = Hue { line: "l4", fill: "f4", band: "b4", dots: "p4" };

/// Colours for things that have none of their own, one after another.
pub(crate) const IN_TURN: [Hue; 4] = [BLUE, ORANGE, GREEN, GREY];

/// The results of a side, in the order in which rates of them stand.
pub(crate) const RESULTS: [(&str, Hue); 3] = [("win", BLUE), ("draw", GREEN), ("loss", ORANGE)];

/// The look of every class on light paper. The hues remain apart for the colour-blind (Okabe and Ito 2008).
pub(crate) const LIGHT: &str = "
.title { font-size: 15px; font-weight: 600; } .small { font-size: 11px; fill: #5c6066; }
.axis { stroke: #8a8f96; stroke-width: 1; } .grid { stroke: #e3e5e8; stroke-width: 1; }
.whisker { stroke: #222222; stroke-width: 1.4; } .mark { stroke: #222222; stroke-width: 1; stroke-dasharray: 4 3; }
.f1 { fill: #0072b2; } .f2 { fill: #d55e00; } .f3 { fill: #009e73; } .f4 { fill: #888888; }
.l1 { stroke: #0072b2; } .l2 { stroke: #d55e00; } .l3 { stroke: #009e73; } .l4 { stroke: #888888; }
.l1, .l2, .l3, .l4 { fill: none; stroke-width: 1.8; } .dashed { stroke-dasharray: 6 4; }
.b1 { fill: #0072b2; fill-opacity: 0.16; } .b2 { fill: #d55e00; fill-opacity: 0.16; }
.b3 { fill: #009e73; fill-opacity: 0.16; } .b4 { fill: #888888; fill-opacity: 0.22; }
.p1 { stroke: #0072b2; } .p2 { stroke: #d55e00; } .p3 { stroke: #009e73; } .p4 { stroke: #888888; }
.p1, .p2, .p3, .p4 { fill: none; stroke-width: 3.2; stroke-linecap: round; stroke-opacity: 0.45; }
.blank { fill: #e3e5e8; } .lightsquare { fill: #f1e9dc; } .darksquare { fill: #c9b79c; }
.wp { fill: #ffffff; stroke: #1a1a1a; stroke-width: 0.7; } .bp { fill: #1a1a1a; stroke: #f4f4f4; stroke-width: 0.5; }
";

/// What is otherwise on dark paper.
pub(crate) const DARK: &str = "
.small { fill: #a3a9b0; } .axis { stroke: #7b8189; } .grid { stroke: #2c3036; }
.whisker, .mark { stroke: #e6e6e6; }
.f1 { fill: #56b4e9; } .f2 { fill: #e69f00; } .f3 { fill: #2fbf95; }
.l1, .p1 { stroke: #56b4e9; } .l2, .p2 { stroke: #e69f00; } .l3, .p3 { stroke: #2fbf95; }
.b1 { fill: #56b4e9; } .b2 { fill: #e69f00; } .b3 { fill: #2fbf95; }
.blank { fill: #2c3036; } .lightsquare { fill: #b3a892; } .darksquare { fill: #7d705c; }
";

/// Viridis at twelve even steps: dark for little, light for much, in this order on grey paper too.
pub(crate) const VIRIDIS: [&str; 12] = [
    "#440154", "#482173", "#433e85", "#38598c", "#2d708e", "#25858e", "#1e9b8a", "#2ab07f", "#52c569", "#86d549",
    "#c2df23", "#fde725",
];

/// The colour of a share of the way through [`VIRIDIS`], 0 to 1.
pub(crate) fn viridis(share: f64) -> &'static str {
    let last = VIRIDIS.len() - 1;
    VIRIDIS[((share.clamp(0.0, 1.0) * last as f64).round() as usize).min(last)]
}
