//! The test that stands beside printed results: `LLR: 2.95 (-2.94,2.94) <0.00,2.00>`.

use crate::{Decision, Model, Results, Sprt, SprtError};

/// The test of a match, as far as a runner prints it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PrintedTest {
    /// H0: the difference is this.
    pub elo0: f64,
    /// H1: the difference is this.
    pub elo1: f64,
    /// How often H1 may be accepted though H0 is true, by the bounds of the ratio: the roundest number that gives those as printed.
    pub alpha: f64,
    /// How often H0 may be accepted though H1 is true.
    pub beta: f64,
    /// The scale of the bounds, if it stands behind them, as drawish prints it.
    pub model: Option<Model>,
    /// The log-likelihood ratio that is printed last, to two decimals; by it the scale is known where it is not named.
    pub llr: Option<f64>,
    /// The bounds of the ratio as they are printed, the lower one first.
    pub bounds: [f64; 2],
    /// Whether it is written as fishtest does, `<0.00,2.00>` or `{0.00,2.00}`, which ends tests [early](Sprt::decide_as_fishtest).
    pub is_of_fishtest: bool,
    /// The share of the way to a bound in percent, where it stands behind the ratio, as fastchess and drawish print it.
    pub percentage: Option<f64>,
}

impl PrintedTest {
    /// What the runner has decided: by the printed ratio, if that is beyond the printed bounds, or, of fishtest, by the results and the
    /// test that gives them this ratio.
    ///
    /// # Errors
    ///
    /// Those of [`Sprt::llr`].
    pub fn decision(&self, sprt: &Sprt, results: &Results) -> Result<Decision, SprtError> {
        match self.llr {
            Some(llr) if self.is_at_bound() => Ok(if llr > 0.0 { Decision::H1 } else { Decision::H0 }),
            Some(_) if self.is_of_fishtest => sprt.decide_as_fishtest(results),
            _ => Ok(Decision::Continue),
        }
    }

    /// Whether both are one test, wherever its ratio stands and however it is written.
    fn is_same(&self, other: &PrintedTest) -> bool {
        let parts = |test: &PrintedTest| (test.elo0, test.elo1, test.alpha, test.beta, test.model);
        parts(self) == parts(other)
    }

    /// Whether the printed ratio is at one of the printed bounds, or beyond. It may be below and rounded to it, which a percentage shows.
    #[must_use]
    pub fn is_at_bound(&self) -> bool {
        let [lower, upper] = self.bounds;
        let is_whole = self.percentage.is_none_or(|percentage| percentage.abs() >= 100.0);
        is_whole && self.llr.is_some_and(|llr| llr <= lower || llr >= upper)
    }
}

/// What may stand between `LLR` and its value.
const BEFORE_VALUE: [char; 5] = [':', '|', '=', ' ', '\t'];

/// The test that all lines of a text with one agree on, by its last line.
///
/// # Errors
///
/// The first line with a test, and the first with another one.
pub(super) fn test_in(text: &str) -> Result<Option<PrintedTest>, [usize; 2]> {
    let mut tests = text.lines().zip(1..).filter_map(|(line, number)| Some((test_of(line)?, number)));
    let Some((first, begin)) = tests.next() else { return Ok(None) };
    let mut last = first;
    for (test, number) in tests {
        last = test;
        if !test.is_same(&first) {
            return Err([begin, number]);
        }
    }
    Ok(Some(last))
}

/// The first line that begins like a test, with a number behind `LLR` and brackets, of which no bounds can be read.
pub(super) fn unread_in(text: &str) -> Option<usize> {
    let is_unread = |line: &str| {
        let start = line.trim_start();
        let rest = start.get(..3).filter(|word| word.eq_ignore_ascii_case("LLR")).map(|_| &start[3..]);
        let value = rest.map(|rest| rest.trim_start_matches(BEFORE_VALUE));
        value.is_some_and(|value| {
            let begins = value.trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit() || c == '.');
            begins && value.contains(['(', '[', '<', '{']) && test_of(line).is_none()
        })
    };
    text.lines().zip(1..).find(|(line, _)| is_unread(line)).map(|(_, number)| number)
}

/// fishtest has `(-2.94,2.94) <0.00,2.00>` behind the ratio, OpenBench and fastchess `(-2.94, 2.94) [0.00, 2.00]`, fastchess a
/// percentage between.
fn test_of(line: &str) -> Option<PrintedTest> {
    let at = line.to_ascii_uppercase().find("LLR")?;
    let rest = &line[at..];
    let printed = two_of(rest, '(', ')')?;
    let in_brackets = two_of(rest, '[', ']');
    let is_of_fishtest = in_brackets.is_none();
    let elo = in_brackets.or_else(|| two_of(rest, '<', '>')).or_else(|| two_of(rest, '{', '}'))?;
    let [[lower, upper], [elo0, elo1]] = [printed, elo].map(|two| two.map(|(number, _)| number));
    if !(lower < 0.0 && upper > 0.0 && elo0 < elo1) {
        return None;
    }
    let [alpha, beta] = errors(printed);
    let model = Model::ALL.into_iter().find(|model| rest.trim_end().ends_with(&format!("{} Elo", model.name())));
    let ratio = rest[3..].trim_start_matches(BEFORE_VALUE);
    let ratio = &ratio[..ratio.find(|c: char| !(c.is_ascii_digit() || "+-.".contains(c))).unwrap_or(ratio.len())];
    let llr = ratio.parse().ok().filter(|llr: &f64| llr.is_finite());
    let behind_ratio = rest.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map(|(inside, _)| inside);
    let percentage = behind_ratio.and_then(|inside| inside.strip_suffix('%')?.trim().parse().ok());
    Some(PrintedTest { elo0, elo1, alpha, beta, model, llr, bounds: [lower, upper], is_of_fishtest, percentage })
}

/// alpha and beta of the bounds of a ratio, each with its decimals: with two or three significant digits, if these give the bounds that
/// are printed, as somebody has chosen 0.05 and not 0.0502.
fn errors(printed: [(f64, usize); 2]) -> [f64; 2] {
    // lower = ln(beta / (1 - alpha)), upper = ln((1 - beta) / alpha)
    let [below, above] = printed.map(|(bound, _)| bound.exp());
    let alpha = (1.0 - below) / (above - below);
    let exact = [alpha, below * (1.0 - alpha)];
    let are_printed = |&[alpha, beta]: &[f64; 2]| {
        let bounds = [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()];
        let mut both = bounds.iter().zip(printed);
        both.all(|(bound, (printed, decimals))| format!("{bound:.decimals$}") == format!("{printed:.decimals$}"))
    };
    let rounded = |error: f64, digits: usize| format!("{error:.*e}", digits - 1).parse().unwrap_or(error);
    let digits = [[2, 2], [3, 2], [2, 3], [3, 3]].into_iter();
    digits.map(|[one, two]| [rounded(alpha, one), rounded(exact[1], two)]).find(are_printed).unwrap_or(exact)
}

/// No number has more decimals that say anything; longer words are cut, not believed.
const MOST_DECIMALS: usize = 15;

/// The first two numbers with a comma between that stand within these brackets, each with how many decimals it has.
fn two_of(text: &str, open: char, close: char) -> Option<[(f64, usize); 2]> {
    let insides = text.split(open).skip(1).filter_map(|rest| rest.split_once(close)).map(|(inside, _)| inside);
    let two = |inside: &str| {
        let (first, second) = inside.split_once(',')?;
        let number = |word: &str| {
            let word = word.trim();
            let decimals = word.split_once('.').map_or(0, |(_, decimals)| decimals.len());
            Some((word.parse().ok().filter(|number: &f64| number.is_finite())?, decimals.min(MOST_DECIMALS)))
        };
        Some([number(first)?, number(second)?])
    };
    insides.into_iter().find_map(two)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test_in(text: &str) -> Option<PrintedTest> {
        super::test_in(text).expect("one test at most")
    }

    #[test]
    fn a_line_that_begins_like_a_test_without_bounds_is_named() {
        let lines = |line: &str| unread_in(&format!("Penta | [1, 2, 3, 2, 1]\n{line}\n"));
        for unread in [
            "LLR: 2.95 (-2.94,2.94)",
            " llr | 2.95 (-2.94, 2.94) [0.00; 2.00]",
            "LLR: -2.95 (2.94,-2.94) <0.00,2.00>",
            "LLR: 2.95 (~2.94,2.94) <0.00,2.00>",
        ] {
            assert_eq!(lines(unread), Some(2), "{unread}");
        }
        for other in
            ["LLR: 2.95 (-2.94,2.94) <0.00,2.00>", "LLR: 2.95", "LLR (see [1])", "The LLR was 2.95 (-2.94,2.94)", "LLß"]
        {
            assert_eq!(lines(other), None, "{other}");
        }
    }

    #[test]
    fn tests_of_all_runners() {
        let usual = |elo0, elo1, llr| {
            let bounds = [-2.94, 2.94];
            let (llr, model, is_of_fishtest, percentage) = (Some(llr), None, false, None);
            let [alpha, beta] = [0.05; 2];
            Some(PrintedTest { elo0, elo1, alpha, beta, model, llr, bounds, is_of_fishtest, percentage })
        };
        let of_fastchess = |test: Option<PrintedTest>| test.map(|test| PrintedTest { percentage: Some(100.7), ..test });
        let of_fishtest = |test: Option<PrintedTest>| test.map(|test| PrintedTest { is_of_fishtest: true, ..test });
        assert_eq!(
            test_in("LLR: 2.95 (-2.94,2.94) <0.00,2.00>\nTotal: 24 W: 9 L: 7 D: 8"),
            of_fishtest(usual(0.0, 2.0, 2.95))
        );
        assert_eq!(test_in("LLR: -2.95 (-2.94,2.94) {-1.75,0.25}"), of_fishtest(usual(-1.75, 0.25, -2.95)));
        assert_eq!(test_in("LLR   | 2.97 (-2.94, 2.94) [0.00, 5.00]"), usual(0.0, 5.0, 2.97));
        assert_eq!(test_in("LLR = 2.97 (-2.94, 2.94) [0.00, 5.00]"), usual(0.0, 5.0, 2.97));
        assert_eq!(
            test_in("Penta\nLLR: 2.97 (100.7%) (-2.94, 2.94) [0.00, 5.00]\r\n"),
            of_fastchess(usual(0.0, 5.0, 2.97))
        );
        // Standings of one match: the last one counts.
        let twice = "LLR: 1.03 (35.0%) (-2.94, 2.94) [0.00, 5.00]\nLLR: 2.97 (100.7%) (-2.94, 2.94) [0.00, 5.00]";
        assert_eq!(test_in(twice), of_fastchess(usual(0.0, 5.0, 2.97)));
        let twice = "LLR: 1.03 (-2.944, 2.944) [0.00, 5.00], 55% drawn\nLLR: 2.97 (100.7%) (-2.94, 2.94) [0.00, 5.00]";
        assert_eq!(test_in(twice), of_fastchess(usual(0.0, 5.0, 2.97)));
        assert_eq!(test_in("LLR: 2.97 (-2.94, 2.94) [0.00, 5.00], 55% drawn"), usual(0.0, 5.0, 2.97));
        // alpha 0.05 and beta 0.10, which OpenBench also uses
        let other = test_in("LLR | 0.1 (-2.25, 2.89) [-3.00, 0.00]");
        let expected = usual(-3.0, 0.0, 0.1).map(|test| PrintedTest { beta: 0.1, bounds: [-2.25, 2.89], ..test });
        assert_eq!(other, expected);
    }

    /// By the printed ratio; of fishtest, which ends tests before that, by the results.
    #[test]
    fn what_is_decided_is_what_is_printed() {
        let pairs = crate::Pentanomial { ll: 200, ld: 1800, wl_dd: 8000, wd: 3200, ww: 800 };
        let results = Results::Pairs(pairs);
        let sprt = Sprt::new(Model::Normalized, 0.0, 2.0, 0.05, 0.05).expect("a test");
        assert_eq!(sprt.decide_as_fishtest(&results), Ok(Decision::H1));
        for (line, decision) in [
            ("LLR: 2.95 (-2.94,2.94) [0.00, 2.00]", Decision::H1),
            ("LLR: 2.94 (-2.94,2.94) [0.00, 2.00]", Decision::H1),
            ("LLR: -2.94 (-2.94,2.94) [0.00, 2.00]", Decision::H0),
            ("LLR: -2.95 (-2.94,2.94) <0.00,2.00>", Decision::H0),
            ("LLR: -2.93 (-2.94,2.94) [0.00, 2.00]", Decision::Continue),
            ("LLR: 2.93 (-2.94,2.94) [0.00, 2.00]", Decision::Continue),
            ("LLR: 2.94 (99.9%) (-2.94, 2.94) [0.00, 2.00]", Decision::Continue),
            ("LLR: 2.90 (-2.94,2.94) <0.00,2.00>", Decision::H1),
        ] {
            assert_eq!(test_in(line).expect("a test").decision(&sprt, &results), Ok(decision), "{line}");
        }
    }

    /// Whatever errors a test allows, what is read of its printed bounds has the bounds that are printed.
    #[test]
    fn errors_are_those_of_the_printed_bounds() {
        let bounds = |alpha: f64, beta: f64| [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()];
        let read = |lower: &str, upper: &str| {
            let test = test_in(&format!("LLR: 0.10 ({lower}, {upper}) [0.00, 5.00]")).expect("a test");
            (test.alpha, test.beta)
        };
        for (alpha, beta) in
            [(0.0015, 0.0015), (0.0004, 0.0004), (1e-5, 0.25), (1e-9, 1e-9), (0.005, 0.005), (0.125, 0.05), (0.3, 0.4)]
        {
            let [lower, upper] = bounds(alpha, beta).map(|bound| format!("{bound:.2}"));
            assert_eq!(read(&lower, &upper), (alpha, beta));
        }
        for tenths in 1..200 {
            let (alpha, beta) = (1.5_f64.powi(-tenths / 10) * 0.4123, 1.1_f64.powi(-tenths) * 0.4567);
            let printed = bounds(alpha, beta).map(|bound| format!("{bound:.2}"));
            let (alpha, beta) = read(&printed[0], &printed[1]);
            assert_eq!(bounds(alpha, beta).map(|bound| format!("{bound:.2}")), printed, "{alpha} {beta}");
        }
    }

    #[test]
    fn the_scale_is_read_where_it_is_said() {
        for model in Model::ALL {
            let line = format!("LLR: 2.97 (100.7%) (-2.94, 2.94) [0.00, 5.00] {} Elo\n", model.name());
            assert_eq!(test_in(&line).and_then(|test| test.model), Some(model));
        }
    }

    #[test]
    fn no_test_or_several() {
        for text in [
            "",
            "LLR",
            "LLR: 2.95",
            "LLR: 2.95 (-2.94,2.94)",
            "LLR: 2.95 (2.94,-2.94) <0.00,2.00>",
            "LLR: 2.95 (-2.94,2.94) <2.00,0.00>",
            "LLR: 2.95 (-2.94,NaN) <0.00,inf>",
            "ß LLR ( [ ) ]",
        ] {
            assert_eq!(test_in(text), None, "{text}");
        }
        let found = crate::read_printed("LLR: −2.94 (−2.94,2.94) <−1.75,0.25>\nPtnml(0-2): 73, 387, 610, 287, 50")
            .expect("results");
        let found = found.test.expect("a test");
        assert_eq!((found.elo0, found.elo1, found.llr), (-1.75, 0.25, Some(-2.94)));
        // Bounds of either kind, and the scale, make another test; another ratio does not.
        for (other, is_same) in [
            ("LLR: 1.15 (-2.94,2.94) <0.00,2.00>", true),
            ("LLR: 2.95 (-2.94,2.94) <0.50,2.50>", false),
            ("LLR: 2.95 (-2.25,2.89) <0.00,2.00>", false),
            ("LLR: 2.95 (-2.94,2.94) <0.00,2.00> logistic Elo", false),
        ] {
            let found = super::test_in(&format!("a\nLLR: 2.95 (-2.94,2.94) <0.00,2.00>\nb\n{other}"));
            assert_eq!(found.map(|test| test.is_some()), if is_same { Ok(true) } else { Err([2, 4]) }, "{other}");
        }
    }
}
