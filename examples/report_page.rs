//! From a file of results to a page that works offline: what `drawish report` does.
//!
//! ```text
//! cargo run --no-default-features --example report_page
//! ```

#![expect(clippy::print_stdout, reason = "a program for the command line")]

use drawish::report::{PictureFormat, Report};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/tables");
    let place = std::env::temp_dir().join("drawish-report-page");
    std::fs::create_dir_all(&place)?;
    let data = Report::new([format!("{tables}/tcec.counts"), format!("{tables}/human.heads.toml")])
        .title("Draws at TCEC, and heads of human games")
        .output(place.join("report.html"))?
        .pictures(place.join("pictures"), PictureFormat::Svg)
        .run()?;
    data.notes.iter().for_each(|note| println!("{}: {}", note.input, note.what));
    println!("{} positions; open {}", data.structures[0].positions, place.join("report.html").display());
    Ok(())
}
