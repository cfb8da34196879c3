//! Position symbols from `++-` to `--+`, by four schemes of sectors.

use super::{Relevance, Side};

/// How large an advantage is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the words of the article")]
pub enum Advantage {
    Slight,
    Moderate,
    Clear,
    Extreme,
}

impl Advantage {
    /// All, from the smallest to the largest.
    pub const ALL: [Advantage; 4] = [Advantage::Slight, Advantage::Moderate, Advantage::Clear, Advantage::Extreme];
}

/// An annotator's mark for a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PositionSymbol {
    /// `=`, balanced or a draw.
    Balanced,
    /// One side is better.
    Better(Side, Advantage),
}

impl PositionSymbol {
    /// All, from White's extreme advantage to Black's.
    pub const ALL: [PositionSymbol; 9] = {
        use Advantage::{Clear, Extreme, Moderate, Slight};
        use PositionSymbol::{Balanced, Better};
        use Side::{Black, White};
        [
            Better(White, Extreme),
            Better(White, Clear),
            Better(White, Moderate),
            Better(White, Slight),
            Balanced,
            Better(Black, Slight),
            Better(Black, Moderate),
            Better(Black, Clear),
            Better(Black, Extreme),
        ]
    };

    /// The numeric annotation glyph: 10, or 14 to 21, even for White and odd for Black.
    #[must_use]
    pub const fn nag(self) -> u8 {
        match self {
            PositionSymbol::Balanced => 10,
            PositionSymbol::Better(Side::White, advantage) => 14 + 2 * advantage as u8,
            PositionSymbol::Better(Side::Black, advantage) => 15 + 2 * advantage as u8,
        }
    }

    /// The symbol with this numeric annotation glyph.
    #[must_use]
    pub fn from_nag(nag: u8) -> Option<PositionSymbol> {
        PositionSymbol::ALL.into_iter().find(|symbol| symbol.nag() == nag)
    }

    /// In ASCII.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            PositionSymbol::Balanced => "=",
            PositionSymbol::Better(Side::White, Advantage::Slight) => "+/=",
            PositionSymbol::Better(Side::Black, Advantage::Slight) => "=/+",
            PositionSymbol::Better(Side::White, Advantage::Moderate) => "+/-",
            PositionSymbol::Better(Side::Black, Advantage::Moderate) => "-/+",
            PositionSymbol::Better(Side::White, Advantage::Clear) => "+-",
            PositionSymbol::Better(Side::Black, Advantage::Clear) => "-+",
            PositionSymbol::Better(Side::White, Advantage::Extreme) => "++-",
            PositionSymbol::Better(Side::Black, Advantage::Extreme) => "--+",
        }
    }

    /// In Unicode, which has characters of their own for a slight and a moderate advantage.
    #[must_use]
    pub const fn unicode(self) -> &'static str {
        match self {
            PositionSymbol::Better(Side::White, Advantage::Slight) => "⩲",
            PositionSymbol::Better(Side::Black, Advantage::Slight) => "⩱",
            PositionSymbol::Better(Side::White, Advantage::Moderate) => "±",
            PositionSymbol::Better(Side::Black, Advantage::Moderate) => "∓",
            _ => self.text(),
        }
    }
}

/// Where the sectors of the symbols end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PositionScheme {
    /// Nine sectors; a clear advantage begins at e75, an extreme one at e+. The integral up to e75 is parted 20 : 40 : 40
    /// between balanced, slight and moderate.
    NineByResult,
    /// Seven sectors; a moderate advantage begins at e75, a clear one at e+. The integral up to e75 is parted 1 : 2
    /// between balanced and slight.
    SevenByResult,
    /// Nine equal shares of the total integral.
    NineEqual,
    /// Seven equal shares.
    SevenEqual,
}

impl PositionScheme {
    /// All, in the order of the article.
    pub const ALL: [PositionScheme; 4] = [
        PositionScheme::NineByResult,
        PositionScheme::SevenByResult,
        PositionScheme::NineEqual,
        PositionScheme::SevenEqual,
    ];

    /// The name on the command line and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PositionScheme::NineByResult => "nine-by-result",
            PositionScheme::SevenByResult => "seven-by-result",
            PositionScheme::NineEqual => "nine-equal",
            PositionScheme::SevenEqual => "seven-equal",
        }
    }

    /// The advantages that the scheme tells apart, from the smallest.
    #[must_use]
    pub fn advantages(self) -> &'static [Advantage] {
        match self {
            PositionScheme::NineByResult | PositionScheme::NineEqual => &Advantage::ALL,
            PositionScheme::SevenByResult | PositionScheme::SevenEqual => &Advantage::ALL[..3],
        }
    }

    /// The sector in which an evaluation lies.
    fn rank(self, curve: &Relevance, evaluation: f64) -> usize {
        (0..self.advantages().len()).take_while(|&rank| evaluation.abs() >= self.begins(curve, rank)).count()
    }

    /// The evaluation above 0 at which the advantage number `rank` begins.
    fn begins(self, curve: &Relevance, rank: usize) -> f64 {
        let equal = |sectors: f64| (2.0 * rank as f64 + 1.0) / (2.0 * sectors) * curve.total_integral();
        let area = match (self, rank) {
            (PositionScheme::NineByResult, 0) => 0.15 * curve.e75(),
            (PositionScheme::NineByResult, 1) => 0.45 * curve.e75(),
            (PositionScheme::SevenByResult, 0) => 0.25 * curve.e75(),
            (PositionScheme::NineByResult, 2) | (PositionScheme::SevenByResult, 1) => return curve.e75(),
            (PositionScheme::NineByResult | PositionScheme::SevenByResult, _) => return curve.e_plus(),
            (PositionScheme::NineEqual, _) => equal(9.0),
            (PositionScheme::SevenEqual, _) => equal(7.0),
        };
        curve.evaluation_at_integral(area).expect("the last sector begins below half the total integral")
    }
}

impl Relevance {
    /// The symbol of a position with this evaluation in pawns from White's view. At a threshold the larger advantage is
    /// given.
    #[must_use]
    pub fn position_symbol(&self, scheme: PositionScheme, evaluation: f64) -> PositionSymbol {
        let side = if evaluation < 0.0 { Side::Black } else { Side::White };
        match scheme.rank(self, evaluation).checked_sub(1) {
            Some(rank) => PositionSymbol::Better(side, scheme.advantages()[rank]),
            None => PositionSymbol::Balanced,
        }
    }

    /// The evaluations from which on White has each advantage, in pawns, from the smallest; Black's are the same below 0.
    #[must_use]
    pub fn position_thresholds(&self, scheme: PositionScheme) -> Vec<(Advantage, f64)> {
        let advantages = scheme.advantages().iter().enumerate();
        advantages.map(|(rank, &advantage)| (advantage, scheme.begins(self, rank))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{by_quadrature, curve, curves, far};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn forms_of_the_symbols() {
        let all: Vec<_> =
            PositionSymbol::ALL.iter().map(|symbol| (symbol.text(), symbol.unicode(), symbol.nag())).collect();
        let expected = [
            ("++-", "++-", 20),
            ("+-", "+-", 18),
            ("+/-", "±", 16),
            ("+/=", "⩲", 14),
            ("=", "=", 10),
            ("=/+", "⩱", 15),
            ("-/+", "∓", 17),
            ("-+", "-+", 19),
            ("--+", "--+", 21),
        ];
        assert_eq!(all, expected);
        for nag in 0..=255 {
            assert_eq!(PositionSymbol::from_nag(nag).is_some(), nag == 10 || (14..=21).contains(&nag));
            assert!(PositionSymbol::from_nag(nag).is_none_or(|symbol| symbol.nag() == nag));
        }
    }

    #[test]
    fn by_results_the_parameters_are_thresholds() {
        let curve = curve(1.5, 3.0, 0.875);
        let thresholds = |scheme| curve.position_thresholds(scheme).into_iter().map(|(_, at)| at).collect::<Vec<_>>();
        assert_eq!(thresholds(PositionScheme::NineByResult)[2..], [1.5, 3.0]);
        assert_eq!(thresholds(PositionScheme::SevenByResult)[1..], [1.5, 3.0]);
        let symbol = |scheme, evaluation| curve.position_symbol(scheme, evaluation).text();
        assert_eq!(symbol(PositionScheme::NineByResult, 1.5), "+-");
        assert_eq!(symbol(PositionScheme::NineByResult, 1.49), "+/-");
        assert_eq!(symbol(PositionScheme::NineByResult, -3.0), "--+");
        assert_eq!(symbol(PositionScheme::SevenByResult, 1.5), "+/-");
        assert_eq!(symbol(PositionScheme::SevenByResult, f64::NEG_INFINITY), "-+");
        assert_eq!(symbol(PositionScheme::NineEqual, -0.0), "=");
    }

    /// The shares that the article states, from 0 to infinity: of 3/4 e75 or of the total integral.
    #[test]
    fn shares_by_quadrature() {
        let curve = curve(1.7, 3.4, 0.91);
        let far = far(&curve);
        let total = by_quadrature(&curve, -far, far);
        let up_to_e75 = by_quadrature(&curve, 0.0, 1.7);
        assert!((up_to_e75 - 0.75 * 1.7).abs() < 1e-12);
        let ninths = [1.0 / 18.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0];
        let sevenths = [1.0 / 14.0, 1.0 / 7.0, 1.0 / 7.0, 1.0 / 7.0];
        for (scheme, shares, whole) in [
            (PositionScheme::NineByResult, &[0.2, 0.4, 0.4][..], up_to_e75),
            (PositionScheme::SevenByResult, &[1.0 / 3.0, 2.0 / 3.0][..], up_to_e75),
            (PositionScheme::NineEqual, &ninths[..], total),
            (PositionScheme::SevenEqual, &sevenths[..], total),
        ] {
            let mut ends = vec![0.0];
            ends.extend(curve.position_thresholds(scheme).into_iter().map(|(_, at)| at));
            ends.push(far);
            for (share, pair) in shares.iter().zip(ends.windows(2)) {
                let found = by_quadrature(&curve, pair[0], pair[1]) / whole;
                assert!((found - share).abs() < 1e-12, "{}: {found} for {share}", scheme.name());
            }
        }
    }

    proptest! {
        #[test]
        fn every_evaluation_has_the_symbol_of_its_sector(curve in curves(), x in -30.0..30.0) {
            for scheme in PositionScheme::ALL {
                let thresholds = curve.position_thresholds(scheme);
                prop_assert!(thresholds.windows(2).all(|pair| pair[0].1 < pair[1].1), "{:?}", thresholds);
                let passed = thresholds.iter().rev().find(|(_, at)| f64::abs(x) >= *at);
                let expected = passed.map_or(PositionSymbol::Balanced, |&(advantage, _)| {
                    PositionSymbol::Better(if x < 0.0 { Side::Black } else { Side::White }, advantage)
                });
                prop_assert_eq!(curve.position_symbol(scheme, x), expected);
            }
        }
    }
}
