//! Heads in the forms in which they are kept and in which engines take them in.

use std::fmt::Write;
use std::path::Path;

use drawish_artefact::provenance::in_comment;
use drawish_core::C_HEADER;
use drawish_heads::heads::{BinaryHeads, HeadError, HeadsFile, WdlHead};
use thiserror::Error;

/// The heads that go into one file: those of `tune`, a WDL head, or both.
///
/// ```
/// use drawish_games::fit::export::{HeadsFormat, HeadsOf};
/// use drawish_heads::heads::HeadsFile;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let heads = HeadsFile::from_toml(&std::fs::read_to_string("../../tables/pooled.heads.toml")?)?;
/// let bytes = HeadsFormat::Binary.bytes(&heads, "pooled")?;
/// assert_eq!(bytes, HeadsOf { heads: Some(&heads), wdl: None }.to_binary()?);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct HeadsOf<'a> {
    /// Draw head and gain head.
    pub heads: Option<&'a HeadsFile>,
    /// The WDL head.
    pub wdl: Option<&'a WdlHead>,
}

impl<'a> From<&'a HeadsFile> for HeadsOf<'a> {
    fn from(heads: &'a HeadsFile) -> HeadsOf<'a> {
        HeadsOf { heads: Some(heads), wdl: None }
    }
}

impl<'a> From<&'a WdlHead> for HeadsOf<'a> {
    fn from(head: &'a WdlHead) -> HeadsOf<'a> {
        HeadsOf { heads: None, wdl: Some(head) }
    }
}

impl HeadsOf<'_> {
    /// The texts that say where the heads come from and have their weights as they were fitted: [`HeadsFile::to_toml`] and
    /// [`WdlHead::to_toml`].
    fn texts(&self) -> Result<Vec<String>, toml::ser::Error> {
        let heads = self.heads.map(HeadsFile::to_toml);
        heads.into_iter().chain(self.wdl.map(WdlHead::to_toml)).collect()
    }

    /// The heads as a `.heads` file. The same heads give the same bytes; of both the rows are the sum.
    ///
    /// # Errors
    ///
    /// Those of [`HeadsFile::to_binary`] and [`WdlHead::to_binary`].
    pub fn to_binary(&self) -> Result<Vec<u8>, HeadError> {
        let mut blocks = self.heads.map_or_else(|| Ok(BinaryHeads::new()), HeadsFile::blocks)?;
        if let Some(head) = self.wdl {
            blocks.wdl(head)?;
        }
        let rows = self.heads.map_or(0, |heads| heads.rows) + self.wdl.map_or(0, |head| head.rows);
        let source = self.texts().map_err(|error| HeadError::Text(error.to_string()))?.concat();
        blocks.finish(rows as u64, source.as_bytes())
    }

    fn about(&self) -> String {
        let heads = self.heads.map(|file| {
            format!("{}; fitted to {} rows of {} events", in_comment(&file.made_by), file.rows, file.events)
        });
        let wdl = self.wdl.map(|head| {
            format!(
                "WDL head, {}; fitted to {} positions of {} games, for evaluations in centipawns",
                in_comment(&head.made_by),
                head.rows,
                head.games
            )
        });
        heads.into_iter().chain(wdl).collect::<Vec<_>>().join(". ")
    }
}

/// The forms in which heads are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeadsFormat {
    /// What [`HeadsFile::from_toml`] or [`WdlHead::from_toml`] reads: weights as they were fitted, and where they come from.
    Toml,
    /// What [`drawish_core::Heads`] reads.
    Binary,
    /// A Rust module with the bytes of the binary form.
    Rust,
    /// A C header with these bytes and all that reads them.
    C,
}

/// Why heads cannot be written in a form.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum HeadsFormatError {
    #[error("the heads cannot be written as TOML: {0}")]
    Toml(#[from] toml::ser::Error),
    #[error(
        "draw head and WDL head have a text each, and not one for both; write each for itself, or both for engines"
    )]
    TwoTexts,
    #[error(transparent)]
    Head(#[from] HeadError),
}

impl HeadsFormat {
    /// The format that the ending of a file's name asks for: `.toml`, `.heads`, `.rs` or `.h`.
    #[must_use]
    pub fn of(path: &Path) -> Option<HeadsFormat> {
        match path.extension()?.to_str()? {
            "toml" => Some(HeadsFormat::Toml),
            "heads" => Some(HeadsFormat::Binary),
            "rs" => Some(HeadsFormat::Rust),
            "h" => Some(HeadsFormat::C),
            _ => None,
        }
    }

    /// Heads in this format. `name` is what Rust and C call them; what is no letter or digit of ASCII becomes an underscore, which in
    /// Rust also goes before a digit at the beginning.
    ///
    /// # Errors
    ///
    /// If a term is none, or, in other forms than TOML, if it reads the game rather than the position; TOML has no form for two kinds
    /// of heads.
    pub fn bytes<'a>(self, heads: impl Into<HeadsOf<'a>>, name: &str) -> Result<Vec<u8>, HeadsFormatError> {
        let heads = heads.into();
        Ok(match self {
            HeadsFormat::Toml => match <[String; 1]>::try_from(heads.texts()?) {
                Ok([text]) => text.into_bytes(),
                Err(_) => return Err(HeadsFormatError::TwoTexts),
            },
            HeadsFormat::Binary => heads.to_binary()?,
            HeadsFormat::Rust => to_rust(heads, name)?.into_bytes(),
            HeadsFormat::C => to_c(heads, name)?.into_bytes(),
        })
    }
}

/// A name for Rust and C. Of a file in another script nothing is left but `_`, which is no name.
fn identifier(name: &str) -> String {
    let kept: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if kept.trim_matches('_').is_empty() { "heads".to_owned() } else { kept }
}

/// Bytes as numbers apart by commas, 20 a line.
fn numbers(bytes: &[u8]) -> String {
    let line = |bytes: &[u8]| bytes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    bytes.chunks(20).map(line).collect::<Vec<_>>().join(",\n    ")
}

/// The heads as a Rust module, to be included by `include!`: a static of [`drawish_core::Heads`], checked when it is compiled.
///
/// # Errors
///
/// Those of [`HeadsOf::to_binary`].
pub fn to_rust<'a>(heads: impl Into<HeadsOf<'a>>, name: &str) -> Result<String, HeadError> {
    let heads = heads.into();
    let bytes = heads.to_binary()?;
    // A name of C has `drawish_data_` before it.
    let digit = if name.starts_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
    Ok(format!(
        "/// Heads. {}.\npub static {digit}{}: drawish_core::Heads<'static> = drawish_core::Heads::embed(&[\n    {},\n]);\n",
        heads.about(),
        identifier(name).to_uppercase(),
        numbers(&bytes)
    ))
}

/// The heads as a C header: `drawish.h` and behind it the bytes as `drawish_data_NAME`. Several such headers can be included
/// together; the bytes are where `DRAWISH_IMPLEMENTATION` is defined.
///
/// # Errors
///
/// Those of [`HeadsOf::to_binary`].
pub fn to_c<'a>(heads: impl Into<HeadsOf<'a>>, name: &str) -> Result<String, HeadError> {
    let heads = heads.into();
    let bytes = heads.to_binary()?;
    let name = identifier(name);
    let (macros, len) = (name.to_uppercase(), bytes.len());
    let mut out = C_HEADER.to_owned();
    let _ = write!(
        out,
        "\n/* Heads. {about}.\n \
         *\n \
         * The bytes are called drawish_data_{name}, after this file:\n \
         *     drawish_heads heads;\n \
         *     if (drawish_heads_open(&heads, drawish_data_{name}, DRAWISH_DATA_{macros}_LENGTH) != DRAWISH_OK) ...\n \
         */\n\
         #ifndef DRAWISH_DATA_{macros}\n#define DRAWISH_DATA_{macros}\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n\
         enum {{ DRAWISH_DATA_{macros}_LENGTH = {len} }};\n\
         extern const unsigned char drawish_data_{name}[DRAWISH_DATA_{macros}_LENGTH];\n\
         #ifdef __cplusplus\n}}\n#endif\n#endif\n\n\
         #if defined(DRAWISH_IMPLEMENTATION) && !defined(DRAWISH_DATA_{macros}_IMPLEMENTED)\n\
         #define DRAWISH_DATA_{macros}_IMPLEMENTED\n\
         const unsigned char drawish_data_{name}[DRAWISH_DATA_{macros}_LENGTH] = {{\n    {numbers}}};\n#endif\n",
        about = heads.about(),
        numbers = numbers(&bytes),
    );
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::identifier;

    /// `_` alone is no name in Rust.
    #[test]
    fn files_of_any_script_give_names() {
        for (file, name) in
            [("tcec-2026", "tcec_2026"), ("головы", "heads"), ("é", "heads"), ("--", "heads"), ("é1", "_1")]
        {
            assert_eq!(identifier(file), name, "{file}");
        }
    }
}
