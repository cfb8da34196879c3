//! One of several values that the library names.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Takes the name of one of `all`; the help lists the names with their meanings.
pub(in crate::cli) fn named<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
    meaning: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let values = all.iter().map(move |&value| PossibleValue::new(name(value)).help(meaning(value)));
    PossibleValuesParser::new(values).map(move |text| {
        let found = all.iter().copied().find(|&value| name(value) == text);
        found.expect("clap refuses other names")
    })
}
