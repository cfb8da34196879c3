//! The WDL head in the `.heads` file that [`drawish_core::head`] reads and documents.

use super::binary::{BinaryHeads, SumKind};
use super::file::HeadError;
use super::wdl::{WdlHead, WeightedSum};

/// The line is kept in units of 1 / 2^10 logit.
const LINE_UNIT: f64 = 1024.0;

/// The line P in whole 1/1,024 logit: it still never falls, and P(x) + P(-x) is still at most 0, which rounding each value for itself
/// would not always leave so.
pub(super) fn line_in_units(line: &[f64]) -> Vec<i16> {
    #[cfg_attr(
        not(test),
        expect(clippy::cast_possible_truncation, reason = "`as` saturates, and the line has a range")
    )]
    let whole: Vec<i16> = line.iter().map(|p| (p * LINE_UNIT).round() as i16).collect();
    let bounded = whole.iter().zip(whole.iter().rev()).map(|(&p, &opposite)| p.min(opposite.min(0).saturating_neg()));
    // On the left of the middle the bound is 0, on the right what the left allows.
    bounded.collect()
}

/// The same in logits.
pub(super) fn quantised_line(line: &[f64]) -> Vec<f64> {
    line_in_units(line).into_iter().map(|p| f64::from(p) / LINE_UNIT).collect()
}

impl BinaryHeads {
    /// Adds the WDL head: its three sums and its line, with weights in 16 bits as [`WdlHead::quantised`] has them.
    ///
    /// # Errors
    ///
    /// Those of [`WdlHead::model`], or if a weight does not fit 16 bits.
    pub fn wdl(&mut self, head: &WdlHead) -> Result<(), HeadError> {
        head.model()?;
        for (kind, sum) in
            [(SumKind::Threshold, &head.threshold), (SumKind::Slope, &head.slope), (SumKind::Shift, &head.shift)]
        {
            let WeightedSum { constant, shift, terms } = sum;
            self.sum(kind, *shift, *constant, terms, [0; 2])?;
        }
        self.line(&head.knots, &head.line);
        Ok(())
    }
}

impl WdlHead {
    /// The head as a `.heads` file, without other heads; [`HeadsFile::blocks`](super::HeadsFile::blocks) begins one with several. The
    /// same head gives the same bytes.
    ///
    /// # Errors
    ///
    /// Those of [`BinaryHeads::wdl`].
    pub fn to_binary(&self) -> Result<Vec<u8>, HeadError> {
        let source = self.to_toml().map_err(|error| HeadError::Text(error.to_string()))?;
        let mut blocks = BinaryHeads::new();
        blocks.wdl(self)?;
        blocks.finish(self.rows as u64, source.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use drawish_core::{Board, Centipawns, Color, Heads, Wdl};
    use proptest::prelude::*;

    use super::*;
    use crate::features;
    use crate::heads::{Term, WDL_HEAD_VERSION, permille};
    use crate::normalisation;

    /// Terms of each kind and family, weights as large as they come.
    fn head(weights: &[f64], line: [f64; 4]) -> WdlHead {
        let terms = |texts: &[&str]| texts.iter().map(|text| text.parse().expect("a term")).collect::<Vec<Term>>();
        let [a, b, c, d] = line;
        let far = d + c + b + a;
        WdlHead {
            format: "wdl-head".to_owned(),
            version: WDL_HEAD_VERSION,
            made_by: String::new(),
            games: 0,
            rows: 7,
            events: 0,
            weighting: "game".to_owned(),
            largest_eval: 1000,
            results: Wdl::default(),
            loss: 0.0,
            quantised_loss: 0.0,
            knots: vec![-1000, -600, -100, 0, 100, 600, 1000],
            line: vec![-far, -(c + b + a), -(b + a), -a, b, b + c, b + c + d],
            rules: Vec::new(),
            warnings: Vec::new(),
            sketch: crate::heads::GameSketch::default(),
            inputs: Vec::new(),
            threshold: WeightedSum::new(
                weights[0],
                &terms(&["phase", "rams", "rule50", "pawns @ 4,8", "rooks @ 1 * passers @ 1"]),
                &weights[1..11],
            ),
            slope: WeightedSum::new(weights[11], &terms(&["npm", "both_flanks", "rule50 @ 20,60"]), &weights[12..17]),
            shift: WeightedSum::new(0.0, &terms(&["tempo_mg", "king_attack_mg", "passer_eg"]), &weights[17..20]),
        }
    }

    /// White's permille by the definition and by the integers of engines, of which the definition has the weights.
    fn both(head: &WdlHead, evals: &[i32]) -> Result<(), TestCaseError> {
        let bytes = head.to_binary().expect("a file");
        let heads = Heads::from_bytes(&bytes).expect("heads");
        prop_assert_eq!(heads.verify(), Ok(()));
        let model = head.quantised().model().expect("a head");
        for board in normalisation::boards().iter().step_by(29) {
            for halfmoves in [board.halfmoves(), 100] {
                let [white, black] = board.colors();
                let board = Board::from_roles(board.roles(), white, black, board.turn(), halfmoves.into());
                let mut values = [0; features::COUNT];
                features::fill(&features::View::new(&board), &mut values);
                for &eval in evals {
                    let own = if board.turn() == Color::White { eval } else { eval.saturating_neg() };
                    let found = heads.wdl(&board, Centipawns(own)).expect("a WDL head");
                    let found = if board.turn() == Color::White { found.win } else { found.loss };
                    let direct = heads.wdl_head().expect("a WDL head").wdl(&values, Centipawns(eval));
                    prop_assert_eq!((direct.win, direct.win + direct.draw + direct.loss), (found, 1000));
                    let wdl = model.wdl(&values, eval);
                    let expected = permille(wdl);
                    let near = |one: u16, other: u16| one.abs_diff(other) <= 1;
                    prop_assert!(
                        near(expected.wins, direct.win) && near(expected.losses, direct.loss),
                        "{board:?} {eval}: {wdl:?}, {direct:?}"
                    );
                }
            }
        }
        Ok(())
    }

    /// Ordinary evaluations, the knots and what lies beyond them, the last that is none of a mate, mates.
    const EVALS: [i32; 17] =
        [0, 1, -1, 37, -250, 600, -601, 999, -1000, 2000, -9_998, 9_999, -9_999, 10_000, -10_001, 31_000, i32::MIN];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn integers_say_what_the_definition_says(
            weights in proptest::collection::vec(-0.3..0.3_f64, 20),
            line in proptest::array::uniform4(0.0..4.0_f64),
        ) {
            both(&head(&weights, line), &EVALS)?;
        }

        /// Sums that leave their ranges, and scores beyond ±16 logits.
        #[test]
        fn at_the_far_ends_too(
            weights in proptest::collection::vec(-3.0..3.0_f64, 20),
            line in proptest::array::uniform4(0.0..7.0_f64),
        ) {
            both(&head(&weights, line), &EVALS)?;
        }

        #[test]
        fn a_rounded_line_is_one(line in proptest::collection::vec(-0.01..0.01_f64, 4), middle in -0.004..0.004_f64) {
            let mut left = line;
            left.push(middle.min(0.0));
            left.sort_by(f64::total_cmp);
            let right = left.iter().rev().skip(1).map(|p| -p);
            let line: Vec<f64> = left.iter().copied().chain(right).collect();
            let mut sorted = line.clone();
            sorted.sort_by(f64::total_cmp);
            let whole = line_in_units(&sorted);
            prop_assert!(whole.is_sorted());
            prop_assert!(whole.iter().zip(whole.iter().rev()).all(|(one, other)| one + other <= 0), "{:?}", whole);
        }
    }

    #[test]
    fn weights_that_do_not_fit_are_refused_by_name() {
        let mut head = head(&[0.1; 20], [0.1; 4]);
        head.threshold.shift = 15;
        head.threshold.terms[1].weights[0] = 1.5;
        let error = head.to_binary().expect_err("a weight").to_string();
        assert!(error.contains("within ±0.99"), "{error}");
        head.threshold.terms[1].weights[0] = 0.5;
        head.shift.constant = 0.5;
        let error = head.to_binary().expect_err("a constant").to_string();
        assert!(error.contains("constant is 0.5, expected 0"), "{error}");
    }
}
