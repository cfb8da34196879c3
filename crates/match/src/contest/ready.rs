//! A match that is ready to be played, as a whole or in ranges.

use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::Path;

use super::error::ContestError;
use super::players::Players;
use super::terms::{Ground, Terms};
use super::{Contest, Event, Played};
use crate::arena::{Limits, Origin, Setup, Syzygy};

/// A [`Contest`] whose openings are read and whose arms are loaded, so that many ranges of it can be played in turn.
///
/// ```
/// use std::num::NonZeroUsize;
/// use std::ops::ControlFlow;
///
/// use drawish_match::arena::Logged;
/// use drawish_match::contest::{ArmSettings, Contest, Gathering, Openings};
///
/// let table = ArmSettings::from_pairs([("arm", "draw-table"), ("table", "rival"), ("hash", "1")])?;
/// let plain = ArmSettings::from_pairs([("arm", "none"), ("hash", "1")])?;
/// let contest = Contest::new(table, plain, Openings::Random(6)).pairs(4).nodes(50).seed(7);
/// # let directory = std::env::temp_dir().join(format!("drawish-ready-{}", std::process::id()));
/// # std::fs::create_dir_all(&directory)?;
/// # let (whole, part) = (directory.join("whole.jsonl"), directory.join("part.jsonl"));
/// let ready = contest.ready(|_| ControlFlow::Continue(()))?;
/// let (setup, origin) = ready.header()?;
/// let mut gathering = Gathering::open(&whole, &setup, origin, ready.pairs())?;
/// for range in [1..=3, 4..=4] {
///     # let _ = std::fs::remove_file(&part);
///     ready.play_range(range, &part, NonZeroUsize::MIN, |_| ControlFlow::Continue(()))?;
///     gathering.add(&Logged::read(&std::fs::read(&part)?)?)?;
/// }
/// assert!(gathering.is_over());
/// # std::fs::remove_file(&part)?;
/// contest.log(&part).run(|_| ControlFlow::Continue(()))?;
/// assert_eq!(std::fs::read(&whole)?, std::fs::read(&part)?);
/// # std::fs::remove_dir_all(&directory)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Ready {
    pub(super) contest: Contest,
    pub(super) ground: Ground,
    pub(super) players: [Players; 2],
    pub(super) limits: [Limits; 2],
    pub(super) pairs: u64,
}

impl Ready {
    /// Pairs of the whole match at most.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// What the log of the whole match has in its first line. Engines are started to ask for their names.
    ///
    /// # Errors
    ///
    /// If an engine does not start.
    pub fn header(&self) -> Result<(Setup, Origin), ContestError> {
        let setup = self.ground.setup(&self.players, self.limits, &self.contest.terms);
        Ok((setup, self.contest.origin(&self.players, &self.limits)?))
    }

    /// Plays the contest as it is described.
    ///
    /// # Errors
    ///
    /// As [`Contest::run`].
    pub fn play(&self, mut observe: impl FnMut(Event<'_>) -> ControlFlow<()> + Send) -> Result<Played, ContestError> {
        self.contest.play(&self.ground, &self.players, self.limits, &mut observe)
    }

    /// Plays a range of the pairs into a new log of its own, without the test, the log and the PGN of the contest.
    ///
    /// # Errors
    ///
    /// As [`Contest::run`], and if the range does not lie within the match.
    pub fn play_range(
        &self,
        range: RangeInclusive<u64>,
        log: &Path,
        workers: NonZeroUsize,
        mut observe: impl FnMut(Event<'_>) -> ControlFlow<()> + Send,
    ) -> Result<Played, ContestError> {
        let mut contest = self.contest.clone();
        contest.terms.workers = Some(workers);
        (contest.range, contest.sprt, contest.log) = (Some(range), None, Some(log.to_owned()));
        (contest.resume, contest.pgn, contest.final_positions) = (false, None, None);
        contest.play(&self.ground, &self.players, self.limits, &mut observe)
    }
}

impl Ground {
    /// What a match on this ground is.
    pub(crate) fn setup(&self, players: &[Players; 2], limits: [Limits; 2], terms: &Terms) -> Setup {
        self.setup_of([players[0].side(limits[0]), players[1].side(limits[1])], terms)
    }

    /// What games between two sides on this ground are.
    pub(crate) fn setup_of<Sides>(&self, sides: Sides, terms: &Terms) -> Setup<Sides> {
        let book = &self.book;
        Setup {
            sides,
            book: book.name.clone(),
            book_digest: format!("{:032x}", book.digest),
            openings: book.openings.len() as u64,
            plies: book.rule.plies,
            seed: self.seed,
            order: terms.order,
            passed_over: terms.passed_over,
            chess960: book.castling.is_chess960(),
            rules: terms.rules,
            syzygy: self.syzygy.as_ref().map(Syzygy::tables),
            band: book.rule.band.clone(),
            moves_of_every: terms.moves_of_every,
            first_pair: NonZeroU64::MIN,
        }
    }
}
