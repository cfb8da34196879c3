//! Pictures: SVG by our own shapes, and PNG of the same.
//!
//! All pictures share the scales and marks of `plot`, the colours of `palette` and the shapes of `svg`; `spec` has the pieces of
//! the Vega-Lite specifications that a page draws of the same data where scripts run.

pub(crate) mod palette;
pub(crate) mod plot;
#[cfg(feature = "png")]
mod png;
pub mod reliability;
pub(crate) mod spec;
pub mod spsa;
pub(crate) mod svg;
pub mod wdl;

use std::path::Path;

use thiserror::Error;

#[cfg(feature = "png")]
pub use png::PngError;
pub use svg::Svg;

/// The format of a picture's file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PictureFormat {
    /// Shapes, light or dark as the reader prefers.
    Svg,
    /// Pixels on white paper, two to each unit of the picture.
    Png,
}

/// Why a picture cannot be written.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum PictureError {
    #[error("expected the name of a picture, which ends in {}", if cfg!(feature = "png") { ".svg or .png" } else { ".svg" })]
    Ending,
    #[error("built without PNG; name a file that ends in .svg, or build with the feature png")]
    WithoutPng,
    #[cfg(feature = "png")]
    #[error(transparent)]
    Png(#[from] PngError),
}

impl PictureFormat {
    /// The format that the ending of a file's name asks for, `.svg` or `.png`.
    ///
    /// # Errors
    ///
    /// For other endings, and for PNG in a build without it.
    pub fn of(path: &Path) -> Result<PictureFormat, PictureError> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let format = match ending.as_str() {
            "svg" => PictureFormat::Svg,
            "png" => PictureFormat::Png,
            _ => return Err(PictureError::Ending),
        };
        format.check().map(|()| format)
    }

    /// Makes sure that this build writes the format.
    ///
    /// # Errors
    ///
    /// For PNG in a build without the feature `png`.
    pub fn check(self) -> Result<(), PictureError> {
        if self == PictureFormat::Png && !cfg!(feature = "png") { Err(PictureError::WithoutPng) } else { Ok(()) }
    }

    /// The ending of the names of such files, without the dot.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            PictureFormat::Svg => "svg",
            PictureFormat::Png => "png",
        }
    }

    /// The content of a file with this picture, which is given as SVG.
    ///
    /// # Errors
    ///
    /// If it cannot be drawn as pixels.
    pub fn encode(self, svg: &str) -> Result<Vec<u8>, PictureError> {
        match self {
            PictureFormat::Svg => Ok(svg.as_bytes().to_vec()),
            #[cfg(feature = "png")]
            PictureFormat::Png => Ok(png::png(svg)?),
            #[cfg(not(feature = "png"))]
            PictureFormat::Png => Err(PictureError::WithoutPng),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_chooses_the_format() {
        assert_eq!(PictureFormat::of(Path::new("a/b.SVG")).ok(), Some(PictureFormat::Svg));
        assert!(matches!(PictureFormat::of(Path::new("a.bmp")), Err(PictureError::Ending)));
        let png = PictureFormat::of(Path::new("a.png"));
        assert_eq!(png.is_ok(), cfg!(feature = "png"));
        assert_eq!(PictureFormat::Svg.encode("<svg/>").ok(), Some(b"<svg/>".to_vec()));
    }
}
