//! Whose evaluations the comments of games hold.

use super::choice::Choice;
use drawish::pgn::Writer;

pub(in crate::cli) const WRITERS: [Choice<Option<Writer>>; 3] = [
    (&["auto"], "By the style: [%eval 0.35] is an analyst's, +0.35/18 and wv=0.35 are the players'", None),
    (&["players"], "Each player wrote its own after its moves", Some(Writer::Players)),
    (&["analyst"], "One judge wrote them all", Some(Writer::Analyst)),
];
