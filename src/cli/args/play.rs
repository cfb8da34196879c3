//! How games are played: openings, limits, rules.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use shakmaty::CastlingMode;

use crate::cli::output;
use drawish::arena::{BookRule, DrawRule, Limits, Resign, Rules, TimeControl};
use drawish::contest::{Openings, Terms};
use drawish::pgn::Input;

/// How games are played, and what is printed meanwhile.
#[derive(clap::Args)]
pub(in crate::cli) struct PlayArgs {
    /// Openings: EPD, FEN or PGN, also packed; - for standard input; or random:PLIES for random moves after which neither side
    /// is much better
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) openings: PathBuf,
    /// Half-moves to take from each game of a PGN book; without it, all
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// Play positions in which one side is better by so many centipawns, and report who wins them and who holds them: by ce
    /// in EPD, by the comments of games in PGN
    #[arg(long, value_name = "LOW..HIGH")]
    conversion: Option<String>,
    /// Standard chess or Chess960; auto is Chess960 for all games if any opening of the book is
    #[arg(long, default_value = "auto", value_parser = ["auto", "standard", "chess960"], value_name = "NAME")]
    variant: String,
    /// Seed for the opening order [default: random]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Pairs of games to play at most; without it, one for each opening
    #[arg(long, value_name = "N", conflicts_with = "games")]
    pub(in crate::cli) pairs: Option<u64>,
    /// The same in games
    #[arg(long, value_name = "N")]
    pub(in crate::cli) games: Option<u64>,
    /// Nodes for each move, for an engine that has no limits of its own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Seconds for each move
    #[arg(long, value_name = "SECONDS")]
    movetime: Option<String>,
    /// Seconds for the game and for each move of it: 8+0.08, or 40/60+0.6
    #[arg(long, value_name = "TC")]
    tc: Option<String>,
    /// Resign after MOVES consecutive moves at -SCORE centipawns or worse: moves=3 score=600
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    resign: Vec<String>,
    /// Call a game drawn in which both sides find nothing: from=34 moves=8 score=20
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    draw: Vec<String>,
    /// Call a game drawn after so many moves of each side
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    max_moves: Option<u32>,
    /// Directories of Syzygy tables: what they know to be won or drawn under the fifty-move rule is not played on
    #[arg(long, value_name = "DIR[:DIR]")]
    syzygy: Option<OsString>,
    /// Games at a time; without it, one for each core
    #[arg(short = 'j', long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// Milliseconds by which an answer may be late
    #[arg(long, default_value_t = 20, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=3_600_000))]
    time_margin: u64,
    /// Seconds after which an engine that has only nodes or depth is told to stop
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(..=31_536_000))]
    patience: u64,
    /// Games that an engine may lose by crashing or stalling before the match is given up
    #[arg(long, default_value_t = 10, value_name = "N")]
    fault_limit: u64,
    /// Play even if both arms search alike, as a control or for the games
    #[arg(long)]
    pub(in crate::cli) allow_equal: bool,
    /// Print the result as JSON; for a match, also the score after every pair, a line each
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Print nothing but the result
    #[arg(short, long)]
    pub(in crate::cli) quiet: bool,
}

impl PlayArgs {
    /// The terms of play.
    pub(in crate::cli) fn terms(&self) -> Result<Terms> {
        ensure!(self.pairs != Some(0), "--pairs must be above 0");
        let mut terms = Terms::new(self.openings()?);
        terms.seed = self.seed;
        terms.pairs = self.pairs.or(self.games.map(|games| games / 2));
        terms.limits = Limits {
            nodes: self.nodes,
            depth: self.depth,
            movetime: self.movetime.as_deref().map(seconds).transpose()?,
            tc: self.tc.as_deref().map(str::parse).transpose()?,
        };
        terms.rules = self.rules()?;
        terms.syzygy = self.syzygy.iter().flat_map(std::env::split_paths).collect();
        terms.workers = self.concurrency;
        terms.patience = Duration::from_secs(self.patience);
        terms.fault_limit = self.fault_limit;
        Ok(terms)
    }

    fn openings(&self) -> Result<Openings> {
        if let Some(plies) = self.openings.to_str().and_then(|name| name.strip_prefix("random:")) {
            let wrong = || format!("--openings random:{plies}: expected half-moves, as in random:8");
            return Ok(Openings::Random(plies.parse().with_context(wrong)?));
        }
        let is_standard = output::is_standard(&self.openings);
        let input = if is_standard { Input::Stdin } else { Input::File(self.openings.clone()) };
        let castling = match self.variant.as_str() {
            "standard" => Some(CastlingMode::Standard),
            "chess960" => Some(CastlingMode::Chess960),
            _ => None,
        };
        let band = self.conversion.as_deref().map(band).transpose()?;
        Ok(Openings::File { input, rule: BookRule { plies: self.plies, castling, band } })
    }

    fn rules(&self) -> Result<Rules> {
        let [moves, score] = settings("--resign", &self.resign, [("moves", 1, 3), ("score", 1, 600)])?;
        let resign = Resign { moves, score: score as i32 };
        let names = [("from", 0, 34), ("moves", 1, 8), ("score", 0, 20)];
        let [from_move, moves, score] = settings("--draw", &self.draw, names)?;
        let draw = DrawRule { from_move, moves, score: score as i32 };
        Ok(Rules {
            resign: (!self.resign.is_empty()).then_some(resign),
            draw: (!self.draw.is_empty()).then_some(draw),
            max_moves: self.max_moves,
            time_margin: Duration::from_millis(self.time_margin),
        })
    }
}

/// `60..250`.
fn band(text: &str) -> Result<RangeInclusive<i32>> {
    let ends = text.split_once("..").and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    match ends {
        Some((low, high)) if 0 < low && low <= high => Ok(low..=high),
        _ => bail!("--conversion {text}: expected centipawns above 0 from the least to the most, as in 60..250"),
    }
}

/// Numbers beyond this mean nothing in moves or centipawns.
const GREATEST: u32 = 100_000;

/// `key=number` for each of the names, with its least number and the one that it has without a word.
fn settings<const N: usize>(option: &str, words: &[String], names: [(&str, u32, u32); N]) -> Result<[u32; N]> {
    let mut values = names.map(|(_, _, default)| default);
    for word in words {
        let known = word.split_once('=').and_then(|(key, value)| {
            let at = names.iter().position(|(name, ..)| *name == key)?;
            Some((at, value.parse().ok().filter(|value| (names[at].1..=GREATEST).contains(value))?))
        });
        let Some((at, value)) = known else {
            let expected: Vec<_> = names.iter().map(|(name, least, _)| format!("{name}= from {least}")).collect();
            bail!("{option} {word}: expected whole numbers, {}, to {GREATEST}", expected.join(", "));
        };
        values[at] = value;
    }
    Ok(values)
}

/// A time above 0.
pub(in crate::cli) fn seconds(text: &str) -> Result<Duration> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds
        .filter(|time| !time.is_zero() && *time <= TimeControl::LONGEST)
        .with_context(|| format!("{text:?} is no time: expected seconds above 0, and not more than a year"))
}
