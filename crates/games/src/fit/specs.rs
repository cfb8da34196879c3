//! Lists of terms that are built in: the baselines of an evaluation, and the heads.

use std::collections::HashMap;

use drawish_artefact::entries;
use drawish_heads::features::{self, Family, Feature, Parity};
use thiserror::Error;

use super::kernel::Kernel;
use drawish_heads::heads::Spec;
use drawish_heads::heads::{Input, Term, TermError};
use drawish_stats::numbers::grouped;

/// A weight for each feature of some families.
#[must_use]
pub fn linear(families: &[Family]) -> Vec<Term> {
    let wanted = |feature: &&Feature| families.contains(&feature.family);
    let term = |feature: &Feature| features::place(feature.name).map(|place| Term::Linear(Input::Feature(place)));
    features::all().iter().filter(wanted).filter_map(term).collect()
}

/// The win/loss score: tapered differences of material, pawns, mobility and kings.
#[must_use]
pub fn win() -> Vec<Term> {
    linear(&[Family::Win])
}

/// Everything that is even: the plain head.
#[must_use]
pub fn even() -> Vec<Term> {
    linear(&[Family::Material, Family::Endings, Family::Files, Family::Ranks, Family::Kings, Family::Clock])
}

/// Why a text is no list of terms of a draw or gain score.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum TermsError {
    #[error("line {line}: {error}")]
    Line { line: usize, error: TermError },
    #[error(
        "lines {first} and {second} are the same term, {term}, whose weight would be split between them; leave one out"
    )]
    Twice { first: usize, second: usize, term: String },
    #[error("{0} changes its sign when the colours are exchanged and cannot make draws; take an even feature")]
    Odd(&'static str),
    #[error("{0}: a shift takes odd features as they are, as in `tempo_mg`")]
    Even(String),
    #[error("no terms: expected one on each line, as in `npm`")]
    Empty,
    #[error("the terms have {} weights, expected at most {}; take fewer bands, above all in pairs", grouped(*.0 as u64), grouped(MOST_WEIGHTS as u64))]
    TooMany(usize),
}

/// The weights of all terms of a score. What a fit and its standard errors hold in memory grows with the square: of so many weights, a
/// quarter of a GB for each matrix.
pub const MOST_WEIGHTS: usize = 8192;

/// The terms of a draw or gain score in a text: one on each line, empty lines and what follows a # left out.
///
/// # Errors
///
/// A line that is no term or one that was there before, what [`check_even`] refuses.
pub fn parse_terms(text: &str) -> Result<Vec<Term>, TermsError> {
    let (mut terms, mut lines): (Vec<Term>, HashMap<String, usize>) = Default::default();
    for (second, text) in entries(text) {
        let term: Term = text.parse().map_err(|error| TermsError::Line { line: second, error })?;
        if let Some(first) = lines.insert(spelled(&term), second) {
            return Err(TermsError::Twice { first, second, term: term.to_string() });
        }
        terms.push(term);
    }
    check_even(&terms)?;
    Ok(terms)
}

/// A term in one spelling: the bands of a pair may stand in either order.
fn spelled(term: &Term) -> String {
    match term {
        Term::Pair(first, second) => {
            let [one, other] = [first, second].map(ToString::to_string);
            format!("{} * {}", (&one).min(&other), (&one).max(&other))
        }
        term => term.to_string(),
    }
}

/// Makes sure that terms can make a draw or gain score, which stays the same when the colours are exchanged.
///
/// # Errors
///
/// If there are none, or one reads an odd feature, or they have more than [`MOST_WEIGHTS`] weights.
pub fn check_even(terms: &[Term]) -> Result<(), TermsError> {
    match terms.iter().flat_map(Term::inputs).find(|input| input.parity() == Parity::Odd) {
        Some(input) => Err(TermsError::Odd(input.name())),
        None if terms.is_empty() => Err(TermsError::Empty),
        None => match terms.iter().map(Term::weights).sum() {
            ..=MOST_WEIGHTS => Ok(()),
            weights => Err(TermsError::TooMany(weights)),
        },
    }
}

/// The terms of the draw head that engines evaluate: bands and pairs of bands, as good as boosted trees.
#[must_use]
pub fn tables() -> Vec<Term> {
    parse_terms(include_str!("tables.terms")).unwrap_or_default()
}

/// The terms of the gain head that engines play by: pawns, endings, flanks and the fifty-move count, of which engines are known
/// to have gained. None of them tells by how much one side has more material: a head that knows it lets a lead count less
/// the larger it is, since games are lost from any lead, and a search that believes it declines what it could take.
#[must_use]
pub fn play() -> Vec<Term> {
    parse_terms(include_str!("play.terms")).unwrap_or_default()
}

/// A logistic model of draws.
#[must_use]
pub fn of_draws(draw: Vec<Term>) -> (Spec, Kernel) {
    (Spec { win: Vec::new(), draw, constant: true }, Kernel::Draw)
}

/// Win, draw and loss together, with kappa fitted.
#[must_use]
pub fn joint(win: Vec<Term>, draw: Vec<Term>) -> (Spec, Kernel) {
    (Spec { win, draw, constant: true }, Kernel::WinDrawLoss { kappa: None })
}

/// The expected score, with a gain made of `draw`; without any, the plain evaluator.
#[must_use]
pub fn gain(win: Vec<Term>, draw: Vec<Term>) -> (Spec, Kernel) {
    (Spec { win, draw, constant: false }, Kernel::Gain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terms_of_the_crate_are_terms() {
        let terms = parse_terms(include_str!("tables.terms")).expect("terms");
        assert!(terms.iter().flat_map(Term::inputs).all(|input| input.parity() != Parity::Odd));
        // Two bytes each, two kilobytes together.
        let weights: usize = terms.iter().map(Term::weights).sum();
        assert!((1..=1024).contains(&weights), "{weights}");
        assert!(win().iter().flat_map(Term::inputs).all(|input| input.parity() == Parity::Odd));
        assert!(even().iter().flat_map(Term::inputs).all(|input| input.parity() == Parity::Even));
    }

    #[test]
    fn a_term_that_stands_twice_is_refused_with_its_lines() {
        for (text, first, second) in [
            ("rams\nnpm\n# again\n rams # so\n", 1, 4),
            ("rams @ 1,2\nrams\nrams @ 1, 2\n", 1, 3),
            ("npm\npawns @ 4 * phase @ 6\nphase @ 6 * pawns @ 4\n", 2, 3),
        ] {
            let error = parse_terms(text).expect_err("a term twice");
            assert!(
                matches!(error, TermsError::Twice { first: one, second: two, .. } if (one, two) == (first, second)),
                "{error}"
            );
        }
        // A feature and its bands, and bands that begin elsewhere, are different terms.
        assert_eq!(parse_terms("rams\nrams @ 1\nrams @ 2\n").map(|terms| terms.len()), Ok(3));
    }

    #[test]
    fn a_wrong_line_is_named() {
        let error = parse_terms("# mine\nrams\n\nram @ 1\n").expect_err("a wrong line").to_string();
        assert!(error.starts_with("line 4: ") && error.contains("ram"), "{error}");
        assert_eq!(parse_terms("pawn_mg\n"), Err(TermsError::Odd("pawn_mg")));
        assert_eq!(parse_terms("# none\n"), Err(TermsError::Empty));
        let bands = |count: i16| (1..=count).map(|start| start.to_string()).collect::<Vec<_>>().join(",");
        let error = parse_terms(&format!("npm @ {0} * pawns @ {0}\n", bands(260))).expect_err("too many").to_string();
        assert!(error.contains("68,121 weights, expected at most 8,192"), "{error}");
        assert_eq!(parse_terms(&format!("npm @ {0} * pawns @ {0}\n", bands(89))).map(|terms| terms.len()), Ok(1));
        // As an editor of another system leaves it.
        assert_eq!(parse_terms("\u{feff}rams\r\n"), parse_terms("rams\n"));
    }
}
