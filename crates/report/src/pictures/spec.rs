//! Pieces of Vega-Lite specifications. Sizes, fonts and colours of axes are set where a specification is shown.

use serde_json::{Value, json};

/// The version of Vega-Lite that specifications are written for.
pub(crate) const SCHEMA: &str = "https://vega.github.io/schema/vega-lite/v6.json";

/// A specification of layers over the same data.
pub(crate) fn layers(data: Value, layers: Vec<Value>) -> Value {
    json!({ "$schema": SCHEMA, "data": data, "layer": layers })
}

/// Data that stand in the specification.
pub(crate) fn values(rows: Vec<Value>) -> Value {
    json!({ "values": rows })
}

/// The structures of a source, which the page holds once for all its figures.
pub(crate) fn structures(source: usize) -> Value {
    json!({ "name": format!("structures-{source}") })
}

/// An encoding of a number by its place, with a title.
pub(crate) fn number(field: &str, title: &str) -> Value {
    json!({ "field": field, "type": "quantitative", "title": title })
}

/// A number to four significant digits: what a picture can show, and no more bytes.
pub(crate) fn short(value: f64) -> Value {
    if !value.is_finite() {
        return Value::Null;
    }
    let text = format!("{value:.3e}");
    json!(text.parse::<f64>().unwrap_or(value))
}

/// What is shown beside the pointer.
pub(crate) fn tooltip(fields: &[(&str, &str, &str)]) -> Value {
    fields
        .iter()
        .map(|(field, title, format)| {
            if format.is_empty() {
                json!({ "field": field, "title": title })
            } else {
                json!({ "field": field, "title": title, "format": format, "type": "quantitative" })
            }
        })
        .collect()
}
