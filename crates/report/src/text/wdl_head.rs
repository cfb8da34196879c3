//! A WDL head: how its fit has ended, and how it does on games that no fit has seen.

use drawish_games::fit::Gain;
use drawish_games::fit::wdl_head::{ComparedWdl, Positions, Rescaled, WdlVerdict};
use drawish_heads::heads::WdlHead;
use drawish_stats::numbers::{grouped, signed};

/// How a fit has ended.
#[must_use]
pub fn fitted(head: &WdlHead) -> String {
    format!(
        "{} positions of {} games and {} events, {} weights of 16 bits\n\
         loss {:.4} bits, {:+.6} with weights in 16 bits\n",
        grouped(head.rows as u64),
        grouped(head.games as u64),
        grouped(head.events as u64),
        head.weights(),
        head.loss,
        head.quantised_loss - head.loss,
    )
}

/// The two numbers of a head for another engine.
#[must_use]
pub fn rescaled(positions: &Positions, numbers: Rescaled) -> String {
    format!(
        "evaluations count {:.3} times, the draw zone is {:.3} times as wide, by {} positions of {} games\n",
        numbers.scale,
        numbers.width,
        grouped(positions.len() as u64),
        grouped(positions.games() as u64)
    )
}

/// How the games were held out.
pub(crate) fn folds(compared: &ComparedWdl) -> String {
    match (compared.by_game, compared.folds) {
        (true, folds) => format!("{folds} folds by game"),
        (false, folds) => format!("{folds} x {folds} folds by opening and event"),
    }
}

/// The head and what it is held against, on games that no fit has seen.
#[must_use]
pub fn compared(compared: &ComparedWdl) -> String {
    let mut out = format!(
        "{} positions of {} games and {} events, |evaluation| up to {} centipawns, {}\n\n",
        grouped(compared.positions as u64),
        grouped(compared.games as u64),
        grouped(compared.events as u64),
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
    out
}
