//! The terms of play: openings, limits, rules, and how many games at a time.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use drawish_engine::eval::Evaluator;
use drawish_engine::search::{Game, Limits as SearchLimits, Searcher, Value};
use drawish_games::pgn::Input;
use shakmaty::{CastlingMode, Chess, Position};

use super::engine::Engine;
use super::error::ContestError;
use super::games_file::Writing;
use crate::arena::{
    Book, BookError, BookRule, CoreList, Cores, EngineLog, Figure, Limits, Order, RuleError, Rules, Syzygy, Tablebases,
};

/// Where games begin.
#[derive(Clone, Debug)]
pub enum Openings {
    /// A file of EPD, FEN or PGN, and what of it is played.
    File {
        /// The file.
        input: Input,
        /// What of it is played.
        rule: BookRule,
    },
    /// So many random half-moves from the standard position, after which neither side is much better: 1 to 40.
    Random(u32),
    /// Openings that have been read.
    Book(Book),
    /// The same in the order in which they are played, which no seed changes.
    InOrder(Book),
}

/// What stands before the number of half-moves in the place of a file.
const RANDOM: &str = "random:";

impl Openings {
    /// A file, or random openings by `random:8`, which are made from the standard position and obey no rule of books.
    ///
    /// # Errors
    ///
    /// If no number follows `random:`, or the rule takes half-moves, a band or Chess960.
    pub fn named(name: PathBuf, rule: BookRule) -> Result<Openings, RuleError> {
        let Some(plies) = name.to_str().and_then(|name| name.strip_prefix(RANDOM)) else {
            return Ok(Openings::File { input: Input::File(name), rule });
        };
        let wrong = |expected: &str| RuleError { word: format!("{RANDOM}{plies}"), expected: expected.to_owned() };
        let plies = plies.parse().map_err(|_| wrong("half-moves, as in random:8"))?;
        if rule.plies.is_some() || rule.band.is_some() || rule.castling.is_some_and(CastlingMode::is_chess960) {
            return Err(wrong("a file of openings for a number of plies, a band of evaluations or Chess960"));
        }
        Ok(Openings::Random(plies))
    }
}

impl From<Book> for Openings {
    fn from(book: Book) -> Openings {
        Openings::Book(book)
    }
}

impl From<&Path> for Openings {
    fn from(path: &Path) -> Openings {
        Openings::File { input: Input::File(path.to_owned()), rule: BookRule::default() }
    }
}

impl From<PathBuf> for Openings {
    fn from(path: PathBuf) -> Openings {
        Openings::from(path.as_path())
    }
}

impl From<&str> for Openings {
    fn from(path: &str) -> Openings {
        Openings::from(Path::new(path))
    }
}

/// Openings in the words of match runners: `file=book.epd order=random start=101 plies=16`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct OpeningWords {
    /// The file of the openings.
    pub file: Option<PathBuf>,
    /// The order in which they are played.
    pub order: Option<Order>,
    /// The first to play, from 1.
    pub start: Option<u64>,
    /// Half-moves taken from each game of a PGN book.
    pub plies: Option<usize>,
}

const OPENING_WORDS: &str = "one file, and beside file= only order=random or order=sequential, start= from 1, plies=, format=epd or \
                             format=pgn, and policy=round";

impl OpeningWords {
    /// The keys that [`set`](Self::set) knows.
    pub const KEYS: [&'static str; 6] = ["file", "format", "order", "start", "plies", "policy"];

    /// Takes a key with its value.
    ///
    /// # Errors
    ///
    /// If the key is not known, the value is none of its values, or a second file is named.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), RuleError> {
        let wrong = || RuleError { word: format!("{key}={value}"), expected: OPENING_WORDS.to_owned() };
        match (key, value) {
            ("file", file) if !file.is_empty() && self.file.is_none() => self.file = Some(PathBuf::from(file)),
            ("order", "random") => self.order = Some(Order::Random),
            ("order", "sequential") => self.order = Some(Order::Sequential),
            ("start", number) => {
                let start = number.parse().ok().filter(|&start| start > 0);
                self.start = Some(start.ok_or_else(wrong)?);
            }
            ("plies", number) => self.plies = Some(number.parse().map_err(|_| wrong())?),
            // What a file holds is seen by its content, and every opening is played twice in a row.
            ("format", "epd" | "pgn") | ("policy", "round" | "default") => {}
            _ => return Err(wrong()),
        }
        Ok(())
    }
}

/// How games are played, whoever plays them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Terms {
    /// Where games begin.
    pub openings: Openings,
    /// Seed for the order of the openings; that of the log that is resumed, or a new one, if `None`.
    pub seed: Option<u64>,
    /// The order of the openings.
    pub order: Order,
    /// Openings of that order that are passed over, and come after all others.
    pub passed_over: u64,
    /// Pairs of games to play at most; one for each opening if `None`.
    pub pairs: Option<u64>,
    /// Whether the openings begin again with the first when there are fewer than pairs.
    pub repeat_openings: bool,
    /// What limits an engine that has no limits of its own.
    pub limits: Limits,
    /// What ends games early.
    pub rules: Rules,
    /// Directories of Syzygy tables: what they know to be won or drawn is not played on.
    pub syzygy: Vec<PathBuf>,
    /// Tables of more men than that are not asked.
    pub syzygy_men: Option<usize>,
    /// Games at a time; one for each core if `None`, or for every two if an engine thinks in its opponent's time. It changes nothing in the games.
    pub workers: Option<NonZeroUsize>,
    /// Binds each game, and the engines that play it, to cores of its own: as many of the list as the option `Threads` of
    /// an engine says, and twice as many if one thinks in its opponent's time.
    pub cores: Option<CoreList>,
    /// Where the dialogue with engines is written down.
    pub engine_log: Option<EngineLog>,
    /// An engine that has only nodes or depth is told to stop after so long.
    pub patience: Duration,
    /// Games that an engine may lose by crashing or stalling before the match is given up.
    pub fault_limit: u64,
    /// Every so many pairs are written down with their moves, beginning with the first; of the others a checksum is kept.
    pub moves_of_every: NonZeroU64,
    /// How games are written down.
    pub writing: Writing,
}

/// How much a busy machine may make an answer late.
const TIME_MARGIN: Duration = Duration::from_millis(20);
/// Half-moves of random openings.
const MOST_RANDOM_PLIES: u32 = 40;
/// Random openings may not be worse than this for either side, in centipawns.
const BALANCE: i32 = 60;
/// So many of them take so long to make that it is said.
const MANY_RANDOM: u64 = 2_000;
/// Nodes of the search that judges them.
const NODES: u64 = 500;

/// What is shared by all games: openings in their order, and tables.
pub(crate) struct Ground {
    pub(crate) book: Book,
    pub(crate) seed: u64,
    pub(crate) syzygy: Option<Syzygy>,
}

impl Ground {
    pub(crate) fn tablebases(&self) -> Option<&dyn Tablebases> {
        self.syzygy.as_ref().map(|syzygy| syzygy as &dyn Tablebases)
    }
}

impl Terms {
    /// The rules of chess and nothing else, a game for each core at a time.
    #[must_use]
    pub fn new(openings: impl Into<Openings>) -> Terms {
        Terms {
            openings: openings.into(),
            seed: None,
            order: Order::Random,
            passed_over: 0,
            pairs: None,
            repeat_openings: false,
            limits: Limits::default(),
            rules: Rules { time_margin: TIME_MARGIN, ..Rules::default() },
            syzygy: Vec::new(),
            syzygy_men: None,
            workers: None,
            cores: None,
            engine_log: None,
            patience: Duration::from_secs(60),
            fault_limit: 10,
            moves_of_every: NonZeroU64::MIN,
            writing: Writing::default(),
        }
    }

    /// What limits an engine: its own limits, or else the shared ones.
    ///
    /// # Errors
    ///
    /// If nothing limits it, or it is to think in its opponent's time and has no clock.
    pub fn limits_of(&self, engine: &Engine) -> Result<Limits, ContestError> {
        let limits = if engine.limits.is_empty() { self.limits } else { engine.limits };
        if limits.is_empty() {
            return Err(ContestError::NoLimits(engine.name.clone()));
        }
        if engine.ponders() && (limits.tc.is_none() || limits.nodes.is_some() || limits.depth.is_some()) {
            return Err(ContestError::PonderWithoutClock(engine.name.clone()));
        }
        Ok(limits)
    }

    /// The limits, if what is written of clocks is asked for only where an engine has one.
    pub(crate) fn for_figures<L: AsRef<[Limits]>>(&self, limits: L) -> Result<L, ContestError> {
        let has_clock = limits.as_ref().iter().any(|limits| limits.tc.is_some());
        let is_void = self.writing.figures.has(Figure::TimeLeft) && !has_clock;
        if is_void { Err(ContestError::NoClock) } else { Ok(limits) }
    }

    /// Games of these engines at a time.
    pub(crate) fn workers(&self, engines: &[Engine]) -> NonZeroUsize {
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let most = NonZeroUsize::new(cores / thinking(engines)).unwrap_or(NonZeroUsize::MIN);
        self.workers.unwrap_or(most)
    }

    /// The cores of each worker, if games are bound to any.
    pub(crate) fn cores_for(&self, engines: &[Engine]) -> Result<Option<Cores>, ContestError> {
        let Some(list) = &self.cores else { return Ok(None) };
        let threads = engines.iter().flat_map(Engine::options).filter(|(name, _)| name.eq_ignore_ascii_case("Threads"));
        let each = threads.filter_map(|(_, threads)| threads.parse::<usize>().ok()).max().unwrap_or(1);
        Ok(Some(Cores::new(list, each.saturating_mul(thinking(engines)), self.workers(engines).get())?))
    }

    /// Reads the openings, or makes as many as are needed, and puts them into their order.
    pub(crate) fn book(&self, seed: u64, needed: Option<u64>) -> Result<Book, ContestError> {
        let mut book = match &self.openings {
            Openings::File { input, rule } => Book::read(input, rule)?,
            Openings::Random(plies) => random(*plies, needed.ok_or(ContestError::NoNumber)?, seed)?,
            Openings::Book(book) => book.clone(),
            Openings::InOrder(book) => return Ok(book.clone()),
        };
        if self.order == Order::Random {
            book.shuffle(seed);
        }
        book.pass_over(self.passed_over);
        Ok(book)
    }

    /// The number of random openings that are to be made before the first game, if that takes a while.
    pub(crate) fn makes(&self, needed: Option<u64>) -> Option<u64> {
        needed.filter(|&needed| matches!(self.openings, Openings::Random(_)) && needed >= MANY_RANDOM)
    }

    /// Opens the tables, if there are any to open.
    pub(crate) fn syzygy(&self) -> Result<Option<Syzygy>, ContestError> {
        if self.syzygy.is_empty() {
            return Ok(None);
        }
        let tables = Syzygy::open(&self.syzygy)?;
        Ok(Some(match self.syzygy_men {
            Some(men) => tables.up_to(men),
            None => tables,
        }))
    }

    /// The pairs to play, which must not be more than there are openings unless these are repeated.
    pub(crate) fn pairs_from(&self, book: &Book) -> Result<u64, ContestError> {
        let openings = book.openings.len() as u64;
        let pairs = self.pairs.unwrap_or(openings);
        if pairs > openings && !self.repeat_openings {
            return Err(ContestError::FewOpenings { pairs, book: book.name.clone(), openings });
        }
        Ok(pairs)
    }
}

/// Engines that think at the same time in a game.
fn thinking(engines: &[Engine]) -> usize {
    1 + usize::from(engines.iter().any(Engine::ponders))
}

/// A seed that nobody has chosen, as long as one types easily.
pub(crate) fn new_seed() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(1, |time| u64::from(time.subsec_nanos()) % 1_000_000)
}

/// As many random openings as wanted, none of which gives a side more than a little.
fn random(plies: u32, wanted: u64, seed: u64) -> Result<Book, ContestError> {
    if !(1..=MOST_RANDOM_PLIES).contains(&plies) {
        return Err(ContestError::RandomPlies { found: plies, most: MOST_RANDOM_PLIES });
    }
    let judge = || {
        let mut searcher = Searcher::new(Evaluator::default(), 1);
        move |position: &Chess| {
            searcher.new_game();
            let found = searcher.search(&Game::new(position.clone()), &SearchLimits::nodes(NODES), &mut |_| {});
            matches!(found.score, Value::Centipawns(score) if score.abs() <= BALANCE) && !position.is_check()
        }
    };
    let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let book = Book::random_on(threads, plies, wanted, seed, judge);
    let found = book.openings.len() as u64;
    if found == wanted { Ok(book) } else { Err(BookError::TooFewRandom { found, plies, wanted }.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Program;

    /// Two engines that think at the same time would take time from each other on one core.
    #[test]
    fn games_with_pondering_need_twice_the_cores() {
        let engine = |ponder| Engine::from(Program { command: "x".into(), ponder, ..Program::default() });
        let mut terms = Terms::new("book.epd");
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        assert_eq!(terms.workers(&[engine(false), engine(false)]).get(), cores);
        assert_eq!(terms.workers(&[engine(false), engine(true)]).get(), (cores / 2).max(1));
        terms.workers = NonZeroUsize::new(7);
        assert_eq!(terms.workers(&[engine(true), engine(true)]).get(), 7);
    }
}
