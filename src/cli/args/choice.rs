//! Options that take one of several words.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A choice: its names, of which the first is shown; what it means, for the help; its value.
pub(in crate::cli) type Choice<T> = (&'static [&'static str], &'static str, T);

/// A parser that takes one of these choices.
pub(in crate::cli) fn choice<T: Clone + Send + Sync + 'static>(
    choices: &'static [Choice<T>],
) -> impl TypedValueParser<Value = T> {
    parser(choices.iter().map(|(names, meaning, value)| {
        let shown = PossibleValue::new(names[0]).aliases(names[1..].iter().copied());
        (if meaning.is_empty() { shown } else { shown.help(*meaning) }, value.clone())
    }))
}

/// A parser that takes one of these values by the name and with the meaning that the library gives it.
pub(in crate::cli) fn named<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
    meaning: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    parser(all.iter().map(move |&value| (PossibleValue::new(name(value)).help(meaning(value)), value)))
}

/// The same of values whose names say what they mean.
pub(in crate::cli) fn by_name<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    parser(all.iter().map(move |&value| (PossibleValue::new(name(value)), value)))
}

fn parser<T: Clone + Send + Sync + 'static>(
    values: impl Iterator<Item = (PossibleValue, T)>,
) -> impl TypedValueParser<Value = T> {
    let values: Vec<_> = values.collect();
    let shown: Vec<_> = values.iter().map(|(shown, _)| shown.clone()).collect();
    PossibleValuesParser::new(shown).map(move |text| {
        let found = values.iter().find(|(shown, _)| shown.matches(&text, false));
        found.expect("clap refuses other words").1.clone()
    })
}
