//! A WDL head: how its fit has ended, and how it does on games that no fit has seen.

use drawish_games::fit::wdl_head::{ComparedWdl, Left, Positions, Rescaled, RescaledHead, WdlVerdict};
use drawish_games::fit::{FEWEST_EVENTS, Gain, LEAST_WORTH};
use drawish_games::rows::Gathered;
use drawish_games::sample::is_of_positions;
use drawish_heads::heads::WdlHead;
use drawish_stats::numbers::{counted, signed};

use super::counts::{self, Hint, Line};
use super::ledger::{hinted, row};
use super::{FITS_VARY, LOOSE, LOOSE_ERRORS};

/// Where every game, and every position of the counted ones, has gone.
#[must_use]
pub fn account(positions: &Positions, gathered: &Gathered, hint: Hint) -> String {
    let Left { no_eval, large_eval, between } = positions.left();
    let (sampled, other) = (gathered.tally.positions, gathered.other_engine);
    let mut out = String::new();
    row(&mut out, "  fitted", positions.len() as u64, sampled, "");
    let largest = format!("an evaluation beyond {} centipawns", positions.choice().largest_eval);
    let every = format!("not among one in {} of their game", positions.choice().every);
    for (name, count, meaning, line) in [
        ("no-eval", no_eval - other.min(no_eval), "no evaluation in the comment behind the move", None),
        ("other-engine", other, "made by another engine than the one asked for", Some(Line::OtherEngine)),
        ("large-eval", large_eval, &*largest, Some(Line::LargeEval)),
        ("between", between, &*every, Some(Line::Between)),
    ] {
        if count > 0 {
            row(&mut out, &format!("  dropped: {name}"), count, sampled, &hinted(meaning, line.and_then(hint)));
        }
    }
    if gathered.fen_starts > 0 {
        let begin = if gathered.fen_starts == 1 { "begins" } else { "begin" };
        let line = format!(
            "{} {begin} from a FEN, such as an opening of a book",
            counted(gathered.fen_starts, "counted game")
        );
        out += &format!("\n{}\n", hinted(&line, hint(Line::FenStarts)));
    }
    if let Some(mixed) = gathered.engines.mixed() {
        out += &format!("\n{}\n", hinted(&mixed, hint(Line::Mixed)));
    }
    counts::tally_with(&gathered.tally, gathered.anomalies, &gathered.repeats, hint, &out)
}

/// How a fit has ended.
#[must_use]
pub fn fitted(head: &WdlHead) -> String {
    let positions = counted(head.rows as u64, "position");
    let of = match head.rules.first().is_some_and(|rule| is_of_positions(rule)) {
        true => LOOSE.to_owned(),
        false => format!("of {} and {}", counted(head.games as u64, "game"), counted(head.events as u64, "event")),
    };
    format!(
        "fitted to {positions} {of}, {} of 16 bits\n\
         loss {:.4} bits, changed by {:+.6} with weights in 16 bits\n",
        counted(head.free_weights() as u64, "weight"),
        head.loss,
        head.quantised_loss - head.loss,
    )
}

/// The two numbers of a head for another engine.
#[must_use]
pub fn rescaled(positions: &Positions, found: &RescaledHead) -> String {
    let interval = |of: fn(&Rescaled) -> f64| {
        found.interval_95.map_or(String::new(), |[low, high]| format!(" (95 % CI {:.3} to {:.3})", of(&low), of(&high)))
    };
    format!(
        "what evaluations are worth counts {:.3} times{}, the draw zone is {:.3} times as wide{}, by {} {}\n",
        found.numbers.scale,
        interval(|numbers| numbers.scale),
        found.numbers.width,
        interval(|numbers| numbers.width),
        counted(positions.len() as u64, "position"),
        match positions.rules().iter().any(|rule| is_of_positions(rule)) {
            true => LOOSE.to_owned(),
            false => format!("of {}", counted(positions.games() as u64, "game")),
        }
    )
}

/// What was judged: positions of games and events, or without them.
pub(crate) fn judged(compared: &ComparedWdl) -> String {
    match compared.is_of_positions() {
        true => format!("{} {LOOSE}", counted(compared.positions as u64, "position")),
        false => format!(
            "{} of {} and {}",
            counted(compared.positions as u64, "position"),
            counted(compared.games as u64, "game"),
            counted(compared.events as u64, "event")
        ),
    }
}

/// What the errors of a comparison are good for, as in "errors that are robust to ...".
pub(crate) fn said_of_errors(compared: &ComparedWdl) -> String {
    match compared.is_of_positions() {
        true => LOOSE_ERRORS.to_owned(),
        false => format!("are robust to dependence within {}", compared.dependent_within()),
    }
}

/// How the games were held out.
pub(crate) fn folds(compared: &ComparedWdl) -> String {
    match (compared.by_game, compared.folds) {
        (_, folds) if compared.is_of_positions() => format!("{folds} x {folds} folds by structure"),
        (true, folds) => format!("{folds} folds by game"),
        (false, folds) if compared.events < 2 => format!("{folds} folds by opening, all games being of one event"),
        (false, folds) => format!("{folds} x {folds} folds by opening and event"),
    }
}

/// The head and what it is held against, on games that no fit has seen.
#[must_use]
pub fn compared(compared: &ComparedWdl) -> String {
    let mut out = format!(
        "judged on {}, |evaluation| up to {} centipawns, {}\n\n",
        judged(compared),
        compared.largest_eval,
        folds(compared)
    );
    out.push_str(&format!(
        "{:<42}{:>8}{:>9}{:>18}{:>18}{:>18}{:>24}\n",
        "Win, draw and loss", "weights", "bits", "gain, mbit", "by game", "over the last", "ECE of W, D, L"
    ));
    let gain = |gain: &Gain| match gain.error {
        Some(error) => format!("{} +- {error:.1}", signed(gain.millibits, 1)),
        None => signed(gain.millibits, 1),
    };
    for (place, verdict) in compared.verdicts.iter().enumerate() {
        let WdlVerdict { name, weights, bits, calibration, .. } = verdict;
        let gains = [&verdict.gain, &verdict.gain_by_game, &verdict.over_last];
        let [over, by_game, last] = gains.map(|over| if place == 0 { String::new() } else { gain(over) });
        let [win, draw, loss] = calibration.each_ref().map(|class| format!("{:.4}", class.ece));
        out.push_str(&format!(
            "{name:<42}{weights:>8}{bits:>9.4}{over:>18}{by_game:>18}{last:>18}{:>24}\n",
            format!("{win} {draw} {loss}"),
        ));
    }
    if let Some(said) = compared.in_sample() {
        out.push_str(&format!("\n{said}\n"));
    }
    if compared.verdicts.iter().any(|verdict| verdict.gain.error.is_some()) {
        let errors = match compared.is_of_positions() {
            true => format!("which {LOOSE_ERRORS}"),
            false => format!("robust to dependence within {}", compared.dependent_within()),
        };
        out.push_str(&format!(
            "\ngains with their standard errors (+-), {errors}, in millibits a position{FITS_VARY}\n"
        ));
    } else if compared.verdicts.len() > 1 {
        let events = counted(compared.events as u64, "event");
        out.push_str(&format!(
            "\ngains in millibits a position, without standard errors: those need games of {FEWEST_EVENTS} events that are worth {LEAST_WORTH} of \
             equal size and begin in lines, of 40 half-moves, that are worth as many; here are {events}\n"
        ));
    }
    out
}
