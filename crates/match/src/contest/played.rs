//! What came of a match, and the same for programs.

use std::collections::BTreeMap;

use drawish_stats::{NoFigure, Proportion, SequentialEstimate, Sprt, Trinomial};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Engine, TestOfLog};
use crate::arena::{CLASS_PLY, End, Finished, MatchScore, Origin, Setup, Tally};

/// A match that has ended.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Played {
    /// The engines; Elo is reported for the first.
    pub engines: [Engine; 2],
    /// What was played.
    pub setup: Setup,
    /// When it was begun, and what the engines call themselves.
    pub origin: Origin,
    /// Openings of the book that were left out because they reach a position that another has reached.
    pub duplicates: u64,
    /// Openings of the book that cannot be played.
    pub rejected: u64,
    /// The test that was to end the match.
    pub sprt: Option<Sprt>,
    /// How that test differs from the one of the log that was resumed, if it does.
    pub test_of_log: Option<TestOfLog>,
    /// The score, and what the test says.
    pub finished: Finished,
}

impl Played {
    /// The score.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.finished.tally
    }

    /// Elo and its relatives, with their errors.
    #[must_use]
    pub fn score(&self) -> MatchScore {
        MatchScore::of_match(self.tally())
    }

    /// Elo corrected for the stop, or why there is none; `None` without a test.
    #[must_use]
    pub fn estimate(&self) -> Option<Result<SequentialEstimate, NoFigure>> {
        estimate(self.sprt, self.test_of_log, &self.finished)
    }

    /// All of it as JSON.
    #[must_use]
    pub fn to_json(&self) -> Value {
        figures(&self.setup, self.sprt, self.test_of_log, &self.finished)
    }
}

pub(super) fn estimate(
    sprt: Option<Sprt>,
    of_log: Option<TestOfLog>,
    finished: &Finished,
) -> Option<Result<SequentialEstimate, NoFigure>> {
    let sprt = sprt?;
    // The games were ended by the test that the log had before.
    if let Some(TestOfLog::Other { is_decided: true, .. }) = of_log {
        return Some(Err(NoFigure::OtherStop));
    }
    let judged = finished.judged.unwrap_or_else(|| finished.tally.results_for(sprt.model()));
    sprt.estimate(&judged).ok()
}

/// The figures of a match that has ended, wherever it was played.
pub(super) fn figures(setup: &Setup, sprt: Option<Sprt>, of_log: Option<TestOfLog>, finished: &Finished) -> Value {
    let tally = &finished.tally;
    let decision = sprt.map(|_| finished.decision.name());
    let estimate = estimate(sprt, of_log, finished);
    let no_estimate = estimate.and_then(Result::err).map(|why| why.to_string());
    let estimate = estimate
        .and_then(Result::ok)
        .map(|SequentialEstimate { elo, low, high }| json!({ "elo": elo, "low": low, "high": high }));
    let of_model = sprt.and_then(|sprt| sprt.model().caveat()).map(str::to_owned);
    let of_log = of_log.and_then(TestOfLog::caveat).map(|caveat| caveat + if of_model.is_some() { "." } else { "" });
    let caveats: Vec<String> = of_log.into_iter().chain(of_model).collect();
    let more = json!({
        "finished": true,
        "setup": setup,
        "pentanomial": tally.results().counts(),
        "distinct_pentanomial": tally.distinct().counts(),
        "wins": tally.games.wins,
        "draws": tally.games.draws,
        "losses": tally.games.losses,
        "wl_pairs": tally.win_loss,
        "dd_pairs": tally.two_draws,
        "test": sprt,
        "test_caveat": (!caveats.is_empty()).then(|| caveats.join(" ")),
        "llr": finished.llr,
        "lower": sprt.map(|sprt| sprt.lower()),
        "upper": sprt.map(|sprt| sprt.upper()),
        "decision": decision,
        "pairs_after_decision": sprt.map(|_| finished.later()),
        "sequential": estimate,
        "sequential_absent": no_estimate,
        "ends": counts(&tally.ends),
        "adjudicated": tally.adjudicated(),
        "drawn": counts(&tally.drawn),
        "conversion": setup.band.as_ref().map(|band| conversion(tally, *band.start(), *band.end())),
        "class_move": CLASS_PLY / 2,
        "structures": structures(tally),
        "identical_pairs": tally.identical,
        "repeated_pairs": tally.repeated(),
        "faults": tally.faults.each_ref().map(counts),
        "overran": tally.overran,
        "plies": tally.plies,
    });
    let mut value = json!(MatchScore::of_match(tally));
    for (name, figure) in more.as_object().into_iter().flatten() {
        value[name] = figure.clone();
    }
    value
}

/// Games by their end; where there are two numbers, those in which the first side had White, and those in which the second had.
fn counts<N: Serialize>(ends: &BTreeMap<End, N>) -> Value {
    ends.iter().map(|(end, games)| (end.name().to_owned(), json!(games))).collect::<Map<_, _>>().into()
}

/// Games of each side with the better position, and the shares that it won; the other side held the rest.
fn conversion(tally: &Tally, low: i32, high: i32) -> Value {
    let sides = tally.conversions.iter().map(|games| {
        let won = Proportion::of(games.wins, games.wins + games.draws + games.losses);
        json!({
            "wins": games.wins, "draws": games.draws, "losses": games.losses,
            "won": won.map(|won| won.share), "won_low": won.map(|won| won.low), "won_high": won.map(|won| won.high),
        })
    });
    json!({ "from": low, "to": high, "better": sides.collect::<Vec<_>>() })
}

/// Games of the first side by the class of their pawns.
fn structures(tally: &Tally) -> Value {
    let rows = tally.structures.iter().map(|(class, share)| {
        let Trinomial { wins, draws, losses } = share.games;
        let rate = share.drawn();
        json!({
            "class": class.name(), "wins": wins, "draws": draws, "losses": losses,
            "draw_rate": rate.map(|rate| rate.share), "draw_low": rate.map(|rate| rate.low),
            "draw_high": rate.map(|rate| rate.high), "drawn": counts(&share.draws),
        })
    });
    rows.collect()
}
