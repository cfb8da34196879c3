//! Which terms a model has.

use super::terms::{Input, Term};

/// Which terms make the two scores of a model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Spec {
    /// The win/loss score: odd terms.
    pub win: Vec<Term>,
    /// The draw or gain score: even terms.
    pub draw: Vec<Term>,
    /// Whether the draw score has a constant besides.
    pub constant: bool,
}

impl Spec {
    /// Weights of the win/loss score.
    #[must_use]
    pub fn win_weights(&self) -> usize {
        self.win.iter().map(Term::weights).sum()
    }

    /// Weights of the draw score, the constant first.
    #[must_use]
    pub fn draw_weights(&self) -> usize {
        usize::from(self.constant) + self.draw.iter().map(Term::weights).sum::<usize>()
    }

    /// The features that it reads.
    #[must_use]
    pub fn features(&self) -> Vec<usize> {
        let mut places: Vec<_> = self
            .win
            .iter()
            .chain(&self.draw)
            .flat_map(Term::inputs)
            .filter_map(|input| if let Input::Feature(place) = input { Some(place) } else { None })
            .collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// What it reads beside features: evaluations and ratings, which a row may lack.
    #[must_use]
    pub fn covariates(&self) -> Vec<Input> {
        let mut inputs: Vec<Input> = Vec::new();
        for input in self.win.iter().chain(&self.draw).flat_map(Term::inputs) {
            if !matches!(input, Input::Feature(_)) && !inputs.contains(&input) {
                inputs.push(input);
            }
        }
        inputs
    }

    /// A name for each weight, those of the win/loss score first: the term, with the bands where it has some.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let of = |term: &Term| -> Vec<String> {
            let count = term.weights();
            (0..count).map(|weight| if count == 1 { term.to_string() } else { format!("{term} [{weight}]") }).collect()
        };
        let constant = self.constant.then(|| "constant".to_owned());
        self.win.iter().flat_map(of).chain(constant).chain(self.draw.iter().flat_map(of)).collect()
    }
}
