//! Move symbols from `!!` to `??`, by the relevant difference between a move and its best alternative.

use super::{Relevance, Side};

/// An annotator's mark for a move, with the numbers of the PGN standard.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MoveSymbol {
    /// `!!`, the article's brilliant move.
    Brilliant,
    /// `!`, impressive.
    Good,
    /// `!?`, attractive.
    Interesting,
    /// `?!`, questionable.
    Dubious,
    /// `?`, weak.
    Mistake,
    /// `??`, miserable.
    Blunder,
}

impl MoveSymbol {
    /// All, from the best to the worst.
    pub const ALL: [MoveSymbol; 6] = [
        MoveSymbol::Brilliant,
        MoveSymbol::Good,
        MoveSymbol::Interesting,
        MoveSymbol::Dubious,
        MoveSymbol::Mistake,
        MoveSymbol::Blunder,
    ];

    /// The numeric annotation glyph, 1 to 6.
    #[must_use]
    pub const fn nag(self) -> u8 {
        match self {
            MoveSymbol::Good => 1,
            MoveSymbol::Mistake => 2,
            MoveSymbol::Brilliant => 3,
            MoveSymbol::Blunder => 4,
            MoveSymbol::Interesting => 5,
            MoveSymbol::Dubious => 6,
        }
    }

    /// The symbol with this numeric annotation glyph.
    #[must_use]
    pub fn from_nag(nag: u8) -> Option<MoveSymbol> {
        MoveSymbol::ALL.into_iter().find(|symbol| symbol.nag() == nag)
    }

    /// In ASCII.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            MoveSymbol::Brilliant => "!!",
            MoveSymbol::Good => "!",
            MoveSymbol::Interesting => "!?",
            MoveSymbol::Dubious => "?!",
            MoveSymbol::Mistake => "?",
            MoveSymbol::Blunder => "??",
        }
    }

    /// As one character of Unicode.
    #[must_use]
    pub const fn unicode(self) -> char {
        match self {
            MoveSymbol::Brilliant => '‼',
            MoveSymbol::Good => '!',
            MoveSymbol::Interesting => '⁉',
            MoveSymbol::Dubious => '⁈',
            MoveSymbol::Mistake => '?',
            MoveSymbol::Blunder => '⁇',
        }
    }

    /// Whether the move is better than its alternative.
    #[must_use]
    pub const fn is_praise(self) -> bool {
        matches!(self, MoveSymbol::Brilliant | MoveSymbol::Good | MoveSymbol::Interesting)
    }
}

/// How large the sectors of the symbols are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveScheme {
    /// Seven equal sectors of the total integral: half the neutral one on either side, 1/14.
    Sevenths,
    /// Eight: a neutral one on either side, 1/8.
    Eighths,
}

impl MoveScheme {
    /// Both.
    pub const ALL: [MoveScheme; 2] = [MoveScheme::Sevenths, MoveScheme::Eighths];

    /// The name on the command line and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            MoveScheme::Sevenths => "sevenths",
            MoveScheme::Eighths => "eighths",
        }
    }

    /// The relevant difference at which a symbol begins, as a share of the total integral: 1/14, 3/14 and 5/14, or 1/8,
    /// 2/8 and 3/8, above 0 whether it is better or worse.
    #[must_use]
    pub fn share(self, symbol: MoveSymbol) -> f64 {
        let sectors = match symbol {
            MoveSymbol::Interesting | MoveSymbol::Dubious => 0.0,
            MoveSymbol::Good | MoveSymbol::Mistake => 1.0,
            MoveSymbol::Brilliant | MoveSymbol::Blunder => 2.0,
        };
        match self {
            MoveScheme::Sevenths => (1.0 + 2.0 * sectors) / 14.0,
            MoveScheme::Eighths => (1.0 + sectors) / 8.0,
        }
    }
}

/// From which evaluation on a move deserves each symbol.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveThresholds {
    /// In the order of [`MoveSymbol::ALL`], in pawns from White's view; `None` where no evaluation is good or bad enough.
    pub evaluations: [Option<f64>; 6],
}

impl MoveThresholds {
    /// The threshold of one symbol.
    #[must_use]
    pub fn of(&self, symbol: MoveSymbol) -> Option<f64> {
        self.evaluations[symbol as usize]
    }
}

impl Relevance {
    /// The symbol of a move of `side` that leads to the evaluation `made` where the alternative (the best other move)
    /// leads to `alternative`, in pawns from White's view; `None` if the two are about equal. At a threshold the symbol
    /// is given.
    #[must_use]
    pub fn move_symbol(&self, scheme: MoveScheme, alternative: f64, made: f64, side: Side) -> Option<MoveSymbol> {
        let gain = match side {
            Side::White => self.integral(alternative, made),
            Side::Black => self.integral(made, alternative),
        };
        let share = gain.abs() / self.total_integral();
        let symbols = if gain >= 0.0 {
            &MoveSymbol::ALL[..3]
        } else {
            &[MoveSymbol::Blunder, MoveSymbol::Mistake, MoveSymbol::Dubious]
        };
        symbols.iter().copied().find(|&symbol| share >= scheme.share(symbol))
    }

    /// The thresholds of all symbols around the evaluation of the alternative, in pawns from White's view.
    #[must_use]
    pub fn move_thresholds(&self, scheme: MoveScheme, alternative: f64, side: Side) -> MoveThresholds {
        let total = self.total_integral();
        let evaluations = MoveSymbol::ALL.map(|symbol| {
            let step = scheme.share(symbol) * total;
            let upwards = symbol.is_praise() == (side == Side::White);
            let above = self.integral_above(alternative);
            self.evaluation_with_integral_above(if upwards { above - step } else { above + step })
        });
        MoveThresholds { evaluations }
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
            MoveSymbol::ALL.iter().map(|symbol| (symbol.text(), symbol.unicode(), symbol.nag())).collect();
        assert_eq!(all, [("!!", '‼', 3), ("!", '!', 1), ("!?", '⁉', 5), ("?!", '⁈', 6), ("?", '?', 2), ("??", '⁇', 4)]);
        for nag in 0..=255 {
            assert_eq!(MoveSymbol::from_nag(nag).is_some(), (1..=6).contains(&nag));
            assert!(MoveSymbol::from_nag(nag).is_none_or(|symbol| symbol.nag() == nag));
        }
    }

    #[test]
    fn shares_are_those_of_the_article() {
        let shares = |scheme: MoveScheme| MoveSymbol::ALL.map(|symbol| scheme.share(symbol));
        assert_eq!(
            shares(MoveScheme::Sevenths),
            [5.0 / 14.0, 3.0 / 14.0, 1.0 / 14.0, 1.0 / 14.0, 3.0 / 14.0, 5.0 / 14.0]
        );
        assert_eq!(shares(MoveScheme::Eighths), [0.375, 0.25, 0.125, 0.125, 0.25, 0.375]);
    }

    /// The article says that from -0.30 a move deserves `!!` from 1.52 or 1.62 on, by the scheme. Its own equations give
    /// other numbers for its own parameters, 1.89 and 2.08: 5/14 and 3/8 of the total integral, as checked by
    /// quadrature here and worked out by hand: F(-0.30) = -0.285, T = 4.457, and F(x) = 5/14 T - 0.285 at x = 1.889.
    #[test]
    fn the_example_of_the_article() {
        let curve = curve(1.5, 3.0, 0.875);
        let from =
            |scheme| curve.move_thresholds(scheme, -0.30, Side::White).of(MoveSymbol::Brilliant).expect("in reach");
        let (sevenths, eighths) = (from(MoveScheme::Sevenths), from(MoveScheme::Eighths));
        assert_eq!((format!("{sevenths:.2}"), format!("{eighths:.2}")), ("1.89".to_owned(), "2.08".to_owned()));
        let total = by_quadrature(&curve, -far(&curve), far(&curve));
        assert!((by_quadrature(&curve, -0.30, sevenths) / total - 5.0 / 14.0).abs() < 1e-12);
        assert!((by_quadrature(&curve, -0.30, eighths) / total - 3.0 / 8.0).abs() < 1e-12);
        // What it claims instead falls short of either share.
        assert!(by_quadrature(&curve, -0.30, 1.62) / total < 0.33);
    }

    #[test]
    fn what_is_out_of_reach_has_no_threshold() {
        let curve = curve(1.5, 3.0, 0.875);
        let white = curve.move_thresholds(MoveScheme::Sevenths, 10.0, Side::White);
        assert_eq!(white.evaluations.map(|threshold| threshold.is_some()), [false, false, false, true, true, true]);
        let black = curve.move_thresholds(MoveScheme::Sevenths, 10.0, Side::Black);
        assert_eq!(black.evaluations.map(|threshold| threshold.is_some()), [true, true, true, false, false, false]);
        // A won position can hardly be spoiled by a second best move that wins, too.
        assert_eq!(curve.move_symbol(MoveScheme::Sevenths, 10.0, 100.0, Side::White), None);
        assert_eq!(curve.move_symbol(MoveScheme::Sevenths, f64::INFINITY, f64::INFINITY, Side::White), None);
        let missed_mate = curve.move_symbol(MoveScheme::Eighths, f64::INFINITY, 0.0, Side::White);
        assert_eq!(missed_mate, Some(MoveSymbol::Blunder));
    }

    proptest! {
        #[test]
        fn thresholds_part_the_symbols(curve in curves(), alternative in -6.0..6.0, eighths: bool, white: bool) {
            let scheme = if eighths { MoveScheme::Eighths } else { MoveScheme::Sevenths };
            let side = if white { Side::White } else { Side::Black };
            let thresholds = curve.move_thresholds(scheme, alternative, side);
            let far = far(&curve).max(10.0);
            let total = by_quadrature(&curve, -far, far);
            for symbol in MoveSymbol::ALL {
                let upwards = symbol.is_praise() == white;
                match thresholds.of(symbol) {
                    Some(at) => {
                        prop_assert_eq!(at > alternative, upwards);
                        let (from, to) = if upwards { (alternative, at) } else { (at, alternative) };
                        let share = by_quadrature(&curve, from, to) / total;
                        prop_assert!((share - scheme.share(symbol)).abs() < 1e-12, "{share}");
                        let beyond = at + if upwards { 1e-6 } else { -1e-6 };
                        let before = at - if upwards { 1e-6 } else { -1e-6 };
                        prop_assert_eq!(curve.move_symbol(scheme, alternative, beyond, side), Some(symbol));
                        prop_assert_ne!(curve.move_symbol(scheme, alternative, before, side), Some(symbol));
                    }
                    None => {
                        let rest = if upwards { (alternative, far) } else { (-far, alternative) };
                        prop_assert!(by_quadrature(&curve, rest.0, rest.1) / total < scheme.share(symbol) + 1e-12);
                    }
                }
            }
        }
    }
}
