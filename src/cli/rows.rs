//! What to do where rows are of no use.

use anyhow::{Error, anyhow};

use super::output;
use drawish::fit::Unlearnable;
use drawish::rows::{RowSet, RowSource};

/// Says that files were sampled by different rules, which a fit takes for one kind of positions.
pub(super) fn warn_of_rules<S: RowSource>(files: &RowSet<S>) {
    if let Some([one, other]) = files.other_rule() {
        let [rule, other_rule] = [one, other].map(|source| source.provenance().rule.as_str());
        output::warn(format!(
            "{} and {} were sampled by different rules, and a model takes them together: {rule} and {other_rule}",
            one.name(),
            other.name()
        ));
    }
}

/// Rows that say nothing, with the remedy.
pub(super) fn unlearnable(error: Unlearnable) -> Error {
    match error {
        Unlearnable::NoRows => anyhow!("{error}; loosen the rule of `drawish positions`, as in --min-moves 0"),
        _ => error.into(),
    }
}
