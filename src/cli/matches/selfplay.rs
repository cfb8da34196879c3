//! `drawish match --selfplay`: games of one engine against itself, for counting.

use std::io::Write;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Error, Result, ensure};
use shakmaty::{Chess, Position};

use super::cast::Cast;
use super::plan::Plan;
use super::{Args, cannot_write, open_pgn};
use crate::arena::{Book, Limits, MatchError, PairRecord, SelfPlay};
use crate::cli::{done, output};
use crate::eval::Evaluator;
use crate::search::{Game, Limits as SearchLimits, Searcher, Value};

/// One game from each opening, written as PGN.
pub(super) fn run(args: &Args, plan: &Plan, book: &Book, seed: u64) -> Result<ExitCode> {
    let path = args.pgn.as_deref().context("--selfplay writes games: say where by --pgn")?;
    ensure!(args.log.is_none() && plan.sprt.is_none(), "--selfplay has no standing: leave out --log and --sprt");
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
        concurrency: args.concurrency.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get),
    };
    let begun = Instant::now();
    let mut drawn = 0;
    let ended = selfplay.run(&|| cast.player(), &mut |record: &PairRecord| -> Result<()> {
        drawn += u64::from(record.games[0].winner() == Some(None));
        let text = record.game_to_pgn(0, &event, [name, name], limits);
        file.write_all(text.as_bytes()).with_context(|| cannot_write(&path))
    });
    ended.map_err(|error| match error {
        MatchError::Receiver(error) => error,
        error => Error::msg(error.to_string()),
    })?;
    if !args.quiet {
        let seconds = begun.elapsed().as_secs_f64();
        let path = path.display();
        output::print(format!("{path}: {games} games of {name} against itself, {drawn} drawn, in {seconds:.1} s\n"))?;
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
