//! A head for another engine: the two numbers that make most of the difference, fitted to some of its games.

use std::collections::HashMap;
use std::num::NonZero;

use drawish_artefact::provenance::InputRecord;
use drawish_core::{Outcome, Wdl};
use drawish_heads::heads::{GameSketch, HeadError, WdlHead, WdlModel, WdlScores};
use drawish_stats::numeric::{in_order, nelder_mead};
use drawish_stats::{are_enough, jackknife_errors, reach_of_95_percent_of_worth, worth};

use super::super::remark::lines;
use super::positions::{Block, OFFSET, Positions, even_places, odd_places, phase_column};
use drawish_heads::features;

/// What a head says of positions before the two numbers.
pub(super) struct Asked {
    /// The scores, and the line at the evaluation and its opposite.
    rows: Vec<(WdlScores, f64, f64)>,
}

/// A head with its two numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rescaled {
    /// What the line makes of an evaluation counts this many times, which is no factor between units of evaluations: the line bends.
    pub scale: f64,
    /// The draw zone is this many times as wide.
    pub width: f64,
}

impl Asked {
    pub fn new(positions: &Positions, head: &WdlHead, threads: NonZero<usize>) -> Result<Asked, HeadError> {
        let model = head.model()?;
        let mut rows = Vec::with_capacity(positions.len());
        in_order(&positions.blocks, threads, |_, block| ask(&model, block), |mut part| rows.append(&mut part));
        Ok(Asked { rows })
    }

    /// The probabilities of a position with other numbers.
    pub fn wdl(&self, row: usize, numbers: Rescaled) -> Wdl<f64> {
        let (scores, ahead, behind) = self.rows[row];
        let (slope, threshold) = (scores.slope + numbers.scale.ln(), scores.threshold + numbers.width.ln());
        WdlScores { slope, threshold, ..scores }.wdl(ahead, behind)
    }
}

fn ask(model: &WdlModel, block: &Block) -> Vec<(WdlScores, f64, f64)> {
    let mut values = vec![0; features::all().len()];
    let one = |row| {
        for (&place, &value) in even_places().iter().zip(block.even(row)) {
            values[place] = i16::from(value) - OFFSET;
        }
        let phase = i16::from(block.even(row)[phase_column()]) - OFFSET;
        for (&[opening, ending], &value) in odd_places().iter().zip(block.odd(row)) {
            (values[opening], values[ending]) = (value * phase, value * (24 - phase));
        }
        let eval = f64::from(block.evals[row]);
        (model.scores(&values), model.line(eval), model.line(-eval))
    };
    (0..block.len()).map(one).collect()
}

const AS_IT_IS: Rescaled = Rescaled { scale: 1.0, width: 1.0 };

/// The mean loss in bits, weighted as the positions are.
pub(super) fn mean_loss(positions: &Positions, head: &WdlHead, threads: NonZero<usize>) -> Result<f64, HeadError> {
    let asked = Asked::new(positions, head, threads)?;
    Ok(loss(positions, &asked, AS_IT_IS, None))
}

/// The mean loss in bits over some positions.
pub(super) fn loss(positions: &Positions, asked: &Asked, numbers: Rescaled, some: Option<&[bool]>) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    let each = positions.each(|block, row| (f64::from(block.weights[row]), block.outcomes[row]));
    for (row, (weight, outcome)) in each.enumerate().filter(|(row, _)| some.is_none_or(|some| some[*row])) {
        sum -= weight * asked.wdl(row, numbers).of(outcome).max(1e-12).log2();
        weights += weight;
    }
    sum / f64::max(weights, 1e-9)
}

/// Fits the two numbers to some positions.
pub(super) fn fit(positions: &Positions, asked: &Asked, some: Option<&[bool]>) -> Rescaled {
    let of = |logs: &[f64]| Rescaled { scale: logs[0].exp(), width: logs[1].exp() };
    // A weak prior: without it a handful of games could send them anywhere.
    let objective =
        |logs: &[f64]| loss(positions, asked, of(logs), some) + 1e-4 * (logs[0] * logs[0] + logs[1] * logs[1]);
    of(&nelder_mead(&[0.0, 0.0], 0.3, objective))
}

/// A head for another engine.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct RescaledHead {
    /// The head with its two numbers, which has seen both: the games of its weights, and those of the two numbers.
    pub head: WdlHead,
    /// The two numbers.
    pub numbers: Rescaled,
    /// Both ends of their 95 % intervals, by the jackknife over blocks of openings, not below 0; `None` where the openings make fewer than
    /// ten blocks, or blocks worth fewer than five of equal size, or where fewer than two of them have draws or decided games.
    pub interval_95: Option<[Rescaled; 2]>,
}

/// Fits the two numbers of another engine's head to positions: what its line makes of evaluations times `scale`, its draw zone times `width`.
///
/// # Errors
///
/// Those of [`WdlHead::model`].
pub fn rescale(positions: &Positions, head: &WdlHead, threads: NonZero<usize>) -> Result<RescaledHead, HeadError> {
    let asked = Asked::new(positions, head, threads)?;
    let numbers = fit(positions, &asked, None);
    let mut moved = head.rescaled(numbers.scale, numbers.width);
    let is_new = |input: &&InputRecord| head.inputs.iter().all(|seen| !seen.shares_games_with(input));
    moved.inputs.extend(positions.inputs().iter().filter(is_new).cloned());
    moved.sketch = GameSketch::of(positions.numbered_events().games().chain(head.sketch.keys().iter().copied()));
    moved.rules.extend(positions.rules().iter().cloned());
    let interval_95 = interval_95(positions, &asked, numbers, threads);
    let mut found = RescaledHead { head: moved, numbers, interval_95 };
    // After those of the fit to the games of its weights.
    let known = positions.known_to(head).map(|seen| {
        format!("{}: the head was fitted to games of this file, so that its scale on them is its own", seen.name)
    });
    let known = known.chain(positions.known_games(head).map(|remark| remark.to_string()));
    for line in lines(&positions.remarks()).into_iter().chain(known).chain(found.remarks()) {
        if !found.head.warnings.contains(&line) {
            found.head.warnings.push(line);
        }
    }
    Ok(found)
}

/// Blocks of openings for the errors.
const BLOCKS: usize = 20;

/// The block of each game by its opening: openings in the order in which they come first, cut into runs of about as many games. So games
/// of one opening, which may differ in their last moves only, are in one block, and games that follow each other, as those of a pair do,
/// mostly are.
fn blocks_of(openings: &[u32]) -> Vec<usize> {
    let mut games: HashMap<u32, usize> = HashMap::new();
    openings.iter().for_each(|&opening| *games.entry(opening).or_default() += 1);
    let mut blocks: HashMap<u32, usize> = HashMap::new();
    let mut before = 0;
    let mut of_game = Vec::with_capacity(openings.len());
    for &opening in openings {
        let block = *blocks.entry(opening).or_insert_with(|| {
            let block = before * BLOCKS / openings.len();
            before += games[&opening];
            block
        });
        of_game.push(block);
    }
    of_game
}

/// How many standard errors an interval reaches, by the jackknife of blocks of such weights: by what they are worth. `None` where
/// these are too few to tell how much games differ.
fn reach_of(sizes: &[f64]) -> Option<f64> {
    let worth = worth(sizes.iter().copied());
    are_enough(sizes.len(), worth).then(|| reach_of_95_percent_of_worth(worth))
}

fn interval_95(
    positions: &Positions,
    asked: &Asked,
    numbers: Rescaled,
    threads: NonZero<usize>,
) -> Option<[Rescaled; 2]> {
    let mut openings = vec![0; positions.games()];
    positions
        .each(|block, row| (block.games[row], block.openings[row]))
        .for_each(|(game, opening)| openings[game as usize] = opening);
    let block_of_game = blocks_of(&openings);
    let block_of_row: Vec<usize> = positions.each(|block, row| block_of_game[block.games[row] as usize]).collect();
    let blocks: Vec<usize> = (0..BLOCKS).filter(|block| block_of_row.contains(block)).collect();
    let mut without = Vec::new();
    let one = |_, block: &usize| {
        let rest: Vec<bool> = block_of_row.iter().map(|own| own != block).collect();
        let found = fit(positions, asked, Some(&rest));
        vec![found.scale, found.width]
    };
    let mut sizes = [0.0; BLOCKS];
    let weights = positions.each(|block, row| f64::from(block.weights[row]));
    block_of_row.iter().zip(weights).for_each(|(&block, weight)| sizes[block] += weight);
    let reach = reach_of(&blocks.iter().map(|&block| sizes[block]).collect::<Vec<_>>())?;
    // Without a draw the zone has no width, and without a win or a loss evaluations say nothing: each rest must have both.
    let mut has = [[false; 2]; BLOCKS];
    let outcomes = positions.each(|block, row| block.outcomes[row]);
    block_of_row.iter().zip(outcomes).for_each(|(&block, of)| has[block][usize::from(of == Outcome::Draw)] = true);
    let count = |kind: usize| has.iter().filter(|has| has[kind]).count();
    if count(0).min(count(1)) < 2 {
        return None;
    }
    in_order(&blocks, threads, one, |found| without.push(found));
    // Of few games the numbers are too large rather than too small, and their logarithms the surer the larger they are: intervals on the
    // scale of logarithms lie above the truth then.
    let errors = jackknife_errors(&without)?;
    let end = |sign: f64| Rescaled {
        scale: f64::max(numbers.scale + sign * reach * errors[0], 0.0),
        width: f64::max(numbers.width + sign * reach * errors[1], 0.0),
    };
    Some([end(-1.0), end(1.0)])
}

/// An interval whose ends are so many times apart says little.
const WIDE: f64 = 1.5;
/// Below this scale, evaluations say next to nothing of results.
const NOTHING: f64 = 0.1;

impl RescaledHead {
    /// What to know before the head is used.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        match self.interval_95 {
            None => remarks.push(
                "too few games for standard errors, or too few drawn or decided ones: the two numbers are little more than a guess; take more \
                 games"
                    .to_owned(),
            ),
            Some([low, high]) => {
                let ends = [
                    ("scale of evaluations", low.scale, high.scale),
                    ("width of the draw zone", low.width, high.width),
                ];
                for (name, low, high) in ends.into_iter().filter(|(_, low, high)| *high > WIDE * *low) {
                    remarks.push(format!(
                        "these games hardly determine the {name}: 95 % CI {low:.3} to {high:.3}; take more games"
                    ));
                }
            }
        }
        if self.numbers.scale < NOTHING {
            remarks.push(format!(
                "what evaluations are worth counts {:.3} times: they say next to nothing of these results. Expected an engine's centipawns, positive where \
                 the side to move is ahead; check that the comments are such, and of one engine",
                self.numbers.scale
            ));
        }
        remarks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One game in front of pairs must not part them.
    #[test]
    fn games_that_follow_each_other_share_a_block() {
        for games in [40, 41, 1000, 1001_u32] {
            let blocks = blocks_of(&(0..games).collect::<Vec<_>>());
            assert_eq!((blocks[0], blocks.last()), (0, Some(&(BLOCKS - 1))));
            let parted = blocks.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert_eq!(parted, BLOCKS - 1, "{games} games");
        }
        assert_eq!(blocks_of(&[7, 8, 9]), [0, 6, 13]);
        assert!(blocks_of(&[]).is_empty());
    }

    /// Two blocks made an interval, and one with nearly all positions made as narrow a one as ten of equal size.
    #[test]
    fn few_or_unequal_blocks_have_no_interval() {
        for sizes in [vec![100.0; 2], vec![100.0; 9], [vec![2000.0], vec![10.0; 19]].concat()] {
            assert_eq!(reach_of(&sizes), None, "{sizes:?}");
        }
        assert_eq!(reach_of(&[100.0; 10]), Some(drawish_stats::reach_of_95_percent(10)));
        // 24^2 / (6 + 6 * 9).
        let unequal = reach_of(&[vec![1.0; 6], vec![3.0; 6]].concat()).expect("worth 9.6");
        assert!((unequal - reach_of_95_percent_of_worth(9.6)).abs() < 1e-9, "{unequal}");
    }

    /// Games that come again with other last moves say no more than once, wherever they stand.
    #[test]
    fn games_of_one_opening_share_a_block() {
        let once: Vec<u32> = (0..40).collect();
        let blocks = blocks_of(&once);
        for copies in [2, 8] {
            assert_eq!(blocks_of(&once.repeat(copies)), blocks.repeat(copies), "behind each other");
            let beside: Vec<u32> = once.iter().flat_map(|&opening| vec![opening; copies]).collect();
            assert_eq!(blocks_of(&beside), blocks.iter().flat_map(|&block| vec![block; copies]).collect::<Vec<_>>());
        }
        // An opening with half of all games is one block.
        let blocks = blocks_of(&[[0; 20].as_slice(), &(1..21).collect::<Vec<_>>()].concat());
        assert_eq!((blocks[19], blocks[20], blocks[39]), (0, 10, 19));
    }
}
