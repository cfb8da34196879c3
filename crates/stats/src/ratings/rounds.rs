//! Pairs that several encounters play from the same opening: what is known of them together.

use std::collections::{BTreeMap, HashMap};

use super::Encounter;
use super::fit::Information;
use crate::enough::differing;
use crate::results::Pentanomial;

/// A pair of games of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundPair {
    /// Who has played it, by their numbers from 0.
    pub engines: [usize; 2],
    /// Half points of the first of both, 0 to 4; more count as 4.
    pub halves: u8,
    /// What it shares with pairs of other engines, as a rule its opening: pairs of a round may go alike, those of different rounds are
    /// independent.
    pub round: u32,
}

/// A pair of a round: its encounter by its place, and the points of the first side there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Part {
    pub encounter: usize,
    pub points: f64,
}

/// Encounters, and the pairs of each round.
pub(super) fn gathered(pairs: &[RoundPair]) -> (Vec<Encounter>, Vec<Vec<Part>>) {
    let mut met: Vec<Encounter> = Vec::new();
    let mut places: HashMap<[usize; 2], usize> = HashMap::new();
    let mut rounds: BTreeMap<u32, Vec<Part>> = BTreeMap::new();
    for pair in pairs {
        let [one, two] = pair.engines;
        let encounter = *places.entry([one.min(two), one.max(two)]).or_insert_with(|| {
            met.push(Encounter { engines: pair.engines, pairs: Pentanomial::default() });
            met.len() - 1
        });
        let met = &mut met[encounter];
        let halves = if met.engines == pair.engines { pair.halves.min(4) } else { 4 - pair.halves.min(4) };
        let Pentanomial { ll, ld, wl_dd, wd, ww } = &mut met.pairs;
        *[ll, ld, wl_dd, wd, ww][usize::from(halves)] += 1;
        rounds.entry(pair.round).or_default().push(Part { encounter, points: f64::from(halves) / 2.0 });
    }
    (met, rounds.into_values().collect())
}

/// In how many rounds an engine has played, and in how many of these it made other points a pair than in most.
pub(super) fn of_engine(engine: usize, met: &[Encounter], rounds: &[Vec<Part>]) -> (usize, u64) {
    let points = rounds.iter().filter_map(|round| {
        let own = round.iter().filter_map(|part| {
            let side = met[part.encounter].side_of(engine)?;
            Some(if side == 0 { part.points } else { 2.0 - part.points })
        });
        let (sum, pairs) = own.fold((0.0, 0_u32), |(sum, pairs), points| (sum + points, pairs + 1));
        (pairs > 0).then(|| sum / f64::from(pairs))
    });
    let points: Vec<f64> = points.collect();
    (points.len(), differing(points))
}

/// The middle of the sandwich: the sum over rounds of the outer product of what all pairs of the round add to the slopes of the
/// likelihood. The residuals of a fit are smaller than the errors, so each sum is multiplied by (1 - P)^(-1/2), P being the
/// information of the round by that of all: then its expected square is right if the model is (R. M. Bell and D. F. McCaffrey 2002, CR2);
/// with one pair in each round that is HC2. `None` where a round alone says something: its residuals are 0, however large the errors.
pub(super) fn middle(rounds: &[Vec<Part>], information: &Information<'_>) -> Option<Vec<Vec<f64>>> {
    let size = information.size();
    let mut middle = vec![vec![0.0; size]; size];
    for round in rounds {
        if information.is_all_of(round) {
            return None;
        }
        let mut term = information.slopes(round);
        let mut sum = term.clone();
        let mut factor = 1.0;
        let norm = |of: &[f64]| of.iter().map(|value| value.abs()).fold(0.0, f64::max);
        for power in 0..MOST_TERMS {
            term = information.share_of(round, &term);
            factor *= (2.0 * f64::from(power) + 1.0) / (2.0 * f64::from(power) + 2.0);
            sum.iter_mut().zip(&term).for_each(|(sum, term)| *sum += factor * term);
            if factor * norm(&term) <= 1e-9 * norm(&sum) {
                break;
            }
        }
        for (row, own) in middle.iter_mut().zip(&sum) {
            row.iter_mut().zip(&sum).for_each(|(value, other)| *value += own * other);
        }
    }
    Some(middle)
}

/// Of the series of (1 - P)^(-1/2), which converges within these for all rounds but such as say nearly everything themselves.
const MOST_TERMS: u32 = 5000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_gathered_from_the_first_side_met() {
        let pair = |engines, halves, round| RoundPair { engines, halves, round };
        let (met, rounds) = gathered(&[pair([2, 0], 4, 7), pair([0, 2], 1, 3), pair([2, 0], 9, 3), pair([0, 1], 0, 7)]);
        assert_eq!(met.iter().map(|met| met.engines).collect::<Vec<_>>(), [[2, 0], [0, 1]]);
        assert_eq!(met[0].pairs, Pentanomial { wd: 1, ww: 2, ..Pentanomial::default() });
        assert_eq!(met[1].pairs, Pentanomial { ll: 1, ..Pentanomial::default() });
        let part = |encounter, points| Part { encounter, points };
        assert_eq!(rounds, [vec![part(0, 1.5), part(0, 2.0)], vec![part(0, 2.0), part(1, 0.0)]]);
        // Engine 0: 2 - 1.5 and 2 - 2 points in round 3; 0 of both its pairs in round 7.
        assert_eq!((of_engine(0, &met, &rounds), of_engine(1, &met, &rounds).0), ((2, 1), 1));
    }

    /// An engine that loses every pair makes no points in any round, however many pairs it plays there; its opponents make all.
    #[test]
    fn an_engine_that_always_loses_makes_the_same_points_in_every_round() {
        let pair = |engines, halves, round| RoundPair { engines, halves, round };
        let (met, rounds) = gathered(&[pair([0, 1], 0, 1), pair([0, 1], 0, 2), pair([2, 0], 4, 2), pair([1, 0], 4, 3)]);
        assert_eq!(of_engine(0, &met, &rounds), (3, 0));
        assert_eq!(of_engine(1, &met, &rounds), (3, 0));
        assert_eq!(of_engine(2, &met, &rounds), (1, 0));
        assert_eq!(of_engine(3, &met, &rounds), (0, 0));
    }
}
