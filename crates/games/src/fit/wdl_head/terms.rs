//! The terms of a WDL head.

use drawish_heads::features::{Family, Parity};
use drawish_heads::heads::{Input, Term};

use super::super::specs::{self, TermsError, linear, parse_terms};

/// Which terms the three scores have; constants and the line are always there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WdlTerms {
    /// Even terms of the threshold: how wide the draw zone is.
    pub threshold: Vec<Term>,
    /// Even terms of the slope: how much an evaluation counts.
    pub slope: Vec<Term>,
    /// Odd features as they are: who is better beyond the evaluation.
    pub shift: Vec<Term>,
}

impl WdlTerms {
    /// The built-in terms: the draw head's bands and pairs in the threshold, all even features in the slope, the features of
    /// the win/loss score in the shift.
    #[must_use]
    pub fn built_in() -> WdlTerms {
        WdlTerms { threshold: specs::tables(), slope: specs::even(), shift: specs::win() }
    }

    /// The steps from the evaluation alone to the built-in terms, each with its name.
    #[must_use]
    pub fn steps() -> Vec<(&'static str, WdlTerms)> {
        let mut steps = vec![("evaluation, bent", WdlTerms::default())];
        let families = [
            ("+ material", Family::Material),
            ("+ endings", Family::Endings),
            ("+ files", Family::Files),
            ("+ ranks", Family::Ranks),
            ("+ kings", Family::Kings),
            ("+ fifty-move clock", Family::Clock),
        ];
        let mut terms = WdlTerms::default();
        for (name, family) in families {
            terms.threshold.extend(linear(&[family]));
            terms.slope.extend(linear(&[family]));
            steps.push((name, terms.clone()));
        }
        terms.shift = specs::win().into_iter().filter(|term| term.to_string().starts_with("tempo")).collect();
        steps.push(("+ side to move", terms.clone()));
        terms.shift = specs::win();
        steps.push(("+ win/loss features", terms));
        steps.push(("+ pairs of bands", WdlTerms::built_in()));
        steps
    }

    /// Makes sure that each term can stand where it stands.
    ///
    /// # Errors
    ///
    /// The first term that cannot.
    pub fn check(&self) -> Result<(), TermsError> {
        for term in self.threshold.iter().chain(&self.slope) {
            if let Some(input) = term.inputs().find(|input| !is_of(*input, Parity::Even)) {
                return Err(TermsError::Odd(input.name()));
            }
        }
        let odd = |term: &&Term| matches!(term, Term::Linear(input) if is_of(*input, Parity::Odd));
        match self.shift.iter().find(|term| !odd(term)) {
            Some(term) => Err(TermsError::Even(term.to_string())),
            None => Ok(()),
        }
    }
}

fn is_of(input: Input, parity: Parity) -> bool {
    matches!(input, Input::Feature(_)) && input.parity() == parity
}

/// The terms of the threshold in a text, as [`parse_terms`] reads them.
///
/// # Errors
///
/// Those of [`parse_terms`].
pub fn threshold_terms(text: &str) -> Result<WdlTerms, TermsError> {
    let terms = WdlTerms { threshold: parse_terms(text)?, ..WdlTerms::built_in() };
    terms.check()?;
    Ok(terms)
}
