//! Heads in the forms in which they are kept and in which engines take them in.

use std::fmt::Write;
use std::path::Path;

use drawish_artefact::provenance::in_comment;
use drawish_core::C_HEADER;
use drawish_heads::heads::{HeadError, HeadsFile};
use thiserror::Error;

/// The forms in which heads are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeadsFormat {
    /// What [`HeadsFile::from_toml`] reads: weights with their errors.
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

    /// Heads in this format. `name` is what Rust and C call them; what is no letter or digit of ASCII becomes an underscore.
    ///
    /// # Errors
    ///
    /// If a term is none, or, in other forms than TOML, if it reads the game rather than the position.
    pub fn bytes(self, heads: &HeadsFile, name: &str) -> Result<Vec<u8>, HeadsFormatError> {
        Ok(match self {
            HeadsFormat::Toml => heads.to_toml()?.into_bytes(),
            HeadsFormat::Binary => heads.to_binary()?,
            HeadsFormat::Rust => to_rust(heads, name)?.into_bytes(),
            HeadsFormat::C => to_c(heads, name)?.into_bytes(),
        })
    }
}

/// A name for Rust and C.
fn identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// Bytes as numbers apart by commas, 20 a line.
fn numbers(bytes: &[u8]) -> String {
    let line = |bytes: &[u8]| bytes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    bytes.chunks(20).map(line).collect::<Vec<_>>().join(",\n    ")
}

fn about(file: &HeadsFile) -> String {
    format!("{}; fitted to {} rows of {} events", in_comment(&file.made_by), file.rows, file.events)
}

/// The heads as a Rust module, to be included by `include!`: a static of [`drawish_core::Heads`], checked when it is compiled.
///
/// # Errors
///
/// Those of [`HeadsFile::to_binary`].
pub fn to_rust(file: &HeadsFile, name: &str) -> Result<String, HeadError> {
    let bytes = file.to_binary()?;
    Ok(format!(
        "/// Heads. {}.\npub static {}: drawish_core::Heads<'static> = drawish_core::Heads::embed(&[\n    {},\n]);\n",
        about(file),
        identifier(name).to_uppercase(),
        numbers(&bytes)
    ))
}

/// The heads as a C header: `drawish.h` and behind it the bytes as `drawish_data_NAME`. Several such headers can be included
/// together; the bytes are where `DRAWISH_IMPLEMENTATION` is defined.
///
/// # Errors
///
/// Those of [`HeadsFile::to_binary`].
pub fn to_c(file: &HeadsFile, name: &str) -> Result<String, HeadError> {
    let bytes = file.to_binary()?;
    let name = identifier(name);
    let (macros, len) = (name.to_uppercase(), bytes.len());
    let mut out = C_HEADER.to_owned();
    let _ = write!(
        out,
        "\n/* Heads. {about}. */\n\
         #ifndef DRAWISH_DATA_{macros}\n#define DRAWISH_DATA_{macros}\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n\
         enum {{ DRAWISH_DATA_{macros}_LENGTH = {len} }};\n\
         extern const unsigned char drawish_data_{name}[DRAWISH_DATA_{macros}_LENGTH];\n\
         #ifdef __cplusplus\n}}\n#endif\n#endif\n\n\
         #if defined(DRAWISH_IMPLEMENTATION) && !defined(DRAWISH_DATA_{macros}_IMPLEMENTED)\n\
         #define DRAWISH_DATA_{macros}_IMPLEMENTED\n\
         const unsigned char drawish_data_{name}[DRAWISH_DATA_{macros}_LENGTH] = {{\n    {numbers}}};\n#endif\n",
        about = about(file),
        numbers = numbers(&bytes),
    );
    Ok(out)
}
