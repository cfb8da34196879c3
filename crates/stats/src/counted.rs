//! What is known of one run of a match: its pairs, its games, or both.

use thiserror::Error;

use crate::printed::MOST_RESULTS;
use crate::results::{MixedResults, Pentanomial, Results, Trinomial};

/// The results of one run, for its first side, as far as they are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counted {
    /// Pairs of games by their points.
    pub pairs: Option<Pentanomial>,
    /// Single games; those without a partner may be among them.
    pub games: Option<Trinomial>,
}

/// Why words are not the results of runs.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum CountedWordsError {
    #[error("{word} is not a number of {what}: expected 0 to 1,000,000,000,000,000")]
    Number { word: String, what: &'static str },
    #[error("expected {wanted} numbers for each run ({what}), found {found}")]
    Numbers { wanted: usize, what: &'static str, found: usize },
}

impl Counted {
    /// Runs by their pairs: five numbers for each run, with blanks, commas or brackets between.
    ///
    /// ```
    /// use drawish_stats::Counted;
    ///
    /// assert_eq!(Counted::of_pairs("[50, 287, 610, 387, 73] 1 2 3 4 5")?.len(), 2);
    /// assert!(Counted::of_pairs("1 2 3").is_err());
    /// # Ok::<(), drawish_stats::CountedWordsError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a word is not a number, or one above [`MOST_RESULTS`], or the last run is not whole.
    pub fn of_pairs(words: &str) -> Result<Vec<Counted>, CountedWordsError> {
        let of = |[ll, ld, wl_dd, wd, ww]: [u64; 5]| Pentanomial { ll, ld, wl_dd, wd, ww };
        let runs = numbers(words, "pairs with 0, 1/2, 1, 3/2 and 2 points")?;
        Ok(runs.into_iter().map(|run| Counted { pairs: Some(of(run)), games: None }).collect())
    }

    /// Runs by their games: for each run those won, drawn and lost, with blanks, commas or brackets between.
    ///
    /// # Errors
    ///
    /// As [`of_pairs`](Self::of_pairs).
    pub fn of_games(words: &str) -> Result<Vec<Counted>, CountedWordsError> {
        let of = |[wins, draws, losses]: [u64; 3]| Trinomial { wins, draws, losses };
        let runs = numbers(words, "games won, drawn and lost")?;
        Ok(runs.into_iter().map(|run| Counted { pairs: None, games: Some(of(run)) }).collect())
    }

    /// The same for the other side.
    #[must_use]
    pub fn reversed(self) -> Counted {
        let pairs = |Pentanomial { ll, ld, wl_dd, wd, ww }| Pentanomial { ll: ww, ld: wd, wl_dd, wd: ld, ww: ll };
        let games = |Trinomial { wins, draws, losses }| Trinomial { wins: losses, draws, losses: wins };
        Counted { pairs: self.pairs.map(pairs), games: self.games.map(games) }
    }

    /// The results of several runs of one kind: by pairs where all runs have them, else by games. With `as_games` always by games,
    /// which a bayesian test wants.
    ///
    /// # Errors
    ///
    /// If one run has only pairs and another only games, or there are no games where games are wanted.
    pub fn results(runs: &[Counted], as_games: bool) -> Result<Vec<Results>, MixedResults> {
        let pairs = || runs.iter().map(|run| run.pairs.map(Results::Pairs)).collect::<Option<Vec<_>>>();
        let games = || runs.iter().map(|run| run.games.map(Results::Games)).collect::<Option<Vec<_>>>();
        if as_games { games().or_else(pairs) } else { pairs().or_else(games) }.ok_or(MixedResults)
    }
}

/// So many whole numbers for each run.
fn numbers<const N: usize>(words: &str, what: &'static str) -> Result<Vec<[u64; N]>, CountedWordsError> {
    let words = words.split([' ', ',', '[', ']']).filter(|word| !word.is_empty());
    let number = |word: &str| {
        let number = word.parse().ok().filter(|number| *number <= MOST_RESULTS);
        number.ok_or_else(|| CountedWordsError::Number { word: word.to_owned(), what })
    };
    let numbers = words.map(number).collect::<Result<Vec<u64>, _>>()?;
    match numbers.as_chunks() {
        (runs, []) => Ok(runs.to_vec()),
        _ => Err(CountedWordsError::Numbers { wanted: N, what, found: numbers.len() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRS: Pentanomial = Pentanomial { ll: 1, ld: 2, wl_dd: 3, wd: 4, ww: 5 };
    const GAMES: Trinomial = Trinomial { wins: 15, draws: 8, losses: 7 };

    #[test]
    fn pairs_are_taken_where_all_runs_have_them() {
        let both = Counted { pairs: Some(PAIRS), games: Some(GAMES) };
        let games = Counted { games: Some(GAMES), ..Counted::default() };
        let pairs = Counted { pairs: Some(PAIRS), ..Counted::default() };
        let of = |runs: &[Counted]| Counted::results(runs, false);
        assert_eq!(of(&[both, pairs]), Ok(vec![Results::Pairs(PAIRS); 2]));
        assert_eq!(of(&[both, games]), Ok(vec![Results::Games(GAMES); 2]));
        assert_eq!(of(&[pairs, games]), Err(MixedResults));
        assert_eq!(Counted::results(&[both], true), Ok(vec![Results::Games(GAMES)]));
        assert_eq!(Counted::results(&[pairs], true), Ok(vec![Results::Pairs(PAIRS)]), "the test itself refuses them");
    }

    #[test]
    fn words_are_runs_of_numbers() {
        let run = Counted { games: Some(Trinomial { wins: 1, draws: 2, losses: 3 }), pairs: None };
        assert_eq!(Counted::of_games(" [1,2, 3] 1 2 3"), Ok(vec![run, run]));
        assert_eq!(Counted::of_games(""), Ok(Vec::new()));
        assert_eq!(Counted::of_pairs("1 2 3 4 5").map(|runs| runs[0].pairs), Ok(Some(PAIRS)));
        let error = |words| Counted::of_games(words).map_err(|error| error.to_string());
        let what = "games won, drawn and lost";
        let most = "expected 0 to 1,000,000,000,000,000";
        assert_eq!(error("1 -2 3"), Err(format!("-2 is not a number of {what}: {most}")));
        assert_eq!(error("1 1000000000000001"), Err(format!("1000000000000001 is not a number of {what}: {most}")));
        assert_eq!(error("1 2 3 4"), Err(format!("expected 3 numbers for each run ({what}), found 4")));
    }

    #[test]
    fn the_other_side_sees_the_reverse() {
        let both = Counted { pairs: Some(PAIRS), games: Some(GAMES) };
        let other = both.reversed();
        assert_eq!(other.games, Some(Trinomial { wins: 7, draws: 8, losses: 15 }));
        assert_eq!(other.pairs.map(|pairs| (pairs.ll, pairs.ld, pairs.wd)), Some((5, 4, 2)));
        assert_eq!(other.reversed(), both);
    }
}
