//! Which unknown a position meets how often: the terms of the three scores, prepared for packed positions.

use drawish_heads::features;
use drawish_heads::heads::{Bands, Input, Term};

use super::line;
use super::positions::{Block, OFFSET, even_places, odd_places, phase_column};
use super::terms::WdlTerms;

/// The unknowns in their order: threshold (constant first), slope (constant first), shift, line.
#[derive(Debug)]
pub(super) struct Design {
    pub sums: [EvenSum; 2],
    /// Each odd weight: its column, and whether it is that of the opening.
    odd: Vec<(usize, bool)>,
    first_odd: usize,
    pub first_line: usize,
    phase: usize,
}

/// A sum of even terms.
#[derive(Debug)]
pub(super) struct EvenSum {
    /// The unknown of the constant; those of the terms follow.
    pub first: usize,
    parts: Vec<Part>,
    size: usize,
}

#[derive(Debug)]
struct Part {
    /// The first unknown.
    first: usize,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Linear(usize),
    Bands(Banded),
    /// The second one's bands inside.
    Pair(Banded, Banded),
}

/// A column with the band of each byte.
#[derive(Debug)]
struct Banded {
    column: usize,
    bands: Box<[u8; 256]>,
    count: usize,
}

impl Banded {
    fn new(bands: &Bands) -> Banded {
        let of = |byte: usize| bands.band(byte as i16 - OFFSET) as u8;
        Banded { column: column(bands.input), bands: Box::new(std::array::from_fn(of)), count: bands.count() }
    }

    fn of(&self, values: &[u8]) -> usize {
        usize::from(self.bands[usize::from(values[self.column])])
    }
}

/// The column of an even feature; terms have been checked to read nothing else.
fn column(input: Input) -> usize {
    even_places().iter().position(|&place| input == Input::Feature(place)).unwrap_or(0)
}

/// Weights of a sum laid out by columns: what linear terms cost least in.
pub(super) struct Dense {
    by_column: Vec<f64>,
    /// The constant, less what the offset of the bytes adds.
    constant: f64,
}

impl EvenSum {
    fn new(first: usize, terms: &[Term]) -> EvenSum {
        let mut next = first + 1;
        let parts = terms.iter().map(|term| {
            let kind = match term {
                Term::Linear(input) => Kind::Linear(column(*input)),
                Term::Bands(bands) => Kind::Bands(Banded::new(bands)),
                Term::Pair(one, other) => Kind::Pair(Banded::new(one), Banded::new(other)),
            };
            let part = Part { first: next, kind };
            next += term.weights();
            part
        });
        let parts = parts.collect();
        EvenSum { first, parts, size: next - first }
    }

    pub fn dense(&self, unknowns: &[f64]) -> Dense {
        let mut by_column = vec![0.0; even_places().len()];
        for part in &self.parts {
            if let Kind::Linear(column) = part.kind {
                by_column[column] += unknowns[part.first];
            }
        }
        let offset = f64::from(OFFSET) * by_column.iter().sum::<f64>();
        Dense { by_column, constant: unknowns[self.first] - offset }
    }

    #[inline]
    pub fn of(&self, dense: &Dense, unknowns: &[f64], values: &[u8]) -> f64 {
        let products = dense.by_column.iter().zip(values).map(|(weight, &value)| weight * f64::from(value));
        self.banded(values).map(|unknown| unknowns[unknown]).sum::<f64>() + dense.constant + products.sum::<f64>()
    }

    /// The unknowns of bands that a position meets once.
    #[inline]
    fn banded<'a>(&'a self, values: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
        self.parts.iter().filter_map(|part| match &part.kind {
            Kind::Linear(_) => None,
            Kind::Bands(bands) => Some(part.first + bands.of(values)),
            Kind::Pair(one, other) => Some(part.first + one.of(values) * other.count + other.of(values)),
        })
    }

    /// Adds the slope of a position to a gradient by columns and to that of the bands.
    #[inline]
    pub fn add(&self, slope: f64, values: &[u8], by_column: &mut [f64], gradient: &mut [f64]) {
        by_column.iter_mut().zip(values).for_each(|(sum, &value)| *sum += slope * f64::from(value));
        gradient[self.first] += slope;
        self.banded(values).for_each(|unknown| gradient[unknown] += slope);
    }

    /// Moves a gradient by columns to its unknowns; that of the constant must be complete.
    pub fn settle(&self, by_column: &[f64], gradient: &mut [f64]) {
        let offset = f64::from(OFFSET) * gradient[self.first];
        for part in &self.parts {
            if let Kind::Linear(column) = part.kind {
                gradient[part.first] += by_column[column] - offset;
            }
        }
    }

    /// The unknowns that a position meets with how often, ascending, the constant first.
    pub fn entries(&self, values: &[u8], mut entry: impl FnMut(usize, f64)) {
        entry(self.first, 1.0);
        for part in &self.parts {
            match &part.kind {
                Kind::Linear(column) => entry(part.first, f64::from(i16::from(values[*column]) - OFFSET)),
                Kind::Bands(bands) => entry(part.first + bands.of(values), 1.0),
                Kind::Pair(one, other) => entry(part.first + one.of(values) * other.count + other.of(values), 1.0),
            }
        }
    }
}

impl Design {
    pub fn new(terms: &WdlTerms) -> Design {
        let threshold = EvenSum::new(0, &terms.threshold);
        let slope = EvenSum::new(threshold.size, &terms.slope);
        let first_odd = threshold.size + slope.size;
        let odd = terms.shift.iter().filter_map(|term| {
            let Term::Linear(Input::Feature(place)) = term else { return None };
            let column = odd_places().iter().position(|places| places.contains(place))?;
            Some((column, features::all()[*place].name.ends_with("_mg")))
        });
        let odd: Vec<_> = odd.collect();
        let first_line = first_odd + odd.len();
        Design { sums: [threshold, slope], odd, first_odd, first_line, phase: phase_column() }
    }

    /// How many unknowns there are.
    pub fn unknowns(&self) -> usize {
        self.first_line + line::UNKNOWNS
    }

    /// The shift of a position.
    #[inline]
    pub fn shift(&self, unknowns: &[f64], block: &Block, row: usize) -> f64 {
        let mut sum = 0.0;
        self.odd_entries(block, row, |unknown, value| sum += unknowns[unknown] * value);
        sum
    }

    /// The unknowns of the shift with what they are multiplied with.
    #[inline]
    pub fn odd_entries(&self, block: &Block, row: usize, mut entry: impl FnMut(usize, f64)) {
        let phase = f64::from(i16::from(block.even(row)[self.phase]) - OFFSET);
        let odd = block.odd(row);
        for (unknown, &(column, opening)) in (self.first_odd..).zip(&self.odd) {
            let share = if opening { phase } else { 24.0 - phase };
            entry(unknown, share * f64::from(odd[column]));
        }
    }
}
