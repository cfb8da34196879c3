//! What verbs that read games say of them, with the options that decide about it.

use clap::Args;

use super::args::known::known;
use super::output::warn;
use drawish::pgn::InputProblems;
use drawish::report::text::counts::{Line, skipped_line, why_nothing};
use drawish::sample::{SkipReason, Tally};

/// Says on standard error what was wrong with inputs; `true` if it is a failure of the run. `used` is what becomes of games:
/// "counted".
pub(super) fn complain(problems: &InputProblems, used: &str) -> bool {
    problems.lines(used).iter().for_each(warn);
    problems.is_failure()
}

/// Says why no game at all was used, and which option of the verb would use some; `true` if so, which is a failure of the run.
pub(super) fn complain_of_nothing<Verb: Args>(tally: &Tally, used: &str) -> bool {
    let why = why_nothing(tally, used, |reason| known::<Verb>(remedy(reason)).unwrap_or_default());
    why.iter().for_each(warn);
    why.is_some()
}

/// Says which games were skipped, and which option of the verb would use most of them.
pub(super) fn complain_of_skipped<Verb: Args>(tally: &Tally) {
    let line = skipped_line(tally, |reason| known::<Verb>(remedy(reason)).unwrap_or_default());
    line.iter().for_each(warn);
}

/// The option that decides about a line of a summary, if the verb has it.
pub(super) fn hint<Verb: Args>(line: Line) -> Option<&'static str> {
    known::<Verb>(match line {
        Line::Skipped(SkipReason::Variant) => "see --variant",
        Line::Skipped(SkipReason::StartPosition) => "see --fen-starts",
        Line::Skipped(SkipReason::Termination) => "see --termination",
        Line::Skipped(SkipReason::TooShort) => "see --min-moves",
        Line::Repeated => "see --dedupe",
        Line::RepeatedLines => "see --dedupe=lines",
        Line::FenStarts => "see --no-fen-starts",
        Line::PlyCountDiffers => "see --replay",
        Line::OtherEngine | Line::Mixed => "see --match-engine",
        Line::LargeEval => "see --max-eval",
        Line::Between => "see --every",
        _ => return None,
    })
}

/// What to do about a reason for which most games were skipped.
fn remedy(reason: SkipReason) -> &'static str {
    match reason {
        SkipReason::Variant => "They are of another variant: --variant any takes all that are chess.",
        SkipReason::StartPosition => "They begin from FENs: add --fen-starts.",
        SkipReason::NoResult => "Only games with a Result tag of 1-0, 0-1 or 1/2-1/2 can count.",
        SkipReason::Termination => "They ended by time or the like: --termination any takes them.",
        SkipReason::Rating => "Loosen --min-elo, --max-elo or --max-elo-diff.",
        SkipReason::Player => "Loosen --player, --white or --black.",
        SkipReason::Event => "Loosen --event.",
        SkipReason::Date => "Loosen --date-from or --date-to.",
        SkipReason::TimeControl => "Loosen --time-control.",
        SkipReason::TooShort => "They are too short: lower --min-moves or --min-plies.",
        SkipReason::NotReached => "They end before the position asked for, or begin after it: lower --at or --from.",
        SkipReason::BadFen
        | SkipReason::Unreadable
        | SkipReason::NoMoves
        | SkipReason::IllegalMove
        | SkipReason::Duplicate => "",
    }
}
