//! How games are played: openings, limits, rules.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};

use super::engine_log::EngineLogArgs;
use super::openings::OpeningArgs;
use drawish::arena::{DrawRule, Limits, Resign, RuleError, Rules, TimeControl};
use drawish::contest::Terms;

/// How games are played, and what is printed meanwhile.
#[derive(clap::Args)]
pub(in crate::cli) struct PlayArgs {
    #[command(flatten)]
    pub(in crate::cli) openings: OpeningArgs,
    /// Pairs of games to play at most; without it, one for each opening
    #[arg(long, value_name = "N", conflicts_with_all = ["games", "rounds"])]
    pairs: Option<u64>,
    /// The same in games
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// The same in rounds of match runners, with --games for each round
    #[arg(long, value_name = "N")]
    rounds: Option<u64>,
    /// Every opening is played twice, with this option of match runners and without it
    #[arg(long, hide = true, num_args = 0..=1, value_name = "2", value_parser = ["2"], default_missing_value = "2")]
    repeat: Option<String>,
    /// Nodes for each move, for an engine that has no limits of its own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Seconds for each move
    #[arg(long, visible_alias = "st", value_name = "SECONDS")]
    movetime: Option<String>,
    /// Seconds for the game and for each move of it: 8+0.08, 0:10+0.1, 40/60+0.6 for 40 moves, or inf for no clock
    #[arg(long, value_name = "TC")]
    tc: Option<String>,
    /// Resign after MOVES consecutive moves at -SCORE centipawns or worse: moves=3 score=600 [twosided=true if the other side must
    /// agree]. Also movecount= for moves=
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    resign: Vec<String>,
    /// Call a game drawn in which both sides find nothing: from=34 moves=8 score=20. Also movenumber= and movecount=
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    draw: Vec<String>,
    /// Call a game drawn after so many moves of each side
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    max_moves: Option<u32>,
    /// Directories of Syzygy tables: positions won or drawn under the fifty-move rule are adjudicated
    #[arg(long, value_name = "DIR[:DIR]")]
    syzygy: Option<OsString>,
    /// Ask only tables of up to so many pieces, kings included
    #[arg(long, visible_alias = "tbpieces", value_name = "N", requires = "syzygy", value_parser = clap::value_parser!(u8).range(3..=7))]
    syzygy_pieces: Option<u8>,
    /// Games at a time; without it, one for each core, or for every two if an engine ponders
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
    #[command(flatten)]
    pub(in crate::cli) engine_log: EngineLogArgs,
    /// Play even if both arms search alike, as a control or for the games
    #[arg(long)]
    pub(in crate::cli) allow_equal: bool,
    /// Print the result as JSON; for a match, without --quiet also the score after every pair, a line each
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Print nothing but the result
    #[arg(short, long)]
    pub(in crate::cli) quiet: bool,
}

impl PlayArgs {
    /// The terms of play.
    pub(in crate::cli) fn terms(&self) -> Result<Terms> {
        let mut terms = self.openings.terms()?;
        terms.pairs = self.pairs()?;
        terms.limits = Limits {
            nodes: self.nodes,
            depth: self.depth,
            movetime: self.movetime.as_deref().map(seconds).transpose()?,
            tc: self.tc.as_deref().map(TimeControl::or_infinite).transpose()?.flatten(),
        };
        terms.rules = self.rules()?;
        terms.syzygy = self.syzygy.iter().flat_map(std::env::split_paths).collect();
        terms.syzygy_men = self.syzygy_pieces.map(usize::from);
        terms.workers = self.concurrency;
        terms.patience = Duration::from_secs(self.patience);
        terms.fault_limit = self.fault_limit;
        Ok(terms)
    }

    /// The pairs to play at most.
    fn pairs(&self) -> Result<Option<u64>> {
        ensure!(self.pairs != Some(0) && self.rounds != Some(0), "--pairs and --rounds must be above 0");
        match (self.rounds, self.games) {
            (Some(rounds), None | Some(2)) => Ok(Some(rounds)),
            (Some(_), Some(games)) => bail!(
                "--games {games} with --rounds: every opening is played twice, so a round has 2 games; say --games without --rounds \
                 for games in all"
            ),
            (None, games) => Ok(self.pairs.or(games.map(|games| games / 2))),
        }
    }

    /// Makes sure that games can be paired.
    pub(in crate::cli) fn check_pairs(&self) -> Result<()> {
        let is_even = self.games.is_none_or(|games| games > 0 && games.is_multiple_of(2));
        ensure!(is_even, "--games must be even: every opening is played twice");
        Ok(())
    }

    /// The games of an engine against itself, one from each opening.
    pub(in crate::cli) fn single_games(&self) -> Result<Option<u64>> {
        ensure!(self.games != Some(0), "--games must be above 0");
        ensure!(self.rounds.is_none(), "--selfplay plays one game from each opening: say --games, not --rounds");
        Ok(self.games.or(self.pairs))
    }

    fn rules(&self) -> Result<Rules> {
        let resign = rule("--resign", &self.resign, |pairs| Resign::from_pairs(pairs, Resign::USUAL))?;
        let draw = rule("--draw", &self.draw, |pairs| DrawRule::from_pairs(pairs, DrawRule::USUAL))?;
        let time_margin = Duration::from_millis(self.time_margin);
        Ok(Rules { resign, draw, max_moves: self.max_moves, time_margin })
    }
}

/// The rule that an option's words say, if there are any.
fn rule<T>(
    option: &str,
    words: &[String],
    read: impl FnOnce(Vec<(&str, &str)>) -> Result<T, RuleError>,
) -> Result<Option<T>> {
    let pairs: Vec<_> = words.iter().map(|word| word.split_once('=').unwrap_or((word, ""))).collect();
    if pairs.is_empty() {
        return Ok(None);
    }
    read(pairs).map(Some).map_err(|error| anyhow!("{option} {error}"))
}

fn seconds(text: &str) -> Result<Duration> {
    let wrong = || format!("{text:?} is not a time: expected seconds above 0, and not more than a year");
    TimeControl::seconds(text).with_context(wrong)
}
