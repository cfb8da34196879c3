//! Is the jackknife's error the true one? Fits the WDL model to disjoint subsamples of real games and compares the spread
//! of their figures with the jackknife's errors.
//!
//! One division into 20 subsamples knows its standard deviation only to 16 % (1/√38), and one jackknife of 32 blocks
//! its error to 13 % (1/√62), so that their ratio means little. Both are therefore repeated on new divisions of the same games, which
//! are drawn with a seed; what is left is how much a single jackknife scatters, which is shown.
//!
//! Which games go where must be drawn: events have periods (colours, pairings), so that every N-th game would not do. Games with the same
//! first moves go together, as in the blocks of a `.wdl` file, since they depend on each other.
//!
//! ```text
//! cargo run --release -p drawish-games --example wdl_subsamples -- games.pgn.zst [pawn-value [divisions]]
//! ```
#![expect(clippy::print_stdout, reason = "the figures are its purpose")]

use std::collections::HashMap;
use std::io::Read;
use std::num::NonZero;
use std::path::PathBuf;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use drawish_games::pgn::Input;
use drawish_games::wdl::fit::{Estimate, Fit, FitError, Method, Normalization, Objective, Options, fit};
use drawish_games::wdl::{BLOCKS, Block, Collect, WdlCounts};

type Failure = Box<dyn std::error::Error>;

/// Groups of games, from which blocks and subsamples are made: a multiple of all their numbers.
const GROUPS: usize = 640;
/// Half-moves that two games have in common if they depend on each other.
const LINE: usize = 32;
/// Numbers of disjoint subsamples; with few of them each is nearly as large as the whole.
const SUBSAMPLES: [usize; 3] = [4, 10, 20];

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let file = PathBuf::from(arguments.next().ok_or("name a PGN file")?);
    let pawn: f64 = arguments.next().map_or(Ok(100.0), |text| text.parse())?;
    let divisions: usize = arguments.next().map_or(Ok(20), |text| text.parse())?;
    let mut random = ChaCha8Rng::seed_from_u64(2026);
    let (games, mut groups) = groups(file, &mut random)?;
    for objective in [Objective::Probability, Objective::Score] {
        let options = Options {
            normalization: Normalization::Static(pawn),
            method: Method::Optimize(objective),
            errors: false,
            ..Options::default()
        };
        let with_errors = Options { errors: true, ..options.clone() };
        let whole = fit(&joined(&groups), &options)?.estimate.ok_or("nothing was fitted")?;
        let mut jackknife = Vec::new();
        let mut spread: [Vec<[f64; 3]>; SUBSAMPLES.len()] = Default::default();
        for _ in 0..divisions {
            groups.shuffle(&mut random);
            let blocks =
                WdlCounts { blocks: groups.chunks(GROUPS / BLOCKS).map(|some| joined(some).total()).collect() };
            let errors = fit(&blocks, &with_errors)?.errors.ok_or("no blocks")?;
            jackknife.push([errors.pawn_value, 2.0 * whole.pawn_value * errors.pawn_value, errors.spread]);
            for (number, spread) in SUBSAMPLES.into_iter().zip(&mut spread) {
                let fits = groups.chunks(GROUPS / number).map(|some| fit(&joined(some), &options));
                let figures = |fit: Result<Fit, FitError>| Ok(figures(&fit?.estimate.ok_or("nothing was fitted")?));
                let found = fits.map(figures).collect::<Result<Vec<_>, Failure>>()?;
                let error =
                    |place: usize| deviation(found.iter().map(|figures| figures[place])) / (number as f64).sqrt();
                spread.push([error(0), error(1), error(2)]);
            }
        }
        println!("{objective:?}, {games} games, {divisions} divisions; standard errors of the whole");
        for (place, name) in ["pawn value", "its square", "spread"].into_iter().enumerate() {
            let mean =
                |of: &[[f64; 3]]| (of.iter().map(|one| one[place].powi(2)).sum::<f64>() / of.len() as f64).sqrt();
            let scatter = |of: &[[f64; 3]]| deviation(of.iter().map(|one| one[place])) / mean(of);
            let by_blocks = mean(&jackknife);
            println!(
                "  {name} {:.2}: jackknife of {BLOCKS} blocks {by_blocks:.2}, a single one scatters by {:.0} %",
                figures(&whole)[place],
                100.0 * scatter(&jackknife)
            );
            for (number, spread) in SUBSAMPLES.into_iter().zip(&spread) {
                println!(
                    "    {number:>2} subsamples {:.2}, a single division scatters by {:.0} %; ratio {:.2}",
                    mean(spread),
                    100.0 * scatter(spread),
                    by_blocks / mean(spread)
                );
            }
        }
    }
    Ok(())
}

/// Pawn value, its square and the spread. Under the objective of scores only the square matters: a and -a expect the same score.
fn figures(estimate: &Estimate) -> [f64; 3] {
    [estimate.pawn_value, estimate.pawn_value.powi(2), estimate.spread]
}

fn joined(groups: &[Block]) -> WdlCounts {
    WdlCounts::without_blocks(WdlCounts { blocks: groups.to_vec() }.total())
}

/// The number of games in a file, and their counts in groups that are drawn.
fn groups(file: PathBuf, random: &mut ChaCha8Rng) -> Result<(usize, Vec<Block>), Failure> {
    let mut text = String::new();
    Input::File(file).open()?.read_to_string(&mut text)?;
    let begins: Vec<usize> = text.match_indices("[Event ").map(|found| found.0).chain([text.len()]).collect();
    let mut parts = vec![String::new(); GROUPS];
    let mut drawn = HashMap::new();
    for ends in begins.windows(2) {
        let game = &text[ends[0]..ends[1]];
        parts[*drawn.entry(first_moves(game)).or_insert_with(|| random.random_range(0..GROUPS))] += game;
    }
    let groups = parts.iter().map(|part| count(part)).collect::<Result<_, Failure>>()?;
    Ok((begins.len() - 1, groups))
}

/// The start position and the first moves of a game whose movetext holds moves, their numbers and comments in braces.
fn first_moves(game: &str) -> String {
    let (tags, moves) = game.split_once("\n\n").unwrap_or((game, ""));
    let start = tags.lines().filter(|tag| tag.starts_with("[FEN "));
    let without_comments = moves.split('{').map(|part| part.split_once('}').map_or(part, |(_, behind)| behind));
    let words = without_comments
        .flat_map(str::split_whitespace)
        .filter(|word| !word.starts_with(|letter: char| letter.is_ascii_digit()));
    start.chain(words.take(LINE)).flat_map(|word| [word, " "]).collect()
}

fn count(games: &str) -> Result<Block, Failure> {
    let file = std::env::temp_dir().join(format!("drawish-subsample-{}.pgn", std::process::id()));
    std::fs::write(&file, games)?;
    let run = Collect::new(vec![Input::File(file.clone())]).threads(NonZero::<usize>::MIN);
    let counts = run.run()?.file.counts;
    std::fs::remove_file(file)?;
    Ok(counts.total())
}

fn deviation(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
}
