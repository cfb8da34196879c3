//! Pictures as files: SVG, or PNG by the name of the file.

use std::path::Path;

#[cfg(feature = "png")]
use anyhow::Context;
use anyhow::{Result, ensure};

use super::output;
use drawish::report::{Section, pictures};

/// Whether the name asks for PNG.
fn is_png(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"))
}

/// Makes sure that the name tells a format that this build writes; standard output takes SVG.
pub(super) fn check_name(path: &Path) -> Result<()> {
    let is_svg = output::is_standard(path) || path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
    if cfg!(feature = "png") {
        ensure!(
            is_svg || is_png(path),
            "{}: expected a picture's name, which ends in .svg or .png, or - for SVG on standard output",
            path.display()
        );
    } else {
        ensure!(
            !is_png(path),
            "{}: this program was built without PNG; name a file that ends in .svg, or build it with the feature png",
            path.display()
        );
        ensure!(is_svg, "{}: expected a picture's name, which ends in .svg, or - for standard output", path.display());
    }
    Ok(())
}

/// Writes a picture in the format that its name tells.
pub(super) fn write(path: &Path, svg: &str) -> Result<()> {
    #[cfg(feature = "png")]
    if is_png(path) {
        let bytes = drawish::report::png(svg).with_context(|| path.display().to_string())?;
        return output::write(path, &bytes);
    }
    output::write(path, svg.as_bytes())
}

/// Writes every picture of some sections as a file of its own.
pub(super) fn write_all(directory: &Path, ending: &str, sections: &[Section]) -> Result<()> {
    pictures(sections).into_iter().try_for_each(|(name, svg)| write(&directory.join(format!("{name}.{ending}")), &svg))
}
