//! Arguments with a few named values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A value with its names, of which the help shows the first, and its meaning, which may be empty.
pub(in crate::cli) type Choice<T> = (&'static [&'static str], &'static str, T);

/// Takes one of these values by any of its names.
pub(in crate::cli) fn choice<T: Clone + Send + Sync>(
    choices: &'static [Choice<T>],
) -> impl TypedValueParser<Value = T> {
    let values = choices.iter().map(|(names, meaning, _)| {
        let value = PossibleValue::new(names[0]).aliases(names[1..].iter().copied());
        if meaning.is_empty() { value } else { value.help(*meaning) }
    });
    PossibleValuesParser::new(values).map(|name| {
        let found = choices.iter().find(|(names, ..)| names.contains(&name.as_str()));
        found.expect("the parser before lets only these names pass").2.clone()
    })
}
