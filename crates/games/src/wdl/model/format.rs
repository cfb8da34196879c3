//! The forms in which a model is written.

use std::path::Path;

use super::Model;
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
    #[must_use]
    pub fn text(self, model: &Model) -> String {
        match self {
            ModelFormat::Json => model.to_json(),
            ModelFormat::Header => c_header(model),
            ModelFormat::Rust => rust_module(model),
        }
    }
}
