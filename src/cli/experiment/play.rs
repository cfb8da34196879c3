//! Playing the games of an experiment.

use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Error, Result, ensure};

use super::Playing;
use super::place::Place;
use crate::cli::matches::Cast;
use crate::cli::{done, output};
use drawish::arena::{Book, BookRule, FORMAT, Match, MatchError, MatchLog, Setup};
use drawish::experiment::ArmPlan;
use drawish::outfile::ScratchDirectory;
use drawish::pgn::Input;

/// All arms go on in steps of so many pairs.
const STEP: u64 = 100;

/// What all arms share.
struct Table<'a> {
    place: &'a Place,
    book: Book,
    concurrency: usize,
    quiet: bool,
}

/// An arm and its opponent.
struct Side<'a> {
    plan: &'a ArmPlan,
    casts: [Cast; 2],
}

fn prepare<'a>(place: &'a Place, playing: &Playing) -> Result<(Table<'a>, Vec<Side<'a>>)> {
    let game = &place.experiment.game;
    let path = place.book(playing.books.as_deref());
    ensure!(
        path.exists(),
        "{} is not there: the experiment needs the book {} with XXH3 {}; say where it is by --books",
        path.display(),
        game.book.display(),
        game.book_xxh3
    );
    let mut book = Book::read(&Input::File(path.clone()), &BookRule { plies: game.plies, ..BookRule::default() })?;
    let digest = format!("{:032x}", book.digest);
    ensure!(
        digest == game.book_xxh3,
        "{}: the experiment was written for a book with XXH3 {}, this one has {digest}; get the same file",
        path.display(),
        game.book_xxh3
    );
    let openings = book.openings.len() as u64;
    ensure!(game.pairs <= openings, "{} pairs are asked for, but the book has {openings} openings", game.pairs);
    book.shuffle(game.seed);
    let arms = &place.experiment.arms;
    for name in &playing.only {
        let known = || arms.iter().map(|arm| arm.name.as_str()).collect::<Vec<_>>().join(", ");
        ensure!(arms.iter().any(|arm| arm.name == *name), "--only {name}: there is no such arm; there are {}", known());
    }
    let baseline = place.engine(&place.experiment.baseline)?;
    let wanted = arms.iter().filter(|arm| playing.only.is_empty() || playing.only.contains(&arm.name));
    let side = |plan| Ok(Side { plan, casts: Cast::both(&[place.engine(plan)?, baseline.clone()], 0, book.castling)? });
    let sides = wanted.map(side).collect::<Result<_>>()?;
    let concurrency = playing.concurrency.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    Ok((Table { place, book, concurrency, quiet: playing.quiet }, sides))
}

impl Table<'_> {
    fn setup(&self, side: &Side<'_>) -> Setup {
        let game = &self.place.experiment.game;
        let limits = self.place.limits();
        Setup {
            format: FORMAT,
            sides: [side.casts[0].side(&limits), side.casts[1].side(&limits)],
            book: self.book.name.clone(),
            book_digest: format!("{:032x}", self.book.digest),
            openings: self.book.openings.len() as u64,
            plies: game.plies,
            seed: game.seed,
            rules: Place::rules().to_string(),
            chess960: self.book.castling.is_chess960(),
        }
    }

    /// Goes on with the log of an arm up to so many pairs. Returns whether anything was played.
    fn play(&self, side: &Side<'_>, log: &Path, pairs: u64) -> Result<bool> {
        let (mut log, finished) = MatchLog::resume(log, &self.setup(side))?;
        let before = finished.len() as u64;
        if before >= pairs {
            return Ok(false);
        }
        let game = Match {
            openings: &self.book.openings,
            pairs,
            limits: [self.place.limits(); 2],
            rules: Place::rules(),
            sprt: None,
            concurrency: self.concurrency,
            fault_limit: 0,
            tablebases: None,
        };
        let mut shown = Instant::now();
        let begun = Instant::now();
        let ended = game.run(&|side_of| side.casts[side_of].player(), &finished, &mut |record, _, _| -> Result<()> {
            log.append(record)?;
            let pause = if io::stderr().is_terminal() { Duration::from_millis(500) } else { Duration::from_secs(60) };
            if !self.quiet && shown.elapsed() >= pause {
                shown = Instant::now();
                let rate = 2.0 * (record.pair - before) as f64 / begun.elapsed().as_secs_f64();
                output::complain(format!("{}: {} of {pairs} pairs, {rate:.1} games/s\n", side.plan.name, record.pair));
            }
            Ok(())
        });
        ended.map_err(|error| match error {
            MatchError::Receiver(error) => error,
            error => Error::msg(error.to_string()).context(side.plan.name.clone()),
        })?;
        Ok(true)
    }
}

/// Plays what is missing.
pub(super) fn run(playing: &Playing, pairs: Option<u64>) -> Result<ExitCode> {
    let place = Place::open(&playing.file)?;
    let (table, sides) = prepare(&place, playing)?;
    let all = place.experiment.game.pairs;
    let wanted = pairs.map_or(all, |pairs| pairs.min(all));
    let mut up_to = 0;
    while up_to < wanted {
        up_to = (up_to + STEP).min(wanted);
        for side in &sides {
            // A complete arm is packed, and need not be unpacked to see that.
            let played = place.logged(side.plan)?.map_or(0, |logged| logged.pairs.len() as u64);
            let is_packed = place.log(side.plan).is_some_and(|path| path.extension().is_some_and(|end| end == "zst"));
            if played >= up_to && (played < all || is_packed) {
                continue;
            }
            table.play(side, &place.unpacked(side.plan)?, up_to)?;
            if up_to == all {
                place.pack(side.plan)?;
            }
        }
    }
    if !playing.quiet {
        output::print(super::report::status_text(&place)?)?;
    }
    done()
}

/// Plays the first pairs again and compares.
pub(super) fn check(playing: &Playing, pairs: u64) -> Result<ExitCode> {
    let place = Place::open(&playing.file)?;
    let (table, sides) = prepare(&place, playing)?;
    let directory = ScratchDirectory::new()?;
    let mut differ = false;
    for side in &sides {
        let name = &side.plan.name;
        let Some(path) = place.log(side.plan) else {
            output::print(format!("{name}: no log yet\n"))?;
            continue;
        };
        let text = Place::read(&path)?;
        let logged = text.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
        let logged: Vec<u8> = logged.take(1 + pairs as usize).flatten().copied().collect();
        let lines = logged.iter().filter(|&&byte| byte == b'\n').count().saturating_sub(1) as u64;
        let again = directory.path().join(format!("{name}.jsonl"));
        table.play(side, &again, pairs.min(lines))?;
        let again = Place::read(&again)?;
        if again == logged {
            output::print(format!("{name}: {lines} pairs are the same, byte for byte\n"))?;
        } else {
            differ = true;
            let lines = |text: &[u8]| text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
            let first = lines(&again).iter().zip(lines(&logged)).position(|(one, other)| *one != other);
            let line = first.map_or(0, |line| line + 1);
            output::print(format!("{name}: line {line} of {} is another now\n", path.display()))?;
        }
    }
    Ok(if differ { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
