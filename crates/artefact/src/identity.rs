//! What two artefacts must share to be added or continued, compared as data.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

/// The first field in which two values of one type differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Its name; a field of a field is named with a dot, as in `filters.min_elo`.
    pub field: String,
    /// What was expected there, in words.
    pub expected: String,
    /// What was found there, in words.
    pub found: String,
}

impl Difference {
    /// Compares what two values serialise to, in the order of the fields' names. `None` if they are equal.
    ///
    /// ```
    /// use drawish_artefact::identity::Difference;
    ///
    /// let difference = Difference::between(&("human", 50), &("human", 40)).unwrap();
    /// assert_eq!(difference.to_string(), "1: expected 50, found 40");
    /// ```
    pub fn between<T: Serialize>(expected: &T, found: &T) -> Option<Difference> {
        // Only a map whose keys are no text cannot be serialised, and the types of identities have none.
        let value = |of: &T| serde_json::to_value(of).unwrap_or_default();
        first("", &value(expected), &value(found))
    }
}

/// The first difference of two values at a place.
fn first(place: &str, expected: &Value, found: &Value) -> Option<Difference> {
    let inside = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
    match (expected, found) {
        (Value::Object(one), Value::Object(other)) => {
            let mut names: Vec<&String> = one.keys().chain(other.keys()).collect();
            names.sort();
            names.dedup();
            names.into_iter().find_map(|name| first(&inside(name), &expected[name], &found[name]))
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            (0..one.len()).find_map(|at| first(&inside(&at.to_string()), &one[at], &other[at]))
        }
        _ => (expected != found).then(|| Difference {
            field: place.to_owned(),
            expected: in_words(expected),
            found: in_words(found),
        }),
    }
}

fn in_words(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, found {}", self.field, self.expected, self.found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_field_that_differs_is_named() {
        let one = json!({ "a": 1, "filters": { "elo": null, "dates": [1, 2] } });
        let text = |other: Value| Difference::between(&one, &other).map(|difference| difference.to_string());
        assert_eq!(text(one.clone()), None);
        for (other, expected) in [
            (
                json!({ "a": 1, "filters": { "elo": 2400, "dates": [1, 2] } }),
                "filters.elo: expected nothing, found 2400",
            ),
            (json!({ "a": 1, "filters": { "dates": [1, 3] } }), "filters.dates.1: expected 2, found 3"),
            (json!({ "a": 1, "filters": { "dates": [1] } }), "filters.dates: expected [1,2], found [1]"),
            (json!({ "filters": one["filters"] }), "a: expected 1, found nothing"),
        ] {
            assert_eq!(text(other).as_deref(), Some(expected));
        }
    }
}
