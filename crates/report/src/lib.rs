//! Results of drawish as pages, pictures and Markdown.

pub mod findings;
pub mod report;
pub mod text;
