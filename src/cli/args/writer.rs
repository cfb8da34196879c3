//! Whose evaluations the comments of games hold, and from whose view.

use anyhow::Result;

use super::choice::Choice;
use super::rule::refuse;
use drawish::pgn::{Input, View, Writer};

pub(in crate::cli) const WRITERS: [Choice<Option<Writer>>; 3] = [
    (&["auto"], "By the style: [%eval 0.35] is an analyst's, +0.35/18 and wv=0.35 are the players'", None),
    (&["players"], "Each player wrote its own after its moves", Some(Writer::Players)),
    (&["analyst"], "One judge wrote them all", Some(Writer::Analyst)),
];

pub(in crate::cli) const VIEWS: [Choice<Option<View>>; 4] = [
    (&["auto"], "By the style: +0.35/18 from that of the side that moved, [%eval 0.35] and wv=0.35 from White's", None),
    (&["white"], "All from White's, as Fritz and annotators write +0.35/18", Some(View::White)),
    (&["mover"], "All from that of the side that moved", Some(View::Mover)),
    (
        &["to-move"],
        "All from that of the side to move behind the comment, as UCI scores of the position are",
        Some(View::ToMove),
    ),
];

/// Makes sure that a view is not asked for where the format of an input has one.
pub(in crate::cli) fn check_view(view: Option<View>, inputs: &[Input]) -> Result<()> {
    match inputs.iter().find(|input| input.format().is_some()) {
        Some(coded) => {
            refuse(&[("--eval-view", view.is_some())], coded, "its format says from which view evaluations are")
        }
        None => Ok(()),
    }
}
