//! Games that several sources have in common: a match that is given as its log and as PGN must not count twice.

use std::collections::HashSet;

use super::{Remark, ResultsError, Run};
use crate::arena::PairRecord;
use drawish_stats::{Counted, Results};

/// What tells the games of a run from others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Prints {
    /// Of each pair, or of each game where games are not paired. Those of logs and those of PGN have nothing to do with each other.
    pub units: Vec<u64>,
    /// The same for a log that stands beside other sources, as PGN of it would have them.
    pub in_san: Option<Vec<u64>>,
    /// Of each game, the same in PGN and in a log that stands beside other sources.
    pub games: Vec<u64>,
}

impl Prints {
    /// Those of logged pairs, each between sides of these names; `beside` other sources also as PGN has them, for which all moves are
    /// played through.
    pub(super) fn of_pairs<'a>(pairs: impl Iterator<Item = (&'a PairRecord, [&'a str; 2])>, beside: bool) -> Prints {
        let mut prints = Prints { in_san: beside.then(Vec::new), ..Prints::default() };
        for (pair, names) in pairs {
            prints.units.extend(pair.fingerprint(names));
            if let Some(in_san) = &mut prints.in_san {
                let games = pair.game_prints(names);
                in_san.extend(games[0].zip(games[1]).map(|(one, two)| one.wrapping_add(two)));
                prints.games.extend(games.into_iter().flatten());
            }
        }
        prints
    }
}

/// Counts the pairs of each run that were played before, in it or in a run before it, and says which runs share games.
///
/// # Errors
///
/// If all games of a run are in another one.
pub(super) fn compare(runs: &mut [Run]) -> Result<(), ResultsError> {
    // Two logs are compared as they are: they may keep some moves as checksums only.
    let are_logs = runs.iter().all(|run| run.prints.games.is_empty() || run.prints.in_san.is_some());
    let mut seen = HashSet::new();
    for at in 0..runs.len() {
        let (before, rest) = runs.split_at_mut(at);
        let run = &mut rest[0];
        let mut found = Vec::new();
        for other in before {
            found.extend(shared(run, other)?);
        }
        run.remarks.extend(found);
        let units = run.prints.in_san.as_ref().filter(|_| !are_logs).unwrap_or(&run.prints.units);
        run.repeated += units.iter().filter(|&&print| !seen.insert(print)).count() as u64;
        let (all, noun) = match run.counted {
            Counted { pairs: Some(pairs), .. } => (Results::Pairs(pairs).games() / 2, "pair"),
            Counted { games, .. } => (games.map_or(0, |games| Results::Games(games).games()), "game"),
        };
        let (repeated, is_any) = (run.repeated, run.repeated > 0);
        run.remarks.extend(is_any.then_some(Remark::Repeated { repeated, all, noun }));
    }
    Ok(())
}

/// What is to be said of a run and one before it.
fn shared(run: &Run, other: &Run) -> Result<Option<Remark>, ResultsError> {
    let are_logs = run.prints.in_san.is_some() && other.prints.in_san.is_some();
    let (own, others, each) = if are_logs {
        (&run.prints.units, &other.prints.units, 2)
    } else {
        (&run.prints.games, &other.prints.games, 1)
    };
    let [own_set, other_set] = [own, others].map(|prints| prints.iter().copied().collect::<HashSet<u64>>());
    let count = |prints: &[u64], set: &HashSet<u64>| prints.iter().filter(|print| set.contains(print)).count();
    for (one, prints, two, set) in [(run, own, other, &other_set), (other, others, run, &own_set)] {
        if !prints.is_empty() && count(prints, set) == prints.len() {
            let games = each * prints.len() as u64;
            return Err(ResultsError::Within { name: one.name.clone(), other: two.name.clone(), games });
        }
    }
    let games = each * count(own, &other_set) as u64;
    Ok((games > 0).then(|| Remark::Shared { games, other: other.name.clone() }))
}
