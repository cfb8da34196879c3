//! Playing the games of an experiment, and playing some of them again.

use std::fmt;
use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use drawish_games::pgn::Input;

use super::error::RunError;
use super::layout::{Layout, read};
use super::{ArmPlan, GamePlan, Role};
use crate::arena::{Book, BookRule, Difference, Limits, Logged, unlinked};
use crate::contest::{Contest, ContestError, Engine, Event, Ground, Making, Openings, Players, Terms};

/// All arms go on in turns of so many pairs, or more.
const TURN: u64 = 100;

/// What an experiment is played with: the book, the arms and their opponent, all of them read and checked.
pub struct Runner<'a> {
    layout: &'a Layout,
    ground: Ground,
    terms: Terms,
    baseline: Engine,
    sides: Vec<Side<'a>>,
}

/// An arm and its opponent.
struct Side<'a> {
    plan: &'a ArmPlan,
    engine: Engine,
    players: [Players; 2],
}

/// A pair of an arm is finished, and written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress<'a> {
    /// The arm.
    pub arm: &'a str,
    /// Pairs of the arm that are finished.
    pub pairs: u64,
    /// Pairs that the arm is to have at the end of this turn.
    pub wanted: u64,
    /// Pairs that were finished in this turn.
    pub played: u64,
}

/// What came of playing the first pairs of an arm again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// The arm.
    pub arm: String,
    /// Whether they are those of the log.
    pub outcome: CheckOutcome,
}

/// Whether pairs that were played again are those of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckOutcome {
    /// The arm has no log yet.
    NoLog,
    /// Byte for byte.
    Same {
        /// Pairs that were compared.
        pairs: u64,
    },
    /// What is played is something else now.
    OtherSetup {
        /// The log.
        log: PathBuf,
        /// What differs first.
        difference: Difference,
    },
    /// A pair is another now.
    OtherPair {
        /// The log.
        log: PathBuf,
        /// The line of the log, from 1.
        line: usize,
    },
}

impl Checked {
    /// Whether what is played is something else than what the log has.
    #[must_use]
    pub fn differs(&self) -> bool {
        matches!(self.outcome, CheckOutcome::OtherSetup { .. } | CheckOutcome::OtherPair { .. })
    }
}

/// A sentence without its full stop.
impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Checked { arm, outcome } = self;
        match outcome {
            CheckOutcome::NoLog => write!(f, "{arm}: no log yet"),
            CheckOutcome::Same { pairs } => write!(f, "{arm}: {pairs} pairs are the same, byte for byte"),
            CheckOutcome::OtherSetup { log, difference } => {
                write!(f, "{arm}: line 1 of {} is another now: {difference}", log.display())
            }
            CheckOutcome::OtherPair { log, line } => {
                write!(f, "{arm}: line {line} of {} is another now", log.display())
            }
        }
    }
}

impl<'a> Runner<'a> {
    /// Reads the book, which is looked for in `books` or beside the file, and the arms: all, or `only` some.
    ///
    /// # Errors
    ///
    /// If the book is not there or not the one that the experiment names, or an arm cannot be played.
    pub fn new(layout: &'a Layout, books: Option<&Path>, only: &[String]) -> Result<Runner<'a>, RunError> {
        let experiment = layout.experiment();
        check_engine(layout)?;
        for name in only {
            experiment.arm(name)?;
        }
        let wanted = || experiment.arms.iter().filter(|arm| only.is_empty() || only.contains(&arm.name));
        let most = wanted().map(|arm| experiment.pairs_of(arm)).max().unwrap_or(0);
        let book = book(&experiment.game, most, layout.book(books))?;
        let terms = terms(&experiment.game, Path::new(""));
        let baseline = layout.engine(&experiment.baseline)?;
        let making = Making::new(&terms, book.castling)?;
        let side = |plan: &'a ArmPlan| -> Result<Side<'a>, RunError> {
            let engine = layout.engine(plan)?;
            let players = making.both(&[engine.clone(), baseline.clone()])?;
            Ok(Side { plan, engine, players })
        };
        let sides: Vec<Side<'_>> = wanted().map(side).collect::<Result<_, _>>()?;
        // A question that is not played now has been, or will be. Its files may lie elsewhere.
        let others = experiment.arms.iter().filter(|arm| sides.iter().all(|side| side.plan.name != arm.name));
        let others: Vec<Side<'_>> = others.filter_map(|arm| side(arm).ok()).collect();
        check_questions(sides.iter().chain(&others), &experiment.baseline.name)?;
        let ground = Ground { book, seed: experiment.game.seed, syzygy: None };
        Ok(Runner { layout, ground, terms, baseline, sides })
    }

    /// The same with so many games at a time, which changes nothing in the games; without it, one for each core.
    #[must_use]
    pub fn workers(mut self, workers: Option<NonZeroUsize>) -> Runner<'a> {
        self.terms.workers = workers;
        self
    }

    /// Plays what is missing, all arms in turns, until each has so many pairs or all that the experiment asks for.
    ///
    /// # Errors
    ///
    /// If the file has been changed since the first game, a player fails or a log cannot be written; what was played before is in
    /// the logs.
    pub fn run(&self, pairs: Option<u64>, mut observe: impl FnMut(Progress<'_>) + Send) -> Result<(), RunError> {
        let all_of = |side: &Side<'_>| self.layout.experiment().pairs_of(side.plan);
        let most = self.sides.iter().map(all_of).max().unwrap_or(0);
        // Each turn reads what the arm has played before: of many pairs there are longer turns.
        let turn = TURN.max(most / 100);
        let most = pairs.map_or(most, |pairs| pairs.min(most));
        let (mut turns_up_to, mut is_registered) = (0, false);
        while turns_up_to < most {
            turns_up_to = (turns_up_to + turn).min(most);
            for side in &self.sides {
                let all = all_of(side);
                let up_to = turns_up_to.min(all);
                // A complete arm is packed, and need not be unpacked to see that.
                let played = self.layout.logged(side.plan)?.map_or(0, |logged| logged.pairs.len() as u64);
                if played >= up_to && (played < all || self.layout.is_packed(side.plan)) {
                    continue;
                }
                if !is_registered {
                    self.layout.register()?;
                    is_registered = true;
                }
                self.go_on(side, up_to, &mut observe)?;
                if up_to == all {
                    self.layout.pack(side.plan)?;
                }
            }
        }
        Ok(())
    }

    /// Goes on with the log of an arm up to so many pairs.
    fn go_on(
        &self,
        side: &Side<'_>,
        pairs: u64,
        observe: &mut (dyn FnMut(Progress<'_>) + Send),
    ) -> Result<(), RunError> {
        let mut contest = self.contest(side, pairs).resume();
        contest.log = Some(self.layout.unpacked(side.plan)?);
        let mut before = 0;
        self.play(side, &contest, &mut |event| {
            match event {
                Event::Begins { finished, .. } => before = finished.len() as u64,
                Event::Pair { record, .. } => {
                    let (pairs, played) = (record.pair, record.pair - before);
                    observe(Progress {
                        arm: &side.plan.name,
                        pairs,
                        wanted: contest.terms.pairs.unwrap_or(pairs),
                        played,
                    });
                }
                _ => {}
            }
            ControlFlow::Continue(())
        })
    }

    fn contest(&self, side: &Side<'_>, pairs: u64) -> Contest {
        let terms = Terms { pairs: Some(pairs), ..self.terms.clone() };
        // A control may well play like the baseline.
        let mut contest = Contest::with_terms([side.engine.clone(), self.baseline.clone()], terms).allow_equal();
        // Its games are all that are registered, whatever a log says.
        contest.untested = true;
        contest
    }

    fn play(
        &self,
        side: &Side<'_>,
        contest: &Contest,
        observe: &mut (dyn FnMut(Event<'_>) -> ControlFlow<()> + Send),
    ) -> Result<(), RunError> {
        let played = contest.play(&self.ground, &side.players, [self.terms.limits; 2], observe);
        played.map(drop).map_err(|cause| match cause {
            // Their messages begin with a name of a file.
            ContestError::Log(_) | ContestError::Write { .. } => cause.into(),
            cause => RunError::Play { arm: side.plan.name.clone(), cause: Box::new(cause) },
        })
    }

    /// Plays the first pairs of every arm again and compares them with the logs.
    ///
    /// # Errors
    ///
    /// If a log cannot be read or a player fails.
    pub fn check(&self, pairs: u64, mut observe: impl FnMut(&Checked) + Send) -> Result<Vec<Checked>, RunError> {
        let mut all = Vec::new();
        for side in &self.sides {
            let checked = Checked { arm: side.plan.name.clone(), outcome: self.check_side(side, pairs)? };
            observe(&checked);
            all.push(checked);
        }
        Ok(all)
    }

    fn check_side(&self, side: &Side<'_>, pairs: u64) -> Result<CheckOutcome, RunError> {
        let Some(log) = self.layout.log(side.plan) else { return Ok(CheckOutcome::NoLog) };
        let text = read(&log)?;
        let logged = match Logged::read(&text) {
            Ok(logged) => logged,
            Err(cause) => return Err(RunError::Log { path: log, cause }),
        };
        let setup = self.ground.setup(&side.players, [self.terms.limits; 2], &self.terms);
        if let Some(difference) = logged.setup.difference(&setup) {
            return Ok(CheckOutcome::OtherSetup { log, difference });
        }
        let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').skip(1).collect();
        let lines = lines
            .iter()
            .filter_map(|line| line.strip_suffix(b"\n"))
            .take(usize::try_from(pairs).unwrap_or(usize::MAX))
            .collect::<Vec<_>>();
        let pairs = lines.len() as u64;
        let mut other = None;
        self.play(side, &self.contest(side, pairs), &mut |event| {
            let Event::Pair { record, .. } = event else { return ControlFlow::Continue(()) };
            let at = usize::try_from(record.pair).unwrap_or(usize::MAX);
            if lines.get(at - 1).is_some_and(|line| record.is_line(&unlinked(line))) {
                return ControlFlow::Continue(());
            }
            // The first line says what is played.
            other = Some(at.saturating_add(1));
            ControlFlow::Break(())
        })?;
        Ok(other.map_or(CheckOutcome::Same { pairs }, |line| CheckOutcome::OtherPair { log, line }))
    }
}

impl Layout {
    /// The games of an arm as a match that can be played anywhere, also in ranges, with the log that [`Runner::run`] writes. The
    /// match itself is given no log here.
    ///
    /// # Errors
    ///
    /// As [`Runner::new`].
    pub fn contest(&self, arm: &str, books: Option<&Path>) -> Result<Contest, RunError> {
        let experiment = self.experiment();
        check_engine(self)?;
        let plan = experiment.arm(arm)?;
        let pairs = experiment.pairs_of(plan);
        // Its order, from `start` on, is not that of the seed alone.
        let openings = Openings::InOrder(book(&experiment.game, pairs, self.book(books))?);
        let mut terms = terms(&experiment.game, openings);
        (terms.pairs, terms.seed) = (Some(pairs), Some(experiment.game.seed));
        let engines = [self.engine(plan)?, self.engine(&experiment.baseline)?];
        Ok(Contest::with_terms(engines, terms).allow_equal())
    }
}

/// The terms on which all arms play.
pub(super) fn terms(game: &GamePlan, openings: impl Into<Openings>) -> Terms {
    let mut terms = Terms::new(openings);
    terms.limits = Limits::nodes(game.nodes);
    terms.fault_limit = 0;
    terms.moves_of_every = game.moves_of_every.unwrap_or(NonZeroU64::MIN);
    terms
}

/// Makes sure that the engine is the one for which the experiment is registered.
fn check_engine(layout: &Layout) -> Result<(), RunError> {
    let experiment = layout.experiment();
    let Some(engine) = &experiment.engine else { return Ok(()) };
    let found = format!("{:032x}", layout.load(&experiment.baseline)?.checksum());
    if found == engine.checksum {
        return Ok(());
    }
    let (build, expected) = (engine.build.clone(), engine.checksum.clone());
    Err(RunError::OtherEngine { build, expected, found })
}

/// Makes sure that no question is asked twice, whatever its settings and files are called, and that none is the baseline. A control may be.
fn check_questions<'s>(sides: impl Iterator<Item = &'s Side<'s>>, baseline: &str) -> Result<(), RunError> {
    let same = |one: &str, other: &str| RunError::SameQuestion { one: one.to_owned(), other: other.to_owned() };
    let questions: Vec<&Side<'_>> = sides.filter(|side| side.plan.role == Role::Question).collect();
    for (at, side) in questions.iter().enumerate() {
        let [own, against] = &side.players;
        if own.is_same_as(against) {
            return Err(same(baseline, &side.plan.name));
        }
        if let Some(other) = questions[..at].iter().find(|other| other.players[0].is_same_as(own)) {
            return Err(same(&other.plan.name, &side.plan.name));
        }
    }
    Ok(())
}

/// The book of the experiment, in the order in which it is played.
fn book(game: &GamePlan, pairs: u64, path: PathBuf) -> Result<Book, RunError> {
    if !path.exists() {
        return Err(RunError::NoBook { path, book: game.book.clone(), digest: game.book_xxh3.clone() });
    }
    let mut book = Book::read(&Input::File(path.clone()), &BookRule { plies: game.plies, ..BookRule::default() })?;
    let found = format!("{:032x}", book.digest);
    if found != game.book_xxh3 {
        return Err(RunError::OtherBook { path, expected: game.book_xxh3.clone(), found });
    }
    let start = game.start.map_or(1, NonZeroU64::get);
    let openings = (book.openings.len() as u64).saturating_sub(start - 1);
    if pairs > openings {
        return Err(RunError::FewOpenings { pairs, openings, start });
    }
    book.shuffle(game.seed);
    book.pass_over(start - 1);
    Ok(book)
}
