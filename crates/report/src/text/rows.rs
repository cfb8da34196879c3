//! Positions of games as rows of features: what was read, and what the features are.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use drawish_games::rows::Gathered;
use drawish_heads::features::{self, Family};
use drawish_stats::numbers::counted;
use serde_json::{Value, json};

use super::counts::{self, Hint};
use super::ledger;

/// What was written there, and where every game has gone.
#[must_use]
pub fn text(path: &Path, rows: u64, gathered: &Gathered, elapsed: Duration, hint: Hint) -> String {
    format!(
        "{}: {}{} of {} features in {:.1} s\n\n{}",
        path.display(),
        if rows == 0 { "not written, " } else { "" },
        counted(rows, "row"),
        features::all().len(),
        elapsed.as_secs_f64(),
        counts::tally(&gathered.tally, gathered.anomalies, &gathered.repeats, hint)
    )
}

/// The same for programs.
#[must_use]
pub fn json(gathered: &Gathered) -> Value {
    let mut value = counts::tally_json(&gathered.tally, gathered.anomalies);
    value["rule"] = json!(gathered.provenance.rule);
    ledger::add_again(&gathered.repeats, &mut value);
    value["features"] = features::all().len().into();
    value["inputs"] = json!(gathered.provenance.inputs);
    ledger::add_problems(&gathered.problems, &mut value);
    value
}

/// All features, family after family, with what they mean.
#[must_use]
pub fn list_of_features() -> String {
    let mut out = String::new();
    for family in Family::ALL {
        let _ = writeln!(out, "{}", family.name());
        for feature in features::all().iter().filter(|feature| feature.family == family) {
            let _ = writeln!(out, "  {:<26}{}", feature.name, feature.meaning);
        }
    }
    out
}
