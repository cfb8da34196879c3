//! The forms in which a model is written.

use std::path::Path;

use super::{Model, ModelError};
use crate::wdl::{c_header, rust_module};

/// The form of a file of a model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ModelFormat {
    /// `.json`: all of it, to be read again.
    Json,
    /// `.h` or `.hpp`: a header for C and C++.
    Header,
    /// `.rs`: a module for Rust.
    Rust,
}

impl ModelFormat {
    /// The form that the ending of a file's name asks for.
    #[must_use]
    pub fn of(path: &Path) -> Option<ModelFormat> {
        match path.extension()?.to_str()? {
            "json" => Some(ModelFormat::Json),
            "h" | "hpp" => Some(ModelFormat::Header),
            "rs" => Some(ModelFormat::Rust),
            _ => None,
        }
    }

    /// A model in this form.
    ///
    /// # Errors
    ///
    /// Of code what [`Model::check_pawn_value`] refuses.
    pub fn text(self, model: &Model) -> Result<String, ModelError> {
        match self {
            ModelFormat::Json => Ok(model.to_json()),
            ModelFormat::Header => model.check_pawn_value().map(|()| c_header(model)),
            ModelFormat::Rust => model.check_pawn_value().map(|()| rust_module(model)),
        }
    }
}
