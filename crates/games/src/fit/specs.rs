//! Lists of terms that are built in: the baselines of an evaluation, and the heads.

use drawish_heads::features::{self, Family, Feature};

use super::kernel::Kernel;
use drawish_heads::heads::Spec;
use drawish_heads::heads::{Input, Term, TermError};

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

/// The terms of the text file that this crate holds: one on each line, empty lines and lines with # left out.
///
/// # Errors
///
/// The line and what is wrong with it.
pub fn parse_terms(text: &str) -> Result<Vec<Term>, (usize, TermError)> {
    let lines =
        text.lines().enumerate().map(|(number, line)| (number + 1, line.split('#').next().unwrap_or("").trim()));
    lines
        .filter(|(_, line)| !line.is_empty())
        .map(|(number, line)| line.parse().map_err(|error| (number, error)))
        .collect()
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
    use drawish_heads::features::Parity;

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
    fn a_wrong_line_is_named() {
        let (line, error) = parse_terms("# mine\nrams\n\nram @ 1\n").expect_err("a wrong line");
        assert_eq!((line, error.to_string().contains("ram")), (4, true));
    }
}
