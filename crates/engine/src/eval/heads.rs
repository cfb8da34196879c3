//! Fitted heads as the evaluation uses them: whole numbers, sorted by what of a position they depend on.

use std::sync::{Arc, LazyLock};

use drawish_core::{Scheme, StructureIndex};
use thiserror::Error;

use drawish_heads::features::{self, Family};
use drawish_heads::heads::{Bands, Head, HeadError, HeadsFile, Input, Term};

/// The draw head and the gain head of a file made by `drawish tune`.
///
/// Weights are whole multiples of 2^-shift, as the file gives their quantised form; sums of them are exact.
#[derive(Clone, PartialEq, Debug)]
pub struct Heads {
    name: String,
    pub(super) draw: HeadTerms,
    pub(super) gain: HeadTerms,
    /// kappa of the draw head in 1/256.
    pub(super) kappa: u16,
    /// What each pawn structure adds to the gain head.
    pub(super) residual: Option<Residual>,
}

/// A shift for each cell of a scheme.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Residual {
    pub scheme: Scheme,
    /// In 1/128 logit: the sum over the cell and the one with colours exchanged of what the file has in 1/64. Games know
    /// a White and a Black, the evaluation must not.
    shifts: Box<[i16]>,
}

/// The terms of one head, sorted by what of a position they depend on.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct HeadTerms {
    pub shift: u32,
    pub constant: i32,
    /// On pawns, and on which side has more material.
    pub pawns: Vec<Part>,
    /// On the numbers of the pieces.
    pub material: Vec<Part>,
    /// On these two together, and on where the kings stand.
    pub king_pawn: Vec<Part>,
    /// On anything else: what changes with every move.
    pub rest: Vec<Part>,
}

/// A term with its weights.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Part {
    Linear { place: usize, weight: i32 },
    Bands { place: usize, bands: Bands, weights: Box<[i32]> },
    Pair { places: [usize; 2], bands: [Bands; 2], weights: Box<[i32]> },
}

/// Why a heads file is of no use to the evaluation.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum HeadsError {
    #[error("{0}")]
    File(#[from] HeadError),
    #[error("the residual is for the scheme {scheme:?} with {found} cells, which this program does not have")]
    Residual { scheme: String, found: usize },
}

impl Heads {
    /// The names of the heads that are part of the program.
    pub const BUILT_IN: [&'static str; 4] = ["human", "tcec", "rival", "pooled"];

    /// Heads that are part of the program, by their number in [`BUILT_IN`](Self::BUILT_IN).
    ///
    /// # Panics
    ///
    /// When there is no such number.
    #[must_use]
    pub fn built_in(number: usize) -> Arc<Heads> {
        static ALL: [LazyLock<Arc<Heads>>; 4] = [
            LazyLock::new(|| shipped(0, drawish_tables::HUMAN_HEADS_TEXT)),
            LazyLock::new(|| shipped(1, drawish_tables::TCEC_HEADS_TEXT)),
            LazyLock::new(|| shipped(2, drawish_tables::RIVAL_HEADS_TEXT)),
            LazyLock::new(|| shipped(3, drawish_tables::POOLED_HEADS_TEXT)),
        ];
        Arc::clone(&ALL[number])
    }

    /// Reads a heads file; `name` is what messages call it.
    ///
    /// # Errors
    ///
    /// When the text is no heads file, or its terms read the game rather than the position.
    pub fn from_toml(name: &str, text: &str) -> Result<Heads, HeadsError> {
        let file = HeadsFile::from_toml(text)?;
        let residual = file.gain.residual.as_ref().map(|cells| {
            let scheme = Scheme::from_name(&cells.scheme);
            scheme.filter(|scheme| scheme.cells() as usize == cells.shifts.len()).map_or_else(
                || Err(HeadsError::Residual { scheme: cells.scheme.clone(), found: cells.shifts.len() }),
                |scheme| Ok(Residual::new(scheme, &cells.shifts)),
            )
        });
        Ok(Heads {
            name: name.to_owned(),
            draw: HeadTerms::of(&file.draw)?,
            gain: HeadTerms::of(&file.gain)?,
            kappa: (file.draw.kappa.unwrap_or(0.0) * 256.0).round() as u16,
            residual: residual.transpose()?,
        })
    }

    /// What the heads are called: the path of their file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the gain head has a part for each pawn structure.
    #[must_use]
    pub fn has_residual(&self) -> bool {
        self.residual.is_some()
    }
}

fn shipped(number: usize, text: &str) -> Arc<Heads> {
    let heads = Heads::from_toml(Heads::BUILT_IN[number], text);
    Arc::new(heads.expect("a test reads the heads that are part of the program"))
}

impl Residual {
    fn new(scheme: Scheme, shifts: &[i8]) -> Residual {
        let of = |cell: StructureIndex| i16::from(shifts[cell.0 as usize]);
        let cells = (0..scheme.cells()).map(StructureIndex);
        Residual { scheme, shifts: cells.map(|cell| of(cell) + of(scheme.flip_colors(cell))).collect() }
    }

    /// In 1/256 logit.
    pub fn at(&self, cell: StructureIndex) -> i32 {
        2 * i32::from(self.shifts[cell.0 as usize])
    }
}

/// What of a position a feature depends on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Depends {
    Pawns,
    Material,
    /// The kings, and the pawns.
    Kings,
    More,
}

impl Depends {
    /// By the place of the feature.
    pub fn of(place: usize) -> Depends {
        let feature = &features::all()[place];
        match feature.family {
            // What stands before a passed pawn is not the pawns' doing.
            Family::Files | Family::Ranks if feature.name != "blocked_passers" => Depends::Pawns,
            Family::Material | Family::Endings => Depends::Material,
            Family::Kings => Depends::Kings,
            _ => Depends::More,
        }
    }
}

impl HeadTerms {
    fn of(head: &Head) -> Result<HeadTerms, HeadsError> {
        let mut sum = HeadTerms {
            shift: head.shift,
            constant: head.constant.map_or(0, |constant| head.whole(constant)),
            pawns: Vec::new(),
            material: Vec::new(),
            king_pawn: Vec::new(),
            rest: Vec::new(),
        };
        for weighted in &head.score {
            let term: Term = weighted.term.parse().map_err(HeadError::from)?;
            let weights: Box<[i32]> = weighted.weights.iter().map(|weight| head.whole(*weight)).collect();
            let place = |input: Input| match input {
                Input::Feature(place) => Ok(place),
                _ => Err(HeadError::NotOnTheBoard(weighted.term.clone())),
            };
            let part = match term {
                Term::Linear(input) => Part::Linear { place: place(input)?, weight: weights[0] },
                Term::Bands(bands) => Part::Bands { place: place(bands.input)?, bands, weights },
                Term::Pair(first, second) => {
                    Part::Pair { places: [place(first.input)?, place(second.input)?], bands: [first, second], weights }
                }
            };
            match part.places().map(Depends::of) {
                [Depends::Pawns, Depends::Pawns] => sum.pawns.push(part),
                [Depends::Material, Depends::Material] => sum.material.push(part),
                [Depends::More, _] | [_, Depends::More] => sum.rest.push(part),
                _ => sum.king_pawn.push(part),
            }
        }
        Ok(sum)
    }
}

impl Part {
    /// Where the features stand that it reads; twice the same for one.
    pub fn places(&self) -> [usize; 2] {
        match self {
            Part::Linear { place, .. } | Part::Bands { place, .. } => [*place; 2],
            Part::Pair { places, .. } => *places,
        }
    }

    /// What the term adds, from the values of all features.
    pub fn of(&self, values: &[i16]) -> i32 {
        match self {
            Part::Linear { place, weight } => weight * i32::from(values[*place]),
            Part::Bands { place, bands, weights } => weights[bands.band(values[*place])],
            Part::Pair { places, bands: [first, second], weights } => {
                weights[first.band(values[places[0]]) * second.count() + second.band(values[places[1]])]
            }
        }
    }
}

/// The sum of some terms.
pub(super) fn total(parts: &[Part], values: &[i16]) -> i32 {
    parts.iter().map(|part| part.of(values)).sum()
}

/// Heads with a weight for every even feature, for bands and for pairs across all families.
#[cfg(test)]
pub(super) fn some_heads() -> Heads {
    let mut random = 1u64;
    let mut weight = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from((random >> 40) as u32) / f64::from(1 << 24) - 0.5
    };
    let even = features::all().iter().filter(|feature| feature.parity == features::Parity::Even);
    let mut terms: Vec<(String, usize)> = even.map(|feature| (feature.name.to_owned(), 1)).collect();
    for (term, count) in [
        ("rams @ 1,2,4", 4),
        ("npm @ 6,14,30", 4),
        ("rule50 @ 20,60", 3),
        ("strong_pawns @ 1,2,3,4 * npm_diff @ 1,3,5", 20),
        ("passers @ 1,2 * king_distance @ 3,5", 9),
        ("pawns @ 4,8 * phase @ 6,14", 9),
    ] {
        terms.push((term.to_owned(), count));
    }
    let mut head = |kappa: &str, scale: f64| {
        let mut text = format!("{kappa}constant = 0.25\nloss = 1.0\nquantised_loss = 1.0\nshift = 12\nwin = []\n");
        let weighted = terms.iter().map(|(term, count)| {
            let weights: Vec<String> = (0..*count).map(|_| format!("{:.6}", scale * weight())).collect();
            format!("{{ term = {term:?}, weights = [{}], errors = [] }}", weights.join(", "))
        });
        text.push_str(&format!("score = [{}]\n", weighted.collect::<Vec<_>>().join(", ")));
        text
    };
    let (draw, gain) = (head("kappa = 1.5\n", 0.2), head("", 0.004));
    let shifts: Vec<String> = (0..4096).map(|cell| (cell % 41 - 20).to_string()).collect();
    let text = format!(
        "format = \"heads\"\nversion = 1\nmade_by = \"a test\"\nrows = 3\nevents = 1\nresults = [1, 1, 1]\n\
         rules = []\ninputs = []\n[draw]\n{draw}[gain]\n{gain}[gain.residual]\nscheme = \"bg\"\n\
         variance = 0.02\nshifts = [{}]\n",
        shifts.join(", ")
    );
    Heads::from_toml("some", &text).expect("a heads file")
}
