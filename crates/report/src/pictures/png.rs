//! Pictures as pixels.

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use thiserror::Error;

/// Pixels to each unit of the picture: sharp on screens with small pixels and in print at half the width of a page.
const SCALE: f32 = 2.0;

/// Why a picture has no pixels.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum PngError {
    #[error("the picture is not an SVG that can be drawn: {0}")]
    Svg(#[from] resvg::usvg::Error),
    #[error("a picture of {width} by {height} pixels does not fit into memory")]
    Size { width: f32, height: f32 },
    #[error("the picture cannot be written as PNG: {0}")]
    Pack(String),
}

/// A picture of this room as PNG: on white paper, two pixels to each of its units, with a font that the program brings
/// along, so that it is the same on every machine.
///
/// # Errors
///
/// If the text is no SVG, or its size is beyond reason.
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    let mut options = Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    let name = fonts.faces().next().and_then(|face| face.families.first().map(|family| family.0.clone()));
    name.into_iter().for_each(|name| fonts.set_sans_serif_family(name));
    let tree = Tree::from_str(svg, &options)?;
    let (width, height) = (tree.size().width() * SCALE, tree.size().height() * SCALE);
    let pixels = Pixmap::new(width.ceil() as u32, height.ceil() as u32);
    let mut pixels = pixels.ok_or(PngError::Size { width, height })?;
    pixels.fill(Color::WHITE);
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Pack(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pictures::svg::{Anchor, Svg};

    fn pixels(svg: &str) -> Pixmap {
        Pixmap::decode_png(&png(svg).expect("a picture")).expect("PNG")
    }

    fn dark(picture: &Pixmap) -> usize {
        picture.pixels().iter().filter(|pixel| pixel.red() < 128).count()
    }

    #[test]
    fn text_is_drawn_on_white_paper_without_fonts_of_the_machine() {
        let mut svg = Svg::new(200.0, 40.0);
        let empty = pixels(&Svg::new(200.0, 40.0).finish("t"));
        svg.text((10.0, 25.0), Anchor::Start, "label", "0.25 ± 0.75 pawns");
        svg.upright((190.0, 20.0), "small", "up");
        let written = pixels(&svg.finish("t"));
        assert_eq!((empty.width(), empty.height()), (400, 80));
        assert!(empty.pixels().iter().all(|pixel| (pixel.red(), pixel.alpha()) == (255, 255)));
        assert!(dark(&written) > 300, "{}", dark(&written));
        // Light, whatever a reader of SVG prefers: the text is on white.
        assert_eq!(written.pixel(0, 0), empty.pixel(0, 0));
    }

    #[test]
    fn what_is_no_picture_is_told() {
        assert!(matches!(png("no picture"), Err(PngError::Svg(_))));
        assert!(matches!(png(&Svg::new(1e9, 1e9).finish("t")), Err(PngError::Size { .. })));
    }
}
