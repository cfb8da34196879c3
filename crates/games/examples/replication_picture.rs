//! Draws the picture at the top of the README: draw rates of groups of structures in this project's own counts,
//! beside those that the article of 2013 gives.
//!
//! ```text
//! cargo run -p drawish-games --example replication_picture -- tables/human.counts tables/tcec.counts tables/rival.counts > docs/replication.svg
//! ```

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for the command line")]

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use drawish_games::counts::CountsFile;
use drawish_games::smooth::groups;

/// What the article says of its groups, in the order of [`groups`]; `~` where it says "about".
const ARTICLE: [(&str, &str, f64); 4] = [
    ("all structures", "36 %", 0.36),
    ("no pawns on files b to g", "62 %", 0.62),
    ("same files for both sides", "~45 %", 0.45),
    ("cell 3963, the open Sicilian", "37 %", 0.37),
];

/// A line each, by the number of the file; told apart without colours by their marks.
const COLORS: [&str; 3] = ["#0072b2", "#d55e00", "#009e73"];

const WIDTH: f64 = 860.0;
const LEFT: f64 = 230.0;
const RIGHT: f64 = 820.0;
const TOP: f64 = 78.0;
const ROW: f64 = 92.0;
const LOWEST: f64 = 0.3;
const HIGHEST: f64 = 0.9;

fn main() -> ExitCode {
    let paths: Vec<_> = std::env::args().skip(1).collect();
    if paths.is_empty() || paths.len() > COLORS.len() {
        eprintln!("usage: replication_picture COUNTS [COUNTS [COUNTS]] > picture.svg");
        return ExitCode::from(2);
    }
    let mut files = Vec::new();
    for path in &paths {
        match fs::read(path).map_err(Into::into).and_then(|bytes| CountsFile::from_bytes(&bytes)) {
            Ok(file) => files.push((name_of(path), file)),
            Err(error) => {
                eprintln!("{path}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    print!("{}", picture(&files));
    ExitCode::SUCCESS
}

fn name_of(path: &str) -> String {
    Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn x_of(rate: f64) -> f64 {
    LEFT + (rate - LOWEST) / (HIGHEST - LOWEST) * (RIGHT - LEFT)
}

fn picture(files: &[(String, CountsFile)]) -> String {
    let bottom = TOP + ROW * ARTICLE.len() as f64;
    let height = bottom + 44.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"15\">\n\
         <title>Draw rates of pawn structures at move 50, in 2013 and in this project</title>\n\
         <style>\n  .text {{ fill: #222 }} .quiet {{ fill: #666 }} .line {{ stroke: #ccc }} .paper {{ fill: #fff }} .old {{ fill: #222 }}\n  \
         @media (prefers-color-scheme: dark) {{ .text {{ fill: #eee }} .quiet {{ fill: #aaa }} .line {{ stroke: #444 }} \
         .paper {{ fill: #16181c }} .old {{ fill: #eee }} }}\n</style>\n\
         <rect class=\"paper\" width=\"{WIDTH}\" height=\"{height}\"/>\n"
    );
    legend(&mut out, files);
    for percent in [30, 40, 50, 60, 70, 80, 90] {
        let x = x_of(f64::from(percent) / 100.0);
        let _ = write!(
            out,
            "<line class=\"line\" x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{bottom}\"/>\n\
             <text class=\"quiet\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{percent} %</text>\n",
            bottom + 22.0
        );
    }
    for (row, (label, said, rate)) in ARTICLE.into_iter().enumerate() {
        let top = TOP + ROW * row as f64;
        let _ = write!(
            out,
            "<line class=\"line\" x1=\"20\" y1=\"{top}\" x2=\"{RIGHT}\" y2=\"{top}\"/>\n\
             <text class=\"text\" x=\"20\" y=\"{:.1}\">{label}</text>\n\
             <text class=\"quiet\" x=\"20\" y=\"{:.1}\">2013: {said}</text>\n",
            top + 40.0,
            top + 62.0
        );
        diamond(&mut out, x_of(rate), top + 18.0);
        for (number, (_, file)) in files.iter().enumerate() {
            let y = top + 18.0 + 18.5 * (number + 1) as f64;
            if let Some((rate, low, high)) = groups(&file.counts).get(row).and_then(|group| group.rate) {
                interval(&mut out, number, y, [x_of(low), x_of(rate), x_of(high)]);
            }
        }
    }
    out + "</svg>\n"
}

fn legend(out: &mut String, files: &[(String, CountsFile)]) {
    let _ = writeln!(
        out,
        "<text class=\"text\" x=\"20\" y=\"30\" font-size=\"18\">Share of draws, position at move 50 of games of 60 moves or more</text>"
    );
    diamond(out, 27.0, 53.0);
    let _ = writeln!(out, "<text class=\"text\" x=\"40\" y=\"58\">the article of 2013</text>");
    for (number, (name, file)) in files.iter().enumerate() {
        let x = [196.0, 428.0, 640.0][number];
        interval(out, number, 53.0, [x, x + 14.0, x + 28.0]);
        let games = file.counts.total().total();
        let _ = writeln!(out, "<text class=\"text\" x=\"{}\" y=\"58\">{name}, {games} games</text>", x + 36.0);
    }
}

fn diamond(out: &mut String, x: f64, y: f64) {
    let _ = writeln!(out, "<path class=\"old\" d=\"M{x:.1} {:.1}l6 6l-6 6l-6 -6z\"/>", y - 6.0);
}

/// A line from the low to the high end and a mark at the rate: circle, square or triangle.
fn interval(out: &mut String, number: usize, y: f64, [low, rate, high]: [f64; 3]) {
    let color = COLORS[number];
    let mark = match number {
        0 => format!("<circle cx=\"{rate:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{color}\"/>"),
        1 => {
            format!("<rect x=\"{:.1}\" y=\"{:.1}\" width=\"10\" height=\"10\" fill=\"{color}\"/>", rate - 5.0, y - 5.0)
        }
        _ => format!("<path d=\"M{rate:.1} {:.1}l6 10.5h-12z\" fill=\"{color}\"/>", y - 6.0),
    };
    let _ = writeln!(
        out,
        "<line x1=\"{low:.1}\" y1=\"{y:.1}\" x2=\"{high:.1}\" y2=\"{y:.1}\" stroke=\"{color}\" stroke-width=\"3\"/>{mark}"
    );
}
