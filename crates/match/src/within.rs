//! Heads fitted within roots: to what tells the moves of one position apart, as deeper searches see it.
//!
//! A head that is fitted to results learns what tells games apart. Play asks how evaluations should differ of positions that come
//! from one root. So roots are drawn from games, the position behind each quiet move is searched, and the scores are explained by
//!
//! > S(score) = effect of the root + b S(w) + S'(w) w (c f0 + b theta f),
//!
//! where w is the static evaluation behind the move, f the features there, f0 their mean over the root's moves, and S the expected score,
//! stretched to count centipawns near 0. theta are the weights of the gain head, w e^(theta f). c takes up that a difference is worth
//! more in some positions than in others, which is no advice where to go. The draw head is fitted to the probability of a draw that
//! the score stands for. Both are robust ridge regressions (Huber's loss), with errors robust to dependence within games.
//!
//! ```no_run
//! use drawish_games::pgn::expand_inputs;
//! use drawish_match::within::Within;
//!
//! let fitted = Within::new(expand_inputs(&["games.pgn".into()])?).nodes(2000).labels("labels.jsonl").run(|_| {})?;
//! for term in &fitted.heads.gain.score {
//!     println!("{} {:?} {:?}", term.term, term.weights, term.errors);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The number of threads changes nothing in labels or heads.

mod form;
mod held_out;
mod label;
mod log;
mod ridge;
mod roots;
mod run;
mod siblings;

use std::num::{NonZero, NonZeroU32};
use std::path::PathBuf;

use drawish_core::Wdl;
use drawish_engine::eval::ConfigError;
use drawish_engine::form::{Form, FormError};
use drawish_games::fan_out::all_cores;
use drawish_games::fit::specs::{self, TermsError};
use drawish_games::fit::{Priors, Remark};
use drawish_games::pgn::{Anomalies, Input, InputProblems, Progress};
use drawish_games::sample::{Dedupe, Filters, Rule, Sampling, Tally, TerminationFilter};
use drawish_heads::heads::{HeadError, HeadsFile, Term};
use thiserror::Error;

use crate::arena::{ProbeError, SyzygyTables, TablebaseError};

pub use self::held_out::{Beside, Estimate, HeldOut};
pub use self::label::{DECIDED, MoveCounts, RootSkip};
pub use self::log::LabelsError;

/// Games that a fit needs at least: two for each part that is held out.
pub const FEWEST_GAMES: usize = 2 * ridge::FOLDS as usize;

/// How strongly weights are held back unless it is said otherwise: five times as much as in fits to results. Engines have gained by
/// factors of some tens of percent, and what is rare within roots would else be taken at its word.
pub const PRIORS: Priors = Priors { linear: 0.1, largest: 0.4, bands: 0.06, pairs: 0.03 };

/// Fits a draw head and a gain head within roots.
pub struct Within<'a> {
    inputs: Vec<Input>,
    rule: Rule,
    per_game: NonZeroU32,
    roots: usize,
    nodes: u64,
    window: i32,
    draw_terms: Vec<Term>,
    gain_terms: Vec<Term>,
    priors: Priors,
    labels: Option<PathBuf>,
    syzygy: Vec<PathBuf>,
    threads: NonZero<usize>,
    progress: &'a Progress<'a>,
}

/// How far labelling has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Standing {
    /// Roots whose moves are searched, those of the file of labels included.
    pub roots: usize,
    /// Of so many.
    pub of: usize,
    /// Roots that were found in the file of labels.
    pub found: usize,
}

/// Every position that was sampled, by what became of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct RootCounts {
    /// Its moves are compared.
    pub compared: u64,
    /// It had come before, in another game.
    pub repeated: u64,
    /// There were as many as wanted without it.
    pub not_drawn: u64,
    /// Left out, by the reasons in [`RootSkip::ALL`].
    pub skipped: [u64; RootSkip::ALL.len()],
}

impl RootCounts {
    /// Positions that were sampled.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.compared + self.repeated + self.not_drawn + self.skipped.iter().sum::<u64>()
    }
}

/// What was compared, and everything that was not.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Compared {
    /// Every position that was sampled.
    pub roots: RootCounts,
    /// Every move of the roots that are compared.
    pub moves: MoveCounts,
    /// Every move of the roots that are left out.
    pub moves_left_out: u64,
    /// Games of these roots.
    pub games: usize,
    /// Results of the games of the roots, White's.
    pub results: Wdl,
    /// Nodes behind each move, unless endgame tables are asked.
    pub nodes: u64,
    /// The endgame tables.
    pub syzygy: Option<SyzygyTables>,
    /// Every game, counted or left out.
    pub tally: Tally,
    /// What was odd in the games.
    pub anomalies: Anomalies,
    /// What must be reported of single inputs.
    pub problems: InputProblems,
}

/// What is said of a fit.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct FitFigures {
    /// What a difference of 1 in the static evaluation, or in the probability of a draw that it stands for, is worth to the search.
    pub slope: Estimate,
    /// Figures of games that nothing was fitted to.
    pub held_out: HeldOut,
}

/// Heads that were fitted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WithinFit {
    /// Both heads. Their rows are moves; what is called events are games. They have no win/loss score of their own.
    pub heads: HeadsFile,
    /// Of the gain head.
    pub gain: FitFigures,
    /// Of the draw head.
    pub draw: FitFigures,
    /// What they were fitted to.
    pub compared: Compared,
    /// What to know before trusting the heads.
    pub remarks: Vec<Remark>,
}

/// A number of a form that was fitted.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct FittedNumber {
    /// Its name.
    pub name: String,
    /// What it was before.
    pub before: f64,
    /// What the moves say; the error is that of the linearised fit.
    pub value: Estimate,
}

/// A form that was fitted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FormFit {
    /// The form with its new numbers.
    pub form: Form,
    /// The numbers that were fitted. Those that change no evaluation stay as they were and are remarked upon.
    pub numbers: Vec<FittedNumber>,
    /// Of the fit.
    pub figures: FitFigures,
    /// What it was fitted to.
    pub compared: Compared,
    /// What to know before trusting the numbers.
    pub remarks: Vec<Remark>,
}

/// Heads or a form.
#[derive(Clone, Debug)]
pub enum Fitted {
    /// By [`Within::run`].
    Heads(Box<WithinFit>),
    /// By [`Within::run_form`].
    Form(Box<FormFit>),
}

impl Fitted {
    /// What was compared.
    #[must_use]
    pub fn compared(&self) -> &Compared {
        match self {
            Fitted::Heads(fitted) => &fitted.compared,
            Fitted::Form(fitted) => &fitted.compared,
        }
    }

    /// What to know before trusting it.
    #[must_use]
    pub fn remarks(&self) -> &[Remark] {
        match self {
            Fitted::Heads(fitted) => &fitted.remarks,
            Fitted::Form(fitted) => &fitted.remarks,
        }
    }
}

impl From<WithinFit> for Fitted {
    fn from(fitted: WithinFit) -> Fitted {
        Fitted::Heads(Box::new(fitted))
    }
}

impl From<FormFit> for Fitted {
    fn from(fitted: FormFit) -> Fitted {
        Fitted::Form(Box::new(fitted))
    }
}

/// Why no heads can be fitted.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
#[non_exhaustive]
pub enum WithinError {
    #[error("0 nodes find nothing: take 500 or more")]
    NoNodes,
    #[error("a window of {0} centipawns leaves no moves to compare: take 1 or more")]
    Window(i32),
    #[error("the standard deviation of a prior is {0}, expected a number above 0")]
    Prior(f64),
    #[error(transparent)]
    Terms(#[from] TermsError),
    #[error("the term {0:?} reads the game rather than the position; fit without it")]
    NotOnTheBoard(String),
    #[error(transparent)]
    Labels(#[from] LabelsError),
    #[error(transparent)]
    Tables(#[from] TablebaseError),
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// No game gave a position.
    #[error("no position was sampled from {} games", tally.games())]
    NoPositions {
        /// The games.
        tally: Box<Tally>,
        /// What must be reported of inputs.
        problems: Box<InputProblems>,
    },
    #[error(
        "moves can be compared in {roots} positions of {games} games, expected {FEWEST_GAMES} games or more; take more games"
    )]
    TooFewGames { roots: u64, games: usize },
    #[error("the evaluation does not tell the moves of any root apart as the search does; take more games or nodes")]
    NothingToLearn,
    #[error("the form has no number that changes an evaluation: begin with one that scales")]
    NoNumbers,
    #[error(transparent)]
    Form(#[from] FormError),
    #[error(transparent)]
    Arm(#[from] ConfigError),
    #[error(transparent)]
    Head(#[from] HeadError),
}

impl<'a> Within<'a> {
    /// Fits the terms that engines play by to one position from move 8 on of each game, 10,000 in all at most, with 2,000 nodes
    /// behind each move within 150 centipawns of the best, on all cores.
    #[must_use]
    pub fn new(inputs: Vec<Input>) -> Within<'a> {
        let rule = Rule {
            sampling: Sampling::Every { from: 8 },
            min_moves: 0,
            fen_starts: true,
            dedupe: Dedupe::Games,
            filters: Filters { termination: TerminationFilter::Any, ..Filters::default() },
            ..Rule::default()
        };
        Within {
            inputs,
            rule,
            per_game: NonZeroU32::MIN,
            roots: 10_000,
            nodes: 2000,
            window: 150,
            draw_terms: specs::play(),
            gain_terms: specs::play(),
            priors: PRIORS,
            labels: None,
            syzygy: Vec::new(),
            threads: all_cores(),
            progress: &|_, _| {},
        }
    }

    /// Which positions of which games roots are drawn from; [`Dedupe::Lines`] leaves out the same games as [`Dedupe::Games`].
    #[must_use]
    pub fn rule(self, rule: Rule) -> Self {
        Within { rule, ..self }
    }

    /// Positions of each game, at most; `None` for the usual number, as below.
    #[must_use]
    pub fn per_game(self, per_game: impl Into<Option<NonZeroU32>>) -> Self {
        Within { per_game: per_game.into().unwrap_or(self.per_game), ..self }
    }

    /// Positions in all, at most; drawn at random.
    #[must_use]
    pub fn roots(self, roots: impl Into<Option<usize>>) -> Self {
        Within { roots: roots.into().unwrap_or(self.roots), ..self }
    }

    /// Nodes behind each move.
    #[must_use]
    pub fn nodes(self, nodes: impl Into<Option<u64>>) -> Self {
        Within { nodes: nodes.into().unwrap_or(self.nodes), ..self }
    }

    /// Moves are compared whose static evaluation lies at most so many centipawns below the best one's.
    #[must_use]
    pub fn window(self, centipawns: impl Into<Option<i32>>) -> Self {
        Within { window: centipawns.into().unwrap_or(self.window), ..self }
    }

    /// Terms of the draw head, which must be even; `None` for the built-in ones.
    #[must_use]
    pub fn draw_terms(self, draw_terms: impl Into<Option<Vec<Term>>>) -> Self {
        Within { draw_terms: draw_terms.into().unwrap_or(self.draw_terms), ..self }
    }

    /// Terms of the gain head, which must be even; `None` for the built-in ones.
    #[must_use]
    pub fn gain_terms(self, gain_terms: impl Into<Option<Vec<Term>>>) -> Self {
        Within { gain_terms: gain_terms.into().unwrap_or(self.gain_terms), ..self }
    }

    /// How strongly weights are held back, by default [`PRIORS`].
    #[must_use]
    pub fn priors(self, priors: Priors) -> Self {
        Within { priors, ..self }
    }

    /// Where labels are written as they are found: a run of the same games and settings searches only what is missing there, be it
    /// with more or fewer [`roots`](Self::roots).
    #[must_use]
    pub fn labels(self, path: impl Into<PathBuf>) -> Self {
        Within { labels: Some(path.into()), ..self }
    }

    /// Directories of Syzygy tables. Roots then have no more men than the largest, and labels are what tables know: won, lost, drawn.
    #[must_use]
    pub fn syzygy(self, directories: Vec<PathBuf>) -> Self {
        Within { syzygy: directories, ..self }
    }

    /// Threads that read, search and fit.
    #[must_use]
    pub fn threads(self, threads: NonZero<usize>) -> Self {
        Within { threads, ..self }
    }

    /// Called with the bytes and games read so far.
    #[must_use]
    pub fn progress(self, progress: &'a Progress<'a>) -> Self {
        Within { progress, ..self }
    }

    /// Reads the games, searches, and fits; `observe` is told of every root.
    ///
    /// # Errors
    ///
    /// See [`WithinError`].
    pub fn run(&self, observe: impl FnMut(Standing) + Send) -> Result<WithinFit, WithinError> {
        run::heads(self, observe)
    }

    /// Fits numbers of a form instead of heads: what to add to each, by one step from where they stand. Begin again from the result,
    /// with the same labels, where the step was large.
    ///
    /// # Errors
    ///
    /// See [`WithinError`].
    pub fn run_form(&self, form: &Form, observe: impl FnMut(Standing) + Send) -> Result<FormFit, WithinError> {
        form::run(self, form, observe)
    }
}
