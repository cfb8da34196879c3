//! The points of results: a printed score must be that of its wins, losses and draws, and pairs have the points of their games.

use super::sides::score_of;
use super::{Printed, PrintedError};
use crate::counted::Counted;
use crate::numbers::grouped;
use crate::results::{Pentanomial, Trinomial};

/// The score of a line if it is not that of its wins, losses and draws: as it is printed, and theirs. That is the share of the points
/// in brackets as cutechess has it, and `Points:` as fastchess and drawish do.
pub(super) fn other(line: &str, games: &Trinomial) -> Option<(String, String)> {
    let points = games.wins as f64 + games.draws as f64 / 2.0;
    let all = (games.wins + games.draws + games.losses) as f64;
    let in_brackets = || {
        let rest = score_of(line)?.strip_prefix("Score of ")?;
        Some((rest.rsplit_once(": ")?.1.split_once('[')?.1, points / all.max(1.0)))
    };
    let named = || Some((line.split_once("Points:")?.1, points));
    [in_brackets(), named()].into_iter().flatten().find_map(|(rest, theirs)| {
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let printed = rest[..end].trim_end_matches('.');
        let decimals = printed.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        // The last decimal may be rounded either way, or cut off.
        let unit = 10_f64.powi(-i32::try_from(decimals).unwrap_or(i32::MAX));
        let differs = (printed.parse::<f64>().ok()? - theirs).abs() > unit * 1.001;
        (differs && all > 0.0).then(|| (printed.to_owned(), format!("{theirs:.decimals$}", decimals = decimals.min(9))))
    })
}

/// Pairs hold no more games than were played; those of unfinished pairs may be there too. Where there are none, the points agree.
pub(super) fn check(block: &Printed) -> Result<(), PrintedError> {
    let Counted { pairs: Some(pairs), games: Some(games) } = &block.counted else { return Ok(()) };
    let line = block.line;
    let [[in_pairs, of_pairs], [games, of_games]] = [of_pairs(pairs), of_games(games)];
    if in_pairs > games {
        Err(PrintedError::Games { line, pairs: in_pairs / 2, games })
    } else if in_pairs == games && of_pairs != of_games {
        Err(PrintedError::Points { line, pairs: points(of_pairs), games: points(of_games) })
    } else {
        Ok(())
    }
}

/// Whether the pairs may be all of these games: as many, with as many points.
pub(super) fn are_all(pairs: &Pentanomial, games: &Trinomial) -> bool {
    of_pairs(pairs) == of_games(games)
}

/// Games and half-points.
fn of_pairs(&Pentanomial { ll, ld, wl_dd, wd, ww }: &Pentanomial) -> [u64; 2] {
    [2 * (ll + ld + wl_dd + wd + ww), ld + 2 * wl_dd + 3 * wd + 4 * ww]
}

/// The same of single games.
fn of_games(&Trinomial { wins, draws, losses }: &Trinomial) -> [u64; 2] {
    [wins + draws + losses, draws + 2 * wins]
}

fn points(halves: u64) -> String {
    format!("{}{}", grouped(halves / 2), if halves.is_multiple_of(2) { "" } else { ".5" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_that_of_its_games() {
        let games = Trinomial { wins: 10, draws: 85, losses: 5 };
        for line in [
            "Score of a vs b: 10 - 5 - 85  [0.525] 100",
            "Score of a vs b [0.9]: 10 - 5 - 85  [0.53]",
            "Score of a vs b: 10 - 5 - 85",
            "Games: 100, Wins: 10, Losses: 5, Draws: 85, Points: 52.5 (52.50 %)",
            "W: 10 L: 5 D: 85 Points: ?",
            "Points: 52, W: 10 L: 5 D: 85",
        ] {
            assert_eq!(other(line, &games), None, "{line}");
        }
        for (line, printed, theirs) in [
            ("Score of a vs b: 10 - 5 - 85  [0.900] 100", "0.900", "0.525"),
            ("Score of a vs b: 10 - 5 - 85  [0.523] 100", "0.523", "0.525"),
            ("Wins: 10, Losses: 5, Draws: 85, Points: 75.0 (75.00 %)", "75.0", "52.5"),
        ] {
            assert_eq!(other(line, &games), Some((printed.to_owned(), theirs.to_owned())), "{line}");
        }
    }
}
