//! What a match says of its engines and must be said wherever its games are judged: games lost by a fault, searches beyond limits.

use std::collections::BTreeMap;
use std::fmt;

use drawish_stats::numbers::{counted, grouped};
use shakmaty::Color;

use super::PairRecord;

/// An engine that has lost games by a fault or searched beyond its limits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conduct {
    /// The engine.
    pub name: String,
    /// Its games.
    pub games: u64,
    /// Games that it has lost by time, by a crash or by an illegal move.
    pub faults: u64,
    /// Searches that went far beyond their limits.
    pub overran: u64,
}

impl fmt::Display for Conduct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Conduct { name, games, faults, overran } = self;
        f.write_str(name)?;
        if *faults > 0 {
            let (faults, games) = (grouped(*faults), counted(*games, "game"));
            write!(
                f,
                " lost {faults} of {games} by a fault (time, a crash or an illegal move), which count like any other"
            )?;
        }
        let and = if *faults > 0 { ", and" } else { "" };
        match overran {
            0 => Ok(()),
            _ => write!(f, "{and} went far beyond its limits in {}", counted(*overran, "move")),
        }
    }
}

/// The conduct of engines in games, by their names.
#[derive(Default)]
pub struct Conducts(BTreeMap<String, Conduct>);

impl Conducts {
    /// Adds a game of an engine, in which it may have lost by a fault.
    pub fn add(&mut self, name: &str, is_fault: bool, overran: u64) {
        let none = || Conduct { name: name.to_owned(), games: 0, faults: 0, overran: 0 };
        let conduct = self.0.entry(name.to_owned()).or_insert_with(none);
        conduct.games += 1;
        conduct.faults += u64::from(is_fault);
        conduct.overran += overran;
    }

    /// Adds logged pairs, each between players of these names.
    pub fn add_pairs<'a>(&mut self, pairs: impl Iterator<Item = (&'a PairRecord, [&'a str; 2])>) {
        for (pair, [first, second]) in pairs {
            for (game, [white, black]) in pair.games.iter().zip([[first, second], [second, first]]) {
                let winner = game.winner().filter(|_| game.end.is_fault());
                let [by_white, by_black] = game.overran.map(u64::from);
                self.add(white, winner == Some(Color::Black), by_white);
                self.add(black, winner == Some(Color::White), by_black);
            }
        }
    }

    /// Those engines of which there is something to say.
    pub fn noted(self) -> impl Iterator<Item = Conduct> {
        self.0.into_values().filter(|conduct| conduct.faults > 0 || conduct.overran > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_an_engine() {
        let mut conducts = Conducts::default();
        for game in 0..3 {
            conducts.add("a", game > 0, 0);
            conducts.add("b", game > 1, 5 * game);
            conducts.add("c", false, game);
            conducts.add("d", false, 0);
        }
        let said: Vec<String> = conducts.noted().map(|conduct| conduct.to_string()).collect();
        let fault = "by a fault (time, a crash or an illegal move), which count like any other";
        let expected = [
            format!("a lost 2 of 3 games {fault}"),
            format!("b lost 1 of 3 games {fault}, and went far beyond its limits in 15 moves"),
            "c went far beyond its limits in 3 moves".to_owned(),
        ];
        assert_eq!(said, expected);
    }
}
