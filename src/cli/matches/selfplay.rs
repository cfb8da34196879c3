//! `drawish match --selfplay`: games of one engine against itself, for counting.

use std::io::Write;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Error, Result, bail, ensure};
use serde_json::json;
use shakmaty::{Chess, Position};

use super::cast::Cast;
use super::plan::Plan;
use super::scene::tables;
use super::{Args, cannot_write, open_pgn};
use crate::cli::{done, output};
use drawish::arena::{Book, End, Limits, MatchError, PairRecord, SelfPlay, Tablebases};
use drawish::eval::Evaluator;
use drawish::search::{Game, Limits as SearchLimits, Searcher, Value};

/// One game from each opening, written as PGN.
pub(super) fn run(args: &Args, plan: &Plan, book: &Book, seed: u64) -> Result<ExitCode> {
    let path = args.pgn.as_deref().context("--selfplay writes games: say where by --pgn")?;
    let unused = [
        (args.log.is_some(), "log"),
        (plan.sprt.is_some(), "sprt"),
        (args.report.is_some(), "report"),
        (args.repeat_openings, "repeat-openings"),
        (args.allow_equal, "allow-equal"),
    ];
    if let Some((_, option)) = unused.into_iter().find(|(given, _)| *given) {
        bail!("--selfplay writes games and has no standing: leave out --{option}");
    }
    let syzygy = args.syzygy.as_deref().map(tables).transpose()?;
    let [cast, _] = Cast::both(&plan.engines, args.patience, book.castling)?;
    cast.player()?.new_game()?;
    let games = args.games.or(args.pairs).unwrap_or(book.openings.len() as u64);
    ensure!(
        games <= book.openings.len() as u64,
        "{games} games are asked for, but {} has {} different openings; take a larger book, or fewer games",
        book.name,
        book.openings.len()
    );
    let name = plan.engines[0].name.as_str();
    let event = format!("drawish self-play, {}, seed {seed}", book.name);
    let (path, mut file) = open_pgn(path, false, &event)?;
    let limits: [&Limits; 2] = [&plan.limits[0]; 2];
    let selfplay = SelfPlay {
        openings: &book.openings[..games as usize],
        limits: plan.limits[0],
        rules: plan.rules,
        tablebases: syzygy.as_ref().map(|syzygy| syzygy as &dyn Tablebases),
        concurrency: args.concurrency.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get),
    };
    let begun = Instant::now();
    let (mut drawn, mut faults) = (0, 0);
    let ended = selfplay.run(&|| cast.player(), &mut |record: &PairRecord| -> Result<()> {
        let game = &record.games[0];
        drawn += u64::from(game.winner() == Some(None));
        faults += u64::from(game.end().is_some_and(End::is_fault));
        let text = record.game_to_pgn(0, &event, [name, name], limits);
        file.write_all(text.as_bytes()).with_context(|| cannot_write(&path))?;
        ensure!(
            faults <= args.fault_limit,
            "{faults} games ended by a crash, a stall, an illegal move or lost time, as the PGN says of each; mend it and \
             play again, or allow more by --fault-limit"
        );
        Ok(())
    });
    ended.map_err(|error| match error {
        MatchError::Receiver(error) => error.context(name.to_owned()),
        error => Error::msg(error.to_string()),
    })?;
    let seconds = begun.elapsed().as_secs_f64();
    if args.json {
        let summary = json!({ "games": games, "drawn": drawn, "faults": faults, "seed": seed, "seconds": seconds });
        output::print(format!("{summary}\n"))?;
    } else if !args.quiet {
        let path = path.display();
        let faults = if faults > 0 { format!(", {faults} ended by a fault") } else { String::new() };
        output::print(format!(
            "{path}: {games} games of {name} against itself, {drawn} drawn{faults}, in {seconds:.1} s\n"
        ))?;
    }
    done()
}

/// Random openings may not be worse than this for either side, in centipawns.
const BALANCE: i32 = 60;
/// Nodes of the search that judges them.
const NODES: u64 = 500;

/// `random:PLIES` in the place of a book: as many openings as wanted, none of which gives a side more than a little.
pub(super) fn random_book(plies: &str, count: u64, seed: u64) -> Result<Book> {
    let plies = plies.parse().ok().filter(|plies| (1..=40).contains(plies));
    let plies =
        plies.with_context(|| "--openings random: expected random:PLIES with 1 to 40 half-moves, as in random:8")?;
    let mut searcher = Searcher::new(Evaluator::default(), 1);
    let mut level = |position: &Chess| {
        searcher.new_game();
        let found = searcher.search(&Game::new(position.clone()), &SearchLimits::nodes(NODES), &mut |_| {});
        matches!(found.score, Value::Centipawns(score) if score.abs() <= BALANCE) && !position.is_check()
    };
    let book = Book::random(plies, count, seed, &mut level);
    ensure!(
        book.openings.len() as u64 == count,
        "only {} openings of {plies} random half-moves were found, {count} are asked for; take more half-moves",
        book.openings.len()
    );
    Ok(book)
}
