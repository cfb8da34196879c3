//! What the arguments of a match mean.

use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use super::Args;
use crate::cli::engines::{EngineArg, seconds};
use crate::cli::output;
use drawish::arena::{DrawRule, Limits, Resign, Rules};
use drawish::stats::{Model, Sprt};

/// What the arguments mean.
pub(super) struct Plan {
    pub(super) engines: [EngineArg; 2],
    pub(super) limits: [Limits; 2],
    pub(super) rules: Rules,
    pub(super) sprt: Option<Sprt>,
    pub(super) band: Option<RangeInclusive<i32>>,
}

/// Reads them all, so that nothing is begun that cannot be done.
pub(super) fn plan(args: &Args) -> Result<Plan> {
    let engines = if args.selfplay { args.engines.with_itself()? } else { args.engines.pair()? };
    let shared = Limits {
        nodes: args.nodes,
        depth: args.depth,
        movetime: args.movetime.as_deref().map(seconds).transpose()?,
        tc: args.tc.as_deref().map(str::parse).transpose()?,
    };
    let limits = [0, 1].map(|side| if engines[side].limits.is_empty() { shared } else { engines[side].limits });
    for (engine, limits) in engines.iter().zip(&limits) {
        ensure!(
            !limits.is_empty(),
            "nothing limits the thinking of {}: give --nodes, --depth, --movetime or --tc, or one of them with the engine",
            engine.name
        );
    }
    ensure!(
        args.games.is_none_or(|games| games > 0 && (args.selfplay || games % 2 == 0)),
        "--games must be even: every opening is played twice"
    );
    for path in args.log.iter().chain(&args.pgn) {
        ensure!(
            !output::is_standard(path),
            "--log and --pgn need files, not standard output; --json prints the standing"
        );
    }
    let outputs = [("--log", &args.log), ("--pgn", &args.pgn), ("--report", &args.report)];
    let outputs = outputs.into_iter().filter_map(|(option, path)| Some((option, path.as_ref()?)));
    let named: Vec<_> = std::iter::once(("--openings", &args.openings)).chain(outputs).collect();
    for (at, (option, path)) in named.iter().enumerate() {
        if let Some((other, _)) = named[..at].iter().find(|(_, other)| is_same(path, other)) {
            bail!("{other} and {option} both name {}: each needs a file of its own", path.display());
        }
    }
    ensure!(args.pairs != Some(0), "--pairs must be above 0");
    let rules = Rules {
        resign: match settings("--resign", &args.resign, &[("moves", 1), ("score", 1)])?[..] {
            [] => None,
            [moves, score] => Some(Resign { moves: moves.unwrap_or(3), score: score.unwrap_or(600) as i32 }),
            _ => None,
        },
        draw: match settings("--draw", &args.draw, &[("from", 0), ("moves", 1), ("score", 0)])?[..] {
            [from, moves, score] => Some(DrawRule {
                from_move: from.unwrap_or(34),
                moves: moves.unwrap_or(8),
                score: score.unwrap_or(20) as i32,
            }),
            _ => None,
        },
        max_moves: args.max_moves,
        time_margin: Duration::from_millis(args.time_margin),
    };
    Ok(Plan {
        engines,
        limits,
        rules,
        sprt: sprt(&args.sprt)?,
        band: args.conversion.as_deref().map(band).transpose()?,
    })
}

/// `60..250`.
fn band(text: &str) -> Result<RangeInclusive<i32>> {
    let ends = text.split_once("..").and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    match ends {
        Some((low, high)) if 0 < low && low <= high => Ok(low..=high),
        _ => bail!("--conversion {text}: expected centipawns above 0 from the least to the most, as in 60..250"),
    }
}

/// Whether both are the same file, which need not exist yet.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).ok();
    one == other || real(one).is_some_and(|one| real(other) == Some(one))
}

/// Numbers beyond this mean nothing in moves or centipawns.
const GREATEST: u32 = 100_000;

/// `key=number` for each of the names with its least number; nothing if no word is given.
fn settings(option: &str, words: &[String], names: &[(&str, u32)]) -> Result<Vec<Option<u32>>> {
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let mut values = vec![None; names.len()];
    for word in words {
        let known = word.split_once('=').and_then(|(key, value)| {
            let at = names.iter().position(|(name, _)| *name == key)?;
            Some((at, value.parse().ok().filter(|value| (names[at].1..=GREATEST).contains(value))?))
        });
        let Some((at, value)) = known else {
            let expected: Vec<_> = names.iter().map(|(name, least)| format!("{name}= from {least}")).collect();
            bail!("{option} {word}: expected whole numbers, {}, to {GREATEST}", expected.join(", "));
        };
        values[at] = Some(value);
    }
    Ok(values)
}

/// The test of `--sprt elo0= elo1= …`; none without words.
pub(in crate::cli) fn sprt(words: &[String]) -> Result<Option<Sprt>> {
    if words.is_empty() {
        return Ok(None);
    }
    let (mut bounds, mut errors, mut model) = ([None, None], [0.05, 0.05], Model::Normalized);
    for word in words {
        let usage =
            || format!("--sprt {word}: expected elo0=, elo1=, alpha=, beta= with a number, or model= with a model");
        let (key, value) = word.split_once('=').with_context(usage)?;
        let number = || value.parse::<f64>().with_context(usage);
        match key {
            "elo0" => bounds[0] = Some(number()?),
            "elo1" => bounds[1] = Some(number()?),
            "alpha" => errors[0] = number()?,
            "beta" => errors[1] = number()?,
            "model" => model = *Model::ALL.iter().find(|model| model.name() == value).with_context(usage)?,
            _ => bail!(usage()),
        }
    }
    let [Some(elo0), Some(elo1)] = bounds else { bail!("--sprt needs both elo0= and elo1=") };
    Ok(Some(Sprt::new(model, elo0, elo1, errors[0], errors[1])?))
}
