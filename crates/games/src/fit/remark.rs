//! What must hold of rows before anything is fitted to them, and what to know before trusting the fit.

use drawish_core::Wdl;
use std::fmt;

use drawish_heads::heads::{GameSketch, Input};
use drawish_stats::numbers::{counted, grouped, percent};
use thiserror::Error;

use super::{Data, FEWEST_EVENTS, Fitted, LEAST_WORTH};
use crate::rows::Events;

/// What leaves games out that begin as earlier ones do.
pub const EACH_LINE_ONCE: &str = "`drawish positions --dedupe=lines` leaves them out, with `--sample at` those that are the same up to that position";

/// Why nothing can be learned from rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Unlearnable {
    /// There are none.
    #[error("there are no rows")]
    NoRows,
    /// Every game was won by somebody.
    #[error("none of the games was drawn: there is nothing to learn about draws from {}", counted(*rows, "row"))]
    NoDraws {
        /// How many rows there are.
        rows: u64,
    },
    /// Nobody won.
    #[error("all games were drawn: there is nothing to learn about draws from {}", counted(*rows, "row"))]
    OnlyDraws {
        /// How many rows there are.
        rows: u64,
    },
    /// A model reads what no row has.
    #[error(
        "none of {} has {what}, which a term reads; take games with them, or leave that term out",
        counted(*rows, "row")
    )]
    Unmeasured {
        /// How many rows there are.
        rows: u64,
        /// `an evaluation`, `both ratings`, or the two.
        what: &'static str,
    },
    /// One colour never won.
    #[error("no game was won by {0}: there is nothing to learn about winning; take more games")]
    NeverWon(&'static str),
}

/// Makes sure that there is something to learn from rows with these results: White wins, draws, Black wins.
///
/// # Errors
///
/// If a result never occurs.
pub(super) fn check_results(results: Wdl) -> Result<(), Unlearnable> {
    let rows = results.total();
    match (results.wins, results.draws, results.losses) {
        (0, 0, 0) => Err(Unlearnable::NoRows),
        (_, 0, _) => Err(Unlearnable::NoDraws { rows }),
        (0, _, 0) => Err(Unlearnable::OnlyDraws { rows }),
        (0, ..) => Err(Unlearnable::NeverWon("White")),
        (.., 0) => Err(Unlearnable::NeverWon("Black")),
        _ => Ok(()),
    }
}

/// What a user should know of rows, or of a fit to them, before trusting it. [`Display`](fmt::Display) says it in a line.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Remark {
    /// So many rows name neither an event nor both players.
    Nameless(usize),
    /// So many rows are positions whose games are not known.
    Boards(usize),
    /// Rows were left out because they lack what a term reads.
    Unmeasured {
        /// How many.
        rows: usize,
        /// Of how many.
        of: usize,
        /// `an evaluation`, `both ratings`, or the two.
        what: &'static str,
    },
    /// All rows are of one event: errors cannot be robust to it, and without another there are no folds of events.
    OneEvent {
        /// Whether rows were held out by folds.
        folds: bool,
    },
    /// So many games stand under the names of several events, or begin as games of other events do.
    Copies(usize),
    /// So many games stand again under the name of their own event, or begin as others of it do.
    CopiesWithin(usize),
    /// Rows or positions are of more events than one, but of too few to say how much these differ.
    FewEvents(usize),
    /// Rows are of events enough, but a few of these have most of the rows.
    UnevenEvents {
        /// Events.
        events: usize,
        /// As many of equal size as they are worth, in tenths.
        tenths: u32,
    },
    /// Games begin in lines enough, but most rows are of a few of these.
    UnevenLines {
        /// Lines.
        lines: usize,
        /// As many of equal size as they are worth, in tenths.
        tenths: u32,
    },
    /// Rows are of so many events, but the fit follows them too closely to say how much these differ.
    FewEventsForWeights {
        /// Of the rows.
        events: usize,
        /// Of the head.
        weights: usize,
    },
    /// All positions of a WDL head are of one event.
    OneEventOfHead,
    /// There are fewer than ten rows for a weight.
    FewRows {
        /// Rows.
        rows: usize,
        /// Weights.
        weights: usize,
    },
    /// There are fewer than ten games for a weight.
    FewGames {
        /// Games.
        games: usize,
        /// Weights.
        weights: usize,
    },
    /// The side to move scored so much in the positions of a WDL head.
    Mover {
        /// Its expected score in thousandths.
        permille: u32,
    },
    /// Features that are the same in all rows.
    Idle(Vec<String>),
    /// Features whose weights only a complete separation of the results explains.
    Separating(Vec<String>),
    /// A fit was ended after so many steps.
    NotConverged {
        /// The steps.
        steps: usize,
    },
    /// Some of the games by which those of a head's fit are known stand here, too, though no file of them does.
    GamesOfFit {
        /// So many.
        shared: usize,
        /// Of so many.
        of: usize,
    },
    /// The heads that are judged were fitted to games of these rows.
    KnownGames {
        /// The source of the rows.
        rows: String,
    },
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::Nameless(rows) => {
                let name = if *rows == 1 { "names" } else { "name" };
                let rows = counted(*rows as u64, "row");
                write!(f, "{rows} {name} neither an event nor both players; their opening stands for the event")
            }
            Remark::Boards(rows) => write!(
                f,
                "{} without their games: those of one game count as independent and stand on both sides of folds, so that gains are too large \
                 and errors too small; judge by games (PGN, binpack, viri)",
                counted(*rows as u64, "position")
            ),
            Remark::Unmeasured { rows, of, what } => {
                let of = counted(*of as u64, "row");
                write!(f, "{} of {of} left out: without {what}, which a term reads", grouped(*rows as u64))
            }
            Remark::OneEvent { folds: true } => {
                f.write_str("all rows are of one event: no standard errors, and folds by opening only")
            }
            Remark::OneEvent { folds: false } => f.write_str("all rows are of one event: no standard errors"),
            Remark::Copies(games) => write!(
                f,
                "{} with the moves of a game of another event, or the first 60 half-moves: they are counted again, in weights and means, but \
                 not as independent of it; {EACH_LINE_ONCE}",
                counted(*games as u64, "game")
            ),
            Remark::CopiesWithin(games) => write!(
                f,
                "{} with the moves of a game of the same event, or the first 60 half-moves: they are counted again, in weights and means, but \
                 not as independent; {EACH_LINE_ONCE}",
                counted(*games as u64, "game")
            ),
            Remark::FewEvents(events) => {
                write!(f, "{events} events: too few for standard errors, which need {FEWEST_EVENTS}")
            }
            Remark::UnevenEvents { events, tenths } => write!(
                f,
                "{} events, of which the largest have most of the rows, so that they are worth {}.{} of equal size: too few for standard errors, \
                 which need {LEAST_WORTH}",
                grouped(*events as u64),
                tenths / 10,
                tenths % 10
            ),
            Remark::UnevenLines { lines, tenths } => write!(
                f,
                "{} whose first 60 half-moves differ, of which a few have most of the rows, so that they are worth {}.{} lines of equal size: too few \
                 for standard errors, which need {LEAST_WORTH}; leave copies out by `drawish positions --dedupe=lines`, or take more openings",
                counted(*lines as u64, "line"),
                tenths / 10,
                tenths % 10
            ),
            Remark::FewEventsForWeights { events, weights } => write!(
                f,
                "{} events for {}: too few for standard errors, which need two events for each weight that the rows decide and not the priors; \
                 collect more, or take fewer terms",
                grouped(*events as u64),
                counted(*weights as u64, "weight")
            ),
            Remark::OneEventOfHead => {
                f.write_str("all positions are of one event: games of others may have another draw rate")
            }
            Remark::FewRows { rows, weights } => {
                let [rows, weights] =
                    [(*rows, "row"), (*weights, "weight")].map(|(count, of)| counted(count as u64, of));
                write!(f, "{rows} for {weights}: what they leave open, the priors decide")
            }
            Remark::FewGames { games, weights } => {
                let [games, weights] =
                    [(*games, "game"), (*weights, "weight")].map(|(count, of)| counted(count as u64, of));
                write!(f, "{games} for {weights}: what they leave open, the priors decide")
            }
            Remark::Mover { permille } => write!(
                f,
                "the side to move scored {} in these positions, and the head takes that for the value of having the move: take positions of both \
                 sides, or games of an engine against itself",
                percent(f64::from(*permille) / 1000.0)
            ),
            Remark::Idle(names) => {
                write!(f, "the same in all rows, therefore without weight: {}", names.join(", "))
            }
            Remark::Separating(names) => write!(
                f,
                "these separate the results almost completely, their weights rest on the prior: {}",
                names.join(", ")
            ),
            Remark::NotConverged { steps } => {
                write!(
                    f,
                    "a fit was ended after {} before it had converged, so its weights are not final: collect more games, or take another prior",
                    counted(*steps as u64, "step")
                )
            }
            Remark::GamesOfFit { shared, of } => write!(
                f,
                "games of the fit are among these: {shared} of the {of} by which the head knows them; figures on them flatter it"
            ),
            Remark::KnownGames { rows } => {
                write!(f, "{rows}: the heads were fitted to games of this file; these figures flatter them")
            }
        }
    }
}

/// Covariates in words, as in `without an evaluation`.
fn in_words(covariates: &[Input]) -> &'static str {
    let has = |one: Input, other: Input| covariates.contains(&one) || covariates.contains(&other);
    match (has(Input::Eval, Input::EvalSize), has(Input::MeanElo, Input::EloDifference)) {
        (true, true) => "an evaluation and both ratings",
        (true, false) => "an evaluation",
        _ => "both ratings",
    }
}

/// That so many rows were left out because they lack what a model reads, if any were.
///
/// # Errors
///
/// If none is left.
pub(super) fn of_lacking(lacking: usize, left: usize, covariates: &[Input]) -> Result<Option<Remark>, Unlearnable> {
    let (of, what) = (lacking + left, in_words(covariates));
    match (lacking, left) {
        (0, _) => Ok(None),
        (_, 0) => Err(Unlearnable::Unmeasured { rows: of as u64, what }),
        _ => Ok(Some(Remark::Unmeasured { rows: lacking, of, what })),
    }
}

/// That games are not known or came again.
pub(super) fn of_events(events: &Events) -> impl Iterator<Item = Remark> {
    let copies = [Remark::Copies as fn(usize) -> Remark, Remark::CopiesWithin];
    let numbers = [events.copies(), events.copies_within()];
    let copies = copies.into_iter().zip(numbers).filter(|(_, games)| *games > 0).map(|(remark, games)| remark(games));
    events.boards().map(Remark::Boards).into_iter().chain(copies)
}

/// That games of a head's fit are among those that it is judged on, or by which it is changed.
pub(super) fn games_of_fit(sketch: &GameSketch, events: &Events) -> Option<Remark> {
    let shared = sketch.shared(|game| events.has_game(game));
    (shared > 0).then(|| Remark::GamesOfFit { shared, of: sketch.keys().len() })
}

/// What is odd about rows for a model of so many weights.
pub(super) fn of_rows(data: &Data, weights: usize, folds: bool) -> Vec<Remark> {
    let mut remarks: Vec<Remark> = of_events(data.numbered_events()).collect();
    let nameless = data.nameless();
    if nameless > 0 {
        remarks.push(Remark::Nameless(nameless));
    }
    if data.events() < 2 {
        remarks.push(Remark::OneEvent { folds });
    } else if data.events() < FEWEST_EVENTS {
        remarks.push(Remark::FewEvents(data.events()));
    } else {
        // Below the least worth, also when it is rounded.
        let tenths = |worth: f64| (10.0 * worth).floor() as u32;
        let [events, lines] = [data.worth_of_events(None), data.worth_of_lines(None)];
        if events < LEAST_WORTH {
            remarks.push(Remark::UnevenEvents { events: data.events(), tenths: tenths(events) });
        } else if lines < LEAST_WORTH {
            remarks.push(Remark::UnevenLines { lines: data.numbered_events().lines(), tenths: tenths(lines) });
        }
    }
    if data.len() < 10 * weights {
        remarks.push(Remark::FewRows { rows: data.len(), weights });
    }
    remarks
}

/// Remarks in words, as files keep them: each once.
pub(super) fn lines(remarks: &[Remark]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in remarks.iter().map(ToString::to_string) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// What is odd about a fit.
pub(super) fn of_fit(fitted: &Fitted, data: &Data) -> Vec<Remark> {
    let mut remarks = Vec::new();
    if !fitted.idle.is_empty() {
        // Middlegame and endgame are two values of one feature.
        let mut names: Vec<_> = fitted.idle.iter().map(|name| name.replace("_mg", "").replace("_eg", "")).collect();
        names.sort();
        names.dedup();
        remarks.push(Remark::Idle(names));
    }
    let separating = fitted.separating(data);
    if !separating.is_empty() {
        remarks.push(Remark::Separating(separating));
    }
    if !fitted.converged {
        remarks.push(Remark::NotConverged { steps: fitted.steps });
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_result_must_occur() {
        let said = |results: [u64; 3]| check_results(results.into()).expect_err("nothing to learn").to_string();
        assert_eq!(said([0, 0, 0]), "there are no rows");
        assert!(said([3, 0, 0]).starts_with("none of the games was drawn") && said([3, 0, 1]).contains("from 4 rows"));
        assert!(said([0, 5, 0]).starts_with("all games were drawn"));
        assert!(said([0, 5, 1]).contains("won by White") && said([1, 5, 0]).contains("won by Black"));
        assert!(said([0, 1, 0]).ends_with("from 1 row"));
        let [folds, none] = [true, false].map(|folds| Remark::OneEvent { folds }.to_string());
        assert!(folds.contains("folds by opening only") && !none.contains("folds"));
        assert_eq!(check_results([1, 1, 1].into()), Ok(()));
    }
}
