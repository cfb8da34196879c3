//! Hints that name options: a verb gives only those whose options it has.

use clap::{Args, Command};

/// The hint, if it is none of options that the verb with these arguments lacks.
pub(in crate::cli) fn known<Verb: Args>(hint: &'static str) -> Option<&'static str> {
    let verb = Verb::augment_args(Command::new("verb"));
    let has = |name: &str| verb.get_arguments().any(|option| option.get_long() == Some(name));
    let mut words = hint.split(|c: char| c != '-' && !c.is_ascii_alphanumeric());
    words.all(|word| word.strip_prefix("--").is_none_or(has)).then_some(hint)
}
