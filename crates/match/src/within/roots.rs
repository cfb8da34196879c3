//! Positions of games whose moves are compared.

use std::collections::HashSet;
use std::convert::Infallible;
use std::num::{NonZero, NonZeroU32};
use std::ops::Range;

use drawish_artefact::provenance::InputRecord;
use drawish_core::{Outcome, Wdl};
use drawish_engine::eval::State;
use drawish_games::pgn::{Anomalies, Input, InputProblems, Progress, Step, read_in_order};
use drawish_games::sample::{CountedGame, Dedupe, Rule, Sampler, SkipReason, Take, Tally};
use drawish_games::training::LooseBoard;
use shakmaty::{Chess, Position};
use twox_hash::XxHash3_64;

/// A position of a game.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub position: Chess,
    /// What tells its game from others.
    pub game: u64,
    /// The same of its first half-moves: games that begin alike depend on each other.
    pub beginning: u64,
    pub outcome: Outcome,
    /// By which positions are drawn.
    lot: u64,
    /// Whether it is the first of its game: a copy may stand directly behind it.
    is_first: bool,
}

/// Positions of all games that count.
#[derive(Debug, Default)]
pub(super) struct Roots {
    /// In the order of their lots.
    pub drawn: Vec<Root>,
    /// Positions that were taken of games.
    pub sampled: u64,
    /// Positions that had come before, in other games.
    pub repeated: u64,
    /// Results of the games of `drawn`, for White.
    pub results: Wdl,
    pub tally: Tally,
    pub anomalies: Anomalies,
    pub problems: InputProblems,
    pub inputs: Vec<InputRecord>,
}

/// Takes some positions of each game, drawn by a hash of the game.
#[derive(Debug)]
struct TakeRoots {
    per_game: NonZeroU32,
    /// Only positions of at most so many men, kings included.
    men: Option<usize>,
    roots: Vec<Root>,
}

impl Roots {
    /// Reads games and draws at most `most` of their positions, of at most `men` men.
    pub fn gather(
        inputs: Vec<Input>,
        rule: &Rule,
        (per_game, men): (NonZeroU32, Option<usize>),
        most: usize,
        threads: NonZero<usize>,
        progress: &Progress<'_>,
    ) -> Roots {
        let mut roots = Roots::default();
        let inputs = roots.problems.leave_out_copies(inputs);
        let (mut games, mut positions) = (HashSet::new(), HashSet::new());
        let take = |step: Step<'_, Tally, TakeRoots>| {
            match step {
                Step::Chunk { found, account, .. } => {
                    for game in found.roots.chunk_by(|_, next| !next.is_first) {
                        if rule.dedupe != Dedupe::No && !games.insert(game[0].game) {
                            account.withdraw(SkipReason::Duplicate, 1);
                            account.positions -= game.len() as u64;
                            continue;
                        }
                        for root in game {
                            roots.sampled += 1;
                            if positions.insert(key(&root.position)) {
                                roots.drawn.push(root.clone());
                            } else {
                                roots.repeated += 1;
                            }
                        }
                    }
                }
                Step::End(read) => {
                    roots.problems.note(&read);
                    roots.inputs.push(read.record(read.account.counted()));
                    roots.tally += read.account;
                    roots.anomalies += read.anomalies;
                }
            }
            Ok::<_, Infallible>(())
        };
        let sampler = || Sampler::with(rule, TakeRoots { per_game, men, roots: Vec::new() });
        let Ok(()) = read_in_order(&inputs, threads, progress, sampler, Sampler::into_parts, take);
        // By lot, so that some of the roots are a sample of all; the stable order of the input decides between equals.
        roots.drawn.sort_by_key(|root| root.lot);
        roots.drawn.truncate(most);
        let mut seen = HashSet::new();
        for root in roots.drawn.iter().filter(|root| seen.insert(root.game)) {
            match root.outcome {
                Outcome::WhiteWin => roots.results.wins += 1,
                Outcome::Draw => roots.results.draws += 1,
                Outcome::BlackWin => roots.results.losses += 1,
            }
        }
        roots
    }
}

/// What tells a position from others: pieces, turn, rights, and not the clock.
fn key(position: &Chess) -> u64 {
    State::new(position.clone()).key()
}

impl Take for TakeRoots {
    const WHOLE_GAMES: bool = true;

    fn take(&mut self, game: &CountedGame<'_>) -> Option<u64> {
        let first = self.roots.len();
        let wanted = self.of_few_men(game)?;
        let plies = drawn(game.fingerprint, wanted, self.per_game);
        let mut position = game.start.cloned().unwrap_or_default();
        for ply in 0..=plies.last().copied().unwrap_or(0) {
            if plies.binary_search(&ply).is_ok() {
                let lot = lot(game.fingerprint, ply as u64 + (1 << 32));
                let (outcome, beginning) = (game.outcome, game.identity.beginning);
                let (game, is_first) = (game.fingerprint, self.roots.len() == first);
                self.roots.push(Root { position: position.clone(), game, beginning, outcome, lot, is_first });
            }
            if let Some(played) = game.moves.get(ply) {
                let Ok(legal) = played.to_move(&position) else {
                    self.roots.truncate(first);
                    return None;
                };
                position.play_unchecked(legal);
            }
        }
        Some((self.roots.len() - first) as u64)
    }

    /// A position without a game says nothing about the game that it is of: no errors by games.
    fn take_board(&mut self, _: &LooseBoard, _: u64) -> bool {
        false
    }
}

impl TakeRoots {
    /// The wanted half-moves of a game from where it has no more men than asked for.
    fn of_few_men(&self, game: &CountedGame<'_>) -> Option<Range<usize>> {
        let Range { start, end } = game.wanted;
        let Some(men) = self.men else { return Some(start..end) };
        let mut position = game.start.cloned().unwrap_or_default();
        for ply in 0..end {
            if position.board().occupied().count() <= men {
                return Some(start.max(ply)..end);
            }
            let Some(played) = game.moves.get(ply) else { break };
            position.play_unchecked(played.to_move(&position).ok()?);
        }
        Some(end..end)
    }
}

fn lot(game: u64, number: u64) -> u64 {
    XxHash3_64::oneshot_with_seed(number, &game.to_le_bytes())
}

/// So many half-moves of these, or fewer, in ascending order; none of none.
fn drawn(game: u64, wanted: Range<usize>, count: NonZeroU32) -> Vec<usize> {
    let of = |number: u32| {
        let lot = u128::from(lot(game, number.into()));
        // The high half of a product spreads a hash evenly over any number of choices.
        wanted.start + usize::try_from((lot * wanted.len() as u128) >> 64).unwrap_or_default()
    };
    let mut plies: Vec<usize> = (0..count.get()).map(of).filter(|ply| wanted.contains(ply)).collect();
    plies.sort_unstable();
    plies.dedup();
    plies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_positions_are_those_wanted() {
        let eight = NonZeroU32::new(8).expect("not 0");
        let mut seen = [0; 20];
        for game in 0..1000 {
            let plies = drawn(game, 10..30, eight);
            assert!(plies.is_sorted_by(|one, other| one < other) && plies.len() <= 8);
            plies.iter().for_each(|ply| seen[ply - 10] += 1);
        }
        assert!(seen.iter().all(|&times| (250..450).contains(&times)), "{seen:?}");
        assert_eq!(drawn(7, 3..4, eight), [3]);
        assert!(drawn(7, 3..3, eight).is_empty());
    }
}
