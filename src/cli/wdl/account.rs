//! What was counted and what was not, with the options that decide about it.

use clap::Args;

use crate::cli::args::known::known;
use crate::cli::output::warn;
use crate::cli::problems;
use drawish::report::text::wdl_counts::{Line, why_nothing};
use drawish::wdl::{Collected, DropReason, FileRefusal, GameReason};

/// Says on standard error what went wrong with single inputs; `true` if that is a failure.
pub(super) fn report_problems<Verb: Args>(collected: &Collected) -> bool {
    let failed = problems::complain(&collected.problems, "counted");
    for (path, refusal) in &collected.refused {
        if let FileRefusal::BadMetadata(reason) = refusal {
            warn(format!("{}: left out, its metadata cannot be read: {reason}", path.display()));
        }
    }
    let why = why_nothing(collected, |line| known::<Verb>(remedy(line)).unwrap_or_default());
    why.iter().for_each(|why| warn(format!("no position was counted: {why}")));
    failed || why.is_some()
}

/// What to do about a reason, as the end of a sentence.
fn remedy(line: Line) -> &'static str {
    match line {
        Line::Skipped(GameReason::Variant) => ". They are of another variant: see --variant",
        Line::Skipped(GameReason::Engine) => {
            ". --match-engine must match a White or Black tag as a whole; what engines call themselves (EngineWhiteName) is not looked at"
        }
        Line::Skipped(GameReason::FenNotFound) => ". Check --fix-fen-source",
        Line::Dropped(_) => "; see --match-engine for whose count",
        _ => "",
    }
}

/// The option that decides about a line, if the verb has it.
pub(super) fn hint<Verb: Args>(line: Line) -> Option<&'static str> {
    known::<Verb>(match line {
        Line::Skipped(GameReason::Variant) => "see --variant",
        Line::Skipped(GameReason::FenNotFound) => "see --fix-fen-source",
        Line::Skipped(GameReason::Engine) | Line::Dropped(DropReason::OtherEngine) | Line::Mixed => {
            "see --match-engine"
        }
        Line::Dropped(DropReason::RepeatedEval) => "see --drop-repeated",
        _ => return None,
    })
}
