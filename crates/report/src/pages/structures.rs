//! Structures as little boards, the most and the least drawish ones; on a page with scripts all of them.

use drawish_core::{Scheme, StructureIndex};

use crate::data::{Cell, ReportData, Structures};
use crate::document::{Block, Figure, Height, Section, Table, choice};
use crate::pictures::svg::{Anchor, Look, Svg};
use drawish_stats::numbers::{counted, grouped, percent, percents};

/// Structures with few games are mostly the prior, so of these the first is asked of the extremes that enough structures have.
const FEWEST: [u64; 5] = [20, 10, 5, 3, 1];
/// So many from either end.
const ENDS: usize = 12;

pub(super) fn structures(data: &ReportData) -> Section {
    let mut section = Section::new("structures", "Structures");
    let options = data
        .structures
        .iter()
        .enumerate()
        .map(|(place, source)| (source.name.clone(), of_source(place, source)))
        .collect();
    section.blocks = choice("structures", "Source", options);
    section
}

fn of_source(place: usize, source: &Structures) -> Vec<Block> {
    let seen = source.cells.iter().filter(|cell| cell.games.is_some_and(|games| games > 0)).count();
    let estimate = source.estimator.map_or("an unknown way", |estimator| estimator.name());
    let mut lead = format!(
        "{}: {}, {} of them drawn; draw probabilities estimated by {estimate}.",
        source.name,
        counted(source.positions, "position"),
        percent(source.base)
    );
    if seen > 0 {
        lead += &format!(" {} of the 4,096 structures on the files b to g were seen.", grouped(seen as u64));
    }
    if let Some(remark) = source.remark {
        lead += &format!(" Beware: {remark}.");
    }
    let fewest = fewest(source);
    let [most, mut least] = ends(source, fewest);
    least.reverse();
    let figure = Figure {
        name: format!("structures-{}", place + 1),
        title: format!("The most and the least drawish structures, {}", source.name),
        caption: format!(
            "Pawns on the files b to g, White's below; where on the file they stand does not matter. Draw probability, its 90 % \
             interval and the games{}, at least {fewest} of them.",
            if source.is_symmetric() { " with mirror images and colour swaps" } else { " of the structure itself" }
        ),
        picture: picture(&most, &least),
        spec: None,
        height: Height::Pixels(0),
    };
    vec![Block::Text(lead), Block::Explorer { source: place, figure, table: table(source) }]
}

/// How many games a structure must have to be among the extremes.
fn fewest(source: &Structures) -> u64 {
    FEWEST.into_iter().find(|&games| source.ranked(games).len() >= 2 * ENDS).unwrap_or(1)
}

/// The most drawish structures above the base rate and the least drawish ones below it, by falling probability.
fn ends(source: &Structures, fewest: u64) -> [Vec<(StructureIndex, Cell)>; 2] {
    let ranked = source.ranked(fewest);
    let ends = ENDS.min(ranked.len() / 2);
    let most = ranked[..ends].iter().filter(|(_, cell)| cell.probability > source.base);
    let least = ranked[ranked.len() - ends..].iter().filter(|(_, cell)| cell.probability < source.base);
    [most.copied().collect(), least.copied().collect()]
}

/// The table of the same, for Markdown.
fn table(source: &Structures) -> Table {
    let mut table = Table::new(2, &["structure", "", "draw probability", "90 % interval", "games"]);
    let [most, least] = ends(source, fewest(source));
    let rows = [("most", &most), ("least", &least)];
    for (which, cells) in rows {
        for (index, cell) in cells {
            table.row([
                Scheme::Bg.describe(*index).to_string(),
                which.to_owned(),
                percent(cell.probability),
                interval(cell),
                cell.games.map_or_else(String::new, grouped),
            ]);
        }
    }
    table
}

fn interval(cell: &Cell) -> String {
    cell.interval.map_or_else(String::new, |(low, high)| percents(low, high))
}

fn picture(most: &[(StructureIndex, Cell)], least: &[(StructureIndex, Cell)]) -> Svg {
    const COLUMNS: usize = 6;
    const STEP: (f64, f64) = (124.0, 146.0);
    let rows = |cells: &[(StructureIndex, Cell)]| cells.len().div_ceil(COLUMNS) as f64;
    let mut svg = Svg::new(COLUMNS as f64 * STEP.0 + 8.0, 70.0 + (rows(most) + rows(least)) * STEP.1);
    let mut top = 20.0;
    for (title, cells) in [("Most drawish", most), ("Least drawish", least)] {
        if cells.is_empty() {
            continue;
        }
        svg.text((8.0, top), Anchor::Start, "title", title);
        for (place, (index, cell)) in cells.iter().enumerate() {
            let x = 8.0 + (place % COLUMNS) as f64 * STEP.0;
            let y = top + 12.0 + (place / COLUMNS) as f64 * STEP.1;
            board(&mut svg, (x, y), *index);
            svg.text((x, y + 86.0), Anchor::Start, "label", &percent(cell.probability));
            let games = cell.games.map_or_else(String::new, |games| format!("n = {}", grouped(games)));
            svg.text((x + 108.0, y + 86.0), Anchor::End, "small", &games);
            svg.text((x, y + 101.0), Anchor::Start, "small", &interval(cell));
            svg.text((x, y + 115.0), Anchor::Start, "small", &format!("cell {}", index.0));
        }
        top += rows(cells) * STEP.1 + 24.0;
    }
    svg
}

/// The files b to g with four ranks: White's pawns on the second, Black's on the third.
fn board(svg: &mut Svg, (x, y): (f64, f64), index: StructureIndex) {
    const SQUARE: f64 = 18.0;
    let structure = Scheme::Bg.describe(index);
    svg.block((x, y), (6.0 * SQUARE, 4.0 * SQUARE), "lightsquare");
    let mut dark = String::new();
    for row in 0..4 {
        for file in (0..6).filter(|file| (row + file) % 2 == 1) {
            let (x, y) = (x + f64::from(file) * SQUARE, y + f64::from(row) * SQUARE);
            dark += &format!("M{x:.0} {y:.0}h{SQUARE}v{SQUARE}h-{SQUARE}z");
        }
    }
    svg.path(&dark, Look::Class("darksquare"));
    for file in 0..6_u8 {
        let at = x + f64::from(file) * SQUARE;
        for (files, row, class) in [(structure.black, 0.5, "bp"), (structure.white, 2.5, "wp")] {
            if files >> (file + 1) & 1 == 1 {
                svg.pawn((at, y + row * SQUARE), SQUARE, class);
            }
        }
    }
}
