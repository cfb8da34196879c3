//! What is known of one run of a match: its pairs, its games, or both.

use crate::results::{MixedResults, Pentanomial, Results, Trinomial};

/// The results of one run, for its first side, as far as they are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counted {
    /// Pairs of games by their points.
    pub pairs: Option<Pentanomial>,
    /// Single games; those without a partner may be among them.
    pub games: Option<Trinomial>,
}

impl Counted {
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
    fn the_other_side_sees_the_reverse() {
        let both = Counted { pairs: Some(PAIRS), games: Some(GAMES) };
        let other = both.reversed();
        assert_eq!(other.games, Some(Trinomial { wins: 7, draws: 8, losses: 15 }));
        assert_eq!(other.pairs.map(|pairs| (pairs.ll, pairs.ld, pairs.wd)), Some((5, 4, 2)));
        assert_eq!(other.reversed(), both);
    }
}
